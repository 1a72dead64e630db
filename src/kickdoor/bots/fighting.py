"""In and around a fight: turn it, bargain, spoil it, or get away."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from kickdoor.bots import bargaining, turning
from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.values import SEVERE, harm, worth
from kickdoor.engine import moves as mv
from kickdoor.engine.moves import MONSTERS, MUNCHKINS, Move, seat_of


class Push(NamedTuple):
    """A move and by how much it shifts the fight towards the one who makes it, and what it costs him."""

    gain: int
    cost: float
    move: Move


def let_be(seat: Seat, why: str = "") -> Choice:
    """Pass, or the first thing that is allowed where nobody may pass."""
    return Choice(next((m for m in seat.moves if m.verb == mv.PASS), seat.moves[0]), why)


def in_fight(seat: Seat, chance: random.Random) -> Choice:
    """By role: mine, the one I help in, or somebody else's."""
    fight = seat.view["fight"]
    if fight["fleeing"]:
        return flee(seat, fight)
    if seat.seat == fight["main"]:
        return my_fight(seat, fight)
    if seat.seat == fight["helper"]:
        return win_it(seat, fight, spend=2) or let_be(seat)
    return others_fight(seat, fight, chance)


# -- my own -------------------------------------------------------------------------------------------------------


def my_fight(seat: Seat, fight: dict[str, Any]) -> Choice:
    if fight["winning"]:
        return let_be(seat, "I have got this.")
    last = bargaining.would_win_game(seat, fight)
    risk = max((harm(seat, x["face"]) for x in fight["foes"] if x["active"]), default=0.0)
    spend = 4 if last else 3 if risk >= SEVERE else 2
    cheap = win_it(seat, fight, spend=1)
    if cheap is not None:
        return cheap
    if any(o["by"] == seat.seat for o in seat.view["offers"]):
        return let_be(seat, "Waiting for an answer.")
    if not last:
        help_ = bargaining.seek_help(seat, fight)
        if help_ is not None:
            return help_
    return win_it(seat, fight, spend) or rid(seat, fight) or let_be(seat, "I am not winning this one.")


def win_it(seat: Seat, fight: dict[str, Any], spend: int) -> Choice | None:
    """Turn the fight with at most `spend` cards, or not at all; the smallest card that does it first."""
    if fight["winning"]:
        return None
    tie = bargaining.wins_ties(seat, fight["main"], fight["helper"])
    need = fight["monsters"] - fight["munchkins"] + (0 if tie else 1)
    if need <= 0:
        return None  # stronger, and still not winning: this one cannot be beaten
    pushes = sorted(_mine(seat), key=lambda p: (-p.gain, p.cost, p.move))
    cards: set[int] = set()
    total = 0
    for p in pushes:
        if p.move.card not in cards or p.move.verb == mv.USE:
            cards.add(p.move.card)
            total += p.gain
            if len(cards) >= spend:
                break
    if total < need:
        return None
    enough = [p for p in pushes if p.gain >= need]
    best = min(enough, key=lambda p: (p.cost, p.gain, p.move)) if enough else pushes[0]
    return Choice(best.move, "That turns the fight." if enough else "A start.")


def _mine(seat: Seat) -> list[Push]:
    """What I could add to the munchkins' side, or take from the monsters'."""
    out = []
    for m in seat.moves:
        if m.verb == mv.PLAY:
            d = seat.defs[m.card]
            mode = seat.mode(m)
            if mode is None:
                continue
            if m.target == MUNCHKINS and mode.op == "side_bonus":
                out.append(Push(d.bonus, worth(seat, m.card), m))
            elif mode.op == "enhance_monster" and d.bonus < 0:
                out.append(Push(-d.bonus, worth(seat, m.card), m))
            elif mode.wins_fight:
                out.append(Push(99, worth(seat, m.card), m))
            else:
                out += _by_steps(seat, m, m.target == MUNCHKINS or mode.on == "munchkins")
        elif m.verb == mv.USE:
            out += _by_steps(seat, m, True)
    return [p for p in out if p.gain > 0]


