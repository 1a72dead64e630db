"""Enhancer enhancers: cards that go on an enhancer that lies on a monster (EENH)."""

from __future__ import annotations

from kickdoor.engine.facts import enemies, fights
from kickdoor.engine.table import zones
from kickdoor.engine.value import renewed
from kickdoor.engine.value.game import Game


def places(g: Game) -> list[int]:
    """Enhancers that have been played on a monster in this fight, and nothing else (EENH-1, EENH-2, EENH-6)."""
    fight = g.fight
    if fight is None or fight.over:
        return []
    there = {x.group for x in fights.active_foes(fight)}
    kinds = g.lib.defs
    return [e for e, group, _ in fight.enhancers if group in there and kinds[e].kind != "enhancer_enhancer"]


def play(g: Game, card: int, seat: int, enhancer: int) -> None:
    """It becomes a part of that enhancement, also on a Mate of the monster (EENH-3)."""
    fight = g.fight
    assert fight is not None
    group = next(group for e, group, _ in fight.enhancers if e == enhancer)
    fight.enhancers = [*fight.enhancers, (card, group, seat)]
    fight.boosts = [*fight.boosts, (card, enhancer)]
    if enemies.factor(g, card) > 1 or g.lib.defs[card].bonus > 0:
        fight.hostile |= 1 << seat
    g.emit("enhance", seat, card, enhancer, rule="EENH-3")
    g.touch()


def removable(g: Game) -> list[int]:
    """An enhancer that has been enhanced is safe; the card that enhances it is not (EENH-4, EENH-5)."""
    fight = g.fight
    if fight is None:
        return []
    safe = {e for _, e in fight.boosts}
    return [e for e, _, _ in fight.enhancers if e not in safe]


def remove(g: Game, card: int) -> None:
    """One enhancer is taken off its monster (EENH-4, EENH-5)."""
    fight = g.fight
    if fight is None or card not in removable(g):
        return
    fight.enhancers = [e for e in fight.enhancers if e[0] != card]
    fight.boosts = [b for b in fight.boosts if b[0] != card]
    zones.to_discard(g, card, "EENH-5")
    g.touch()


def orphaned(g: Game) -> None:
    """What enhanced an enhancer goes to the discards when that enhancer leaves the fight (EENH-1)."""
    fight = g.fight
    if fight is None or not fight.boosts:
        return
    there = {e for e, _, _ in fight.enhancers}
    for card, enhancer in list(fight.boosts):
        if card not in there:
            fight.boosts = renewed.less(fight.boosts, (card, enhancer))
        elif enhancer not in there:
            fight.enhancers = [e for e in fight.enhancers if e[0] != card]
            fight.boosts = renewed.less(fight.boosts, (card, enhancer))
            zones.to_discard(g, card, "EENH-1")
