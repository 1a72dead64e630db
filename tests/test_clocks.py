"""The table never waits for ever: clocks, defaults, bots for the absent. With a clock that the test turns."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from kickdoor.bots.driver import only_pass
from kickdoor.engine.kernel import legal
from kickdoor.server import deciding, menu, pace, timing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import fingerprint
from kickdoor.server.journal import Lease
from kickdoor.server.room import Room
from kickdoor.server.table import OVER, PLAYING, Table
from rooms import Standing
from test_leaks import NoJournal


class Turned:
    """A room whose clock stands until the test turns it."""

    def __init__(self, table: Table, bell: Standing | None = None) -> None:
        self.clock = bell or Standing()
        self.room = Room(table, Lease(table.id, 1), NoJournal(), bell=self.clock)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.room, name)

    async def turn(self) -> bool:
        """To the next thing that happens by itself; False if nothing ever does."""
        due = self._next_due()
        if due is None:
            return False
        self.clock.moment = max(self.clock.moment, due)
        await self._tick()
        return True

    async def say(self, seat: int, message: Any) -> None:
        guest = next(g for g in self.guests if g.seat == seat)
        await self._command(guest, message)


def room(people: int = 4, bots: int = 0, seed: int = 77, bell: Standing | None = None, **options: Any) -> Turned:
    t = Table("abcdefghjk")
    o = op.changed(op.TableOptions(), options)
    t.take(en.Entry(en.Opened(t.id, "Slow", op.plain(o), people + bots)))
    t.take(en.Entry(en.Sealed(seed, "salt")))
    for i in range(people):
        t.take(en.Entry(en.Sat(i, f"P{i}", "male", fingerprint(f"token {i}"))))
    for i in range(bots):
        t.take(en.Entry(deciding.bot_for(t, people + i, "random")))
    t.take(en.Entry(deciding.dealing(t, list(range(people + bots)))))
    out = Turned(t, bell)
    for i in range(people):
        g = Guest(f"token {i}", lambda _: True, lambda *_: None)
        g.seat, g.inside = i, True
        out.guests.append(g)
    out._mind()
    out._rest()
    return out


def run(story: Any) -> Any:
    async def inside() -> Any:
        return await story()

    return asyncio.run(inside())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_every_client_mute_every_game_ends(seed: int) -> None:
    async def story() -> None:
        r = room(seed=seed)
        for _ in range(20_000):
            if r.table.status == OVER:
                break
            assert await r.turn(), "the table waits for ever"
        assert r.table.status == OVER
        texts = [line.text for line in r.table.lines[-1]]
        assert any("wins the game" in x for x in texts)

    run(story)


def test_every_decision_has_a_legal_default() -> None:
    """Whatever is asked, there is something that can be done for a sleeper."""

    async def story() -> None:
        for seed in range(4):
            r = room()
            rng = random.Random(seed)
            for _ in range(400):
                g = r.table.game
                assert g is not None
                if r.table.status != PLAYING:
                    break
                for s in timing.waiting(g).seats:
                    assert timing.default(g, s) in legal(g, s)
                s = timing.waiting(g).seats[0]
                m = rng.choice(legal(g, s))
                await r._write([deciding.prepare(r.table, g, s, [m.deed], "person")], s)

    run(story)


def test_the_first_lapse_is_a_default_the_second_makes_a_dozer_and_the_others_may_vote_a_bot_in() -> None:
    async def story() -> None:
        r = room(people=3)
        t = r.table

        async def others_play(sleeper: int) -> None:
            g = t.game
            assert g is not None
            for s in timing.waiting(g).seats:
                if s != sleeper:
                    m = timing.default(g, s)
                    assert m is not None
                    await r.say(s, pr.Act(f"{s}.{t.seq}", t.window, [menu.key(m)]))
                    return
            await r.turn()

        for _ in range(400):
            if t.chairs[1].dozing:
                break
            await others_play(1)
        assert t.chairs[1].dozing
        assert not t.chairs[1].standin
        await r.say(0, pr.Wake("w1", 1))
        assert [v.kind for v in t.votes] == ["standin"]
        await r.say(2, pr.Vote("w2", t.votes[0].id, True))
        assert t.chairs[1].standin
        window = t.window
        await r.say(1, pr.TakeBack("w3"))
        assert not t.chairs[1].standin
        assert t.window == window

    run(story)


def test_bystanders_have_the_reasonable_time_and_fighters_have_time_to_think() -> None:
    async def story() -> None:
        r = room(people=3, window=4, decision=50, timer="custom")
        for _ in range(300):
            g = r.table.game
            assert g is not None
            if g.fight is not None and r.clocks.wait.kind == "window" and timing.patient(g, g.fight.main):
                break
            await r.turn()
        assert g is not None
        assert g.fight is not None
        main = g.fight.main
        bystander = next(s for s in r.clocks.wait.seats if s != main)
        assert r.clocks.of(main)["total"] == 50_000
        assert r.clocks.of(bystander)["total"] == 4_000
        before = r.clock.moment
        await r.turn()
        assert r.clock.moment - before == pytest.approx(4, abs=0.01)
        assert bystander not in r.clocks.wait.seats

    run(story)


def test_the_clock_starts_again_when_the_fight_changes_and_not_when_somebody_passes() -> None:
    async def story() -> None:
        r = room(people=3, window=10, decision=100, timer="custom")
        for _ in range(300):
            if r.clocks.wait.kind == "window" and len(r.clocks.wait.seats) == 3:
                break
            await r.turn()
        start = r.clocks.since
        r.clock.moment += 3
        s = r.clocks.wait.seats[1]
        await r.say(s, pr.Act("a", r.table.window, ["0,-1,-1,-1"]))
        assert r.clocks.since == start
        assert r.clocks.of(r.clocks.wait.seats[-1])["left"] <= 7_000

    run(story)


def test_clocks_stand_still_while_nobody_is_there() -> None:
    async def story() -> None:
        r = room(people=3, bots=1)
        for g in list(r.guests):
            await r._part(g)
        r.clock.moment += 10_000
        assert r._next_due() is None

    run(story)


class Belfry(Standing):
    """The same, which notes when it is to ring."""

    def __init__(self) -> None:
        super().__init__()
        self.rings: list[float] = []
        self.ring: Any = None

    def call_at(self, when: float, callback: Any) -> Belfry:
        self.rings.append(when)
        self.ring = callback
        return self

    def cancel(self) -> None:
        self.ring = None


def test_the_bell_is_set_again_when_it_has_rung_and_not_with_every_move() -> None:
    """Every move moves what is due; a bell that rings too early costs one look, and nothing happens by it."""

    async def story() -> None:
        bell = Belfry()
        r = room(people=4, bell=bell, window=10, decision=100, timer="custom")
        assert bell.rings == [r._next_due()]
        first, made = bell.rings[0], r.table.count
        while r.table.count < made + 4:
            bell.moment += 1
            g = r.table.game
            assert g is not None
            s = r.clocks.wait.seats[0]
            move = timing.default(g, s)
            assert move is not None
            await r.say(s, pr.Act(f"m{bell.moment}", r.table.window, [menu.key(move)]))
            assert min(bell.rings) == bell.rings[-1], "it must never ring too late"
            assert bell.rings[-1] <= r._next_due() + 0.001
        early = bell.rings[-1] < r._next_due() - 0.5
        assert len(bell.rings) <= 2
        assert early
        seq, bell.moment = r.table.seq, bell.rings[-1]
        bell.ring()
        await r._one(*r.inbox.get_nowait())
        assert r.table.seq == seq
        assert bell.moment <= first
        assert bell.rings[-1] == r._next_due()

    run(story)


async def to_a_window(r: Turned, seat: int) -> bool:
    """To a window in which this seat is awaited; does it fight?"""
    for _ in range(300):
        if r.clocks.wait.kind == "window" and seat in r.clocks.wait.seats:
            break
        await r.turn()
    g = r.table.game
    assert g is not None
    return g.fight is not None and seat in (g.fight.main, g.fight.helper)


def test_a_bystander_is_passed_for_at_once_a_fighter_is_not() -> None:
    async def story() -> None:
        r = room(people=3, bots=1)
        await r.say(1, pr.Auto("x", "bystander"))
        fights = await to_a_window(r, 1)
        assert r.clocks._passes_after(1) == (None if fights else pace.AUTO_PAUSE)

    run(story)


def test_soon_is_the_reasonable_time_of_the_book_and_whoever_stirs_has_the_whole_window() -> None:
    async def story() -> None:
        r = room(people=3, bots=1)
        for s in range(3):
            await r.say(s, pr.Auto("x", "soon"))
        await to_a_window(r, 1)
        g = r.table.game
        assert g is not None
        onlooker = next(s for s in r.clocks.wait.seats if s < 3 and not timing.patient(g, s))
        assert r.clocks._passes_after(onlooker) == g.rules.combat.response.seconds
        assert r.clocks.of(onlooker)["total"] == 1000 * g.rules.combat.response.seconds
        heard: list[bytes] = []
        guest = next(x for x in r.guests if x.seat == onlooker)
        guest.send = lambda data: not heard.append(data)  # type: ignore[func-returns-value]
        await r.say(onlooker, pr.Wait("hold on"))
        assert r.clocks._passes_after(onlooker) is None
        clock, answer = (msgspec.json.decode(x) for x in heard)
        assert clock["clock"]["total"] == 1000 * r.table.options.window
        assert answer["ok"]
        assert r.clocks.of((onlooker + 1) % 3)["kind"] == "window"

    run(story)


def test_only_with_nobody_to_see_it_does_the_hand_decide_how_soon_the_table_passes() -> None:
    async def story() -> None:
        quick = 0
        r = room(people=1, bots=3)
        await r.say(0, pr.Auto("x", "nothing"))
        for _ in range(400):
            g = r.table.game
            if g is None or r.table.status != PLAYING or quick > 5:
                break
            if r.clocks.wait.kind == "window" and 0 in r.clocks.wait.seats:
                idle = only_pass(legal(g, 0)) is not None
                assert r.clocks._passes_after(0) == (pace.AUTO_PAUSE if idle else None)
                quick += idle
                onlooker = Guest(None, lambda _: True, lambda *_: None)
                r.guests.append(onlooker)
                assert r.clocks._passes_after(0) is None
                r.guests.remove(onlooker)
            if r.clocks.wait.kind == "decision" and r.clocks.wait.seats == (0,):
                move = timing.default(g, 0)
                assert move is not None
                await r.say(0, pr.Act(f"{r.table.seq}", r.table.window, [menu.key(move)]))
            else:
                await r.turn()
        assert quick > 5

    run(story)


def test_who_wants_to_be_passed_for_is_never_late_in_a_window() -> None:
    """Whether the table says that time is up would tell whether there was something to play."""

    async def story() -> None:
        r = room(people=2, bots=2)
        await r.say(1, pr.Auto("x", "nothing"))
        for _ in range(200):
            fights = await to_a_window(r, 1)
            before = r.table.chairs[1].late
            while r.clocks.wait.kind == "window" and 1 in r.clocks.wait.seats:
                await r.turn()
            assert r.table.chairs[1].late <= before
            if not fights:
                return

    run(story)


def test_a_bot_that_fails_is_replaced_by_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        r = room(people=2, bots=2)

        def broken(*_: Any) -> Any:
            raise RuntimeError("this bot has had too much ale")

        monkeypatch.setattr("kickdoor.bots.RandomBot.choose", broken)
        for _ in range(200):
            await r.turn()
        assert r.table.count > 50

    run(story)
