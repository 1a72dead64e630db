"""Ranked Powers: any number of them, as long as their Ranks together do not exceed the Level (BT-9..BT-21)."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import force, front, nature
from kickdoor.engine.table import zones
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import NONE
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.ruleset import PowerGroup

_PLAIN: Final = PowerGroup()


def rules(g: Game) -> PowerGroup:
    """How this table plays Powers; one that came from elsewhere follows the plain rules (XOVER-11)."""
    return g.rules.traits.power or _PLAIN


def ranks(g: Game, seat: int) -> int:
    """The Ranks of all Powers before a player; a second copy counts as well (SAMB-14)."""
    defs = g.lib.defs
    return sum(defs[c].rank for c in front.cards_of_kind(g, seat, "power"))


def room(g: Game, seat: int) -> int:
    """How many Ranks more fit under the Level, never mind combat strength (BT-12)."""
    return g.players[seat].level - ranks(g, seat) if rules(g).cap == "level" else force.UNBOUNDED


def keeps_all(g: Game, seat: int) -> bool:
    """Some are spared when their Level falls, as long as they are what they are (BT-18, SAMB-13)."""
    return not nature.traits(g, seat).isdisjoint(n.lower() for n in rules(g).keep_over_cap)


def places(g: Game, seat: int, card: int) -> list[int]:
    """What a Power may be played over: -1 for beside the others, else the one it replaces (BT-12, BT-14, BT-15)."""
    if not force.may_use(g, seat, card):
        return []
    defs = g.lib.defs
    rank, free = defs[card].rank, room(g, seat)
    have = front.cards_of_kind(g, seat, "power")
    same = _copies(g, have, card)
    if same and rules(g).duplicates == "forbid":
        return [c for c in same if free >= 0]
    return ([NONE] if rank <= free else []) + [c for c in have if rank - defs[c].rank <= free]


def _copies(g: Game, have: list[int], card: int) -> list[int]:
    return [c for c in have if g.lib.defs[c].trait == g.lib.defs[card].trait]


def why_not(g: Game, seat: int, card: int) -> Reason:
    if not force.may_use(g, seat, card):
        return r.POWER_RACE
    if _copies(g, front.cards_of_kind(g, seat, "power"), card) and rules(g).duplicates == "forbid":
        return r.TRAIT_TWICE["power"]
    return r.POWER_RANK


def may_open(g: Game, seat: int, card: int) -> bool:
    """Before the first turn: so many Powers, of so low a Rank (BT-3)."""
    most = next((o.max for o in g.rules.setup.opening_play if o.kind == "power"), 1)
    if most is not None and len(front.cards_of_kind(g, seat, "power")) >= most:
        return False
    return g.lib.defs[card].rank <= rules(g).opening_max_rank


def unusable(g: Game, seat: int) -> list[int]:
    """Powers that their owner could not play any more: there is no such thing as carrying them (BT-14, SAMB-12)."""
    return [c for c in front.cards_of_kind(g, seat, "power") if not force.may_use(g, seat, c)]


def surplus(g: Game, seat: int) -> list[int]:
    """The Powers of which some must go, because the Level has fallen below their Ranks (BT-17)."""
    have = front.cards_of_kind(g, seat, "power")
    return have if room(g, seat) < 0 and not keeps_all(g, seat) else []


def upkeep(g: Game, seat: int) -> bool:
    """What its owner may not have any more goes at once; a single one is no choice."""
    if g.players[seat].dead:
        return False  # BT-20: looked at again when he is back
    gone = unusable(g, seat)
    if gone:
        zones.discard_in_play(g, seat, gone[0], zones.LIMIT, "BT-11")
        return True
    over = surplus(g, seat)
    if len(over) == 1:
        zones.discard_in_play(g, seat, over[0], zones.LIMIT, "BT-17")
        return True
    return False
