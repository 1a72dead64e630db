"""The table corrects itself (CONF-8): a level or a card, while nothing is being resolved, and nothing is lost by it."""

from __future__ import annotations

import random

import pytest

import helpers
from kickdoor.engine import correcting, invariants
from kickdoor.engine.chapters import death
from kickdoor.engine.kernel import apply, legal, settle, to_act
from kickdoor.engine.table import zones
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.reasons import Refused


def quiet(g: Game) -> bool:
    return isinstance(g.stack[-1], fr.Turn) and g.fight is None and not g.winners


def quiet_moments(seed: int, steps: int = 400) -> list[Game]:
    """Tables at which nothing is being resolved."""
    rng = random.Random(seed)
    g = helpers.start("classic", 4, seed)
    out = []
    for _ in range(steps):
        if g.over:
            break
        if quiet(g):
            out.append(g.clone())
        apply(g, helpers.choose(g, rng))
    return out


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_card_in_sight_can_be_put_anywhere_and_the_game_goes_on(seed: int) -> None:
    rng = random.Random(seed)
    for g in quiet_moments(seed):
        tops = [pile[-1] for pile in g.discards[:2] if pile]
        cards = [c for p in g.players for c in (*p.hand, *p.table)] + tops
        card, seat, to = rng.choice(cards), rng.randrange(4), rng.choice(["hand", "table", "discard"])
        try:
            correcting.correct_card(g, seat, card, to)
        except Refused:
            continue
        invariants.check(g)
        s = to_act(g)[0]
        apply(g, rng.choice(legal(g, s)))
        invariants.check(g)


def test_what_is_too_much_for_the_dead_is_settled_when_they_are_back() -> None:
    """Nobody waits for somebody who cannot move (DEATH-13, DEATH-14)."""
    g = quiet_moments(4)[0]
    seat, other = (g.turn + 2) % 4, (g.turn + 1) % 4
    title, *classes = (_bring(g, name) for name in ("Super Munchkin", "Warrior", "Wizard"))
    for card in (classes[0], title, classes[1]):
        zones.to_table(g, seat, card, equip=False)
    settle(g)
    death.die(g, seat, zones.CURSE, looted=False)
    settle(g)
    assert quiet(g)
    for to in ("hand", "table"):
        with pytest.raises(Refused) as no:
            correcting.correct_card(g, seat, g.players[other].hand[0], to)
        assert no.value.rule == "DEATH-12"
    correcting.correct_card(g, seat, title, "discard")
    invariants.check(g)
    assert seat not in to_act(g)
    rng = random.Random(1)
    while g.players[seat].dead:
        apply(g, helpers.choose(g, rng))
    assert to_act(g) == [seat], "one Class has to go now"
    assert legal(g, seat)


def _bring(g: Game, name: str) -> int:
    """Out of the deck: a card of this name."""
    card = next(c for c in g.piles[0] if g.lib.defs[c].name == name)
    g.piles[0] = [c for c in g.piles[0] if c != card]
    return card


def test_a_level_can_be_set_right_but_not_won() -> None:
    g = next(m for m in quiet_moments(5))
    correcting.correct_level(g, 1, 7)
    assert g.players[1].level == 7
    for wrong in (0, 10, 11):
        with pytest.raises(Refused) as no:
            correcting.correct_level(g, 1, wrong)
        assert no.value.rule == "WIN-5"
    assert g.players[1].level == 7


def test_nothing_is_corrected_while_something_is_being_resolved() -> None:
    rng = random.Random(9)
    g = helpers.start("classic", 4, 9)
    while quiet(g):
        apply(g, helpers.choose(g, rng))
    before = g.key()
    with pytest.raises(Refused) as no:
        correcting.correct_level(g, 0, 5)
    assert no.value.rule == "CONF-8"
    with pytest.raises(Refused):
        correcting.correct_card(g, 0, g.players[1].hand[0], "discard")
    assert g.key() == before


def test_a_card_of_the_deck_cannot_be_fetched() -> None:
    g = next(m for m in quiet_moments(6))
    with pytest.raises(Refused):
        correcting.correct_card(g, 0, g.piles[0][-1], "hand")
    with pytest.raises(Refused):
        correcting.correct_card(g, 0, 100_000, "hand")
