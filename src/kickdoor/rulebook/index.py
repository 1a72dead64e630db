"""Searching the rulebook: by the words of the rules, and by the lines in which players ask for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache, lru_cache
from heapq import nlargest
from math import log

import msgspec

from kickdoor.rulebook.pages import CLASSIC, Rule, chapters
from kickdoor.rulebook.speech import speech, spoken, words

# How much a word counts by where it stands.
SAYS, DETAIL, TITLE, ID, ASKED = 3.0, 0.7, 0.7, 2.0, 1.0

# The two dials of BM25: how soon repeating a word stops helping, and how much long rules are held back.
REPEATS, LENGTH = 2.0, 0.4

# Two of two words found beats the rarer one found twice: how much so.
COVERED = 0.7

# What the lines of `asked` count beside the words of the rule: the nearest of them, and the one after it.
NEAREST, SECOND = 1.4, 1.0

# How much the words of a line that the question lacks hold it back.
UNSAID = 0.4

# What a small word is worth in a line, where "who", "when" and "how many" tell one question from another.
LITTLE = 0.6

# What a word near in meaning is worth: in the rule, and in the lines that ask for it.
NEAR_IN_RULE, NEAR_IN_LINE = 0.1, 0.45

# The question is usually about the classic rule; the FAQ and the sets say the same again for their own case. A
# reading repeats the question in order to settle it; whoever asks wants the rule first. Each for words and for lines.
HOME, BEYOND_CLASSIC, READING = (1.0, 1.0), (0.75, 0.85), (0.5, 0.85)

# A rule that is named by its id comes before all others.
BY_ID = 1000.0

# From how many letters on a word nobody knows is taken for a slip of the pen.
TYPO = 6

# Whoever names a topic (a set, Hirelings, Epic play) means its rules; whoever does not, seldom.
NAMED, UNNAMED = 1.3, 0.85

Postings = dict[str, list[tuple[int, float]]]


class Line(msgspec.Struct, frozen=True):
    """One line of `asked`: the rule it is for, by its place in the index, and what its words are worth together."""

    rule: int
    size: float


class Index(msgspec.Struct, frozen=True):
    """Where each word stands: in which rules, for how much of their score; in which lines, and its worth there."""

    rules: tuple[Rule, ...]
    weights: tuple[tuple[float, float], ...]
    lines: tuple[Line, ...]
    written: Postings
    heard: dict[str, list[int]]
    worth: dict[str, float]


def rarity(texts: Iterable[Iterable[str]], total: int) -> dict[str, float]:
    """How much a word tells: the more, the fewer texts it stands in."""
    seen = Counter(word for text in texts for word in set(text))
    return {word: log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in seen.items()}


def weighed(rule: Rule, title: list[str], says: list[str], detail: list[str]) -> dict[str, float]:
    """How much each word weighs in a rule."""
    asked = {word for line in rule.asked for word in words(line)}
    weights: defaultdict[str, float] = defaultdict(float)
    parts = (([rule.id.lower()], ID), (title, TITLE), (says, SAYS), (detail, DETAIL), (asked, ASKED))
    for part, weight in parts:
        for word in part:
            weights[word] += weight
    return weights


@cache
def index() -> Index:
    """The index of the whole rulebook, made on the first search."""
    rules: list[Rule] = []
    weights: list[dict[str, float]] = []
    lengths: list[float] = []
    for chapter in chapters():
        title = words(chapter.title) + words(chapter.id.replace("-", " "))
        for rule in chapter.rules:
            says, detail = words(rule.says), words(rule.detail)
            rules.append(rule)
            weights.append(weighed(rule, title, says, detail))
            lengths.append(len(says) + len(detail) / 2)
    lines = [(n, frozenset(spoken(line))) for n, rule in enumerate(rules) for line in rule.asked]
    worth = {
        word: value * LITTLE if word in speech().small else value
        for word, value in rarity((said for _, said in lines), len(lines)).items()
    }
    heard: defaultdict[str, list[int]] = defaultdict(list)
    for at, (_, said) in enumerate(lines):
        for word in said:
            heard[word].append(at)
    return Index(
        tuple(rules),
        tuple(beyond(rule) for rule in rules),
        tuple(Line(n, sum(worth[word] for word in said)) for n, said in lines),
        written(weights, lengths),
        dict(heard),
        worth,
    )


def beyond(rule: Rule) -> tuple[float, float]:
    """How much the words of a rule and the lines for it count, by where it stands."""
    if rule.chapter in CLASSIC:
        return HOME
    return READING if rule.reading else BEYOND_CLASSIC


def written(weights: list[dict[str, float]], lengths: list[float]) -> Postings:
    """For each word, the rules it stands in and what it gives them (BM25)."""
    rare = rarity(weights, len(weights))
    usual = sum(lengths) / len(lengths)
    found: Postings = defaultdict(list)
    for n, (weight_of, length) in enumerate(zip(weights, lengths, strict=True)):
        held_back = REPEATS * (1 - LENGTH + LENGTH * length / usual)
        for word, weight in weight_of.items():
            found[word].append((n, rare[word] * weight * (REPEATS + 1) / (weight + held_back)))
    return dict(found)


@lru_cache(maxsize=1024)
def spelled(word: str) -> str:
    """The word, or the one in the book it was probably meant to be."""
    book = index()
    if len(word) < TYPO or word in speech().small or word in book.written or word in book.heard:
        return word
    alike = [known for known in book.written if known[0] == word[0] and abs(len(known) - len(word)) < 2]
    close = get_close_matches(word, alike, 1, 0.85)
    return close[0] if close else word


def near(question: set[str]) -> set[str]:
    """What is not said but seldom far from it."""
    known = speech().near
    return {other for word in question for other in known.get(word, ())} - question


def by_words(question: set[str], related: set[str]) -> dict[int, float]:
    """The score of each rule that has a word of the question."""
    book = index().written
    asked = [book[word] for word in question - speech().small if word in book]
    scores: defaultdict[int, float] = defaultdict(float)
    found: Counter[int] = Counter()
    for postings in asked:
        for n, value in postings:
            scores[n] += value
            found[n] += 1
    for word in related:
        for n, value in book.get(word, ()):
            if n in found:
                scores[n] += value * NEAR_IN_RULE
    return {n: score * (found[n] / len(asked)) ** COVERED for n, score in scores.items()}


def by_lines(question: set[str], related: set[str]) -> dict[int, float]:
    """How near the lines of each rule come to the question: the nearest, and a part of the second."""
    book = index()
    common: defaultdict[int, float] = defaultdict(float)
    for word, part in [(word, 1.0) for word in question] + [(word, NEAR_IN_LINE) for word in related]:
        for at in book.heard.get(word, ()):
            common[at] += book.worth[word] * part
    asked = sum(book.worth.get(word, 0.0) for word in question)
    best: dict[int, tuple[float, float]] = {}
    for at, value in common.items():
        line = book.lines[at]
        score = value * (asked / line.size) ** UNSAID
        first, second = best.get(line.rule, (0.0, 0.0))
        best[line.rule] = (score, first) if score > first else (first, max(second, score))
    return {n: NEAREST * first + SECOND * second for n, (first, second) in best.items()}


def scored(text: str) -> Iterator[tuple[float, Rule]]:
    """Every rule that speaks of something in the question, with its score."""
    book = index()
    question = {spelled(word) for word in spoken(text)}
    related = near(question)
    topics = {chapter: NAMED if question & names else UNNAMED for chapter, names in speech().topics.items()}
    lines = by_lines(question, related)
    for n, score in by_words(question, related).items():
        in_words, in_lines = book.weights[n]
        rule = book.rules[n]
        total = (score * in_words + lines.get(n, 0.0) * in_lines) * topics.get(rule.chapter, 1.0)
        yield (total + BY_ID if rule.id.lower() in question else total), rule


def search(text: str, limit: int = 10) -> list[tuple[float, Rule]]:
    """The rules that a question is most likely about, best first, each with its score."""
    return nlargest(limit, scored(text), key=lambda pair: pair[0])
