"""Charity: what is too much goes to the poorest, evenly (TURN-17..TURN-24)."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import force
from kickdoor.engine.table import zones
from kickdoor.engine.table.rows import Question
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import CHARITY_DRAFT, Draft
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import ADD, DONE, NONE, Move, at_seat, seat_of
from kickdoor.engine.value.reasons import Reason


def start(g: Game) -> None:
    seat = g.turn
    need = len(g.players[seat].hand) - force.hand_limit(g, seat)
    g.stack.append(Draft(CHARITY_DRAFT, seat, need=need, received=(0,) * len(g.players)))


def receivers(g: Game, seat: int) -> list[int]:
    """The lowest-Level living others; nobody when the giver is lowest himself (TURN-19, TURN-23, TURN-24)."""
    living = g.living(seat)
    low = min((g.players[s].level for s in living), default=0)
    if g.players[seat].level <= low or force.any_modifier(g, seat, "charity"):
        return []
    return [s for s in living if g.players[s].level == low]


def open_receivers(g: Game, f: Draft) -> list[int]:
    """Who may get the next card so that the shares stay as even as possible (TURN-21)."""
    to = receivers(g, f.seat)
    if not to:
        return []
    total = f.need + sum(f.received)
    base, extra = divmod(total, len(to))
    full = sum(1 for s in to if f.received[s] > base)
    return [s for s in to if f.received[s] < base or (f.received[s] == base and full < extra)]


def moves_charity(g: Game, f: Draft, out: list[Move]) -> None:
    to = open_receivers(g, f)
    for c in g.players[f.seat].hand:
        able = [s for s in to if force.may_receive(g, s, c)]
        if able:
            for s in able:
                out.append(Move(f.seat, ADD, c, at_seat(s)))
        else:
            out.append(Move(f.seat, ADD, c, NONE))


def why_not(g: Game, f: Draft, move: Move) -> Reason | None:
    """Why this card does not go there, or why this is not all (TURN-17..TURN-24)."""
    if move.verb != ADD:
        return r.CHARITY_FEW if move.verb == DONE else r.ANSWER_FIRST
    if move.card not in g.players[f.seat].hand:
        return r.CHARITY_HAND
    if move.target == NONE:
        able = any(force.may_receive(g, s, move.card) for s in open_receivers(g, f))
        return r.CHARITY_GIVE if able else None
    return _why_not_him(g, f, seat_of(move.target), move.card)


def _why_not_him(g: Game, f: Draft, to: int, card: int) -> Reason | None:
    who = receivers(g, f.seat)
    if to < 0:
        return r.NO_SUCH_SEAT
    if g.players[to].dead:
        return r.CHARITY_DEAD
    if to not in who:
        return r.CHARITY_WHO if who else r.CHARITY_NEVER if force.any_modifier(g, f.seat, "charity") else r.CHARITY_SELF
    if to not in open_receivers(g, f):
        return r.CHARITY_EVEN
    return None if force.may_receive(g, to, card) else r.CHARITY_CANNOT


def play_charity(g: Game, f: Draft, move: Move) -> None:
    s = seat_of(move.target)
    f.need -= 1
    if s < 0:
        zones.discard_hand_card(g, f.seat, move.card, "TURN-23")
    else:
        zones.from_hand(g, f.seat, move.card)
        zones.to_hand(g, s, move.card)
        g.fresh = [*g.fresh, (s, move.card)]
        f.received = tuple(n + (i == s) for i, n in enumerate(f.received))
        g.emit("charity", s, move.card, f.seat, rule="TURN-19", secret=True)


def step_charity(g: Game, f: Draft) -> bool:
    if f.need > 0:
        return False
    g.stack.pop()
    return True


DRAFT: Final[Question] = Question(moves_charity, why_not, play_charity)
