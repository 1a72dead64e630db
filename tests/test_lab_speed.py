"""Has the code become slower? Against a plain loop in the same run; `python -m bench.guard` is the same by hand."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import guard


def test_nothing_costs_a_quarter_more_than_it_did() -> None:
    slow = [r for r in guard.check() if not r["ok"]]
    assert slow == [], (
        "slower than bench/guard.json allows; find out why (python -m bench --profile), or, if it is worth it, "
        f"write down the new figures with python -m bench.guard --renew: {slow}"
    )


def test_the_loop_is_the_same_work_every_time() -> None:
    assert guard.calibration() == guard.calibration() == 60
    assert guard.random_play() == guard.random_play() > 1000
    assert guard.greedy_games() == guard.greedy_games() > 100
