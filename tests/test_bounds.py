"""Everything that a stranger can make bigger has a bound, for each address, seat and table."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import threading
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from house import ANN, House, eventually, hello, listening, said, story
from kickdoor.bots import known
from kickdoor.engine import setup
from kickdoor.engine.value.game import Game
from kickdoor.server import catalog, deciding, limits, menu, showing, timing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import BOT, Chair
from kickdoor.server.consent import playing
from kickdoor.server.journal import Lease
from kickdoor.server.limits import Buckets, Counts, Gate, Rate, Who, household
from kickdoor.server.room import Room
from kickdoor.server.table import Table
from kickdoor.server.thinking import Thinker
from kickdoor.server.trouble import Trouble
from rooms import Place

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


TOO_MANY: list[dict[str, int]] = [
    {"Potted Plant": 5_000_000},
    {"Potted Plant": 0},
    {"Potted Plant": -1},
    {"Potted Plant": limits.COPIES_OF_A_CARD + 1},
    {"Potted Plant": 10**30},
    {f"Card {i}": limits.COPIES_OF_A_CARD for i in range(limits.COPIES_OF_ALL // limits.COPIES_OF_A_CARD + 1)},
    {"x" * 5000: 1},
    {"\x00": 1},
    {"\ud800": 1},
]


def test_copies_that_are_too_many_are_refused_before_any_is_made(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        for i, copies in enumerate(TOO_MANY):
            made = setup._library.cache_info().misses
            async with house.caller(f"192.0.2.{i + 1}") as c:
                raw = json.dumps({**ANN, "options": {"copies": copies}})
                answer = await c.post("/api/tables", content=raw, headers={"Content-Type": "application/json"})
            assert answer.status_code == 409, raw[:100]
            assert answer.json()["code"] == "bad_option", raw[:100]
            assert setup._library.cache_info().misses == made, raw[:100]
            assert not house.hub.rooms, raw[:100]

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
        hashes.append(op.cards(o).printed)
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


def test_what_is_shown_of_mixes_is_kept_for_a_few_only() -> None:
    most = showing._mix.cache_info().maxsize
    assert most is not None
    assert most <= 500


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
            gate = house.gate
            await eventually(lambda: len(gate.sockets) == len(gate.seats) == len(gate.watching) == 0)

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
            with pytest.raises(InvalidStatus, match="403"):
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


def test_a_table_takes_only_so_many_arrivals_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARRIVALS", Rate(2, 0.001))

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ident = (await c.post("/api/tables", json=ANN)).json()["table"]
            heard = [await hello(port, ident) for _ in range(3)]
            assert [first["t"] for _, first in heard] == ["welcome", "welcome", "bye"]
            assert heard[-1][1]["code"] == "busy", "a page tries again by itself"
            for ws, _ in heard:
                await ws.close()

    story(tmp_path, tell)


def test_strangers_who_come_and_go_keep_nobody_from_his_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARRIVALS", Rate(4, 0.001))
    monkeypatch.setattr(limits, "RETURNS", Rate(2, 0.001))

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ann = (await c.post("/api/tables", json=ANN)).json()
            seats = f"/api/tables/{ann['table']}"
            bob = (await c.post(f"{seats}/seats", json={"name": "Bob"})).json()

            async def comes(token: str | None) -> str:
                ws, first = await hello(port, ann["table"], token)
                await ws.close()
                return str(first.get("code", "welcome"))

            made_up = [await comes(token) for token in (None, "made up", None, "made up", None, "made up")]
            assert made_up == ["welcome", "bad_token", "welcome", "bad_token", "busy", "busy"]
            assert [await comes(ann["token"]) for _ in range(3)] == ["welcome", "welcome", "busy"]
            assert await comes(bob["token"]) == "welcome", "nor do those who sit there keep each other away"
            code = (await c.post(f"{seats}/move", json={"token": bob["token"]})).json()["code"]
            moved = (await c.post(f"{seats}/claim", json={"code": code})).json()
            assert await comes(moved["token"]) == "welcome", "nor is it kept from another device"

    story(tmp_path, tell)


def test_an_origin_that_is_none_is_another_site(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with listening(house) as port:
            for odd in ("http://[", "null", "http://127.0.0.1", "x" * 3000):
                with pytest.raises(InvalidStatus, match="403"):
                    await connect(f"ws://127.0.0.1:{port}/ws/tables/abcdefghjk", origin=Origin(odd))

    story(tmp_path, tell)


@pytest.mark.parametrize(
    "changes",
    [
        ({"without": ["Lawyers"]}, {"without": ["nothing like that"]}, {"without": ["Plutonium Dragon"]}),
        ({"rules": {"level.goal": 12}}, {"rules": {"level.goal": "high"}}, {"rules": {"level.goal": 11}}),
        ({"house": ["shared"]}, {"house": ["nothing like that"]}, {"lesson": "first"}),
    ],
)
def test_a_host_changes_cards_and_rules_only_so_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: tuple[dict[str, object], ...]
) -> None:
    monkeypatch.setattr(limits, "NEW_MIXES", Rate(2, 0.001))

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            ws, _ = await hello(port, ticket["table"], ticket["token"])
            answers = [await said(ws, t="options", id=f"o{i}", options=o) for i, o in enumerate(changes)]
            assert [a.get("code", "") for a in answers] == ["", "bad_option", "too_fast"]
            assert (await said(ws, t="options", id="pace", options={"bot_speed": "fast"}))["ok"]
            await ws.close()

    story(tmp_path, tell)


def test_changes_that_are_said_at_once_go_with_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second needs the cards of the first, which is still being written down: it was refused."""

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            ws, _ = await hello(port, ticket["table"], ticket["token"])
            append = house.hub.journal.append

            async def slowly(*args: Any) -> None:
                await asyncio.sleep(0.3)
                await append(*args)

            monkeypatch.setattr(house.hub.journal, "append", slowly)
            first: dict[str, Any] = {"packs": ["classic", "dungeons"]}
            second: dict[str, Any] = {"rules": {"dungeons.first": "Joe's Discount Dungeon"}}
            for ident, options in (("one", first), ("two", second)):
                await ws.send(json.dumps({"t": "options", "id": ident, "options": options}))
            answers: dict[str, bool] = {}
            while len(answers) < 2:
                told = json.loads(await ws.recv())
                if told["t"] == "answer":
                    answers[told["id"]] = told["ok"]
            assert answers == {"one": True, "two": True}
            now = house.hub.rooms[ticket["table"]].table.options
            assert (now.packs, now.rules) == (first["packs"], second["rules"])
            await ws.close()

    story(tmp_path, tell)


