"""The kernel: what is legal, what a move does, who is awaited. Everything else is chapters.

`legal` lists exactly the moves that `apply` accepts. After a move the stack is settled: frames run until somebody has
to decide something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kickdoor.cards import contexts as cx
from kickdoor.engine import (
    abilities,
    charity,
    combat,
    curses,
    death,
    decks,
    dice,
    dungeons,
    effects,
    epic,
    flags,
    followers,
    helping,
    items,
    plays,
    prompts,
    running_away,
    selling,
    standies,
    steeds,
    taming,
    trading,
    traits,
    turn,
    victory,
    zones,
)
from kickdoor.engine import frames as fr
from kickdoor.engine import queries as q
from kickdoor.engine.game import DOOR_CARD, Game
from kickdoor.engine.moves import (
    ACCEPT,
    ASK_HELP,
    CHOOSE,
    COUNTER,
    DECLINE,
    DISCARD,
    EQUIP,
    NONE,
    OFFER_HELP,
    PASS,
    PLAY,
    SELL,
    SHOW_HAND,
    TRADE,
    UNEQUIP,
    USE,
    WITHDRAW,
    Move,
    seat_of,
)
from kickdoor.engine.reasons import Refused, Unsettled
from kickdoor.engine.records import Event

# -- settling ---------------------------------------------------------------------------------------------------


STEPS: Final = 20_000  # the longest way to a decision that was ever seen has a few hundred


def settle(g: Game) -> None:
    """Run frames until a decision is needed or the game is over."""
    for _ in range(STEPS):
        if g.winners:
            g.dirty = 0
            return
        if g.dirty and _upkeep(g):
            continue
        if g.strays and taming.offer(g):
            continue
        f = g.stack[-1]
        if not STEP[type(f)](g, f):
            return
    raise _unsettled(g)


def _unsettled(g: Game) -> Unsettled:
    f = g.stack[-1]
    card = getattr(f, "card", NONE)
    return Unsettled(type(f).__name__, g.lib.defs[card].name if card >= 0 else "", STEPS)


def _upkeep(g: Game) -> bool:
    """Limits are re-checked after every change (CAP-14)."""
    for s in range(len(g.players)):
        if g.dirty >> s & 1:
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
        g.equipped.discard(over[0])
        g.touch()
        g.emit("unequip", seat, over[0], rule="FQ-CARD-36")
        return True
    g.stack.append(fr.Surplus(seat, fr.SLOT_SURPLUS))
    return True


def _step_surplus(g: Game, f: fr.Surplus) -> bool:
    if f.kind == fr.BIG_SURPLUS:
        return items.step_big(g, f)
    if f.kind == fr.EPIC_SURPLUS:
        return epic.step_surplus(g, f)
    if f.kind in traits.KINDS:
        return traits.step_surplus(g, f)
    if f.kind in followers.KINDS:
        return followers.step_surplus(g, f)
    over = items.over_slots(g, f.seat)
    if not over:
        g.stack.pop()
        return True
    return False


def _step_draft(g: Game, f: fr.Draft) -> bool:
    return charity.step_charity(g, f) if f.kind == fr.CHARITY_DRAFT else False


def _step_window(g: Game, f: fr.Window) -> bool:
    alive = sum(1 << s for s, p in enumerate(g.players) if not p.dead)
    if f.what == death.DYING:
        alive = 1 << f.seat
    if f.passed & alive == alive or not _window_matters(g, f):
        g.stack.pop()
        if f.what == taming.STRAY:
            g.strays = []
        return True
    return False


def _last_words(g: Game, seat: int) -> bool:
    """The dead do nothing any more, unless it is the moment for what the dying do (DEATH-12, FQ-REL-7)."""
    f = g.stack[-1]
    return isinstance(f, fr.Window) and f.what == death.DYING and f.seat == seat


_WINDOW_STAGE: Final = {
    "escaped": cx.ESCAPED,
    "victory": cx.VICTORY,
    "opening": cx.OPENING,
    "invited": cx.INVITED,
    taming.STRAY: cx.STRAY,
    death.DYING: cx.DYING,
}


def _window_matters(g: Game, f: fr.Window) -> bool:
    """Is there any card in the whole game that could be used at such a moment? (Never a question of hands.)"""
    return bool(g.lib.stages() & _WINDOW_STAGE[f.what])


def _step_creation(g: Game, f: fr.Creation) -> bool:
    if f.left > 0:
        return False
    g.stack.pop()
    turn.begin(g, g.turn)
    return True


STEP: Final[dict[type, Callable[[Game, Any], bool]]] = {
    fr.Turn: turn.step_turn,
    fr.Creation: _step_creation,
    fr.Standies: standies.step_standies,
    fr.FirstDungeon: dungeons.step_first,
    fr.Combat: combat.step_combat,
    fr.Victory: victory.step_victory,
    fr.Flee: running_away.step_flee,
    fr.Roll: dice.step_roll,
    fr.RollOff: dice.step_roll_off,
    fr.Curse: curses.step_curse,
    fr.Effect: effects.step_effect,
    fr.Ask: prompts.step_ask,
    fr.Draft: _step_draft,
    fr.Death: death.step_death,
    fr.Surplus: _step_surplus,
    fr.Draw: decks.step_draw,
    fr.Knock: turn.step_knock,
    fr.Window: _step_window,
    fr.Pay: abilities.step_pay,
}


# -- whose move it is -------------------------------------------------------------------------------------------


def to_act(g: Game) -> list[int]:
    """The seats that are waited for, the first one first. Others may be allowed to act as well."""
    if g.winners:
        return []
    f = g.stack[-1]
    if isinstance(f, fr.Turn):
        return [g.turn]
    if isinstance(f, fr.Combat):
        return combat.awaited_combat(g)
    if isinstance(f, fr.Flee):
        return running_away.awaited_flee(g, f)
    if isinstance(f, fr.Window) and f.what == death.DYING:
        return [f.seat]
    if isinstance(f, (fr.Roll, fr.Curse, fr.Window)):
        start = f.victim if isinstance(f, fr.Curse) else f.seat
        return [s for s in g.living(start) if not f.passed >> s & 1]
    return [f.seat]  # type: ignore[union-attr]


def context(g: Game, seat: int) -> int:
    """The moment, one's role in it, and whose turn it is, as bits."""
    f = g.stack[-1]
    ctx = cx.OWN_TURN if seat == g.turn else 0
    fight = g.fight
    if fight is None or fight.over:
        ctx |= cx.OUTSIDE
    elif seat == fight.main:
        ctx |= cx.MAIN
    elif seat == fight.helper:
        ctx |= cx.HELPER
    else:
        ctx |= cx.BYSTANDER
    if isinstance(f, fr.Turn):
        ctx |= cx.OWN_IDLE if seat == g.turn else cx.OTHER_IDLE
        if g.flags & flags.AFTER_FIGHT:
            ctx |= cx.AFTER_COMBAT
        if f.phase == DOOR_CARD and seat == g.turn:
            ctx |= cx.FACE_UP_DOOR
        if f.phase == 1 and seat == g.turn and decks.may_resurrect(g, seat, 0):
            ctx |= cx.FACE_UP_DRAW
    elif isinstance(f, fr.Combat):
        ctx |= cx.FIGHT
        if f.stage == 0:
            ctx |= cx.FIGHT_START
    elif isinstance(f, fr.Flee):
        ctx |= cx.FLEE
        if fight is not None and running_away.left(f, fight, seat):
            ctx |= cx.RUNNER
    elif isinstance(f, fr.Curse):
        ctx |= cx.CURSE
        if curses.strikes(g, f, seat):
            ctx |= cx.VICTIM
    elif isinstance(f, fr.Roll):
        ctx |= cx.ROLL
        if dice.failed(f):
            ctx |= cx.ROLL_FAILED
        if seat == f.seat:
            ctx |= cx.ROLLER
            if f.purpose == dice.RUN_ROLL:
                ctx |= cx.RUNNER
    elif isinstance(f, fr.Window):
        if f.what != death.DYING or seat == f.seat:
            ctx |= _WINDOW_STAGE[f.what]
        if f.what == "victory" and seat == f.seat:
            ctx |= cx.MAIN  # the fight is over, but it was his
    elif isinstance(f, fr.Creation):
        ctx |= cx.CREATION
    elif isinstance(f, fr.Draw) and seat == f.seat and decks.may_resurrect(g, seat, f.deck):
        ctx |= cx.FACE_UP_DRAW
    return ctx


