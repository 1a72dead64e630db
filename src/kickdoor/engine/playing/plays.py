"""Playing cards: what may be played now, why not, and how it is carried out (PILE-11, Appendix A of the catalogue)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode
from kickdoor.engine.chapters import epic, fight_cards, interfering
from kickdoor.engine.facts import fights, force, front, goods
from kickdoor.engine.playing.ways import WAYS, Try, fresh, special_time, take_up
from kickdoor.engine.table import accessories, dice, powers, traits, zones
from kickdoor.engine.table.rows import Action, first
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import Promise, Turn
from kickdoor.engine.value.game import DOOR_CARD, Game
from kickdoor.engine.value.moves import NONE, Move, at_seat, mode_index, names_card, names_mode, seat_of
from kickdoor.engine.value.reasons import Reason

_RESOLVING: Final = cx.OPENING | cx.ROLL | cx.CURSE | cx.ESCAPED
USED: Final = ("side_bonus", "effect", "lasting")  # ways to play a card for what it does


# -- the moment, as a card sees it ------------------------------------------------------------------------------


def card_context(g: Game, seat: int, card: int, ctx: int) -> int:
    """The moment as this card sees it: a fresh one may be played on receipt (SAMB-5).

    Not between a roll or a Curse and what comes of it, though: that is one step (AMB-77, FQ-CURSE-9).
    """
    if (
        g.fresh
        and fresh(g, seat, card)
        and not ctx & _RESOLVING
        and (not fights.in_fight(g, seat) or _at_once(g, card))
    ):
        return ctx | cx.FRESH
    return ctx


def _at_once(g: Game, card: int) -> bool:
    """Was it received in this fight in a way that lets it be played in it (EPIC-36, AMB-44)?

    A new Race or Class may be, in the books that know no other time for it than the moment it comes (SAMB-57).
    """
    if g.fight is not None and card in g.fight.at_once:
        return True
    d = g.lib.defs[card]
    return g.rules.windows.fresh_trait_in_fight and bool(d.trait or d.multi)


def from_door(g: Game, seat: int) -> list[int]:
    """The cards of the door that wait to be played or kept, the one in front first (TURN-9, EPIC-11)."""
    f = g.stack[-1]
    if type(f) is not Turn or f.phase != DOOR_CARD or seat != g.turn:
        return []
    return [g.door_card, *(epic.waiting(g, f) if f.doors else ())]


def _in_time(g: Game, seat: int, card: int, d: CardDef, mode: Mode, ctx: int) -> bool:
    """Is this the moment and the role for it, by the card, the table's rules and before the first turn?"""
    if mode.by and not ctx & mode.by:
        return False
    for any_of, all_of in mode.alts:
        if ctx & any_of and ctx & all_of == all_of:
            break
    else:
        return False
    if mode.default_time and not _default_time(g, d, ctx):
        return False
    return not ctx & cx.CREATION or for_creation(g, seat, card)


def _default_time(g: Game, d: CardDef, ctx: int) -> bool:
    """What says nothing of when: Powers like Races, or whenever they would be of use (BT-13, SAMB-11)."""
    if d.kind == "power":
        return powers.rules(g).window == "any_time" or cx.fits(ctx, cx.WHEN["trait"], 0)
    return special_time(g, ctx)


def for_creation(g: Game, seat: int, card: int) -> bool:
    """What may be put down before the first turn (CHAR-4..CHAR-6, BT-3)."""
    d = g.lib.defs[card]
    if d.kind == "power":
        return powers.may_open(g, seat, card)
    if d.multi:
        return not g.rules.setup.strict_creation  # AMB-6
    if d.kind in ("race", "class"):
        return _opens_with(g, d.kind)
    if d.kind in traits.GROUPS:
        return True
    if d.is_companion:
        return _opens_with(g, "companion")
    return d.is_item and _opens_with(g, "item")


def _opens_with(g: Game, kind: str) -> bool:
    """Does the table's book let such cards be put down before the first turn? How many fit is another matter."""
    return any(o.kind == kind and o.max != 0 for o in g.rules.setup.opening_play)


# -- which ------------------------------------------------------------------------------------------------------


