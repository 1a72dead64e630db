"""Nobody waits for nobody: who is not there is done without, in the lobby, between games and at the table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import virtual_time
from kickdoor.server import absence, deciding, replays, timing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import BOT, OPEN, PERSON
from kickdoor.server.journal import Lease
from kickdoor.server.room import SILENCE, Room
from kickdoor.server.table import LOBBY, OVER, PLAYING, played_by_bot
from kickdoor.server.trouble import Trouble
from rooms import Place, Voice


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


async def until(place: Place, done: Callable[[], bool], turns: int = 50) -> None:
    """Let time pass until something is so."""
    for _ in range(turns):
        if done():
            return
        assert await place.turn(), "nothing ever happens"
    raise AssertionError("it does not come to that")


async def over(place: Place) -> None:
    """The game ends: the first seat is given the last Level that counts."""
    t = place.table
    assert t.game is not None
    t.game.winners = [0]
    t.status = OVER


def test_a_table_that_everybody_has_left_is_there_for_who_comes_next() -> None:
    async def story() -> None:
        p = Place(people=2, bots=1, house=["two_players"])
        await p.come()
        for name in p.people:
            assert (await p.say(name, "leave"))["ok"]
        with pytest.raises(Trouble, match="has begun"):
            deciding.sit(p.table, "Zoe", "female", None, "token Zoe")  # the bots play on
        await over(p)
        assert p.table.host < 0
        for w in deciding.sit(p.table, "Zoe", "female", None, "token Zoe"):
            p.table.take(en.Entry(w))
        assert (p.table.status, p.table.host, p.table.chairs[2].name) == (LOBBY, 2, "Zoe")  # the last bot made room
        with pytest.raises(Trouble, match="taken"):
            deciding.sit(p.table, "Abe", "male", 2, "token Abe")

    run(story)


def test_a_game_that_is_over_is_not_ended_for_who_still_looks_at_it() -> None:
    async def story() -> None:
        p = Place(people=3)
        await p.come()
        await over(p)
        with pytest.raises(Trouble, match="has begun"):
            deciding.sit(p.table, "Zoe", "female", None, "token Zoe")

    run(story)


# -- ready ------------------------------------------------------------------------------------------------------------


def test_ready_is_a_promise_to_be_there() -> None:
    async def story() -> None:
        p = Place(people=3, dealt=False)
        await p.come()
        assert (await p.say("Bob", "ready"))["ok"]
        assert not await p.turn(), "while everybody is there nothing happens by itself"
        await p.go("Bob")
        began = p.clock.moment
        await until(p, lambda: not p.table.chairs[1].ready)
        assert p.clock.moment - began == pytest.approx(absence.READY_SECONDS)
        assert (await p.say("Ann", "start"))["code"] == "not_ready"
        await p.come("Bob")
        assert (await p.say("Bob", "ready"))["ok"], "back again, he can say it again"
        await p.same()

    run(story)


def test_a_page_that_is_loaded_again_stays_ready() -> None:
    async def story() -> None:
        p = Place(people=3, dealt=False)
        await p.come()
        await p.say("Bob", "ready")
        await p.go("Bob")
        p.clock.moment += absence.READY_SECONDS / 2
        await p.come("Bob")
        p.clock.moment += absence.READY_SECONDS
        assert not await p.turn()
        assert p.table.chairs[1].ready

    run(story)


# -- the host ---------------------------------------------------------------------------------------------------------


def test_the_part_of_a_host_who_is_away_passes_to_somebody_who_is_there() -> None:
    async def story() -> None:
        p = Place(people=3, dealt=False)
        await p.come()
        await p.go("Ann", "Bob")
        began = p.clock.moment
        await until(p, lambda: p.table.host != 0)
        assert p.table.host == 2
        assert p.clock.moment - began == pytest.approx(absence.HOST_SECONDS)
        await p.come("Ann")
        assert (await p.say("Ann", "start"))["code"] == "not_host", "it does not come back by itself"
        assert (await p.say("Cid", "make_host", seat=0))["ok"], "but it can be handed back"
        assert p.table.host == 0
        assert any("Cid is the host now, since Ann is away." in x for x in p.texts())
        await p.same()

    run(story)


def test_time_does_not_count_while_nobody_is_there_to_wait() -> None:
    async def story() -> None:
        p = Place(people=3, dealt=False)
        p.clock.moment += 10 * absence.HOST_SECONDS
        await p.come("Bob")
        began = p.clock.moment
        await until(p, lambda: p.table.host == 1)
        assert p.clock.moment - began == pytest.approx(absence.HOST_SECONDS)

    run(story)


def test_nobodys_time_runs_out_while_nobody_is_there() -> None:
    """Whoever came back first found that time had been up for those who were asked, himself among them."""

    async def story() -> None:
        p = Place(people=3)
        await p.come()
        total, spent, left = 3600, 100, 3500
        assert p.room.clocks.of(-1)["total"] == 1000 * total
        p.clock.moment += spent
        made = p.table.count
        await p.go(*p.people)
        p.clock.moment += 10 * total
        await p.come("Bob")
        await p.room._one(None, None)
        assert p.table.count == made
        assert p.room.clocks.of(-1)["left"] == 1000 * left
        assert p.voices["Bob"].heard[0]["state"]["clock"]["left"] <= 1000 * total

    run(story)


def test_a_game_whose_people_have_gone_is_not_played_on_for_who_watches() -> None:
    """Anybody with the link could let bots play it to its end overnight."""

    async def story() -> None:
        p = Place(people=2, bots=1, house=["two_players"])
        await p.come()
        watcher = p.voices["watcher"] = Voice(None, "w" * 20)
        await p.room._one(watcher.guest, pr.Hello(pr.VERSION, None, watcher="w" * 20))
        await until(p, lambda: p.table.chairs[p.room.clocks.wait.seats[0]].who == PERSON)
        made, left = p.table.count, p.room.clocks.of(-1)["left"]
        assert left > 0
        await p.go(*p.people)
        assert watcher.heard[-1]["clock"]["total"] == 0, "no clock runs"
        for _ in range(10):
            p.clock.moment += 1000
            assert not await p.turn()
        assert (p.table.count, [c.standin for c in p.table.chairs]) == (made, [False] * 3)
        await p.come("Ann")
        assert p.room.clocks.of(-1)["left"] == left
        await p.same()

    run(story)


def test_who_gets_up_last_leaves_a_table_that_is_empty_from_then_on() -> None:
    async def story() -> None:
        p = Place(people=2, bots=1, house=["two_players"])
        await p.come()
        p.clock.moment += 500
        for name in p.people:
            assert (await p.say(name, "leave"))["ok"]
        assert not p.room.guests
        assert p.room.empty_since == 500

    run(story)


@pytest.mark.parametrize(("seat", "code"), [(0, "no_heir"), (3, "no_heir"), (9, "no_heir")])
def test_only_another_person_can_be_made_host(seat: int, code: str) -> None:
    async def story() -> None:
        p = Place(people=3, bots=1, dealt=False)
        await p.come()
        assert (await p.say("Ann", "make_host", seat=seat))["code"] == code
        assert (await p.say("Bob", "make_host", seat=1))["code"] == "not_host"

    run(story)


def test_spectators_inherit_nothing() -> None:
    async def story() -> None:
        p = Place(people=2, bots=1, dealt=False)
        await p.come("Ann")
        watcher = Voice(None, "w" * 20)
        await p.room._one(watcher.guest, pr.Hello(pr.VERSION, None, watcher="w" * 20))
        await p.go("Ann")
        assert not await p.turn()
        assert p.table.host == 0

    run(story)


# -- seats ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [None, "greedy"])
def test_the_host_frees_a_seat_or_seats_a_bot(bot: str | None) -> None:
    async def story() -> None:
        p = Place(people=3, dealt=False)
        await p.come("Ann", "Bob")
        bob = p.voices["Bob"]
        assert (await p.say("Bob", "set_bot", seat=2, bot=bot))["code"] == "not_host"
        for seat in (1, 2):  # Bob is there, Cid never came
            assert (await p.say("Ann", "set_bot", seat=seat, bot=bot))["ok"]
            assert p.table.chairs[seat].who == (BOT if bot else OPEN)
        assert bob.bye is not None
        assert bob.bye[0] == "bad_token"
        assert not bob.guest.inside
        assert any("Ann frees the seat of Bob." in x for x in p.texts())
        assert (await p.say("Ann", "set_bot", seat=0, bot=bot))["code"] == "taken"
        await p.same()
        if not bot:
            await p.room._write(deciding.sit(p.table, "Bob", "male", None, "token Bob"), -1)
            assert p.table.chairs[1].name == "Bob", "who has lost a seat may sit down again"

    run(story)


# -- beginning without the absent -------------------------------------------------------------------------------------


def test_a_bot_stands_in_for_the_absent_until_they_come() -> None:
    async def story() -> None:
        p = Place(people=4, dealt=False)
        await p.come("Ann", "Bob", "Cid")
        await p.say("Bob", "ready")
        said = await p.say("Ann", "start", absent="bot")
        assert (said["code"], said["says"]) == ("not_ready", "Not everybody is ready: Cid, Dee (away).")
        await p.say("Cid", "ready")
        assert (await p.say("Ann", "start"))["says"] == "Not everybody is ready: Dee (away)."
        assert (await p.say("Ann", "start", absent="bot"))["ok"]
        assert p.table.status == PLAYING
        assert [c.standin for c in p.table.chairs] == [False, False, False, True]
        await p.come("Dee")
        assert not p.table.chairs[3].standin
        assert p.table.chairs[3].who == PERSON
        await p.same()

    run(story)


def test_or_their_seats_are_freed() -> None:
    async def story() -> None:
        p = Place(people=4, dealt=False)
        await p.come("Ann", "Cid", "Dee")
        for name in ("Cid", "Dee"):
            await p.say(name, "ready")
        assert (await p.say("Ann", "start", absent="free"))["ok"]
        assert [c.name for c in p.table.chairs] == ["Ann", "Cid", "Dee"]
        assert [g.seat for g in p.room.guests] == [0, 1, 2]
        await p.same()

    run(story)


def test_a_start_that_comes_twice_happens_once() -> None:
    async def story() -> None:
        p = Place(people=3, dealt=False, house=["two_players"])
        await p.come("Ann", "Bob")
        await p.say("Bob", "ready")
        first = await p.say("Ann", "start", "once", absent="free")
        again = await p.say("Ann", "start", "once", absent="free")
        assert first == again
        assert (p.table.games, len(p.table.chairs)) == (1, 2)

    run(story)


@pytest.mark.parametrize("absent", ["bot", "free"])
def test_a_rematch_does_not_wait_for_who_has_closed_the_tab(absent: str) -> None:
    async def story() -> None:
        p = Place(people=4)
        await p.come()
        await p.go("Dee")
        await over(p)
        assert (await p.say("Bob", "rematch"))["ok"]
        assert p.table.status == LOBBY
        for name in ("Bob", "Cid"):
            await p.say(name, "ready")
        assert (await p.say("Ann", "start"))["code"] == "not_ready"
        assert (await p.say("Ann", "start", absent=absent))["ok"]
        assert p.table.games == 2
        assert len(p.table.chairs) == (4 if absent == "bot" else 3)

    run(story)


def test_nor_for_a_host_who_has_closed_his() -> None:
    async def story() -> None:
        p = Place(people=4)
        await p.come()
        await over(p)
        await p.go("Ann")
        assert (await p.say("Bob", "rematch"))["ok"]
        await until(p, lambda: p.table.host == 1)
        for name in ("Cid", "Dee"):
            await p.say(name, "ready")
        assert (await p.say("Bob", "start", absent="bot"))["ok"]
        assert p.table.chairs[0].standin

    run(story)


# -- company ----------------------------------------------------------------------------------------------------------


def test_a_rematch_can_be_against_harder_company_and_against_easier() -> None:
    async def story() -> None:
        p = Place(people=1, bots=2)
        await p.come()
        for towards, kinds in (("harder", "easy"), ("harder", "greedy"), ("easier", "easy")):
            await over(p)
            names = [c.name for c in p.table.chairs]
            assert (await p.say("Ann", "rematch", bots=towards))["ok"]
            assert [c.bot for c in p.table.chairs] == ["", kinds, kinds]
            assert [c.name for c in p.table.chairs] == names
            assert (await p.say("Ann", "start"))["ok"]
        await over(p)
        await p.say("Ann", "rematch", bots="easier")
        await p.say("Ann", "start")
        await over(p)
        assert (await p.say("Ann", "rematch", bots="easier"))["code"] == "no_rung"

    run(story)


# -- without a clock --------------------------------------------------------------------------------------------------


def room(place: Place) -> Room:
    """The same table in a room whose clock is the loop's."""
    return Room(place.table, Lease(place.table.id, 1), place.journal)  # type: ignore[arg-type]


