"""Items: carried or in use, slots, Hands, Big ones (ITEM, EQUIP, BIG)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kickdoor.cards.library import CardDef
from kickdoor.engine.facts import fights, force, front, goods, nature
from kickdoor.engine.table import hirelings, steeds
from kickdoor.engine.table.rows import Action, not_yours
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import BIG_SURPLUS, EPIC_SURPLUS, Surplus
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import EQUIP, NONE, UNEQUIP, Move
from kickdoor.engine.value.reasons import Reason

UNLIMITED: Final = 99
NEVER_IN_USE: Final = ("one_shot", "steed", "ship")  # they are there, or are used up
_SEXES: Final = frozenset({"male", "female"})
_SLOT_REASON: Final = {"headgear": r.EQUIP_HEAD, "armor": r.EQUIP_ARMOR, "footgear": r.EQUIP_FOOT}


def worn_over(d: CardDef) -> bool:
    """Does it make room for itself, so that it may be worn over another of its slot?"""
    return "slot" in d.mods and any(m.word == d.slot for m in d.mods["slot"])


def own_items(g: Game, seat: int) -> tuple[int, ...]:
    """Items in front of a player, without what lies on them."""
    got = g.about(seat).items
    if got is None:
        defs, people, host = g.lib.defs, not goods.no_item_companions(g), g.host
        mine = [c for c in g.players[seat].table if defs[c].is_item and c not in host]
        got = tuple([c for c in mine if people or not defs[c].is_companion])
        g.about(seat).items = got
    return got


def free_items(g: Game, seat: int) -> tuple[int, ...]:
    """Those that their owner may part with: no Curse holds them (CAP-18), and none what wanders (FQ-BOOK-3). Asked for
    often, so the answer is kept."""
    known = g.known
    got = known[seat].free if known else None
    if got is None:
        mine = own_items(g, seat)
        defs = g.lib.defs
        got = tuple([c for c in mine if defs[c].wanders or not front.suppressed(g, c)]) if g.host else mine
        g.about(seat).free = got
    return got


def can_be_equipped(g: Game, card: int) -> bool:
    """Is this an Item that is put to use? Steeds and companions with a price simply are there (STEED-3, HIRE-6)."""
    d = g.lib.defs[card]
    return d.is_item and d.kind not in NEVER_IN_USE and not d.is_companion and card not in g.host


def slot_capacity(g: Game, seat: int, slot: str) -> int:
    n = int(getattr(g.rules.items.slots, slot))
    for _, m in force.modifiers(g, seat, "slot"):
        if m.word == slot:
            n += 1
    return n


def hand_capacity(g: Game, seat: int) -> int:
    return g.rules.items.slots.hands + force.total(g, seat, "hands")


def _counted(g: Game, card: int) -> bool:
    """Does an Item take up its slot? Not with a Cheat! on it, nor on a companion (FQ-CHEAT-4, HIRE-14)."""
    return not front.waived(g, card) and card not in g.bearer


def _useless(g: Game, seat: int, card: int) -> bool:
    """Put on, but of no help to its owner now: as good as turned sideways, so it takes up nothing (ITEM-8).

    It counts again when he meets its restriction again (ITEM-7). What a Curse holds in place stays (FQ-AXE-14).
    """
    return not force.may_use(g, seat, card) and not front.suppressed(g, card)


def sends_away(g: Game, seat: int, card: int) -> bool:
    """Would a Steed or companion have to go if he put it on? Nobody does that for him (ITEM-2)."""
    return g.lib.defs[card].sends_away and bool(front.steeds(g, seat) or front.companions(g, seat))


def make_way(g: Game, seat: int, card: int) -> None:
    """What is of no help is turned sideways for good when another Item takes its place (ITEM-8, EQUIP-6)."""
    defs = g.lib.defs
    d = defs[card]
    for c in g.players[seat].table:
        same = (d.hands and defs[c].hands) or (d.slot in _SLOT_REASON and defs[c].slot == d.slot)
        if same and c not in g.bearer and _useless(g, seat, c):
            g.equipped.discard(c)


def hands_for(g: Game, seat: int, d: CardDef) -> int:
    """The Hands an Item takes up; for some a two-handed one takes fewer (EQUIP-4, EPIC-40)."""
    if d.hands < 2:
        return d.hands
    return min([d.hands, *(m.amount for _, m in force.modifiers(g, seat, "two_handed"))])


def hands_used(g: Game, seat: int) -> int:
    defs = g.lib.defs
    n = 0
    for c in g.players[seat].table:
        d = defs[c]
        if d.hands and c in g.equipped and _counted(g, c) and not _useless(g, seat, c):
            n += hands_for(g, seat, d)
    return n


def slot_used(g: Game, seat: int, slot: str) -> int:
    defs = g.lib.defs
    n = 0
    for c in g.players[seat].table:
        if defs[c].slot == slot and c in g.equipped and _counted(g, c) and not _useless(g, seat, c):
            n += 1
    return n


def _taken(g: Game, seat: int, d: CardDef) -> bool:
    """Is there no room left in its slot? What is worn over another of its kind brings its own."""
    return not worn_over(d) and slot_used(g, seat, d.slot) >= slot_capacity(g, seat, d.slot)


def why_not_equip(g: Game, seat: int, card: int) -> Reason | None:
    """What keeps an Item in play from being in use, apart from the moment (EQUIP-1..EQUIP-4, ITEM-6)."""
    d = g.lib.defs[card]
    if not can_be_equipped(g, card):
        return _why_never_in_use(g, card)
    if card in g.equipped:
        return r.EQUIP_ALREADY if force.may_use(g, seat, card) else _why_unusable(d)
    if not _counted(g, card):
        return None
    if not force.may_use(g, seat, card):
        return _why_unusable(d)
    if d.hands and hands_used(g, seat) + hands_for(g, seat, d) > hand_capacity(g, seat):
        return r.EQUIP_HANDS
    if d.slot in _SLOT_REASON and _taken(g, seat, d):
        return _SLOT_REASON[d.slot]
    if d.slot and barred_slot(g, seat, d.slot):
        return r.EQUIP_BARRED
    if "only_over" in d.mods and not _over_something(g, seat, card):
        return r.EQUIP_OVER
    return r.EQUIP_TAG if _crowded(g, seat, d.tags, 1) else None


def _why_never_in_use(g: Game, card: int) -> Reason:
    """It lies on something for good, is no Item, or is one that simply is there (IENH-4, FQ-RC-13)."""
    if card in g.host:
        return r.EQUIP_ATTACHED
    d = g.lib.defs[card]
    if d.is_one_shot:
        return r.EQUIP_ONE_SHOT
    return r.EQUIP_NEVER if d.is_item else r.EQUIP_NOT_ITEM


def _why_unusable(d: CardDef) -> Reason:
    return r.EQUIP_STEEDS if "steed" in d.usable_by else r.EQUIP_UNUSABLE


def _crowded(g: Game, seat: int, tags: frozenset[str], more: int = 0) -> list[int]:
    """Items in use of a sort that only so many of may be in use: where there are too many, or would be (XOVER-33)."""
    for limit in g.rules.items.tag_limits:
        if limit.tag in tags:
            used = [c for c in g.players[seat].table if c in g.equipped and limit.tag in g.lib.defs[c].tags]
            room = limit.max + sum(1 for _, m in force.modifiers(g, seat, "extra_tagged") if limit.tag in m.word)
            if len([c for c in used if _counted(g, c)]) + more > room:
                return used or [-1]
    return []


def _over_something(g: Game, seat: int, card: int) -> bool:
    """Is there another Item of its slot in use beneath it?"""
    defs = g.lib.defs
    slot = defs[card].slot
    return any(c != card and c in g.equipped and defs[c].slot == slot for c in g.players[seat].table)


def barred_carry(g: Game, seat: int, card: int) -> bool:
    """Some Curses do not even let one carry Items of a kind."""
    slot = g.lib.defs[card].slot
    return bool(slot) and _ruled_out(g, seat, "no_carry", slot)


def barred_slot(g: Game, seat: int, slot: str) -> bool:
    return _ruled_out(g, seat, "no_slot", slot)


def _ruled_out(g: Game, seat: int, what: str, slot: str) -> bool:
    return any(slot in m.word for _, m in force.modifiers(g, seat, what))


def why_locked(g: Game, seat: int) -> Reason | None:
    """Why this player may not change equipment now (COMBAT-22, RUN-18)."""
    if fights.in_fight(g, seat):
        assert g.fight is not None
        return r.EQUIP_RUNNING if g.fight.fleeing else r.EQUIP_IN_FIGHT
    return None


def equip_moves(g: Game, seat: int, out: list[Move]) -> None:
    people, mounts = front.companions(g, seat), front.steeds(g, seat)
    for c in g.players[seat].table:
        if c in g.equipped:
            if front.suppressed(g, c):  # FQ-AXE-14: until the Curse is lifted
                continue
            if c not in g.bearer or _takes_back(g, seat, c):
                out.append(Move(seat, UNEQUIP, c))
        elif can_be_equipped(g, c) and why_not_equip(g, seat, c) is None:
            out.append(Move(seat, EQUIP, c))
        if (people or mounts) and c not in g.bearer and can_be_equipped(g, c):
            out += [Move(seat, EQUIP, c, bearer) for bearer in _bearers(g, c, people, mounts)]


def why_not_change(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why an Item cannot be put in use, out of use, or into a companion's hands (EQUIP-8, COMBAT-22, HIRE-14)."""
    seat, card = move.seat, move.card
    if card not in g.players[seat].table:
        return r.EQUIP_IN_HAND if card in g.players[seat].hand else not_yours(g, card)
    locked = why_locked(g, seat)
    if locked is not None:
        return r.HANDED_IN_FIGHT if move.target >= 0 else locked
    if seat != g.turn and not g.rules.items.equip_off_turn:
        return r.EQUIP_OFF_TURN
    if move.target >= 0:
        return _why_not_borne(g, seat, card, move.target)
    if move.target != NONE:
        return r.NO_SUCH_ACTION
    return why_not_equip(g, seat, card) if move.verb == EQUIP else _why_kept_on(g, seat, card)


