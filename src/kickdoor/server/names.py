"""What tables and counters are called: ten letters that nobody can guess, in links and in the journal."""

from __future__ import annotations

import re
import secrets
from typing import Final

ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else
_COUNTER: Final = "0"  # no letter of a table's name: a counter's name in the journal begins with it


_KEPT: Final = re.compile(r"[a-z0-9]{5,20}")


def is_name(name: str) -> bool:
    """Could something in a journal be called this? Names become files, and lines on a screen."""
    return _KEPT.fullmatch(name) is not None


def new_ident() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def kept_as(counter: str) -> str:
    """A counter's name in the journal, where tables have theirs."""
    return _COUNTER + counter


def is_counter(name: str) -> bool:
    """Is this name in the journal that of a counter?"""
    return name.startswith(_COUNTER)
