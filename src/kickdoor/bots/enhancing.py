"""What an enhancer would do to the monster it is played on, and one for enhancers to the enhancer."""

from __future__ import annotations

from kickdoor.bots.seat import Fray, Seat
from kickdoor.cards.library import CardDef
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Foe


def swells(seat: Seat, m: Move, fray: Fray) -> int:
    """By how much an enhancer strengthens its monster; below 0 if it weakens it."""
    foe = host(seat, m, fray)
    if foe is None:
        return 0
    d = seat.defs[m.card]
    if d.kind != "enhancer_enhancer":
        return seat.enhanced_by(foe) * _own(seat, d, foe, fray) + _levels(seat, d, foe)
    more = sum(x.amount - 1 for x in d.mods.get("enhancers", ()))
    was = seat.enhancement(foe, m.target) + _levels(seat, seat.defs[m.target], foe)
    return seat.enhanced_by(foe) * _own(seat, d, foe, fray) + more * was


def host(seat: Seat, m: Move, fray: Fray) -> Foe | None:
    """The monster that it is about: aimed at, or bearing the enhancer that is."""
    return next((x for x in fray.foes if m.target == x.card or m.target in seat.enhancers(x)), None)


def _own(seat: Seat, d: CardDef, foe: Foe, fray: Fray) -> int:
    """Its bonus, and what it has against these munchkins or for company."""
    traits = frozenset(t for s in (fray.main, fray.helper) if s >= 0 for t in seat.traits(s))
    n = d.bonus
    for x in d.mods.get("strength", ()):
        if x.to == "owner" and x.test is None and (x.against is None or x.against & traits):
            n += x.amount * (1 + len(seat.enhancers(foe)) if x.per == "enhancer" else 1)
    return n


def _levels(seat: Seat, d: CardDef, foe: Foe) -> int:
    """The Levels it gives; one that takes some leaves the monster the first."""
    return max(d.card.level or 0, 1 - seat.defs[foe.face].level)


def glory(d: CardDef) -> int:
    """The levels that killing the monster is worth more."""
    return (d.card.levels_gained or 0) + sum(x.amount for x in d.mods.get("levels", ()))
