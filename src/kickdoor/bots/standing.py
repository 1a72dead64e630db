"""Who is ahead, by how much, who is about to win, and who has it coming: what everybody at the table can see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kickdoor.bots.seat import Seat
from kickdoor.bots.style import PLAIN

NEAR: Final = 2  # levels below the goal at which somebody is a threat to all
WARY: Final = 6  # and at which it is worth a card to trip the leader
FEUD: Final = 2.0  # Levels that what somebody did must count for before he is gone for whatever he has


def rank(seat: Seat, s: int) -> float:
    """How far a player is: the Level first, then what he fights with."""
    return seat.level(s) + 0.18 * (seat.strength(s) - seat.level(s)) + 0.08 * seat.hand_size(s)


def chief(seat: Seat) -> int:
    """Who is ahead of the others, me not counted; by character, whom I have it in for. Asked of every move."""
    known = seat.foremost
    if known is None or known[0] is not seat.style:
        known = seat.foremost = (seat.style, _chief(seat))
    return known[1]


def _chief(seat: Seat) -> int:
    rivals = seat.rivals()
    if not rivals:
        return -1
    if seat.style is PLAIN:
        return _furthest(seat, rivals)
    close = [s for s in rivals if near(seat, s)]  # whoever is about to win comes before all feuds
    return max(close or rivals, key=lambda s: (_minded(seat, s), -s))


def _furthest(seat: Seat, rivals: Sequence[int]) -> int:
    """Of equals the one with the lowest number."""
    best, most = -1, 0.0
    for s in rivals:
        far = rank(seat, s)
        if best < 0 or far > most or (far == most and s < best):
            best, most = s, far
    return best


def _minded(seat: Seat, s: int) -> float:
    if near(seat, s):
        return rank(seat, s)
    return (-rank(seat, s) if seat.style.bully else rank(seat, s)) + seat.feud(s)


def near(seat: Seat, s: int) -> bool:
    """Is this player close to winning?"""
    return seat.level(s) >= seat.goal_of(s) - NEAR


def rousing(seat: Seat, s: int) -> bool:
    """Is this player worth a Curse now: he is close to winning, or I am one who does not wait for that?"""
    return near(seat, s) or provoked(seat, s)


def provoked(seat: Seat, s: int) -> bool:
    """Am I one who does not wait until this player is about to win: by temper, or for what he did?"""
    return seat.style.eager or _feuding(seat, s)


def _feuding(seat: Seat, s: int) -> bool:
    return seat.style is not PLAIN and seat.feud(s) >= FEUD


def danger(seat: Seat, s: int) -> bool:
    """Is this one to stop: well on his way, and nobody else is further; or has he it coming?"""
    style = seat.style
    if provoked(seat, s):
        return True
    return (seat.level(s) >= seat.goal_of(s) - WARY - style.wary or style.bully) and s == chief(seat)
