"""Quillbox, an invented notebook program that describes itself in 24 documents, and 12 tasks of two messages.

What is expected of a pack are inclusions: which document leads, which stand beside it, which must not lead.
The README, the changelog and the archive touch every subject; the scratch note repeats the words of one
without saying what it is about.
"""

from __future__ import annotations

from dataclasses import dataclass

from eval.pages import Page
from knit_tui.model import Kind

README, CHANGELOG, ARCHIVE = "README.md", "CHANGELOG.md", "docs/archive/meetings.md"
SCRATCH = "notes/scratch.md"
NEVER_PRIMARY = (README, CHANGELOG, ARCHIVE)


@dataclass(frozen=True, slots=True)
class Task:
    """Messages, newest first; ``primary`` lists the documents that may lead."""

    name: str
    messages: tuple[str, str]
    primary: tuple[str, ...]
    placed: tuple[str, ...] = ()
    """Documents that must stand in some tier."""
    not_primary: tuple[str, ...] = NEVER_PRIMARY


def _docs(rel: str, title: str, summary: str, *paragraphs: str) -> Page:
    return Page(rel, Kind.DOCS, "\n\n".join(paragraphs), title, summary)


PAGES = (
    _docs(
        README,
        "Quillbox",
        "A notebook that works without a network.",
        "Quillbox keeps notes on your machine and syncs them when it can. It merges edits, encrypts "
        "notes, indexes "
        "them for search, stores attachments, and exports everything. Plugins extend the editor.",
        "See docs/merge-algorithm.md, docs/sync-contract.md and docs/encryption.md.",
    ),
    _docs(
        CHANGELOG,
        "Changelog",
        "What changed in each release.",
        "0.9: faster merge, new sync cursor, thumbnails of attachments. 0.8: encryption of titles, "
        "backup at night. "
        "0.7: plugins run in a sandbox. 0.6: search index rebuilt in the background. 0.5: export to a "
        "zip file.",
    ),
    _docs(
        ARCHIVE,
        "Meetings",
        "Minutes of all meetings.",
        "Spoke of merge, sync, cursor, tombstone, encryption, envelope, postings, tokenizer, thumbnail, "
        "upload, queue, "
        "replay, revoke, export, undo, sandbox, telemetry, restore, fuzz, signing, budget, 冲突, 快照.",
        *["Coffee was had. The next meeting is on Thursday. Somebody takes the minutes."] * 80,
    ),
    _docs(
        "docs/merge-algorithm.md",
        "Merge algorithm",
        "How two versions of a note become one.",
        "The merge takes the common ancestor and both versions. Lines that only one side changed are "
        "taken. Where "
        "both changed the same line, the merge keeps both and marks a conflict.",
        "A merge never loses a line: the merge of a deletion and an edit keeps the edit.",
    ),
    _docs(
        "docs/conflicts.md",
        "冲突处理",
        "用户看到冲突以后可以做什么。",
        "合并以后仍有冲突的行会在页边标出。用户可以保留一边、保留两边,或者手动改写。冲突没有处理完也可以继续编辑。",
        "冲突标记不会上传到服务器,直到用户处理完冲突。",
    ),
    _docs(
        SCRATCH,
        "Scratch",
        "",
        "retry jitter? retry storm when the server restarts, retry of the retry. jitter from the node "
        "id, or random "
        "jitter. Ask about the jitter of the old client. retry budget per minute.",
    ),
    _docs(
        "docs/sync-contract.md",
        "Sync contract",
        "What client and server promise each other.",
        "The client sends its cursor; the server answers with everything after the cursor and a new "
        "cursor. A deleted "
        "note leaves a tombstone for thirty days. A retry with the same cursor gives the same answer.",
    ),
    _docs(
        "docs/offline-queue.md",
        "Offline queue",
        "Edits made without a network.",
        "Each edit goes to the queue first. When the network returns the queue is replayed in order. A "
        "replay that "
        "fails is tried again with a growing pause; the retry carries the same number, so that nothing "
        "is done twice.",
    ),
    _docs(
        "docs/storage-design.md",
        "Storage design",
        "An append-only log and its snapshots.",
        "Every edit is appended to the log. A snapshot holds the state at one place of the log; older "
        "segments of the "
        "log are dropped after a snapshot. Reading starts at the newest snapshot.",
    ),
    _docs(
        "docs/adr/0003-append-only.md",
        "0003 Append-only log",
        "Why we do not update notes in place.",
        "A torn write must not cost a note. An append-only log can be cut at the last whole record. We "
        "accept that "
        "the log grows and needs a snapshot now and then.",
    ),
    _docs(
        "docs/adr/0007-no-accounts.md",
        "0007 No accounts",
        "A key instead of a user name.",
        "Who holds the key holds the notebook. There is no password to reset. Sharing hands out a "
        "derived key.",
    ),
    _docs(
        "docs/encryption.md",
        "Encryption",
        "Keys, envelopes and what the server sees.",
        "The notebook key is derived from a phrase. Every note has its own key in an envelope that the "
        "notebook key "
        "opens. The server sees sizes and times, no titles. Rotating the notebook key rewrites the "
        "envelopes only.",
    ),
    _docs(
        "docs/permissions.md",
        "Sharing and permissions",
        "Readers, writers and how to revoke them.",
        "A share names a notebook, a role and an end date. To revoke a share rotate the key; what a "
        "reader has copied "
        "stays copied. A writer may edit notes but not share them further.",
    ),
    _docs(
        "docs/search-index.md",
        "Search index",
        "Tokenizer, postings and ranking.",
        "The tokenizer splits words and keeps identifiers whole. Postings are sorted by note. A changed "
        "note is "
        "indexed again at once; the whole index is rebuilt when the tokenizer changes.",
    ),
    _docs(
        "docs/attachments.md",
        "Attachments",
        "Chunked upload and thumbnails.",
        "An attachment is cut into chunks of one megabyte; an upload that breaks resumes at the next "
        "chunk. The "
        "thumbnail is made on the client, since the server cannot read the image.",
    ),
    _docs(
        "docs/import-export.md",
        "Import and export",
        "Markdown in, Markdown out.",
        "Export writes one Markdown file for each note and a folder for attachments. Import reads the "
        "same layout and "
        "keeps the dates. Links between notes become relative paths.",
    ),
    _docs(
        "docs/editor.md",
        "Editor",
        "Cursor, selection and undo.",
        "Undo works on groups of keystrokes. After a sync the undo history stays, since remote edits are "
        "undone "
        "never. The cursor keeps its place when remote lines come in above it.",
    ),
    _docs(
        "docs/plugins.md",
        "Plugins",
        "Hooks and the sandbox.",
        "A plugin registers hooks: before save, after load. It runs in a sandbox without a network. A "
        "plugin that "
        "takes longer than a second is stopped, and its hook is skipped until the next start.",
    ),
    _docs(
        "docs/telemetry.md",
        "Telemetry",
        "What is counted, and only when asked to.",
        "Off unless turned on. Counted are starts, crashes and the size of the notebook, never text.",
    ),
    _docs(
        "docs/backup.md",
        "备份与恢复",
        "每晚的快照和恢复步骤。",
        "每天夜里把快照写到备份目录,保留三十天。恢复时选择一个快照,先写到新的目录,确认以后再替换。",
        "恢复不会删除备份以后新写的笔记。",
    ),
    _docs(
        "docs/testing.md",
        "Testing",
        "Fixtures and fuzzing.",
        "Two clients with a random schedule must end in the same state. Fuzzing cuts the log at every "
        "byte. Fixtures "
        "are small notebooks in plain files.",
    ),
    _docs(
        "docs/release.md",
        "Release",
        "Channels and signing.",
        "A release is built twice and compared. The signing key is kept offline. The stable channel "
        "follows the beta "
        "channel after a week.",
    ),
    _docs(
        "docs/performance.md",
        "Performance",
        "Budgets and how they are measured.",
        "Opening a notebook of ten thousand notes takes half a second, of which the search index is a "
        "third. A key "
        "shows within one frame. Each budget has a benchmark.",
    ),
    _docs(
        "docs/glossary.md",
        "Glossary",
        "Words used in these documents.",
        "Notebook: all notes under one key. Envelope: a wrapped key. Cursor: a place in the history. "
        "Tombstone: what "
        "a deleted note leaves. Snapshot: the state at one moment. Posting: a note in the index.",
    ),
)

