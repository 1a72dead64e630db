"""The guided first game: played as written to the end, through the server; come back to; and left for good."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kickdoor.bots import lesson, make
from kickdoor.bots.driver import play_out
from kickdoor.engine.setup import library, new_game, rules_for
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server import teaching
from kickdoor.server.games import deal
from kickdoor.server.table import OVER
from kickdoor.server.trouble import Trouble
from rooms import Place

LESSON = lesson.first()


def path() -> list[tuple[Game, int]]:
    out: list[tuple[Game, int]] = []
    lesson.rehearse(LESSON, out)
    return out


def test_it_can_be_played_as_written_and_has_a_door_a_win_a_deal_and_an_escape() -> None:
    g = lesson.rehearse(LESSON)
    kinds = [e.kind for e in g.events or ()]
    for kind in ("kick", "victory", "offer", "accept", "help", "escaped"):
        assert kind in kinds, kind
    assert g.players[0].level == 4
    assert not any(p.dead for p in g.players)


def test_every_position_of_it_says_what_comes_next() -> None:
    known: dict[Any, int] = {}
    for g, step in path():
        assert known.setdefault(lesson.mark(g), step) == step
        assert LESSON.at(g) == (step if step < len(LESSON.steps) else -1)


def test_the_learner_is_always_told_something_and_has_his_own_words_for_every_move() -> None:
    for s in LESSON.steps:
        assert (s.say is not None) == (s.seat == lesson.LEARNER), s
    for g, step in path()[:-1]:
        told = teaching.state(g, lesson.LEARNER)
        assert told is not None
        assert told["title"]
        assert "{" not in told["text"]
        assert told["step"] == step + 1
        assert teaching.state(g, 1) is None


@pytest.mark.parametrize("seed", [2, 99])
def test_the_rest_of_the_deck_is_shuffled_as_always_and_the_story_is_the_same(seed: int) -> None:
    lib, rules = library(tuple(LESSON.packs)), rules_for(tuple(LESSON.packs), **LESSON.rules)
    a, b = (LESSON.deal(["Ann", "Bob", "Cid"], [], lib, rules, s) for s in (1, seed))
    assert a.piles != b.piles
    assert [p.hand for p in a.players] == [p.hand for p in b.players]
    assert LESSON.at(b) == 0


# -- at a table ---------------------------------------------------------------------------------------------------


class Class(Place):
    """A table where Ann learns."""

    def __init__(self) -> None:
        super().__init__(people=1, bots=2, dealt=False, lesson=lesson.FIRST)

    async def begin(self) -> None:
        await self.come()
        for seat in (1, 2):
            assert (await self.say("Ann", "set_bot", seat=seat, bot="tutor"))["ok"]
        assert (await self.say("Ann", "start"))["ok"]

    @property
    def shown(self) -> pr.LessonState | None:
        g = self.table.game
        assert g is not None
        return teaching.state(g, 0)

    async def follow(self, until: int = 10_000) -> list[int]:
        """Do as one is told; returns the steps."""
        seen: list[int] = []
        for _ in range(400):
            told = self.shown
            if told is None or (told["step"] > until and told["move"]):
                return seen
            seen.append(told["step"])
            if told["move"]:
                assert (await self.act("Ann", told["move"]))["ok"], told
            else:
                self.clock.moment += 30
                await self.room._tick()
        raise AssertionError(f"stuck at {self.shown}")


def test_who_does_as_told_gets_to_the_end_and_plays_on_from_there() -> None:
    async def tell() -> None:
        place = Class()
        await place.begin()
        seen = await place.follow()
        assert seen == sorted(seen)
        assert seen[-1] == len(LESSON.steps)
        g = place.table.game
        assert g is not None
        assert (g.players[0].level, g.turn) == (4, 1)
        for _ in range(5):  # they are ordinary easy bots now
            place.clock.moment += 30
            await place.room._tick()
        assert place.table.count > len(LESSON.steps)

    asyncio.run(tell())


def test_it_goes_on_where_it_was_after_a_restart() -> None:
    async def tell() -> None:
        place = Class()
        await place.begin()
        await place.follow(until=9)
        before = place.shown
        await place.restart()
        await place.come()
        assert place.shown == before is not None
        assert (await place.follow())[-1] == len(LESSON.steps)

    asyncio.run(tell())


def test_who_does_something_else_is_in_a_game_like_any_other() -> None:
    async def tell() -> None:
        place = Class()
        await place.begin()
        await place.follow(until=7)
        g = place.table.game
        assert g is not None
        told = place.shown
        state = next(m for m in place.voices["Ann"].heard[::-1] if m["t"] == "welcome")["state"]
        assert state["table"]["options"]["lesson"] == lesson.FIRST
        assert told is not None
        boots = next(c for c in g.players[0].table if g.lib.defs[c].name == "Boots of Butt-Kicking")
        assert (await place.act("Ann", f"{mv.UNEQUIP},{boots},-1,-1"))["ok"]
        assert place.shown is None
        assert (await place.act("Ann", f"{mv.KICK},-1,-1,-1"))["ok"]
        assert place.shown is None

    asyncio.run(tell())


def test_tutors_play_any_other_game_too() -> None:
    g = new_game(["Ann", "Bob", "Cid"], ("classic",), 5)
    assert play_out(g, [make("tutor"), make("tutor"), make("greedy")], 20_000) > 50


def test_a_lesson_brings_its_own_cards_and_rules_and_others_are_refused() -> None:
    o = op.changed(op.TableOptions(), {"lesson": lesson.FIRST, "packs": ["bites"], "house": ["epic"]})
    assert (o.packs, o.house, o.rules) == (LESSON.packs, [], LESSON.rules)
    with pytest.raises(Trouble, match="No lesson is called"):
        op.changed(op.TableOptions(), {"lesson": "dancing"})


def test_at_a_table_of_another_size_it_is_dealt_like_any_game() -> None:
    async def tell() -> None:
        place = Place(people=4, lesson=lesson.FIRST)
        assert place.table.dealt is not None
        assert LESSON.at(deal(place.table.dealt, place.table.options)) == -1

    asyncio.run(tell())


@pytest.mark.parametrize(("bots", "then"), [("", "easy"), ("harder", "greedy")])
def test_a_rematch_after_it_is_a_game_like_any_other(bots: str, then: str) -> None:
    async def tell() -> None:
        place = Class()
        await place.begin()
        place.table.status = OVER  # as if it had been played to its end
        assert (await place.say("Ann", "rematch", **({"bots": bots} if bots else {})))["ok"]
        assert (place.table.options.lesson, place.table.options.rules) == ("", {})
        assert [c.bot for c in place.table.chairs[1:]] == [then, then]
        assert (await place.say("Ann", "start"))["ok"]
        assert place.shown is None

    asyncio.run(tell())
