"""The turn: set-up, door, trouble, loot, charity, the next player (TURN, WIN-2, WIN-3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.chapters import charity, combat, curses, death, epic
from kickdoor.engine.facts import force, nature
from kickdoor.engine.table import decks, portals, several_piles, zones
from kickdoor.engine.table.rows import Action, Moment, never
from kickdoor.engine.value import drawn, renewed, uses
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.flags import (
    AFTER_FIGHT,
    ENDING,
    FOUGHT,
    GIVING,
    LOOKED,
    LOOT_GRANTED,
    MONSTER_MET,
    TURN_OVER,
)
from kickdoor.engine.value.frames import Draw, Knock, Turn
from kickdoor.engine.value.game import AFTER_DOOR, BEFORE_DOOR, CHARITY_PHASE, DOOR, DOOR_CARD, TREASURE, Game
from kickdoor.engine.value.moves import CHARITY, END_TURN, KEEP, KICK, LOOT, NONE, TROUBLE, Move, word
from kickdoor.engine.value.reasons import Reason

TURN_END: Final = "turn_end"


def find(g: Game) -> Turn:
    f = g.stack[0]
    assert isinstance(f, Turn)
    return f


def begin(g: Game, seat: int) -> None:
    """A turn begins: the dead are reborn, who died draws a new hand, who listens hears (TURN-25, DEATH-16)."""
    if not g.flags & TURN_OVER:  # else what was looted has come only now, and may be played at once (ITEM-11)
        g.fresh = []
    g.turn = seat
    g.turns += 1
    g.flags = 0
    g.touch_moment()
    uses.begin_turn(g)
    g.offers = []
    zones.close_rooms(g)
    zones.put_spells_away(g)
    death.revive(g)
    g.stack = [Turn(BEFORE_DOOR)]
    g.emit("turn", seat, n=g.turns, rule="WIN-3")
    if g.rules.options.faster_play:
        decks.draw(g, seat, DOOR, 1, False, "listen", "FAST-2")
    if g.returning:
        zones.come_back(g, seat)
    p = g.players[seat]
    if p.redeal:
        p.redeal = False
        decks.deal(g, seat, "DEATH-16")


def step_turn(g: Game, f: Turn) -> bool:
    if g.flags & TURN_OVER:
        epic.abandon(g, f)
        next_turn(g)
        return True
    if g.flags & ENDING:
        giving = bool(g.flags & GIVING)
        g.flags &= ~(ENDING | GIVING)
        _end(g, giving)
        return True
    if f.phase == DOOR_CARD and g.door_card < 0:
        if f.doors or f.foes:
            return epic.step_doors(g, f)
        f.phase = AFTER_DOOR
    if f.phase == AFTER_DOOR and not _phase_two(g):
        f.phase = CHARITY_PHASE
    return False


def _phase_two(g: Game) -> bool:
    """May trouble be looked for, or must the room be looted (TURN-10, TURN-13, SAMB-3)?"""
    if g.flags & LOOT_GRANTED:
        return True
    if g.flags & (MONSTER_MET | LOOKED):
        return False
    fought = g.flags & FOUGHT
    return not (fought and g.rules.turn.phase2_gate == "no_monster_drawn_and_no_fight")


def next_turn(g: Game) -> None:
    """The next seat in order, past those that miss a turn (WIN-3)."""
    curses.end_of_turn(g, g.turn)
    n = len(g.players)
    seat = (g.turn + 1) % n
    while g.skips[seat]:
        g.skips = renewed.at(g.skips, seat, g.skips[seat] - 1)
        g.emit("skipped", seat, rule="CONF-1")
        seat = (seat + 1) % n
    begin(g, seat)


def _end(g: Game, giving: bool) -> None:
    """Charity where the hand is too large, and then the next player's turn (TURN-25)."""
    if too_many(g):
        if giving:
            charity.start(g)
        return
    g.emit("end_turn", g.turn, rule="TURN-25")
    next_turn(g)


def awaited_turn(g: Game, f: Turn) -> list[int]:
    return [g.turn]


def turn_stage(g: Game, f: Turn, seat: int) -> int:
    if seat != g.turn:
        return cx.OTHER_IDLE | (cx.AFTER_COMBAT if g.flags & AFTER_FIGHT else 0)
    ctx = cx.OWN_IDLE
    if g.flags & AFTER_FIGHT:
        ctx |= cx.AFTER_COMBAT
    if f.phase == DOOR_CARD:
        ctx |= cx.FACE_UP_DOOR
    elif f.phase == BEFORE_DOOR and decks.may_resurrect(g, seat, DOOR):
        ctx |= cx.FACE_UP_DRAW
    return ctx


