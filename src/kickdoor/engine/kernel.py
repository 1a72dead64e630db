"""The kernel: what is legal, why not, what a move does, who is awaited. Everything else is chapters.

The chapters bring rows: a `Moment` is a frame at which everyone may act, a `Question` one that takes answers only, an
`Action` a verb with its objections and its effect. `why_not` is the one judge: `apply` refuses what it objects to, and
`legal` lists what it does not. After a move the stack is settled: frames run until somebody has to decide something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.chapters import (
    charity,
    combat,
    creation,
    curses,
    death,
    dungeons,
    epic,
    helping,
    running_away,
    selling,
    trading,
    turn,
    victory,
)
from kickdoor.engine.effects import resolving
from kickdoor.engine.facts import fights
from kickdoor.engine.playing import abilities, plays, saying, surplus, windows
from kickdoor.engine.table import decks, dice, dropping, followers, items, prompts, standies, traits, zones
from kickdoor.engine.table.rows import Action, Moment, Question, first
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value import notation
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import CHARITY_PHASE, DOOR_CARD, Game
from kickdoor.engine.value.moves import NONE, Move, seat_of
from kickdoor.engine.value.reasons import Reason, Refused, Unsettled
from kickdoor.engine.value.records import Event

# -- settling ---------------------------------------------------------------------------------------------------


STEPS: Final = 20_000  # the longest way to a decision that was ever seen has a few hundred


def settle(g: Game) -> bool:
    """Run frames until a decision is needed or the game is over. True: the one on top waits, and nothing has run."""
    for n in range(STEPS):
        if g.winners:
            g.dirty = 0
            return False
        if g.dirty and _upkeep(g):
            continue
        if g.strays:
            windows.offer_strays(g)
        f = g.stack[-1]
        if not STEP[type(f)](g, f):
            return n == 0
    raise _unsettled(g)


def _unsettled(g: Game) -> Unsettled:
    f = g.stack[-1]
    card = getattr(f, "card", NONE)
    return Unsettled(type(f).__name__, g.lib.defs[card].name if card >= 0 else "", STEPS)


def _upkeep(g: Game) -> bool:
    """Limits are re-checked after every change (CAP-14); those of the dead when they are back (`death.revive`)."""
    for s, p in enumerate(g.players):
        if g.dirty >> s & 1:
            if p.dead:
                g.dirty &= ~(1 << s)
                continue
            if g.afflictions:
                zones.relieve_upkeep(g, s)
            if (g.rules.options.epic or g.dungeons) and epic.lose_pets(g, s):
                return True
            if traits.upkeep(g, s) or followers.upkeep(g, s) or items.upkeep(g, s) or _sideways(g, s):
                return True
            g.dirty &= ~(1 << s)
    return False


# What has to leave goes first: with it the Hands may be free again (BIG-5, AMB-33).
_BEFORE_SLOTS: Final = (fr.SLOT_SURPLUS, fr.BIG_SURPLUS, fr.EPIC_SURPLUS)


def _sideways(g: Game, seat: int) -> bool:
    """Too many Hands or slots in use: the owner turns something sideways, even in combat (SAMB-26)."""
    over = items.over_slots(g, seat)
    if not over or any(traits.pending(g, seat, kind) for kind in _BEFORE_SLOTS):
        return False
    if len(over) == 1:  # a question with a single possible answer is not asked
        surplus.turn_sideways(g, seat, over[0])
        return True
    g.stack.append(fr.Surplus(seat, fr.SLOT_SURPLUS))
    return True


STEP: Final[dict[type, Callable[[Game, Any], bool]]] = {
    fr.Turn: turn.step_turn,
    fr.Creation: creation.step_creation,
    fr.Standies: standies.step_standies,
    fr.FirstDungeon: dungeons.step_first,
    fr.Combat: combat.step_combat,
    fr.Victory: victory.step_victory,
    fr.Flee: running_away.step_flee,
    fr.Roll: dice.step_roll,
    fr.RollOff: dice.step_roll_off,
    fr.Curse: curses.step_curse,
    fr.Effect: resolving.step_effect,
    fr.Ask: prompts.step_ask,
    fr.Draft: lambda g, f: charity.step_charity(g, f) if f.kind == fr.CHARITY_DRAFT else False,
    fr.Death: death.step_death,
    fr.Surplus: surplus.step_surplus,
    fr.Draw: decks.step_draw,
    fr.Knock: turn.step_knock,
    fr.Window: windows.step_window,
    fr.Promise: plays.keep_promises,
    fr.Pay: abilities.step_pay,
}


# -- the tables -------------------------------------------------------------------------------------------------

MOMENTS: Final[dict[type, Moment]] = {
    fr.Turn: turn.MOMENT,
    fr.Creation: creation.MOMENT,
    fr.Combat: combat.MOMENT,
    fr.Flee: running_away.MOMENT,
    fr.Roll: dice.MOMENT,
    fr.Curse: curses.MOMENT,
    fr.Window: windows.MOMENT,
    fr.Draw: decks.MOMENT,
}

DRAFTS: Final[dict[int, Question]] = {
    fr.CHARITY_DRAFT: charity.DRAFT,
    fr.SELL_DRAFT: selling.DRAFT,
    fr.TRADE_DRAFT: trading.DRAFT,
    fr.HELP_DRAFT: helping.DRAFT,
}

# Why a card is no answer, where more is to be said of it than that it was not asked for: by the frame that asks.
WHY_NO_ANSWER: Final[dict[type, Callable[[Game, Any, fr.Ask, int], Reason]]] = {
    fr.Pay: abilities.why_no_payment,
    fr.Death: death.why_not_looted,
}

ACTIONS: Final[dict[int, Action]] = {
    mv.KICK: turn.GO_ON,
    mv.TROUBLE: turn.GO_ON,
    mv.LOOT: turn.GO_ON,
    mv.KEEP: turn.GO_ON,
    mv.CHARITY: turn.GO_ON,
    mv.END_TURN: turn.GO_ON,
    mv.PLAY: plays.PLAYING,
    mv.USE: abilities.USING,
    mv.EQUIP: items.CHANGE,
    mv.UNEQUIP: items.CHANGE,
    mv.DISCARD: dropping.GIVING_UP,
    mv.SELL: selling.SALE,
    mv.TRADE: trading.BARTER,
    mv.ASK_HELP: helping.ASKING,
    mv.OFFER_HELP: helping.OFFERING,
    mv.ACCEPT: helping.ANSWER,
    mv.DECLINE: helping.ANSWER,
    mv.COUNTER: helping.ANSWER,
    mv.WITHDRAW: helping.TAKING_BACK,
    mv.RUN: running_away.RUNNING_AWAY,
    mv.SACRIFICE: running_away.LEAVING_BEHIND,
    mv.SHOW_HAND: windows.SHOWING,
}
_AT_ANY_MOMENT: Final = (mv.PLAY, mv.USE)  # by the card itself; the others wait until nothing is being resolved


def _draft_moves(g: Game, f: fr.Draft, out: list[Move]) -> None:
    DRAFTS[f.kind].moves(g, f, out)


def _why_not_drafted(g: Game, f: fr.Draft, move: Move) -> Reason | None:
    return DRAFTS[f.kind].why_not(g, f, move) if _shaped(f.kind, move) else r.NO_SUCH_ACTION


def _add_to_draft(g: Game, f: fr.Draft, move: Move) -> None:
    DRAFTS[f.kind].answer(g, f, move)


QUESTIONS: Final[dict[type, Question]] = {
    fr.Ask: prompts.ASKED,
    fr.Draft: Question(_draft_moves, _why_not_drafted, _add_to_draft),
    fr.Surplus: surplus.SETTLING,
}


# -- whose move it is -------------------------------------------------------------------------------------------


def to_act(g: Game) -> list[int]:
    """The seats that are waited for, the first one first. Others may be allowed to act as well."""
    if g.winners:
        return []
    f = g.stack[-1]
    moment = MOMENTS.get(type(f))
    return [f.seat] if moment is None else moment.awaits(g, f)  # type: ignore[attr-defined]


def context(g: Game, seat: int) -> int:
    """The moment, one's role in it, and whose turn it is, as bits."""
    f = g.stack[-1]
    moment = MOMENTS.get(type(f))
    return _role(g, seat, 0 if moment is None else moment.stage(g, f, seat))


