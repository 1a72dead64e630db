"""How fast the lab is: whole games between bots, recorded as `kickdoor simulate` records them, on one core and two."""

from __future__ import annotations

import os
import resource
import statistics
import time
from typing import Any, Final

from kickdoor.lab import farm
from kickdoor.lab.playing import Setting, play

KINDS: Final = ("random", "greedy", "schemer")
BARS: Final = {"greedy": 50.0, "schemer": 25.0}  # games a second on one core
SCALING: Final = 1.7
BATCH: Final = 4  # games that a worker is given at a time


class BotGames:
    """Classic games of four bots of a kind, one after the other."""

    def __init__(self, kind: str) -> None:
        self.setting = Setting((kind,) * 4)
        self.games = 0
        self.decisions = 0
        self.moves = 0
        self.seconds: list[float] = []  # of processor time, game by game

    def step(self) -> int:
        """A whole game; returns how many times a bot was asked."""
        began = time.process_time()
        r = play(self.setting, self.games)
        self.seconds.append(time.process_time() - began)
        if r.error:
            raise RuntimeError(f"game {r.number} of {r.bots[0]} bots failed: {r.error}")
        asked = sum(clock.count for clock in r.thought)
        self.games += 1
        self.decisions += asked
        self.moves += r.moves
        return asked


def workers(kind: str, games: int, rounds: int) -> dict[str, Any]:
    """The same games with one worker and with two, in turns; starting the processes included.

    By the clock, and by processor time: on a machine that others use as well only the second says what two cores of
    one's own would do, namely twice the work of one less what the second worker costs in addition.
    """
    setting = Setting((kind,) * 4)
    play(setting, 0)
    rates: dict[int, list[float]] = {1: [], 2: []}
    busy: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for n in rates:
            began, used = time.perf_counter(), processor_time()
            played = sum(len(batch) for batch in farm.run(setting, range(games), n, size=BATCH))
            rates[n].append(played / (time.perf_counter() - began))
            busy[n].append(processor_time() - used)
    one, two = (statistics.median(rates[n]) for n in (1, 2))
    return {
        "kind": kind,
        "games": games,
        "rounds": rounds,
        "one": one,
        "two": two,
        "ratio": two / one,
        "by_processor_time": 2 * min(busy[1]) / min(busy[2]),
        "cores": farm.cores(),
        "load": round(os.getloadavg()[0], 1),
    }


def processor_time() -> float:
    """Seconds that this process and its finished children have used."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )
