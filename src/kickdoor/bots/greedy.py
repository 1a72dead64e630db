"""A bot that takes what helps it now: arms itself, fights what it beats, helps for a Treasure, and never looks up.

It asks for help only to save its skin, because that means sharing; and it is short-sighted, because what others are
up to is not its concern. It is quick as well, because it looks only at what it needs.
"""

from __future__ import annotations

from typing import Final

from kickdoor.bots import dressing
from kickdoor.bots.routine import routine
from kickdoor.bots.seat import Choice, Fray, Seat
from kickdoor.bots.values import foe_strength, harm, worth
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import MUNCHKINS, Move, seat_of

# What may come to nothing, and then looks just as good as before.
REPEATED: Final = frozenset({mv.SELL, mv.EQUIP, mv.UNEQUIP, mv.ASK_HELP, mv.OFFER_HELP, mv.USE, mv.TRADE})
TAKING: Final = frozenset({"loot", "share", "retrieve", "take", "companion"})
TREASURE: Final = 2.5  # what an unseen Treasure is worth
SKIN: Final = 4.0  # from what harm on it would rather share
WINDOWS: Final = frozenset({"roll", "curse", "window", "flee", "draw"})


class GreedyBot:
    """Deterministic: the same seat and situation give the same move."""

    def __init__(self, seed: int = 0, name: str = "greedy") -> None:
        self.seed = seed
        self.name = name

    def idle(self, seat: Seat) -> bool:
        """What others fight, roll and suffer is theirs; an offer is worth a look."""
        frame = seat.frame
        if frame == "combat":
            return not seat.fighting and not seat.asked_for_an_answer
        if frame == "turn":
            return seat.turn != seat.seat and not seat.asked_for_an_answer
        if frame in ("roll", "curse", "window"):
            return seat.moment.seat != seat.seat
        return frame == "flee" and not seat.fighting

    def choose(self, seat: Seat) -> Choice:
        """Answer the question, fight the fight, or get on with the turn."""
        seat.forget(REPEATED, 2)
        frame = seat.frame
        if frame in ("ask", "draft", "surplus"):
            return answer(seat, frame)
        if frame in WINDOWS:
            return in_need(seat)
        if seat.asked_for_an_answer:
            said = reply(seat)
            if said is not None:
                return said
        return in_fight(seat) if seat.fray is not None else own_turn(seat)

    def interject(self, seat: Seat) -> Choice | None:
        """Only to answer."""
        return reply(seat) if seat.asked_for_an_answer else None


def done(seat: Seat, why: str = "") -> Choice:
    """Pass, or the first thing that is allowed where nobody may pass."""
    passing = seat.of(mv.PASS)
    return Choice(passing[0] if passing else seat.moves[0], why)


# -- the own turn -------------------------------------------------------------------------------------------------


def own_turn(seat: Seat) -> Choice:
    """The first thing on the list that can be done."""
    got = dressing.fresh_cards(seat) or dressing.gear(seat) or rise(seat) or dressing.selling(seat, 2.5)
    if got is not None:
        return got
    if seat.of(mv.TROUBLE):
        fight = trouble(seat)
        if fight is not None:
            return fight
    if seat.of(mv.CHARITY):
        kept = dressing.lay_down(seat)
        if kept is not None:
            return kept
    return routine(seat)


def rise(seat: Seat) -> Choice | None:
    """Go up a level where a card says so."""
    for m in seat.of(mv.PLAY):
        mine = seat_of(m.target) == seat.seat and seat.defs[m.card].kind == "go_up_a_level"
        if mine and not any(s.verb == "kill_companion" for s in seat.does(m)):
            return Choice(m, "A level is a level.")
    return None


