"""What a box is made of, counted: kinds, monsters by Level, Items by slot, with what they give and cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from kickdoor.cards.kinds import COMPANIONS, CURSES, MOUNTS
from kickdoor.cards.library import CardDef
from kickdoor.cards.packs import find_pack, read_pack
from kickdoor.cards.words import SLOTS
from kickdoor.engine.setup import library
from kickdoor.engine.value.game import DOOR, TREASURE

BANDS: Final = ((1, 2), (3, 5), (6, 8), (9, 12), (13, 16), (17, 20))
MODEL: Final = "classic"  # the deck that others are laid beside


def cards_of(pack: str) -> list[CardDef]:
    """Every physical card of a pack that goes into a deck, each copy once."""
    head = read_pack(find_pack(pack)).head
    lib = library(tuple(dict.fromkeys((*head.needs, pack))))
    return [d for c, d in enumerate(lib.defs) if d.pack == head.id and c not in lib.origin and not d.outside]


class Line(NamedTuple):
    """One line of the table: what is counted, and what is said beside the number."""

    what: str
    fits: Callable[[CardDef], bool]
    beside: Callable[[Sequence[CardDef]], str] = lambda _: ""


def counted(pack: str) -> dict[str, Any]:
    """All lines for one pack, as numbers and words."""
    cards = cards_of(pack)
    found: dict[str, Any] = {
        "pack": pack,
        "cards": len(cards),
        "doors": sum(d.deck == DOOR for d in cards),
        "treasures": sum(d.deck == TREASURE for d in cards),
        "different": len({(d.name, d.card.set_) for d in cards}),
    }
    found["lines"] = {}
    for line in LINES:
        mine = [d for d in cards if line.fits(d)]
        found["lines"][line.what] = {"count": len(mine), "beside": line.beside(mine) if mine else ""}
    return found


def markdown(packs: Sequence[str]) -> str:
    """The table with a column for each pack. Lines that none of them has are left out."""
    found = [counted(p) for p in packs]
    rows = [("", *packs), ("---", *("---" for _ in packs))]
    rows.append(("cards (Doors + Treasures)", *(f"{f['cards']} ({f['doors']} + {f['treasures']})" for f in found)))
    rows.append(("different cards", *(str(f["different"]) for f in found)))
    for line in LINES:
        cells = [f["lines"][line.what] for f in found]
        if any(c["count"] for c in cells):
            rows.append((line.what, *(f"{c['count']}{', ' if c['beside'] else ''}{c['beside']}" for c in cells)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


# -- what is counted ----------------------------------------------------------------------------------------------


def _mean(values: Iterable[int]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _span(values: Iterable[int], sign: bool = False) -> str:
    found = list(values)
    form = "{:+d}" if sign else "{:d}"
    low, high = form.format(min(found)), form.format(max(found))
    return low if low == high else f"{low} to {high}"


def _monsters(mine: Sequence[CardDef]) -> str:
    two = sum(d.levels > 1 for d in mine)
    extra = f", {two} worth more than one level" if two else ""
    return f"{_mean(d.treasures for d in mine):.1f} Treasures each{extra}"


def _items(mine: Sequence[CardDef]) -> str:
    big = sum(d.big for d in mine)
    extra = f", {big} Big" if big else ""
    return f"{_span((d.bonus for d in mine), True)} (mean {_mean(d.bonus for d in mine):+.1f}), {_prices(mine)}{extra}"


def _prices(mine: Sequence[CardDef]) -> str:
    return f"{_mean(d.gold or 0 for d in mine):.0f} Gold each"


def _strength(mine: Sequence[CardDef]) -> str:
    return _span((d.level if d.card.level is not None else d.bonus for d in mine), True)


def _levels(mine: Sequence[CardDef]) -> str:
    return f"{sum(d.levels for d in mine)} levels in all"


def _ranks(mine: Sequence[CardDef]) -> str:
    return "by rank " + "/".join(str(sum(d.rank == r for d in mine)) for r in range(1, max(d.rank for d in mine) + 1))


def _names(mine: Sequence[CardDef]) -> str:
    names = list(dict.fromkeys(d.name for d in mine))
    return ", ".join(f"{n} {sum(d.name == n for d in mine)}" for n in names)


def _band(low: int, high: int) -> Callable[[CardDef], bool]:
    return lambda d: d.kind == "monster" and low <= d.level <= high


def _kind(*kinds: str) -> Callable[[CardDef], bool]:
    return lambda d: d.kind in kinds


def _slot(slot: str) -> Callable[[CardDef], bool]:
    return lambda d: d.kind == "item" and d.slot == slot


def _special(deck: int) -> Callable[[CardDef], bool]:
    """All that has no line of its own."""
    return lambda d: d.deck == deck and d.kind not in NAMED


NAMED: Final = frozenset(
    {
        *("monster", "monster_enhancer", "enhancer_enhancer", "race", "class", "power", "item", "one_shot"),
        *("item_enhancer", "steed_enhancer", "go_up_a_level"),
        *COMPANIONS,
        *CURSES,
        *MOUNTS,
    }
)
LINES: Final = (
    Line("monsters", _kind("monster"), _monsters),
    *(Line(f"monsters, Level {low}-{high}", _band(low, high), _monsters) for low, high in BANDS),
    Line("monsters, above 20", lambda d: d.kind == "monster" and d.level > BANDS[-1][1], _monsters),
    Line("monster enhancers", _kind("monster_enhancer", "enhancer_enhancer"), _strength),
    Line("Curses and Traps", lambda d: d.is_curse, lambda mine: f"{sum(bool(d.lasting) for d in mine)} that stay"),
    Line("Races", _kind("race"), _names),
    Line("Classes", _kind("class"), _names),
    Line("Powers", _kind("power"), _ranks),
    Line("companions", lambda d: d.is_companion),
    Line("Steeds", _kind("steed"), lambda mine: _span((d.bonus for d in mine), True)),
    Line("other Doors", _special(DOOR)),
    Line("Items", _kind("item"), _items),
    *(Line(f"Items, {word}", _slot(slot), _items) for slot, word in (*SLOTS.items(), ("", "no slot"))),
    Line("one-shots", _kind("one_shot"), _items),
    Line(
        "Item and Steed enhancers",
        lambda d: d.kind in ("item_enhancer", "steed_enhancer") and not d.is_curse,
        lambda mine: _span((d.bonus for d in mine), True),
    ),
    Line("level cards", _kind("go_up_a_level"), _levels),
    Line("other Treasures", _special(TREASURE)),
)
