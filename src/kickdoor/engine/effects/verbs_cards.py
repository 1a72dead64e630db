"""Verbs of the card language: losing cards, taking them, paying with them."""

from __future__ import annotations

from typing import Final

from kickdoor.cards.library import Args
from kickdoor.engine.effects.programs import amount, cause_of, otherwise, rule_of, seat_for
from kickdoor.engine.facts import force, front, goods, strength
from kickdoor.engine.playing import looking_ahead
from kickdoor.engine.table import zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value.frames import CARDS, Effect
from kickdoor.engine.value.game import TREASURE, Game

UNSEEN: Final = -5  # "a Treasure from the hand, unseen" among the things to take


def _candidates(g: Game, f: Effect, seat: int, a: Args) -> list[int]:
    p = g.players[seat]
    defs = g.lib.defs
    out: list[int] = []
    if a.frm == "target":
        return [f.target] if f.target in p.table else []
    if a.frm == "curses":
        return [c for c in p.table if defs[c].is_curse and (a.what is None or a.what(g, c))]
    if a.frm == "attached":
        return [c for c in p.table if c in g.host and not defs[c].is_curse and (a.what is None or a.what(g, c))]
    if a.frm in ("hand", "any", "items_or_hand"):
        out += [c for c in p.hand if a.what is None or a.what(g, c) or a.frm == "items_or_hand"]
    if a.frm in ("in_play", "equipped", "any", "items_or_hand"):
        for c in p.table:
            d = defs[c]
            if c in g.host or d.is_curse or c == f.card:
                continue
            if f.cause == zones.BAD_STUFF and front.suppressed(g, c):
                continue  # FQ-AXE-18
            if a.frm == "items_or_hand" and not d.is_item:
                continue
            if a.frm == "equipped" and not _in_use(g, seat, c):
                continue
            if a.what is None or a.what(g, c):
                out.append(c)
    return out


def _in_use(g: Game, seat: int, card: int) -> bool:
    """Items that lie upright; a Steed, a Ship or a companion is in use wherever it lies (STEED-4, HIRE-6)."""
    if card in g.equipped:
        return True
    return card in front.steeds(g, seat) or card in front.ships(g, seat) or g.lib.defs[card].is_companion


def _biggest(g: Game, options: list[int], pick: str) -> list[int]:
    if pick == "biggest_bonus":

        def size(c: int) -> int:
            return strength.item_bonus(g, front.owner(g, c), c)
    else:

        def size(c: int) -> int:
            return goods.price(g, c)

    top = max(size(c) for c in options)
    return [c for c in options if size(c) == top]


def discard(g: Game, f: Effect, a: Args) -> bool:
    seat = seat_for(g, f, a.who)
    if g.players[seat].dead:
        return True
    if f.ans is None:
        options = _candidates(g, f, seat, a)
        if not options:
            return otherwise(g, f, a)
        if a.pick:
            options = _biggest(g, options, a.pick)
        if a.count == "any":
            ask(g, seat, options, low=0, high=len(options), card=f.card, about="discard", rule=rule_of(f))
            return False
        n = len(options) if a.count == "all" else amount(f, a.count)
        if n <= 0:
            return True
        if a.chooser == "random":
            f.ans = tuple(_random_pick(g, options, n))
        elif len(options) <= n or zones.lost_together(g, seat, options, cause_of(f)):
            f.ans = tuple(options[:n])
        else:
            chooser = seat if a.chooser == "victim" else seat_for(g, f, a.chooser)
            rule = "CURSE-8" if a.chooser == "victim" else "CONF-1"  # unless the card says who picks
            ask(g, chooser, options, low=n, high=n, card=f.card, about="discard", rule=rule)
            return False
    value = 0
    for c in f.ans:
        if c in g.players[seat].table or c in g.players[seat].hand:  # one may have gone along with another
            value += goods.price(g, c)
            zones.discard_any(g, seat, c, cause_of(f), rule_of(f))
            if a.to == "box":
                zones.to_box(g, c)
    if a.count == "any":
        f.n = len(f.ans)
    f.n = value if a.count == 1 else f.n
    return True


def _random_pick(g: Game, options: list[int], n: int) -> list[int]:
    pool = options[:]
    out = []
    for _ in range(min(n, len(pool))):
        out.append(pool.pop(g.random(len(pool))))
    return out


def take(g: Game, f: Effect, a: Args) -> bool:
    """A player takes a card from the victim: a chosen one in play, or an unseen one from the hand."""
    taker = f.mem[0] if f.mem else f.actor
    if f.target >= 0 and not f.mem:  # a theft names its card
        giver = front.owner(g, f.target)
        if giver < 0 or front.shielded(g, f.target, "taken") or not force.may_receive(g, taker, f.target):
            return True
        if a.how == "force" and not _room_made(g, f, taker):
            return False
        zones.transfer(g, giver, taker, f.target, a.how, "CLASS-11")
        return True
    giver = seat_for(g, f, a.victim) if a.victim else f.who
    victim = g.players[giver]
    if g.players[taker].dead:
        return True
    if f.ans is None:
        return _ask_take(g, f, a, taker, giver)
    for c in f.ans:
        if c == UNSEEN:
            pool = [x for x in victim.hand if g.lib.defs[x].deck == TREASURE]
            _take_unseen(g, giver, taker, pool)
        elif c in victim.hand:
            _take_from_hand(g, giver, taker, c)
        else:
            zones.transfer(g, giver, taker, c, a.how, rule_of(f), hand=a.to == "hand", cause=f.cause)
    return True


