"""Worlds a seat could be in: the table as it sees it, with everything unseen dealt out anew.

`veiled` is the only door from the true game: it copies the table and puts whatever the seat cannot see into a fixed
order, so that two games that look the same from a seat are the same value behind the veil. `imagine` shuffles that.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import DECKS, DUNGEON, Game
from kickdoor.engine.value.records import Deal, Offer

Order = Callable[[list[int]], None]


def veiled(g: Game, seat: int) -> Game:
    """A copy of the table without what `seat` cannot know: hands, decks, the die and the shuffle to come."""
    new = g.clone()
    new.events = None
    new.rng = 0
    new.dice = []
    _redeal(new, seat, lambda cards: cards.sort())
    return new


def imagine(veil: Game, seat: int, rng: random.Random) -> Game:
    """One world that looks like this from `seat`: the unseen cards anywhere, and a die of its own."""
    new = veil.clone()
    new.rng = rng.getrandbits(64)
    _redeal(new, seat, rng.shuffle)
    return new


def _redeal(g: Game, seat: int, order: Order) -> None:
    """Put the cards that the seat cannot see into the places it cannot see, in the order given."""
    fixed = _fixed(g, seat)
    stacks = _stacks(g, fixed)
    hidden = [p for s, p in enumerate(g.players) if s != seat and not p.shown]
    hands = [[c for c in p.hand if c not in fixed] for p in hidden]
    old = [list(x) for x in (*[s for deck in stacks for s in deck], *hands)]
    pools: list[list[int]] = [[] for _ in range(DECKS)]
    for cards in old:
        for c in cards:
            pools[g.lib.defs[c].deck].append(c)
    left: list[int] = []
    for deck, places in enumerate(stacks):
        pool = pools[deck]
        pool.sort()
        order(pool)
        for cards in places:
            for i in range(len(cards)):
                cards[i] = pool.pop()
        left += pool
    left.sort()
    order(left)
    for hand in hands:
        for i in range(len(hand)):
            hand[i] = left.pop()
    _put_back(g, stacks, fixed)
    for p, hand in zip(hidden, hands, strict=True):
        dealt = iter(hand)
        p.hand[:] = [c if c in fixed else next(dealt) for c in p.hand]
    new = (*[s for deck in stacks for s in deck], *hands)
    renamed = {a: b for before, after in zip(old, new, strict=True) for a, b in zip(before, after, strict=True)}
    _rename(g, seat, renamed)
    g.touch()


def _fixed(g: Game, seat: int) -> frozenset[int]:
    """What stays where it is: cards that live on top of their deck, those that the seat is asked about, and the
    discards that it looks through for an answer (PILE-3)."""
    f = g.stack[-1]
    asked = f.options if type(f) is fr.Ask and f.seat == seat and f.domain == fr.CARDS else ()
    searched = [pile for pile in g.discards if not set(asked).isdisjoint(pile[:-1])] if asked else []
    return frozenset(g.lib.wanderers).union(asked, *searched)


def _stacks(g: Game, fixed: frozenset[int]) -> list[list[list[int]]]:
    """The face-down cards by deck: the deck itself, its further piles, and the discards below the top one."""
    out: list[list[list[int]]] = []
    for d in range(DECKS):
        low = g.discards[d] if d == DUNGEON else g.discards[d][:-1]
        piles = [g.piles[d], *g.aside[d], low]
        ours = [[c for c in pile if c not in fixed and g.lib.defs[c].deck == d] for pile in piles]
        out.append(ours)
    return out


def _put_back(g: Game, stacks: list[list[list[int]]], fixed: frozenset[int]) -> None:
    piles, discards = g.own_piles()
    for d, (pile, *aside, low) in enumerate(stacks):
        for here, cards in zip((piles[d], *g.aside[d]), (pile, *aside), strict=True):
            _fill(g, here, cards, fixed, d)
        _fill(g, discards[d], low, fixed, d)


def _fill(g: Game, here: list[int], cards: list[int], fixed: frozenset[int], deck: int) -> None:
    """Lay the cards where such cards lay, from the bottom up; what is fixed or on top of a discard pile stays."""
    it = iter(cards)
    for i, c in enumerate(here):
        if c not in fixed and g.lib.defs[c].deck == deck:
            here[i] = next(it, c)


def _rename(g: Game, seat: int, renamed: dict[int, int]) -> None:
    """What the table remembers of unseen cards follows them to their new places."""

    def new(cards: Sequence[int]) -> tuple[int, ...]:
        return tuple(renamed.get(c, c) for c in cards)

    g.fresh = [(s, c if s == seat else renamed.get(c, c)) for s, c in g.fresh]
    g.drew = [x if s == seat else new(x) for s, x in enumerate(g.drew)]
    g.offers = [_offer(o, new(o.deal.plays)) for o in g.offers]
    if g.fight is not None:
        g.fight.at_once = list(new(g.fight.at_once))
        d = g.fight.deal
        g.fight.deal = Deal(d.treasures, d.picks, d.items, new(d.plays))
    for f in g.stack:
        if isinstance(f, fr.Draw):
            if f.seat != seat:
                f.got, f.more = new(f.got), new(f.more)
        elif isinstance(f, fr.Ask) and f.seat != seat and f.domain == fr.CARDS:
            f.options, f.chosen = new(f.options), new(f.chosen)
        elif isinstance(f, fr.Draft) and f.seat != seat:
            f.give, f.doubled, f.plays = new(f.give), new(f.doubled), new(f.plays)


def _offer(o: Offer, plays: tuple[int, ...]) -> Offer:
    d = o.deal
    return Offer(o.kind, o.by, o.to, o.helper, Deal(d.treasures, d.picks, d.items, plays), o.give, o.get)
