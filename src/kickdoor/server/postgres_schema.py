"""How a journal lies in a Postgres database, and how one of an earlier version becomes one of this."""

from __future__ import annotations

import logging
from typing import Any, Final

from kickdoor.server import chain
from kickdoor.server.journal import LEASE_SECONDS, SCHEMA, Lost

log = logging.getLogger("kickdoor.server")

_LOCK: Final = "select pg_advisory_xact_lock(7103)"  # two servers may start at once
_FIRST: Final = """
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
_SECOND: Final = """
create table kd_schema (version integer not null);
alter table kd_tables add column touched bigint not null default 0;
alter table kd_entries add column chain bytea;
alter table kd_snapshots add column chain bytea, add column mark bytea;
create table kd_quarantine (
    tbl text not null, seq bigint, data bytea, chain bytea, at bigint not null, why text not null
);
create table kd_archived (
    tbl text primary key, at bigint not null, entries bigint not null, file text not null
);
"""
_COLUMNS: Final = {
    "kd_entries": ["tbl", "seq", "data", "chain"],
    "kd_tables": ["tbl", "last", "epoch", "server", "url", "until", "touched"],
    "kd_snapshots": ["tbl", "seq", "data", "chain", "mark"],
    "kd_secrets": ["name", "value"],
    "kd_quarantine": ["tbl", "seq", "data", "chain", "at", "why"],
    "kd_archived": ["tbl", "at", "entries", "file"],
    "kd_schema": ["version"],
}
_THERE: Final = """
select r.rel, a.attname from unnest($1::text[]) as r(rel) join pg_attribute a on a.attrelid = to_regclass(r.rel)
where a.attnum > 0 and not a.attisdropped order by r.rel, a.attnum
"""


async def _columns(db: Any) -> dict[str, list[str]]:
    there: dict[str, list[str]] = {}
    for table, column in await db.fetch(_THERE, list(_COLUMNS)):
        there.setdefault(table, []).append(column)
    return there


async def version(db: Any) -> int:
    """Which version a database has; 0 if there is nothing in it. Raises Lost for a newer one, or half of one."""
    there = await _columns(db)
    if not there:
        return 0
    if "kd_schema" not in there and there.get("kd_entries") == _COLUMNS["kd_entries"][:3]:
        return 1
    said = await db.fetchval("select max(version) from kd_schema") if "kd_schema" in there else None
    if said is not None and said > SCHEMA:
        raise Lost(
            f"it was written by a newer version of Kickdoor (its journals have number {said}, those of this version "
            f"{SCHEMA}). Use that version; nothing has been changed."
        )
    lacking = sorted(name for name, columns in _COLUMNS.items() if there.get(name) != columns)
    if said is None or lacking:
        raise Lost(
            f"its journal is not whole (look at {', '.join(lacking or ['kd_schema'])}): perhaps a backup was read in "
            "only in part. Read it into an empty database (docs/hosting.md); nothing has been changed."
        )
    return int(said)


async def make(db: Any) -> None:
    """An empty journal, or an old one brought to this version; in one transaction."""
    async with db.transaction():
        await db.execute(_LOCK)
        found = await version(db)
        if found == SCHEMA:
            return
        if found == 1:
            await _must_be_idle(db)
        await db.execute(_FIRST)
        await db.execute(_SECOND)
        if found == 1:
            await _chain_all(db)
        await db.execute("alter table kd_entries alter column chain set not null")
        await db.execute(f"insert into kd_schema values ({SCHEMA})")


async def _must_be_idle(db: Any) -> None:
    """A server of the old version would write entries without checks."""
    alive = await db.fetchval("select server from kd_tables where until > now() limit 1")
    if alive is not None:
        raise Lost(
            f"a server of an earlier version ({alive}) is still using it. Stop all servers of that version, wait "
            f"{LEASE_SECONDS:.0f} seconds, and start again"
        )


async def _chain_all(db: Any) -> None:
    names = [r["tbl"] for r in await db.fetch("select distinct tbl from kd_entries")]
    log.info("the journal is of an earlier version: its %s tables get their checks", len(names))
    for done, name in enumerate(names, 1):
        await _chain_table(db, name)
        if done % 1000 == 0:
            log.info("... %s of %s tables", done, len(names))


async def _chain_table(db: Any, name: str) -> None:
    found = await db.fetch("select seq, data from kd_entries where tbl = $1 order by seq", name)
    rows = chain.unchained(name, [(r["seq"], bytes(r["data"])) for r in found])
    await db.execute(
        "update kd_entries e set chain = r.chain from unnest($2::bigint[], $3::bytea[]) as r(seq, chain) "
        "where e.tbl = $1 and e.seq = r.seq",
        name,
        [r[0] for r in rows],
        [r[2] for r in rows],
    )
    touched = chain.written_at(rows[-1][1])
    await db.execute("update kd_tables set touched = $2 where tbl = $1", name, touched)
    short = await db.fetchrow("select seq, data from kd_snapshots where tbl = $1", name)
    if short is not None:
        check = next((c for s, _, c in rows if s == short["seq"]), b"")
        mark = chain.stamp(name, short["seq"], check, bytes(short["data"]))
        await db.execute("update kd_snapshots set chain = $2, mark = $3 where tbl = $1", name, check, mark)
