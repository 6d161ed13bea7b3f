"""Every action of the panel, in one list: its keys, its words, where it is hinted at."""

from __future__ import annotations

from dataclasses import dataclass

from knit_tui.faces.i18n import N_


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do; ``MainScreen`` has the method that ``command`` names."""

    id: str
    keys: tuple[str, ...]
    """Names of keys as Textual has them, the one to show first."""
    label: str
    """One or two words for the hint bar."""
    help: str
    """One sentence."""
    group: str
    """The heading it stands under in the help."""
    hints: tuple[str, ...] = ()
    """Where the hint bar shows it: ``list``, ``preview``, ``filter``."""


_MOVE = N_("Move")
_SHOW = N_("Choose what is shown")
_ACT = N_("Act on a document")
_READ = N_("Read")
_LAY = N_("Layout")
_KNIT = N_("Panel")
GROUPS = (_SHOW, _ACT, _READ, _MOVE, _LAY, _KNIT)
"""In the order of the help."""

ACTIONS: tuple[Action, ...] = (
    Action(
        "preview.open",
        ("enter",),
        N_("open"),
        N_("Read the document in the preview"),
        _READ,
        ("list", "lens"),
    ),
    Action("item.pin", ("p",), N_("pin"), N_("Pin the document, or take the pin off"), _ACT, ("list",)),
    Action(
        "item.exclude",
        ("x",),
        N_("exclude"),
        N_("Leave the document out, or let it in again"),
        _ACT,
        ("list",),
    ),
    Action("edit.undo", ("u",), N_("undo"), N_("Take the last pin or exclusion back"), _ACT, ("list",)),
    Action("edit.redo", ("U",), N_("redo"), N_("Do again what was undone"), _ACT),
    Action(
        "scroll.next_match",
        ("n",),
        N_("next"),
        N_("Go to the next match: the passages first, then every line with a word looked for"),
        _READ,
        ("preview",),
    ),
    Action(
        "scroll.previous_match",
        ("N",),
        N_("previous"),
        N_("Go to the match before"),
        _READ,
        ("preview",),
    ),
    Action("inspect.map", (), N_("source map"), N_("Go to the source map beside the document"), _ACT),
    Action(
        "inspect.backlinks",
        ("b",),
        N_("named in"),
        N_("Show which documents name, import or test this one"),
        _ACT,
        ("preview",),
    ),
    Action(
        "excluded.show",
        ("X",),
        N_("excluded"),
        N_("List what you left out, to let it in again"),
        _ACT,
    ),
    Action(
        "filter.open",
        ("slash", "f3"),
        N_("filter"),
        N_("Show only what holds the words you type"),
        _SHOW,
        ("list",),
    ),
    Action(
        "task.ask",
        ("t",),
        N_("task"),
        N_("Type a task to rank for, instead of the session's"),
        _SHOW,
        ("list",),
    ),
    Action(
        "task.follow",
        ("T",),
        N_("drop the task"),
        N_("Drop the typed task and follow the session again"),
        _SHOW,
    ),
    Action("task.keep", ("enter",), N_("rank for it"), N_("Rank for the typed task"), "", ("task",)),
    Action(
        "filter.keep", ("enter",), N_("keep"), N_("Keep the filter and go back to the list"), "", ("filter",)
    ),
    Action(
        "item.evidence",
        ("i",),
        N_("why"),
        N_("Show under the row all that speaks for it, or hide it again"),
        _ACT,
        ("list",),
    ),
    Action(
        "item.peek",
        ("space",),
        N_("peek"),
        N_("Glance at the document: why it is here and the matching lines"),
        _READ,
        ("list",),
    ),
    Action(
        "item.edit",
        ("e",),
        N_("edit"),
        N_("Open the document in your editor, at the line"),
        _ACT,
        ("list", "preview", "lens"),
    ),
    Action(
        "copy.path",
        ("y",),
        N_("copy"),
        N_("Copy the path of the document"),
        _ACT,
        ("list", "preview", "lens"),
    ),
    Action("copy.line", ("Y",), N_("copy line"), N_("Copy the path and the line"), _ACT),
    Action("copy.absolute", (), N_("copy absolute"), N_("Copy the path from the root of the disk"), _ACT),
    Action("copy.passage", ("C",), N_("copy passage"), N_("Copy the text of the matching passage"), _ACT),
    Action("copy.link", (), N_("copy link"), N_("Copy a Markdown link to the document"), _ACT),
    Action(
        "item.send",
        ("at", "m"),
        N_("to agent"),
        N_("Type @ and the path into the pane of the agent, in tmux"),
        _ACT,
        ("list", "lens"),
    ),
    Action("pane.choose", ("M",), N_("pane"), N_("Choose the agent's pane again, and send there"), _ACT),
    Action("item.open", ("o",), N_("open outside"), N_("Open the document with its own program"), _ACT),
    Action("item.reveal", ("O",), N_("folder"), N_("Show the document in the file manager"), _ACT),
    Action(
        "recent.show",
        ("B",),
        N_("recent"),
        N_("Go back to a document that you read, copied or opened"),
        _ACT,
    ),
    Action(
        "workspace.open",
        ("W",),
        N_("workspace"),
        N_("Show the folder of the workspace in the file manager"),
        _ACT,
    ),
    Action("workspace.copy", ("P",), N_("copy workspace"), N_("Copy the path of the workspace"), _ACT),
    Action("view.sort", ("s",), N_("sort"), N_("Sort by relevance or newest first"), _SHOW, ("list",)),
    Action(
        "inspect.open",
        ("w",),
        N_("why not"),
        N_("Tell why a document is in the pack or not, also one that you type"),
        _ACT,
        ("list", "preview"),
    ),
    Action(
        "view.summary",
        ("I",),
        N_("facts"),
        N_("Show or hide the line that says where the documents went"),
        _SHOW,
    ),
    Action(
        "usage.lens",
        ("a",),
        N_("usage"),
        N_("Count what the agent reads, then show more or less"),
        _SHOW,
        ("list", "lens"),
    ),
    Action(
        "usage.off",
        ("A",),
        N_("usage off"),
        N_("Stop counting what the agent reads, and forget it"),
        _SHOW,
        ("lens",),
    ),
    Action(
        "tab.context", ("1",), N_("context"), N_("Show the pack the agent gets, documents and code"), _SHOW
    ),
    Action("tab.docs", ("2",), N_("docs"), N_("Show documents"), _SHOW),
    Action("tab.code", ("3",), N_("code"), N_("Show code"), _SHOW),
    Action("tab.media", ("4",), N_("media"), N_("Show pictures and films"), _SHOW),
    Action(
        "tab.previous",
        ("left_square_bracket", "shift+left"),
        N_("tab left"),
        N_("Show the tab to the left"),
        _SHOW,
    ),
    Action(
        "tab.next",
        ("right_square_bracket", "shift+right"),
        N_("tab right"),
        N_("Show the tab to the right"),
        _SHOW,
    ),
    Action("scroll.down", ("J",), N_("scroll"), N_("Scroll the preview down by 3 lines"), _READ),
    Action("scroll.up", ("K",), N_("scroll back"), N_("Scroll the preview up by 3 lines"), _READ),
    Action(
        "scroll.half_down",
        ("d", "ctrl+d"),
        N_("half page"),
        N_("Scroll the preview down by half a page"),
        _READ,
        ("preview",),
    ),
    Action(
        "scroll.half_up",
        ("D", "ctrl+u"),
        N_("half page up"),
        N_("Scroll the preview up by half a page"),
        _READ,
    ),
    Action("scroll.left", ("comma",), N_("left"), N_("Scroll the preview to the left"), _READ),
    Action("scroll.right", ("full_stop",), N_("right"), N_("Scroll the preview to the right"), _READ),
    Action(
        "view.wrap",
        ("L",),
        N_("long lines"),
        N_("Wrap the long lines of documents, or of code, in the preview, or cut them at the edge"),
        _READ,
        ("preview",),
    ),
    Action("move.down", ("down", "j"), N_("down"), N_("Go to the next document"), _MOVE),
    Action("move.up", ("up", "k"), N_("up"), N_("Go to the previous document"), _MOVE),
    Action("move.page_down", ("pagedown",), N_("page down"), N_("Go down by one page"), _MOVE),
    Action("move.page_up", ("pageup",), N_("page up"), N_("Go up by one page"), _MOVE),
    Action(
        "move.top", ("g", "home"), N_("top"), N_("Go to the top and stay there when the order changes"), _MOVE
    ),
    Action("move.bottom", ("G", "end"), N_("bottom"), N_("Go to the last document"), _MOVE),
    Action(
        "move.next_tier",
        ("right_curly_bracket", "shift+down"),
        N_("next tier"),
        N_("Go to the next tier"),
        _MOVE,
    ),
    Action(
        "move.previous_tier",
        ("left_curly_bracket", "shift+up"),
        N_("previous tier"),
        N_("Go to the previous tier"),
        _MOVE,
    ),
    Action(
        "focus.next",
        ("tab", "shift+tab"),
        N_("other pane"),
        N_("Go to the other pane: list, preview or usage"),
        _MOVE,
    ),
    Action(
        "focus.list",
        ("h", "left"),
        N_("list"),
        N_("Go to the list; in a preview that is scrolled sideways, first back to its left edge"),
        _MOVE,
    ),
    Action(
        "focus.preview", ("l", "right"), N_("preview"), N_("Go to the preview; in it, to the right"), _MOVE
    ),
    Action(
        "view.refresh",
        ("r",),
        N_("refresh"),
        N_("Apply the new order now, or look at the files again"),
        _SHOW,
    ),
    Action("view.rescan", ("R",), N_("look again"), N_("Look at all files again"), _SHOW),
    Action(
        "view.zoom",
        ("z",),
        N_("zoom"),
        N_("Show the preview alone, then the list alone, then both"),
        _LAY,
        ("preview",),
    ),
    Action("view.arrange", ("v",), N_("stack"), N_("Show the preview below the list or beside it"), _LAY),
    Action("split.less", ("less_than_sign", "minus"), N_("smaller list"), N_("Make the list smaller"), _LAY),
    Action(
        "split.more",
        ("greater_than_sign", "equals_sign"),
        N_("larger list"),
        N_("Make the list larger"),
        _LAY,
    ),
    Action(
        "split.reset",
        ("0",),
        N_("usual sizes"),
        N_("Divide the room between list and preview as at first"),
        _LAY,
    ),
    Action("view.compact", ("c",), N_("compact"), N_("One line for each document, or all lines"), _LAY),
    Action("view.header", ("H",), N_("header"), N_("Hide the two lines at the top, or show them"), _LAY),
    Action(
        "panel.fill",
        ("f",),
        N_("full screen"),
        N_("Let the pane of tmux fill its window; elsewhere, zoom"),
        _LAY,
    ),
    Action(
        "panel.mouse",
        ("percent_sign",),
        N_("mouse"),
        N_("Leave the mouse to the terminal, which selects text, or take it back"),
        _LAY,
    ),
    Action(
        "session.choose",
        ("S",),
        N_("session"),
        N_("Choose the agent session that is followed"),
        _KNIT,
    ),
    Action(
        "panel.back",
        ("escape",),
        N_("back"),
        N_("Go back to the list, or clear the filter"),
        _KNIT,
        ("preview", "filter", "task", "lens"),
    ),
    Action(
        "panel.help",
        ("question_mark", "f1"),
        N_("help"),
        N_("Show and search every action"),
        _KNIT,
        ("list", "preview", "filter", "task", "lens"),
    ),
    Action(
        "panel.commands",
        ("colon", "ctrl+p", "f2"),
        N_("commands"),
        N_("Find a command, a theme or a language by its name"),
        _KNIT,
        ("list", "preview", "filter", "task", "lens"),
    ),
    Action(
        "panel.hints", (), N_("first hints"), N_("Show the hints for newcomers, or hide them for good"), _KNIT
    ),
    Action("panel.suspend", ("ctrl+z",), N_("suspend"), N_("Go back to the shell; fg returns"), _KNIT),
    Action("panel.quit", ("q",), N_("quit"), N_("Leave knit"), _KNIT, ("list",)),
)
