"""Where a journal is: at the address of a database, or in a file. What looks like the one and is neither is refused
before anything is made of it: a file of such a name would have a password in its path. Nothing here repeats one."""

from __future__ import annotations

import re
from typing import Final

SHAPE: Final = "postgresql://USER:PASSWORD@HOST/DATABASE"
UNREADABLE: Final = (
    f"the address of the database cannot be read. One is written {SHAPE}; in a name or password "
    "@ is written %40, / %2F, : %3A, ? %3F and # %23"
)

_POSTGRES: Final = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
# What can only be a path: it begins with a folder, or with a drive. (`:memory:` is SQLite's own word.)
_PATH: Final = re.compile(r"\.{0,2}/(?!/)|\.{0,2}\\|[a-z]:[^/\\:@]*(?:[/\\]|$)|:memory:$", re.IGNORECASE)
_LIKE_AN_ADDRESS: Final = re.compile(
    r"""
    .*://                                           # some other kind of address
    | (?://)?[^/\\]*[:@]                            # a host with a port, or somebody at a host
    | .*?(?<![^/\\\s])[^/\\\s:@]+:[^/\\\s@]*@       # somebody with a password, after whatever
    | \w*(?:pos|pg|sql)\w*//                        # the colon got lost
    | (?:.*\s)?(?:host|hostaddr|port|user|password|passfile|dbname|service|sslmode)\s*=
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def is_database(where: str) -> bool:
    """Is this the address of a database, and not the path of a file? Raises ValueError where it is neither."""
    if _POSTGRES.match(where):
        if _broken(where):
            raise ValueError(UNREADABLE)
        return True
    if _LIKE_AN_ADDRESS.match(where) and not _PATH.match(where):
        raise ValueError(
            "the journal that is named looks like the address of a database, and is none that is known here. "
            f"One is written {SHAPE}; if a file of this name is meant, put ./ before it"
        )
    return False


def _broken(url: str) -> bool:
    """Did a sign in the password end it before its time?"""
    rest, _, query = url.partition("://")[2].partition("?")
    host = rest.partition("/")[0]
    values = query.split("&") if query else []
    return "#" in url or rest.count("@") > min(1, host.count("@")) or not all("=" in v for v in values)