def _role(g: Game, seat: int, ctx: int) -> int:
    if seat == g.turn:
        ctx |= cx.OWN_TURN
    fight = g.fight
    if fight is None or fight.over:
        return ctx | cx.OUTSIDE
    if seat == fight.main:
        return ctx | cx.MAIN
    return ctx | (cx.HELPER if seat == fight.helper else cx.BYSTANDER)


def _exposed(g: Game, f: Any) -> bool:
    """Does a monster wait behind an Epic door? Then no equipment is changed any more (COMBAT-25, EPIC-12)."""
    return type(f) is fr.Turn and f.phase == DOOR_CARD and epic.exposed(g, f)


# -- legal ------------------------------------------------------------------------------------------------------


def legal(g: Game, seat: int) -> list[Move]:
    """Every move this seat may make now, and no other: all that `why_not` has no objection to."""
    got = g.moves.get(seat)
    if got is None:
        got = g.moves[seat] = _legal(g, seat) if 0 <= seat < len(g.players) else []
    return got


def _legal(g: Game, seat: int) -> list[Move]:
    out: list[Move] = []
    if g.winners or (g.players[seat].dead and not windows.last_words(g, seat)):
        return out
    f = g.stack[-1]
    kind = type(f)
    moment = MOMENTS.get(kind)
    if moment is None:
        if seat == f.seat:  # type: ignore[attr-defined]
            QUESTIONS[kind].moves(g, f, out)
        return out
    if moment.why_no_pass(g, f, seat) is None:
        out.append(mv.word(seat, mv.PASS))
    ctx = _role(g, seat, moment.stage(g, f, seat))
    out += _acts(g, f, seat, ctx)
    if ctx & cx.OPEN and not (ctx & cx.FACE_UP_DOOR and _exposed(g, f)):
        if g.offers:
            helping.answer_moves(g, seat, out)
        if windows.may_show(g, seat):
            out.append(mv.word(seat, mv.SHOW_HAND))
    return out


