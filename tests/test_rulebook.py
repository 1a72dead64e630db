"""The rulebook: complete, consistent, and quick to find something in."""

from __future__ import annotations

import ast
import doctest
import re
from collections import Counter
from pathlib import Path

import pytest

from kickdoor import rulebook
from kickdoor.rulebook import index, pages, same, speech
from kickdoor.rulebook.speech import words


def found(text: str, limit: int = 10) -> list[str]:
    return [rule.id for _, rule in rulebook.search(text, limit)]


def test_every_page_is_a_chapter_in_the_order() -> None:
    assert sorted(pages.ORDER) == sorted(page.stem for page in pages.HOME.glob("*.yaml"))
    assert [chapter.id for chapter in rulebook.chapters()] == list(pages.ORDER)


def test_the_classic_game_comes_first_then_the_questions_the_sets_and_the_readings() -> None:
    order = [chapter.id for chapter in rulebook.chapters()]
    assert order[:3] == ["SETUP", "PILE", "DECK"]
    assert order.index("COMBAT") < order.index("MULTI") < order.index("RUN") < order.index("FAST")
    assert all(id.startswith("FQ-") for id in order[order.index("FAST") + 1 : order.index("MM")])
    assert order[-6:] == ["MM", "BT", "GB", "SH", "AMB", "SAMB"]


def test_every_rule_id_is_used_once() -> None:
    times = Counter(rule.id for rule in rulebook.all_rules())
    assert [id for id, n in times.items() if n > 1] == []
    assert Counter(rule.reading for rule in rulebook.all_rules()) == {False: 1099, True: 137}


def test_a_reading_asks_answers_says_why_and_leads_to_what_it_settles() -> None:
    rules = {rule.id for rule in rulebook.all_rules() if not rule.reading}
    for reading in (rule for rule in rulebook.all_rules() if rule.reading):
        question, _, answer = reading.says.partition("? ")
        assert question, reading.id
        assert answer, reading.id
        assert reading.detail, reading.id
        assert set(reading.see) & rules, reading.id


def test_rules_come_before_readings_in_a_search() -> None:
    assert found("SAMB-14")[0] == "SAMB-14"
    assert "AMB-28" in found("sell for two levels at Level 8", 10)
    assert not any(rule.reading for _, rule in rulebook.search("steal in combat", 5))


def test_rules_are_numbered_from_one_without_gaps_under_their_chapter() -> None:
    for chapter in rulebook.chapters():
        assert [rule.id for rule in chapter.rules] == [f"{chapter.id}-{n + 1}" for n in range(len(chapter.rules))]
        assert {rule.chapter for rule in chapter.rules} == {chapter.id}


def test_nothing_is_blank() -> None:
    for chapter in rulebook.chapters():
        assert chapter.title.strip(), chapter.id
        assert chapter.about.strip(), chapter.id
        for rule in chapter.rules:
            assert rule.says.strip() == rule.says != "", rule.id
            assert rule.detail.strip() == rule.detail, rule.id


def test_see_leads_to_other_rules_that_exist() -> None:
    ids = {rule.id for rule in rulebook.all_rules()}
    assert [(rule.id, to) for rule in rulebook.all_rules() for to in rule.see if to not in ids] == []
    assert [rule.id for rule in rulebook.all_rules() if rule.id in rule.see] == []
    assert [rule.id for rule in rulebook.all_rules() if len(set(rule.see)) < len(rule.see)] == []


def test_every_rule_can_be_asked_for_by_its_id() -> None:
    assert [rulebook.rule(rule.id) for rule in rulebook.all_rules()] == rulebook.all_rules()


def test_a_rule_knows_what_it_says_and_where_it_stands() -> None:
    rule = rulebook.rule("COMBAT-4")
    assert rule.chapter == "COMBAT"
    assert "Warrior" in rule.says
    assert rule.detail == "One Warrior is enough."
    assert rule.see == ("CLASS-16", "HELP-12")
    assert rulebook.rule("COMBAT-16").detail == ""
    assert rulebook.rule("COMBAT-16").see == ()


def test_a_chapter_of_questions_has_two_dashes_in_its_ids() -> None:
    assert rulebook.rule("FQ-CBT-2").chapter == "FQ-CBT"


def test_asking_for_one_rule_reads_one_page() -> None:
    pages.chapter.cache_clear()
    pages.rules_of.cache_clear()
    rulebook.rule("COMBAT-19")
    rulebook.rule("COMBAT-20")
    assert pages.chapter.cache_info().misses == 1


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("COMBAT-36", "COMBAT-35"),
        ("COMBAT-0", "COMBAT-1"),
        ("combat-19", "COMBAT-19"),
        ("COMBT-19", "COMBAT-19"),
        ("FQCBT-3", "FQ-CBT-3"),
        ("COMBAT", "COMBAT-1"),
    ],
)
def test_an_unknown_id_suggests_the_nearest(asked: str, first: str) -> None:
    with pytest.raises(rulebook.RuleError, match=first) as refused:
        rulebook.rule(asked)
    assert isinstance(refused.value, ValueError)
    assert refused.value.asked == asked
    assert refused.value.nearest[0] == first


@pytest.mark.parametrize("asked", ["", "-", "XYZZY-1", "../pages/COMBAT-1", "COMBAT-x/y"])
def test_an_id_like_no_other_shows_what_ids_look_like(asked: str) -> None:
    with pytest.raises(rulebook.RuleError) as refused:
        rulebook.rule(asked)
    assert "COMBAT-" in str(refused.value)


