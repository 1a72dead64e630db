"""Work that takes longer than a moment: done beside the loop, a piece at a time, and never without an end."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from kickdoor.server import limits
from kickdoor.server.trouble import Trouble

SLICE: Final = 0.004  # seconds of work between two breaths
BREATH: Final = 0.001  # in which all tables go on
TURN: Final = 1.0  # seconds of work that can go on from where it was; then others have theirs

T = TypeVar("T")
Tick = Callable[[], None]


class TookTooLong(Exception):
    """A piece of work is over its time. What it has done so far is done."""


class Slices:
    """Work in slices: between two of them the loop has the processor to itself."""

    def __init__(self, seconds: float = limits.WORK_SECONDS) -> None:
        self._until = time.monotonic() + seconds
        self._breath = time.monotonic() + SLICE

    def tick(self) -> None:
        """To be said again and again. Raises TookTooLong."""
        moment = time.monotonic()
        if moment < self._breath:
            return
        if moment > self._until:
            raise TookTooLong
        time.sleep(BREATH)
        self._breath = time.monotonic() + SLICE


def one_turn() -> Slices:
    """For work that can go on from where it was."""
    return Slices(TURN)


class Turns:
    """So many at a time for each of those who ask; more of his wait for their turn, and nobody else for them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def of(self, who: str) -> asyncio.Semaphore:
        """Around what one of them asks for."""
        turn = self._turns.get(who)
        if turn is None:
            turn = self._turns[who] = asyncio.Semaphore(self._most)
        return turn


def busy() -> Trouble:
    says = "The server has more to do than it can at the moment. Try again in a few seconds."
    return Trouble("busy", says, wait=5)


class Workshop:
    """A thread for heavy work. One is enough: with two, neither would be faster, and the tables would be slower."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()
        self.waiting = 0  # pieces that wait or are being worked on

    async def do(self, work: Callable[..., T], *args: object) -> T:
        """The result of `work(*args)`. Raises Trouble (busy) where there is too much of it, or it takes too long."""
        try:
            return await self._done(limits.WORK_SECONDS, work, *args)
        except TookTooLong:
            raise busy() from None

    async def whole(self, work: Callable[[], T]) -> T:
        """The same for what everybody needs and nobody can make larger: it is waited for however long it takes."""
        return await self._done(None, work)

    async def in_turns(self, work: Callable[[Tick], T]) -> T:
        """The result of work that says `tick` again and again, and goes on from where it was when that has stopped it:
        what others ask for comes in between. Each turn is longer than the one before it, for what cannot be stopped
        everywhere. Raises Trouble (busy) as `do` does."""
        turn, until = TURN, time.monotonic() + limits.WORK_SECONDS
        while (left := until - time.monotonic()) > 0:
            with contextlib.suppress(TookTooLong):
                return await self._done(left, lambda seconds: work(Slices(seconds).tick), min(turn, left))
            turn *= 2
        raise busy()

    async def _done(self, seconds: float | None, work: Callable[..., T], *args: object) -> T:
        """The result; raises TookTooLong where it has stopped itself."""
        if self.waiting >= limits.WORK_WAITING:
            raise busy()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, "workshop")
        with self._lock:
            self.waiting += 1
        future = self._pool.submit(work, *args)
        future.add_done_callback(self._over)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
        except TimeoutError:
            raise busy() from None

    def _over(self, _: Future[T]) -> None:
        with self._lock:
            self.waiting -= 1

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
