"""Races, Classes and the cards that let one have two (RACE, CLASS, COMBO); Powers have a chapter of their own."""

from __future__ import annotations

from collections.abc import Iterator

from kickdoor.engine.facts import force, front
from kickdoor.engine.table import powers, zones
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import CLASS_SURPLUS, POWER_SURPLUS, RACE_SURPLUS, Surplus
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import CHOOSE, NONE, PLAY, Move
from kickdoor.engine.value.reasons import Reason

GROUPS = ("race", "class", "style", "training", "loyalty", "accent")
MAIN_GROUPS = (("race", RACE_SURPLUS), ("class", CLASS_SURPLUS))
ALL_GROUPS = (
    *MAIN_GROUPS,
    ("style", fr.STYLE_SURPLUS),
    ("training", fr.TRAINING_SURPLUS),
    ("loyalty", fr.LOYALTY_SURPLUS),
    ("accent", fr.ACCENT_SURPLUS),
)
KINDS = {POWER_SURPLUS: "power", **{kind: group for group, kind in ALL_GROUPS}}
LONE = {"race": "COMBO-8", "class": "COMBO-13"}  # by which rule a card for two goes when there is none left


def enabled(g: Game, group: str) -> bool:
    """Has this game such a thing at all? Some sets have no Races, some no Classes (BT-2, GB-2)."""
    if group == "race":
        return g.rules.traits.race.enabled
    return group != "class" or g.rules.traits.class_.enabled


def places(g: Game, seat: int, card: int, kind: str = "") -> list[int]:
    """What a Race or Class may be played over: -1 for a free place, else the card it replaces (RACE-8, FQ-RC-6).

    `kind` is what it is to be, where that is not what it says (FQ-CWBH-3).
    """
    d = g.lib.defs[card]
    kind = kind or d.kind
    if d.kind == "power":
        return powers.places(g, seat, card)
    if not enabled(g, kind) or (g.lib.recasts and _is_otherwise(g, seat, card, kind)):
        return []
    have = front.cards_of_kind(g, seat, kind)
    same = [c for c in have if g.lib.defs[c].trait == d.trait]
    if same:
        return same
    if kind not in GROUPS:
        return [NONE]
    if force.claimed(g, seat, d.trait):
        return []
    free = len(have) < front.trait_limit(g, seat, kind)
    return ([NONE] if free else []) + have


def _is_otherwise(g: Game, seat: int, card: int, kind: str) -> bool:
    """Has he that already, only as the other kind (FQ-CWBH-3)?"""
    trait = g.lib.defs[card].trait
    other = front.cards_of_kind(g, seat, front.RECAST[kind]) if kind in front.RECAST else []
    return any(g.lib.defs[c].trait == trait for c in other)


def recast_places(g: Game, seat: int, card: int) -> Iterator[tuple[int, int]]:
    """Where a Race can be played as a Class, or a Class as a Race, and with which card of the hand (FQ-CWBH-3)."""
    defs = g.lib.defs
    kind = defs[card].kind
    if kind in front.RECAST:
        for c in g.players[seat].hand:
            if defs[c].recasts:
                for over in places(g, seat, card, front.RECAST[kind]):
                    yield over, c


def recastable(g: Game, seat: int) -> list[int]:
    """Races and Classes in play that could be the other thing: there must be room for one more of those."""
    out = []
    for c in g.players[seat].table:
        other = front.RECAST.get(g.lib.defs[c].kind)
        if other is None or front.kind_of(g, c) == other or not enabled(g, other):
            continue
        if len(front.cards_of_kind(g, seat, other)) < front.trait_limit(g, seat, other):
            out.append(c)
    return out


def why_not(g: Game, seat: int, card: int, over: int = NONE) -> Reason:
    """Why a Race, Class or Power has no place before this player, or not that one's."""
    d = g.lib.defs[card]
    if g.lib.recasts and _is_otherwise(g, seat, card, d.kind):
        return r.TRAIT_OTHERWISE
    if d.kind == "power":
        return powers.why_not(g, seat, card)
    if not enabled(g, d.kind):
        return r.TRAIT_NONE[d.kind]
    have = front.cards_of_kind(g, seat, d.kind)
    if any(g.lib.defs[c].trait == d.trait for c in have):
        return r.TRAIT_TWICE.get(d.kind, r.WRONG_TIME)
    if force.claimed(g, seat, d.trait):
        return r.TRAIT_CLAIMED
    return r.TRAIT_LIMIT.get(d.kind, r.WRONG_TIME) if over == NONE else r.TRAIT_NOT_THERE