def turn_moves(g: Game, f: Turn, seat: int, out: list[Move]) -> None:
    """What only the player whose turn it is may do: of what there is, whatever has no objection."""
    if seat != g.turn:
        return
    phase = f.phase
    if phase == DOOR_CARD:
        out.append(word(seat, KEEP))
        out.extend(Move(seat, KEEP, c) for c in epic.waiting(g, f))
    elif phase == AFTER_DOOR:
        if _why_no_trouble(g, f, seat) is None:
            out.extend(Move(seat, TROUBLE, c) for c in g.players[seat].hand if g.lib.defs[c].kind == "monster")
        out.append(word(seat, LOOT))
    elif phase == BEFORE_DOOR:
        out.append(word(seat, KICK))
    else:
        many = too_many(g)
        if many:
            out.append(word(seat, CHARITY))
        if not many or ends_first(g):
            out.append(word(seat, END_TURN))


def why_not(g: Game, ctx: int, move: Move) -> Reason | None:
    """What keeps a player from going on with the turn in that way (TURN, WIN-3)."""
    f = g.stack[-1]
    if move.verb == CHARITY and (move.seat != g.turn or type(f) is not Turn):
        return r.CHARITY_TIME
    if move.seat != g.turn:
        return r.NOT_YOUR_TURN
    if type(f) is not Turn:
        return r.KICK_FIGHT
    if f.phase == DOOR_CARD and move.verb != KEEP:
        return r.DOOR_EXPOSED if epic.exposed(g, f) else r.DOOR_CARD_FIRST
    return _OBJECTION[move.verb](g, f, move)


def _why_no_kick(g: Game, f: Turn, move: Move) -> Reason | None:
    return None if f.phase == BEFORE_DOOR else r.KICK_ONCE


def _why_no_trouble(g: Game, f: Turn, seat: int) -> Reason | None:
    if f.phase == BEFORE_DOOR:
        return r.DOOR_FIRST
    if f.phase != AFTER_DOOR:
        return r.TROUBLE_ONCE if g.flags & LOOKED and not g.flags & MONSTER_MET else r.TROUBLE_DOOR
    if g.flags & LOOT_GRANTED:
        return r.TROUBLE_DOOR if g.flags & MONSTER_MET else r.TROUBLE_LOOT
    return r.TROUBLE_BARRED if force.any_modifier(g, seat, "no_trouble") else None


def _why_not_that_trouble(g: Game, f: Turn, move: Move) -> Reason | None:
    barred = _why_no_trouble(g, f, move.seat)
    if barred is not None:
        return barred
    if move.card not in g.players[move.seat].hand:
        return r.TROUBLE_HAND
    kind = g.lib.defs[move.card].kind
    if kind == "monster":
        return None
    return r.STEED_FOUGHT if kind == "steed" else r.TROUBLE_MONSTER


def _why_no_loot(g: Game, f: Turn, move: Move) -> Reason | None:
    if f.phase == AFTER_DOOR:
        return None
    if f.phase == BEFORE_DOOR:
        return r.DOOR_FIRST
    return r.LOOT_ONCE if g.flags & (LOOKED | FOUGHT | MONSTER_MET) == LOOKED else r.LOOT_MET


def _why_not_keep(g: Game, f: Turn, move: Move) -> Reason | None:
    if f.phase != DOOR_CARD:
        return r.KEEP_NOTHING
    if move.card == NONE or move.card in epic.waiting(g, f):
        return None
    return r.KEEP_NOT_THAT


def too_many(g: Game) -> bool:
    """Does the hand hold more than may be kept at the end of a turn (PILE-10)?"""
    return len(g.players[g.turn].hand) > force.hand_limit(g, g.turn)


def ends_first(g: Game) -> bool:
    """Does something happen as the turn ends, before the hand is counted for Charity?

    Then the player may say that he is done however many cards he holds, and gives afterwards what is still too much.
    """
    return not uses.turn_end_told(g) and zones.awaits(g, g.turn, TURN_END)


def _why_no_charity(g: Game, f: Turn, move: Move) -> Reason | None:
    if f.phase != CHARITY_PHASE:
        return r.CHARITY_TIME
    return None if too_many(g) else r.CHARITY_NONE


def _why_no_end(g: Game, f: Turn, move: Move) -> Reason | None:
    if f.phase != CHARITY_PHASE:
        return r.END_DOOR if f.phase == BEFORE_DOOR else r.END_EARLY
    return r.END_HAND if too_many(g) and not ends_first(g) else None


_OBJECTION: Final[dict[int, Callable[[Game, Turn, Move], Reason | None]]] = {
    KICK: _why_no_kick,
    TROUBLE: _why_not_that_trouble,
    LOOT: _why_no_loot,
    KEEP: _why_not_keep,
    CHARITY: _why_no_charity,
    END_TURN: _why_no_end,
}


