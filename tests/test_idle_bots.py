"""A bot that says there is nothing for it but to pass is not shown its moves: so it had better be right."""

from __future__ import annotations

import pytest

import kickdoor
from kickdoor.bots import make
from kickdoor.bots.driver import Table, only_pass
from kickdoor.engine.kernel import legal
from kickdoor.engine.value import moves as mv

NAMES = ["Ann", "Bob", "Cid", "Dee"]
MIXES = {  # with seeds in which idle bots once had something to do: cards before them, a trait at the deal, no Curse
    "classic": (("classic",), (4, 17)),
    "shakespeare": (("shakespeare", "classic"), (6, 7)),
    "bites": (("bites", "unnatural_axe"), (22,)),
}


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("kind", ["greedy", "schemer", "schemer:avenger", "easy"])
def test_an_idle_bot_would_have_passed(mix: str, kind: str) -> None:
    packs, seeds = MIXES[mix]
    looked = 0
    for seed in seeds:
        table = Table(kickdoor.new_game(NAMES, seed=seed, packs=list(packs)))
        bots = [make(kind, seed * 10 + s) for s in range(4)]
        while (turn := table.next()) is not None:
            s, must = turn
            move = only_pass(legal(table.game, s)) if must else None
            if move is None:
                choice = bots[s].choose(table.seat(s)) if must else bots[s].interject(table.seat(s))
                move = choice.move if choice is not None else None
                seat = table.seat(s)
                if (seat.may_pass or not must) and bots[s].idle(seat):
                    looked += 1
                    assert move == (mv.Move(s, mv.PASS) if must else None), (seed, table.count, choice)
            if move is not None:
                table.apply(move)
    assert looked > 20
