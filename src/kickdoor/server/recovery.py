"""A table out of its journal: what is good of it, and what everybody is told if that is not all."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

import kickdoor
from kickdoor.paper.files import UNREADABLE
from kickdoor.server import chain, outages, snapshots
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.chain import Account, Held
from kickdoor.server.folding import Folding
from kickdoor.server.journal import Damaged, Journal, Lease, Lost, Lying, Shortcut, Stale, lying, no_writing
from kickdoor.server.table import PLAYING, Table, now
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Workshop, one_turn

log = logging.getLogger("kickdoor.server")


async def recover(
    journal: Journal,
    ident: str,
    lease: Lease | None = None,
    workshop: Workshop | None = None,
    found: Lying | None = None,
) -> Table:
    """A table out of its journal: by the newest shortcut if it fits, else from the first entry.

    Where the journal is damaged the table is as it was after the last good entry. With a lease, the rest is put into
    quarantine, and the table's log tells everybody. Raises Trouble where nothing can be made of it. `found` is what
    lies there, where that has been read already.
    """
    work = workshop or Workshop()
    held, short = found or await lying(journal, ident)
    telling = Telling(ident, held, short)
    while not await work.do(telling.turn):  # a long journal takes several turns, so that others have theirs
        pass
    t, good = telling.table, telling.good
    t.weight = sum(map(len, good.entries))
    if lease is not None:
        if good.damage:
            try:
                await journal.mend(lease, held, good)
            except Damaged as e:
                raise hopeless(ident, str(e)) from None
            await _add(journal, lease, t, en.Mended(good.damage, len(held.rows) - len(good.entries)))
        await _carry(journal, lease, t)
    return t


class Telling:
    """What lies in a journal becomes a table, beside the loop, in one turn or in several."""

    def __init__(self, ident: str, held: Held, short: Shortcut | None) -> None:
        self.ident, self.held = ident, held
        self.good = Account([], [], "")
        self._short = short
        self._folding: Folding | None = None

    @property
    def table(self) -> Table:
        assert self._folding is not None
        return self._folding.table

    def turn(self) -> bool:
        """Go on for a while; True when it is told."""
        try:
            if self._folding is None:
                self._begin()
            if self._folding is not None and self._folding.turn(one_turn().tick):
                op.cards(self.table.options)  # so that they are there when the table is shown
                return True
        except Trouble:
            raise
        except Exception as e:  # another version's shortcut, or an entry that does not fit
            if self._short is None:
                raise
            log.info("table %s: from the beginning, since the shortcut does not do (%s)", self.ident, e)
            self._short = None
            self._folding = Folding(self.ident, _read(self.ident, self.good.entries))
        return False

    def _begin(self) -> None:
        """Check what is there, and find where to begin."""
        good = self.good = chain.account(self.ident, self.held)
        if good.damage:
            log.error("table %s is damaged: %s. It goes on after entry %s", self.ident, good.damage, len(good.entries))
            if not good.entries:
                raise hopeless(self.ident, good.damage)
        short = self._short
        if short is not None and not _stands(short, good):
            short = self._short = None
        if short is None:
            self._folding = Folding(self.ident, _read(self.ident, good.entries))
        else:
            later = _read(self.ident, good.entries[short.seq :], short.seq)
            self._folding = Folding(self.ident, later, snapshots.load(self.ident, short.data))


def _stands(short: Shortcut, good: Account) -> bool:
    """Does a shortcut stand on an entry that is there?"""
    return 0 < short.seq <= len(good.checks) and good.checks[short.seq - 1] == short.check


def _read(ident: str, raw: list[bytes], after: int = 0) -> list[en.Entry]:
    """Entries as values, from number `after + 1` on. They are what was written; one that is not understood comes from
    another version."""
    out: list[en.Entry] = []
    for data in raw:
        try:
            out.append(en.unpack(data))
        except UNREADABLE as e:
            log.error("table %s: entry %s is not understood", ident, after + len(out) + 1)
            raise newer(ident, e) from None
    return out


def newer(ident: str, why: Exception) -> Trouble:
    """What was written by another version, which this one does not understand."""
    log.error("table %s is not understood: %s", ident, why)
    return Trouble(
        "newer",
        f"This table was written by another version of Kickdoor than the one that runs here "
        f"({kickdoor.__version__}), and this one does not understand it. Nothing is lost: it goes on with a "
        "newer version.",
    )


async def _carry(journal: Journal, lease: Lease, t: Table) -> None:
    """A game that was dealt with other cards than there are now goes on, and its log says so."""
    if t.status != PLAYING or t.game is None or t.dealt is None:
        return
    if not t.game.lib.same(t.dealt.cards):
        log.warning("table %s: its cards are other than in version %s", t.id, t.dealt.version)
        await _add(journal, lease, t, en.Carried(kickdoor.__version__, t.game.lib.hash))


async def _add(journal: Journal, lease: Lease, t: Table, what: en.Entries) -> None:
    entry = en.Entry(what, now())
    await journal.append(lease, t.seq, [en.pack(entry)])
    t.take(entry)


def hopeless(ident: str, why: str) -> Trouble:
    """A table that only whoever runs the server can help."""
    log.error("table %s cannot be loaded: %s. `kickdoor journal check` tells more (docs/hosting.md)", ident, why)
    return Trouble(
        "damaged",
        f"What the server wrote down of this table is damaged ({why}), and it cannot go on by itself. Whoever runs "
        "this server can save what is good of it, or take a backup (docs/hosting.md).",
    )


@contextlib.contextmanager
def in_words(ident: str) -> Iterator[None]:
    """A journal that does not work is a clear no, and not a bug."""
    try:
        yield
    except Lost as e:
        outages.JOURNAL.met(f"table {ident}", e)
        raise no_writing(e) from None
    except Stale as e:
        log.warning("table %s: %s", ident, e)
        raise Trouble("elsewhere", "This table is kept by another server now. Try again.") from None
    except Damaged as e:
        raise hopeless(ident, str(e)) from None
