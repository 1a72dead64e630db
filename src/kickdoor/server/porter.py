"""The porter: brings tables in from the journal, some at a time, those first that were asked for first.

When another server dies, its tables are asked for here, hundreds in the same second. They are claimed and read many at
a time and told again a few at a time, so that the tables that are here already notice little of it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any, Final, Generic, TypeVar

from kickdoor.server.archive import put_away
from kickdoor.server.journal import Damaged, Journal, Keeper, Lease, Lying
from kickdoor.server.neighbours import Neighbours
from kickdoor.server.trouble import Trouble

AT_ONCE: Final = 16  # tables that are claimed, and not here yet
TOGETHER: Final = (
    8  # so many have to be missing from these before more are claimed, if more wait: to read them together
)
ASK_AGAIN: Final = 0.25  # seconds until somebody else's table is asked for again
WISH_AGAIN: Final = 1.0  # seconds until whoever keeps it is asked to give it away once more


R = TypeVar("R")  # a room, of whatever kind


class Elsewhere(Exception):
    """Another server keeps this table."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class Wanted(Generic[R]):
    """A table that somebody asks for."""

    __slots__ = ("again", "asked", "coming", "done", "end", "free", "ident", "wish")

    def __init__(self, ident: str, moment: float, patience: float) -> None:
        self.ident = ident
        self.again = moment  # when it is asked for the next time
        self.end = moment + patience  # then whoever keeps it keeps it
        self.asked = False
        self.wish = moment  # when its keeper is asked for it the next time
        self.free = False
        self.coming = False  # it is this server's, and being told again
        self.done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self.done.add_done_callback(_heard)


def _heard(done: asyncio.Future[Any]) -> None:
    """Whoever asked may have gone; then nobody has to hear what became of it."""
    if not done.cancelled():
        done.exception()


