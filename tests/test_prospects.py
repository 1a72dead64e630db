"""What would come of an offer of help is what comes of it."""

from __future__ import annotations

import random

import helpers
from kickdoor.engine.chapters import helping
from kickdoor.engine.facts import strength
from kickdoor.engine.kernel import apply
from kickdoor.engine.value.records import Deal
from kickdoor.engine.views import SPECTATOR, view


def test_the_prospect_of_help_is_the_fight_with_it() -> None:
    rng = random.Random(8)
    tried = 0
    for seed in (3, 4, 5):
        g = helpers.start("three_packs_shakespeare", 4, seed)
        for _ in range(400):
            if g.over:
                break
            apply(g, helpers.choose(g, rng))
            if g.fight is None or g.fight.over:
                continue
            for s in range(4):
                if helping.why_not(g, s) is not None:
                    continue
                before = g.key()
                p = helping.prospect(g, s)
                assert g.key() == before, "only a copy was tried"
                tried += 1
                joined = g.clone()
                helping.join(joined, s, Deal())
                assert (p.munchkins, p.monsters) == strength.standing(joined)
                assert p.winning == strength.winning(joined)
                assert p.treasures == helping.expected_treasures(joined)
    assert tried > 30


def test_offers_say_what_would_come_of_them() -> None:
    rng = random.Random(2)
    g = helpers.start("classic", 4, 2)
    seen = 0
    for _ in range(1500):
        if g.over:
            break
        apply(g, helpers.choose(g, rng))
        for o in view(g, SPECTATOR)["offers"]:
            assert (o["prospect"] is None) == (o["kind"] == "trade")
            seen += o["prospect"] is not None
    assert seen > 3
