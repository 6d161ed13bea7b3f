"""Six workspaces in which the answer to a question stands deep inside a file.

Each has its target, an archive that names every key once, and two documents about nothing. The keys are
invented words. In the last workspace the key stands in name and title: what shallow search finds too.
"""

from __future__ import annotations

from dataclasses import dataclass

from eval.pages import Page
from knit_tui.model import Kind

ARCHIVE = "docs/archive.md"
KEYS = ("quenlith", "marvorset", "tindolune", "brasquill", "hovendrake", "selmivar")
_ENTRIES = 260


@dataclass(frozen=True, slots=True)
class Depth:
    """A question, the file that answers it, and the lines (from 1) that do."""

    name: str
    question: str
    target: Page
    lines: tuple[int, ...]
    deep: bool = True

    def pages(self) -> tuple[Page, ...]:
        """The whole workspace."""
        return (self.target, *_SHARED)


def _noise(count: int, prefix: str = "") -> list[str]:
    return [f"{prefix}Line {number} tells about the weather of some other day." for number in range(count)]


def _archive() -> str:
    entries = [
        f"## Entry {number}\n\nOn that day {number} letters were sorted." for number in range(_ENTRIES)
    ]
    named = [f"The word {key} was heard once." for key in KEYS]
    return "\n\n".join([*entries, *named])


_SHARED = (
    Page(ARCHIVE, Kind.DOCS, _archive(), "Archive", "Everything that was ever written down."),
    Page("docs/garden.md", Kind.DOCS, "\n".join(_noise(30)), "Garden", "What grows behind the house."),
    Page("docs/kitchen.md", Kind.DOCS, "\n".join(_noise(30)), "Kitchen", "Where the pots are."),
)


def _depth(
    name: str,
    question: str,
    key: str,
    rel: str,
    lines: list[str],
    *,
    title: str = "",
    deep: bool = True,
) -> Depth:
    text = "\n".join(lines)
    wanted = tuple(number for number, line in enumerate(lines, 1) if key in line.lower())
    kind = Kind.DOCS if rel.endswith(".md") else Kind.CODE
    # The lines are those of the file: a heading and an empty line come before the text of a document.
    shift = 2 if title else 0
    return Depth(name, question, Page(rel, kind, text, title), tuple(line + shift for line in wanted), deep)


CASES = (
    _depth(
        "late-doc",
        f"where is the {KEYS[0]} adjusted",
        KEYS[0],
        "docs/setup.md",
        [
            *_noise(120),
            "",
            f"The {KEYS[0]} is adjusted by hand, and the {KEYS[0]} keeps its value.",
            "",
            *_noise(20),
        ],
        title="Setup",
    ),
    _depth(
        "deep-code",
        f"the {KEYS[1]} request fails, look at its handler",
        KEYS[1],
        "src/server.ts",
        [*_noise(110, "// "), "", f"export function {KEYS[1]}Handler(request) {{", "  return request;", "}"],
    ),
    _depth(
        "tail-doc",
        f"what happens when the {KEYS[2]} runs dry",
        KEYS[2],
        "docs/operations.md",
        [*_noise(160), "", f"When the {KEYS[2]} runs dry, refill the {KEYS[2]} from above."],
        title="Operations",
    ),
    _depth(
        "twin-doc",
        f"both places that mention the {KEYS[3]}",
        KEYS[3],
        "docs/rules.md",
        [
            *_noise(70),
            "",
            f"First rule: the {KEYS[3]} is closed.",
            "",
            *_noise(60),
            "",
            f"Second rule: the {KEYS[3]} is open.",
        ],
        title="Rules",
    ),
    _depth(
        "heading-doc",
        f"how long does the {KEYS[4]} wait",
        KEYS[4],
        "docs/timing.md",
        [*_noise(90), "", "## Waiting", "", f"The {KEYS[4]} waits an hour; a {KEYS[4]} never waits longer."],
        title="Timing",
    ),
    _depth(
        "control-title",
        f"open the page of the {KEYS[5]}",
        KEYS[5],
        f"docs/{KEYS[5]}.md",
        [f"The {KEYS[5]} is described here."],
        title=KEYS[5].capitalize(),
        deep=False,
    ),
)
