"""A table out of its journal: what is good of it, and what everybody is told if that is not all."""

from __future__ import annotations

import logging
from typing import Final

import msgspec

import kickdoor
from kickdoor.server import chain, snapshots
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.chain import Account
from kickdoor.server.folding import Folding
from kickdoor.server.journal import Damaged, Journal, Lease, Shortcut
from kickdoor.server.table import PLAYING, Table, now
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Slices, Workshop

log = logging.getLogger("kickdoor.server")

TURN_SECONDS: Final = 1.0  # of the workshop, for loading a table; then others have theirs


async def recover(journal: Journal, ident: str, lease: Lease | None = None, workshop: Workshop | None = None) -> Table:
    """A table out of its journal: by the newest shortcut if it fits, else from the first entry.

    Where the journal is damaged the table is as it was after the last good entry. With a lease, the rest is put into
    quarantine, and the table's log tells everybody. Raises Trouble where nothing can be made of it.
    """
    work = workshop or Workshop()
    held = await journal.held(ident)
    found = await work.do(chain.account, ident, held)
    if found.damage:
        log.error("table %s is damaged: %s. It goes on after entry %s", ident, found.damage, len(found.entries))
        if not found.entries:
            raise hopeless(ident, found.damage)
    entries = await work.do(_read, ident, found.entries)
    t = await _told(ident, entries, await _shortcut(journal, ident, found), work)
    if lease is not None:
        if found.damage:
            try:
                await journal.mend(lease, held, found)
            except Damaged as e:
                raise hopeless(ident, str(e)) from None
            await _add(journal, lease, t, en.Mended(found.damage, len(held.rows) - len(found.entries)))
        await _carry(journal, lease, t)
    return t


async def _shortcut(journal: Journal, ident: str, found: Account) -> Shortcut | None:
    """The newest shortcut, if it stands on an entry that is there."""
    try:
        short = await journal.latest(ident)
    except Damaged:
        return None
    if short is None or not 0 < short.seq <= len(found.checks) or found.checks[short.seq - 1] != short.check:
        return None
    return short


def _read(ident: str, raw: list[bytes]) -> list[en.Entry]:
    """Entries as values. They are what was written; one that is not understood comes from another version."""
    out: list[en.Entry] = []
    for data in raw:
        try:
            out.append(en.unpack(data))
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            log.error("table %s: entry %s is not understood: %s", ident, len(out) + 1, e)
            raise Trouble(
                "newer",
                f"This table was written by another version of Kickdoor than the one that runs here "
                f"({kickdoor.__version__}), and this one does not understand it. Nothing is lost: it goes on with a "
                "newer version.",
            ) from None
    return out


async def _told(ident: str, entries: list[en.Entry], short: Shortcut | None, work: Workshop) -> Table:
    if short is not None:
        try:
            start = await work.do(snapshots.load, ident, short.data)
            return await _folded(Folding(ident, entries[short.seq :], start), work)
        except Trouble:
            raise
        except Exception as e:  # another version's shortcut, or an entry that does not fit
            log.info("table %s: from the beginning, since the shortcut does not do (%s)", ident, e)
    return await _folded(Folding(ident, entries), work)


async def _folded(telling: Folding, work: Workshop) -> Table:
    """Beside the loop. A long journal takes several turns, so that others have theirs between them."""
    while not await work.do(lambda: telling.turn(Slices(TURN_SECONDS).tick)):
        pass
    await work.do(op.cards, telling.table.options)  # so that they are there when the table is shown
    return telling.table


async def _carry(journal: Journal, lease: Lease, t: Table) -> None:
    """A game that was dealt with other cards than there are now goes on, and its log says so."""
    if t.status != PLAYING or t.game is None or t.dealt is None:
        return
    if t.dealt.cards != t.game.lib.hash:
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
