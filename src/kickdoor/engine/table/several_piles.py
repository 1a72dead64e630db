"""What a humongous deck: one that is too tall to be a single pile (DECK-12..DECK-15).

A deck is all of its piles together: it has run out when the last of them has. The pile that is drawn from lies in
`g.piles[deck]`, the others wait in `g.aside[deck]`, each in a place of its own; `g.heap[deck]` is the place of the one
that is in use. Where a deck is a single pile, `g.aside[deck]` is empty and nothing here does anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import PILES, Creation, Draw
from kickdoor.engine.value.game import DOOR, TREASURE, Game

HALVES: Final = "halves"
RESERVE: Final = "reserve"
PER_SET: Final = "per_set"
RULES: Final = {HALVES: "DECK-13", RESERVE: "DECK-14", PER_SET: "DECK-15"}
SIDES: Final = ("left", "right")
_NO_SET: Final = ("fixtures", "faces")


# -- laying them out --------------------------------------------------------------------------------------------


def sets(g: Game) -> list[str]:
    """The sets that have a draw pile of their own, in the order of the mix."""
    known = (d.pack for d in g.lib.unique if d.deck in (DOOR, TREASURE) and d.pack not in _NO_SET and not d.outside)
    return list(dict.fromkeys(known))


def split(g: Game) -> None:
    """Divide shuffled decks as the table has agreed to (DECK-12)."""
    if g.rules.decks.piles in RULES:
        for deck in (DOOR, TREASURE):
            _lay_out(g, deck)


def _lay_out(g: Game, deck: int) -> None:
    pile = g.piles[deck]
    if g.rules.decks.piles == PER_SET:
        piles = _by_set(g, pile)
    else:
        half = (len(pile) + 1) // 2
        piles = [list(pile[len(pile) - half :]), list(pile[: len(pile) - half])]
    g.aside = renewed.at(g.aside, deck, piles)
    g.heap = renewed.at(g.heap, deck, next((i for i, p in enumerate(piles) if p), 0))
    g.piles[deck], piles[g.heap[deck]] = piles[g.heap[deck]], []


def _by_set(g: Game, pile: Sequence[int]) -> list[list[int]]:
    """One pile per set (DECK-15); Portals belong among everybody's Doors and are dealt out over them (PORTAL-13)."""
    known = {name: i for i, name in enumerate(sets(g))}
    out: list[list[int]] = [[] for _ in known]
    portals = [c for c in pile if g.lib.defs[c].kind == "portal"]
    for c in pile:
        if g.lib.defs[c].kind != "portal":
            out[known.get(g.lib.defs[c].pack, 0)].append(c)
    tall = [p for p in out if p] or out[:1]
    for i, c in enumerate(portals):
        p = tall[i % len(tall)]
        p.insert(g.random(len(p) + 1), c)
    return out


# -- where the cards are ----------------------------------------------------------------------------------------


def piles(g: Game, deck: int) -> Iterator[Sequence[int]]:
    """Every pile of a deck, the one in use first."""
    yield g.piles[deck]
    yield from g.aside[deck]


def take_out(g: Game, deck: int, card: int) -> bool:
    """Take a card out of whatever pile of a deck it is in, if it is in one."""
    if card in g.piles[deck]:
        g.piles[deck] = renewed.less(g.piles[deck], card)
        return True
    for pile in g.aside[deck]:
        if card in pile:
            pile.remove(card)
            return True
    return False


def take_back(g: Game, deck: int, card: int) -> bool:
    """Take a card out of the discards of a deck, if it is there."""
    if card not in g.discards[deck]:
        return False
    g.discards[deck] = renewed.less(g.discards[deck], card)
    return True


def find(g: Game, deck: int, card: int) -> bool:
    """Take a card out of the discards or whatever pile of a deck it is in, if it is there."""
    return take_back(g, deck, card) or take_out(g, deck, card)


def size(g: Game, deck: int) -> int:
    """How many cards are left to be drawn, in all piles together."""
    return sum(len(p) for p in piles(g, deck)) if g.aside[deck] else len(g.piles[deck])


def heights(g: Game, deck: int) -> dict[str, int]:
    """Each pile by its name, and how tall it is; empty where the deck is a single pile."""
    if not g.aside[deck]:
        return {}
    tall = [len(p) for p in g.aside[deck]]
    tall[g.heap[deck]] = len(g.piles[deck])
    return {name(g, i): n for i, n in enumerate(tall)}


def name(g: Game, place: int) -> str:
    """What the players call a pile: the side of the table it lies on, or the set it holds."""
    how = g.rules.decks.piles
    if how == PER_SET:
        return sets(g)[place]
    return SIDES[place] if how == HALVES else ("first", "reserve")[place]


# -- which one is drawn from ------------------------------------------------------------------------------------


def choices(g: Game, deck: int) -> list[int]:
    """The piles among which the drawer chooses; none where a deck is a single one (DECK-13, DECK-15)."""
    if g.rules.decks.piles == RESERVE:
        return []
    return [i for i, p in enumerate(g.aside[deck]) if p or (i == g.heap[deck] and g.piles[deck])]


def turn_to(g: Game, deck: int, place: int) -> None:
    """Draw from this pile from now on."""
    old = g.heap[deck]
    if place != old:
        aside = g.aside[deck]
        aside[old], g.piles[deck], aside[place] = list(g.piles[deck]), aside[place], []
        g.heap = renewed.at(g.heap, deck, place)


def next_pile(g: Game, deck: int) -> bool:
    """The pile in use has run out: another one of the deck is there, or it is not (DECK-14, AMB-5)."""
    tallest = max(range(len(g.aside[deck])), key=lambda i: len(g.aside[deck][i]), default=-1)
    if tallest < 0 or not g.aside[deck][tallest]:
        return False
    turn_to(g, deck, tallest)
    if g.rules.decks.piles == RESERVE:
        g.emit("reserve", n=deck, rule="DECK-14")
    return True


def laid_again(g: Game, deck: int) -> None:
    """The discards have become the deck: it lies as before, but a reserve is used only once (AMB-5)."""
    if not g.aside[deck]:
        return
    if g.rules.decks.piles == RESERVE:
        g.aside, g.heap = renewed.at(g.aside, deck, []), renewed.at(g.heap, deck, 0)
    else:
        _lay_out(g, deck)


def which(g: Game, f: Draw) -> bool:
    """Has it been said from which pile this draw is made? Otherwise the drawer is asked (DECK-13, DECK-15).

    Opening hands are dealt, not drawn: card by card from whatever pile is tallest.
    """
    if any(isinstance(x, Creation) for x in g.stack):
        tall = choices(g, f.deck)
        places = list(heights(g, f.deck).values())
        if tall:
            turn_to(g, f.deck, max(tall, key=lambda i: places[i]))
        return True
    if f.ans is not None:
        f.pile, f.ans = f.ans[0], None
    can = choices(g, f.deck)
    if f.pile in can:
        turn_to(g, f.deck, f.pile)
    elif can:
        ask_for(g, f.seat, f.deck, can)
        return False
    return True


def ask_for(g: Game, seat: int, deck: int, can: list[int]) -> None:
    """The drawer says from which pile."""
    ask(g, seat, can, domain=PILES, about=("doors", "treasures")[deck], rule=RULES[g.rules.decks.piles])
