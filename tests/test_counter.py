"""Counters for real cards on the wire: nobody's tap is lost, whatever happens to lines, servers and journals."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from house import House
from house import story as a_house
from kickdoor.companion import shapes
from kickdoor.companion import taps as tp
from kickdoor.server import ahead, counter_sockets, housekeeping, limits, sockets
from kickdoor.server import counter_entries as ce
from kickdoor.server import counter_room as cr
from kickdoor.server.archive import Attic
from kickdoor.server.hub import Hub
from kickdoor.server.journal import Damaged, Lease, Lost, Stale
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.makers import Makers
from kickdoor.server.names import kept_as
from kickdoor.server.trouble import Trouble
from phones import Phone
from serving import Server, call, data


def run(coro: Any, seconds: float = 120) -> Any:
    return asyncio.run(asyncio.wait_for(coro, seconds))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(*data(tmp_path_factory.mktemp("counters"))) as s:
        yield s


def made(url: str, **body: Any) -> str:
    status, answer = call(f"{url}/api/counter", body)
    assert status == 201, answer
    assert answer["link"] == f"{url}/counter/{answer['counter']}"
    return str(answer["counter"])


def level(ident: str, clock: int = 1, **more: Any) -> dict[str, Any]:
    return {"kind": "level", "id": ident, "clock": clock, "who": "d1", "at": 5, "sheet": "ann", "by": 1, **more}


# -- phones ---------------------------------------------------------------------------------------------------------


def test_a_tap_is_on_all_phones(server: Server) -> None:
    async def story() -> None:
        counter = made(server.url)
        async with Phone(server.url, counter) as a, Phone(server.url, counter) as b:
            await a.tap("person", sheet="ann", name="Ann")
            await b.tap("level", sheet="ann", by=2)
            await a.until(lambda: a.level("ann") == 3 and len(a.taps) == 2)
            await b.until(lambda: b.level("ann") == 3 and len(b.taps) == 2)
            await a.quiet()
            await b.quiet()
            assert a.here == b.here == sorted([a.device, b.device])
            await b.cut()
            await a.until(lambda: a.here == [a.device])

    run(story())


def test_two_phones_that_were_apart(server: Server) -> None:
    """Each taps on without a line, also about the same sheet; when the lines are back both have all of it."""

    async def story() -> None:
        counter = made(server.url)
        async with Phone(server.url, counter) as a, Phone(server.url, counter) as b:
            await a.tap("person", sheet="ann", name="Ann")
            await b.until(lambda: len(b.taps) == 1)
            await a.cut()
            await b.cut()
            for i in range(60):
                await a.tap("level", sheet="ann", by=1)
                undone = await b.tap("level", sheet="ann", by=2)
                if i % 3 == 0:
                    await b.tap("undo", taps=[undone])
            await a.tap("person", sheet="ann", name="Anna")
            await b.connect()
            await b.quiet()
            await a.connect()
            await a.quiet()
            for p in (a, b):
                await p.until(lambda p=p: len(p.taps) == 1 + 60 + 60 + 20 + 1)
                assert p.level("ann") == 1 + 60 + 120
            assert a.ordered == b.ordered

    run(story())


def test_who_comes_late_hears_only_what_is_new(server: Server) -> None:
    async def story() -> None:
        counter = made(server.url)
        async with Phone(server.url, counter) as a:
            for _ in range(250):
                await a.tap("level", sheet="ann", by=1)
            await a.quiet()
            async with Phone(server.url, counter) as b:
                await b.until(lambda: b.level("ann") == 251)
                assert b.welcome is not None
                assert b.welcome["first"] == 0
                await b.cut()
                await a.tap("gear", sheet="ann", by=3)
                await a.quiet()
                await b.connect()
                await b.until(lambda: len(b.taps) == 251)
                assert b.welcome["first"] == 250

    run(story())


def test_the_document_brings_the_table_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who scans the code can tap before there is a line. Nothing that somebody wrote can end the block it stands in."""

    async def story(house: House) -> None:
        name = "</script><b>"
        person = {"kind": "person", "id": "p-1", "clock": 1, "who": "d1", "at": 5, "sheet": "ann", "name": name}
        room = await house.hub.counters.make("abcdefghjk", [("p-1", tp.encode(person))])
        ahead.prepare(False)
        text = ahead.block(house.hub, "/counter/abcdefghjk", "", False, "abcdefghjk")
        assert text.count("</") == 1
        data = json.loads(text.partition(">")[2].rpartition("</")[0])
        assert data["counter"] == {"line": room.told.line, "taps": [person]}
        assert data["about"]["packs"]
        monkeypatch.setattr(limits, "AHEAD_BYTES", 10)  # a long evening comes by the line
        assert '"taps"' not in ahead.block(house.hub, "/counter/abcdefghjk", "", False, "abcdefghjk")
        assert "packs" in ahead.block(house.hub, "/counter/zzzzzzzzzz", "", False, "zzzzzzzzzz")

    a_house(tmp_path, story)


