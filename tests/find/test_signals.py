import pytest

from knit_tui.find.signals import FACTORS, PathClass, factors, path_class
from knit_tui.model import Kind, Role, Wish


@pytest.mark.parametrize(
    ("rel", "kind", "role", "expected"),
    [
        ("CHANGELOG.md", Kind.DOCS, Role.DOC, PathClass.CHANGELOG),
        ("docs/release-notes.md", Kind.DOCS, Role.DOC, PathClass.CHANGELOG),
        ("src/history.py", Kind.CODE, Role.IMPL, PathClass.SOURCE),
        ("docs/fr/docs/index.md", Kind.DOCS, Role.DOC, PathClass.COPY),
        ("docs/zh-hant/index.md", Kind.DOCS, Role.DOC, PathClass.COPY),
        ("docs/en/docs/index.md", Kind.DOCS, Role.DOC, PathClass.DOCUMENT),
        ("src/fr/index.py", Kind.CODE, Role.IMPL, PathClass.SOURCE),
        ("third_party/zlib/inflate.c", Kind.CODE, Role.IMPL, PathClass.COPY),
        ("tests/fixtures/a.py", Kind.CODE, Role.TEST, PathClass.COPY),
        ("examples/tests/a.py", Kind.CODE, Role.TEST, PathClass.EXAMPLE),
        ("examples/vendor/a.py", Kind.CODE, Role.IMPL, PathClass.COPY),
        ("examples.py", Kind.CODE, Role.IMPL, PathClass.SOURCE),
        ("docs/examples/CHANGELOG.md", Kind.DOCS, Role.DOC, PathClass.CHANGELOG),
        ("tests/test_retry.py", Kind.CODE, Role.TEST, PathClass.TEST),
        ("README.md", Kind.DOCS, Role.DOC, PathClass.DOCUMENT),
        ("src/contest.py", Kind.CODE, Role.IMPL, PathClass.SOURCE),
    ],
)
def test_path_class(rel: str, kind: Kind, role: Role, expected: PathClass) -> None:
    assert path_class(rel, kind, role) is expected


def order(wish: Wish, *classes: PathClass) -> list[float]:
    found = factors(wish)
    return [found[each] for each in classes]


def test_factors_go_by_class() -> None:
    for wish in Wish:
        assert factors(wish).tolist() == [FACTORS[wish][each] for each in PathClass]
        assert (factors(wish) > 0).all()


def test_what_is_asked_for_decides_which_class_comes_first() -> None:
    source, test, document = PathClass.SOURCE, PathClass.TEST, PathClass.DOCUMENT
    assert order(Wish.UNDERSTANDING, source)[0] == max(factors(Wish.UNDERSTANDING))
    assert order(Wish.CHANGE, source, test, document) == sorted(
        order(Wish.CHANGE, source, test, document), reverse=True
    )
    assert order(Wish.TESTS, test)[0] == max(factors(Wish.TESTS))
    assert order(Wish.DOCUMENTS, document)[0] == max(factors(Wish.DOCUMENTS))
    assert order(Wish.CHANGELOG, PathClass.CHANGELOG)[0] == max(factors(Wish.CHANGELOG))


def test_who_asks_for_no_changelog_gets_it_last() -> None:
    for wish in set(Wish) - {Wish.CHANGELOG}:
        assert factors(wish)[PathClass.CHANGELOG] == min(factors(wish))


def test_every_wish_has_a_factor_for_every_class() -> None:
    assert all(set(FACTORS[each]) == set(PathClass) for each in Wish)
