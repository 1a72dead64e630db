"""Taming: monsters that become Steeds, and Items that may serve as one (FQ-DER, EPIC-53..EPIC-55)."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import fights, front
from kickdoor.engine.table import hirelings, steeds
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import DOOR, Game
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import ACTIVE, Foe

STRAY: Final = "stray"  # the window in which a discarded monster may be taken


# -- what a monster costs and gives -----------------------------------------------------------------------------


def printed_treasures(g: Game, card: int) -> int:
    """The Treasures on the card of a monster in the fight, whatever lies on it."""
    foe = foe_of(g, card)
    return g.lib.defs[foe.face].treasures if foe is not None else 0


def foe_of(g: Game, card: int) -> Foe | None:
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    return foe if foe is not None and foe.fate == ACTIVE else None


def tamable(g: Game, card: int) -> bool:
    """A monster in the fight that is a card of its own, or one just discarded (FQ-DER-1, EPIC-53)."""
    foe = foe_of(g, card)
    if foe is not None:
        return foe.card == foe.face and g.lib.defs[card].kind == "monster"
    return card in strays(g)


# -- taming -----------------------------------------------------------------------------------------------------


def why_not(g: Game, seat: int, card: int) -> Reason | None:
    """Why somebody cannot tame it: no such monster, or nobody whom it could carry (a Centaur, STEED-2)."""
    if not tamable(g, card):
        return r.NOT_TAMABLE
    return None if steeds.places(g, seat) else r.NO_STEED_AT_ALL


# -- strays -----------------------------------------------------------------------------------------------------


def strays(g: Game) -> list[int]:
    """Monsters that have just been discarded and lie there still (EPIC-53)."""
    return [c for c, _ in g.strays if c in g.discards[DOOR]]


# -- Items that may serve as a Steed ----------------------------------------------------------------------------


def may_ride(g: Game, seat: int, card: int) -> bool:
    """To get off needs room for a companion, if it is one (HIRE-4); to get on needs room for a Steed (STEED-2)."""
    if card in g.ridden:
        return not g.lib.defs[card].is_companion or hirelings.has_room(g, seat)
    return len([c for c in front.steeds(g, seat) if not front.waived(g, c)]) < steeds.limit(g, seat)
