"""Heavy work is done beside the loop, and has an end; a replay goes back to the nearest of its marks."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import segno

from house import ANN, House, eventually, story
from kickdoor.cards import packs
from kickdoor.engine import setup
from kickdoor.engine.kernel import legal, to_act
from kickdoor.server import chain, deciding, http, limits, recovery, replays, workshop
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.journal import Journal, Lying
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Slices, TookTooLong, Workshop

# -- heavy work -------------------------------------------------------------------------------------------------------


def test_cards_are_made_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mix that nobody has played with takes a second: every other table goes on meanwhile."""
    threads: list[str] = []
    real = packs.build

    def build(*args: Any) -> Any:
        threads.append(threading.current_thread().name)
        return real(*args)

    monkeypatch.setattr("kickdoor.engine.setup.build", build)

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


def test_pictures_of_links_are_drawn_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of a link that carries a seat takes a tenth of a second, and anybody may ask for ten a second."""
    threads: list[str] = []
    real = segno.make

    def make(*args: Any, **more: Any) -> Any:
        threads.append(threading.current_thread().name)
        return real(*args, **more)

    monkeypatch.setattr(segno, "make", make)

    async def tell(house: House) -> None:
        async with house.caller() as c:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            table = f"/api/tables/{ticket['table']}"
            counter = (await c.post("/api/counter", json={})).json()["counter"]
            assert (await c.get(f"{table}/qr.svg")).text.startswith("<svg xmlns")
            moving = await c.post(f"{table}/move", json={"token": ticket["token"]})
            assert moving.json()["qr"].startswith("data:image/svg+xml,%3Csvg%20xmlns")
            assert (await c.get(f"/api/counter/{counter}/qr.svg")).status_code == 200

    story(tmp_path, tell)
    assert len(threads) == 3
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


def test_what_everybody_needs_is_waited_for_and_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that was busy as the server began, the front page was refused until it had a quiet moment."""
    monkeypatch.setattr(limits, "WORK_SECONDS", 0.0)
    made = 0

    def about() -> list[str]:
        nonlocal made
        made += 1
        return ["the same for all"]

    async def tell(house: House) -> None:
        site = http.Site(house.hub, "", house.gate)
        answers = await asyncio.gather(*(site.lasting(about) for _ in range(3)), site.lasting(about))
        assert {bytes(a.body) for a in answers} == {b'["the same for all"]'}

    story(tmp_path, tell)
    assert made == 1


def test_work_in_slices_comes_to_an_end() -> None:
    slices = Slices(0.01)

    def work() -> None:
        while True:
            slices.tick()

    with pytest.raises(TookTooLong):
        work()


def test_long_work_that_can_go_on_lets_others_have_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looked at one long replay after the other kept everybody else's tables waiting."""
    monkeypatch.setattr(workshop, "TURN", 0.01)
    monkeypatch.setattr(workshop, "SLICE", -1.0)
    order: list[str] = []

    async def run() -> None:
        shop = Workshop()
        begun, asked = threading.Event(), threading.Event()

        def long(tick: workshop.Tick) -> str:
            order.append("a turn")
            begun.set()
            asked.wait()
            while len(order) < 4:  # it needs another one, whatever that one may take
                tick()
            return "done"

        async def short() -> None:
            await asyncio.to_thread(begun.wait)
            job = asyncio.create_task(shop.do(order.append, "another's"))
            await asyncio.sleep(0)
            asked.set()
            await job

        told, _ = await asyncio.gather(shop.in_turns(long), short())
        assert told == "done"
        assert order[:3] == ["a turn", "another's", "a turn"]
        shop.close()

    asyncio.run(run())


def test_work_in_turns_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "TURN", 0.01)
    monkeypatch.setattr(limits, "WORK_SECONDS", 0.1)

    def endless(tick: workshop.Tick) -> None:
        while True:
            tick()

    async def run() -> None:
        shop = Workshop()
        with pytest.raises(Trouble) as no:
            await shop.in_turns(endless)
        assert no.value.code == "busy"
        shop.close()

    asyncio.run(run())


