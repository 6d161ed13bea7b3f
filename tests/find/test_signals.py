import numpy as np
import pytest

from knit_tui.find.signals import FACTORS, PathClass, Wish, factors, path_class, wish
from knit_tui.model import Kind, Role


@pytest.mark.parametrize(
    ("rel", "kind", "role", "expected"),
    [
        ("CHANGELOG.md", Kind.DOCS, Role.DOC, PathClass.CHANGELOG),
        ("docs/release-notes.md", Kind.DOCS, Role.DOC, PathClass.CHANGELOG),
        ("src/history.py", Kind.CODE, Role.IMPL, PathClass.SOURCE),
        ("docs/fr/docs/index.md", Kind.DOCS, Role.DOC, PathClass.COPY),
        ("docs/zh-hant/index.md", Kind.DOCS, Role.DOC, PathClass.COPY),
        ("docs/en/docs/index.md", Kind.DOCS, Role.DOC, PathClass.DOCUMENT),
        ("third_party/zlib/inflate.c", Kind.CODE, Role.IMPL, PathClass.COPY),
        ("tests/fixtures/a.py", Kind.CODE, Role.TEST, PathClass.COPY),
        ("tests/test_retry.py", Kind.CODE, Role.TEST, PathClass.TEST),
        ("README.md", Kind.DOCS, Role.DOC, PathClass.DOCUMENT),
        ("src/contest.py", Kind.CODE, Role.IMPL, PathClass.SOURCE),
    ],
)
def test_path_class(rel: str, kind: Kind, role: Role, expected: PathClass) -> None:
    assert path_class(rel, kind, role) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fix retry backoff", Wish.ANY),
        ("add a test for the loader", Wish.TESTS),
        ("给加载器写单测", Wish.TESTS),
        ("fix typo in the README", Wish.DOCUMENTS),
        ("更新文档", Wish.DOCUMENTS),
        ("the latest contest", Wish.ANY),
        ("", Wish.ANY),
    ],
)
def test_wish(text: str, expected: Wish) -> None:
    assert wish(text) is expected


def test_factors_go_by_class_and_wish() -> None:
    classes = np.array([PathClass.SOURCE, PathClass.DOCUMENT, PathClass.TEST], np.uint8)
    assert factors(Wish.ANY, classes).tolist() == [1.0, 0.6, 0.7]
    assert factors(Wish.TESTS, classes)[2] > factors(Wish.ANY, classes)[2]
    assert factors(Wish.DOCUMENTS, classes)[1] > 1


def test_every_wish_has_a_factor_for_every_class() -> None:
    assert all(set(FACTORS[each]) == set(PathClass) for each in Wish)