def clock(voice: Voice) -> dict[str, Any]:
    last = next(m for m in reversed(voice.heard) if m["t"] in ("welcome", "update"))
    return dict(last["clock"] if last["t"] == "update" else last["state"]["clock"])


@pytest.mark.parametrize(
    ("people", "bots", "options", "runs"),
    [
        (1, 3, {"timer": "blitz"}, False),
        (1, 3, {"timer": "none"}, False),
        (3, 0, {"timer": "none"}, False),
        (3, 0, {"timer": "blitz"}, True),
        (2, 2, {"timer": "quick"}, True),
    ],
)
def test_no_clock_against_bots_alone_nor_where_it_was_settled_so(
    people: int, bots: int, options: dict[str, Any], runs: bool
) -> None:
    async def story() -> None:
        p = Place(people=people, bots=bots, window=8, decision=60)
        p._lay(p.table, en.OptionsSet({**pr_options(p), **clocks(options["timer"])}, people + bots))
        p._open(p.table)
        await p.come()
        t = p.table
        for _ in range(400):
            mine = [s for s in p.room.clocks.wait.seats if not played_by_bot(t.chairs[s])]
            if mine:
                break
            assert await p.turn()
        shown = clock(p.voices["Ann"])
        assert shown["kind"] != "none"
        assert (shown["total"] > 0) == runs
        assert timing.clockless(t) != runs
        count = t.count
        while await p.turn() and not any(c.late for c in t.chairs):
            assert t.count - count < 500
        assert any(c.late for c in t.chairs) == runs, "time is up for nobody where there is none"

    run(story)


