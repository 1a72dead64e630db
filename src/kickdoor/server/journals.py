"""Which journal a server keeps."""

from __future__ import annotations

from kickdoor.server.journal import Journal
from kickdoor.server.journal_sqlite import SqliteJournal


def open_journal(url: str, server: str, public: str) -> Journal:
    """`postgresql://...`, or the path of a SQLite file."""
    if url.startswith(("postgresql://", "postgres://")):
        from kickdoor.server.journal_postgres import PostgresJournal  # its driver is an extra

        return PostgresJournal(url, server, public)
    return SqliteJournal(url)
