"""By consent: a vote is about one thing and is everybody's, and the journal has what came of it."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import AFTER_DOOR, Game
from kickdoor.engine.value.records import Event
from kickdoor.engine.views import seen
from kickdoor.server import deciding, learning, menu
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.consent import free_undo
from kickdoor.server.games import made
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble
from rooms import Place, facts
from test_bots import hold, meet, quiet_table
from test_leaks import dealt, with_game
from test_views import swap_hidden

LEVEL = {"seat": 0, "level": 5}


def run(story: Any) -> None:
    asyncio.run(asyncio.wait_for(story, 60))


def game(p: Place) -> Game:
    assert p.table.game is not None
    return p.table.game


def quiet(g: Game) -> bool:
    return isinstance(g.stack[-1], fr.Turn) and g.fight is None and not g.winners


async def until(p: Place, done: Any, steps: int = 300, seed: int = 0) -> None:
    """Everybody plays on until something is so."""
    rng = random.Random(seed)
    for _ in range(steps):
        g = game(p)
        if done(g):
            return
        s = to_act(g)[0]
        m = rng.choice([m for m in legal(g, s) if m.verb not in menu.DRAFTS] or legal(g, s))
        assert (await p.act(p.people[s], menu.key(m)))["ok"]
    raise AssertionError("it never comes to that")


async def at_the_door(p: Place) -> str:
    """Somebody's turn begins: his name."""
    await until(p, lambda g: quiet(g) and any(m.verb == mv.KICK for m in legal(g, g.turn)))
    return p.people[game(p).turn]


async def agree(p: Place, *names: str, yes: bool = True) -> list[dict[str, Any]]:
    vote = p.table.votes[0].id
    return [await p.say(n, "vote", vote=vote, yes=yes) for n in names]


# -- a vote is about one thing ----------------------------------------------------------------------------------------


def test_a_correction_agreed_to_in_a_fight_is_not_made_and_harms_nobody() -> None:
    async def story() -> None:
        for seed in range(1, 20):
            p = Place(seed=seed)
            await p.come()
            kicker = await at_the_door(p)
            a, b, c = p.people
            assert (await p.say(a, "propose", fix=LEVEL))["ok"]
            assert (await p.say(b, "vote", vote=p.table.votes[0].id, yes=True))["ok"]
            await p.act(kicker, f"{mv.KICK},-1,-1,-1")
            if game(p).fight is None:
                continue
            before = len(p.journal.entries)
            no = (await agree(p, c))[0]
            assert (no["ok"], no["rule"]) == (False, "CONF-8")
            assert len(p.journal.entries) == before, "what was refused is not in the journal"
            await p.same()
            await p.restart()
            await p.come()
            assert game(p).players[0].level == 1
            return
        raise AssertionError("no seed leads to a fight")

    run(story())


def test_a_vote_that_waits_for_the_end_of_a_fight_lapses_if_what_it_was_about_has_changed() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        await at_the_door(p)
        assert (await p.say("Ann", "propose", fix=LEVEL))["ok"]
        first = p.table.votes[0]
        assert first.text == "Ann proposes: Ann is Level 5, not 1."
        assert (await p.say("Bob", "propose", fix={"seat": 0, "level": 3}))["ok"]
        vote = p.table.votes[1].id
        for n in ("Ann", "Cid"):
            assert (await p.say(n, "vote", vote=vote, yes=True))["ok"]
        assert game(p).players[0].level == 3
        assert p.table.votes == []
        assert any("The vote is off" in x and "Level 5, not 1" in x for x in p.texts())
        assert (await p.say("Bob", "vote", vote=first.id, yes=True))["code"] == "no_vote"
        await p.same()

    run(story())


def test_an_open_undo_vote_does_not_outlive_a_correction() -> None:
    async def story() -> None:
        p = Place(seed=3)
        await p.come()
        kicker = await at_the_door(p)
        others = [n for n in p.people if n != kicker]
        await p.act(kicker, f"{mv.KICK},-1,-1,-1")
        await until(p, quiet)
        mover = p.people[p.table.past[-1].seat]
        answer = await p.say(mover, "undo")
        if p.table.votes:
            undo = p.table.votes[0].id
            other = next(n for n in p.people if n != mover)
            assert (await p.say(other, "propose", fix=LEVEL))["ok"]
            fix = p.table.votes[1].id
            for n in p.people:
                if n != other:
                    assert (await p.say(n, "vote", vote=fix, yes=True))["ok"]
            assert game(p).players[0].level == 5
            assert p.table.votes == []
            for n in others:
                assert (await p.say(n, "vote", vote=undo, yes=True))["code"] in ("no_vote",)
        assert answer["ok"]
        await p.same()

    run(story())


