"""What is kept between two moves must be what would be worked out afresh."""

from __future__ import annotations

import random

import pytest

from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.setup import new_game
from kickdoor.engine.value.game import Game
from kickdoor.engine.views import view

MIXES = (("classic",), ("classic", "unnatural_axe", "clerical_errors"))


def _same(g: Game, fresh: Game) -> None:
    for seat in range(len(g.players)):
        assert legal(g, seat) == legal(fresh, seat)
        assert view(g, seat) == view(fresh, seat)


@pytest.mark.parametrize("packs", MIXES, ids=lambda p: "+".join(p))
@pytest.mark.parametrize("seed", range(3))
def test_kept_answers_are_fresh_answers(packs: tuple[str, ...], seed: int) -> None:
    """A clone starts with nothing kept: both must say the same, at every decision."""
    rng = random.Random(seed)
    g = new_game(["Ann", "Bob", "Cid", "Dot"], packs=packs, seed=seed)
    for _ in range(400):
        if g.winners:
            break
        _same(g, g.clone())
        seat = to_act(g)[0]
        moves = legal(g, seat)
        verb = rng.choice(sorted({m.verb for m in moves}))
        apply(g, rng.choice([m for m in moves if m.verb == verb]))