def test_options_refused_beside_the_room_stay_refused(tmp_path: Path) -> None:
    """What is not done is not done later either, when the same command comes again after a lost line."""

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            ws, _ = await hello(port, ticket["table"], ticket["token"])
            room = house.hub.rooms[ticket["table"]]
            goal = {"dungeons.first": "Joe's Discount Dungeon"}  # a card of another set
            no = await said(ws, t="options", id="first", options={"rules": goal})
            assert (no["ok"], no["code"]) == (False, "bad_option")
            assert (await said(ws, t="options", id="sets", options={"packs": ["classic", "dungeons"]}))["ok"]
            await ws.close()
            ws, _ = await hello(port, ticket["table"], ticket["token"])
            assert await said(ws, t="options", id="first", options={"rules": goal}) == no
            assert room.table.options.rules == {}
            assert (await said(ws, t="options", id="other", options={"rules": goal}))["ok"]
            await ws.close()

    story(tmp_path, tell)


def test_options_that_came_too_fast_may_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEW_MIXES", Rate(1, 0.001))

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            ws, _ = await hello(port, ticket["table"], ticket["token"])
            house.gate.new_mixes.take("127.0.0.1")
            change = {"t": "options", "id": "same", "options": {"rules": {"level.goal": 12}}}
            assert (await said(ws, **change))["code"] == "too_fast"
            house.gate.new_mixes = limits.Buckets(Rate(1, 0.001))
            assert (await said(ws, **change))["ok"]
            await ws.close()

    story(tmp_path, tell)


