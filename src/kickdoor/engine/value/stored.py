"""What of a game is kept: every field once, with its type and with what its numbers stand for.

`Game.plain`, `saving.restore`, the empty table and what a scenario says of a position (`memory:`) are all made from
this list. A field of the value is three lines: its declaration in `Game`, its copy in `Game.clone` (by hand, because
copying is what a search does most), and its row here. `tests/test_value.py` says which of them is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from kickdoor.engine.value.frames import AnyFrame
from kickdoor.engine.value.records import Fight, Offer

K = TypeVar("K")
V = TypeVar("V")

# What a number stands for; what is none of these is an amount, or a number of the engine's own.
Card = Annotated[int, "card"]
Seat = Annotated[int, "seat"]
Seats = Annotated[int, "seats"]  # a bit set
Flags = Annotated[int, "flags"]
Drew = Annotated[tuple[int, ...], "drew"]  # what a seat drew last, as `drawn` writes it

MAPPING: Final = "mapping"
Pairs = Annotated[list[tuple[K, V]], MAPPING]  # a dict in the game, written as its pairs in order


class StoredPlayer(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """One seat; a new field goes to the end, since a player is written as a row."""

    name: str
    level: int
    sex: int
    dead: bool
    redeal: bool
    shown: bool
    hand: list[Card]
    table: list[Card]


class Stored(msgspec.Struct, forbid_unknown_fields=True):
    """What `Game.plain` writes, so that a damaged save is noticed; what each is for is said in `Game`."""

    players: list[StoredPlayer]
    rng: str
    dice: list[int]
    rolls: list[int]
    turn: Seat
    turns: int
    flags: Flags
    piles: list[list[Card]]
    aside: list[list[list[Card]]]
    heap: list[int]
    discards: list[list[Card]]
    box: list[Card]
    dungeons: list[Card]
    reach: Pairs[Card, Seats]
    limbo: list[Card]
    door_card: Card
    equipped: set[Card]
    host: Pairs[Card, Card]
    bearer: Pairs[Card, Card]
    fresh: list[tuple[Seat, Card]]
    drew: list[Drew]
    afflictions: list[tuple[Seat, Card, int, int]]
    returning: list[tuple[Card, Seat]]
    exempt: list[Card]
    turned: list[Card]
    accessories: list[list[Card]]
    brought: list[tuple[Seat, Card]]
    ledger: list[tuple[Card, Seat, Seat]]
    grown: Pairs[Card, int]
    ridden: Pairs[Card, int]
    strays: list[tuple[Card, int]]
    skips: list[int]
    uses: Pairs[str, int]
    offers: list[Offer]
    fight: Fight | None
    stack: list[AnyFrame]
    winners: list[Seat]
    dirty: Seats


PLAYER: Final = StoredPlayer.__struct_fields__
_row: Final = attrgetter(*PLAYER)
TYPES: Final[dict[str, Any]] = get_type_hints(Stored, include_extras=True)
MAPPINGS: Final = frozenset(n for n, t in TYPES.items() if MAPPING in getattr(t, "__metadata__", ()))


Writer = Callable[[Any], Any]


def _bare(t: Any) -> Any:
    return get_origin(t) or t


def _items(value: Any) -> Any:
    return sorted(value.items())


def _players(value: Any) -> Any:
    return [list(_row(p)) for p in value]


def _writer(name: str, t: Any) -> Writer | None:
    """How a field is written, if not as it is: what has no order in a game has one in its record."""
    if name == "players":
        return _players
    if name == "rng":
        return str  # 64 bits are more than a number in JSON is good for
    if name in MAPPINGS:
        return _items
    if _bare(t) is set:
        return sorted
    return msgspec.to_builtins if _has_structs(t) else None


def _has_structs(t: Any) -> bool:
    return (isinstance(t, type) and issubclass(t, msgspec.Struct)) or any(_has_structs(x) for x in get_args(t))


def _empty(name: str, t: Any) -> Callable[[], Any]:
    """How a field begins: with nothing in it. `bare_table` knows the few that begin otherwise."""
    return dict if name in MAPPINGS else _bare(t) if _bare(t) in (list, set) else lambda: 0


WRITERS: Final[tuple[tuple[str, Writer | None], ...]] = tuple((n, _writer(n, t)) for n, t in TYPES.items())
_UNLIKE: Final = frozenset({"players", "rng", "fight"})  # neither a number nor a collection, or written as another type
EMPTY: Final[tuple[tuple[str, Callable[[], Any]], ...]] = tuple(
    (n, _empty(n, t)) for n, t in TYPES.items() if n not in _UNLIKE
)


def read(data: dict[str, Any]) -> dict[str, Any]:
    """The fields of a game out of what `Game.plain` wrote, players as they are stored."""
    return _fields(msgspec.convert(data, Stored))


_packed: Final = msgspec.msgpack.Decoder(Stored)


def unpacked(data: bytes) -> dict[str, Any]:
    """The same out of its msgpack, without a detour."""
    return _fields(_packed.decode(data))


def _fields(record: Stored) -> dict[str, Any]:
    return {n: dict(getattr(record, n)) if n in MAPPINGS else getattr(record, n) for n in TYPES}
