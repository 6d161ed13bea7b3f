"""What an empty list says: what is so, and what to do next."""

from __future__ import annotations

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import safe_text
from knit_tui.faces.session_words import session_text
from knit_tui.faces.tui.actions import BY_ID, key_of
from knit_tui.faces.tui.cells import one_line
from knit_tui.faces.tui.widgets.title_bar import terms_text
from knit_tui.model import Mode, SessionStatus, Snapshot, Tab, View


def empty_text(
    snapshot: Snapshot | None, tab: Tab, *, by_time: bool, filter: str, failure: str
) -> tuple[str, ...]:
    """A title and a few sentences for a list without rows."""
    if snapshot is None:
        if failure:
            return (
                _("The engine stopped"),
                safe_text(failure),
                _("Press {key} to leave, then start knit again.").format(key=key_of("panel.quit")),
            )
        return (_("Looking through the workspace"), _("The list fills as soon as the files are read."))
    if not snapshot.present:
        return (
            _("The workspace is gone"),
            _("There is no folder {root} now.").format(root=safe_text(snapshot.root)),
            _("The list comes back with the folder. Press {key} to look again.").format(
                key=key_of("view.refresh")
            ),
        )
    view = snapshot.views.get(tab, View(tab, Mode.RELEVANCE))
    behind = len(view.newest if by_time and view.mode is Mode.RELEVANCE else view.items)
    if filter.split() and behind:
        count = ngettext("{count} document is behind it.", "{count} documents are behind it.", behind)
        return (
            _("Nothing holds all of: {words}").format(words=one_line(filter)),
            count.format(count=f"{behind:,}")
            + " "
            + _("Press {key} to clear the filter.").format(key=key_of("panel.back")),
        )
    if not snapshot.complete:
        text = _("{done} of {total} documents are indexed.")
        return (
            _("Nothing matches so far"),
            text.format(done=f"{snapshot.indexed:,}", total=f"{snapshot.documents:,}"),
        )
    if not view.total:
        return _no_files(snapshot, view)
    terms = terms_text(snapshot.query)
    title = _("Nothing here matches: {terms}").format(terms=terms) if terms else _("Nothing here matches")
    keys = {"sort": key_of("view.sort"), "task": key_of("task.ask")}
    anyway = _("Press {sort} for newest first, or {task} to type another task.").format(**keys)
    return (title, *_elsewhere(snapshot, tab), anyway)


def _elsewhere(snapshot: Snapshot, tab: Tab) -> list[str]:
    """A sentence for each other tab that has what this one has not."""
    texts = []
    for other, view in snapshot.views.items():
        count = len(view.items)
        if other is not tab and other is not Tab.CONTEXT and count:
            text = ngettext(
                "{count} document matches in {tab}: press {key}.",
                "{count} documents match in {tab}: press {key}.",
                count,
            )
            if view.mode is Mode.NEWEST:
                text = ngettext(
                    "{count} file in {tab}: press {key}.", "{count} files in {tab}: press {key}.", count
                )
            action = f"tab.{other.value}"
            label = _(BY_ID[action].label)
            texts.append(text.format(count=f"{count:,}", tab=label, key=key_of(action)))
    return texts


def waiting_text(session: SessionStatus) -> str:
    """What to do while there is no task to rank for; safe text."""
    if session.state not in ("following", "none", "off"):
        return session_text(session)
    text = _("Waiting for a task. Press {key} to enter one, or start your agent here.")
    if session.state == "off":
        text = _("Waiting for a task. Press {key} to enter one.")
    elif session.state == "following":
        text = _("Waiting for a task. Press {key} to enter one, or tell your agent.")
    return text.format(key=key_of("task.ask"))


def _no_files(snapshot: Snapshot, view: View) -> tuple[str, ...]:
    if view.excluded:
        count = ngettext("You excluded {count} document.", "You excluded {count} documents.", view.excluded)
        return (
            _("Everything here is excluded"),
            count.format(count=f"{view.excluded:,}")
            + " "
            + _("Press {key} to take the last one back.").format(key=key_of("edit.undo")),
        )
    if not any(each.total for each in snapshot.views.values()) and not snapshot.skipped:
        return (
            _("There are no files here yet"),
            _("{root} has none, apart from those that git ignores.").format(root=safe_text(snapshot.root)),
            _("New files appear by themselves."),
        )
    titles = {
        Tab.CONTEXT: _("No documents or code here yet"),
        Tab.DOCS: _("No documents here yet"),
        Tab.CODE: _("No code here yet"),
        Tab.MEDIA: _("No pictures or films here yet"),
    }
    lines = [
        titles[view.tab],
        *_elsewhere(snapshot, view.tab),
        _("Files that git ignores are not shown. New files appear by themselves."),
    ]
    if snapshot.skipped:
        skipped = ngettext("{count} file was skipped.", "{count} files were skipped.", snapshot.skipped)
        lines.append(skipped.format(count=f"{snapshot.skipped:,}") + " " + _("knit files tells why."))
    return tuple(lines)