def test_changes_said_on_two_lines_are_looked_into_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cards of both together were made on the loop, where all tables wait for them."""
    looked: list[tuple[str, ...]] = []
    decided: list[tuple[str, ...]] = []
    changed = op.changed

    def noted(old: op.TableOptions, changes: dict[str, Any]) -> op.TableOptions:
        new = changed(old, changes)
        (decided if threading.current_thread() is threading.main_thread() else looked).append(mixed(new))
        return new

    def mixed(o: op.TableOptions) -> tuple[str, ...]:
        return (*o.packs, *o.without)

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            monkeypatch.setattr(op, "changed", noted)
            lines = [(await hello(port, ticket["table"], ticket["token"]))[0] for _ in range(2)]
            changes: tuple[dict[str, Any], ...] = ({"packs": ["classic", "dungeons"]}, {"without": ["Lawyers"]})
            answers = await asyncio.gather(
                *(
                    said(ws, t="options", id=f"o{i}", options=o)
                    for i, (ws, o) in enumerate(zip(lines, changes, strict=True))
                )
            )
            assert all(a["ok"] for a in answers)
            assert decided
            assert set(decided) <= set(looked)
            for ws in lines:
                await ws.close()

    story(tmp_path, tell)


def test_an_address_asks_for_so_many_hints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables share the one who thinks about them."""
    monkeypatch.setattr(limits, "HINTS", Rate(2, 0.001))

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            codes = []
            for _ in range(2):  # another table is the same address
                ticket = (await c.post("/api/tables", json=ANN)).json()
                ws, _ = await hello(port, ticket["table"], ticket["token"])
                codes += [(await said(ws, t="hint", id=f"h{i}"))["code"] for i in range(2)]
                await ws.close()
            assert codes[:2] == ["not_playing"] * 2
            assert codes[2:] == ["too_fast"] * 2

    story(tmp_path, tell)


def test_a_table_of_which_too_much_is_written_down_takes_only_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be exported and read in again is not written; a game that is on goes on."""
    monkeypatch.setattr(limits, "BOOK_BYTES", 9000)

    async def tell() -> None:
        place = Place(people=3)
        before = sum(map(len, place.journal.entries))
        await place.come()
        for i in range(200):
            answer = await place.say("Ann", "say", text=f"{i} " + "x" * 390)
            if not answer["ok"]:
                break
        assert answer["code"] == "full_book"
        assert 9000 < sum(map(len, place.journal.entries)) - before < 10_000
        await place.restart()
        await place.come()
        assert (await place.say("Bob", "open_hand", on=True))["code"] == "full_book", "it is known after a restart, too"
        who = place.room.clocks.wait.seats[0]
        move = timing.default(playing(place.table), who)
        assert move is not None
        assert (await place.act(place.people[who], menu.key(move)))["ok"]
        monkeypatch.setattr(limits, "BOOK_BYTES", 1000)  # twice as much has been written, and more
        assert (await place.say("Bob", "auto", mode="off"))["code"] == "full_book", "a game has an end as well"

    asyncio.run(tell())


def test_bots_that_play_at_once_leave_time_for_other_tables() -> None:
    """All of them together may do so much a second; bots with a pace of their own are not counted."""

    async def tell(speed: str) -> tuple[int, float]:
        place = Place(people=1, bots=3, bot_speed=speed, decision=3600)
        place.room.bots._instant = Buckets(Rate(5, 0.001))
        await place.come()
        played = 0
        for _ in range(30):
            waits = place.room._next_due()
            if waits is None or waits - place.clock.moment > 100:
                break
            before = len(place.journal.entries)
            await place.turn()
            played += len(place.journal.entries) - before
        return played, (place.room._next_due() or 0.0) - place.clock.moment

    played, wait = asyncio.run(tell("instant"))
    assert played == 5
    assert 900 < wait <= 1000, "and then their turn comes"
    assert asyncio.run(tell("normal"))[0] > 5


def test_the_bots_of_one_address_keep_nobody_elses_waiting() -> None:
    """Whoever watched fifty tables of strong bots left everybody else's with what the clock would do."""

    class Slow(Thinker):
        def __init__(self) -> None:
            super().__init__(1)
            self.games: list[Game] = []
            self.done = asyncio.Event()

        async def think(self, kind: str, seed: int, g: Game, *_: Any) -> None:
            self.games.append(g)
            await self.done.wait()

    async def tell() -> None:
        thinker, games = Slow(), []
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
            p = Place()
            t = p.table
            t.chairs = [Chair(BOT, c.name, c.sex, bot="lookahead") for c in t.chairs]
            games.append(t.game)
            room = Room(t, Lease(t.id, 1), p.journal, thinker, bell=p.clock)  # type: ignore[arg-type]
            await room._one(Guest(None, lambda _: True, lambda *_: None, address=address), pr.Hello(pr.VERSION))
        await eventually(lambda: len(thinker.games) == 2)
        assert thinker.games[0] is games[0]
        assert thinker.games[1] is games[2]
        thinker.done.set()
        await eventually(lambda: len(thinker.games) == 3)
        assert thinker.games[2] is games[1]

    asyncio.run(tell())