def _acts(g: Game, f: Any, seat: int, ctx: int) -> list[Move]:
    """What a seat may do at a moment beside passing, answering and showing: all that rests on the cards and the fight.

    It is kept over the moves that leave these as they are (`_QUIET`).
    """
    got = g.acts.get(seat)
    if got is not None and got[0] == ctx:
        return got[1]
    out: list[Move] = []
    _add_acts(g, f, seat, ctx, out)
    if g.lib.unstoppable and ctx & cx.BYSTANDER and _unstoppable(g):
        out = [m for m in out if m.verb != mv.PLAY or not _spoils(g, m)]
    g.acts[seat] = (ctx, out)
    return out


def _add_acts(g: Game, f: Any, seat: int, ctx: int, out: list[Move]) -> None:
    kind = type(f)
    if kind is fr.Turn:
        turn.turn_moves(g, f, seat, out)
        if ctx & cx.FACE_UP_DOOR:
            for c in plays.from_door(g, seat):
                plays.card_moves(g, seat, c, g.lib.defs[c], ctx, out, in_hand=True)
            if _exposed(g, f):
                dropping.drop_moves(g, seat, ctx, out)
                return
            ctx &= ~cx.FACE_UP_DOOR  # his turn goes on beside the card that waits (TURN-26, HIRE-4)
    elif kind is fr.Flee:
        running_away.flee_moves(g, f, seat, out)
    elif kind is fr.Creation and seat != f.seat:
        return
    plays.play_moves(g, seat, ctx, out)
    if g.rules.options.epic or g.dungeons:  # DUNG-10
        epic.pet_moves(g, seat, ctx, out)
    abilities.ability_moves(g, seat, ctx, out)
    if ctx & cx.OPEN:
        _open_moves(g, seat, ctx, out)


def _unstoppable(g: Game) -> list[Move]:
    """What the main player may do now, and no card of his rivals may prevent (EPIC-46)."""
    fight = g.fight
    if fight is None or type(g.stack[-1]) is not fr.Combat:
        return []
    if not any(p.unstoppable for _, p in abilities.sources(g, fight.main)):
        return []  # most have none, and need not be asked what else they may do
    used = [m for m in legal(g, fight.main) if m.verb == mv.USE]
    return [m for m in used if abilities.power_of(g, m.seat, m.card, mv.power_index(m.extra)).unstoppable]


