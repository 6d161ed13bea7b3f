"""What an empty list says: what is so, and what to do next."""

from __future__ import annotations

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import safe_text
from knit_tui.faces.tui.cells import one_line
from knit_tui.faces.tui.widgets.title_bar import terms_text
from knit_tui.model import Mode, Snapshot, Tab, View


def empty_text(
    snapshot: Snapshot | None, tab: Tab, *, by_time: bool, filter: str, failure: str
) -> tuple[str, ...]:
    """A title and a few sentences for a list without rows."""
    if snapshot is None:
        if failure:
            return (
                _("The engine stopped"),
                safe_text(failure),
                _("Press q to leave, then start knit again."),
            )
        return (_("Looking through the workspace"), _("The list fills as soon as the files are read."))
    if not snapshot.present:
        return (
            _("The workspace is gone"),
            _("There is no folder {root} now.").format(root=safe_text(snapshot.root)),
            _("The list comes back with the folder. Press r to look again."),
        )
    view = snapshot.views.get(tab, View(tab, Mode.RELEVANCE))
    behind = len(view.newest if by_time and view.mode is Mode.RELEVANCE else view.items)
    if filter.split() and behind:
        count = ngettext("{count} document is behind it.", "{count} documents are behind it.", behind)
        return (
            _("Nothing holds all of: {words}").format(words=one_line(filter)),
            count.format(count=f"{behind:,}") + " " + _("Press esc to clear the filter."),
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
    return (title, _("Press s for newest first, or 1 to 4 for another tab."))


def _no_files(snapshot: Snapshot, view: View) -> tuple[str, ...]:
    if view.excluded:
        count = ngettext("You excluded {count} document.", "You excluded {count} documents.", view.excluded)
        return (
            _("Everything here is excluded"),
            count.format(count=f"{view.excluded:,}") + " " + _("Press u to take the last one back."),
        )
    titles = {
        Tab.CONTEXT: _("No documents or code here yet"),
        Tab.DOCS: _("No documents here yet"),
        Tab.CODE: _("No code here yet"),
        Tab.MEDIA: _("No pictures or films here yet"),
    }
    lines = [titles[view.tab], _("Files that git ignores are not shown. New files appear by themselves.")]
    if snapshot.skipped:
        skipped = ngettext("{count} file was skipped.", "{count} files were skipped.", snapshot.skipped)
        lines.append(skipped.format(count=f"{snapshot.skipped:,}"))
    return tuple(lines)
