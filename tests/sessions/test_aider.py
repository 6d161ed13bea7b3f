"""Aider: what the lines of its history tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.sessions.events import AssistantText, EditDone, Event, UserMessage
from knit_tui.sessions.formats.aider import FORMAT, AiderDecoder
from knit_tui.sessions.lines import LineBuffer
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from tests.sessions.laws import PROJECT, agrees, cut_anywhere, grown_in_chunks, of_file, of_records, short

NOW = 1_790_000_000.0
HEAD = "\n# aider chat started at 2026-06-09 14:01:00\n\n> Aider v0.86.2  \n"
AGAIN = HEAD.replace("14:01:00", "15:30:00")


def events(text: str) -> list[Event]:
    rows = [{"line": line.decode()} for line in LineBuffer().feed(text.encode())]
    return of_records(FORMAT, rows, PROJECT)


def told(text: str) -> list[str]:
    """What is told after the session."""
    return [short(event) for event in events(HEAD + text)][1:]


def prompt(*lines: str) -> str:
    return "\n" + "".join(f"#### {line}  \n" for line in lines)


def answer(text: str) -> str:
    return f"\n{text}\n\n> Tokens: 3k sent, 2 received.  \n"


def own(*lines: str) -> str:
    return "".join(f"> {line}  \n" for line in lines)


# Whole logs.


def a_beginning(part: list[Event], whole: list[Event]) -> bool:
    """The last text may be cut where its lines ended; nothing but the next line shows that it goes on."""
    if part == whole[: len(part)]:
        return True
    last, full = part[-1], whole[len(part) - 1]
    if isinstance(last, (UserMessage, AssistantText)) and isinstance(full, type(last)):
        return part[:-1] == whole[: len(part) - 1] and full.text.startswith(last.text)
    return False


@pytest.fixture
def genuine(shared: Path, tmp_path: Path) -> Path:
    """The genuine log where it was written, as far as the paths in it go."""
    path = tmp_path / "project/.aider.chat.history.md"
    path.parent.mkdir()
    path.write_bytes((shared / "sessions/genuine/aider-0.86.2/.aider.chat.history.md").read_bytes())
    return path


@pytest.fixture
def sample(shared: Path) -> Path:
    return shared / "sessions/samples/aider/01-chat-history.md"


def test_the_genuine_log_gives_what_was_read_in_it(
    genuine: Path, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoder = AiderDecoder(Place((PROJECT,)), ".aider.chat.history", PROJECT)
    source = FORMAT.source(Address(str(genuine)), 1 << 30)
    assert source.check() == "grown"
    found = [event for record in source.records() for event in decoder.decode(record)] + decoder.settle()
    agrees(shared, "aider-0.86.2", found, tmp_path)
    assert (decoder.unknown, source.damaged) == (0, 0)
    texts = [event.text for event in found if isinstance(event, AssistantText)]
    assert [text.split("\n")[0] for text in texts] == [
        "I'll start with the README and the loader.",
        "Done.",
        "好的,我先看一下排序说明。",
        "说明要求把数字部分按数值比较。现在修改 `src/loader.py`。",
        "Let me look at the top of the file again.",
    ]


# The list of samples leaves aider out; these were read in the file.
SAMPLE = [
    "session aider 2026-06-09_14-01-00 ",
    "mention src/webhook.py ok",
    "user retry the webhook when the gateway times out\nand log each attempt",
    "agent I'll wrap the call in a loop. I need to see src/http_client.py to be sure.\n\n"
    "#### Step 1\nKeep the timeout in one place.",
    "mention src/http_client.py ok",
    "edit src/webhook.py ok",
]


def test_what_the_sample_gives(sample: Path) -> None:
    found = [short(event) for event in of_file(FORMAT, sample, str(sample.parent))]
    assert found == [SAMPLE[0] + str(sample.parent), *SAMPLE[1:]]


def test_logs_cut_anywhere(sample: Path, genuine: Path, tmp_path: Path) -> None:
    cut_anywhere(FORMAT, sample.read_bytes(), tmp_path / "cut/log.md", a_beginning)
    cut_anywhere(FORMAT, genuine.read_bytes(), tmp_path / "cut/log.md", a_beginning, step=13)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks_do_not_matter(sample: Path, genuine: Path, tmp_path: Path, size: int) -> None:
    for number, path in enumerate((sample, genuine)):
        grown_in_chunks(FORMAT, path.read_bytes(), tmp_path / f"{number}/log.md", size)


def test_lines_of_windows(genuine: Path, tmp_path: Path) -> None:
    other = tmp_path / "project/other.md"
    other.write_bytes(genuine.read_bytes().replace(b"\n", b"\r\n"))
    assert of_file(FORMAT, other) == of_file(FORMAT, genuine)


# Prompts.


def test_a_prompt_of_several_lines() -> None:
    text = HEAD + "\n#### first  \n####   \n#### third  \n" + answer("x")
    assert [e.text for e in events(text) if isinstance(e, UserMessage)] == ["first\n\nthird"]


def test_prompts_that_follow_each_other() -> None:
    assert told(prompt("one") + prompt("two")) == ["user one", "user two"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("dim it", "dim it"),
        ("#1 is broken", "#1 is broken"),
        ("> quoted", "> quoted"),
        ("<blank>", ""),
        ("!ls -l", ""),
        ("/drop src/a.py", ""),
        ("/add src/a.py", ""),
        ("/commit all of it", ""),
        ("/ask why does it flicker?", "why does it flicker?"),
        ("/code dim it", "dim it"),
        ("/architect dim it", "dim it"),
        ("/help how do I dim it?", "how do I dim it?"),
        ("/ask", ""),
        ("/ar dim it", "dim it"),
        ("/co dim it", ""),
        ("/a dim it", ""),
        ("/", ""),
        ("/ dim it", ""),
        ("/asking dim it", ""),
        ("/ok", "ok"),
        ("/ok but keep the clamp", "but keep the clamp"),
        ("Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: all", ""),
        ("what does (Y)es/(N)o mean", "what does (Y)es/(N)o mean"),
        ("is [Yes]: (Y)es/(N)o right?", "is [Yes]: (Y)es/(N)o right?"),
        ("why (Y)es/(N)o [Yes]: and no more?", "why (Y)es/(N)o [Yes]: and no more?"),
    ],
)
def test_what_is_typed(typed: str, expected: str) -> None:
    assert told(prompt("first") + answer("x") + prompt(typed))[2:] == (
        [f"user {expected}"] if expected else []
    )


@pytest.mark.parametrize(
    "inside",
    [
        "Two steps.\n\n#### Step 1\nDim it.",
        "#### Step 1\n\nDim it.",
        "Text\n#### a heading with a break  \nmore",
        "```markdown\n#### no blank line before  \n```",
        "> quoted\n> more",
        "Text\n> quoted with a break  \nmore",
        "# aider chat started at 2026-06-09 14:01:00",
        "Text\n# aider chat started at 2026-06-09 14:01:00\nmore",
    ],
)
def test_what_stays_in_an_answer(inside: str) -> None:
    if inside.startswith("# aider"):
        inside = f"The log says\n{inside}"
    assert told(prompt("first") + answer(inside)) == ["user first", f"agent {inside}"]


def test_an_answer_may_be_empty_or_missing() -> None:
    assert told(prompt("one") + "\n" + own("^C again to exit") + prompt("two")) == ["user one", "user two"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>\nsecret\n\n</think>\n\nDim it.", "Dim it."),
        ("<thinking-content-7bbe>\nsecret\n</thinking-content-7bbe>\nDim it.", "Dim it."),
        ("Dim it. <think>secret that was interrupted", "Dim it."),
        ("<think>secret</think>", ""),
        ("What does <thinking> mean?", "What does <thinking> mean?"),
    ],
)  # fmt: skip
def test_thinking_is_never_told(text: str, expected: str) -> None:
    assert told(prompt("x") + answer(text)) == ["user x"] + ([f"agent {expected}"] if expected else [])


def test_what_waits_is_told_when_nothing_more_comes() -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "s", PROJECT)

    def fed(text: str) -> list[str]:
        rows = [{"line": line} for line in text.split("\n")[:-1]]
        return [short(event) for row in rows for event in decoder.decode(row)]

    def settled() -> list[str]:
        return [short(event) for event in decoder.settle()]

    assert fed(HEAD + prompt("dim", "it")) == []
    assert settled() == [f"session aider 2026-06-09_14-01-00 {PROJECT}", "user dim\nit"]
    assert fed("\nDimming\n") == []
    assert settled() == ["agent Dimming"]
    assert fed("it.\n\n" + own("Tokens: 1")) == ["agent it."]
    assert fed(prompt("next")) == []
    assert settled() == ["user next"]
    assert settled() == []


# Files.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Added src/a.py to the chat.", "mention src/a.py ok"),
        ("Added src/a.py to the chat", "mention src/a.py ok"),
        ("Added docs/my notes.md to the chat (read-only).", "mention docs/my notes.md ok"),
        (f"Added {PROJECT}/b.md to read-only files.", "mention b.md ok"),
        ("Added ../c.md to the chat.", "mention ../c.md ok"),
        ("Added .aider* to .gitignore", ""),
        ("Added 12 lines of output to the chat.", ""),
        ("Added 1 line of output to the chat.", ""),
        ("Added 3 files from directory docs to read-only files.", ""),
        ("Added clipboard image to the chat: /tmp/x.png", ""),
        ("Added src/a.py to the git repo", ""),
        ("Removed src/a.py from the chat", ""),
        ("Applied edit to src/a.py", "edit src/a.py ok"),
        ("Creating empty file src/a.py", "edit src/a.py ok"),
        ("Did not apply edit to src/a.py (--dry-run)", "edit src/a.py failed"),
        ("Skipping edits to src/a.py", "edit src/a.py failed"),
        ("Skipping edits to src/a.py that matches gitignore spec.", "edit src/a.py failed"),
        ("Commit 1a2b3c4 feat: Applied edit to src/a.py", ""),
        ("Running cat src/a.py", ""),
    ],
)  # fmt: skip
def test_what_the_program_says(line: str, expected: str) -> None:
    assert told(prompt("x") + answer("y") + own(line))[2:] == ([expected] if expected else [])


QUESTION = "Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]:"


@pytest.mark.parametrize(
    ("reply", "agreed"),
    [("y", True), ("yes", True), ("a", True), ("n", False), ("s", False), ("d", False), ("", False)],
)
def test_a_file_that_the_person_agrees_to(reply: str, agreed: bool) -> None:
    said = told(prompt("x") + answer("y") + own("docs/a.md", f"{QUESTION} {reply}"))
    assert said[2:] == (["mention docs/a.md ok"] if agreed else [])


def test_a_reply_for_several_files_is_repeated_for_each() -> None:
    repeated = own("docs/b.md") + prompt(f"{QUESTION} all") + own(f"{QUESTION} a")
    said = told(prompt("x") + answer("y") + own("docs/a.md", f"{QUESTION} a") + repeated)
    assert said[2:] == ["mention docs/a.md ok", "mention docs/b.md ok"]


def test_other_questions_add_no_file() -> None:
    asked = own("docs/new.md", "Create new file? (Y)es/(N)o [Yes]: y", "Applied edit to docs/new.md")
    assert told(prompt("x") + answer("y") + asked)[2:] == ["edit docs/new.md ok"]


def test_events_name_their_actor() -> None:
    edit = events(HEAD + prompt("x") + own("Applied edit to a.md"))[-1]
    assert edit == EditDone("a.md", True, "main", "")


@pytest.mark.parametrize("said", ["All chat history cleared.", "All files dropped and chat history cleared."])
def test_a_conversation_that_is_cleared(said: str) -> None:
    talk = prompt("one") + answer("a") + prompt("two") + answer("b")
    found = told(talk + prompt("/clear") + own(said) + prompt("/clear") + own(said) + prompt("three"))
    assert found == ["user one", "agent a", "user two", "agent b", "rewind  2", "user three"]


# Runs.

TALK = prompt("dim it") + answer("Dimmed.")


def test_another_run_is_another_session_once_something_is_said_in_it() -> None:
    begun = HEAD + TALK + AGAIN + own("Added b.md to the chat.")
    assert [short(event) for event in events(begun)][-1] == "agent Dimmed."
    assert [short(event) for event in events(begun + prompt("next"))][3:] == [
        "Reset",
        "session aider 2026-06-09_15-30-00 ",
        "mention b.md ok",
        "user next",
    ]


def test_a_command_is_enough_to_begin_a_run() -> None:
    found = events(HEAD + TALK + AGAIN + prompt("/add b.md") + own("Added b.md to the chat"))
    assert [short(event) for event in found][3:] == [
        "Reset",
        "session aider 2026-06-09_15-30-00 ",
        "mention b.md ok",
    ]


def test_a_run_that_was_asked_by_a_comment_in_a_file() -> None:
    """Nothing is typed then."""
    found = events(HEAD + own("Added b.md to the chat", "Processing your request...") + answer("Done."))
    assert [short(event) for event in found] == [
        "session aider 2026-06-09_14-01-00 ",
        "mention b.md ok",
        "agent Done.",
    ]


def test_a_run_in_which_nothing_was_said_leaves_no_trace() -> None:
    found = events(HEAD + TALK + AGAIN + own("Added b.md to the chat.") + HEAD + prompt("next"))
    assert [short(event) for event in found][3:] == [
        "Reset",
        "session aider 2026-06-09_14-01-00 ",
        "user next",
    ]


def test_a_run_that_restored_the_conversation_goes_on_with_it() -> None:
    restored = own("Added b.md to the chat.", "Restored previous conversation history.") + prompt("next")
    found = events(HEAD + TALK + AGAIN + restored + prompt("/clear") + own("All chat history cleared."))
    assert [short(event) for event in found][3:] == ["mention b.md ok", "user next", "rewind  2"]


def test_each_run_says_for_itself_whether_it_restored_anything() -> None:
    restored = AGAIN + own("Restored previous conversation history.") + prompt("next")
    cleared = prompt("/clear") + own("All chat history cleared.")
    found = events(HEAD + TALK + restored + HEAD + prompt("last") + cleared)
    assert [short(event) for event in found][3:] == [
        "user next",
        "Reset",
        "session aider 2026-06-09_14-01-00 ",
        "user last",
        "rewind  1",
    ]


def test_a_first_run_that_restored_what_is_not_there_any_more() -> None:
    found = events(HEAD + own("Restored previous conversation history.") + prompt("next"))
    assert [short(event) for event in found] == ["session aider 2026-06-09_14-01-00 ", "user next"]
