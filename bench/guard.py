"""A guard against slowness: the engine and the simulator, measured against a plain loop in the same run.

    python -m bench.guard            check against bench/guard.json
    python -m bench.guard --renew    measure anew and write it, after a change that is worth its price

Machines differ and are shared, so nothing is compared in seconds. A loop of ordinary Python (small objects, dicts,
tuples, calls) and the real thing take turns in short rounds of processor time. Noise only ever makes things slower, so
the best round of each counts, and their ratio is what a change to the code moves.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bench.__main__ import RandomPlay, any_move
from kickdoor.lab.playing import Setting, play

FILE: Final = Path(__file__).with_name("guard.json")
ROUNDS: Final = 15
SLOWER: Final = 0.25  # what a change may cost
OTHER_PYTHON: Final = 0.20  # more, where the interpreter is another one than the figures were taken with


class _Thing:
    __slots__ = ("hand", "level", "name")

    def __init__(self, name: str, level: int) -> None:
        self.name = name
        self.level = level
        self.hand = list(range(level % 7))


def _total(thing: _Thing, known: dict[tuple[str, int], int]) -> int:
    key = (thing.name, thing.level % 10)
    got = known.get(key)
    if got is None:
        got = known[key] = sum(x for x in thing.hand if x % 3)
    return got


def calibration(loops: int = 60) -> int:
    """What an engine of this kind spends its time with, without the engine."""
    things = [_Thing(f"thing {i % 40}", i) for i in range(120)]
    known: dict[tuple[str, int], int] = {}
    out: list[tuple[int, int, str]] = []
    for n in range(loops):
        if n % 8 == 0:
            known.clear()
        for thing in things:
            worth = _total(thing, known)
            if worth > 2 and thing.level & 1:
                out.append((worth, thing.level, thing.name))
            elif thing.hand:
                thing.level += isinstance(thing.hand[-1], int)
        out = [x for x in out if x[0] > 3][-50:]
    return loops


def random_play() -> int:
    """The same stretch of random games every time; returns decisions."""
    game = RandomPlay(any_move, seed=3)
    return sum(game.step() for _ in range(50))


def greedy_games() -> int:
    """The same two games of greedy bots, recorded; returns how often a bot was asked."""
    setting = Setting(("greedy",) * 4)
    records = [play(setting, n) for n in (2, 3)]
    assert not any(r.error for r in records), [r.error for r in records]
    return sum(clock.count for r in records for clock in r.thought)


MEASURED: Final[dict[str, Callable[[], int]]] = {"random play": random_play, "greedy games": greedy_games}


def rate(work: Callable[[], int]) -> float:
    """Units per second of processor time."""
    gc.collect()
    began = time.process_time()
    done = work()
    return done / max(1e-9, time.process_time() - began)


class Ratio:
    """The best round of some work over the best round of the loop, so far."""

    def __init__(self, work: Callable[[], int]) -> None:
        self.work = work
        self.best = self.loop = 0.0
        work()  # whatever is compiled or kept once

    def round(self) -> float:
        self.loop = max(self.loop, rate(calibration))
        self.best = max(self.best, rate(self.work))
        self.loop = max(self.loop, rate(calibration))
        return self.best / self.loop


def check(rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Every figure against the stored one; at least three rounds, and more only while it looks slow."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    same = stored["python"] == f"{sys.version_info[0]}.{sys.version_info[1]}"
    least = 1 - SLOWER - (0 if same else OTHER_PYTHON)
    out = []
    for name, work in MEASURED.items():
        measured, got = Ratio(work), 0.0
        for n in range(rounds):
            got = measured.round() / stored["ratios"][name]
            if n >= 2 and got >= least:
                break
        out.append({"name": name, "of_stored": got, "least": least, "ok": got >= least})
    return out


def renew(rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure and store: the median of five, each the best of some rounds."""
    ratios = {}
    for name, work in MEASURED.items():
        found = []
        for _ in range(5):
            measured = Ratio(work)
            found.append([measured.round() for _ in range(max(1, rounds // 2))][-1])
        ratios[name] = round(statistics.median(found), 4)
    data = {"python": f"{sys.version_info[0]}.{sys.version_info[1]}", "ratios": ratios}
    FILE.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return data


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.guard", description="Has the code become slower?")
    parser.add_argument("--renew", action="store_true", help="store what is measured now")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"the best of so many counts ({ROUNDS})")
    args = parser.parse_args()
    if args.renew:
        print(json.dumps(renew(args.rounds), indent=2))
        return 0
    results = check(args.rounds)
    for r in results:
        word = "ok     " if r["ok"] else "SLOWER "
        print(f"{word} {r['name']}: {r['of_stored']:.2f} of the stored figure, at least {r['least']:.2f}")
    return 0 if all(r["ok"] for r in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
