"""Why, for somebody who asks: what a bot would do in his place, with the figures that speak for it."""

from __future__ import annotations

from kickdoor.bots import bargaining, dressing, turning
from kickdoor.bots.seat import Choice, Fray, Seat
from kickdoor.bots.values import caught, foe_strength
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, seat_of
from kickdoor.paper.grammar import listed

NOTHING = "Nothing here is worth a card to me."


def why(seat: Seat, choice: Choice | None) -> str:
    """A sentence or two about a move of one's own, by what this seat sees."""
    if choice is None:
        return NOTHING
    m, fray = choice.move, seat.fray
    if m.verb == mv.TROUBLE:
        return _trouble(seat, m)
    if m.verb == mv.SELL:
        return f"{choice.reason} {_sale(seat)}".strip()
    said = _in_a_fight(seat, m, fray) if fray is not None and not fray.fleeing else ""
    reason = choice.reason if m.verb != mv.PASS or not said else ""
    return f"{said} {reason}".strip() or NOTHING


def _trouble(seat: Seat, m: Move) -> str:
    d = seat.defs[m.card]
    mine, theirs = seat.strength(seat.seat), foe_strength(seat, d)
    pays = f"{_count(d.levels, 'level')} and {_count(d.treasures, 'Treasure')}"
    if mine > theirs:
        return f"You are {mine} and {d.name} is {theirs}: {pays} for the taking."
    return f"{d.name} is {theirs} to your {mine}, so it takes a card or a helper; it pays {pays}."


def _sale(seat: Seat) -> str:
    """What to sell: the move only begins a sale, and he would look for the Items himself."""
    plan = dressing.sale_plan(seat, turning.sale_limit(seat))
    if not plan:
        return ""
    names = listed([seat.defs[c].name for c in plan])
    gold = [seat.defs[c].gold or 0 for c in plan]
    twice = seat.has(seat.seat, "sell_double")
    worth = sum(gold) + (max(gold) if twice else 0)
    how = ", the dearest at twice its price" if twice else ""
    return f"You would miss {names} least{how}: {worth:,} gp, and {seat.sale:,} make a level."


def _in_a_fight(seat: Seat, m: Move, fray: Fray) -> str:
    stands = f"{fray.ours} to {fray.theirs}"
    other = seat_of(m.target)
    if m.verb == mv.ASK_HELP:
        return f"It is {stands} against you; with {seat.name(other)} it would be {_joined(seat, fray, other)}."
    if m.verb in (mv.ACCEPT, mv.DECLINE, mv.OFFER_HELP, mv.COUNTER):
        helper = other if fray.main == seat.seat else seat.seat
        turns = "wins" if bargaining.turns_it(seat, fray, helper) else "still loses"
        return f"It is {stands}; together that makes {_joined(seat, fray, helper)}, which {turns}."
    if not seat.fighting:
        return f"It is {stands} for {seat.name(fray.main)}."
    if m.verb == mv.PASS:
        if fray.winning:
            return f"You win {stands} as it is, so let it stand."
        face = max(fray.foes, key=lambda x: caught(seat, x.face)).face if fray.foes else -1
        ways = 6 - round(6 * caught(seat, face)) if face >= 0 else 6
        return f"You lose {stands}, and to turn it costs more than to run: that works on {ways} of 6."
    return f"You {'win' if fray.winning else 'lose'} {stands} as it is."


def _joined(seat: Seat, fray: Fray, helper: int) -> str:
    return f"{fray.ours + seat.strength(helper)} to {fray.theirs}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
