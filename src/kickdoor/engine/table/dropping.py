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


def droppable(g: Game, card: int) -> bool:
    """Races, Classes, what goes with them and companions may be given up at will (FQ-CARD-22, HIRE-21, FQ-REL-5)."""
    d = g.lib.defs[card]
    return bool(d.trait) or bool(d.multi) or d.is_companion or d.kind == "race_or_class_enhancer"


def _may_drop(g: Game, card: int, ctx: int) -> bool:
    """A Steed that is too slow may be left behind as well, by whoever has to run (STEED-12)."""
    return droppable(g, card) or bool(ctx & cx.RUNNER and steeds.left_behind(g, card))


def drop_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    for c in g.players[seat].table:
        if _may_drop(g, c, ctx):
            out.append(Move(seat, DISCARD, c))


def why_not(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why a card cannot be given up now (PILE-13, ITEM-15, FQ-CARD-24)."""
    p = g.players[move.seat]
    if move.card not in p.table:
        return r.HAND_STAYS if move.card in p.hand else not_yours(g, move.card)
    if _may_drop(g, move.card, ctx):
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
