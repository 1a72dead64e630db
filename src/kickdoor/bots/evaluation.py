"""How good a position is for each player: the chance to win, from Levels, strength and the cards a player has.

It looks at a game that was imagined, never at the true one. The weights were fitted to games between schemers
(`python -m kickdoor.lab.fitting`): the odds of two players are the exponential of the difference of their scores.
"""

from __future__ import annotations

import math
from typing import Final

from kickdoor.engine.facts import strength
from kickdoor.engine.table.levels import goal_level
from kickdoor.engine.value.game import Game

# What counts about a player, and how much.
WEIGHTS: Final = {
    "Level": 0.140,
    "Level 8 or more": 0.149,
    "Level 9": 0.246,  # one fight away
    "gear": 0.049,  # what a player fights with beyond the Level
    "turns away": -0.046,
    "cards in hand": 0.057,
    "bonus of one-shots": 0.042,
    "level cards": 0.027,  # few are kept
    "cards to throw at others": 0.056,
    "monsters in hand that would be beaten": 0.165,
    "1,000 Gold Pieces not in use": 0.161,
    "Races and Classes": 0.081,
}
_WEIGHTS: Final = tuple(WEIGHTS.values())
THROWN: Final = frozenset({"curse", "monster_enhancer", "trap", "madness"})


def features(g: Game, s: int) -> list[float]:
    """What counts about a player, in the order of WEIGHTS."""
    p = g.players[s]
    level = p.level + 10 - goal_level(g, s)
    force = strength.strength(g, s)
    one_shots = level_cards = thrown = beatable = traits = gold = 0
    defs = g.lib.defs
    for c in p.hand:
        d = defs[c]
        if d.is_one_shot:
            one_shots += abs(d.bonus)
        elif d.kind == "go_up_a_level":
            level_cards += 1
        elif d.kind in THROWN:
            thrown += 1
        elif d.kind == "monster" and d.level < force:
            beatable += 1
        gold += d.gold or 0
    for c in p.table:
        d = defs[c]
        if d.is_one_shot:
            one_shots += abs(d.bonus)
        elif d.kind in ("race", "class"):
            traits += 1
        if d.gold and c not in g.equipped:
            gold += d.gold
    return [
        float(level),
        1.0 if level >= 8 else 0.0,
        1.0 if level >= 9 else 0.0,
        float(min(24, max(-3, force - p.level))),
        float((s - g.turn) % len(g.players)),
        float(min(8, len(p.hand))),
        float(min(20, one_shots)),
        float(level_cards),
        float(thrown),
        float(beatable),
        min(3000, gold) / 1000,
        float(traits),
    ]


def score(g: Game, s: int) -> float:
    """How far a player is on the way."""
    return sum(w * x for w, x in zip(_WEIGHTS, features(g, s), strict=True))


def chances(g: Game) -> list[float]:
    """Each player's chance to win the game."""
    if g.winners:
        return [1 / len(g.winners) if s in g.winners else 0.0 for s in range(len(g.players))]
    scores = [score(g, s) for s in range(len(g.players))]
    top = max(scores)
    odds = [math.exp(x - top) for x in scores]
    total = sum(odds)
    return [x / total for x in odds]
