"""Decks and draws (PILE-1..PILE-5, PILE-16)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.facts import force
from kickdoor.engine.table import portals, several_piles, wandering, zones
from kickdoor.engine.table.rows import Moment
from kickdoor.engine.value import drawn, renewed
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import Creation, Draw, Effect, Window
from kickdoor.engine.value.game import DOOR, SPELL, TREASURE, Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason

DEAL: Final = "deal"  # a whole hand, from both decks (SETUP-5, DEATH-16)
AT_ONCE: Final = "at once"  # may be played in the fight it was drawn in (EPIC-36)
LOOKED_AT: Final = "looked at"  # drawn to choose from: nothing is received yet (CAP-39)


def take_top(g: Game, deck: int, seat: int = -1) -> int:
    """The top card of a deck, or -1 when there is none and no discards to make a new one (PILE-5)."""
    if not g.lib.wanderers:
        return _take_top(g, deck)
    barred = wandering.pass_over(g, deck, seat)
    card = _take_top(g, deck)
    if barred:
        g.piles[deck] = [*g.piles[deck], *barred]
    return card


def _take_top(g: Game, deck: int) -> int:
    pile = g.piles[deck]
    if not pile:
        reshuffle(g, deck)
        pile = g.piles[deck]
        if not pile:
            return -1
    card = pile[-1]
    g.piles[deck] = pile[:-1]
    if len(pile) == 1:
        reshuffle(g, deck)  # AMB-2: as soon as it runs out
    return card


def reshuffle(g: Game, deck: int) -> None:
    """The pile in use is empty: the discards become the deck (PILE-4), when no other pile of it is left (AMB-5)."""
    if several_piles.next_pile(g, deck) or not g.discards[deck]:
        return
    pile = list(g.discards[deck])
    g.shuffle(pile)
    g.piles[deck] = pile
    g.discards[deck] = []
    g.emit("shuffle", n=deck, rule="PILE-4")
    several_piles.laid_again(g, deck)


def draw(g: Game, seat: int, deck: int, n: int, face_up: bool, reason: str, rule: str, pool: bool = False) -> None:
    """Start drawing; the frame below gets the drawn cards in `g.drew` (and in `ans` for a pool)."""
    if deck == TREASURE and not pool and force.no_treasures(g, seat):
        g.emit("no_draw", seat, n=deck, rule="RUN-11")
        n = 0
    outer = _outer(g)
    if outer is not None and outer.pool and face_up and (outer.seat, outer.deck) == (seat, deck):
        pool = True  # FQ-BASE-18: a card drawn for the pool brings more; that is to be shared as well (HELP-8)
    g.stack.append(Draw(seat, deck, n, face_up, reason, (), rule, pool))


def _outer(g: Game) -> Draw | None:
    """The draw that is under way, where a card of it makes somebody draw."""
    return next((x for x in reversed(g.stack) if type(x) is Draw), None)


def step_draw(g: Game, f: Draw) -> bool:
    """Draw on until something must be decided or acts at once."""
    if f.left > 0 and f.face_up and f.stage == 0 and may_resurrect(g, f.seat, f.deck):
        return False
    if g.players[f.seat].dead and not f.pool and f.deck != SPELL:  # the Book's Spell comes to the dead (FQ-BOOK-7)
        f.left = 0  # DEATH-12: what he has drawn so far was the death of him
    while f.left > 0:
        if g.aside[f.deck] and not several_piles.which(g, f):
            return True
        card = take_top(g, f.deck, f.seat)
        if card < 0:
            g.emit("no_draw", f.seat, n=f.deck, rule="PILE-5")
            break
        f.left -= 1
        received(g, f, card)
        if g.stack[-1] is not f:  # it acts at once, or does something for who receives it
            return True
    g.stack.pop()
    came = f.more + tuple(drawn.code(c, f.face_up) for c in f.got)
    outer = _outer(g)
    if f.pool and outer is not None and outer.pool and f.reason != LOOKED_AT:
        outer.got += f.got
        return True
    if outer is not None and outer.seat == f.seat and (outer.deck == f.deck or outer.reason == f.reason == DEAL):
        outer.more += came  # all of it is what the draw gave (FQ-BASE-18), be it from both decks (DEATH-16)
    g.drew = renewed.at(g.drew, f.seat, drawn.record(came, f.deck) if came else ())
    if f.pool:
        g.stack[-1].ans = f.got  # type: ignore[attr-defined]
    return True


def received(g: Game, f: Draw, card: int) -> None:
    """One drawn card arrives."""
    g.emit("draw", f.seat, card, n=f.deck, rule=f.rule, secret=not f.face_up)
    if acts_at_once(g, card, f.face_up) and f.reason != LOOKED_AT:
        start_at_once(g, f.seat, card, f.face_up)
        return
    if g.lib.defs[card].kind == "portal" and not f.pool:
        portals.drew(g, f.seat, card, f.reason)
    f.got += (card,)
    if f.pool:
        g.limbo.append(card)
    else:
        zones.receive(g, f.seat, card, "arrives")
        if f.reason == AT_ONCE and g.fight is not None:
            g.fight.at_once = [*g.fight.at_once, card]


def acts_at_once(g: Game, card: int, face_up: bool) -> bool:
    """Is it done the moment it is received? Some cards say so (CAP-38), and so is a Portal that all see (PORTAL-3)."""
    d = g.lib.defs[card]
    return d.immediate or (face_up and d.kind == "portal")


def start_at_once(g: Game, seat: int, card: int, face_up: bool) -> None:
    """What comes in a Portal's place faces as it did, and is to be shared where the draw is (PORTAL-12)."""
    if g.lib.defs[card].kind == "portal":
        portals.start_portal(g, seat, card, portals.FACE_UP)
    else:
        start_immediate(g, seat, card, face_up)


