"""A guard against slowness: how many calls a decision takes.

    python -m bench.guard            check against bench/guard.json
    python -m bench.guard --renew    count anew and write it, after a change that is worth its price

Calls are counted, not timed: the same work has the same number of them on every machine, however much else it has to
do. What happens within one call is not seen; `make bench` measures that.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bench.__main__ import RandomPlay, any_move
from kickdoor.lab.playing import Setting, play

FILE: Final = Path(__file__).with_name("guard.json")
DEARER: Final = 0.10  # what a change may cost
OTHER_PYTHON: Final = 0.30  # more, where the interpreter is another one than the figures were taken with


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


COUNTED: Final[dict[str, Callable[[], int]]] = {"random play": random_play, "greedy games": greedy_games}


def calls(work: Callable[[], int]) -> float:
    """Calls a decision, of our functions and of Python's own, once everything is there that is made only once."""
    work()
    counted = cProfile.Profile()
    done = counted.runcall(work)
    return sum(entry.callcount for entry in counted.getstats()) / done


def python() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def check(file: Path = FILE) -> list[dict[str, Any]]:
    """Every figure against the stored one."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    most = 1 + DEARER + (0 if stored["python"] == python() else OTHER_PYTHON)
    out = []
    for name, work in COUNTED.items():
        of_stored = calls(work) / stored["calls"][name]
        out.append({"name": name, "of_stored": of_stored, "most": most, "ok": of_stored <= most})
    return out


def renew(file: Path = FILE) -> dict[str, Any]:
    """Count and store."""
    data = {"python": python(), "calls": {name: round(calls(work), 1) for name, work in COUNTED.items()}}
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return data


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.guard", description="Has the code become slower?")
    parser.add_argument("--renew", action="store_true", help="store what is counted now")
    parser.add_argument("--file", type=Path, default=FILE, help="where the figures are (bench/guard.json)")
    args = parser.parse_args()
    if args.renew:
        print(json.dumps(renew(args.file), indent=2))
        return 0
    results = check(args.file)
    for r in results:
        word = "ok     " if r["ok"] else "DEARER "
        print(f"{word} {r['name']}: {r['of_stored']:.2f} of the stored figure, at most {r['most']:.2f}")
    return 0 if all(r["ok"] for r in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
