"""Cards that wander and things that people bring along, over whole games and from one game to the next."""

from __future__ import annotations

import random

import pytest

import kickdoor
from kickdoor.bots import make, play_out
from kickdoor.engine import invariants, saving
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.value.game import TREASURE, Game
from kickdoor.engine.value.moves import USE
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.ruleset import RulesetError, ruleset

NAMES = ["Ann", "Bob", "Cid", "Dot"]
PACKS = ("classic", "other_expansions", "accessories")
AT_CHRISTMAS = {"modules": ["accessories"], "accessories.date": "2012-12-24"}
THINGS = {
    "Ann": ["Kill-O-Meter", "Christmas Coin 2009", "Unnatural Axe T-Shirt"],
    "Bob": ["Munchkin Dice", "Give-Away Button"],
    "Cid": ["Wicked Munchkin Die", "Tear-Off Bookmark"],
}


def table(seed: int, **rules: object) -> Game:
    return kickdoor.new_game(NAMES, PACKS, seed, ruleset("classic", **{**AT_CHRISTMAS, **rules}), things=THINGS)


def test_the_book_lies_on_its_deck_and_is_dealt_to_nobody() -> None:
    for seed in range(10):
        g = table(seed)
        book = g.lib.wanderers[0]
        assert g.piles[TREASURE][-1] == book
        assert all(book not in p.hand for p in g.players)
        assert kickdoor.view(g, 0)["tops"][TREASURE] == book


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("spells", ["used", "turn_end"])
def test_a_game_with_all_of_it_can_be_copied_written_and_checked_at_every_moment(seed: int, spells: str) -> None:
    g = table(seed, **{"decks.spells": spells})
    rng = random.Random(seed)
    for n in range(1500):
        if g.over:
            break
        fresh = g.clone()
        for seat in range(len(NAMES)):
            assert legal(g, seat) == legal(fresh, seat)
        if n % 20 == 0:
            assert saving.from_json(saving.to_json(g)).key() == g.key() == fresh.key()
        seat = to_act(g)[0]
        others = [s for s in range(len(NAMES)) if any(m.verb == USE for m in legal(g, s))]
        if others and rng.random() < 0.2:
            seat = rng.choice(others)
        verb = rng.choice(sorted({m.verb for m in legal(g, seat)}))
        apply(g, rng.choice([m for m in legal(g, seat) if m.verb == verb]))
        invariants.check(g)


def test_bots_sit_down_with_all_of_it() -> None:
    g = table(5)
    play_out(g, [make("sensible", seed=s) for s in range(len(NAMES))])
    assert g.over


def test_what_was_given_and_what_was_torn_up_is_so_in_the_next_game() -> None:
    g = table(1)
    button = next(c for c in g.accessories[1] if g.lib.defs[c].name == "Give-Away Button")
    bookmark = next(c for c in g.accessories[2] if g.lib.defs[c].name == "Tear-Off Bookmark")
    g.ledger = [*g.ledger, (button, 1, 3), (bookmark, 2, -1)]
    after = kickdoor.accessories_after(g)
    assert after == {
        "Ann": THINGS["Ann"],
        "Bob": ["Munchkin Dice"],
        "Cid": ["Wicked Munchkin Die"],
        "Dot": ["Give-Away Button"],
    }
    again = kickdoor.new_game(NAMES, PACKS, 2, g.rules, things=after)
    assert [again.lib.defs[c].name for c in again.accessories[3]] == ["Give-Away Button"]
    assert kickdoor.accessories_after(again) == after


def test_things_need_the_module_and_a_day_needs_to_be_one() -> None:
    with pytest.raises(Refused) as refused:
        kickdoor.new_game(NAMES, PACKS, 1, ruleset("classic"), things=THINGS)
    assert refused.value.rule == "FQ-MISC-7"
    with pytest.raises(Refused):
        kickdoor.new_game(NAMES, PACKS, 1, ruleset("classic", **AT_CHRISTMAS), things={"Ann": ["Leather Armor"]})
    with pytest.raises(RulesetError):
        ruleset("classic", **{"accessories.date": "Christmas"})
