"""Looking ahead: what would turn a losing fight (FQ-BASE-4..FQ-BASE-8). Everything is tried out on a copy.

The judge that lists and makes moves stands above the ways of playing; here it is the one the cards were bound to.
"""

from __future__ import annotations

from kickdoor.engine.facts import fights, front, strength
from kickdoor.engine.table import items, zones
from kickdoor.engine.value.frames import Ask, Combat
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import PLAY, USE, Move


def to_make_room(g: Game, seat: int, target: int) -> list[int]:
    """Own Items of which one must go before that one can be used to win; a two-handed one may cost two.

    What a Curse keeps in place makes no room (FQ-AXE-14).
    """
    out = []
    for c in [c for c in items.in_the_way(g, seat, target) if not front.suppressed(g, c)]:
        then = g.what_if()
        zones.lift(then, seat, c)
        if wins_with(then, seat, target) or to_make_room(then, seat, target):
            out.append(c)
    return out


def wins_with(g: Game, seat: int, target: int) -> bool:
    if items.in_the_way(g, seat, target):
        return False
    then = g.what_if()
    group = zones.lift(then, front.owner(then, target), target)
    then.players[seat].table += group
    then.host.update(dict.fromkeys(group[1:], target))
    _forget(then, seat, group)
    if items.can_be_equipped(g, target):  # a Steed or a companion needs no more than its place (STEED-4)
        if items.why_not_equip(then, seat, target) is not None:
            return False
        then.equipped.add(target)
        _forget(then, seat, group)
    if strength.winning(then):
        return True
    return _leads_to_winning(then, seat, target)


def _forget(g: Game, seat: int, group: list[int]) -> None:
    """These cards lie before another player now."""
    if len(group) > 1:
        g.touch()
    else:
        g.touch_seat(seat)


def _leads_to_winning(g: Game, seat: int, item: int) -> bool:
    """Is there a use of the taken Item, now, that turns the fight: help it compels, a one-shot's bonus (FQ-BASE-4)?"""
    d = g.lib.defs[item]
    if not d.powers and not d.is_one_shot:
        return False
    while g.stack and not isinstance(g.stack[-1], Combat):  # a copy: as soon as everything else is done
        g.stack.pop()
    if not g.stack:
        return False
    assert g.fight is not None
    g.fight.passed &= ~(1 << seat)
    uses = (m for m in g.lib.judge.legal(g, seat) if m.card == item and m.verb in (PLAY, USE))
    return any(_turns_it(g, m) for m in uses)


def _turns_it(g: Game, move: Move) -> bool:
    """Tried out, with any cards for a price: by strength, against the same monsters (FQ-BASE-6)."""
    then = g.what_if()
    g.lib.judge.apply(then, move, trusted=True)
    while isinstance(then.stack[-1], Ask) and then.stack[-1].about == "pay":
        g.lib.judge.apply(then, g.lib.judge.legal(then, move.seat)[0], trusted=True)
    return then.fight is not None and fights.foe_count(then) == fights.foe_count(g) and strength.winning(then)