def test_a_vote_on_a_move_takes_back_that_move_or_none() -> None:
    """Seat 0 asks for its kick back, somebody else moves in the same window: nothing of his is taken back."""

    async def story() -> None:
        p = Place(seed=3)
        await p.come()
        kicker = await at_the_door(p)
        await p.act(kicker, f"{mv.KICK},-1,-1,-1")
        assert (await p.say(kicker, "undo"))["ok"]
        vote = p.table.votes[0]
        assert vote.kind == "undo"
        g = game(p)
        s = to_act(g)[0]
        m = next((m for m in legal(g, s) if m.verb == mv.PASS), legal(g, s)[0])
        assert (await p.act(p.people[s], menu.key(m)))["ok"]
        key = game(p).key()
        assert p.table.votes == []
        for n in p.people:
            if n != kicker:
                assert (await p.say(n, "vote", vote=vote.id, yes=True))["code"] == "no_vote"
        assert game(p).key() == key
        assert any("The vote is off" in x and "take the last move back" in x for x in p.texts())
        await p.same()

    run(story())


def test_bots_and_clocks_wait_a_little_for_a_vote_on_the_last_move() -> None:
    async def story() -> None:
        p = Place(people=2, bots=2, seed=5, window=3)
        await p.come()
        for _ in range(200):
            g = game(p)
            me = to_act(g)[0]
            if me < 2 and any(m.verb == mv.KICK for m in legal(g, me)):
                break
            if me < 2:
                await p.act(p.people[me], str(menu.key(legal(g, me)[0])))
            else:
                await p.turn()
        doors = len(game(p).piles[0])
        kicker, other = p.people[me], p.people[1 - me]
        assert (await p.act(kicker, f"{mv.KICK},-1,-1,-1"))["ok"]
        assert (await p.say(kicker, "undo"))["ok"]
        p.clock.moment += 10
        await p.room._one(None, None)
        assert len(p.table.votes) == 1, "bots and the clock have waited"
        assert all(x["ok"] for x in await agree(p, other))
        assert len(game(p).piles[0]) == doors
        assert (await p.act(kicker, f"{mv.KICK},-1,-1,-1"))["ok"]
        assert (await p.say(kicker, "undo"))["ok"]
        p.clock.moment += 25
        await p.room._one(None, None)
        assert p.table.votes == [], "nobody is held up for long"

    run(story())


# -- consent is of seats ----------------------------------------------------------------------------------------------


def test_lines_that_are_down_are_no_consent() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        await at_the_door(p)
        await p.go("Bob", "Cid")
        assert (await p.say("Ann", "propose", fix={"seat": 0, "level": 9}))["ok"]
        assert (game(p).players[0].level, len(p.table.votes)) == (1, 1)
        await p.come("Bob")
        assert all(x["ok"] for x in await agree(p, "Bob"))
        assert game(p).players[0].level == 1, "Cid has not been asked"
        await p.restart()
        await p.come("Cid")
        assert p.table.votes[0].yes == [0, 1]
        assert all(x["ok"] for x in await agree(p, "Cid"))
        assert game(p).players[0].level == 9
        await p.same()

    run(story())


def test_whoever_is_back_first_after_a_restart_decides_nothing_alone() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        kicker = await at_the_door(p)
        await p.act(kicker, f"{mv.KICK},-1,-1,-1")
        await p.restart()
        await p.come(kicker)
        assert (await p.say(kicker, "undo"))["ok"]
        assert [v.kind for v in p.table.votes] == ["undo"]
        await p.same()

    run(story())


@pytest.mark.parametrize("absent", [0, 120])
def test_a_table_can_settle_beforehand_that_nobody_is_waited_for_without_end(absent: int) -> None:
    async def story() -> None:
        p = Place(absent=absent)
        await p.come()
        await at_the_door(p)
        await p.go("Cid")
        p.clock.moment += 61
        await p.room._one(None, None)
        assert p.table.chairs[2].standin
        assert (await p.say("Ann", "propose", fix=LEVEL))["ok"]
        assert all(x["ok"] for x in await agree(p, "Bob"))
        assert game(p).players[0].level == 1
        p.clock.moment += 121
        await p.room._one(None, None)
        assert game(p).players[0].level == (5 if absent else 1)
        await p.same()

    run(story())


