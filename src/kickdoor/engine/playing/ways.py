"""Ways of playing a card: for each of them what it can be aimed at, why it cannot be done, and what it does.

A card has one or more ways (`Mode`), and each way an `op`: an Item is put down, a Race is played, a Curse is cast, a
monster enhanced. One row of `WAYS` is everything the rules know about one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode
from kickdoor.engine.chapters import combat, curses, epic, fight_cards, helping
from kickdoor.engine.facts import enemies, fights, force, front, goods, questions, strength
from kickdoor.engine.playing import aims, looking_ahead
from kickdoor.engine.table import enhancer_enhancers, hirelings, items, levels, portals, powers, steeds, traits, zones
from kickdoor.engine.value import flags
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import Effect, Window
from kickdoor.engine.value.game import DOOR, Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, NONE, PLAY, Move, mode_code, names_card, seat_of
from kickdoor.engine.value.reasons import Reason


class Try(NamedTuple):
    """Somebody wants to play a card in some way, on something, at some moment."""

    seat: int
    card: int
    d: CardDef
    mode: Mode
    ctx: int
    target: int = NONE
    extra: int = NONE


class Way:
    """A way of playing cards: the moves with it (what has no objection), why not, and what it does."""

    __slots__ = ("do", "moves", "why")

    def __init__(
        self,
        moves: Callable[[Game, int, int, CardDef, Mode, list[Move]], None],
        why: Callable[[Game, Try], Reason],
        do: Callable[[Game, Move, Mode], None],
    ) -> None:
        self.moves = moves
        self.why = why
        self.do = do


def code(mode: Mode) -> int:
    """What a move says of the way, in `extra`: nothing for a card's first one."""
    return mode_code(mode.index)


def take_up(g: Game, seat: int, card: int) -> list[int]:
    """The card leaves the hand, the door, or (a one-shot) the table; then with what lies on it, which is returned."""
    p = g.players[seat]
    if card in g.limbo:  # it waits at the door behind another (EPIC-11)
        epic.bring_forward(g, card)
    if card == g.door_card:
        g.door_card = -1
    elif card in p.hand:
        zones.from_hand(g, seat, card)
    elif g.accessories and card in g.accessories[seat]:
        g.accessories[seat].remove(card)
        g.touch()
    else:
        return zones.lift(g, seat, card)[1:]
    return []


def in_time(t: Try) -> bool:
    return cx.fits(t.ctx, t.mode.alts, t.mode.by)


def _no_fight(g: Game) -> bool:
    f = g.fight
    return f is None or f.fleeing


def fresh(g: Game, seat: int, card: int) -> bool:
    """Has this player just got that card, so that it may be played at once (SAMB-5)?"""
    return any(c == card and s == seat for s, c in g.fresh)


# -- Items ------------------------------------------------------------------------------------------------------


def _item_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    if items.room_for(g, seat, card) and not items.barred_carry(g, seat, card):
        out.append(Move(seat, PLAY, card, NONE, code(mode)))


def _why_item(g: Game, t: Try) -> Reason:
    if fights.in_fight(g, t.seat):
        return r.ITEM_IN_FIGHT
    if t.seat != g.turn and not fresh(g, t.seat, t.card):
        return r.ITEM_OFF_TURN
    if not items.room_for(g, t.seat, t.card):
        return r.BIG_LIMIT
    if items.barred_carry(g, t.seat, t.card):
        return r.CARRY_BARRED
    return r.ITEM_IN_ANOTHERS_FIGHT if g.fight is not None else r.WRONG_TIME


def _put_down(g: Game, move: Move, mode: Mode) -> None:
    zones.to_table(g, move.seat, move.card, equip=mode.op == "item")


def _lay_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    if d.is_item:
        _item_moves(g, seat, card, d, mode, out)
    elif not g.rules.one_shot.table_needs_item:  # SAMB-41
        out.append(Move(seat, PLAY, card, NONE, code(mode)))


def _why_lay(g: Game, t: Try) -> Reason:
    return r.ONE_SHOT_TABLE if g.rules.one_shot.table_needs_item and not t.d.is_item else _why_item(g, t)


def _steed_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    for over in steeds.places(g, seat):
        out.append(Move(seat, PLAY, card, over, code(mode)))


