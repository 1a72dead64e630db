"""Outages of the journal: a database is started anew, a disk is full. That is no bug, and hundreds of tables notice it
in the same moment; so the log has a line when it begins, one a minute while it lasts, and one when it is over."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from kickdoor.server.journal import Lost

log = logging.getLogger("kickdoor.server")

EVERY: Final = 60.0  # seconds between two lines while it lasts
QUIET: Final = 4.0  # seconds without a failure after which it is over; who has something to write tries every second
EXPECTED: Final = (Lost, ConnectionError, TimeoutError)


class Outage:
    """One after the other. What begins one is an error in the log, and counted as one; the rest is what comes of it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._last = self._told = 0.0
        self._failures = 0

    def met(self, where: str, e: BaseException) -> None:
        """Something could not be done because of it."""
        moment = self._last = self._clock()
        self._failures += 1
        says = str(e) or type(e).__name__
        if self._began is None:
            self._began = self._told = moment
            log.error("the journal is away, noticed first at %s: %s", where, says)
        elif moment >= self._told + EVERY:
            self._told = moment
            log.warning("the journal is still away, after %.0f seconds: %s", moment - self._began, says)

    def calm(self) -> None:
        """Somebody who asks the journal all the time had no trouble; perhaps it is over."""
        if self._began is not None and self._clock() >= self._last + QUIET:
            log.warning(
                "the journal is back: nothing has failed since; it was away for %.0f seconds, and noticed %s times",
                self._last - self._began,
                self._failures,
            )
            self.forget()

    def forget(self) -> None:
        """Nothing has happened."""
        self._began, self._failures = None, 0


JOURNAL: Final = Outage()


class Bugs:
    """What fails again and again for another reason is told once, with its trace, until it goes well or it differs."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def failed(self, what: str, e: Exception) -> None:
        """Where an outage of the journal is behind it, it is told as that."""
        if isinstance(e, EXPECTED):
            JOURNAL.met(what, e)
            return
        says = f"{type(e).__name__}: {e}"
        if self._told.get(what) != says:
            self._told[what] = says
            log.error("%s failed; it is tried again", what, exc_info=e)

    def well(self, what: str) -> None:
        self._told.pop(what, None)
