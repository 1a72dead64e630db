"""Out West: the words of the book that is played by, and the goal of everybody."""

from __future__ import annotations

import pytest

import kickdoor
from kickdoor.engine.kernel import why_not_card
from kickdoor.engine.setup import rules_for
from kickdoor.engine.table import levels
from kickdoor.engine.value.game import Game


def table(*packs: str) -> Game:
    """A first turn by the rules of these sets, with nothing in anybody's hand; classic fills the decks up."""
    deck = packs if "classic" in packs else (*packs, "classic")
    g = kickdoor.new_game(("Ann", "Bob", "Cid"), packs=deck, seed=3, first=0, rules=rules_for(packs))
    while g.stack[-1].__class__.__name__ != "Turn":  # what is shown of an opening hand, and what is put down
        kickdoor.apply(g, next(m for m in kickdoor.legal(g, kickdoor.to_act(g)[0]) if m.card < 0))
    for p in g.players:
        for card in p.hand:
            of = g.lib.defs[card].deck
            g.discards[of] = [*g.discards[of], card]
        p.hand = []
    g.fresh = []
    g.touch()
    return g


def put(g: Game, name: str, zone: list[int]) -> int:
    """That card, wherever it was, into this zone."""
    card = next(c for c, d in enumerate(g.lib.defs) if d.name == name)
    piles, discards = g.own_piles()
    for pile in (*piles, *discards, *(p.hand for p in g.players), *(p.table for p in g.players)):
        if card in pile:
            pile.remove(card)
    zone.append(card)
    g.touch()
    return card


@pytest.mark.parametrize(
    ("packs", "word"),
    [(("good_bad",), "Sidekick"), (("classic", "good_bad"), "Hireling"), (("bites", "classic"), "Minion")],
)
def test_a_refusal_calls_companions_what_the_book_calls_them(packs: tuple[str, ...], word: str) -> None:
    g = table(*packs)
    ann = g.players[0]
    kinds = [d.card.kind for d in g.lib.unique if d.is_companion]
    kind = next(k for k in kinds if kinds.count(k) > 1)  # of one name: others are XOVER-5's
    first, second = [d.name for d in g.lib.unique if d.card.kind == kind][:2]
    put(g, first, ann.table)
    reason = why_not_card(g, 0, put(g, second, ann.hand))
    assert reason is not None
    assert reason.rule == "HIRE-4"
    assert f"One {word} at a time" in reason.says


@pytest.mark.parametrize(("packs", "word"), [(("good_bad",), "Trap"), (("classic", "good_bad"), "Curse")])
def test_a_trap_is_called_a_trap_where_the_book_knows_no_curses(packs: tuple[str, ...], word: str) -> None:
    g = table(*packs)
    reason = why_not_card(g, 0, put(g, "Broken Leg", g.players[0].table))
    assert reason is not None
    assert reason.says.startswith(f"A {word} ")


def test_the_rulesets_of_the_west() -> None:
    alone, mixed = rules_for(["good_bad"]), rules_for(["classic", "good_bad"])
    assert (alone.components.total, alone.players.min, alone.players.max) == (168, 3, 6)
    assert alone.curse.labels == ("Trap",)
    assert set(mixed.curse.labels) == {"Curse", "Trap"}
    assert not alone.traits.race.enabled
    assert [r.substring for r in alone.name_rules] == [r.substring for r in mixed.name_rules] == ["bow"]


def test_a_cowboy_wins_where_everybody_does() -> None:
    g = table("good_bad")
    put(g, "Cowboy", g.players[0].table)
    assert levels.goal_level(g, 0) == levels.goal_level(g, 1) == levels.top_level(g, 0) == 10
    assert levels.highest_without_kill(g, 0) == 9
