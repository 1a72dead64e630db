"""A table told again from its entries, whatever is among them."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence

from kickdoor.server import entries as en
from kickdoor.server import showing
from kickdoor.server.table import Table
from kickdoor.server.workshop import TookTooLong

log = logging.getLogger("kickdoor.server")


class Folding:
    """The table that these entries make, or make of the one they start from; told in one go, or in several turns.

    An entry that does not fit, or after which nobody could look at the table, is set aside: the log says so to
    everybody, and the table goes on. Only where that happens does it take longer: every entry is tried out first. With
    a `start` such an entry raises what it raises, since what is wrong may lie before it.
    """

    def __init__(self, ident: str, entries: Sequence[en.Entry], start: Table | None = None) -> None:
        self.entries = entries
        self.table = start or Table(ident)
        self._given = start is not None
        self._careful = False
        self._at = 0

    def turn(self, tick: Callable[[], None] = lambda: None) -> bool:
        """Fold entries in until there are no more (True), or until `tick` raises TookTooLong (False)."""
        with contextlib.suppress(TookTooLong):
            while not self._done():
                tick()
            return True
        return False

    def _done(self) -> bool:
        """One entry further; at the end somebody looks at the table."""
        try:
            if self._at == len(self.entries):
                self.table.looked = (self.table.seq, showing.rehearse(self.table))
                return True
            e = self.entries[self._at]
            if self._careful and self._at > 0:  # without the first there is no table
                self.table.follow([e], showing.rehearse)
            else:
                self.table.take(e)
            self._at += 1
        except Exception as trouble:
            if self._given or self._careful:
                raise
            self._once_more(trouble)
        return False

    def _once_more(self, trouble: Exception) -> None:
        ident = self.table.id
        log.error("table %s: an entry of its journal does not fit (%r); once more, carefully", ident, trouble)
        self.table, self._at, self._careful = Table(ident), 0, True
