"""What went wrong, for those who are told: a sentence, and a reference number where only the log knows more."""

from __future__ import annotations

import logging
import secrets
import sqlite3

from kickdoor.server import outages
from kickdoor.server.journal import Lost, Stale, no_writing
from kickdoor.server.trouble import Trouble

log = logging.getLogger("kickdoor.server")

JOURNAL_AWAY = (
    "The server cannot reach its journal at the moment, so nothing can be opened or written down. Nothing that you saw "
    "is lost. Wait a little and try again; if it lasts, tell whoever runs this server."
)


def explained(e: Exception, where: str) -> Trouble:
    """Something that was not foreseen (or the journal's own trouble) as a clear no. It is logged here, once."""
    if isinstance(e, Trouble):
        return e
    if isinstance(e, Lost):
        outages.JOURNAL.met(where, e)
        return no_writing(e)
    if of_the_journal(e):
        if isinstance(e, outages.EXPECTED):
            outages.JOURNAL.met(where, e)
        else:
            log.error("%s: the journal does not answer: %s: %s", where, type(e).__name__, e)
        return Trouble("no_journal", JOURNAL_AWAY)
    number = reference()
    log.error("%s failed (reference %s)", where, number, exc_info=e)
    says = f"Something went wrong here that should not. Nothing is lost. The log of the server has it as {number}."
    return Trouble("failed", f"{says} Try again; if it happens again, tell that number to whoever runs this server.")


def damaged(e: Exception, table: str) -> Trouble:
    """A table that cannot be made out of its journal."""
    number = reference()
    log.error("table %s cannot be opened (reference %s)", table, number, exc_info=e)
    says = "This table is written down, but cannot be opened any more: its journal does not fit together."
    return Trouble(
        "damaged", f"{says} Other tables are well. Whoever runs this server finds it in the log as {number}."
    )


def reference() -> str:
    return secrets.token_hex(4)


def of_the_journal(e: Exception) -> bool:
    """Is it the journal that cannot be reached or written?"""
    module = type(e).__module__.partition(".")[0]  # asyncpg is not always there
    return isinstance(e, (Lost, Stale, sqlite3.Error, ConnectionError, TimeoutError)) or module == "asyncpg"
