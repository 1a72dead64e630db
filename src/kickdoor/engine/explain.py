"""Why not? For any move that is refused, and for any card in a hand or in play (DESIGN: every ruling has a reason)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode, Power
from kickdoor.engine import (
    abilities,
    charity,
    dungeons,
    epic,
    helping,
    hirelings,
    interfering,
    items,
    levels,
    plays,
    powers,
    selling,
    steeds,
    taming,
    trading,
    traits,
)
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import queries as q
from kickdoor.engine import reasons as r
from kickdoor.engine.game import AFTER_DOOR, BEFORE_DOOR, CHARITY_PHASE, DOOR_CARD, Game
from kickdoor.engine.moves import Move, seat_of
from kickdoor.engine.reasons import Reason


def explain(g: Game, move: Move) -> Reason:
    """The rule that forbids a move which is not legal now, and why."""
    return _worded(g, _forbids(g, move))


def _worded(g: Game, reason: Reason) -> Reason:
    """A reason in the words of the book that is played by: Traps and Sidekicks are Curses and Hirelings (XOVER-2)."""
    labels, companion = g.rules.curse.labels, g.rules.companion
    if r.CURSE_WORD not in labels:
        reason = reason.said_of(r.CURSE_WORD, labels[0])
    if companion is not None and companion.label != r.COMPANION_WORD:
        reason = reason.said_of(r.COMPANION_WORD, companion.label)
    return reason


def _forbids(g: Game, move: Move) -> Reason:
    if not 0 <= move.seat < len(g.players) or seat_of(move.target) >= len(g.players):
        return r.NO_SUCH_SEAT
    if g.winners:
        return r.GAME_OVER
    if g.players[move.seat].dead:
        return r.DIED_OTHERWISE if move.verb == mv.PLAY and _for_the_dying(g, move.card) else r.DEAD
    if max(move.card, move.target) >= len(g.lib.defs) or (move.card < 0 and move.verb in _NEEDS_CARD):
        return r.NO_SUCH_CARD
    pending = _pending(g, move)
    if pending is not None:
        return pending
    return _BY_VERB.get(move.verb, _nothing)(g, move)


def _for_the_dying(g: Game, card: int) -> bool:
    return any(a & cx.DYING for m in g.lib.defs[card].modes for a, _ in m.alts)


_NEEDS_CARD: Final = (mv.PLAY, mv.EQUIP, mv.UNEQUIP, mv.DISCARD, mv.TROUBLE, mv.SACRIFICE)


def _nothing(g: Game, move: Move) -> Reason:
    return r.NO_SUCH_ACTION


def _pending(g: Game, move: Move) -> Reason | None:
    """Something else comes first."""
    f = g.stack[-1]
    verb = move.verb
    if isinstance(f, fr.Ask):
        reason = r.NOT_ASKED if verb in (mv.CHOOSE, mv.DONE, mv.CANCEL) else r.ANSWER_FIRST
        kept = _LOOTED if len(g.stack) > 1 and isinstance(g.stack[-2], fr.Death) else ()
        return reason.resting_on(f.rule, *kept)
    if isinstance(f, fr.Surplus) and verb not in (mv.SELL, mv.PLAY):
        reason = r.NOT_ASKED if verb == mv.CHOOSE else r.ANSWER_FIRST
        return reason.resting_on(*_TOO_MANY.get(f.kind, ()))
    if isinstance(f, fr.Draft) and verb not in (mv.ADD, mv.DONE, mv.PROPOSE):
        return r.ANSWER_FIRST
    if isinstance(f, fr.Curse) and verb not in (mv.PASS, mv.USE):
        return r.CURSE_PENDING
    if isinstance(f, fr.Roll) and verb not in (mv.PASS, mv.USE):
        return r.BETWEEN_ROLL
    if isinstance(f, fr.Creation):
        in_order = move.seat == f.seat and verb in (mv.PLAY, mv.PASS)
        if not in_order or (verb == mv.PLAY and not plays.for_creation(g, move.seat, move.card)):
            power = in_order and verb == mv.PLAY and g.lib.defs[move.card].kind == "power"
            return r.POWER_OPENING if power else r.CREATION_ONLY
    if isinstance(f, fr.Turn) and f.phase == DOOR_CARD and move.seat == g.turn and move.card != g.door_card:
        if epic.exposed(g, f):
            return r.DOOR_EXPOSED
        return r.DOOR_CARD_FIRST if verb in _ON_WITH_THE_TURN else None
    return None


# What is not among the loot, and why; what too much of something rests on.
_LOOTED: Final = ("DEATH-2", "DEATH-3", "DEATH-5", "DEATH-6", "DEATH-7", "COMBO-20", "IENH-4")
_TOO_MANY: Final = {
    fr.BIG_SURPLUS: ("BIG-5", "BIG-8"),
    fr.RACE_SURPLUS: ("RACE-8", "COMBO-17"),
    fr.CLASS_SURPLUS: ("CLASS-8", "COMBO-17"),
}
_ON_WITH_THE_TURN: Final = (mv.KICK, mv.TROUBLE, mv.LOOT, mv.CHARITY, mv.END_TURN)


# -- the turn ---------------------------------------------------------------------------------------------------


def _phase(g: Game) -> int:
    f = g.stack[0]
    return f.phase if isinstance(f, fr.Turn) else -1


def _turn_action(g: Game, move: Move) -> Reason | None:
    if move.seat != g.turn:
        return r.NOT_YOUR_TURN
    if g.fight is not None:
        return r.KICK_FIGHT
    return None


def _kick(g: Game, move: Move) -> Reason:
    return _turn_action(g, move) or r.KICK_ONCE


def _trouble(g: Game, move: Move) -> Reason:
    early = _turn_action(g, move)
    if early is not None:
        return early
    if _phase(g) != AFTER_DOOR:
        return r.TROUBLE_DOOR
    return r.TROUBLE_BARRED if q.any_modifier(g, move.seat, "no_trouble") else r.TROUBLE_MONSTER


def _loot(g: Game, move: Move) -> Reason:
    early = _turn_action(g, move)
    if early is not None:
        return early
    return r.LOOT_DOOR if _phase(g) == BEFORE_DOOR else r.LOOT_MET


def _keep(g: Game, move: Move) -> Reason:
    return _turn_action(g, move) or Reason("TURN-9", "There is no card from the door to keep.")


def _end_turn(g: Game, move: Move) -> Reason:
    early = _turn_action(g, move)
    if early is not None:
        return early
    if _phase(g) != CHARITY_PHASE:
        return r.END_EARLY
    return r.END_HAND


def _charity(g: Game, move: Move) -> Reason:
    if move.seat != g.turn or g.fight is not None or _phase(g) != CHARITY_PHASE:
        return r.CHARITY_TIME
    return r.CHARITY_NONE


def _pass(g: Game, move: Move) -> Reason:
    if g.fight is not None and g.fight.fleeing and q.in_fight(g, move.seat):
        return r.RUN_MUST
    return Reason("PILE-11", "You have nothing to answer just now.")


# -- Items ------------------------------------------------------------------------------------------------------


def not_yours(g: Game, card: int) -> Reason:
    """Why nothing can be done with a card that one does not have: it is somebody else's, or it lies on the discards."""
    return r.GONE if card in g.discards[g.lib.defs[card].deck] else r.NOT_YOURS