def _why_kept_on(g: Game, seat: int, card: int) -> Reason | None:
    """What keeps an Item in use (FQ-AXE-14), or its owner from taking it back from who carries it (BIG-1)."""
    if card not in g.equipped:
        return r.UNEQUIP_NOT if g.lib.defs[card].is_item else r.EQUIP_NOT_ITEM
    if front.suppressed(g, card):
        return r.EQUIP_STUCK
    return None if card not in g.bearer or _takes_back(g, seat, card) else r.BIG_LIMIT


def _takes_back(g: Game, seat: int, card: int) -> bool:
    """Could its owner carry himself what a companion carries for him (BIG-1)?"""
    return not goods.is_big(g, card) or front.waived(g, card) or len(bigs(g, seat)) < big_capacity(g, seat)


def _bearers(g: Game, card: int, people: list[int], mounts: list[int]) -> list[int]:
    """A companion may carry and use an Item, also one that its master cannot use (HIRE-14, HIRE-15)."""
    out = [c for c in people if hirelings.may_carry(g, c, card)]
    if "steed" in g.lib.defs[card].usable_by:  # STEED-10: the Item says so
        out += [c for c in mounts if c not in g.bearer.values()]
    return out


def _why_not_borne(g: Game, seat: int, card: int, bearer: int) -> Reason | None:
    """Why somebody cannot carry an Item for its owner (HIRE-14, HIRE-15, HIRE-35, STEED-10)."""
    if card in g.equipped and front.suppressed(g, card):
        return r.EQUIP_STUCK
    if not can_be_equipped(g, card):
        return _why_never_in_use(g, card)
    if card in g.bearer:
        return r.BEARER_HAS
    if bearer in front.companions(g, seat):
        if hirelings.may_carry(g, bearer, card):
            return None
        return _why_not_carried(g, bearer, card)
    if bearer not in front.steeds(g, seat):
        return r.BEARER_NOBODY
    if "steed" not in g.lib.defs[card].usable_by:
        return r.BEARER_STEED
    return r.BEARER_FULL if bearer in g.bearer.values() else None


