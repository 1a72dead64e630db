"""Looking through a reward before it is shared out: replacing what is not good enough, discarding what is too much."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import enemies, fights, force, strength
from kickdoor.engine.table import decks, levels, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import drawn
from kickdoor.engine.value.frames import YESNO, Draw, Victory
from kickdoor.engine.value.game import TREASURE, Game
from kickdoor.engine.value.records import ACTIVE, KILL, KILLED, LEFT, Due, Fight, Foe

EXCHANGE: Final = "exchange"
DRAWN: Final = 4  # the stage of a victory at which the Treasure has been drawn
SIFTING: Final = 40
SWAPPING, SWAPPED, LUCKY, CHOSEN = SIFTING, 41, 42, 43


def luck(g: Game, seat: int) -> int:
    """Treasures that a player draws more than he keeps (CONF-1)."""
    return force.total(g, seat, "luck")


def swaps(g: Game, fight: Fight) -> int:
    """How many Treasures come from monsters whose Treasures may be replaced."""
    defs = g.lib.defs
    rich = [x for x in paying(fight) if any("redraw" in defs[c].mods for c in enemies.enhancers_of(g, x))]
    return sum(strength.foe_treasures(g, x) for x in rich)


def _drawn(g: Game, f: Victory, fight: Fight) -> tuple[int, ...]:
    """What has just come: the face-up pool, or what went to the main player's hand unseen."""
    if fight.helper >= 0:
        return f.ans or ()
    came = [drawn.card_of(x) for x in drawn.cards(g.drew[fight.main])]
    return tuple(c for c in came if c in g.players[fight.main].hand)


def put_down(g: Game, fight: Fight) -> None:
    """Somebody takes the fight over: what is beaten or given so far is for who fought until now (FQ-BASE-54)."""
    for foe in fight.foes:
        if foe.fate != ACTIVE and not foe.paid:
            killed = foe.fate == KILLED
            won = strength.foe_levels(g, foe) if killed else 0
            left = strength.foe_treasures(g, foe) if foe.pays else 0
            if foe.credit == -1:
                foe.credit = fight.main
            if won or left:
                fight.earlier = [*fight.earlier, Due(foe.credit, won, left, KILL if killed else LEFT)]
            foe.paid = True
    if fight.owed:
        fight.earlier = [*fight.earlier, Due(fight.main, 0, fight.owed, LEFT)]
        fight.owed = 0


def paying(fight: Fight) -> list[Foe]:
    """The monsters whose Treasure is for who fights now."""
    return [x for x in fight.foes if x.pays and not x.paid]


def still_due(g: Game, fight: Fight) -> list[Due]:
    """What is due, now that the fight is over and not won, to those who had no part in losing it (FQ-BASE-55)."""
    mine = fights.fighters(g)
    slain = [x for x in fight.foes if x.fate == KILLED and not x.paid and x.credit not in mine]
    kills = [Due(x.credit, strength.foe_levels(g, x), strength.foe_treasures(g, x), KILL) for x in slain]
    return [*(x for x in fight.earlier if x.kind == KILL and x.seat not in mine), *kills]


def pay_earlier(g: Game, dues: list[Due]) -> None:
    """Levels first, and who wins by them; then Treasure, off the top in the order of the kills (FQ-BASE-55)."""
    for x in dues:
        if x.levels:
            levels.gain(g, x.seat, x.levels, "FQ-BASE-54", kill=True)
    levels.check_win(g, [x.seat for x in dues])
    for x in reversed(dues):  # what is begun last is done first
        if x.treasures and not g.winners:
            decks.draw(g, x.seat, TREASURE, x.treasures, False, "reward", "FQ-BASE-55")


def _throw_away(g: Game, f: Victory, fight: Fight) -> int:
    """The chosen cards are discarded; how many."""
    gone = f.ans or ()
    f.pool = tuple(c for c in f.pool if c not in gone)
    for c in gone:
        if c in g.limbo:
            g.limbo.remove(c)
            zones.to_discard(g, c, "CONF-1")
        else:
            zones.discard_hand_card(g, fight.main, c, "CONF-1")
    return len(gone)


def sift(g: Game, f: Victory, fight: Fight) -> bool:
    """First replace, then discard; what is left is shared as usual (TREASURE-4, TREASURE-5)."""
    main, helped = fight.main, fight.helper >= 0
    if f.stage == DRAWN:
        f.pool, f.stage = _drawn(g, f, fight), SWAPPING
        ask(g, main, f.pool, low=0, high=f.swaps, about="redraw", rule="CONF-1", secret=not helped)
        return True
    if f.stage == SWAPPING:
        n = _throw_away(g, f, fight)
        f.stage = SWAPPED if n else LUCKY
        if n:
            decks.draw(g, main, TREASURE, n, helped, reason(f), "CONF-1", pool=helped)
        return True
    if f.stage == SWAPPED:
        f.pool, f.stage = f.pool + _drawn(g, f, fight), LUCKY
    if f.stage == LUCKY:
        f.stage = CHOSEN
        ask(g, main, f.pool, low=f.luck, high=f.luck, about="luck", rule="CONF-1", secret=not helped)
        return True
    _throw_away(g, f, fight)
    kept = f.pool
    f.luck = f.swaps = 0
    f.stage, f.ans, f.pool = DRAWN, kept if helped else (), ()
    _act_now(g, main, f.deck, helped, kept)
    return True


def reason(f: Victory) -> str:
    """Where something is to be discarded again, nothing that is drawn is had as yet (FQ-BASE-20)."""
    return decks.LOOKED_AT if f.luck else "reward"


def _act_now(g: Game, seat: int, deck: int, helped: bool, kept: tuple[int, ...]) -> None:
    """Of what is kept, that which acts the moment it is received acts now (FQ-BASE-20, FQ-MISC-10)."""
    now = [c for c in kept if decks.acts_at_once(g, c, helped)]
    if not now:
        return
    rest = tuple(c for c in kept if c not in now)
    g.stack.append(Draw(seat, deck, 0, helped, "reward", rest, "FQ-BASE-20", helped))
    for c in reversed(now):
        if c in g.limbo:
            g.limbo.remove(c)
        else:
            zones.from_hand(g, seat, c)
        decks.start_at_once(g, seat, c, helped)


def exchange(g: Game, f: Victory, fight: Fight) -> bool:
    """All one's Treasure of this fight, unseen, for another level: asked before anything is drawn (FQ-REL-6)."""
    n = force.total(g, fight.main, EXCHANGE)
    if f.ans is None:
        if not n or not _worth_a_level(g, f, fight):
            return False
        card = force.modifiers(g, fight.main, EXCHANGE)[0][0]
        ask(g, fight.main, (1, 0), domain=YESNO, card=card, about=EXCHANGE, rule="FQ-REL-6")
        return True
    f.exchanged, f.ans, f.stage = f.ans[0] == 1, (), 3
    if f.exchanged:
        levels.gain(g, fight.main, n, "FQ-REL-6")
    return False


def _worth_a_level(g: Game, f: Victory, fight: Fight) -> bool:
    """Is there a kill, Treasure to give up, and a level to be had (WIN-5)?"""
    if f.denied or f.treasures <= 0:
        return False
    return any(x.fate == KILLED for x in fight.foes) and levels.gainable(g, fight.main, 1, False) > 0
