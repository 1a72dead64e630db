"""All counters of this server: found in memory or in the journal, like tables, and let go when nobody looks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from kickdoor.paper.files import UNREADABLE
from kickdoor.server import chain, limits
from kickdoor.server import counter_entries as ce
from kickdoor.server.counter_room import CounterRoom
from kickdoor.server.journal import Damaged, Journal, Lease, Lying, Stale
from kickdoor.server.names import ALPHABET, kept_as, new_ident
from kickdoor.server.neighbours import Neighbours
from kickdoor.server.porter import Porter, sought
from kickdoor.server.recovery import hopeless, in_words, newer
from kickdoor.server.table import now
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Workshop

log = logging.getLogger("kickdoor.server")

IDLE_SECONDS: Final = limits.UNVISITED_SECONDS
CROWDED_SECONDS: Final = limits.CROWDED_SECONDS
NAME_LETTERS: Final = 10


class Counters:
    """All rooms of counters, by their names in the journal."""

    def __init__(self, journal: Journal, neighbours: Neighbours, workshop: Workshop, patience: float) -> None:
        self.journal = journal
        self.workshop = workshop
        self.rooms: dict[str, CounterRoom] = {}
        self.porter: Porter[CounterRoom] = Porter(journal, neighbours, self._bring, self._seek, patience)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def make(self, counter: str, taps: list[tuple[str, bytes]]) -> CounterRoom:
        """The counter of this name, new if there is none, with these taps. A phone may ask again and again."""
        counter = counter or new_ident()
        try:
            room = await self.room(counter)
        except Trouble as e:
            if e.code not in ("no_counter", "archived"):  # the phones have all of what was put away
                raise
            new = await self._begin(counter, taps)
            if new is not None:
                return new
            room = await self.room(counter)
        await room.tell(taps)
        return room

    async def _begin(self, counter: str, taps: list[tuple[str, bytes]]) -> CounterRoom | None:
        """A new counter; None: there is one meanwhile, since the same phone asks twice at the same time."""
        self._make_room()
        name, at = kept_as(counter), now()
        told = ce.Told()
        told.add(list(dict(taps).items()))
        entries = [ce.pack(ce.Begun(at, counter))]
        if told.taps:
            entries.append(ce.pack(ce.Tapped(at, [msgspec.Raw(raw) for raw in told.taps])))
        with in_words(name):
            try:
                async with self.lock(name):  # whoever looks for it meanwhile waits for this room
                    return self._start(counter, told, len(entries), await self.journal.create(name, entries))
            except Stale:
                return None

    async def room(self, counter: str) -> CounterRoom:
        """The room of a counter, loaded if need be. Raises Trouble (no such counter) or Elsewhere."""
        name = kept_as(counter)
        room = self._open(name)
        if room is not None:
            return room
        if len(counter) != NAME_LETTERS or any(c not in ALPHABET for c in counter):
            raise _NoCounter()
        if self.porter.knows(name):
            with in_words(name):
                return await self.porter.fetch(name)
        async with self.lock(name):  # two rooms for one counter would each see half of it
            room = self._open(name)
            if room is not None:
                return room
            with in_words(name):
                return await self.porter.fetch(name)

    def lock(self, name: str) -> asyncio.Lock:
        lock = self._loading.get(name)
        if lock is None:
            lock = self._loading[name] = asyncio.Lock()
        return lock

    def _open(self, name: str) -> CounterRoom | None:
        room = self.rooms.get(name)
        return None if room is None or room.closed else room

    def _start(self, counter: str, told: ce.Told, seq: int, lease: Lease) -> CounterRoom:
        """The room of this counter: the open one, if there is (the porter is not held up by a lock)."""
        there = self._open(kept_as(counter))
        if there is not None:
            there.lease = max(there.lease, lease)
            return there
        room = CounterRoom(counter, kept_as(counter), told, seq, lease, self.journal)
        self.rooms[room.name] = room
        task = asyncio.create_task(room.run(), name=f"counter {counter}")
        self._tasks[room.name] = task
        task.add_done_callback(lambda _: self._gone(room))
        return room

    def _gone(self, room: CounterRoom) -> None:
        if self.rooms.get(room.name) is room:
            del self.rooms[room.name]
            self._tasks.pop(room.name, None)

    async def _seek(self, name: str) -> Lease:
        return await sought(self.journal, name, _NoCounter)

    async def _bring(self, lease: Lease, lying: Lying) -> CounterRoom:
        """The room of a counter that is this server's now. What is damaged of it is put aside: the phones have it."""
        name = lease.table
        try:
            self._make_room()
            good, told = await self.workshop.do(_told, name, lying.held)
            seq = len(good.entries)
            if good.damage:
                log.error("counter %s is damaged: %s. It goes on after entry %s", name, good.damage, seq)
                line = told.line + 1 if good.entries else int(now())  # one that no phone has
                told.line, seq = await self._mend(lease, lying, good, line), seq + 1
            return self._start(name[1:], told, seq, lease)
        except UNREADABLE as e:
            await self._release(name)
            raise newer(name, e) from None
        except BaseException:
            await self._release(name)
            raise

    async def _mend(self, lease: Lease, lying: Lying, good: chain.Account, line: int) -> int:
        try:
            await self.journal.mend(lease, lying.held, good)
        except Damaged as e:
            raise hopeless(lease.table, str(e)) from None
        begun = ce.Begun(now(), lease.table[1:], line, good.damage)
        await self.journal.append(lease, len(good.entries), [ce.pack(begun)])
        return line

    async def _release(self, name: str) -> None:
        if self._open(name) is not None:  # it is needed
            return
        with contextlib.suppress(Exception):  # then the lease runs out
            await self.journal.release(name)

    def _make_room(self) -> None:
        """Room for one more: those that nobody has visited for longest go, or Trouble."""
        size = sum(r.told.size for r in self.rooms.values())
        if len(self.rooms) < limits.COUNTERS and size < limits.COUNTERS_BYTES:
            return
        moment = asyncio.get_running_loop().time()
        empty = [r for r in self.rooms.values() if not r.phones and moment - r.empty_since > CROWDED_SECONDS]
        for room in sorted(empty, key=lambda r: r.empty_since):
            room.close("idle", "")
            self._gone(room)
            size -= room.told.size
            if len(self.rooms) < limits.COUNTERS and size < limits.COUNTERS_BYTES:
                return
        raise Trouble("busy", "This server has all the counters it can hold. Try again later.")

    # -- keeping ------------------------------------------------------------------------------------------------

    async def sweep(self, crowded: Collection[str] = ()) -> None:
        """Let go of those at which nobody looks; of the crowded ones sooner."""
        moment = asyncio.get_running_loop().time()
        for name, room in list(self.rooms.items()):
            patience = CROWDED_SECONDS if name in crowded else IDLE_SECONDS
            if not room.phones and moment - room.empty_since > patience:
                room.close("idle", "")
                await self._release(name)

    async def let_go(self, room: CounterRoom, code: str, says: str) -> None:
        """Close a room, and free its counter when everything that was begun in it is in the journal."""
        task = self._tasks.get(room.name)
        room.close(code, says)
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)
        await self._release(room.name)

    async def close(self, why: Trouble, says: str) -> None:
        await self.porter.close(why)
        await asyncio.gather(*(self.let_go(r, "restart", says) for r in list(self.rooms.values())))


def _told(name: str, held: chain.Held) -> tuple[chain.Account, ce.Told]:
    """In the workshop: what is good of a counter."""
    good = chain.account(name, held)
    return good, ce.told(good.entries)


class _NoCounter(Trouble):
    """There is no counter of this name."""

    def __init__(self) -> None:
        super().__init__("no_counter", "There is no such counter here. Check the link; perhaps a letter got lost.")
