"""A position as one seat knows it: nothing hidden is in it, and the seat finds everything it saw."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest

import helpers
import kickdoor
from drilling import daily
from kickdoor.cards.reading import documents
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import DUNGEON, Game
from kickdoor.engine.value.notation import NotationError, parse_card
from kickdoor.engine.views import SPECTATOR
from kickdoor.lab import mixes
from kickdoor.scenario.knowing import known
from kickdoor.scenario.runner import Outcome, Play, run_text
from kickdoor.scenario.telling import as_known, whole
from kickdoor.scenario.writing import document_known, is_quiet
from test_views import differences, hidden_from, known_to, swap_hidden

EVERY = 13


def moments(number: int, moves: int, every: int = EVERY) -> Iterator[Game]:
    """Some decisions of a random game, of any mix of packs and options."""
    g, _ = mixes.start(mixes.case(number))
    rng = random.Random(number)
    for i in range(moves):
        if g.winners:
            return
        if i % every == 0:
            yield g
        kickdoor.apply(g, helpers.choose(g, rng))


def swapped(g: Game, viewer: int, rng: random.Random) -> Game:
    """The same table with what the viewer cannot see dealt otherwise, dice and the depths of the discards as well."""
    new = swap_hidden(g, viewer, rng)
    piles, discards = new.own_piles()
    for d, pile in enumerate(piles):
        if not isinstance(g.stack[-1], fr.Ask):  # then nobody looks through them
            low = len(new.discards[d]) - (d != DUNGEON)
            under = [c for c in pile if not g.lib.defs[c].wanders][: max(0, low)]
            for i, c in enumerate(under):
                pile[pile.index(c)], discards[d][i] = discards[d][i], c
    new.dice = [rng.randint(1, 6)]
    new.touch()
    return new


def loaded(text: str) -> Game:
    ((data, _),) = documents(text, "written")
    play = Play(data)
    play.run()
    return play.g


@pytest.mark.parametrize("number", daily([2, 20], [2, 12, 20]))
def test_what_a_seat_cannot_see_makes_no_difference_to_its_file(number: int) -> None:
    rng = random.Random(number)
    compared = 0
    for i, g in enumerate(moments(number, 200)):
        viewer = rng.randrange(-1, len(g.players))
        otherwise = swapped(g, viewer, rng)
        assert otherwise.key() != g.key()
        same = as_known(g, viewer, "x") == as_known(otherwise, viewer, "x")
        assert same, f"seat {viewer} could tell, moment {i} of mix {number}, at {g.stack[-1]!r}"
        compared += 1
    assert compared > 12


@pytest.mark.parametrize("number", daily([3, 17], [3, 17, 30]))
def test_the_seat_finds_everything_as_it_was(number: int) -> None:
    """But for what others drew face down: which cards, and of which deck, is out of sight."""
    rng = random.Random(number)
    busy = 0
    for i, g in enumerate(moments(number, 200)):
        viewer = rng.randrange(-1, len(g.players))
        where = f"seat {viewer}, moment {i} of mix {number}, at {g.stack[-1]!r}"
        then = loaded(as_known(g, viewer, "x"))
        was, is_ = kickdoor.view(g, viewer), kickdoor.view(then, viewer)
        for s, p in enumerate(was["players"]):
            if p["drew"]["cards"] is None:
                is_["players"][s]["drew"] = p["drew"]
        assert list(differences(was, is_)) == [], where
        if viewer >= 0:
            assert kickdoor.legal(g, viewer) == kickdoor.legal(then, viewer), where
        busy += not is_quiet(g)
    assert busy > 3


@pytest.mark.parametrize("number", [3, 5])
def test_no_hidden_card_is_named(number: int) -> None:
    for i, g in enumerate(moments(number, 200)):
        if not is_quiet(g):  # in the middle of something, others stand in for what is chosen from out of sight
            continue
        for viewer in (SPECTATOR, i % len(g.players)):
            hidden = {c for zone in hidden_from(g, viewer) for c in zone} - known_to(g, viewer)
            hidden -= {c for _, c, _, _ in g.afflictions}  # what has been read out
            named = hidden & set(_cards(g, document_known(known(g, viewer))["table"]))
            names = [g.lib.defs[c].name for c in named]
            assert not named, f"seat {viewer} is told of {names}, moment {i} of mix {number}"


def _cards(g: Game, words: Any) -> Iterator[int]:
    """Every card that is named in a table."""
    if isinstance(words, dict):
        words = [*words, *words.values()]
    if isinstance(words, list):
        for w in words:
            yield from _cards(g, w)
    elif isinstance(words, str):
        with contextlib.suppress(NotationError):
            yield parse_card(g.lib, words)


def test_a_question_about_cards_out_of_sight_can_be_answered() -> None:
    """Somebody else chooses among his cards: others lie there, and the game goes on."""
    rng = random.Random(1)
    seen = 0
    for g in (g for number in range(3, 60) for g in moments(number, 2000, every=1)):  # until it has come up twice
        f = g.stack[-1]
        if not isinstance(f, fr.Ask) or f.domain != fr.CARDS or g.players[f.seat].shown:
            continue
        if not set(f.options) & set(g.players[f.seat].hand):
            continue
        then = loaded(as_known(g, (f.seat + 1) % len(g.players), "x"))
        kickdoor.apply(then, rng.choice(kickdoor.legal(then, f.seat)))
        seen += 1
        if seen == 2:
            return
    raise AssertionError(f"only {seen} such questions came up")


def test_what_somebody_looks_at_in_secret_stays_his() -> None:
    """Treasure that was drawn face down and is to be chosen from (cards that improve a reward) lies in his hand."""
    rng = random.Random(2)
    seen = 0
    for g in (g for number in range(211, 300) for g in moments(number, 600, every=1)):  # until it has come up
        f = next((x for x in g.stack if isinstance(x, fr.Victory)), None)
        if f is None or g.fight is None or not set(f.pool) & set(g.players[g.fight.main].hand):
            continue
        viewer = (g.fight.main + 1) % len(g.players)
        assert as_known(g, viewer, "x") == as_known(swapped(g, viewer, rng), viewer, "x")
        then = loaded(as_known(g, viewer, "x"))
        kickdoor.apply(then, rng.choice(kickdoor.legal(then, g.fight.main)))
        seen += 1
        if seen == 2:
            return
    raise AssertionError(f"only {seen} such rewards came up")


def test_it_runs_and_says_what_it_holds() -> None:
    g = helpers.start("classic", 3, 5)
    text = as_known(g, 1, "Turn 1")
    (outcome,) = run_text(text)
    assert outcome.passed
    assert outcome.scenario == "Turn 1"
    assert "as Bob knows it" in text
    assert "not named: Ann 8, Cid 8." in text
    assert "as anybody may know it" in as_known(g, SPECTATOR, "x")
    assert "seed" not in text
    assert str(g.rng) not in text


def test_the_end_of_a_game_is_written_whole() -> None:
    g = helpers.start("classic", 3, 5)
    rng = random.Random(5)
    while not g.over:
        kickdoor.apply(g, helpers.choose(g, rng))
    text = whole(g, "The end")
    assert loaded(text).key() == g.key()
    assert text.startswith("# The whole position")


# -- the language -----------------------------------------------------------------------------------------------

TABLE = """
scenario: x
table:
  players: {Ann: {hand: [Enraged]}, Bob: {}}
  doors: [Harpies]
  unseen: UNSEEN
