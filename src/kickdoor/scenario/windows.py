"""Windows: moments at which players may act or pass. Which of them close by themselves, and how all pass."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.chapters import running_away
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move

ACTS: Final = (mv.PLAY, mv.USE, mv.SACRIFICE)


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
    """Has nobody a card, a power or a companion for this moment?

    What is open to everybody at any time (a hand shown, a Race given up, a trade) is no move in the window.
    """
    return not any(is_act(g, m) for s in range(len(g.players)) for m in legal(g, s))


def is_act(g: Game, m: Move) -> bool:
    return m.verb in ACTS or (m.verb == mv.DISCARD and not g.lib.defs[m.card].given_up)  # a slow Steed (STEED-12)