def clocks(timer: str) -> dict[str, Any]:
    o = op.changed(op.TableOptions(), {"timer": timer})
    return {"timer": o.timer, "window": o.window, "decision": o.decision}


def pr_options(p: Place) -> dict[str, Any]:
    return op.plain(p.table.options)


def test_who_comes_back_to_a_lone_player_does_not_find_his_time_run_out() -> None:
    async def story() -> None:
        p = Place(people=2, bots=1, house=["two_players"], timer="custom", window=8, decision=60, grace=5)
        await p.come()
        await p.go("Bob")
        await until(p, lambda: p.table.chairs[1].standin, 400)
        await until(p, lambda: p.room._next_due() is None, 2000)
        assert 0 in p.room.clocks.wait.seats, "nothing happens by itself: it is Ann's move, and nobody else's"
        p.clock.moment += 3600
        await p.come("Bob")
        assert not await late(p, 0)

    run(story)


async def late(p: Place, seat: int) -> bool:
    """Is time up for a seat at this very moment?"""
    await p.room._one(None, None)
    return p.table.chairs[seat].late > 0


def test_where_no_clock_runs_a_sleeper_can_still_be_voted_a_bot() -> None:
    async def story() -> None:
        p = Place(people=3)
        p._lay(p.table, en.OptionsSet({**pr_options(p), **clocks("none")}, 3))
        p._open(p.table)
        await p.come()
        t = p.table
        (sleeper, *_) = p.room.clocks.wait.seats
        others = [s for s in range(3) if s != sleeper]
        names = p.people
        busy = next((s for s in others if s not in p.room.clocks.wait.seats), -1)
        if busy >= 0:
            assert (await p.say(names[sleeper], "wake", seat=busy))["code"] == "awake"
        soon = await p.say(names[others[0]], "wake", seat=sleeper)
        assert soon["code"] == "awake", "nobody is asleep who is waited for since a moment ago"
        p.clock.moment += SILENCE
        assert (await p.say(names[sleeper], "say", text="I am thinking"))["ok"]
        assert (await p.say(names[others[0]], "wake", seat=sleeper))["code"] == "awake", "nor who has just spoken"
        p.clock.moment += SILENCE
        assert (await p.say(names[others[0]], "wake", seat=sleeper))["ok"]
        assert (await p.say(names[others[1]], "vote", vote=t.votes[0].id, yes=True))["ok"]
        assert t.chairs[sleeper].standin

    run(story)


