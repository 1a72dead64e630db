"""Each entry of a table carries a check over itself and everything before it, so that damage cannot pass for a game.

A flipped bit, a missing, swapped or foreign entry: the chain breaks there, and what comes before it is good.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final, NamedTuple

SIZE: Final = 16


class Held(NamedTuple):
    """What lies in a journal of one table, as it was found. Damage may have made anything of any of it."""

    last: Any
    rows: list[tuple[Any, Any, Any]]  # number, entry, check
    broken: str = ""  # why no more rows could be read, if so


class Account(NamedTuple):
    """What is good of it: entries and their checks from the first on; and what is wrong with the rest."""

    entries: list[bytes]
    checks: list[bytes]
    damage: str


def start(table: str) -> bytes:
    """What the first entry of a table is chained to: no entry fits another table."""
    return blake2b(table.encode(errors="replace"), digest_size=SIZE).digest()


def link(before: bytes, seq: int, data: bytes) -> bytes:
    """The check of an entry, from that of the one before it."""
    return blake2b(before + seq.to_bytes(8, "big") + data, digest_size=SIZE).digest()


def links(before: bytes, after: int, entries: Iterable[bytes]) -> list[bytes]:
    """The checks of entries `after + 1` and on."""
    out = []
    for seq, data in enumerate(entries, after + 1):
        before = link(before, seq, data)
        out.append(before)
    return out


def stamp(table: str, seq: int, check: bytes, data: bytes) -> bytes:
    """The check of a shortcut: over its content, and the entry that it stands on."""
    head = b"%s/%d/" % (table.encode(errors="replace"), seq)
    return blake2b(head + check + data, digest_size=SIZE).digest()


def account(table: str, held: Held) -> Account:
    """Everything up to the first thing that is wrong."""
    entries: list[bytes] = []
    checks: list[bytes] = []
    before, damage = start(table), ""
    for seq, data, check in held.rows:
        damage = _flaw(len(entries) + 1, seq, data)
        if not damage:
            before = link(before, seq, data)
            damage = "" if check == before else f"entry {seq} does not match its check"
        if damage:
            break
        entries.append(data)
        checks.append(before)
    return Account(entries, checks, damage or held.broken or _wrong_last(len(entries), held.last))


def _flaw(want: int, seq: Any, data: Any) -> str:
    if type(seq) is not int:
        return f"the number of entry {want} is unreadable"
    if seq != want:
        return f"entry {want} is missing"
    return "" if type(data) is bytes else f"entry {want} is unreadable"


def _wrong_last(found: int, last: Any) -> str:
    if last == found:
        return ""
    if type(last) is int and last > found:
        return f"there should be {last} entries, and {found} are there"
    return f"the table is said to have {last!r} entries, and has {found}"


def unchained(name: str, rows: Any) -> list[tuple[Any, Any, bytes]]:
    """Rows of the first version, with the checks that they would have; what cannot be an entry gets none."""
    out, before = [], start(name)
    for seq, data in rows:
        good = type(seq) is int and seq > 0 and type(data) is bytes
        before = link(before, seq, data) if good else b""
        out.append((seq, data, before))
    return out


def written_at(data: bytes) -> int:
    """When an entry was written; now, if it does not say."""
    try:
        return int(json.loads(data)["at"])
    except (ValueError, KeyError, TypeError, OverflowError):
        return int(time.time())
