"""Help and trade: what is in it for each side, who can be trusted with a win."""

from __future__ import annotations

from typing import Final

from kickdoor.bots import plans
from kickdoor.bots.greedy import first_pick
from kickdoor.bots.seat import Choice, Fray, Said, Seat
from kickdoor.bots.standing import near
from kickdoor.bots.values import LEVEL, harm, power, worth
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, seat_of

TREASURE: Final = 2.5
RIVAL: Final = 0.25  # what a rival's gain costs me


# -- what help is worth -------------------------------------------------------------------------------------------


def turns_it(seat: Seat, fray: Fray, helper: int) -> bool:
    """Would the fight be won with that helper?"""
    total = fray.ours + seat.strength(helper)
    tie = seat.has(fray.main, "wins_ties") or seat.has(helper, "wins_ties")
    return total > fray.theirs or (tie and total == fray.theirs)


def helpers_gain(seat: Seat, fray: Fray, helper: int, treasures: int) -> float:
    """What helping brings the helper: his share, and an Elf's level."""
    level = LEVEL * len(fray.foes) if seat.has(helper, "helper_level") else 0.0
    return TREASURE * treasures + level


def rivals_gain(seat: Seat, fray: Fray, treasures: int) -> float:
    """What the main player gets out of being helped, seen from my chair."""
    main = fray.main
    weight = RIVAL * (2.5 if near(seat, main) else 1.6 if seat.level(main) > seat.level(seat.seat) else 1.0)
    spared = sum((0.25 * harm(seat, x.face, main) for x in fray.foes), 0.0)
    return weight * (LEVEL * fray.levels + TREASURE * (fray.treasures - treasures) + spared)


def price(seat: Seat, fray: Fray) -> int:
    """The smallest share for which I help; more than there is when no share would do."""
    if plans.wins_game(seat, fray) or not turns_it(seat, fray, seat.seat):
        return fray.treasures + 99
    if plans.lifted(seat, fray, seat.seat):
        return 0
    liked = seat.regard(fray.main)
    for n in range(fray.treasures + 1):
        if helpers_gain(seat, fray, seat.seat, n) + liked > rivals_gain(seat, fray, n) + 0.3:
            return n
    return fray.treasures + 99


# -- answering ----------------------------------------------------------------------------------------------------


def reply(seat: Seat) -> Choice | None:
    """Answer the offer that lies before me, if there is one."""
    for offer in seat.offers:
        if offer.to != seat.seat:
            continue
        said = {m.verb: m for m in seat.moves if seat_of(m.target) == offer.by and m.verb in _REPLIES}
        no = said.get(mv.DECLINE)
        if no is None:
            continue
        if mv.ACCEPT not in said:
            return Choice(no, "Too late for that.")
        if offer.trade:
            return _trade(seat, offer, said[mv.ACCEPT], no)
        return _help(seat, offer, said, no)
    return None


_REPLIES: Final = frozenset({mv.ACCEPT, mv.DECLINE, mv.COUNTER})


def _trade(seat: Seat, offer: Said, yes: Move, no: Move) -> Choice:
    get = sum((worth(seat, c) for c in offer.give), 0.0)
    give = sum((worth(seat, c) for c in offer.get), 0.0)
    if get > give + 0.5 + (1.5 if near(seat, offer.by) else 0.0):
        return Choice(yes, "A good bargain, for me.")
    return Choice(no, "Not worth it.")


def _help(seat: Seat, offer: Said, said: dict[int, Move], no: Move) -> Choice:
    fray = seat.fray
    if fray is None:
        return Choice(no, "There is no fight.")
    if fray.main == seat.seat:
        return _volunteered(seat, offer, fray, said[mv.ACCEPT], no)
    if plans.wins_game(seat, fray):
        return Choice(no, "And let you win the game? No.")
    if not turns_it(seat, fray, seat.seat):
        return Choice(no, "Even together we lose.")
    least = price(seat, fray)
    pay = offer.treasures + sum((worth(seat, c) for c in offer.items), 0.0) / TREASURE
    if pay >= least:
        return Choice(said[mv.ACCEPT], "It pays.")
    countered = any(m.verb == mv.COUNTER for m in seat.mine)
    if least <= fray.treasures and mv.COUNTER in said and not countered:
        return Choice(said[mv.COUNTER], "For a little more, perhaps.")
    return Choice(no, "What is in it for me?")


