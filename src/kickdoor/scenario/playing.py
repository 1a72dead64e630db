"""Playing cards, as a step says it: on what, with what, as what, instead of what."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from kickdoor.cards.library import Mode
from kickdoor.engine.facts import front
from kickdoor.engine.playing import ways
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move
from kickdoor.scenario.choosing import answer, question
from kickdoor.scenario.finding import SIDES, Finder
from kickdoor.scenario.naming import Unclear, Unused
from kickdoor.scenario.wording import Keys, as_list

LAID = ("item", "lay")  # ways to play that put a card before its player, to be used later
NOTHING = "none"  # `replacing: none`: beside what is there
TAKES_A_PLACE = ("trait", "multi", "steed", "ship")


def play(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    label = str(arg)
    others = [str(x) for x in as_list(keys.get("with"))]
    for name in (label, *others):
        f.names.copies(name)
    if others:
        yield from together(f, [label, *others], keys)
        return
    dungeon = keys.get("on")
    asks_later = names_dungeon(f, dungeon) and targetless(f, label)
    move = single(f, label, {k: v for k, v in keys.items() if k != "on"} if asks_later else keys)
    yield move
    if asks_later:
        yield from which_dungeon(f, dungeon)
    if keys.get("as") == "carried" and not lies_sideways(f, move.card):
        yield Move(f.seat, mv.UNEQUIP, move.card)


def lies_sideways(f: Finder, card: int) -> bool:
    carried = card in f.g.players[f.seat].table and card not in f.g.equipped
    return carried and (f.g.lib.defs[card].is_item or f.g.lib.defs[card].is_one_shot)


def names_dungeon(f: Finder, value: Any) -> bool:
    return any(f.names.matches(str(value), c) for c in f.g.dungeons)


def which_dungeon(f: Finder, value: Any) -> Iterator[Move]:
    """A Dungeon that a card is played on, where the card asks which the moment it is played (PORTAL-4)."""
    asked = question(f)
    if asked is not None and any(f.means(str(value), c) for c in asked.options):
        yield answer(f, value)
    elif names_dungeon(f, value):
        raise Unused(f"on: the card does nothing to {value}")


# -- one card -----------------------------------------------------------------------------------------------------


def single(f: Finder, label: str, keys: Keys) -> Move:
    """The way to play a card that the words mean: a legal one, otherwise the one that it would be."""
    keys = side_said(f, label, keys)
    ways = [m for m in f.with_card(mv.PLAY, label) if not mv.names_card(m.extra)]
    found = as_said(f, ways, keys)
    if found:
        return found[0] if "on" not in keys and for_all(f, found[0].card) else f.only(found, label)
    if ways and "on" in keys and targetless(f, label):
        raise Unused(f"on: {label} is not played on anything")
    move = unplayable(f, label, keys)
    if move in ways and keys.get("as") != "carried":
        said = "as" if "as" in keys else "on"
        raise Unused(f"{said}: {label} is not played {said} {keys.get(said)}")
    return move


def side_said(f: Finder, label: str, keys: Keys) -> Keys:
    """`on:` a side, of a card that is played on somebody for a side: that is the way it is played, and not on what."""
    on = str(keys.get("on"))
    modes = f.g.lib.defs[f.card(label)].modes
    if "as" in keys or not any(m.word == on and m.on not in (*SIDES, "side") for m in modes if on in SIDES):
        return keys
    return {**{k: v for k, v in keys.items() if k != "on"}, "as": on}


def for_all(f: Finder, card: int) -> bool:
    """Does it strike everybody alike, whoever it is played on?"""
    program = f.g.lib.defs[card].prog_effect
    steps = f.g.lib.programs[program] if program >= 0 else ()
    return bool(steps) and all(s.verb == "each" and s.a.who == "everyone" for s in steps)


def targetless(f: Finder, label: str) -> bool:
    """Is there no way to play it on something?"""
    return all(mode.on == "nothing" for mode in f.g.lib.defs[f.card(label)].modes)


def as_said(f: Finder, found: list[Move], keys: Keys) -> list[Move]:
    if "on" in keys:
        found = f.on([m for m in found if not replaces(f, m)], keys["on"])
    return by_place(f, by_mode(f, found, keys.get("as")), keys.get("replacing"))


def unplayable(f: Finder, label: str, keys: Keys) -> Move:
    card = f.card(label)
    word = keys.get("replacing", keys.get("on"))
    target = f.target(word) if word not in (None, NOTHING) else mv.NONE
    return Move(f.seat, mv.PLAY, card, target, mode_called(f, card, keys.get("as")))


def mode_called(f: Finder, card: int, word: Any) -> int:
    modes = f.g.lib.defs[card].modes
    if word == "carried":
        return next((ways.code(m) for m in sorted(modes, key=by_itself) if m.op in LAID), mv.NONE)
    return next((ways.code(m) for m in modes if m.word and m.word == word), mv.NONE)


def by_mode(f: Finder, found: list[Move], word: Any) -> list[Move]:
    """The way that `as:` says. Unsaid, a card is not laid down where it can be used, nor played in a named way
    where there is a plain one."""
    if word is not None:
        said = [m for m in found if is_mode(f, m, str(word))]
        return sorted(said, key=lambda m: by_itself(f.mode(m)))[:1] if word == "carried" else said
    used = [m for m in found if f.mode(m).op not in LAID] or [m for m in found if f.mode(m).op == "item"] or found
    return [m for m in used if not f.mode(m).word] or used


def by_itself(mode: Mode) -> bool:
    """For sorting: first the way that lays a card down and no more."""
    return mode.op != "lay"


def is_mode(f: Finder, m: Move, word: str) -> bool:
    mode, d = f.mode(m), f.g.lib.defs[m.card]
    if (
        mv.names_card(m.extra) and front.RECAST.get(d.kind) == word
    ):  # a Race as a Class, or the other way round (FQ-CWBH-3)
        return True
    if word == "carried":
        return mode.op in LAID
    if word == d.slot:
        return mode.op == "item"
    return mode.word == word or (word == d.kind and not mode.word)


def by_place(f: Finder, found: list[Move], label: Any) -> list[Move]:
    """Instead of what `replacing:` says. Unsaid, nothing makes way that need not; and where one of several has to,
    it is not said which, so that the card is played beside them all."""
    beside = [m for m in found if not replaces(f, m)]
    instead = [m for m in found if replaces(f, m)]
    if label is None:
        crowded = [m for m in instead if _is_full(f, m)]
        return beside or (crowded if len({m.target for m in crowded}) == 1 else [])
    if label == NOTHING:
        return [m for m in beside if f.mode(m).op in TAKES_A_PLACE]
    f.names.copies(str(label))
    return [m for m in instead if f.means(str(label), m.target)]


def _is_full(f: Finder, m: Move) -> bool:
    """Is every place taken, so that something has to make way? Powers have no places but Ranks (BT-12), and where a
    second Race has room a second Elf is refused as such and not taken for a change of Elves (FQ-RC-5)."""
    if f.mode(m).op != "trait":
        return True
    kind = front.kind_of(f.g, m.target)
    return kind != "power" and len(front.cards_of_kind(f.g, m.seat, kind)) >= front.trait_limit(f.g, m.seat, kind)


def replaces(f: Finder, m: Move) -> bool:
    return m.target >= 0 and f.mode(m).op in TAKES_A_PLACE


# -- several cards ------------------------------------------------------------------------------------------------


def together(f: Finder, labels: list[str], keys: Keys) -> Iterator[Move]:
    """Cards played with each other: two in one move where there is such a move, the rest one after the other."""
    left = list(labels)
    while left:
        said = keys if left == labels else {}
        move, used = paired(f, left, said) or next_of(f, left, said)
        yield move
        for label in used:
            left.remove(label)


def paired(f: Finder, labels: list[str], keys: Keys) -> tuple[Move, list[str]] | None:
    """A legal move that plays two of these cards at once."""
    for one, other in permutations(labels, 2):
        found = as_said(f, [m for m in f.with_card(mv.PLAY, one) if is_pair(f, m, other)], keys)
        if found:
            return f.only(found, one), [one, other]
    return None


def is_pair(f: Finder, m: Move, other: str) -> bool:
    """With the other as its second card, or on the other as it comes out of the hand or from the door."""
    if mv.names_card(m.extra):
        return f.means(other, m.extra)
    return m.target in (*f.g.players[f.seat].hand, f.g.door_card) and f.means(other, m.target)


def next_of(f: Finder, labels: list[str], keys: Keys) -> tuple[Move, list[str]]:
    """One of several cards by itself: one that nothing has to make way for, before the others."""
    for one, other in permutations(labels, 2):
        card = f.card(one)
        if any(m.needs_monster for m in f.g.lib.defs[card].modes):  # never by itself
            return replace(unplayable(f, one, keys), extra=f.card(other)), [one, other]
    label = next((x for x in labels if goes_beside(f, x)), labels[0])
    return single(f, label, keys if label == labels[0] else {}), [label]


def goes_beside(f: Finder, label: str) -> bool:
    """Can it be played without anything making way for it?"""
    return any(not mv.names_card(m.extra) and not replaces(f, m) for m in f.with_card(mv.PLAY, label))


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
        raise Unused(f"unequip: {keys['by']} does not carry that")
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
