"""Is there room for what a trade brings? Mostly that can be counted, and need not be tried out on a copy (TRADE-5)."""

from __future__ import annotations

import random

import kickdoor
from drilling import daily
from kickdoor.cards.packs import known_packs
from kickdoor.engine.chapters import trading
from kickdoor.engine.table.items import free_items
from kickdoor.engine.value.game import Game

NAMES = ("Ann", "Bob", "Cid", "Dot")
MIXES = [
    ("classic",),
    ("bites",),
    ("classic", "other_expansions"),
    ("good_bad", "magical_mess", "shakespeare"),
    tuple(known_packs()),
]


def some_of(rng: random.Random, cards: tuple[int, ...], least: int) -> tuple[int, ...]:
    return tuple(rng.sample(cards, min(len(cards), rng.randint(least, 3))))


def judged_both_ways(g: Game, rng: random.Random) -> bool | None:
    """Two players, and some of what lies before each: would it be too much? None: nothing that can be counted."""
    seat, other = rng.sample(range(len(g.players)), 2)
    gets, gives = some_of(rng, free_items(g, other), 1), some_of(rng, free_items(g, seat), 0)
    if not gets or not trading.only_counts(g, seat, (*gets, *gives)):
        return None
    counted = trading.why_no_room(g, g, seat, gets, gives)
    tried = trading.why_no_room(g, trading.carried_out(g, seat, gets, gives), seat, gets, gives)
    assert counted is tried, [g.lib.defs[c].name for c in (*gets, *gives)]
    return counted is not None


def test_what_is_counted_is_what_comes_of_it() -> None:
    seen: list[bool | None] = []
    for packs in MIXES:
        for seed in range(daily(3, 40)):
            rng = random.Random(seed)
            g = kickdoor.new_game(NAMES, packs=packs, seed=seed)
            for n in range(3000):
                if g.winners:
                    break
                kickdoor.apply(g, rng.choice(kickdoor.legal(g, kickdoor.to_act(g)[0])), trusted=True)
                if n % 10 == 0:
                    seen.append(judged_both_ways(g, rng))
    assert seen.count(False) > 500
    assert seen.count(True) > 5