def _ship_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    for over in steeds.harbours(g, seat):
        out.append(Move(seat, PLAY, card, over, code(mode)))


def _why_steed(g: Game, t: Try) -> Reason:
    """An Item like others as to its moment (STEED-3), and then one of its sort at a time (STEED-2, XOVER-14)."""
    why = _why_item(g, t)
    if why in (r.ITEM_IN_FIGHT, r.ITEM_OFF_TURN):
        return r.STEED_IN_FIGHT if why is r.ITEM_IN_FIGHT else r.STEED_OFF_TURN
    if t.mode.op == "ship":
        return r.SHIP_LIMIT if NONE not in steeds.harbours(g, t.seat) else why
    if NONE in steeds.places(g, t.seat):
        return why
    other = any(_is_vehicle(g.lib.defs[c]) != _is_vehicle(t.d) for c in front.steeds(g, t.seat))
    return r.MOUNT_SHARED if other else r.STEED_LIMIT


def _is_vehicle(d: CardDef) -> bool:
    """Not called a Steed, but taken for one (XOVER-12)."""
    return d.kind == "steed" != d.card.kind


def _fight_it_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    out.append(Move(seat, PLAY, card, NONE, code(mode)))


def _why_fight_it(g: Game, t: Try) -> Reason:
    return r.STEED_FOUGHT


def _fight_it(g: Game, move: Move, mode: Mode) -> None:
    g.flags |= flags.MONSTER_MET  # AMB-74
    if not epic.fought_with_the_other(g, move.card):
        combat.start_fight(g, move.seat, [move.card])


# -- what one is ------------------------------------------------------------------------------------------------


def _trait_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    for over in traits.places(g, seat, card):
        out.append(Move(seat, PLAY, card, over, code(mode)))
    if g.lib.recasts:
        out += [Move(seat, PLAY, card, over, by) for over, by in traits.recast_places(g, seat, card)]


def _why_trait(g: Game, t: Try) -> Reason:
    if not traits.enabled(g, t.d.kind):
        return r.TRAIT_NONE[t.d.kind]
    any_time = t.d.kind == "power" and powers.rules(g).window == "any_time"
    if t.seat != g.turn and (not fresh(g, t.seat, t.card) or fights.in_fight(g, t.seat)) and not any_time:
        return r.TRAIT_OFF_TURN[t.d.kind]
    if names_card(t.extra):
        recast = g.lib.defs[t.extra].recasts
        return r.RECAST_NONE if recast else r.NOT_WITH_THAT
    return traits.why_not(g, t.seat, t.card, t.target)


def _play_trait(g: Game, move: Move, mode: Mode) -> None:
    traits.play(g, move.seat, move.card, move.target)
    if names_card(move.extra):  # played as what it does not say it is, by another card (FQ-CWBH-3)
        zones.from_hand(g, move.seat, move.extra)
        attach(g, move.seat, move.extra, move.card)


def _multi_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    for over in traits.multi_places(g, seat, card):
        out.append(Move(seat, PLAY, card, over, code(mode)))


def _why_multi(g: Game, t: Try) -> Reason:
    if t.seat != g.turn and (not fresh(g, t.seat, t.card) or fights.in_fight(g, t.seat)):
        return r.MULTI_OFF_TURN
    return traits.why_not_multi(g, t.seat, t.card)


def _companion_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    if hirelings.has_room(g, seat):
        out.append(Move(seat, PLAY, card, NONE, code(mode)))


def _why_companion(g: Game, t: Try) -> Reason:
    if g.rules.companion is None:
        return r.COMPANION_NONE
    if hirelings.has_room(g, t.seat):
        return r.COMPANION_TIME
    alike = all(g.lib.defs[c].card.kind == t.d.card.kind for c in front.companions(g, t.seat))
    return r.COMPANION_LIMIT if alike else r.COMPANION_ANY_NAME


def _lay_out(g: Game, move: Move, mode: Mode) -> None:
    """A companion comes, or a special that stays; what it does as it comes is done before limits are looked at."""
    zones.to_table(g, move.seat, move.card)
    if mode.prog >= 0:
        g.dirty &= ~(1 << move.seat)
        g.stack.append(Effect(mode.prog, move.card, move.seat, move.seat, move.target, cause="laid"))


