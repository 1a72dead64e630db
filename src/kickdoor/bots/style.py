"""Style: how somebody plays, as a handful of numbers that the decisions of every rung ask for.

None of them says how well. A bot without a character has `PLAIN`, in which nothing is added to what the rung thinks.
"""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """What sets a character apart. Points are those of `values.worth`: a Treasure is 2.5, a level 4."""

    kindness: float = 0.0  # points by which it helps for less than its rung would (below 0: for more)
    share: int = 0  # Treasures more than usual that it offers for help
    honour: float = 0.0  # what it makes of help that it owes: repays it, or (below 0) bites the hand
    grudge: float = 0.0  # Levels that each wrong counts for in whom it goes for
    thrift: float = 1.0  # how dear its cards are to it
    fear: float = 1.0  # how much it minds what could happen to it
    daring: float = 0.0  # points that it leaves to luck when it looks for trouble or steals
    wary: int = 0  # Levels earlier than others at which it minds who leads
    eager: bool = False  # throws a Curse as soon as it has one
    proud: bool = False  # asks nobody for help unless the game is won by it
    bully: bool = False  # goes for the last where others go for the first


PLAIN = Style()
