"""Powers of cards in play: when, on what, at what price, how often (CLASS-3, CLASS-6, CAP-11, CAP-12)."""

from __future__ import annotations

from collections.abc import Iterator

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import Mode, Power
from kickdoor.engine import accessories, curses, flags, humongous, interfering, levels, plays, taming, zones
from kickdoor.engine import queries as q
from kickdoor.engine.frames import Effect, Pay
from kickdoor.engine.game import TREASURE, Game
from kickdoor.engine.moves import NONE, USE, Move, seat_of
from kickdoor.engine.prompts import ask
from kickdoor.engine.records import ACTIVE

POWER_BASE = -100


def sources(g: Game, seat: int) -> Iterator[tuple[int, Power]]:
    """Powers that a player could use: of cards before him, and what monsters in his fight offer."""
    for c, d in q.force(g, seat):
        for p in d.powers:
            if not p.rival:
                yield c, p
    defs = g.lib.defs
    for c in g.players[seat].table:
        if defs[c].powers and not q.in_force(g, seat, c) and not q.suppressed(g, c):
            for p in defs[c].powers:
                if (p.carried and not p.rival) or (defs[c].opt_in and c in g.equipped and q.opts_in(g, p.prog)):
                    yield c, p
    if g.accessories:
        for c in g.accessories[seat]:
            for p in defs[c].powers:
                yield c, p
    for c in g.lib.wanderers:  # FQ-BOOK-14: what lures it away is no power of its holder's
        if q.owner(g, c) not in (seat, -1):
            for p in defs[c].powers:
                if p.rival:
                    yield c, p
    fight = g.fight
    if fight is not None and q.in_fight(g, seat):
        for foe in fight.foes:
            if foe.fate == ACTIVE or foe.credit == flags.REFUSED:
                for p in defs[foe.face].powers:
                    yield foe.card, p


def use_key(seat: int, p: Power, target: int) -> str:
    return f"{p.per}:{seat}:{p.key}:{target}" if p.per == "target" else f"{p.per}:{seat}:{p.key}"


def times_used(g: Game, seat: int, p: Power, target: int) -> int:
    if p.per in ("combat", "target"):
        return g.fight.uses.get(use_key(seat, p, target), 0) if g.fight is not None else 0
    return g.uses.get(use_key(seat, p, target), 0)


def payable(g: Game, seat: int, card: int, p: Power) -> list[int]:
    """Cards that could pay: any of one's own, but not the power's own card nor a Curse (FQ-CARD-23, CURSE-7).

    What lies on a card is a card as well (RACE-7, CLASS-6): whatever it allowed or added ends with it.
    """
    player = g.players[seat]
    out: list[int] = []
    if p.cost_from in ("any", "hand"):
        out += [c for c in player.hand if p.cost_what is None or p.cost_what(g, c)]
    if p.cost_from in ("any", "in_play"):
        defs = g.lib.defs
        out += [
            c
            for c in player.table
            if c != card
            and not defs[c].is_curse
            and not q.suppressed(g, c)
            and (p.cost_what is None or p.cost_what(g, c))
        ]
    return out


def price(g: Game, p: Power, target: int) -> int:
    """How many cards it costs; some powers cost as much as their target is worth."""
    return taming.printed_treasures(g, target) if p.cost_by else p.cost


def can_pay(g: Game, seat: int, card: int, p: Power) -> bool:
    player = g.players[seat]
    if p.cost_hand and len(player.hand) < max(1, p.cost_hand):
        return False
    if p.cost_level and player.level - p.cost_level < g.rules.level.min:
        return False
    return not p.cost or len(payable(g, seat, card, p)) >= p.cost


def targets(g: Game, seat: int, card: int, p: Power) -> Iterator[int]:
    """What a power may be used on now."""
    d = g.lib.defs[card]
    if p.on == "nothing":
        if _usable(g, seat, card, p, NONE):
            yield NONE
        return
    mode = Mode("power", p.alts, p.by, p.on)
    mode.what = p.what
    for t in plays._places(g, seat, card, d, mode):
        if _usable(g, seat, card, p, t):
            yield t


def _usable(g: Game, seat: int, card: int, p: Power, target: int) -> bool:
    if p.times and times_used(g, seat, p, target) >= p.times:
        return False
    if p.test is not None and not p.test(g, seat, plays.trial(seat, card, target)):
        return False
    if target != NONE and _shielded(g, p, target):
        return False
    if p.cost_by and len(payable(g, seat, card, p)) < price(g, p, target):
        return False
    if p.gain and not levels.stealable(g, seat, seat_of(target)):
        return False
    return p.prog < 0 or _sensible(g, seat, card, p, target)


