"""Why not? For any move that is refused, and for any card in a hand or in play (DESIGN: every ruling has a reason)."""

from __future__ import annotations

from kickdoor.engine.game import Game
from kickdoor.engine.moves import Move
from kickdoor.engine.reasons import NO_SUCH_ACTION, Reason


def explain(g: Game, move: Move) -> Reason:
    return NO_SUCH_ACTION
