"""How a journal lies in a SQLite file, and how a file of an earlier version becomes one of this."""

from __future__ import annotations

import logging
import sqlite3
from typing import Final

from kickdoor.server import chain
from kickdoor.server.journal import SCHEMA, Damaged, Lost

log = logging.getLogger("kickdoor.server")

APPLICATION: Final = 0x6B64_6A6F  # in the file's header: this is a journal of Kickdoor
_COLUMNS: Final = {
    "entries": ["tbl", "seq", "data", "chain"],
    "tables": ["tbl", "last", "touched"],
    "snapshots": ["tbl", "seq", "data", "chain", "mark"],
    "secrets": ["name", "value"],
    "quarantine": ["tbl", "seq", "data", "chain", "at", "why"],
    "archived": ["tbl", "at", "entries", "file"],
}
_FIRST: Final = """
create table if not exists tables (tbl text primary key, last integer not null) without rowid;
create table if not exists snapshots (tbl text primary key, seq integer not null, data blob not null);
create table if not exists secrets (name text primary key, value blob not null)
"""
_LATER: Final = """
create table quarantine (tbl text not null, seq, data, chain, at integer not null, why text not null);
create table archived (tbl text primary key, at integer not null, entries integer not null, file text not null)
    without rowid
"""
_MAKE: Final = f"""
create table entries (
    tbl text not null, seq integer not null, data blob not null, chain blob not null, primary key (tbl, seq)
) without rowid;
create table tables (tbl text primary key, last integer not null, touched integer not null default 0) without rowid;
create table snapshots (
    tbl text primary key, seq integer not null, data blob not null, chain blob not null, mark blob not null
);
create table secrets (name text primary key, value blob not null);
{_LATER}
"""
_CORRUPT: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
HELP: Final = (
    "Stop the server and keep a copy of the file. `kickdoor journal check` tells what is damaged, `kickdoor journal "
    "export` saves every table as far as it is good, `kickdoor journal import` puts them into a new file; or take a "
    "backup (docs/hosting.md)."
)


# What SQLite can be heard to say. It tells of damaged text with that text in it, which then cannot be told (Python).
SAID: Final = (sqlite3.Error, UnicodeError)


def damaged(e: Exception) -> bool:
    """Does SQLite say that the file itself is broken, rather than that something did not work now?"""
    if isinstance(e, UnicodeError):
        return True
    code = getattr(e, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _CORRUPT


def _columns(db: sqlite3.Connection) -> dict[str, list[str]]:
    names = [r[0] for r in db.execute("select name from sqlite_master where type = 'table'")]
    return {n: [r[1] for r in db.execute("select * from pragma_table_info(?)", (n,))] for n in names}


def version(db: sqlite3.Connection) -> int:
    """Which version a file has; 0 if there is nothing in it. Raises Lost where it is no journal, or a newer one."""
    said = int(db.execute("pragma user_version").fetchone()[0])
    there = _columns(db)
    if not there and said == 0:
        return 0
    if {k: v for k, v in there.items() if k in _COLUMNS} == _COLUMNS and said in (0, SCHEMA):
        return SCHEMA
    if _COLUMNS.keys().isdisjoint(there) and db.execute("pragma application_id").fetchone()[0] != APPLICATION:
        raise Lost("it is no journal of Kickdoor, but a file of another program. Name another place.")
    if said > SCHEMA:
        raise Lost(
            f"it was written by a newer version of Kickdoor (its journals have number {said}, those of this version "
            f"{SCHEMA}). Use that version; nothing has been changed."
        )
    if said == 0 and there.get("entries") == _COLUMNS["entries"][:3]:
        return 1
    raise Damaged("it is no journal of Kickdoor, or its list of contents is damaged. " + HELP)


def make(db: sqlite3.Connection) -> None:
    """An empty journal, or an old one brought to this version; in one transaction, so that it is one or the other."""
    found = version(db)
    if found == SCHEMA and db.execute("pragma user_version").fetchone()[0] == SCHEMA:
        return
    db.execute("begin immediate")
    try:
        if found == 0:
            for statement in _MAKE.split(";"):
                db.execute(statement)
        elif found == 1:
            _from_1(db)
        db.execute(f"pragma application_id = {APPLICATION}")
        db.execute(f"pragma user_version = {SCHEMA}")
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def _from_1(db: sqlite3.Connection) -> None:
    """Entries get their checks. What is there is taken as it is; a gap is found when the table is loaded."""
    for statement in _FIRST.split(";"):
        db.execute(statement)
    names = [r[0] for r in db.execute("select distinct tbl from entries")]
    log.info("the journal is of an earlier version: its %s tables get their checks", len(names))
    db.execute("alter table entries add column chain blob")
    db.execute("alter table tables add column touched integer not null default 0")
    db.execute("alter table snapshots add column chain blob")
    db.execute("alter table snapshots add column mark blob")
    for statement in _LATER.split(";"):
        db.execute(statement)
    for done, name in enumerate(names, 1):
        _chain_table(db, name)
        if done % 1000 == 0:
            log.info("... %s of %s tables", done, len(names))


def _chain_table(db: sqlite3.Connection, name: str) -> None:
    rows = chain.unchained(name, db.execute("select seq, data from entries where tbl = ? order by seq", (name,)))
    db.executemany("update entries set chain = ? where tbl = ? and seq = ?", [(c, name, s) for s, _, c in rows])
    touched = chain.written_at(rows[-1][1]) if rows else 0
    db.execute("update tables set touched = ? where tbl = ?", (touched, name))
    short = db.execute("select seq, data from snapshots where tbl = ?", (name,)).fetchone()
    if short is not None:
        check = next((c for s, _, c in rows if s == short[0]), b"")
        mark = chain.stamp(name, short[0], check, bytes(short[1]))
        db.execute("update snapshots set chain = ?, mark = ? where tbl = ?", (check, mark, name))
