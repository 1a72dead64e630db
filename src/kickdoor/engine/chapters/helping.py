"""Help: asked for or offered, bargained over, given by one player at most (HELP)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kickdoor.cards.library import Mode
from kickdoor.engine.chapters import rewards, taken_back, trading
from kickdoor.engine.facts import force, strength
from kickdoor.engine.table import items, levels
from kickdoor.engine.table.rows import Action, Question
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import uses
from kickdoor.engine.value.frames import HELP_DRAFT, Draft
from kickdoor.engine.value.game import Game, by_seat
from kickdoor.engine.value.moves import (
    ACCEPT,
    ADD,
    ASK_HELP,
    CANCEL,
    COUNTER,
    DECLINE,
    NONE,
    OFFER_HELP,
    PICKS_HANDED,
    PICKS_HELPER,
    PICKS_MAIN,
    PICKS_UNSAID,
    PROPOSE,
    WITHDRAW,
    Move,
    names_picks,
    names_treasures,
    picks_code,
    picks_in,
    seat_of,
    shares,
    towards,
    treasures_in,
    word,
)
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import OFFER_OF_HELP, OFFER_TRADE, Deal, Offer

ON_A_PLAYER: Final = ("player", "other_player")
PICKS: Final = (PICKS_MAIN, PICKS_HELPER, PICKS_HANDED)


def why_not(g: Game, helper: int) -> Reason | None:
    """Why this player cannot help in this fight (HELP-1, HELP-4)."""
    f = g.fight
    if f is None:
        return r.HELP_NO_FIGHT
    if f.fleeing:
        return r.HELP_OVER
    if helper == f.main:
        return r.HELP_SELF
    if f.helper >= 0:
        return r.HELP_TAKEN
    if g.players[helper].dead:
        return r.HELP_DEAD
    if strength.fight_rule(g, "no_help"):
        return r.HELP_ALONE
    if force.any_modifier(g, helper, "cannot_help"):
        return r.HELP_CANNOT
    if g.rules.help.only_when_losing and strength.winning(g):
        return r.HELP_LOSING
    return None


def why_not_asked(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why this player cannot ask that one, or offer help to him (HELP-1, HELP-2)."""
    f = g.fight
    if f is None:
        return r.HELP_NO_FIGHT
    to = seat_of(move.target)
    if to < 0:
        return r.NO_SUCH_SEAT
    if move.verb == OFFER_HELP:
        why = why_not(g, move.seat) or (None if to == f.main else r.HELP_NOT_MAIN)
        return r.HELP_CANNOT_YOU if why == r.HELP_CANNOT else why
    return why_not(g, to) if move.seat == f.main else r.HELP_NOT_MAIN


def help_moves(g: Game, seat: int, out: list[Move]) -> None:
    f = g.fight
    assert f is not None
    if seat == f.main:
        if f.helper < 0:
            out += [towards(seat, ASK_HELP, s) for s in g.living(seat) if why_not(g, s) is None]
    elif why_not(g, seat) is None:
        out.append(towards(seat, OFFER_HELP, f.main))


def start(g: Game, move: Move) -> None:
    g.stack.append(Draft(HELP_DRAFT, move.seat, seat_of(move.target)))


def expected_treasures(g: Game) -> int:
    """What the fight would yield as it stands."""
    got: int | None = g.cache.get("treasures")
    if got is None:
        f = g.fight
        assert f is not None
        got = g.cache["treasures"] = sum(strength.foe_treasures(g, x) for x in rewards.paying(f)) + f.owed + f.salvaged
    return got


class Prospect(NamedTuple):
    """What a fight would come to with a helper, as it stands: both sums, whether that wins, and the Treasures."""

    munchkins: int
    monsters: int
    winning: bool
    treasures: int


_PROSPECT: Final = by_seat("prospect")


def prospect(g: Game, helper: int) -> Prospect:
    """The fight with this helper in it: tried out on a copy, since helpers may change more than the sum."""
    key = _PROSPECT[helper]
    got: Prospect | None = g.cache.get(key)
    if got is None:
        tried = g.what_if()
        assert tried.fight is not None
        tried.fight.helper = helper
        tried.touch_moment()
        got = g.cache[key] = Prospect(*strength.standing(tried), strength.winning(tried), expected_treasures(tried))
    return got


def _main_of(g: Game) -> int:
    assert g.fight is not None
    return g.fight.main


