"""The quiet part of a turn: arm, level up, sell, kick, look for trouble, loot; and a Curse for the leader."""

from __future__ import annotations

import random
from itertools import combinations

from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.values import best_gear, foe_strength, power, usable, worth
from kickdoor.engine import moves as mv
from kickdoor.engine.moves import Move, at_seat, seat_of

DANGER = 2  # levels below the goal at which somebody is a threat


def own_turn(seat: Seat, chance: random.Random) -> Choice:
    """The first thing on the list that can be done."""
    got = fresh_cards(seat) or gear(seat) or rise(seat) or selling(seat)
    if got is not None:
        return got
    by_verb = {m.verb: m for m in seat.moves}
    if mv.TROUBLE in by_verb:
        fight = trouble(seat)
        if fight is not None:
            return fight
    if mv.CHARITY in by_verb or mv.KICK in by_verb:
        spite = hold_back(seat, spend=mv.CHARITY in by_verb)
        if spite is not None:
            return spite
    for verb, why in _ROUTINE:
        if verb in by_verb:
            return Choice(by_verb[verb], why)
    return Choice(seat.moves[0], "Nothing better to do.")


_ROUTINE = (
    (mv.KICK, ""),
    (mv.KEEP, "It may come in handy."),
    (mv.LOOT, "Nothing here I could beat."),
    (mv.CHARITY, "Too many cards."),
    (mv.END_TURN, ""),
    (mv.PASS, ""),
)


# -- cards that go on the table -----------------------------------------------------------------------------------


def fresh_cards(seat: Seat) -> Choice | None:
    """Race, Class, Items, companions: down with what helps."""
    for m in seat.moves:
        if m.verb != mv.PLAY or (m.target >= 0 and m.card not in seat.me["hand"]):
            continue
        d = seat.defs[m.card]
        mode = seat.mode(m)
        op = mode.op if mode is not None else ""
        if op == "item" and _wanted(seat, m.card):
            return Choice(m, _why_item(seat, m.card))
        if op == "trait" and m.target < 0 and not _crowded(seat, d.kind):
            return Choice(m, f"A {d.name} is better than nothing.")
        if op in ("multi", "companion", "lasting"):
            return Choice(m, "That helps.")
        if op == "attach" and m.target in seat.me["table"] and _improves(seat, m):
            return Choice(m, "A good Item made better.")
    return None


def _why_item(seat: Seat, card: int) -> str:
    if seat.defs[card].kind == "one_shot":
        return "Within reach."
    return "Better on than in the bag." if usable(seat, card) else "Somebody will buy it."


def _crowded(seat: Seat, kind: str) -> bool:
    """Have I such a trait already, and no card that allows two?"""
    table = [seat.defs[c] for c in seat.me["table"]]
    return any(d.kind == kind for d in table) and not any(d.multi == kind for d in table)


def _wanted(seat: Seat, card: int) -> bool:
    """Small Items always; a Big one, which blocks the others, only if it is of use. One-shots stay in hand."""
    d = seat.defs[card]
    if d.kind == "one_shot":
        return bool(len(seat.me["hand"]) > seat.me["hand_limit"])
    return not d.big or power(seat, card) > 0


def _improves(seat: Seat, m: Move) -> bool:
    if seat.defs[m.card].waives:
        return not usable(seat, m.target) and seat.defs[m.target].bonus >= 3
    return m.target in seat.me["equipped"] or usable(seat, m.target)


def gear(seat: Seat) -> Choice | None:
    """Take up what is better than what is in use."""
    changes = [m for m in seat.moves if m.verb in (mv.EQUIP, mv.UNEQUIP)]
    if not changes:
        return None
    best = best_gear(seat)
    turned = [m.card for m in seat.mine if m.verb in (mv.EQUIP, mv.UNEQUIP)]
    for m in changes:
        if m.verb == mv.EQUIP and turned.count(m.card) < 2 and (m.card in best or m.target >= 0):
            return Choice(m, "That makes me stronger.")
    if best - set(seat.me["equipped"]):
        for m in changes:
            if m.verb == mv.UNEQUIP and m.card not in best and turned.count(m.card) < 2:
                return Choice(m, "Room for something better.")
    return None


# -- levels -------------------------------------------------------------------------------------------------------


def rise(seat: Seat) -> Choice | None:
    """Go up a level where a card says so, or take one."""
    for m in seat.moves:
        if m.verb != mv.PLAY:
            continue
        verbs = {s.verb for s in seat.does(m)}
        if "kill_companion" in verbs and _have_companion(seat):
            continue
        if seat.defs[m.card].kind == "go_up_a_level" and seat_of(m.target) == seat.seat:
            return Choice(m, "A level is a level.")
        if "steal_level" in verbs and seat_of(m.target) == leader(seat):
            return Choice(m, "It looks better on me.")
    return None


def _have_companion(seat: Seat) -> bool:
    return any(seat.defs[c].is_companion for c in seat.me["table"])


