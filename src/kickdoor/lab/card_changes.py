"""Cards with something left out: all that one does, or one step, one condition, one figure of it.

A changed card is put into a copy of a compiled library in the place of the printed one, so that a scenario which has
been read can be played with it within milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from kickdoor.cards.checking import Known, faults
from kickdoor.cards.compiler import Compiler
from kickdoor.cards.conditions import LanguageError
from kickdoor.cards.kinds import TRAITS
from kickdoor.cards.language import Card
from kickdoor.cards.library import CardDef, Library
from kickdoor.cards.packs import bundled_words_with
from kickdoor.engine import kernel, setup
from kickdoor.engine.effects.verbs import VERBS
from kickdoor.engine.facts.questions import ASKED

EVERYTHING: Final = "everything it does"
# What a card is, whatever it does.
IS: Final[tuple[str, ...]] = ("name", "kind", "deck", "copies", "aka", "gold", "set", "family", "outside")
# What says something about a card to people, to shuffles or to refusals, and nothing to a game that is being played.
WORDS: Final = frozenset({"like", "text", "bad_stuff_text", "note", "origin"})
SILENT: Final = frozenset({*IS, *WORDS, "unique", "mix_needs", "brings", "rules", "label"})
# Keys that narrow or soften what stands beside them: without them it is for everybody, always, for nothing.
LIMITS: Final = frozenset({"if", "what", "limit", "cost", "against", "host", "with", "while", "else", "per", "pick"})


@dataclass(frozen=True)
class Change:
    """A card that is not quite the printed one, and what is different."""

    what: str
    card: Card


def hollow(card: Card) -> Change:
    """The card can be had and played as ever, and does nothing at all; a monster is of Level 1 and harmless."""
    plain: dict[str, Any] = msgspec.to_builtins(card)
    left: dict[str, Any] = {k: plain[k] for k in IS if k in plain}
    if card.kind in TRAITS:
        left |= {k: plain[k] for k in ("race", "class") if k in plain}
    if "curse" in card.tags:  # an Item enhancer that is a Curse by this word (MM-33)
        left["tags"] = ["curse"]
    if card.bonus is not None:
        left["bonus"] = 0  # what has a bonus may be played for it
    if card.kind == "go_up_a_level":
        left["levels_gained"] = 0
    for way in ("play", "abilities"):
        if plain.get(way):
            left[way] = [{k: v for k, v in part.items() if k != "do"} for part in plain[way]]
    return Change(EVERYTHING, msgspec.convert(left, Card))


def bare(card: Card) -> bool:
    """Is it no more than its kind, so that there is nothing to leave out?"""
    said = {k: v for k, v in msgspec.to_builtins(card).items() if k not in WORDS}
    return said == {k: v for k, v in msgspec.to_builtins(hollow(card).card).items() if k not in WORDS}


def parts(card: Card) -> Iterator[Change]:
    """The card with one thing changed, each thing in turn: a step gone, a condition dropped, a figure one higher."""
    plain: dict[str, Any] = msgspec.to_builtins(card)
    for what, changed in _changed(plain, (), card.kind in TRAITS):
        try:
            new = msgspec.convert(changed, Card)
        except msgspec.ValidationError:
            continue
        if printable(new):
            yield Change(what, new)


def _changed(node: Any, path: tuple[str, ...], trait: bool = False) -> Iterator[tuple[str, Any]]:
    """A structure with one part of it changed, and which one."""
    if isinstance(node, list):
        for i, item in enumerate(node):
            where = (*path, str(i + 1))
            if len(node) > 1 or isinstance(item, dict):
                yield f"{'.'.join(where)} gone", [*node[:i], *node[i + 1 :]]
            if isinstance(item, dict):
                yield from ((what, [*node[:i], new, *node[i + 1 :]]) for what, new in _changed(item, where))
        return
    for key, value in node.items():
        if key in SILENT or value == "none" or (trait and key in ("race", "class")):
            continue
        where = (*path, key)
        if isinstance(value, bool) or key in LIMITS or (not path and not isinstance(value, int)):
            yield f"{'.'.join(where)} gone", {k: v for k, v in node.items() if k != key}
        elif isinstance(value, int):
            yield f"{'.'.join(where)} {value + 1} for {value}", {**node, key: value + 1}
        if isinstance(value, (dict, list)):
            yield from ((what, {**node, key: new}) for what, new in _changed(value, where))


# -- into a library -----------------------------------------------------------------------------------------------


class Changed:
    """What `scenario` asks for its cards, with one card of one pack changed."""

    def __init__(self, pack: str, change: Change) -> None:
        self.pack = pack
        self.card = change.card

    def __call__(
        self, packs: Sequence[str], fixtures: Sequence[Card], without: Sequence[str], copies: dict[str, int]
    ) -> Library:
        printed = setup.library(packs, fixtures, without, copies)
        lib = printed.copy()
        old = [d for d in lib.unique if d.pack == self.pack and d.name == self.card.name]
        for d in old:
            self._exchange(lib, d, Compiler(lib, ASKED).card(self.card, self.pack))
        lib.bind(VERBS, kernel)
        return lib

    def _exchange(self, lib: Library, old: CardDef, new: CardDef) -> None:
        lib.unique[lib.unique.index(old)] = new
        for i, d in enumerate(lib.defs):
            if d is old:
                lib.defs[i] = new
                for face, shown in enumerate(new.faces[: len(old.faces)]):
                    lib.defs[lib.faces[i, face]] = shown
        if not new.wanders:
            lib.wanderers = [c for c in lib.wanderers if lib.defs[c] is not new]


def printable(card: Card) -> bool:
    """Could somebody have written that card? Else nothing need notice it."""
    if any(faults(card, card, Known(rest=bundled_words_with, made_up=True))):
        return False
    try:
        Compiler(Library(), ASKED).card(card, "")
    except LanguageError:
        return False
    return True