def play(g: Game, seat: int, card: int, over: int) -> None:
    """Discard and play as one action: what depends on having a Class sees only the end (FQ-RC-11)."""
    if over >= 0:
        zones.discard_in_play(g, seat, over, zones.REPLACED, "FQ-RC-6")
    zones.to_table(g, seat, card)
    rule = {"race": "RACE-5", "steed": "STEED-2", "power": "BT-10"}.get(g.lib.defs[card].kind, "CLASS-4")
    g.emit("trait", seat, card, rule=rule)


def _no_multi(g: Game, group: str) -> bool:
    """Some books have a card for two Races, or for two Classes, and not the other (BT-8, GB-7)."""
    if group == "race":
        return g.rules.traits.race.multi_card is None
    return group == "class" and g.rules.traits.class_.multi_card is None


def multi_places(g: Game, seat: int, card: int) -> list[int]:
    """Half-Breed and kin need a trait to be half of, and lie alone (COMBO-4, COMBO-9, COMBO-10)."""
    group = g.lib.defs[card].multi
    if _no_multi(g, group) or not front.cards_of_kind(g, seat, group):
        return []
    return [front.multi_card(g, seat, group)]  # the one that is there goes; otherwise the place is free


def why_not_multi(g: Game, seat: int, card: int) -> Reason:
    group = g.lib.defs[card].multi
    if not front.cards_of_kind(g, seat, group):
        several = r.MULTI_NEEDS_MORE if g.lib.defs[card].max_traits > 2 else r.MULTI_NEEDS
        return several.get(group, r.MULTI_NEEDS[group])
    return r.MULTI_NONE[group] if _no_multi(g, group) else r.MULTI_ONE[group]


def upkeep(g: Game, seat: int) -> bool:
    """After any change: a lone enabler goes, surplus traits are settled by their owner (COMBO-8, COMBO-17)."""
    for group, kind in ALL_GROUPS if g.lib.multis else MAIN_GROUPS:  # FQ-RC-9
        have = front.cards_of_kind(g, seat, group)
        if have:
            if len(have) > front.trait_limit(g, seat, group) and not pending(g, seat, kind):
                g.stack.append(Surplus(seat, kind))
                return True
            continue
        multi = front.multi_card(g, seat, group)
        if multi >= 0:
            zones.discard_in_play(g, seat, multi, zones.LIMIT, LONE.get(group, "FQ-RC-9"))
            return True
    return "power" in g.lib.kinds and _powers_upkeep(g, seat)


def _powers_upkeep(g: Game, seat: int) -> bool:
    if not front.cards_of_kind(g, seat, "power"):
        return False
    if powers.upkeep(g, seat):
        return True
    if g.players[seat].dead or not powers.surplus(g, seat) or pending(g, seat, POWER_SURPLUS):
        return False
    g.stack.append(Surplus(seat, POWER_SURPLUS))
    return True


def pending(g: Game, seat: int, kind: int) -> bool:
    """Is this player already being asked about such a surplus?"""
    return any(isinstance(f, Surplus) and f.seat == seat and f.kind == kind for f in g.stack)


def surplus(g: Game, seat: int, group: str) -> list[int]:
    """The cards of which some must go, where there are too many."""
    if group == "power":
        return powers.surplus(g, seat)
    have = front.cards_of_kind(g, seat, group)
    return have if len(have) > front.trait_limit(g, seat, group) else []


def step_surplus(g: Game, f: Surplus) -> bool:
    if surplus(g, f.seat, KINDS[f.kind]):
        return False
    g.stack.pop()
    return True


def why_not_given_up(g: Game, f: Surplus, move: Move) -> Reason | None:
    """Why that card is no answer to too many of a kind (COMBO-16, COMBO-17, BT-17)."""
    group = KINDS[f.kind]
    if move.verb == CHOOSE:
        return None if move.card in surplus(g, f.seat, group) else r.SURPLUS_NOT_THAT
    if move.card not in g.players[f.seat].hand:
        return r.NOT_IN_HAND
    enabler = g.lib.defs[move.card].multi == group and move.target == front.multi_card(g, f.seat, group)
    return None if enabler and move.extra == NONE else r.SURPLUS_FIRST


def surplus_moves(g: Game, f: Surplus, out: list[Move]) -> None:
    group = KINDS[f.kind]
    for c in surplus(g, f.seat, group):
        out.append(Move(f.seat, CHOOSE, c))
    for c in g.players[f.seat].hand:  # COMBO-16: another enabler may be played at once
        if g.lib.defs[c].multi == group:
            out.append(Move(f.seat, PLAY, c, front.multi_card(g, f.seat, group)))


def play_surplus(g: Game, f: Surplus, move: Move) -> None:
    if move.verb == PLAY:
        zones.from_hand(g, f.seat, move.card)
        play(g, f.seat, move.card, move.target)
    else:
        zones.discard_in_play(g, f.seat, move.card, zones.LIMIT, "BT-17" if f.kind == POWER_SURPLUS else "COMBO-17")
