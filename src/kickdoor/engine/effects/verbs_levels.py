"""Verbs of the card language: levels, traits, dice, choices, draws and the structure of a program."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import death
from kickdoor.engine.effects.programs import amount, cause_of, otherwise, rule_of, seat_for
from kickdoor.engine.facts import force, front
from kickdoor.engine.table import hirelings, levels, several_piles, zones
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import DOOR, Game


def lose_level(g: Game, f: Effect, a: Args) -> bool:
    levels.lose(g, seat_for(g, f, a.who), amount(f, a.amount), "LEVEL-4")
    return True


def gain_level(g: Game, f: Effect, a: Args) -> bool:
    levels.gain(g, seat_for(g, f, a.who), amount(f, a.amount), "LEVEL-2", may_win=a.may_win)
    return True


def set_level(g: Game, f: Effect, a: Args) -> bool:
    s = seat_for(g, f, a.who)
    to = min(p.level for p in g.players if not p.dead) if a.word == "lowest" else amount(f, a.amount)
    levels.set_to(g, s, to, "LEVEL-4")
    return True


def steal_level(g: Game, f: Effect, a: Args) -> bool:
    n = levels.gainable(g, f.actor, amount(f, a.amount), False)
    got = levels.lose(g, seat_for(g, f, a.who), n, "LEVEL-4")
    levels.gain(g, f.actor, got, "LEVEL-2")
    return True


def death_(g: Game, f: Effect, a: Args) -> bool:
    death.die(g, seat_for(g, f, a.who), f.cause, looted=a.word != "no_loot")
    return True


def change_sex(g: Game, f: Effect, a: Args) -> bool:
    if f.target >= 0 and g.lib.defs[f.target].is_companion:
        hirelings.change_sex(g, f.target)
        return True
    seat = seat_for(g, f, a.who)
    p = g.players[seat]
    p.sex = g.players[f.actor].sex if a.word == "same" else 1 - p.sex
    g.touch()
    g.dirty |= 1 << seat
    g.emit("sex", seat, n=p.sex, rule="CHAR-10")
    for s in g.living(seat):
        if s != seat:
            zones.fire(g, s, "sex_changed", s, actor=seat)
    zones.fire(g, seat, "own_sex_changed", seat)
    return True


def change_trait(g: Game, f: Effect, a: Args) -> bool:
    """Look through the Door discards first, then lose the old ones, so that none finds itself."""
    seat = seat_for(g, f, a.who)
    old = front.cards_of_kind(g, seat, a.word)
    if not old:
        return otherwise(g, f, a)
    fit = [c for c in g.discards[DOOR] if g.lib.defs[c].kind == a.word]
    found = next((c for c in reversed(fit) if not force.claimed(g, seat, g.lib.defs[c].trait)), -1)  # FQ-DUNG-7
    if found >= 0:
        several_piles.take_back(g, DOOR, found)
        zones.to_table(g, seat, found)
        g.emit("trait", seat, found, rule="CURSE-3")
    for c in old:
        zones.discard_in_play(g, seat, c, cause_of(f), rule_of(f))
    return True
