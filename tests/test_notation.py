"""Moves as text: every legal move of every seat is printed and read back, and nonsense is refused in words."""

from __future__ import annotations

import random

import pytest

from drilling import daily
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.setup import new_game
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move, at_seat
from kickdoor.engine.value.notation import NotationError, card_text, parse, parse_card, text
from kickdoor.lab import mixes
from kickdoor.lab.random_play import choose


def table(*names: str) -> Game:
    return new_game(list(names or ("Ann", "Bob", "Cid")), packs=("classic",), seed=1)


@pytest.mark.parametrize("number", daily([2, 5], [2, 5, 9, 14, 23, 31]))
def test_every_legal_move_is_read_back(number: int) -> None:
    case = mixes.case(number)
    g, _ = mixes.start(case)
    rng = random.Random(number)
    for i in range(600):
        if g.winners:
            return
        for s in range(len(g.players) if i % 4 == 0 else 0):
            said = [text(g, m) for m in legal(g, s)]
            assert [parse(g, t) for t in said] == legal(g, s)
            assert len({t.lower() for t in said}) == len(said)
        apply(g, choose(g, rng))


def test_every_card_has_a_name_of_its_own() -> None:
    lib = table().lib
    assert [parse_card(lib, card_text(lib, c)) for c in range(len(lib.defs))] == list(range(len(lib.defs)))


def test_how_moves_look() -> None:
    g = table()
    lib = g.lib
    thief = parse_card(lib, "Thief#2")
    potion = parse_card(lib, "Flaming Poison Potion")
    assert text(g, Move(1, mv.PASS)) == "Bob: pass"
    assert text(g, Move(0, mv.ADD, extra=mv.treasures_code(2))) == "Ann: add 2 treasures"
    assert text(g, Move(0, mv.ADD, extra=mv.picks_code(mv.PICKS_HELPER))) == "Ann: add picks: helper"
    assert text(g, Move(2, mv.USE, thief, at_seat(0), mv.power_code(0))) == "Cid: use Thief#2.Backstab on Ann"
    assert text(g, Move(0, mv.PLAY, potion, mv.MONSTERS)) == "Ann: play Flaming Poison Potion on monsters"
    assert text(g, Move(0, mv.ASK_HELP, target=at_seat(1))) == "Ann: ask help of Bob"
    assert parse(g, "cid: use thief#2.backstab on ann") == Move(2, mv.USE, thief, at_seat(0), mv.power_code(0))


def test_a_player_who_is_called_like_something_else_goes_by_his_seat() -> None:
    g = table("Monsters", "Harpies", "Cid: kick")
    assert [text(g, Move(s, mv.PASS)) for s in range(3)] == ["seat 1: pass", "seat 2: pass", "seat 3: pass"]
    assert parse(g, "seat 2: accept seat 1") == Move(1, mv.ACCEPT, target=at_seat(0))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "a move is written `PLAYER: MOVE`"),
        ("kick", "a move is written `PLAYER: MOVE`"),
        ("Zoe: kick", "nobody here is called 'Zoe'; at this table: Ann, Bob, Cid"),
        ("Ann: kik", "no move begins like 'kik'; did you mean 'kick'?"),
        ("Ann: play Harpeis", "no card of this game is called 'Harpeis'; did you mean 'Harpies'?"),
        ("Ann: play Thief", "say which, as Thief#1 to Thief#"),
        ("Ann: play Thief#9", "there is no 'Thief#9'"),
        ("Ann: use Thief#1", "use is written `use CARD.POWER`"),
        ("Ann: use Thief#1.Juggle", "no power 'Juggle'; there are: Backstab, Theft"),
        ("Ann: play Harpies as pet", "no way 'pet'"),
        ("Ann: add picks: nobody", "who picks is one of main, helper, handed"),
        ("Ann: ask help of Zoe", "nobody here is called 'Zoe'"),
    ],
)
def test_nonsense_is_refused_in_words(said: str, why: str) -> None:
    with pytest.raises(NotationError) as e:
        parse(table(), said)
    assert why in str(e.value)


def test_any_numbers_can_be_printed() -> None:
    g = table()
    rng = random.Random(4)
    for _ in range(2000):
        assert text(g, Move(rng.randrange(-2, 6), rng.randrange(-2, 32), *(rng.randrange(-300, 400) for _ in range(3))))