# -- what goes on other cards -----------------------------------------------------------------------------------


def _attach_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    if d.recasts:
        for c in traits.recastable(g, seat):
            out.append(Move(seat, PLAY, card, c, code(mode)))
    else:
        _effect_moves(g, seat, card, d, mode, out)


def _why_attach(g: Game, t: Try) -> Reason:
    d, mine = t.d, t.seat == g.turn
    if d.waives:
        if fights.in_fight(g, t.seat):
            return r.ATTACH_IN_FIGHT
        return r.ATTACH_OWN if mine or fresh(g, t.seat, t.card) else r.ATTACH_OFF_TURN
    if d.recasts:
        return r.RECAST_NONE if in_time(t) else r.MULTI_OFF_TURN
    if t.mode.on == "own_trait":
        if not mine and not fresh(g, t.seat, t.card):
            return r.TRAIT_ENHANCER_OFF_TURN
        return r.CLASS_ENHANCER if _for_classes(g, t.mode) else r.TRAIT_ENHANCER
    if fights.in_fight(g, t.seat):
        return r.ITEM_ENHANCER_IN_FIGHT
    if not in_time(t):
        return r.ITEM_ENHANCER_TIME
    return _why_not_on_item(g, t) if t.mode.on == "own_item" else _why_not_on(g, t)


def _for_classes(g: Game, mode: Mode) -> bool:
    """Does it go on Classes alone (FQ-REL-3), as its card says?"""
    races = (c for c, d in enumerate(g.lib.defs) if d.kind == "race")
    return mode.what is not None and not any(mode.what(g, c) for c in races)


def _why_not_on_item(g: Game, t: Try) -> Reason:
    """It is the moment, but there is no such Item, or not that one (IENH-1, IENH-2, STEED-9, FQ-HORSE-1)."""
    if t.target >= 0 and "no_enhancers" in g.lib.defs[t.target].mods:
        return r.NOT_ENHANCED
    if t.d.kind == "ship_enhancer":
        return r.SHIP_ENHANCER
    if t.d.kind == "steed_enhancer":
        return _why_not_on_steed(g, t)
    if t.target >= 0 and g.lib.defs[t.target].kind == "steed_enhancer":
        return r.ITEM_ENHANCER_STEED
    if not aims.places(g, t.seat, t.card, t.d, t.mode):
        return r.ITEM_ENHANCER_NONE if t.target == NONE else r.ITEM_ENHANCER
    own = t.target in items.own_items(g, t.seat)
    return r.ITEM_ENHANCER_UNFIT if own else r.ITEM_ENHANCER


def _why_not_on_steed(g: Game, t: Try) -> Reason:
    if t.target >= 0:
        return r.STEED_ENHANCER_SHIP if g.lib.defs[t.target].kind == "ship" else r.STEED_ENHANCER
    mine = front.steeds(g, t.seat)
    bare = bool(mine) and all("no_enhancers" in g.lib.defs[c].mods for c in mine)
    return r.NONE_ENHANCED if bare else r.STEED_ENHANCER


def _put_on(g: Game, move: Move, mode: Mode) -> None:
    attach(g, move.seat, move.card, move.target)
    if mode.prog >= 0:
        g.stack.append(Effect(mode.prog, move.card, move.seat, move.seat, move.target, cause="part"))


def attach(g: Game, seat: int, card: int, item: int) -> None:
    """An enhancer or a Cheat! is welded to its Item (IENH-4, FQ-CHEAT-1)."""
    p = g.players[seat]
    if item not in p.table:
        take_up(g, seat, item)
        p.table.append(item)
    p.table.append(card)
    g.host[card] = item
    g.touch()
    g.dirty |= 1 << seat
    if g.lib.defs[card].waives and item not in g.ridden and items.why_not_equip(g, seat, item) is None:
        g.equipped.add(item)
        g.touch()
    g.emit("attach", seat, card, item, rule="IENH-1")


# -- monsters and what makes them worse -------------------------------------------------------------------------


