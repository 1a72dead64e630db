"""What it takes to get away, as a view says it: the very throw that is asked for when it comes to it."""

from __future__ import annotations

import random

import pytest

from helpers import play
from kickdoor.cards.reading import documents
from kickdoor.engine.kernel import apply
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.views import SPECTATOR, pending, seen
from kickdoor.scenario.runner import Play

TABLE = """
scenario: Running from it
table:
  fixtures:
    - {{name: Ogre, kind: monster, level: 19, bad_stuff: [{{lose_level: 1}}]}}
    - {{name: Snail, kind: monster, level: 19, run_away: 2, bad_stuff: [{{lose_level: 1}}]}}
    - {{name: Cheetah, kind: monster, level: 19, run_away: -9, bad_stuff: [{{lose_level: 1}}]}}
    - {{name: Wall, kind: monster, level: 19, escape: automatic, bad_stuff: [{{lose_level: 1}}]}}
    - {{name: Glue, kind: monster, level: 19, escape: impossible, bad_stuff: [{{lose_level: 1}}]}}
    - {{name: Mouse, kind: monster, level: 1, bad_stuff: [{{lose_level: 1}}]}}
  players: {{Aric: {{level: 3, in_play: [{has}]}}, Bob: {{level: 2}}, Suzan: {{}}}}
  fight: {{main: Aric, monsters: [{foe}]}}
steps: []
"""


def odds(foe: str, has: str = "") -> list[tuple[int, int]]:
    ((data, _),) = documents(TABLE.format(foe=foe, has=has), "a table")
    game = Play(data)
    game.run()
    fight = seen(game.g, SPECTATOR)["fight"]
    assert fight is not None
    assert all(x["seat"] == 0 for x in fight["escapes"])
    return [(x["need"], x["chance"]) for x in fight["escapes"]]


@pytest.mark.parametrize(
    ("foe", "has", "told"),
    [
        ("Ogre", "", (5, 33)),
        ("Ogre", "Elf", (4, 50)),
        ("Ogre", "Elf, Boots of Running Really Fast", (2, 83)),
        ("Snail", "", (3, 67)),
        ("Snail", "Elf, Boots of Running Really Fast", (1, 100)),
        ("Cheetah", "", (7, 0)),
        ("Wall", "", (0, 100)),
        ("Glue", "Elf", (7, 0)),
    ],
)
def test_what_is_needed_and_how_likely_it_is(foe: str, has: str, told: tuple[int, int]) -> None:
    assert odds(foe, has) == [told]


def test_each_monster_is_run_from_by_itself() -> None:
    assert odds("Ogre, Snail") == [(5, 33), (3, 67)]


def test_nobody_runs_from_a_fight_that_is_being_won() -> None:
    assert odds("Mouse") == []


@pytest.mark.parametrize("mix", ["three_packs", "west"])
def test_it_is_what_the_roll_asks_for(mix: str) -> None:
    """In played games: whoever runs is asked for just the throw that was told before."""
    told: list[int] = []
    needed: list[int] = []

    def look(g: Game, move: Move, _: random.Random) -> None:
        if move.verb != mv.RUN:
            return
        fight = seen(g, SPECTATOR)["fight"]
        assert fight is not None
        after = g.clone()
        apply(after, move)
        p = pending(after)
        if p is not None and p["what"] == "roll" and p["foe"] == move.card:
            told.extend(x["need"] for x in fight["escapes"] if (x["seat"], x["foe"]) == (move.seat, move.card))
            needed.append(min(7, max(1, p["need"] - p["bonus"])))

    play(mix, 4, 1, look)
    assert len(needed) > 2
    assert told == needed
