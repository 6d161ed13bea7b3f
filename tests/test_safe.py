"""Nothing from outside can act on a terminal, and widths are exact."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from knit_tui.faces.safe import cells, cut, safe_text, shorten

ANY_TEXT = st.text(st.characters(codec=None))


def test_controls_become_pictures() -> None:
    assert safe_text("a\x1b]0;x\x07b\x7f") == "a␛]0;x␇b␡"
    assert safe_text("a\tb\nc") == "a    b␊c"
    assert safe_text("a\nb", keep_newlines=True) == "a\nb"


def test_what_hides_or_reorders_becomes_visible() -> None:
    for hidden in (
        "\x9b",
        "\u202e",
        "\u2066",
        "\u200b",
        "\u2028",
        "\ufeff",
        "\ud83d",
        "\U000e0041",
        "\u00ad",
    ):
        assert safe_text(f"a{hidden}b") == "a\ufffdb"


def test_emoji_keep_their_joiners() -> None:
    for text in ("👨‍👩‍👧‍👦", "❄️", "🇺🇦", "1️⃣"):
        assert safe_text(text) == text
    assert safe_text("a\u200db") == "a\ufffdb"


@given(ANY_TEXT)
def test_no_control_character_is_left(text: str) -> None:
    result = safe_text(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in result)
    result.encode("utf-8")
    assert safe_text(result) == result


@given(ANY_TEXT, st.integers(0, 40))
def test_widths(text: str, width: int) -> None:
    safe = safe_text(text)
    assert cells(shorten(safe, width)) <= width
    assert safe.startswith(cut(safe, width))
