"""Everything that a stranger can make bigger has a bound, for each address, seat and table. One drill for each way in."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import random
import re
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kickdoor.bots import known
from kickdoor.cards.packs import known_packs
from kickdoor.engine import setup
from kickdoor.engine.kernel import legal, to_act
from kickdoor.server import catalog, deciding, limits, replays, showing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.connections import networks, patient
from kickdoor.server.hub import Hub
from kickdoor.server.journal import Lost
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.limits import Buckets, Counts, Gate, Rate, Who, household
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble
from kickdoor.server.website import policy, website
from kickdoor.server.workshop import Slices, TookTooLong, Workshop

ANN = {"host": {"name": "Ann"}}
GENEROUS = 10**6


class House:
    """The whole application in this process: asked directly, as if from any address."""

    def __init__(self, folder: Path, gate: Gate) -> None:
        self.gate = gate
        self.hub = Hub(SqliteJournal(str(folder / "journal.sqlite")))
        self.app = website(self.hub, gate=gate)

    def caller(self, address: str = "192.0.2.1") -> httpx.AsyncClient:
        way = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(address, 1))
        return httpx.AsyncClient(transport=way, base_url="http://test")


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is counted: however slow this machine is, nothing fills up again."""
    monkeypatch.setattr(limits, "monotonic", lambda: 1000.0)


def story(folder: Path, tell: Callable[[House], Any], times: float = 1) -> Any:
    """Open a house, let something happen in it, close it."""

    async def run() -> Any:
        house = House(folder, Gate(times))
        await house.hub.open()
        try:
            return await asyncio.wait_for(tell(house), 60)
        finally:
            await house.hub.close()

    return asyncio.run(run())