def _room_made(g: Game, f: Effect, taker: int) -> bool:
    """Something of one's own is given up, where there would be no room for what is taken (FQ-BASE-8)."""
    while True:
        for c in f.ans or ():
            zones.discard_in_play(g, taker, c, zones.COST, "FQ-BASE-8")
        f.ans = None
        options = looking_ahead.to_make_room(g, taker, f.target) if g.fight is not None else []
        if not options:
            return True
        ask(g, taker, options, card=f.card, about="room", rule="FQ-BASE-8")
        if f.ans is None:
            return False


def _ask_take(g: Game, f: Effect, a: Args, taker: int, giver: int) -> bool:
    victim = g.players[giver]
    if a.frm == "hand":
        if not victim.hand or giver == taker:
            return otherwise(g, f, a)
        if a.face == "up":
            _show(g, giver)
            able = [c for c in victim.hand if force.may_receive(g, taker, c)]
            if not able:
                return otherwise(g, f, a)
            ask(g, taker, able, card=f.card, about="take", rule=rule_of(f))
            return False
        _take_unseen(g, giver, taker, victim.hand)
        return True
    options = [
        c
        for c in victim.table
        if c not in g.host and not g.lib.defs[c].is_curse and (a.what(g, c) if a.what else goods.is_item(g, c))
    ]
    if g.host:
        options = [c for c in options if not front.shielded(g, c, "taken")]
        if f.cause == zones.BAD_STUFF:
            options = [c for c in options if not front.suppressed(g, c)]  # FQ-AXE-18: taken is lost, too
    options = [c for c in options if force.may_receive(g, taker, c)]
    if a.frm == "treasure_anywhere":
        options = [c for c in options if g.lib.defs[c].deck == TREASURE]
        if not force.no_treasures(g, taker) and any(g.lib.defs[c].deck == TREASURE for c in victim.hand):
            options.append(UNSEEN)
    if a.pick == "biggest_bonus":
        options = [c for c in options if strength.item_bonus(g, giver, c) > 0]
    if not options:
        return otherwise(g, f, a)
    if a.pick:
        options = _biggest(g, options, a.pick)
    chooser = taker if a.chooser == "taker" else seat_for(g, f, a.chooser)
    ask(g, chooser, options, card=f.card, about="take", rule=rule_of(f))
    return False


def _show(g: Game, seat: int) -> None:
    """A hand is laid open for everybody to see (PILE-15)."""
    for c in g.players[seat].hand:
        g.emit("shows", seat, c, rule="PILE-15")


def _take_unseen(g: Game, giver: int, taker: int, pool: list[int]) -> None:
    """A card at random; one that the taker may not have stays where it is, since nobody knew which it was."""
    card = pool[g.random(len(pool))]
    if force.may_receive(g, taker, card):
        _take_from_hand(g, giver, taker, card)


def _take_from_hand(g: Game, giver: int, taker: int, card: int) -> None:
    """A random card from a hand, seen by the two alone (FQ-CARD-1)."""
    zones.from_hand(g, giver, card)
    zones.to_hand(g, taker, card)
    g.fresh = [*g.fresh, (taker, card)]
    g.emit("taken", taker, card, giver, rule="PILE-9", secret=True)


def pay(g: Game, f: Effect, a: Args) -> bool:
    """Give up Items of a certain value, one by one; who cannot loses them all."""
    seat = seat_for(g, f, a.who)
    p = g.players[seat]
    need = amount(f, a.amount)
    if f.ans:
        for c in f.ans:
            f.acc += goods.price(g, c)
            zones.discard_in_play(g, seat, c, cause_of(f), rule_of(f))
    if f.acc >= need or p.dead:
        return True
    options = [c for c in p.table if goods.is_item(g, c) and c not in g.host]
    if f.cause == zones.BAD_STUFF:
        options = [c for c in options if not front.suppressed(g, c)]  # FQ-AXE-18
    total = f.acc + sum(goods.price(g, c) for c in options)
    if total < need:
        for c in options:
            zones.discard_in_play(g, seat, c, cause_of(f), rule_of(f))
        return otherwise(g, f, a)
    worth = [c for c in options if goods.price(g, c) > 0]
    if all(total - goods.price(g, c) < need for c in worth):  # every one of them is needed: there is nothing to choose
        for c in worth:
            zones.discard_in_play(g, seat, c, cause_of(f), rule_of(f))
        return True
    ask(g, seat, options, card=f.card, about="pay", rule=rule_of(f))
    return False


def kill_companion(g: Game, f: Effect, a: Args) -> bool:
    """Anybody's Hireling or Steed dies; the one who plays the card says whose (HIRE-19)."""
    if f.ans is None:
        theirs = [c for s in g.living(0) for c in (*front.companions(g, s), *front.steeds(g, s))]
        options = [c for c in theirs if a.what is None or a.what(g, c)]
        if not options:
            return otherwise(g, f, a)
        ask(g, f.actor, options, domain=CARDS, card=f.card, about="companion", rule="HIRE-19")
        return False
    for c in f.ans:
        zones.discard_in_play(g, front.owner(g, c), c, zones.KILLED, "HIRE-19")
    return True
