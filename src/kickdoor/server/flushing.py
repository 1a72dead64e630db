"""Who waits for the disk: the loop itself where the disk is quick, otherwise the journal's thread.

A thread that writes needs its turn beside the loop a few times for every batch, and on a busy machine each turn takes
longer than the flush that the loop was to be spared. But a loop that waits for a slow disk keeps all tables waiting.
"""

from __future__ import annotations

from typing import Final

QUICK: Final = 0.001  # seconds that a flush may take the loop
GAP: Final = 0.002  # seconds from one of them to the next, so that many tables share one
HANGS: Final = 0.05  # seconds; one that takes so long is enough
WEIGHT: Final = 0.05  # of the last flush in the share of slow ones
PAUSE: Final = 10.0  # seconds until a disk that was slow is tried again, which costs the loop a dozen flushes
SHARE: Final = 200  # times as long as it hung, at least, it is left to the thread


class Flushes:
    """What flushes took when the loop waited for them. The disk is slow where most of them are: some take long because
    others had the processor, and that the thread would meet as well."""

    def __init__(self) -> None:
        self._slow = 0.0
        self._not_before = 0.0
        self._last = 0.0

    def are_quick(self, now: float) -> bool:
        return now >= self._not_before

    def pause(self, now: float) -> float:
        """Seconds until the next one may be."""
        return max(0.0, self._last + GAP - now)

    def took(self, seconds: float, now: float) -> None:
        """One that was over now."""
        self._last = now
        self._slow += ((seconds > QUICK) - self._slow) * WEIGHT
        if self._slow > 0.5 or seconds > HANGS:
            self._slow, self._not_before = 0.0, now + max(PAUSE, SHARE * seconds)