@contextlib.asynccontextmanager
async def listening(house: House) -> AsyncIterator[int]:
    """The same behind a real port of this machine."""
    config = uvicorn.Config(
        house.app, port=0, http=patient(house.gate), lifespan="off", log_level="critical", access_log=False
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.005)
    try:
        yield int(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await task


async def eventually(test: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not test():
            await asyncio.sleep(0.005)


# -- how limits are counted -------------------------------------------------------------------------------------------


def test_a_bucket_gives_its_burst_and_then_a_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr(limits, "monotonic", lambda: moment)
    b: Buckets[str] = Buckets(Rate(3, 0.5))
    assert [b.take("a") for _ in range(4)] == [True, True, True, False]
    assert b.wait("a") == 2
    assert b.take("b"), "everybody has his own"
    moment += 2
    assert [b.take("a") for _ in range(2)] == [True, False]
    moment += 1000
    assert [b.take("a") for _ in range(4)].count(True) == 3, "it never holds more than its burst"
    assert b.take("c", 50), "what costs more than there can be is done when it is full"
    assert not b.take("c")


def test_strangers_cannot_wash_out_what_is_known_of_an_address() -> None:
    b: Buckets[int] = Buckets(Rate(1, 0.001), kept=100)
    assert b.take(-1)
    for i in range(1000):
        b.take(i)
        assert not b.take(-1), "who goes on asking is remembered"
    assert len(b) == 100


def test_counts_go_down_again_and_leave_nothing_behind() -> None:
    c: Counts[str] = Counts(2)
    assert [c.enter("a") for _ in range(3)] == [True, True, False]
    c.leave("a")
    assert c.enter("a")
    c.leave("a")
    c.leave("a")
    assert len(c) == 0


def test_an_address_is_a_household() -> None:
    assert household("192.0.2.7") == "192.0.2.7"
    assert household("::ffff:192.0.2.7") == "192.0.2.7"
    assert household("2001:db8:1:2:3::4") == household("2001:db8:1:2:ffff::1") != household("2001:db8:1:3::4")
    assert household("fe80::1%eth0") == household("fe80::2")
    assert household("no address at all") == household("x" * 5000)


def test_the_table_of_limits_in_the_documentation_is_that_of_the_code() -> None:
    text = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
    for what, bound in limits.told():
        assert f"| {what} | {bound} |" in text


# -- the cards of a table ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "copies",
    [
        {"Potted Plant": 5_000_000},
        {"Potted Plant": 0},
        {"Potted Plant": -1},
        {"Potted Plant": limits.COPIES_OF_A_CARD + 1},
        {"Potted Plant": 10**30},
        {f"Card {i}": limits.COPIES_OF_A_CARD for i in range(limits.COPIES_OF_ALL // limits.COPIES_OF_A_CARD + 1)},
        {"x" * 5000: 1},
        {"\x00": 1},
        {"\ud800": 1},
    ],
)
def test_copies_that_are_too_many_are_refused_before_any_is_made(tmp_path: Path, copies: dict[str, int]) -> None:
    async def tell(house: House) -> None:
        made = setup._library.cache_info().misses
        async with house.caller() as c:
            raw = json.dumps({**ANN, "options": {"copies": copies}})
            answer = await c.post("/api/tables", content=raw, headers={"Content-Type": "application/json"})
        assert answer.status_code == 409
        assert answer.json()["code"] == "bad_option"
        assert setup._library.cache_info().misses == made
        assert not house.hub.rooms

    story(tmp_path, tell)


def test_a_table_with_too_many_cards_that_is_in_the_journal_already_is_not_dealt(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        options = op.plain(op.TableOptions(copies={"Potted Plant": 5_000_000}))
        entries: list[en.Entries] = [en.Opened("abcdefghjk", "Old", options, 3), en.Sealed(1, "salt")]
        await house.hub.journal.create("abcdefghjk", [en.pack(en.Entry(w)) for w in entries])
        made = setup._library.cache_info().misses
        async with house.caller() as c:
            for path in ("", "/replay", "/replay/1", "/qr.svg"):
                answer = await c.get(f"/api/tables/abcdefghjk{path}")
                assert answer.status_code == 409
                assert "copies" in answer.json()["says"]
        assert setup._library.cache_info().misses == made

    story(tmp_path, tell)


def test_a_few_copies_more_are_welcome() -> None:
    o = op.changed(op.TableOptions(), {"copies": {"Potted Plant": limits.COPIES_OF_A_CARD}})
    assert len(op.cards(o).by_name["potted plant"]) == limits.COPIES_OF_A_CARD


def test_only_so_many_mixes_are_kept_and_only_so_many_bytes_of_them() -> None:
    mixes = catalog.Mixes(most=4, most_bytes=40_000)
    names = [d.name for d in op.cards(op.TableOptions()).unique][:8]
    hashes = []
    for name in names:
        o = op.TableOptions(without=[name])
        hashes.append(op.cards(o).hash)
        mixes.remember(hashes[-1], o)
        shown = json.loads(gzip.decompress(mixes.packed(hashes[-1])))
        assert name not in {c["name"] for c in shown}
        assert len(mixes) <= 4
        assert mixes.bytes <= 40_000
    again = mixes.packed(hashes[-1])
    assert mixes.packed(hashes[-1]) == again
    for gone in hashes[:2]:
        with pytest.raises(Trouble, match="No table"):
            mixes.packed(gone)
    assert len(mixes.packed(hashes[4])) > 1000, "its list had to go, but how it is made is known"


def test_what_is_shown_of_mixes_is_kept_for_a_few_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "MIXES_KEPT", 3)
    for i in range(10):
        t = Table("abcdefghjk")
        t.options = op.TableOptions(grace=60 + i)
        showing.table_part(t, [], 0)
    assert len(showing._mixes) <= 4


@pytest.mark.parametrize(
    "bot", ["lookahead@" + "9" * 5000, "lookahead@50", "lookahead#20", "x" * 500, "schemer:" + "x" * 99]
)
def test_a_bot_that_stands_in_is_one_that_could_be_seated(bot: str) -> None:
    with pytest.raises(Trouble) as no:
        op.changed(op.TableOptions(), {"standin": bot})
    assert no.value.code == "bad_option"
    if len(bot) < 20:
        t = Table("abcdefghjk")
        t.take(en.Entry(en.Opened(t.id, "T", op.plain(op.TableOptions()), 3)))
        with pytest.raises(Trouble, match="no bot"):
            deciding.bot_for(t, 1, bot)
    assert not known("lookahead@" + "9" * 5000)


# -- heavy work -------------------------------------------------------------------------------------------------------


def test_cards_are_made_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mix that nobody has played with takes a second: every other table goes on meanwhile."""
    threads: list[str] = []
    real = setup.build

    def build(*args: Any) -> Any:
        threads.append(threading.current_thread().name)
        return real(*args)

    monkeypatch.setattr(setup, "build", build)

    async def tell(house: House) -> None:
        async with house.caller() as c:
            options = {"without": ["Lawyers", "Plutonium Dragon"]}
            made = await c.post("/api/tables", json={**ANN, "options": options})
            assert made.status_code == 201
            shown = (await c.get(f"/api/tables/{made.json()['table']}")).json()
            assert (await c.get(f"/api/cards/{shown['cards']}")).status_code == 200
            setup._library.cache_clear()  # as after a restart
            house.hub.rooms[made.json()["table"]].close("idle", "")
            await eventually(lambda: not house.hub.rooms)
            assert (await c.get(f"/api/tables/{made.json()['table']}")).status_code == 200

    story(tmp_path, tell)
    assert len(threads) >= 2
    assert all(t.startswith("workshop") for t in threads)


def test_the_workshop_has_a_queue_with_an_end_and_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WORK_WAITING", 3)
    monkeypatch.setattr(limits, "WORK_SECONDS", 0.2)
    go_on = threading.Event()

    async def run() -> None:
        shop = Workshop()
        jobs = [asyncio.create_task(shop.do(go_on.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Trouble) as no:
            await shop.do(len, "abc")
        assert no.value.code == "busy"
        for job in jobs:
            with pytest.raises(Trouble):
                await job
        go_on.set()
        await eventually(lambda: shop.waiting == 0)
        assert await shop.do(len, "abc") == 3
        shop.close()

    asyncio.run(run())


def test_work_in_slices_comes_to_an_end() -> None:
    slices = Slices(0.01)
    with pytest.raises(TookTooLong):
        while True:
            slices.tick()


# -- replays ----------------------------------------------------------------------------------------------------------


def long_game(least: int = 300) -> replays.Replay:
    """The record of a game of bots, with some moves taken back."""
    rng = random.Random(5)
    t = Table("abcdefghjk")
    journal: list[en.Entry] = []

    def add(what: en.Entries) -> None:
        journal.append(en.Entry(what))
        t.take(journal[-1])

    add(en.Opened(t.id, "Long", op.plain(op.TableOptions()), 3))
    add(en.Sealed(7, "salt"))
    for seat in range(3):
        add(en.BotSat(seat, "random", "ABC"[seat], "male"))
    add(deciding.dealing(t, [0, 1, 2]))
    while len(journal) < least and t.status == "playing":
        assert t.game is not None
        seat = to_act(t.game)[0]
        add(en.Made(seat, [tuple(rng.choice(legal(t.game, seat))[1:])], "bot"))  # type: ignore[list-item]
        if len(journal) % 7 == 0:
            add(en.Undone(seat))
    t.status = "over"
    return replays.record(t, journal, 0)


def test_a_step_back_goes_on_from_the_nearest_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    record = long_game()
    steps = len(record.steps)
    marked, plain = replays.Stage(record, marks=6), replays.Stage(record)
    marked.go(steps)
    folded = 0
    real = Table.take

    def take(t: Table, e: en.Entry) -> None:
        nonlocal folded
        folded += 1
        real(t, e)

    rng = random.Random(1)
    for step in [steps - 1, steps - 2, 0, 1, *(rng.randrange(steps + 1) for _ in range(25))]:
        folded = 0
        with monkeypatch.context() as m:
            m.setattr(Table, "take", take)
            shown = replays.frame(marked, step)
        assert folded <= 2 * marked.marks.every + 2, "never from the start"
        assert pr.encode(shown) == pr.encode(replays.frame(plain, step)), "and it is the same table"
        assert len(marked.marks) <= 6
    assert marked.marks.every * 6 >= steps / 2


def test_a_replay_that_was_stopped_on_its_way_goes_on_from_there() -> None:
    record = long_game(120)
    stage = replays.Stage(record, marks=6)
    left = 40

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise TookTooLong

    with pytest.raises(TookTooLong):
        replays.frame(stage, len(record.steps), tick)
    assert stage.at == 40
    left = 1000
    replays.frame(stage, len(record.steps), tick)
    assert left > 1000 - len(record.steps) + 30


def test_only_so_many_replays_are_laid_out() -> None:
    record = long_game(60)
    shelf = replays.Shelf()
    for i in range(3 * limits.REPLAYS):
        r = replays.Replay(**{f: getattr(record, f) for f in record.__struct_fields__} | {"game": i + 1})
        stage = shelf.put(replays.Stage(r, limits.MARKS))
        assert shelf.get(r.table, r.game) is stage
        assert len(shelf) <= limits.REPLAYS
    assert shelf.get(record.table, 1) is None


def test_replays_are_told_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = long_game(80)
    threads: list[str] = []
    real = replays.frame

    def frame(*args: Any) -> Any:
        threads.append(threading.current_thread().name)
        return real(*args)

    monkeypatch.setattr(replays, "frame", frame)

    async def tell(house: House) -> None:
        async with house.caller() as c:
            ident = (await c.post("/api/tables", json=ANN)).json()["table"]
            record.table = ident
            house.hub.rooms[ident].table.games = 1
            site_shelf(house).put(replays.Stage(record, limits.MARKS))
            for step in (0, 30, 10):
                answer = await c.get(f"/api/tables/{ident}/replay/{step}")
                assert (answer.status_code, answer.json()["step"]) == (200, step)
            whole = await c.get(f"/api/tables/{ident}/replay", headers={"Accept-Encoding": "identity"})
            assert whole.json()["key"] == record.key
            packed = await c.get(f"/api/tables/{ident}/replay")
            assert packed.headers["content-encoding"] == "gzip"
            assert packed.json() == whole.json()

    story(tmp_path, tell)
    assert threads
    assert all(t.startswith("workshop") for t in threads)


def site_shelf(house: House) -> replays.Shelf:
    shelf: replays.Shelf = house.app.site.shelf
    return shelf


# -- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_time_passes")
def test_an_address_makes_a_few_tables_and_then_has_to_wait(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with house.caller("2001:db8::1") as c, house.caller("2001:db8::2") as same, house.caller() as other:
            codes = [(await c.post("/api/tables", json=ANN)).status_code for _ in range(25)]
            assert codes == [201] * 20 + [429] * 5
            no = await same.post("/api/tables", json=ANN)
            assert no.status_code == 429, "another address of the same network is the same household"
            assert 1 <= int(no.headers["retry-after"]) <= 5
            assert no.headers["retry-after"] in no.json()["says"]
            assert (await other.post("/api/tables", json=ANN)).status_code == 201

    story(tmp_path, tell)


def test_an_address_has_only_so_many_tables_that_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TABLES_PER_ADDRESS", 3)

    async def tell(house: House) -> None:
        async with house.caller() as c:
            made = [(await c.post("/api/tables", json=ANN)) for _ in range(4)]
            assert [m.status_code for m in made] == [201, 201, 201, 429]
            house.hub.rooms[made[0].json()["table"]].close("idle", "")
            await eventually(lambda: len(house.hub.rooms) == 2)
            assert (await c.post("/api/tables", json=ANN)).status_code == 201

    story(tmp_path, tell)


def test_a_full_house_lets_go_of_tables_that_nobody_visits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kickdoor.server import hub

    async def tell(house: House) -> None:
        house.hub.max_tables = 3
        async with house.caller() as c:
            made = [(await c.post("/api/tables", json=ANN)).json()["table"] for _ in range(3)]
            full = await c.post("/api/tables", json=ANN)
            assert (full.status_code, full.json()["code"]) == (503, "busy")
            monkeypatch.setattr(hub, "CROWDED_SECONDS", -1.0)
            assert (await c.post("/api/tables", json=ANN)).status_code == 201
            assert (await c.get(f"/api/tables/{made[0]}")).status_code == 200, "it comes back when somebody asks for it"
            assert len(house.hub.rooms) <= 3, "and looking at tables does not fill the house either"

    story(tmp_path, tell)


# -- sockets ----------------------------------------------------------------------------------------------------------


async def hello(port: int, table: str, token: str | None = None) -> tuple[ClientConnection, dict[str, Any]]:
    ws = await connect(f"ws://127.0.0.1:{port}/ws/tables/{table}", max_size=None)
    await ws.send(json.dumps({"t": "hello", "v": pr.VERSION, "token": token}))
    return ws, json.loads(await ws.recv())


async def said(ws: ClientConnection, **words: Any) -> dict[str, Any]:
    """What a command is answered."""
    await ws.send(json.dumps(words))
    while True:
        heard: dict[str, Any] = json.loads(await ws.recv())
        if heard.get("id") == words["id"]:
            return heard


@pytest.mark.usefixtures("no_time_passes")
def test_talk_is_counted_per_seat_and_address_and_not_per_socket(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            for token in (ticket["token"], None):
                fine = 0
                for i in range(40):  # a new socket for every line
                    ws, first = await hello(port, ticket["table"], token)
                    assert first["t"] == "welcome"
                    fine += (await said(ws, t="say", id=f"{token}{i}", text="spam"))["ok"]
                    await ws.close()
                assert fine == limits.CHAT.burst
            chat = [
                e
                for raw in await house.hub.journal.read(ticket["table"])
                if isinstance((e := en.unpack(raw)).what, en.Chatted)
            ]
            assert len(chat) == 2 * limits.CHAT.burst
            for counts in (house.gate.sockets, house.gate.seats, house.gate.watching):
                await eventually(lambda counts=counts: len(counts) == 0)

    story(tmp_path, tell)


@pytest.mark.usefixtures("no_time_passes")
def test_all_who_watch_share_what_can_be_read() -> None:
    gate = Gate()
    fine = sum(gate.may_talk(Who("table", -1, f"192.0.2.{i}")) for i in range(250))
    assert fine == limits.CHAT_OF_WATCHERS.burst
    assert gate.may_talk(Who("table", 0, "192.0.2.1")), "those who play can still talk"
    assert gate.may_talk(Who("another", -1, "192.0.2.200"))


@pytest.mark.usefixtures("no_time_passes")
def test_settings_and_sequences_have_their_price(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            ws, _ = await hello(port, ticket["table"], ticket["token"])
            answers = [await said(ws, t="ready", id=f"r{i}", ready=bool(i % 2)) for i in range(60)]
            assert sum(a["ok"] for a in answers) == limits.SETTINGS.burst
            assert answers[-1]["code"] == "too_fast"
            keys = ["1,-1,-1,-1"] * 40
            drafts = [await said(ws, t="draft", id=f"d{i}", moves=keys) for i in range(10)]
            assert [d["code"] for d in drafts].count("too_fast") == 9, "forty moves count forty times"
            await ws.close()

    story(tmp_path, tell)


def test_sockets_per_address_seat_and_watchers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SOCKETS_PER_ADDRESS", 12)
    monkeypatch.setattr(limits, "SOCKETS_PER_SEAT", 3)
    monkeypatch.setattr(limits, "WATCHERS_PER_ADDRESS", 4)

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            heard = [await hello(port, ticket["table"], ticket["token"]) for _ in range(4)]
            assert [first["t"] for _, first in heard] == ["welcome"] * 3 + ["bye"]
            assert heard[-1][1]["code"] == "crowded"
            watching = [await hello(port, ticket["table"]) for _ in range(5)]
            assert [first["t"] for _, first in watching] == ["welcome"] * 4 + ["bye"]
            await eventually(lambda: house.gate.sockets.of("127.0.0.1") == 7)
            more = [await connect(f"ws://127.0.0.1:{port}/ws/tables/{ticket['table']}") for _ in range(5)]
            with pytest.raises(Exception, match="403"):
                await connect(f"ws://127.0.0.1:{port}/ws/tables/{ticket['table']}")
            for ws in (*more, *(w for w, _ in (*heard, *watching))):
                await ws.close()
            await eventually(lambda: len(house.gate.sockets) == 0)
            ws, first = await hello(port, ticket["table"], ticket["token"])
            assert first["t"] == "welcome", "who has left makes room"
            await ws.close()

    story(tmp_path, tell)


def test_a_socket_that_says_nothing_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELLO_SECONDS", 0.05)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            ws = await connect(f"ws://127.0.0.1:{port}/ws/tables/abcdefghjk")
            assert json.loads(await ws.recv())["code"] == "no_hello"
            with pytest.raises(ConnectionClosed):
                await ws.recv()
            await eventually(lambda: len(house.gate.sockets) == 0)

    story(tmp_path, tell)


# -- connections ------------------------------------------------------------------------------------------------------


async def half(port: int, sent: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    return reader, writer


HEAD = b"POST /api/tables HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", b""),
        (b"GET / HT", b"408"),
        (HEAD, b"408"),
        (HEAD + b"Content-Length: 500\r\n\r\n{", b"408"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", b"408"),
        (b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n", b"200"),
        (b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\nGET /he", b"200"),
    ],
)
def test_a_request_that_does_not_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes, status: bytes
) -> None:
    """Nobody holds a connection by saying nothing, or half of something; also not after an answer."""
    monkeypatch.setattr(limits, "HEADER_SECONDS", 0.1)
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.1)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            reader, writer = await half(port, sent)
            heard = await reader.read()  # to its end: the server has closed it
            assert heard[9:12] == status
            writer.close()
            await eventually(lambda: len(house.gate.connections) == 0)

    story(tmp_path, tell)


def test_one_letter_at_a_time_is_no_way_to_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.2)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            starts = (HEAD, HEAD + b"Content-Length: 9999\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            lines = [await half(port, start) for start in starts]
            drips = (b"X", b" ", b"\r\n")

            async def drip(writer: asyncio.StreamWriter, letter: bytes) -> None:
                with contextlib.suppress(OSError):
                    while True:
                        writer.write(letter)
                        await writer.drain()
                        await asyncio.sleep(0.02)

            tasks = [asyncio.create_task(drip(w, d)) for (_, w), d in zip(lines, drips, strict=True)]
            await eventually(lambda: len(house.gate.connections) == 0)
            for task in tasks:
                task.cancel()

    story(tmp_path, tell)


def test_headers_have_an_end(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with listening(house) as port:
            for endless in (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000):
                reader, writer = await half(port, endless)
                assert (await reader.read(12))[9:] == b"431"
                writer.close()

    story(tmp_path, tell)


def test_connections_per_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_PER_ADDRESS", 5)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            held = [await half(port, b"GET") for _ in range(5)]
            await eventually(lambda: house.gate.connections.of("127.0.0.1") == 5)
            reader, writer = await half(port, b"")
            assert (await reader.read())[9:12] == b"503"
            for _, w in (*held, (reader, writer)):
                w.close()
            await eventually(lambda: len(house.gate.connections) == 0)

    story(tmp_path, tell)


def test_proxies_are_named_by_address_or_network() -> None:
    assert len(networks(["10.0.0.5", "10.1.0.0/16", "::1"])) == 3
    for odd in ("*", "my-proxy", "10.0.0.5:80"):
        with pytest.raises(ValueError, match="address or network"):
            networks([odd])


def test_calls_in_flight_per_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLS_IN_FLIGHT_PER_ADDRESS", 3)

    async def tell(house: House) -> None:
        async with house.caller() as c:
            ticket = (await c.post("/api/tables", json=ANN)).json()["table"]
            gate = asyncio.Event()
            real = house.hub.room

            async def slow(ident: str) -> Any:
                await gate.wait()
                return await real(ident)

            monkeypatch.setattr(house.hub, "room", slow)
            calls = [asyncio.create_task(c.get(f"/api/tables/{ticket}")) for _ in range(3)]
            await eventually(lambda: house.gate.flights.of("192.0.2.1") == 3)
            assert (await c.get(f"/api/tables/{ticket}")).status_code == 429
            async with house.caller("192.0.2.9") as other:
                assert (await other.get("/healthz")).status_code == 200
            gate.set()
            assert {a.status_code for a in await asyncio.gather(*calls)} == {200}
            assert len(house.gate.flights) == 0

    story(tmp_path, tell)


def test_a_call_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.05)

    async def tell(house: House) -> None:
        async def never(ident: str) -> Any:
            await asyncio.Event().wait()

        monkeypatch.setattr(house.hub, "room", never)
        async with house.caller() as c:
            answer = await c.get("/api/tables/abcdefghjk")
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert len(house.gate.flights) == 0

    story(tmp_path, tell)


# -- what goes wrong here ---------------------------------------------------------------------------------------------


def test_a_mistake_of_ours_has_a_number_and_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def tell(house: House) -> None:
        async def broken(ident: str) -> Any:
            raise KeyError("secret thing")

        monkeypatch.setattr(house.hub, "room", broken)
        async with house.caller() as c, listening(house) as port:
            answer = await c.get("/api/tables/abcdefghjk")
            assert (answer.status_code, answer.json()["code"]) == (500, "failed")
            number = re.search(r"[0-9a-f]{8}", answer.json()["says"])
            assert number is not None
            assert "secret thing" not in answer.text
            assert [r for r in caplog.records if number[0] in r.getMessage()][0].exc_info
            assert sum("failed" in r.getMessage() for r in caplog.records) == 1
            _, bye = await hello(port, "abcdefghjk")
            assert (bye["t"], bye["code"]) == ("bye", "failed")
            assert re.search(r"[0-9a-f]{8}", bye["says"])

    story(tmp_path, tell)


def test_a_journal_that_is_away_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def tell(house: House) -> None:
        async def away(*_: Any) -> Any:
            raise Lost("the database is down")

        monkeypatch.setattr(house.hub.journal, "take", away)
        monkeypatch.setattr(house.hub.journal, "create", away)
        async with house.caller() as c, listening(house) as port:
            for answer in (await c.get("/api/tables/abcdefghjk"), await c.post("/api/tables", json=ANN)):
                assert (answer.status_code, answer.json()["code"]) == (503, "no_journal")
                assert "try again" in answer.json()["says"]
            _, bye = await hello(port, "abcdefghjk")
            assert (bye["code"], "Nothing that you saw is lost" in bye["says"]) == ("no_journal", True)

    story(tmp_path, tell)


def test_a_damaged_table_says_so_and_the_others_are_well(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        await house.hub.journal.create("abcdefghjk", [b"this is no entry"])
        async with house.caller() as c, listening(house) as port:
            answer = await c.get("/api/tables/abcdefghjk")
            assert (answer.status_code, answer.json()["code"]) == (500, "damaged")
            _, bye = await hello(port, "abcdefghjk")
            assert bye["code"] == "damaged"
            assert "cannot be opened" in bye["says"]
            assert (await c.post("/api/tables", json=ANN)).status_code == 201

    story(tmp_path, tell)


# -- what others can read ---------------------------------------------------------------------------------------------


def test_the_code_that_moves_a_seat_is_in_no_address(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with house.caller() as c:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            base = f"/api/tables/{ticket['table']}"
            moved = (await c.post(f"{base}/move", json={"token": ticket["token"]})).json()
            assert moved["qr"].startswith("data:image/svg+xml,")
            plain = (await c.get(f"{base}/qr.svg")).text
            assert (await c.get(f"{base}/qr.svg", params={"code": moved["code"]})).text == plain, "it is not asked for"
            described = (await c.get("/openapi.json")).json()["paths"]
            asked = [p["name"] for call in described.values() for v in call.values() for p in v.get("parameters", ())]
            assert not {"code", "token"} & set(asked)

    story(tmp_path, tell)
    page = Path(__file__).parent.parent / "web" / "src"
    assert not [p for p in page.rglob("*.svelte") if "qr.svg?" in p.read_text()]


def test_a_page_connects_to_its_own_server_and_its_siblings_only() -> None:
    allowed = re.search("connect-src ([^;]*);", policy("play.example:8000", ["https://two.example"]))
    assert allowed is not None
    assert allowed[1].split() == [
        *("'self'", "ws://play.example:8000", "wss://play.example:8000"),
        *("https://two.example", "wss://two.example"),
    ]
    for odd in ("a; script-src *", "a b", "x" * 999, "*", ""):
        assert "connect-src 'self';" in policy(odd, [odd])


def test_all_packs_together_fit() -> None:
    """The limits are for mischief: the largest game that can be set up is well inside them."""
    options = op.changed(op.TableOptions(), {"packs": ["classic", *(p for p in known_packs() if p != "classic")][:20]})
    assert (
        len(gzip.compress(pr.encode([catalog._card(i, d) for i, d in enumerate(op.cards(options).defs)])))
        < limits.MIX_BYTES / 20
    )