def test_where_two_are_waited_for_neither_is_called_asleep_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who runs away in a fight of two is asked beside the other, and the clock is that of the first."""

    async def story() -> None:
        p = Place(people=3)
        p._lay(p.table, en.OptionsSet({**pr_options(p), **clocks("none")}, 3))
        p._open(p.table)
        await p.come()
        monkeypatch.setattr("kickdoor.server.ballots.to_act", lambda _: [0, 1])
        p.room.clocks.wait = timing.Wait("decision", (0,))
        for seat in (0, 1):
            assert (await p.say(p.people[2], "wake", seat=seat))["code"] == "awake"
        assert not p.table.votes

    run(story)


@pytest.mark.parametrize(
    "word", [{"t": "say", "text": "here"}, {"t": "why", "card": 0}, {"t": "phrase", "phrase": "nonsense"}]
)
def test_whoever_speaks_up_while_the_others_vote_him_a_bot_is_there(word: dict[str, Any]) -> None:
    async def story() -> None:
        p = Place(people=3)
        p._lay(p.table, en.OptionsSet({**pr_options(p), **clocks("none")}, 3))
        p._open(p.table)
        await p.come()
        (sleeper, *_) = p.room.clocks.wait.seats
        one, other = (n for s, n in enumerate(p.people) if s != sleeper)
        p.clock.moment += SILENCE
        assert (await p.say(one, "wake", seat=sleeper))["ok"]
        (vote,) = p.table.votes
        await p.say(p.people[sleeper], word["t"], **{k: v for k, v in word.items() if k != "t"})
        assert not p.table.votes
        assert (await p.say(other, "vote", vote=vote.id, yes=True))["code"] == "no_vote"
        assert not p.table.chairs[sleeper].standin
        await p.same()

    run(story)


def test_the_last_free_seats_go_when_a_table_gets_smaller() -> None:
    async def story() -> None:
        p = Place(people=4, dealt=False)
        await p.come()
        for name in ("Bob", "Cid"):
            assert (await p.say(name, "leave"))["ok"]
        assert (await p.say("Ann", "options", options={"seats": 5}))["ok"]
        assert (await p.say("Ann", "options", options={"seats": 4}))["ok"]
        assert [c.name for c in p.table.chairs] == ["Ann", "", "", "Dee"], "who sits there stays there"
        assert (await p.say("Ann", "options", options={"seats": 3}))["ok"]
        assert [c.name for c in p.table.chairs] == ["Ann", "", "Dee"]
        await p.same()

    run(story)


@pytest.mark.parametrize("word", [{"t": "say", "text": "here"}, {"t": "auto", "mode": "soon"}, {"t": "take_back"}])
def test_whoever_says_anything_has_his_seat_back(word: dict[str, str]) -> None:
    async def story() -> None:
        p = Place(people=3)
        await p.come()
        await p.room._write([en.StandIn(1, True, ", who does not answer")], -1)
        assert (await p.say("Bob", word["t"], **{k: v for k, v in word.items() if k != "t"}))["ok"]
        assert not p.table.chairs[1].standin

    run(story)


@pytest.mark.parametrize(
    "word", [{"t": "act", "window": 0, "moves": ["0,-1,-1,-1"]}, {"t": "phrase", "phrase": "nonsense"}, {"t": "undo"}]
)
def test_whoever_comes_too_late_with_his_move_has_his_seat_back_too(word: dict[str, Any]) -> None:
    """The bot has just moved for him: he is told so, and the next move is his."""

    async def story() -> None:
        p = Place(people=3)
        await p.come()
        await p.room._write([en.StandIn(1, True, ", who does not answer")], -1)
        no = await p.say("Bob", word["t"], **{k: v for k, v in word.items() if k != "t"})
        assert not no["ok"]
        assert not p.table.chairs[1].standin
        await p.same()

    run(story)


def test_in_virtual_time_a_room_does_all_that_by_itself() -> None:
    """The same with the loop's own clock and the room's own timer: nobody says a word."""

    async def story() -> None:
        p = Place(people=3, dealt=False)
        r = room(p)
        task = asyncio.create_task(r.run())
        ann, bob = Voice("Ann"), Voice("Bob")
        for v in (ann, bob):
            r.inbox.put_nowait((v.guest, pr.Hello(pr.VERSION, v.guest.token)))
        r.inbox.put_nowait((ann.guest, pr.decode(json.dumps({"t": "ready", "id": "r1"}))))
        await asyncio.sleep(1)
        r.inbox.put_nowait((ann.guest, None))
        await asyncio.sleep(absence.READY_SECONDS - 1)
        assert r.table.chairs[0].ready
        await asyncio.sleep(2)
        assert not r.table.chairs[0].ready
        await asyncio.sleep(absence.HOST_SECONDS)
        assert r.table.host == 1
        r.close("idle", "")
        await task

    virtual_time.run(story())


def test_who_is_host_stays_it_when_the_table_gets_smaller() -> None:
    """The seats before his go; his part went to whoever sat there next, or to nobody for ever."""

    async def story() -> None:
        p = Place(people=4, dealt=False)
        await p.come()
        assert (await p.say("Ann", "make_host", seat=3))["ok"]
        for name in ("Ann", "Bob"):
            assert (await p.say(name, "leave"))["ok"]
        assert (await p.say("Dee", "options", options={"seats": 2}))["ok"]
        assert [c.name for c in p.table.chairs] == ["Cid", "Dee"]
        assert p.table.host == 1
        assert (await p.say("Dee", "options", options={"bot_speed": "slow"}))["ok"], "the host still has his say"
        await p.same()

    run(story)


def test_spectators_who_are_not_wanted_any_more_go() -> None:
    async def story() -> None:
        p = Place(people=2, dealt=False)
        await p.come()
        watcher = p.voices["watcher"] = Voice(None)
        await p.room._one(watcher.guest, pr.Hello(pr.VERSION))
        assert watcher.guest.inside
        heard = len(watcher.heard)
        assert (await p.say("Ann", "options", options={"watchers": False}))["ok"]
        assert watcher.bye is not None
        assert watcher.bye[0] == "no_watching"
        assert (await p.say("Ann", "say", text="They are gone."))["ok"]
        assert len(watcher.heard) == heard, "nothing that came after it was told"
        assert p.room.here() == [0, 1]

    run(story)


def test_a_change_of_one_option_is_written_down_as_one() -> None:
    """However much the table has settled besides, and the host may change his mind as often as he likes."""

    async def story() -> None:
        p = Place(people=3, dealt=False)
        await p.come()
        many = dict.fromkeys(("Potted Plant", "Squidzilla", "Plutonium Dragon", "Net Troll", "Bigfoot"), 1)
        assert (await p.say("Ann", "options", options={"copies": many}))["ok"]
        before = len(p.journal.entries)
        for speed in ("slow", "fast", "slow"):
            assert (await p.say("Ann", "options", options={"bot_speed": speed}))["ok"]
            assert p.table.options.bot_speed == speed
        assert p.table.options.copies == many
        assert all(b"Squidzilla" not in raw for raw in p.journal.entries[before:])
        await p.same()
        assert (await p.say("Ann", "start", absent="free"))["code"] == "not_ready"
        for name in ("Bob", "Cid"):
            assert (await p.say(name, "ready"))["ok"]
        assert (await p.say("Ann", "start"))["ok"]
        await over(p)
        told = replays.record(p.table, [en.unpack(raw) for raw in p.journal.entries], 1)
        assert (told.options["bot_speed"], told.options["copies"]) == ("slow", many), "a replay has all of them"

    run(story)


def test_a_bot_makes_room_for_whoever_comes_by_the_link() -> None:
    p = Place(people=2, bots=2, dealt=False)
    for name, seat in (("Cid", 3), ("Dee", 2)):
        (sat,) = deciding.sit(p.table, name, "male", None, f"token {name}")
        assert isinstance(sat, en.Sat)
        assert sat.seat == seat, "the last bot first"
        p._lay(p.table, sat)
    with pytest.raises(Trouble, match="Every seat at this table is taken"):
        deciding.sit(p.table, "Eve", "male", None, "token Eve")
