"""The catalogues hold every message of the source, translated, and nothing is told past them."""

from __future__ import annotations

import ast
import gettext
import io
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from knit_tui.cli import _language
from knit_tui.cli.app import whole_command
from knit_tui.cli.help import fault_text
from knit_tui.cli.install import AgentName
from knit_tui.faces import i18n
from knit_tui.faces.i18n import catalogue, in_english, of_locale, use_language
from knit_tui.faces.safe import cells
from knit_tui.faces.tui.registry import ACTIONS
from tests import warm
from tests.headless import Knit, knit
from tests.make_catalogue import LANGUAGES, PACKAGE, messages, mo_bytes, po_bytes, po_path, read, updated
from tests.mcp.agent import Agent, ask, text
from tests.pseudo import english, speak_accented
from tests.sessions.logs import Claude, write

__all__ = ["knit"]

FIELD = re.compile(r"\{\w*\}")
CJK = "[\u4e00-\u9fff]"
EDGES = re.compile(r"\A(\s*).*?(\s*)\Z", re.DOTALL)
SLOPPY = (
    f"{CJK}[,;!?.(]|{CJK} \\(|[，。；：！？（] *[，。；：！？）]|[，。；：！？（）] | [，。；：！？）]|  "
)
"""Points of another script, two of them, or blanks beside them."""
UNSPACED = ("{n}d", "{n}h", "{n}m", "{n}mo", "{n}y", "{age} ago", "x{count}")
"""Ages and counts of a column, as short as they can be."""


@pytest.fixture(scope="module")
def wanted() -> Catalog:
    """What the source says."""
    return messages()


@pytest.fixture(params=LANGUAGES)
def kept(request: pytest.FixtureRequest) -> Catalog:
    return read(request.param)


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use_language("en")


def pairs(catalog: Catalog) -> Iterator[tuple[Any, Any]]:
    """Every form of every message, and its translations."""
    for message in catalog:
        if message.id:
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            for string in message.string if isinstance(message.string, tuple) else (message.string,):
                for one in ids:
                    yield one, string


def test_it_has_the_messages_of_the_source_all_translated(kept: Catalog, wanted: Catalog) -> None:
    def ids(catalog: Catalog) -> set[tuple[Any, str | None]]:
        return {(message.id, message.context) for message in catalog if message.id}

    assert ids(kept) == ids(wanted)
    assert not [message.id for message in kept if message.fuzzy]
    assert [one for one, string in pairs(kept) if not string] == []
    assert not kept.obsolete


def test_translations_keep_fields_and_white_space(kept: Catalog) -> None:
    for one, string in pairs(kept):
        assert sorted(FIELD.findall(one)) == sorted(FIELD.findall(string)), one
        ours, theirs = EDGES.match(one), EDGES.match(string)
        assert ours and theirs
        assert ours.groups() == theirs.groups() or re.search("[，；、：]\\Z", string), one
        assert string.format_map(Anything()), one


