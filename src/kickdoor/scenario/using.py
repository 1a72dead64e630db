"""Using powers, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kickdoor.cards.library import Power
from kickdoor.engine import abilities
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine.moves import Move
from kickdoor.scenario.choosing import answer, question
from kickdoor.scenario.finding import Finder
from kickdoor.scenario.naming import ScenarioError, Unclear
from kickdoor.scenario.wording import Keys, as_list


def use(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    """A power, once for each target; one that costs a single card, once for each card."""
    name = str(arg)
    pay = as_list(keys.get("discard"))
    targets = as_list(keys.get("on")) or [None]
    first = power_meant(f, announced(f, name, keys, targets[0]))
    by_card = not first.cost_hand and not first.cost_by and first.cost == 1
    rounds = max(len(targets), len(pay) if by_card else 1)
    for i in range(rounds):
        move = announced(f, name, keys, targets[min(i, len(targets) - 1)])
        price = pay[i : i + 1] if by_card else pay if i == 0 else []
        yield from once(f, move, price)


def once(f: Finder, move: Move, pay: list[Any]) -> Iterator[Move]:
    power = power_meant(f, move)
    if pay and power.cost_hand:
        check_hand(f, pay)
        pay = []
    yield move
    asked = question(f)
    if asked is None or asked.about != "pay":
        if pay:
            raise ScenarioError(f"{power.name} costs no card; `discard:` is not used")
        return
    if not pay and len(asked.options) == asked.low:
        pay = [f.g.lib.defs[c].name for c in asked.options]
    for label in pay:
        yield answer(f, label)
    if pay and f.g.stack[-1] is asked:  # there is more to pay: whether that is enough is for the rules to say
        yield Move(f.seat, mv.DONE)


def check_hand(f: Finder, pay: list[Any]) -> None:
    """The price is the whole hand, which is not asked for: so what is written must be just that."""
    left = list(f.g.players[f.seat].hand)
    for label in pay:
        card = next((c for c in left if f.names.matches(str(label), c)), -1)
        if card < 0:
            raise ScenarioError(f"discard: the price is the whole hand, and {label!r} is not in it")
        left.remove(card)
    if left:
        raise ScenarioError("discard: the price is the whole hand, and there is more in it")


def announced(f: Finder, name: str, keys: Keys, on: Any) -> Move:
    """The use of a power that the words mean: a legal one, otherwise the one that it would be."""
    label = keys.get("card")
    found = [m for m in f.legal(mv.USE) if is_called(f, m.card, power_meant(f, m), name)]
    if label is not None:
        f.names.copies(str(label))
        found = [m for m in found if f.means(str(label), m.card)]
    found = f.on(found, on) if on is not None else found
    if not found:
        return unusable(f, name, label, on)
    if len({f.g.lib.defs[m.card].name for m in found}) > 1:
        raise Unclear(f"{name}: say `card:` whose")
    return f.only([m for m in found if m.card == found[0].card], name)


def unusable(f: Finder, name: str, label: Any, on: Any) -> Move:
    target = f.target(on) if on is not None else mv.NONE
    for card, power in having(f, name):
        if label is None or f.means(str(label), card):
            return Move(f.seat, mv.USE, card, target, abilities.POWER_BASE - power.index)
    if label is not None:
        return Move(f.seat, mv.USE, f.card(str(label)), target, abilities.POWER_BASE)
    raise ScenarioError(f"no card of this game has a power {name!r}")


def having(f: Finder, name: str) -> Iterator[tuple[int, Power]]:
    """The cards with such a power: what the player could use, his own cards, what lies in the open, any copy."""
    g = f.g
    p = g.players[f.seat]
    for card, power in abilities.sources(g, f.seat):
        if is_called(f, card, power, name):
            yield card, power
    anywhere = [g.lib.no_race] if g.lib.no_race >= 0 else []
    for card in (*p.table, *p.hand, *f.in_the_open(), *anywhere, *range(len(g.lib.defs))):
        for power in g.lib.defs[card].powers:
            if is_called(f, card, power, name):
                yield card, power


def is_called(f: Finder, card: int, power: Power, name: str) -> bool:
    """By the power's name, or by that of its card (which a monster in the fight may have from another)."""
    foe = f.means(name, card) if f.g.lib.by_name.get(name.lower()) else False
    return name.lower() in (power.key, *power.aka) or f.g.lib.defs[card].name.lower() == name.lower() or foe


def power_meant(f: Finder, move: Move) -> Power:
    return abilities.power_of(f.g, f.seat, move.card, abilities.POWER_BASE - move.extra)
