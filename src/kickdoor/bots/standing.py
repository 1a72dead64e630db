"""Who is ahead, by how much, and who is about to win: what everybody at the table can see."""

from __future__ import annotations

from typing import Final

from kickdoor.bots.seat import Seat

NEAR: Final = 2  # levels below the goal at which somebody is a threat to all
WARY: Final = 6  # and at which it is worth a card to trip the leader


def rank(seat: Seat, s: int) -> float:
    """How far a player is: the Level first, then what he fights with."""
    return seat.level(s) + 0.18 * (seat.strength(s) - seat.level(s)) + 0.08 * seat.hand_size(s)


def chief(seat: Seat) -> int:
    """Who is ahead of the others, me not counted."""
    rivals = seat.rivals()
    return max(rivals, key=lambda s: (rank(seat, s), -s)) if rivals else -1


def calm(seat: Seat) -> bool:
    """Is nobody else close to winning?"""
    return not any(near(seat, s) for s in seat.rivals())


def near(seat: Seat, s: int) -> bool:
    """Is this player close to winning?"""
    return seat.level(s) >= seat.goal_of(s) - NEAR


def danger(seat: Seat, s: int) -> bool:
    """Is this the one to stop: well on his way, and nobody else is further?"""
    return seat.level(s) >= seat.goal_of(s) - WARY and s == chief(seat)
