"""What a card is worth to somebody, judged from what that seat can see."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

from kickdoor.bots.seat import Seat
from kickdoor.cards.kinds import TRAITS
from kickdoor.cards.library import CardDef

WORN: Final = ("headgear", "armor", "footgear")
SEVERE: Final = 3.0


def traits(seat: Seat, s: int) -> frozenset[str]:
    """Race, Class and sex of a player, from the cards on the table."""
    p = seat.view["players"][s]
    out = {p["sex"]}
    race = False
    for c in p["table"]:
        d = seat.defs[c]
        if d.kind in TRAITS:
            out |= d.traits
            race = race or d.kind == "race"
    return frozenset(out if race else out | {"human"})


def usable(seat: Seat, card: int) -> bool:
    """Could I use this Item?"""
    d = seat.defs[card]
    mine = traits(seat, seat.seat)
    if any(seat.defs[a].waives for a, host in seat.me["attached"].items() if host == card):
        return True
    return (not d.usable_by or bool(d.usable_by & mine)) and not d.not_usable_by & mine


def power(seat: Seat, card: int) -> float:
    """What an Item does for me while in use."""
    d = seat.defs[card]
    if not usable(seat, card):
        return 0.0
    n = float(d.bonus)
    for m in d.mods.get("strength", ()):
        if m.test is None and not m.against_tag and not m.per:
            n += m.amount
    for a, host in seat.me["attached"].items():
        if host == card:
            n += seat.defs[a].bonus
    return n + 0.4 * d.run_away + 1.5 * len(d.powers) + (1.2 if "curse_immunity" in d.mods else 0.0)


def worth(seat: Seat, card: int) -> float:
    """What it would cost me to lose this card, or be worth to me to get it."""
    if card < 0:
        return 2.0
    d = seat.defs[card]
    if d.is_item and d.kind == "item":
        return 0.3 + 1.3 * power(seat, card) + (d.gold or 0) / 400
    if d.kind == "one_shot":
        return 2.0 + 0.5 * d.bonus + (d.gold or 0) / 600
    return _KINDS.get(d.kind, _plain)(seat, d)


def _plain(seat: Seat, d: CardDef) -> float:
    return 4.0 + d.bonus


def _monster(seat: Seat, d: CardDef) -> float:
    mine: int = seat.me["strength"]
    return 2.5 + 0.5 * d.treasures if foe_strength(seat, d) < mine else 0.8 + 0.02 * d.level


def _trait(seat: Seat, d: CardDef) -> float:
    have = [seat.defs[c] for c in seat.me["table"] if seat.defs[c].kind == d.kind]
    return 4.5 if not have else 1.0


def _enhancer(seat: Seat, d: CardDef) -> float:
    return 2.0 + 0.25 * abs(d.bonus)


_KINDS: Final[dict[str, Callable[[Seat, CardDef], float]]] = {
    "monster": _monster,
    **dict.fromkeys(TRAITS, _trait),
    "curse": lambda seat, d: 3.0,
    "trap": lambda seat, d: 3.0,
    "madness": lambda seat, d: 3.0,
    "monster_enhancer": _enhancer,
    "go_up_a_level": lambda seat, d: 9.0,
    "hireling": lambda seat, d: 5.0,
}


def foe_strength(seat: Seat, d: CardDef) -> int:
    """How strong a monster would be against me."""
    mine = traits(seat, seat.seat)
    n = d.level
    for m in d.mods.get("strength", ()):
        if m.to == "owner" and m.test is None and (m.against is None or m.against & mine):
            n += m.amount
        elif m.to == "fighters":
            n -= m.amount
    return n


def best_gear(seat: Seat) -> set[int]:
    """Which of my Items should be in use: the best of each slot, and the best handful."""
    p = seat.me
    items = [c for c in p["table"] if _wearable(seat, c) and c not in p["borne"] and c not in p["attached"]]
    best = {c for c in items if power(seat, c) > 0 and (seat.defs[c].slot in ("", "none") or _waived(seat, c))}
    items = [c for c in items if c not in best and power(seat, c) > 0]
    for slot in WORN:
        worn = [c for c in items if seat.defs[c].slot == slot]
        if worn:
            best.add(max(worn, key=lambda c: (power(seat, c), c in p["equipped"])))
    return best | _handful(seat, p, [c for c in items if seat.defs[c].hands])


def _wearable(seat: Seat, card: int) -> bool:
    d = seat.defs[card]
    return d.is_item and d.kind == "item"


def _waived(seat: Seat, card: int) -> bool:
    return any(seat.defs[a].waives for a, host in seat.me["attached"].items() if host == card)


def _handful(seat: Seat, p: dict[str, Any], items: list[int]) -> set[int]:
    used = sum(seat.defs[c].hands for c in items if c in p["equipped"])
    room = p["hands_free"] + used
    best: tuple[float, int, tuple[int, ...]] = (0.0, 0, ())
    for n in range(1, min(len(items), 4) + 1):
        for some in combinations(items, n):
            if sum(seat.defs[c].hands for c in some) <= room:
                kept = sum(c in p["equipped"] for c in some)
                best = max(best, (sum(power(seat, c) for c in some), kept, some))
    return set(best[2])


def harm(seat: Seat, card: int) -> float:
    """How much a monster's Bad Stuff, or a Curse, would hurt."""
    d = seat.defs[card]
    n = 0.0
    for step in seat.steps(d.prog_effect if d.is_curse else d.prog_bad):
        if step.verb == "death":
            n += 10
        elif step.verb == "lose_level":
            n += 2 * step.a.amount if isinstance(step.a.amount, int) else 4
        elif step.verb in ("discard", "take", "pay", "change_trait", "set_level"):
            n += 3
    return n + (2 if d.lasting else 0)
