"""Powers of cards in play: when, on what, at what price, how often (CLASS-3, CLASS-6, CAP-11, CAP-12)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode, Power
from kickdoor.engine.chapters import curses, helping, interfering
from kickdoor.engine.facts import enemies, fights, force, front, goods, nature
from kickdoor.engine.playing import aims, ways
from kickdoor.engine.table import accessories, items, levels, several_piles, taming, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.table.rows import Action, first, not_yours
from kickdoor.engine.value import flags, uses
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import Ask, Effect, Pay
from kickdoor.engine.value.game import TREASURE, Game
from kickdoor.engine.value.moves import NONE, USE, Move, power_code, power_index, seat_of
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import ACTIVE


def _own(g: Game, seat: int) -> list[tuple[int, Power]]:
    """Powers of the cards before a player; asked for at every moment, so the answer is kept."""
    got = g.about(seat).powers
    if got is None:
        defs = g.lib.defs
        got = [(c, p) for c, d in force.cards(g, seat) for p in d.powers if not p.rival]
        for c in g.players[seat].table:
            if defs[c].powers and not force.in_force(g, seat, c) and not front.suppressed(g, c):
                for p in defs[c].powers:
                    if (p.carried and not p.rival) or (c in g.equipped and fights.opts_in(g, p.prog)):
                        got.append((c, p))
        g.about(seat).powers = got
    return got


def sources(g: Game, seat: int) -> list[tuple[int, Power]]:
    """Powers that a player could use: of cards before him, and what monsters in his fight offer."""
    fight = g.fight
    if not g.accessories and not g.lib.wanderers and fight is None:
        return _own(g, seat)
    defs = g.lib.defs
    out = _own(g, seat).copy()
    for c in g.accessories[seat] if g.accessories else ():
        out += [(c, p) for p in defs[c].powers]
    for c in g.lib.wanderers:  # FQ-BOOK-14: what lures it away is no power of its holder's
        if front.owner(g, c) not in (seat, -1):
            out += [(c, p) for p in defs[c].powers if p.rival]
    if fight is not None and fights.in_fight(g, seat):
        for foe in fight.foes:
            if foe.fate == ACTIVE or foe.credit == flags.REFUSED:
                out += [(foe.card, p) for p in defs[foe.face].powers]
    return out


def times_used(g: Game, seat: int, p: Power, target: int) -> int:
    return uses.times_used(g, p.per, seat, p.key, target)


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
            and not front.suppressed(g, c)
            and (p.cost_what is None or p.cost_what(g, c))
        ]
    return out


def price(g: Game, p: Power, target: int) -> int:
    """How many cards it costs; some powers cost as much as their target is worth."""
    return taming.printed_treasures(g, target) if p.cost_by else p.cost


def why_no_price(g: Game, seat: int, card: int, p: Power) -> Reason | None:
    """Why this player cannot pay for a power, if he cannot (CLASS-6, FQ-CARD-4)."""
    player = g.players[seat]
    if p.cost_hand and len(player.hand) < max(1, p.cost_hand):
        return r.WHOLE_HAND
    if player.level - p.cost_level < g.rules.level.min:
        return r.ABILITY_LEVEL
    short = p.cost - len(payable(g, seat, card, p)) if p.cost else 0
    return _why_too_few(g, seat, card, p, short) if short > 0 else None


def _why_too_few(g: Game, seat: int, card: int, p: Power, short: int) -> Reason:
    """There are cards before him that would be enough, if they could pay (CURSE-7, FQ-CARD-27)."""
    lie = [c for c in g.players[seat].table if c != card] if p.cost_from != "hand" and p.cost_what is None else []
    if sum(g.lib.defs[c].is_curse and c not in g.host for c in lie) >= short:
        return r.COST_ONLY_CURSE
    return r.COST_ONLY_STUCK if sum(front.suppressed(g, c) for c in lie) >= short else r.ABILITY_COST


def can_pay(g: Game, seat: int, card: int, p: Power) -> bool:
    return why_no_price(g, seat, card, p) is None


def _places(g: Game, seat: int, card: int, p: Power) -> list[int]:
    """What a power could be aimed at now."""
    mode = p.aim
    if mode is None:
        mode = p.aim = Mode("power", p.alts, p.by, p.on)
        mode.what = p.what
    return aims.places(g, seat, card, g.lib.defs[card], mode)


def _why_not_on(g: Game, seat: int, card: int, p: Power, target: int) -> Reason | None:
    """Why a power cannot be used on that, which it could be aimed at."""
    if p.times and times_used(g, seat, p, target) >= p.times:
        return r.ABILITY_USED
    if p.test is not None and not p.test(g, seat, aims.trial(seat, card, target)):
        return r.ABILITY_CONDITION
    if _shielded(g, p, target):
        return r.ABILITY_SHIELDED
    if p.cost_by and len(payable(g, seat, card, p)) < price(g, p, target):
        return r.ABILITY_COST
    if p.gain and not levels.stealable(g, seat, seat_of(target)):
        return ways.why_no_theft(g, seat)
    return None if p.prog < 0 else _why_senseless(g, seat, card, p, target)


def _shielded(g: Game, p: Power, target: int) -> bool:
    """Some Items keep certain powers off their owner (CAP-43)."""
    s = seat_of(target)
    owner = s if s >= 0 else front.owner(g, target)
    return owner >= 0 and any(p.key in m.word for _, m in force.modifiers(g, owner, "immune_to"))


def _why_senseless(g: Game, seat: int, card: int, p: Power, target: int) -> Reason | None:
    """Powers that compel help need somebody who could help (HELP-4), those that draw something to draw (EPIC-35).

    What is kept as an Item is a monster's own card: that of a Mate has no Gold Pieces, whatever it is now (FQ-CARD-5).
    """
    first_step = g.lib.programs[p.prog][0]
    if first_step.verb == "draw" and first_step.a.to == "treasure":
        return None if several_piles.size(g, TREASURE) or g.discards[TREASURE] else r.ABILITY_DRAW
    if first_step.verb == "tame":
        return taming.why_not(g, seat, target)
    if first_step.verb == "keep_as_item":
        return None if enemies.face(g, card) == card else r.COPY_NO_ITEM
    if first_step.verb == "ride":
        return None if taming.may_ride(g, seat, card) else r.RIDE_LIMIT
    if helping.compels(g, p.prog):
        if g.fight is None:
            return r.HELP_NO_FIGHT
        return helping.why_not(g, seat_of(target)) if g.fight.main == seat else r.HELP_NOT_MAIN
    return None


def ability_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    for card, p in sources(g, seat):
        if cx.fits(ctx, p.alts, p.by) and (not p.epic or nature.epic_powers(g, seat)) and can_pay(g, seat, card, p):
            _power_moves(g, seat, ctx, card, p, out)


def _power_moves(g: Game, seat: int, ctx: int, card: int, p: Power, out: list[Move]) -> None:
    """What a power that could be used now may be used on."""
    shut = ctx & cx.BYSTANDER and interfering.restrained(g)
    for t in (NONE,) if p.on == "nothing" else _places(g, seat, card, p):
        if _why_not_on(g, seat, card, p, t) is not None:
            continue
        if shut and interfering.why_no_power(g, p.alts, t) is not None:
            continue
        out.append(Move(seat, USE, card, t, power_code(p.index)))


# -- why not ----------------------------------------------------------------------------------------------------


# What is said of prices, in the chapters that speak of them; other cards speak for themselves.
_PRICED: Final = {"race": "RACE-7", "class": "CLASS-6", "power": "BT-21"}


def price_rule(d: CardDef, p: Power) -> str:
    return p.rules.get("cost", _PRICED.get(d.kind, "CONF-1"))


def why_not(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why a power cannot be used so now, or None where it can; by the rule of the power itself (CLASS-3, RACE-4)."""
    seat, card = move.seat, move.card
    index = power_index(move.extra)
    p = next((p for c, p in sources(g, seat) if c == card and p.index == index), None)
    if p is None:
        return _why_not_offered(g, seat, card, index) or _why_no_power(g, seat, card, index)
    why = _why_not_used(g, ctx, move, p)
    return None if why is None else by_its_rule(g.lib.defs[card], p, why)


