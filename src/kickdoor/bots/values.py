"""What a card is worth to somebody, judged from what that seat can see. The unit is a tenth of a level or so."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from kickdoor.bots.findings import Findings
from kickdoor.bots.seat import Seat
from kickdoor.bots.specials import price
from kickdoor.cards.kinds import TRAITS
from kickdoor.cards.library import Args, CardDef, Instr

WORN: Final = ("headgear", "armor", "footgear")
SEVERE: Final = 3.0
SUFFERED: Final = 2.0  # what the Bad Stuff of a monster that is already dead takes, in levels, one with another
_NO_RACE: Final = frozenset({"human"})  # who has no Race is Human
POINT: Final = 1.3  # what a point of strength is worth that lasts
FOLLOWER: Final = 2.5  # what somebody is worth who may be left to the monsters one day
UNSEEN: Final = 2.5  # what a Treasure is worth that nobody has seen yet
LEVEL: Final = 4.0  # what a level is worth, in points of strength that last


class Strike(NamedTuple):
    """Cards before a player that are taken, and what comes instead where there are none."""

    a: Args
    levels: float = 0.0
    death: float = 0.0
    cards: int = 0  # of the hand


class Blow(NamedTuple):
    """What Bad Stuff or a Curse takes, as far as its steps tell."""

    levels: float = 0.0
    death: float = 0.0
    things: float = 0.0  # Items, or cards of the hand, which ones is not known
    hand: bool = False
    traits: float = 0.0
    bottom: bool = False  # down to the lowest Level
    strikes: tuple[Strike, ...] = ()
    ways: tuple[int, ...] = ()  # the programs of which the victim picks one


_blows: Final = Findings[Blow]()


def blow(seat: Seat, d: CardDef) -> Blow:
    """What a monster's Bad Stuff, or a Curse, does; worked out once per card."""
    got = _blows.about(d)
    if got is None:
        steps = seat.steps(d.prog_effect if d.is_curse else d.prog_bad)
        if "fled" in d.on:
            steps = [*steps, *seat.steps(d.on["fled"])]
        got = _blows.keep(d, _blow(seat, steps, d.lasting))
    return got


def _blow(seat: Seat, steps: list[Instr], lasting: str) -> Blow:
    levels = death = things = traits = 0.0
    hand = bottom = False
    rolled = any(s.verb == "by_roll" for s in steps)
    strikes = {id(s): _strike(seat, s) for s in steps if _takes(s)}
    ways = next((tuple(p for _, p in s.a.labels) for s in steps if s.verb == "choose"), ())
    instead = {id(x) for s in steps if id(s) in strikes for x in seat.steps(s.a.else_)}
    instead |= {id(x) for s in steps if s.verb == "choose" for _, p in s.a.labels for x in seat.steps(p)}
    for step in steps:
        a = step.a
        if id(step) in strikes or id(step) in instead:
            continue
        if step.verb == "death":
            death = max(death, 0.33 if rolled else 1.0)
        elif step.verb == "lose_level":
            levels = max(levels, a.amount) if isinstance(a.amount, int) else max(levels, 3.0)
        elif step.verb == "set_level":
            bottom = True
        elif step.verb == "suffer":
            levels = max(levels, SUFFERED)
        elif step.verb in ("discard", "take", "pay"):
            if a.frm == "hand" and a.count == "all":
                hand = True
            else:
                things += 3 if a.count == "all" or a.count == "roll" else 2 if step.verb == "pay" else 1
        elif step.verb in ("change_trait", "change_sex", "become"):
            traits += 0.7
        elif step.verb == "afflict":
            things += 0.7
    if lasting:
        things += 0.7
    struck = tuple(s for i, s in strikes.items() if i not in instead)
    return Blow(levels, death, things, hand, traits, bottom, struck, ways)


def _takes(step: Instr) -> bool:
    """Does this step discard cards before the player that it describes, so that one sees which they would be?"""
    return step.verb == "discard" and step.a.what is not None and step.a.frm in ("in_play", "equipped")


def _strike(seat: Seat, step: Instr) -> Strike:
    levels = death = 0.0
    cards = 0
    for s in seat.steps(step.a.else_):
        if s.verb == "lose_level":
            levels = max(levels, s.a.amount if isinstance(s.a.amount, int) else 3.0)
        elif s.verb == "death":
            death = 1.0
        elif s.verb == "discard" and s.a.frm == "hand":
            cards += s.a.count if isinstance(s.a.count, int) else 3
    return Strike(step.a, levels, death, cards)


def harm(seat: Seat, card: int, who: int = -1) -> float:
    """How much a monster's Bad Stuff, or a Curse, would cost a player."""
    return _suffered(seat, blow(seat, seat.defs[card]), seat.seat if who < 0 else who)


