"""Death: what is kept, who loots what, and coming back (DEATH)."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import fights, force
from kickdoor.engine.table import dice, levels, wandering, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.flags import TURN_OVER
from kickdoor.engine.value.frames import Ask, Death, Window
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.reasons import Reason

RANKING: Final = 3  # a stage of Death: who loots before whom
DYING: Final = "dying"  # the moment after a death of a lost fight, for the one who died of it


def die(g: Game, seat: int, cause: str, looted: bool = True) -> None:
    """Callable by any effect (CAP-37); some leave nothing to loot."""
    p = g.players[seat]
    if p.dead:
        return
    p.dead = True
    p.redeal = True
    g.touch()
    g.emit("death", seat, rule="DEATH-1")
    if g.turn == seat:
        g.flags |= TURN_OVER  # AMB-49
    g.fresh = [x for x in g.fresh if x[0] != seat]
    g.offers = [o for o in g.offers if seat not in (o.by, o.to)]
    zones.relieve_dead(g, seat)
    g.stack.append(Death(seat, looted=looted))
    if _lost_a_fight(g, seat):
        g.stack.append(Window(DYING, seat))


def _lost_a_fight(g: Game, seat: int) -> bool:
    """Is it a fight that this player has to run from (FQ-REL-7)?"""
    return g.fight is not None and g.fight.fleeing and fights.in_fight(g, seat)


def kept(g: Game, card: int) -> bool:
    """Race, Class, Curses and what lets one have two survive (DEATH-2..DEATH-6); so does what else one is (XOVER-8)."""
    d = g.lib.defs[card]
    keep = g.rules.death.keep
    if card in g.host and not d.is_curse:
        return kept(g, g.host[card])  # FQ-REL-5: it goes with its Race or Class
    if d.is_curse:
        return "curse" in keep
    if d.multi:
        return "multi_card" in keep
    return d.kind in keep or (bool(d.trait) and d.kind not in ("race", "class", "power"))


def step_death(g: Game, f: Death) -> bool:
    if f.stage == 0:
        _lay_out(g, f)
        f.ties = _looters(g, f.seat) if f.looted else ()
        f.stage = RANKING
        return True
    if f.stage == RANKING:
        return _rank(g, f)
    if f.stage == 1:
        return _loot(g, f)
    g.stack.pop()
    for c in (*f.pool, *(x for x, _ in f.clings + f.bound)):
        g.limbo.remove(c)
        zones.to_discard(g, c, "DEATH-11")
    if g.lib.wanderers and not _another_may_die(g, f.seat):
        wandering.mourn(g)
    return True


def _another_may_die(g: Game, seat: int) -> bool:
    """Others died with him and are not looted yet, or may die in his fight before it is over (FQ-BOOK-8)."""
    return fights.in_fight(g, seat) or any(type(f) is Death for f in g.stack)


def _lay_out(g: Game, f: Death) -> None:
    """Hand and table beside each other; what lies on an Item goes with it, unless it may be looted apart."""
    p = g.players[f.seat]
    pool: list[int] = []
    for c in [c for c in p.table if not kept(g, c)]:
        if c not in p.table:
            continue
        worn = c in g.equipped
        slot = g.lib.defs[c].slot
        for x in zones.lift(g, f.seat, c):
            if x == c or _apart(g, x):
                pool.append(x)
            elif g.lib.defs[x].is_curse and (g.lib.defs[c].wanders or "suppress" in g.lib.defs[x].mods):
                f.clings += ((x, c),)  # FQ-BOOK-2: until it goes home; FQ-AXE-14: until it is lifted
                g.limbo.append(x)
            elif g.lib.defs[x].is_curse:
                zones.to_discard(g, x, "DEATH-11")
            else:
                f.bound += ((x, c),)
                g.limbo.append(x)
        if worn:
            zones.fire(g, f.seat, f"{slot}_lost", f.seat)
    g.returning = [x for x in g.returning if x[0] not in pool]  # whoever loots it is its owner now
    pool += p.hand
    p.hand = []
    g.limbo += pool
    f.pool = tuple(pool)
    g.emit("laid_out", f.seat, n=len(pool), rule="DEATH-7")
    if "level" not in g.rules.death.keep:
        levels.set_to(g, f.seat, g.rules.level.start, "CHAR-1")


def _apart(g: Game, card: int) -> bool:
    """Is what lay on an Item loot of its own? At tables that say so, and where enhancers may be Curses (SAMB-20)."""
    d = g.lib.defs[card]
    split = {s.lower() for s in g.rules.death.split}
    enhancer = not d.is_curse and not d.waives  # of a Cheat! only `death.split` speaks (MM-54)
    return d.family in split or d.name.lower() in split or (g.rules.items.curse_enhancers and enhancer)


def _along(g: Game, f: Death, card: int) -> None:
    """An enhancer goes with the Item it lay on, as one pick (AMB-23, IENH-4)."""
    for x, host in f.bound:
        if host == card:
            g.limbo.remove(x)
            zones.receive(g, f.order[0], x, "looted")
            g.emit("loot_body", f.order[0], x, f.seat, rule="IENH-4")
    f.bound = tuple(x for x in f.bound if x[1] != card)


def _cling(g: Game, f: Death, card: int) -> None:
    """What clings to a card lies on it before whoever has it now (FQ-BOOK-2); so that is in play (FQ-AXE-14)."""
    for curse, host in f.clings:
        if host == card:
            if card in g.players[f.order[0]].hand:
                g.players[f.order[0]].hand.remove(card)
                g.fresh = [x for x in g.fresh if x[1] != card]
                zones.to_table(g, f.order[0], card, equip=True)
            g.limbo.remove(curse)
            g.players[f.order[0]].table.append(curse)
            g.host[curse] = card
            g.touch()
    f.clings = tuple(x for x in f.clings if x[1] != card)


def _looters(g: Game, seat: int) -> tuple[tuple[int, ...], ...]:
    """From the highest Level down, those of one Level together (DEATH-8)."""
    others = g.living(seat)
    levels = sorted({g.players[s].level for s in others}, reverse=True)
    return tuple(tuple(s for s in others if g.players[s].level == n) for n in levels)


def _rank(g: Game, f: Death) -> bool:
    """Ties are rolled for, again and again (DEATH-9); a roll like any other, open to what changes rolls."""
    if f.ans is not None:
        f.rolls, f.ans = (*f.rolls, f.ans[1]), None
    while f.ties:
        tied = f.ties[0]
        if len(tied) == 1:
            f.order, f.ties = f.order + tied, f.ties[1:]
        elif len(f.rolls) < len(tied):
            dice.start_roll(g, tied[len(f.rolls)], dice.CARD_ROLL, rule="DEATH-9")
            return True
        else:
            faces = sorted(set(f.rolls), reverse=True)
            again = tuple(tuple(s for s, n in zip(tied, f.rolls, strict=True) if n == face) for face in faces)
            f.ties, f.rolls = again + f.ties[1:], ()
    f.stage = 1
    return True


def _loot(g: Game, f: Death) -> bool:
    if f.ans is not None:
        for c in f.ans:
            f.pool = tuple(x for x in f.pool if x != c)
            g.limbo.remove(c)
            zones.receive(g, f.order[0], c, "looted")
            _cling(g, f, c)
            g.emit("loot_body", f.order[0], c, f.seat, rule="DEATH-8")
            _along(g, f, c)
        f.ans = None
        f.order = f.order[1:]
        if g.stack[-1] is not f:  # what was taken does something for its taker (FQ-BOOK-9)
            return True
    if not f.order:
        f.stage = 2
        return True
    options = [c for c in f.pool if force.may_receive(g, f.order[0], c)]
    ask(g, f.order[0], options, low=0, about="loot", rule="DEATH-8")
    return True


_KEPT_BY: Final = {"race": "DEATH-3", "class": "DEATH-2", "power": "BT-20"}


def why_not_looted(g: Game, f: Death, asked: Ask, card: int) -> Reason:
    """Why that is no loot: the dead keep it, or it is gone, or its looter may not have it (DEATH-2..DEATH-8)."""
    if card in g.players[f.seat].table:
        d = g.lib.defs[card]
        rule = "DEATH-5" if d.is_curse else "DEATH-6" if d.multi else _KEPT_BY.get(d.kind, "DEATH-2")
        return r.LOOT_KEPT._replace(rule=rule)
    return r.LOOT_BOUND if any(x == card for x, _ in f.bound) else r.LOOT_NONE


def revive(g: Game) -> None:
    """New characters appear when the next player's turn begins (DEATH-14)."""
    for s, p in enumerate(g.players):
        if p.dead:
            p.dead = False
            g.dirty |= 1 << s
            g.emit("reborn", s, rule="DEATH-14")
    g.touch_moment()
