"""The other servers of one journal: who is there, under which address, and asking one of them for a table.

With a file there are none. With Postgres every server says every two seconds that it is there. Pages of one may connect
to another (`moved`); where all stand behind one address, a table goes to the server that its people are sent to.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from pathlib import Path
from typing import Any, Final, Protocol

from kickdoor.server.journal import LEASE_SECONDS

_MAKE: Final = """
create table if not exists kd_servers (server text primary key, url text not null, until timestamptz not null);
create table if not exists kd_wishes (tbl text primary key, at timestamptz not null);
"""
_HERE: Final = f"""
insert into kd_servers values ($1, $2, now() + interval '{LEASE_SECONDS} seconds')
on conflict (server) do update set url = $2, until = now() + interval '{LEASE_SECONDS} seconds'
"""
_WISH_SECONDS: Final = 10  # a wish that is older is nobody's any more


class Neighbours(Protocol):
    """What a hub asks about other servers."""

    public: str

    async def open(self) -> None:
        """Get ready."""

    async def close(self) -> None:
        """This server goes; nobody is to be sent here any more."""

    async def meet(self) -> frozenset[str]:
        """Say that this server is there; the public addresses of the others."""

    async def wish(self, table: str) -> None:
        """Ask whoever keeps it for a table."""

    async def wished(self, tables: list[str]) -> list[str]:
        """Which of these tables another server has asked for; each is told once."""


class Alone:
    """No other servers."""

    def __init__(self, public: str = "") -> None:
        self.public = public

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def meet(self) -> frozenset[str]:
        return frozenset()

    async def wish(self, table: str) -> None:
        pass

    async def wished(self, tables: list[str]) -> list[str]:
        return []


class PostgresNeighbours:
    """Servers that share a database. It has a connection of its own: it must not wait behind moves."""

    def __init__(self, url: str, server: str, public: str) -> None:
        self.url = url
        self.server = server
        self.public = public
        self._pool: Any = None

    async def open(self) -> None:
        import asyncpg

        self._pool = await asyncpg.create_pool(self.url, min_size=1, max_size=2, command_timeout=5)
        async with self._pool.acquire() as db, db.transaction():
            await db.execute("select pg_advisory_xact_lock(7104)")  # two servers may start at once
            await db.execute(_MAKE)

    async def close(self) -> None:
        if self._pool is None:
            return
        with contextlib.suppress(Exception):  # the database may be gone; the others notice soon
            await self._pool.execute("delete from kd_servers where server = $1", self.server)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pool.close(), 2)

    async def meet(self) -> frozenset[str]:
        await self._pool.execute(_HERE, self.server, self.public)
        rows = await self._pool.fetch("select url from kd_servers where server <> $1 and until > now()", self.server)
        return frozenset(r["url"] for r in rows)

    async def wish(self, table: str) -> None:
        await self._pool.execute(
            "insert into kd_wishes values ($1, now()) on conflict (tbl) do update set at = now()", table
        )

    async def wished(self, tables: list[str]) -> list[str]:
        rows = await self._pool.fetch(
            f"delete from kd_wishes where tbl = any($1) or at < now() - interval '{_WISH_SECONDS} seconds' "
            "returning tbl, at >= now() - interval '10 seconds' as fresh",
            tables,
        )
        mine = set(tables)
        return [r["tbl"] for r in rows if r["fresh"] and r["tbl"] in mine]


def neighbours(where: str, server: str, public: str) -> Neighbours:
    """Those with whom the journal at `where` is shared."""
    if where.startswith(("postgres://", "postgresql://")):
        return PostgresNeighbours(where, server, public)
    return Alone(public)


def identity(sock: socket.socket) -> str:
    """A name that no other living server has, and that a server has again after a restart, so that it need not wait
    for its own leases: this start of this machine, its network, and the address that is really bound."""
    where = ":".join(str(x) for x in sock.getsockname()[:2])
    return f"{socket.gethostname()}/{_machine()}/{where}"


def _machine() -> str:
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot[:13]}.{os.stat('/proc/self/ns/net').st_ino}"
    import uuid  # elsewhere than on Linux

    return f"{uuid.getnode():x}"