def turnout(seat: Seat, prog: int, who: int = -1) -> float:
    """What it does for me, or somebody, to pick this of a card's ways: what one draws or gains, less what it takes."""
    steps = seat.steps(prog)
    gain = 0.0
    for s in steps:
        if s.verb in ("draw", "gain_level"):
            gain += LEVEL * (s.a.amount if isinstance(s.a.amount, int) and s.verb == "gain_level" else 1)
    return gain - _suffered(seat, _way(seat, prog), seat.seat if who < 0 else who)


_ways: dict[int, tuple[list[Instr], Blow]] = {}  # by steps, which are kept alive beside their number


def _way(seat: Seat, prog: int) -> Blow:
    """What one of a card's ways takes; worked out once."""
    steps = seat.steps(prog)
    got = _ways.get(id(steps))
    if got is None:
        got = _ways[id(steps)] = (steps, _blow(seat, steps, ""))
    return got[1]


def _suffered(seat: Seat, b: Blow, who: int) -> float:
    level = seat.level(who)
    levels = b.levels
    death = b.death
    cost = 2.0 * b.traits
    for s in b.strikes:
        hit = seat.struck(who, s.a)
        if hit:
            cost += _taken(seat, s.a, hit)
        else:
            levels = max(levels, s.levels)
            death = max(death, s.death)
            cost += 1.2 * min(s.cards, seat.hand_size(who))
    if b.ways:
        cost += min(_suffered(seat, _way(seat, p), who) for p in b.ways)
    cost += LEVEL * min(levels, level - 1)
    if b.bottom:
        cost += LEVEL * (level - 1) * 0.7
    if b.hand:
        cost += 1.2 * seat.hand_size(who)
    if b.things or death:
        goods = belongings(seat, who)
        cost += min(b.things, 3.0) * min(2.5, goods / 2) + death * (goods + seat.hand_size(who) + 2.0)
    return cost


def _taken(seat: Seat, a: Args, hit: list[int]) -> float:
    """What the cards are worth that a step takes: the victim gives the poorest, others take the best."""
    losses = sorted(_keep(seat, c) for c in hit)
    if a.count == "all":
        return sum(losses, 0.0)
    n = a.count if isinstance(a.count, int) else 3
    return sum(losses[:n] if a.chooser == "victim" and not a.pick else losses[-n:], 0.0)


def _keep(seat: Seat, card: int) -> float:
    """What a card before a player is worth to him."""
    d = seat.defs[card]
    if d.is_item or d.is_companion:
        counts = seat.in_use(card) or d.is_companion or d.kind == "steed"  # those two need no hand and no slot
        return (1.3 * d.bonus if counts else 0.0) + (FOLLOWER if d.is_companion else 0.5) + (d.gold or 0) / 500
    return 2.0


def meeting(seat: Seat, card: int) -> float:
    """What it means to me to find a card behind a door: to fight it, to suffer it, or to have it."""
    d = seat.defs[card]
    if d.is_curse:
        return -harm(seat, card)
    if d.kind != "monster":
        return worth(seat, card)
    if foe_strength(seat, d) < seat.strength(seat.seat):
        return LEVEL * d.levels + UNSEEN * d.treasures
    return -caught(seat, card) * harm(seat, card)


def belongings(seat: Seat, who: int) -> float:
    """What a player's Items are worth to him, roughly."""
    return sum((_keep(seat, c) for c in seat.table(who) if seat.defs[c].is_item or seat.defs[c].is_companion), 0.0)


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
    return might(seat, card) if usable(seat, card) else 0.0


def might(seat: Seat, card: int) -> float:
    """What an Item does for whoever may use it."""
    d = seat.defs[card]
    n = float(d.bonus)
    for m in d.mods.get("strength", ()):
        if m.test is None and not m.per:
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


def mounting(seat: Seat, face: int) -> float:
    """What it is worth to ride this monster, tamed, instead of what I ride; its Treasures are its bonus."""
    now = 0
    for c in seat.table(seat.seat):
        d = seat.defs[c]
        now += d.bonus if d.kind in ("steed", "vehicle") else d.treasures if d.kind == "monster" else 0
    return POINT * (seat.defs[face].treasures - now)


def worth(seat: Seat, card: int) -> float:
    """What it would cost me to lose this card, or be worth to me to get it."""
    if card < 0:
        return 2.5
    d = seat.defs[card]
    if d.kind == "item" and d.is_item:
        return 0.3 + POINT * power(seat, card) + (d.gold or 0) / 300
    if d.kind == "one_shot":
        return 1.5 + 0.5 * d.bonus + (d.gold or 0) / 400
    return _by_kind(seat, d)


