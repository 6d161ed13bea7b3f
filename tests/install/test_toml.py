"""Changes to TOML: a table at the end, and out again."""

from __future__ import annotations

import tomllib

import pytest

from knit_tui.install.jsonc import NotUnderstood
from knit_tui.install.toml import put, read, remove

WAY = ("mcp_servers", "knit")
TABLE: dict[str, str | int | list[str]] = {"command": '/opt/a "b"\\c', "args": ["mcp", "--x"], "timeout": 20}
CODEX = """# top
model = "gpt-5.5"   # why

[mcp_servers.other]
command = "x"   # c
[tui]   # last
theme = '''
[mcp_servers.none]
'''"""


@pytest.mark.parametrize(
    "text", ["", "\n", "# only\n", CODEX, CODEX + "\n", CODEX + "\n\n", "a = 1\r\n[b]\r\nc = 2\r\n"]
)
def test_it_comes_and_goes(text: str) -> None:
    new = put(text, WAY, TABLE)
    assert new.startswith(text)
    assert tomllib.loads(new)["mcp_servers"]["knit"] == TABLE
    assert remove(new, WAY).rstrip() == text.rstrip()


def test_what_comes_after_it_stays_with_its_comment() -> None:
    new = (
        put(CODEX, WAY, TABLE)
        + 'env = { A = "1" }\n\n[mcp_servers.knit.tools.x]\non = true\n\n# of z\n[z]\nb = 1\n'
    )
    assert remove(new, WAY) == CODEX + "\n\n# of z\n[z]\nb = 1\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = ", "toml"),
        ("[a]\n[a]\n", "toml"),
        ("mcp_servers = 1\n", "no-object"),
        ("mcp_servers = { other = {} }\n", "unsure"),
        ("[mcp_servers.knit]\n", "there"),
        ('mcp_servers."knit".command = "x"\n', "there"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        put(text, WAY, TABLE)
    assert refused.value.why == why


def test_a_table_written_in_another_way_is_not_taken_out() -> None:
    text = 'mcp_servers.knit.command = "x"\n'
    with pytest.raises(NotUnderstood, match="unsure"):
        remove(text, WAY)
    text = 'a = """\n[mcp_servers.knit]\n"""\n[mcp_servers]\nknit = { command = "x" }\n'
    with pytest.raises(NotUnderstood, match="unsure"):
        remove(text, WAY)
    assert read(text)["a"] == "[mcp_servers.knit]\n"