def _equip(g: Game, move: Move) -> Reason:
    seat, card = move.seat, move.card
    if card not in g.players[seat].table:
        return not_yours(g, card) if card not in g.players[seat].hand else r.EQUIP_IN_HAND
    locked = items.why_locked(g, seat)
    if locked is not None:
        return r.HANDED_IN_FIGHT if move.target >= 0 else locked
    if move.verb == mv.UNEQUIP:
        if not g.lib.defs[card].is_item:
            return r.EQUIP_NOT_ITEM
        if card in g.equipped:
            return r.BIG_LIMIT if card in g.bearer else r.EQUIP_STUCK
        return r.UNEQUIP_NOT
    if move.target >= 0:
        return _why_not_borne(g, card, move.target)
    return items.why_not_equip(g, seat, card) or r.ITEM_OFF_TURN


def _why_not_borne(g: Game, card: int, bearer: int) -> Reason:
    """Why somebody cannot carry an Item for its owner (HIRE-14, HIRE-15, HIRE-35, STEED-10)."""
    d = g.lib.defs[bearer]
    if d.kind == "steed":
        return r.BEARER_STEED
    if d.carries < 0:
        return r.BEARER_NEVER
    unfit = d.is_companion and hirelings.carries_left(g, bearer) > 0 and not q.borne_use(g, bearer, card)
    return r.BEARER_USE if unfit else r.BEARER_FULL


