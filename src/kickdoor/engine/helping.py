"""Help: asked for or offered, bargained over, given by one player at most (HELP)."""

from __future__ import annotations

from kickdoor.engine import fight_cards, items, strength, trading
from kickdoor.engine import queries as q
from kickdoor.engine import reasons as r
from kickdoor.engine.frames import COUNTER_DRAFT, HELP_DRAFT, VOLUNTEER_DRAFT, Draft
from kickdoor.engine.game import Game
from kickdoor.engine.moves import (
    ACCEPT,
    ADD,
    ADD_PICKS,
    ADD_TREASURES,
    ASK_HELP,
    CANCEL,
    COUNTER,
    DECLINE,
    OFFER_HELP,
    PICKS_UNSAID,
    PROPOSE,
    WITHDRAW,
    Move,
    at_seat,
)
from kickdoor.engine.reasons import Reason
from kickdoor.engine.records import ACTIVE, OFFER_ASKED, OFFER_TRADE, OFFER_VOLUNTEERED, Deal, Offer


def why_not(g: Game, asker: int, helper: int) -> Reason | None:
    """Why this player cannot help in this fight (HELP-1, HELP-4)."""
    f = g.fight
    if f is None or f.fleeing or f.over:
        return r.HELP_NO_FIGHT
    if helper == f.main:
        return r.HELP_SELF
    if f.helper >= 0:
        return r.HELP_TAKEN
    if g.players[helper].dead:
        return r.HELP_DEAD
    if strength.fight_rule(g, "no_help") or q.any_modifier(g, helper, "cannot_help"):
        return r.HELP_ALONE
    if g.rules.help.only_when_losing and strength.winning(g):
        return r.HELP_LOSING
    return None


def help_moves(g: Game, seat: int, out: list[Move]) -> None:
    f = g.fight
    assert f is not None
    if seat == f.main:
        if f.helper < 0 and not f.fleeing:
            for s in g.living(seat):
                if s != seat and why_not(g, seat, s) is None:
                    out.append(Move(seat, ASK_HELP, target=at_seat(s)))
    elif why_not(g, f.main, seat) is None:
        out.append(Move(seat, OFFER_HELP, target=at_seat(f.main)))


def start(g: Game, seat: int, to: int, volunteer: bool) -> None:
    g.stack.append(Draft(VOLUNTEER_DRAFT if volunteer else HELP_DRAFT, seat, to))


def expected_treasures(g: Game) -> int:
    """What the fight would yield as it stands."""
    got: int | None = g.cache.get("treasures")
    if got is None:
        f = g.fight
        assert f is not None
        paying = (x for x in f.foes if x.fate == ACTIVE or x.pays)
        got = g.cache["treasures"] = sum(strength.foe_treasures(g, x) for x in paying) + f.owed
    return got


def _main_of(g: Game) -> int:
    assert g.fight is not None
    return g.fight.main


def moves_help(g: Game, f: Draft, out: list[Move]) -> None:
    """The terms: how many Treasures, who picks first, Items, promised plays (HELP-6..HELP-8)."""
    seat = f.seat
    kinds = g.rules.help.offer_kinds
    main = _main_of(g)
    if "treasure" in kinds:
        for n in range(expected_treasures(g) + 1):
            if n != f.treasures:
                out.append(Move(seat, ADD, extra=ADD_TREASURES - n))
        if f.treasures:
            for picks in range(3):
                if picks != f.picks:
                    out.append(Move(seat, ADD, extra=ADD_PICKS - picks))
    if "item" in kinds:
        for c in items.own_items(g, main):
            if c not in f.give:
                out.append(Move(seat, ADD, c))
    if "play_card" in kinds and seat == main:
        defs = g.lib.defs
        for c in g.players[main].hand:
            if c not in f.plays and any(m.on in ("player", "other_player") for m in defs[c].modes):
                out.append(Move(seat, ADD, c))
    if not f.treasures or f.picks != PICKS_UNSAID:  # HELP-8: who picks is part of such a deal
        out.append(Move(seat, PROPOSE))
    out.append(Move(seat, CANCEL))


