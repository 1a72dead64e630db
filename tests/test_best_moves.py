"""Positions where a person would see the right move (`best:` in scenarios/best), and how the bots do in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from kickdoor.bots import make
from kickdoor.lab.best import Position, judge, main, positions
from kickdoor.scenario.naming import ScenarioError
from kickdoor.scenario.runner import best_moves, run_text

HOME = Path(__file__).resolve().parent.parent / "scenarios" / "best"
pytestmark = pytest.mark.xdist_group("best_moves")  # the tables are set once


@cache
def all_positions() -> list[Position]:
    return list(positions([HOME]))


def rate(kind: str) -> float:
    return sum(judge(p, make(kind, 1)).right for p in all_positions()) / len(all_positions())


def test_there_are_enough_positions() -> None:
    assert len(all_positions()) >= 40
    assert len({p.scenario for p in all_positions()}) == len(all_positions())


def test_schemer_sees_the_right_move() -> None:
    wrong = [(p.scenario, v.did) for p in all_positions() if not (v := judge(p, make("schemer", 1))).right]
    assert len(wrong) <= len(all_positions()) * 0.1, wrong


def test_the_ladder_shows_in_the_positions() -> None:
    assert rate("random") < rate("greedy") < rate("schemer")


def test_the_table_is_not_changed_by_asking() -> None:
    p = all_positions()[0]
    before = p.play.g.key()
    judge(p, make("schemer", 1))
    assert p.play.g.key() == before


def test_best_is_read() -> None:
    assert best_moves(None) == []
    assert best_moves({"Aric": "pass"}) == [("Aric", ["pass"], [])]
    assert best_moves({"Aric": {"not": ["accept"]}}) == [("Aric", [], ["accept"])]
    with pytest.raises(ScenarioError, match="best"):
        best_moves("pass")


def test_a_best_move_must_be_legal() -> None:
    text = "scenario: x\ntable: {players: {Aric: {}, Bob: {}, Cid: {}}}\nbest: {Bob: kick}\n"
    (outcome,) = run_text(text)
    assert not outcome.passed
    assert "kick should be offered to Bob" in outcome.because


def test_the_report_says_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(HOME / "stopping.yaml"), "--bots", "greedy"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("greedy: ")
    assert "Finish the winner-to-be" in out
