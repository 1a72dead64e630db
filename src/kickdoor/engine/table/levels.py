"""Levels: gained by killing, by cards and by selling; lost by cards; never below 1 (LEVEL, WIN, CONF)."""

from __future__ import annotations

from kickdoor.engine.facts import force, front, nature
from kickdoor.engine.table import items
from kickdoor.engine.value import uses
from kickdoor.engine.value.frames import EPIC_SURPLUS, Surplus
from kickdoor.engine.value.game import Game


def highest_without_kill(g: Game, seat: int) -> int:
    """The level that no card or sale can pass unless it says so (WIN-5, CONF-7)."""
    goal = goal_level(g, seat)
    if not g.rules.level.goal_needs_kill:
        return goal
    return min(goal, g.rules.level.goal) - 1  # FQ-DUNG-9: what a Dungeon adds to it needs a kill as well


def goal_level(g: Game, seat: int) -> int:
    """The Level that wins, with what the Dungeons he is in add to it and what his own cards do (WIN-4, FQ-DUNG-9)."""
    return g.rules.level.goal + force.total(g, seat, "goal")


def common_goal(g: Game, seat: int) -> int:
    """The goal without a player's own cards: that of everybody whom the same Dungeons reach (DUNG-2)."""
    if not g.dungeons:
        return g.rules.level.goal
    return g.rules.level.goal + sum(m.amount for c, m in force.modifiers(g, seat, "goal") if c in g.dungeons)


def top_level(g: Game, seat: int) -> int:
    """As far as kills can take a player, who may have come by a nearer goal after he had passed it."""
    return max(common_goal(g, seat), goal_level(g, seat))


def gainable(g: Game, seat: int, n: int, may_win: bool) -> int:
    """How many of `n` levels a player could gain without a kill (DEATH-13, WIN-5)."""
    p = g.players[seat]
    if p.dead or force.any_modifier(g, seat, "only_kills"):
        return 0
    top = goal_level(g, seat) if may_win else highest_without_kill(g, seat)
    return max(0, min(n, top - p.level))


def stealable(g: Game, thief: int, victim: int) -> bool:
    """Nobody steals a level he cannot use, or one that its owner cannot lose (BT-23, SAMB-19)."""
    if gainable(g, thief, 1, False) == 0:
        return False
    return victim < 0 or g.players[victim].level > g.rules.level.min


def gain(
    g: Game, seat: int, n: int, rule: str, *, kill: bool = False, may_win: bool = False, check: bool = True
) -> int:
    """Go up; returns the levels really gained. Who gives levels to several at once checks for winners himself."""
    p = g.players[seat]
    if kill:
        n = min(n, top_level(g, seat) - p.level)
    else:
        n = gainable(g, seat, n, may_win)
    if p.dead or n <= 0:
        return 0
    p.level += n
    g.touch_lightly()
    g.emit("level", seat, n=n, rule=rule)
    if check and not kill:
        check_win(g, [seat])
    return n


def lose(g: Game, seat: int, n: int, rule: str) -> int:
    """Go down, never below Level 1 (CONF-3, LEVEL-5)."""
    p = g.players[seat]
    n = min(n, p.level - g.rules.level.min)
    if n <= 0:
        return 0
    was_epic = nature.epic(g, seat)
    p.level -= n
    g.touch_lightly()
    g.dirty |= 1 << seat
    g.emit("level", seat, n=-n, rule=rule)
    if was_epic and not nature.epic(g, seat):
        _fall(g, seat)
    return n


def _fall(g: Game, seat: int) -> None:
    """Nobody's Steed is Epic below Level 10: what it carried more is discarded (EPIC-56, EPIC-58)."""
    if front.steeds(g, seat) and items.surplus_big(g, seat):
        g.stack.append(Surplus(seat, EPIC_SURPLUS))


def set_to(g: Game, seat: int, level: int, rule: str) -> None:
    lose(g, seat, g.players[seat].level - level, rule)


def check_win(g: Game, seats: list[int]) -> None:
    """The first to reach the goal wins at once (WIN-4): these have just gone up, or the goal has come nearer."""
    found = [s for s in seats if g.players[s].level >= goal_level(g, s) and not g.players[s].dead]
    if not g.winners:
        g.winners = found
        for s in found:
            g.emit("win", s, rule="WIN-4")


def kill_bar(g: Game, seat: int) -> bool:
    """Does the help he has, and the way he got it, keep this player from winning in this fight (Kneepads)?"""
    f = g.fight
    return f is not None and f.main == seat and (f.compelled or uses.victory_barred(g, seat))
