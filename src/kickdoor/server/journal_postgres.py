"""The journal in Postgres, for several servers: a lease with an epoch per table, appends of all tables in one batch.

Notifications are kept out of the transaction: they would make commits wait for each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Any, Final

import asyncpg

from kickdoor.server.journal import LEASE_SECONDS, Keeper, Lease, Lost, Stale

_MAKE: Final = """
create table if not exists kd_tables (
    tbl text primary key, last bigint not null default 0,
    epoch bigint not null, server text not null, url text not null, until timestamptz not null
);
create table if not exists kd_entries (
    tbl text not null, seq bigint not null, data bytea not null, primary key (tbl, seq)
);
create table if not exists kd_snapshots (tbl text primary key, seq bigint not null, data bytea not null);
create table if not exists kd_secrets (name text primary key, value bytea not null);
"""
_LEASE: Final = f"now() + interval '{LEASE_SECONDS} seconds'"
_TAKE: Final = f"""
update kd_tables set epoch = epoch + 1, server = $2, url = $3, until = {_LEASE}
where tbl = $1 and (until < now() or server = $2) returning epoch
"""
_APPEND: Final = """
with want as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as w(tbl, epoch, after, upto)
), moved as (
    update kd_tables t set last = w.upto from want w
    where t.tbl = w.tbl and t.epoch = w.epoch and t.last = w.after returning t.tbl
), rows as (
    select * from unnest($5::text[], $6::bigint[], $7::bytea[]) as r(tbl, seq, data)
), written as (
    insert into kd_entries select r.tbl, r.seq, r.data from rows r join moved m on m.tbl = r.tbl returning 1
)
select tbl from moved
"""


class _Job:
    """One table's entries, waiting to be written."""

    __slots__ = ("after", "done", "entries", "lease")

    def __init__(self, lease: Lease, after: int, entries: list[bytes], done: asyncio.Future[None]) -> None:
        self.lease, self.after, self.entries, self.done = lease, after, entries, done


class PostgresJournal:
    """Several servers, one database. A table is kept by the server that has its lease."""

    def __init__(self, url: str, server: str, public: str) -> None:
        self.url = url
        self.server = server
        self.public = public
        self._pool: Any = None
        self._jobs: list[_Job] = []
        self._ready = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        try:
            self._pool = await asyncpg.create_pool(self.url, min_size=1, max_size=6, command_timeout=20)
            async with self._pool.acquire() as db, db.transaction():
                await db.execute("select pg_advisory_xact_lock(7103)")  # two servers may start at once
                await db.execute(_MAKE)
        except (OSError, asyncpg.PostgresError, ValueError, TimeoutError) as e:
            raise Lost(f"the database cannot be used: {e}") from None
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        self._closing = True
        self._ready.set()
        if self._writer is not None:
            await self._writer
        if self._pool is not None:
            await self._pool.close()

    # -- the writer ---------------------------------------------------------------------------------------------

    async def _write(self) -> None:
        """All that waits goes into one statement, one commit."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            jobs, self._jobs = self._jobs, []
            if jobs:
                await self._batch(jobs)
            elif self._closing:
                return
            if self._jobs or self._closing:
                self._ready.set()

    async def _batch(self, jobs: list[_Job]) -> None:
        rows = [(j.lease.table, j.after + 1 + i, d) for j in jobs for i, d in enumerate(j.entries)]
        try:
            async with self._pool.acquire() as db:
                got = await db.fetch(
                    _APPEND,
                    [j.lease.table for j in jobs],
                    [j.lease.epoch for j in jobs],
                    [j.after for j in jobs],
                    [j.after + len(j.entries) for j in jobs],
                    [r[0] for r in rows],
                    [r[1] for r in rows],
                    [r[2] for r in rows],
                )
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as e:
            _fail(jobs, Lost(f"the journal cannot be written: {e}"))
            return
        written = {r["tbl"] for r in got}
        for j in jobs:
            if j.done.done():
                continue
            if j.lease.table in written:
                j.done.set_result(None)
            else:
                j.done.set_exception(Stale(f"table {j.lease.table} is kept by another server"))

    # -- what rooms ask -----------------------------------------------------------------------------------------

    async def secret(self) -> bytes:
        async with self._pool.acquire() as db:
            await db.execute(
                "insert into kd_secrets values ('links', $1) on conflict do nothing", secrets.token_bytes(32)
            )
            return bytes(await db.fetchval("select value from kd_secrets where name = 'links'"))

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        async with self._pool.acquire() as db, db.transaction():
            await db.execute(
                f"insert into kd_tables values ($1, $2, 1, $3, $4, {_LEASE})",
                table,
                len(entries),
                self.server,
                self.public,
            )
            await db.executemany(
                "insert into kd_entries values ($1, $2, $3)", [(table, i + 1, d) for i, d in enumerate(entries)]
            )
        return Lease(table, 1)

    async def take(self, table: str) -> Lease | Keeper | None:
        async with self._pool.acquire() as db:
            epoch = await db.fetchval(_TAKE, table, self.server, self.public)
            if epoch is not None:
                return Lease(table, epoch)
            row = await db.fetchrow("select server, url from kd_tables where tbl = $1", table)
        return Keeper(row["server"], row["url"]) if row else None

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        async with self._pool.acquire() as db:
            rows = await db.fetch("select data from kd_entries where tbl = $1 and seq > $2 order by seq", table, after)
        return [bytes(r["data"]) for r in rows]

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(lease, after, entries, done))
        self._ready.set()
        await done

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
            async with self._pool.acquire() as db:
                await db.execute(
                    "insert into kd_snapshots values ($1, $2, $3) on conflict (tbl) do update set seq = $2, data = $3",
                    table,
                    seq,
                    data,
                )

    async def latest(self, table: str) -> tuple[int, bytes] | None:
        async with self._pool.acquire() as db:
            row = await db.fetchrow("select seq, data from kd_snapshots where tbl = $1", table)
        return (row["seq"], bytes(row["data"])) if row else None

    async def renew(self, tables: list[str]) -> None:
        """Raises Stale with the list of tables that are kept elsewhere by now."""
        if not tables:
            return
        async with self._pool.acquire() as db:
            rows = await db.fetch(
                f"update kd_tables set until = {_LEASE} where tbl = any($1) and server = $2 returning tbl",
                tables,
                self.server,
            )
        lost = sorted(set(tables) - {r["tbl"] for r in rows})
        if lost:
            raise Stale("tables are kept by another server", lost)

    async def release(self, table: str) -> None:
        async with self._pool.acquire() as db:
            await db.execute("update kd_tables set until = now() where tbl = $1 and server = $2", table, self.server)

    async def tables(self) -> int:
        async with self._pool.acquire() as db:
            return int(await db.fetchval("select count(*) from kd_tables"))


def _fail(jobs: list[_Job], error: Exception) -> None:
    for j in jobs:
        if not j.done.done():
            j.done.set_exception(error)
