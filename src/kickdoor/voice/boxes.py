"""A set as it stands on the shelf: one line about it, and what it brings to the table."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from kickdoor.cards.language import Pack
from kickdoor.cards.library import CardDef, Library
from kickdoor.engine.value.ruleset import Ruleset

SAMPLES: Final = 3


def sentences(text: str) -> list[str]:
    """A text, sentence by sentence."""
    whole = " ".join(text.split())
    return re.split(r"(?<=[.!?])\s(?=[^a-z])", whole) if whole else []


def line(head: Pack) -> str:
    """What it is about, in a sentence: the first of what it says of itself."""
    return next(iter(sentences(head.about)), "")


def samples(lib: Library, head: Pack) -> list[CardDef]:
    """Three cards that show what a set is like: those that it names, or the first of three kinds that say something."""
    mine = [d for d in lib.unique if d.pack == head.id]
    named = [d for d in (_called(mine, name) for name in head.samples) if d is not None]
    if named:
        return named
    firsts: dict[str, CardDef] = {}
    mine = [d for d in mine if d.card.text] + [d for d in mine if not d.card.text]
    for d in mine:
        firsts.setdefault(d.kind, d)
    return [*firsts.values(), *(d for d in mine if firsts[d.kind] is not d)][:SAMPLES]


def _called(cards: Sequence[CardDef], name: str) -> CardDef | None:
    """The card that goes by this name; the first of namesakes."""
    word = name.lower()
    return next((d for d in cards if word == d.name.lower() or any(word == x.lower() for x in d.card.aka)), None)


def special(lib: Library, rules: Ruleset) -> list[str]:
    """What one can be, who comes along and what else there is, as far as the cards and the rules of a set have it.

    What a box has not is worth a word, since it is all there is; of an expansion it is not.
    """
    head = lib.heads[0]
    alone = not head.expands and not head.for_mixes and any(d.kind == "monster" for d in lib.unique)
    kinds = {d.kind for d in lib.unique}
    out = []
    for kind, word, printed in (
        ("race", "Races", rules.traits.race.cards),
        ("class", "Classes", rules.traits.class_.cards),
    ):
        names = _ordered({d.name for d in lib.unique if d.kind == kind}, printed)
        if names or alone:
            out.append(f"{word}: {', '.join(names)}" if names else f"no {word}")
    if "power" in kinds:
        out.append("Powers of several ranks")
    if rules.companion is not None and any(d.is_companion for d in lib.unique):
        out.append(f"{rules.companion.label}s")
    if "steed" in kinds:
        out.append("Steeds")
    out += [f"{label}s" for label in rules.curse.labels if label != "Curse"]
    if rules.components.board:
        out.append("a board to climb")
    return out


def _ordered(names: Collection[str], printed: Sequence[str]) -> list[str]:
    """As the book lists them, then the others."""
    return [*(n for n in printed if n in names), *sorted(set(names) - set(printed))]
