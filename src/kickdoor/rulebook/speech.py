"""How players talk: a text as the words it is about, so that what means the same is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec
import yaml

from kickdoor.rulebook.pages import LOADER

TABLE = Path(__file__).with_name("speech.yaml")

# A comma or a point between thousands.
THOUSANDS = re.compile(r"(?<=\d)[,.](?=\d{3}\b)")

WORD = re.compile(r"[a-z]+(?:-[a-z]+)*-\d+|[a-z]+|\d+")


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is written in speech.yaml; lists stand there as words or phrases between commas."""

    small: str
    fillers: str
    means: dict[str, str]
    near: dict[str, str]
    topics: dict[str, str]
    odd: dict[str, str]


class Speech(msgspec.Struct, frozen=True):
    """The same, ready for use: phrases as stems with their meaning, and how each of the longer ones begins."""

    small: frozenset[str]
    meanings: dict[tuple[str, ...], str]
    openers: frozenset[str]
    longest: int
    near: dict[str, tuple[str, ...]]
    topics: dict[str, frozenset[str]]


@cache
def table() -> Table:
    return msgspec.convert(yaml.load(TABLE.read_text(encoding="utf-8"), LOADER), Table)


@cache
def fillers() -> frozenset[str]:
    return frozenset(table().fillers.split())


@cache
def speech() -> Speech:
    """The table of speech, read when somebody searches."""
    meanings = dict(ways())
    return Speech(
        frozenset(table().small.split()),
        meanings,
        frozenset(way[0] for way in meanings if len(way) > 1),
        max(map(len, meanings)),
        {word: tuple(parted(others)) for word, others in table().near.items()},
        {chapter: frozenset(parted(names)) for chapter, names in table().topics.items()},
    )


def parted(listed: str) -> list[str]:
    """What stands between the commas."""
    return [each.strip() for each in listed.split(",")]


def ways() -> Iterator[tuple[tuple[str, ...], str]]:
    """Every way to say something, as stems, with what it means."""
    for meaning, others in table().means.items():
        for way in (meaning, *parted(others)):
            yield tuple(stem(word) for word in told(way)), meaning


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The word without its ending, so that levels, level and leveled meet; rough, but the same for all."""
    if word.isdecimal():
        return amount(int(word))
    if word in table().odd:
        return table().odd[word]
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if len(word) > 7 and word.endswith("able"):
        word = word[:-4]
    if len(word) > 5 and word.endswith("ing"):
        word = undouble(word[:-3])
    elif len(word) > 4 and word.endswith("ed"):
        word = undouble(word[:-2])
    elif len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")):
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def amount(number: int) -> str:
    """A number as it is meant: sums of gold by their full thousands, since nothing else buys a level (SELL-3)."""
    if number < 100:
        return str(number)
    return str(number // 1000 * 1000) if number >= 1000 else "hundreds"


def undouble(word: str) -> str:
    """``runn`` to ``run``; ``sell`` and ``pass`` keep both letters."""
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word


def told(text: str) -> list[str]:
    """The words of a text as they are written, without the fillers."""
    plain = THOUSANDS.sub("", text.lower().replace("’", "'").replace("'s", "").replace("'", ""))
    return [word for word in WORD.findall(plain) if word not in fillers()]


def spoken(text: str) -> list[str]:
    """Every word of a text, as its stem or its meaning; turns of phrase as one; the small words as they are."""
    known = speech()
    said = told(text)
    stems = [stem(word) for word in said]
    heard: list[str] = []
    at = 0
    while at < len(said):
        many = known.longest if stems[at] in known.openers else 1
        while many > 1 and tuple(stems[at : at + many]) not in known.meanings:
            many -= 1
        alone = said[at] if said[at] in known.small else stems[at]
        heard.append(known.meanings.get(tuple(stems[at : at + many]), alone))
        at += many
    return heard


def words(text: str) -> list[str]:
    """What a text is about: its words without the small ones."""
    small = speech().small
    return [word for word in spoken(text) if word not in small]
