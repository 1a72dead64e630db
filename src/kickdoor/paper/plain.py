"""Text that is only text: nothing in it moves a cursor, turns the writing round or hides."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Final

# Control characters (C0, C1), invisible marks and turns of direction, halves of characters, foreign line ends.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# What Unicode calls ignorable although it files it under letters and accents: fillers, joiners, selectors.
_IGNORED: Final = (
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2065, 0x3164, 0xFFA0),
    *range(0xFE00, 0xFE10),
    *range(0xFFF0, 0xFFF9),
)
_IGNORABLE: Final = frozenset(map(chr, _IGNORED))
_TAGS: Final = range(0xE0000, 0xE1000)
_LAYOUT: Final = "\n\t"
_CONTROLS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

HIDDEN: Final = "[hidden]"
_PASSWORDS: Final = re.compile(
    r"((?<!/)//?[^\s:/@]*:)(?!(?-i:PASSWORD)@)\S+(?=@)"  # in an address, whatever else is wrong with it
    r"|((?<![^\s:/@])[^\s:/@]+:)(?!(?-i:PASSWORD)@)[^\s/@]+(?=@)"  # what is left of one
    r"|(password\s*=\s*)(?:'[^']*'?|[^\s&]+)",  # in words and values
    re.IGNORECASE,
)


def is_seen(c: str) -> bool:
    """Does this character show, or at least take up room?"""
    return unicodedata.category(c) not in _UNSEEN and c not in _IGNORABLE and ord(c) not in _TAGS


def first_control(text: str) -> str:
    """The first character that would move a cursor or turn the writing round, if any; joiners of letters may stay."""
    if text.isascii() and text.isprintable():
        return ""
    return next((c for c in text if c not in _LAYOUT and (unicodedata.category(c) in _CONTROLS or c in _TURNS)), "")


def shown(text: str) -> str:
    """For a terminal, a page or a log: what cannot be seen is left out; lines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c for c in text if c in _LAYOUT or is_seen(c))


def one_line(text: str) -> str:
    """For a name or a sentence: one line, single blanks, and nothing that cannot be seen."""
    return " ".join("".join(c for c in text if c.isspace() or is_seen(c)).split())


def discreet(text: str) -> str:
    """Without what looks like the password of a database; anything that is said may quote what was typed."""
    return _PASSWORDS.sub(lambda m: f"{m[1] or m[2] or m[3]}{HIDDEN}", text)


def short(value: object, most: int = 120) -> str:
    """What was written, as it is quoted in an error: plain, and no longer than an error should be."""
    said = shown(repr(value) if not isinstance(value, str) else repr(value[: 2 * most]))
    return said if len(said) <= most else f"{said[:most]}..."


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON that is safe on a terminal: what does not show is escaped, so that programs still get it."""
    said = json.dumps(value, ensure_ascii=False, indent=indent)
    if said.isascii() and said.replace("\n", "").isprintable():
        return said
    return "".join(c if c == "\n" or is_seen(c) else json.dumps(c)[1:-1] for c in said)