def _join_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    """Kin may join kin without a Wandering Monster, also made kin by a card played along (UNDEAD-2, UNDEAD-3)."""
    if d.joins and enemies.foe_named(g, d.joins):
        out.append(Move(seat, PLAY, card, NONE, NONE))  # its card says whom it may join (CONF-1)
        return
    if "intrudes" in d.mods and g.fight is not None and g.fight.main != seat:  # CONF-1: its card says so
        out.append(Move(seat, PLAY, card, NONE, NONE))
        return
    kin = g.rules.combat.join_tags
    for t in kin:
        if t in d.tags and enemies.foe_tagged(g, t):
            out.append(Move(seat, PLAY, card, NONE, NONE))
            return
    for c in g.players[seat].hand:
        other = g.lib.defs[c]
        if other.kind == "monster_enhancer" and any(t in other.adds_tags and enemies.foe_tagged(g, t) for t in kin):
            out.append(Move(seat, PLAY, card, NONE, c))


def _why_join(g: Game, t: Try) -> Reason:
    if g.fight is None:
        return r.MONSTER_FROM_HAND
    if not t.d.joins and not any(tag in t.d.tags for tag in g.rules.combat.join_tags):
        return r.JOIN_STRANGER
    if _no_fight(g):
        return r.JOIN_TOO_LATE
    return r.JOIN_NO_BAT if "bat" in t.d.tags and "undead" not in t.d.tags else r.JOIN_NO_KIN


def _join(g: Game, move: Move, mode: Mode) -> None:
    extra = (move.extra,) if names_card(move.extra) else ()
    for e in extra:
        zones.from_hand(g, move.seat, e)
    combat.join(g, move.card, move.seat, "UNDEAD-2", extra)
    for e in extra:
        fight_cards.link(g, move.card, e, move.seat)


def _invited_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    top = g.stack[-1]
    if type(top) is Window and not top.passed >> seat & 1 and questions.below_first(g, card):
        out.append(Move(seat, PLAY, card, NONE, code(mode)))


def _why_invited(g: Game, t: Try) -> Reason:
    return r.NOT_SO_STRONG if t.ctx & cx.INVITED else r.INVITED_TIME


def _join_invited(g: Game, move: Move, mode: Mode) -> None:
    combat.join(g, move.card, move.seat, "FQ-ENH-2")


def _ally_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    if force.any_modifier(g, seat, "monster_ally"):
        out.append(Move(seat, PLAY, card, NONE, code(mode)))


def _why_ally(g: Game, t: Try) -> Reason:
    return r.ALLY_TIME if force.any_modifier(g, t.seat, "monster_ally") else r.ALLY_NONE


def _befriend(g: Game, move: Move, mode: Mode) -> None:
    fight_cards.ally(g, move.card, move.seat)


def _why_enhancer(g: Game, t: Try) -> Reason:
    if g.fight is None:
        return r.ENHANCER_NO_FIGHT
    if _no_fight(g):
        return r.ENHANCER_TOO_LATE
    foe = fights.find_foe(g.fight, t.target) if t.target >= 0 else None
    if fights.foe_count(g) == 0 or (foe is not None and foe.fate != 0):
        return r.ENHANCER_NO_MONSTER
    if foe is not None:
        return r.ENHANCER_CLASH if aims.clashes(g, t.d, foe.group) else r.ENHANCER_UNFIT
    if t.target >= 0 and g.lib.defs[t.target].is_companion:
        return r.ENHANCER_COMPANION
    return r.SAY_TARGET if t.target == NONE else r.ENHANCER_NOT_MONSTER


def _enhance(g: Game, move: Move, mode: Mode) -> None:
    if combat.twin(g, g.lib.defs[move.card]):
        combat.clone(g, move.card, move.target, move.seat)
    else:
        fight_cards.enhance(g, move.card, move.seat, move.target)


def _why_enhancer_enhancer(g: Game, t: Try) -> Reason:
    if _no_fight(g) or g.fight is None:
        return r.ENHANCER_ENHANCER_NO_FIGHT
    if t.target >= 0 and g.lib.defs[g.host.get(t.target, t.target)].is_companion:
        return r.ENHANCER_ENHANCER_COMPANION
    return r.ENHANCER_ENHANCER if g.fight.enhancers else r.ENHANCER_BARE


def _enhance_enhancer(g: Game, move: Move, mode: Mode) -> None:
    enhancer_enhancers.play(g, move.card, move.seat, move.target)


