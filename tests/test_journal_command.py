"""`kickdoor journal`, backups, and the archive: tables out of a journal, and back into one, as they were."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from journalling import Hasty, finished, run, state, story, write
from kickdoor.app.cli import main
from kickdoor.server import archive, chain, housekeeping, portable, replays
from kickdoor.server import entries as en
from kickdoor.server.archive import Attic
from kickdoor.server.hub import Hub, recover
from kickdoor.server.journal import Archived
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.limits import Gate
from kickdoor.server.trouble import Trouble
from kickdoor.server.website import website

ONE, TWO, THREE = "abcdefghjk", "mnpqrstuvw", "xyz2345678"
OLD = Path(__file__).parent / "old" / "0.1.0-3"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    run(write(tmp_path / "journal.sqlite", ONE, TWO))
    return tmp_path


def kickdoor(*words: object) -> int:
    return main([str(w) for w in words])


def told(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def sql(path: Path, statement: str, *values: Any) -> list[Any]:
    db = sqlite3.connect(path, isolation_level=None)
    got = db.execute(statement, values).fetchall()
    db.close()
    return got


async def read(path: Path, ident: str) -> list[bytes]:
    journal = SqliteJournal(str(path), looking=True)
    await journal.open()
    try:
        return await journal.read(ident)
    finally:
        await journal.close()


async def over(path: Path) -> None:
    """A journal with a finished game, and a table in its lobby."""
    journal = Hasty(str(path))
    await journal.open()
    await journal.create(ONE, finished())
    await journal.create(TWO, story(TWO)[0][:6])
    await journal.close()


# -- check ----------------------------------------------------------------------------------------------------------


def test_check_says_what_is_damaged_and_changes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("journal", "check", home) == 0
    assert capsys.readouterr().out == "2 tables with 254 entries: all is well.\n"
    sql(home / "journal.sqlite", "delete from entries where tbl = ? and seq = 40", ONE)
    before = (home / "journal.sqlite").read_bytes()
    assert kickdoor("journal", "check", home / "journal.sqlite") == 1
    out = capsys.readouterr().out
    assert f"table {ONE}: good up to entry 39; then entry 40 is missing" in out
    assert "1 table damaged" in out
    assert kickdoor("journal", "check", "--json", "--play", home) == 1
    found = told(capsys)
    assert found["damaged"] == [{"table": ONE, "good": 39, "damage": "entry 40 is missing"}]
    assert (found["tables"], found["good"], found["version"]) == (2, False, 2)
    assert (home / "journal.sqlite").read_bytes() == before


def test_of_a_copy_that_was_cut_off_all_is_saved_that_is_there(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "journal.sqlite"
    sql(path, "pragma wal_checkpoint(truncate)")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 17 // 20])
    before = path.read_bytes()
    assert kickdoor("journal", "check", "--json", home) == 1
    assert not told(capsys)["good"]
    assert kickdoor("journal", "export", home, "--out", tmp_path / "saved.jsonl") in (0, 1)
    assert "entries" in capsys.readouterr().out
    assert len((tmp_path / "saved.jsonl").read_bytes().splitlines()) > 50
    assert path.read_bytes() == before


def test_check_beside_a_running_server_and_of_an_older_journal(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def running() -> None:
        journal = SqliteJournal(str(home / "journal.sqlite"))
        await journal.open()
        assert await asyncio.to_thread(kickdoor, "journal", "check", home) == 0
        await journal.close()

    run(running())
    old = home / "old.sqlite"
    old.write_bytes(gzip.decompress((OLD / "journal.sqlite.gz").read_bytes()))
    assert kickdoor("journal", "check", old) == 0
    assert "of an earlier version" in capsys.readouterr().out
    sql(old, "update tables set last = 9 where tbl = ?", TWO)
    assert kickdoor("journal", "check", old) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["check", "nowhere"], "there is no such file"),
        (["check", "README.md"], "not a database"),
        (["export", "nowhere", "--out", "x.jsonl"], "there is no such file"),
        (["export", "--out", "README.md"], "is there already"),
        (["check", "postgresql://127.0.0.1:1/none"], "the database cannot be used"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "README.md").write_text("This is no journal, whatever it says. " * 50)
    monkeypatch.chdir(tmp_path)
    assert kickdoor("journal", *words) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
    assert not (tmp_path / "x.jsonl").exists()


# -- export and import ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tables.jsonl", "tables.jsonl.gz"])
def test_what_is_exported_can_be_imported_elsewhere_and_is_the_same(
    home: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, into = tmp_path / "out" / name, tmp_path / "elsewhere"
    assert kickdoor("journal", "export", home, "--out", out, "--json") == 0
    assert told(capsys) == {"file": str(out), "tables": 2, "entries": 254, "replays": 0, "damaged": []}
    assert kickdoor("journal", "import", out, "--into", into) == 0
    for ident in (ONE, TWO):
        assert run(read(into / "journal.sqlite", ident)) == story(ident)[0]
    capsys.readouterr()
    # Again: nothing is written over, and it says so.
    assert kickdoor("journal", "import", out, "--into", into, "--json") == 0
    assert {t["what"] for t in told(capsys)["tables"]} == {"same"}
    db = into / "journal.sqlite"
    sql(db, "delete from entries where tbl = ? and seq > 100", ONE)
    sql(db, "update tables set last = 100 where tbl = ?", ONE)
    assert kickdoor("journal", "import", out, "--into", into, "--json") == 1
    assert [t["what"] for t in told(capsys)["tables"]] == ["differs", "same"]
    assert len(run(read(db, ONE))) == 100


def test_an_export_takes_the_place_of_files_only(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not of the journal that it is made of, and not of a pipe or a device."""
    journal = home / "journal.sqlite"
    before = journal.read_bytes()
    assert kickdoor("journal", "export", home, "--out", journal, "--force") == 2
    assert "is the journal itself" in capsys.readouterr().err
    assert journal.read_bytes() == before
    pipe = home / "pipe.gz"  # what is written into it fits
    os.mkfifo(pipe)
    assert kickdoor("journal", "export", home, "--out", pipe, "--force") == 2  # nobody reads it
    assert pipe.is_fifo()
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        assert kickdoor("journal", "export", home, "--out", pipe, "--force", "--table", TWO) == 0
        assert b'{"end":true' in gzip.decompress(reader.read())
    assert pipe.is_fifo()
    assert sorted(p.name for p in home.glob("*part*")) == []


