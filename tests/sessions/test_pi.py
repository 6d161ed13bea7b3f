"""pi: what its entries tell, and where its logs are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import Compacted, EditDone, Event, ReadDone, Rewind, SessionInfo, UserMessage
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.pi import FORMAT
from knit_tui.sessions.formats.pi_folders import PiLocator
from knit_tui.sessions.paths import Place
from tests.sessions.home import NOW
from tests.sessions.laws import PROJECT, agrees, cut_anywhere, grown_in_chunks, of_file, of_records, short
from tests.sessions.logs import append, line, write

HEADER = {"type": "session", "version": 3, "id": "85b4", "timestamp": "2026-03-15T23:33:01Z", "cwd": PROJECT}


class Pi:
    """Entries, each the child of the one before unless told otherwise."""

    def __init__(self) -> None:
        self.last: str | None = None
        self.count = 0

    def entry(self, kind: str, **more: Any) -> dict[str, Any]:
        self.count += 1
        parent = more.pop("parent", self.last)
        self.last = f"e{self.count}"
        stamp = f"2026-03-15T23:34:{self.count % 60:02}Z"
        return {"type": kind, "id": self.last, "parentId": parent, "timestamp": stamp} | more

    def message(self, role: str, content: Any, **more: Any) -> dict[str, Any]:
        parent = {"parent": more.pop("parent")} if "parent" in more else {}
        return self.entry("message", message={"role": role, "content": content} | more, **parent)

    def user(self, text: str, **more: Any) -> dict[str, Any]:
        return self.message("user", [{"type": "text", "text": text}], **more)

    def says(self, text: str, **more: Any) -> dict[str, Any]:
        return self.message("assistant", [{"type": "text", "text": text}], **more)

    def call(self, tool: str, call_id: str = "c", **given: Any) -> dict[str, Any]:
        block = {"type": "toolCall", "id": call_id, "name": tool, "arguments": given}
        return self.message("assistant", [block])

    def done(self, said: str = "", error: bool = False, call_id: str = "c") -> dict[str, Any]:
        content = [{"type": "text", "text": said}]
        return self.message("toolResult", content, toolCallId=call_id, isError=error)


def told(*entries: dict[str, Any], place: Place | None = None) -> list[Event]:
    if place is None:
        return of_records(FORMAT, [HEADER, *entries])[1:]
    decoder = FORMAT.decoder(place, "s")
    return [event for entry in (HEADER, *entries) for event in decoder.decode(entry)][1:]


def shorts(*entries: dict[str, Any]) -> list[str]:
    return [short(event) for event in told(*entries)]


def test_the_header_tells_the_session() -> None:
    assert of_records(FORMAT, [HEADER, HEADER]) == [SessionInfo("pi", "85b4", PROJECT)]
    assert of_records(FORMAT, [HEADER | {"id": 7}], name="the-file") == [
        SessionInfo("pi", "the-file", PROJECT)
    ]


def test_reads_and_edits_are_told_where_they_end() -> None:
    pi = Pi()
    assert shorts(
        pi.call("read", "1", path="a.md"),
        pi.call("edit", "2", path=f"{PROJECT}/b.py", edits=[]),
        pi.call("write", "3", path="c.py", content=""),
        pi.call("read", "4", file_path="@d.md"),
        pi.call("ls", "5", path="."),
        pi.done(call_id="2"),
        pi.done("ENOENT", error=True, call_id="1"),
        pi.done(error=True, call_id="3"),
        pi.done(call_id="4"),
        pi.done(call_id="5"),
        pi.done(call_id="unknown"),
    ) == ["edit b.py ok", "confirmed a.md failed", "edit c.py failed", "confirmed d.md ok"]


@pytest.mark.parametrize(
    ("command", "said", "error", "expected"),
    [
        ("cat a.md", "# A", False, ["confirmed a.md ok"]),
        (
            "cat a.md",
            "cat: a.md: No such file\n\n\nCommand exited with code 1",
            True,
            ["confirmed a.md failed"],
        ),
        ("cat a.md; false", "# A\n\n\nCommand exited with code 1", True, ["inferred a.md ok"]),
        ("cat a.md; sleep 9", "# A\n\nCommand timed out after 5 seconds", True, ["inferred a.md ok"]),
        ("cat a.md", "# A\n\nCommand timed out after 5 seconds", True, ["inferred a.md ok"]),
        ("cat a.md", "Command aborted", True, []),
        ("grep x a.md", "x", False, []),
    ],
)
def test_shell_reads(command: str, said: str, error: bool, expected: list[str]) -> None:
    pi = Pi()
    assert shorts(pi.call("bash", command=command), pi.done(said, error)) == expected


def test_texts_without_thinking() -> None:
    pi = Pi()
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": " One. "},
        {"type": "text", "text": "Two."},
    ]
    assert shorts(pi.user("hello\n"), pi.message("assistant", content), pi.message("user", "plain")) == [
        "user hello",
        "agent One. \nTwo.",
        "user plain",
    ]


@pytest.mark.parametrize(
    "role", ["bashExecution", "custom", "hookMessage", "branchSummary", "compactionSummary", "developer"]
)
def test_what_the_program_put_in_is_no_message(role: str) -> None:
    pi = Pi()
    assert told(pi.message(role, [{"type": "text", "text": "x"}], command="cat a.md")) == []
    assert told(pi.entry("custom_message", customType="note", content="x", display=True)) == []


def test_a_skill_is_taken_off_what_was_typed() -> None:
    pi = Pi()
    skill = '<skill name="gh" location="/s/SKILL.md">\nReferences are relative to /s.\n\nbody\n</skill>'
    assert shorts(pi.user(f"{skill}\n\nopen a PR"), pi.user(skill)) == ["user open a PR"]


def test_files_given_at_the_start_are_mentions() -> None:
    pi = Pi()
    given = f'<file name="{PROJECT}/docs/a.md">\n# A\n</file>\n<file name="/x/i.png"></file>\nport it'
    assert shorts(pi.user(given)) == ["user port it", "mention docs/a.md ok", "mention /x/i.png ok"]


def test_a_person_who_goes_back() -> None:
    pi = Pi()
    rows = [pi.user("one"), pi.says("1"), pi.user("two"), pi.says("2"), pi.user("three", parent="e2")]
    assert shorts(*rows) == ["user one", "agent 1", "user two", "agent 2", "rewind e2 0", "user three"]


def test_bookkeeping_lies_on_the_way() -> None:
    pi = Pi()
    rows = [pi.user("one"), pi.entry("model_change"), pi.entry("label", targetId="e1"), pi.says("1")]
    rows += [pi.entry("branch_summary", parent="e2", summary="s"), pi.user("two")]
    assert shorts(*rows) == ["user one", "agent 1", "rewind e1 0", "user two"]


def test_a_person_who_begins_anew_drops_every_prompt() -> None:
    pi = Pi()
    rows = [pi.user("one"), pi.says("1"), pi.user("two"), pi.user("uno", parent=None), pi.user("dos")]
    assert told(*rows)[3:] == [Rewind(turns=2), UserMessage("e4", "uno"), UserMessage("e5", "dos")]


def test_a_second_going_back_counts_the_prompts_that_are_left() -> None:
    pi = Pi()
    rows = [pi.user("one"), pi.user("two"), pi.user("three", parent="e1"), pi.user("uno", parent=None)]
    assert [event for event in told(*rows) if isinstance(event, Rewind)] == [
        Rewind(keep_until_id="e1"),
        Rewind(turns=2),
    ]


def test_where_the_parent_was_not_read_nothing_is_dropped() -> None:
    pi = Pi()
    assert shorts(pi.user("one"), pi.user("two", parent="long-gone")) == ["user one", "user two"]


def test_an_answer_goes_back_too() -> None:
    pi = Pi()
    assert shorts(pi.user("one"), pi.says("1"), pi.says("2", parent="e1"))[2:] == ["rewind e1 0", "agent 2"]


def test_a_compaction() -> None:
    assert told(Pi().entry("compaction", summary="s", firstKeptEntryId="e1")) == [Compacted()]


def test_the_first_files_had_no_ids() -> None:
    pi = Pi()
    rows = [
        {key: value for key, value in row.items() if key not in ("id", "parentId")}
        for row in (pi.user("one"), pi.says("1"), pi.user("two"))
    ]
    header = {key: value for key, value in HEADER.items() if key != "version"}
    assert [short(event) for event in of_records(FORMAT, [header, *rows])][1:] == [
        "user one",
        "agent 1",
        "user two",
    ]


def test_what_the_fork_adds() -> None:
    pi = Pi()
    decoder = FORMAT.decoder(Place((PROJECT,)), "s")
    rows = [{"type": "title", "v": 1, "title": "t", "pad": ""}, HEADER, pi.entry("mode_change")]
    rows.append(pi.message("fileMention", None, files=[{"path": "a.md"}, {"path": 3}, 4]))
    events = [event for row in rows for event in decoder.decode(row)]
    assert events[1:] == [ReadDone("a.md", True, "mention")]
    assert decoder.unknown == 0
    assert decoder.decode(pi.entry("session_init", task="t")) == []
    assert decoder.foreign
    assert decoder.decode(pi.user("the task of a sub-agent")) == []


def test_unknown_entries_are_counted() -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "s")
    assert decoder.decode({"type": "unknown_future_entry", "id": "b", "parentId": None}) == []
    assert decoder.decode({"type": ["message"]}) == []
    assert decoder.unknown == 2


# Whole logs.


def sample(shared: Path) -> Path:
    return shared / "sessions/samples/pi/01-session-v3.jsonl"


def genuine(shared: Path) -> Path:
    return next((shared / "sessions/genuine/pi-0.73.1/sessions").glob("*/*.jsonl"))


def test_the_sample(shared: Path) -> None:
    # The shared list leaves out shell reads, compactions and rewinds.
    assert [short(event) for event in of_file(FORMAT, sample(shared))[1:]] == [
        "user read docs/theme.md and port the picker",
        "agent Opening the docs and the picker.",
        "confirmed docs/theme.md ok",
        "confirmed src/none.ts failed",
        "confirmed src/picker.ts ok",
        "Compacted",
        "rewind 2a1b2c3d 0",
        "user branch: only describe the picker",
    ]


def test_a_genuine_log(shared: Path, tmp_path: Path) -> None:
    agrees(shared, "pi-0.73.1", of_file(FORMAT, genuine(shared)), tmp_path)


def test_cut_anywhere(shared: Path, tmp_path: Path) -> None:
    cut_anywhere(FORMAT, sample(shared).read_bytes(), tmp_path / "s.jsonl", step=3)
    cut_anywhere(FORMAT, genuine(shared).read_bytes(), tmp_path / "g.jsonl", step=97)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks(shared: Path, tmp_path: Path, size: int) -> None:
    grown_in_chunks(FORMAT, sample(shared).read_bytes(), tmp_path / "s.jsonl", size)


def test_read_twice(shared: Path, tmp_path: Path) -> None:
    data = genuine(shared).read_bytes()
    path = tmp_path / "s.jsonl"
    path.write_bytes(data + data)
    assert of_file(FORMAT, path) == of_file(FORMAT, genuine(shared))


def test_only_pi_recognises_it(shared: Path) -> None:
    for path in (sample(shared), genuine(shared)):
        for row in path.read_text(encoding="utf-8").splitlines():
            if row.startswith("{") and "unknown_future" not in row:
                assert FORMAT.recognises(json.loads(row))
                assert [one.agent for one in FORMATS if one.recognises(json.loads(row))] in ([], ["pi"])
    for other in ("claude", "codex", "qwen", "copilot", "dsh", "cursor"):
        for path in (shared / "sessions/samples" / other).glob("*.jsonl"):
            for row in path.read_bytes().splitlines():
                try:
                    record = json.loads(row)
                except ValueError:
                    continue
                assert not (isinstance(record, dict) and FORMAT.recognises(record))


WORDS = st.sampled_from(
    "type session message id parentId timestamp cwd role content user assistant toolResult text toolCall"
    " name read edit bash arguments path command toolCallId isError files fileMention compaction c".split()
)
VALUES = st.recursive(
    WORDS | st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("\ud83c\0 cat a.md"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(st.dictionaries(WORDS, VALUES, max_size=7), max_size=6))
def test_no_record_raises(rows: list[dict[str, Any]]) -> None:
    decoder = FORMAT.decoder(Place((PROJECT,), is_file=lambda path: True), "s")
    for row in rows:
        FORMAT.recognises(row)
        for event in decoder.decode(row):
            repr(event).encode()


def test_every_text_can_be_encoded() -> None:
    pi = Pi()
    rows = [pi.user("\ud83c"), pi.call("read", path="\ud83c.md"), pi.done()]
    events = told(*rows)
    assert [event for event in events if isinstance(event, ReadDone | EditDone | UserMessage)] == [
        UserMessage("e1", "?"),
        ReadDone("?.md", True, "confirmed", "main", "c"),
    ]


# Where logs are.


def put(folder: Path, name: str = "2026-01-01_a.jsonl") -> str:
    return str(write(folder / name, [HEADER]))


def found(home: Path, root: str, environ: dict[str, str] | None = None) -> list[str]:
    return [log.path for log in PiLocator(home, environ or {}).logs((root,), NOW)]


def test_the_folders_of_the_workspace(tmp_path: Path) -> None:
    top = tmp_path / ".pi/agent/sessions"
    mine = [put(top / name) for name in ("--w--", "--w-lamp--", "--w-lamp-lib--")]
    for name in ("--w-lamps--", "--w-other--", "--x-w-lamp--", "-w-lamp"):
        put(top / name)
    (top / "--w-lamp--/notes.txt").write_text("x")
    assert found(tmp_path, "/w/lamp") == mine


@pytest.mark.parametrize(
    ("root", "folder"), [("C:\\dev\\lamp", "--C--dev-lamp--"), ("/w/Lamp x.y", "--w-Lamp x.y--")]
)
def test_names_of_folders(tmp_path: Path, root: str, folder: str) -> None:
    path = put(tmp_path / ".pi/agent/sessions" / folder)
    assert found(tmp_path, root) == [path]


def test_the_folders_can_be_moved(tmp_path: Path) -> None:
    agent = put(tmp_path / "agent/sessions/--w-lamp--")
    flat = put(tmp_path / "flat")
    put(tmp_path / ".pi/agent/sessions/--w-lamp--")
    environ = {"PI_CODING_AGENT_DIR": str(tmp_path / "agent"), "PI_CODING_AGENT_SESSION_DIR": "~/flat"}
    assert found(tmp_path, "/w/lamp", environ) == [flat, agent]


def test_the_fork_has_a_folder_of_its_own(tmp_path: Path) -> None:
    top = tmp_path / ".omp/agent/sessions"
    root = f"{tmp_path}/src/lamp"
    mine = [put(top / name) for name in ("-", "-src-lamp", "-src-lamp-lib")]
    data = put(tmp_path / "data/omp/sessions/-src-lamp")
    put(top / "-src-other")
    environ = {"XDG_DATA_HOME": str(tmp_path / "data"), "TMPDIR": "/none"}
    assert found(tmp_path, root, environ) == [*mine, data]
    temporary = put(top / "-tmp-lamp")
    assert found(tmp_path, "/scratch/lamp", {"TMPDIR": "/scratch"}) == [temporary]


def test_new_logs_are_seen_without_listing_every_time(tmp_path: Path) -> None:
    top = tmp_path / ".pi/agent/sessions"
    first = put(top / "--w-lamp--")
    locator = PiLocator(tmp_path, {})
    assert [log.path for log in locator.logs(("/w/lamp",), NOW)] == [first]
    append(Path(first), HEADER)
    second = put(top / "--w-lamp--", "2026-01-02_b.jsonl")
    third = put(top / "--w-lamp-lib--")
    logs = {log.path: log.size for log in locator.logs(("/w/lamp",), NOW)}
    assert list(logs) == [first, second, third]
    assert logs[first] == 2 * len(line(HEADER))


def test_nothing_there_is_no_error(tmp_path: Path) -> None:
    assert found(tmp_path, "/w/lamp", {"PI_CODING_AGENT_SESSION_DIR": "a\0b"}) == []