def test_a_counter_begun_without_a_line_comes_to_the_server(server: Server) -> None:
    """The phone has made up its name, and asks as often as it likes; the taps are there once."""
    taps = [level(f"tap-{i:05}", i + 1) for i in range(40)]
    for _ in range(2):
        assert made(server.url, counter="abcdefghjk", taps=taps) == "abcdefghjk"
    status, told = call(f"{server.url}/api/counter/abcdefghjk")
    assert status == 200
    assert [t["id"] for t in told["taps"]] == [t["id"] for t in taps]
    assert told["seq"] == 40


def test_what_is_sent_is_what_the_schema_says(server: Server) -> None:
    schema = json.loads(json.dumps(shapes.schema()))
    counter = made(server.url, taps=[level("tap-00001")])
    told = call(f"{server.url}/api/counter/{counter}")[1]
    Draft202012Validator({**schema, "$ref": "#/$defs/CounterTold", "anyOf": [{}]}).validate(told)
    assert call(f"{server.url}/api/counter/protocol.json")[1] == schema


# -- what will not do -----------------------------------------------------------------------------------------------

BAD: list[dict[str, Any]] = [
    level("tap-00001", kind="levels"),
    level("short"),
    level("tap-00001", by=1.5),
    level("tap-00001", by=10**9),
    level("tap-00001", clock=0),
    level("tap-00001", more=1),
    level("tap-00001", why="a\u202eb"),
    level("tap-00001", why="a\nb"),
    {"kind": "person", "id": "tap-00001", "clock": 1, "who": "d1", "at": 1, "sheet": "a/b"},
    {"kind": "undo", "id": "tap-00001", "clock": 1, "who": "d1", "at": 1, "taps": []},
    {"kind": "put", "id": "tap-00001", "clock": 1, "who": "d1", "at": 1, "thing": "x", "place": "nowhere"},
]


@pytest.mark.parametrize("tap", BAD, ids=str)
def test_a_tap_is_looked_at_to_the_leaves(tap: dict[str, Any]) -> None:
    good, bad = cr.sorted_out([msgspec.Raw(json.dumps(tap).encode()), msgspec.Raw(json.dumps(level("tap-fine")))])
    assert [ident for ident, _ in good] == ["tap-fine"]
    assert [b.ident for b in bad] == [tap["id"]]


def test_a_name_ends_where_it_ends(server: Server) -> None:
    """One with a line end could be made, and neither visited nor archived."""
    status, answer = call(f"{server.url}/api/counter", {"counter": "aaaaaaaaaa\n"})
    assert status == 422, answer


def test_one_bad_tap_does_not_keep_the_others_back(server: Server) -> None:
    async def story() -> None:
        counter = made(server.url)
        async with Phone(server.url, counter) as a:
            rows = [level("tap-00001"), level("tap-00002", by="x"), level("tap-00003")]
            await a.raw(json.dumps({"t": "taps", "taps": rows}))
            await a.until(lambda: len(a.taps) == 2 and bool(a.refused))
            assert a.refused[0]["ids"] == ["tap-00002"]
            assert a.refused[0]["again"] == 0
            await a.raw("nonsense")
            await a.raw(json.dumps({"t": "taps", "taps": [level(f"tap-{i:05}") for i in range(51)]}))
            await a.raw("x" * (limits.MESSAGE_BYTES + 1))
            await a.until(lambda: len(a.problems) == 3)
            assert [p["code"] for p in a.problems] == ["not_understood", "not_understood", "too_long"]
            await a.tap("level", sheet="ann", by=1)
            await a.quiet()

    run(story())


