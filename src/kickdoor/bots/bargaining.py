"""Help and trade: what is fair, who can be trusted with a win."""

from __future__ import annotations

from typing import Any

from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.values import harm, traits, worth
from kickdoor.engine import moves as mv
from kickdoor.engine.moves import Move, seat_of


def would_win_game(seat: Seat, fight: dict[str, Any]) -> bool:
    """Would the main player reach the winning level with this fight?"""
    levels = sum(seat.defs[x["face"]].levels for x in fight["foes"] if x["active"])
    return bool(seat.view["players"][fight["main"]]["level"] + levels >= seat.goal_of(fight["main"]))


def wins_ties(seat: Seat, *people: int) -> bool:
    """Is somebody among these who wins a tie?"""
    players = seat.view["players"]
    return any("wins_ties" in seat.defs[c].mods for s in people if s >= 0 for c in players[s]["table"])


def turns_it(seat: Seat, fight: dict[str, Any], helper: int) -> bool:
    """Would the fight be won with that helper?"""
    total = fight["munchkins"] + seat.view["players"][helper]["strength"]
    tie = wins_ties(seat, fight["main"], helper)
    return bool(total > fight["monsters"] or (tie and total == fight["monsters"]))


def reply(seat: Seat) -> Choice | None:
    """Answer the offer that lies before me, if there is one."""
    for offer in seat.view["offers"]:
        if offer["to"] != seat.seat:
            continue
        yes = next((m for m in seat.moves if m.verb == mv.ACCEPT and seat_of(m.target) == offer["by"]), None)
        no = next((m for m in seat.moves if m.verb == mv.DECLINE and seat_of(m.target) == offer["by"]), None)
        if no is None:
            continue
        if yes is None:
            return Choice(no, "Too late for that.")
        if offer["kind"] == "trade":
            return _trade(seat, offer, yes, no)
        return _help(seat, offer, yes, no)
    return None


def _trade(seat: Seat, offer: dict[str, Any], yes: Move, no: Move) -> Choice:
    get = sum(worth(seat, c) for c in offer["give"])
    give = sum(worth(seat, c) for c in offer["get"])
    if get > give + 0.5:
        return Choice(yes, "A good bargain, for me.")
    return Choice(no, "Not worth it.")


def _help(seat: Seat, offer: dict[str, Any], yes: Move, no: Move) -> Choice:
    fight = seat.view["fight"]
    if fight is None:
        return Choice(no, "There is no fight.")
    if fight["main"] == seat.seat:
        return _volunteer(seat, offer, fight, yes, no)
    if would_win_game(seat, fight):
        return Choice(no, "And let you win the game? No.")
    if not turns_it(seat, fight, seat.seat):
        return Choice(no, "Even together we lose.")
    if offer["treasures"] or offer["items"]:
        return Choice(yes, "It pays.")
    if "elf" in traits(seat, seat.seat):
        return Choice(yes, "An Elf helps for the level.")
    return Choice(no, "What is in it for me?")


def _volunteer(seat: Seat, offer: dict[str, Any], fight: dict[str, Any], yes: Move, no: Move) -> Choice:
    if fight["winning"]:
        return Choice(no, "I can manage.")
    if not turns_it(seat, fight, offer["by"]):
        return Choice(no, "Even together we lose.")
    if offer["items"] or (offer["treasures"] >= fight["treasures"] and seat.me["level"] + 1 < seat.goal):
        risk = max((harm(seat, x["face"]) for x in fight["foes"] if x["active"]), default=0.0)
        if offer["items"] or risk < 2:
            return Choice(no, "That is robbery.")
    return Choice(yes, "Better than running.")


def asked_before(seat: Seat, target: int) -> int:
    """How often I asked this player this turn."""
    return sum(1 for m in seat.mine if m.verb == mv.ASK_HELP and m.target == target)


def seek_help(seat: Seat, fight: dict[str, Any]) -> Choice | None:
    """Ask whoever can turn the fight and is the least dangerous when he profits."""
    if any(o["by"] == seat.seat for o in seat.view["offers"]):
        return None
    players = seat.view["players"]
    asks = []
    for m in seat.moves:
        if m.verb == mv.ASK_HELP:
            s = seat_of(m.target)
            if turns_it(seat, fight, s) and not asked_before(seat, m.target):
                asks.append((players[s]["level"], s, m))
    if not asks:
        return None
    _, s, move = min(asks)
    return Choice(move, f"{seat.name(s)} could turn this.")


def volunteer(seat: Seat, fight: dict[str, Any]) -> Choice | None:
    """Offer help for a share, once a turn, where it turns the fight and does not end the game."""
    if any(m.verb == mv.OFFER_HELP for m in seat.mine) or would_win_game(seat, fight):
        return None
    if fight["winning"] or not turns_it(seat, fight, seat.seat) or fight["treasures"] < 2:
        return None
    for m in seat.moves:
        if m.verb == mv.OFFER_HELP:
            return Choice(m, "There is Treasure in it.")
    return None


def draft(seat: Seat, about: str) -> Choice:
    """Put the terms together: a fair share of the Treasures, then say it aloud."""
    by_verb = {m.verb: m for m in seat.moves}
    if about == "trade":
        return Choice(by_verb[mv.CANCEL], "On second thoughts, no.")
    fight = seat.view["fight"]
    total = fight["treasures"] if fight else 0
    fair = (total + 1) // 2 if fight and fight["main"] == seat.seat else total // 2
    want = next((m for m in seat.moves if m.verb == mv.ADD and m.extra == mv.ADD_TREASURES - fair), None)
    last = seat.mine[-1] if seat.mine else None
    if want is not None and fair and not (last is not None and last.verb == mv.ADD):
        return Choice(want, "A fair share.")
    return Choice(by_verb.get(mv.PROPOSE, seat.moves[-1]), f"{fair} of {total} Treasures is fair.")