def _by_kind(seat: Seat, d: CardDef) -> float:
    kind = d.kind
    if kind == "monster":
        return quarry(seat, d) + (2.0 if foe_strength(seat, d) >= seat.strength(seat.seat) and _partner(seat) else 0.0)
    if kind == "power":
        ranks = sum(seat.defs[c].rank for c in seat.table(seat.seat) if seat.defs[c].kind == "power")
        return 4.5 if ranks + d.rank <= seat.level(seat.seat) else 1.0
    if kind in TRAITS:
        return 4.5 if not any(seat.defs[c].kind == kind for c in seat.table(seat.seat)) else 1.0
    if d.is_curse:
        return 3.0
    if kind == "monster_enhancer":
        return 2.0 + 0.3 * abs(d.bonus)
    if kind == "enhancer_enhancer":
        return 1.5 + 0.2 * d.bonus  # it waits for an enhancer
    if kind == "go_up_a_level":
        return 9.0
    if d.is_companion:
        return 1.0 if any(seat.defs[c].is_companion for c in seat.table(seat.seat)) else 5.0
    return price(seat, d)


def quarry(seat: Seat, d: CardDef) -> float:
    """What a monster in my hand is worth by itself: a fight to look for, if I beat it."""
    if foe_strength(seat, d) < seat.strength(seat.seat):
        return 9.0 if seat.level(seat.seat) >= seat.goal - 2 else 2.5 + 0.6 * d.treasures
    return 0.8 + 0.02 * d.level


def _partner(seat: Seat) -> bool:
    """Do I hold a card that brings a monster of mine into somebody's fight?"""
    return any(mode.needs_monster for c in seat.hand for mode in seat.defs[c].modes)


def foe_strength(seat: Seat, d: CardDef, who: int = -1) -> int:
    """How strong a monster would be against me, or somebody else."""
    if "strength" not in d.mods:
        return d.level
    return foe_against(d, seat.traits(seat.seat if who < 0 else who))


def foe_against(d: CardDef, traits: frozenset[str]) -> int:
    """How strong a monster is against whoever is all this."""
    n = d.level
    for m in d.mods.get("strength", ()):
        if m.to == "owner" and m.test is None and (m.against is None or m.against & traits):
            n += m.amount
        elif m.to == "fighters" and (m.against is None or m.against & traits):
            n -= m.amount
    return n


def recast(seat: Seat, d: CardDef, instead: int = -1) -> frozenset[str]:
    """What I would be with a Race or Class, instead of another card or of none."""
    gone = seat.defs[instead].traits if instead >= 0 else _NO_RACE if d.kind == "race" else frozenset[str]()
    return seat.traits(seat.seat) - gone | d.traits


def without(seat: Seat, card: int) -> frozenset[str]:
    """What I would be without a Race or Class of mine."""
    d = seat.defs[card]
    last = d.kind == "race" and sum(seat.defs[c].kind == "race" for c in seat.table(seat.seat)) == 1
    return seat.traits(seat.seat) - d.traits | (_NO_RACE if last else frozenset[str]())


def fits(d: CardDef, traits: frozenset[str]) -> bool:
    """May somebody who is all this use the Item?"""
    return (not d.usable_by or bool(d.usable_by & traits)) and not d.not_usable_by & traits


def cheated(seat: Seat, item: int) -> float:
    """By how much all that I could wear grows if no limit held for one Item of mine, which may be still in hand."""
    before = sum((power(seat, c) for c in best_gear(seat)), 0.0)
    rest = best_gear(seat, item) - {item}
    return might(seat, item) + sum((power(seat, c) for c in rest), 0.0) - before


def best_gear(seat: Seat, apart: int = -1) -> set[int]:
    """Which of my Items should be in use: the best of each slot, and the best handful; one of them may stand apart.
    To be read: without such a one it is asked for again and again."""
    if apart >= 0:
        return _best_gear(seat, apart)
    if seat.gear is None:
        seat.gear = _best_gear(seat, apart)
    return seat.gear


def _best_gear(seat: Seat, apart: int) -> set[int]:
    items = []
    best = set()
    slots: dict[str, list[int]] = {}
    for c in seat.table(seat.seat):
        if c == apart:
            continue
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
    return best | _handful(seat, items, apart)


def _waived(seat: Seat, card: int) -> bool:
    return bool(seat.hosts) and any(seat.defs[a].waives for a, host in seat.hosts.items() if host == card)


def _handful(seat: Seat, items: list[int], apart: int = -1) -> set[int]:
    if not items:
        return set()
    worn = items if apart < 0 or _waived(seat, apart) else [*items, apart]
    room = seat.hands_free() + sum(seat.defs[c].hands for c in worn if seat.in_use(c))
    if sum(seat.defs[c].hands for c in items) <= room:
        return set(items)
    best: tuple[float, int, tuple[int, ...]] = (0.0, 0, ())
    for n in range(1, min(len(items), 4) + 1):
        for some in combinations(items, n):
            if sum(seat.defs[c].hands for c in some) <= room:
                kept = sum(seat.in_use(c) for c in some)
                best = max(best, (sum((power(seat, c) for c in some), 0.0), kept, some))
    return set(best[2])


def traits(seat: Seat, s: int) -> frozenset[str]:
    """Race, Class and sex of a player."""
    return seat.traits(s)
