"""What counts about a player when somebody asks who will win: what the cards do, for this player, against these rivals.

It looks at a game that was imagined, never at the true one. No card is known by its name: a monster counts by how far
this player's strength is above it, a potion by its bonus, a Curse by what it would take from whoever leads, and the
deck by the share of its monsters that this player beats. So the same figures serve every box.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from kickdoor.bots.seat import Seat
from kickdoor.bots.values import belongings, foe_against, harm, power, worth
from kickdoor.cards.library import CardDef, Library
from kickdoor.engine.table.levels import goal_level
from kickdoor.engine.value.game import Game

THROWN: Final = frozenset({"curse", "trap", "madness"})
NEAREST: Final = 7  # Levels from the goal that are told apart
SAVING: Final = frozenset({"escape", "remove_monster", "cancel_curse", "set_die", "reroll", "dismiss_helper"})
BRINGING: Final = frozenset({"add_monster", "clone_monster", "raise_monster", "replace_monster"})

NAMES: Final = (
    *(f"{n} from the goal" for n in range(1, NEAREST + 1)),
    "Level",
    "gear",
    "gear of a Level 8 or more",
    "turn now",
    "turn next",
    "turns away",
    "cards in hand",
    "no cards in hand",
    "one-shots",
    "bonus of one-shots",
    "best one-shot",
    "level cards",
    "Curses",
    "what a Curse takes from the leader",
    "bonus of enhancers",
    "ways to bring a monster",
    "ways out",
    "other cards",
    "monsters in hand that are beaten",
    "levels of the best of them",
    "Treasures of the best of them",
    "monsters beaten with one-shots",
    "monsters that are too strong",
    "Gold not in use",
    "levels it buys",
    "Gold in use",
    "gear in hand",
    "best gear in hand",
    "what the hand is worth",
    "what lies on the table is worth",
    "Races and Classes",
    "has a Class",
    "wins ties",
    "powers",
    "Run Away",
    "companions",
    "a new hand to come",
    "monsters of the deck beaten",
    "and with one-shots",
    "and with the strongest rival",
    "beaten, near the goal",
    "with one-shots, one from the goal",
    "rivals' one-shots and enhancers",
    "rivals' Curses",
    "those, one from the goal",
    "above the best rival",
    "strength above the best rival's",
    "rounds played",
)


class Holding:
    """What a player has, added up."""

    def __init__(self, g: Game, s: int) -> None:
        self.eye = Seat(g, s)
        self.goal = goal_level(g, s)
        self.level = g.players[s].level
        self.gap = max(1, self.goal - self.level)
        self.force = self.eye.strength(s)
        self.shots = self.boost = self.best_shot = self.rises = self.curses = self.swell = 0
        self.bringing = self.saving = self.other = 0
        self.beaten = self.best_levels = self.best_treasures = self.helped = self.strong = 0
        self.gold = self.worn = self.traits = self.classes = self.powers = self.companions = 0
        self.gear = self.best_gear = self.pain = 0.0
        self.hand_worth = 0.0
        self._hand(g, s)
        self._table(g, s)
        self._monsters(g, s)

    def _shot(self, d: CardDef) -> None:
        n = abs(d.bonus)
        self.shots += 1
        self.boost += n
        self.best_shot = max(self.best_shot, n)

    def _hand(self, g: Game, s: int) -> None:
        defs = g.lib.defs
        for c in g.players[s].hand:
            d = defs[c]
            kind = d.kind
            self.gold += d.gold or 0
            self.hand_worth += worth(self.eye, c)
            if kind == "monster":
                continue
            if d.is_one_shot and d.bonus:
                self._shot(d)
            elif kind == "go_up_a_level":
                self.rises += 1
            elif kind == "monster_enhancer":
                self.swell += abs(d.bonus)
            elif kind in THROWN or d.is_curse:
                self.curses += 1
            elif d.is_item:
                n = power(self.eye, c)
                self.gear += n
                self.best_gear = max(self.best_gear, n)
            else:
                self._special(d)

    def _special(self, d: CardDef) -> None:
        verbs = {i.verb for mode in d.modes for i in self.eye.steps(mode.prog)}
        if verbs & SAVING:
            self.saving += 1
        elif verbs & BRINGING or any(mode.needs_monster for mode in d.modes):
            self.bringing += 1
        else:
            self.other += 1

    def _table(self, g: Game, s: int) -> None:
        defs = g.lib.defs
        for c in g.players[s].table:
            d = defs[c]
            if d.is_one_shot and d.bonus:
                self._shot(d)
            if d.kind in ("race", "class"):
                self.traits += 1
                self.classes += d.kind == "class"
            self.companions += d.is_companion
            self.powers += len(d.powers)
            if d.gold:
                if c in g.equipped:
                    self.worn += d.gold
                else:
                    self.gold += d.gold

    def _monsters(self, g: Game, s: int) -> None:
        """What would be beaten of the monsters in the hand: alone, with one-shots, or not at all."""
        defs = g.lib.defs
        mine: frozenset[str] | None = None
        for c in g.players[s].hand:
            d = defs[c]
            if d.kind != "monster":
                continue
            if mine is None:
                mine = self.eye.traits(s)
            n = foe_against(d, mine)
            if n < self.force:
                self.beaten += 1
                self.best_levels = max(self.best_levels, d.levels)
                self.best_treasures = max(self.best_treasures, d.treasures)
            elif n < self.force + self.boost:
                self.helped += 1
            else:
                self.strong += 1


_ranks: dict[tuple[str, frozenset[str]], list[int]] = {}  # how strong a deck's monsters are against somebody, in order


def _deck(lib: Library, traits: frozenset[str]) -> list[int]:
    key = (lib.hash, traits)
    got = _ranks.get(key)
    if got is None:
        if len(_ranks) > 4000:
            _ranks.clear()
        got = _ranks[key] = sorted(foe_against(d, traits) for d in lib.defs if d.kind == "monster") or [99]
    return got


def figures(g: Game) -> list[list[float]]:
    """What counts about each player, in the order of NAMES; all about as large as one."""
    held = [Holding(g, s) for s in range(len(g.players))]
    return [_figures(g, s, held) for s in range(len(held))]


def _figures(g: Game, s: int, held: list[Holding]) -> list[float]:
    h = held[s]
    p = g.players[s]
    seats = len(held)
    level = h.level + 10 - h.goal
    gear = min(24, max(-5, h.force - h.level))
    deck = _deck(g.lib, h.eye.traits(s))
    away = (s - g.turn) % seats
    thrown = curses = rival_force = 0
    closest, leader = 99, -1
    for o, x in enumerate(held):
        if o == s:
            continue
        thrown += x.boost + x.swell
        curses += x.curses
        rival_force = max(rival_force, x.force)
        if (x.gap, -x.force) < (closest, -held[leader].force if leader >= 0 else 0):
            closest, leader = x.gap, o
    pain = 0.0
    if h.curses and leader >= 0:
        for c in p.hand:
            if g.lib.defs[c].is_curse:
                pain = max(pain, harm(h.eye, c, leader))
    beaten = bisect_left(deck, h.force) / len(deck)
    boosted = bisect_left(deck, h.force + h.boost) / len(deck)
    together = bisect_left(deck, h.force + rival_force) / len(deck)
    last = 1.0 if h.gap == 1 else 0.0
    near = 1.0 if h.gap <= 2 else 0.0
    hand = len(p.hand)
    out = [1.0 if h.gap == n else 0.0 for n in range(1, NEAREST + 1)]
    out += [
        level / 10,
        gear / 10,
        gear / 10 if level >= 8 else 0.0,
        1.0 if away == 0 else 0.0,
        1.0 if away == 1 else 0.0,
        away / seats,
        min(8, hand) / 8,
        0.0 if hand else 1.0,
        min(4, h.shots) / 4,
        min(20, h.boost) / 10,
        min(10, h.best_shot) / 5,
        min(3, h.rises) / 2,
        min(4, h.curses) / 2,
        min(20.0, pain) / 10,
        min(20, h.swell) / 10,
        min(3, h.bringing) / 2,
        min(3, h.saving) / 2,
        min(3, h.other) / 2,
        min(3, h.beaten) / 2,
        min(2, h.best_levels) / 2,
        min(4, h.best_treasures) / 4,
        min(3, h.helped) / 2,
        min(3, h.strong) / 2,
        min(3000, h.gold) / 1000,
        float(min(3, h.gold // 1000)),
        min(4000, h.worn) / 2000,
        min(12.0, h.gear) / 5,
        min(8.0, h.best_gear) / 5,
        min(40.0, h.hand_worth) / 20,
        min(40.0, belongings(h.eye, s)) / 20,
        min(4, h.traits) / 2,
        1.0 if h.classes else 0.0,
        1.0 if h.eye.has(s, "wins_ties") else 0.0,
        min(6, h.powers) / 4,
        min(6, max(-6, h.eye.run_bonus(s))) / 3,
        min(2, h.companions) / 1,
        1.0 if p.dead or p.redeal else 0.0,
        beaten,
        boosted,
        together,
        beaten * near,
        boosted * last,
        min(40, thrown) / 20,
        min(6, curses) / 4,
        min(40, thrown + 4 * curses) / 20 * last,
        max(-6, min(6, closest - h.gap)) / 4,
        max(-15, min(15, h.force - rival_force)) / 10,
        min(15.0, g.turns / seats) / 10,
    ]
    return out