def by_its_rule(d: CardDef, p: Power, why: Reason) -> Reason:
    """The same, by the rule that says so of this very power, where the pack names one."""
    part = _PART.get(why, "")
    if part == "cost":
        return why._replace(rule=price_rule(d, p))
    if why == r.WHOLE_HAND:
        return why._replace(rule=_PRICED["power"]) if d.kind == "power" else why
    if not part:
        return why
    plain = why.rule if part == "limit" and p.per in ("combat", "target") else _SPOKEN.get(d.kind, "CONF-1")
    return why._replace(rule=p.rules.get(part, p.rules.get("is", plain)))


# Chapters that speak of powers, and of their end; other cards speak for themselves.
_SPOKEN: Final = {"race": "RACE-4", "class": "CLASS-3"}
_ENDED: Final = {"race": "RACE-6", "class": "CLASS-5"}


# Which entry of a power's `rules` stands behind a refusal.
_PART: Final[dict[Reason, str]] = {
    r.ABILITY_TIME: "when",
    r.ABILITY_ROLE: "when",
    r.ABILITY_CONDITION: "if",
    r.ABILITY_SELF: "self",
    r.ABILITY_TARGET: "is",
    r.ABILITY_NO_TARGET: "is",
    r.STEAL_BIG: "is",
    r.ABILITY_USED: "limit",
    r.ABILITY_COST: "cost",
    r.COST_KIND: "cost",
}


