"""What is left to do in a turn when nothing better comes to mind."""

from __future__ import annotations

from typing import Final

from kickdoor.bots.seat import Choice, Seat
from kickdoor.engine.value import moves as mv

_ROUTINE: Final = (
    (mv.KICK, "Let us see what is behind it."),
    (mv.KEEP, "It may come in handy."),
    (mv.LOOT, "Nothing here I could beat."),
    (mv.CHARITY, "Too many cards."),
    (mv.END_TURN, "That is all from me."),
    (mv.PASS, ""),
)


def routine(seat: Seat) -> Choice:
    """On with the turn, as the book has it."""
    for verb, why in _ROUTINE:
        moves = seat.of(verb)
        if moves:
            return Choice(moves[-1], why)
    return Choice(seat.moves[0], "Nothing better to do.")