def play_help(g: Game, f: Draft, move: Move) -> None:
    if move.verb == ADD:
        _add(g, f, move)
        return
    g.stack.pop()
    if move.verb != PROPOSE:
        return
    deal = Deal(f.treasures, f.picks, f.give, f.plays)
    main = _main_of(g)
    volunteer = f.seat != main
    helper = f.seat if volunteer else f.to
    kind = OFFER_VOLUNTEERED if volunteer else OFFER_ASKED
    trading.propose(g, Offer(kind, f.seat, f.to, helper=helper, deal=deal))


def _add(g: Game, f: Draft, move: Move) -> None:
    if move.card >= 0:
        if move.card in g.players[_main_of(g)].table:
            f.give = (*f.give, move.card)
        else:
            f.plays = (*f.plays, move.card)
    elif move.extra <= ADD_PICKS:
        f.picks = ADD_PICKS - move.extra
    else:
        f.treasures = ADD_TREASURES - move.extra


# -- answering offers of both kinds -----------------------------------------------------------------------------


def valid(g: Game, o: Offer) -> bool:
    if o.kind == OFFER_TRADE:
        return trading.valid(g, o)
    return g.fight is not None and why_not(g, o.by, o.helper) is None


def answer_moves(g: Game, seat: int, out: list[Move]) -> None:
    for o in g.offers:
        if o.to == seat:
            if valid(g, o):
                out.append(Move(seat, ACCEPT, target=at_seat(o.by)))
                out.append(Move(seat, COUNTER, target=at_seat(o.by)))
            out.append(Move(seat, DECLINE, target=at_seat(o.by)))
        elif o.by == seat:
            out.append(Move(seat, WITHDRAW))


def answer(g: Game, move: Move) -> None:
    by = trading.target(move)
    offer = next(o for o in g.offers if o.by == by and o.to == move.seat)
    g.offers = [o for o in g.offers if o is not offer]
    if move.verb == COUNTER:
        if offer.kind == OFFER_TRADE:
            trading.start(g, move.seat, by)
        else:
            d = offer.deal
            g.stack.append(Draft(COUNTER_DRAFT, move.seat, by, give=d.items, treasures=d.treasures, picks=d.picks))
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
    g.touch()
    g.emit("help", seat, other=f.main, rule="HELP-4")


def compel(g: Game, seat: int) -> None:
    """Help that cannot be refused, and earns nothing."""
    f = g.fight
    assert f is not None
    join(g, seat, Deal())
    f.compelled = True


def volunteer(g: Game, seat: int) -> None:
    """Help that the main player cannot turn down, and that earns nothing."""
    f = g.fight
    if f is not None and seat != f.main and not g.players[seat].dead:
        join(g, seat, Deal())


def dismiss(g: Game, one_shots_only: bool) -> None:
    """The helper leaves and takes back what he played in the fight: his one-shots, or every card of his."""
    f = g.fight
    if f is None or f.helper < 0:
        return
    seat = f.helper
    f.helper, f.deal, f.compelled = -1, Deal(), False
    g.emit("helper_leaves", seat, other=f.main, rule="CONF-1")

    fight_cards.take_back(g, seat, one_shots_only)
    g.touch()


def offer_what_must_be(g: Game) -> None:
    """Who has to offer help in every fight does so at once, for nothing; nobody has to accept (HELP-2)."""
    f = g.fight
    assert f is not None
    for s in g.living(f.main):
        if s != f.main and q.any_modifier(g, s, "must_help") and why_not(g, f.main, s) is None:
            trading.propose(g, Offer(OFFER_VOLUNTEERED, s, f.main, helper=s))


def withdraw(g: Game, move: Move) -> None:
    g.offers = [o for o in g.offers if o.by != move.seat]