class Porter(Generic[R]):
    """`bring` makes a room of what is this server's now; `seek` looks for one that the journal does not list."""

    def __init__(
        self,
        journal: Journal,
        neighbours: Neighbours,
        bring: Callable[[Lease, Lying], Coroutine[Any, Any, R]],
        seek: Callable[[str], Awaitable[Lease]],
        patience: float,
    ) -> None:
        self.journal = journal
        self.neighbours = neighbours
        self.patience = patience
        self._bring = bring
        self._seek = seek
        self._wanted: dict[str, Wanted[R]] = {}  # in the order in which they were asked for
        self._gone: Collection[str] = ()  # servers whose leases do not count
        self._coming: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """Tables that somebody asks for, and that are not here yet."""
        return len(self._wanted)

    def knows(self, ident: str) -> bool:
        """Has somebody asked for this table already?"""
        return ident in self._wanted

    async def fetch(self, ident: str) -> R:
        """The room of a table that is not here. Raises Elsewhere, and what `bring` and `seek` raise."""
        wanted = self._wanted.get(ident)
        if wanted is None:
            wanted = self._wanted[ident] = Wanted(ident, asyncio.get_running_loop().time(), self.patience)
            self._news.set()
            if self._work is None or self._work.done():
                self._work = asyncio.create_task(self._run())
        return await asyncio.shield(wanted.done)

    async def close(self, why: Exception) -> None:
        """Nobody waits any longer; what has been begun is finished."""
        for w in self._here():
            self._fail(w, why)
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        await asyncio.gather(*self._coming, return_exceptions=True)

    def _here(self) -> list[Wanted[R]]:
        """Those that are not claimed yet."""
        return [w for w in self._wanted.values() if not w.coming]

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while waiting := self._here():
            self._news.clear()
            due = [w for w in waiting if not w.free and w.again <= loop.time()]
            if due:
                await self._trying(self._ask, due)
            free = [w for w in self._here() if w.free]
            room = AT_ONCE - len(self._coming)
            if free and room >= min(TOGETHER, len(free)):
                await self._trying(self._claim, free[:room])
            elif waiting := self._here():
                again = min((w.again for w in waiting if not w.free), default=loop.time() + 60)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), max(0.0, again - loop.time()))

    async def _trying(self, step: Callable[[list[Wanted[R]]], Awaitable[None]], some: list[Wanted[R]]) -> None:
        """What goes wrong with a step is told to those whom it was for; where one table is damaged, to that alone."""
        try:
            await step(some)
        except Damaged as e:
            if len(some) == 1:
                self._fail(some[0], e)
            else:
                for w in some:
                    await self._trying(step, [w])
        except Exception as e:
            for w in some:
                self._fail(w, e)

    def _fail(self, w: Wanted[R], why: Exception) -> None:
        self._wanted.pop(w.ident, None)
        if not w.done.done():
            w.done.set_exception(why)

    async def _ask(self, due: list[Wanted[R]]) -> None:
        """Who keeps these? Of whoever stands behind the same address they are wished for; or it has died, and they are
        free when that is certain, or when its lease is over."""
        if self._gone or any(w.asked for w in due):  # whoever was thought dead may be back
            self._gone = await self.neighbours.gone()
        found = await self.journal.keepers([w.ident for w in due], self._gone)
        kept = False
        for w in due:
            if w.ident not in found:
                await self._trying(self._look_for, [w])
            else:
                kept = self._is_kept(w, found[w.ident]) or kept
        if kept:
            await self._wish([w for w in due if w.ident in self._wanted and not (w.free or w.coming)])

    def _is_kept(self, w: Wanted[R], keeper: Keeper | None) -> bool:
        """Is it somebody else's for now? Then it is asked for again."""
        moment = asyncio.get_running_loop().time()
        w.free, w.asked, w.again = keeper is None, True, moment + ASK_AGAIN
        if keeper is not None and self._stays(w, keeper, moment):
            self._fail(w, Elsewhere(keeper.url))
            return False
        return keeper is not None

    async def _wish(self, kept: list[Wanted[R]]) -> None:
        moment = asyncio.get_running_loop().time()
        due = [w for w in kept if w.wish <= moment]
        for w in due:
            w.wish = moment + WISH_AGAIN
        self._gone = await self.neighbours.gone()  # who has died now is known to have died when it is asked again
        if due:
            await self.neighbours.wish([w.ident for w in due])

    def _stays(self, w: Wanted[R], keeper: Keeper, moment: float) -> bool:
        """Is there nothing to wait for? Behind the same address there is nowhere else to go."""
        return not keeper.url or keeper.url != self.neighbours.public or moment >= w.end

    async def _look_for(self, some: list[Wanted[R]]) -> None:
        for w in some:
            lease = await self._seek(w.ident)
            self._start(w, lease, (await self.journal.lying([w.ident]))[w.ident])

    async def _claim(self, free: list[Wanted[R]]) -> None:
        names = [w.ident for w in free]
        mine = await self.journal.claim(names, self._gone)
        lying = await self.journal.lying(list(mine)) if mine else {}
        for w in free:
            if w.ident in mine:
                self._start(w, mine[w.ident], lying[w.ident])
            else:
                w.free = False  # somebody was faster

    def _start(self, w: Wanted[R], lease: Lease, lying: Lying) -> None:
        w.coming = True
        task = asyncio.create_task(self._carry(w, lease, lying))
        self._coming.add(task)
        task.add_done_callback(self._arrived)

    def _arrived(self, task: asyncio.Task[None]) -> None:
        self._coming.discard(task)
        self._news.set()

    async def _carry(self, w: Wanted[R], lease: Lease, lying: Lying) -> None:
        try:
            room = await self._bring(lease, lying)
        except Exception as e:
            self._fail(w, e)
        else:
            self._wanted.pop(w.ident, None)
            if not w.done.done():
                w.done.set_result(room)


async def sought(journal: Journal, name: str, nobody: Callable[[], Trouble]) -> Lease:
    """What the journal does not list: perhaps its line is damaged, or it is in the archive. Raises Elsewhere where it
    has come this moment, and Trouble."""
    found = await journal.take(name)
    if isinstance(found, Lease):
        return found
    if found is not None:
        raise Elsewhere(found.url)
    away = await journal.archived(name)
    raise nobody() if away is None else put_away(away)