def test_no_such_counter(server: Server) -> None:
    async def story() -> None:
        for name in ("zzzzzzzzzz", "0zzzzzzzzz", "short"):
            async with Phone(server.url, name) as a:
                assert a.goodbye is not None
                assert a.goodbye["code"] == "no_counter"
            assert call(f"{server.url}/api/counter/{name}")[0] == 404

    run(story())
    counter = made(server.url)
    assert call(f"{server.url}/api/tables/{kept_as(counter)}")[0] == 404  # a counter is no table
    assert call(f"{server.url}/api/counter", {"counter": "no name!!!"})[0] == 422


def test_more_than_one_address_may_tap(tmp_path: Path) -> None:
    """An evening without a line comes at once; after that nobody taps faster than fingers do."""

    async def story() -> None:
        hub, room = await _room(SqliteJournal(str(tmp_path / "j.sqlite")))
        ear = Heard()
        mouth = counter_sockets.Ear(ear, room, ear.phone, limits.Gate(), "192.0.2.1")  # type: ignore[arg-type]
        for i in range(int(limits.TAPS.burst) // 50 + 2):
            rows = [level(f"tap-{i:04}-{k:02}") for k in range(50)]
            mouth.hear(json.dumps({"t": "taps", "taps": rows}).encode())
        assert len(room.inbox._letters) == limits.TAPS.burst // 50
        assert {x["code"] for x in ear.of("refused")} == {"too_fast"}
        assert all(x["again"] > 0 for x in ear.of("refused"))
        assert not ear.gone
        await hub.close()

    run(story())


def test_more_bytes_than_one_address_may_tap(tmp_path: Path) -> None:
    """Counters that nobody needs do not fill the journal: neither over a socket nor by being made."""

    async def story() -> None:
        hub, room = await _room(SqliteJournal(str(tmp_path / "j.sqlite")))
        ear, gate = Heard(), limits.Gate()
        mouth = counter_sockets.Ear(ear, room, ear.phone, gate, "192.0.2.1")  # type: ignore[arg-type]
        gate.tapped_bytes.per_second = 1.0  # so slow that a busy machine gives nothing back
        gate.tapped_bytes.take("192.0.2.1", limits.TAPPED_BYTES.burst)
        mouth.hear(json.dumps({"t": "taps", "taps": [level(f"tap-{k:05}") for k in range(50)]}).encode())
        [no] = ear.of("refused")
        assert no["code"] == "too_fast"
        size = sum(len(raw) for _, raw in kept(*(f"tap-{k:05}" for k in range(50))))
        assert counter_sockets.AGAIN < no["again"] <= size
        assert gate.may_tap(room.name, "192.0.2.2", 50, size)
        await hub.close()

    async def tell(house: House) -> None:
        body = {"taps": [level("tap-00001")]}
        house.gate.tapped_bytes.take("192.0.2.1", limits.TAPPED_BYTES.burst)
        house.gate.tapped_bytes.per_second = 0.001
        async with house.caller("192.0.2.1") as a, house.caller("192.0.2.2") as b:
            assert (await a.post("/api/counter", json=body)).status_code == 429
            assert (await b.post("/api/counter", json=body)).status_code == 201

    run(story())
    a_house(tmp_path, tell)


def test_no_address_has_a_counter_for_itself(tmp_path: Path) -> None:
    """Neither by its places, nor by those of a phone that it is not, nor by coming and going."""

    async def story() -> None:
        hub, room = await _room(SqliteJournal(str(tmp_path / "j.sqlite")))
        gate = limits.Gate()
        gate.phones, gate.returns = limits.Counts(10), limits.Buckets(limits.Rate(12, 0.001))
        lines: list[asyncio.Task[None]] = []

        async def comes(address: str, device: str) -> Heard:
            """A line that stays, or is sent away."""
            ear = Heard()
            ws = Waiting(tp.encode(tp.Hello(tp.VERSION, device)), room.counter)
            task = asyncio.create_task(counter_sockets.visit(ws, ear, hub, gate, address))  # type: ignore[arg-type]
            lines.append(task)
            await _until(lambda: bool(ear.gone or ear.of("welcome")))
            return ear

        bad, good = "192.0.2.1", "192.0.2.2"
        anns = [await comes(bad, "ann-1") for _ in range(limits.SOCKETS_PER_SEAT + 1)]
        assert [ear.gone for ear in anns] == [""] * limits.SOCKETS_PER_SEAT + ["crowded"]
        others = [await comes(bad, f"dev-{k}") for k in range(3)]
        assert [ear.gone for ear in others] == ["", "", "crowded"], "it has ten places"
        assert (await comes(bad, "dev-9")).gone == "busy", "and has come too often"
        ann = await comes(good, "ann-1")
        assert not ann.gone, "she is who she says she is, at another address"
        assert not (await comes(good, "bob-1")).gone
        for task in lines:
            task.cancel()
        await asyncio.gather(*lines, return_exceptions=True)
        assert len(gate.phones) == len(gate.seats) == 0
        await hub.close()

    run(story())


def test_a_flood_of_pings_ends_the_line(tmp_path: Path) -> None:
    async def story() -> None:
        hub, room = await _room(SqliteJournal(str(tmp_path / "j.sqlite")))
        ear, gate = Heard(), limits.Gate()
        mouth = counter_sockets.Ear(ear, room, ear.phone, gate, "192.0.2.1")  # type: ignore[arg-type]
        gate.taps.take((room.name, "192.0.2.1"), limits.TAPS.burst)
        gate.taps.per_second = 0
        for n in range(sockets.RUBBISH * 10 + 2):
            assert not ear.gone or n >= sockets.RUBBISH * 10
            mouth.hear(b'{"t":"ping","n":%d}' % n)
        assert ear.gone == "flood"
        assert ear.said == []
        await hub.close()

    run(story())


# -- the journal ----------------------------------------------------------------------------------------------------


def test_the_power_goes(server: Server) -> None:
    """kill -9 in the middle of taps: what anybody was told is there, and what was not comes again."""

    async def story() -> None:
        counter = made(server.url)
        async with AsyncExitStack() as stack:
            phones = [await stack.enter_async_context(Phone(server.url, counter)) for _ in range(3)]
            for i in range(90):
                await phones[i % 3].tap("level", sheet="ann", by=1)
            server.kill()
            for p in phones:
                await p.tap("level", sheet="ann", by=1)
            await asyncio.to_thread(server.start)
            for p in phones:
                await p.quiet()
            for p in phones:
                await p.until(lambda p=p: len(p.taps) == 93)
                assert p.level("ann") == 1 + 93
            assert len({tuple(p.ordered) for p in phones}) == 1
        told = call(f"{server.url}/api/counter/{counter}")[1]
        assert sorted(t["id"] for t in told["taps"]) == sorted(phones[0].taps)

    run(story())


async def _room(journal: Any, taps: list[tuple[str, bytes]] | None = None) -> tuple[Hub, cr.CounterRoom]:
    hub = Hub(journal)
    await hub.open()
    return hub, await hub.counters.make("abcdefghjk", taps or [])


class Waiting:
    """A socket on which somebody says hello, and then nothing."""

    def __init__(self, hello: bytes, counter: str) -> None:
        self.path_params = {"table": counter}
        self._hello: bytes | None = hello

    async def receive(self) -> dict[str, Any]:
        said, self._hello = self._hello, None
        if said is None:
            await asyncio.Event().wait()
        return {"type": "websocket.receive", "bytes": said}


def kept(*idents: str) -> list[tuple[str, bytes]]:
    return cr.sorted_out([msgspec.Raw(json.dumps(level(i)).encode()) for i in idents])[0]


async def _until(so: Callable[[], bool]) -> None:
    while not so():
        await asyncio.sleep(0.001)


class Heard:
    """The other end of a phone's line, in this process."""

    over = False

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self.gone = ""
        self.phone = cr.Phone("dev-1", self.send, self.hang_up)

    def hang_up(self, code: str, says: str) -> None:
        self.gone = code

    def send(self, raw: bytes) -> bool:
        self.said.append(json.loads(raw))
        return True

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [x for x in self.said if x["t"] == kind]


def test_nothing_is_shown_that_could_not_be_written(tmp_path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "j.sqlite"))
        hub, room = await _room(journal)
        ear = Heard()
        room.inbox.put_nowait(cr.Come(ear.phone, tp.Hello(tp.VERSION, "dev-1")))
        await room.tell(kept("tap-00001"))
        append = journal.append

        async def broken(*_: Any) -> None:
            raise Lost("the disk is full")

        journal.append = broken  # type: ignore[assignment,method-assign]
        room.inbox.put_nowait(cr.Said(kept("tap-00001", "tap-00002"), ear.phone))
        with pytest.raises(Trouble, match="disk is full"):
            await room.tell(kept("tap-00003"))
        assert [x["ids"] for x in ear.of("refused")] == [["tap-00002"]]
        assert ear.of("refused")[0]["again"] > 0
        assert [x["code"] for x in ear.of("problem")] == ["unwritable"]
        assert [t["id"] for x in ear.of("news") for t in x["taps"]] == ["tap-00001"]
        journal.append = append  # type: ignore[method-assign]
        room.inbox.put_nowait(cr.Said(kept("tap-00002"), ear.phone))
        await room.tell(kept("tap-00003"))
        assert [t["id"] for x in ear.of("news") for t in x["taps"]] == ["tap-00001", "tap-00002", "tap-00003"]
        assert [x["code"] for x in ear.of("problem")] == ["unwritable", "writable"]
        await hub.close()
        assert ear.gone == "restart"

    run(story())


