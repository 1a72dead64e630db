"""The gameboard and its standies, where a game has them: a picture of Levels and sexes, never their source (MM-2).

Each player takes two figures of one colour. The one on the board stands on the space of the player's Level, and shows
the character's sex; whoever changes sex swaps the two.
"""

from __future__ import annotations

from kickdoor.engine.table import decks
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value.frames import FIGURES, Standies
from kickdoor.engine.value.game import FEMALE, MALE, SEXES, Game
from kickdoor.engine.value.seen import BoardState


def step_standies(g: Game, f: Standies) -> bool:
    """Each in turn says which figure goes on the board; then the cards are dealt (MM-3, SETUP-5)."""
    if f.ans is not None:
        g.players[f.seats[0]].sex = f.ans[0]
        g.touch()
        g.emit("figure", f.seats[0], n=f.ans[0], rule="MM-3")
        f.seats, f.ans = f.seats[1:], None
    if f.seats:
        ask(g, f.seats[0], (MALE, FEMALE), domain=FIGURES, about="figure", rule="MM-3")
    else:
        g.stack.pop()
        deal_all(g)
    return True


def deal_all(g: Game) -> None:
    """Everybody's opening hand (SETUP-5)."""
    for seat in reversed(g.around(g.turn)):
        decks.deal(g, seat, "SETUP-5")


def board(g: Game) -> BoardState | None:
    """The board as it must look now, or nothing where the game has none (MM-2)."""
    if not g.rules.components.board:
        return None
    return {
        "spaces": g.rules.level.goal,
        "standies": [{"seat": s, "space": p.level, "figure": SEXES[p.sex]} for s, p in enumerate(g.players)],
    }
