"""Selling Items for levels (SELL): named one by one, then sold together."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.facts import fights, force, front, goods
from kickdoor.engine.table import items, levels, zones
from kickdoor.engine.table.rows import Action, Question, not_yours
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import uses
from kickdoor.engine.value.frames import SELL_DRAFT, Draft
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import ADD, CANCEL, DONE, DOUBLE_PRICE, NONE, SELL, Move, word
from kickdoor.engine.value.reasons import Reason


def sellable(g: Game, seat: int) -> list[int]:
    """Items in hand and in play (SELL-5)."""
    return [*[c for c in g.players[seat].hand if goods.is_item(g, c)], *items.free_items(g, seat)]


def why_not(g: Game, seat: int) -> Reason | None:
    """Why this player can sell nothing at all: no level to buy, or too little to buy it with (SELL-6, SELL-7)."""
    if levels.gainable(g, seat, 1, False) == 0:
        return r.ONLY_KILLS if force.any_modifier(g, seat, "only_kills") else r.SELL_LAST_LEVEL
    return None if _enough(g, seat) else r.SELL_TOO_LITTLE


def why_not_now(g: Game, ctx: int, move: Move) -> Reason | None:
    """The same, and whether this is the moment for it: the own turn, no fight, and nothing else going on (SELL-1)."""
    if fights.in_fight(g, move.seat):
        return r.SELL_IN_FIGHT
    if not ctx & cx.OWN_IDLE:
        return r.SELL_LATER if g.turn == move.seat else r.SELL_OFF_TURN
    return why_not(g, move.seat)


def most(g: Game, seat: int) -> int:
    """What everything together would fetch, the best of it at twice its value."""
    values = [value(g, seat, c) for c in sellable(g, seat)]
    return sum(values) + _twice(g, seat, values)


def _twice(g: Game, seat: int, values: list[int]) -> int:
    """What the best of these would fetch more at twice their value."""
    doubles = doubles_left(g, seat)
    return sum(sorted(values, reverse=True)[:doubles]) if doubles > 0 else 0


def _enough(g: Game, seat: int) -> bool:
    """Would it buy a level? Mostly a few of them show that, at their plain price."""
    gold, wanted = 0, g.rules.sell.threshold
    values: list[int] = []
    for c in sellable(g, seat):
        values.append(value(g, seat, c))
        gold += values[-1]
        if gold >= wanted:
            return True
    return gold + _twice(g, seat, values) >= wanted


def value(g: Game, seat: int, card: int) -> int:
    """What this player gets for an Item: half its price for what stinks before him, or where a Dungeon says so."""
    gold = goods.price(g, card)
    if g.afflictions or g.dungeons:
        played = card in g.players[seat].table
        halved = [c for c, m in force.modifiers(g, seat, "sells_half") if m.word(g, card)]
        if any(played or c in g.dungeons for c in halved):
            return gold // 2
    return gold


def doubles_left(g: Game, seat: int) -> int:
    """How many more Items may sell at twice their value this turn."""
    each: dict[int, int] = {}  # a card speaks for itself, in as many sentences as it has
    for c, m in force.modifiers(g, seat, "sell_double"):
        each[c] = max(each.get(c, 0), m.amount)
    return sum(each.values()) - uses.sold_double(g, seat) if each else 0


def worth(g: Game, f: Draft) -> int:
    return sum(value(g, f.seat, c) * (2 if c in f.doubled else 1) for c in f.give)


def sell_moves(g: Game, seat: int, out: list[Move]) -> None:
    if why_not(g, seat) is None:
        out.append(word(seat, SELL))


def start(g: Game, seat: int) -> None:
    g.stack.append(Draft(SELL_DRAFT, seat))


def moves_sell(g: Game, f: Draft, out: list[Move]) -> None:
    for c in sellable(g, f.seat):
        if c not in f.give:
            out.append(Move(f.seat, ADD, c))
            if _why_not_double(g, f, c) is None:
                out.append(Move(f.seat, ADD, c, extra=DOUBLE_PRICE))
    if _why_short(g, f) is None:
        out.append(word(f.seat, DONE))
    out.append(word(f.seat, CANCEL))


def why_not_piece(g: Game, f: Draft, move: Move) -> Reason | None:
    """Why this is not part of the sale, or the sale not complete (SELL-2, SELL-6)."""
    if move.verb == CANCEL:
        return None
    if move.verb == DONE:
        return _why_short(g, f)
    if move.verb != ADD:
        return r.DRAFT_FIRST
    if move.card in f.give:
        return r.SELL_NAMED
    if move.card in sellable(g, f.seat):
        if move.extra not in (NONE, DOUBLE_PRICE):
            return r.NO_SUCH_ACTION
        return None if move.extra == NONE else _why_not_double(g, f, move.card)
    p = g.players[f.seat]
    if move.card not in p.hand and move.card not in p.table:
        return not_yours(g, move.card)
    if not goods.is_item(g, move.card):
        return r.SELL_NOT_ITEM
    return r.EQUIP_STUCK if front.suppressed(g, move.card) else r.ATTACHED


def _why_short(g: Game, f: Draft) -> Reason | None:
    return None if worth(g, f) >= g.rules.sell.threshold else r.SELL_SHORT


def _why_not_double(g: Game, f: Draft, card: int) -> Reason | None:
    if doubles_left(g, f.seat) <= len(f.doubled):
        some = any(True for _ in force.modifiers(g, f.seat, "sell_double"))
        return r.SELL_DOUBLE if some else r.SELL_NOT_DOUBLE
    return None if value(g, f.seat, card) else r.SELL_DOUBLE_NOTHING


def play_sell(g: Game, f: Draft, move: Move) -> None:
    if move.verb == ADD:
        f.give = (*f.give, move.card)
        if move.extra == DOUBLE_PRICE:
            f.doubled = (*f.doubled, move.card)
        return
    g.stack.pop()
    if move.verb == CANCEL:
        return
    n = worth(g, f) // g.rules.sell.threshold  # SELL-3, SELL-4: no change
    for c in f.give:
        zones.discard_any(g, f.seat, c, zones.SALE, "SELL-2")
    if f.doubled:
        uses.sell_double(g, f.seat, len(f.doubled))
    g.emit("sale", f.seat, n=n, rule="SELL-2")
    levels.gain(g, f.seat, n, "SELL-2")


DRAFT: Final[Question] = Question(moves_sell, why_not_piece, play_sell)
SALE: Final[Action] = Action(why_not_now, lambda g, m: start(g, m.seat))
