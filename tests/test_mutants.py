"""Rules broken on purpose are noticed: by the scenarios that say they show the rule."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import lru_cache

import pytest
import yaml

from kickdoor import COMPILED
from kickdoor.lab.grafting import changed_text, codes_in, function_of, graft, probes
from kickdoor.lab.mutants import Story, as_diff, from_another_seat, report, sample, stories, trials
from kickdoor.lab.mutations import changes, chapters, functions, piece, source_of
from named_mutants import MUTANTS, Named

pytestmark = [
    pytest.mark.skipif(COMPILED, reason="the functions of a compiled engine cannot be exchanged"),
    pytest.mark.xdist_group("mutants"),  # the scenarios are read once, and the packs compiled once
]


@lru_cache(maxsize=1)
def all_stories() -> tuple[Story, ...]:
    return tuple(stories())


@lru_cache(maxsize=1024)
def passes(story: Story) -> bool:
    return story.passes()


def showing(rule: str) -> list[Story]:
    return [s for s in all_stories() if rule in s.shows]


# -- sixty rules and more, broken -------------------------------------------------------------------------------


def test_there_are_sixty_of_them_and_no_two_have_one_name() -> None:
    assert len({m.name for m in MUTANTS}) == len(MUTANTS) >= 60


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_a_broken_rule_is_noticed(mutant: Named) -> None:
    change = piece(mutant.module, mutant.function, mutant.old, mutant.new, mutant.name)
    told = showing(mutant.rule)
    assert told, f"no scenario shows {mutant.rule}"
    assert [str(s) for s in told if not passes(s)] == []
    (verdict,) = trials([(change, told)])
    hint = f"{mutant.rule} can be broken, and none of the {len(told)} scenarios that show it notices"
    assert verdict.killed, "\n".join([f"{change.place}: {hint}:", *as_diff(change)])


# -- the tool ---------------------------------------------------------------------------------------------------


def test_a_piece_that_is_gone_is_reported() -> None:
    with pytest.raises(LookupError, match=r"charity\.receivers: 'no such words' stands there 0 times"):
        piece("charity", "receivers", "no such words", "", "nothing")
    with pytest.raises(LookupError, match=r"charity\.nobody: no such function"):
        piece("charity", "nobody", "", "", "nothing")


def test_every_change_leaves_a_program_and_makes_a_difference() -> None:
    for change in sample(150, seed=3):
        name = f"{change.place}: {change.old!r} to {change.new!r}"
        old = function_of(change.module, change.function).__code__
        new = codes_in(compile(changed_text(change), "changed", "exec", dont_inherit=True))[change.function]
        assert (old.co_code, old.co_consts, old.co_names) != (new.co_code, new.co_consts, new.co_names), name


def test_what_cannot_matter_is_left_alone() -> None:
    for module in ("turn", "levels", "front", "force"):
        touched = {c.statement for c in changes(module)}
        for _, function in functions(ast.parse(source := source_of(module))):
            for node in ast.walk(function):
                if isinstance(node, ast.Assert) or (
                    isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                ):
                    assert node.lineno not in touched, source.splitlines()[node.lineno - 1]


def test_a_sample_has_something_of_every_chapter_and_is_the_same_again() -> None:
    some = sample(500, seed=1)
    assert len(some) == len(set(some)) == 500
    assert {c.module for c in some} == set(chapters())
    assert sample(500, seed=1) == some != sample(500, seed=2)


FIXTURES = ", fixtures: [{name: Cup, kind: item, gold: 1000}]"
SELLING = f"""
scenario: A cup for a level
table: {{players: {{Aric: {{in_play: [Cup]}}, Suzan: {{}}, Bob: {{}}}}{FIXTURES}}}
steps:
  - Aric: {{sell: [Cup]}}
  - expect: {{Aric.level: 2}}
"""


def story(text: str = SELLING) -> Story:
    return Story("here", 1, "A cup for a level", frozenset(), text)


def test_a_change_is_killed_survives_or_never_ends_and_the_engine_is_as_it_was() -> None:
    skip = piece("levels", "gain", "p.level += n", "pass", "no level")
    same = piece("levels", "gain", "p.level += n", "p.level += n + 0", "the same")
    hang = piece("levels", "gain", "p.level += n", "while n: n += 0", "endless")
    verdicts = {v.change.kind: v for v in trials([(c, [story()]) for c in (skip, same, hang)], processes=2)}
    assert verdicts["no level"].how == "fails"
    assert not verdicts["the same"].killed
    assert verdicts["endless"].how == "does not end"
    assert story().passes()
    text = report(list(verdicts.values()))
    assert "2 of 3 changes were noticed" in text
    assert "+ p.level += n + 0" in text


def test_probes_see_where_a_scenario_goes_and_leave_no_trace() -> None:
    before = function_of("levels", "gain").__code__
    with probes() as hits:
        assert story().passes()
    number = chapters().index("levels")
    line = piece("levels", "gain", "p.level += n", "", "").line
    assert (number, line) in hits
    assert function_of("levels", "gain").__code__ is before


def test_a_graft_reaches_everybody_who_imported_the_function() -> None:
    change = piece("charity", "receivers", "low = min(", "low = max(", "the highest")
    f = function_of("charity", "receivers")
    before = f.__code__
    try:
        graft(change)
        assert f.__code__ is not before
    finally:
        f.__code__ = before


def test_from_another_seat_is_the_same_table_turned_round() -> None:
    table = yaml.safe_load(from_another_seat(SELLING, "here"))["table"]
    assert list(table["players"]) == ["Suzan", "Bob", "Aric"]
    assert table["turn"] == "Aric"
    assert replace(story(), turned=True).passes()


def test_a_table_that_cannot_be_is_noticed() -> None:
    lost = piece("zones", "_lay_down", "g.discards[d.deck] = [*g.discards[d.deck], card]", "pass", "a card vanishes")
    quiet = replace(
        story(), text=SELLING.replace("Cup", "Wand of Dowsing").replace(FIXTURES.replace("Cup", "Wand of Dowsing"), "")
    )
    assert quiet.passes()
    (verdict,) = trials([(lost, [quiet])])
    assert verdict.how == "breaks: AssertionError"
