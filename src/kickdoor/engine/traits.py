"""Races, Classes and the cards that let one have two (RACE, CLASS, COMBO)."""

from __future__ import annotations

from kickdoor.engine import queries as q
from kickdoor.engine import reasons as r
from kickdoor.engine import zones
from kickdoor.engine.frames import CLASS_SURPLUS, RACE_SURPLUS, Surplus
from kickdoor.engine.game import Game
from kickdoor.engine.moves import CHOOSE, NONE, PLAY, Move
from kickdoor.engine.reasons import Reason

GROUPS = ("race", "class")
_KIND = {RACE_SURPLUS: "race", CLASS_SURPLUS: "class"}


def places(g: Game, seat: int, card: int) -> list[int]:
    """What a Race or Class may be played over: -1 for a free place, else the card it replaces (RACE-8, FQ-RC-6)."""
    d = g.lib.defs[card]
    have = q.cards_of_kind(g, seat, d.kind)
    same = [c for c in have if g.lib.defs[c].trait == d.trait]
    if same:
        return same
    if d.kind not in GROUPS:
        return [NONE]
    if q.claimed(g, seat, d.trait):
        return []
    free = len(have) < q.trait_limit(g, seat, d.kind)
    return ([NONE] if free else []) + have


def why_not(g: Game, seat: int, card: int) -> Reason:
    d = g.lib.defs[card]
    have = q.cards_of_kind(g, seat, d.kind)
    if any(g.lib.defs[c].trait == d.trait for c in have):
        return r.TRAIT_TWICE.get(d.kind, r.WRONG_TIME)
    if q.claimed(g, seat, d.trait):
        return r.TRAIT_CLAIMED
    return r.TRAIT_LIMIT.get(d.kind, r.WRONG_TIME)


def play(g: Game, seat: int, card: int, over: int) -> None:
    """Discard and play as one action: what depends on having a Class sees only the end (FQ-RC-11)."""
    if over >= 0:
        zones.discard_in_play(g, seat, over, zones.REPLACED, "FQ-RC-6")
    zones.to_table(g, seat, card)
    rule = {"race": "RACE-5", "steed": "STEED-2"}.get(g.lib.defs[card].kind, "CLASS-4")
    g.emit("trait", seat, card, rule=rule)


def multi_places(g: Game, seat: int, card: int) -> list[int]:
    """Half-Breed and kin need a trait to be half of, and lie alone (COMBO-4, COMBO-9, COMBO-10)."""
    group = g.lib.defs[card].multi
    if not q.cards_of_kind(g, seat, group):
        return []
    old = q.multi_card(g, seat, group)
    return [old] if old >= 0 else [NONE]


def why_not_multi(g: Game, seat: int, card: int) -> Reason:
    group = g.lib.defs[card].multi
    if not q.cards_of_kind(g, seat, group):
        return r.MULTI_NEEDS[group]
    return r.MULTI_ONE[group]


def upkeep(g: Game, seat: int) -> bool:
    """After any change: a lone enabler goes, surplus traits are settled by their owner (COMBO-8, COMBO-17)."""
    for group, kind in (("race", RACE_SURPLUS), ("class", CLASS_SURPLUS)):
        have = q.cards_of_kind(g, seat, group)
        multi = q.multi_card(g, seat, group)
        if multi >= 0 and not have:
            rule = "COMBO-8" if group == "race" else "COMBO-13"
            zones.discard_in_play(g, seat, multi, zones.LIMIT, rule)
            return True
        if len(have) > q.trait_limit(g, seat, group) and not pending(g, seat, kind):
            g.stack.append(Surplus(seat, kind))
            return True
    return False


def pending(g: Game, seat: int, kind: int) -> bool:
    """Is this player already being asked about such a surplus?"""
    return any(isinstance(f, Surplus) and f.seat == seat and f.kind == kind for f in g.stack)


def step_surplus(g: Game, f: Surplus) -> bool:
    group = _KIND[f.kind]
    have = q.cards_of_kind(g, f.seat, group)
    if len(have) <= q.trait_limit(g, f.seat, group):
        g.stack.pop()
        return True
    return False


def surplus_moves(g: Game, f: Surplus, out: list[Move]) -> None:
    group = _KIND[f.kind]
    for c in q.cards_of_kind(g, f.seat, group):
        out.append(Move(f.seat, CHOOSE, c))
    for c in g.players[f.seat].hand:  # COMBO-16: another enabler may be played at once
        if g.lib.defs[c].multi == group:
            out.append(Move(f.seat, PLAY, c, q.multi_card(g, f.seat, group)))


def play_surplus(g: Game, f: Surplus, move: Move) -> None:
    if move.verb == PLAY:
        zones.from_hand(g, f.seat, move.card)
        play(g, f.seat, move.card, move.target)
    else:
        zones.discard_in_play(g, f.seat, move.card, zones.LIMIT, "COMBO-17")