def _why_not_carried(g: Game, companion: int, item: int) -> Reason:
    d, rules = g.lib.defs[companion], g.rules.companion
    if d.carries < 0:
        return r.BEARER_NEVER
    if rules is None or not rules.carry or not d.carries:
        return r.BEARER_NONE
    if d.carries_what is not None and not d.carries_what(g, item):
        return r.BEARER_KIND
    if hirelings.carries_left(g, companion) <= 0:
        return r.BEARER_FULL
    by_sex = g.lib.defs[item].usable_by | g.lib.defs[item].not_usable_by <= _SEXES
    return r.BEARER_SEX if by_sex else r.BEARER_USE


def do_equip(g: Game, move: Move) -> None:
    if move.verb == UNEQUIP:
        g.equipped.discard(move.card)
        g.bearer = renewed.without(g.bearer, move.card)
    else:
        g.equipped.add(move.card)
        g.ridden = renewed.without(g.ridden, move.card)  # FQ-DER-10: no Steed any more
        if move.target >= 0:
            g.bearer = {**g.bearer, move.card: move.target}
        else:
            make_way(g, move.seat, move.card)
    g.touch_seat(move.seat)
    g.dirty |= 1 << move.seat
    g.emit("equip" if move.verb == EQUIP else "unequip", move.seat, move.card, rule="EQUIP-8")


# -- Big Items --------------------------------------------------------------------------------------------------


def big_capacity(g: Game, seat: int) -> int:
    """One, or what Races, Classes and other cards allow (BIG-2, AMB-76)."""
    base = g.rules.items.big_limit
    for _, m in force.modifiers(g, seat, "big"):
        base = max(base, UNLIMITED if m.word == "unlimited" else m.amount)
    if nature.epic(g, seat) and front.steeds(g, seat):
        base += 1  # EPIC-57: an Epic Steed carries one more
    return base + force.total(g, seat, "extra_big")