def _spoils(g: Game, move: Move) -> bool:
    """Would this card take that away, if everybody lets it happen? Tried out on a copy; no die is thrown for it."""
    wanted = _unstoppable(g)
    if not wanted:
        return False
    then = g.clone()
    then.events = None
    apply(then, move, trusted=True)
    while isinstance(then.stack[-1], (fr.Curse, fr.Window)):
        then.stack[-1].passed = -1
        settle(then)
    over = then.fight is None or then.fight.over or then.players[wanted[0].seat].dead
    return over or (type(then.stack[-1]) is fr.Combat and not set(wanted) <= set(_unstoppable(then)))


def _open_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    """What is allowed at any open moment: dropping traits, equipment, trade, sale, help."""
    dropping.drop_moves(g, seat, ctx, out)
    if not fights.in_fight(g, seat):
        if seat == g.turn or g.rules.items.equip_off_turn:
            items.equip_moves(g, seat, out)
        trading.trade_moves(g, seat, out)
        if ctx & cx.OWN_IDLE:
            selling.sell_moves(g, seat, out)
    if ctx & cx.FIGHT:
        helping.help_moves(g, seat, out)


# -- why not ----------------------------------------------------------------------------------------------------


def why_not(g: Game, move: Move) -> Reason | None:
    """The objection to a move: the rule that decides, and why; None where the move is legal."""
    why = objection(g, move)
    return None if why is None else saying.worded(g, move, why)


def objection(g: Game, move: Move) -> Reason | None:
    """The same, as it stands in the books of rows: a constant, before the gaps in its sentence are filled."""
    why = _malformed(g, move) or _out_of_the_game(g, move)
    if why is not None:
        return why
    f = g.stack[-1]
    moment = MOMENTS.get(type(f))
    if moment is None:
        return _why_no_answer(g, f, move)
    if move.verb == mv.PASS:
        return moment.why_no_pass(g, f, move.seat)
    return _why_no_action(g, f, move)


def _why_no_action(g: Game, f: Any, move: Move) -> Reason | None:
    """A verb at an open moment."""
    action = ACTIONS.get(move.verb)
    if action is None:
        return _LOST.get(move.verb, r.NO_SUCH_ACTION) if not _after_charity(g, f, move) else r.CHARITY_MANY
    pending = first(g)
    if pending is not None and move.verb not in _AT_ANY_MOMENT:
        return pending
    if type(f) is fr.Creation and move.seat != f.seat:
        return r.CREATION_ONLY
    if move.seat == g.turn and _exposed(g, f) and not _at_exposed_door(g, move):
        return r.DOOR_FROZEN
    ctx = context(g, move.seat)
    why = action.why_not(g, ctx, move)
    if why is None and g.lib.unstoppable and move.verb == mv.PLAY and ctx & cx.BYSTANDER:
        return r.UNSTOPPABLE if _spoils(g, move) else None
    return why


# Words that belong to a question, a sale or an offer, where there is none.
_LOST: Final = {
    mv.CHOOSE: r.NO_QUESTION,
    mv.DONE: r.NO_QUESTION,
    mv.CANCEL: r.NO_QUESTION,
    mv.ADD: r.NOT_DRAFTING,
    mv.PROPOSE: r.NOT_DRAFTING,
}


def _after_charity(g: Game, f: Any, move: Move) -> bool:
    """Does somebody go on giving although what was too much is given (TURN-20)?"""
    return move.verb == mv.ADD and move.seat == g.turn and type(f) is fr.Turn and f.phase == CHARITY_PHASE


def _at_exposed_door(g: Game, move: Move) -> bool:
    """With a monster behind the door only the other card of it is dealt with, and what may be dropped dropped."""
    if move.verb == mv.PLAY:
        return move.card in plays.from_door(g, move.seat)
    return move.verb == mv.DISCARD or ACTIONS[move.verb] is turn.GO_ON


