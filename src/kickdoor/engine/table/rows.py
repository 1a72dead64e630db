"""Rows: what stands side by side for every moment of a game and for every way of acting in it.

A chapter writes its rows; the kernel puts them into tables and knows nothing more. Whatever has no objection is legal:
`why_not` is the only judge, for a player, a bot, a scenario and for the list of legal moves alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason


class Moment(NamedTuple):
    """A frame at which everyone may act: who is awaited, what moment it is, and who may pass."""

    awaits: Callable[[Game, Any], list[int]]
    stage: Callable[[Game, Any, int], int]  # as bits of `cards.contexts`
    why_no_pass: Callable[[Game, Any, int], Reason | None]
    passes: Callable[[Game, Any, Move], None]


class Question(NamedTuple):
    """A frame that takes nothing but answers, from one player: which there are, why not, and what they do."""

    moves: Callable[[Game, Any, list[Move]], None]
    why_not: Callable[[Game, Any, Move], Reason | None]
    answer: Callable[[Game, Any, Move], None]


class Action(NamedTuple):
    """A verb at a moment: why a move with it is not allowed (`int` is the context of its seat), and what it does."""

    why_not: Callable[[Game, int, Move], Reason | None]
    do: Callable[[Game, Move], None]


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
    return [s for s in g.living(f.seat) if not f.passed >> s & 1]
