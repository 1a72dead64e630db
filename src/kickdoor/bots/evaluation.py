"""How good a position is for each player: the chance to win, as a small network judges what counts about each.

It looks at a game that was imagined, never at the true one. The network has learned from games between schemers
(`python -m kickdoor.lab.fitting`, which writes the weights): a player's figures go through a layer; his score comes
from that and from the mean of what the layer makes of the others; the odds of two players are the exponential of the
difference of their scores. It is plain arithmetic, so that playing needs no package for it.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Final

from kickdoor.bots.features import NAMES, figures
from kickdoor.engine.value.game import Game

WEIGHTS: Final = Path(__file__).with_name("judgement.json")

Row = list[float]


class Judgement:
    """The network, read once."""

    def __init__(self, path: Path) -> None:
        data = json.loads(path.read_text())
        if tuple(data["figures"]) != NAMES:
            raise RuntimeError(f"{path} was learned from other figures; run: python -m kickdoor.lab.fitting")
        self.first: list[Row] = data["first"]
        self.first_bias: Row = data["first_bias"]
        # What a player's own layer and the mean of the others' do, side by side.
        own: list[Row] = data["own"]
        others: list[Row] = data["others"]
        self.second: list[Row] = [a + b for a, b in zip(own, others, strict=True)]
        self.second_bias: Row = data["second_bias"]
        self.last: Row = data["last"]
        self.straight: Row = data["straight"]

    def scores(self, rows: list[Row]) -> Row:
        """How far each player is on the way."""
        layers = [_layer(self.first, self.first_bias, row) for row in rows]
        total = [sum(column) for column in zip(*layers, strict=True)]
        share = 1.0 / max(1, len(rows) - 1)
        out: Row = []
        for row, layer in zip(rows, layers, strict=True):
            rest = [(t - x) * share for t, x in zip(total, layer, strict=True)]
            second = _layer(self.second, self.second_bias, layer + rest)
            out.append(_product(self.last, second) + _product(self.straight, row))
        return out


def _layer(weights: list[Row], biases: Row, inputs: Row) -> Row:
    out: Row = []
    for i in range(len(biases)):
        x = biases[i] + _product(weights[i], inputs)
        out.append(x if x > 0.0 else 0.0)
    return out


def _product(a: Row, b: Row) -> float:
    """The sum of the products; by number, because that is what compiles to a plain loop."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


_judgement: list[Judgement] = []  # once it has been asked for


def judgement() -> Judgement:
    if not _judgement:
        _judgement.append(Judgement(WEIGHTS))
    return _judgement[0]


def chances(g: Game) -> list[float]:
    """Each player's chance to win the game."""
    if g.winners:
        return [1 / len(g.winners) if s in g.winners else 0.0 for s in range(len(g.players))]
    scores = judgement().scores(figures(g))
    top = max(scores)
    odds = [math.exp(x - top) for x in scores]
    total = sum(odds)
    return [x / total for x in odds]
