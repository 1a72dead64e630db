"""What a page would ask for first, sent along with it: nothing on it moves when that comes, and nobody waits for it.

The front page and a lobby are made of what can be chosen (`/api/about`); a table that is being played needs its cards,
which have an address of their own; a counter for real cards is the taps that were made at it. It is data in the
document, which no browser runs. Only what anybody may ask for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from kickdoor.server import catalog, limits, showing
from kickdoor.server import protocol as pr
from kickdoor.server.hub import Hub
from kickdoor.server.names import kept_as
from kickdoor.server.table import LOBBY

HOME: Final = "/"
COUNTER: Final = "/counter"
_BLOCK: Final = '<script type="application/json" id="ahead">{}</script>'


def block(hub: Hub, path: str, ident: str, lists: bool, counter: str = "") -> str:
    """For the document's head; empty for pages that need nothing first. Of tables only those in memory."""
    if counter:
        return _counter(hub, counter, lists)
    if path in (HOME, COUNTER):
        return _lobby(lists)
    if path != f"/t/{ident}":
        return ""
    room = hub.rooms.get(ident)
    if room is None:
        return _lobby(lists)
    o = room.table.options
    if room.table.status == LOBBY:
        return _lobby(lists, o.packs[0])
    return _written({"cards": showing.mix(o)["cards"], "box": o.packs[0]})


def _counter(hub: Hub, counter: str, lists: bool) -> str:
    """What its line would say first, so that one can tap before there is a line. A long evening comes by the line."""
    room = hub.counters.rooms.get(kept_as(counter))
    if room is None or room.told.size > limits.AHEAD_BYTES:
        return _lobby(lists)
    taps = [msgspec.Raw(raw) for raw in room.told.taps]
    return _written({"about": _abouts[lists], "counter": {"line": room.told.line, "taps": taps}})


def ready(lists: bool) -> bool:
    """Has what can be chosen been put together? That means reading all sets, which is no work for the loop."""
    return lists in _abouts


def prepare(lists: bool) -> None:
    """In the workshop: put it together."""
    if lists not in _abouts:
        _abouts[lists] = catalog.about(lists)


_abouts: dict[bool, pr.About] = {}


@lru_cache(maxsize=32)
def _lobby(lists: bool, box: str = "") -> str:
    return _written({"about": _abouts[lists], "box": box})


def _written(data: object) -> str:
    """As JSON in which nothing can end the block."""
    return _BLOCK.format(msgspec.json.encode(data).decode().replace("<", "\\u003c"))
