"""Why not, and when: what is said of a card that cannot be played comes from what it is judged by."""

from __future__ import annotations

import random

import pytest

import helpers
from kickdoor.cards import contexts as cx
from kickdoor.engine.kernel import apply, context, when_card, why_not_card
from kickdoor.engine.playing import plays, saying
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.server.deciding import _with_its_time


def playing(mix: str, seed: int, moves: int) -> list[Game]:
    """Some positions of a random game."""
    rng = random.Random(seed)
    g = helpers.start(mix, 4, seed)
    out = []
    for i in range(moves):
        if g.over:
            break
        apply(g, helpers.choose(g, rng))
        if i % 3 == 0:
            out.append(g.clone())
    return out


@pytest.mark.parametrize("mix", ["classic", "three_packs_shakespeare"])
def test_what_is_said_of_the_moment_agrees_with_the_judge(mix: str) -> None:
    told = 0
    for g in playing(mix, 6, 240):
        if g.over:
            continue
        for seat in range(4):
            ctx = context(g, seat)
            for card in g.players[seat].hand:
                when, before = when_card(g, seat, card)
                if g.lib.defs[card].kind == "monster":
                    continue
                way = plays.meant(g.lib.defs[card], Move(seat, mv.PLAY, card))
                assert bool(when) == (way is not None and not cx.fits(ctx, way.alts, way.by))
                if before.startswith("your turn"):
                    assert g.turn != seat
                    assert g.players[g.turn].name in before
                elif before.startswith("this fight"):
                    assert g.fight is not None
                reason = why_not_card(g, seat, card)
                if reason is not None and when:
                    said = _with_its_time(g, seat, card, reason.says)
                    assert said.count(when) == 1
                    assert said.endswith(".")
                    told += 1
    assert told > 60


def test_what_is_waited_for() -> None:
    g = helpers.start("classic", 4, 1)
    g.turn = 1
    names = [p.name for p in g.players]
    assert saying.until(g, 3, cx.WHEN["own_turn_idle"]) == f"your turn comes after {names[1]} and {names[2]}"
    assert saying.until(g, 1, cx.WHEN["own_turn_idle"]) == ""
    assert saying.until(g, 3, cx.WHEN["trait"]) == f"your turn comes after {names[1]} and {names[2]}"
    assert saying.until(g, 3, cx.WHEN["fight"]) == "the next one may be anybody's"
    assert saying.until(g, 3, cx.WHEN["any_time"]) == ""