def moves_help(g: Game, f: Draft, out: list[Move]) -> None:
    """The terms: how many Treasures, who picks first, Items, promised plays (HELP-6..HELP-8)."""
    seat: int = f.seat
    if "treasure" in g.rules.help.offer_kinds:
        said: int = f.treasures
        all_of_them = shares(seat, expected_treasures(g))
        out += all_of_them[:said]
        out += all_of_them[said + 1 :]
        if said:
            out += [Move(seat, ADD, NONE, NONE, picks_code(p)) for p in PICKS if p != f.picks]
    named = (*f.give, *f.plays)
    for c in _promisable(g, f):
        if c not in named:
            out.append(Move(seat, ADD, c))
    if _why_incomplete(g, f) is None:
        out.append(word(seat, PROPOSE))
    out.append(word(seat, CANCEL))


def _promisable(g: Game, f: Draft) -> Sequence[int]:
    """Items of the main player's, and where the book has it cards that he will play on the helper (HELP-6, MM-43)."""
    kinds = g.rules.help.offer_kinds
    main = _main_of(g)
    mine = items.own_items(g, main) if "item" in kinds else ()
    if "play_card" not in kinds or f.seat != main:
        return mine
    return [*mine, *(c for c in g.players[main].hand if any(_could_play(g, f, m) for m in _on_a_player(g, c)))]


def _on_a_player(g: Game, card: int) -> list[Mode]:
    return [m for m in g.lib.defs[card].modes if m.on in ON_A_PLAYER]


def _could_play(g: Game, f: Draft, mode: Mode) -> bool:
    """Could it be played on this helper? Nothing is promised that is refused as things are (MM-43, FQ-CBT-39)."""
    return mode.gain != "target" or levels.gainable(g, f.to, 1, False) > 0


def why_not_piece(g: Game, f: Draft, move: Move) -> Reason | None:
    """What cannot be promised: not at this table, not by this player, or not twice (HELP-6..HELP-8, MM-43)."""
    if move.verb == PROPOSE:
        return _why_incomplete(g, f)
    if move.verb == CANCEL:
        return None
    if move.verb != ADD:
        return r.DRAFT_FIRST
    if move.card >= 0:
        return _why_not_promised(g, f, move.card)
    if "treasure" not in g.rules.help.offer_kinds:
        return r.HELP_KIND
    if names_picks(move.extra):
        return _why_not_picks(f, picks_in(move.extra))
    if not names_treasures(move.extra):
        return r.NO_SUCH_ACTION
    n = treasures_in(move.extra)
    return r.HELP_SHARE if n > expected_treasures(g) else r.HELP_SAME if n == f.treasures else None


def _why_not_picks(f: Draft, picks: int) -> Reason | None:
    if picks not in PICKS:
        return r.NO_SUCH_ACTION
    return r.HELP_PICKS if not f.treasures else r.HELP_SAME if picks == f.picks else None


def _why_incomplete(g: Game, f: Draft) -> Reason | None:
    """Where Treasure is shared, who picks first is part of the deal (HELP-8); who gets all there is needs no order."""
    said: int = f.treasures
    return r.HELP_ORDER if 0 < said < expected_treasures(g) and f.picks == PICKS_UNSAID else None


def _why_not_promised(g: Game, f: Draft, card: int) -> Reason | None:
    if card in f.give or card in f.plays:
        return r.HELP_NAMED
    if card in _promisable(g, f):
        return None
    kinds = g.rules.help.offer_kinds
    if card in g.players[f.seat].hand:
        if "play_card" not in kinds:
            return r.HELP_ITEM
        return r.HELP_LEVEL if _on_a_player(g, card) else r.HELP_PLAY
    return r.HELP_ITEM if "item" in kinds else r.HELP_KIND


def play_help(g: Game, f: Draft, move: Move) -> None:
    if move.verb == ADD:
        _add(g, f, move)
        return
    g.stack.pop()
    if move.verb != PROPOSE:
        return
    deal = Deal(f.treasures, f.picks, f.give, f.plays)
    helper = f.to if f.seat == _main_of(g) else f.seat
    trading.propose(g, Offer(OFFER_OF_HELP, f.seat, f.to, helper=helper, deal=deal))


def _add(g: Game, f: Draft, move: Move) -> None:
    if move.card >= 0:
        if move.card in g.players[_main_of(g)].table:
            f.give = (*f.give, move.card)
        else:
            f.plays = (*f.plays, move.card)
    elif names_picks(move.extra):
        f.picks = picks_in(move.extra)
    else:
        f.treasures = treasures_in(move.extra)


# -- answering offers of both kinds -----------------------------------------------------------------------------


def valid(g: Game, o: Offer) -> bool:
    if o.kind == OFFER_TRADE:
        return trading.valid(g, o)
    return why_not(g, o.helper) is None