# -- legal ------------------------------------------------------------------------------------------------------


def legal(g: Game, seat: int) -> list[Move]:
    """Every move this seat may make now, and no other."""
    got = g.moves.get(seat)
    if got is None:
        got = g.moves[seat] = _legal(g, seat) if 0 <= seat < len(g.players) else []
    return got


def _legal(g: Game, seat: int) -> list[Move]:
    out: list[Move] = []
    if g.winners or (g.players[seat].dead and not _last_words(g, seat)):
        return out
    f = g.stack[-1]
    kind = type(f)
    if kind is fr.Ask:
        prompts.moves_ask(g, f, seat, out)  # type: ignore[arg-type]
        return out
    if kind in _CLOSED:
        if seat == f.seat:  # type: ignore[union-attr]
            _CLOSED[kind](g, f, out)
        return out
    ctx = context(g, seat)
    if kind is fr.Turn:
        turn.turn_moves(g, f, seat, out)  # type: ignore[arg-type]
        if f.phase == DOOR_CARD and seat == g.turn:  # type: ignore[union-attr]
            d = g.lib.defs[g.door_card]
            plays.card_moves(g, seat, g.door_card, d, ctx, out, in_hand=True)
            for c in epic.waiting(g, f) if f.doors else ():  # type: ignore[union-attr, arg-type]
                plays.card_moves(g, seat, c, g.lib.defs[c], ctx, out, in_hand=True)
            if epic.exposed(g, f):  # type: ignore[arg-type]  # no new equipment any more (COMBAT-25, EPIC-12)
                _dropping(g, seat, ctx, out)
                return out
            ctx &= ~cx.FACE_UP_DOOR  # his turn goes on beside the card that waits (TURN-26, HIRE-4)
    elif kind is fr.Combat:
        combat.combat_moves(g, f, seat, out)  # type: ignore[arg-type]
    elif kind is fr.Flee:
        running_away.flee_moves(g, f, seat, out)  # type: ignore[arg-type]
    elif kind is fr.Creation:
        if seat != f.seat:  # type: ignore[union-attr]
            return out
        out.append(Move(seat, PASS))
        plays.play_moves(g, seat, ctx, out)
        return out
    elif kind is fr.Draw:
        decks.moves_draw(g, f, seat, out)  # type: ignore[arg-type]
    elif not f.passed >> seat & 1:  # type: ignore[union-attr]
        out.append(Move(seat, PASS))
    plays.play_moves(g, seat, ctx, out)
    if g.rules.options.epic or g.dungeons:  # DUNG-10
        epic.pet_moves(g, seat, ctx, out)
    abilities.ability_moves(g, seat, ctx, out)
    if ctx & cx.OPEN:
        _open_moves(g, seat, ctx, out)
    return out


