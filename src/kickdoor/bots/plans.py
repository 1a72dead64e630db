"""What cards and powers do to a fight, on either side, and the cheapest handful of them that is enough."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from kickdoor.bots.seat import Fray, Seat
from kickdoor.bots.values import foe_strength, worth
from kickdoor.engine import moves as mv
from kickdoor.engine.moves import MONSTERS, MUNCHKINS, Move, seat_of

SURE: Final = 99  # turns any fight
WIDEST: Final = 8  # pushes looked at
POWER_PRICE: Final = 1.8  # the card that pays for a power


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
    pushes = sorted((p for p in pushes if p.gain > 0), key=lambda p: (p.cost / p.gain, p.move))[:WIDEST]
    for n in range(1, min(most, len(pushes)) + 1):
        for some in combinations(pushes, n):
            if sum(p.gain for p in some) < need or len({p.move.card for p in some}) < n:
                continue
            cost = sum(p.cost for p in some)
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
            out += _power(seat, m)
    return out


def _play(seat: Seat, m: Move, fray: Fray) -> list[Push]:
    mode = seat.mode(m)
    if mode is None:
        return []
    d = seat.defs[m.card]
    if mode.op == "side_bonus":
        return [Push(d.bonus, worth(seat, m.card), m)] if m.target == MUNCHKINS else []
    if mode.op == "enhance_monster":
        return [Push(-d.bonus, worth(seat, m.card), m)] if d.bonus < 0 else []
    if mode.wins_fight:
        return [Push(SURE, worth(seat, m.card), m)]
    if mode.op != "effect":
        return []
    steps = {s.verb: s.a for s in seat.does(m)}
    if "replace_monster" in steps and m.extra >= 0:
        old = next((seat.foe_strength_now(x) for x in fray.foes if x.card == m.target), 0)
        new = foe_strength(seat, seat.defs[m.extra], fray.main)
        return [Push(old - new, worth(seat, m.card), m)]
    if "bonus" in steps and (m.target == MUNCHKINS or mode.on == "munchkins"):
        amount = steps["bonus"].amount
        return [Push(amount, worth(seat, m.card), m)] if isinstance(amount, int) else []
    if "double" in steps:
        return [Push(seat.strength(seat.seat), worth(seat, m.card), m)]
    return []


def _power(seat: Seat, m: Move) -> list[Push]:
    steps = {s.verb: s.a for s in seat.does(m)}
    if "compel_help" in steps:
        return [Push(seat.strength(seat_of(m.target)), 1.0, m)]
    if "bonus" in steps and isinstance(steps["bonus"].amount, int):
        return [Push(steps["bonus"].amount, spare(seat), m)]
    return []


def spare(seat: Seat) -> float:
    """What the card is worth that I would give for a power."""
    return min((worth(seat, c) for c in seat.hand), default=POWER_PRICE)


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
            out.append(Push(gain, spare(seat) if m.verb == mv.USE else _price(seat, m), m))
    return out


def _price(seat: Seat, m: Move) -> float:
    """The card, and a monster that goes with it."""
    return worth(seat, m.card) + (worth(seat, m.extra) if m.extra >= 0 else 0.0)


def _used(seat: Seat, m: Move) -> int:
    steps = {s.verb: s.a for s in seat.does(m)}
    if "penalty" in steps and isinstance(steps["penalty"].amount, int):
        return steps["penalty"].amount
    return 0


def _thrown(seat: Seat, m: Move, fray: Fray) -> int:
    """By how much a card hurts the munchkins in the fight."""
    mode = seat.mode(m)
    if mode is None:
        return 0
    d = seat.defs[m.card]
    if mode.op == "side_bonus":
        return d.bonus if m.target == MONSTERS else 0
    if mode.op == "enhance_monster":
        return d.bonus if fray.foes else 0
    if mode.op == "join":
        return foe_strength(seat, d, fray.main)
    if mode.op == "curse":
        return curse_damage(seat, m, fray)
    steps = {s.verb: s.a for s in seat.does(m)}
    if "add_monster" in steps and m.extra >= 0:
        return foe_strength(seat, seat.defs[m.extra], fray.main)
    if "clone_monster" in steps:
        return next((seat.foe_strength_now(x) for x in fray.foes if x.card == m.target), 0)
    if "replace_monster" in steps and m.extra >= 0:
        old = next((seat.foe_strength_now(x) for x in fray.foes if x.card == m.target), 0)
        return foe_strength(seat, seat.defs[m.extra], fray.main) - old
    if "bonus" in steps and m.target == MONSTERS and isinstance(steps["bonus"].amount, int):
        return steps["bonus"].amount
    if steps.keys() & {"remove_monster"} and steps["remove_monster"].which == "all":
        return SURE  # no fight, no victory
    if "steal_level" in steps and seat_of(m.target) == fray.main:
        return SURE if falls_short(seat, fray, 1) else 1
    if "transfer_fight" in steps and seat_of(m.target) == seat.seat:
        return SURE
    return 0


def falls_short(seat: Seat, fray: Fray, lost: int) -> bool:
    """Would the main player, that many levels lower, not win the game with this fight?"""
    level = max(1, seat.level(fray.main) - lost)
    return level + fray.levels < seat.goal_of(fray.main)


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
    gear = sorted((seat.defs[c].bonus for c in worn), reverse=True)
    for step in seat.steps(d.prog_effect):
        if step.verb == "lose_level":
            lost = step.a.amount if isinstance(step.a.amount, int) else 1
            if victim == fray.main and wins_game(seat, fray) and falls_short(seat, fray, lost):
                return SURE
            n += min(lost, seat.level(victim) - 1)
        elif step.verb == "discard" and gear:
            n += _lost_item(seat, d.name, worn, step.a.pick)
    return n + (sum(gear) // 2 if "no_item_bonuses" in d.mods else 0)


def _lost_item(seat: Seat, name: str, worn: list[int], pick: str) -> int:
    if pick == "biggest_bonus":
        return max(seat.defs[c].bonus for c in worn)
    for slot in ("headgear", "armor", "footgear"):
        if slot in name.lower():
            return max((seat.defs[c].bonus for c in worn if seat.defs[c].slot == slot), default=0)
    return 0


def wins_game(seat: Seat, fray: Fray) -> bool:
    """Would the main player reach the winning level with this fight?"""
    return seat.level(fray.main) + fray.levels >= seat.goal_of(fray.main)


def need(seat: Seat, fray: Fray) -> int:
    """By how much the munchkins' side must grow to win."""
    tie = seat.has(fray.main, "wins_ties") or (fray.helper >= 0 and seat.has(fray.helper, "wins_ties"))
    return fray.theirs - fray.ours + (0 if tie else 1)