def test_nobody_is_waited_for_while_nobody_is_there() -> None:
    """Who was left alone for a minute in the evening, and came first in the morning, decided alone at once."""

    async def story() -> None:
        p = Place(absent=120)
        await p.come()
        await at_the_door(p)
        await p.go("Bob", "Cid")
        while not (p.table.chairs[1].standin and p.table.chairs[2].standin):
            assert await p.turn()
        await p.go("Ann")
        p.clock.moment += 40_000
        await p.come("Ann")
        assert (await p.say("Ann", "propose", fix=LEVEL))["ok"]
        await p.room._one(None, None)
        assert game(p).players[0].level == 1
        p.clock.moment += 121
        await p.room._one(None, None)
        assert game(p).players[0].level == 5, "that is how long they are waited for"

    run(story())


def test_how_long_votes_wait_is_settled_in_the_lobby() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        assert (await p.say("Ann", "options", options={"absent": 60}))["code"] == "started"
        lobby = Place(dealt=False)
        await lobby.come()
        assert (await lobby.say("Ann", "options", options={"absent": 5}))["code"] == "bad_option"
        assert (await lobby.say("Ann", "options", options={"absent": 60}))["ok"]

    run(story())


def test_who_gets_up_is_not_waited_for() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        await at_the_door(p)
        assert (await p.say("Ann", "propose", fix=LEVEL))["ok"]
        assert all(x["ok"] for x in await agree(p, "Bob"))
        assert (await p.say("Cid", "leave"))["ok"]
        await p.turn()
        assert game(p).players[0].level == 5
        await p.same()

    run(story())


def test_a_proposal_can_be_withdrawn_and_does_not_stay_for_ever() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        await at_the_door(p)
        assert (await p.say("Ann", "propose", fix=LEVEL))["ok"]
        assert (await p.say("Ann", "propose", fix=LEVEL))["code"] == "voting"
        assert (await agree(p, "Ann"))[0]["code"] == "voted"
        assert (await agree(p, "Bob"))[0]["ok"]
        assert (await agree(p, "Ann", yes=False))[0]["ok"]
        assert p.table.votes == []
        assert any("Ann withdraws it" in x for x in p.texts())
        assert (await p.say("Ann", "propose", fix=LEVEL))["ok"]
        p.clock.moment += 601
        await p.room._one(None, None)
        assert p.table.votes == []
        assert any("Not everybody has answered in time" in x for x in p.texts())
        await p.same()

    run(story())


def test_a_move_that_was_not_to_be_taken_back_is_not_asked_about_again() -> None:
    async def story() -> None:
        p = Place(seed=3)
        await p.come()
        kicker = await at_the_door(p)
        await p.act(kicker, f"{mv.KICK},-1,-1,-1")
        other = next(n for n in p.people if n != kicker)
        assert (await p.say(kicker, "undo"))["ok"]
        assert (await agree(p, other, yes=False))[0]["ok"]
        assert (await p.say(kicker, "undo"))["code"] == "no_undo"
        await p.same()

    run(story())


# -- what proposals tell ----------------------------------------------------------------------------------------------


def answers(t: Table, seat: int, commands: list[Any]) -> list[Any]:
    """What a seat is answered, and what everybody would hear of it."""
    out: list[Any] = []
    for m in commands:
        try:
            done = deciding.draft(t, seat, m) if isinstance(m, pr.Draft) else deciding.decide(t, seat, m)
            out.append(msgspec.to_builtins([w for w in done if isinstance(w, en.Asked)]))
        except Trouble as e:
            out.append((e.code, e.says, e.rule))
    return out


def test_who_is_there_is_asked_however_long_a_bot_plays_for_him() -> None:
    """`absent` is about people who are gone: nobody is voted down at the table he sits at."""

    async def story() -> None:
        p = Place(people=2, house=["two_players"], absent=60)
        await p.come()
        await at_the_door(p)
        await p.room._write([en.StandIn(1, True, ", who does not answer")], -1)
        p.room._mind()
        p.clock.moment += 3600
        assert (await p.say("Ann", "propose", fix={"seat": 0, "level": 9}))["ok"]
        assert p.table.votes, "it waits for Bob"
        await p.go("Bob")
        p.clock.moment += 61
        await p.room._one(None, None)
        assert not p.table.votes
        assert game(p).players[0].level == 9, "he was gone for longer than this table waits"

    run(story())


@pytest.mark.parametrize("more", [{"card": 3}, {"to": "hand"}, {"card": 3, "to": "discard"}, {"card": 99999}])
def test_what_is_voted_on_is_what_is_said_of_it(more: dict[str, Any]) -> None:
    """A Level with a card beside it was put in the words of the card: a vote for one thing, carried out as another."""

    async def story() -> None:
        p = Place(people=3)
        await p.come()
        await at_the_door(p)
        answer = await p.say("Ann", "propose", fix={**LEVEL, **more})
        assert answer["code"] == "bad_fix"
        assert not p.table.votes

    run(story())


