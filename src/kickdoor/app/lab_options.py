"""What the commands of the lab have in common: who plays what, on how many cores, and a bar that says how far it is."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from kickdoor.app import sets_command
from kickdoor.app.terminal import progress_console, say
from kickdoor.lab import farm, playing
from kickdoor.lab.arena import seating
from kickdoor.lab.extras import LabError
from kickdoor.lab.playing import Setting

PATIENCE = 30.0  # seconds between two lines of progress where there is no terminal


def add(parser: argparse.ArgumentParser, bots: str, games: int) -> None:
    """The options; `bots` and `games` are the defaults."""
    parser.add_argument(
        "--bots",
        default=bots,
        metavar="A,B,...",
        help=f"who plays; the last one named fills the table (default {bots})",
    )
    parser.add_argument("-n", type=int, default=games, metavar="GAMES", help=f"how many games (default {games:,})")
    parser.add_argument("--players", type=int, metavar="N", help="seats (default: as named, or 4)")
    parser.add_argument("--packs", metavar="P,Q,...", help="sets, or folders of your own packs (default classic)")
    parser.add_argument("--edition", metavar="NAME", help="whose rules (default: those of the first set)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="other games, just as reproducible (default 1)"
    )
    parser.add_argument("--workers", type=int, default=0, metavar="W", help="processes (default: one per core)")
    sets_command.options(parser)


def setting(args: argparse.Namespace) -> Setting:
    """What the words on the command line mean; wrong ones are told before anything is played."""
    if args.n < 1:
        raise LabError(f"-n {args.n}: at least one game, please")
    if args.workers < 0:
        raise LabError(f"--workers {args.workers}: give a number of processes, or leave it out for one per core")
    if args.players is not None and args.players < 1:
        raise LabError(f"--players {args.players}: give a number of seats, or leave it out for as many as are named")
    said = [args.packs] if args.packs is not None else []
    packs = tuple(sets_command.chosen(args, said) or ([] if said else ["classic"]))
    kinds = [word.strip() for word in args.bots.split(",") if word.strip()]
    out = Setting(
        seating(kinds, args.players or 0),
        packs,
        args.edition,
        tuple(sorted(sets_command.fields(args, packs).items())),
        args.seed,
    )
    playing.check(out)
    return out


def workers(args: argparse.Namespace) -> str:
    n = args.workers or farm.cores()
    return "1 core" if n == 1 else f"{n} cores"


class Meter:
    """Says how far it is: a bar on a terminal, now and then a line elsewhere. On stderr, so that output stays clean."""

    def __init__(self, bar: Progress | None, total: int, what: str) -> None:
        self.bar = bar
        self.task: Any = bar.add_task(what, total=total) if bar is not None else None
        self.total = total
        self.what = what
        self.done = 0
        self.told = self.began = time.monotonic()

    def add(self, n: int) -> None:
        self.done += n
        if self.bar is not None:
            self.bar.advance(self.task, n)
        elif time.monotonic() - self.told > PATIENCE:
            self.told = time.monotonic()
            rate = self.done / (self.told - self.began)
            line = f"{self.what}: {self.done:,} of {self.total:,}, {rate:.1f}/s"
            say(line, err=True, flush=True)


@contextmanager
def meter(total: int, what: str = "games") -> Iterator[Meter]:
    if not sys.stderr.isatty():
        yield Meter(None, total, what)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=progress_console(), transient=True) as bar:
        yield Meter(bar, total, what)