def _why_no_answer(g: Game, f: Any, move: Move) -> Reason | None:
    """Somebody is being asked: he answers, and nobody else does anything."""
    question = QUESTIONS[type(f)]
    if move.seat != f.seat:
        if move.verb not in (mv.CHOOSE, mv.DONE):
            return r.ANSWER_FIRST
        return r.ASKED_ANOTHER._replace(rule=f.rule) if type(f) is fr.Ask else r.ASKED_ANOTHER
    why = question.why_not(g, f, move)
    if why is not None and type(f) is fr.Ask and move.verb == mv.CHOOSE:
        more = WHY_NO_ANSWER.get(type(g.stack[-2]))
        if more is not None and 0 <= move.card < len(g.lib.defs) and move.card not in f.chosen:
            return more(g, g.stack[-2], f, move.card)
    return why


def _shaped(kind: int, move: Move) -> bool:
    """Only charity has a receiver for each piece; a second number belongs to a sale's price, or to terms of help."""
    if move.target != NONE and kind != fr.CHARITY_DRAFT:
        return False
    if kind in (fr.TRADE_DRAFT, fr.CHARITY_DRAFT):
        return move.extra == NONE
    return kind == fr.SELL_DRAFT or move.card == NONE or move.extra == NONE


def _out_of_the_game(g: Game, move: Move) -> Reason | None:
    if g.winners:
        return r.GAME_OVER
    if not g.players[move.seat].dead or windows.last_words(g, move.seat):
        return None
    dying = move.verb == mv.PLAY and any(a & cx.DYING for m in g.lib.defs[move.card].modes for a, _ in m.alts)
    return r.DIED_OTHERWISE if dying and _is_looted(g, move.seat, move.card) else r.DEAD


def _is_looted(g: Game, seat: int, card: int) -> bool:
    """Is it what is being looted from this player (DEATH-7)? The dead have no other cards."""
    return any(type(f) is fr.Death and f.seat == seat and card in f.pool for f in g.stack)


# Which parts of a move a verb has a use for: card, target, extra.
_SHAPES: Final[dict[int, tuple[bool, bool, bool]]] = {
    mv.TROUBLE: (True, False, False),
    mv.KEEP: (True, False, False),
    mv.PLAY: (True, True, True),
    mv.USE: (True, True, True),
    mv.EQUIP: (True, True, False),
    mv.UNEQUIP: (True, False, False),
    mv.DISCARD: (True, False, False),
    mv.CHOOSE: (True, False, False),
    mv.RUN: (True, False, False),
    mv.SACRIFICE: (True, False, False),
    mv.TRADE: (False, True, False),
    mv.ASK_HELP: (False, True, False),
    mv.OFFER_HELP: (False, True, False),
    mv.ACCEPT: (False, True, False),
    mv.DECLINE: (False, True, False),
    mv.COUNTER: (False, True, False),
    mv.ADD: (True, True, True),
}
_PLAIN: Final = (False, False, False)
_NEEDS_CARD: Final = (mv.PLAY, mv.USE, mv.EQUIP, mv.UNEQUIP, mv.DISCARD, mv.TROUBLE, mv.SACRIFICE)


def _malformed(g: Game, move: Move) -> Reason | None:
    """A move that makes no sense at any table."""
    verb: int = move.verb
    card: int = move.card
    target: int = move.target
    if not 0 <= move.seat < len(g.players) or seat_of(target) >= len(g.players):
        return r.NO_SUCH_SEAT
    if mv.beyond(move, len(g.lib.defs)) or (card < 0 and verb in _NEEDS_CARD):
        return r.NO_SUCH_CARD
    has_card, has_target, has_extra = _SHAPES.get(verb, _PLAIN)
    odd = (card != NONE and not has_card) or (target != NONE and not has_target)
    return r.NO_SUCH_ACTION if odd or (move.extra != NONE and not has_extra) else None


# -- for a card that somebody points at -------------------------------------------------------------------------


def why_not_card(g: Game, seat: int, card: int) -> Reason | None:
    """Why this player cannot do with a card what it is there for; None when he can."""
    probes = _uses(g, seat, card)
    why = [why_not(g, m) for m in probes]
    if None in why or any(m.card == card for m in legal(g, seat) if m.verb in _FOR_USE):
        return None
    return why[0]