def counts_as_big(g: Game, card: int) -> bool:
    d = g.lib.defs[card]
    if not d.big or not d.is_item or d.kind in ("steed", "ship") or card in g.host or "big_exempt" in d.mods:
        return False
    return goods.is_big(g, card) and _counted(g, card)


def bigs(g: Game, seat: int) -> list[int]:
    defs = g.lib.defs
    return [c for c in g.players[seat].table if defs[c].big and counts_as_big(g, c)]


def room_for(g: Game, seat: int, card: int) -> bool:
    """Could this player carry that Item too (BIG-1, BIG-10)?"""
    return not counts_as_big(g, card) or len(bigs(g, seat)) < big_capacity(g, seat)


def in_the_way(g: Game, seat: int, card: int) -> list[int]:
    """Own Items that leave no room for one that is about to be taken and used (BIG-1, EQUIP-1..EQUIP-4)."""
    d = g.lib.defs[card]
    defs = g.lib.defs
    if d.kind in ("steed", "ship"):  # STEED-2, XOVER-14
        taken = (steeds.places if d.kind == "steed" else steeds.harbours)(g, seat)
        return [] if NONE in taken else taken
    if d.is_companion:  # HIRE-4
        return [] if hirelings.has_room(g, seat) else front.companions(g, seat)
    if not room_for(g, seat, card):
        return bigs(g, seat)
    if not _counted(g, card) or not can_be_equipped(g, card):
        return []
    used = [c for c in g.players[seat].table if c in g.equipped and _counted(g, c)]
    if d.hands and hands_used(g, seat) + hands_for(g, seat, d) > hand_capacity(g, seat):
        return [c for c in used if defs[c].hands > 0]
    if d.slot in _SLOT_REASON and _taken(g, seat, d):
        return [c for c in used if defs[c].slot == d.slot]
    return []


def surplus_big(g: Game, seat: int) -> int:
    have = bigs(g, seat)
    return max(0, len(have) - big_capacity(g, seat)) if len(have) > g.rules.items.big_limit else 0


def upkeep(g: Game, seat: int) -> bool:
    """Limits that a change may have broken; True when something has to be settled first (CAP-14)."""
    if surplus_big(g, seat) and not any(
        isinstance(f, Surplus) and f.seat == seat and f.kind in (BIG_SURPLUS, EPIC_SURPLUS) for f in g.stack
    ):
        g.stack.append(Surplus(seat, BIG_SURPLUS))
        return True
    return False


def _fit_in_any_case(g: Game, seat: int, used: Sequence[int]) -> bool:
    """Is there room for these even if each takes up all that it could? Mostly there is, and no more is asked."""
    if g.rules.items.tag_limits:
        return False
    defs = g.lib.defs
    hands = 0
    slots: list[str] = []
    for c in used:
        d = defs[c]
        if "only_over" in d.mods or d.slot in slots:
            return False
        hands += d.hands
        if d.slot in _SLOT_REASON:
            slots.append(d.slot)
    if hands > hand_capacity(g, seat):
        return False
    return all(slot_capacity(g, seat, slot) > 0 for slot in slots)


def over_slots(g: Game, seat: int) -> list[int]:
    """The Items that could be turned sideways to keep within Hands and slots (FQ-CARD-36)."""
    defs = g.lib.defs
    used = [c for c in g.players[seat].table if c in g.equipped]
    if not used:
        return used
    for _, m in force.modifiers(g, seat, "no_slot"):
        for c in used:
            if defs[c].slot in m.word:
                return [c]
    if _fit_in_any_case(g, seat, used):
        return []
    table = [c for c in used if _counted(g, c) and not front.suppressed(g, c)]
    if not table:
        return table
    if hands_used(g, seat) > hand_capacity(g, seat):
        return [c for c in table if defs[c].hands]
    worn = [defs[c].slot for c in table]
    for slot in _SLOT_REASON:
        if slot in worn and slot_used(g, seat, slot) > slot_capacity(g, seat, slot):
            return [c for c in table if defs[c].slot == slot]  # FQ-AXE-20: the cursed one stays, the others yield
    if g.rules.items.tag_limits:
        crowd = _crowded(g, seat, frozenset[str]().union(*(defs[c].tags for c in table)))
        if crowd:
            return [c for c in crowd if c in table]
    for c in table:
        if "only_over" in defs[c].mods and not _over_something(g, seat, c):
            return [c]
    return []


CHANGE: Final[Action] = Action(why_not_change, do_equip)
