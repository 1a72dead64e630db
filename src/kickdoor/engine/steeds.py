"""Steeds: Items from the Door deck that one rides, or fights (STEED)."""

from __future__ import annotations

from kickdoor.engine import queries as q
from kickdoor.engine.game import Game
from kickdoor.engine.moves import NONE


def limit(g: Game, seat: int) -> int:
    """One, and those that other cards allow besides (STEED-2, CONF-1)."""
    return 1 + q.total(g, seat, "steeds")


def places(g: Game, seat: int) -> list[int]:
    """Where a new Steed may be put: a free place, or over an old one, which is discarded (STEED-2, AMB-75)."""
    have = [c for c in q.steeds(g, seat) if not q.waived(g, c)]
    return [NONE] if len(have) < limit(g, seat) else have


# -- riding -----------------------------------------------------------------------------------------------------


def run_bonus(g: Game, seat: int) -> int:
    """The runner's own modifiers, or those of his best Steed instead (RUN-7, STEED-11, AMB-58)."""
    ridden = [pace(g, c) for c in q.steeds(g, seat) if g.lib.defs[c].card.run_away is not None]
    if not ridden:
        return q.total(g, seat, "run_away")
    return max(ridden) + sum(m.amount for c, m in q.modifiers(g, seat, "run_away") if _imposed(g, seat, c))


def pace(g: Game, steed: int) -> int:
    """A Steed's Run Away bonus or penalty, with what its enhancers add (STEED-9, STEED-11)."""
    defs = g.lib.defs
    added = [m.amount for a in q.attachments(g, steed) for m in defs[a].mods.get("run_away", ())]
    return defs[steed].run_away + sum(added)


def _imposed(g: Game, seat: int, card: int) -> bool:
    """A Steed replaces what is the rider's own, not what a Curse has put on him (AMB-38)."""
    own = card in g.players[seat].table and not g.lib.defs[card].is_curse
    return not own and card not in g.host


def left_behind(g: Game, card: int) -> bool:
    """A Steed with a Run Away penalty may be discarded before the roll (STEED-12, STEED-13)."""
    return g.lib.defs[card].kind == "steed" and pace(g, card) < 0


# -- too many ---------------------------------------------------------------------------------------------------


def surplus(g: Game, seat: int) -> list[int]:
    """Those of which one must go at once, when what allowed them has gone (STEED-2, FQ-STEED-1)."""
    have = q.steeds(g, seat)
    if len(have) < 2:
        return []
    have = [c for c in have if not q.waived(g, c)]
    return have if len(have) > limit(g, seat) else []