def selling(seat: Seat) -> Choice | None:
    """Begin a sale when the plan for it is good."""
    for m in seat.moves:
        if m.verb == mv.SELL and not any(x.verb == mv.CANCEL for x in seat.mine) and sale_plan(seat):
            return Choice(m, "Junk for a level.")
    return None


def sale_plan(seat: Seat) -> tuple[int, ...]:
    """The Items to sell for one level that I would miss least; empty if that is too dear."""
    p = seat.me
    best = best_gear(seat)
    cards = [c for c in (*p["hand"], *p["table"]) if seat.defs[c].is_item and seat.defs[c].gold]
    cards = [c for c in cards if c not in p["attached"] and not seat.defs[c].is_companion]
    cost = {c: _miss(seat, c, best) for c in cards}
    cards = sorted(cards, key=lambda c: cost[c] / (seat.defs[c].gold or 1))[:9]
    found: tuple[float, tuple[int, ...]] | None = None
    for n in range(1, min(6, len(cards)) + 1):
        for some in combinations(cards, n):
            if sum(seat.defs[c].gold or 0 for c in some) >= seat.sale:
                loss = sum(cost[c] for c in some)
                if found is None or loss < found[0]:
                    found = (loss, some)
    limit = 3.0 if p["level"] < seat.goal - 2 else 4.5
    return found[1] if found is not None and found[0] <= limit else ()


def _miss(seat: Seat, card: int, best: set[int]) -> float:
    """What the loss of an Item does to me, apart from its price."""
    d = seat.defs[card]
    if d.kind == "one_shot":
        return 0.5 + 0.35 * d.bonus
    if card in best:
        return power(seat, card)
    return 0.4 * power(seat, card) if card in seat.me["hand"] else 0.1


def sell(seat: Seat) -> Choice:
    """Name the Items of the plan one by one, then close; the dearest twice where I may."""
    added = []
    for m in reversed(seat.mine):
        if m.verb == mv.SELL:
            break
        added.append(m.card)
    plan = sale_plan(seat)
    done = next((m for m in seat.moves if m.verb == mv.DONE), None)
    todo = [m for m in seat.moves if m.verb == mv.ADD and m.card in plan and m.card not in added]
    if todo and (done is None or len(plan) > len(added)):
        dear = max(todo, key=lambda m: (seat.defs[m.card].gold or 0, m.extra))
        if done is None:
            return Choice(dear, "For sale.")
    if done is not None:
        return Choice(done, "Sold.")
    return Choice(next(m for m in seat.moves if m.verb == mv.CANCEL), "I keep it after all.")


# -- trouble ------------------------------------------------------------------------------------------------------


def trouble(seat: Seat) -> Choice | None:
    """A monster of my own that I beat, the one that pays best."""
    mine = seat.me["strength"]
    can = [m for m in seat.moves if m.verb == mv.TROUBLE and foe_strength(seat, seat.defs[m.card]) < mine]
    if not can:
        return None
    best = max(can, key=lambda m: (seat.defs[m.card].levels, seat.defs[m.card].treasures, m.card))
    return Choice(best, f"I can beat {seat.defs[best.card].name}.")


# -- others -------------------------------------------------------------------------------------------------------


def leader(seat: Seat) -> int:
    """Who is ahead of the others, me not counted."""
    players = seat.view["players"]
    rivals = [s for s in range(len(players)) if s != seat.seat and not players[s]["dead"]]
    return max(rivals, key=lambda s: (players[s]["level"], players[s]["strength"], -s), default=-1)


def hold_back(seat: Seat, spend: bool = False) -> Choice | None:
    """A Curse on whoever is about to win; with too many cards, on whoever leads."""
    top = leader(seat)
    if top < 0 or (not spend and seat.view["players"][top]["level"] < seat.goal_of(top) - DANGER):
        return None
    best: tuple[float, Move] | None = None
    for m in seat.moves:
        aimed = m.target == at_seat(top) or m.target in seat.view["players"][top]["equipped"]
        if m.verb == mv.PLAY and aimed and _hurts(seat, m):
            rank = (worth(seat, m.card) if spend else -_pain(seat, m), m)
            best = rank if best is None else min(best, rank)
    if best is None:
        return None
    name = seat.name(top)
    return Choice(best[1], f"Better on {name} than given away." if spend else f"{name} is far enough ahead.")


def _hurts(seat: Seat, m: Move) -> bool:
    return seat.defs[m.card].is_curse and _pain(seat, m) > 0


def _pain(seat: Seat, m: Move) -> float:
    """Is there anything for this Curse to take from its victim?"""
    d = seat.defs[m.card]
    players = seat.view["players"]
    s = seat_of(m.target)
    p = players[s] if s >= 0 else next(x for x in players if m.target in x["table"])
    pain = 2.0 if d.lasting else 0.0
    for step in seat.steps(d.prog_effect):
        if step.verb == "lose_level":
            pain += 3.0 * (step.a.amount if isinstance(step.a.amount, int) else 1)
        elif step.verb in ("discard", "pay") and p["equipped"]:
            pain += 1.5
        elif step.verb in ("take", "change_trait", "change_sex") or (step.verb == "attach" and p["equipped"]):
            pain += 1.0
    return pain
