"""The words on cards: do they fit, and is each worth reading? Lengths, sentences said twice, patterns worn out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from kickdoor.cards.compiler import merge_like
from kickdoor.cards.kinds import TRAITS
from kickdoor.cards.language import Card
from kickdoor.cards.packs import find_pack, read_pack

# Letters that fit a card as it is read at the table. Measured in Chromium on the card opened large, without scrolling,
# on the lowest screen there is (1280x600; a phone of 360x640 has room for 410, and for 335 with Bad Stuff).
FITS: Final = 330
FITS_WITH_BAD_STUFF: Final = 260  # both together
# What is read in the middle of a fight is shorter than that.
BRIEF: Final = 220
BRIEF_WITH_BAD_STUFF: Final = 150
BRIEF_BAD_STUFF: Final = 110

RARE: Final = 12  # sentences of all boxes (2,200); a word in more of them belongs to the rules, not to a joke
TELLING: Final = 3  # rare words that two sentences share
LIKE: Final = 0.4  # and so much of all their words
SHORT: Final = 6  # words; what is shorter is a plain statement, and may stand on several cards
WORN: Final = 4  # more cards than that with sentences of one pattern


@dataclass(frozen=True)
class Words:
    """What is written on one card."""

    pack: str
    card: str
    field: str  # text, bad_stuff_text
    text: str


def printed(pack: str) -> list[Card]:
    """The cards of a pack, with what they have from others they are like."""
    source = read_pack(find_pack(pack))
    models = {c.name.lower(): c for c in source.cards}
    cards = [c for c in source.cards if c.kind != "blank"]
    return [merge_like(c, models[c.like.lower()]) if c.like and c.like.lower() in models else c for c in cards]


def words_of(pack: str) -> list[Words]:
    """Everything that is written on the cards of a pack; what a card has from another counts once."""
    source = read_pack(find_pack(pack))
    return [
        Words(source.head.id, c.name, field, " ".join(text.split()))
        for c in source.cards
        if c.as_in is None
        for field, text in (("text", c.text), ("bad_stuff_text", c.bad_stuff_text))
        if text
    ]


# -- length -------------------------------------------------------------------------------------------------------


def lengths(pack: str) -> Iterator[tuple[str, int, int]]:
    """Each card with the letters of its text and of its Bad Stuff."""
    for c in printed(pack):
        yield c.name, _letters(c.text), _letters(c.bad_stuff_text)


def _letters(text: str | None) -> int:
    return len(" ".join((text or "").split()))


def too_long(pack: str) -> Iterator[str]:
    """The cards whose words do not fit, each with how many letters there are and may be."""
    for name, text, bad in lengths(pack):
        room = FITS_WITH_BAD_STUFF if bad else FITS
        if text + bad > room:
            yield f"{name}: {text + bad} letters, {room} fit"


def lengthy(pack: str) -> Iterator[str]:
    """The cards whose words fit, but are many for the middle of a fight. Traits are read once, and may take longer."""
    slow = {c.name for c in printed(pack) if c.kind in TRAITS}
    for name, text, bad in lengths(pack):
        most = BRIEF_WITH_BAD_STUFF if bad else BRIEF
        if text > most and name not in slow:
            yield f"{name}: {text} letters of text, {most} are enough"
        if bad > BRIEF_BAD_STUFF:
            yield f"{name}: {bad} letters of Bad Stuff, {BRIEF_BAD_STUFF} are enough"


def wordless(pack: str) -> list[str]:
    """Cards that do something and do not say it."""
    return [c.name for c in printed(pack) if not c.text and _does(c)]


def _does(c: Card) -> bool:
    return bool(c.effect or c.abilities or c.play or c.on or c.modifiers)


# -- the same twice -----------------------------------------------------------------------------------------------


def plain_words(text: str) -> list[str]:
    return re.findall(r"[a-z']+|\d+", text.lower())


def sentences(text: str) -> list[str]:
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+", text) if s.strip()]


def twice(mine: Sequence[Words], others: Sequence[Words] = ()) -> Iterator[tuple[Words, Words]]:
    """Sentences that tell the same joke on two cards: of these, or of these and the others.

    A joke is in the words that few sentences have. Rules ("Lose a level.") may be said as often as they hold, and a
    card that is in two boxes under one name says the same in both.
    """
    told = [Words(w.pack, w.card, w.field, s) for w in (*mine, *others) for s in sentences(w.text)]
    words = [frozenset(plain_words(w.text)) for w in told]
    holders: dict[str, list[int]] = defaultdict(list)
    for i, found in enumerate(words):
        for word in found:
            holders[word].append(i)
    common = Counter(pair for at in holders.values() if len(at) <= RARE for pair in combinations(at, 2))
    own = sum(len(sentences(w.text)) for w in mine)
    for (i, j), n in sorted(common.items()):
        a, b = told[i], told[j]
        alike = len(words[i] & words[j]) >= LIKE * len(words[i] | words[j])
        if i < own and n >= TELLING and alike and a.card.lower() != b.card.lower():
            yield a, b


# -- patterns -----------------------------------------------------------------------------------------------------


def pattern(sentence: str) -> str:
    """A sentence without what makes it this card's: figures and names are left open."""
    open_ = re.sub(r"[+-]?\d+", "#", sentence)
    open_ = re.sub(r"(?<!^)\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)*", "X", open_)
    return re.sub(r"\s+", " ", open_).strip(" .!?").lower()


def worn(mine: Iterable[Words]) -> list[tuple[str, list[str]]]:
    """Patterns of whole sentences, and ways to begin a text, that more than a few cards have; the most used first."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for w in mine:
        for s in sentences(w.text):
            if len(plain_words(s)) >= SHORT:
                found[pattern(s)][w.card] = None
        if w.field == "text":
            found[" ".join(plain_words(w.text)[:3]) + " ..."][w.card] = None
    often = [(p, list(cards)) for p, cards in found.items() if len(cards) > WORN]
    return sorted(often, key=lambda x: -len(x[1]))