def answer_moves(g: Game, seat: int, out: list[Move]) -> None:
    for o in g.offers:
        if o.to == seat:
            if valid(g, o):
                out.append(towards(seat, ACCEPT, o.by))
                out.append(towards(seat, COUNTER, o.by))
            out.append(towards(seat, DECLINE, o.by))
        elif o.by == seat:
            out.append(word(seat, WITHDRAW))


def why_no_answer(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why an offer cannot be answered so: there is none, or it cannot be kept any more (HELP-2, TRADE-1)."""
    by = seat_of(move.target)
    offer = next((o for o in g.offers if o.to == move.seat and o.by == by), None)
    if offer is None:
        return r.NO_OFFER
    if move.verb == DECLINE or valid(g, offer):
        return None
    if offer.kind == OFFER_TRADE:
        return trading.why_not(g, move.seat, by) or r.OFFER_GONE  # as it looks to who answers
    return why_not(g, offer.helper)


def why_no_withdrawal(g: Game, ctx: int, move: Move) -> Reason | None:
    return None if any(o.by == move.seat for o in g.offers) else r.NOTHING_OFFERED


def answer(g: Game, move: Move) -> None:
    by = trading.target(move)
    offer = next(o for o in g.offers if o.by == by)  # one stands of each
    g.offers = [o for o in g.offers if o is not offer]
    if move.verb == COUNTER:
        if offer.kind == OFFER_TRADE:
            trading.start(g, move.seat, by)
        else:
            d = offer.deal
            g.stack.append(Draft(HELP_DRAFT, move.seat, by, give=d.items, treasures=d.treasures, picks=d.picks))
        return
    if move.verb == DECLINE:
        g.emit("decline", move.seat, other=by, rule="HELP-2")
        return
    g.emit("accept", move.seat, other=by, rule="HELP-3")
    if offer.kind == OFFER_TRADE:
        trading.settle(g, offer)
    else:
        join(g, offer.helper, offer.deal)


def join(g: Game, seat: int, deal: Deal) -> None:
    """The helper is in, for good (AMB-61); his equipment is frozen (COMBAT-22)."""
    f = g.fight
    assert f is not None
    f.helper = seat
    f.deal = deal
    g.offers = []
    g.fresh = [x for x in g.fresh if x[0] != seat]
    g.touch_moment()
    g.emit("help", seat, other=f.main, rule="HELP-4")


def compels(g: Game, prog: int) -> bool:
    """Does a program make somebody help, at once or if a contest is won?"""
    got = g.lib.compelling.get(prog)
    if got is None:
        got = g.lib.compelling[prog] = any(
            i.verb == "compel_help" or (i.verb == "contest" and i.a.do >= 0 and compels(g, i.a.do))
            for i in g.lib.programs[prog]
        )
    return got


def compel(g: Game, seat: int, card: int) -> None:
    """Help that cannot be refused, and earns nothing. If `card`, which compels it, says so, it wins no game either."""
    f = g.fight
    assert f is not None
    join(g, seat, Deal())
    barred = [m.word for c, m in force.modifiers(g, f.main, "cannot_win") if c == card]
    f.compelled = bool(barred)
    if "fight" in barred:
        uses.bar_victory(g, f.main)


def volunteer(g: Game, seat: int) -> None:
    """Help that the main player cannot turn down, and that earns nothing."""
    f = g.fight
    if f is not None and seat != f.main:
        join(g, seat, Deal())


def dismiss(g: Game, one_shots_only: bool) -> None:
    """The helper leaves and takes back what he played in the fight: his one-shots, or every card of his."""
    f = g.fight
    if f is None or f.helper < 0:
        return
    seat = f.helper
    f.helper, f.deal, f.compelled = -1, Deal(), False
    g.emit("helper_leaves", seat, other=f.main, rule="CONF-1")

    taken_back.take_back(g, seat, one_shots_only)
    g.touch()


def offer_what_must_be(g: Game) -> None:
    """Who has to offer help in every fight does so at once, for nothing; nobody has to accept (HELP-2)."""
    f = g.fight
    assert f is not None
    for s in g.living(f.main):
        if force.any_modifier(g, s, "must_help") and why_not(g, s) is None:
            trading.propose(g, Offer(OFFER_OF_HELP, s, f.main, helper=s))


def withdraw(g: Game, move: Move) -> None:
    g.offers = [o for o in g.offers if o.by != move.seat]


DRAFT: Final[Question] = Question(moves_help, why_not_piece, play_help)
ASKING: Final[Action] = Action(why_not_asked, start)
OFFERING: Final[Action] = Action(why_not_asked, start)
ANSWER: Final[Action] = Action(why_no_answer, answer)
TAKING_BACK: Final[Action] = Action(why_no_withdrawal, withdraw)
