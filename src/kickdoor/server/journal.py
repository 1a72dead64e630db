"""The journal: what happened at each table, in order, safe on disk before anybody sees it.

Two kinds: a SQLite file (one server) and Postgres (several). A lease with an epoch says which server keeps a table; a
server that lost it cannot write any more.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

LEASE_SECONDS = 4.5


class Stale(Exception):
    """Somebody else keeps this table now, or has written since: what this server has in memory is worth nothing."""


class Lost(Exception):
    """The journal cannot be written."""


class Lease(NamedTuple):
    """Leave to write for a table."""

    table: str
    epoch: int


class Keeper(NamedTuple):
    """Who keeps a table."""

    server: str
    url: str


class Journal(Protocol):
    """Where tables are written down."""

    async def open(self) -> None:
        """Get ready; the tables of the database are made if they are not there."""

    async def close(self) -> None:
        """Write what is waiting, and stop."""

    async def secret(self) -> bytes:
        """A secret shared by all servers of this journal, for signing links."""

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        """A new table with its first entries, kept by this server."""

    async def take(self, table: str) -> Lease | Keeper | None:
        """Ask for a table: a lease; or who keeps it; or None if there is no such table."""

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries after number `after`, in order."""

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        """Write entries `after + 1` and on. Returns when they are safe. Raises Stale."""

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        """Keep a shortcut: the table as it was after entry `seq`."""

    async def latest(self, table: str) -> tuple[int, bytes] | None:
        """The newest shortcut."""

    async def renew(self, tables: list[str]) -> None:
        """This server is alive and keeps these."""

    async def release(self, table: str) -> None:
        """This server does not keep it any more."""

    async def tables(self) -> int:
        """How many tables there are."""
