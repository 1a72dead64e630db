"""Interfering from outside: what those who are not in a fight may not do to it (INTERFERE, MULTI-3)."""

from __future__ import annotations

from kickdoor.cards import contexts as cx
from kickdoor.cards.contexts import Alternatives
from kickdoor.cards.library import CardDef, CardTest, Mode
from kickdoor.engine.chapters import curses, taken_back
from kickdoor.engine.facts import fights, force, front, strength
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import uses
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, NONE, names_card, seat_of
from kickdoor.engine.value.reasons import Reason


def ban(g: Game, seat: int, protected: int) -> None:
    """For the rest of this turn `seat` plays no card against `protected`, and takes back what he has played.

    That is what still lies there, in the fight or before him; what is done is done.
    """
    uses.ban(g, seat, protected)
    g.emit("banned", seat, other=protected, rule="CONF-1")
    if fights.in_fight(g, protected) and not fights.in_fight(g, seat):
        taken_back.take_back_hostile(g, seat)
    curses.take_back(g, seat, protected)
    g.touch()


def bans(g: Game, seat: int) -> int:
    """The players, as bits, against whom this one may play nothing this turn."""
    return uses.bans(g, seat)


def banned(g: Game, seat: int, d: CardDef, target: int, extra: int = NONE) -> bool:
    """Would playing this be against somebody whom this player must leave alone?"""
    protected = bans(g, seat)
    if not protected or d.kind == "go_up_a_level":
        return False
    if target in (MUNCHKINS, MONSTERS) or (g.fight is not None and fights.find_foe(g.fight, target) is not None):
        return target != MUNCHKINS and any(protected >> s & 1 for s in fights.fighters(g))
    s = seat_of(target)
    owner = s if s >= 0 else front.owner(g, target)
    if owner >= 0:
        return bool(protected >> owner & 1)
    return (d.kind == "monster" or names_card(extra)) and any(protected >> s & 1 for s in fights.fighters(g))


def restrained(g: Game) -> bool:
    """Does anything in this fight keep outsiders from something? Asked for every move, so kept."""
    got = g.cache.get("restrained")
    if got is None:
        got = g.cache["restrained"] = strength.fight_rule(g, "sealed") or bool(kept_out(g))
    return bool(got)


def kept_out(g: Game) -> list[CardTest]:
    """The kinds of cards that a lone fighter's equipment keeps out of his fight."""
    f = g.fight
    if f is None or f.helper >= 0:
        return []
    return [m.word for _, m in force.modifiers(g, f.main, "keeps_out")]


def why_not(g: Game, seat: int, card: int, d: CardDef, mode: Mode, target: int) -> Reason | None:
    """What keeps this outsider from playing that card on that, if the fight does."""
    if fights.in_fight(g, seat) or not concerns(g, mode.alts, target):
        return None
    if any(test(g, card) for test in kept_out(g)):
        return r.KEPT_OUT
    if strength.fight_rule(g, "sealed") and d.kind != "monster_enhancer" and not _brings_monster(g, mode):
        return r.SEALED
    return None


def why_no_power(g: Game, alts: Alternatives, target: int) -> Reason | None:
    """A bystander's powers are as far away as cards (the Thief's knife)."""
    return r.SEALED if concerns(g, alts, target) and strength.fight_rule(g, "sealed") else None


def _brings_monster(g: Game, mode: Mode) -> bool:
    """Does a monster come by it: one that joins its kin or its friend, one that is sent, or one out of the discards?"""
    if mode.op == "join":
        return True
    return mode.prog >= 0 and any(i.verb in ("add_monster", "raise_monster") for i in g.lib.programs[mode.prog])


def concerns(g: Game, alts: Alternatives, target: int) -> bool:
    """Is something done to the fight, to one of the fighters, or to what he has?"""
    if target in (MUNCHKINS, MONSTERS):
        return True
    if not any(when & (cx.OWN_IDLE | cx.OTHER_IDLE) for when, _ in alts):
        return True
    if target == NONE:
        return False
    s = seat_of(target)
    return (s if s >= 0 else front.owner(g, target)) in fights.fighters(g)
