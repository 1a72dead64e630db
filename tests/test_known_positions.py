"""A position as one seat knows it: nothing hidden is in it, and the seat finds everything it saw."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import helpers
import kickdoor
from kickdoor.cards.reading import documents
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.notation import NotationError, parse_card
from kickdoor.engine.views import SPECTATOR
from kickdoor.lab import mixes
from kickdoor.scenario import memory
from kickdoor.scenario.knowing import known
from kickdoor.scenario.runner import Play, run_text
from kickdoor.scenario.telling import as_known, whole
from kickdoor.scenario.writing import document_known, is_quiet
from test_views import differences, hidden_from, known_to, swap_hidden

EVERY = 11


def moments(number: int, moves: int) -> Iterator[Game]:
    """Some decisions of a random game, of any mix of packs and options."""
    g, _ = mixes.start(mixes.case(number))
    rng = random.Random(number)
    for i in range(moves):
        if g.winners:
            return
        if i % EVERY == 0:
            yield g
        kickdoor.apply(g, helpers.choose(g, rng))


def swapped(g: Game, viewer: int, rng: random.Random) -> Game:
    """The same table with what the viewer cannot see dealt otherwise; a card that wanders lies openly on its deck."""
    new = swap_hidden(g, viewer, rng)
    for d, pile in enumerate(g.piles):
        for at, c in enumerate(pile):
            if g.lib.defs[c].wanders:
                there = new.piles[d].index(c) if c in new.piles[d] else -1
                assert there >= 0
                new.piles[d][at], new.piles[d][there] = c, new.piles[d][at]
    # What lies under the top of the discards is out of sight too, and the deck's.
    for d, (pile, discards) in enumerate(zip(new.piles, new.discards, strict=True)):
        low = [i for i, c in enumerate(discards[:-1]) if c not in known_to(g, viewer)]
        high = [i for i, c in enumerate(pile) if not g.lib.defs[c].wanders and c not in known_to(g, viewer)]
        if d != 2 and low and high and not kickdoor.view(g, viewer)["discards"][d][1:]:
            i, j = rng.choice(low), rng.choice(high)
            if not refers_to(new, discards[i]) and not refers_to(new, pile[j]):
                discards[i], pile[j] = pile[j], discards[i]
    new.dice = [rng.randint(1, 6)]
    new.touch()
    return new


def refers_to(g: Game, card: int) -> bool:
    """Does something that is going on, or that is remembered in the open, speak of this card?"""
    words = memory.say(g, [memory.CARD], [card])[0]
    plain = g.plain()
    rest = {k: plain[k] for k in memory.FIELDS if k not in ("piles", "aside", "discards")}
    return any(words in str(memory.say(g, memory.FIELDS[k], v)) for k, v in rest.items()) or any(
        card in str(f) for f in map(str, g.stack)
    )


def loaded(text: str) -> Game:
    ((data, _),) = documents(text, "written")
    play = Play(data)
    play.run()
    return play.g