def trouble(seat: Seat) -> Choice | None:
    """A monster of my own that I beat, the one that pays best."""
    mine = seat.strength(seat.seat)
    mine += round(seat.style.daring)
    can = [m for m in seat.of(mv.TROUBLE) if foe_strength(seat, seat.defs[m.card]) < mine]
    if not can:
        return None
    best = max(can, key=lambda m: (seat.defs[m.card].levels, seat.defs[m.card].treasures, m.card))
    return Choice(best, f"I can beat {seat.defs[best.card].name}.")


# -- fights -------------------------------------------------------------------------------------------------------


def in_fight(seat: Seat) -> Choice:
    """Win it with a card or two, or, if it would hurt, with somebody's help."""
    fray = seat.fray
    assert fray is not None
    if fray.winning or seat.seat not in (fray.main, fray.helper):
        return done(seat, "I have got this." if fray.winning else "")
    need = fray.theirs - fray.ours + (0 if seat.has(seat.seat, "wins_ties") else 1)
    boost = _boost(seat, need)
    if boost is not None or seat.seat != fray.main or seat.waiting:
        return boost or done(seat, "We shall see.")
    return _beg(seat, fray) or done(seat, "I am not winning this one.")


def _beg(seat: Seat, fray: Fray) -> Choice | None:
    """Ask the strongest who could turn it, once, and only to save its skin: it would have to share."""
    pain = seat.style.fear * max(harm(seat, x.face) for x in fray.foes)
    if any(m.verb == mv.ASK_HELP for m in seat.mine) or pain < SKIN or seat.style.proud:
        return None
    asks = [(seat.strength(seat_of(m.target)), m) for m in seat.moves if m.verb == mv.ASK_HELP]
    force, move = max(asks, default=(0, None))
    if move is None or fray.ours + force <= fray.theirs:
        return None
    return Choice(move, f"{seat.name(seat_of(move.target))} could turn this.")


def _boost(seat: Seat, need: int) -> Choice | None:
    """The smallest one-shot that is enough, or the biggest of two that are."""
    found = []
    for m in seat.of(mv.PLAY):
        d = seat.defs[m.card]
        mode = seat.mode(m)
        if mode is not None and m.target == MUNCHKINS and mode.op == "side_bonus" and d.bonus > 0:
            found.append((d.bonus, m))
        elif mode is not None and mode.op == "enhance_monster" and d.bonus < 0:
            found.append((-d.bonus, m))
    enough = [x for x in found if x[0] >= need]
    if enough:
        return Choice(min(enough)[1], "That turns the fight.")
    found.sort(reverse=True)
    if len(found) > 1 and found[0][0] + next((n for n, m in found if m.card != found[0][1].card), 0) >= need:
        return Choice(found[0][1], "A start.")
    return None


def reply(seat: Seat) -> Choice | None:
    """Yes to a Treasure, and to a trade that makes me stronger."""
    for offer in seat.offers:
        if offer.to != seat.seat:
            continue
        yes = no = None
        for m in seat.moves:
            if seat_of(m.target) == offer.by:
                yes = m if m.verb == mv.ACCEPT else yes
                no = m if m.verb == mv.DECLINE else no
        if no is None:
            continue
        if yes is None:
            return Choice(no, "Too late for that.")
        if offer.trade:
            get = sum((worth(seat, c) for c in offer.give), 0.0)
            good = get > sum((worth(seat, c) for c in offer.get), 0.0) + 0.5
            return Choice(yes, "A good bargain, for me.") if good else Choice(no, "Not worth it.")
        return _help(seat, offer.by, offer.treasures + len(offer.items), yes, no)
    return None


def _help(seat: Seat, by: int, pay: int, yes: Move, no: Move) -> Choice:
    fray = seat.fray
    if fray is None:
        return Choice(no, "There is no fight.")
    if fray.main == seat.seat:
        if fray.winning:
            return Choice(no, "I can manage.")
        return Choice(yes, "Better than running.") if pay < fray.treasures else Choice(no, "That is robbery.")
    if fray.ours + seat.strength(seat.seat) <= fray.theirs:
        return Choice(no, "Even together we lose.")
    if pay >= 1 - round(seat.regard(by) / TREASURE) or seat.has(seat.seat, "helper_level"):
        return Choice(yes, "It pays.")
    return Choice(no, "What is in it for me?")