class Anything(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "1"


def test_chinese_is_spaced_and_pointed_as_chinese_is() -> None:
    for one, string in pairs(read("zh_CN")):
        bare = FIELD.sub("\0", string)
        assert one in UNSPACED or not re.search(f"{CJK}[A-Za-z0-9]|[A-Za-z0-9]{CJK}", bare), string
        assert not re.search(SLOPPY, bare), string
        if one.endswith(".") and not one.endswith("...") and "'{" not in one:
            assert string.endswith("。"), string


def test_hints_are_as_short_as_a_key_line_needs_them() -> None:
    chinese = catalogue("zh_CN")
    wide = {a.label: chinese.gettext(a.label) for a in ACTIONS if a.hints}
    assert {label: text for label, text in wide.items() if cells(text) > 8} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_and_compiled_form_are_what_the_script_makes(language: str, wanted: Catalog) -> None:
    made, path = updated(language, wanted), po_path(language)
    assert path.with_suffix(".mo").read_bytes() == mo_bytes(made), "run python -m tests.make_catalogue"
    assert path.read_bytes() == po_bytes(made), "run python -m tests.make_catalogue"
    spoken = gettext.GNUTranslations(io.BytesIO(mo_bytes(made)))
    assert spoken.gettext("Primary") == catalogue(language).gettext("Primary") != "Primary"


# The source

SHOWING = ("_", "ngettext", "pgettext")
TRANSLATES = re.compile(r"\b(?:_|[np]gettext)\(")


def calls(tree: ast.AST, *, inside: bool = False) -> Iterator[tuple[ast.Call, bool]]:
    """Calls that translate, and whether a function is what runs them."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SHOWING:
            yield node, inside
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            for part in (node.args, *getattr(node, "decorator_list", ())):
                yield from calls(part, inside=inside)
            body = node.body if isinstance(node.body, list) else [node.body]
            for part in body:
                yield from calls(ast.Expression(part), inside=True)  # type: ignore[arg-type]
        else:
            yield from calls(node, inside=inside)


def faults(source: str) -> list[str]:
    """What of a module is translated too early, or is no message of the catalogue."""
    found = []
    for call, inside in calls(ast.parse(source)):
        if not inside:
            found.append(f"line {call.lineno}: translated when the module is loaded")
        texts = call.args[:2] if call.func.id == "ngettext" else call.args  # type: ignore[attr-defined]
        if any(isinstance(text, (ast.JoinedStr, ast.BinOp)) or _formats(text) for text in texts):
            found.append(f"line {call.lineno}: made up from parts")
    return found


def _formats(text: ast.expr) -> bool:
    function = text.func if isinstance(text, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr in ("format", "format_map", "join")


def test_messages_are_translated_when_they_are_shown() -> None:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text("utf-8")
        if "demo/workspace" not in path.as_posix() and TRANSLATES.search(source):
            found[str(path.relative_to(PACKAGE))] = faults(source)
    assert len(found) > 40 and {path: each for path, each in found.items() if each} == {}


@pytest.mark.parametrize(
    "source",
    (
        "WORD = _('word')",
        "class A:\n    word = _('word')",
        "def f(word=_('word')): ...",
        "f = lambda word=_('word'): word",
        "def f():\n    return _(f'word {1}')",
        "def f():\n    return _('a' + 'b')",
        "def f():\n    return ngettext('{n} a'.format(n=1), 'b', 1)",
    ),
)
def test_what_the_check_of_the_source_finds(source: str) -> None:
    assert len(faults(source)) == 1
    assert faults("def f():\n    return _('a').format(b=_(x.y))\ng = lambda: _('a')") == []


# Which language


@pytest.mark.parametrize(
    ("environ", "language"),
    (
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_SG.UTF-8"}, "zh_CN"),
        ({"LANG": "zh-Hans-CN"}, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "zh_Hant_HK"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh_CN:en"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en_GB:zh_CN"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANGUAGE": "zh_CN", "LC_ALL": "C"}, "en"),
        ({"LANG": "zhong"}, "en"),
        ({"LANG": ":::@..__"}, "en"),
    ),
)
def test_the_language_of_the_locale(environ: dict[str, str], language: str) -> None:
    assert of_locale(environ) == language


def test_the_language_that_is_asked_for(knit: Knit) -> None:
    (knit.base / "config").mkdir()
    (knit.base / "config" / "config.toml").write_text('[panel]\nlanguage = "zh_CN"\n')
    assert _language(["--lang", "en", "--help"]) == _language(["-h", "--lang=en"]) == "en"
    assert _language(["--lang"]) == ""
    assert _language(["files"]) is None
    assert _language(["--help"]) == "zh_CN"
    knit.patch.setenv("KNIT_PANEL_LANGUAGE", "en")
    assert _language(["--help"]) == "en"
    for odd in ("", "xx", "zh", "\0", "../zh_CN", "zh_CN\n"):
        use_language(odd)
        assert i18n._("Primary") == "Primary"


# The command


def test_the_help_of_every_command_speaks_the_language(knit: Knit) -> None:
    knit.patch.setenv("KNIT_PANEL_LANGUAGE", "zh_CN")
    use_language("zh_CN")
    commands = [[], *([name] for name in whole_command().commands), ["cache", "info"]]
    for words in commands:
        shown = knit(*words, "--help").text
        assert shown.startswith("用法：")
        assert all(cells(line) <= 78 for line in shown.split("\n")), shown
        assert not re.search(r"Options|Usage|Commands|Arguments|default|required|Show", shown)
    assert "缺少参数 PATH" in knit("why").err and "没有选项 --formt" in knit("files", "--formt").err
    assert "“xx”不是" in knit("--lang", "xx").err and "没有命令“nope”" in knit("nope").err


def test_of_wrong_use_only_what_is_known_is_said_otherwise() -> None:
    speech = "Invalid value for '--limit': 'a' is not a valid int."
    assert fault_text(speech) == speech
    use_language("zh_CN")
    assert fault_text(speech) == "--limit 的值无效：“a”不是整数"
    assert (
        fault_text("No such option: --a (Possible options: --b, --c)")
        == "没有选项 --a，是不是想写 --b, --c？"
    )
    assert fault_text("Something else.") == "Something else."


COMMANDS = (
    ("files",),
    ("--query", "ALPHA RETRY", "--explain"),
    ("--query", "ZZZZ"),
    ("--query", "..."),
    ("pack", "--session", "none"),
    ("pack",),
    ("why", "A.PY", "--query", "ALPHA"),
    ("why", "B.BIN"),
    ("why", "NONE.PY"),
    ("why", "/ETC"),
    ("reads",),
    ("reads", "--session", "none"),
    ("sessions",),
    ("config",),
    ("config", "--path", "--init"),
    ("cache", "info"),
    ("cache", "clear"),
    ("cache", "clear"),
    ("pin", "A.PY"),
    ("pin", "A.PY"),
    ("exclude", "NONE.PY"),
    ("unpin", "A.PY"),
    ("restore",),
    ("-C", "NONE", "files"),
    ("-C", "A.PY", "files"),
    ("--watch",),
    ("pack", "--limit", "0"),
    ("--explain", "files"),
    ("--session", "NONE", "pack"),
    ("install",),
    ("install", "claude", "--uninstall"),
    ("files", "--formt"),
    ("nope",),
)
"""With data in capitals, which is how it is told from words."""
KNOWN = {
    *"markdown python alpha retry zzzz def true false files nope".split(),
    *"Claude Code Python Linux textual rich mcp watchfiles xterm ssh utf".split(),
    *AgentName,
}
"""Languages, terms, values, commands, programs."""


def talk(root: str) -> list[Any]:
    """An agent that reads and edits."""
    rows = Claude(root, "5B0C7A10-AAAA")
    path, other = f"{root}/A.PY", f"{root}/A.MD"
    return [
        rows.user("ALPHA RETRY"),
        rows.says("OK"),
        rows.call("Read", "C1", file_path=path),
        rows.done("C1", "1", {"file": {"filePath": path}}),
        rows.call("Read", "C2", file_path="/ELSEWHERE"),
        rows.done("C2", "X", failed=True),
        rows.call("Edit", "C3", file_path=other),
        rows.done("C3", "X", {}),
    ]


def test_what_the_command_prints_comes_from_the_catalogue(
    knit: Knit, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_accented(monkeypatch)
    (knit.root / "A.PY").write_text("def ALPHA():\n    RETRY = 1\n")
    (knit.root / "A.MD").write_text("# ALPHA\n\nSEE A.PY\n")
    (knit.root / "B.BIN").write_bytes(b"\0\1\2" * 99)
    (knit.root / "L.PY").symlink_to("NOWHERE")
    (knit.root / ".ENV").write_text("A=1\n")
    (knit.base / "config").mkdir()
    (knit.base / "config" / "config.toml").write_text(
        "[panel]\nthem = 1\nmouse = 3\n[keys]\n'item.x' = 'p'\n"
    )
    log = write(knit.base / "LOG.jsonl", talk(str(knit.root)))
    followed = ("--session", str(log))
    with_log = (("pack", *followed), ("reads", *followed), ("sessions", "--events", str(log)), ("doctor",))
    for words in (*COMMANDS, *with_log):
        done = knit(*words)
        told = (done.text + done.err).replace(str(knit.base), "")
        assert english(told, KNOWN) == set(), (words, told)
        assert re.search("[àèîôû]", told), (words, told)


@pytest.mark.parametrize(
    "words",
    (
        ("--query", "ALPHA", "--format", "json", "--explain"),
        ("files", "--format", "json"),
        ("why", "A.PY", "--query", "ALPHA", "--format", "json"),
        ("why", "NONE.PY", "--format", "json"),
        ("config", "--format", "json"),
        ("sessions", "--format", "json"),
        ("reads", "--format", "json", "--session", "LOG.jsonl"),
        ("doctor", "--format", "json"),
    ),
)
def test_what_programs_read_is_english(words: tuple[str, ...], knit: Knit) -> None:
    (knit.root / "A.PY").write_text("def ALPHA():\n    RETRY = 1\n")
    (knit.base / "config").mkdir()
    (knit.base / "config" / "config.toml").write_text("[panel]\nthem = 1\n")
    write(knit.root / "LOG.jsonl", talk(str(knit.root)))
    answers = []
    for language in ("zh_CN", "en"):
        knit.patch.setenv("KNIT_PANEL_LANGUAGE", language)
        answers.append(knit(*words).out)
        json.loads(answers[-1])
    chinese, plain = (answer.replace(b'"zh_CN"', b'"en"') for answer in answers)
    assert chinese == plain


async def test_what_agents_read_is_english(tmp_path: Path) -> None:
    """The tool, and the hook, of somebody who speaks Chinese."""
    agent = Agent(tmp_path)
    agent.project()
    agent.write(".knit.toml", '[panel]\nlanguage = "zh_CN"\n')
    agent.prompts("make the dimmer dim slower")
    async with agent.client(KNIT_PANEL_LANGUAGE="zh_CN") as client:
        told = await ask(client, audit=True)
    assert "Read first" in text(told) and not re.search(CJK, text(told))
    assert not re.search(CJK, json.dumps(told.structured_content, ensure_ascii=False))
    prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(agent.root)}
    said = subprocess.run(
        [*warm.command(), "hook", "claude"],
        cwd=agent.root,
        env=agent.environment(KNIT_HOOK_MS="4000", KNIT_PANEL_LANGUAGE="zh_CN"),
        input=json.dumps(prompt | {"prompt": "make the dimmer dim slower"}),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert "for this request" in said and not re.search(CJK, json.dumps(json.loads(said), ensure_ascii=False))


def test_english_for_a_while() -> None:
    use_language("zh_CN")
    with pytest.raises(ZeroDivisionError), in_english():
        assert i18n._("Primary") == "Primary"
        raise ZeroDivisionError
    assert i18n._("Primary") == "首要"


def test_a_message_of_two_meanings_has_two_translations() -> None:
    use_language("zh_CN")
    assert i18n._("now") == "刚刚" and i18n.pgettext("value", "now") == "当前"
