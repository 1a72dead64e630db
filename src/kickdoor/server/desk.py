"""The desk: one journal for all loops of a server, and which of them keeps which table.

A loop is a process with tables of its own. The first one has the file open and writes for all of them; the others speak
with it as they would with a database (`far`). A table is written to by the loop that keeps it, and by nobody else. In a
database each writes for itself, and only who keeps what is the desk's to say; to other servers all loops are one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple
from zlib import crc32

from kickdoor.server.chain import Account, Held
from kickdoor.server.journal import Archived, Checked, Journal, Keeper, Lease, Lying, Shortcut, Stale
from kickdoor.server.makers import Makers
from kickdoor.server.neighbours import Alone, Beyond, Neighbours

FIRST: Final = 0
FIRST_SHARE, SHARE = 3, 4  # of the tables, where the first one writes for all of them


class Report(NamedTuple):
    """What a loop tells of itself now and then: its tables that strangers may find, and its figures."""

    listed: list[Any] = []  # noqa: RUF012
    figures: bytes = b""


class Desk:
    """Who keeps what. The loops that live share the tables by their names; a table stays where it is kept."""

    def __init__(
        self, journal: Journal, public: str, servers: Neighbours | None = None, first_share: int = FIRST_SHARE
    ) -> None:
        self.journal = journal
        self._first_share = first_share
        self.public = public
        self.servers = servers or Alone(public)
        self.around: frozenset[str] = frozenset()  # public addresses of the other servers, as they were last heard of
        self.loops: list[int] = []
        self._turns: list[int] = []  # each as often as its share of the tables
        self.kept: dict[str, int] = {}
        self.makers = Makers(lambda: self.kept)  # or those that the first loop's hub counts: the same for all loops
        self.closing = False  # all loops are about to end
        self._reports: dict[int, Report] = {}
        self.arrive(FIRST)

    def arrive(self, loop: int) -> None:
        self._share({*self.loops, loop})

    def leave(self, loop: int) -> None:
        """It has ended, and keeps nothing any more."""
        self._share({*self.loops} - {loop})
        self.kept = {t: k for t, k in self.kept.items() if k != loop}
        self._reports.pop(loop, None)

    def _share(self, loops: set[int]) -> None:
        self.loops = sorted(loops)
        self._turns = [x for x in self.loops for _ in range(self._first_share if x == FIRST else SHARE)]

    def owner(self, table: str) -> int:
        """The loop that people who ask for this table are sent to."""
        kept = self.kept.get(table)
        return self.by_name(table) if kept is None else kept

    def by_name(self, table: str) -> int:
        """The loop that a table goes to which nobody keeps."""
        return self._turns[crc32(table.encode()) % len(self._turns)]

    def is_free(self, table: str, loop: int) -> bool:
        return self.kept.get(table, loop) == loop

    def let_go(self, table: str, loop: int) -> None:
        if self.kept.get(table) == loop:
            del self.kept[table]

    def meet(self, loop: int, report: Report) -> frozenset[str]:
        """The others by their public addresses: servers, and the loops of this one unless they are about to end."""
        self._reports[loop] = report
        return self.around | ({self.public} if len(self.loops) > 1 and not self.closing else frozenset())

    def beyond(self) -> Beyond:
        """What the first loop knows of the others."""
        tables = [t for t, k in self.kept.items() if k != FIRST]
        others = [r for k, r in self._reports.items() if k != FIRST]
        return Beyond(tables, [x for r in others for x in r.listed], [r.figures for r in others if r.figures])


class DeskJournal(Checked):
    """The journal as one of the loops has it."""

    def __init__(self, desk: Desk, loop: int) -> None:
        self._desk = desk
        self._loop = loop
        self._journal = desk.journal
        self.version = desk.journal.version

    async def open(self) -> None:
        await self._journal.open()
        self.version = self._journal.version

    async def close(self) -> None:
        await self._journal.close()

    async def secret(self) -> bytes:
        return await self._journal.secret()

    # -- who keeps what -------------------------------------------------------------------------------------------

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        if not self._desk.is_free(table, self._loop):
            raise Stale(f"there is a table {table}")
        with self._asking([table]) as got:
            lease = await self._journal.create(table, entries)
            got.add(table)
        return lease

    async def take(self, table: str) -> Lease | Keeper | None:
        if not self._desk.is_free(table, self._loop):
            return self._keeper(table)
        with self._asking([table]) as got:
            found = await self._journal.take(table)
            if isinstance(found, Lease):
                got.add(table)
        return found

    async def keepers(self, tables: list[str], gone: Collection[str]) -> dict[str, Keeper | None]:
        found = await self._journal.keepers(tables, gone)
        return {t: k if self._desk.is_free(t, self._loop) else self._keeper(t) for t, k in found.items()}

    async def claim(self, tables: list[str], gone: Collection[str]) -> dict[str, Lease]:
        free = [t for t in tables if self._desk.is_free(t, self._loop)]
        with self._asking(free) as got:
            found = await self._journal.claim(free, gone)
            got.update(found)
        return found

    @contextlib.contextmanager
    def _asking(self, tables: list[str]) -> Iterator[set[str]]:
        """Tables are this loop's as soon as it asks for them, so that no other gets them meanwhile; those that it did
        not get are free again."""
        living = self._loop in self._desk.loops  # what one asked for that has died meanwhile is nobody's
        new = [t for t in tables if living and t not in self._desk.kept]
        self._desk.kept.update(dict.fromkeys(new, self._loop))
        got: set[str] = set()
        try:
            yield got
        finally:
            for table in new:
                if table not in got:
                    self._desk.let_go(table, self._loop)

    def _keeper(self, table: str) -> Keeper:
        return Keeper(f"loop {self._desk.kept[table]}", self._desk.public)

    def _must_keep(self, table: str) -> None:
        if self._desk.kept.get(table) != self._loop:
            raise Stale(f"table {table} is not this loop's")

    async def release(self, table: str) -> None:
        self._desk.let_go(table, self._loop)
        await self._journal.release(table)

    async def renew(self, tables: list[str]) -> None:
        try:
            await self._journal.renew(tables)
        except Stale as e:
            for table in e.args[1] if len(e.args) > 1 else ():
                self._desk.let_go(table, self._loop)
            raise

    # -- writing --------------------------------------------------------------------------------------------------

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        self._must_keep(lease.table)
        try:
            await self._journal.append(lease, after, entries)
        except Stale:  # another server has it
            self._desk.let_go(lease.table, self._loop)
            raise

    async def mend(self, lease: Lease, held: Held, good: Account) -> None:
        self._must_keep(lease.table)
        await self._journal.mend(lease, held, good)

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        await self._journal.snapshot(table, seq, data)

    async def remove(self, lease: Lease, last: int, file: str) -> None:
        self._must_keep(lease.table)
        await self._journal.remove(lease, last, file)
        self._desk.let_go(lease.table, self._loop)

    # -- reading --------------------------------------------------------------------------------------------------

    async def lying(self, tables: list[str]) -> dict[str, Lying]:
        return await self._journal.lying(tables)

    async def held(self, table: str) -> Held:
        return await self._journal.held(table)

    async def last(self, table: str) -> int:
        return await self._journal.last(table)

    async def latest(self, table: str) -> Shortcut | None:
        return await self._journal.latest(table)

    async def tables(self) -> int:
        return await self._journal.tables()

    async def names(self, after: str, limit: int) -> list[str]:
        return await self._journal.names(after, limit)

    async def untouched(self, before: float, limit: int) -> list[str]:
        return await self._journal.untouched(before, limit)

    async def flaws(self) -> list[str]:
        return await self._journal.flaws()

    async def archived(self, table: str) -> Archived | None:
        return await self._journal.archived(table)


class DeskNeighbours:
    """A loop's view of the others. Those of this server are neighbours behind the same address, between whom a table
    stays where it is: nobody wishes for one, since whoever asks for it is sent there."""

    def __init__(self, desk: Desk, loop: int = FIRST) -> None:
        self.public = desk.public
        self._desk = desk
        self._loop = loop

    async def open(self) -> None:
        await self._desk.servers.open()

    async def close(self) -> None:
        await self._desk.servers.close()

    async def meet(self) -> frozenset[str]:
        self._desk.around = await self._desk.servers.meet()
        return self._desk.meet(self._loop, Report())

    async def gone(self) -> frozenset[str]:
        return await self._desk.servers.gone()

    async def wish(self, tables: list[str]) -> None:
        await self._desk.servers.wish([t for t in tables if self._desk.is_free(t, self._loop)])

    async def wished(self, tables: list[str]) -> list[str]:
        return await self._desk.servers.wished(tables)

    def comes_here(self, table: str) -> bool:
        alone = not self._desk.around or self._desk.servers.comes_here(table)
        return alone and self._desk.by_name(table) == self._loop

    def beyond(self) -> Beyond:
        return self._desk.beyond()
