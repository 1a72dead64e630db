"""Using powers, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kickdoor.cards.library import Power
from kickdoor.engine.facts import fights
from kickdoor.engine.playing import abilities
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move
from kickdoor.scenario.choosing import answer, question
from kickdoor.scenario.finding import Finder
from kickdoor.scenario.naming import ScenarioError, Unclear, Unused, split
from kickdoor.scenario.playing import play
from kickdoor.scenario.wording import Keys, as_list


def use(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    """A power, once for each target; one that costs a single card, once for each card."""
    if is_spent(f, str(arg)):
        yield from play(f, arg, keys)
        return
    name, keys = whose(str(arg), keys)
    pay = as_list(keys.get("discard"))
    targets = as_list(keys.get("on")) or [None]
    by_card = costs_one(f, announced(f, name, keys, targets[0]))
    for i in range(max(len(targets), len(pay) if by_card else 1)):
        move = announced(f, name, keys, targets[min(i, len(targets) - 1)])
        yield from once(f, move, pay[i : i + 1] if by_card else pay if i == 0 else [])


def is_spent(f: Finder, label: str) -> bool:
    """Is that a card of one's own that has no power, and is used by being played: a one-shot, a pet (EPIC-29)?"""
    if split(label)[0].lower() not in f.g.lib.by_name:
        return False
    card = f.card(label)
    d, p = f.g.lib.defs[card], f.g.players[f.seat]
    return (d.kind == "monster" and card in p.table) or (d.is_one_shot and not d.powers and card in owned(f))


def whose(name: str, keys: Keys) -> tuple[str, Keys]:
    """`Stoned Golem#2` and `Casting Couch@clerical_errors` are the power of that name, and which card's it is."""
    plain = split(name)[0]
    return plain, keys if plain == name else {"card": name, **keys}


def once(f: Finder, move: Move, pay: list[Any]) -> Iterator[Move]:
    """Announce it, and answer what it costs."""
    before = owned(f)
    yield move
    asked = question(f)
    if asked is None or asked.about != "pay":
        check_paid(f, move, pay, before - owned(f))
        return
    if not pay and len(asked.options) == asked.low:
        pay = [f.g.lib.defs[c].name for c in asked.options]
    for label in pay:
        yield answer(f, label)
    if pay and f.g.stack[-1] is asked:  # there is more to pay: whether that is enough is for the rules to say
        yield Move(f.seat, mv.DONE)


def owned(f: Finder) -> set[int]:
    p = f.g.players[f.seat]
    return {*p.hand, *p.table}


def check_paid(f: Finder, move: Move, pay: list[Any], gone: set[int]) -> None:
    """Nobody was asked for the price: what is written of it must be what was paid, a whole hand wholly."""
    for label in pay:
        card = next((c for c in gone if f.names.matches(str(label), c)), -1)
        if card < 0:
            raise Unused(f"discard: {label!r} is not what it costs")
        gone = gone - {card}
    power = power_meant(f, move)
    if pay and gone and power is not None and power.cost_hand:
        raise ScenarioError("discard: it costs the whole hand, and more was in it than is written")


def costs_one(f: Finder, move: Move) -> bool:
    power = power_meant(f, move)
    return power is not None and power.cost == 1 and not power.cost_hand and not power.cost_by


def announced(f: Finder, name: str, keys: Keys, on: Any) -> Move:
    """The use of a power that the words mean: a legal one, otherwise the one that it would be."""
    label = keys.get("card")
    found = [m for m in f.legal(mv.USE) if is_called(f, m.card, used(f, m), name)]
    if label is not None:
        f.names.copies(str(label))
        found = [m for m in found if f.means(str(label), m.card)]
    if on is not None:
        aimed = f.on(found, on)
        if found and not aimed and all(used(f, m).on == "nothing" for m in found):
            raise Unused(f"on: {name} is not used on anything")
        found = aimed
    if not found:
        return unusable(f, name, label, on)
    if len({used(f, m).key for m in found}) > 1:
        raise Unclear(f"{name}: say `card:` whose")
    return f.only([m for m in found if m.card == found[0].card], name)


def unusable(f: Finder, name: str, label: Any, on: Any) -> Move:
    target = f.target(on) if on is not None else mv.NONE
    for card, power in having(f, name):
        if label is None or f.means(str(label), card):
            return Move(f.seat, mv.USE, card, target, mv.power_code(power.index))
    thing = name if label is None else str(label)
    if thing.lower() in f.g.lib.by_name:  # a card without a power
        return Move(f.seat, mv.USE, f.card(thing), target, mv.power_code(0))
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


def used(f: Finder, move: Move) -> Power:
    """The power of a legal move."""
    return abilities.power_of(f.g, f.seat, move.card, mv.power_index(move.extra))


def power_meant(f: Finder, move: Move) -> Power | None:
    """The power of any move; none, where the card has no such thing."""
    foe = fights.find_foe(f.g.fight, move.card) if f.g.fight is not None else None
    powers = f.g.lib.defs[foe.face if foe is not None else move.card].powers
    return used(f, move) if powers else None
