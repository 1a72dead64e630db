"""How long seats think: added up at every decision of every game, so this part of `figures.Clock` is compiled."""

from __future__ import annotations

from math import log
from typing import Final

STEPS: Final = 8  # bins of thinking time per doubling: an upper bound within 9 percent
_PER_E: Final = 11.541560327111707  # the same for the natural logarithm, which is compiled to a call of C's


class Stopwatch:
    """How often somebody thought, how long in all and at most, and a histogram with bins that grow by a ninth."""

    def __init__(self) -> None:
        self.count = 0
        self.seconds = 0.0
        self.longest = 0.0
        self.bins: dict[int, int] = {}

    def add(self, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds
        if seconds > self.longest:
            self.longest = seconds
        b = bin_of(seconds)
        self.bins[b] = self.bins.get(b, 0) + 1


def bin_of(seconds: float) -> int:
    return int(_PER_E * log(seconds * 1e6)) if seconds > 1e-6 else 0
