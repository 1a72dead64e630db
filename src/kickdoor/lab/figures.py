"""The little statistics that the lab needs: intervals, percentiles, and times kept as a short histogram."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kickdoor.lab.stopwatch import STEPS, Stopwatch, bin_of

Z95: Final = 1.959964
Z99: Final = 2.575829


def wilson(wins: float, n: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share: honest for few games, and for shares near 0 or 1."""
    if n <= 0:
        return 0.0, 1.0
    p, zz = wins / n, z * z
    centre = (p + zz / (2 * n)) / (1 + zz / n)
    half = z / (1 + zz / n) * math.sqrt(max(0.0, p * (1 - p) / n + zz / (4 * n * n)))
    return min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed (nearest rank)."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


@dataclass
class Clock:
    """How long somebody thought: how often, in all, at most, and a histogram with bins that grow by a ninth."""

    count: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    bins: Counter[int] = field(default_factory=Counter)

    def add(self, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds
        if seconds > self.longest:
            self.longest = seconds
        self.bins[bin_of(seconds)] += 1

    @staticmethod
    def read(watch: Stopwatch) -> Clock:
        """What a stopwatch shows."""
        return Clock(watch.count, watch.seconds, watch.longest, Counter(watch.bins))

    def merge(self, other: Clock) -> None:
        self.count += other.count
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.bins += other.bins

    @property
    def mean(self) -> float:
        return self.seconds / self.count if self.count else 0.0

    def percentile(self, share: float) -> float:
        """An upper bound of the percentile, in seconds; never more than the longest."""
        left = share * self.count
        for b in sorted(self.bins):
            left -= self.bins[b]
            if left <= 0:
                return min(self.longest, float(1e-6 * 2.0 ** ((b + 1) / STEPS)))
        return self.longest

    def plain(self) -> list[object]:
        bins = {str(b): n for b, n in sorted(self.bins.items())}
        return [self.count, round(self.seconds, 6), round(self.longest, 6), bins]

    @staticmethod
    def of(data: Sequence[object]) -> Clock:
        count, seconds, longest, bins = data
        assert isinstance(bins, dict)
        return Clock(
            int(str(count)),
            float(str(seconds)),
            float(str(longest)),
            Counter({int(b): int(n) for b, n in bins.items()}),
        )
