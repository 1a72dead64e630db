"""The journal cannot be written for a while: people stay, are told, and go on; nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from journalling import Hasty, run
from kickdoor.server import deciding
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import new_token
from kickdoor.server.hub import Hub
from kickdoor.server.journal import Lease, Lost
from kickdoor.server.limits import Gate
from kickdoor.server.room import Room
from kickdoor.server.trouble import Trouble
from kickdoor.server.website import website

ENDS = ("-wal", "-shm")  # what SQLite keeps beside a file that is open


class Person:
    """Somebody at the table, who keeps what the server says."""

    def __init__(self, room: Room, token: str) -> None:
        self.room = room
        self.heard: list[dict[str, Any]] = []
        self.bye: tuple[str, str] | None = None
        self.guest = Guest(token, self._hear, self._bye)
        self.changed = asyncio.Event()
        room.inbox.put_nowait((self.guest, pr.Hello(pr.VERSION, token)))

    def _hear(self, data: bytes) -> bool:
        self.heard.append(json.loads(data))
        self.changed.set()
        return True

    def _bye(self, code: str, says: str) -> None:
        self.bye = (code, says)
        self.changed.set()

    async def until(self, test: Any) -> Any:
        while not (found := test()):
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 20)
        return found

    async def say(self, ident: str, text: str) -> dict[str, Any]:
        """A line of chat, and what the server answers; the goodbye if it hangs up instead."""
        before = len(self.heard)
        self.room.inbox.put_nowait((self.guest, pr.Say(ident, text)))

        def answered() -> dict[str, Any] | None:
            if self.bye is not None:
                return {"bye": self.bye[0]}
            return next((h for h in self.heard[before:] if h["t"] == "answer" and h["id"] == ident), None)

        got: dict[str, Any] = await self.until(answered)
        return got

    def problems(self) -> list[str]:
        return [h["code"] for h in self.heard if h["t"] == "problem"]


async def two(hub: Hub) -> tuple[Room, Person, Person, list[str]]:
    room, _, ann = await hub.create("", "Ann", "female", {}, 3, [])
    bob = new_token()
    await room.call(lambda: deciding.sit(room.table, "Bob", "male", None, bob))
    people = Person(room, ann), Person(room, bob)
    for p in people:
        await p.until(lambda p=p: p.heard)
    return room, *people, [ann, bob]


async def said(hub: Hub, ident: str) -> list[str]:
    whats = [en.unpack(raw).what for raw in await hub.journal.read(ident)]
    return [w.text for w in whats if isinstance(w, en.Chatted)]


async def pages(journal: Hasty, extra: int) -> None:
    """The disk has room for so many pages more."""

    def job(db: Any) -> None:
        (used,) = db.execute("pragma page_count").fetchone()
        db.execute(f"pragma max_page_count = {used + extra}")

    await journal._ask(job)


class Brief(Hasty):
    """It keeps no shortcuts: one that does not fit would take the lines with it that are written beside it."""

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        pass


def test_a_full_disk_keeps_everybody_in_place_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async def story() -> None:
        journal = Brief(str(tmp_path / "journal.sqlite"))
        hub = Hub(journal)
        await hub.open()
        room, ann, bob, _ = await two(hub)
        acknowledged = []
        await pages(journal, 2)
        for n in range(400):
            text = f"{n} " + "x" * 250
            answer = await ann.say(f"id {n}", text)
            if not answer["ok"]:
                break
            acknowledged.append(text)
        assert answer["code"] == "unwritable"
        assert "disk is full" in answer["says"]
        assert "nothing is lost" in answer["says"]
        assert await ann.say(f"id {n}", text) == answer | {"seq": answer["seq"]}  # still no room; still here
        assert ann.problems() == bob.problems() == ["unwritable"]  # told once
        assert not room.closed
        assert (ann.bye, bob.bye) == (None, None)
        # Room again: the same command is done now, once; everybody hears that it goes on.
        await pages(journal, 1000)
        again = await ann.say(f"id {n}", text)
        assert again["ok"]
        assert await ann.say(f"id {n}", text) == again
        acknowledged.append(text)
        await bob.until(lambda: "writable" in bob.problems())
        assert (await bob.say("mine", "hello"))["ok"]
        assert await said(hub, room.table.id) == [*acknowledged, "hello"]
        await hub.close()

    run(story())


class Wavering(Hasty):
    """A journal that cannot be reached when it is told so; or that can, but its answer gets lost."""

    mood = ""

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        if self.mood == "down":
            raise Lost("the server cannot write down what happens: its database does not answer")
        return await super().create(table, entries)

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        if self.mood == "down":
            raise Lost("the server cannot write down what happens: its database does not answer")
        await super().append(lease, after, entries)
        if self.mood == "answer lost":
            raise Lost("the server cannot write down what happens: its database does not answer")


def test_what_was_written_though_the_answer_got_lost_is_not_done_twice(tmp_path: Path) -> None:
    async def story() -> None:
        journal = Wavering(str(tmp_path / "journal.sqlite"))
        hub = Hub(journal)
        await hub.open()
        room, ann, bob, tokens = await two(hub)
        assert (await ann.say("1", "one"))["ok"]
        journal.mood = "answer lost"
        assert (await ann.say("2", "two"))["code"] == "unwritable"
        journal.mood = ""
        # The next word finds out that it has happened after all: everybody comes back to what is written.
        assert await bob.say("3", "three") == {"bye": "elsewhere"}
        room = await hub.room(room.table.id)
        ann, bob = (Person(room, token) for token in tokens)
        assert (await ann.say("2", "two"))["ok"]  # a repeat is answered, not done
        assert (await bob.say("3", "three"))["ok"]
        assert await said(hub, room.table.id) == ["one", "two", "three"]
        await hub.close()

    run(story())


def _taken_away(file: Path) -> None:
    file.rename(file.with_name("elsewhere.sqlite"))


def _put_back(file: Path) -> None:
    file.with_name("elsewhere.sqlite").rename(file)


def _folder_gone(file: Path) -> None:
    file.parent.rename(file.parent.with_name("elsewhere"))


def _folder_back(file: Path) -> None:
    file.parent.with_name("elsewhere").rename(file.parent)


@pytest.mark.parametrize(("gone", "back"), [(_taken_away, _put_back), (_folder_gone, _folder_back)])
def test_nothing_is_written_into_a_file_that_was_taken_away(tmp_path: Path, gone: Any, back: Any) -> None:
    """It can be, by whoever has it open; and nobody would ever find it again."""

    async def story() -> None:
        file = tmp_path / "data" / "journal.sqlite"
        hub = Hub(Hasty(str(file)))
        await hub.open()
        room, ann, bob, _ = await two(hub)
        assert (await ann.say("1", "one"))["ok"]
        gone(file)
        answer = await ann.say("2", "two")
        assert answer["code"] == "unwritable"
        assert "taken away" in answer["says"]
        assert ann.problems() == bob.problems() == ["unwritable"]
        back(file)
        assert (await ann.say("2", "two"))["ok"]
        assert await said(hub, room.table.id) == ["one", "two"]
        await hub.close()

    run(story())


def _another(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("vacuum into ?", (str(file.with_name("copy")),))
    file.with_name("copy").replace(file)


def _emptied(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("deed", [_another, _emptied, *(lambda f, end=end: Path(f"{f}{end}").unlink() for end in ENDS)])
def test_nothing_is_written_into_a_file_that_is_not_what_it_was(tmp_path: Path, deed: Any) -> None:
    async def story() -> None:
        journal = Hasty(str(tmp_path / "journal.sqlite"))
        await journal.open()
        lease = await journal.create("abcdefghjk", [b"one"])
        deed(tmp_path / "journal.sqlite")
        for small in (True, False):  # the loop writes it, or the thread
            with pytest.raises(Lost, match="another one put in its place"):
                await (journal.append(lease, 1, [b"two"]) if small else journal.create("bcdefghjkm", [b"one"]))
        await journal.close()

    run(story())


def test_a_file_has_one_server_whatever_it_is_called(tmp_path: Path) -> None:
    async def story() -> None:
        file = tmp_path / "data" / "journal.sqlite"
        one = Hasty(str(file))
        await one.open()
        lease = await one.create("abcdefghjk", [b"one"])
        link = tmp_path / "link.sqlite"
        link.symlink_to(file)
        with pytest.raises(Lost, match="another server is using"):
            await Hasty(str(link)).open()
        # Somebody takes the lock for left over. The server makes it anew, unless another one has been quicker.
        lock = Path(f"{file}.lock")
        lock.unlink()
        await one.append(lease, 1, [b"two"])
        with pytest.raises(Lost, match="another server is using"):
            await Hasty(str(file)).open()
        lock.unlink()
        two = Hasty(str(file))
        await two.open()
        with pytest.raises(Lost, match="another server is using"):
            await one.append(lease, 2, [b"three"])
        assert await two.read("abcdefghjk") == [b"one", b"two"]
        await one.close()
        await two.close()

    run(story())


def test_a_new_table_or_a_seat_is_a_clear_no_and_what_is_read_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        journal = Wavering(str(tmp_path / "journal.sqlite"))
        hub = Hub(journal)
        await hub.open()
        room, *_ = await two(hub)
        other, *_ = await hub.create("", "Cid", "male", {}, 3, [])
        other.close("test", "")
        journal.mood = "down"
        site = website(hub, gate=Gate(10**6))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://here") as web:
            made = await web.post("/api/tables", json={"host": {"name": "Dee"}})
            assert (made.status_code, made.json()["code"]) == (503, "unwritable")
            sat = await web.post(f"/api/tables/{room.table.id}/seats", json={"name": "Eve"})
            assert (sat.status_code, sat.json()["code"]) == (503, "unwritable")
            assert (await web.get(f"/api/tables/{other.table.id}")).status_code == 200  # loaded from the journal
            journal.mood = ""
            assert (await web.post(f"/api/tables/{room.table.id}/seats", json={"name": "Eve"})).status_code == 201
        await hub.close()

    run(story())


def test_whoever_comes_back_while_nothing_can_be_written_is_let_in(tmp_path: Path) -> None:
    """Also if a bot has played for him, which would be written down."""

    async def story() -> None:
        journal = Wavering(str(tmp_path / "journal.sqlite"))
        hub = Hub(journal)
        await hub.open()
        room, _, bob, tokens = await two(hub)
        room.inbox.put_nowait((bob.guest, None))
        await room.call(lambda: [en.StandIn(1, True)])
        journal.mood = "down"
        back = Person(room, tokens[1])
        await back.until(lambda: [h for h in back.heard if h["t"] == "welcome"])
        with pytest.raises(Trouble, match="does not answer"):
            await room.call(lambda: [en.StandIn(1, False)])
        journal.mood = ""
        assert (await back.say("1", "here I am"))["ok"]
        assert not room.unwritten
        await hub.close()

    run(story())


def test_bots_and_clocks_try_again_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kickdoor.server.room.WRITE_AGAIN", 0.02)

    async def story() -> None:
        journal = Wavering(str(tmp_path / "journal.sqlite"))
        hub = Hub(journal)
        await hub.open()
        bots = ["random", "random"]
        room, _, token = await hub.create("", "Ann", "female", {"bot_speed": "instant"}, 3, bots)
        ann = Person(room, token)
        await ann.until(lambda: ann.heard)
        await room.call(lambda: deciding.decide(room.table, 0, pr.Start("s")))
        await room.call(lambda: [en.StandIn(0, True)])  # whoever is next, it is a bot
        journal.mood = "down"
        await ann.until(lambda: "unwritable" in ann.problems())
        stood = room.table.seq
        await asyncio.sleep(0.1)
        assert room.table.seq == stood
        assert not room.closed
        journal.mood = ""
        await ann.until(lambda: "writable" in ann.problems())
        await ann.until(lambda: room.table.seq > stood)
        await hub.close()

    run(story())