def test_a_long_journal_is_folded_in_several_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes in all: every turn has an end, and others have theirs in between."""
    monkeypatch.setattr(workshop, "TURN", -1.0)  # over as soon as it is looked at
    monkeypatch.setattr(workshop, "SLICE", -1.0)
    table, journal = long_journal(40)
    turns: list[str] = []

    async def run() -> Table:
        shop = Workshop()
        real = shop.do

        async def do(work: Callable[..., Any], *args: Any) -> Any:
            turns.append(work.__name__)
            return await real(work, *args)

        monkeypatch.setattr(shop, "do", do)
        raw = [en.pack(e) for e in journal]
        checks = chain.links(chain.start("abcdefghjk"), 0, raw)
        rows: list[Any] = list(zip(range(1, len(raw) + 1), raw, checks, strict=True))
        found = Lying(chain.Held(len(raw), rows), None)
        told = await recovery.recover(cast("Journal", None), "abcdefghjk", None, shop, found)
        shop.close()
        return told

    t = asyncio.run(run())
    assert turns == ["turn"] * (len(journal) + 1)
    assert t.seq == len(journal)
    assert t.game is not None
    assert table.game is not None
    assert t.game.key() == table.game.key()


def test_a_long_table_out_of_the_archive_is_told_in_several_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for two of them in turn kept everybody else's tables waiting."""
    monkeypatch.setattr(workshop, "TURN", -1.0)
    monkeypatch.setattr(workshop, "SLICE", -1.0)
    table, journal = long_journal(40)

    async def tell(house: House) -> None:
        site = http.Site(house.hub, "", house.gate)
        turns = 0
        real = house.hub.workshop.do

        async def fetched(ident: str) -> list[bytes]:
            return [en.pack(e) for e in journal]

        async def do(work: Callable[..., Any], *args: Any) -> Any:
            nonlocal turns
            turns += 1
            return await real(work, *args)

        monkeypatch.setattr(house.hub, "from_archive", fetched)
        monkeypatch.setattr(house.hub.workshop, "do", do)
        told = await site._archived(table.id, Trouble("archived", "It is in the archive."))
        assert turns > len(journal)
        assert told.table.seq == len(journal)
        assert told.table.game is not None
        assert table.game is not None
        assert told.table.game.key() == table.game.key()

    story(tmp_path, tell)


# -- replays ----------------------------------------------------------------------------------------------------------


def long_game(least: int = 300) -> replays.Replay:
    """The record of a game of bots, with some moves taken back."""
    t, journal = long_journal(least)
    t.status = "over"
    return replays.record(t, journal, 0)


def long_journal(least: int) -> tuple[Table, list[en.Entry]]:
    """Such a table, and its entries."""
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
        add(en.Made(seat, [rng.choice(legal(t.game, seat)).deed], "bot"))
        if len(journal) % 7 == 0:
            add(en.Undone(seat))
    return t, journal


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


@pytest.mark.parametrize(("before", "after"), [("playing", "over"), ("over", "playing")])
def test_a_game_that_ends_or_begins_while_it_is_read_is_not_over_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: pr.Status, after: pr.Status
) -> None:
    """What was read lacks its end, or is a game whose cards nobody may see."""

    async def tell(house: House) -> None:
        async with house.caller() as c:
            ident = (await c.post("/api/tables", json=ANN)).json()["table"]
            table = house.hub.rooms[ident].table
            _, journal = long_journal(60)
            table.status = before

            async def read(_: str) -> list[bytes]:
                table.status, table.games = after, 1
                return [en.pack(e) for e in journal]

            monkeypatch.setattr(house.hub.journal, "read", read)
            answer = await c.get(f"/api/tables/{ident}/replay")
            assert (answer.status_code, answer.json()["code"]) == (409, "not_over")

    story(tmp_path, tell)


def site_shelf(house: House) -> replays.Shelf:
    shelf: replays.Shelf = house.app.site.shelf
    return shelf
