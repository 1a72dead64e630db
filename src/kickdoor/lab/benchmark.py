"""The benchmark: one agent against three of a kind, always the same deals. Who has which share of the games?

    python -m kickdoor.lab.benchmark                                      the ladder and the trained agent
    python -m kickdoor.lab.benchmark agent=my_module:make -n 200          your own, quickly
    python -m kickdoor.lab.benchmark --page                               the table again, from what was played

The task is fixed: the classic set by its own rules, four seats, the agent in each seat equally often, the deals of seed
2026 from the first on. A column is who the other three are. What was played is kept in build/benchmark, in a file for
these cards, and the same command goes on with what is missing. Remove it after a change to a bot.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kickdoor.bots import KINDS, BotError
from kickdoor.engine.setup import library
from kickdoor.lab import agents, arena, command
from kickdoor.lab.extras import LabError
from kickdoor.lab.farm import THINKERS
from kickdoor.lab.figures import Clock, wilson
from kickdoor.lab.playing import Setting, check

PACKS: Final = ("classic",)
SEATS: Final = 4
SEED: Final = 2026
GAMES: Final = 1_000
FEW: Final = 10  # of a bot that searches so many times fewer games are played
RIVALS: Final = ("random", "greedy", "schemer")
HOME: Final = Path("build/benchmark")


@dataclass(frozen=True)
class Cell:
    """How an agent did against three of a kind."""

    wins: int
    games: int
    failed: int
    clock: Clock

    def __str__(self) -> str:
        if not self.games:
            return "-"
        low, high = wilson(self.wins, self.games)
        bad = f", {self.failed} failed" if self.failed else ""
        return f"{self.wins / self.games:.1%} ({100 * low:.1f}-{100 * high:.1f}, n={self.games}{bad})"


def setting(agent: str, rival: str) -> Setting:
    return Setting((agent, *[rival] * (SEATS - 1)), PACKS, seed=SEED)


def place(home: Path) -> Path:
    """The file for these cards."""
    return home / f"{library(PACKS).hash[:12]}.jsonl"


def games_for(agent: str, games: int) -> int:
    return max(1, games // FEW) if agent.startswith(THINKERS) else games


def played(agent: str, rival: str, results: Sequence[arena.Result]) -> Cell:
    good = [r for r in results if not r.error]
    clock = Clock()
    for r in good:
        clock.merge(r.thought[agent])
    wins = sum(any(r.bots[s] == agent for s in r.winners) for r in good)
    return Cell(wins, len(good), len(results) - len(good), clock)


def measure(agent: str, rival: str, games: int, workers: int, home: Path) -> Iterator[Cell]:
    """Play what is missing; the figures so far after every batch."""
    place(home).parent.mkdir(parents=True, exist_ok=True)
    results: list[arena.Result] = []
    for batch in arena.run(setting(agent, rival), games, workers, place(home)):
        results += batch
        yield played(agent, rival, results)


def known(agent: str, rival: str, games: int, home: Path) -> Cell:
    """What has been played already."""
    return played(agent, rival, arena.Log(place(home), setting(agent, rival)).upto(games))


def table(agents: Sequence[str], games: int, home: Path) -> str:
    """As Markdown, from what has been played."""
    heads = ["agent", *(f"against three {r}" for r in RIVALS), "ms a decision"]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    for agent in agents:
        cells, clock = [], Clock()
        for rival in RIVALS:
            if agent == rival:
                cells.append(f"{1 / SEATS:.1%} (even)")
                continue
            cell = known(agent, rival, games_for(agent, games), home)
            clock.merge(cell.clock)
            cells.append(str(cell))
        ms = f"{1000 * clock.mean:.2f}" if clock.count else "-"
        lines.append("| " + " | ".join([agent, *cells, ms]) + " |")
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m kickdoor.lab.benchmark", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("agents", nargs="*", default=[*KINDS, agents.TRAINED], help="who is measured (default: all)")
    parser.add_argument(
        "-n", type=command.whole(1), default=GAMES, metavar="GAMES", help=f"in each cell (default {GAMES:,})"
    )
    parser.add_argument(
        "--workers", type=command.whole(0), default=0, metavar="W", help="processes (default: one per core)"
    )
    parser.add_argument("--home", type=Path, default=HOME, metavar="DIR", help=f"where games are kept (default {HOME})")
    parser.add_argument("--page", action="store_true", help="play nothing, print what is there")
    args = parser.parse_args(words)
    try:
        for agent in args.agents if not args.page else ():
            for rival in (r for r in RIVALS if r != agent):
                check(setting(agent, rival))
                for cell in measure(agent, rival, games_for(agent, args.n), args.workers, args.home):
                    last = cell
                print(f"{agent} against three {rival}: {last}", file=sys.stderr, flush=True)
        print(table(args.agents, args.n, args.home))
    except (BotError, LabError) as e:
        print(f"benchmark: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("benchmark: stopped; the same command goes on with what is missing", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