@pytest.mark.parametrize(
    ("why", "code"), [(ValueError("a bug"), "failed"), (Stale("gone"), "elsewhere"), (Damaged("bad"), "elsewhere")]
)
def test_nobody_waits_in_vain_for_a_room_that_fails(tmp_path: Path, why: Exception, code: str) -> None:
    """Neither who has come with the last letters, nor who has told something, nor who comes after."""

    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "j.sqlite"))
        hub, room = await _room(journal)

        async def broken(*_: Any) -> None:
            room.inbox.put_nowait(cr.Come(later.phone, tp.Hello(tp.VERSION, "dev-2")))
            raise why

        journal.append = broken  # type: ignore[assignment,method-assign]
        with_it, later = Heard(), Heard()
        room.inbox.put_nowait(cr.Come(with_it.phone, tp.Hello(tp.VERSION, "dev-1")))
        with pytest.raises(Trouble) as e:
            await room.tell(kept("tap-00001"))
        assert (e.value.code, with_it.gone) == (code, code)
        await _until(lambda: room.closed)
        assert later.gone
        await hub.close()

    run(story())


def test_who_comes_to_a_room_that_has_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it was found, or while the taps that came with the phone were written."""

    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "j.sqlite"))
        hub, room = await _room(journal)
        append = journal.append

        async def closing(*args: Any) -> None:
            await append(*args)
            room.close("idle", "")

        journal.append = closing  # type: ignore[assignment,method-assign]
        ear = Heard()
        room.inbox.put_nowait(cr.Come(ear.phone, tp.Hello(tp.VERSION, "dev-1")))
        await room.tell(kept("tap-00001"))
        await _until(lambda: bool(ear.gone))
        assert (ear.gone, ear.of("welcome"), room.phones) == ("elsewhere", [], [])

        async def hello(*_: Any) -> tp.Hello:
            return tp.Hello(tp.VERSION, "dev-1")

        async def found(*_: Any) -> cr.CounterRoom:
            return room

        monkeypatch.setattr(counter_sockets, "_hello", hello)
        monkeypatch.setattr(counter_sockets, "_room", found)
        late = Heard()
        await counter_sockets.visit(None, late, hub, limits.Gate(), "192.0.2.1")  # type: ignore[arg-type]
        assert late.gone == "elsewhere"
        await hub.close()

    run(story())


def test_a_counter_has_one_room(tmp_path: Path) -> None:
    """Made while others look for it: by the door, and by the porter for somebody who has gone meanwhile."""

    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "j.sqlite"))
        hub = Hub(journal)
        await hub.open()
        create = journal.create
        found: list[cr.CounterRoom] = []
        asking: list[asyncio.Task[cr.CounterRoom]] = []

        async def slowly(name: str, entries: Any) -> Lease:
            lease = await create(name, entries)
            asking.append(asyncio.create_task(hub.counters.room("abcdefghjk")))
            await asyncio.sleep(0)
            assert not hub.counters.porter.knows(name)  # whoever comes by the door waits there
            found.append(await hub.counters.porter.fetch(name))
            return lease

        journal.create = slowly  # type: ignore[assignment,method-assign]
        room = await hub.counters.make("abcdefghjk", kept("tap-00001"))
        assert found == [room]
        assert await asking[0] is room
        assert list(hub.counters.rooms.values()) == [room]
        await room.tell(kept("tap-00002"))
        assert room.told.ids == {"tap-00001", "tap-00002"}
        await hub.close()

    run(story())


def test_a_house_full_of_taps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By their bytes, not only by their number: those that nobody has visited for longest go."""

    async def story() -> None:
        hub, room = await _room(SqliteJournal(str(tmp_path / "j.sqlite")), kept("tap-00001"))
        other = await hub.counters.make("abcdefghjm", kept("tap-00001"))
        monkeypatch.setattr(limits, "COUNTERS_BYTES", room.told.size + other.told.size)
        with pytest.raises(Trouble, match="all the counters it can hold"):  # somebody may come at any moment
            await hub.counters.make("abcdefghjn", [])
        room.empty_since -= 60
        other.empty_since -= 50
        await hub.counters.make("abcdefghjn", [])
        assert sorted(r.counter for r in hub.counters.rooms.values()) == ["abcdefghjm", "abcdefghjn"]
        assert room.closed
        await hub.close()

    run(story())