def _by_steps(seat: Seat, m: Move, ours: bool) -> list[Push]:
    steps = {s.verb: s.a for s in seat.does(m)}
    price = 2.5 if m.verb == mv.USE else worth(seat, m.card)
    if "bonus" in steps and ours and isinstance(steps["bonus"].amount, int):
        return [Push(steps["bonus"].amount, price, m)]
    if "double" in steps:
        return [Push(seat.me["strength"], price, m)]
    if "compel_help" in steps:
        return [Push(seat.view["players"][seat_of(m.target)]["strength"], 0.0, m)]
    return []


def rid(seat: Seat, fight: dict[str, Any]) -> Choice | None:
    """Send the monsters away, or the fight to somebody else."""
    risk = max((harm(seat, x["face"]) for x in fight["foes"] if x["active"]), default=0.0)
    active = sum(x["active"] for x in fight["foes"])
    for m in seat.moves:
        if m.verb not in (mv.PLAY, mv.USE):
            continue
        for s in seat.does(m):
            if s.verb == "remove_monster" and (active == 1 or s.a.which == "all"):
                if m.verb == mv.PLAY or risk >= SEVERE:
                    return Choice(m, "Gone is as good as dead.")
            elif s.verb == "transfer_fight" and seat_of(m.target) == turning.leader(seat):
                return Choice(m, "Your problem now.")
    return None


# -- somebody else's ----------------------------------------------------------------------------------------------


def others_fight(seat: Seat, fight: dict[str, Any], chance: random.Random) -> Choice:
    """Stop a winner with all I have; trip the leader with one card; earn a share; or watch."""
    if bargaining.would_win_game(seat, fight):
        if fight["winning"]:
            return spoil(seat, fight, all_in=True) or let_be(seat, "I cannot stop this.")
        return let_be(seat)
    if fight["winning"]:
        ahead = seat.view["players"][fight["main"]]["level"] >= max(3, seat.me["level"])
        if ahead and fight["main"] == turning.leader(seat) and chance.random() < 0.6:
            return spoil(seat, fight, all_in=False) or let_be(seat)
        return let_be(seat)
    return bargaining.volunteer(seat, fight) or let_be(seat)


def spoil(seat: Seat, fight: dict[str, Any], all_in: bool) -> Choice | None:
    """Make the munchkins lose: with one card, or, against a winner, with as many as it takes."""
    need = fight["munchkins"] - fight["monsters"]
    pushes = sorted(_against(seat, fight), key=lambda p: (p.cost, p.gain, p.move))
    who = seat.name(fight["main"])
    for p in pushes:
        if p.gain >= need:
            return Choice(p.move, f"Not today, {who}.")
    if not all_in or not pushes:
        return None
    best = max(pushes, key=lambda p: (p.gain, -p.cost, p.move))
    return Choice(best.move, f"Somebody has to stop {who}.")


def _against(seat: Seat, fight: dict[str, Any]) -> list[Push]:
    """What I could throw at the munchkins."""
    out = []
    for m in seat.moves:
        if m.verb not in (mv.PLAY, mv.USE):
            continue
        gain = _damage(seat, m, fight)
        if gain > 0:
            out.append(Push(gain, 2.5 if m.verb == mv.USE else worth(seat, m.card), m))
    return out


def _damage(seat: Seat, m: Move, fight: dict[str, Any]) -> int:
    """By how much a move hurts the munchkins in the fight."""
    d = seat.defs[m.card]
    if m.verb == mv.PLAY:
        mode = seat.mode(m)
        op = mode.op if mode is not None else ""
        if op == "side_bonus":
            return d.bonus if m.target == MONSTERS else 0
        if op == "enhance_monster":
            twins = sum(1 for x in fight["foes"] if x["active"]) if d.bonus > 0 else 0
            return d.bonus if twins else 0
        if op == "join":
            return d.level
        if op == "curse":
            return _curse_damage(seat, m, fight)
    steps = {s.verb: s.a for s in seat.does(m)}
    if "add_monster" in steps and m.extra >= 0:
        return seat.defs[m.extra].level
    if "clone_monster" in steps:
        return next((x["strength"] for x in fight["foes"] if x["card"] == m.target), 0)
    if "replace_monster" in steps and m.extra >= 0:
        old = next((x["strength"] for x in fight["foes"] if x["card"] == m.target), 0)
        return seat.defs[m.extra].level - int(old)
    if "penalty" in steps and isinstance(steps["penalty"].amount, int):
        return steps["penalty"].amount
    if "bonus" in steps and m.target == MONSTERS and isinstance(steps["bonus"].amount, int):
        return steps["bonus"].amount
    return 0