def start_immediate(g: Game, seat: int, card: int, face_up: bool) -> None:
    """A card that acts the moment it is received, however that happens (CAP-38); in limbo until done (FQ-BASE-22).

    In an opening hand some are only shown, and everybody may still become what he can before they act (FQ-BASE-16).
    """
    g.limbo.append(card)
    g.emit("immediate", seat, card, rule="FQ-BASE-15")
    d = g.lib.defs[card]
    effect = Effect(d.prog_effect, card, seat, seat, cause="immediate", face=1 if face_up else 0)
    creation = next((i for i, f in enumerate(g.stack) if type(f) is Creation), None)
    if creation is not None and d.card.immediate == "shown":
        g.stack.insert(creation + 1, Window("opening", g.turn, card))  # when all hands are dealt
        g.stack.insert(creation + 1, effect)
    else:
        g.stack.append(effect)


def may_resurrect(g: Game, seat: int, deck: int) -> bool:
    """Could this player take a face-up draw from the discards instead (the Cleric's power)?"""
    if not g.discards[deck] or not g.players[seat].hand:
        return False
    return any(p.alts is cx.WHEN["face_up_draw"] for _, d in force.cards(g, seat) for p in d.powers)


def awaited_draw(g: Game, f: Draw) -> list[int]:
    return [f.seat]


def draw_stage(g: Game, f: Draw, seat: int) -> int:
    return cx.FACE_UP_DRAW if seat == f.seat else 0


def why_no_pass(g: Game, f: Draw, seat: int) -> Reason | None:
    return None if seat == f.seat else r.NOTHING_TO_ANSWER


def draw_on(g: Game, f: Draw, move: Move) -> None:
    """Nothing is taken from the discards: the rest comes from the deck."""
    f.stage = 1


MOMENT: Final[Moment] = Moment(awaited_draw, draw_stage, why_no_pass, draw_on)


def take_from_discards(g: Game, deck: int) -> int:
    """The top discard, drawn instead of the top card; -1 when there is none."""
    pile = g.discards[deck]
    if not pile:
        return -1
    g.discards[deck] = pile[:-1]
    return pile[-1]


def deal(g: Game, seat: int, rule: str) -> None:
    """The opening hand, and the new one after death: hidden (SETUP-5, DEATH-16)."""
    draw(g, seat, 1, g.rules.setup.deal_treasures, False, DEAL, rule)
    draw(g, seat, DOOR, g.rules.setup.deal_doors, False, DEAL, rule)
