import pytest

from knit_tui.model import Kind, Role
from knit_tui.organise.roles import role


@pytest.mark.parametrize(
    ("rel", "kind", "expected"),
    [
        ("src/net/retry.py", Kind.CODE, Role.IMPL),
        ("app/models.py", Kind.CODE, Role.IMPL),
        ("quadrature.py", Kind.CODE, Role.IMPL),
        ("tests/test_retry.py", Kind.CODE, Role.TEST),
        ("net/retry_test.go", Kind.CODE, Role.TEST),
        ("web/Button.test.tsx", Kind.CODE, Role.TEST),
        ("web/__tests__/Button.tsx", Kind.CODE, Role.TEST),
        ("tests/conftest.py", Kind.CODE, Role.TEST),
        ("contest.py", Kind.CODE, Role.IMPL),
        ("pyproject.toml", Kind.CODE, Role.CONFIG),
        ("config/settings.yaml", Kind.CODE, Role.CONFIG),
        (".github/workflows/ci.yml", Kind.CODE, Role.CONFIG),
        ("src/settings.py", Kind.CODE, Role.IMPL),
        ("docs/design.md", Kind.DOCS, Role.DESIGN),
        ("docs/adr/0001-cache.md", Kind.DOCS, Role.DESIGN),
        ("docs/存储设计.md", Kind.DOCS, Role.DESIGN),
        ("docs/madrid.md", Kind.DOCS, Role.DOC),
        ("spec-x.md", Kind.DOCS, Role.DOC),
        ("README.md", Kind.DOCS, Role.DOC),
        ("logo.png", Kind.IMAGE, Role.DOC),
    ],
)
def test_role(rel: str, kind: Kind, expected: Role) -> None:
    assert role(rel, kind) is expected