def test_a_counter_that_is_found_again_is_no_other() -> None:
    async def story() -> None:
        makers = Makers(lambda: {"one"})
        for _ in range(2 * limits.TABLES_PER_ADDRESS):
            place = await makers.enter("192.0.2.1")
            assert place
            await makers.leave("192.0.2.1", place, "one")

    run(story())


def test_counters_are_read_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    told = ce.told

    def noted(entries: Sequence[bytes]) -> ce.Told:
        threads.append(threading.current_thread().name)
        return told(entries)

    async def story() -> None:
        hub, room = await _room(SqliteJournal(str(tmp_path / "j.sqlite")), kept("tap-00001"))
        await hub.counters.let_go(room, "idle", "")
        monkeypatch.setattr(ce, "told", noted)
        assert (await hub.counters.room("abcdefghjk")).told.ids == {"tap-00001"}
        await hub.close()

    run(story())
    assert [t.partition("_")[0] for t in threads] == ["workshop"]


def test_a_full_counter_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TAPS_PER_COUNTER", 2)

    async def story() -> None:
        hub, room = await _room(SqliteJournal(str(tmp_path / "j.sqlite")))
        ear = Heard()
        room.inbox.put_nowait(cr.Said(kept("tap-00001", "tap-00002", "tap-00003"), ear.phone))
        with pytest.raises(Trouble, match="takes no more"):
            await room.tell(kept("tap-00004"))
        await room.tell(kept("tap-00001"))  # it is there
        assert [x["ids"] for x in ear.of("took")] == [["tap-00001", "tap-00002"]]
        assert [(x["ids"], x["code"]) for x in ear.of("refused")] == [(["tap-00003"], "full")]
        monkeypatch.setattr(limits, "TAPS_PER_COUNTER", 10)
        monkeypatch.setattr(limits, "COUNTER_BYTES", room.told.size + 10)
        with pytest.raises(Trouble, match="takes no more"):
            await room.tell(kept("tap-00004"))
        await hub.close()

    run(story())


