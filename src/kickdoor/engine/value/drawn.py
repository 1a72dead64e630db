"""What a seat drew last, as it lies in `Game.drew`: cards, each face-up or not, and after them the deck.

A card that came face-up is written as a negative number, the deck as one below those of all cards; nobody else knows
these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_DECK_BASE: Final = -10000


def code(card: int, face_up: bool) -> int:
    return -1 - card if face_up else card


def is_face_up(code: int) -> bool:
    return code < 0


def card_of(code: int) -> int:
    return -1 - code if code < 0 else code


def record(codes: Iterable[int], deck: int) -> tuple[int, ...]:
    """Cards that came from one deck."""
    return (*codes, _DECK_BASE - deck)


def cards(drew: tuple[int, ...]) -> tuple[int, ...]:
    """The codes of the cards, without the deck."""
    return drew[:-1]


def deck(drew: tuple[int, ...]) -> int:
    return _DECK_BASE - drew[-1]