def _discard(g: Game, move: Move) -> Reason:
    card = move.card
    d = g.lib.defs[card]
    if card not in g.players[move.seat].table:
        return not_yours(g, card) if card not in g.players[move.seat].hand else r.NOT_DISCARDABLE
    if d.is_curse:
        return r.CURSE_STAYS
    if d.is_item:
        return r.NO_FREE_DISCARD
    return r.NOT_DISCARDABLE


def _sell(g: Game, move: Move) -> Reason:
    return selling.why_not(g, move.seat) or r.SELL_TOO_LITTLE


def _trade(g: Game, move: Move) -> Reason:
    to = seat_of(move.target)
    if to < 0 or to == move.seat:
        return r.TRADE_NOTHING
    return trading.why_not(g, move.seat, to) or r.TRADE_NOTHING


def _add(g: Game, move: Move) -> Reason:
    """Inside a sale, a trade, an offer or charity."""
    f = g.stack[-1]
    if not isinstance(f, fr.Draft) or f.seat != move.seat:
        return r.NO_SUCH_ACTION
    if move.card >= 0 and q.suppressed(g, move.card):
        return r.EQUIP_STUCK
    if f.kind == fr.SELL_DRAFT:
        if move.verb == mv.DONE:
            return r.SELL_TOO_LITTLE
        if move.extra == selling.DOUBLE and g.lib.defs[move.card].is_item:
            return r.SELL_DOUBLE
        return r.SELL_NOT_ITEM
    if f.kind == fr.CHARITY_DRAFT:
        return _charity_card(g, f, move)
    if f.kind == fr.TRADE_DRAFT:
        return r.TRADE_BIG if move.verb == mv.PROPOSE and (f.give or f.get) else r.TRADE_ITEMS
    return _help_term(g, move)


def _help_term(g: Game, move: Move) -> Reason:
    """What cannot be promised: not at this table, or not by this player (HELP-6, MM-43)."""
    kinds = g.rules.help.offer_kinds
    if move.verb == mv.PROPOSE:
        return r.HELP_ORDER
    if move.card < 0:
        return r.HELP_SHARE if "treasure" in kinds else r.HELP_KIND
    if move.card in g.players[move.seat].hand:
        return r.HELP_ITEM if "play_card" in kinds else r.HELP_KIND
    return r.HELP_ITEM if "item" in kinds else r.HELP_KIND


def _charity_card(g: Game, f: fr.Draft, move: Move) -> Reason:
    to = seat_of(move.target)
    who = charity.receivers(g, f.seat)
    if to >= 0 and g.players[to].dead:
        return r.CHARITY_DEAD
    if not who:
        return r.CHARITY_SELF
    if to not in who:
        return r.CHARITY_WHO
    if to not in charity.open_receivers(g, f):
        return r.CHARITY_EVEN
    return r.CHARITY_MANY


# -- help -------------------------------------------------------------------------------------------------------