def test_a_damaged_counter_goes_on_with_what_the_phones_have(tmp_path: Path) -> None:
    """After the damage the numbers begin anew (`line`), so that every phone says what the server lacks."""
    path = tmp_path / "j.sqlite"

    async def write() -> None:
        hub, room = await _room(SqliteJournal(str(path)), kept("tap-00001"))
        await room.tell(kept("tap-00002"))
        await room.tell(kept("tap-00003"))
        await hub.close()

    async def read() -> None:
        hub = Hub(SqliteJournal(str(path)))
        await hub.open()
        room = await hub.counters.room("abcdefghjk")
        assert room.told.line == 2
        assert room.told.ids == {"tap-00001"}
        ear = Heard()
        room.inbox.put_nowait(cr.Come(ear.phone, tp.Hello(tp.VERSION, "dev-1", 1, 3)))
        await room.tell(kept("tap-00002", "tap-00003"))
        assert ear.of("welcome")[0]["first"] == 0
        await hub.close()

    async def again() -> None:
        journal = SqliteJournal(str(path))
        await journal.open()
        looked = await housekeeping.look(journal, kept_as("abcdefghjk"), play=True)
        assert looked.damage == ""
        told = ce.told(await journal.read(kept_as("abcdefghjk")))
        assert (told.line, sorted(told.ids)) == (2, ["tap-00001", "tap-00002", "tap-00003"])
        await journal.close()

    run(write())
    with sqlite3.connect(path) as db:
        db.execute("update entries set data = ? where seq = 3", (b'{"e":"taps","at":1.0,"taps":[]}',))
    run(read())
    run(again())