def _shielded(g: Game, p: Power, target: int) -> bool:
    """Some Items keep certain powers off their owner (CAP-43)."""
    s = seat_of(target)
    owner = s if s >= 0 else q.owner(g, target)
    return owner >= 0 and any(p.key in m.word for _, m in q.modifiers(g, owner, "immune_to"))


def _sensible(g: Game, seat: int, card: int, p: Power, target: int) -> bool:
    """Powers that compel help need somebody who could help (HELP-4), those that draw something to draw (EPIC-35)."""
    first = g.lib.programs[p.prog][0]
    if first.verb == "draw" and first.a.to == "treasure" and not (humongous.size(g, TREASURE) or g.discards[TREASURE]):
        return False
    if first.verb == "tame":
        return taming.tamable(g, target)
    if first.verb == "ride":
        return taming.may_ride(g, seat, card)
    if _compels(g, p.prog):
        from kickdoor.engine import helping

        fight = g.fight
        s = seat_of(target)
        return fight is not None and fight.main == seat and helping.why_not(g, seat, s) is None
    return True


def _compels(g: Game, prog: int) -> bool:
    """Does a program make somebody help, at once or if a contest is won?"""
    for i in g.lib.programs[prog]:
        if i.verb == "compel_help" or (i.verb == "contest" and i.a.do >= 0 and _compels(g, i.a.do)):
            return True
    return False


def ability_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    for card, p in sources(g, seat):
        if not cx.fits(ctx, p.alts, p.by) or not can_pay(g, seat, card, p):
            continue
        shut = ctx & cx.BYSTANDER and interfering.restrained(g)
        for t in targets(g, seat, card, p):
            if shut and interfering.why_no_power(g, seat, p.alts, t) is not None:
                continue
            out.append(Move(seat, USE, card, t, POWER_BASE - p.index))


def power_of(g: Game, seat: int, card: int, index: int) -> Power:
    fight = g.fight
    if fight is not None:
        foe = q.find_foe(fight, card)
        if foe is not None:
            return g.lib.defs[foe.face].powers[index]
    return g.lib.defs[card].powers[index]


def do_use(g: Game, move: Move) -> None:
    p = power_of(g, move.seat, move.card, POWER_BASE - move.extra)
    if price(g, p, move.target):
        g.stack.append(Pay(move.seat, move.card, p.index, move.target))
    else:
        carry_out(g, move.seat, move.card, p, move.target)


def step_pay(g: Game, f: Pay) -> bool:
    """Choose the price; until a card is discarded the intention may be changed (FQ-MISC-1)."""
    p = power_of(g, f.seat, f.card, f.ability)
    if f.ans is None:
        options = payable(g, f.seat, f.card, p)
        n = price(g, p, f.target)
        ask(g, f.seat, options, low=n, high=n, card=f.card, about="pay", rule="CLASS-6", cancel=True)
        return True
    g.stack.pop()
    if f.ans == (NONE,):
        return True
    paid = sum(g.lib.defs[c].bonus + q.levels_added(g, c) for c in f.ans)
    for c in f.ans:
        zones.discard_any(g, f.seat, c, zones.COST, "CLASS-6")
    carry_out(g, f.seat, f.card, p, f.target, paid)
    return True


def carry_out(g: Game, seat: int, card: int, p: Power, target: int, paid: int = 0) -> None:
    """Use a power whose price in cards has been paid: `paid` is the bonus of those cards."""
    if p.cost_hand:
        for c in list(g.players[seat].hand):
            zones.discard_hand_card(g, seat, c, "CLASS-6")
    if p.cost_level:
        levels.lose(g, seat, p.cost_level, "CLASS-6")
    if p.times:
        key = use_key(seat, p, target)
        if p.per in ("combat", "target"):
            if g.fight is not None:
                g.fight.uses[key] = g.fight.uses.get(key, 0) + 1
        else:
            g.uses[key] = g.uses.get(key, 0) + 1
    g.emit("use", seat, card, target, rule="CLASS-3")
    if p.cost_self and card in g.players[seat].table:
        zones.discard_in_play(g, seat, card, zones.COST, "CLASS-6")
    elif p.cost_self and g.accessories and card in g.accessories[seat]:
        accessories.destroy(g, seat, card)
    if p.prog >= 0:
        fight = g.fight
        foe = card if fight is not None and q.find_foe(fight, card) is not None else -1
        cause = curses.SHIELD if p.by == cx.VICTIM else "ability"
        g.stack.append(Effect(p.prog, card, seat, seat, target, foe, n=paid, cause=cause))
