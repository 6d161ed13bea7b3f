"""What the workspace holds in words: kinds of documents, what is read of them, why files are skipped."""

from __future__ import annotations

from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text
from knit_tui.model import Access, Kind, Skip


def kind_text(kind: str) -> str:
    """A kind of documents, by its value."""
    return {
        Kind.DOCS: _("docs"),
        Kind.CODE: _("code"),
        Kind.IMAGE: _("image"),
        Kind.VIDEO: _("video"),
    }[Kind(kind)]


def access_text(access: str) -> str:
    """What is read of a document, by its value."""
    return {
        Access.TEXT: _("text"),
        Access.NAME: _("name only"),
        Access.GENERATED: _("generated"),
        Access.WITHHELD: _("withheld"),
    }[Access(access)]


def skip_text(reason: str) -> str:
    """Why files are skipped, in a word or two."""
    return {
        "binary": _("binary"),
        "special": _("special"),
        "symlink": _("symlink"),
        "unreadable": _("unreadable"),
        "ignore-file": _("ignore-file"),
        "folder": _("folder"),
        "repository": _("repository"),
    }.get(reason, safe_text(reason))


def skip_detail(skip: Skip) -> str:
    """What more is known of a file that is skipped; where a link leads stays as it is."""
    if skip.reason == "symlink":
        return safe_text(skip.detail)
    texts = {
        "git's own folder": _("git's own folder"),
        "unreadable": _("unreadable"),
        "folder": _("folder"),
        "fifo": _("fifo"),
        "socket": _("socket"),
        "device": _("device"),
    }
    return texts.get(skip.detail, safe_text(skip.detail))
