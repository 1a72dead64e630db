"""Has the code become slower? Counted in calls; `python -m bench.guard` is the same by hand."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import guard


def test_nothing_costs_a_tenth_more_than_it_did() -> None:
    dear = [r for r in guard.check() if not r["ok"]]
    assert dear == [], (
        "more work than bench/guard.json allows; find out why (python -m bench --profile), or, if it is worth it, "
        f"write down the new figures with python -m bench.guard --renew: {dear}"
    )


def test_the_same_work_is_the_same_number_of_calls() -> None:
    one, two = (guard.calls(guard.random_play) for _ in range(2))
    assert abs(one - two) < one / 1000  # sets of words lie otherwise in every process
    assert one > 50


def test_work_that_is_done_twice_is_noticed() -> None:
    def twice() -> int:
        guard.random_play()
        return guard.random_play()

    assert guard.calls(twice) > 1.9 * guard.calls(guard.random_play)
