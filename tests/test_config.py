"""Which value of a setting counts, and what is told of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.config import SPECS, Option, Settings, load
from knit_tui.config.faults import MOST
from knit_tui.config.files import LARGEST, MOST_DOTS
from knit_tui.faces.config import fault_text, settings_notice
from knit_tui.faces.wording import notice_text
from tests.config_place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# Which value counts


def test_option_environment_workspace_user_default_in_this_order(place: Place) -> None:
    option = Option("panel.theme", "monokai", "--theme")
    said: list[tuple[str, str, str]] = []

    def look(*options: Option, **environ: str) -> None:
        loaded = place.load(*options, **environ)
        assert not loaded.faults
        source = loaded.source("panel.theme")
        said.append((loaded.settings.panel.theme, source.origin, source.name))

    look()
    place.user.write_text('[panel]\ntheme = "nord"\n')
    look()
    place.workspace.write_text('[panel]\ntheme = "dracula"\n')
    look()
    look(KNIT_PANEL_THEME="gruvbox")
    look(option, KNIT_PANEL_THEME="gruvbox")
    assert said == [
        ("auto", "default", ""),
        ("nord", "user", str(place.user)),
        ("dracula", "workspace", str(place.workspace)),
        ("gruvbox", "environment", "KNIT_PANEL_THEME"),
        ("monokai", "option", "--theme"),
    ]


def test_each_setting_goes_its_own_way(place: Place) -> None:
    place.user.write_text('[ranking]\ngit = false\norder = "classic"\n[panel]\nmouse = false\n')
    place.workspace.write_text('[ranking]\norder = "knit"\n')
    loaded = place.load(KNIT_PANEL_MOUSE="on")
    assert (loaded.settings.ranking.git, loaded.settings.ranking.order) == (False, "knit")
    assert loaded.settings.panel.mouse is True


def test_a_value_that_may_not_be_leaves_the_next_one_in_force(place: Place) -> None:
    place.user.write_text('[panel]\ntheme = "nord"\n')
    place.workspace.write_text("[panel]\ntheme = 7\n")
    loaded = place.load(KNIT_PANEL_THEME="pink")
    assert loaded.settings.panel.theme == "nord"
    assert [fault.place for fault in loaded.faults] == ["KNIT_PANEL_THEME", str(place.workspace)]


def test_without_anything_all_is_default(place: Place) -> None:
    loaded = place.load()
    assert loaded.settings == Settings()
    assert (loaded.faults, dict(loaded.sources)) == ((), {})
    assert [file.state for file in loaded.files] == ["none", "none"]


def test_off_reads_no_file_and_still_the_environment(place: Place) -> None:
    place.user.write_text('[panel]\ntheme = "nord"\n')
    place.workspace.write_text('[ranking]\norder = "classic"\n')
    loaded = load(place.root, {"KNIT_CONFIG_DIR": "off", "KNIT_PANEL_THEME": "gruvbox"})
    assert (loaded.files, loaded.settings.ranking.order) == ((), "knit")
    assert loaded.settings.panel.theme == "gruvbox"


def test_without_a_home_the_workspace_still_counts(place: Place) -> None:
    place.workspace.write_text('[ranking]\norder = "classic"\n')
    loaded = load(place.root, {})
    assert [file.origin for file in loaded.files] == ["workspace"]
    assert loaded.settings.ranking.order == "classic"


@pytest.mark.parametrize(
    ("variable", "text", "key", "value"),
    [
        ("KNIT_RANKING_GIT", "0", "ranking.git", False),
        ("KNIT_RANKING_GIT", "Yes", "ranking.git", True),
        ("KNIT_SESSION_AGENTS", "codex, claude,codex", "session.agents", ("codex", "claude")),
        ("KNIT_EDITOR_COMMAND", "helix", "editor.command", "helix"),
        ("KNIT_EDITOR_COMMAND", "'my ed' +{line} {path}", "editor.command", ("my ed", "+{line}", "{path}")),
        ("KNIT_EDITOR_COMMAND", "$(rm) ; x", "editor.command", ("$(rm)", ";", "x")),
    ],
)
def test_the_environment_says_it_in_one_line(
    place: Place, variable: str, text: str, key: str, value: object
) -> None:
    loaded = place.load(**{variable: text})
    assert loaded.value(SPECS[key]) == value
    assert not loaded.faults
    assert place.load(**{variable: ""}).value(SPECS[key]) == SPECS[key].default


# What is told


CHOICE = 'USER: ranking.order: must be one of knit, classic, not "best"'


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ('[ranking]\norder = "best"\n', [CHOICE]),
        ("[ranking]\ngit = 1\n", ["USER: ranking.git: must be true or false, not 1"]),
        ("[ranking]\ngitt = true\n", ["USER: ranking.gitt: no such setting; did you mean ranking.git?"]),
        ("[rnking]\n", ["USER: rnking: no such setting; did you mean ranking?"]),
        ('theme = "nord"\n', ["USER: theme: no such setting; did you mean panel.theme?"]),
        ("zzzzzz = 1\n", ["USER: zzzzzz: no such setting"]),
        (
            "panel = 3\n",
            ["USER: panel: it is a section: its settings stand below a line of its name in brackets"],
        ),
        (
            "[[panel]]\n",
            ["USER: panel: it is a section: its settings stand below a line of its name in brackets"],
        ),
        ("[keys]\nitem.pin = 3\n", ["USER: keys.item.pin: must be a key or a list of keys, not 3"]),
        ("[keys]\nitem.pin = [3]\n", ["USER: keys.item.pin: must be a key or a list of keys, not [3]"]),
        ("a = \n", ["USER: line 1, column 5: Invalid value; the file is not used"]),
        ("[panel]\nx = 'a", ['USER: line 2, column 7: Expected "\'"; the file is not used']),
        (
            "[panel]\n[panel]\n",
            ["USER: line 2, column 7: Cannot declare ('panel',) twice; the file is not used"],
        ),
        ("x = " + "[" * 5000, ["USER: nested too deeply; the file is not used"]),
        (
            f"#{'.' * 99}\n{'a.' * (MOST_DOTS + 1)}a=1",
            ["USER: too many dots in line 2; the file is not used"],
        ),
        ("#" * (LARGEST + 1), ["USER: longer than 64 KiB; the file is not used"]),
    ],
)
def test_one_line_names_file_setting_and_what_may_be(place: Place, text: str, warnings: list[str]) -> None:
    place.user.write_text(text)
    assert place.texts() == warnings
    assert place.load().settings == Settings()


def test_a_number_too_long_is_told_though_the_parser_knows_no_place(place: Place) -> None:
    place.user.write_text("x = 1" + "0" * 5000)
    (text,) = place.texts()
    assert text.startswith("USER: ") and text.endswith("; the file is not used")


def test_what_is_not_text_is_told(place: Place) -> None:
    place.user.write_bytes(b"\xff\xfe\x00binary")
    assert place.texts() == ["USER: not UTF-8; the file is not used"]
    place.user.write_bytes(b'\xef\xbb\xbf[ranking]\r\norder = "classic"\r\n')
    assert place.load().settings.ranking.order == "classic"


@pytest.mark.parametrize(
    ("variable", "text", "warning"),
    [
        ("KNIT_RANKING_GIT", "perhaps", 'KNIT_RANKING_GIT: must be true or false, not "perhaps"'),
        ("KNIT_RANKING_GTI", "1", "KNIT_RANKING_GTI: no such setting; did you mean KNIT_RANKING_GIT?"),
    ],
)
def test_a_variable_is_told_too(place: Place, variable: str, text: str, warning: str) -> None:
    assert place.texts(**{variable: text}) == [warning]
    assert not place.texts(KNIT_OTHER_THING="1", KNIT_STATE_DIR="off")


def test_an_agent_or_command_that_may_not_be(place: Place) -> None:
    place.user.write_text('[session]\nagents = ["claude", "eliza"]\n[editor]\ncommand = "mvim"\n')
    agents, command = place.texts()
    assert "must be a list of: claude, codex" in agents and '["claude", "eliza"]' in agents
    assert "or a program and its arguments as a list" in command and '"mvim"' in command
    for value in ("[]", '[""]', "[1]", '["a\\u0000b"]', '"auto "', "true"):
        place.user.write_text(f"[editor]\ncommand = {value}\n")
        assert len(place.texts()) == 1, value
        assert place.load().settings.editor.command == "auto"
    assert len(place.texts(KNIT_EDITOR_COMMAND="'open")) == 2


def test_many_faults_are_counted_and_the_panel_tells_one(place: Place) -> None:
    place.workspace.write_text("".join(f"k{number} = 1\n" for number in range(5000)))
    faults = place.load().faults
    assert len(faults) == MOST + 1
    assert fault_text(faults[-1]).endswith(".knit.toml: and 4992 more")
    (notice,) = settings_notice(faults)
    assert notice_text(notice).endswith(f"k0: no such setting ({MOST} more: see knit config)")
    assert notice_text(settings_notice(faults[:1])[0]).endswith("k0: no such setting")
    assert settings_notice(()) == ()


def test_control_characters_never_reach_a_line(place: Place) -> None:
    place.workspace.write_text('"\\u001b[2J\\nx" = 1\n[panel]\ntheme = "\\u001b]0;t\\u0007\\u202e\\n"\n')
    assert len(place.texts()) == 2
    place.workspace.write_bytes(b"\x1b[2J")
    assert len(place.texts()) == 1


# What a workspace may not


def test_a_workspace_names_no_program_and_sets_no_key(place: Place) -> None:
    place.workspace.write_text(
        '[editor]\ncommand = ["sh", "-c", "id"]\nopener = "auto"\n[keys]\nitem.pin = "q"\n'
        '[ranking]\norder = "classic"\n'
    )
    assert place.texts() == [
        "WORKSPACE: editor.command: it names a program, so only your own file may set it",
        "WORKSPACE: editor.opener: it names a program, so only your own file may set it",
        "WORKSPACE: keys: only your own file may set keys",
    ]
    now = place.load().settings
    assert (now.editor.command, dict(now.keys), now.ranking.order) == ("auto", {}, "classic")
    place.user.write_text(
        '[editor]\ncommand = ["sh", "-c", "id"]\n[keys]\n"item.pin" = "q"\nedit.undo = []\n'
    )
    assert place.load().settings.editor.command == ("sh", "-c", "id")
    assert dict(place.load().settings.keys) == {"item.pin": ("q",), "edit.undo": ()}


def test_every_setting_that_names_a_program_is_refused_to_a_workspace(place: Place) -> None:
    programs = [spec for spec in SPECS.values() if spec.kind.code == "command"]
    assert programs and all(spec.kind.program for spec in programs)
    for spec in programs:
        place.workspace.write_text(f'[{spec.section}]\n{spec.name} = ["evil"]\n')
        assert [fault.code for fault in place.load().faults] == ["program"]
        assert place.load().value(spec) == spec.default
