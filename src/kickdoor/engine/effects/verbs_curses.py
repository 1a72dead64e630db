"""What lies on a victim and how it is got rid of (CURSE)."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import curses
from kickdoor.engine.effects.programs import otherwise, seat_for
from kickdoor.engine.facts import front, goods
from kickdoor.engine.table import zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value.frames import SEATS, Curse, Effect
from kickdoor.engine.value.game import Game


def cancel_curse(g: Game, f: Effect, a: Args) -> bool:
    """The one being played, or a lasting one (FQ-CURSE-10, FQ-CURSE-14)."""
    frame = curses.find_curse(g)
    if frame is not None and frame.stage in (curses.OPEN, curses.ANSWERED):
        if g.lib.defs[frame.card].spares and not _spare_all(g, f, frame):
            return f.ans is not None
        if _own_shield(f) and len(curses.at_risk(g, frame)) > 1:
            frame.spared |= 1 << f.actor  # FQ-AXE-2: it saves its owner from his share
            g.emit("spared", f.actor, frame.card, f.actor, rule="FQ-DUNG-3")
        else:
            frame.stage = curses.CANCELLED
            g.emit("cancelled", frame.victim, frame.card, rule="FQ-CURSE-10")
        return True
    owner = front.owner(g, f.target)
    if owner >= 0:
        zones.discard_in_play(g, owner, f.target, zones.WILL, "FQ-CURSE-14")
    for s in range(len(g.players)):  # who shares it is rid of it as well: it is one Curse (FQ-DUNG-3)
        zones.relieve(g, s, lambda card, which, fights: card != f.target)
    return True


def _own_shield(f: Effect) -> bool:
    """Is it a power of the struck one, or something of his that acts by itself? A wish stops the whole Curse."""
    return f.cause in (curses.SHIELD, "cursed")


def _spare_all(g: Game, f: Effect, frame: Curse) -> bool:
    """A Curse on several: a power spares its user, a card whomever its player names. Is nobody left to strike?"""
    at_risk = [s for s in g.living(f.actor) if not frame.spared >> s & 1]
    if f.ans is None:
        if _own_shield(f):
            f.ans = (f.actor,)
        else:
            ask(g, f.actor, at_risk, domain=SEATS, low=1, high=len(at_risk), card=f.card, about="spare", rule="CURSE-3")
        if f.ans is None:
            return False
    for s in f.ans:
        frame.spared |= 1 << s
        g.emit("spared", s, frame.card, f.actor, rule="FQ-CURSE-10")
    frame.passed = 0
    return all(frame.spared >> s & 1 for s in at_risk)


def lift(g: Game, f: Effect, a: Args) -> bool:
    """This card leaves play (the Chicken flies off with the hat), or what it left behind ends."""
    owner = front.owner(g, f.card)
    if any(x[:2] == (f.who, f.card) for x in g.afflictions):
        zones.relieve(g, f.who, lambda card, which, fights: card != f.card)
    elif owner >= 0:
        zones.discard_in_play(g, owner, f.card, zones.WILL, "CURSE-4")
    return True


def attach(g: Game, f: Effect, a: Args) -> bool:
    """A Curse is laid on one of the victim's Items, of his choice (CURSE-8), and stays with it.

    Unless it was aimed at one that he still has (MM-33).
    """
    seat = seat_for(g, f, a.who)
    if f.ans is None and f.target in g.players[seat].table:
        f.ans = (f.target,)
    if f.ans is None:
        options = [
            c
            for c in g.players[seat].table
            if c not in g.host
            and goods.is_item(g, c)
            and not front.suppressed(g, c)
            and (a.what is None or a.what(g, c))
        ]
        if not options:
            frame = curses.find_curse(g)
            if frame is not None and frame.card == f.card:
                frame.stage = curses.CANCELLED  # CURSE-9: nothing it could lie on, so it does not stay
            return otherwise(g, f, a)
        ask(g, seat, options, card=f.card, about="attach", rule="CURSE-8")
        if f.ans is None:
            return False
    if f.card in g.limbo:
        g.limbo.remove(f.card)
    g.host[f.card] = f.ans[0]
    zones.to_table(g, seat, f.card)
    g.emit("attach", seat, f.card, f.ans[0], rule="CURSE-4")
    return True
