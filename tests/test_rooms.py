"""A room goes on whatever it is told: bad options, commands that fail, entries that do not fit, all of it twice."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_args, get_origin

import msgspec
import pytest
from websockets.asyncio.client import connect

from kickdoor import COMPILED
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value.reasons import Refused
from kickdoor.server import consent, deciding, limits, links, replays, sockets, thinking
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import fingerprint
from kickdoor.server.hub import Hub
from kickdoor.server.journal import Lost
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.room import Room
from kickdoor.server.table import ANSWERS_KEPT, OVER, STRANGERS_KEPT, mark_of
from kickdoor.server.thinking import Thinker
from kickdoor.server.trouble import Trouble
from rooms import Place, Voice, facts
from serving import Client, Server, begin, play_on, seated
from test_leaks import dealt


def run(story: Any) -> None:
    asyncio.run(asyncio.wait_for(story, 90))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("rooms"))) as s:
        yield s


# -- whatever is said -------------------------------------------------------------------------------------------------


def any_value(kind: Any, rng: random.Random) -> Any:
    """Something that fits a type, and that nobody means."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        meta = next((m for m in args[1:] if isinstance(m, msgspec.Meta)), msgspec.Meta())
        if meta.pattern is not None:
            return ",".join(str(rng.choice([-1, 0, 1, 5, 20, 999_999])) for _ in range(4))
        if args[0] is int and meta.ge is not None and meta.le is not None:
            return rng.choice([meta.ge, meta.le, rng.randint(int(meta.ge), int(meta.le))])
        if args[0] is str:
            return rng.choice(["x", "\u0000", "\U0001f44d\u202e", "<b>", "a/b", "\ufeff"])
        if origin is Annotated and get_origin(args[0]) is list:
            return [any_value(get_args(args[0])[0], rng) for _ in range(rng.randint(meta.min_length or 0, 3))]
        return any_value(args[0], rng)
    if kind is Any or kind == pr.Json:
        return rng.choice([None, True, -1, 10**20, 1e300, "x", [], [[]], {}, {"x": {"y": 1}}])
    if kind is int:
        return rng.choice([-(10**18), -1, 0, 1, 2, 3, 50, 10**18])
    if kind is bool:
        return rng.random() < 0.5
    if kind is str:
        return rng.choice(["", "x", "hello"])
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {f.encode_name: any_value(f.type, rng) for f in msgspec.structs.fields(kind)}
    if origin is dict:
        keys = [f.name for f in msgspec.structs.fields(op.TableOptions)]
        return {rng.choice([*keys, "seats", "x"]): any_value(pr.Json, rng) for _ in range(rng.randint(0, 3))}
    if origin is list:
        return [any_value(args[0], rng) for _ in range(rng.randint(0, 3))]
    return (
        any_value(rng.choice(args), rng)
        if args and not isinstance(args[0], str)
        else rng.choice(args)
        if args
        else None
    )


COMMANDS = [k for k in get_args(pr.Said) if k not in (pr.Hello, pr.Ping, pr.Leave)]


@pytest.mark.parametrize("dealt_", [False, True], ids=["lobby", "game"])
def test_whatever_is_said_is_answered_and_the_table_is_in_its_journal(dealt_: bool) -> None:
    async def story() -> None:
        rng = random.Random(11)
        p = Place(dealt=dealt_)
        await p.come()
        p.voices["watcher"] = Voice(None)
        await p.room._one(p.voices["watcher"].guest, pr.Hello(pr.VERSION))
        told = set()
        for i in range(600):
            kind = rng.choice(COMMANDS)
            if kind is pr.Start and not dealt_:
                continue
            fields = {k: v for k, v in any_value(kind, rng).items() if k != "id"}
            if kind is pr.Act and rng.random() < 0.8:
                fields["window"] = p.table.window
            name = rng.choice(list(p.voices))
            said = {"t": kind.__struct_config__.tag, "id": f"f{i}", **fields}
            try:
                pr.decode(json.dumps(said))
            except msgspec.DecodeError:
                continue  # it never comes to the room
            answer = await p.say(name, ident=f"f{i}", **{k: v for k, v in said.items() if k != "id"})
            assert answer.get("code") != "failed", said
            told.add((kind, answer["ok"]))
        await p.same()
        assert len(told) > 20
        assert all(v.bye is None for v in p.voices.values())

    run(story())


