"""The journal: what happened at each table, in order, safe on disk before anybody sees it.

Two kinds: a SQLite file (one server) and Postgres (several). A lease with an epoch says which server keeps a table; a
server that lost it cannot write any more. Every entry is chained to the one before it (`chain`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Final, NamedTuple, Protocol

from kickdoor.server import chain
from kickdoor.server.chain import Account, Held
from kickdoor.server.trouble import Trouble

LEASE_SECONDS = 4.5
SCHEMA: Final = 2  # 1: entries without checks, nothing said of versions


class Stale(Exception):
    """Somebody else keeps this table now, or has written since: what this server has in memory is worth nothing."""


class Lost(Exception):
    """The journal cannot be written, or not be reached. Nothing has changed; it may go again later."""


class Damaged(Exception):
    """What is in the journal is not what was written."""


def no_writing(e: Lost) -> Trouble:
    """What people are told."""
    says = str(e)[:1].upper() + str(e)[1:]
    return Trouble("unwritable", f"{says}. Until it can, nothing happens; nothing is lost. Try again in a moment.")


class Lease(NamedTuple):
    """Leave to write for a table."""

    table: str
    epoch: int


class Keeper(NamedTuple):
    """Who keeps a table."""

    server: str
    url: str


class Shortcut(NamedTuple):
    """A table as it was after entry `seq`, whose check was `check`."""

    seq: int
    check: bytes
    data: bytes


class Lying(NamedTuple):
    """All that a table can be told again from: what lies there of it, and its newest shortcut if that is whole."""

    held: Held
    short: Shortcut | None


class Archived(NamedTuple):
    """A table that was put away: when, how many entries it had, and in which file it is."""

    at: float
    entries: int
    file: str


class Journal(Protocol):
    """Where tables are written down. `version` is that of its schema."""

    version: int

    async def open(self) -> None:
        """Get ready; what an earlier version wrote is brought to this one. Raises Lost."""

    async def close(self) -> None:
        """Write what is waiting, and stop."""

    async def secret(self) -> bytes:
        """A secret shared by all servers of this journal, for signing links."""

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        """A new table with its first entries, kept by this server. Raises Stale if there is one of that name."""

    async def take(self, table: str) -> Lease | Keeper | None:
        """Ask for a table: a lease; or who keeps it; or None if there is no such table."""

    async def keepers(self, tables: list[str], gone: Collection[str]) -> dict[str, Keeper | None]:
        """Who keeps each of these tables; None: nobody, or this server, or one that has `gone`. What is no table, or
        whose line is damaged, is not told of: `take` knows."""

    async def claim(self, tables: list[str], gone: Collection[str]) -> dict[str, Lease]:
        """Take those of these tables that are free, all at once; `gone`: servers whose leases do not count."""

    async def lying(self, tables: list[str]) -> dict[str, Lying]:
        """What lies there of these tables, unchecked, and their shortcuts: all read together."""

    async def held(self, table: str) -> Held:
        """All that lies there of a table, unchecked."""

    async def read(self, table: str) -> list[bytes]:
        """The entries, in order, checked. Raises Damaged."""

    async def last(self, table: str) -> int:
        """The number of the last entry, as the table has it."""

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        """Write entries `after + 1` and on. Returns when they are safe. Raises Stale or Lost."""

    async def mend(self, lease: Lease, held: Held, good: Account) -> None:
        """Only what is good stays; the rest is put into quarantine. Raises Damaged where that cannot be done."""

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        """Keep a shortcut: the table as it was after entry `seq`."""

    async def latest(self, table: str) -> Shortcut | None:
        """The newest shortcut, if it is whole."""

    async def renew(self, tables: list[str]) -> None:
        """This server is alive and keeps these."""

    async def release(self, table: str) -> None:
        """This server does not keep it any more."""

    async def tables(self) -> int:
        """How many tables there are."""

    async def names(self, after: str, limit: int) -> list[str]:
        """The tables in the order of their names, some at a time."""

    async def untouched(self, before: float, limit: int) -> list[str]:
        """Tables that nothing has been written to since (seconds since the epoch), the oldest first."""

    async def remove(self, lease: Lease, last: int, file: str) -> None:
        """Take a table out that is in an archive now, unless somebody has written since: Stale."""

    async def flaws(self) -> list[str]:
        """What the database itself finds wrong with its files. May take a while."""

    async def archived(self, table: str) -> Archived | None:
        """When and where a table was put away."""


class Checked(ABC):
    """What is the same in every kind of journal."""

    @abstractmethod
    async def held(self, table: str) -> Held:
        """See `Journal`."""

    async def read(self, table: str) -> list[bytes]:
        found = chain.account(table, await self.held(table))
        if found.damage:
            raise Damaged(found.damage)
        return found.entries


async def lying(journal: Journal, table: str) -> Lying:
    """The same of one table. A shortcut that cannot be read is none."""
    held = await journal.held(table)
    try:
        return Lying(held, await journal.latest(table))
    except Damaged:
        return Lying(held, None)