def in_need(seat: Seat) -> Choice:
    """Running away, rolling, cursed: the first way out, and the worst monster first."""
    moves = seat.moves
    runs = [m for m in moves if m.verb == mv.RUN]
    frame = seat.frame
    mine = seat.moment.seat == seat.seat
    bad = frame == "curse" and mine and harm(seat, seat.moment.card) >= 4
    failed = frame == "roll" and mine and seat.moment.need > seat.moment.result and seat.moment.card >= 0
    if bad or (failed and harm(seat, seat.moment.card) >= 4):
        for m in moves:
            if m.verb in (mv.PLAY, mv.USE):
                verbs = {s.verb for s in seat.does(m)}
                if verbs & {"cancel_curse", "reroll", "set_die", "escape", "remove_monster"}:
                    return Choice(m, "Oh no you don't.")
    if runs:
        return Choice(max(runs, key=lambda m: (harm(seat, face_of(seat, m.card)), -m.card)), "Run!")
    return done(seat)


def face_of(seat: Seat, card: int) -> int:
    """The monster that a card in the fight is."""
    fray = seat.fray
    return next((x.face for x in fray.foes if x.card == card), card) if fray is not None else card


# -- questions ----------------------------------------------------------------------------------------------------


def answer(seat: Seat, frame: str) -> Choice:
    """What this seat is asked."""
    asked = seat.query
    if asked.about == "sell":
        return dressing.sell(seat, 2.5)
    moves = seat.moves
    if asked.about == "charity":
        return Choice(min(moves, key=lambda m: (worth(seat, m.card), m)), "I was not using it.")
    if asked.about in ("help", "trade"):
        return draft(seat, asked.about)
    picks = [m for m in moves if m.verb == mv.CHOOSE]
    if not picks:
        return Choice(moves[0], "There is nothing else to say.")
    if frame == "surplus" or asked.domain == fr.CARDS:
        rank = {m: worth(seat, m.card) + 0.5 * seat.in_use(m.card) for m in picks}
        if asked.about in TAKING:
            return Choice(max(picks, key=lambda m: rank[m]), "Best one first.")
        return Choice(min(picks, key=lambda m: rank[m]), "That one will be missed least.")
    if asked.domain in (fr.NUMBERS, fr.YESNO):
        return Choice(max(picks, key=lambda m: m.card), "High is good.")
    return Choice(picks[0], "The first offer sounds fine.")


def draft(seat: Seat, about: str) -> Choice:
    """Half of the Treasures, said aloud."""
    verbs = {m.verb: m for m in seat.moves}
    if about == "trade":
        return Choice(verbs[mv.CANCEL], "On second thoughts, no.")
    fray = seat.fray
    fair = (fray.treasures + 1) // 2 if fray is not None else 0
    if fray is not None and fair:
        fair = min(fray.treasures, max(1, fair + seat.style.share))
    last = seat.mine[-1] if seat.mine else None
    if fair and (last is None or last.verb != mv.ADD):
        for m in seat.moves:
            if m.verb == mv.ADD and m.extra == mv.treasures_code(fair):
                return Choice(m, "A fair share.")
    if mv.PROPOSE not in verbs:
        return first_pick(seat)
    return Choice(verbs[mv.PROPOSE], f"{fair} of the Treasures is fair.")


def first_pick(seat: Seat) -> Choice:
    """Who picks is part of the deal; the fighter first, as is usual (HELP-8)."""
    said = next((m for m in seat.moves if m.verb == mv.ADD and m.extra == mv.picks_code(mv.PICKS_MAIN)), None)
    return Choice(said if said is not None else seat.moves[-1], "Whose fight it is picks first.")