def test_strangers_do_not_push_out_what_a_seat_was_refused() -> None:
    """Whoever asks the same again after a lost line gets the same no, however many have come and gone meanwhile."""

    async def story() -> None:
        p = Place()
        await p.come("Ann", "Bob")
        no = await p.say("Ann", "start", ident="once")
        assert not no["ok"]
        await p.go("Ann")
        for i in range(limits.WATCHERS + 8):
            stranger = Voice(None, f"stranger-{i:08d}").guest
            p.room.refuse(stranger, "x", Trouble("no", "no"))
        assert p.room.refused[mark_of(p.table.chairs[0].token)]["once"].code == no["code"]
        assert len(p.room.refused) <= len(p.table.chairs) + limits.WATCHERS

    asyncio.run(story())


# -- what fails -------------------------------------------------------------------------------------------------------


def test_a_command_that_fails_is_refused_and_the_room_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def broken(*_: Any) -> Any:
        calls.append(1)
        raise ZeroDivisionError("too much ale")

    async def story() -> None:
        p = Place()
        await p.come()
        before = list(p.journal.entries)
        monkeypatch.setitem(deciding._DECIDE, pr.Undo, broken)
        for _ in range(2):
            no = await p.say("Ann", "undo", ident="poison")
            assert (no["ok"], no["code"]) == (False, "failed")
        assert calls == [1], "said again, it is refused without being tried again"
        assert p.journal.entries == before
        assert (await p.say("Bob", "say", text="still here"))["ok"]
        assert all(v.bye is None for v in p.voices.values())

    run(story())


