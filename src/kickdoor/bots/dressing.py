"""Cards that go on the table, what to wear, and what to sell: the housekeeping of every bot with sense."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.values import best_gear, cheated, fits, power, recast, usable
from kickdoor.cards.library import CardDef
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import DOOR_CARD
from kickdoor.engine.value.moves import Move
from kickdoor.paper.grammar import article, capital

TRAIT: Final = 5  # the strength that a Race or Class, where there was none, is worth
CHANGE: Final = 3  # what my Items must gain for a change of it
CHEAT: Final = 2.0  # and for a Cheat!, which stays with one of them


def fresh_cards(seat: Seat) -> Choice | None:
    """Race, Class, Items, companions, a mount: down with what helps."""
    fought = _at_the_door(seat)
    if fought is not None:
        return fought
    for m in seat.of(mv.PLAY):
        if m.target >= 0 and m.card not in seat.hand:
            continue
        op = _op(seat, m)
        if op == "item":
            if _wanted(seat, m.card):
                return Choice(m, _why_item(seat, m.card))
        elif op == "trait":
            d = seat.defs[m.card]
            if m.target >= 0 and _suits(seat, d, m.target) >= CHANGE and not _both(seat, d.kind):
                return Choice(m, f"My things are made for {article(d.name)}.")
            if m.target < 0 and d.kind == "power" and _suits(seat, d) >= 0:
                return Choice(m, f"{d.name}, and room for it.")  # they stand side by side; the rules count the ranks
            if m.target < 0 and not _crowded(seat, d.kind) and _suits(seat, d) > -TRAIT:
                return Choice(m, f"{capital(article(d.name))} is better than nothing.")
        elif op in ("multi", "companion", "lasting"):
            return Choice(m, "That helps.")
        elif op == "portal" and not seat.played(m.card):  # another Door comes for it (PORTAL-11)
            return Choice(m, "Let us see where this leads.")
        elif op in ("steed", "ship"):
            if _rides(seat, m):
                return Choice(m, "Better to ride than to walk.")
        elif op == "attach" and m.target in seat.table(seat.seat) and _improves(seat, m):
            return Choice(_best_host(seat, m), "A good Item made better.")
    return cheat(seat)


def cheat(seat: Seat) -> Choice | None:
    """A card that waives all limits, when all that may be put down lies there: on the Item by which I gain most."""
    best: tuple[float, Move] | None = None
    for m in seat.of(mv.PLAY):
        if seat.defs[m.card].waives and _op(seat, m) == "attach":
            gain = cheated(seat, m.target)
            if gain >= CHEAT and (best is None or (gain, m) > best):
                best = (gain, m)
    return Choice(best[1], "Nobody said I could not.") if best is not None else None


def _rides(seat: Seat, m: Move) -> bool:
    """Is there room for a mount, or is it better than the one that makes way?"""
    return m.target < 0 or _mount(seat, m.card) > _mount(seat, m.target)


def _mount(seat: Seat, card: int) -> float:
    """What a mount does for me, with all that lies on it."""
    cards = [card, *(a for a, host in seat.hosts.items() if host == card)]
    return sum((seat.defs[c].bonus + 0.4 * seat.defs[c].run_away for c in cards), 0.0)


def _at_the_door(seat: Seat) -> Choice | None:
    """A mount met at the door is fought where I beat it and have a better one, or win by it (STEED-15)."""
    if seat.phase != DOOR_CARD:
        return None
    fight: Move | None = None
    for m in seat.of(mv.PLAY):
        if _op(seat, m) == "fight_it":
            fight = m
            break
    if fight is None or seat.defs[fight.card].level >= seat.strength(seat.seat):
        return None
    last = seat.level(seat.seat) + seat.defs[fight.card].levels >= seat.goal
    same = [m for m in seat.of(mv.PLAY) if m.card == fight.card]
    if last or not any(_op(seat, m) in ("steed", "ship") and _rides(seat, m) for m in same):
        return Choice(fight, "I have a horse. I could use a level.")
    return None


def _op(seat: Seat, m: Move) -> str:
    mode = seat.mode(m)
    return mode.op if mode is not None else ""


def _both(seat: Seat, kind: str) -> bool:
    """Do I hold a card that allows two such traits, so that neither need go?"""
    return any(seat.defs[c].multi == kind for c in seat.hand)


def _suits(seat: Seat, d: CardDef, instead: int = -1) -> int:
    """What a Race or Class, instead of another or of none, does to my Items: strength gained, or lost."""
    before = seat.traits(seat.seat)
    after = recast(seat, d, instead)
    table = seat.table(seat.seat)
    n = 0
    for c in (*table, *seat.hand):
        x = seat.defs[c]
        if x.kind == "item" and (x.usable_by or x.not_usable_by):
            n += x.bonus * (fits(x, after) - fits(x, before))
    if instead >= 0 and sum(seat.defs[c].big for c in table) > 1:
        return 0  # a second Big Item may hang on what would go
    return n


def _why_item(seat: Seat, card: int) -> str:
    return "Better on than in the bag." if usable(seat, card) else "Somebody will buy it."


def _crowded(seat: Seat, kind: str) -> bool:
    """Have I such a trait already, and no card that allows two?"""
    table = [seat.defs[c] for c in seat.table(seat.seat)]
    have = sum(d.kind == kind for d in table)
    return have > 0 and not (have == 1 and any(d.multi == kind for d in table))


def _wanted(seat: Seat, card: int) -> bool:
    """Small Items always; a Big one, which blocks the others, only if it is of use. One-shots stay in hand."""
    d = seat.defs[card]
    return d.kind != "one_shot" and (not d.big or power(seat, card) > 0)


def lay_down(seat: Seat) -> Choice | None:
    """Too many cards: a one-shot is as good on the table as in the hand."""
    if len(seat.hand) <= seat.hand_limit:
        return None
    for m in seat.of(mv.PLAY):
        mode = seat.mode(m)
        if mode is not None and mode.op in ("item", "lay") and seat.defs[m.card].kind == "one_shot":
            return Choice(m, "Within reach.")
    return None


def _best_host(seat: Seat, m: Move) -> Move:
    """The same card on the Item that gives most of those it improves."""
    mine = seat.table(seat.seat)
    same = [x for x in seat.of(mv.PLAY) if x.card == m.card and x.target in mine]
    return max((x for x in same if _improves(seat, x)), key=lambda x: (seat.defs[x.target].bonus, x == m))


def _improves(seat: Seat, m: Move) -> bool:
    if seat.defs[m.card].waives:
        return False  # its place is where I gain most by it
    return seat.in_use(m.target) or usable(seat, m.target)


def gear(seat: Seat) -> Choice | None:
    """Take up what is better than what is in use."""
    if not seat.of(mv.EQUIP) and not _bag(seat):
        return None
    changes = [m for m in seat.moves if m.verb in (mv.EQUIP, mv.UNEQUIP)]
    if not changes:
        return None
    best = best_gear(seat)
    turned = [m.card for m in seat.mine if m.verb in (mv.EQUIP, mv.UNEQUIP)]
    for m in changes:
        if m.verb == mv.EQUIP and turned.count(m.card) < 2 and (m.card in best or m.target >= 0):
            return Choice(m, "That makes me stronger.")
    if any(not seat.in_use(c) for c in best):
        for m in changes:
            if m.verb == mv.UNEQUIP and m.card not in best and turned.count(m.card) < 2:
                return Choice(m, "Room for something better.")
    return None


def _bag(seat: Seat) -> bool:
    """Is there an Item that I carry and do not use?"""
    return any(seat.defs[c].kind == "item" and not seat.in_use(c) for c in seat.table(seat.seat))


# -- selling ------------------------------------------------------------------------------------------------------


def selling(seat: Seat, limit: float) -> Choice | None:
    """Begin a sale when the plan for it is good: at most `limit` of strength lost for a level."""
    for m in seat.of(mv.SELL):
        if not any(x.verb == mv.CANCEL for x in seat.mine) and sale_plan(seat, limit):
            return Choice(m, "Junk for a level.")
    return None


def sale_plan(seat: Seat, limit: float) -> tuple[int, ...]:
    """The Items to sell for one level that I would miss least; empty if that is too dear."""
    cards = seat.sale_planned(limit)
    if cards is None:
        cards = _sale_plan(seat, limit)
        seat.plan_sale(limit, cards)
    return cards


class Lot:
    """An Item that could be sold: its price, and what its loss does to me."""

    __slots__ = ("card", "loss", "price")

    def __init__(self, card: int, price: int, loss: float) -> None:
        self.card = card
        self.price = price
        self.loss = loss


def _sale_plan(seat: Seat, limit: float) -> tuple[int, ...]:
    lots = _lots(seat, limit)
    if not lots:
        return ()
    double = seat.has(seat.seat, "sell_double")
    gold = dearest = 0
    for x in lots:
        gold += x.price
        dearest = max(dearest, x.price)
    if gold + (dearest if double else 0) < seat.sale:
        return ()
    return _cheapest(sorted(lots, key=_rate)[:8], seat.sale, limit, double)


def _lots(seat: Seat, limit: float) -> list[Lot]:
    """What I could sell, each for less than the limit."""
    best = best_gear(seat)
    out: list[Lot] = []
    for c in (*seat.hand, *seat.table(seat.seat)):
        d = seat.defs[c]
        if not d.is_item or not d.gold or d.is_companion or c in seat.hosts:
            continue
        loss = _miss(seat, c, best)
        if loss <= limit:
            out.append(Lot(c, d.gold, loss))
    return out


def _rate(lot: Lot) -> float:
    """What I lose for each piece of gold."""
    return lot.loss / lot.price


def _cheapest(lots: list[Lot], goal: int, limit: float, double: bool) -> tuple[int, ...]:
    """Which of these, five at most, bring the price of a level for the smallest loss."""
    least = limit + 0.001
    found: tuple[int, ...] = ()
    prices, losses = sorted([x.price for x in lots], reverse=True), sorted([x.loss for x in lots])
    most, floor = prices[0] if double else 0, 0.0
    for n in range(1, min(5, len(lots)) + 1):
        most += prices[n - 1]
        floor += losses[n - 1]
        if most < goal or floor >= least:
            continue  # so many bring too little, or cost too much, whichever they are
        for some in _some_of(len(lots), n):
            gold = dearest = 0
            for i in some:
                gold += lots[i].price
                dearest = max(dearest, lots[i].price)
            if double:
                gold += dearest
            if gold >= goal:
                loss = 0.0
                for i in some:
                    loss += lots[i].loss
                loss += 0.001 * gold / goal
                if loss < least:
                    least, found = loss, some
    return tuple([lots[i].card for i in found])


_COMBINED: Final[dict[int, list[tuple[int, ...]]]] = {}


def _some_of(count: int, n: int) -> list[tuple[int, ...]]:
    """All ways to take `n` of so many, by their places; asked again and again."""
    key = 8 * count + n
    got = _COMBINED.get(key)
    if got is None:
        got = _COMBINED[key] = list(combinations(range(count), n))
    return got


def _miss(seat: Seat, card: int, best: set[int]) -> float:
    """What the loss of an Item does to me, apart from its price."""
    d = seat.defs[card]
    if d.kind == "one_shot":
        return 0.4 + 0.3 * d.bonus
    if card in best:
        return power(seat, card)
    return 0.4 * power(seat, card) if card in seat.hand else 0.1


def sell(seat: Seat, limit: float) -> Choice:
    """Name the Items of the plan one by one, then close; the dearest twice where I may."""
    added = []
    for m in reversed(seat.mine):
        if m.verb == mv.SELL:
            break
        added.append(m.card)
    done = next((m for m in seat.moves if m.verb == mv.DONE), None)
    if done is not None:
        return Choice(done, "Sold.")
    plan = sale_plan(seat, limit)
    todo = [m for m in seat.moves if m.verb == mv.ADD and m.card in plan and m.card not in added]
    if todo:
        dear = max(todo, key=lambda m: (seat.defs[m.card].gold or 0, m.extra == mv.DOUBLE_PRICE))
        return Choice(dear, "For sale.")
    return Choice(next(m for m in seat.moves if m.verb == mv.CANCEL), "I keep it after all.")
