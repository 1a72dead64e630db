"""Which journal a server keeps."""

from __future__ import annotations

from kickdoor.server.addresses import is_database
from kickdoor.server.journal import Journal
from kickdoor.server.journal_sqlite import SqliteJournal


def open_journal(url: str, server: str, public: str, looking: bool = False, beside: bool = False) -> Journal:
    """`postgresql://...`, or the path of a SQLite file.

    With `looking` it is read only, and left as it is; with `beside` tables may be added while a server uses it.
    """
    if is_database(url):
        try:
            from kickdoor.server.journal_postgres import PostgresJournal  # its driver is an extra
        except ImportError as e:
            missing = (e.name or "asyncpg").split(".")[0]
            says = f"a database needs the package {missing!r}, which is not installed"
            raise ValueError(f"{says}; get it with: pip install 'kickdoor[postgres]'") from None
        return PostgresJournal(url, server, public, looking)
    return SqliteJournal(url, looking, beside)
