"""What the journal holds of a counter for real cards: the taps, as they came, a handful to an entry."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kickdoor.companion import taps


class Begun(msgspec.Struct, tag_field="e", tag="counter", frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A counter was made; or what was damaged of it was put aside, and a new `line` of numbers begins (`why`)."""

    at: float
    counter: str
    line: int = 1
    why: str = ""


class Tapped(msgspec.Struct, tag_field="e", tag="taps", frozen=True, forbid_unknown_fields=True):
    """Taps that came together."""

    at: float
    taps: list[msgspec.Raw]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Begun | Tapped).decode


def pack(entry: Begun | Tapped) -> bytes:
    return _encode(entry)


class Told(msgspec.Struct):
    """A counter as its entries tell it."""

    line: int = 1
    taps: list[bytes] = []
    ids: set[str] = set()
    size: int = 0  # of all taps, in bytes

    def add(self, new: Sequence[tuple[str, bytes]]) -> None:
        for ident, raw in new:
            self.ids.add(ident)
            self.taps.append(raw)
            self.size += len(raw)


def told(entries: Sequence[bytes]) -> Told:
    """The counter that these entries make. Raises msgspec.DecodeError where one is of another version."""
    out = Told()
    for data in entries:
        entry = _decode(data)
        if isinstance(entry, Begun):
            out.line = entry.line
        else:
            out.add([(taps.decode_tap(raw).id, bytes(raw)) for raw in entry.taps])
    return out