def _volunteered(seat: Seat, offer: Said, fray: Fray, yes: Move, no: Move) -> Choice:
    """Somebody offers to help me."""
    if fray.winning:
        return Choice(no, "I can manage.")
    if not turns_it(seat, fray, offer.by):
        return Choice(no, "Even together we lose.")
    if plans.wins_game(seat, fray):
        return Choice(yes, "Take it all. I take the game.")
    if plans.lifted(seat, fray, offer.by):
        return Choice(no, "You would win the game by it.")
    mine = LEVEL * fray.levels + TREASURE * (fray.treasures - offer.treasures)
    mine += sum((0.5 * harm(seat, x.face) for x in fray.foes), 0.0)
    mine -= sum((worth(seat, c) for c in offer.items), 0.0)
    his = helpers_gain(seat, fray, offer.by, offer.treasures)
    if mine > RIVAL * his + 0.5:
        return Choice(yes, "Better than running.")
    return Choice(no, "That is robbery.")


# -- asking -------------------------------------------------------------------------------------------------------


def asked_before(seat: Seat, target: int) -> int:
    """How often I asked this player this turn."""
    return sum(1 for m in seat.mine if m.verb == mv.ASK_HELP and m.target == target)


def seek_help(seat: Seat, fray: Fray) -> Choice | None:
    """Ask whoever can turn the fight, the cheapest first: little for him, and little to fear from him."""
    if seat.waiting:
        return None
    last = plans.wins_game(seat, fray)
    if seat.style.proud and not last:
        return None
    best: tuple[float, Move] | None = None
    for m in seat.of(mv.ASK_HELP):
        s = seat_of(m.target)
        if not last and plans.lifted(seat, fray, s):
            continue  # he would win the game by it
        tries = asked_before(seat, m.target)
        if tries > 1 or (tries and fray.treasures < 2) or not turns_it(seat, fray, s):
            continue
        dear = seat.level(s) + 2.0 * seat.has(s, "helper_level") * len(fray.foes) + 3.0 * tries
        if best is None or (dear, m) < best:
            best = (dear, m)
    if best is None:
        return None
    return Choice(best[1], f"{seat.name(seat_of(best[1].target))} could turn this.")


def would_volunteer(seat: Seat, fray: Fray) -> bool:
    """Is somebody else's lost fight worth an offer of mine?"""
    if fray.helper >= 0 or fray.treasures < 1 or any(m.verb == mv.OFFER_HELP for m in seat.mine):
        return False
    return not fray.winning and price(seat, fray) <= fray.treasures


def volunteer(seat: Seat, fray: Fray) -> Choice | None:
    """Offer help for a share, once a turn, where it turns the fight and does not end the game."""
    if would_volunteer(seat, fray) and not seat.offered(fray.main):
        for m in seat.of(mv.OFFER_HELP):
            return Choice(m, "There is Treasure in it.")
    return None


# -- putting terms together ---------------------------------------------------------------------------------------


def draft(seat: Seat, about: str) -> Choice:
    """Put the terms together, then say them aloud."""
    if about == "trade":
        return draft_trade(seat)
    verbs = {m.verb: m for m in seat.moves}
    fray = seat.fray
    if fray is None:
        return Choice(verbs[mv.CANCEL], "Too late for that.")
    share = _share(seat, fray)
    last = seat.mine[-1] if seat.mine else None
    if last is None or last.verb != mv.ADD:
        for m in seat.moves:
            if m.verb == mv.ADD and m.extra == mv.treasures_code(share):
                return Choice(m, f"{share} of {fray.treasures} sounds fair.")
    if mv.PROPOSE not in verbs:
        return first_pick(seat)
    return Choice(verbs[mv.PROPOSE], f"{share} of {fray.treasures} Treasures, and that is that.")


