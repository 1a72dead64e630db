"""What a card is worth to somebody, judged from what that seat can see. The unit is a tenth of a level or so."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from kickdoor.bots.seat import Seat
from kickdoor.cards.kinds import TRAITS
from kickdoor.cards.library import CardDef

WORN: Final = ("headgear", "armor", "footgear")
SEVERE: Final = 3.0
LEVEL: Final = 4.0  # what a level is worth, in points of strength that last


class Blow(NamedTuple):
    """What Bad Stuff or a Curse takes, as far as its steps tell."""

    levels: float = 0.0
    death: float = 0.0
    things: float = 0.0  # Items, or cards of the hand
    hand: bool = False
    traits: float = 0.0
    bottom: bool = False  # down to the lowest Level


_blows: dict[int, tuple[CardDef, Blow]] = {}  # by definition, which is kept alive beside its number


def blow(seat: Seat, d: CardDef) -> Blow:
    """What a monster's Bad Stuff, or a Curse, does; worked out once per card."""
    got = _blows.get(id(d))
    if got is None:
        got = _blows[id(d)] = (d, _blow(seat, d))
    return got[1]


def _blow(seat: Seat, d: CardDef) -> Blow:
    levels = death = things = traits = 0.0
    hand = bottom = False
    steps = seat.steps(d.prog_effect if d.is_curse else d.prog_bad)
    rolled = any(s.verb == "by_roll" for s in steps)
    for step in steps:
        a = step.a
        if step.verb == "death":
            death = max(death, 0.33 if rolled else 1.0)
        elif step.verb == "lose_level":
            levels = max(levels, a.amount) if isinstance(a.amount, int) else max(levels, 3.0)
        elif step.verb == "set_level":
            bottom = True
        elif step.verb in ("discard", "take", "pay"):
            if a.frm == "hand" and a.count == "all":
                hand = True
            elif "class" in str(a.word) or "race" in str(a.word):
                traits += 1
            else:
                things += 3 if a.count == "all" or a.count == "roll" else 2 if step.verb == "pay" else 1
        elif step.verb in ("change_trait", "change_sex"):
            traits += 0.7
    if d.lasting:
        things += 0.7
    return Blow(levels, death, things, hand, traits, bottom)


def harm(seat: Seat, card: int, who: int = -1) -> float:
    """How much a monster's Bad Stuff, or a Curse, would cost a player."""
    who = seat.seat if who < 0 else who
    b = blow(seat, seat.defs[card])
    level = seat.level(who)
    goods = belongings(seat, who)
    cost = LEVEL * min(b.levels, level - 1)
    if b.bottom:
        cost += LEVEL * (level - 1) * 0.7
    if goods:
        cost += min(b.things, 3.0) * min(2.5, goods / 2) if b.things else 0.0
    if b.hand:
        cost += 1.2 * seat.hand_size(who)
    if b.death:
        cost += b.death * (goods + 1.0 * seat.hand_size(who) + 2.0)
    return cost + 2.0 * b.traits


def belongings(seat: Seat, who: int) -> float:
    """What a player's Items are worth to him, roughly."""
    n = 0.0
    for c in seat.table(who):
        d = seat.defs[c]
        if d.is_item or d.is_companion:
            n += (1.3 * d.bonus if seat.in_use(c) else 0.0) + 0.5 + (d.gold or 0) / 500
    return n


def caught(seat: Seat, face: int) -> float:
    """How likely I am to be caught by a monster."""
    d = seat.defs[face]
    if d.escape == "automatic" or seat.level(seat.seat) <= d.pursuit_limit:
        return 0.0
    if d.escape == "impossible":
        return 1.0
    bonus = seat.run_bonus(seat.seat) + d.run_away
    return min(1.0, max(0.0, (4 - bonus) / 6))


def usable(seat: Seat, card: int) -> bool:
    """Could I use this Item?"""
    d = seat.defs[card]
    if not d.usable_by and not d.not_usable_by:
        return True
    mine = seat.traits(seat.seat)
    if (not d.usable_by or d.usable_by & mine) and not d.not_usable_by & mine:
        return True
    return seat.in_use(card) or _waived(seat, card)


