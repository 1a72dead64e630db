"""Searching the rulebook: a small BM25 ranking over ids, titles, rules and details."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, lru_cache
from heapq import nlargest
from math import log

import msgspec

from kickdoor.rulebook.pages import CLASSIC, Rule, chapters

# How much a word counts by where it stands.
SAYS, DETAIL, TITLE, ID = 2.0, 0.7, 0.7, 2.0

# The two dials of BM25: how soon repeating a word stops helping, and how much long rules are held back.
REPEATS, LENGTH = 0.9, 0.4

# The question is usually about the classic rule; the FAQ and the sets say the same again for their own case.
BEYOND_CLASSIC = 0.75

# A reading repeats the question in order to settle it; whoever asks wants the rule first.
READING = 0.5

WORD = re.compile(r"[a-z]+(?:-[a-z]+)*-\d+|[a-z]+|\d+")

# Too small to ask for.
SMALL = """
a about am an and any anybody anyone are as at be been but by can cannot could do does during each else
every for from goes had happen happens has have he her him his how i if in into is it its let many may me
might much must my no nobody nor not of on or our shall she should so somebody someone still such than that
the their them then there they this to was we were what whatever when where which while who whom whose why
will with would you your yours
"""
STOPWORDS = frozenset(SMALL.split())

# Said in several words, meant as one.
PHRASES = (
    (re.compile(r"\b(?:run|runs|running|ran|get|gets|getting|got) away\b"), "flee"),
    (re.compile(r"\b(?:gold pieces?|gps?)\b"), "gold"),
    (re.compile(r"\b(?:die[- ]rolls?|roll(?:s|ed|ing)? (?:the|a) die|the die)\b"), "dice roll"),
    (re.compile(r"\bone[- ]shots?\b"), "oneshot"),
    (re.compile(r"\bhalf[- ]breeds?\b"), "halfbreed"),
)

# Each line is one meaning; its first word stands for all of them. Regular forms are left to the stemming.
SYNONYMS = """
fight combat battle fought
flee escape fled run ran
steal theft rob robbery stole stolen
thief thieves
help helper assist aid
die dead death died dying corpse
win won victory winner
lose lost loss loser
sell sold
equip wear wore worn
trade swap barter exchange
sex gender
steed mount horse
hireling sidekick minion
tie equal
discard throw
kill slay slain
use used using
headgear helmet helm hat
footgear boots shoes
2 two
3 three
"""

# Not the same, but seldom far: who asks for the first may be helped by the second, at a part of its worth.
RELATED = {"steal": "thief", "2": "several"}
PART = 0.1


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The word without its ending, so that levels, level and leveled meet; rough, but the same for all."""
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if len(word) > 5 and word.endswith("ing"):
        word = undouble(word[:-3])
    elif len(word) > 4 and word.endswith("ed"):
        word = undouble(word[:-2])
    elif len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")):
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def undouble(word: str) -> str:
    """``runn`` to ``run``; ``sell`` and ``pass`` keep both letters."""
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word


MEANING = {stem(word): line.split()[0] for line in SYNONYMS.strip().splitlines() for word in line.split()}


def words(text: str) -> list[str]:
    """What a text is about: its words without the small ones, each as its stem or its meaning."""
    text = text.lower().replace("’", "'").replace("'s", "")
    for phrase, meaning in PHRASES:
        text = phrase.sub(meaning, text)
    found: list[str] = []
    for word in WORD.findall(text):
        if word not in STOPWORDS:
            root = stem(word)
            found.append(MEANING.get(root, root))
    return found


class Entry(msgspec.Struct, frozen=True):
    """One rule in the index: how much each word weighs in it, and how long it is against the others."""

    rule: Rule
    weights: dict[str, float]
    length: float


class Index(msgspec.Struct, frozen=True):
    """All rules, and how rare each word is among them."""

    entries: tuple[Entry, ...]
    rarity: dict[str, float]


@cache
def index() -> Index:
    """The index of the whole rulebook, made on the first search."""
    weighed: list[tuple[Rule, dict[str, float], float]] = []
    for chapter in chapters():
        name = words(chapter.title) + words(chapter.id.replace("-", " "))
        for rule in chapter.rules:
            weights: defaultdict[str, float] = defaultdict(float)
            says, detail = words(rule.says), words(rule.detail)
            for part, weight in (([rule.id.lower()], ID), (name, TITLE), (says, SAYS), (detail, DETAIL)):
                for word in part:
                    weights[word] += weight
            weighed.append((rule, weights, len(says) + len(detail) / 2))
    # How rare a word is, and how long a rule is, goes by the rules alone: readings say their words again.
    rules = [(weights, length) for rule, weights, length in weighed if not rule.reading]
    total = len(rules)
    usual = sum(length for _, length in rules) / total
    seen = Counter(word for weights, _ in rules for word in weights)
    words_of_all = {word for _, weights, _ in weighed for word in weights}
    return Index(
        tuple(Entry(rule, dict(weights), length / usual) for rule, weights, length in weighed),
        {word: log(1 + (total - seen[word] + 0.5) / (seen[word] + 0.5)) for word in words_of_all},
    )


def search(text: str, limit: int = 10) -> list[tuple[float, Rule]]:
    """The rules that a question is most likely about, best first, each with its score."""
    rarity = index().rarity
    asked = {word: rarity[word] for word in words(text) if word in rarity}
    near = {RELATED[word]: rarity[RELATED[word]] * PART for word in asked if word in RELATED}
    scored: list[tuple[float, Rule]] = []
    for entry in index().entries:
        found = asked.keys() & entry.weights.keys()
        if not found:
            continue
        held_back = REPEATS * (1 - LENGTH + LENGTH * entry.length)
        score = 0.0
        for word, worth in (near | asked).items():
            weight = entry.weights.get(word, 0.0)
            score += worth * weight * (REPEATS + 1) / (weight + held_back)
        # Two of two words found beats the rarer one found twice.
        score *= len(found) / len(asked)
        if entry.rule.chapter not in CLASSIC:
            score *= READING if entry.rule.reading else BEYOND_CLASSIC
        scored.append((score, entry.rule))
    return nlargest(limit, scored, key=lambda pair: pair[0])
