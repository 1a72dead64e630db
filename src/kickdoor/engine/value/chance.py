"""The generator inside a game, for whole decks: the numbers of `Game.random`, reckoned in parts of 22 bits.

Its own numbers have 64 bits and their products 128, which no machine word holds: shuffling all packs that there are was
a tenth of a short game. Of the parts every product fits, and compiled code needs an eighth of the instructions.
"""

from __future__ import annotations

from typing import Final

PART: Final = 22
_LOW: Final = (1 << PART) - 1
_HIGH: Final = (1 << 20) - 1  # the third part: 64 = 22 + 22 + 20

# How a state becomes the next one (x * _M + _C), and what its bits are stirred with (_S), part by part.
MULTIPLIER: Final = 6364136223846793005
INCREMENT: Final = 1442695040888963407
STIRRER: Final = 0xFF51AFD7ED558CCD
_M0: Final = MULTIPLIER & _LOW
_M1: Final = MULTIPLIER >> 22 & _LOW
_M2: Final = MULTIPLIER >> 44
_C0: Final = INCREMENT & _LOW
_C1: Final = INCREMENT >> 22 & _LOW
_C2: Final = INCREMENT >> 44
_S0: Final = STIRRER & _LOW
_S1: Final = STIRRER >> 22 & _LOW
_S2: Final = STIRRER >> 44
RANGE: Final = 1 << 48  # of the numbers that are drawn


def shuffle(state: int, pile: list[int]) -> int:
    """Shuffle in place, as by drawing a number below n, n - 1, ... 2; returns the state of the generator after it."""
    a0, a1, a2 = state & _LOW, state >> 22 & _LOW, state >> 44
    i = len(pile) - 1
    while i > 0:
        n = i + 1
        low = a0 * _M0 + _C0
        mid = a0 * _M1 + a1 * _M0 + _C1 + (low >> 22)
        a2 = a0 * _M2 + a1 * _M1 + a2 * _M0 + _C2 + (mid >> 22) & _HIGH
        a0, a1 = low & _LOW, mid & _LOW
        over = a2 << 11 | a1 >> 11  # all of it, 33 bits lower
        x0, x1 = a0 ^ (over & _LOW), a1 ^ (over >> 22)
        low = x0 * _S0
        mid = x0 * _S1 + x1 * _S0 + (low >> 22)
        x2 = x0 * _S2 + x1 * _S1 + a2 * _S0 + (mid >> 22) & _HIGH
        x1 = mid & _LOW
        over = x2 << 11 | x1 >> 11
        x = x2 << 28 | (x1 ^ (over >> 22)) << 6 | ((low & _LOW) ^ (over & _LOW)) >> 16
        if x < RANGE - RANGE % n:  # else some numbers would come more often than others
            j = x % n
            pile[i], pile[j] = pile[j], pile[i]
            i -= 1
    return a2 << 44 | a1 << 22 | a0
