"""The board and the choice of a figure, as a program sees them."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

import kickdoor
from kickdoor.app import screen
from kickdoor.engine.saving import from_json, to_json
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import FEMALE, MALE
from kickdoor.engine.views import SPECTATOR, view

NAMES = ["Ann", "Bob", "Cid"]
PACKS = ("magical_mess", "classic")


def test_everybody_is_asked_before_the_deal() -> None:
    g = kickdoor.new_game(NAMES, packs=PACKS, seed=4)
    chosen = {}
    while isinstance(g.stack[-1], fr.Ask) and g.stack[-1].domain == fr.FIGURES:
        [seat] = kickdoor.to_act(g)
        assert all(not p.hand for p in g.players)
        assert from_json(to_json(g)).key() == g.key()
        chosen[seat] = FEMALE if seat == 1 else MALE
        kickdoor.apply(g, mv.Move(seat, mv.CHOOSE, chosen[seat]))
    assert chosen == {s: g.players[s].sex for s in range(3)}
    assert all(p.hand for p in g.players)


def test_nobody_is_asked_who_has_said_it_already() -> None:
    g = kickdoor.new_game(NAMES, packs=PACKS, seed=4, sexes=["female", "male", "female"])
    assert [p.sex for p in g.players] == [FEMALE, MALE, FEMALE]
    assert all(p.hand for p in g.players)


def test_only_those_are_asked_who_have_not() -> None:
    g = kickdoor.new_game(NAMES, packs=PACKS, seed=4, sexes=["female", "male"])
    assert kickdoor.to_act(g) == [2]


def test_where_the_sex_is_the_players_own_nobody_is_asked() -> None:
    g = kickdoor.new_game(NAMES, seed=4)
    assert all(p.hand for p in g.players)
    assert view(g, 0)["board"] is None


def test_the_board_is_the_same_for_everybody() -> None:
    g = kickdoor.new_game(NAMES, packs=PACKS, seed=4, sexes=["female", "male", "male"])
    g.players[1].level = 6
    g.touch()
    board = view(g, SPECTATOR)["board"]
    assert board is not None
    assert all(view(g, s)["board"] == board for s in range(3))
    assert board["spaces"] == 10
    assert [(x["space"], x["figure"]) for x in board["standies"]] == [(1, "female"), (6, "male"), (1, "male")]


def test_the_terminal_shows_it() -> None:
    g = kickdoor.new_game(NAMES, packs=PACKS, seed=4, sexes=["female", "male", "male"])
    console = Console(width=100, record=True, file=StringIO())
    console.print(screen.board(g, view(g, 0), 100))
    assert "Board: 1: Ann (f), Bob (m), Cid (m)" in console.export_text()
