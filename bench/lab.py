"""How fast the lab is: whole games between bots, recorded as `kickdoor simulate` records them, on one core and two."""

from __future__ import annotations

import multiprocessing
import os
import random
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from kickdoor.lab import farm
from kickdoor.lab.playing import Setting, play

KINDS: Final = ("random", "greedy", "schemer")
BARS: Final = {"greedy": 5.0, "schemer": 3.0}  # recorded games on one core in the time of 1,000 plies of python-chess
SCALING: Final = 1.7
ENVIRONMENT: Final = "environment, every acting seat looking"
STEPS: Final = 20_000.0  # a second and core that are asked of it
LONG: Final = 8.0  # seconds that one worker is kept busy, so that starting processes does not count for much


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


def environment() -> Callable[[], int]:
    """The environment for learning agents, as one uses it: whoever acts looks, and picks any of his moves."""
    env: Any = import_module("kickdoor.lab.env").raw_env()
    rng = random.Random(1)
    env.reset(1)

    def step() -> int:
        for _ in range(50):
            agent = env.agent_selection
            if env.terminations[agent] or env.truncations[agent]:
                env.reset()
                continue
            env.observe(agent)
            env.step(env.stepper.first + rng.randrange(env.stepper.count))
        return 50

    return step


def workers(kind: str, games: int, rounds: int) -> dict[str, Any]:
    """The same games with one worker and with two, in turns; starting the processes included.

    Beside it a control: the same games in two bare processes that share nothing. What those do not gain, the machine
    has not got to give (others are using it), and the figure says nothing about the simulator.
    """
    setting = Setting((kind,) * 4)
    play(setting, 0)
    rates: dict[int, list[float]] = {1: [], 2: []}
    bare = []
    for _ in range(rounds):
        for n in rates:
            began = time.perf_counter()
            played = sum(len(batch) for batch in farm.run(setting, range(games), n))
            rates[n].append(played / (time.perf_counter() - began))
        bare.append(in_bare_processes(setting, games))
    one, two = (statistics.median(rates[n]) for n in (1, 2))
    return {
        "kind": kind,
        "games": games,
        "rounds": rounds,
        "one": one,
        "two": two,
        "ratio": two / one,
        "control": statistics.median(bare) / one,
        "cores": farm.cores(),
        "load": round(os.getloadavg()[0], 1),
    }


def in_bare_processes(setting: Setting, games: int) -> float:
    """Games a second of two processes, half of the games each, that never speak to each other."""
    halves = (range(games // 2), range(games // 2, games))
    began = time.perf_counter()
    pair = [multiprocessing.Process(target=_some, args=(setting, half)) for half in halves]
    for process in pair:
        process.start()
    for process in pair:
        process.join()
    return games / (time.perf_counter() - began)


def _some(setting: Setting, numbers: range) -> None:
    for n in numbers:
        play(setting, n)
