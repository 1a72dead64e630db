"""Rules are found by the way players ask for them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TypedDict

import pytest
import yaml

from kickdoor import rulebook
from kickdoor.rulebook import speech

QUESTIONS = sorted((Path(__file__).parent / "questions").glob("*.yaml"))

FIRST = 3
"""A question counts as answered when one of its rules is among so many."""

# How many of a hundred must be answered. Questions nobody tuned the search on are allowed to be harder.
WANTED = {"seen": 90, "strangers": 90, "unseen": 86}


class Question(TypedDict):
    ask: str
    answers: list[str]


def read(file: Path) -> list[Question]:
    questions: list[Question] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return questions


def unanswered(questions: list[Question]) -> list[str]:
    """The questions whose rules are not among the first."""
    return [
        q["ask"] for q in questions if not {rule.id for _, rule in rulebook.search(q["ask"], FIRST)} & set(q["answers"])
    ]


@pytest.mark.parametrize("file", QUESTIONS, ids=lambda file: file.stem)
def test_questions_of_players_find_their_rule(file: Path) -> None:
    questions = read(file)
    missed = unanswered(questions)
    assert 100 * (len(questions) - len(missed)) >= WANTED[file.stem] * len(questions), missed


@pytest.mark.parametrize("file", QUESTIONS, ids=lambda file: file.stem)
def test_questions_name_rules_and_are_not_copied_into_the_pages(file: Path) -> None:
    lines = {frozenset(line.lower().split()) for rule in rulebook.all_rules() for line in rule.asked}
    for question in read(file):
        assert all(rulebook.rule(id) for id in question["answers"])
        assert frozenset(question["ask"].lower().split()) not in lines, question["ask"]


def test_every_rule_is_asked_for_in_two_to_five_ways() -> None:
    assert [rule.id for rule in rulebook.all_rules() if not 2 <= len(rule.asked) <= 5] == []


def test_no_two_rules_are_asked_for_in_the_same_line() -> None:
    times = Counter(line.lower() for rule in rulebook.all_rules() for line in rule.asked)
    assert [line for line, n in times.items() if n > 1] == []
    assert all(line.strip() == line != "" for line in times)


def test_every_rule_is_found_by_each_line_that_asks_for_it() -> None:
    """Among the first ten: neighbours may come before it, and rules that say the same."""
    lost = [
        (rule.id, line)
        for rule in rulebook.all_rules()
        for line in rule.asked
        if rule.id not in {found.id for _, found in rulebook.search(line, 10)}
    ]
    assert lost == []


def test_a_way_to_say_something_means_one_thing() -> None:
    meant: dict[tuple[str, ...], set[str]] = {}
    for way, meaning in speech.ways():
        assert way, f"{meaning}: nothing is left of one way to say it"
        meant.setdefault(way, set()).add(meaning)
    assert {way: meanings for way, meanings in meant.items() if len(meanings) > 1} == {}
    assert [way for way in meant if len(way) == 1 and way[0] in speech.speech().small] == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("throw it away", "discard"),
        ("he wants to back out", "leave"),
        ("she's kicking the bucket", "die"),
        ("my horses", "steed"),
        ("a one-shot", "oneshot"),
    ],
)
def test_turns_of_phrase_are_heard_as_one_word(said: str, meant: str) -> None:
    assert speech.words(said)[-1] == meant