def test_an_export_of_any_size_is_verified(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read entry by entry; only a single replay has to fit into memory."""
    monkeypatch.setattr("kickdoor.app.verify_command.REPLAY_BYTES", 1000)
    out = home / "all.jsonl"
    assert kickdoor("journal", "export", home, "--out", out) == 0
    assert kickdoor("verify", out) == 0
    assert "entries match their checks" in capsys.readouterr().out
    assert kickdoor("verify", "README.md") == 2
    assert "is too big" in capsys.readouterr().err


def test_a_table_that_is_too_large_is_left_out_and_the_others_are_read(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is put into the archive that could not be got out of it."""
    out, into = tmp_path / "all.jsonl.gz", tmp_path / "elsewhere"
    large, small = ONE, TWO
    sql(home / "journal.sqlite", "delete from entries where tbl = ? and seq > 100", small)
    sql(home / "journal.sqlite", "update tables set last = 100 where tbl = ?", small)
    assert kickdoor("journal", "export", home, "--out", out) == 0
    monkeypatch.setattr(portable, "TABLE_BYTES", sum(map(len, story(small)[0][:100])))
    capsys.readouterr()
    assert kickdoor("journal", "import", out, "--into", into, "--json") == 1
    said = told(capsys)
    assert [(t["table"], t["what"]) for t in said["tables"]] == [(small, "new")]
    assert len(said["problems"]) == 1
    assert large in said["problems"][0]
    assert kickdoor("journal", "export", home, "--out", out, "--force", "--json") == 1
    assert [t["table"] for t in told(capsys)["damaged"]] == [large]
    raw = story(large)[0]
    with pytest.raises(ValueError, match="larger than any table"):
        Attic(tmp_path / "attic").store(large, chain.Account(raw, chain.links(chain.start(large), 0, raw), ""))


def test_tables_are_brought_back_beside_a_running_server(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.jsonl.gz"
    assert kickdoor("journal", "export", home, "--table", ONE, "--out", out) == 0

    async def running() -> None:
        hub = Hub(Hasty(str(tmp_path / "other" / "journal.sqlite")))
        await hub.open()
        with pytest.raises(Trouble, match="no such table"):
            await hub.room(ONE)
        assert await asyncio.to_thread(kickdoor, "journal", "import", out, "--into", tmp_path / "other") == 0
        room = await hub.room(ONE)
        assert state(room.table) == story(ONE)[1][-1]
        await hub.close()

    run(running())


def test_an_export_that_is_damaged_or_breaks_off_is_refused_and_what_is_good_of_it_is_read(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tmp_path / "tables.jsonl"
    assert kickdoor("journal", "export", home, "--out", whole) == 0
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 2 * 128 + 1
    broken = {
        "cut": b"".join(lines[:200]),
        "no end": b"".join(lines[:-1]),
        "a line missing": b"".join(lines[:150] + lines[151:]),
        "changed": b"".join(lines).replace(b'"e":"made","seat":2', b'"e":"made","seat":1'),
        "rubbish": b"".join(lines[:140]) + b"?" + b"".join(lines[140:]),
        "something behind it": b"".join(lines) + b"?",
        "half of it again": b"".join(lines + lines[:150]),
    }
    for what, content in broken.items():
        bad = tmp_path / "bad.jsonl"
        bad.write_bytes(content)
        into = tmp_path / what / "journal.sqlite"
        assert kickdoor("journal", "import", bad, "--into", into) == 1, what
        assert "bad.jsonl" in capsys.readouterr().err, what
        for (ident,) in sql(into, "select tbl from tables"):
            assert run(read(into, ident)) == story(ident)[0], what
    packed = tmp_path / "bad.jsonl.gz"
    packed.write_bytes(gzip.compress(b"".join(lines))[:-50])
    assert kickdoor("journal", "import", packed, "--into", tmp_path / "last") == 1
    assert kickdoor("verify", packed) == 2


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
def test_exports_that_were_put_into_one_file_are_all_read_in(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """As one does who has a folder of archived tables: `cat archive/*.jsonl.gz > all.jsonl.gz`."""
    every = tmp_path / name
    with every.open("wb") as out:
        for ident in (ONE, TWO):
            one = tmp_path / f"{ident}.{name}"
            assert kickdoor("journal", "export", home, "--table", ident, "--out", one) == 0
            out.write(one.read_bytes())
    into = tmp_path / "into" / "journal.sqlite"
    assert kickdoor("journal", "import", every, "--into", into) == 0
    assert {ident for (ident,) in sql(into, "select tbl from tables")} == {ONE, TWO}
    capsys.readouterr()
    assert kickdoor("verify", every) == 0
    said = capsys.readouterr().out
    assert ONE in said
    assert TWO in said


def test_a_finished_table_is_exported_as_something_to_keep_and_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "journal.sqlite", tmp_path / "table.jsonl.gz"
    run(over(path))
    assert kickdoor("journal", "export", path, "--table", ONE, "--out", out, "--replays", tmp_path / "games") == 0
    replay = tmp_path / "games" / f"{ONE}-1.json"
    assert replays.read(replay.read_bytes()).winners
    capsys.readouterr()
    assert kickdoor("verify", replay) == 0
    assert kickdoor("verify", out) == 0
    assert f"table {ONE}, game 1: the seal" in capsys.readouterr().out


# -- backups --------------------------------------------------------------------------------------------------------


def test_a_backup_under_load_has_every_move_that_was_acknowledged_before_it(tmp_path: Path) -> None:
    """Both ways that docs/hosting.md tells: SQLite's own, and `kickdoor journal export`."""

    async def story_() -> None:
        path = tmp_path / "journal.sqlite"
        hub = Hub(Hasty(str(path)))
        await hub.open()
        rooms = [(await hub.create("", "Ann", "female", {}, 3, []))[0] for _ in range(4)]
        acknowledged: dict[str, list[str]] = {r.table.id: [] for r in rooms}
        going = True

        async def talk(room: Any) -> None:
            for n in range(100_000):
                if not going:
                    return
                await room.call(lambda n=n: [en.Chatted(0, "Ann", f"line {n}")])
                acknowledged[room.table.id].append(f"line {n}")

        def copy() -> None:
            with sqlite3.connect(path) as a, sqlite3.connect(tmp_path / "copy.sqlite") as b:
                a.backup(b, pages=5)
            a.close()
            b.close()

        work = [asyncio.create_task(talk(r)) for r in rooms]
        while min(len(lines) for lines in acknowledged.values()) < 50:
            await asyncio.sleep(0.01)
        before = {k: list(v) for k, v in acknowledged.items()}
        await asyncio.to_thread(copy)
        assert await asyncio.to_thread(kickdoor, "journal", "export", path, "--out", tmp_path / "all.jsonl.gz") == 0
        going = False
        await asyncio.gather(*work)
        await hub.close()

        assert await asyncio.to_thread(kickdoor, "journal", "check", "--play", tmp_path / "copy.sqlite") == 0
        into = tmp_path / "restored" / "journal.sqlite"
        assert await asyncio.to_thread(kickdoor, "journal", "import", tmp_path / "all.jsonl.gz", "--into", into) == 0
        for restored in (tmp_path / "copy.sqlite", into):
            journal = Hasty(str(restored))
            await journal.open()
            for ident, lines in before.items():
                whats = [en.unpack(raw).what for raw in await journal.read(ident)]
                found = [w.text for w in whats if isinstance(w, en.Chatted)]
                assert found[: len(lines)] == lines
                assert found == acknowledged[ident][: len(found)]
            await journal.close()

    run(story_())


# -- the archive ----------------------------------------------------------------------------------------------------


def test_how_long_tables_are_kept() -> None:
    assert archive.seconds("90d") == 90 * 86400
    assert archive.seconds("12h") == 12 * 3600
    assert archive.seconds("2w") == archive.seconds("14d")
    assert archive.seconds("forever") is None
    for wrong in ("", "90", "0d", "-1d", "soon", "1e9d", "d"):
        with pytest.raises(ValueError, match="Say 90d"):
            archive.seconds(wrong)


def test_when_a_table_was_put_away_is_said_unless_that_is_damaged() -> None:
    when = 1_754_000_000
    for at, said in (
        (when, "the archive on 31 July 2025. "),
        (when + 86_400, "on 1 August 2025. "),
        (1 << 62, "the archive. "),
    ):
        assert said in archive.put_away(Archived(at, 3, f"{ONE}.jsonl.gz")).says


def test_nothing_in_the_archive_is_written_over_and_a_damaged_file_is_said_to_be_one(tmp_path: Path) -> None:
    attic = Attic(tmp_path / "archive")

    def account(*entries: bytes) -> chain.Account:
        return chain.Account(list(entries), chain.links(chain.start(ONE), 0, entries), "")

    first, second = account(b'{"a":1}', b'{"b":2}'), account(b'{"c":3}')
    kept = attic.store(ONE, first)
    assert attic.store(ONE, first) == kept, "written, and then the power went: it is there"
    later = attic.store(ONE, second)
    assert later != kept
    assert attic.fetch(ONE) == second.entries
    assert [t.entries for t in portable.read(kept)] == [first.entries]
    kept.unlink()
    third = account(b'{"d":4}')
    later = attic.store(ONE, third)
    assert attic.fetch(ONE) == third.entries, "the last one, whatever has been cleared away"
    later.write_bytes(later.read_bytes()[:60])
    hub = Hub(Hasty(str(tmp_path / "journal.sqlite")), attic=attic)
    with pytest.raises(Trouble, match="damaged") as e:
        run(hub.from_archive(ONE))
    assert e.value.code == "damaged"


def test_tables_that_nobody_has_touched_for_long_go_into_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one in use or damaged; a link says so, the replay is still there, and it can come back."""
    monkeypatch.setattr("kickdoor.server.hub.ATTIC_PAUSE", 0)
    path = tmp_path / "journal.sqlite"
    run(over(path))
    sql(path, "update tables set touched = 500")
    attic = Attic(tmp_path / "archive", 30 * archive.DAY)

    async def story_() -> None:
        journal = Hasty(str(path))
        hub = Hub(journal, attic=attic)
        await hub.open()
        entries = await journal.read(ONE)
        used, *_ = await hub.create("", "Ann", "female", {}, 3, [])
        hurt, *_ = await hub.create("", "Bob", "male", {}, 3, [])
        new, *_ = await hub.create("", "Cid", "male", {}, 3, [])
        for room in (hurt, new):
            room.close("test", "")
        await asyncio.sleep(0)
        for room in (used, hurt):
            sql(path, "update tables set touched = 1000 where tbl = ?", room.table.id)
        sql(path, "delete from entries where tbl = ? and seq = 2", hurt.table.id)
        assert await hub.put_old_away() == 2  # the finished one, and the one in its lobby
        assert await hub.put_old_away() == 0
        assert sorted(p.name for p in attic.folder.iterdir()) == [f"{ONE}.jsonl.gz", f"{TWO}.jsonl.gz"]
        assert {r[0] for r in sql(path, "select tbl from tables")} == {r.table.id for r in (used, hurt, new)}
        assert not sql(path, "select 1 from entries where tbl = ?", ONE)

        site = website(hub, gate=Gate(10**6))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://here") as web:
            gone = await web.get(f"/api/tables/{ONE}")
            assert (gone.status_code, gone.json()["code"]) == (410, "archived")
            assert "put into the archive" in gone.json()["says"]
            assert (await web.post(f"/api/tables/{ONE}/seats", json={"name": "Eve"})).status_code == 410
            record = await web.get(f"/api/tables/{ONE}/replay")
            assert record.status_code == 200
            assert record.json()["winners"]
            last = await web.get(f"/api/tables/{ONE}/replay/{len(record.json()['steps'])}")
            assert last.json()["game"]["winners"] == record.json()["winners"]
            told = await web.get(f"/api/tables/{ONE}/replay/table")  # what a page shows it with
            assert (told.status_code, told.json()["status"]) == (200, "over")
            cards = await web.get(f"/api/tables/{ONE}/cards/{told.json()['cards']}?game=0")
            assert cards.status_code == 200
            assert (await web.get(f"/api/tables/{TWO}/replay")).status_code == 404  # no game was played there
            (attic.folder / f"{TWO}.jsonl.gz").rename(tmp_path / "taken away.jsonl.gz")
            assert (await web.get(f"/api/tables/{TWO}/replay")).status_code in (404, 410)

        where = attic.folder / f"{ONE}.jsonl.gz"
        assert await asyncio.to_thread(kickdoor, "journal", "import", where, "--into", path) == 0
        assert await journal.read(ONE) == entries
        assert (await hub.room(ONE)).table.seq == len(entries)
        assert await hub.put_old_away() == 0  # it is asked for again: it stays
        await hub.close()

    run(story_())


def test_kept_for_ever_means_that(tmp_path: Path) -> None:
    async def story_() -> None:
        path = tmp_path / "journal.sqlite"
        hub = Hub(Hasty(str(path)), attic=Attic(tmp_path / "archive", archive.seconds("forever")))
        await hub.open()
        room, *_ = await hub.create("", "Ann", "female", {}, 3, [])
        room.close("test", "")
        await asyncio.sleep(0)
        sql(path, "update tables set touched = 0")
        assert await hub.put_old_away() == 0
        await hub.close()

    run(story_())


def test_an_archive_that_cannot_be_written_keeps_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kickdoor.server.hub.ATTIC_PAUSE", 0)

    async def story_() -> None:
        path = tmp_path / "journal.sqlite"
        await write(path, ONE)
        (tmp_path / "archive").write_text("a file where a folder should be")
        sql(path, "update tables set touched = 0")
        hub = Hub(Hasty(str(path)), attic=Attic(tmp_path / "archive", 1.0))
        await hub.open()
        assert await hub.put_old_away() == 0
        assert state((await hub.room(ONE)).table) == story(ONE)[1][-1]
        await hub.close()

    run(story_())


def test_a_name_that_is_no_text_any_more_is_in_nobodys_way(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One bit makes bytes of a text. The others are looked through, written out and put away all the same."""
    monkeypatch.setattr("kickdoor.server.hub.ATTIC_PAUSE", 0)
    path = home / "journal.sqlite"
    sql(path, "insert into tables values (cast('zzzzz' as blob), 1, 0)")
    sql(path, "insert into entries values (cast('zzzzz' as blob), 1, x'00', x'00')")
    assert kickdoor("journal", "check", home) == 0
    assert "2 tables" in capsys.readouterr().out
    assert kickdoor("journal", "export", home, "--out", home / "all.jsonl") == 0
    assert "2 tables" in capsys.readouterr().out

    async def story_() -> None:
        sql(path, "update tables set touched = 0")
        hub = Hub(Hasty(str(path)), attic=Attic(home / "archive", 1.0))
        await hub.open()
        assert await hub.put_old_away() == 2
        await hub.close()

    run(story_())


def test_random_bytes_are_no_export(tmp_path: Path) -> None:
    rng = random.Random(1)
    good = tmp_path / "good.jsonl"
    entries = story(ONE)[0][:20]

    async def made() -> portable.Told:
        journal = Hasty(":memory:")
        await journal.open()
        await journal.create(ONE, entries)
        out = await housekeeping.told(journal, ONE)
        await journal.close()
        return out

    with portable.Writer(good) as out:
        out.add(run(made()))
    clean = good.read_bytes()
    for _ in range(150):
        hurt = bytearray(clean)
        for _ in range(rng.choice((1, 1, 4))):
            hurt[rng.randrange(len(hurt))] ^= 1 << rng.randrange(8)
        (tmp_path / "hurt.jsonl").write_bytes(hurt)
        try:
            got = list(portable.read(tmp_path / "hurt.jsonl"))
        except portable.PortableError:
            continue
        assert [t.entries for t in got] == [entries]


# -- exports of strangers ---------------------------------------------------------------------------------------------


def forged(path: Path, table: str, *entries: bytes) -> Path:
    """An export with the right checks: nobody needs a key for them."""
    with portable.Writer(path) as out:
        out.add(portable.Told(table, list(entries), chain.links(chain.start(table), 0, list(entries)), ""))
    return path


def test_what_is_not_called_as_tables_are_keeps_the_others_from_nothing(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bit makes another name of a name. An export that had it in it could not be read from there on."""
    sql(home / "journal.sqlite", "insert into tables values ('Abcdefghjk', 5, 0)")
    assert kickdoor("journal", "check", home) == 1
    assert "that is no table's name" in capsys.readouterr().out
    out = home / "all.jsonl"
    assert kickdoor("journal", "export", home, "--out", out) == 1
    assert "'Abcdefghjk'" in capsys.readouterr().out
    assert kickdoor("journal", "import", out, "--into", tmp_path / "new") == 0
    assert "2 tables read in" in capsys.readouterr().out
    with portable.Writer(out) as writer:  # as versions before this one wrote them
        writer.add(portable.Told("Abcdefghjk", [], [], "there should be 5 entries, and 0 are there"))
        writer.add(portable.Told(ONE, story(ONE)[0], chain.links(chain.start(ONE), 0, story(ONE)[0]), ""))
    assert kickdoor("journal", "import", out, "--into", tmp_path / "newer") == 1
    assert "1 table read in" in capsys.readouterr().out


OPENED = b'{"what":{"e":"opened","table":"abcdefghjk","name":"x","options":{},"seats":%d},"at":1.0}'


@pytest.mark.parametrize(
    "name", ["../../outside/pwn", "/tmp/pwn", "abcdefghjk\nok  all is well", "a\0b", "a" * 3000, ""]
)
def test_a_table_in_an_export_is_called_as_tables_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Names become files, and lines on a screen."""
    bad = forged(tmp_path / "bad.jsonl", name, OPENED % 4)
    assert kickdoor("journal", "import", bad, "--into", tmp_path / "home") == 1
    assert kickdoor("verify", bad) != 0
    said = capsys.readouterr()
    assert "is no table's name" in said.err
    assert "ok  all is well" not in (said.out + said.err).splitlines()


def test_an_export_that_swells_or_never_ends_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = forged(tmp_path / "bomb.jsonl.gz", ONE, *[OPENED % 4 + b" " * 1_000_000] * 40)
    assert bomb.stat().st_size < 400_000
    for words in (("verify", bomb), ("journal", "import", bomb, "--into", tmp_path / "home")):
        assert kickdoor(*words) != 0
        assert "unpacks to more than any export" in capsys.readouterr().err
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    assert kickdoor("journal", "import", pipe, "--into", tmp_path / "home") != 0
    assert "is a pipe" in capsys.readouterr().err


def test_an_entry_that_is_nested_without_end_is_in_nobodys_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be kept, exported and passed by; what is good beside it is read in, written out and archived."""
    monkeypatch.setattr("kickdoor.server.hub.ATTIC_PAUSE", 0)
    deep = b"[" * 3000 + b"]" * 3000
    path, good = tmp_path / "journal.sqlite", tmp_path / "good.jsonl"
    run(over(path))
    assert kickdoor("journal", "export", tmp_path, "--out", good) == 0
    hidden = forged(tmp_path / "hidden.jsonl", THREE, OPENED % 4, b"\n" + deep)
    plain = forged(tmp_path / "plain.jsonl", THREE, OPENED % 4, b'"x"')
    plain.write_bytes(plain.read_bytes().replace(b'"entry":"x"', b'"entry":' + deep))
    other = tmp_path / "other"
    capsys.readouterr()
    assert kickdoor("journal", "import", plain, good, "--into", other) == 1
    assert "plain.jsonl" in capsys.readouterr().err
    assert [r[0] for r in sql(other / "journal.sqlite", "select tbl from tables order by tbl")] == [ONE, TWO]

    assert kickdoor("journal", "import", hidden, "--into", path) == 0
    assert kickdoor("journal", "export", tmp_path, "--out", tmp_path / "all.jsonl") == 0
    assert {t.table for t in portable.read(tmp_path / "all.jsonl")} == {ONE, TWO, THREE}
    sql(path, "update tables set touched = case tbl when ? then 1 else 2 end", THREE)

    async def story_() -> None:
        hub = Hub(Hasty(str(path)), attic=Attic(tmp_path / "archive", 1.0))
        await hub.open()
        await hub.put_old_away()
        await hub.close()

    run(story_())
    assert {f"{ONE}.jsonl.gz", f"{TWO}.jsonl.gz"} <= {p.name for p in (tmp_path / "archive").iterdir()}


def test_a_table_that_makes_no_story_keeps_the_others_from_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Entries with the right checks that cannot be: more seats than any table has, a host who sits nowhere."""
    host = b'{"what":{"e":"host","seat":99,"why":""},"at":1.0}'
    for bad in (OPENED % 100_000_000, OPENED % 4 + b"\n" + host):
        file = forged(tmp_path / "bad.jsonl", THREE, *bad.splitlines())
        assert kickdoor("verify", file) == 1
        assert "This record does not hold." in capsys.readouterr().out
    run(over(tmp_path / "journal.sqlite"))
    assert kickdoor("journal", "import", file, "--into", tmp_path) == 0
    out, games = tmp_path / "all.jsonl", tmp_path / "games"
    assert kickdoor("journal", "export", tmp_path, "--out", out, "--replays", games) == 1
    assert f"table {THREE}: " in capsys.readouterr().out
    assert list(games.glob("*.json")), "the game of the good one is there"
    assert {told.table for told in portable.read(out)} == {ONE, TWO, THREE}


def test_what_was_only_in_part_good_is_told_when_it_is_read_in(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever reads it in may not be who wrote it out."""
    sql(home / "journal.sqlite", "delete from entries where tbl = ? and seq = 40", ONE)
    saved = tmp_path / "saved.jsonl"
    assert kickdoor("journal", "export", home, "--out", saved) == 1
    capsys.readouterr()
    assert kickdoor("journal", "import", saved, "--into", tmp_path / "new") == 0
    out = capsys.readouterr().out
    assert f"table {ONE}: that is all that was good of it when it was written out; then entry 40 is missing" in out
    assert TWO in out
    assert f"table {TWO}: that is all" not in out


def test_what_does_not_follow_is_not_counted_as_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = story(ONE)[0]
    file = forged(tmp_path / "odd.jsonl", ONE, *raw[:20], en.pack(en.Entry(en.Made(0, [(99, 0, 0, 0)]))), *raw[20:])
    assert kickdoor("journal", "import", file, "--into", tmp_path) == 0
    assert kickdoor("journal", "check", "--play", tmp_path) == 1
    assert f"table {ONE}: good up to entry 20; then entry 21 is whole" in capsys.readouterr().out


def test_recovering_without_a_lease_writes_nothing(home: Path) -> None:
    async def story_() -> None:
        path = home / "journal.sqlite"
        sql(path, "delete from entries where tbl = ? and seq = 40", ONE)
        journal = Hasty(str(path))
        await journal.open()
        t = await recover(journal, ONE)
        assert (t.seq, state(t)) == (39, story(ONE)[1][39])
        await journal.close()
        assert sql(path, "select count(*) from entries where tbl = ?", ONE) == [(126,)]

    run(story_())
