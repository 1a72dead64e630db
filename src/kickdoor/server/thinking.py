"""Bots that think for long do it in another process, so that no table waits for them but their own."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from kickdoor.bots import Choice, Seat, make
from kickdoor.bots.ledger import BLANK, Ledger
from kickdoor.bots.lookahead import USUAL_MS
from kickdoor.engine import saving
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.paper.helpers import deaf, helps
from kickdoor.server import watching
from kickdoor.server.workshop import Turns

log = logging.getLogger("kickdoor.server")

SLOW: Final = tuple(USUAL_MS)
PATIENCE: Final = 10.0  # seconds; then the default is done. The brake of such bots (BRAKE_MS) is below it
SPARE: Final = 0.25  # seconds on top of what a bot thinks: to get there and back, and for the last thing it tries
_SPAWN: Final = multiprocessing.get_context("spawn")
_Thought = tuple[tuple[int, ...], str, str] | None
_Job = tuple[str, int, bytes, int, int, list[tuple[int, ...]], bool, list[tuple[int, int]]]


def slow(kind: str) -> bool:
    """Does this kind of bot need more than a moment?"""
    return kind.startswith(SLOW)


def seconds(kind: str) -> float:
    """How long until this kind of bot has usually thought (a busy machine takes longer, and its answer comes a whole
    number of such times later); nothing for one that needs but a moment."""
    if not slow(kind):
        return 0.0
    base, _, budget = kind.partition(":")[0].partition("#")[0].partition("@")
    return min(int(budget or USUAL_MS[base]) / 1000 + SPARE, PATIENCE)


class Thinker:
    """A few processes, started when the first such bot sits down."""

    def __init__(self, workers: int = 0) -> None:
        self._workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(self._workers)  # processes of this pool that have nothing to think about
        self.turns = Turns(max(1, self._workers // 2))  # of each address: its tables keep nobody else's bots waiting
        self.hints = 0  # people of all tables who wait for what a bot would do

    async def think(
        self, kind: str, seed: int, g: Game, seat: int, count: int, mine: list[Move], must: bool, ledger: Ledger = BLANK
    ) -> Choice | None:
        """What this bot would do, or where it need not, whether it would; it gets the game through its seat's eyes."""
        job = (kind, seed, saving.to_msgpack(g), seat, count, [tuple(m) for m in mine], must, ledger.plain())
        try:
            found = await self._ask(job)
        except BrokenProcessPool:  # a process was killed; new ones are as good
            found = await self._ask(job)
        return Choice(Move(*found[0]), *found[1:]) if found is not None else None

    async def _ask(self, job: _Job) -> _Thought:
        """Raises BrokenProcessPool, and leaves no broken pool behind: the next one who asks gets another."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, _SPAWN, helps)
            self._free = asyncio.Semaphore(self._workers)
        pool, free = self._pool, self._free
        try:
            with watching.THINKING.time(), watching.THOUGHTLESS.count_exceptions():
                async with asyncio.timeout(PATIENCE):
                    await free.acquire()
                    thought = _begun(pool, free, job)
                    await asyncio.wait({thought})
                    return thought.result()
        except BrokenProcessPool:
            if self._pool is pool:  # others who were waiting for the same one come here too
                log.warning("a process that thinks for bots has died; new ones are started")
                self._pool = None
                pool.shutdown(wait=False, cancel_futures=True)
            raise

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _begun(pool: ProcessPoolExecutor, free: asyncio.Semaphore, job: _Job) -> asyncio.Future[_Thought]:
    """A process that is free begins to think. Whoever has lost interest only stops waiting for it: a pool that loses a
    process while something is cancelled that has not begun tells none of the others, and lets none of its own go."""

    def over(thought: asyncio.Future[_Thought]) -> None:
        free.release()
        if not thought.cancelled():
            thought.exception()  # perhaps nobody waits for it any more

    try:
        with deaf():  # a process may be started for it
            thought = asyncio.wrap_future(pool.submit(_think, *job))
    except (OSError, RuntimeError) as e:  # it was broken, or breaks while it starts a process
        free.release()
        raise BrokenProcessPool(str(e)) from e
    except BaseException:
        free.release()
        raise
    thought.add_done_callback(over)
    return thought


def _think(
    kind: str,
    seed: int,
    raw: bytes,
    seat: int,
    count: int,
    mine: list[tuple[int, ...]],
    must: bool,
    ledger: list[tuple[int, int]],
) -> _Thought:
    """In the other process."""
    eyes = Seat(saving.from_msgpack(raw), seat, count, [Move(*m) for m in mine], Ledger.of(ledger))
    bot = make(kind, seed)
    choice = bot.choose(eyes) if must else bot.interject(eyes)
    return (tuple(choice.move), choice.reason, choice.first) if choice is not None else None
