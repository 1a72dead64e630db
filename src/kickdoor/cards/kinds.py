"""Kinds of cards: which are one kind under several names, and what its name or its set makes of a card (XOVER)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from kickdoor.cards.clauses import Modifier
from kickdoor.cards.language import Card
from kickdoor.packs.crossovers import GRUDGES, NAMED

CURSES: Final = frozenset({"curse", "trap", "madness"})  # XOVER-2
COMPANIONS: Final = frozenset({"hireling", "minion", "sidekick", "mook", "ally"})  # XOVER-4
MOUNTS: Final = frozenset({"steed", "vehicle"})  # XOVER-12
TRAITS: Final = ("race", "class", "power", "style", "training", "loyalty", "accent")  # XOVER-8
SAME: Final = (CURSES, COMPANIONS, MOUNTS)


def alike(kinds: Iterable[str]) -> tuple[str, ...]:
    """These kinds with all that are only other names for them: what works on one works on the other."""
    out: list[str] = []
    for kind in kinds:
        family = next((f for f in SAME if kind in f), frozenset({kind}))
        out += [k for k in sorted(family) if k not in out]
    return tuple(out)


@lru_cache(maxsize=32)
def _pattern(word: str, whole: bool) -> re.Pattern[str]:
    return re.compile(rf"\b{word}s?\b" if whole else word, re.IGNORECASE)


def tags_by_name(name: str, kind: str) -> frozenset[str]:
    """What a card's name alone makes of it (XOVER-21, XOVER-25..XOVER-27, XOVER-32, AMB-39)."""
    fitting = [n for n in NAMED if not n.kinds or kind in n.kinds]
    return frozenset(n.tag for n in fitting if _pattern(n.word, n.whole).search(name))


def kind_of(card: Card) -> str:
    """The kind a card is to the engine: a Vehicle is a Steed, and so is an Item that its name makes one (XOVER-27)."""
    kind = card.kind or "special"
    if kind == "enhancer":
        return "monster_enhancer"
    drives = kind == "item" and "vehicle" in {*tags_by_name(card.name, kind), *(t.lower() for t in card.tags)}
    return "steed" if drives or kind in MOUNTS else kind


def grudges(card: Card, pack: str) -> list[Modifier]:
    """What all such monsters of its set have against somebody (XOVER-23)."""
    home = card.set_ or pack
    tags = {t.lower() for t in card.tags}
    found = [mods for sets, tag, mods in GRUDGES if home in sets and tag in tags and card.kind == "monster"]
    return [msgspec.convert(m, Modifier) for mods in found for m in mods]
