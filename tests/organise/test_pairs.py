"""Which test tests which file, by their names."""

import pytest

from knit_tui.organise import pairs
from knit_tui.organise.tree import Tree


@pytest.mark.parametrize(
    ("test", "subject"),
    [
        ("tests/test_retry.py", "src/knit/retry.py"),
        ("tests/net/test_retry.py", "knit/net/retry.py"),
        ("knit/retry_test.py", "knit/retry.py"),
        ("knit/test_retry.py", "knit/retry.py"),
        ("tests/test_retry.py", "src/knit/_retry.py"),
        ("tests/test_net.py", "src/net/__init__.py"),
        ("net/retry_test.go", "net/retry.go"),
        ("web/Button.test.tsx", "web/Button.tsx"),
        ("web/Button.spec.ts", "web/Button.vue"),
        ("web/button-test.js", "web/button.js"),
        ("web/__tests__/Button.tsx", "web/Button.tsx"),
        ("web/__tests__/Button.test.js", "web/src/Button.js"),
        ("web/Button/Button.test.tsx", "web/Button/index.tsx"),
        ("test/retry.js", "lib/retry.js"),
        ("cypress/e2e/login.cy.ts", "cypress/e2e/login.ts"),
        ("src/test/java/org/x/RetryTest.java", "src/main/java/org/x/Retry.java"),
        ("src/test/java/org/x/TestRetry.java", "src/main/java/org/x/Retry.java"),
        ("src/test/kotlin/org/x/RetryTests.kt", "src/main/java/org/x/Retry.java"),
        ("src/commonTest/kotlin/RetryTest.kt", "src/commonMain/kotlin/Retry.kt"),
        ("src/test/java/RetryIT.java", "src/main/java/Retry.java"),
        ("Knit.Tests/RetryTests.cs", "Knit/Retry.cs"),
        ("spec/net/retry_spec.rb", "lib/net/retry.rb"),
        ("spec/lib/knit/retry_spec.rb", "lib/knit/retry.rb"),
        ("test/retry_test.rb", "app/models/retry.rb"),
        ("tests/retry.rs", "src/retry.rs"),
        ("tests/net.rs", "src/net/mod.rs"),
        ("test/knit/retry_test.exs", "lib/knit/retry.ex"),
        ("tests/Unit/RetryTest.php", "src/Net/Retry.php"),
        ("net/retry_test.cc", "net/retry.cc"),
        ("net/retry_unittest.cc", "net/retry.cc"),
        ("test/test_retry.c", "src/retry.c"),
        ("test/retry_test.cpp", "include/retry.hpp"),
        ("test/retry.bats", "bin/retry.sh"),
        ("test/retry_test.dart", "lib/retry.dart"),
        ("Tests/KnitTests/RetryTests.swift", "Sources/Knit/Retry.swift"),
    ],
)
def test_a_pair_is_seen_from_both_ends(test: str, subject: str) -> None:
    tree = Tree([test, subject, "README.md", f"docs/{test.rpartition('/')[2]}.md"])
    assert pairs.subjects_of(test, tree) == (subject,)
    assert pairs.tests_of(subject, tree) == (test,)
    assert pairs.tests_of(test, tree) == pairs.subjects_of(subject, tree) == ()


@pytest.mark.parametrize(
    ("test", "other"),
    [
        ("tests/test_retry.py", "src/retry.rs"),
        ("tests/test_retry.py", "docs/examples/retry.py"),
        ("tests/test_retry.py", "tests/fixtures/retry.py"),
        ("tests/retry.py", "src/retry.py"),
        ("net/retry_test.go", "other/retry.go"),
        ("web/Button.test.tsx", "web/other/Button.tsx"),
        ("packages/a/tests/test_util.py", "packages/b/util.py"),
        ("src/api_spec.py", "src/api.py"),
        ("src/main/java/OpenSpec.java", "src/main/java/Open.java"),
        ("src/main/java/TestServer.java", "src/main/java/Server.java"),
        ("src/test/java/UNIT.java", "src/main/java/UN.java"),
        ("src/latest.py", "src/la.py"),
        ("src/contest.js", "src/con.js"),
        ("tests/syntax/source/output.rs", "src/output.rs"),
        ("tests/example.js", "tests/example.ts"),
        ("tests/conftest.py", "src/conf.py"),
        ("test_.py", ".py"),
        ("test.py", "py"),
    ],
)
def test_no_pair(test: str, other: str) -> None:
    tree = Tree([test, other])
    assert pairs.subjects_of(test, tree) == pairs.tests_of(other, tree) == ()


def test_of_several_the_one_in_the_like_folders() -> None:
    tree = Tree(
        ["knit/find/index.py", "knit/track/index.py", "tests/track/test_index.py", "tests/test_index.py"]
    )
    assert pairs.subjects_of("tests/track/test_index.py", tree) == ("knit/track/index.py",)
    assert pairs.subjects_of("tests/test_index.py", tree) == ()
    assert pairs.tests_of("knit/track/index.py", tree) == ("tests/track/test_index.py",)
    assert pairs.tests_of("knit/find/index.py", tree) == ()


def test_the_own_ending_comes_first() -> None:
    tree = Tree(["a.js", "a.ts", "a.test.ts", "a.spec.js", "b.cc", "b.h", "b_test.cc"])
    assert pairs.subjects_of("a.test.ts", tree) == ("a.ts",)
    assert pairs.subjects_of("a.spec.js", tree) == ("a.js",)
    assert pairs.subjects_of("b_test.cc", tree) == ("b.cc",)
    assert pairs.tests_of("b.h", tree) == ()


def test_several_tests_of_one_subject() -> None:
    tree = Tree(["a.ts", "a.test.ts", "a.spec.ts", "__tests__/a.ts"])
    assert pairs.tests_of("a.ts", tree) == ("__tests__/a.ts", "a.spec.ts", "a.test.ts")


def test_a_helper_of_tests_is_tested_beside_it() -> None:
    tree = Tree(["testing/helpers.go", "testing/helpers_test.go", "tests/test_retry.py", "tests/retry.py"])
    assert pairs.subjects_of("testing/helpers_test.go", tree) == ("testing/helpers.go",)
    assert pairs.subjects_of("tests/test_retry.py", tree) == ("tests/retry.py",)


def test_a_name_that_is_everywhere_is_only_looked_for_beside() -> None:
    folders = [f"d{n}" for n in range(100)]
    tree = Tree([f"{folder}/{name}" for folder in folders for name in ("main.js", "main.test.js")])
    assert pairs.subjects_of("d5/main.test.js", tree) == ("d5/main.js",)
    assert pairs.tests_of("d5/main.js", tree) == ("d5/main.test.js",)
    tree = Tree(
        [
            f"{top}/{folder}/{name}"
            for folder in folders
            for top, name in (("src", "a.js"), ("test", "a.test.js"))
        ]
    )
    assert pairs.subjects_of("test/d5/a.test.js", tree) == pairs.tests_of("src/d5/a.js", tree) == ()
