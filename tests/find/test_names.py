import pytest

from knit_tui.find.names import MAX_NAMES, names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how does StaticModel work", ("StaticModel",)),
        ("fix url_for and load_all", ("url_for", "load_all")),
        ("why is utf8 slow", ("utf8",)),
        ("the HTTP header", ("HTTP",)),
        ("where does the Router begin", ("Router",)),
        ("_private_thing and __init__", ("_private_thing",)),
        ("Router twice: see Router", ("Router",)),
        ("use `cache_store`, please", ("cache_store",)),
        ("app.run_server()", ("run_server",)),
        ("Flask", ("Flask",)),
        ("  router\n", ("router",)),
        ("the router is slow", ()),
        ("X marks it", ()),
        ("", ()),
        ("12 34", ()),
    ],
)
def test_words_that_are_spelled_as_names(text: str, expected: tuple[str, ...]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Fix it",
        "it fails. Why does it",
        "it fails! Why does it",
        "does it fail? Then fix it",
        "do this: Fix it",
        "first line\nSecond line",
        "- Fix it",
        '  "Fix it',
        "改好了。Then go on",
        "fix this. (See below)",
    ],
)
def test_a_capital_at_the_start_of_a_sentence_is_no_name(text: str) -> None:
    assert names(text) == ()


def test_a_name_at_the_start_of_a_sentence_is_one_by_its_spelling() -> None:
    assert names("StaticModel fails. UrlFor too: load_all") == ("StaticModel", "UrlFor", "load_all")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("修复StaticModel的保存", ("StaticModel",)),
        ("请给url_for加测试", ("url_for",)),
        ("在 Router 里加缓存", ("Router",)),
        ("这个请求很慢", ()),
    ],
)
def test_a_name_between_chinese_characters(text: str, expected: tuple[str, ...]) -> None:
    assert names(text) == expected


def test_the_first_ones_are_kept() -> None:
    text = " ".join(f"name_{number}" for number in range(MAX_NAMES + 5))
    assert names(text) == tuple(f"name_{number}" for number in range(MAX_NAMES))


@pytest.mark.parametrize("run", ["a", "A", "_", " ", ".", "\n", "的", "aB", ". A"])
def test_a_long_run_of_anything_returns(run: str) -> None:
    assert len(names(run * 100_000)) <= 1