def _open_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    """What is allowed at any open moment: dropping traits, equipment, trade, sale, offers, showing the hand."""
    p = g.players[seat]
    _dropping(g, seat, ctx, out)
    if not q.in_fight(g, seat):
        if seat == g.turn or g.rules.items.equip_off_turn:
            items.equip_moves(g, seat, out)
        trading.trade_moves(g, seat, out)
        if ctx & cx.OWN_IDLE:
            selling.sell_moves(g, seat, out)
    if ctx & cx.FIGHT:
        helping.help_moves(g, seat, out)
    if g.offers:
        helping.answer_moves(g, seat, out)
    if p.hand and not p.shown:
        out.append(Move(seat, SHOW_HAND))


def _dropping(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    for c in g.players[seat].table:
        if droppable(g, c) or (ctx & cx.RUNNER and ctx & cx.FLEE and steeds.left_behind(g, c)):
            out.append(Move(seat, DISCARD, c))


def droppable(g: Game, card: int) -> bool:
    """Races, Classes, what goes with them and companions may be given up at will (FQ-CARD-22, HIRE-21, FQ-REL-5)."""
    d = g.lib.defs[card]
    return bool(d.trait) or bool(d.multi) or d.is_companion or d.kind == "race_or_class_enhancer"


def _draft_moves(g: Game, f: Any, out: list[Move]) -> None:
    if f.kind == fr.CHARITY_DRAFT:
        charity.moves_charity(g, f, out)
    elif f.kind == fr.SELL_DRAFT:
        selling.moves_sell(g, f, out)
    elif f.kind == fr.TRADE_DRAFT:
        trading.moves_trade(g, f, out)
    else:
        helping.moves_help(g, f, out)


def _surplus_moves(g: Game, f: Any, out: list[Move]) -> None:
    if f.kind == fr.BIG_SURPLUS:
        items.surplus_moves(g, f, out)
        if g.turn == f.seat and g.fight is None:
            selling.sell_moves(g, f.seat, out)  # BIG-6
            for c in g.players[f.seat].hand:  # "restore legality": a Race or Class, or a Cheat! (BIG-5)
                d = g.lib.defs[c]
                if d.kind in ("race", "class") or d.multi or d.waives:
                    ctx = cx.OWN_IDLE | cx.OWN_TURN | cx.OUTSIDE
                    plays.card_moves(g, f.seat, c, d, ctx, out, in_hand=True)
    elif f.kind == fr.EPIC_SURPLUS:
        epic.surplus_moves(g, f, out)
    elif f.kind in traits.KINDS:
        traits.surplus_moves(g, f, out)
    elif f.kind in followers.KINDS:
        followers.surplus_moves(g, f, out)
    else:
        for c in items.over_slots(g, f.seat):
            out.append(Move(f.seat, CHOOSE, c))


_CLOSED: Final[dict[type, Callable[[Game, Any, list[Move]], None]]] = {
    fr.Draft: _draft_moves,
    fr.Surplus: _surplus_moves,
}


# -- apply ------------------------------------------------------------------------------------------------------


def apply(g: Game, move: Move, *, trusted: bool = False) -> list[Event]:
    """Make a move. An illegal one raises Refused and changes nothing. Returns what happened."""
    if not trusted and move not in legal(g, move.seat):
        from kickdoor.engine.explain import explain

        raise Refused(explain(g, move))
    start = len(g.events) if g.events is not None else 0
    g.moves = {}
    f = g.stack[-1]
    perform = PERFORM.get(move.verb)
    if type(f) in _ANSWERED or perform is None:
        _answer(g, f, move)
    else:
        if isinstance(f, fr.Combat):
            f.stage = 1 if move.verb != USE else f.stage
        perform(g, move)
    settle(g)
    return g.events[start:] if g.events is not None else []


def _answer(g: Game, f: Any, move: Move) -> None:
    """A move that only the top frame understands."""
    if isinstance(f, fr.Ask):
        prompts.play_ask(g, f, move)
    elif isinstance(f, fr.Draft):
        _play_draft(g, f, move)
    elif isinstance(f, fr.Surplus):
        _play_surplus(g, f, move)
    elif isinstance(f, fr.Turn):
        turn.play_turn(g, f, move)
    elif isinstance(f, fr.Combat):
        combat.pass_combat(g, f, move)
    elif isinstance(f, fr.Flee):
        running_away.play_flee(g, f, move)
    elif isinstance(f, fr.Draw):
        decks.play_draw(g, f, move)
    elif isinstance(f, fr.Creation):
        f.left -= 1
        f.seat = (f.seat + 1) % len(g.players)
    else:
        f.passed |= 1 << move.seat


def _play_draft(g: Game, f: fr.Draft, move: Move) -> None:
    if f.kind == fr.CHARITY_DRAFT:
        charity.play_charity(g, f, move)
    elif f.kind == fr.SELL_DRAFT:
        selling.play_sell(g, f, move)
    elif f.kind == fr.TRADE_DRAFT:
        trading.play_trade(g, f, move)
    else:
        helping.play_help(g, f, move)


def _play_surplus(g: Game, f: fr.Surplus, move: Move) -> None:
    if move.verb == SELL:
        selling.start(g, f.seat)
    elif f.kind == fr.BIG_SURPLUS:
        if move.verb == PLAY:
            plays.do_play(g, move)
        else:
            f.card = move.card
    elif f.kind == fr.EPIC_SURPLUS:
        f.card = move.card
    elif f.kind in traits.KINDS:
        traits.play_surplus(g, f, move)
    elif f.kind in followers.KINDS:
        followers.play_surplus(g, f, move)
    else:
        g.equipped.discard(move.card)
        g.touch()
        g.emit("unequip", f.seat, move.card, rule="FQ-CARD-36")
        g.dirty |= 1 << f.seat


def _drop(g: Game, move: Move) -> None:
    rule = {"race": "RACE-10", "power": "BT-15"}.get(g.lib.defs[move.card].kind, "CLASS-7")
    zones.discard_in_play(g, move.seat, move.card, zones.WILL, rule)


def _show(g: Game, move: Move) -> None:
    g.players[move.seat].shown = True
    g.emit("show_hand", move.seat, rule="PILE-15")


def _play(g: Game, move: Move) -> None:
    roll = dice.find_roll(g)
    plays.do_play(g, move)
    if roll is not None:
        roll.passed = 0


_ANSWERED: Final = (fr.Ask, fr.Draft, fr.Surplus)

PERFORM: Final[dict[int, Callable[[Game, Move], None]]] = {
    PLAY: _play,
    USE: abilities.do_use,
    EQUIP: items.do_equip,
    UNEQUIP: items.do_equip,
    DISCARD: _drop,
    SELL: lambda g, m: selling.start(g, m.seat),
    TRADE: lambda g, m: trading.start(g, m.seat, seat_of(m.target)),
    ASK_HELP: lambda g, m: helping.start(g, m.seat, seat_of(m.target), False),
    OFFER_HELP: lambda g, m: helping.start(g, m.seat, seat_of(m.target), True),
    ACCEPT: helping.answer,
    DECLINE: helping.answer,
    COUNTER: helping.answer,
    WITHDRAW: helping.withdraw,
    SHOW_HAND: _show,
}