def play_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    defs = g.lib.defs
    p = g.players[seat]
    new = g.fresh
    at = ctx | cx.FRESH if new else ctx
    for c in p.hand:
        d = defs[c]
        if at & d.stages:
            card_moves(g, seat, c, d, card_context(g, seat, c, ctx) if new else ctx, out, in_hand=True)
    if g.accessories:
        for c in g.accessories[seat]:
            if defs[c].modes:
                card_moves(g, seat, c, defs[c], ctx, out, in_hand=True)
    for c in p.table:
        d = defs[c]
        if d.is_one_shot and c not in g.host:
            card_moves(g, seat, c, d, ctx, out, in_hand=False)


def card_moves(g: Game, seat: int, card: int, d: CardDef, ctx: int, out: list[Move], in_hand: bool) -> None:
    for mode in d.modes:
        if not ctx & mode.stages or not _in_time(g, seat, card, d, mode, ctx):
            continue
        if not in_hand and mode.op in ("item", "lay"):
            continue
        if _not_for(g, seat, card, d, mode):
            continue
        before = len(out)
        WAYS[mode.op].moves(g, seat, card, d, mode, out)
        if ctx & cx.CREATION and mode.op == "trait":  # CHAR-4, CHAR-5: nothing is put down to make way
            out[before:] = [m for m in out[before:] if m.target == NONE]
        if len(out) > before:
            _leave_out(g, seat, card, d, mode, ctx, out, before)


