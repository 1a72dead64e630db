"""A game that goes on from a position of another one, with another shuffle.

What lies before the players, in their hands and on the discards stays as it was. What nobody has seen yet is shuffled
anew: whoever knows how the first game went on knows nothing about this one.
"""

from __future__ import annotations

from collections.abc import Sequence

from kickdoor.engine.table import wandering
from kickdoor.engine.value.game import DECKS, Game


def go_on(g: Game, seed: int, names: Sequence[str] = ()) -> None:
    """Begin anew from where this game stands: other draws, other dice, and other people, if they are named."""
    fresh = seed & ((1 << 64) - 1)
    g.rng, g.dice, g.events = fresh, [], []
    for p, name in zip(g.players, names, strict=bool(names)):
        p.name = name
    piles, _ = g.own_piles()
    for deck in range(DECKS):
        for pile in (piles[deck], *g.aside[deck]):
            _shuffle(g, pile, wandering.on_top(g, deck))
    g.touch()


def _shuffle(g: Game, pile: list[int], on_top: int) -> None:
    """All of it but the card that lies openly on it (CAP-50)."""
    shown = bool(pile) and pile[-1] == on_top
    hidden = pile[:-1] if shown else pile[:]
    g.shuffle(hidden)
    pile[: len(hidden)] = hidden
