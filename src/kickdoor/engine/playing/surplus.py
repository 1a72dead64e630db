"""Too much of something before a player: what may answer it, one row for each sort (BIG-5, COMBO-17, AMB-33)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef
from kickdoor.engine.chapters import epic, selling
from kickdoor.engine.facts import force
from kickdoor.engine.playing import plays
from kickdoor.engine.table import followers, items, traits, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.table.rows import Question
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import SEATS, Surplus
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import CHOOSE, PLAY, SELL, Move
from kickdoor.engine.value.reasons import Reason


class Sort(NamedTuple):
    """How too much of one sort is settled: what may be chosen or played, why not, and what then happens."""

    step: Callable[[Game, Surplus], bool]
    moves: Callable[[Game, Surplus, list[Move]], None]
    why_not: Callable[[Game, Surplus, Move], Reason | None]
    answer: Callable[[Game, Surplus, Move], None]
    rule: str  # that puts the question
    plays: bool = False  # may a sale, or a card of the hand, be the answer?


# -- Hands and slots --------------------------------------------------------------------------------------------


def _step_slots(g: Game, f: Surplus) -> bool:
    if items.over_slots(g, f.seat):
        return False
    g.stack.pop()
    return True


def _slot_moves(g: Game, f: Surplus, out: list[Move]) -> None:
    out.extend(Move(f.seat, CHOOSE, c) for c in items.over_slots(g, f.seat))


def _why_not_sideways(g: Game, f: Surplus, move: Move) -> Reason | None:
    return None if move.card in items.over_slots(g, f.seat) else r.SURPLUS_NOT_THAT


def turn_sideways(g: Game, seat: int, card: int) -> None:
    """Out of use, even in combat (SAMB-26)."""
    g.equipped.discard(card)
    g.touch()
    g.emit("unequip", seat, card, rule="FQ-CARD-36")


def _turned(g: Game, f: Surplus, move: Move) -> None:
    turn_sideways(g, f.seat, move.card)
    g.dirty |= 1 << f.seat


# -- Big Items --------------------------------------------------------------------------------------------------


def _at_leisure(g: Game, f: Surplus) -> bool:
    """Is it his own turn, with no fight on? Then he may also sell (BIG-6)."""
    return g.turn == f.seat and g.fight is None


def _sets_right(d: CardDef) -> bool:
    """A Race, a Class, a companion or a Cheat! may make it right, at the time when it is played anyway (BIG-5)."""
    return d.is_companion or d.kind in ("race", "class") or bool(d.multi) or d.waives


def _moment(g: Game, f: Surplus) -> int:
    if g.turn != f.seat:
        return cx.OTHER_IDLE
    return cx.OWN_TURN | (cx.OWN_IDLE | cx.OUTSIDE if g.fight is None else cx.FIGHT)


def _step_big(g: Game, f: Surplus) -> bool:
    """Excess Big Items: sold, handed to the lowest able, or discarded (BIG-5..BIG-9)."""
    if f.card >= 0:
        return _hand_over(g, f)
    if items.surplus_big(g, f.seat) == 0:
        g.stack.pop()
        return True
    return False


def _hand_over(g: Game, f: Surplus) -> bool:
    card = f.card
    if f.ans is None:
        able = [s for s in g.living(f.seat) if force.may_receive(g, s, card) and items.room_for(g, s, card)]
        if not able:
            f.card = -1
            zones.discard_in_play(g, f.seat, card, zones.LIMIT, "BIG-9")
            return True
        low = min(g.players[s].level for s in able)
        able = [s for s in able if g.players[s].level == low]
        fewest = min(f.given.count(s) for s in able)  # AMB-26: as evenly as in Charity
        ask(
            g,
            f.seat,
            [s for s in able if f.given.count(s) == fewest],
            domain=SEATS,
            card=card,
            about="big",
            rule="BIG-8",
        )
        return True
    to = f.ans[0]
    f.card, f.ans, f.given = -1, None, (*f.given, to)
    zones.transfer(g, f.seat, to, card, "give", "BIG-8")
    return True


def _why_not_given_up(g: Game, f: Surplus, move: Move) -> Reason | None:
    """Of too many Big Items any may go, and nothing else (BIG-5)."""
    return None if move.card in items.bigs(g, f.seat) else r.SURPLUS_NOT_THAT


def _given_up(g: Game, f: Surplus, out: list[Move]) -> None:
    out.extend(Move(f.seat, CHOOSE, c) for c in items.bigs(g, f.seat))


def _big_moves(g: Game, f: Surplus, out: list[Move]) -> None:
    _given_up(g, f, out)
    if _at_leisure(g, f):
        selling.sell_moves(g, f.seat, out)
    for c in g.players[f.seat].hand:
        if _sets_right(g.lib.defs[c]):
            plays.card_moves(g, f.seat, c, g.lib.defs[c], _moment(g, f), out, in_hand=True)


def _why_not_big(g: Game, f: Surplus, move: Move) -> Reason | None:
    if move.verb == CHOOSE:
        return _why_not_given_up(g, f, move)
    if move.verb == SELL:
        return selling.why_not(g, f.seat) if _at_leisure(g, f) else r.BIG_SALE
    if move.card not in g.players[f.seat].hand:
        return r.NOT_IN_HAND
    if not _sets_right(g.lib.defs[move.card]):
        return r.SURPLUS_FIRST
    return plays.why_not_as(g, _moment(g, f), move)


def _settle_big(g: Game, f: Surplus, move: Move) -> None:
    if move.verb == SELL:
        selling.start(g, f.seat)
    elif move.verb == PLAY:
        plays.do_play(g, move)
    else:
        f.card = move.card


# -- one of the Big Items that only an Epic Steed could carry ---------------------------------------------------


def _settle_epic(g: Game, f: Surplus, move: Move) -> None:
    f.card = move.card


_BIG: Final[Sort] = Sort(_step_big, _big_moves, _why_not_big, _settle_big, "BIG-5", plays=True)
_EPIC: Final[Sort] = Sort(epic.step_surplus, epic.surplus_moves, _why_not_given_up, _settle_epic, "EPIC-58")
_SLOT: Final[Sort] = Sort(_step_slots, _slot_moves, _why_not_sideways, _turned, "FQ-CARD-36")


def _trait(kind: int) -> Sort:
    rule = _TOO_MANY.get(kind, "COMBO-17")
    steps = (traits.step_surplus, traits.surplus_moves, traits.why_not_given_up, traits.play_surplus)
    return Sort(*steps, rule, plays=True)


def _follower(kind: int) -> Sort:
    steps = (followers.step_surplus, followers.surplus_moves, followers.why_not_given_up, followers.play_surplus)
    return Sort(*steps, followers.KINDS[kind][1])


_TOO_MANY: Final = {fr.RACE_SURPLUS: "RACE-8", fr.CLASS_SURPLUS: "CLASS-8", fr.POWER_SURPLUS: "BT-17"}

SORTS: Final[dict[int, Sort]] = {
    fr.BIG_SURPLUS: _BIG,
    fr.EPIC_SURPLUS: _EPIC,
    fr.SLOT_SURPLUS: _SLOT,
    **{kind: _trait(kind) for kind in traits.KINDS},
    **{kind: _follower(kind) for kind in followers.KINDS},
}


def step_surplus(g: Game, f: Surplus) -> bool:
    return SORTS[f.kind].step(g, f)


def surplus_moves(g: Game, f: Surplus, out: list[Move]) -> None:
    SORTS[f.kind].moves(g, f, out)


def why_not(g: Game, f: Surplus, move: Move) -> Reason | None:
    """Why that does not settle it; nothing else is done before it is settled (CAP-14)."""
    sort = SORTS[f.kind]
    if move.verb == CHOOSE or (sort.plays and move.verb in (PLAY, SELL)):
        why = sort.why_not(g, f, move)
        return why._replace(rule=sort.rule) if why is r.SURPLUS_FIRST else why
    return r.SURPLUS_FIRST._replace(rule=sort.rule)


def answer(g: Game, f: Surplus, move: Move) -> None:
    SORTS[f.kind].answer(g, f, move)


SETTLING: Final[Question] = Question(surplus_moves, why_not, answer)
