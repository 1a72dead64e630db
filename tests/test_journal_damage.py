"""Damage to a journal, at random: what is loaded is what was written, as far as it is good, and everybody is told."""

from __future__ import annotations

import asyncio
import logging
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from journalling import Hasty, run, state, story, write
from kickdoor.server import entries as en
from kickdoor.server import journal_sqlite
from kickdoor.server.hub import recover
from kickdoor.server.journal import Damaged, Lease, Lost
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.table import WATCHER, Table
from kickdoor.server.trouble import Trouble

ONE, TWO = "abcdefghjk", "mnpqrstuvw"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with two tables and nothing wrong with it, all in one file."""
    path = tmp_path_factory.mktemp("sound") / "journal.sqlite"
    run(write(path, ONE, TWO))
    with sqlite3.connect(path) as db:
        db.execute("pragma journal_mode = delete")
    db.close()
    return path


async def _load(path: Path, ident: str) -> Table | str:
    """A table as a server would have it, or the sentence that says why not."""
    journal = Hasty(str(path))
    try:
        await journal.open()
    except Lost as e:
        return str(e)
    try:
        return await _gone_on(journal, ident)
    except Damaged:  # a server closes the room, and loads it again
        try:
            return await _gone_on(journal, ident)
        except Damaged as e:
            return str(e)  # `hub.in_words` makes a sentence of it
    except Lost as e:  # and of this: a file can be hurt so that the disk seems to be
        return str(e)
    finally:
        await journal.close()


async def _gone_on(journal: Hasty, ident: str) -> Table | str:
    try:
        lease = await journal.take(ident)
        if lease is None:
            return "no such table"
        assert isinstance(lease, Lease)
        t = await recover(journal, ident, lease)
        # It goes on from there, and is the same when it is loaded again.
        await journal.append(lease, t.seq, [en.pack(en.Entry(en.Chatted(0, "Ann", "still here")))])
        t.take(en.Entry(en.Chatted(0, "Ann", "still here")))
        again = await recover(journal, ident)
        assert (state(again), again.seq) == (state(t), t.seq)
        return t
    except Trouble as e:
        return e.says


def mended(t: Table) -> list[str]:
    return [line.text for line in t.lines.get(WATCHER, ()) if line.id == "table.mended"]


def good_prefix(t: Table, ident: str = ONE) -> int:
    """How many entries were good: the table is exactly as it was after those, and says so if they are not all."""
    raw, states, _ = story(ident)
    notes = mended(t)
    kept = t.seq - 1 - len(notes)
    assert len(notes) <= 1
    assert notes or kept == len(raw), "something is missing and nobody was told"
    assert state(t) == states[kept]
    return kept


def damage(sound: Path, tmp_path: Path, *statements: tuple[str, tuple[Any, ...]], ident: str = ONE) -> Table | str:
    path = tmp_path / "journal.sqlite"
    for old in tmp_path.glob("journal.sqlite*"):
        old.unlink(missing_ok=True)
    shutil.copy(sound, path)
    db = sqlite3.connect(path, isolation_level=None)
    for sql, values in statements:
        assert db.execute(sql, values).rowcount != 0
    db.close()
    found: Table | str = run(_load(path, ident))
    return found


def _flipped(data: bytes, bit: int) -> bytes:
    out = bytearray(data)
    out[bit // 8 % len(out)] ^= 1 << bit % 8
    return bytes(out)


def _row(sound: Path, what: str, seq: int) -> bytes:
    with sqlite3.connect(sound) as db:
        got: bytes = db.execute(f"select {what} from entries where tbl = ? and seq = ?", (ONE, seq)).fetchone()[0]
    db.close()
    return got


def test_nothing_wrong_is_nothing_said(sound: Path, tmp_path: Path) -> None:
    t = damage(sound, tmp_path)
    assert isinstance(t, Table)
    assert good_prefix(t) == len(story(ONE)[0])
    assert not mended(t)


@pytest.mark.parametrize("seed", range(4))
def test_one_row_is_deleted_changed_or_moved(
    sound: Path, tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """The table is as it was before that row; both logs say so; what came later is kept in quarantine."""
    rng = random.Random(seed)
    n = len(story(ONE)[0])
    seq = rng.randrange(2, n)
    bit = rng.getrandbits(16)
    set_ = "update entries set {} = ? where tbl = ? and seq = ?"
    other = "select {} from entries where tbl = ? and seq = ?"
    swap: Callable[[str], list[tuple[str, tuple[Any, ...]]]] = lambda what: [  # noqa: E731
        (set_.format(what), (_row(sound, what, seq + 1), ONE, seq)),
        (set_.format(what), (_row(sound, what, seq), ONE, seq + 1)),
    ]
    harms: dict[str, list[tuple[str, tuple[Any, ...]]]] = {
        "deleted": [("delete from entries where tbl = ? and seq = ?", (ONE, seq))],
        "bit in the entry": [(set_.format("data"), (_flipped(_row(sound, "data", seq), bit), ONE, seq))],
        "bit in the check": [(set_.format("chain"), (_flipped(_row(sound, "chain", seq), bit), ONE, seq))],
        "entries swapped": swap("data"),
        "rows swapped": swap("data") + swap("chain"),
        "from another table": [
            (f"update entries set data = ({other.format('data')}) where tbl = ? and seq = ?", (TWO, seq + 1, ONE, seq))
        ],
        "no bytes": [(set_.format("data"), ("text", ONE, seq))],
        "renumbered": [("update entries set seq = ? where tbl = ? and seq = ?", (10 * n, ONE, seq))],
    }
    for what, statements in harms.items():
        caplog.clear()
        t = damage(sound, tmp_path, *statements)
        assert isinstance(t, Table), what
        assert good_prefix(t) == seq - 1, what
        assert len(mended(t)) == 1, what
        assert any(f"table {ONE} is damaged" in r.message for r in caplog.records), what
        db = sqlite3.connect(tmp_path / "journal.sqlite")
        (kept,) = db.execute(
            "select count(*) from quarantine where tbl = ? and why not like 'a shortcut%'", (ONE,)
        ).fetchone()
        (rows,) = db.execute("select count(*) from entries where tbl = ?", (ONE,)).fetchone()
        db.close()
        assert kept == n - (seq - 1) - (what == "deleted"), what
        assert rows == seq + 1, what  # the good ones, the note, and what was said afterwards


def test_a_wrong_last_number_is_put_right_and_the_table_goes_on(sound: Path, tmp_path: Path) -> None:
    n = len(story(ONE)[0])
    for wrong in (0, 3, n - 1, n + 1, -7, 2**40, "many", 1.5):
        t = damage(sound, tmp_path, ("update tables set last = ? where tbl = ?", (wrong, ONE)))
        assert isinstance(t, Table), wrong
        assert good_prefix(t) == n, wrong
        assert len(mended(t)) == 1, wrong
    t = damage(sound, tmp_path, ("delete from tables where tbl = ?", (ONE,)))
    assert isinstance(t, Table)
    assert good_prefix(t) == n
    assert len(mended(t)) == 1


def test_the_tail_is_gone(sound: Path, tmp_path: Path) -> None:
    n = len(story(ONE)[0])
    for upto in (n - 1, 101, 99, 7, 1):
        t = damage(sound, tmp_path, ("delete from entries where tbl = ? and seq > ?", (ONE, upto)))
        assert isinstance(t, Table), upto
        assert good_prefix(t) == upto
    said = damage(sound, tmp_path, ("delete from entries where tbl = ?", (ONE,)))
    assert isinstance(said, str)
    assert "damaged" in said
    # ... and the other table has nothing to do with it.
    t = damage(sound, tmp_path, ("delete from entries where tbl = ?", (ONE,)), ident=TWO)
    assert isinstance(t, Table)
    assert good_prefix(t, TWO) == n


def test_a_shortcut_is_believed_only_if_it_is_whole_and_stands_on_what_is_there(sound: Path, tmp_path: Path) -> None:
    n = len(story(ONE)[0])
    _, _, short = story(ONE)
    rng = random.Random(1)
    changes: list[tuple[str, tuple[Any, ...]]] = [
        ("update snapshots set data = ? where tbl = ?", (_flipped(short, rng.getrandbits(20)), ONE)) for _ in range(3)
    ]
    changes.append(("update snapshots set seq = 90 where tbl = ?", (ONE,)))
    changes.append(("update snapshots set chain = ? where tbl = ?", (b"0" * 16, ONE)))
    changes.append(("update snapshots set data = 7, mark = 'x' where tbl = ?", (ONE,)))
    theirs = "(select {} from snapshots where tbl = ?)"
    both = f"update snapshots set data = {theirs.format('data')}, mark = {theirs.format('mark')} where tbl = ?"
    changes.append((both, (TWO, TWO, ONE)))
    for change in changes:
        t = damage(sound, tmp_path, change)
        assert isinstance(t, Table), change[0]
        assert good_prefix(t) == n


def test_bits_flipped_anywhere_in_the_file(sound: Path, tmp_path: Path) -> None:
    """Never another state, never a crash: either the exact state after some entry, or a sentence."""
    clean = sound.read_bytes()
    path = tmp_path / "journal.sqlite"
    outcomes = {"whole": 0, "prefix": 0, "refused": 0}
    for seed in range(60):
        rng = random.Random(seed)
        hurt = bytearray(clean)
        for _ in range(rng.choice((1, 1, 5, 20))):
            at = rng.randrange(100 if rng.random() < 0.1 else len(hurt))
            hurt[at] ^= 1 << rng.randrange(8)
        _judge(path, bytes(hurt), outcomes, seed)
    assert outcomes["whole"] + outcomes["prefix"] > 10
    assert outcomes["prefix"] > 3


def test_a_file_that_breaks_off(sound: Path, tmp_path: Path) -> None:
    clean = sound.read_bytes()
    outcomes = {"whole": 0, "prefix": 0, "refused": 0}
    for seed in range(12):
        cut = random.Random(seed).randrange(len(clean))
        _judge(tmp_path / "journal.sqlite", clean[:cut], outcomes, seed)


MASTER = "update sqlite_master set name = cast(x'ff41' as text), tbl_name = cast(x'ff41' as text), sql = ?"


@pytest.mark.parametrize("looking", [False, True])
@pytest.mark.parametrize("sql", ["create tabel x", "create table x (y)"])
def test_a_list_of_contents_that_is_no_text_is_said_and_nobody_waits_for_ever(
    sound: Path, tmp_path: Path, looking: bool, sql: str
) -> None:
    """What SQLite says of it has it in it, and is no text either."""
    path = tmp_path / "journal.sqlite"
    shutil.copy(sound, path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma writable_schema = on")
    db.execute(f"{MASTER} where name = 'entries'", (sql,))
    db.close()

    async def opened() -> None:
        journal = SqliteJournal(str(path), looking)
        try:
            await asyncio.wait_for(journal.open(), 60)
        finally:
            await journal.close()

    with pytest.raises(Lost, match="cannot be used as a journal"):
        asyncio.run(opened())


def test_what_cannot_even_be_opened_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the system has against it."""

    def no(_: Any) -> None:
        raise PermissionError("not for you")

    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"")
    monkeypatch.setattr(journal_sqlite, "_missing", no)

    async def opened() -> None:
        await asyncio.wait_for(SqliteJournal(str(path), True).open(), 60)

    with pytest.raises(Lost, match="not for you"):
        asyncio.run(opened())


def _judge(path: Path, content: bytes, outcomes: dict[str, int], seed: int) -> None:
    for old in path.parent.glob("journal.sqlite*"):
        old.unlink(missing_ok=True)  # the thread that tidies may be at it
    path.write_bytes(content)
    for ident in (ONE, TWO):
        got = run(_load(path, ident))
        if isinstance(got, Table):
            outcomes["whole" if good_prefix(got, ident) == len(story(ident)[0]) else "prefix"] += 1
        else:
            assert len(got) > 10, seed
            outcomes["refused"] += 1


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, "kickdoor.server")
