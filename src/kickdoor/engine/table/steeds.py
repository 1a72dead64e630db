"""Steeds and Vehicles: Items from the Door deck that one rides, or fights (STEED, XOVER-12); and Ships (XOVER-14)."""

from __future__ import annotations

from collections.abc import Callable

from kickdoor.engine.facts import force, front
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import NONE


def limit(g: Game, seat: int) -> int:
    """One, and those that other cards allow besides (STEED-2, CONF-1)."""
    return 1 + force.total(g, seat, "steeds")


def places(g: Game, seat: int) -> list[int]:
    """Where a new Steed may be put: a free place, or over an old one, which is discarded (STEED-2, AMB-75)."""
    have = front.unwaived(g, front.steeds(g, seat))
    return [NONE] if len(have) < limit(g, seat) else have


def harbours(g: Game, seat: int) -> list[int]:
    """Where a new Ship may be put: one at a time, beside any Steed (XOVER-14)."""
    have = front.unwaived(g, front.ships(g, seat))
    return [NONE] if len(have) < ship_limit(g, seat) else have


def ship_limit(g: Game, seat: int) -> int:
    """One, beside any Steed (XOVER-14)."""
    return 1


# -- riding -----------------------------------------------------------------------------------------------------


def run_bonus(g: Game, seat: int, mount: int = NONE) -> int:
    """The runner's own modifiers, or those of his Steed, or before all those of his Ship (STEED-11, XOVER-16).

    Of several it is the `mount` he named for this roll, and the best one where none was named (AMB-58).
    """
    if not mounts(g, seat):
        return force.total(g, seat, "run_away")
    return sum(amount for _, amount in run_terms(g, seat, mount))


def run_terms(g: Game, seat: int, mount: int = NONE) -> list[tuple[int, int]]:
    """The same card by card; a Steed with what lies on it is one."""
    ridden = mounts(g, seat)
    own = [(c, m.amount) for c, m in force.modifiers(g, seat, "run_away") if not ridden or _imposed(g, seat, c)]
    if not ridden:
        return own
    steed = mount if mount in ridden else ridden[0]
    return [(steed, pace(g, steed)), *own]


def mounts(g: Game, seat: int) -> list[int]:
    """What could run in the rider's place, the best first: Ships, and where no Ship says anything, Steeds."""
    return _running(g, front.ships(g, seat)) or _running(g, front.steeds(g, seat))


def _running(g: Game, cards: list[int]) -> list[int]:
    """Those that say anything about running away, be it for what lies on them (STEED-9, IENH-3)."""
    if not cards:
        return cards
    able = [
        c for c in cards if _has_pace(g, c) or any("run_away" in g.lib.defs[a].mods for a in front.attachments(g, c))
    ]
    return sorted((c for c in able if force.may_use(g, front.owner(g, c), c)), key=lambda c: -pace(g, c))


def _has_pace(g: Game, steed: int) -> bool:
    d = g.lib.defs[steed]  # what a monster says of running away is about running from it
    return d.card.run_away is not None and d.kind != "monster"


def pace(g: Game, steed: int) -> int:
    """A Steed's Run Away bonus or penalty, with what its enhancers add (STEED-9, STEED-11)."""
    defs = g.lib.defs
    added = [m.amount for a in front.attachments(g, steed) for m in defs[a].mods.get("run_away", ())]
    return (defs[steed].run_away if _has_pace(g, steed) else 0) + sum(added)


def _imposed(g: Game, seat: int, card: int) -> bool:
    """A Steed replaces what is the rider's own, not what a Curse has put on him (AMB-38)."""
    own = card in g.players[seat].table and not g.lib.defs[card].is_curse
    return not own and card not in g.host


def left_behind(g: Game, card: int) -> bool:
    """A Steed or Ship with a Run Away penalty may be discarded before the roll (STEED-12, STEED-13)."""
    return g.lib.defs[card].kind in ("steed", "ship") and pace(g, card) < 0


# -- too many ---------------------------------------------------------------------------------------------------


def surplus(g: Game, seat: int) -> list[int]:
    """Those of which one must go at once, when what allowed them has gone (STEED-2, FQ-STEED-1)."""
    return _too_many(g, front.steeds(g, seat), limit, seat)


def surplus_ships(g: Game, seat: int) -> list[int]:
    """The same for Ships, which are counted by themselves (XOVER-14)."""
    return _too_many(g, front.ships(g, seat), ship_limit, seat)


def _too_many(g: Game, have: list[int], most: Callable[[Game, int], int], seat: int) -> list[int]:
    if not have:
        return []
    have = [c for c in have if not front.waived(g, c)]
    return have if len(have) > most(g, seat) else []
