"""What cards refer to by name: other cards, traits, tags, powers. A word that nothing gives a meaning is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Any, Final

import msgspec

from kickdoor.cards.clauses import Condition, FightCondition, Filter, Modifier, Predicate
from kickdoor.cards.kinds import COMPANIONS, TRAITS
from kickdoor.cards.language import Ability, Card, Pack, Play
from kickdoor.cards.reading import Path_
from kickdoor.cards.steps import Afflict, Clone, Each, Step
from kickdoor.packs.crossovers import NAMED

BORN: Final = frozenset({"male", "female", "human", "rider"})  # what a munchkin may be without any card
RULED: Final = frozenset({"undead", "demon", "vehicle", "complex", "curse", "shield"})  # tags that rules go by
STEED: Final = "steed"  # `usable_by`: an Item that Steeds can use (STEED-10)
PER: Final = {"item": "tag", "foe": "card", "slot": "slot", "worn": "slot", "item_name": "letters"}
SLOTS: Final = {  # as they are written, and as they are said
    "headgear": "Headgear",
    "armor": "Armor",
    "footgear": "Footgear",
    "1hand": "1 Hand",
    "2hands": "2 Hands",
}
SEATS: Final = ("you", "victim", "actor", "target", "main", "helper", "fighters", "anyone")

Reference = tuple[str, str, str]  # the key, the word, and what it must be the name of


def given(node: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """The keys that are written in a structure, with what is written there."""
    written, values = _fields(type(node))
    return ((key, value) for key, value in zip(written, values(node), strict=True) if value or not _blank(value))


def _blank(value: Any) -> bool:
    return value is None or value == [] or value == {}


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The keys of a structure, and all their values at once: this is asked for every part of every card."""
    names = kind.__struct_fields__
    values = attrgetter(*names) if len(names) > 1 else lambda node: tuple(getattr(node, name) for name in names)
    return kind.__struct_encode_fields__, values