steps:
"""


def run(unseen: str, *steps: str) -> Outcome:
    (outcome,) = run_text(TABLE.replace("UNSEEN", unseen) + "".join(f"- {s}\n" for s in steps or ["everyone: pass"]))
    return outcome


def test_unseen_cards_lie_where_they_are_counted() -> None:
    wanted = "expect: {Bob.hand_size: 4, Ann.hand: [Enraged], doors.deck: {at_least: 61}, Bob.strength: 1}"
    o = run(
        "{hands: {Bob: 4}, doors: 60, door_discards: 12}", wanted, "Ann: kick", "expect: {fight.monsters: [Harpies]}"
    )
    assert not o.because
    assert o.passed


def test_what_no_number_speaks_of_lies_in_its_deck() -> None:
    assert run("{}", "expect: {doors.deck: {at_least: 80}, Bob.hand: []}").passed


def test_a_deck_gives_way_to_what_is_named() -> None:
    assert run("{hands: {Bob: 5}, doors: 500, treasures: 500}", "expect: {Bob.hand_size: 5}").passed


@pytest.mark.parametrize(
    ("unseen", "why"),
    [
        ("{turnips: 3}", "unknown key 'turnips'"),
        ("{hands: {Zoe: 3}}", "no player 'Zoe'"),
        ("{hands: 3}", "how many cards each player holds"),
        ("{doors: many}", "'many' is no number of cards"),
        ("{doors: -1}", "-1 is no number of cards"),
        ("{doors: {left: 3}}", "no pile 'left'"),
        ("{door_discards: 500}", "more than are left over"),
        ("{hands: {Bob: 500}}", "more than are left over"),
        ("[3]", "must be a mapping"),
    ],
)
def test_numbers_that_make_no_sense(unseen: str, why: str) -> None:
    outcome = run(unseen)
    assert outcome.broken
    assert why in outcome.because