def when_card(g: Game, seat: int, card: int) -> tuple[str, str]:
    """When this player can do with a card what it is there for, and what comes before that; empty: it is time for it.

    A monster in a hand is there to be looked for (TURN-11); to join a fight it takes another card.
    """
    if g.lib.defs[card].kind == "monster" and card in g.players[seat].hand:
        return "on your own turn, after a door without a monster", saying.until(g, seat, cx.WHEN["own_turn_idle"])
    for m in _uses(g, seat, card):
        d = g.lib.defs[card]
        used = m.verb == mv.USE and mv.power_index(m.extra) < len(d.powers)
        way = d.powers[mv.power_index(m.extra)] if used else plays.meant(d, m) if m.verb == mv.PLAY else None
        if way is not None:
            return saying.later(g, seat, context(g, seat), way)
    return "", ""


_FOR_USE: Final = (mv.PLAY, mv.USE, mv.CHOOSE, mv.ADD, mv.TROUBLE)


def _uses(g: Game, seat: int, card: int) -> list[Move]:
    """What a card is there for, where it lies: to be played, its powers used, to be put in use or out of it."""
    p = g.players[seat]
    d = g.lib.defs[card]
    if card in p.table and not d.is_one_shot:
        powers = [Move(seat, mv.USE, card, extra=mv.power_code(x.index)) for x in d.powers if not x.rival]
        wear = [Move(seat, mv.UNEQUIP if card in g.equipped else mv.EQUIP, card)]
        drop = [Move(seat, mv.DISCARD, card)]
        return powers or (wear if items.can_be_equipped(g, card) else drop)
    if card in p.table or card in p.hand or card in plays.from_door(g, seat):
        return [Move(seat, mv.PLAY, card)]
    if g.accessories and card in g.accessories[seat] and not d.modes:
        return [Move(seat, mv.USE, card, extra=mv.power_code(0))]
    return [Move(seat, mv.PLAY, card)]


# -- apply ------------------------------------------------------------------------------------------------------


def apply(g: Game, move: Move, *, trusted: bool = False) -> list[Event]:
    """Make a move. An illegal one raises Refused and changes nothing. Returns what happened."""
    if not trusted and not _listed(g, move):
        why = why_not(g, move)
        if why is not None:
            raise Refused(why)
    start = len(g.events) if g.events is not None else 0
    f = g.stack[-1]
    if not _is_quiet(g, f, move):
        g.acts = {}
    g.moves = {}
    g.sight = None
    moment = MOMENTS.get(type(f))
    if moment is None:
        QUESTIONS[type(f)].answer(g, f, move)
    else:
        if type(f) is fr.Combat:
            combat.begin(g, f, move)
        if move.verb == mv.PASS:
            moment.passes(g, f, move)
        else:
            ACTIONS[move.verb].do(g, move)
    try:
        if not settle(g):
            g.acts = {}
    except Unsettled as e:
        raise Unsettled(e.frame, e.card, STEPS, notation.text(g, move, f)) from None
    return g.events[start:] if g.events is not None else []


def _listed(g: Game, move: Move) -> bool:
    """Was it listed just now? Then it needs no second look. Mostly it is the very one that was."""
    moves = g.moves.get(move.seat)
    if moves is None:
        return False
    for m in moves:
        if m is move:
            return True
    return move in moves


# Words, and the pieces of what is put together before it is said: they move no card, Level or die.
_QUIET: Final = frozenset(
    (mv.TRADE, mv.SELL, mv.ASK_HELP, mv.OFFER_HELP, mv.PROPOSE, mv.CANCEL, mv.COUNTER, mv.DECLINE, mv.WITHDRAW)
)


def _is_quiet(g: Game, f: Any, move: Move) -> bool:
    """Does a move leave what everybody may do (`_acts`) as it is, unless something follows from it?"""
    verb: int = move.verb
    if verb == mv.ADD:
        return type(f) is fr.Draft and f.kind != fr.CHARITY_DRAFT
    if verb == mv.PASS:
        return type(f) is fr.Combat and g.fight is not None and not g.fight.at_once
    return verb in _QUIET
