"""Who is waited for, whether it is a window or a decision, and what is done when time is up.

The engine has no clock; this is how the server's is mapped onto moves. Every decision has a legal default, so no table
waits for ever.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.server.protocol import ClockKind
from kickdoor.server.table import Table, played_by_bot


class Wait(NamedTuple):
    """`window`: everyone listed may act or pass; `decision`: the one listed must answer; `none`: the game is over."""

    kind: ClockKind
    seats: tuple[int, ...]


NOTHING: Final = Wait("none", ())
_DECISIONS: Final = (fr.Turn, fr.Creation)
# What is done for somebody who does not answer, the first that is legal.
_DEFAULTS: Final = (
    mv.PASS,
    mv.DONE,
    mv.DECLINE,
    mv.KICK,
    mv.KEEP,
    mv.LOOT,
    mv.CHARITY,
    mv.END_TURN,
    mv.RUN,
    mv.CHOOSE,
    mv.ADD,
    mv.CANCEL,
)


def waiting(g: Game) -> Wait:
    """Whom the table waits for now."""
    seats = tuple(to_act(g))
    if not seats:
        return NOTHING
    if type(g.stack[-1]) in _DECISIONS or not any(m.verb == mv.PASS for m in legal(g, seats[0])):
        return _wait("decision", seats[:1])
    return _wait("window", seats)


@lru_cache(maxsize=1000)
def _wait(kind: ClockKind, seats: tuple[int, ...]) -> Wait:
    """Kept: there are not many, and one is asked for with every move."""
    return Wait(kind, seats)


def patient(g: Game, seat: int) -> bool:
    """Has this seat the time of a decision, even in a window? Those who fight have to think; the others only react."""
    fight = g.fight
    return (
        fight is not None and not fight.over and seat in (fight.main, fight.helper) and type(g.stack[-1]) is fr.Combat
    )


def clockless(t: Table) -> bool:
    """Does nobody's time run out here? So it was settled, or there is nobody else whom one could keep waiting."""
    if not t.options.decision:
        return True
    people = 0
    for c in t.chairs:
        people += not played_by_bot(c)
    return people <= 1


def default(g: Game, seat: int) -> Move | None:
    """The legal move that commits to least."""
    moves = legal(g, seat)
    for verb in _DEFAULTS:
        for m in moves:
            if m.verb == verb:
                return m
    return moves[0] if moves else None
