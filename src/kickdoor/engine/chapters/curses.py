"""Curses and Traps: one kind (CURSE-11), struck at the door or played on anyone at any time."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.facts import force
from kickdoor.engine.table import hirelings, zones
from kickdoor.engine.table.rows import Moment, has_passed, marks_pass
from kickdoor.engine.value import uses
from kickdoor.engine.value.frames import Curse, Effect, RollOff
from kickdoor.engine.value.game import Game

OPEN, STRIKE, DONE_, ANSWERED, CANCELLED = 0, 1, 2, 3, 9
SHIELD: Final = "shield"  # the cause of what a power of the struck one does


def start_curse(g: Game, card: int, victim: int, caster: int, item: int = -1) -> None:
    """The card leaves where it was; the window to answer it opens (CURSE-3, FQ-CURSE-10).

    Some are aimed at one Item by the card itself; the victim chooses among his Items otherwise (MM-33, SAMB-20).
    """
    g.limbo.append(card)
    uses.begin_curse(g)  # each avoiding power once per Curse (FQ-MISC-3)
    uses.cast(g, caster, card)
    g.emit("curse", victim, card, caster, rule="CURSE-1" if caster < 0 else "CURSE-2")
    g.stack.append(Curse(card, victim, caster, item=item))


def on_companion(g: Game, f: Curse) -> bool:
    """Is a companion meant, and not its master (GB-20)?"""
    return f.item >= 0 and g.lib.defs[f.item].is_companion


def immune(g: Game, f: Curse) -> bool:
    """Is its victim out of its reach: of any, of what is behind his own door, of what others play (CURSE-9)?

    Behind a door it was met by whose turn it is (CURSE-1); whoever else it strikes has kicked nothing open.
    """
    if f.caster < 0:
        source = "door" if f.victim == g.turn else ""
    else:
        source = "others" if f.caster != f.victim else ""
    return any(m.word in ("all", source) for _, m in force.modifiers(g, f.victim, "curse_immunity"))


def keeps_off(g: Game, f: Curse, seat: int) -> bool:
    """Is this player spared a Curse that goes round the table by itself?"""
    if f.spared >> seat & 1:
        return True
    return seat != f.victim and immune(g, Curse(f.card, seat, f.caster))


def step_curse(g: Game, f: Curse) -> bool:
    if f.stage == OPEN:
        if not f.used:
            f.used = 1
            if _reflect(g, f):
                return True
        if f.ans is not None:
            g.emit("reflected", f.ans[0], f.card, f.victim, rule="CONF-1")
            f.victim, f.ans = f.ans[0], None
        alive = sum(1 << s for s, p in enumerate(g.players) if not p.dead)
        if f.passed & alive != alive:
            return False
        f.stage = ANSWERED
        for s in reversed(at_risk(g, f)):  # where Curses are shared, each has his own chance
            zones.fire(g, s, "cursed", s)
        return True
    if f.stage == ANSWERED:
        f.stage = STRIKE
    if f.stage == STRIKE:
        f.stage = DONE_
        if on_companion(g, f):
            hirelings.change_sex(g, f.item)
            return True
        if immune(g, f):
            g.emit("ignored", f.victim, f.card, rule="CURSE-9")
            f.spared |= 1 << f.victim
        prog = g.lib.defs[f.card].prog_effect
        _strike_all(g, f)
        if prog >= 0 and not passes_by(g, f):
            actor = f.caster if f.caster >= 0 else f.victim
            g.stack.append(Effect(prog, f.card, actor, f.victim, f.item, cause=zones.CURSE))
        return True
    g.stack.pop()
    if f.card in g.limbo:  # it is not when its effect has put it somewhere else
        g.limbo.remove(f.card)
        _settle(g, f)
    return True


def passes_by(g: Game, f: Curse) -> bool:
    """Has the victim been spared? A Curse that names whom it spares goes round the table all the same."""
    return bool(f.spared >> f.victim & 1) and not g.lib.defs[f.card].spares


def at_risk(g: Game, f: Curse) -> list[int]:
    """Whom the Curse would strike now: its victim, and who shares it (FQ-DUNG-3). Nobody's shield is another's."""
    if on_companion(g, f):
        return []  # what its master has against Curses is for himself (GB-20)
    return [s for s in g.living(f.victim) if strikes(g, f, s) and not immune(g, Curse(f.card, s, f.caster))]


def _strike_all(g: Game, f: Curse) -> None:
    """Where Curses are shared, one on a single player strikes all who are there (FQ-DUNG-3).

    Not one that concerns everybody anyway, nor one that starts a fight (FQ-DUNG-1, FQ-DUNG-2).
    """
    d = g.lib.defs[f.card]
    for s in reversed([s for s in at_risk(g, f) if s != f.victim]):
        if d.prog_effect >= 0:
            g.stack.append(Effect(d.prog_effect, f.card, f.caster if f.caster >= 0 else s, s, cause=zones.CURSE))
        if d.lasting:
            zones.afflict(g, s, f.card, g.lib.afflictions.index(d))


def strikes(g: Game, f: Curse, seat: int) -> bool:
    """Is it this player whom it is about to strike, or one of them, and has nobody spared him?"""
    return not f.spared >> seat & 1 and (seat == f.victim or struck_too(g, f, seat))


def struck_too(g: Game, f: Curse, seat: int) -> bool:
    """Does a Curse on somebody else strike this player as well, where Curses are shared (FQ-DUNG-3)?"""
    if not force.any_modifier(g, f.victim, "shares_curses"):
        return False
    return force.any_modifier(g, seat, "shares_curses") and not _single(g, g.lib.defs[f.card].prog_effect)


def _single(g: Game, prog: int) -> bool:
    """Does a Curse go round the table by itself, put its victim into a fight, or lie down on one Item?"""
    for i in g.lib.programs[prog] if prog >= 0 else ():
        if i.verb in ("raise_monster", "attach") or (i.verb == "each" and i.a.who != "neighbours"):
            return True
        if any(_single(g, p) for p in (i.a.do, i.a.else_, *i.a.table, *(do for _, do in i.a.labels))):
            return True
    return False


def _reflect(g: Game, f: Curse) -> bool:
    """Some Items throw a Curse at the others: they roll, and the lowest has it (CAP-22)."""
    rivals = tuple(s for s in g.living(f.victim) if s != f.victim)
    if not rivals or on_companion(g, f) or not force.any_modifier(g, f.victim, "reflect_curse"):
        return False
    g.stack.append(RollOff(rivals, "CONF-1", low=True))
    return True


def _settle(g: Game, f: Curse) -> None:
    """A Curse with a lasting effect stays in front of its victim, any other is discarded (CURSE-3, CURSE-4)."""
    d = g.lib.defs[f.card]
    if f.stage == CANCELLED or not d.lasting or on_companion(g, f) or passes_by(g, f):
        zones.to_discard(g, f.card, "CURSE-3")
    else:
        zones.to_table(g, f.victim, f.card)
        g.emit("lasting", f.victim, f.card, rule="CURSE-4")


def awaited_curse(g: Game, f: Curse) -> list[int]:
    return [s for s in g.living(f.victim) if not f.passed >> s & 1]


def curse_stage(g: Game, f: Curse, seat: int) -> int:
    return cx.CURSE | cx.VICTIM if strikes(g, f, seat) else cx.CURSE


MOMENT: Final[Moment] = Moment(awaited_curse, curse_stage, has_passed, marks_pass)


def find_curse(g: Game) -> Curse | None:
    for f in reversed(g.stack):
        if type(f) is Curse:
            return f
    return None


def lasting_curses(g: Game, seat: int) -> list[int]:
    defs = g.lib.defs
    return [c for c in g.players[seat].table if defs[c].is_curse]


def take_back(g: Game, caster: int, victim: int) -> None:
    """A player takes the Curses back that lie before another because he played them this turn."""
    for c in lasting_curses(g, victim):
        if uses.has_cast(g, caster, c):
            zones.lift(g, victim, c)
            zones.to_hand(g, caster, c)
            g.emit("back", caster, c, victim, rule="FQ-CARD-12")


def end_of_combat(g: Game, seats: list[int]) -> None:
    """ "Next combat" Curses are used up by the fight they counted in (CURSE-5, FQ-CBT-36)."""
    for s in seats:
        zones.relieve_after_fight(g, s)
        for c in lasting_curses(g, s):
            if g.lib.defs[c].lasting == "next_combat":
                zones.discard_in_play(g, s, c, zones.COMBAT, "CURSE-4")


def end_of_turn(g: Game, seat: int) -> None:
    """ "Next turn" Curses are used up by the turn they counted in, the very one they came in too (MM-60)."""
    zones.relieve(g, seat, lambda card, which, fights: g.lib.afflictions[which].lasting != "next_turn")
    for c in lasting_curses(g, seat):
        if g.lib.defs[c].lasting == "next_turn":
            zones.discard_in_play(g, seat, c, zones.COMBAT, "CURSE-4")