# -- Curses, one-shots, Portals ---------------------------------------------------------------------------------


def _why_curse(g: Game, t: Try) -> Reason:
    if t.d.curses_item and not g.rules.items.curse_enhancers:
        return r.CURSE_ITEM
    if t.target >= 0 and g.lib.defs[t.target].is_companion:
        return r.COMPANION_SEX
    return r.CURSE_WHOM if in_time(t) else r.WRONG_TIME


def _cast(g: Game, move: Move, mode: Mode) -> None:
    """On a player, or on a card before one: his companion (GB-20) or an Item (MM-33)."""
    target = move.target
    victim = front.owner(g, target) if target >= 0 else seat_of(target)
    curses.start_curse(g, move.card, victim, move.seat, target if target >= 0 else NONE)
    if g.fight is not None and fights.in_fight(g, victim):
        g.fight.hostile |= 1 << move.seat


def _why_side(g: Game, t: Try) -> Reason:
    if g.fight is None:
        return r.ONE_SHOT_NO_FIGHT
    if _no_fight(g):
        return r.FIGHT_OVER
    return r.SAY_TARGET if t.target == NONE else r.NOT_A_SIDE


def _side_bonus(g: Game, move: Move, mode: Mode) -> None:
    fight_cards.side_bonus(g, move.card, move.seat, move.target)


def _portal_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    if portals.why_not_portal(g, seat, card) is None:
        out.append(Move(seat, PLAY, card, NONE, code(mode)))


def _why_portal(g: Game, t: Try) -> Reason:
    return portals.why_not_portal(g, t.seat, t.card) or r.PORTAL_TIME


def _open_portal(g: Game, move: Move, mode: Mode) -> None:
    portals.start_portal(g, move.seat, move.card, portals.FACE_DOWN)


# -- everything that is played for what it says -----------------------------------------------------------------


def _effect_moves(g: Game, seat: int, card: int, d: CardDef, mode: Mode, out: list[Move]) -> None:
    if mode.once and mode.test is not None and not mode.test(g, seat, None):
        return
    extra = code(mode)
    free = _never_barred(g, mode)
    then = _without(g, seat, card) if mode.wins_fight and not strength.winning(g) else None  # one for all targets
    for target in aims.places(g, seat, card, d, mode):
        if not free and _why_barred(g, seat, card, mode, target, then) is not None:
            continue
        if mode.needs_monster:
            for m in g.players[seat].hand:
                if g.lib.defs[m].kind == "monster" and (mode.along is None or mode.along(g, m)):
                    out.append(Move(seat, PLAY, card, target, m))
        else:
            out.append(Move(seat, PLAY, card, target, extra))


def _never_barred(g: Game, mode: Mode) -> bool:
    """Is there nothing in this way of playing a card that `_why_barred` could object to?"""
    if mode.test is not None or mode.gain or mode.wins_fight or mode.on == "nothing":
        return False
    return mode.prog < 0 or not helping.compels(g, mode.prog)


def _why_barred(g: Game, seat: int, card: int, mode: Mode, target: int, then: Game | None = None) -> Reason | None:
    """The card's own condition, levels that must be obtainable (FQ-CBT-39), and help that must be possible (HELP-4)."""
    if mode.test is not None and not mode.test(g, seat, aims.trial(seat, card, target)):
        return r.CONDITION
    if mode.prog >= 0 and seat_of(target) >= 0 and helping.compels(g, mode.prog):
        return helping.why_not(g, seat_of(target))
    if mode.gain in ("target", "actor"):
        unable = why_no_level(g, aims.whom(seat, target) if mode.gain == "target" else seat)
        if unable is not None:
            return unable
    elif mode.gain == "thief" and not levels.stealable(g, seat, seat_of(target)):
        return why_no_theft(g, seat)
    if mode.on == "nothing" and aims.clashes_anywhere(g, g.lib.defs[card]):
        return r.ENHANCER_CLASH_ALL
    return r.NO_HELP_OUT if mode.wins_fight and not _would_win(g, seat, card, target, then) else None


