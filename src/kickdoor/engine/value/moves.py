"""Moves: the only way to change a game.

A move is five small integers. Whatever is combinatorial (a sale, a trade, an offer of help, charity) is a
sequence of such moves, so that the legal ones can always be listed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

NONE: Final = -1
MUNCHKINS: Final = -2
MONSTERS: Final = -3
_SEAT_BASE: Final = -10


def at_seat(seat: int) -> int:
    """The target code of a player."""
    return _SEAT_BASE - seat


def seat_of(target: int) -> int:
    """The seat behind a target code, or -1 when the target is not a player."""
    return _SEAT_BASE - target if target <= _SEAT_BASE else -1


class Move(NamedTuple):
    """Who does what, with which card, on what; `extra` is a second card, a number or a mode."""

    seat: int
    verb: int
    card: int = NONE
    target: int = NONE
    extra: int = NONE


PASS: Final = 0
KICK: Final = 1
TROUBLE: Final = 2
LOOT: Final = 3
PLAY: Final = 4
KEEP: Final = 5
EQUIP: Final = 6
UNEQUIP: Final = 7
DISCARD: Final = 8
USE: Final = 9
CHOOSE: Final = 10
DONE: Final = 11
CANCEL: Final = 12
RUN: Final = 13
SELL: Final = 14
CHARITY: Final = 15
END_TURN: Final = 16
ASK_HELP: Final = 17
OFFER_HELP: Final = 18
TRADE: Final = 19
GIVE: Final = 20
ADD: Final = 21
PROPOSE: Final = 22
ACCEPT: Final = 23
DECLINE: Final = 24
COUNTER: Final = 25
SACRIFICE: Final = 26
SHOW_HAND: Final = 27
WITHDRAW: Final = 28

VERB_NAMES: Final = (
    "pass",
    "kick",
    "look_for_trouble",
    "loot",
    "play",
    "keep",
    "equip",
    "unequip",
    "discard",
    "use",
    "choose",
    "done",
    "cancel",
    "run",
    "sell",
    "charity",
    "end_turn",
    "ask_help",
    "offer_help",
    "trade",
    "give",
    "add",
    "propose",
    "accept",
    "decline",
    "counter",
    "sacrifice",
    "show_hand",
    "withdraw",
)

# What `extra` means while an offer is being drafted with ADD.
ADD_TREASURES: Final = -100  # extra = ADD_TREASURES - n
ADD_PICKS: Final = -200  # extra = ADD_PICKS - order
PICKS_UNSAID: Final = -1
PICKS_MAIN: Final = 0
PICKS_HELPER: Final = 1
PICKS_HANDED: Final = 2  # the main player chooses what he hands over
