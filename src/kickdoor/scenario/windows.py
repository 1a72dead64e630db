"""Windows: moments at which players may act or pass. Which of them close by themselves, and how all pass."""

from __future__ import annotations

from typing import Final

from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import running_away
from kickdoor.engine.game import Game
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.moves import Move

TALK: Final = (mv.PASS, mv.SHOW_HAND, mv.WITHDRAW, mv.DECLINE)  # none of these does anything to the window


def closes_itself(g: Game) -> bool:
    """Is a window open that needs no written pass? (The fight's own does.)"""
    if g.winners:
        return False
    f = g.stack[-1]
    if isinstance(f, fr.Flee):
        return f.stage == running_away.WINDOW
    return isinstance(f, (fr.Roll, fr.Curse, fr.Window, fr.Draw))


def close(g: Game) -> bool:
    """Everybody who is awaited in the topmost window passes, from the turn player on; did anybody?"""
    frame, passed = g.stack[-1], set[int]()
    while seats := [s for s in awaited(g, frame) if s not in passed]:
        apply(g, Move(seats[0], mv.PASS))
        passed.add(seats[0])
    return bool(passed)


def awaited(g: Game, window: fr.Frame) -> list[int]:
    """Who still has to pass in this window, as long as it is open."""
    if g.winners or g.stack[-1] is not window:
        return []
    seats = to_act(g)
    return [s for s in g.around(g.turn) if s in seats and Move(s, mv.PASS) in legal(g, s)]


def close_idle(g: Game) -> None:
    """A window in which nobody has a move but the pass is over at once."""
    while closes_itself(g) and is_idle(g) and close(g):
        pass


def is_idle(g: Game) -> bool:
    return not any(m.verb not in TALK for s in range(len(g.players)) for m in legal(g, s))