def why_no_level(g: Game, seat: int) -> Reason | None:
    """Why this player can gain no level now without a kill, if he cannot (DEATH-13, WIN-5)."""
    if levels.gainable(g, seat, 1, False):
        return None
    if g.players[seat].dead:
        return r.DEAD_LEVEL
    return r.ONLY_KILLS if force.any_modifier(g, seat, "only_kills") else r.WINNING_LEVEL


def why_no_theft(g: Game, thief: int) -> Reason:
    return why_no_level(g, thief) or r.NO_LEVEL_TO_STEAL


def _why_effect(g: Game, t: Try) -> Reason:
    return _why_no_time(g, t) or _why_not_on(g, t)


def _why_no_time(g: Game, t: Try) -> Reason | None:
    """What is wrong with the moment, if anything is."""
    mode = t.mode
    into_fight = any(a & cx.FIGHT for a, _ in mode.alts) and not any(a & cx.OWN_IDLE for a, _ in mode.alts)
    if into_fight and _no_fight(g) and not in_time(t):
        if g.fight is not None:
            return r.FIGHT_OVER
        if mode.needs_monster:
            return r.WANDER_NO_FIGHT
        into = r.FIGHT_CARD if t.d.deck == DOOR else r.FIGHT_TREASURE
        return r.ONE_SHOT_NO_FIGHT if t.d.is_one_shot else into
    if any(a & cx.DYING for a, _ in mode.alts):
        return r.DIED_OTHERWISE
    if any(a & cx.DICE_TO_COME for a, _ in mode.alts) and t.ctx & (cx.FLEE | cx.ROLL) and not in_time(t):
        return r.DICE_ROLLED
    if not in_time(t):
        if cx.fits(t.ctx | cx.OWN_TURN, mode.alts, mode.by):
            mine = g.fight is not None and g.fight.main == t.seat
            return r.OWN_TURN_ANYWAY if mine else r.OWN_TURN_ONLY
        if cx.fits(t.ctx, mode.alts, 0):
            return _as_special(t.d, r.WRONG_ROLE)
        if goods.is_special(t.d) and g.rules.combat.hand_ban == "treasures" and fights.in_fight(g, t.seat):
            return r.TREASURE_IN_FIGHT  # some books say so of every Treasure (MM-36), whatever else its card names
        return _as_special(t.d, r.WRONG_TIME)
    if mode.default_time and not special_time(g, t.ctx):
        return r.TREASURE_IN_FIGHT if fights.in_fight(g, t.seat) else r.TREASURE_OFF_TURN
    return None


def _as_special(d: CardDef, why: Reason) -> Reason:
    """A Treasure that is no Item is for any time, unless it says otherwise, as here (SPECIAL-1, SPECIAL-2)."""
    return why._replace(rule="SPECIAL-2") if goods.is_special(d) else why


def _why_not_on(g: Game, t: Try) -> Reason:
    """It is the moment, but there is nothing to play it on, or not that, or not with that."""
    mode = t.mode
    found = aims.places(g, t.seat, t.card, t.d, mode)
    if t.target in g.lib.wanderers and front.owner(g, t.target) < 0:
        return r.ON_A_DECK
    if mode.on == "enhancer" and enemies.boosted(g, t.target):
        return r.ENHANCER_SAFE
    if not found:
        foes = mode.on in ("monster", "first_monster") and fights.foe_count(g) == 0
        return r.ENHANCER_NO_MONSTER if foes else r.NO_TARGET if t.target == NONE else r.NOT_A_TARGET
    if t.target in found:
        barred = _why_barred(g, t.seat, t.card, mode, t.target)
    elif t.target != NONE:
        sides = mode.on in ("munchkins", "monsters") and t.target in (MUNCHKINS, MONSTERS)
        return r.ONE_SIDE if sides else r.NOT_A_TARGET
    else:  # nothing was named: what is wrong with all of them, if something is
        why = [_why_barred(g, t.seat, t.card, mode, x) for x in found]
        barred = why[0] if None not in why else None
    if barred is not None:
        return barred
    if mode.needs_monster:
        return _why_not_along(g, t)
    return r.SAY_TARGET if t.target == NONE else r.NOT_WITH_THAT


