"""Drawing and fetching cards (PILE, TREASURE, CLASS-6)."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import combat, turn
from kickdoor.engine.effects.programs import amount, otherwise, seat_for
from kickdoor.engine.facts import fights, force, strength
from kickdoor.engine.table import decks, several_piles, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value.frames import Effect, Victory
from kickdoor.engine.value.game import DOOR, FAIRY_DUST, SPELL, TREASURE, Game


def draw(g: Game, f: Effect, a: Args) -> bool:
    face_up = a.face == "up" or (a.face == "same" and f.face == 1)
    seat = seat_for(g, f, a.who)
    deck = {"treasure": TREASURE, "spell": SPELL, "fairy_dust": FAIRY_DUST}.get(a.to, DOOR)
    if a.count != "all":
        return _draw_and_keep(g, f, a, seat, deck, face_up)
    if deck == TREASURE and f.cause == "defeated" and _goes_without(g, seat):
        return True
    if not g.players[seat].dead or deck == SPELL:  # FQ-BOOK-7
        decks.draw(g, seat, deck, amount(f, a.amount), face_up, decks.AT_ONCE if a.at_once else "card", "CONF-1")
    return True


def _goes_without(g: Game, seat: int) -> bool:
    """Has he won this fight under something that keeps all its Treasure from him?"""
    won = next((f for f in reversed(g.stack) if type(f) is Victory), None)
    return won is not None and won.denied and g.fight is not None and g.fight.main == seat


def _draw_and_keep(g: Game, f: Effect, a: Args, seat: int, deck: int, face_up: bool) -> bool:
    """Draw several, keep some of one's choice, discard the rest."""
    if f.ans is None:
        decks.draw(g, seat, deck, amount(f, a.amount), face_up, decks.LOOKED_AT, "CONF-1", pool=True)
        return False
    if not f.pool:
        f.pool, f.ans = f.ans, None
        if not f.pool:
            return True
        n = amount(f, a.count)
        ask(g, seat, f.pool, low=n, high=n, card=f.card, about="keep", rule="CONF-1", secret=not face_up)
        if f.ans is None:
            return False
    for c in f.pool:
        g.limbo.remove(c)
        if c in f.ans and decks.acts_at_once(g, c, face_up):
            decks.start_at_once(g, seat, c, face_up)  # FQ-MISC-10: now, since it is the one kept
        elif c in f.ans:
            zones.receive(g, seat, c, "arrives")
        else:
            zones.to_discard(g, c, "CONF-1")
    f.pool = ()
    return True


def owe_treasure(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        foe = fights.find_foe(g.fight, f.foe) if a.word == "this" else None
        g.fight.owed += strength.foe_treasures(g, foe) if foe is not None else amount(f, a.amount)
    return True


def retrieve(g: Game, f: Effect, a: Args) -> bool:
    """A card from the discards, which only a card like this lets one look through (PILE-3)."""
    seat = seat_for(g, f, a.who)
    if f.ans is None:
        options = [
            c
            for deck, name in ((DOOR, "doors"), (TREASURE, "treasures"), (SPELL, "spells"))
            if a.frm == name or (a.frm == "discards" and deck != SPELL)
            for c in reversed(g.discards[deck])
            if (a.what is None or a.what(g, c)) and force.may_receive(g, seat, c)
        ]
        if a.amount != -1:
            options = [c for c in options if (g.lib.defs[c].gold or 0) <= amount(f, a.amount)]
        if a.pick == "total":
            return _retrieve_worth(g, f, a, seat, options)
        if a.pick == "top":
            tops = {g.lib.defs[c].deck: c for c in reversed(options)}
            options = list(tops.values())
        if not options:
            return otherwise(g, f, a)
        n = amount(f, a.count)
        low = 0 if combat.is_open(g) and len(options) > n else n  # FQ-BOOK-19: who searches too long finds nothing
        ask(g, seat, options, low=low, high=n, card=f.card, about="retrieve", rule="PILE-3")
        if f.ans is None:
            return False
    for c in f.ans:
        _retrieved(g, a, seat, c)
    if a.pick != "total" or not f.ans:
        return True
    f.acc += sum(g.lib.defs[c].gold or 0 for c in f.ans)
    f.ans = None  # and another one, if he likes
    return False


def _retrieve_worth(g: Game, f: Effect, a: Args, seat: int, options: list[int]) -> bool:
    """One after another, as long as they are together worth no more than was said; `f.acc` counts."""
    left = amount(f, a.amount) - f.acc
    options = [c for c in options if (g.lib.defs[c].gold or 0) <= left]
    if options:
        ask(g, seat, options, low=0, high=1, card=f.card, about="retrieve", rule="PILE-3")
    return not options


def _retrieved(g: Game, a: Args, seat: int, c: int) -> None:
    """One card out of the discards, to where it belongs now."""
    several_piles.take_back(g, g.lib.defs[c].deck, c)
    g.emit("retrieve", seat, c, rule="PILE-3")
    if a.to == "in_play":
        g.exempt = [*g.exempt, c]
        zones.to_table(g, seat, c, equip=True)
    elif g.lib.defs[c].immediate:
        decks.start_immediate(g, seat, c, False)
    else:
        zones.to_hand(g, seat, c)
        g.fresh = [*g.fresh, (seat, c)]
        combat.hold(g, seat, c)


def resurrect(g: Game, f: Effect, a: Args) -> bool:
    """The next face-up draw is the top discard; a card from the hand pays for it, afterwards."""
    if not g.players[f.who].hand:
        return True
    if f.ans is None:
        ask(g, f.who, g.players[f.who].hand, card=f.card, about="pay", rule="CLASS-6")
        if f.ans is None:
            return False
    turn.resurrect(g, f.who, f.ans[0])
    return True
