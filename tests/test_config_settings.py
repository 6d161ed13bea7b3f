"""The settings themselves: documented, read by someone, and the defaults of the file to begin with."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from knit_tui import paths
from knit_tui.config import SPECS, Fault, Settings
from knit_tui.config.editors import EDITORS, filled
from knit_tui.config.settings import SECTIONS, THEMES
from knit_tui.faces.config import config_file, fault_text
from knit_tui.paths import NoFolder, config_folder
from tests.config_place import Place

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_every_setting_is_documented_and_read_somewhere() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for path in (ROOT / "knit_tui").rglob("*.py")
        if "config" not in path.relative_to(ROOT / "knit_tui").parts and path.name != "config.py"
    ]
    code = "\n".join(sources)
    for spec in SPECS.values():
        assert re.fullmatch(r"[^\n]{10,100}\.", spec.meaning), spec.key
        # Read through its section, or from a name that the section was given to.
        used = re.search(rf"\b(?:settings\.{spec.section}|wanted|{spec.section})\.{spec.name}\b", code)
        assert used, spec.key
    assert re.search(r"settings\.keys\b", code)


def test_the_document_of_the_settings_has_them_all_with_their_defaults() -> None:
    text = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    sample = tomllib.loads(text.split("```toml\n")[1].split("```")[0])
    assert sample.pop("keys")
    assert sample == {
        section: {
            spec.name: [*spec.default] if isinstance(spec.default, tuple) else spec.default
            for spec in SPECS.values()
            if spec.section == section
        }
        for section in SECTIONS
    }


def test_sections_are_fields_and_every_class_says_what_it_is() -> None:
    assert {each.name for each in fields(Settings)} == {*SECTIONS, "keys"}
    for kind in SECTIONS.values():
        assert kind.__doc__ and not kind.__doc__.startswith(kind.__name__ + "(")
    variables = [spec.variable for spec in SPECS.values()]
    ours = {paths.CACHE_VARIABLE, paths.STATE_VARIABLE, paths.CONFIG_VARIABLE}
    assert len(set(variables)) == len(variables) and not ours & set(variables)


def test_every_theme_that_may_be_set_there_is() -> None:
    from textual.theme import BUILTIN_THEMES

    from knit_tui.faces.tui.theme import THEMES as OWN

    assert sorted(THEMES) == sorted({"auto", *BUILTIN_THEMES, *(theme.name for theme in OWN)})


def test_languages_are_those_of_the_option() -> None:
    from knit_tui.cli.options import LanguageOption
    from knit_tui.config.settings import LANGUAGES

    assert tuple(LanguageOption) == LANGUAGES


def test_the_file_to_begin_with_changes_nothing_and_shows_the_defaults(place: Place) -> None:
    text = config_file({"item.pin": ("p",), "move.top": ("g", "home"), "panel.none": ()})
    assert max(map(len, text.splitlines())) <= 100
    place.user.write_text(text)
    assert place.load().settings == Settings() and not place.load().faults
    place.user.write_text(re.sub(r"(?m)^#(?=[a-z_.]+ = )", "", text))
    loaded = place.load()
    assert not loaded.faults
    assert {key for key in loaded.sources if not key.startswith("keys.")} == set(SPECS)
    for spec in SPECS.values():
        assert loaded.value(spec) == spec.default, spec.key
    assert dict(loaded.settings.keys) == {"item.pin": ("p",), "move.top": ("g", "home"), "panel.none": ()}


# Editors


def test_a_command_is_filled_and_a_path_is_one_argument() -> None:
    path = "/w/a b; {line} $(id).py"
    for preset in EDITORS.values():
        command = filled(preset.command, path, 7)
        assert any(path in part for part in command) and any("7" in part for part in command)
        assert len(command) == len(preset.command)
    assert filled(("ed",), path, 7) == ["ed", path]


# Folders


def test_the_folder_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = {"HOME": str(tmp_path)}
    for platform in ("linux", "darwin"):
        monkeypatch.setattr(paths.sys, "platform", platform)
        assert config_folder(home) == tmp_path / ".config/knit"
        assert config_folder({**home, "XDG_CONFIG_HOME": "/c"}) == Path("/c/knit")
        assert config_folder({**home, "XDG_CONFIG_HOME": "c"}) == tmp_path / ".config/knit"
    assert config_folder({"KNIT_CONFIG_DIR": "/own"}) == Path("/own")
    with pytest.raises(NoFolder, match="off"):
        config_folder({**home, "KNIT_CONFIG_DIR": "off"})
    with pytest.raises(NoFolder, match="home"):
        config_folder({})


def test_reading_the_settings_loads_nothing_heavy(tmp_path: Path) -> None:
    program = "import sys; from knit_tui.config import load; load(None, {}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    heavy = ("numpy", "textual", "rich", "knit_tui.engine", "knit_tui.sessions", "knit_tui.faces")
    assert done.returncode == 0, done.stderr
    assert not [name for name in done.stdout.split() if name.startswith(heavy)]


def test_a_fault_without_words_says_its_code() -> None:
    assert fault_text(Fault("\x1bodd", "p", "k")) == "p: k: ␛odd"