def _why_not_along(g: Game, t: Try) -> Reason:
    """A monster from the hand has to go with it, and some cards say which (INTERFERE-5, FQ-ENH-2)."""
    defs, hand = g.lib.defs, g.players[t.seat].hand
    monsters = [c for c in hand if defs[c].kind == "monster"]
    if not monsters:
        return r.WANDER_NO_MONSTER
    named = t.extra in monsters
    able = t.mode.along is None or any(t.mode.along(g, c) for c in ([t.extra] if named else monsters))
    if able:
        return r.WANDER_NOT_MONSTER
    return r.NOT_SO_STRONG if t.mode.weaker else r.WANDER_NOT_SUCH


def special_time(g: Game, ctx: int) -> bool:
    """Non-Item Treasures: any time, or like any other Treasure, as the table plays it (SPECIAL-2, SAMB-4).

    Some books keep those who fight from playing any Treasure of their hand that does not say so itself (MM-36).
    """
    if ctx & cx.FRESH:
        return True
    if g.rules.combat.hand_ban == "treasures" and ctx & (cx.MAIN | cx.HELPER):
        return False
    return g.rules.windows.special_default == "any_time" or bool(ctx & cx.OWN_IDLE)


def _do_effect(g: Game, move: Move, mode: Mode) -> None:
    """A card that is played for what it does: it lies in the fight, or in limbo until it is done."""
    seat, card = move.seat, move.card
    who = aims.whom(seat, move.target)
    foe = move.extra
    if foe >= 0:
        zones.from_hand(g, seat, foe)
        g.limbo.append(foe)
        if g.fight is not None:
            fight_cards.link(g, card, foe, seat)
    if mode.stays == "fight" and g.fight is not None:
        fight_cards.commit(g, card, seat)
        cause = "part"
    else:
        g.limbo.append(card)
        cause = "played"
    if mode.prog >= 0:
        g.stack.append(Effect(mode.prog, card, seat, who, move.target, foe, cause=cause))
    else:
        zones.put_away(g, Effect(-1, card, seat, who, cause=cause))


# -- looking ahead: what turns a losing fight (FQ-BASE-4..FQ-BASE-8) --------------------------------------------


def _would_win(g: Game, seat: int, card: int, target: int, then: Game | None) -> bool:
    """Look ahead: losing now, winning by strength with that Item (FQ-BASE-4..FQ-BASE-8)."""
    if strength.winning(g) or front.owner(g, target) < 0:
        return False
    if then is None:
        then = _without(g, seat, card)
    return looking_ahead.wins_with(then, seat, target) or bool(looking_ahead.to_make_room(then, seat, target))


def _without(g: Game, seat: int, card: int) -> Game:
    """A copy in which a card is being played: it pays for nothing any more."""
    then = g.what_if()
    take_up(then, seat, card)
    then.limbo.append(card)
    return then


# -- the table --------------------------------------------------------------------------------------------------

WAYS: Final[dict[str, Way]] = {
    "item": Way(_item_moves, _why_item, _put_down),
    "lay": Way(_lay_moves, _why_lay, _put_down),
    "steed": Way(_steed_moves, _why_steed, _play_trait),
    "ship": Way(_ship_moves, _why_steed, _play_trait),
    "fight_it": Way(_fight_it_moves, _why_fight_it, _fight_it),
    "trait": Way(_trait_moves, _why_trait, _play_trait),
    "multi": Way(_multi_moves, _why_multi, _play_trait),
    "companion": Way(_companion_moves, _why_companion, _lay_out),
    "attach": Way(_attach_moves, _why_attach, _put_on),
    "join": Way(_join_moves, _why_join, _join),
    "invited": Way(_invited_moves, _why_invited, _join_invited),
    "ally": Way(_ally_moves, _why_ally, _befriend),
    "enhance_monster": Way(_effect_moves, _why_enhancer, _enhance),
    "enhance_enhancer": Way(_effect_moves, _why_enhancer_enhancer, _enhance_enhancer),
    "curse": Way(_effect_moves, _why_curse, _cast),
    "side_bonus": Way(_effect_moves, _why_side, _side_bonus),
    "portal": Way(_portal_moves, _why_portal, _open_portal),
    "lasting": Way(_effect_moves, _why_effect, _lay_out),
    "effect": Way(_effect_moves, _why_effect, _do_effect),
}
