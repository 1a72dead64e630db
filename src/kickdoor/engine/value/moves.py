"""Moves: the only way to change a game.

A move is five small integers. Whatever is combinatorial (a sale, a trade, an offer of help, charity) is a
sequence of such moves, so that the legal ones can always be listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, get_args

from kickdoor.engine.value.move import NONE as NONE
from kickdoor.engine.value.move import Move as Move

MUNCHKINS: Final = -2
MONSTERS: Final = -3
_SEAT_BASE: Final = -10


def at_seat(seat: int) -> int:
    """The target code of a player."""
    return _SEAT_BASE - seat


def seat_of(target: int) -> int:
    """The seat behind a target code, or -1 when the target is not a player."""
    return _SEAT_BASE - target if target <= _SEAT_BASE else -1


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

Action = Literal[
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
]
VERB_NAMES: Final[tuple[Action, ...]] = get_args(Action)  # by the numbers above

# -- what `extra` means -----------------------------------------------------------------------------------------
#
# PLAY: a second card, or which of the card's ways (`mode_code`). USE: which of the card's powers (`power_code`). ADD:
# how many Treasures, who picks first, or that an Item sells at twice its price. Nobody else knows the numbers: outside
# of this module and `notation` nothing reckons with `extra` or asks how big it is (tests/test_house.py).

_MODE_BASE: Final = -100
_POWER_BASE: Final = -100
_TREASURES_BASE: Final = -100
_PICKS_BASE: Final = -200

DOUBLE_PRICE: Final = 1  # ADD to a sale: this Item sells at twice its value

PICKS_UNSAID: Final = -1
PICKS_MAIN: Final = 0
PICKS_HELPER: Final = 1
PICKS_HANDED: Final = 2  # the main player chooses what he hands over


def names_card(extra: int) -> bool:
    """Does `extra` of a PLAY name a second card?"""
    return extra >= 0


def beyond(move: Move, cards: int) -> bool:
    """Does any part of a move name a card where there are only so many? An answer may be any number (FQ-BASE-30)."""
    return move.target >= cards or move.extra >= cards or (move.card >= cards and move.verb != CHOOSE)


def mode_code(index: int) -> int:
    """`extra` for one of a card's ways to be played; the first needs no word."""
    return _MODE_BASE - index if index else NONE


def names_mode(extra: int) -> bool:
    """Does `extra` say which way is meant?"""
    return extra <= _MODE_BASE


def mode_index(extra: int) -> int:
    """Which way to play a card is meant: the first, unless another is named."""
    return _MODE_BASE - extra if extra <= _MODE_BASE else 0


def power_code(index: int) -> int:
    """`extra` for one of a card's powers."""
    return _POWER_BASE - index


def power_index(extra: int) -> int:
    """Which power is meant; negative where none is named."""
    return _POWER_BASE - extra


def treasures_code(n: int) -> int:
    """`extra` for so many Treasures in an offer of help."""
    return _TREASURES_BASE - n


def names_treasures(extra: int) -> bool:
    return _PICKS_BASE < extra <= _TREASURES_BASE


def treasures_in(extra: int) -> int:
    return _TREASURES_BASE - extra


def picks_code(order: int) -> int:
    """`extra` for who picks first in an offer of help."""
    return _PICKS_BASE - order


def names_picks(extra: int) -> bool:
    return extra <= _PICKS_BASE


def picks_in(extra: int) -> int:
    return _PICKS_BASE - extra


# -- moves that name no card ------------------------------------------------------------------------------------
#
# They are the same few whatever is played, and most of what is listed in a random game: they are there already.

_PLACES: Final = 13  # at a table, and none
_WORDS: Final = tuple(tuple(Move(s, v) for v in range(len(VERB_NAMES))) for s in range(_PLACES))
_TOWARDS: Final = tuple(
    tuple(tuple(Move(s, v, NONE, at_seat(t)) for t in range(_PLACES)) for v in range(ASK_HELP, COUNTER + 1))
    for s in range(_PLACES)
)
_SHARES: Final = tuple(
    tuple(Move(s, ADD, NONE, NONE, treasures_code(n)) for n in range(_TREASURES_BASE - _PICKS_BASE))
    for s in range(_PLACES)
)


def word(seat: int, verb: int) -> Move:
    """A verb and nothing else."""
    return _WORDS[seat][verb]


def towards(seat: int, verb: int, other: int) -> Move:
    """A word to another player: help, trade, and what is said to an offer."""
    return _TOWARDS[seat][verb - ASK_HELP][other]


def shares(seat: int, most: int) -> Sequence[Move]:
    """To offer up to so many Treasures, from none on."""
    return _SHARES[seat][: most + 1]
