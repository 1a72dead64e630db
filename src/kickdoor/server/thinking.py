"""Bots that think for long do it in another process, so that no table waits for them but their own."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from kickdoor.bots import Choice, Seat, make
from kickdoor.engine import saving
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.server import watching

SLOW: Final = ("lookahead",)
PATIENCE: Final = 10.0  # seconds; then the default is done
_SPAWN: Final = multiprocessing.get_context("spawn")


def slow(kind: str) -> bool:
    """Does this kind of bot need more than a moment?"""
    return kind.startswith(SLOW)


class Thinker:
    """A few processes, started when the first such bot sits down."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, kind: str, seed: int, g: Game, seat: int, count: int, mine: list[Move]) -> Choice:
        """What this bot would do; it gets a copy of the game through its seat's eyes."""
        if self._pool is None:
            workers = max(1, (os.cpu_count() or 2) - 1)
            self._pool = ProcessPoolExecutor(workers, mp_context=_SPAWN)
        job = (kind, seed, saving.to_msgpack(g), seat, count, [tuple(m) for m in mine])
        loop = asyncio.get_running_loop()
        with watching.THINKING.time(), watching.THOUGHTLESS.count_exceptions():
            move, reason = await asyncio.wait_for(loop.run_in_executor(self._pool, _think, *job), PATIENCE)
        return Choice(Move(*move), reason)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _think(
    kind: str, seed: int, raw: bytes, seat: int, count: int, mine: list[tuple[int, ...]]
) -> tuple[tuple[int, ...], str]:
    """In the other process."""
    g = saving.from_msgpack(raw)
    choice = make(kind, seed).choose(Seat(g, seat, count, [Move(*m) for m in mine]))
    return tuple(choice.move), choice.reason