def _ask_help(g: Game, move: Move) -> Reason:
    f = g.fight
    if f is None:
        return r.HELP_NO_FIGHT
    to = seat_of(move.target)
    if move.verb == mv.ASK_HELP and move.seat != f.main:
        return r.HELP_NOT_MAIN
    helper = to if move.verb == mv.ASK_HELP else move.seat
    return helping.why_not(g, f.main, helper) or r.HELP_NOT_MAIN


def _answer(g: Game, move: Move) -> Reason:
    mine = [o for o in g.offers if o.to == move.seat]
    if not mine:
        return r.NO_OFFER
    o = mine[-1]
    if o.kind == 2:
        return trading.why_not(g, o.by, o.to) or r.OFFER_GONE
    return helping.why_not(g, o.by, o.helper) or r.OFFER_GONE


# -- running ----------------------------------------------------------------------------------------------------


def _run(g: Game, move: Move) -> Reason:
    f = g.fight
    if f is None or not f.fleeing:
        return r.RUN_WINNING
    if not q.in_fight(g, move.seat):
        return r.RUN_NOT_YOU
    return r.RUN_FOE


def _sacrifice(g: Game, move: Move) -> Reason:
    if not g.lib.defs[move.card].is_companion:
        return r.SACRIFICE_WHOM
    allowed = g.rules.companion is not None and g.rules.companion.sacrifice
    return r.SACRIFICE_TIME if allowed else r.SACRIFICE_NEVER


# -- playing cards ----------------------------------------------------------------------------------------------


def _play(g: Game, move: Move) -> Reason:
    modes = g.lib.defs[move.card].modes
    index = plays.MODE_BASE - move.extra if move.extra <= plays.MODE_BASE else 0
    if index < len(modes) and modes[index].op == "fight_it" and move.card != g.door_card:
        return r.STEED_FOUGHT
    return why_not_play(g, move.seat, move.card, move.target, index if index < len(modes) else 0)


def why_not_play(g: Game, seat: int, card: int, target: int = mv.NONE, index: int = 0) -> Reason:
    """Why a card cannot be played (on that, in that way of several) now."""
    p = g.players[seat]
    d = g.lib.defs[card]
    if card in p.table and not d.is_one_shot:
        return r.IN_PLAY_STAYS
    brought = bool(g.accessories) and card in g.accessories[seat]
    if card not in p.hand and card not in p.table and card != g.door_card and not brought:
        return r.NOT_BROUGHT if d.outside else r.NOT_IN_HAND
    if not d.modes:
        return r.WRONG_TIME
    s = seat_of(target)
    if s >= 0 and g.players[s].dead:
        return r.DEAD_LEVEL if d.kind == "go_up_a_level" else r.DEAD_TARGET
    if interfering.banned(g, seat, d, target):
        return r.BANNED
    if g.fight is not None and not q.in_fight(g, seat):
        shut = next((w for m in d.modes if (w := interfering.why_not(g, seat, card, d, m, target)) is not None), None)
        if shut is not None:
            return shut
    if g.lib.unstoppable and _spoils(g, seat, card, target):
        return r.UNSTOPPABLE
    found = [_why_mode(g, seat, card, d, m, target) for m in d.modes]
    if index:
        return found[index]
    if d.is_item and not d.is_one_shot and d.kind != "steed":
        return found[-1]
    return found[0]


def _spoils(g: Game, seat: int, card: int, target: int) -> bool:
    """Could it be played, but for what nobody may prevent (EPIC-46)?"""
    from kickdoor.engine.kernel import context, spoils

    out: list[Move] = []
    plays.card_moves(g, seat, card, g.lib.defs[card], context(g, seat), out, in_hand=True)
    aimed = [m for m in out if target in (m.target, mv.NONE)]
    return not q.in_fight(g, seat) and any(spoils(g, m) for m in aimed)