def do(g: Game, move: Move) -> None:
    play_turn(g, find(g), move)


def play_turn(g: Game, f: Turn, move: Move) -> None:
    verb = move.verb
    g.flags &= ~AFTER_FIGHT
    if verb == KICK:
        g.fresh = []
        if several_piles.choices(g, DOOR):
            g.stack.append(Knock(g.turn))
        else:
            open_door(g)
    elif verb == KEEP:
        keep(g, move.card)
    elif verb == TROUBLE:
        look_for_trouble(g, move)
    elif verb == LOOT:
        loot(g)
    elif verb in (CHARITY, END_TURN):
        g.flags |= ENDING
        if verb == CHARITY:
            g.flags |= GIVING
        if not uses.turn_end_told(g):
            uses.tell_turn_end(g)
            zones.fire(g, g.turn, TURN_END, g.turn)


def step_knock(g: Game, f: Knock) -> bool:
    """First the pile is chosen, then the door is kicked open (DECK-13, DECK-15)."""
    if f.ans is None:
        several_piles.ask_for(g, f.seat, DOOR, several_piles.choices(g, DOOR))
    else:
        several_piles.turn_to(g, DOOR, f.ans[0])
        g.stack.pop()
        open_door(g)
    return True


def open_door(g: Game) -> None:
    """One Door is turned over, or two (TURN-3, EPIC-9)."""
    f = find(g)
    if f.doors or nature.epic(g, g.turn):
        epic.kick(g, f)
    else:
        kick(g, decks.take_top(g, DOOR))


def kick(g: Game, card: int) -> None:
    """Turn a Door over (TURN-3); with none to be had, there is nothing behind it (AMB-3)."""
    seat = g.turn
    f = find(g)
    f.phase = AFTER_DOOR
    if card < 0:
        g.emit("no_draw", seat, n=DOOR, rule="PILE-5")
        return
    g.emit("kick", seat, card, rule="TURN-3")
    d = g.lib.defs[card]
    g.drew = renewed.at(g.drew, seat, drawn.record([drawn.code(card, face_up=True)], DOOR))
    if d.immediate:
        decks.start_immediate(g, seat, card, True)
    elif d.kind == "portal":
        portals.start_portal(g, seat, card, portals.AT_DOOR)
    elif d.kind == "monster":
        g.flags |= MONSTER_MET
        combat.start_fight(g, seat, [card])
    elif d.is_curse:
        curses.start_curse(g, card, seat, NONE)
    elif d.kind == "room":
        epic.open_room(g, card)
    else:
        g.door_card = card
        f.phase = DOOR_CARD


def keep(g: Game, other: int = NONE) -> None:
    """Into the hand (TURN-9); of two cards at an Epic door the other one first, where that is wanted (EPIC-11)."""
    if other >= 0:
        epic.bring_forward(g, other)
    card = g.door_card
    g.door_card = -1
    zones.to_hand(g, g.turn, card)
    g.emit("keep", g.turn, card, rule="TURN-9")


def look_for_trouble(g: Game, move: Move) -> None:
    """Fight a monster of one's own (TURN-11)."""
    g.flags |= LOOKED
    zones.from_hand(g, move.seat, move.card)
    g.emit("trouble", move.seat, move.card, rule="TURN-11")
    combat.start_fight(g, move.seat, [move.card])


def loot(g: Game) -> None:
    """A second Door, unseen; in Faster Play a Treasure (TURN-15)."""
    g.flags |= LOOKED
    g.flags &= ~LOOT_GRANTED
    g.fresh = []
    deck = TREASURE if g.rules.options.faster_play else DOOR
    g.emit("loot", g.turn, rule="TURN-15")
    decks.draw(g, g.turn, deck, 1, False, "loot", "TURN-15")


def resurrect(g: Game, seat: int, price: int) -> None:
    """A face-up draw from the top of the discards: the door itself, or one card of a shared reward."""
    frame = next((f for f in reversed(g.stack) if type(f) is Draw), None)
    card = decks.take_from_discards(g, frame.deck if frame is not None else DOOR)
    zones.discard_hand_card(g, seat, price, "CLASS-6")
    if frame is not None:
        frame.left -= 1
        decks.received(g, frame, card)
    elif find(g).phase == BEFORE_DOOR:
        g.fresh = []
        if nature.epic(g, seat):
            epic.turn_over(g, find(g), card)
        else:
            kick(g, card)


MOMENT: Final[Moment] = Moment(awaited_turn, turn_stage, never, play_turn)
GO_ON: Final[Action] = Action(why_not, do)
