"""Changes to JSON with comments: the entry comes and goes, and nothing else moves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.install import settings
from knit_tui.install.jsonc import Edit, NotUnderstood
from knit_tui.install.settings import append, put, read, remove

ENTRY = {"command": "/opt/knit", "args": ["mcp"]}
WAY = ("mcpServers", "knit")

FOUR = """{
    // mine
    "zeta": 1,   "alpha": [1,2,  3], /* kept */
    "mcpServers": {
        "other": { "command": "x", "args": [] } // behind
    }
}
"""


def test_comments_order_and_odd_spacing_stay() -> None:
    new = put(FOUR, WAY, ENTRY)
    inner = ('"command": "/opt/knit",', '"args": [', '    "mcp"', "]")
    ours = "\n".join(['        "knit": {', *("            " + line for line in inner), "        }"])
    assert new == FOUR.replace('"args": [] } // behind', '"args": [] }, // behind\n' + ours)
    assert remove(new, WAY) == FOUR


def test_a_trailing_comma_is_understood_and_kept() -> None:
    text = '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n'
    new = put(text, WAY, ENTRY)
    assert "    },\n  },\n}\n" in new
    assert remove(new, WAY) == text


def test_the_way_is_made_where_there_is_none() -> None:
    assert read(put("", WAY, ENTRY)) == {"mcpServers": {"knit": ENTRY}}
    assert put("{}", ("a",), 1) == '{\n  "a": 1\n}'
    assert put('{"b": 2}', ("a",), 1) == '{"b": 2, "a": 1}'
    assert put('{"b": 2,}', ("a",), 1) == '{"b": 2, "a": 1,}'
    assert put('\t{\r\n\t"b": 2\r\n\t}', ("a",), {"c": 1}) == (
        '\t{\r\n\t"b": 2,\r\n\t"a": {\r\n\t\t"c": 1\r\n\t}\r\n\t}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "\ufeff",
        "\ufeff{}\n",
        "// only a comment",
        "/* a */ {\n  // inside\n} // end",
        "{ /* inside */ }",
        '{"mcpServers": {}}',
        '{"mcpServers": {\n}}',
        '{"mcpServers": { // c\n}}',
        '{"mcpServers": {"a": 1 /* x */, "b": 2 /* y */}}',
        '{\n"mcpServers": {\n"a": 1 // x, {\n// y\n}\n}',
        '{\n\t"mcpServers": {\n\t\t"a": 1\n\t\t, "b": "}//"\n\t}\n}',
        '{"a": "\\u00e9\\n\\"", "mcpServers": {"é": null}}',
        '{"a": 1e5, "b": -0.0, "c": true}',
    ],
)
def test_it_comes_and_goes(text: str) -> None:
    new = put(text, WAY, ENTRY)
    assert read(new)["mcpServers"]["knit"] == ENTRY
    assert {**read(text), "mcpServers": read(text).get("mcpServers", {})} == read(remove(new, WAY))
    hooked = append(append(text, ("hooks", "Start"), 1), ("hooks", "Start"), 2)
    assert read(remove(hooked, ("hooks", "Start"), 0))["hooks"]["Start"] == [2]
    assert read(remove(hooked, ("hooks", "Start"), 1))["hooks"]["Start"] == [1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "no-object"),
        ("nonsense", "value"),
        ("{", "key"),
        ('{"a" 1}', "colon"),
        ('{"a": 1 "b": 2}', "comma"),
        ("{'a': 1}", "key"),
        ('{"a": NaN}', "value"),
        ('{"a": 1} {}', "more"),
        ('{"a": "x\ny"}', "string"),
        ('{"a": "x}', "string"),
        ("{/* }", "comment"),
        ('{"mcpServers": []}', "no-object"),
        ('{"mcpServers": null}', "no-object"),
        ('{"mcpServers": {}, "mcpServers": {}}', "twice"),
        ('{"mcpServers": {"knit": 1}}', "there"),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", "deep"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        put(text, WAY, ENTRY)
    assert refused.value.why == why


def test_a_fault_has_a_line() -> None:
    with pytest.raises(NotUnderstood) as refused:
        read('{\n  "a": 1,\n  "b" 2\n}')
    assert refused.value.line == 3


def test_a_list_that_is_none_is_refused() -> None:
    with pytest.raises(NotUnderstood, match="no-list"):
        append('{"hooks": {"Start": {}}}', ("hooks", "Start"), 1)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(["mcpServers", "hooks", "a", "b"]), PLAIN, max_size=4),
    st.sampled_from([None, 0, 2, "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "// c\n", "/* c */"]),
)
def test_whatever_is_there_stays(said: dict[str, Any], indent: Any, newline: str, comment: str) -> None:
    text = (json.dumps(said, indent=indent) + "\n").replace("\n", newline) + comment
    try:
        new = put(text, WAY, ENTRY)
    except NotUnderstood:
        assert not isinstance(said.get("mcpServers", {}), dict)
        return
    kept = iter(new)
    if said:  # every character is still there, in its order
        assert all(character in kept for character in text)
    assert read(remove(new, WAY)) == {**said, "mcpServers": said.get("mcpServers", {})}
    if said.get("mcpServers"):
        assert remove(new, WAY) == text


def test_an_edit_that_means_something_else_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "with_part", lambda *_: [Edit(7, 7, "2")])
    with pytest.raises(NotUnderstood, match="unsure"):
        put('{"a": 1}', ("b",), 1)
