"""Giving cards in play up at will: Races, Classes and companions at any open moment, Items never (PILE-13, ITEM-15)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.table import steeds, zones
from kickdoor.engine.table.rows import Action, not_yours
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import DISCARD, Move
from kickdoor.engine.value.reasons import Reason

_RULE: Final = {"race": "RACE-10", "power": "BT-15"}


def _droppable(g: Game, seat: int, ctx: int) -> list[int]:
    """A Steed that is too slow may be left behind as well, by whoever has to run (STEED-12)."""
    defs, runs = g.lib.defs, ctx & cx.RUNNER
    return [c for c in g.players[seat].table if defs[c].given_up or (runs and steeds.left_behind(g, c))]


def drop_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    out += [Move(seat, DISCARD, c) for c in _droppable(g, seat, ctx)]


def why_not(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why a card cannot be given up now (PILE-13, ITEM-15, FQ-CARD-24)."""
    p = g.players[move.seat]
    if move.card not in p.table:
        return r.HAND_STAYS if move.card in p.hand else not_yours(g, move.card)
    if move.card in _droppable(g, move.seat, ctx):
        return None
    d = g.lib.defs[move.card]
    if d.is_curse:
        return r.CURSE_STAYS
    if move.card in g.host:
        return r.ATTACHED
    if ctx & cx.RUNNER and d.kind == "steed":
        return r.STEED_STAYS
    if steeds.left_behind(g, move.card):
        return r.STEED_LATER
    return r.NO_FREE_DISCARD if d.is_item else r.NOT_DISCARDABLE


def drop(g: Game, move: Move) -> None:
    rule = _RULE.get(g.lib.defs[move.card].kind, "CLASS-7")
    zones.discard_in_play(g, move.seat, move.card, zones.WILL, rule)


GIVING_UP: Final[Action] = Action(why_not, drop)