@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_proposal_is_answered_depends_on_what_its_proposer_sees(seed: int) -> None:
    """Two tables that differ in what a seat cannot see give the same answers to whatever it says."""

    async def story() -> None:
        rng = random.Random(seed)
        p = Place(people=4, seed=seed)
        await p.come()
        asked = 0
        for step in range(60):
            g = game(p)
            if g.winners:
                break
            if step == 20 and quiet(g):
                await p.say("Bob", "propose", fix=LEVEL)
            seat = rng.randrange(4)
            others = [with_votes(p.table, with_game(p.table, x)) for x in (g.clone(), swap_hidden(g, seat, rng))]
            cards = rng.sample(range(-1, len(g.lib.defs) + 1), 40)
            commands: list[Any] = [
                pr.Propose(f"p{c}", pr.Fix(rng.randrange(4), card=c, to=rng.choice(["hand", "table", "discard"])))
                for c in cards
            ]
            verbs = [mv.PLAY, mv.EQUIP, mv.DISCARD, mv.USE, mv.SELL]
            commands += [pr.Act(f"a{c}", p.table.window, [f"{rng.choice(verbs)},{c},-1,-1"]) for c in cards[:10]]
            commands += [pr.Draft(f"d{c}", [f"{mv.SELL},-1,-1,-1", f"{mv.ADD},{c},-1,-1"]) for c in cards[:5]]
            one, two = (answers(t, seat, commands) for t in others)
            assert one == two, f"seat {seat} can tell"
            asked += len(commands)
            s = to_act(g)[0]
            await p.act(p.people[s], menu.key(rng.choice(legal(g, s))))
        assert asked > 1000

    run(story())


def with_votes(t: Table, new: Table) -> Table:
    new.votes, new.voted, new.past = [v.copy() for v in t.votes], t.voted, t.past.copy()
    return new


def test_the_words_of_a_proposal_name_no_card_that_not_everybody_sees() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        await at_the_door(p)
        g = game(p)
        mine = g.players[0].hand[0]
        name = g.lib.defs[mine].name
        assert (await p.say("Ann", "propose", fix={"seat": 1, "card": mine, "to": "hand"}))["ok"]
        assert p.table.votes[0].text == "Ann proposes: a card of Ann's hand belongs into Bob's hand."
        await agree(p, "Bob", "Cid")
        assert mine in game(p).players[1].hand
        assert not any(name in line.text for line in p.table.lines[2] if "orrected" not in line.text)
        theirs = game(p).players[2].hand[0]
        deck = game(p).piles[0][-1]
        said = [
            await p.say("Ann", "propose", fix={"seat": 0, "card": c, "to": "hand"}) for c in (theirs, deck, 9999, -5)
        ]
        assert len({(x["ok"], x["code"], x["says"], x["rule"]) for x in said}) == 1

    run(story())


def test_moves_cannot_be_tried_out_with_a_last_one_that_fails() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        kicker = await at_the_door(p)
        for guess in (f"{mv.PASS},-1,-1,-1", f"{mv.LOOT},-1,-1,-1", f"{mv.KEEP},-1,-1,-1"):
            no = await p.act(kicker, f"{mv.KICK},-1,-1,-1", guess)
            assert no["code"] == "not_together"

    run(story())


# -- free undo --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packs", [["classic"], ["classic", "clerical_errors", "dungeons"]], ids=["classic", "three"])
def test_what_is_free_to_take_back_has_shown_nobody_anything(packs: list[str]) -> None:
    """Deal what a viewer cannot see otherwise, make the same move: it must look the same to him afterwards."""
    rng = random.Random(4)
    free = told = 0
    for seed in range(2):
        t = dealt(packs, seed)
        for _ in range(120):
            g = t.game
            assert g is not None
            if g.winners:
                break
            s = to_act(g)[0]
            mine = legal(g, s)
            verb = rng.choice(sorted({m.verb for m in mine}))
            m = rng.choice([m for m in mine if m.verb == verb])
            w = deciding.prepare(t, g, s, [m.deed], "person")
            t.take(en.Entry(w))
            after = t.game
            assert after is not None
            if not free_undo(t, s):
                told += 1
                continue
            free += 1
            for viewer in range(-1, 4):
                other = swap_hidden(g, viewer, rng)
                if m not in (legal(other, s) if s != viewer else mine):
                    continue  # the mover holds other cards there
                assert seen(made(other, w)[0], viewer) == seen(after, viewer), f"{viewer} has learnt by {m}"
    assert free > 50
    assert told > 30