def _why_no_power(g: Game, seat: int, card: int, index: int) -> Reason:
    """He has no such power (any more), or on an Item that gives him nothing now (FQ-GEN-3, CLASS-5, ITEM-7, ITEM-9)."""
    d = g.lib.defs[card]
    if card in items.own_items(g, seat) and 0 <= index < len(d.powers):
        return r.ITEM_IDLE if force.may_use(g, seat, card) else r.EQUIP_UNUSABLE
    if not 0 <= index < len(d.powers) or not (d.outside or front.sees(g, seat, card)):
        return r.ABILITY_NONE  # what a hidden card could do is nobody's business
    why = r.ACCESSORY_NONE if d.outside else r.ABILITY_NONE
    if card in g.discards[d.deck] and d.kind in _ENDED:  # the power ended with its card
        return why._replace(rule=_ENDED[d.kind])
    return why._replace(rule=d.powers[index].rules.get("is", _SPOKEN.get(d.kind, why.rule)))


def _why_not_offered(g: Game, seat: int, card: int, index: int) -> Reason | None:
    """What a monster offers is for those who fight it: its card says so (CONF-1)."""
    foe = fights.find_foe(g.fight, card) if g.fight is not None and not fights.in_fight(g, seat) else None
    return r.NOT_OFFERED if foe is not None and 0 <= index < len(g.lib.defs[foe.face].powers) else None


def _why_not_now(g: Game, ctx: int, move: Move, p: Power) -> Reason:
    """Used up, or not for him, before what comes first and the wrong moment."""
    if p.times and times_used(g, move.seat, p, move.target) >= p.times:
        return r.ABILITY_USED
    return r.ABILITY_ROLE if cx.fits(ctx, p.alts, 0) else first(g) or r.ABILITY_TIME


def _why_not_used(g: Game, ctx: int, move: Move, p: Power) -> Reason | None:
    seat, card, target = move.seat, move.card, move.target
    stolen = _why_not_stolen(g, seat, p, target)
    if stolen is not None:
        return stolen
    if p.epic and not nature.epic_powers(g, seat):
        return r.NOT_EPIC
    if not cx.fits(ctx, p.alts, p.by):
        return _why_not_now(g, ctx, move, p)
    if p.gain and not levels.stealable(g, seat, seat_of(target)):
        return ways.why_no_theft(g, seat)
    unpaid = why_no_price(g, seat, card, p)
    if unpaid is not None:
        return unpaid
    found: list[Move] = []
    _power_moves(g, seat, ctx, card, p, found)
    if move in found:
        return None
    if ctx & cx.BYSTANDER:
        shut = interfering.why_no_power(g, p.alts, target)
        if shut is not None:
            return shut
    return _why_not_at(g, seat, card, p, target)


