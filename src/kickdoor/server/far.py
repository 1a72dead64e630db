"""The desk from afar: the journal and the neighbours of a loop that is not the first one. It asks the first for all of
it, or, where the journal is a database, for who keeps what."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Collection
from typing import Any, Final, cast

from kickdoor.server.chain import Account, Held
from kickdoor.server.channel import Channel
from kickdoor.server.desk import Report
from kickdoor.server.journal import SCHEMA, Archived, Checked, Journal, Keeper, Lease, Lying, Shortcut, Stale
from kickdoor.server.makers import Makers
from kickdoor.server.neighbours import Alone

LETTING_GO: Final = 2.0  # seconds that the first has to hear that a table is somebody else's


class FarJournal(Checked):
    """A journal that the first loop keeps. Without it this one cannot go on (`lost`)."""

    version = SCHEMA

    def __init__(self, sock: socket.socket, lost: Callable[[], None]) -> None:
        self._sock = sock
        self._channel = Channel(_answer, lost)

    async def call(self, name: str, *args: Any) -> Any:
        return await self._channel.call(name, *args)

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_unix_connection(lambda: self._channel, sock=self._sock)

    async def close(self) -> None:
        """The line stays until this process ends: its end says that nothing more comes."""

    async def secret(self) -> bytes:
        return cast("bytes", await self.call("secret"))

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        return cast("Lease", await self.call("create", table, entries))

    async def take(self, table: str) -> Lease | Keeper | None:
        return cast("Lease | Keeper | None", await self.call("take", table))

    async def keepers(self, tables: list[str], gone: Collection[str]) -> dict[str, Keeper | None]:
        return cast("dict[str, Keeper | None]", await self.call("keepers", tables, gone))

    async def claim(self, tables: list[str], gone: Collection[str]) -> dict[str, Lease]:
        return cast("dict[str, Lease]", await self.call("claim", tables, gone))

    async def lying(self, tables: list[str]) -> dict[str, Lying]:
        return cast("dict[str, Lying]", await self.call("lying", tables))

    async def held(self, table: str) -> Held:
        return cast("Held", await self.call("held", table))

    async def last(self, table: str) -> int:
        return cast("int", await self.call("last", table))

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        await self.call("append", lease, after, entries)

    async def mend(self, lease: Lease, held: Held, good: Account) -> None:
        await self.call("mend", lease, held, good)

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        await self.call("snapshot", table, seq, data)

    async def latest(self, table: str) -> Shortcut | None:
        return cast("Shortcut | None", await self.call("latest", table))

    async def renew(self, tables: list[str]) -> None:
        await self.call("renew", tables)

    async def release(self, table: str) -> None:
        await self.call("release", table)

    async def tables(self) -> int:
        return cast("int", await self.call("tables"))

    async def names(self, after: str, limit: int) -> list[str]:
        return cast("list[str]", await self.call("names", after, limit))

    async def untouched(self, before: float, limit: int) -> list[str]:
        return cast("list[str]", await self.call("untouched", before, limit))

    async def remove(self, lease: Lease, last: int, file: str) -> None:
        await self.call("remove", lease, last, file)

    async def flaws(self) -> list[str]:
        return cast("list[str]", await self.call("flaws"))

    async def archived(self, table: str) -> Archived | None:
        return cast("Archived | None", await self.call("archived", table))


class SharedJournal(FarJournal):
    """A database, in which this loop reads and writes what is its own, without troubling the first: that one only says
    who keeps what. What this loop does not keep any more it cannot write: a lease that was given to somebody else has
    another number."""

    def __init__(self, sock: socket.socket, lost: Callable[[], None], database: Journal) -> None:
        super().__init__(sock, lost)
        self._database = database

    async def open(self) -> None:
        await super().open()
        await self._database.open()

    async def close(self) -> None:
        await self._database.close()

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        try:
            await self._database.append(lease, after, entries)
        except Stale:
            with contextlib.suppress(Exception):  # nobody is to be sent here for it; the first may be gone, too
                await asyncio.wait_for(self.release(lease.table), LETTING_GO)
            raise

    async def mend(self, lease: Lease, held: Held, good: Account) -> None:
        await self._database.mend(lease, held, good)

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        await self._database.snapshot(table, seq, data)

    async def lying(self, tables: list[str]) -> dict[str, Lying]:
        return await self._database.lying(tables)

    async def held(self, table: str) -> Held:
        return await self._database.held(table)

    async def last(self, table: str) -> int:
        return await self._database.last(table)

    async def latest(self, table: str) -> Shortcut | None:
        return await self._database.latest(table)

    async def archived(self, table: str) -> Archived | None:
        return await self._database.archived(table)


class FarNeighbours(Alone):
    """The other loops and servers, as one of them knows them: who asks about all of them is sent to the first. `tell`:
    what there is to tell of this one."""

    def __init__(self, journal: FarJournal, public: str) -> None:
        super().__init__(public)
        self._journal = journal
        self.tell: Callable[[], Report] = Report

    async def meet(self) -> frozenset[str]:
        return cast("frozenset[str]", await self._journal.call("meet", self.tell()))

    async def gone(self) -> frozenset[str]:
        return cast("frozenset[str]", await self._journal.call("gone"))

    async def wish(self, tables: list[str]) -> None:
        await self._journal.call("wish", tables)

    async def wished(self, tables: list[str]) -> list[str]:
        return cast("list[str]", await self._journal.call("wished", tables))

    def comes_here(self, table: str) -> bool:
        return False  # the first one decides


class FarMakers(Makers):
    """Who made which tables, as the first loop knows it for all."""

    def __init__(self, journal: FarJournal) -> None:
        super().__init__(tuple)
        self._journal = journal

    async def enter(self, address: str) -> str:
        return cast("str", await self._journal.call("enter", address))

    async def leave(self, address: str, place: str, table: str) -> None:
        await self._journal.call("leave", address, place, table)

    async def crowded(self) -> frozenset[str]:
        return cast("frozenset[str]", await self._journal.call("crowded"))


async def _answer(name: str, args: tuple[Any, ...]) -> Any:
    """What the first one wants to know: only that this loop goes round (`loops.Loops`)."""
    if name == "alive":
        return None
    raise ValueError(f"nobody asks this loop for {name}{args}")
