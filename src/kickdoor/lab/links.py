"""Which cards of a box talk to each other: by name, tag, trait, power, companion or Steed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kickdoor.cards.clauses import Filter
from kickdoor.cards.kinds import COMPANIONS, MOUNTS, TRAITS
from kickdoor.cards.language import Card, Cost, Play
from kickdoor.cards.packs import PackSource, find_pack, read_pack, spellings
from kickdoor.cards.steps import Discard, Retrieve, Step, Take
from kickdoor.cards.words import many, references, walk

PEOPLE: Final = {"hireling": COMPANIONS, "steed": MOUNTS}  # how filters call them, whatever the box does
KINDS: Final = frozenset({*COMPANIONS, *MOUNTS, "power"})


def links(pack: str) -> dict[str, list[str]]:
    """For each card that refers to others of its box: to what. Cards are by name."""
    source = read_pack(find_pack(pack))
    meant = _meant(source)
    out: dict[str, list[str]] = {}
    for card in source.cards:
        found = {word for word in _asked(card) if meant.get(word, set()) - {card.name}}
        if found:
            out[card.name] = sorted(found)
    return out


def _meant(source: PackSource) -> dict[str, set[str]]:
    """Words by which cards of the box can be meant, and the cards that each means."""
    out: dict[str, set[str]] = {}

    def means(word: str, card: Card) -> None:
        out.setdefault(word.lower(), set()).add(card.name)

    for card in source.cards:
        for name in (*spellings(card), *([card.family] if card.family else [])):
            means(name, card)
        for trait in (card.race, card.class_) if card.kind in TRAITS else ():
            if trait:
                means(trait, card)
        for tag in card.tags:
            means(f"tag {tag}", card)
        for ability in card.abilities:
            for name in (ability.name, *ability.aka):
                means(f"power {name}", card)
        if card.kind in KINDS:
            for word, kinds in PEOPLE.items():
                if card.kind in kinds:
                    means(f"kind {word}", card)
            means(f"kind {card.kind}", card)
    return out


def _asked(card: Card) -> Iterator[str]:
    """The words that a card uses of others; `part of a name` and letters say nothing about a certain card."""
    for _, node in walk(card):
        for key, word, what in references(node):
            if what == "power":
                yield f"power {word}"
            elif what in ("tag", "carried"):
                if key != "tags":  # what it is itself
                    yield f"tag {word}"
            elif what == "counted" and word in PEOPLE:
                yield f"kind {word}"
            elif what not in ("slot", "letters", "part of a name"):
                yield word
        yield from (f"kind {k}" for k in _kinds(node))


def _kinds(node: Any) -> Iterator[str]:
    """Companions, Steeds and Powers, where a card picks or counts cards by their kind."""
    if isinstance(node, Filter):
        yield from (k for k in many(node.kind) if k in KINDS)
    if isinstance(node, (Play, Cost, Discard, Take, Retrieve)) and isinstance(node.what, str):
        yield from (k for k in many(node.what) if k in PEOPLE)
    if isinstance(node, Step):
        for word in (node.kill_companion, node.discard, node.take):
            if isinstance(word, str) and word in PEOPLE:
                yield word