def test_text_that_is_none_ends_the_line_and_rings_no_alarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody can say it, as often as he likes: the log is for what the people of a server should look at."""
    alarms: list[object] = []
    monkeypatch.setattr(logging.Logger, "exception", lambda *a, **_: alarms.append(a))

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            for odd in (b"\xff", b'{"t":"say","id":"1","text":"\xc3"}', b"\xff" * 300):
                ws, first = await hello(port, ticket["table"], ticket["token"])
                assert first["t"] == "welcome"
                await ws.send(odd, text=True)
                await ws.wait_closed()
                assert ws.close_code == 1007
            await eventually(lambda: len(house.gate.sockets) == 0)

    story(tmp_path, tell)
    assert not alarms


def frame(kind: int, said: bytes = b"") -> bytes:
    """As a client sends it: masked, here with nothing."""
    return bytes((0x80 | kind, 0x80 | len(said))) + bytes(4) + said


@pytest.mark.parametrize("odd", [frame(1, b"\xff"), frame(1, b"\xff") * 2, frame(1, b"{}") + frame(1, b"\xff")])
def test_text_that_is_none_and_a_goodbye_in_one_piece_ring_no_alarm(
    tmp_path: Path, odd: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The goodbye has been read, and answered, before the text is looked into."""

    async def tell(house: House) -> None:
        async with house.caller() as c, listening(house) as port:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            ws, _ = await hello(port, ticket["table"], ticket["token"])
            ws.transport.write(odd + frame(8, b"\x03\xe8"))
            await ws.wait_closed()
            await eventually(lambda: len(house.gate.sockets) == 0)

    story(tmp_path, tell)
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_who_asks_for_much_and_hangs_up_rings_no_alarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several requests that came together, the one that is answered hears that nobody is there any more, and none
    of the others is begun."""
    alarms: list[object] = []
    monkeypatch.setattr(logging.Logger, "error", lambda *a, **_: alarms.append(a))
    begun: list[str] = []
    heard: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["path"])
        while (await receive())["type"] != "http.disconnect":
            pass
        heard.append(scope["path"])

    async def tell(house: House) -> None:
        house.app = app
        async with listening(house) as port:
            _, out = await asyncio.open_connection("127.0.0.1", port)
            out.write(b"".join(b"GET /%d HTTP/1.1\r\nHost: x\r\n\r\n" % n for n in (1, 2, 3)))
            await out.drain()
            await eventually(lambda: begun == ["/1"])
            out.transport.abort()
            await eventually(lambda: heard == ["/1"])

    story(tmp_path, tell)
    assert begun == ["/1"]
    assert not alarms


def test_only_so_many_different_mixes_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MIXES_PLAYED", 2)

    async def tell(house: House) -> None:
        async with house.caller() as c:

            async def make(*without: str) -> int:
                return (await c.post("/api/tables", json={**ANN, "options": {"without": without}})).status_code

            assert [await make(), await make("Lawyers"), await make("Plutonium Dragon")] == [201, 201, 503]
            assert [await make(), await make("Lawyers")] == [201, 201], "what is there already is shared"
            monkeypatch.setattr("kickdoor.server.hub.CROWDED_SECONDS", -1.0)
            assert await make("Plutonium Dragon") == 201, "cards at whose tables nobody has been make room"
            mixes = {tuple(r.table.options.without) for r in house.hub.rooms.values()}
            assert mixes == {("Lawyers",), ("Plutonium Dragon",)}, "those who waited longest have gone"

    story(tmp_path, tell)