def test_a_question_that_shows_cards_a_laid_out_hand_or_a_peek_is_something_learnt() -> None:
    """By the value alone: the same hands, piles and dice, and yet somebody sees more."""
    t = dealt(["classic"], 3)
    old = t.game
    assert old is not None
    cards = tuple(old.piles[0][-3:])
    peek = old.clone()
    peek.stack = [*peek.stack, fr.Ask(1, fr.CARDS, cards)]
    assert learning.learnt(old, peek, [], learning.Eye())
    assert not learning.learnt(peek, old, [], learning.Eye())
    shown = old.clone()
    shown.players[2].shown = True
    assert learning.learnt(old, shown, [], learning.Eye())
    assert learning.learnt(old, old.clone(), [Event("loot_body", 1, old.players[2].hand[0])], learning.Eye())
    assert not learning.learnt(old, old.clone(), [Event("pass", 1)], learning.Eye())


def test_whom_a_card_asks_next_or_passes_over_is_something_learnt() -> None:
    """Everybody may hand over cards of a kind, and is only asked who has some: a no goes on to who has."""
    for others in ((), (1,), (3,)):
        old = quiet_table(AFTER_DOOR, 0, "clerical_errors")
        for seat in (2, *others):
            hold(old, seat, "Boil an Anthill" if seat == 2 else "Convenient Addition Error")
        (busy,) = hold(old, 0, "Monsters Are Busy")
        meet(old, 0, "Lame Goblin")
        old = made(old, en.Made(0, [mv.Move(0, mv.PLAY, busy).deed]))[0]
        while to_act(old) != [2]:
            old = made(old, en.Made(to_act(old)[0], [mv.Move(to_act(old)[0], mv.DONE).deed]))[0]
        new, events = made(old, en.Made(2, [mv.Move(2, mv.DONE).deed]))
        assert old.players[2].hand == new.players[2].hand
        assert learning.learnt(old, new, events, learning.Eye()), others


# -- anything, in any order -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_in_whatever_order_the_journal_has_the_same_table(seed: int) -> None:
    async def story() -> None:
        rng = random.Random(seed)
        p = Place(people=3, bots=seed % 2, seed=seed, absent=rng.choice([0, 60]))
        await p.come()
        shadow = Table(p.table.id)
        done = 0
        tally: dict[str, int] = {}
        for step in range(160):
            await one_step(p, rng, tally)
            for raw in p.journal.entries[done:]:
                shadow.take(en.unpack(raw))
            done = len(p.journal.entries)
            assert facts(shadow) == facts(p.table), f"after step {step}"
            if p.table.status == "over":
                break
        await p.same()
        assert tally["ok"] > 20

    run(story())


async def one_step(p: Place, rng: random.Random, tally: dict[str, int]) -> None:
    """Something that people do at a table."""
    if not p.voices:
        await p.come(rng.choice(p.people))
    name = rng.choice(list(p.voices))
    what = rng.choices(
        ["move", "propose", "undo", "vote", "go", "come", "time", "restart", "chat"], [9, 3, 3, 6, 1, 2, 3, 1, 1]
    )[0]
    g = game(p)
    answer: dict[str, Any] = {}
    if what == "move":
        seats = [s for s in to_act(g) if s < len(p.people) and p.people[s] in p.voices]
        if seats:
            m = rng.choice(legal(g, seats[0]))
            answer = await p.act(p.people[seats[0]], menu.key(m))
    elif what == "propose":
        to = rng.choice(["hand", "table", "discard"])
        card = (
            {"card": rng.randrange(len(g.lib.defs)), "to": to} if rng.random() < 0.3 else {"level": rng.randrange(1, 9)}
        )
        mine = [*g.players[0].hand, *(c for x in g.players for c in x.table)]
        if "card" in card and mine and rng.random() < 0.8:
            card["card"] = rng.choice(mine)
        answer = await p.say(name, "propose", fix={"seat": rng.randrange(len(p.people)), **card})
    elif what == "undo":
        answer = await p.say(name, "undo")
    elif what == "vote" and p.table.votes:
        v = rng.choice(p.table.votes)
        answer = await p.say(name, "vote", vote=v.id, yes=rng.random() < 0.85)
    elif what == "go":
        await p.go(name)
    elif what == "come":
        await p.come(rng.choice(p.people))
    elif what == "time":
        p.clock.moment += rng.choice([1, 30, 70])
        await p.room._one(None, None)
    elif what == "restart":
        await p.restart()
    else:
        answer = await p.say(name, "say", text="hm")
    assert answer.get("code") != "failed", answer
    tally["ok"] = tally.get("ok", 0) + bool(answer.get("ok"))
