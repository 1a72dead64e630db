"""Random games over random mixes of all sets and options; `make mixes` plays many more."""

from __future__ import annotations

import os

import pytest

from drilling import daily
from kickdoor.cards.packs import known_packs
from kickdoor.lab import mixes

GAMES = int(os.environ.get("KICKDOOR_MIXES", daily("8", "40")))
FIRST = 20_000
CHANCE = 1_500  # moves at random


@pytest.mark.parametrize("number", range(FIRST, FIRST + GAMES))
def test_a_random_mix_is_a_game(number: int) -> None:
    r = mixes.play(number, chance=CHANCE)
    assert not r.failure, "\n" + mixes.report(r)
    assert r.turns > 0


def test_a_number_says_everything_about_its_game() -> None:
    assert mixes.case(7) == mixes.case(7)
    assert mixes.case(7) != mixes.case(8)
    cases = [mixes.case(n) for n in range(400)]
    assert {p for c in cases for p in c.packs} == set(known_packs())
    assert {c.seats for c in cases} == {3, 4, 5, 6}
    assert {c.fields.get("decks.piles") for c in cases} == {None, "halves", "reserve", "per_set"}


def test_a_game_without_end_is_a_failure_that_can_be_seen_again() -> None:
    r = mixes.play(7, bound=50)
    assert "no end after 50 decisions" in r.failure
    assert "python -m kickdoor.lab.mixes --game 7" in mixes.report(r)
    assert len(r.last) == mixes.LAST


def test_the_command_counts_what_it_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert mixes.main(["-n", "2", "--seed", "3", "--processes", "1"]) == 0
    out, err = capsys.readouterr()
    assert "2 games, 0 failed" in out
    assert "2 of 2 games" in err
