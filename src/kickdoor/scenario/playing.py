"""Playing cards, as a step says it: on what, with what, as what, instead of what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kickdoor.engine import moves as mv
from kickdoor.engine import plays
from kickdoor.engine.moves import Move
from kickdoor.scenario.finding import Finder
from kickdoor.scenario.naming import ScenarioError, Unclear
from kickdoor.scenario.wording import Keys, as_list

LAID = ("item", "lay")  # ways to play that put a card before its player, to be used later
TAKES_A_PLACE = ("trait", "multi", "steed", "ship")


def play(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    label = str(arg)
    others = [str(x) for x in as_list(keys.get("with"))]
    for name in (label, *others):
        f.names.copies(name)
    if others:
        yield from together(f, [label, *others], keys)
        return
    move = single(f, label, keys)
    yield move
    if keys.get("as") == "carried" and not lies_sideways(f, move.card):
        yield Move(f.seat, mv.UNEQUIP, move.card)


def lies_sideways(f: Finder, card: int) -> bool:
    carried = card in f.g.players[f.seat].table and card not in f.g.equipped
    return carried and (f.g.lib.defs[card].is_item or f.g.lib.defs[card].is_one_shot)


# -- one card -----------------------------------------------------------------------------------------------------


def single(f: Finder, label: str, keys: Keys) -> Move:
    """The way to play a card that the words mean: a legal one, otherwise the one that it would be."""
    found = [m for m in f.with_card(mv.PLAY, label) if m.extra < 0]
    found = by_target(f, by_mode(f, found, keys.get("as")), keys)
    return f.only(found, label) if found else unplayable(f, label, keys)


def unplayable(f: Finder, label: str, keys: Keys) -> Move:
    card = f.card(label)
    word = keys.get("replacing", keys.get("on"))
    target = f.target(word) if word is not None else mv.NONE
    return Move(f.seat, mv.PLAY, card, target, mode_called(f, card, keys.get("as")))


def mode_called(f: Finder, card: int, word: Any) -> int:
    modes = f.g.lib.defs[card].modes
    if word == "carried":
        return next((plays.mode_code(m) for m in modes if m.op in LAID), mv.NONE)
    return next((plays.mode_code(m) for m in modes if m.word and m.word == word), mv.NONE)


def by_mode(f: Finder, found: list[Move], word: Any) -> list[Move]:
    """The way that `as:` says. Unsaid, a card is not laid down where it can be used, nor played in a named way
    where there is a plain one."""
    if word is not None:
        return [m for m in found if is_mode(f, m, str(word))]
    used = [m for m in found if f.mode(m).op not in LAID] or found
    return [m for m in used if not f.mode(m).word] or used


def is_mode(f: Finder, m: Move, word: str) -> bool:
    mode, d = f.mode(m), f.g.lib.defs[m.card]
    if word == "carried":
        return mode.op in LAID or d.is_item
    if word == d.slot:
        return mode.op == "item"
    return mode.word == word or (word == d.kind and not mode.word)


def by_target(f: Finder, found: list[Move], keys: Keys) -> list[Move]:
    if "on" in keys:
        found = f.on(found, keys["on"])
    label = keys.get("replacing")
    if label is not None:
        f.names.copies(str(label))
        return [m for m in found if m.target >= 0 and replaces(f, m) and f.means(str(label), m.target)]
    beside = [m for m in found if not replaces(f, m)]
    if not beside and len({m.target for m in found}) > 1:
        raise Unclear(f"{f.g.lib.defs[found[0].card].name}: say `replacing:` what")
    return beside or found


def replaces(f: Finder, m: Move) -> bool:
    return m.target >= 0 and f.mode(m).op in TAKES_A_PLACE


# -- several cards ------------------------------------------------------------------------------------------------


def together(f: Finder, labels: list[str], keys: Keys) -> Iterator[Move]:
    """Cards played with each other: two in one move where there is such a move, the rest one after the other."""
    left = list(labels)
    while left:
        pair = paired(f, left, keys)
        if pair is not None:
            move, used = pair
        else:
            label = next((x for x in left if goes_beside(f, x)), left[0])
            move, used = single(f, label, keys if label == labels[0] else {}), [label]
        yield move
        for label in used:
            left.remove(label)


def goes_beside(f: Finder, label: str) -> bool:
    """Can it be played without anything making way for it?"""
    return any(m.extra < 0 and not replaces(f, m) for m in f.with_card(mv.PLAY, label))


def paired(f: Finder, labels: list[str], keys: Keys) -> tuple[Move, list[str]] | None:
    """A legal move that plays two of these cards at once."""
    for one in labels:
        for other in labels:
            if one is other:
                continue
            found = [m for m in f.with_card(mv.PLAY, one) if is_pair(f, m, other)]
            if found and "on" in keys:
                found = f.on(found, keys["on"])
            if found:
                return f.only(found[:1], one), [one, other]
    return None


def is_pair(f: Finder, m: Move, other: str) -> bool:
    """With the other as its second card, or on the other as it comes out of the hand."""
    if m.extra >= 0:
        return f.means(other, m.extra)
    return m.target in f.g.players[f.seat].hand and f.means(other, m.target)


# -- other moves with a card --------------------------------------------------------------------------------------


def simple(f: Finder, verb: int, arg: Any) -> Move:
    """A move with one card and nothing else."""
    if arg is None:
        found = f.legal(verb)
        if len({m.card for m in found}) > 1:
            raise Unclear(f"{mv.VERB_NAMES[verb]}: say which card")
        return found[0] if found else Move(f.seat, verb)
    found = [m for m in f.with_card(verb, str(arg)) if m.target == mv.NONE]
    return found[0] if found else Move(f.seat, verb, f.card(str(arg)))


def look_for_trouble(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    yield simple(f, mv.TROUBLE, arg)


def discard(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    yield simple(f, mv.DISCARD, arg)


def unequip(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    move = simple(f, mv.UNEQUIP, arg)
    if "by" in keys and f.g.bearer.get(move.card, -1) != f.card(str(keys["by"])):
        raise ScenarioError(f"unequip: {keys['by']} does not carry that")
    yield move


def equip(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    by = keys.get("by")
    if by is None:
        yield simple(f, mv.EQUIP, arg)
        return
    found = f.on([m for m in f.with_card(mv.EQUIP, str(arg)) if m.target >= 0], by)
    yield found[0] if found else Move(f.seat, mv.EQUIP, f.card(str(arg)), f.target(by))


# -- running away -------------------------------------------------------------------------------------------------


def run(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    found = f.legal(mv.RUN)
    foe = mv.NONE
    if "from" in keys:
        foe = f.target(keys["from"])
        found = [m for m in found if m.card == foe]
    if len(found) > 1:
        raise Unclear("run: say `from:` which monster")
    yield found[0] if found else Move(f.seat, mv.RUN, foe)


def sacrifice(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    yield simple(f, mv.SACRIFICE, arg)
    if "helper_too" in keys:
        yield Move(f.seat, mv.CHOOSE, int(str(keys["helper_too"]).lower() in ("yes", "true")))
