"""Verbs of the card language: what players do to one another, apart from taking cards."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import helping, interfering
from kickdoor.engine.effects.programs import amount, otherwise, rule_of, run, seat_for
from kickdoor.engine.facts import force
from kickdoor.engine.table import dice, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import SEATS, Effect
from kickdoor.engine.value.game import Game


def contest(g: Game, f: Effect, a: Args) -> bool:
    """The actor and another player roll; only the higher roll of the actor's does it, a tie does not."""
    if f.ans is None:
        dice.start_roll(g, f.actor, dice.CARD_ROLL)
        return False
    total = f.ans[1]
    if not f.pool:
        f.pool = (total,)
        dice.start_roll(g, seat_for(g, f, a.who or "target"), dice.CARD_ROLL)
        return False
    mine, f.pool = f.pool[0], ()
    if mine > total:
        run(g, f, a.do)
        return True
    return otherwise(g, f, a)


def give(g: Game, f: Effect, a: Args) -> bool:
    """Hand over a card of one's own choice from the hand, unseen by the others (PILE-9)."""
    giver, to = seat_for(g, f, a.who), seat_for(g, f, a.to)
    p = g.players[giver]
    if f.ans is None:
        options = [c for c in p.hand if force.may_receive(g, to, c)]
        if not options or g.players[to].dead or to == giver:
            return otherwise(g, f, a)
        ask(g, giver, options, card=f.card, about="give", rule="CONF-1", secret=True)
        if f.ans is None:
            return False
    for c in f.ans:
        zones.from_hand(g, giver, c)
        zones.to_hand(g, to, c)
        g.fresh = [*g.fresh, (to, c)]
        g.emit("given", to, c, giver, rule="PILE-9", secret=True)
    return True


def swap_hands(g: Game, f: Effect, a: Args) -> bool:
    """Whole hands change places as they are, before anybody can do anything about it (FQ-DICE-2, CAP-49).

    Only what one of them may not be given stays where it is.
    """
    mine, other = g.players[f.actor], g.players[seat_for(g, f, a.who)]
    if mine is other or other.dead:
        return otherwise(g, f, a)
    pair = (f.actor, seat_for(g, f, a.who))
    stays = [[c for c in g.players[s].hand if not force.may_receive(g, to, c)] for s, to in (pair, pair[::-1])]
    come = [[c for c in g.players[s].hand if force.may_receive(g, to, c)] for to, s in (pair, pair[::-1])]
    mine.hand, other.hand = come[0] + stays[0], come[1] + stays[1]
    mine.shown = other.shown = False
    g.fresh = [x for x in g.fresh if x[0] not in pair]
    g.touch()
    g.emit("swap_hands", pair[0], other=pair[1], rule="FQ-DICE-2")
    return True


def show_hand(g: Game, f: Effect, a: Args) -> bool:
    """Everybody sees the cards as they are now (PILE-15)."""
    seat = seat_for(g, f, a.who)
    for c in g.players[seat].hand:
        g.emit("shows", seat, c, rule="PILE-15")
    return True


def skip_turn(g: Game, f: Effect, a: Args) -> bool:
    seat = seat_for(g, f, a.who)
    g.skips = renewed.at(g.skips, seat, g.skips[seat] + amount(f, a.amount))
    return True


def dismiss_helper(g: Game, f: Effect, a: Args) -> bool:
    helping.dismiss(g, one_shots_only=False)
    return True


def become_helper(g: Game, f: Effect, a: Args) -> bool:
    """Help that the main player must take, for nothing; whoever helped before goes (HELP-1)."""
    helping.dismiss(g, one_shots_only=True)
    helping.volunteer(g, f.actor)
    return True


def ban(g: Game, f: Effect, a: Args) -> bool:
    """For the rest of the turn the target plays nothing against the actor, and takes back what he played."""
    interfering.ban(g, seat_for(g, f, "target"), f.actor)
    return True


def name_player(g: Game, f: Effect, a: Args) -> bool:
    """The actor names a player, himself included; the steps are about that one."""
    if f.ans is None:
        ask(g, f.actor, g.living(f.actor), domain=SEATS, card=f.card, about="player", rule=rule_of(f))
        return False
    run(g, f, a.do, f.ans[0])
    return True
