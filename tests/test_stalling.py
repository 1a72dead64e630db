"""What uses nothing up can be done without end; it keeps nobody waiting, and nobody from moving."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from kickdoor.bots import make
from kickdoor.bots.driver import Table as Seats
from kickdoor.bots.driver import ask
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.server import consent, deciding, menu
from kickdoor.server import entries as en
from kickdoor.server.games import TALKS, Past
from rooms import Place

PERIOD = 4  # seconds between two pieces of talk
DECISION = 60
WINDOW = 8


def run(story: Any) -> None:
    asyncio.run(story())


async def played_until(p: Place, there: Callable[[Game], bool], seed: int = 0) -> Game:
    """Bots play the seats until the game has come to such a moment."""
    bots = [make("greedy", seed + i) for i in range(len(p.people))]
    for _ in range(3000):
        g = p.table.game
        assert g is not None
        if there(g):
            return g
        seats = Seats(g.clone())
        asked = seats.next()
        assert asked is not None, "the game is over"
        while (choice := ask(seats, bots, *asked)) is None:
            asked = seats.next()
            assert asked is not None
        await p.room._write([deciding.prepare(p.table, g, asked[0], [choice.move.deed], "person")], asked[0])
    raise AssertionError("it never comes to that")


def offered(g: Game, by: int, verb: int) -> list[list[Move]]:
    """Offers that could be made, with one Item or none, as the moves that make them."""
    out = []
    for begin in (m for m in legal(g, by) if m.verb == verb):
        draft = after(g, begin)
        items = [m for m in legal(draft, by) if m.verb == mv.ADD and m.card in g.players[by].table]
        if any(m.verb == mv.PROPOSE for m in legal(draft, by)):
            out.append([begin, Move(by, mv.PROPOSE)])
        for m in items:
            if any(x.verb == mv.PROPOSE for x in legal(after(draft, m), by)):
                out.append([begin, m, Move(by, mv.PROPOSE)])
    return out


def after(g: Game, move: Move) -> Game:
    then = g.clone()
    then.events = None
    apply(then, move)
    return then


def keys(moves: list[Move]) -> list[str]:
    return [menu.key(m) for m in moves]


def quiet(g: Game) -> bool:
    return type(g.stack[-1]) is fr.Turn and not g.offers


def trader(g: Game) -> Iterator[int]:
    return (s for s in g.living(g.turn) if s != g.turn and offered(g, s, mv.TRADE)) if quiet(g) else iter(())


async def a_quiet_moment() -> tuple[Place, Game, int]:
    """Somebody is on turn, and somebody else could trade: the table, its game and that seat."""
    p = Place(people=4, seed=5, timer="custom", decision=DECISION, window=WINDOW)
    await p.come()
    g = await played_until(p, lambda g: any(True for _ in trader(g)))
    return p, g, next(trader(g))


async def whiled_away(p: Place, g: Game, times: int, pastime: Callable[[Game], Awaitable[None]]) -> float:
    """Every few seconds somebody does that, until the time of who is on turn is up, or the turn: how long it took."""
    turn, begun, late = g.turns, p.clock.moment, p.table.chairs[g.turn].late
    for _ in range(times):
        now = p.table.game
        if now is None or now.turns != turn or p.table.chairs[g.turn].late > late:
            break
        p.clock.moment += PERIOD
        await p.room._one(None, None)
        await pastime(now)
    return p.clock.moment - begun


def test_who_is_on_turn_moves_in_spite_of_offers_that_come_and_go() -> None:
    async def story() -> None:
        p, g, talker = await a_quiet_moment()
        name, mover = p.people[talker], p.people[g.turn]
        windows = []
        for _ in range(TALKS + 3):
            windows.append(p.table.window)
            assert p.table.game is not None
            assert (await p.act(name, *keys(offered(p.table.game, talker, mv.TRADE)[0])))["ok"]
            assert (await p.act(name, menu.key(Move(talker, mv.WITHDRAW))))["ok"]
        assert windows[-1] == windows[-2] < p.table.window + 1
        seen = windows[-1]
        assert p.table.game is not None
        mine = next(m for m in legal(p.table.game, g.turn) if m.verb in (mv.KICK, mv.LOOT, mv.END_TURN, mv.CHARITY))
        assert (await p.say(mover, "act", window=seen, moves=[menu.key(mine)]))["ok"]

    run(story)


def test_the_time_of_who_is_on_turn_runs_out_in_spite_of_offers() -> None:
    async def story() -> None:
        p, g, talker = await a_quiet_moment()
        late = p.table.chairs[g.turn].late

        async def offers(_: Game) -> None:
            assert p.table.game is not None
            for moves in offered(p.table.game, talker, mv.TRADE)[:1]:
                await p.act(p.people[talker], *keys(moves))
                await p.act(p.people[talker], menu.key(Move(talker, mv.WITHDRAW)))

        took = await whiled_away(p, g, 200, offers)
        assert p.table.chairs[g.turn].late > late, "nobody's time was up"
        assert took <= DECISION + (2 * TALKS + 1) * PERIOD

    run(story)


def test_ones_own_time_is_not_made_longer_by_dressing_without_end() -> None:
    async def story() -> None:
        p = Place(people=3, seed=5, timer="custom", decision=DECISION, window=WINDOW)
        await p.come()
        wears = lambda g: quiet(g) and any(m.verb == mv.UNEQUIP for m in legal(g, g.turn))  # noqa: E731
        g = await played_until(p, wears)
        me, turn, begun = g.turn, g.turns, p.clock.moment
        late = p.table.chairs[me].late
        for _ in range(200):
            assert p.table.game is not None
            if p.table.game.turns != turn or p.table.chairs[me].late > late:
                break
            p.clock.moment += PERIOD
            await p.room._one(None, None)
            if p.table.chairs[me].late > late:
                break
            dress = [m for m in legal(p.table.game, me) if m.verb in (mv.EQUIP, mv.UNEQUIP)]
            if dress:
                await p.act(p.people[me], menu.key(dress[0]))
        assert p.table.chairs[me].late > late
        assert p.clock.moment - begun <= DECISION + (TALKS + 1) * PERIOD

    run(story)


def test_ones_own_time_is_not_made_longer_by_taking_back_without_end() -> None:
    async def story() -> None:
        p = Place(people=3, seed=5, timer="custom", decision=DECISION, window=WINDOW)
        await p.come()
        wears = lambda g: quiet(g) and any(m.verb == mv.UNEQUIP for m in legal(g, g.turn))  # noqa: E731
        g = await played_until(p, wears)
        me, begun = g.turn, p.clock.moment
        late = p.table.chairs[me].late
        for _ in range(200):
            if p.table.chairs[me].late > late:
                break
            assert p.table.game is not None
            dress = [m for m in legal(p.table.game, me) if m.verb in (mv.EQUIP, mv.UNEQUIP)]
            await p.act(p.people[me], menu.key(dress[0]))
            free = p.table.past and consent.free_undo(p.table, me)
            answer = await p.say(p.people[me], "undo")
            assert answer["ok"] == free or answer["code"] == "no_undo"
            p.clock.moment += PERIOD
            await p.room._one(None, None)
        assert p.table.chairs[me].late > late
        assert p.clock.moment - begun <= DECISION + (TALKS + consent.BACKS + 1) * PERIOD

    run(story)


def test_a_turn_that_is_ended_and_taken_back_is_the_same_turn() -> None:
    """Who alone could take it back without end ends it, and a turn that was not there before is another one."""

    async def story() -> None:
        p = Place(people=3, seed=5, timer="custom", decision=DECISION, window=WINDOW)
        await p.come()
        g = await played_until(p, lambda g: quiet(g) and any(m.verb == mv.UNEQUIP for m in legal(g, g.turn)))
        me = g.turn
        for n in range(consent.BACKS):
            assert p.table.regrets.since(g.turns).seats == (me,) * n
            p.table.take(en.Entry(deciding.prepare(p.table, p.table.game or g, me, [_dressing(p, me).deed], "person")))
            p.table.take(en.Entry(en.Undone(me)))
        p.table.past.append(Past(me, g, p.table.window, p.table.count, []))
        assert (await p.say(p.people[me], "undo"))["code"] == "no_undo"
        assert not consent.free_undo(p.table, me)
        assert p.table.regrets.since(g.turns + 1).seats == ()
        assert p.table.regrets.since(g.turns - 1).seats == (me,) * consent.BACKS

    run(story)


def _dressing(p: Place, seat: int) -> Move:
    assert p.table.game is not None
    return next(m for m in legal(p.table.game, seat) if m.verb == mv.UNEQUIP)


def test_votes_on_taking_back_hold_the_clocks_up_for_a_while_and_not_for_ever() -> None:
    """Whoever asks for it, withdraws and asks again."""

    async def story() -> None:
        p = Place(people=3, seed=5, timer="custom", decision=DECISION, window=WINDOW)
        await p.come()
        g = await played_until(p, quiet)
        me = g.turn
        p.table.past.append(Past(me, g, p.table.window, p.table.count, []))
        asked = []
        for _ in range(consent.BACKS + 2):
            p.table.past[-1].move = p.table.count = p.table.count + 1  # another move, at which others have looked
            p.table.unlearnt = (p.table.count, p.table.window, False)
            asked.append((await p.say(p.people[me], "undo"))["ok"])
            if p.table.votes:
                await p.say(p.people[me], "vote", vote=p.table.votes[0].id, yes=False)
        assert asked == [True] * consent.BACKS + [False] * 2

    run(story)


def test_what_everybody_agrees_to_take_back_counts_once() -> None:
    async def story() -> None:
        p = Place(people=3, seed=5, timer="custom", decision=DECISION, window=WINDOW)
        await p.come()
        g = await played_until(p, quiet)
        p.table.past.append(Past(g.turn, g, p.table.window, p.table.count, []))
        p.table.unlearnt = (p.table.count, p.table.window, False)
        me, *others = sorted(range(3), key=lambda s: s != g.turn)
        assert (await p.say(p.people[me], "undo"))["ok"]
        for s in others:
            await p.say(p.people[s], "vote", vote=p.table.votes[0].id, yes=True)
        assert not p.table.votes
        assert p.table.regrets.seats == (me,)

    run(story)


def test_who_is_alone_with_bots_takes_back_as_often_as_he_likes() -> None:
    async def story() -> None:
        p = Place(people=1, bots=2, seed=5, timer="custom", decision=DECISION, window=WINDOW)
        await p.come()
        g = p.table.game
        assert g is not None
        for n in range(consent.BACKS + 3):
            p.table.past.append(Past(0, g, p.table.window, n, []))
            p.table.unlearnt = (n, p.table.window, True)
            assert (await p.say("Ann", "undo"))["ok"]

    run(story)


def test_a_draft_that_is_put_aside_again_and_again_has_one_time_in_all() -> None:
    """Who begins an offer and never ends it holds the others up for as long as one decision, not for ever."""

    async def story() -> None:
        p, g, talker = await a_quiet_moment()
        late = p.table.chairs[g.turn].late

        async def drafts(now: Game) -> None:
            start = next((m for m in legal(now, talker) if m.verb == mv.TRADE), None)
            open_draft = type(now.stack[-1]) is fr.Draft
            move = Move(talker, mv.CANCEL) if open_draft else start
            if move is not None:
                await p.act(p.people[talker], menu.key(move))

        took = await whiled_away(p, g, 400, drafts)
        assert p.table.chairs[g.turn].late > late or p.table.chairs[talker].late
        assert took <= 2 * DECISION + (4 * TALKS + 2) * PERIOD

    run(story)


@pytest.mark.parametrize("verb", [mv.OFFER_HELP, mv.TRADE])
def test_a_fight_ends_while_a_bystander_offers_and_withdraws(verb: int) -> None:
    async def story() -> None:
        p = Place(people=4, seed=8, timer="custom", decision=DECISION, window=WINDOW)
        await p.come()

        def fight(g: Game) -> bool:
            if g.fight is None or type(g.stack[-1]) is not fr.Combat or g.fight.helper >= 0:
                return False
            return any(offered(g, s, verb) for s in g.living(g.turn) if s != g.fight.main)

        g = await played_until(p, fight)
        assert g.fight is not None
        main = g.fight.main
        talker = next(s for s in g.living(g.turn) if s != main and offered(g, s, verb))
        for _ in range(60):
            now = p.table.game
            if now is None or now.fight is None or type(now.stack[-1]) is not fr.Combat:
                break
            for s in to_act(now):
                if s != talker:
                    await p.act(p.people[s], menu.key(Move(s, mv.PASS)))
            now = p.table.game
            if now is not None and now.fight is not None and type(now.stack[-1]) is fr.Combat:
                for moves in offered(now, talker, verb)[:1]:
                    await p.act(p.people[talker], *keys(moves))
                    await p.act(p.people[talker], menu.key(Move(talker, mv.WITHDRAW)))
            p.clock.moment += PERIOD / 2
            await p.room._one(None, None)
        else:
            raise AssertionError("the fight goes on for ever")

    run(story)
