"""Rows: what stands side by side for every moment of a game and for every way of acting in it.

A chapter writes its rows; the kernel puts them into tables and knows nothing more. Whatever has no objection is legal:
`why_not` is the only judge, for a player, a bot, a scenario and for the list of legal moves alike.

Rows are read at every move, so they are classes of their own: compiled, a field of one is a load, and that of a tuple
with names a search (docs/performance.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason


class Moment:
    """A frame at which everyone may act: who is awaited, what moment it is, and who may pass."""

    __slots__ = ("awaits", "passes", "stage", "why_no_pass")

    def __init__(
        self,
        awaits: Callable[[Game, Any], list[int]],
        stage: Callable[[Game, Any, int], int],  # as bits of `cards.contexts`
        why_no_pass: Callable[[Game, Any, int], Reason | None],
        passes: Callable[[Game, Any, Move], None],
    ) -> None:
        self.awaits = awaits
        self.stage = stage
        self.why_no_pass = why_no_pass
        self.passes = passes


class Question:
    """A frame that takes nothing but answers, from one player: which there are, why not, and what they do."""

    __slots__ = ("answer", "moves", "why_not")

    def __init__(
        self,
        moves: Callable[[Game, Any, list[Move]], None],
        why_not: Callable[[Game, Any, Move], Reason | None],
        answer: Callable[[Game, Any, Move], None],
    ) -> None:
        self.moves = moves
        self.why_not = why_not
        self.answer = answer


class Action:
    """A verb at a moment: why a move with it is not allowed (`int` is the context of its seat), and what it does."""

    __slots__ = ("do", "why_not")

    def __init__(self, why_not: Callable[[Game, int, Move], Reason | None], do: Callable[[Game, Move], None]) -> None:
        self.why_not = why_not
        self.do = do


# What comes first, at moments when only passing, cards and powers that fit them have a place.
FIRST: Final[dict[type, Reason]] = {
    fr.Roll: r.BETWEEN_ROLL,
    fr.Curse: r.CURSE_PENDING,
    fr.Draw: r.DRAWING,
    fr.Window: r.MOMENT_FIRST,
    fr.Creation: r.CREATION_ONLY,
}


def first(g: Game) -> Reason | None:
    """What has to be settled before anything else, if the table is in the middle of something."""
    return FIRST.get(type(g.stack[-1]))


def not_yours(g: Game, card: int) -> Reason:
    """Why nothing can be done with a card that one does not have: it is somebody else's, or it lies on the discards."""
    return r.GONE if card in g.discards[g.lib.defs[card].deck] else r.NOT_YOURS


def never(g: Game, f: Any, seat: int) -> Reason | None:
    """Nobody passes here."""
    return r.NOTHING_TO_ANSWER


def has_passed(g: Game, f: Any, seat: int) -> Reason | None:
    """Everyone passes once; what changes the situation asks them all again (COMBAT-32)."""
    return r.PASSED if f.passed >> seat & 1 else None


def marks_pass(g: Game, f: Any, move: Move) -> None:
    f.passed |= 1 << move.seat


def yet_to_pass(g: Game, f: Any) -> list[int]:
    passed: int = f.passed
    return [s for s in g.living(f.seat) if not passed >> s & 1]
