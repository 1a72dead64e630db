"""What bots say: several lines for everything, none twice in a row, and nothing in them about hidden cards."""

from __future__ import annotations

import ast
import asyncio
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

import helpers
import kickdoor.bots
from kickdoor.bots import Choice, remarks
from kickdoor.bots.worlds import imagine, veiled
from kickdoor.engine.kernel import apply
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Event
from kickdoor.server.botplay import REMARK, Company
from kickdoor.server.chairs import BOT, Chair
from kickdoor.server.table import Table
from rooms import Place

SOURCES = Path(kickdoor.bots.__file__).parent
LINES = [x for _, said in remarks._WORDS for x in said] + [x for said in remarks.REACTIONS.values() for x in said]


def reasons() -> dict[str, str]:
    """Every reason that a bot gives: the last part of a Choice, with a name for whatever is filled in."""
    out = {}
    for path in sorted(SOURCES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Choice":
                for said in node.args[1:]:
                    for text in _texts(said):
                        out[text] = f"{path.name}:{node.lineno}"
    return out


def _texts(e: ast.expr) -> list[str]:
    if isinstance(e, ast.Constant):
        return [str(e.value)] if e.value else []
    if isinstance(e, ast.JoinedStr):
        return ["".join(str(v.value) if isinstance(v, ast.Constant) else "Ann" for v in e.values)]
    return [*_texts(e.body), *_texts(e.orelse)] if isinstance(e, ast.IfExp) else []


def test_there_are_several_lines_for_every_reason_and_for_every_thing_that_is_done_to_a_bot() -> None:
    given = reasons()
    assert len(given) > 60
    assert {text: where for text, where in given.items() if len(remarks.group_of(text)) < 3} == {}
    assert [k for k, said in remarks.REACTIONS.items() if len(said) < 3] == []
    assert set(remarks._ORDER) == set(remarks.REACTIONS)


def test_lines_are_whole_sentences_and_no_two_are_the_same() -> None:
    assert [x for x in LINES if not re.fullmatch(r"[A-Z{].*[.!?]", x) or x.count("{}") > 1] == []
    for _, said in remarks._WORDS:
        assert len(set(said)) == len(said)


def test_nothing_is_said_twice_in_a_row() -> None:
    lately: list[str] = []
    for moment in range(40):
        _, line = remarks.reworded("It pays.", "", moment, lately[-2:])
        assert line not in lately[-2:]
        lately.append(line)


def test_reasons_that_depend_on_a_hand_are_said_alike() -> None:
    """Could it have turned the fight or not, does it have things for an Elf or not: that is the bot's business."""
    for alike in (
        ("Even together we lose.", "What is in it for me?"),
        ("My things are made for an Elf.", "An Elf is better than nothing."),
        ("That turns the fight.", "A start."),
    ):
        assert len({remarks.reworded(x, "", 7, ()) for x in alike}) == 1


def test_why_somebody_passes_does_not_choose_what_is_said_later() -> None:
    """Who could only pass has no reason, and who kept a card has one: the next line would tell which it was."""
    t = Table("abcdefghjk")
    t.chairs = [Chair(BOT, "Ann", bot="random"), Chair(BOT, "Bob", bot="random")]
    for reason in (text for text in reasons() if len(remarks.group_of(text)) > 1):
        said = []
        for passes in (Choice(Move(0, mv.PASS)), Choice(Move(0, mv.PASS), reason)):
            bots = Company(t)
            bots.words(passes)
            said.append(bots.words(Choice(Move(0, mv.KICK), reason)))
        assert said[0] == said[1], reason


def test_manners_come_first_and_stay() -> None:
    async def tell() -> None:
        place = Place(people=2, bots=1)
        said = place.room.company.words(Choice(Move(2, mv.PLAY, 5, mv.at_seat(0)), "Not today, Ann.", "Sorry, Ann."))
        assert said.startswith("Sorry, Ann. ")
        assert said[12:] in [x.replace("{}", "Ann") for x in remarks.group_of("Not today, Ann.")]

    asyncio.run(tell())


def test_a_reaction_is_to_what_everybody_sees() -> None:
    """The same game with all hidden cards elsewhere gets the same reaction; what is secret gets none."""
    rng = random.Random(4)
    g = helpers.start("classic", 4, 4)
    felt: set[str] = set()
    for _ in range(900):
        if g.over:
            break
        events = apply(g, helpers.choose(g, rng))
        for s in range(4):
            r = remarks.reaction(g, events, s)
            if r is None:
                continue
            felt.add(r.kind)
            other = imagine(veiled(g, (s + 1) % 4), (s + 1) % 4, random.Random(1))
            open_ = [e for e in events if not e.secret]
            assert remarks.reaction(other, open_, s) == r
    assert len(felt) > 6, felt
    hidden = Event("charity", 1, 5, 2, secret=True)
    assert remarks.reaction(g, [hidden], 1) is None


@pytest.mark.parametrize(
    ("event", "kind", "other"),
    [
        (Event("curse", 1, 3, 0), "cursed", 0),
        (Event("steal", 0, 3, 1), "robbed", 0),
        (Event("loot_body", 2, 3, 1), "looted", 2),
        (Event("death", 1), "died", -1),
        (Event("help", 2, other=1), "helped", 2),
        (Event("win", 1), "won", -1),
        (Event("win", 2), "beaten", 2),
        (Event("penalty", 1, 3, 2, -2), "betrayed", 2),
        (Event("decline", 2, other=1), "refused", 2),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_what_is_done_to_it(event: Event, kind: str, other: int) -> None:
    g = helpers.start("classic", 3, 1)
    assert remarks.reaction(g, [event], 1) == remarks.Reaction(kind, other, kind in remarks._LOUD)


def test_at_a_table_bots_talk_and_do_not_repeat_themselves() -> None:
    async def tell() -> None:
        place = Place(people=2, bots=0, dealt=False)
        t = place.table
        await place.come()
        assert (await place.say("Ann", "options", options={"seats": 5}))["ok"]
        for seat, bot in ((2, "greedy"), (3, "schemer"), (4, "schemer:quiet")):
            assert (await place.say("Ann", "set_bot", seat=seat, bot=bot))["ok"]
        assert (await place.say("Bob", "ready"))["ok"]
        assert (await place.say("Ann", "start"))["ok"]
        for _ in range(600):
            if not await place.turn() or place.table.status != "playing":
                break
        said = [x.said for x in t.lines[-1] if x.said]
        assert len(said) > 20
        assert [a for a, b in pairwise(said) if a == b] == []
        chat = list(t.chat)
        assert chat, "somebody must have minded something"
        assert all(c.phrase.startswith(REMARK) and c.seat in (2, 3) for c in chat)
        assert [a.text for a, b in pairwise(chat) if a.text == b.text] == []
        await place.same()

    asyncio.run(tell())
