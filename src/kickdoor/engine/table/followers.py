"""One Hireling, one Steed, one Ship: whoever has too many says which goes (HIRE-4, STEED-2, XOVER-14, AMB-56)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kickdoor.engine.table import hirelings, steeds, traits, zones
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import COMPANION_SURPLUS, SHIP_SURPLUS, STEED_SURPLUS, Surplus
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import CHOOSE, Move
from kickdoor.engine.value.reasons import Reason

# Which are too many, and by what rule; being given up for want of room brings no Steed back (FQ-STEED-2).
KINDS: Final[dict[int, tuple[Callable[[Game, int], list[int]], str]]] = {
    STEED_SURPLUS: (steeds.surplus, "STEED-2"),
    COMPANION_SURPLUS: (hirelings.surplus, "HIRE-4"),
    SHIP_SURPLUS: (steeds.surplus_ships, "XOVER-14"),
}


def upkeep(g: Game, seat: int) -> bool:
    """Ask as soon as there are too many of a kind."""
    for kind, (surplus, rule) in KINDS.items():
        have = surplus(g, seat)
        if len(have) == 1:  # a question with a single possible answer is not asked
            zones.discard_in_play(g, seat, have[0], zones.LIMIT, rule)
            return True
        if have and not traits.pending(g, seat, kind):
            g.stack.append(Surplus(seat, kind))
            return True
    return False


def step_surplus(g: Game, f: Surplus) -> bool:
    if KINDS[f.kind][0](g, f.seat):
        return False
    g.stack.pop()
    return True


def surplus_moves(g: Game, f: Surplus, out: list[Move]) -> None:
    for c in KINDS[f.kind][0](g, f.seat):
        out.append(Move(f.seat, CHOOSE, c))


def why_not_given_up(g: Game, f: Surplus, move: Move) -> Reason | None:
    return None if move.card in KINDS[f.kind][0](g, f.seat) else r.SURPLUS_NOT_THAT


def play_surplus(g: Game, f: Surplus, move: Move) -> None:
    zones.discard_in_play(g, f.seat, move.card, zones.LIMIT, KINDS[f.kind][1])
