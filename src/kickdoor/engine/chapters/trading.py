"""Trades and gifts: an offer is put together piece by piece, said aloud, and answered (TRADE)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

from kickdoor.engine.facts import fights, force, front, goods
from kickdoor.engine.table import hirelings, items, steeds, zones
from kickdoor.engine.table.items import free_items
from kickdoor.engine.table.rows import Action, Question
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import TRADE_DRAFT, Draft
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import ADD, CANCEL, PROPOSE, TRADE, Move, seat_of, towards, word
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import OFFER_TRADE, Offer


def why_not(g: Game, seat: int, to: int) -> Reason | None:
    """Why these two cannot trade (TRADE-1..TRADE-4)."""
    if to < 0 or to == seat:
        return r.TRADE_SELF
    if g.players[to].dead:
        return r.DEAD_TARGET
    if fights.in_fight(g, seat):
        return r.TRADE_IN_FIGHT
    if fights.in_fight(g, to):
        return r.TRADE_PARTNER_FIGHTS
    if free_items(g, seat) or free_items(g, to):
        return None
    return r.TRADE_HELD if any(goods.is_item(g, c) for c in g.players[seat].hand) else r.TRADE_BARE


def why_not_now(g: Game, ctx: int, move: Move) -> Reason | None:
    return why_not(g, move.seat, seat_of(move.target))


def trade_moves(g: Game, seat: int, out: list[Move]) -> None:
    """With whom somebody can trade who is alive and in no fight himself: as `why_not` has it, asked often."""
    mine = free_items(g, seat)
    fight = g.fight is not None
    for s in g.living(seat):
        if s != seat and (mine or free_items(g, s)) and not (fight and fights.in_fight(g, s)):
            out.append(towards(seat, TRADE, s))


def start(g: Game, seat: int, to: int) -> None:
    g.stack.append(Draft(TRADE_DRAFT, seat, to))


def could_carry(g: Game, seat: int, gets: tuple[int, ...], gives: tuple[int, ...]) -> bool:
    return why_not_carried(g, seat, gets, gives) is None


def why_not_carried(g: Game, seat: int, gets: tuple[int, ...], gives: tuple[int, ...]) -> Reason | None:
    """May the receiver have these at all, and would he keep within his limits with them (TRADE-5)?"""
    if not gets:
        return None
    for c in gets:
        if items.barred_carry(g, seat, c) or not force.may_receive(g, seat, c):
            return r.TRADE_BARRED
    defs = g.lib.defs
    crowding = [c for c in gets if defs[c].big or defs[c].is_companion or defs[c].kind in ("steed", "ship")]
    if not crowding:
        return None
    then = g if only_counts(g, seat, (*gets, *gives)) else carried_out(g, seat, gets, gives)
    return why_no_room(g, then, seat, gets, gives)


# What there is only so much room for: what of it somebody has, how much he may have, and why no more (HIRE-7, STEED-2,
# XOVER-14, BIG-1).
_LIMITED: Final[tuple[tuple[Callable[[Game, int], list[int]], Callable[[Game, int], int], Reason], ...]] = (
    (lambda g, s: front.unwaived(g, front.companions(g, s)), hirelings.limit, r.TRADE_COMPANION),
    (lambda g, s: front.unwaived(g, front.steeds(g, s)), steeds.limit, r.TRADE_STEED),
    (lambda g, s: front.unwaived(g, front.ships(g, s)), steeds.ship_limit, r.TRADE_SHIP),
    (items.bigs, items.big_capacity, r.TRADE_BIG),
)


def why_no_room(g: Game, then: Game, seat: int, gets: Sequence[int], gives: Sequence[int]) -> Reason | None:
    """Is he over a limit with them that one of them counts in? `then`: the table after it, or before where counting
    is enough."""
    giver = front.owner(g, gets[0])
    for had, room, why in _LIMITED:
        if then is g:
            coming = [c for c in had(g, giver) if c in gets]
            have = [c for c in had(g, seat) if c not in gives] + coming if coming else []
        else:
            have = had(then, seat)
        if have and len(have) > room(then, seat) and any(c in gets for c in have):
            return why
    return None


_ROOM: Final = ("big", "extra_big", "hirelings", "steeds")  # what says how much one may have
_OTHERWISE: Final = (  # and what has certainly nothing to do with it
    frozenset(("ability", "big_exempt", "cannot_win", "curse_immunity", "die", "escapes", "extra_cards", "hands"))
    | frozenset(("immune_to", "luck", "no_enhancers", "reflect_curse", "repels", "returns_to_hand", "run_away"))
    | frozenset(("sacrifice", "shields", "strength", "wins_ties"))
)


def only_counts(g: Game, seat: int, cards: Sequence[int]) -> bool:
    """Do these cards change how much a player has, but not how much he may have? Then one need not try it out."""
    defs, bearers = g.lib.defs, g.bearer.values()
    for c in (*cards, *(a for a, host in g.host.items() if host in cards)):
        d = defs[c]
        if d.mods and not d.mods.keys() <= _OTHERWISE:
            return False
        if d.kind == "steed" and g.rules.options.epic:  # EPIC-57
            return False
        if c in g.bearer or c in g.ridden or c in g.exempt or c in bearers:
            return False
    return force.steady(g, seat, _ROOM)


def carried_out(g: Game, seat: int, gets: Sequence[int], gives: Sequence[int]) -> Game:
    """A copy in which it has been done: what changes hands may be what makes room (CONF-1)."""
    then = g.what_if()
    other = front.owner(g, gets[0])
    for giver, taker, cards in ((seat, other, gives), (other, seat, gets)):
        for c in cards:
            zones.transfer(then, giver, taker, c, "trade", "TRADE-1")
    return then


def moves_trade(g: Game, f: Draft, out: list[Move]) -> None:
    seat: int = f.seat
    named = (*f.give, *f.get)
    for s in (seat, f.to):
        for c in free_items(g, s):
            if c not in named:
                out.append(Move(seat, ADD, c))
    if _why_no_trade(g, f) is None:
        out.append(word(seat, PROPOSE))
    out.append(word(seat, CANCEL))


def why_not_piece(g: Game, f: Draft, move: Move) -> Reason | None:
    """Why this is not part of the trade, or the trade not one that could be made (TRADE-2, TRADE-3, TRADE-5)."""
    if move.verb == CANCEL:
        return None
    if move.verb == PROPOSE:
        return _why_no_trade(g, f)
    if move.verb != ADD:
        return r.DRAFT_FIRST
    card = move.card
    if card in f.give or card in f.get:
        return r.TRADE_NAMED
    if card in free_items(g, f.seat) or card in free_items(g, f.to):
        return None
    return _why_untradable(g, f, card)


def _why_untradable(g: Game, f: Draft, card: int) -> Reason:
    if card in g.players[f.seat].hand:
        return r.TRADE_TABLE if goods.is_item(g, card) else r.TRADE_ITEMS
    if card in g.players[f.seat].table or card in g.players[f.to].table:
        return r.EQUIP_STUCK if front.suppressed(g, card) else r.TRADE_ITEMS
    return r.TRADE_WHOSE if front.owner(g, card) >= 0 else r.TRADE_TABLE  # what is hidden stays so


def _why_no_trade(g: Game, f: Draft) -> Reason | None:
    give, get = f.give, f.get
    if not (give or get):
        return r.TRADE_NOTHING
    return why_not_carried(g, f.seat, get, give) or why_not_carried(g, f.to, give, get)


def play_trade(g: Game, f: Draft, move: Move) -> None:
    if move.verb == ADD:
        if move.card in g.players[f.seat].table:
            f.give = (*f.give, move.card)
        else:
            f.get = (*f.get, move.card)
        return
    g.stack.pop()
    if move.verb == PROPOSE:
        propose(g, Offer(OFFER_TRADE, f.seat, f.to, give=f.give, get=f.get))


def propose(g: Game, offer: Offer) -> None:
    """One offer of a kind stands per proposer; a new one replaces it."""
    g.offers = [o for o in g.offers if o.by != offer.by]
    g.offers.append(offer)
    if g.fight is not None:
        g.fight.passed &= ~(1 << offer.to)
    g.emit("offer", offer.by, other=offer.to, rule="TRADE-1" if offer.kind == OFFER_TRADE else "HELP-2")


def valid(g: Game, o: Offer) -> bool:
    if why_not(g, o.by, o.to) is not None:
        return False
    mine, theirs = free_items(g, o.by), free_items(g, o.to)
    if any(c not in mine for c in o.give) or any(c not in theirs for c in o.get):
        return False
    return could_carry(g, o.by, o.get, o.give) and could_carry(g, o.to, o.give, o.get)


def settle(g: Game, o: Offer) -> None:
    """The Items change places, straight into play (TRADE-5)."""
    how: Literal["trade", "give"] = "trade" if o.get and o.give else "give"
    rule = "TRADE-5" if how == "trade" else "TRADE-7"
    for c in o.give:
        zones.transfer(g, o.by, o.to, c, how, rule)
    for c in o.get:
        zones.transfer(g, o.to, o.by, c, how, rule)


def target(move: Move) -> int:
    return seat_of(move.target)


DRAFT: Final[Question] = Question(moves_trade, why_not_piece, play_trade)
BARTER: Final[Action] = Action(why_not_now, lambda g, m: start(g, m.seat, seat_of(m.target)))
