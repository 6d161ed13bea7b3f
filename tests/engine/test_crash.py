from eval.crash import trials


def test_a_process_killed_at_any_moment_leaves_a_cache_that_is_right() -> None:
    assert trials(40, seed=7) == []
