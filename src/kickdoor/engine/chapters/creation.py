"""Before the first turn: starting cards are put down, in seating order (CHAR-4..CHAR-8)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.chapters import turn
from kickdoor.engine.table.rows import Moment
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import Creation
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason


def step_creation(g: Game, f: Creation) -> bool:
    if f.left > 0:
        return False
    turn.begin(g, g.turn)
    return True


def awaited_creation(g: Game, f: Creation) -> list[int]:
    return [f.seat]


def creation_stage(g: Game, f: Creation, seat: int) -> int:
    return cx.CREATION


def why_no_pass(g: Game, f: Creation, seat: int) -> Reason | None:
    return None if seat == f.seat else r.NO_CREATION_PASS


def next_seat(g: Game, f: Creation, move: Move) -> None:
    f.left -= 1
    f.seat = (f.seat + 1) % len(g.players)


MOMENT: Final[Moment] = Moment(awaited_creation, creation_stage, why_no_pass, next_seat)
