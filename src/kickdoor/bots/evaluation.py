"""How good a position is for each player: the chance to win, from Levels, strength and cards held.

It looks at a game that was imagined, never at the true one. The weights were fitted to games between schemers.
"""

from __future__ import annotations

import math
from typing import Final

from kickdoor.engine import strength
from kickdoor.engine.game import Game
from kickdoor.engine.levels import goal_level

LEVEL: Final = 0.21
NINE: Final = 0.45  # to be one fight away
GEAR: Final = 0.065  # what a player fights with beyond the Level
HAND: Final = 0.05
NEXT: Final = 0.055  # to be the next to move


def score(g: Game, s: int) -> float:
    """How far a player is on the way."""
    p = g.players[s]
    level = p.level + (10 - goal_level(g, s))
    gear = min(24, max(-3, strength.strength(g, s) - p.level))
    away = (s - g.turn) % len(g.players)
    nine = NINE if level >= 9 else 0.0
    return LEVEL * level + nine + GEAR * gear + HAND * min(8, len(p.hand)) - NEXT * away


def chances(g: Game) -> list[float]:
    """Each player's chance to win the game."""
    if g.winners:
        return [1 / len(g.winners) if s in g.winners else 0.0 for s in range(len(g.players))]
    scores = [score(g, s) for s in range(len(g.players))]
    top = max(scores)
    odds = [math.exp(x - top) for x in scores]
    total = sum(odds)
    return [x / total for x in odds]
