"""What a move costs inside a table's room, without network and disk: processor time a move, memory a table.

    python -m bench.room                                      this code
    python -m bench.room --against ../other/src               this code and another copy of it in turns
    python -m bench.room --profile                            where the time goes
    python -m bench.room --memory                             what a table keeps

Everybody plays the same games with the same moves, so two runs differ by the code alone. On a machine that others use
only the ratio means something: the two copies take turns in short rounds, and the median counts.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import os
import pstats
import random
import statistics
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any, Final

import kickdoor
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value import moves as mv
from kickdoor.server import deciding, menu
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import fingerprint
from kickdoor.server.journal import Lease
from kickdoor.server.room import Room
from kickdoor.server.table import PLAYING, Table
from kickdoor.voice import words

SEATS: Final = 4
QUIET: Final = {mv.OFFER_HELP, mv.TRADE, mv.COUNTER, mv.SHOW_HAND}  # talk that a load test can do without
CALM: Final = {"timer": "custom", "window": 120, "decision": 3600, "grace": 600}
WARM: Final = 40  # moves of each table before it counts
ROUNDS: Final = 5


class Nowhere:
    """A journal that is written at once, to nowhere."""

    def __init__(self) -> None:
        self.bytes = 0

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        self.bytes += sum(len(e) for e in entries)

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        self.bytes += len(data)


class Played:
    """A table of four people who are all there, and move as those of `bench.load` do."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(number)
        self.sent = 0
        self.count = 0
        t = Table(f"table{number:05}")
        o = op.changed(op.TableOptions(), CALM)
        sat = [en.Sat(i, f"P{i}", "female", fingerprint(f"{number}/{i}")) for i in range(SEATS)]
        whats: list[en.Entries] = [en.Opened(t.id, "Friday", op.plain(o), SEATS), en.Sealed(number, "salt"), *sat]
        for w in whats:
            t.take(en.Entry(w))
        t.take(en.Entry(deciding.dealing(t, list(range(SEATS)))))
        self.room = Room(t, Lease(t.id, 1), Nowhere())  # type: ignore[arg-type]
        self.guests = [Guest(f"{number}/{i}", self._send, self._hang_up) for i in range(SEATS)]

    def _send(self, data: bytes) -> bool:
        self.sent += len(data)
        return True

    def _hang_up(self, code: str, says: str) -> None:
        raise RuntimeError(f"{code}: {says}")

    async def come(self) -> None:
        for g in self.guests:
            await self.room._one(g, pr.Hello(pr.VERSION, g.token))

    def chosen(self) -> tuple[int, bytes] | None:
        """Who moves next, and what he says; None when the game is over."""
        t = self.room.table
        if t.status != PLAYING or t.game is None:
            return None
        seat = to_act(t.game)[0]
        moves = legal(t.game, seat)
        move = words.first_move(moves)
        loud = [m for m in moves if m.verb not in QUIET]
        if loud and (move is None or self.rng.random() < 0.5):
            move = self.rng.choice(loud)
        assert move is not None
        self.count += 1
        said = {"t": "act", "id": f"c{self.count}", "window": t.window, "moves": [menu.key(move)]}
        return seat, json.dumps(said).encode()


async def play(tables: list[Played], moves: int) -> tuple[int, float]:
    """So many moves at each table; how many were made, and the processor time of the rooms alone."""
    made, used = 0, 0.0
    for _ in range(moves):
        due = [(t, c) for t in tables if (c := t.chosen()) is not None]
        began = time.process_time()
        for t, (seat, said) in due:
            await t.room._one(t.guests[seat], pr.decode(said))
        await asyncio.sleep(0)  # shortcuts are written beside
        used += time.process_time() - began
        made += len(due)
    return made, used


async def opened(count: int) -> list[Played]:
    tables = [Played(i) for i in range(count)]
    for t in tables:
        await t.come()
    await play(tables, WARM)
    return tables


async def measured(args: argparse.Namespace) -> dict[str, Any]:
    """One run in this process."""
    if args.memory:
        await opened(1)  # what all tables share
        gc.collect()
        tracemalloc.start(1 if not args.where else 6)
    tables = await opened(args.tables)
    if args.memory:
        return _memory(tables, args.where)
    gc.collect()
    gc.disable()
    profile = cProfile.Profile() if args.profile else None
    if profile is not None:
        profile.enable()
    made, used = await play(tables, args.moves)
    if profile is not None:
        profile.disable()
        pstats.Stats(profile).sort_stats(args.sort).print_stats(60)
    sent = sum(t.sent for t in tables)
    return {"ms/move": used / made * 1000, "moves": made, "bytes": sent, "compiled": kickdoor.COMPILED}


def _memory(tables: list[Played], where: bool) -> dict[str, Any]:
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    if where:
        for stat in tracemalloc.take_snapshot().statistics("lineno")[:40]:
            print(f"{stat.size / 1024 / len(tables):8.2f} KB {stat.count / len(tables):8.1f}  {stat.traceback}")
    return {"KB/table": held / 1024 / len(tables), "compiled": kickdoor.COMPILED}


def once(path: str, args: argparse.Namespace) -> dict[str, Any]:
    """One run of a copy of the package, in a process of its own."""
    command = [sys.executable, __file__, "--one", "--tables", str(args.tables), "--moves", str(args.moves)]
    env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    out: dict[str, Any] = json.loads(done.stdout)
    return out


def against(other: str, args: argparse.Namespace) -> None:
    """This code and another, in turns."""
    here = str(Path(kickdoor.__file__).parents[1])
    ours, theirs = [], []
    for _ in range(args.rounds):
        theirs.append(once(other, args))
        ours.append(once(here, args))
    mine, others = (statistics.median(r["ms/move"] for r in rows) for rows in (ours, theirs))
    ratio = statistics.median(a["ms/move"] / b["ms/move"] for a, b in zip(ours, theirs, strict=True))
    same = "the same" if ours[0]["bytes"] == theirs[0]["bytes"] else "not the same"
    print(f"{mine:.3f} ms a move, {others:.3f} there: {ratio:.2f} times ({args.rounds} rounds; {same} bytes were sent)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--tables", type=int, default=10)
    parser.add_argument("-m", "--moves", type=int, default=100, help="of each table (default 100)")
    parser.add_argument("--against", default="", metavar="PATH", help="another copy of the package, as for PYTHONPATH")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--sort", default="tottime")
    parser.add_argument("--memory", action="store_true", help="what a table keeps")
    parser.add_argument("--where", action="store_true", help="and which lines made it")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.against:
        against(args.against, args)
        return
    row = asyncio.run(measured(args))
    print(
        json.dumps(row)
        if args.one
        else "  ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items())
    )


if __name__ == "__main__":
    main()