def _share(seat: Seat, fray: Fray) -> int:
    """How many Treasures I offer, or ask for."""
    if fray.main == seat.seat:
        if plans.wins_game(seat, fray):
            return fray.treasures
        tries = max((asked_before(seat, m.target) for m in seat.mine if m.verb == mv.ASK_HELP), default=1)
        usual = 1 if tries <= 1 else (fray.treasures + 1) // 2
        return min(fray.treasures, max(1, usual + seat.style.share))
    return min(fray.treasures, max(price(seat, fray), (fray.treasures + 1) // 2))


# -- trades -------------------------------------------------------------------------------------------------------


def bargain(seat: Seat) -> tuple[int, int, int] | None:
    """(whom, what I give, what I get): an Item that is no use to me for one that is no use to him."""
    mine = [c for c in seat.table(seat.seat) if _idle_item(seat, c)]
    if not mine:
        return None
    best: tuple[float, tuple[int, int, int]] | None = None
    for s in seat.rivals():
        if near(seat, s):
            continue
        for want in seat.table(s):
            if not _idle_item(seat, want) or power(seat, want) < 2 or not better(seat, want):
                continue
            for give in mine:
                gain = worth(seat, want) - worth(seat, give)
                if gain > 1 and useful_to(seat, give, s) and (best is None or gain > best[0]):
                    best = (gain, (s, give, want))
    return best[1] if best is not None else None


def _idle_item(seat: Seat, card: int) -> bool:
    """Does an Item on the table do nothing for its owner?"""
    d = seat.defs[card]
    return d.kind == "item" and not seat.in_use(card) and card not in seat.hosts and d.gold is not None


def better(seat: Seat, card: int) -> bool:
    """Would I use this Item rather than what I have in its place?"""
    d = seat.defs[card]
    rivals = [c for c in seat.table(seat.seat) if seat.in_use(c) and seat.defs[c].slot == d.slot and d.slot != "none"]
    return power(seat, card) > max((power(seat, c) for c in rivals), default=0.0)


def useful_to(seat: Seat, card: int, who: int) -> bool:
    """Could this player use the Item, and would he, rather than what he wears?"""
    d = seat.defs[card]
    traits = seat.traits(who)
    if (d.usable_by and not d.usable_by & traits) or d.not_usable_by & traits:
        return False
    worn = [seat.defs[c].bonus for c in seat.table(who) if seat.in_use(c) and seat.defs[c].slot == d.slot]
    return d.slot == "none" or d.bonus > max(worn, default=0)


def offer_trade(seat: Seat) -> Choice | None:
    """Begin a trade, once a turn."""
    if any(m.verb == mv.TRADE for m in seat.mine):
        return None
    deal = bargain(seat)
    if deal is None:
        return None
    for m in seat.moves:
        if m.verb == mv.TRADE and seat_of(m.target) == deal[0]:
            return Choice(m, f"{seat.name(deal[0])} has something I could use.")
    return None


def draft_trade(seat: Seat) -> Choice:
    """Give, get, say it; or drop it."""
    verbs = {m.verb: m for m in seat.moves}
    deal = bargain(seat)
    if deal is not None:
        for card in deal[1:]:
            for m in seat.moves:
                if m.verb == mv.ADD and m.card == card:
                    return Choice(m, f"{seat.defs[card].name} goes into the bargain.")
    if mv.PROPOSE in verbs and deal is not None:
        return Choice(verbs[mv.PROPOSE], "We would both be better off.")
    return Choice(verbs[mv.CANCEL], "On second thoughts, no.")
