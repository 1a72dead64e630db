"""A position as a file that is handed to people: the scenario, and above it what it holds and what it cannot."""

from __future__ import annotations

import textwrap
from typing import Final

from kickdoor.engine.value.game import Game
from kickdoor.scenario.knowing import known
from kickdoor.scenario.writing import as_yaml, document, document_known

WIDTH: Final = 92
RUN: Final = "Run it: kickdoor scenario FILE. Add steps, `expect` or `refused` to settle an argument."
WHOLE: Final = "The whole position, with every hand and the order of the decks."
STAND_INS: Final = (
    "Where `unseen:` counts cards, others lie when the file is run: the same ones each time, and not those of the game."
)
UNKNOWN: Final = (
    "Not in here, because it cannot be known: what others hold, drew face down or are choosing from out of sight, what "
    "lies in the decks and under the top of the discards, and the dice and shuffles to come."
)


def whole(g: Game, title: str) -> str:
    """A position of a game that has no secrets any more."""
    return _head(WHOLE, RUN) + as_yaml(document(g, title=title))


def as_known(g: Game, seat: int, title: str) -> str:
    """A position as one seat knows it, or an onlooker (-1)."""
    k = known(g, seat)
    name = g.players[seat].name if seat >= 0 else ""
    what = (
        f"as {name} knows it: {name}'s own cards, and what lies open"
        if name
        else "as anybody may know it: what lies open"
    )
    held = ", ".join(f"{other} {n}" for other, n in k.unseen.get("hands", {}).items())
    hands = f" Cards in hand that are not named: {held}." if held else ""
    return _head(f"The position {what}.{hands}", STAND_INS, UNKNOWN, RUN) + as_yaml(document_known(k, title))


def _head(*lines: str) -> str:
    """Comments; a name with a line break in it stays in its line."""
    wrapped = [w for line in lines for w in textwrap.wrap(" ".join(line.split()), WIDTH - 2)]
    return "".join(f"# {w}\n" for w in wrapped)
