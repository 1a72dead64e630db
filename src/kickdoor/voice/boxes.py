"""A set as it stands on the shelf: one line about it, and what it brings to the table."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from kickdoor.cards.language import Pack
from kickdoor.cards.library import Library
from kickdoor.engine.value.ruleset import Ruleset


def line(head: Pack) -> str:
    """What it is about, in a sentence: the first of what it says of itself."""
    first = re.split(r"(?<=[.!?])\s", " ".join(head.about.split()), maxsplit=1)[0]
    return re.sub(r" \(module \w+\)", "", first.replace("`", ""))


def special(lib: Library, rules: Ruleset) -> list[str]:
    """What one can be, who comes along and what else there is, as far as the cards and the rules of a set have it."""
    kinds = {d.kind for d in lib.unique}
    out = []
    for kind, word, printed in (
        ("race", "Races", rules.traits.race.cards),
        ("class", "Classes", rules.traits.class_.cards),
    ):
        names = _ordered({d.name for d in lib.unique if d.kind == kind}, printed)
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