@pytest.mark.skipif(COMPILED, reason="the functions of compiled modules cannot be exchanged")
@pytest.mark.parametrize("where", ["fold", "look", "clock"])
def test_what_could_not_be_folded_or_shown_is_not_journalled(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise TypeError("not like that")

    async def story() -> None:
        p = Place()
        await p.come()
        before = facts(p.table)
        place = {"fold": "table.same_window", "look": "showing.common_goal", "clock": "timing.waiting"}[where]
        with monkeypatch.context() as m:
            m.setattr(f"kickdoor.server.{place}", broken)
            s = to_act(p.table.game)[0]  # type: ignore[arg-type]
            no = await p.act(p.people[s], "0,-1,-1,-1")
            assert (no["ok"], no["code"]) == (False, "failed")
        assert facts(p.table) == before
        await p.same()
        assert (await p.act(p.people[s], "0,-1,-1,-1"))["ok"]
        await p.same()

    run(story())


@pytest.mark.skipif(COMPILED, reason="the functions of compiled modules cannot be exchanged")
def test_the_time_of_somebody_who_can_do_nothing_is_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        p = Place(people=3, window=3, decision=10)
        await p.come()
        asked: list[int] = []
        monkeypatch.setattr("kickdoor.server.timing.default", lambda g, s: asked.append(s))
        for _ in range(20):
            await p.turn()
        assert len(asked) == 1
        assert p.room._next_due() is None

    run(story())


@pytest.mark.skipif(COMPILED, reason="the functions of compiled modules cannot be exchanged")
def test_a_bot_that_can_do_nothing_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was asked again and again without a pause, and no other table of that server could do anything."""

    async def story() -> None:
        p = Place(people=1, bots=2, window=3, decision=10)
        await p.come()
        monkeypatch.setattr("kickdoor.server.botplay.Company.next", lambda self: (1, True))
        asked = []
        monkeypatch.setattr("kickdoor.server.botplay.Company.ask", lambda self, s, must: asked.append(s))
        for _ in range(20):
            await p.turn()
        assert asked == [1]
        assert p.room._next_due() is None

    run(story())


@pytest.mark.skipif(COMPILED, reason="the functions of compiled modules cannot be exchanged")
def test_what_fails_by_itself_stops_the_clock_and_not_the_people(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        p = Place(people=2, bots=2, window=3, decision=10)
        await p.come()
        with monkeypatch.context() as m:
            m.setattr("kickdoor.server.clocks.Clocks._seat_due", broken)
            m.setattr("kickdoor.server.bot_turns.BotTurns.due", broken)
            await p.turn()
            assert p.room._next_due() is None, "it is not tried again and again"
            assert (await p.say("Ann", "say", text="it hangs"))["ok"]
        assert p.room._next_due() is not None

    def broken(*_: Any) -> Any:
        raise KeyError("gone")

    run(story())


async def opened(folder: Path, people: int = 3) -> tuple[Hub, Room, list[str]]:
    hub = Hub(SqliteJournal(str(folder / "journal.sqlite")))
    await hub.open()
    room, _, token = await hub.create("", "Ann", "female", {}, people, [])
    return hub, room, [token]


def test_whoever_waits_is_answered_when_a_room_closes(tmp_path: Path) -> None:
    async def story() -> None:
        hub, room, _ = await opened(tmp_path, 12)
        late = Voice(None)

        def comes(i: int) -> Any:
            return lambda: deciding.sit(room.table, f"P{i}", "male", None, f"t{i}")

        calls = [asyncio.create_task(room.call(comes(i))) for i in range(11)]
        await asyncio.sleep(0)
        room.inbox.put_nowait((late.guest, pr.Hello(pr.VERSION)))
        room.close("failed", "Something went wrong.")
        done = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 60)
        assert all(x is None or isinstance(x, Trouble) for x in done)
        assert sum(isinstance(x, Trouble) for x in done) > 5
        assert late.bye is not None
        with pytest.raises(Trouble):
            await room.call(list)
        again = await hub.room(room.table.id)
        await again.call(lambda: deciding.sit(again.table, "Zoe", "female", None, "tz"))
        await hub.close()

    run(story())


class Still:
    """A wire that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.heard_by: list[Any] = []

    def push(self, data: bytes) -> bool:
        self.sent.append(json.loads(data))
        return True

    def shut(self, code: int) -> None:
        pass

    def hand_over(self, listener: Any) -> None:
        self.heard_by.append(listener)


def test_whoever_comes_to_a_room_that_closes_as_it_is_found_is_told_so(tmp_path: Path) -> None:
    """He waited for a welcome that nobody was there to say."""

    async def story() -> None:
        hub, room, tokens = await opened(tmp_path)
        wire = Still()
        newcomer = sockets.Newcomer(
            sockets.Line(wire, hub),  # type: ignore[arg-type]
            room.table.id,
            hub,
            limits.Gate(),
            "192.0.2.1",
        )
        newcomer._hello = pr.Hello(pr.VERSION, tokens[0])
        room.close("failed", "Something went wrong.")
        newcomer._arrived(room, None)
        assert [m["code"] for m in wire.sent] == ["elsewhere"]
        assert not wire.heard_by
        await hub.close()

    run(story())


def test_a_room_that_fails_all_the_same_is_opened_again_from_its_journal(tmp_path: Path) -> None:
    async def story() -> None:
        hub, room, tokens = await opened(tmp_path)
        ann, bob = Voice(None), Voice(None)
        ann.guest.token = tokens[0]
        for v in (ann, bob):
            room.inbox.put_nowait((v.guest, pr.Hello(pr.VERSION, v.guest.token)))
        while not bob.heard:
            await asyncio.sleep(0.001)

        def broken(*_: Any, **__: Any) -> Any:
            raise RuntimeError("after the journal")

        bob.guest.send = broken
        room.inbox.put_nowait((ann.guest, pr.decode(json.dumps({"t": "say", "id": "x", "text": "hello"}))))
        waiting = asyncio.create_task(room.call(lambda: deciding.sit(room.table, "Cid", "male", None, "tc")))
        with pytest.raises(Trouble):
            await asyncio.wait_for(waiting, 60)
        assert room.closed
        for v in (ann, bob):
            assert v.bye is not None
            assert v.bye[0] == "failed"
        assert ann.answer("x")["ok"], "it has been done"
        again = await hub.room(room.table.id)
        assert [line.text for line in again.table.chat] == ["hello"]
        assert again is not room
        await hub.close()

    run(story())


def test_somebody_who_has_gone_does_not_break_the_room_that_answers_him(tmp_path: Path) -> None:
    async def story() -> None:
        hub, room, _ = await opened(tmp_path)
        call = asyncio.create_task(room.call(lambda: deciding.sit(room.table, "Bob", "male", None, "tb")))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await room.call(lambda: deciding.sit(room.table, "Cid", "male", None, "tc"))
        assert not room.closed
        await hub.close()

    run(story())


def test_a_process_that_thinks_for_bots_may_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "PATIENCE", 80.0)  # three processes are started here, on a machine that may be busy

    async def story() -> None:
        t = dealt(["classic"], 3)
        g = t.game
        assert g is not None
        s = to_act(g)[0]
        thinker = Thinker()
        try:
            first = await thinker.think("random", 1, g, s, 0, [], True)
            pool = thinker._pool
            assert pool is not None
            for pid in list(pool._processes):
                os.kill(pid, signal.SIGKILL)
            again = await asyncio.gather(*(thinker.think("random", 1, g, s, 0, [], True) for _ in range(3)))
            assert first is not None
            assert set(again) == {first}
            assert thinker._pool is not pool
        finally:
            thinker.close()

    run(story())