def _why_mode(g: Game, seat: int, card: int, d: CardDef, mode: Mode, target: int) -> Reason:
    by_op = _BY_OP.get(mode.op)
    if by_op is not None:
        return by_op(g, seat, card, target)
    return _why_effect(g, seat, card, d, mode, target)


def _why_item(g: Game, seat: int, card: int, target: int) -> Reason:
    if q.in_fight(g, seat):
        return r.ITEM_IN_FIGHT
    if seat != g.turn and (seat, card) not in g.fresh:
        return r.ITEM_OFF_TURN
    if not items.room_for(g, seat, card):
        return r.BIG_LIMIT
    if items.barred_carry(g, seat, card):
        return r.CARRY_BARRED
    if g.fight is not None:
        return r.ITEM_OFF_TURN
    return r.WRONG_TIME


def _why_steed(g: Game, seat: int, card: int, target: int) -> Reason:
    """An Item like others as to its moment (STEED-3), and then one of its sort at a time (STEED-2, XOVER-14)."""
    why = _why_item(g, seat, card, target)
    if why in (r.ITEM_IN_FIGHT, r.ITEM_OFF_TURN):
        return why
    if g.lib.defs[card].kind == "ship":
        return r.SHIP_LIMIT if q.ships(g, seat) else why
    return r.STEED_LIMIT if mv.NONE not in steeds.places(g, seat) else why


def _why_trait(g: Game, seat: int, card: int, target: int) -> Reason:
    d = g.lib.defs[card]
    if not traits.enabled(g, d.kind):
        return r.TRAIT_NONE[d.kind]
    any_time = d.kind == "power" and powers.rules(g).window == "any_time"
    if seat != g.turn and ((seat, card) not in g.fresh or q.in_fight(g, seat)) and not any_time:
        return r.TRAIT_OFF_TURN[d.kind]
    return traits.why_not(g, seat, card)


def _why_multi(g: Game, seat: int, card: int, target: int) -> Reason:
    if seat != g.turn and ((seat, card) not in g.fresh or q.in_fight(g, seat)):
        return r.MULTI_OFF_TURN
    return traits.why_not_multi(g, seat, card)


def _why_curse(g: Game, seat: int, card: int, target: int) -> Reason:
    if g.lib.defs[card].curses_item and not g.rules.items.curse_enhancers:
        return r.ITEM_ENHANCER
    if target >= 0 and g.lib.defs[target].is_companion:
        return r.COMPANION_SEX
    return r.WRONG_TIME


def _why_lay(g: Game, seat: int, card: int, target: int) -> Reason:
    return r.ONE_SHOT_TABLE if g.rules.one_shot.table_needs_item else _why_item(g, seat, card, target)


def _why_enhancer(g: Game, seat: int, card: int, target: int) -> Reason:
    f = g.fight
    if f is None or f.fleeing or f.over:
        return r.ENHANCER_NO_FIGHT
    foe = q.find_foe(f, target) if target >= 0 else None
    if q.foe_count(g) == 0 or (foe is not None and foe.fate != 0):
        return r.ENHANCER_NO_MONSTER
    if foe is not None and plays.clashes(g, g.lib.defs[card], foe.group):
        return r.ENHANCER_CLASH
    if target >= 0 and g.lib.defs[target].is_companion:
        return r.ENHANCER_COMPANION
    return r.NO_TARGET


def _why_side(g: Game, seat: int, card: int, target: int) -> Reason:
    f = g.fight
    if f is None:
        return r.ONE_SHOT_NO_FIGHT
    if f.fleeing:
        return r.FIGHT_OVER
    return r.NO_TARGET


