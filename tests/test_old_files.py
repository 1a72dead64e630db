"""Saves, replays and journals of every version so far are read, and what a newer version wrote is refused clearly."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from journalling import run, story
from kickdoor.app import saves
from kickdoor.engine import saving, setup
from kickdoor.engine.kernel import legal, to_act
from kickdoor.server import chain, portable, replays, shortcut, snapshots
from kickdoor.server import entries as en
from kickdoor.server.hub import recover
from kickdoor.server.journal import SCHEMA, Lease, Lost
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.table import LOBBY, OVER
from kickdoor.server.trouble import Trouble

HERE = Path(__file__).parent
OLD = sorted(p for p in (HERE / "old").iterdir() if p.name.startswith("0."))
GAME, WAITING = "abcdefghjk", "mnpqrstuvw"

each = pytest.mark.parametrize("folder", OLD, ids=lambda p: p.name)


def test_there_are_files_of_every_version_so_far() -> None:
    assert len(OLD) >= 3


@each
def test_a_save_of_an_earlier_version_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parent)  # the save names its pack from there
    raw = (folder / "game.json").read_bytes()
    wrote = json.loads(raw)
    g = saving.from_json(raw, setup.library(("tests/old/pack",)))
    for now, then in zip(g.players, wrote["game"]["players"], strict=True):
        assert [now.name, now.level, now.hand, now.table] == [then[0], then[1], then[-2], then[-1]]
    assert g.fight is not None
    assert len(g.fight.foes) == len(wrote["game"]["fight"]["foes"])
    assert [type(f).__name__ for f in g.stack] == [f["type"] for f in wrote["game"]["stack"]]
    assert legal(g, to_act(g)[0])
    assert saving.from_json(saving.to_json(g)).key() == g.key()  # written by this version, it is the same game
    _, again = saves.read(folder / "table.json")
    assert again.key() == g.key()


@each
def test_a_replay_of_an_earlier_version_is_read_and_told_or_says_that_the_cards_have_changed(folder: Path) -> None:
    checks = replays.verify(gzip.decompress((folder / "replay.json.gz").read_bytes()))
    assert checks[0][0], "the seal holds in every version"
    same_cards = checks[1][0]
    assert all(ok for ok, _ in checks) if same_cards else len(checks) == 2
    if not same_cards:
        assert "the cards are those it was played with" in checks[1][1]


def unpacked(folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(gzip.decompress((folder / "journal.sqlite.gz").read_bytes()))
    return path


def rows(path: Path, table: str) -> list[bytes]:
    db = sqlite3.connect(path)
    found = [r[0] for r in db.execute("select data from entries where tbl = ? order by seq", (table,))]
    db.close()
    return found


@each
def test_a_journal_of_an_earlier_version_is_brought_to_this_one(folder: Path, tmp_path: Path) -> None:
    """In place, when it is opened: not an entry is touched, each has its check, and the tables go on."""
    path = unpacked(folder, tmp_path)
    before = {ident: rows(path, ident) for ident in (GAME, WAITING)}

    async def told() -> None:
        look = SqliteJournal(str(path), looking=True)
        await look.open()
        assert look.version == 1
        seen = {ident: await look.read(ident) for ident in before}
        await look.close()
        assert seen == before  # to be looked at it need not be changed
        for _ in range(2):  # a second time there is nothing to be done
            journal = SqliteJournal(str(path))
            await journal.open()
            assert {ident: await journal.read(ident) for ident in before} == before
            await journal.close()
        journal = SqliteJournal(str(path))
        await journal.open()
        lease = await journal.take(WAITING)
        assert isinstance(lease, Lease)
        t = await recover(journal, WAITING, lease)
        assert (t.status, [c.name for c in t.chairs]) == (LOBBY, ["Ann", "Bob", "Cid"])
        await journal.append(lease, t.seq, [en.pack(en.Entry(en.ReadySet(1, True)))])
        assert (await recover(journal, WAITING)).chairs[1].ready
        short = await journal.latest(GAME)
        assert short is not None
        assert short.seq == 100
        assert await journal.untouched(1_763_200_000 + 10**6, 10) == [GAME]  # the other has just been written to
        await journal.close()

    run(told())
    db = sqlite3.connect(path)
    assert db.execute("pragma user_version").fetchone() == (SCHEMA,)
    checks = [r[0] for r in db.execute("select chain from entries where tbl = ? order by seq", (GAME,))]
    db.close()
    assert checks == chain.links(chain.start(GAME), 0, before[GAME])


def test_a_game_that_the_last_version_before_the_checks_wrote_comes_out_the_same(tmp_path: Path) -> None:
    """Its shortcut is of another format and not used. (Earlier games were dealt with other cards.)"""
    path = unpacked(OLD[-1], tmp_path)
    replay = replays.read(gzip.decompress((OLD[-1] / "replay.json.gz").read_bytes()))

    async def told() -> None:
        journal = SqliteJournal(str(path))
        await journal.open()
        lease = await journal.take(GAME)
        assert isinstance(lease, Lease)
        t = await recover(journal, GAME, lease)
        short = await journal.latest(GAME)
        assert short is not None
        with pytest.raises(ValueError, match="it has format 1"):
            snapshots.load(GAME, short.data)
        await journal.close()
        assert t.chairs
        assert t.seq >= len(replay.steps)
        if setup.library().same(replay.cards):  # with other cards it is another game, told as far as it goes
            assert t.status == OVER
            assert t.game is not None
            assert t.game.key().hex() == replay.key

    run(told())


def test_a_shortcut_of_another_shape_has_another_number() -> None:
    """If this fails, what a shortcut holds has changed: raise `shortcut.FORMAT`, and write it here."""
    held = msgspec.msgpack.decode(story()[2])
    assert (shortcut.FORMAT, zlib.crc32(" ".join(sorted(held)).encode())) == (7, 2968505132)


def test_what_a_newer_version_wrote_is_refused_clearly(tmp_path: Path) -> None:
    async def opened(path: Path, looking: bool) -> None:
        journal = SqliteJournal(str(path), looking)
        try:
            await journal.open()
        finally:
            await journal.close()

    path = unpacked(OLD[-1], tmp_path)
    db = sqlite3.connect(path)
    db.execute(f"pragma user_version = {SCHEMA + 1}")
    db.close()
    before = path.read_bytes()
    for looking in (True, False):
        with pytest.raises(Lost, match="newer version of Kickdoor"):
            run(opened(path, looking))
    assert rows(path, WAITING)
    assert len(path.read_bytes()) == len(before)

    save = json.loads((OLD[-1] / "game.json").read_bytes()) | {"kickdoor": saving.FORMAT + 1}
    with pytest.raises(saving.SaveError, match="newer version of Kickdoor"):
        saving.from_json(json.dumps(save).encode())
    table = json.loads((OLD[-1] / "table.json").read_bytes()) | {"kickdoor_table": saves.FORMAT + 1}
    (tmp_path / "table.json").write_text(json.dumps(table))
    with pytest.raises(saving.SaveError, match="newer version of Kickdoor"):
        saves.read(tmp_path / "table.json")
    replay: dict[str, Any] = json.loads(gzip.decompress((OLD[-1] / "replay.json.gz").read_bytes()))
    with pytest.raises(Trouble, match="Use the version that wrote it"):
        replays.read(msgspec.json.encode(replay | {"kickdoor": replays.FORMAT + 1, "and": "more"}))
    export = tmp_path / "export.jsonl"
    export.write_text('{"kickdoor_journal": 2, "version": "9.9"}\n')
    with pytest.raises(portable.PortableError, match=r"9\.9.*Use a newer version"):
        list(portable.read(export))


def test_an_entry_that_this_version_does_not_know_keeps_its_table_waiting_for_one_that_does(tmp_path: Path) -> None:
    async def told() -> None:
        journal = SqliteJournal(str(tmp_path / "journal.sqlite"))
        await journal.open()
        lease = await journal.create(GAME, [b'{"what": {"e": "danced", "seat": 1}, "at": 1.0}'])
        with pytest.raises(Trouble, match="newer version") as caught:
            await recover(journal, GAME, lease)
        assert caught.value.code == "newer"
        assert len(await journal.read(GAME)) == 1
        await journal.close()

    run(told())