def power(seat: Seat, card: int) -> float:
    """What an Item does for me while in use."""
    if not usable(seat, card):
        return 0.0
    d = seat.defs[card]
    n = float(d.bonus)
    for m in d.mods.get("strength", ()):
        if m.test is None and not m.against_tag and not m.per:
            n += m.amount
    if seat.hosts:
        for a, host in seat.hosts.items():
            if host == card:
                n += seat.defs[a].bonus
    if d.run_away:
        n += 0.4 * d.run_away
    if d.powers:
        n += 1.5 * len(d.powers)
    return n + (1.2 if "curse_immunity" in d.mods else 0.0)


def worth(seat: Seat, card: int) -> float:
    """What it would cost me to lose this card, or be worth to me to get it."""
    if card < 0:
        return 2.5
    d = seat.defs[card]
    if d.kind == "item" and d.is_item:
        return 0.3 + 1.3 * power(seat, card) + (d.gold or 0) / 300
    if d.kind == "one_shot":
        return 1.5 + 0.5 * d.bonus + (d.gold or 0) / 400
    return _by_kind(seat, d)


def _by_kind(seat: Seat, d: CardDef) -> float:
    kind = d.kind
    if kind == "monster":
        if foe_strength(seat, d) < seat.strength(seat.seat):
            return 9.0 if seat.level(seat.seat) >= seat.goal - 2 else 2.5 + 0.6 * d.treasures
        return 0.8 + 0.02 * d.level + (2.0 if _partner(seat) else 0.0)
    if kind in TRAITS:
        return 4.5 if not any(seat.defs[c].kind == kind for c in seat.table(seat.seat)) else 1.0
    if d.is_curse:
        return 3.0
    if kind == "monster_enhancer":
        return 2.0 + 0.3 * abs(d.bonus)
    if kind == "go_up_a_level":
        return 9.0
    if d.is_companion:
        return 5.0
    return 4.0 + d.bonus


def _partner(seat: Seat) -> bool:
    """Do I hold a card that brings a monster of mine into somebody's fight?"""
    return any(mode.needs_monster for c in seat.hand for mode in seat.defs[c].modes)


def foe_strength(seat: Seat, d: CardDef, who: int = -1) -> int:
    """How strong a monster would be against me, or somebody else."""
    n = d.level
    mods = d.mods.get("strength")
    if mods:
        mine = seat.traits(seat.seat if who < 0 else who)
        for m in mods:
            if m.to == "owner" and m.test is None and (m.against is None or m.against & mine):
                n += m.amount
            elif m.to == "fighters" and (m.against is None or m.against & mine):
                n -= m.amount
    return n


def best_gear(seat: Seat) -> set[int]:
    """Which of my Items should be in use: the best of each slot, and the best handful."""
    items = []
    best = set()
    slots: dict[str, list[int]] = {}
    for c in seat.table(seat.seat):
        d = seat.defs[c]
        if d.kind != "item" or not d.is_item or c in seat.hosts or c in seat.borne:
            continue
        n = power(seat, c)
        if n <= 0:
            continue
        if d.slot in WORN and not _waived(seat, c):
            slots.setdefault(d.slot, []).append(c)
        elif d.hands and not _waived(seat, c):
            items.append(c)
        else:
            best.add(c)
    for worn in slots.values():
        best.add(worn[0] if len(worn) == 1 else max(worn, key=lambda c: (power(seat, c), seat.in_use(c))))
    return best | _handful(seat, items)


def _waived(seat: Seat, card: int) -> bool:
    return bool(seat.hosts) and any(seat.defs[a].waives for a, host in seat.hosts.items() if host == card)


def _handful(seat: Seat, items: list[int]) -> set[int]:
    if not items:
        return set()
    room = seat.hands_free() + sum(seat.defs[c].hands for c in items if seat.in_use(c))
    if sum(seat.defs[c].hands for c in items) <= room:
        return set(items)
    best: tuple[float, int, tuple[int, ...]] = (0.0, 0, ())
    for n in range(1, min(len(items), 4) + 1):
        for some in combinations(items, n):
            if sum(seat.defs[c].hands for c in some) <= room:
                kept = sum(seat.in_use(c) for c in some)
                best = max(best, (sum(power(seat, c) for c in some), kept, some))
    return set(best[2])


def traits(seat: Seat, s: int) -> frozenset[str]:
    """Race, Class and sex of a player."""
    return seat.traits(s)