def _why_attach(g: Game, seat: int, card: int, target: int) -> Reason:
    d = g.lib.defs[card]
    if d.waives:
        if q.in_fight(g, seat):
            return r.ITEM_IN_FIGHT
        return r.ITEM_OFF_TURN if seat != g.turn else r.ATTACH_OWN
    if any(m.on == "own_trait" for m in d.modes):
        return r.TRAIT_ENHANCER if seat == g.turn or (seat, card) in g.fresh else r.TRAIT_ENHANCER_OFF_TURN
    if q.in_fight(g, seat) or (seat != g.turn and (seat, card) not in g.fresh):
        return r.ITEM_ENHANCER_TIME
    if target >= 0 and "no_enhancers" in g.lib.defs[target].mods:
        return r.NOT_ENHANCED
    if d.kind in ("steed_enhancer", "ship_enhancer"):
        return r.STEED_ENHANCER if d.kind == "steed_enhancer" else r.SHIP_ENHANCER
    return (
        r.ITEM_ENHANCER
        if items.own_items(g, seat)
        else Reason("IENH-2", "It needs an Item of yours to go on.", ("IENH-1", "FQ-CLER-11"))
    )


def _why_join(g: Game, seat: int, card: int, target: int) -> Reason:
    f = g.fight
    if f is None or f.fleeing or f.over:
        return r.MONSTER_FROM_HAND
    top = g.stack[-1]
    if isinstance(top, fr.Window) and top.what == "invited":
        return r.NOT_SO_STRONG
    return r.JOIN_NO_KIN


def _why_enhancer_enhancer(g: Game, seat: int, card: int, target: int) -> Reason:
    f = g.fight
    if f is None or f.fleeing or f.over:
        return r.ENHANCER_ENHANCER_NO_FIGHT
    return r.ENHANCER_ENHANCER if f.enhancers else r.ENHANCER_BARE


def _why_companion(g: Game, seat: int, card: int, target: int) -> Reason:
    return r.COMPANION_LIMIT if g.rules.companion is not None else r.COMPANION_NONE


_BY_OP: Final[dict[str, Callable[[Game, int, int, int], Reason]]] = {
    "item": _why_item,
    "trait": _why_trait,
    "multi": _why_multi,
    "curse": _why_curse,
    "enhance_monster": _why_enhancer,
    "enhance_enhancer": _why_enhancer_enhancer,
    "side_bonus": _why_side,
    "lay": _why_lay,
    "attach": _why_attach,
    "join": _why_join,
    "companion": _why_companion,
    "steed": _why_steed,
    "ship": _why_steed,
    "fight_it": lambda g, s, c, t: r.WRONG_TIME,
    "portal": lambda g, s, c, t: dungeons.why_not_portal(g, s, c) or r.WRONG_TIME,
}


def _why_no_level(g: Game, seat: int) -> Reason:
    """Why this player can gain no level now without a kill (DEATH-13, WIN-5)."""
    if g.players[seat].dead:
        return r.DEAD_LEVEL
    return r.ONLY_KILLS if q.any_modifier(g, seat, "only_kills") else r.WINNING_LEVEL


def _why_effect(g: Game, seat: int, card: int, d: CardDef, mode: Mode, target: int) -> Reason:
    from kickdoor.engine.kernel import context

    s = seat_of(target)
    who = s if s >= 0 else seat
    if mode.gain == "target" and levels.gainable(g, who, 1, False) == 0:
        return _why_no_level(g, who)
    if mode.gain == "actor" and not levels.stealable(g, seat, s):
        return _why_no_theft(g, seat)
    f = g.fight
    wants_fight = any(a & cx.FIGHT for a, _ in mode.alts) and not any(a & cx.OWN_IDLE for a, _ in mode.alts)
    ctx = context(g, seat)
    if wants_fight and (f is None or f.fleeing or f.over):
        if f is not None:
            return r.FIGHT_OVER
        return r.WANDER_NO_FIGHT if mode.needs_monster else r.ONE_SHOT_NO_FIGHT if d.is_one_shot else r.FIGHT_CARD
    if _for_the_dying(g, card):
        return r.DIED_OTHERWISE
    if not cx.fits(ctx, mode.alts, mode.by):
        return r.OWN_TURN_ONLY if cx.fits(ctx | cx.OWN_TURN, mode.alts, mode.by) else r.WRONG_TIME
    if mode.default_time and not plays.special_time(g, plays.card_context(g, seat, card, ctx)):
        return r.TREASURE_IN_FIGHT if q.in_fight(g, seat) else r.TREASURE_OFF_TURN
    if mode.needs_monster and not any(g.lib.defs[c].kind == "monster" for c in g.players[seat].hand):
        return r.WANDER_NO_MONSTER
    monsters = [c for c in g.players[seat].hand if g.lib.defs[c].kind == "monster"]
    if mode.along is not None and not any(mode.along(g, c) for c in monsters):
        return r.NOT_SO_STRONG
    if mode.on == "monster" and q.foe_count(g) == 0:
        return r.ENHANCER_NO_MONSTER
    if mode.wins_fight:
        return r.NO_HELP_OUT
    places = plays._places(g, seat, card, d, mode)
    if not places or (target != mv.NONE and target not in places):
        return r.NO_TARGET
    return r.WANDER_NO_MONSTER if mode.needs_monster else r.CONDITION