TASKS = (
    Task(
        "merge",
        ("the merge of a deletion and an edit loses the edit", "two clients changed the same note"),
        ("docs/merge-algorithm.md",),
    ),
    Task(
        "conflict-marks",
        ("冲突标记不应该上传", "处理冲突的界面"),
        ("docs/conflicts.md",),
    ),
    Task(
        "jitter",
        ("add jitter to the retry", "the offline queue hammers the server with every retry"),
        ("docs/offline-queue.md", "docs/sync-contract.md"),
        placed=("docs/offline-queue.md", SCRATCH),
        not_primary=(*NEVER_PRIMARY, SCRATCH),
    ),
    Task(
        "cursor",
        ("the sync cursor jumps back after a tombstone", "server and client disagree"),
        ("docs/sync-contract.md",),
        placed=("docs/glossary.md",),
    ),
    Task(
        "torn-log",
        ("cut the append-only log at the last whole record", "a torn write after the power failed"),
        ("docs/adr/0003-append-only.md", "docs/storage-design.md"),
        placed=("docs/adr/0003-append-only.md", "docs/storage-design.md"),
    ),
    Task(
        "envelope",
        ("rotate the notebook key without touching the notes", "look at the envelopes of the encryption"),
        ("docs/encryption.md",),
        placed=("docs/permissions.md",),
    ),
    Task(
        "revoke",
        ("revoke the share of one reader", "permissions of a writer"),
        ("docs/permissions.md",),
    ),
    Task(
        "postings",
        ("rebuild the postings when the tokenizer changes", "search finds half of an identifier"),
        ("docs/search-index.md",),
    ),
    Task(
        "upload",
        ("resume the upload at the next chunk", "large attachments fail on a slow line"),
        ("docs/attachments.md",),
    ),
    Task(
        "undo",
        ("undo removes remote edits", "the editor loses its cursor after a sync"),
        ("docs/editor.md",),
        placed=("docs/sync-contract.md",),
    ),
    Task(
        "restore",
        ("恢复快照以后新笔记不见了", "检查备份的步骤"),
        ("docs/backup.md",),
    ),
    Task(
        "slow-plugin",
        ("a plugin blocks save for longer than a second", "the sandbox does not stop its hook"),
        ("docs/plugins.md",),
    ),
)