def _not_for(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> bool:
    """Is it to be used up by somebody whom its restriction shuts out? To lay it down anyone may (ITEM-5, ITEM-6)."""
    return bool(d.usable_by or d.not_usable_by) and mode.op in USED and not force.may_use(g, seat, card)


def _leave_out(g: Game, seat: int, card: int, d: CardDef, mode: Mode, ctx: int, out: list[Move], begin: int) -> None:
    """Of the moves from `begin` on those that the fight keeps out, or that somebody has forbidden this player."""
    shut = bool(ctx & cx.BYSTANDER) and interfering.restrained(g)
    bans = bool(g.uses) and bool(interfering.bans(g, seat))
    if not shut and not bans:
        return
    for i in range(len(out) - 1, begin - 1, -1):
        m = out[i]
        kept_out = shut and interfering.why_not(g, seat, card, d, mode, m.target) is not None
        if kept_out or (bans and interfering.banned(g, seat, d, m.target, m.extra)):
            del out[i]


# -- why not ----------------------------------------------------------------------------------------------------


def why_not(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why a card cannot be played so now, or None where it can."""
    seat, card = move.seat, move.card
    d = g.lib.defs[card]
    p = g.players[seat]
    if card in p.table and d.kind == "monster":
        return epic.why_not_pet(g, ctx, move)
    door = from_door(g, seat)
    brought = bool(g.accessories) and card in g.accessories[seat]
    away = None if card in p.hand or card in door or brought else _why_not_at_hand(g, seat, card)
    if away is not None:
        return away
    if card not in door:
        ctx = card_context(g, seat, card, ctx & ~cx.FACE_UP_DOOR)
    return why_not_as(g, ctx, move)


def why_not_as(g: Game, ctx: int, move: Move) -> Reason | None:
    """The same for a card that is at hand, at the moment given."""
    d = g.lib.defs[move.card]
    found: list[Move] = []
    card_moves(g, move.seat, move.card, d, ctx, found, in_hand=move.card not in g.players[move.seat].table)
    return None if move in found else _why(g, ctx, d, move)


def _why_not_at_hand(g: Game, seat: int, card: int) -> Reason | None:
    """It is not a card that this player could play: of those before him one-shots wait to be used (COMBAT-15)."""
    d = g.lib.defs[card]
    if card in g.players[seat].table:
        if card in g.host:
            return r.CHEAT_STAYS if d.waives else r.ATTACHED_STAYS
        return None if d.is_one_shot else r.IN_PLAY_STAYS
    return _why_not_beside(g, card) if d.outside else r.NOT_IN_HAND


def _why_not_beside(g: Game, card: int) -> Reason:
    """It would be a card of one's own, beside the cards of the decks (FQ-KILL-1..FQ-KILL-4)."""
    if accessories.in_the_deck(g, card):
        return r.BROUGHT_SHARED
    in_fight = g.fight is not None and any(card == c for c, _ in g.fight.committed)
    return r.BROUGHT_USED if in_fight or card in g.discards[g.lib.defs[card].deck] else r.NOT_BROUGHT


def _why(g: Game, ctx: int, d: CardDef, move: Move) -> Reason:
    """It could be his to play, but not now, not on that, or not in that way."""
    mode = _timely(g, ctx, d, move) or meant(d, move)
    if mode is None:
        return r.NO_SUCH_WAY if d.modes else r.WRONG_TIME
    s = seat_of(move.target)
    if s >= 0 and g.players[s].dead:
        return r.DEAD_LEVEL if mode.gain else r.DEAD_TARGET
    if interfering.banned(g, move.seat, d, move.target, move.extra):
        return r.BANNED
    if _not_for(g, move.seat, move.card, d, mode):
        return r.EQUIP_UNUSABLE
    shut = interfering.why_not(g, move.seat, move.card, d, mode, move.target) if g.fight is not None else None
    if shut is not None:
        return shut
    if not _in_time(g, move.seat, move.card, d, mode, ctx):
        pending = first(g)
        if pending is not None:
            return r.POWER_OPENING if ctx & cx.CREATION and d.kind == "power" else pending
    if mode.op in ("item", "lay") and move.card in g.players[move.seat].table:
        return r.IN_PLAY_STAYS
    why = WAYS[mode.op].why(g, Try(move.seat, move.card, d, mode, ctx, move.target, move.extra))
    full = ctx & cx.CREATION and why in (r.TRAIT_NOT_THERE, r.TRAIT_LIMIT.get(d.kind))
    return r.CREATION_ONE.get(d.kind, why) if full else why


def _timely(g: Game, ctx: int, d: CardDef, move: Move) -> Mode | None:
    """Of several ways, where none is named, the one whose time it is."""
    if move.extra != NONE:
        return None
    aimed = move.target != NONE  # then it is not one that is aimed at nothing, except a place to take (`meant`)
    able = [m for m in d.modes if not (aimed and m.on == "nothing")]
    return next((m for m in able if _in_time(g, move.seat, move.card, d, m, ctx)), None)


def meant(d: CardDef, move: Move) -> Mode | None:
    """The way that a move speaks of; a card that can also be put down as an Item is that, where none is said."""
    modes = d.modes
    if names_mode(move.extra):
        index = mode_index(move.extra)
        return modes[index] if 0 < index < len(modes) else None
    if names_card(move.extra):
        return next((m for m in modes if m.needs_monster), modes[0] if modes else None)
    if not d.is_one_shot and modes and modes[-1].op == "item":
        return modes[-1]
    return modes[0] if modes else None


# -- carrying it out --------------------------------------------------------------------------------------------


def play(g: Game, move: Move) -> None:
    """Whatever is played may change a roll, so that everybody is asked about it again (AMB-77)."""
    roll = dice.find_roll(g)
    do_play(g, move)
    if roll is not None:
        roll.passed = 0


def do_play(g: Game, move: Move) -> None:
    """Play a card that has no objection."""
    seat, card = move.seat, move.card
    d = g.lib.defs[card]
    if d.kind == "monster" and card in g.players[seat].table:
        epic.send_pet(g, move)
        return
    mode = d.modes[mode_index(move.extra)]
    if names_card(move.extra) and mode.op not in ("join", "trait"):
        mode = next(m for m in d.modes if m.needs_monster)
    lent = sum(goods.own_bonus(g, seat, a) for a in front.attachments(g, card))
    lying = take_up(g, seat, card)
    g.emit("play", seat, card, move.target, rule="PILE-11")
    WAYS[mode.op].do(g, move, mode)
    for c in lying:
        if mode.op == "side_bonus":  # in use with what it lies on, until the fight is over (IENH-3, ITEM-23)
            fight_cards.commit(g, c, seat)
        else:
            zones.to_discard(g, c, "IENH-4")
    if lent and mode.op == "side_bonus":
        fight_cards.lend(g, lent)


def keep_promises(g: Game, f: Promise) -> bool:
    """Promised plays are carried out after the fight, where they can be made then (MM-43, SAMB-8)."""
    g.stack.pop()
    mine = f.seat == g.turn
    ctx = cx.OUTSIDE | cx.AFTER_COMBAT | (cx.OWN_TURN | cx.OWN_IDLE if mine else cx.OTHER_IDLE)
    for card in f.cards:
        if card in g.players[f.seat].hand:
            found: list[Move] = []
            card_moves(g, f.seat, card, g.lib.defs[card], ctx, found, in_hand=True)
            kept = next((m for m in found if m.target == at_seat(f.helper)), None)
            if kept is not None:
                do_play(g, kept)
    return True


PLAYING: Final[Action] = Action(why_not, play)