def _why_no_theft(g: Game, thief: int) -> Reason:
    return _why_no_level(g, thief) if levels.gainable(g, thief, 1, False) == 0 else r.NO_LEVEL_TO_STEAL


# -- powers -----------------------------------------------------------------------------------------------------


def _use(g: Game, move: Move) -> Reason:
    return r.ABILITY_TIME


def explain_use(g: Game, seat: int, name: str, target: int) -> Reason:
    """Why a named power cannot be used (on that) now."""
    if g.winners:
        return r.GAME_OVER
    if g.players[seat].dead:
        return r.DEAD
    defs = g.lib.defs
    mine = [(c, p) for c, p in abilities.sources(g, seat) if name in (p.key, *p.aka) or name == defs[c].name.lower()]
    if not mine:
        idle = _idle_item(g, seat, name)
        if idle is not None:
            return idle
        thing = any(d.outside and name in (d.name.lower(), *(p.key for p in d.powers)) for d in g.lib.unique)
        return r.ACCESSORY_NONE if thing else _someone_elses(g, name)
    card, p = mine[0]
    why = _why_not_use(g, seat, card, p, target)
    return why._replace(also=(*why.also, *p.rules)) if p.rules else why


def _idle_item(g: Game, seat: int, name: str) -> Reason | None:
    """The power is there, but on an Item that lies sideways, or that its owner cannot use (ITEM-7, ITEM-9)."""
    for c in items.own_items(g, seat):
        d = g.lib.defs[c]
        if d.powers and (name == d.name.lower() or any(name in (p.key, *p.aka) for p in d.powers)):
            return r.ITEM_IDLE if q.may_use(g, seat, c) else r.EQUIP_UNUSABLE
    return None


def _someone_elses(g: Game, name: str) -> Reason:
    """A power that others have, by the rules that say who (EPIC-20: an Elf)."""
    kinds = list(g.lib.unique)
    if g.lib.no_race >= 0:  # what only Humans can (EPIC-26)
        kinds.append(g.lib.defs[g.lib.no_race])
    also = next((p.rules for d in kinds for p in d.powers if name in (p.key, *p.aka)), ())
    return r.ABILITY_NONE._replace(also=(*r.ABILITY_NONE.also, *also)) if also else r.ABILITY_NONE


def _why_not_use(g: Game, seat: int, card: int, p: Power, target: int) -> Reason:
    """Why a power of one's own cannot be used (on that) now."""
    from kickdoor.engine.kernel import context

    if p.gain and not levels.stealable(g, seat, seat_of(target)):
        return _why_no_theft(g, seat)
    steals = p.on in ("rival_small_item", "rival_item")
    if steals and q.in_fight(g, seat):
        return r.STEAL_FIGHTING
    if steals and target >= 0:
        owner = q.owner(g, target)
        if owner >= 0 and q.in_fight(g, owner):
            return r.STEAL_FROM_FIGHTER
        if q.is_big(g, target):
            return r.STEAL_BIG
    pending = _pending(g, Move(seat, mv.USE, card, target))
    if pending is not None:
        return pending
    if not cx.fits(context(g, seat), p.alts, p.by):
        return r.ABILITY_TIME
    if p.times and abilities.times_used(g, seat, p, target) >= p.times:
        return r.ABILITY_USED
    if not abilities.can_pay(g, seat, card, p):
        return r.ABILITY_COST
    return _why_not_target(g, seat, card, p, target)


