"""The other servers of one journal: who is there, under which address, and asking one of them for a table.

With a file there are none. With Postgres every server says every two seconds that it is there. Pages of one may connect
to another (`moved`); where all stand behind one address, a table goes to the server that its people are sent to.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol
from zlib import crc32

from kickdoor.server.addresses import is_database
from kickdoor.server.journal import LEASE_SECONDS

_MAKE: Final = """
create table if not exists kd_servers (server text primary key, url text not null, until timestamptz not null);
create table if not exists kd_wishes (tbl text primary key, at timestamptz not null);
alter table kd_servers add column if not exists sign integer;
alter table kd_wishes add column if not exists server text;
delete from kd_servers where until < now() - interval '1 day'; -- died for good
"""
_HERE: Final = f"""
insert into kd_servers (server, url, until, sign) values ($1, $2, now() + interval '{LEASE_SECONDS} seconds', $3)
on conflict (server) do update set url = $2, until = now() + interval '{LEASE_SECONDS} seconds', sign = $3
"""
_OTHERS: Final = "select url from kd_servers where server <> $1 and until > now()"
_WISH: Final = """
insert into kd_wishes (tbl, at, server) select tbl, now(), $2 from unnest($1::text[]) as w(tbl) order by tbl
on conflict (tbl) do update set at = now(), server = $2
"""
_WISH_SECONDS: Final = 10  # a wish that is older is nobody's any more
_WISHED: Final = f"""
delete from kd_wishes where tbl = any($1) or at < now() - interval '{_WISH_SECONDS} seconds'
returning tbl, server is distinct from $2 and tbl = any($1) and at >= now() - interval '{_WISH_SECONDS} seconds'
    as fresh
"""
# A sign of life is a lock that the database takes away with the line of whoever holds it: at once when he dies.
_SIGNS: Final = 7105
_GONE: Final = f"""
select server from kd_servers where server <> $1 and sign is not null and (sign::bigint & 4294967295)::oid not in (
    select objid from pg_locks where locktype = 'advisory' and classid = {_SIGNS} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())
)
"""
ASKING: Final = 5.0  # seconds for a question about others
CERTAIN: Final = 0.2  # so long a sign of life has to be missing: a line can break, and is there again by then


class Beyond(NamedTuple):
    """What other loops of the same server (`desk`) have told: the tables they keep, those of them that strangers may
    find, and the figures of each."""

    tables: list[str] = []  # noqa: RUF012
    listed: list[Any] = []  # noqa: RUF012
    figures: list[bytes] = []  # noqa: RUF012


class Neighbours(Protocol):
    """What a hub asks about other servers."""

    public: str

    async def open(self) -> None:
        """Get ready."""

    async def close(self) -> None:
        """This server goes; nobody is to be sent here any more."""

    async def meet(self) -> frozenset[str]:
        """Say that this server is there; the public addresses of the others."""

    async def gone(self) -> frozenset[str]:
        """Servers that have died, as far as one can know that before their leases are over."""

    async def wish(self, tables: list[str]) -> None:
        """Ask whoever keeps them for these tables."""

    async def wished(self, tables: list[str]) -> list[str]:
        """Which of these tables another server has asked for; each is told once."""

    def comes_here(self, table: str) -> bool:
        """Is it certain that whoever asks for this table is sent here?"""

    def beyond(self) -> Beyond:
        """What the other loops of this server have told."""


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

    async def gone(self) -> frozenset[str]:
        return frozenset()

    async def wish(self, tables: list[str]) -> None:
        pass

    async def wished(self, tables: list[str]) -> list[str]:
        return []

    def comes_here(self, table: str) -> bool:
        return True

    def beyond(self) -> Beyond:
        return Beyond()


class PostgresNeighbours:
    """Servers that share a database. It has connections of its own: it must not wait behind moves. One of them is this
    server's sign of life. Where others wrongly think it dead, they may take its tables, and it loses nothing by that
    but the tables: whoever has lost a lease cannot write."""

    def __init__(self, url: str, server: str, public: str) -> None:
        self.url = url
        self.server = server
        self.public = public
        self._pool: Any = None
        self._lines: Any = None  # what is known of lines to a database, where its driver is
        self._sign: Any = None  # the connection that holds the sign of life
        self._missing: dict[str, float] = {}  # servers without one, and since when

    async def open(self) -> None:
        from kickdoor.server import postgres_lines  # its driver is an extra

        self._lines = postgres_lines
        async with postgres_lines.opened(self.url, 2, ASKING) as pool, pool.acquire() as db, db.transaction():
            await db.execute("select pg_advisory_xact_lock(7104)")  # two servers may start at once
            await db.execute(_MAKE)
        self._pool = pool

    async def close(self) -> None:
        if self._pool is None:
            return
        with contextlib.suppress(Exception):  # the database may be gone; the others notice soon
            await self._pool.execute("delete from kd_servers where server = $1", self.server)
        if self._sign is not None:
            self._sign.terminate()
        await self._lines.closed(self._pool)

    async def meet(self) -> frozenset[str]:
        signed = await self._sign_of_life()
        with self._lines.in_words():
            await self._pool.execute(_HERE, self.server, self.public, signed)
            rows = await self._pool.fetch(_OTHERS, self.server)
        return frozenset(r["url"] for r in rows)

    async def _sign_of_life(self) -> int | None:
        """Give it, if it is not there; None where that cannot be, so that nobody expects it."""
        sign = crc32(self.server.encode()) - (1 << 31)
        if self._sign is not None and not self._sign.is_closed():
            return sign
        try:
            self._sign = await self._lines.asyncpg.connect(self.url, timeout=ASKING, command_timeout=2)
            await self._sign.execute(f"select pg_advisory_lock({_SIGNS}, {sign})")  # its own old one may still be there
        except self._lines.DOWN:
            if self._sign is not None:
                self._sign.terminate()
            return None
        return sign

    async def gone(self) -> frozenset[str]:
        with self._lines.in_words():
            rows = await self._pool.fetch(_GONE, self.server)
        moment = time.monotonic()
        self._missing = {r["server"]: self._missing.get(r["server"], moment) for r in rows}
        return frozenset(s for s, since in self._missing.items() if moment >= since + CERTAIN)

    async def wish(self, tables: list[str]) -> None:
        with self._lines.in_words():
            await self._pool.execute(_WISH, tables, self.server)

    async def wished(self, tables: list[str]) -> list[str]:
        """Its own old wishes, which were granted or have become needless, are not among them."""
        with self._lines.in_words():
            rows = await self._pool.fetch(_WISHED, tables, self.server)
        return [r["tbl"] for r in rows if r["fresh"]]

    def comes_here(self, table: str) -> bool:
        return False  # the proxy decides

    def beyond(self) -> Beyond:
        return Beyond()


def neighbours(where: str, server: str, public: str) -> Neighbours:
    """Those with whom the journal at `where` is shared."""
    if is_database(where):
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
