"""Forks: what other moves are worth, by games that are played to their end from both."""

from __future__ import annotations

import json
import random

import pytest

from kickdoor.bots import Table
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import AFTER_DOOR
from kickdoor.lab import forks
from kickdoor.lab.forks import Fork, Plan
from test_bots import hold, meet, quiet_table

PLAN = Plan(("schemer", "random"), ("classic",), 0.02, 1)


def test_the_move_that_wins_is_worth_a_game() -> None:
    g = quiet_table(AFTER_DOOR)
    g.players[0].level = 9
    (missile,) = hold(g, 0, "Magic Missile")
    meet(g, 0, "Net Troll")  # level 10
    seat = Table(g).seat(0)
    wins = next(m for m in seat.moves if m.card == missile and m.target == mv.MUNCHKINS)
    key = g.key()
    worth = forks.worths(g, seat, [wins, mv.Move(0, mv.PASS)], 6, random.Random(1))
    assert worth[0] == 1.0
    assert worth[1] < 1.0
    assert g.key() == key, "the game itself goes nowhere"


def test_forks_are_where_bots_differ_and_come_again_by_seed() -> None:
    found = forks.forks(3, PLAN)
    assert found == forks.forks(3, PLAN)
    assert found
    assert all(f.gains[0] == 0.0 for f in found), "the first is what the others are compared with"
    assert any(f.moves[0] != f.moves[1] for f in found)


def test_gains_add_up_with_their_error_and_where_they_come_from() -> None:
    found = [
        Fork(1, 1, ("pass", "play"), (0.0, 0.3)),
        Fork(1, 2, ("pass", "play"), (0.0, 0.1)),
        Fork(1, 3, ("kick", "kick"), (0.0, 0.0)),
        Fork(1, 4, ("kick", "kick"), (0.0, 0.0)),
    ]
    (row,) = forks.report(PLAN, found)
    assert (row["decisions"], row["other"], row["gain"]) == (4, 2, 100.0)
    assert row["error"] == pytest.approx(70.71, abs=0.01)
    assert row["where"] == [{"moves": "pass -> play", "times": 2, "gain": 200.0, "error": 100.0}]
    assert "2 of 4 decisions (50.0%)" in "\n".join(forks.told(PLAN, [row]))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-n", "1", "--share", "0.1", "--playouts", "1", "--workers", "1", "--first", "3", "schemer", "greedy"]
    assert forks.main([*words, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["bot"] == "greedy"
    assert row["decisions"] > 0