def _why_not_stolen(g: Game, seat: int, p: Power, target: int) -> Reason | None:
    """Nobody steals in a fight, nor from somebody in one, and nothing that is Big (CLASS-11..CLASS-13)."""
    if p.on not in ("rival_small_item", "rival_item"):
        return None
    if fights.in_fight(g, seat):
        return r.STEAL_FIGHTING
    owner = front.owner(g, target)
    if owner < 0 or p.on == "rival_item":
        return None
    if fights.in_fight(g, owner):
        return r.STEAL_FROM_FIGHTER
    if goods.is_big(g, target):
        return r.STEED_NOT_STOLEN if g.lib.defs[target].kind == "steed" else r.STEAL_BIG
    return None


def _why_not_at(g: Game, seat: int, card: int, p: Power, target: int) -> Reason:
    """The power could be used, but there is nothing to use it on, or not that."""
    found = [NONE] if p.on == "nothing" else _places(g, seat, card, p)
    if target in found:
        return _why_not_on(g, seat, card, p, target) or r.ABILITY_TARGET
    if p.on in ("rival_item", "rival_small_item") and front.shielded(g, target, "taken"):
        return r.ABILITY_SHIELDED
    if p.on == "enhancer" and enemies.boosted(g, target):
        return r.ENHANCER_SAFE
    if target != NONE:
        return r.ABILITY_SELF if seat_of(target) == seat else r.ABILITY_TARGET
    why = [_why_not_on(g, seat, card, p, t) for t in found]
    return next((x for x in why if x is not None), r.ABILITY_NO_TARGET) if None not in why else r.ABILITY_TARGET


def why_no_payment(g: Game, f: Pay, asked: Ask, card: int) -> Reason:
    """Why that card does not pay for the power that has been announced (FQ-CARD-23, CURSE-7, CLASS-6)."""
    p = power_of(g, f.seat, f.card, f.ability)
    return by_its_rule(g.lib.defs[f.card], p, _why_not_spent(g, f, card))


def _why_not_spent(g: Game, f: Pay, card: int) -> Reason:
    me = g.players[f.seat]
    if card not in me.hand and card not in me.table:
        return r.COST_NOT_YOURS if not_yours(g, card) is r.NOT_YOURS else r.GONE
    if card == f.card:
        return r.OWN_CARD_COST
    if card in me.table and g.lib.defs[card].is_curse:
        return r.CURSE_COST
    return r.COST_STUCK if front.suppressed(g, card) else r.COST_KIND


def power_of(g: Game, seat: int, card: int, index: int) -> Power:
    fight = g.fight
    if fight is not None:
        foe = fights.find_foe(fight, card)
        if foe is not None:
            return g.lib.defs[foe.face].powers[index]
    return g.lib.defs[card].powers[index]


def do_use(g: Game, move: Move) -> None:
    p = power_of(g, move.seat, move.card, power_index(move.extra))
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
        rule = price_rule(g.lib.defs[f.card], p)
        ask(g, f.seat, options, low=n, high=n, card=f.card, about="pay", rule=rule, cancel=True)
        return True
    g.stack.pop()
    if f.ans == (NONE,):
        return True
    paid = sum(g.lib.defs[c].bonus + enemies.levels_added(g, c) for c in f.ans)
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
        uses.use(g, p.per, seat, p.key, target)
    g.emit("use", seat, card, target, rule="CLASS-3")
    if p.cost_self and card in g.players[seat].table:
        zones.discard_in_play(g, seat, card, zones.COST, "CLASS-6")
    elif p.cost_self and g.accessories and card in g.accessories[seat]:
        accessories.destroy(g, seat, card)
    if p.prog >= 0:
        fight = g.fight
        foe = card if fight is not None and fights.find_foe(fight, card) is not None else -1
        cause = curses.SHIELD if p.by == cx.VICTIM else "ability"
        g.stack.append(Effect(p.prog, card, seat, seat, target, foe, n=paid, cause=cause))


USING: Final[Action] = Action(why_not, do_use)
