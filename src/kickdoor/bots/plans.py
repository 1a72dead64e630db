"""What cards and powers do to a fight, on either side, and the cheapest handful of them that is enough."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from kickdoor.bots.enhancing import swells
from kickdoor.bots.seat import Fray, Seat
from kickdoor.bots.standing import near
from kickdoor.bots.values import LEVEL, fits, foe_against, foe_strength, quarry, recast, without, worth
from kickdoor.cards.kinds import TRAITS
from kickdoor.cards.library import Args
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, Move, seat_of

SURE: Final = 99  # turns any fight
ENHANCES: Final = ("enhance_monster", "enhance_enhancer")
WIDEST: Final = 8  # pushes looked at
TRAIT_PRICE: Final = 4.5  # a Race or Class given up
POWER_PRICE: Final = 1.8  # the card that pays for a power
LUCK: Final = 3  # what a die is counted on for
_SIDES: Final = {MUNCHKINS: "munchkins", MONSTERS: "monsters"}
RAISED: Final = 7  # the Level of a monster out of the discards, one with another


class Push(NamedTuple):
    """A move, by how much it shifts the fight towards the one who makes it, and what it costs him."""

    gain: int
    cost: float
    move: Move


class Plan(NamedTuple):
    """Pushes that together are enough."""

    cost: float
    moves: tuple[Move, ...]


def cheapest(pushes: list[Push], need: int, most: int = 4) -> Plan | None:
    """The cheapest set of pushes, no card twice, that shifts the fight by `need`; the strongest of it first."""
    best: Plan | None = None
    pushes = [p for p in pushes if p.gain > 0]
    if sum(p.gain for p in pushes) < need:
        return best
    pushes = sorted(pushes, key=lambda p: (p.cost / p.gain, p.move))[:WIDEST]
    for n in range(1, min(most, len(pushes)) + 1):
        for some in combinations(pushes, n):
            if sum(p.gain for p in some) < need or len({p.move.card for p in some}) < n:
                continue
            cost = sum((p.cost for p in some), 0.0)
            if best is None or cost < best.cost:
                best = Plan(cost, tuple(p.move for p in sorted(some, key=lambda p: (-p.gain, p.move))))
    return best


# -- for the munchkins --------------------------------------------------------------------------------------------


def ours(seat: Seat, fray: Fray) -> list[Push]:
    """What I could add to the munchkins' side, or take from the monsters'."""
    out: list[Push] = []
    if any("level_only" in seat.defs[x.face].mods for x in fray.foes):
        return out  # nothing would count
    for m in seat.moves:
        if m.verb == mv.PLAY:
            out += _play(seat, m, fray)
        elif m.verb == mv.USE:
            out += _power(seat, m, fray)
        elif m.verb == mv.DISCARD and seat.defs[m.card].kind in TRAITS:
            out.append(Push(_changed(seat, fray, without(seat, m.card)) - _ties(seat, m.card), TRAIT_PRICE, m))
    return out


def _changed(seat: Seat, fray: Fray, after: frozenset[str]) -> int:
    """By how much the fight shifts if I am of another Race or Class: what monsters hate, what Items ask for."""
    before = seat.traits(seat.seat)
    others = frozenset(x for s in fighters(fray) if s != seat.seat for x in seat.traits(s))
    n = 0
    for foe in fray.foes:
        d = seat.defs[foe.face]
        n += foe_against(d, before | others) - foe_against(d, after | others)
    for c in seat.table(seat.seat):
        x = seat.defs[c]
        if seat.in_use(c) and fits(x, before) and not fits(x, after):
            n -= x.bonus
    return n


def _ties(seat: Seat, card: int) -> int:
    """The point that whoever wins ties has more."""
    return int(card >= 0 and "wins_ties" in seat.defs[card].mods)


def _turned(seat: Seat, m: Move, fray: Fray) -> list[Push]:
    """A Race or Class put on in the fight."""
    d = seat.defs[m.card]
    gain = _changed(seat, fray, recast(seat, d, m.target)) + _ties(seat, m.card) - _ties(seat, m.target)
    return [Push(gain, TRAIT_PRICE / 2 if m.target >= 0 else 0.2, m)]


def _play(seat: Seat, m: Move, fray: Fray) -> list[Push]:
    mode = seat.mode(m)
    if mode is None:
        return []
    d = seat.defs[m.card]
    if mode.op == "trait":
        return _turned(seat, m, fray)
    if mode.op == "side_bonus":
        return [Push(d.bonus, worth(seat, m.card), m)] if m.target == MUNCHKINS else []
    if mode.op in ENHANCES:
        return [Push(-swells(seat, m, fray), worth(seat, m.card), m)]
    if mode.wins_fight:
        return [Push(SURE, worth(seat, m.card), m)]
    if mode.op == "ally":
        return [Push(d.level, worth(seat, m.card), m)]
    if mode.op != "effect":
        return []
    steps = {s.verb: s.a for s in seat.does(m)}
    shift = _shift(steps, m, fray)
    if shift:
        return [Push(-shift, worth(seat, m.card), m)]
    if "replace_monster" in steps and mv.names_card(m.extra):
        old = next((seat.foe_strength_now(x) for x in fray.foes if x.card == m.target), 0)
        new = foe_strength(seat, seat.defs[m.extra], fray.main)
        return [Push(old - new, worth(seat, m.card), m)]
    if "bonus" in steps:
        if "discard" in steps and steps["discard"].frm == "target":  # an Item of mine goes for it
            gain = _tilt(seat, m, fray) - seat.defs[m.target].bonus
            return [Push(gain, worth(seat, m.card) + worth(seat, m.target), m)]
        return [Push(_tilt(seat, m, fray), worth(seat, m.card), m)]
    if "compel_help" in steps:
        return [Push(seat.strength(seat_of(m.target)), worth(seat, m.card), m)]
    if "multiply_item" in steps and isinstance(steps["multiply_item"].amount, int):
        more = (steps["multiply_item"].amount - 1) * seat.defs[m.target].bonus
        return [Push(more, worth(seat, m.card) + worth(seat, m.target), m)]
    if "double" in steps:
        return [Push(seat.strength(seat.seat), worth(seat, m.card), m)]
    if "compel_help" in steps:
        return [Push(seat.strength(seat_of(m.target)), worth(seat, m.card), m)]
    if "annihilate" in steps and any(m.target in seat.enhancers(x) for x in fray.foes):
        return [Push(seat.defs[m.target].bonus, worth(seat, m.card), m)]
    return []


def _tilt(seat: Seat, m: Move, fray: Fray) -> int:
    """By how much a card moves the fight towards the munchkins: what it gives them, less what it gives the monsters."""
    n = 0
    for s in seat.does(m):
        if s.verb == "bonus" and isinstance(s.a.amount, int):
            side = s.a.side or _SIDES.get(m.target, "")
            if side in ("monsters", "each_monster"):
                n -= s.a.amount * (len(fray.foes) if side == "each_monster" else 1)
            elif side == "munchkins" or seat.seat in fighters(fray):
                n += s.a.amount * (sum(s.a.per in seat.traits(x) for x in fighters(fray)) if s.a.per else 1)
    return n


def _shift(steps: dict[str, Args], m: Move, fray: Fray) -> int:
    """By how much the monsters gain from what lies on one of them, or from a total that is read backwards."""
    if "bonus" in steps and any(x.card == m.target for x in fray.foes):
        amount = steps["bonus"].amount
        return amount if isinstance(amount, int) else 0
    if "reverse" not in steps:
        return 0
    if m.target == MONSTERS:
        return _backwards(fray.theirs) - fray.theirs
    return fray.ours - _backwards(fray.ours)


def _backwards(total: int) -> int:
    return int(str(max(0, total))[::-1])


def _power(seat: Seat, m: Move, fray: Fray) -> list[Push]:
    steps = {s.verb: s.a for s in seat.does(m)}
    if "compel_help" in steps:
        return [Push(seat.strength(seat_of(m.target)), max(1.0, fee(seat, m)), m)]
    if "bonus" in steps and (isinstance(steps["bonus"].amount, int) or steps["bonus"].amount == "roll"):
        amount = steps["bonus"].amount
        return _repeated(seat, m, amount if isinstance(amount, int) else LUCK)
    if "tame" in steps and len(fray.foes) > 1:  # with the only one the fight is over, and nothing is won
        gone = next((seat.foe_strength_now(x) for x in fray.foes if x.card == m.target), 0)
        return [Push(gone, fee(seat, m), m)]
    return []


def _repeated(seat: Seat, m: Move, amount: int) -> list[Push]:
    """A power that can be used several times in a fight, a card each: once, twice, as often as that."""
    p = seat.power(m)
    left = max(1, p.times - seat.mine.count(m)) if p.times else 1
    prices = sorted(worth(seat, c) for c in seat.hand) if p.cost == 1 else []
    out = [Push(amount, toll(seat, m), m)]
    for n in range(2, min(left, len(prices)) + 1):
        out.append(Push(n * amount, sum(prices[:n], 0.0), m))
    return out


def fee(seat: Seat, m: Move) -> float:
    """What the cards cost that a power asks for."""
    p = seat.power(m)
    if p.cost_hand:
        return sum((worth(seat, c) for c in seat.hand), 0.0)
    asked = _printed(seat, m.target) if p.cost_by else p.cost
    if asked:
        pool = seat.hand if p.cost_from != "in_play" else [c for c in seat.table(seat.seat) if seat.defs[c].gold]
        return sum(sorted(worth(seat, c) for c in pool)[:asked], 0.0) + POWER_PRICE * max(0, asked - len(pool))
    return (worth(seat, m.card) if p.cost_self else 0.0) + LEVEL * p.cost_level


def _printed(seat: Seat, foe: int) -> int:
    """The Treasures on the card of a monster in the fight."""
    fray = seat.fray
    return next((seat.defs[x.face].treasures for x in fray.foes if x.card == foe), 0) if fray is not None else 0


def toll(seat: Seat, m: Move) -> float:
    """What it costs to use a power once: a card that I can spare, or whatever else it asks for, if anything."""
    return spare(seat) if seat.power(m).cost else fee(seat, m)


def spare(seat: Seat) -> float:
    """What the card is worth that I would give for a power."""
    hand = seat.hand
    least = worth(seat, hand[0]) if hand else POWER_PRICE
    for c in hand:
        least = min(least, worth(seat, c))
    return least


# -- for the monsters ---------------------------------------------------------------------------------------------


def theirs(seat: Seat, fray: Fray) -> list[Push]:
    """What I could throw at the munchkins."""
    out = []
    for m in seat.moves:
        if m.verb == mv.PLAY:
            gain = _thrown(seat, m, fray)
        elif m.verb == mv.USE:
            gain = _used(seat, m)
        else:
            continue
        if gain > 0:
            out.append(Push(gain, toll(seat, m) if m.verb == mv.USE else _price(seat, m), m))
    return out


def _price(seat: Seat, m: Move) -> float:
    """The card, and a monster that goes with it: that is kept for such a card, and against who is about to win it has
    found what it was kept for."""
    if not mv.names_card(m.extra):
        return worth(seat, m.card)
    due = seat.fray is not None and near(seat, seat.fray.main)
    return worth(seat, m.card) + (quarry(seat, seat.defs[m.extra]) if due else worth(seat, m.extra))


def _used(seat: Seat, m: Move) -> int:
    steps = {s.verb: s.a for s in seat.does(m)}
    if "penalty" in steps and isinstance(steps["penalty"].amount, int):
        return steps["penalty"].amount
    return RAISED if "raise_monster" in steps else 0


def _thrown(seat: Seat, m: Move, fray: Fray) -> int:
    """By how much a card hurts the munchkins in the fight."""
    mode = seat.mode(m)
    if mode is None:
        return 0
    d = seat.defs[m.card]
    if mode.op == "side_bonus":
        return d.bonus if m.target == MONSTERS else 0
    if mode.op in ENHANCES:
        return _worsened(seat, m, fray)
    if mode.op == "join":
        return foe_strength(seat, d, fray.main)
    if mode.op == "curse":
        return curse_damage(seat, m, fray)
    steps = {s.verb: s.a for s in seat.does(m)}
    shift = _shift(steps, m, fray)
    if shift:
        return shift
    if "add_monster" in steps and mv.names_card(m.extra):
        return foe_strength(seat, seat.defs[m.extra], fray.main)
    if "raise_monster" in steps:
        return RAISED
    if "clone_monster" in steps:
        return next((seat.foe_strength_now(x) for x in fray.foes if x.card == m.target), 0)
    if "replace_monster" in steps and mv.names_card(m.extra):
        old = next((seat.foe_strength_now(x) for x in fray.foes if x.card == m.target), 0)
        return foe_strength(seat, seat.defs[m.extra], fray.main) - old
    if "bonus" in steps:
        return -_tilt(seat, m, fray)
    if "dismiss_helper" in steps:
        return seat.strength(fray.helper) if fray.helper >= 0 else 0
    if "discard" in steps and seat_of(m.target) in fighters(fray):
        return _lost_items(seat, seat_of(m.target), steps["discard"])
    if mode.stays == "fight" and "must_flee" in d.mods:
        return SURE
    if "remove_monster" in steps:
        return SURE if steps["remove_monster"].which == "all" or _robbed(seat, fray, m.target) else 0
    if "steal_level" in steps and seat_of(m.target) == fray.main:
        return SURE if falls_short(seat, fray, 1) else 1
    if "annihilate" in steps and seat.in_use(m.target) and any(m.target in seat.table(s) for s in fighters(fray)):
        return seat.defs[m.target].bonus
    if "transfer_fight" in steps and seat_of(m.target) == seat.seat:
        return SURE
    return 0


def _worsened(seat: Seat, m: Move, fray: Fray) -> int:
    """An enhancer: what it adds, whom it sends away; or enough, if what it leaves to win is no longer the game."""
    mods = seat.defs[m.card].mods
    if winner(seat, fray) == fray.main and falls_short(seat, fray, -sum(x.amount for x in mods.get("levels", ()))):
        return SURE
    alone = seat.strength(fray.helper) if "no_help" in mods and fray.helper >= 0 else 0
    blunt = sum(seat.dulled(s, seat.defs[m.card]) for s in fighters(fray)) if "ignore_items" in mods else 0
    return swells(seat, m, fray) + alone + blunt


def fighters(fray: Fray) -> list[int]:
    return [s for s in (fray.main, fray.helper) if s >= 0]


def _robbed(seat: Seat, fray: Fray, foe: int) -> bool:
    """Without this monster, and the levels for it, would nobody win the game who does so with it?"""
    rest = tuple(x for x in fray.foes if x.card != foe)
    lost = sum(seat.defs[x.face].levels for x in fray.foes if x.card == foe)
    return winner(seat, fray) >= 0 > winner(seat, fray.against(rest, fray.levels - lost))


def falls_short(seat: Seat, fray: Fray, lost: int, who: int = -1) -> bool:
    """Would a fighter (the main one), that many levels lower, not win the game with this fight?"""
    who = fray.main if who < 0 else who
    level = max(1, seat.level(who) - lost)
    return level + (fray.levels if who == fray.main else len(fray.foes)) < seat.goal_of(who)


def curse_damage(seat: Seat, m: Move, fray: Fray) -> int:
    """A Curse on a fighter: what it takes from his strength; or enough, if it keeps him from winning the game."""
    d = seat.defs[m.card]
    victim = seat_of(m.target)
    if victim not in (fray.main, fray.helper) or victim < 0:
        return 0
    worn = [c for c in seat.table(victim) if seat.in_use(c)]
    if d.curses_item:
        return -d.bonus if worn else 0
    n = -sum(x.amount for x in d.mods.get("strength", ()) if x.to == "owner")
    if "no_help" in d.mods and victim == fray.main and fray.helper >= 0:
        n += seat.strength(fray.helper)
    gear = sorted((seat.defs[c].bonus for c in worn), reverse=True)
    for step in seat.steps(d.prog_effect):
        if step.verb == "lose_level":
            lost = step.a.amount if isinstance(step.a.amount, int) else 1
            if victim == winner(seat, fray) and falls_short(seat, fray, lost, victim):
                return SURE
            n += min(lost, seat.level(victim) - 1)
        elif step.verb == "discard" and gear:
            n += _lost_items(seat, victim, step.a)
    return n + (sum(gear) // 2 if "no_item_bonuses" in d.mods else 0)


def _lost_items(seat: Seat, victim: int, a: Args) -> int:
    """The strength that goes with the Items a step takes; the victim gives what he misses least."""
    if a.frm not in ("in_play", "equipped"):
        return 0
    lost = sorted(seat.defs[c].bonus if seat.in_use(c) else 0 for c in seat.struck(victim, a))
    if a.count == "all":
        return sum(lost)
    return sum(lost[-1:] if a.pick or a.chooser != "victim" else lost[:1])


def wins_game(seat: Seat, fray: Fray) -> bool:
    """Would the main player reach the winning level with this fight?"""
    return seat.level(fray.main) + fray.levels >= seat.goal_of(fray.main)


def lifted(seat: Seat, fray: Fray, helper: int) -> bool:
    """Would somebody who helps here, and rises with every kill, reach the winning level?"""
    near = seat.level(helper) + len(fray.foes) >= seat.goal_of(helper)
    return near and seat.has(helper, "helper_level")


def winner(seat: Seat, fray: Fray) -> int:
    """Who would win the game with this fight: the main player, else a helper; -1 if nobody."""
    if wins_game(seat, fray):
        return fray.main
    return fray.helper if fray.helper >= 0 and lifted(seat, fray, fray.helper) else -1


def need(seat: Seat, fray: Fray) -> int:
    """By how much the munchkins' side must grow to win."""
    tie = seat.has(fray.main, "wins_ties") or (fray.helper >= 0 and seat.has(fray.helper, "wins_ties"))
    return fray.theirs - fray.ours + (0 if tie else 1)