def test_a_counter_of_which_nothing_is_left_comes_back_from_the_phones(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"

    async def write() -> None:
        hub, _ = await _room(SqliteJournal(str(path)), kept("tap-00001"))
        await hub.close()

    async def read() -> None:
        hub = Hub(SqliteJournal(str(path)))
        await hub.open()
        room = await hub.counters.room("abcdefghjk")
        assert room.told.ids == set()
        assert room.told.line > 1, "no phone has been told of this one: each says what it has"
        await hub.counters.make("abcdefghjk", kept("tap-00001"))
        assert room.told.ids == {"tap-00001"}
        await hub.close()

    run(write())
    with sqlite3.connect(path) as db:
        db.execute("update entries set data = ? where seq = 1", (b"rubbish",))
    run(read())


def test_journal_tools_know_counters(tmp_path: Path) -> None:
    """Looked through, archived when nobody has touched it for long, and made again by any phone that has it."""

    async def story() -> None:
        path = tmp_path / "j.sqlite"
        hub = Hub(SqliteJournal(str(path)), attic=Attic(tmp_path / "attic", keep=-10.0))
        await hub.open()
        room = await hub.counters.make("abcdefghjk", kept("tap-00001"))
        assert await hub.put_old_away() == 0  # somebody may be looking
        await hub.counters.let_go(room, "idle", "")
        assert list(housekeeping.games(await housekeeping.told(hub.journal, room.name))) == []
        assert await hub.put_old_away() == 1
        with pytest.raises(Trouble, match="archive"):
            await hub.counters.room("abcdefghjk")
        room = await hub.counters.make("abcdefghjk", kept("tap-00001", "tap-00002"))
        assert len(room.told.taps) == 2
        await hub.close()

    run(story())


def test_old_counters_are_read(tmp_path: Path) -> None:
    """The first version of what a journal holds of a counter; a later one that differs has to read this."""
    entries = [
        b'{"e":"counter","at":1794000000.0,"counter":"abcdefghjk"}',
        b'{"e":"taps","at":1794000001.5,"taps":[{"kind":"person","id":"tap-00001","clock":1,"who":"d1","at":5,"sheet":"ann"},'
        b'{"kind":"level","id":"tap-00002","clock":2,"who":"d1","at":6,"sheet":"ann","by":1}]}',
    ]
    assert ce.told(entries).ids == {"tap-00001", "tap-00002"}

    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "j.sqlite"))
        await journal.open()
        assert isinstance(await journal.create(kept_as("abcdefghjk"), entries), Lease)
        await journal.close()
        hub = Hub(SqliteJournal(str(tmp_path / "j.sqlite")))
        await hub.open()
        assert len((await hub.counters.room("abcdefghjk")).told.taps) == 2
        await hub.close()

    run(story())
