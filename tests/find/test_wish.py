import pytest

from knit_tui.find.wish import wish
from knit_tui.model import Wish


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fix retry backoff", Wish.CHANGE),
        ("the loader should raise an error", Wish.CHANGE),
        ("Persist the session cookie", Wish.CHANGE),
        ("session cookie persist", Wish.UNDERSTANDING),
        ("fix(router): honour trailing slash", Wish.CHANGE),
        ("fix(router): trailing slash", Wish.CHANGE),
        ("docs(router)!: honour trailing slash", Wish.DOCUMENTS),
        ("How does the loader sort? Check the code and the docs.", Wish.UNDERSTANDING),
        ("代码和文档里的排序规则", Wish.UNDERSTANDING),
        ("改一下代码和文档", Wish.CHANGE),
        ("pkg/router: honour trailing slash", Wish.CHANGE),
        ("ABC-12 honour trailing slash", Wish.CHANGE),
        ("ABC-12: honour trailing slash", Wish.CHANGE),
        ("router: why trailing slash", Wish.UNDERSTANDING),
        ("修复登录超时", Wish.CHANGE),
        ("登录超时 修复", Wish.CHANGE),
        ("How do we fix a retry", Wish.UNDERSTANDING),
        ("where is the cookie set", Wish.UNDERSTANDING),
        ("what handles a redirect?", Wish.UNDERSTANDING),
        ("cookie jar", Wish.UNDERSTANDING),
        ("登录是怎么做的", Wish.UNDERSTANDING),
        ("登录流程", Wish.UNDERSTANDING),
        ("", Wish.UNDERSTANDING),
        ("...", Wish.UNDERSTANDING),
        ("add a test for the loader", Wish.TESTS),
        ("how does the pytest fixture work", Wish.TESTS),
        ("给加载器写单测", Wish.TESTS),
        ("Tests", Wish.TESTS),
        ("fix typo in the README", Wish.DOCUMENTS),
        ("更新文档", Wish.DOCUMENTS),
        ("写一个教程", Wish.DOCUMENTS),
        ("test the example in the tutorial", Wish.TESTS),
        ("update the changelog", Wish.CHANGELOG),
        ("add a changelog test", Wish.CHANGELOG),
        ("补充更新日志", Wish.CHANGELOG),
        ("the latest contest", Wish.UNDERSTANDING),
        ("documentary films", Wish.UNDERSTANDING),
    ],
)
def test_a_typed_query(text: str, expected: Wish) -> None:
    assert wish(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do we fix a retry", Wish.CHANGE),
        ("cookie jar", Wish.CHANGE),
        ("登录流程", Wish.CHANGE),
        ("", Wish.CHANGE),
        ("how do I test it", Wish.TESTS),
        ("看看文档", Wish.DOCUMENTS),
        ("what does the changelog say", Wish.CHANGELOG),
    ],
)
def test_beside_a_working_agent_nothing_is_a_mere_question(text: str, expected: Wish) -> None:
    assert wish(text, live=True) is expected


@pytest.mark.parametrize("run", ["a", "a/", ".", "A-", "1", "'", "a'", "的", ": ", "a: "])
def test_a_long_run_of_anything_returns(run: str) -> None:
    assert wish(run * 100_000) is Wish.UNDERSTANDING