def _why_not_target(g: Game, seat: int, card: int, p: Power, target: int) -> Reason:
    """The power could be used, but not so."""
    verb = g.lib.programs[p.prog][0].verb if p.prog >= 0 else ""
    if verb == "ride":
        return r.RIDE_LIMIT
    if verb == "tame" and target >= 0 and not taming.tamable(g, target):
        return r.NOT_TAMABLE
    if p.cost_by and len(abilities.payable(g, seat, card, p)) < abilities.price(g, p, target):
        return r.ABILITY_COST
    if verb == "remove_enhancer" and g.fight is not None and any(e == target for _, e in g.fight.boosts):
        return r.ENHANCER_SAFE
    return r.ABILITY_TARGET


_BY_VERB: Final[dict[int, Callable[[Game, Move], Reason]]] = {
    mv.PASS: _pass,
    mv.KICK: _kick,
    mv.TROUBLE: _trouble,
    mv.LOOT: _loot,
    mv.KEEP: _keep,
    mv.END_TURN: _end_turn,
    mv.CHARITY: _charity,
    mv.PLAY: _play,
    mv.EQUIP: _equip,
    mv.UNEQUIP: _equip,
    mv.DISCARD: _discard,
    mv.USE: _use,
    mv.SELL: _sell,
    mv.TRADE: _trade,
    mv.ADD: _add,
    mv.DONE: _add,
    mv.PROPOSE: _add,
    mv.ASK_HELP: _ask_help,
    mv.OFFER_HELP: _ask_help,
    mv.ACCEPT: _answer,
    mv.DECLINE: _answer,
    mv.COUNTER: _answer,
    mv.RUN: _run,
    mv.SACRIFICE: _sacrifice,
}


# -- for a card that somebody points at -------------------------------------------------------------------------


def why_not(g: Game, seat: int, card: int) -> Reason | None:
    """Why this player can do nothing with that card now; None when he can."""
    from kickdoor.engine.kernel import legal

    if any(m.card == card or card in (m.target, m.extra) for m in legal(g, seat)):
        return None
    return _worded(g, _idle(g, seat, card))


def _idle(g: Game, seat: int, card: int) -> Reason:
    p = g.players[seat]
    probe = Move(seat, mv.PLAY, card)
    if g.winners:
        return r.GAME_OVER
    if p.dead:
        return r.DEAD
    pending = _pending(g, probe)
    if pending is not None:
        return pending
    if card in p.hand or card == g.door_card:
        return why_not_play(g, seat, card)
    if card in p.table:
        return _why_not_in_play(g, seat, card)
    if g.accessories and card in g.accessories[seat]:
        return why_not_play(g, seat, card) if g.lib.defs[card].modes else r.ABILITY_TIME
    owner = q.owner(g, card)
    if owner >= 0:
        return r.NOT_YOURS
    return r.NOT_IN_HAND


def _why_not_in_play(g: Game, seat: int, card: int) -> Reason:
    d = g.lib.defs[card]
    if d.is_curse:
        return r.CURSE_STAYS
    if d.is_one_shot:
        return why_not_play(g, seat, card)
    if items.can_be_equipped(g, card):
        locked = items.why_locked(g, seat)
        if locked is not None:
            return locked
        if card not in g.equipped:
            return items.why_not_equip(g, seat, card) or r.NO_FREE_DISCARD
        return r.NO_FREE_DISCARD
    return r.NOT_DISCARDABLE