def test_an_unknown_chapter_suggests_chapters() -> None:
    with pytest.raises(rulebook.RuleError, match="no chapter 'COMBATS'; the nearest: COMBAT"):
        rulebook.chapter("COMBATS")


def test_stealing_in_combat_is_found() -> None:
    assert set(found("steal in combat", 3)) == {"COMBAT-20", "CLASS-11", "CLASS-12"}


@pytest.mark.parametrize("asked", ["theft during a fight", "Stealing in battle?", "rob someone fighting"])
def test_the_same_question_in_other_words_finds_the_same(asked: str) -> None:
    assert {"COMBAT-20", "CLASS-11", "CLASS-12"} <= set(found(asked, 5))


@pytest.mark.parametrize(
    ("asked", "id"),
    [
        ("who wins a tie with a warrior", "COMBAT-4"),
        ("selling items in combat", "COMBAT-19"),
        ("flee from several monsters", "RUN-14"),
        ("escaping several monsters", "MULTI-9"),
        ("running away from several monsters", "MULTI-9"),
        ("how many cards in hand at the end of my turn", "PILE-10"),
        ("keep level when dead", "DEATH-4"),
        ("buy levels with items", "LEVEL-3"),
        ("cleric turning undead", "CLASS-17"),
        ("one-shot from hand", "COMBAT-14"),
        ("two helmets", "EQUIP-1"),
    ],
)
def test_search_finds(asked: str, id: str) -> None:
    assert id in found(asked, 10)


def test_an_id_finds_its_rule_first() -> None:
    assert found("combat-20")[0] == "COMBAT-20"
    assert found("why does FQ-CBT-2 say so")[0] == "FQ-CBT-2"


def test_search_is_ordered_limited_and_repeatable() -> None:
    hits = rulebook.search("level", limit=25)
    assert len(hits) == 25
    assert [score for score, _ in hits] == sorted((score for score, _ in hits), reverse=True)
    assert hits == rulebook.search("levels", limit=25)


@pytest.mark.parametrize("asked", ["", "   ", "the of and", "xyzzy", "?!"])
def test_a_question_about_nothing_finds_nothing(asked: str) -> None:
    assert rulebook.search(asked) == []


@pytest.mark.parametrize(
    "forms",
    [
        "level levels leveled",
        "steal steals stealing stole stolen theft robbing",
        "fight fights fighting fought combat combats battle",
        "flee fleeing escape escapes escaped running run",
        "die dies died dying dead death",
        "curse curses cursed",
        "class classes",
        "sell sells selling sold",
        "ability abilities",
        "trade trades trading swapped",
    ],
)
def test_forms_of_a_word_meet(forms: str) -> None:
    assert len(set(words(forms))) == 1, words(forms)


def test_every_related_word_is_in_the_book() -> None:
    near = {word for meaning, others in speech.speech().near.items() for word in (meaning, *others)}
    assert sorted(near - index.index().written.keys()) == []


def test_the_rulebook_uses_no_other_room() -> None:
    for file in Path(pages.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kickdoor"):
                assert re.fullmatch(r"kickdoor\.rulebook(\.\w+)?", node.module or ""), file


def test_the_examples_in_the_docstring_run() -> None:
    assert doctest.testmod(rulebook).failed == 0


def test_what_says_the_same_is_a_rule() -> None:
    ids = {r.id for r in rulebook.all_rules()}
    for id, others in same.same_as().items():
        assert set(others) <= ids, id
        assert id not in others, f"{id} is the same as itself"
        assert len(set(others)) == len(others), f"{id} names one twice"
        assert list(others) == sorted(others, key=place), f"{id} names them in another order than the book"


def place(id: str) -> tuple[int, int]:
    """Where a rule stands in the book."""
    home, _, number = id.rpartition("-")
    return pages.ORDER.index(home), int(number)


def test_a_likeness_does_not_become_a_chain() -> None:
    """Only other books and readings are followed from page to page; a classic page names its equals itself."""
    for id in same.same_as():
        if id.rpartition("-")[0] not in same.FOLLOWED:
            assert all(not rulebook.equivalent(id, r.id) or r.id in (id, *r_same(id)) for r in rulebook.all_rules())


def r_same(id: str) -> tuple[str, ...]:
    return same.same_as()[id]


def test_equivalence_goes_one_way_and_further_on() -> None:
    assert rulebook.equivalent("SH-25", "SELL-6")  # by way of MM-27
    assert rulebook.equivalent("SELL-6", "SELL-6")
    assert not rulebook.equivalent("SELL-6", "SH-25")


def test_within_one_book_nothing_is_followed() -> None:
    assert rulebook.equivalent("BT-18", "BT-12")
    assert rulebook.equivalent("BT-12", "BT-3")
    assert not rulebook.equivalent("BT-18", "BT-3")
    assert not rulebook.equivalent("MM-31", "COMBAT-19")  # MM-36 closes the whole shop


def test_what_a_power_costs_is_said_by_the_rule_of_the_power_as_well() -> None:
    costs = [("CLASS-14", "CLASS-6"), ("CLASS-15", "CLASS-6"), ("EPIC-21", "RACE-7"), ("EPIC-35", "CLASS-6")]
    assert all(rulebook.equivalent(wanted, cited) for wanted, cited in costs)
    assert rulebook.equivalent("EPIC-7", "EPIC-6")  # who has fallen is Epic no more
    assert rulebook.equivalent("FQ-AXE-14", "EQUIP-1")  # what cannot be taken off keeps its place
