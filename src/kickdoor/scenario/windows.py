"""Windows: moments at which players may act or pass. Which of them close by themselves, and how all pass."""

from __future__ import annotations

from typing import Final

from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine.game import Game
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.moves import Move

TALK: Final = (mv.PASS, mv.SHOW_HAND, mv.WITHDRAW, mv.DECLINE)  # none of these does anything to the window


def closes_itself(g: Game) -> bool:
    """Is a window open that needs no written pass? (The fight's own does.)"""
    if g.winners:
        return False
    f = g.stack[-1]
    return isinstance(f, (fr.Roll, fr.Curse, fr.Window, fr.Draw)) or (isinstance(f, fr.Flee) and f.stage == 1)


def close(g: Game) -> bool:
    """Everybody who is awaited in the topmost window passes, once; did anybody?"""
    frame, passed = g.stack[-1], False
    for seat in to_act(g):
        if not g.winners and g.stack[-1] is frame and Move(seat, mv.PASS) in legal(g, seat):
            apply(g, Move(seat, mv.PASS))
            passed = True
    return passed


def close_idle(g: Game) -> None:
    """A window in which nobody has a move but the pass is over at once."""
    while closes_itself(g) and is_idle(g) and close(g):
        pass


def is_idle(g: Game) -> bool:
    return not any(m.verb not in TALK for s in range(len(g.players)) for m in legal(g, s))
