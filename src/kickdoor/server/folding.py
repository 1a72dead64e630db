"""A table told again from its entries, whatever is among them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from kickdoor.server import entries as en
from kickdoor.server import showing
from kickdoor.server.table import Table

log = logging.getLogger("kickdoor.server")


def folded(ident: str, entries: Sequence[en.Entry], start: Table | None = None) -> Table:
    """The table that these entries make, or make of the one they start from.

    An entry that does not fit, or after which nobody could look at the table, is set aside: the log says so to
    everybody, and the table goes on. Only where that happens does it take longer: every entry is tried out first. With
    a `start` such an entry raises what it raises, since what is wrong may lie before it.
    """
    t = start or Table(ident)
    try:
        for e in entries:
            t.take(e)
        showing.rehearse(t)
    except Exception as trouble:
        if start is not None:
            raise
        log.error("table %s: an entry of its journal does not fit (%r); once more, carefully", ident, trouble)
        t = Table(ident)
        t.follow(entries, showing.rehearse)
    return t