THINKS = """
import asyncio
from kickdoor.engine.kernel import to_act
from kickdoor.server import thinking
from test_leaks import dealt

thinking.PATIENCE = 300.0  # a process is started, on a machine that may be busy

async def thinks():
    g = dealt(["classic"], 3).game
    thinker = thinking.Thinker(1)
    await thinker.think("random", 1, g, to_act(g)[0], 0, [], True)
    manager = thinker._pool._executor_manager_thread
    print("there", flush=True)
    try:
        await asyncio.sleep(3600)
    finally:  # a server has more to close after it; who ends in the very moment in which a pool does hears of it
        thinker.close()
        manager.join()

try:
    asyncio.run(thinks())
except KeyboardInterrupt:
    raise SystemExit(130)
"""


@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_a_process_that_thinks_for_bots_says_nothing_and_ends_with_its_server(how: signal.Signals, status: int) -> None:
    """A terminal gives Ctrl-C to everybody; and whoever is killed tells nobody. What they say, and whether they are
    still there, is known by the pipes that they share."""
    server = subprocess.Popen(
        [sys.executable, "-c", THINKS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parent,
        start_new_session=True,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"there\n"
    if how == signal.SIGINT:
        os.killpg(server.pid, how)
    else:
        server.kill()
    _, told = server.communicate(timeout=120)
    assert server.returncode == status
    assert b"Traceback" not in told


class Pool:
    """A pool whose processes think until they are told what they came to."""

    made: ClassVar[list[Pool]] = []

    def __init__(self, *_: Any, **__: Any) -> None:
        self.thoughts: list[futures.Future[Any]] = []
        self.made.append(self)

    def submit(self, *_: Any) -> futures.Future[Any]:
        thought: futures.Future[Any] = futures.Future()
        self.thoughts.append(thought)
        return thought

    def shutdown(self, **_: Any) -> None:
        pass


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    Pool.made = []
    monkeypatch.setattr(thinking, "ProcessPoolExecutor", Pool)
    return Pool.made


CAME_TO = ((0, 1, -1, -1, -1), "", "")


def test_a_thought_given_up_is_cancelled_in_no_pool(pools: list[Pool]) -> None:
    """A pool that loses a process then would tell none of those who wait for it. Who has not begun waits outside."""

    async def story() -> None:
        thinker = Thinker(1)
        g = dealt(["classic"], 3).game
        assert g is not None
        first, given_up, last = (
            asyncio.create_task(thinker.think("lookahead", n, g, 0, 0, [], True)) for n in range(3)
        )
        await asyncio.sleep(0)
        [pool] = pools
        assert len(pool.thoughts) == 1
        first.cancel()
        given_up.cancel()
        await asyncio.wait({first, given_up})
        assert not pool.thoughts[0].cancelled()
        assert len(pool.thoughts) == 1
        pool.thoughts[0].set_exception(ValueError("nobody waits for this any more"))
        await until(lambda: len(pool.thoughts) == 2)
        pool.thoughts[1].set_result(CAME_TO)
        assert (await last) is not None

    run(story())


def test_when_a_pool_breaks_all_who_wait_go_to_the_next(pools: list[Pool]) -> None:
    async def story() -> None:
        thinker = Thinker(2)
        g = dealt(["classic"], 3).game
        assert g is not None
        asked = [asyncio.create_task(thinker.think("lookahead", n, g, 0, 0, [], True)) for n in range(4)]
        await until(lambda: len(pools) == 1 and len(pools[0].thoughts) == 2)
        for thought in pools[0].thoughts:
            thought.set_exception(BrokenProcessPool("killed"))
        while not all(task.done() for task in asked):
            await asyncio.sleep(0)
            for pool in pools[1:]:
                for thought in pool.thoughts:
                    if not thought.done():
                        thought.set_result(CAME_TO)
            for thought in pools[0].thoughts[2:]:  # it is broken, and says so
                if not thought.done():
                    thought.set_exception(BrokenProcessPool("killed"))
        assert all(task.result() is not None for task in asked)

    run(story())


@pytest.mark.parametrize("trouble", [OSError("handle is closed"), RuntimeError("cannot schedule new futures")])
def test_a_pool_that_breaks_while_a_process_is_started_makes_room_for_the_next(
    pools: list[Pool], monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    class Torn(Pool):
        def submit(self, *_: Any) -> futures.Future[Any]:
            if self is self.made[0]:
                raise trouble
            thought = super().submit()
            thought.set_result(CAME_TO)
            return thought

    monkeypatch.setattr(thinking, "ProcessPoolExecutor", Torn)

    async def story() -> None:
        thinker = Thinker(2)
        g = dealt(["classic"], 3).game
        assert g is not None
        came_to = await asyncio.gather(*(thinker.think("lookahead", n, g, 0, 0, [], True) for n in range(4)))
        assert all(came_to)
        assert len(pools) == 2

    run(story())


async def until(there: Callable[[], bool]) -> None:
    for _ in range(100):
        if there():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never comes to that")


# -- entries that do not fit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        en.Fixed(0, {"seat": 0, "level": 99}),
        en.Fixed(0, {"seat": 0, "card": 99_999, "to": "hand"}),
        en.Fixed(0, {"what": "is this"}),
        en.Undone(0, 12_345),
        en.Made(0, [(99, 1, 2, 3)]),
        en.GotUp(11),
        en.StandIn(-40, True),
        en.OptionsSet({"packs": "?"}, 3),
        en.OptionsSet({"rules": {"sell.threshold": 0}}, 3),
    ],
    ids=lambda w: type(w).__name__,
)
def test_an_entry_that_does_not_fit_is_set_aside_and_the_table_goes_on(bad: Any) -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        assert (await p.say("Ann", "say", text="before"))["ok"]
        good = facts(p.table)
        p.journal.entries.append(en.pack(en.Entry(bad)))
        await p.restart()
        assert (p.table.seq, p.table.game and p.table.game.key()) == (good["seq"] + 1, good["game"])
        assert any("is set aside, and the table goes on" in x for v in p.table.lines for x in p.texts(v))
        assert p.table.chairs[0].name == "Ann"
        await p.come()
        s = to_act(p.table.game)[0]  # type: ignore[arg-type]
        assert (await p.act(p.people[s], "0,-1,-1,-1"))["ok"]
        assert (await p.say("Ann", "say", text="after"))["ok"]
        now = facts(p.table)
        await p.restart()
        assert facts(p.table) == now

    run(story())


def test_the_replay_of_a_game_does_without_what_was_set_aside() -> None:
    t = dealt(["classic"], 5)
    assert t.dealt is not None
    journal = [en.Entry(en.Opened(t.id, t.name, op.plain(t.options), 4)), en.Entry(t.dealt)]
    rng = random.Random(2)
    for i in range(30):
        g = t.game
        assert g is not None
        s = to_act(g)[0]
        w = en.Made(s, [rng.choice(legal(g, s)).deed])
        t.take(en.Entry(w))
        journal.append(en.Entry(w))
        if i == 12:
            journal.append(en.Entry(en.Fixed(0, {"seat": 0, "level": 99})))
    t.status = OVER
    r = replays.record(t, journal, 1)
    assert len(r.steps) == 30
    assert t.game is not None
    assert r.key == t.game.key().hex()
    assert all(held for held, _ in replays.verify(msgspec.json.encode(r)))
    assert replays.frame(replays.Stage(r), 20)["step"] == 20

    r.steps.insert(12, en.Entry(en.Fixed(0, {"seat": 0, "level": 99})))  # in a file that somebody hands in it is a lie
    checks = replays.verify(msgspec.json.encode(r))
    assert [held for held, _ in checks] == [True, True, False]
    assert "step 13 of 31" in checks[-1][1]


def test_a_snapshot_brings_back_what_can_be_taken_back() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        s = to_act(p.table.game)[0]  # type: ignore[arg-type]
        assert (await p.act(p.people[s], "0,-1,-1,-1"))["ok"]
        assert consent.free_undo(p.table, s)
        p.journal.entries = [en.pack(en.Entry(en.ReadySet(99, True))) for _ in p.journal.entries]  # not folded
        p.room._snapshot()
        await asyncio.sleep(0)
        assert p.journal.short is not None
        await p.restart()
        assert consent.free_undo(p.table, s)
        await p.come()
        assert (await p.say(p.people[s], "undo"))["ok"]

    run(story())


def test_the_past_of_a_table_is_not_touched_by_what_is_tried_out() -> None:
    t = dealt(["classic"], 5)
    before = facts(t)
    after = t.after([en.Entry(en.Chatted(0, "Ann", "hello"), 0.0, 0, "m/1"), en.Entry(en.StandIn(1, True), 0.0, -1)])
    assert facts(t) == before
    assert len(after.chat) == 1
    with pytest.raises(Refused):
        t.after([en.Entry(en.StandIn(1, True)), en.Entry(en.Undone(0))])
    assert facts(t) == before
    t.become(after)
    assert facts(t) == facts(after)


# -- a seat that moves ------------------------------------------------------------------------------------------------


def test_a_seat_that_is_to_move_is_fetched_while_the_link_is_good_and_by_who_came_for_it() -> None:
    async def story() -> None:
        place = Place(people=3)
        await place.come()
        room = place.room
        assert room.claim(fingerprint("nobody's"), "token New") == -1
        assert room.claim(fingerprint("token Bob"), "token Lost") == 1
        assert room.claim(fingerprint("token Bob"), "token New") == 1
        assert len(room.claims) == 1, "a seat goes to one"

        good, told = place.journal.append, Voice("New")

        async def full(*_: Any) -> None:
            raise Lost("disk full")

        setattr(place.journal, "append", full)  # noqa: B010
        await room._one(told.guest, pr.Hello(pr.VERSION, told.guest.token))
        assert told.bye is not None
        assert told.bye[0] == "failed", "he comes again"
        setattr(place.journal, "append", good)  # noqa: B010

        place.table.chairs.reverse()  # as the deal may do
        told = Voice("New")
        await room._one(told.guest, pr.Hello(pr.VERSION, told.guest.token))
        assert (told.bye, told.guest.seat) == (None, 1)
        lost = Voice("Lost")
        await room._one(lost.guest, pr.Hello(pr.VERSION, lost.guest.token))
        assert lost.bye is not None
        assert lost.bye[0] == "bad_token"

        assert room.claim(fingerprint("token New"), "token Late") == 1
        place.clock.moment += links.SECONDS + 1
        late = Voice("Late")
        await room._one(late.guest, pr.Hello(pr.VERSION, late.guest.token))
        assert late.bye is not None
        assert late.bye[0] == "bad_token"

    run(story())


# -- exactly once -----------------------------------------------------------------------------------------------------


def test_nobody_pushes_out_anothers_answers() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        first = await p.say("Ann", "say", ident="mine", text="once")
        no = await p.say("Ann", "vote", ident="no", vote=99, yes=True)
        for i in range(ANSWERS_KEPT + 50):
            assert (await p.say("Bob", "say", ident=f"b{i}", text="spam"))["ok"]
            assert not (await p.say("Bob", "vote", ident=f"n{i}", vote=99, yes=True))["ok"]
        for i in range(STRANGERS_KEPT // 50):
            stranger = Voice(None, f"stranger-{i:08}")
            await p.room._one(stranger.guest, pr.Hello(pr.VERSION))
            p.voices[f"w{i}"] = stranger
            assert (await p.say(f"w{i}", "say", ident="s", text="spam"))["ok"]
            await p.go(f"w{i}")
        count = len(p.journal.entries)
        assert await p.say("Ann", "say", ident="mine", text="once") == first
        assert await p.say("Ann", "vote", ident="no", vote=99, yes=True) == no
        assert len(p.table.answers[p.voices["Bob"].guest.mark]) == ANSWERS_KEPT
        await p.restart()
        await p.come()
        assert await p.say("Ann", "say", ident="mine", text="once") == first
        assert len(p.journal.entries) == count
        assert b"token Ann" not in b"".join(p.journal.entries)

    run(story())


def test_strangers_do_not_fill_the_memory_and_push_out_no_seat() -> None:
    t = dealt(["classic"], 5)
    t.take(en.Entry(en.Chatted(0, "Ann", "x"), 0.0, 0, "seat/1"))
    for i in range(STRANGERS_KEPT + 40):
        t.take(en.Entry(en.Chatted(-1, "A spectator", "x"), 0.0, -1, f"~{i}/1"))
    assert len(t.answers) <= STRANGERS_KEPT + 1
    assert "1" in t.answers["seat"]
    assert f"~{STRANGERS_KEPT + 39}" in t.answers


def test_a_seat_that_is_given_up_leaves_no_answers_behind() -> None:
    async def story() -> None:
        p = Place(dealt=False)
        await p.come()
        mark = p.voices["Cid"].guest.mark
        assert (await p.say("Cid", "say", text="hello"))["ok"]
        assert mark in p.table.answers
        assert (await p.say("Cid", "leave"))["ok"]
        assert mark not in p.table.answers
        await p.same()

    run(story())


def test_what_a_spectator_says_over_two_lines_is_said_once(server: Server) -> None:
    async def story() -> None:
        ident, _ = await seated(server.url, 3)
        url = f"{server.url.replace('http', 'ws', 1)}/ws/tables/{ident}"
        answers = []
        for _ in range(3):
            async with connect(url) as ws:
                await ws.send(json.dumps({"t": "hello", "v": pr.VERSION, "watcher": "a-watcher-of-mine"}))
                await ws.send(json.dumps({"t": "say", "id": "1", "text": "Is anybody there?"}))
                while True:
                    heard = json.loads(await asyncio.wait_for(ws.recv(), 60))
                    if heard["t"] == "answer":
                        answers.append(heard)
                        break
        assert answers[0]["ok"]
        assert answers == [answers[0]] * 3
        async with Client(server.url, ident) as w:
            assert [c["text"] for c in w.chat] == ["Is anybody there?"]

    run(story())


# -- as strangers do it -----------------------------------------------------------------------------------------------


def test_votes_over_the_wire_with_the_power_going(tmp_path: Path) -> None:
    """A correction is half agreed to, a fight begins, the last says yes, the power goes: the table is there again."""

    async def story(server: Server) -> None:
        ident, tickets = await seated(server.url, 3)
        tokens = [t["token"] for t in tickets]
        async with (
            Client(server.url, ident, tokens[0]) as ann,
            Client(server.url, ident, tokens[1]) as bob,
            Client(server.url, ident, tokens[2]) as cid,
        ):
            clients = [ann, bob, cid]
            await begin(clients)
            fights = 0
            for _ in range(40):
                await play_on(clients, 80, lambda: any(c.find("kick") for c in clients))
                kicker = next((c for c in clients if c.find("kick")), None)
                if kicker is None or ann.status != "playing":
                    break
                level = ann.game["players"][0]["level"]
                asked = await ann.say("propose", fix={"seat": 0, "level": level % 8 + 1})
                assert asked["ok"], asked
                await bob.until(lambda seq=asked["seq"]: bob.seq >= seq)
                vote = bob.state["table"]["votes"][0]["id"]
                assert (await bob.say("vote", vote=vote, yes=True))["ok"]
                assert (await kicker.act(str(kicker.find("kick"))))["ok"]
                last = await cid.say("vote", vote=vote, yes=True)
                fights += not last["ok"] and last["code"] == "refused"
                if fights:
                    break
            assert fights
            seen = max(c.seq for c in clients)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            for c in clients:
                await c.until(lambda c=c: c._ws is not None and c.seq >= seen)
                assert (await c.say("say", text="still here"))["ok"]

    with Server("--data", str(tmp_path)) as server:
        run(story(server))
