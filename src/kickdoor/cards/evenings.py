"""Evenings to recommend: ready mixes with a name and a reason (packs/evenings.yaml), for lobby and command line."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Literal

import msgspec

from kickdoor.cards.packs import HOME, PackError, PackSource, find_pack, known_packs, read_pack
from kickdoor.cards.reading import convert, nearest, read_documents
from kickdoor.paper.plain import short

FILE: Final = HOME / "evenings.yaml"
_FIRST: Final = "classic"
Seats = Annotated[int, msgspec.Meta(ge=2, le=12)]


class Written(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An evening as the file has it."""

    id: str
    title: str
    why: str
    packs: list[str] | Literal["all"]
    seats: tuple[Seats, Seats]
    house: list[str] = []


class _File(msgspec.Struct, forbid_unknown_fields=True):
    evenings: list[Written]


class Evening(msgspec.Struct, frozen=True):
    """A mix that somebody recommends, and why. `house` are ids of `voice.choices.FLAGS`."""

    id: str
    title: str
    why: str
    packs: tuple[str, ...]
    seats: tuple[int, int]
    house: tuple[str, ...]


@lru_cache(maxsize=1)
def _written() -> dict[str, Written]:
    data, lines = next(read_documents(FILE))
    return {e.id: e for e in convert(data, _File, str(FILE), lines).evenings}


def names() -> list[str]:
    """What the evenings are called, in the order in which they are recommended. No pack is read for it."""
    return list(_written())


def evening(name: str) -> Evening:
    """The evening of this name; PackError if there is none."""
    e = _written().get(name)
    if e is None:
        raise PackError(f"no evening {short(name)}; {nearest(name, names())}")
    return Evening(e.id, e.title, e.why, _packs(e), e.seats, tuple(e.house))


def evenings() -> list[Evening]:
    """All of them."""
    return [evening(name) for name in names()]


def _packs(e: Written) -> tuple[str, ...]:
    if e.packs != "all":
        return tuple(e.packs)
    sources = {name: read_pack(find_pack(name)) for name in known_packs()}
    return tuple(sorted((n for n, s in sources.items() if _in_a_deck(s)), key=lambda n: (_place(sources[n]), n)))


def _in_a_deck(s: PackSource) -> bool:
    """What people bring along lies in no deck; each says for himself what he brings."""
    return any(c.kind != "accessory" and not c.outside for c in s.cards)


def _place(s: PackSource) -> int:
    """The set that gives the rules, the other boxes, then what is shuffled into them."""
    if s.head.id == _FIRST:
        return 0
    return 2 if s.head.expands or s.head.for_mixes else 1