def _curse_damage(seat: Seat, m: Move, fight: dict[str, Any]) -> int:
    """A Curse on the main player: what it takes from his strength, or from his level."""
    d = seat.defs[m.card]
    worn = seat.view["players"][fight["main"]]["equipped"]
    if seat_of(m.target) != fight["main"] and m.target not in worn:
        return 0
    if d.curses_item:
        return -d.bonus if worn else 0
    n = -sum(x.amount for x in d.mods.get("strength", ()))
    gear = [seat.defs[c].bonus for c in worn]
    for step in seat.steps(d.prog_effect):
        if step.verb == "lose_level":
            n += step.a.amount if isinstance(step.a.amount, int) else 1
        elif step.verb == "discard" and gear:
            n += 1
    return n + (sum(gear) // 2 if "no_item_bonuses" in d.mods else 0)


# -- running, dice, Curses ----------------------------------------------------------------------------------------


def flee(seat: Seat, fight: dict[str, Any]) -> Choice:
    """Get away without a roll if the roll is too dear; else roll, the worst monster first."""
    runs = [m for m in seat.moves if m.verb == mv.RUN]
    mine = seat.seat in (fight["main"], fight["helper"])
    risk = max((harm(seat, x["face"]) for x in fight["foes"] if x["active"]), default=0.0)
    if mine and risk >= SEVERE:
        for m in seat.moves:
            if m.verb in (mv.PLAY, mv.USE):
                verbs = {s.verb for s in seat.does(m)}
                if verbs & {"escape", "remove_monster"} and seat_of(m.target) in (-1, seat.seat):
                    return Choice(m, "Not worth the risk.")
            elif m.verb == mv.SACRIFICE and risk >= 6:
                return Choice(m, "It is what he is paid for.")
    if runs:
        return Choice(max(runs, key=lambda m: (_face_harm(seat, fight, m.card), -m.card)), "Run!")
    return let_be(seat)


def _face_harm(seat: Seat, fight: dict[str, Any], card: int) -> float:
    face = next((x["face"] for x in fight["foes"] if x["card"] == card), card)
    return harm(seat, face)


def at_roll(seat: Seat) -> Choice:
    """Change my own failed roll if what follows is worth more than what it costs."""
    roll = seat.moment
    if roll.seat != seat.seat or not roll.need or roll.result >= roll.need:
        return let_be(seat)
    if roll.card < 0 or harm(seat, roll.card) < 2:
        return let_be(seat, "It will not hurt much.")
    for m in seat.moves:
        if m.verb not in (mv.PLAY, mv.USE):
            continue
        verbs = {s.verb: s.a for s in seat.does(m)}
        if "roll_bonus" in verbs and roll.need - roll.result > min(3, len(seat.me["hand"])):
            continue
        if verbs.keys() & {"reroll", "set_die", "escape", "roll_bonus", "remove_monster"}:
            return Choice(m, "Let us say that did not happen.")
    return let_be(seat)


def at_curse(seat: Seat) -> Choice:
    """Cancel what strikes me if it hurts."""
    if seat.moment.seat == seat.seat and harm(seat, seat.moment.card) >= 2:
        for m in seat.moves:
            if m.verb in (mv.PLAY, mv.USE) and any(s.verb == "cancel_curse" for s in seat.does(m)):
                return Choice(m, "Oh no you don't.")
    return let_be(seat)