def walk(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every structure inside a card, with the path by which its file writes it."""
    if isinstance(node, msgspec.Struct):
        yield path, node
        for written, value in given(node):
            if isinstance(value, (msgspec.Struct, list, dict)):
                yield from walk(value, (*path, written))
    elif isinstance(node, list):
        for i, item in enumerate(node):
            yield from walk(item, (*path, i))
    elif isinstance(node, dict):
        for key, item in node.items():
            yield from walk(item, (*path, key))


def many(words: Any) -> list[str]:
    """One word or a list of them; whatever else may stand there has no words."""
    found = [words] if isinstance(words, str) else words if isinstance(words, list) else []
    return [w.lower() for w in found if isinstance(w, str)]


@dataclass
class Words:
    """What there is to refer to, each in small letters with the way it is written."""

    card: dict[str, str] = field(default_factory=dict)
    family: dict[str, str] = field(default_factory=dict)
    trait: dict[str, str] = field(default_factory=lambda: {w: w for w in BORN})
    tag: dict[str, str] = field(default_factory=lambda: {n.tag: n.tag for n in NAMED})
    tag_asked: dict[str, str] = field(default_factory=lambda: {w: w for w in (*RULED, *(n.tag for n in NAMED))})
    power: dict[str, str] = field(default_factory=dict)
    granted: dict[str, str] = field(default_factory=dict)  # traits that no card is, but some card gives
    asked: dict[str, str] = field(default_factory=dict)  # traits that some card asks for

    def learn(self, card: Card) -> None:
        for name in (card.name, *card.aka):
            self.card[name.lower()] = name
        if card.family:
            self.family.setdefault(card.family.lower(), card.family)
        if card.kind in TRAITS:
            own = [t for t in (card.race, card.class_) if t] or [card.name]
            _note(self.trait, own)
        _note(self.tag, card.tags)
        for ability in card.abilities:
            _note(self.power, [ability.name, *ability.aka])
        for _, node in walk(card):
            if isinstance(node, Modifier):
                _note(self.granted, many(node.grants))
                _note(self.tag, many(node.tag))
            elif isinstance(node, Step):
                _note(self.tag, many(node.raise_monster))
            asked = list(references(node))
            _note(self.asked, [w for _, w, what in asked if what in ("trait", "usable")])
            _note(self.tag_asked, [w for _, w, what in asked if what == "tag"])

    def learn_head(self, head: Pack) -> None:
        """What a pack says of itself: tags that are there for others to ask for, and kin."""
        _note(self.tag, head.tags)
        _note(self.tag_asked, [*head.tags, *head.kin])
        if head.no_race is not None:
            self.learn(head.no_race)

    def known(self, what: str) -> list[str]:
        """The words that may stand where such a thing is asked for, as they are written."""
        found = [getattr(self, kind) for kind in _WHERE[what]]
        named = what in ("card", "card or family", "power")
        return [w for words in found for w in (words.values() if named else words)] + list(_OTHERS.get(what, ()))

    def has(self, word: str, what: str) -> bool:
        if what == "part of a name":
            return any(word in name for name in self.card)
        if what == "letters":
            return all(len(letter.strip()) == 1 for letter in word.split(","))
        return word in _OTHERS.get(what, ()) or any(word in getattr(self, kind) for kind in _WHERE[what])


# Where the words are found that may stand in a place, and which others may.
_WHERE: Final[dict[str, tuple[str, ...]]] = {
    "card": ("card",),
    "card or family": ("card", "family"),
    "trait": ("trait", "granted"),
    "usable": ("trait", "granted"),
    "counted": ("trait", "granted"),
    "grant": ("trait", "asked"),
    "claim": ("trait",),
    "tag": ("tag",),
    "carried": ("tag_asked",),
    "power": ("power",),
    "slot": (),
    "letters": (),
    "part of a name": (),
}
_OTHERS: Final[dict[str, tuple[str, ...]]] = {
    "usable": (STEED,),
    "counted": ("hireling", "enhancer", *(f"{p}:..." for p in PER)),
    "claim": ("host",),
    "slot": tuple(SLOTS),
}


def _note(known: dict[str, str], words: Iterable[str]) -> None:
    for word in words:
        known.setdefault(word.lower(), word)


def learned(cards: Iterable[Card], heads: Iterable[Pack] = ()) -> Words:
    words = Words()
    for head in heads:
        words.learn_head(head)
    for card in cards:
        words.learn(card)
    return words


# -- what refers to what ------------------------------------------------------------------------------------------

_REFERENCES: Final[dict[type, dict[str, str]]] = {
    Card: {
        "tags": "carried",
        "family": "card",
        "incompatible": "card or family",
        "joins": "card or family",
        "brings": "card",
        "usable_by": "usable",
        "not_usable_by": "trait",
        "pursues": "trait",
        "refuses": "trait",
    },
    Pack: {"kin": "tag"},
    Filter: {"name": "card or family", "enhanced": "card or family", "tag": "tag"},
    FightCondition: {"name": "card or family", "tag": "tag", "used": "tag"},
    Modifier: {
        "against": "trait",
        "apparent": "trait",
        "usable_as": "trait",
        "grants": "grant",
        "claims": "claim",
        "immune_to": "power",
        "double_tag": "tag",
        "extra_tagged": "tag",
        "safe_from": "part of a name",
    },
    Predicate: {"is": "trait", "not": "trait"},
    Condition: {**dict.fromkeys(SEATS, "trait"), "any": "trait", "all": "trait", "not": "trait"},
    Step: {"become": "trait"},
    Clone: {"without": "card or family"},
}


_CONDITIONS: Final[dict[type, tuple[str, ...]]] = {
    **dict.fromkeys((Modifier, Step, Each, Play, Ability), ("if",)),
    Afflict: ("while",),
}


def references(node: Any) -> Iterator[Reference]:
    """What a structure refers to by name."""
    for name, what in _REFERENCES.get(type(node), {}).items():
        attribute = name + "_" if hasattr(node, name + "_") else name
        for word in many(getattr(node, attribute)):
            yield name, word, what
    for name in _CONDITIONS.get(type(node), ()):
        for word in many(getattr(node, name + "_")):
            yield name, word, "trait"
    if isinstance(node, Card) and node.kind in COMPANIONS:
        yield from (("race", w, "trait") for w in many(node.race))
        yield from (("class", w, "trait") for w in many(node.class_))
    if isinstance(node, Modifier):
        yield from (("ability", name.lower(), "power") for name in node.ability or ())
    if isinstance(node, (Modifier, Step)) and node.per is not None:
        yield _per(node.per.lower())


def _per(word: str) -> Reference:
    """`per`: a trait, `hireling`, `enhancer`, or one of the words that name what is counted after a colon."""
    head, colon, rest = word.partition(":")
    if not colon:
        return "per", head, "counted"
    return ("per", rest.strip(), PER[head]) if head in PER else ("per", word, "counted")
