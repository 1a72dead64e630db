"""What is in force for a player, and what it changes.

A card counts or does not (`in_force`); what counts, his own and the Dungeons', is asked for by what it changes
(`modifiers`, `total`), and kept until the next change.
"""

from __future__ import annotations

from collections.abc import Sequence

from kickdoor.cards.kinds import TRAITS as TRAIT_KINDS
from kickdoor.cards.library import CardDef, Mod
from kickdoor.engine.facts import fights, front
from kickdoor.engine.value.game import TREASURE, Game

UNBOUNDED = 10_000


def in_force(g: Game, seat: int, card: int) -> bool:
    """Does a card in front of a player do anything? Items must be in use and usable (ITEM-7, ITEM-9)."""
    d = g.lib.defs[card]
    if d.kind == "monster":
        return False  # EPIC-28: a pet does nothing until it is spent; what a tamed one gives is its bonus as a Steed
    if card in g.host:
        return _lying_in_force(g, seat, d, g.host[card])
    if d.lasting == "next_turn" and g.turn != seat:
        return False  # MM-60: it waits for its victim's turn
    if d.opt_in and (g.fight is None or card not in g.fight.optins):
        return False  # FQ-AXE-7: only in fights it was declared for
    if g.host and front.suppressed(g, card):
        return False
    if d.kind in TRAIT_KINDS and front.kind_of(g, card) in front.forgotten(g, seat):
        return False
    if d.kind == "power" and _repeats(g, seat, card):
        return False
    if g.afflictions and d.is_item and _useless(g, seat, card):
        return False
    if d.kind in ("item", "one_shot"):
        return (card in g.equipped or card in g.ridden) and may_use(g, seat, card)
    return d.kind not in ("steed", "ship") or may_use(g, seat, card)  # STEED-3: an Item like others


def _repeats(g: Game, seat: int, card: int) -> bool:
    """A second copy of a Power adds nothing to the first (BT-19)."""
    defs = g.lib.defs
    first = next(c for c in g.players[seat].table if defs[c].kind == "power" and defs[c].trait == defs[card].trait)
    return first != card


def _lying_in_force(g: Game, seat: int, d: CardDef, host: int) -> bool:
    """What lies on a card counts with it; a Steed enhancer only where there is a Steed (FQ-DER-10)."""
    if d.is_curse and not d.curses_item:
        return True
    if d.kind == "steed_enhancer" and not front.bears_steed_enhancers(g, host):
        return False
    if host in g.ridden:
        return not front.suppressed(g, host)
    return in_force(g, seat, host)


def _useless(g: Game, seat: int, card: int) -> bool:
    """Is its owner under something that makes such Items do nothing in his fight?"""
    if not fights.in_fight(g, seat):
        return False
    for s, _, i, _ in g.afflictions:
        if s == seat and any(m.word(g, card) for m in g.lib.afflictions[i].mods.get("ignore_items", ())):
            return True
    return False


def in_use(g: Game, card: int) -> bool:
    """Is an Item in use: taken up, and still something its owner may use (ITEM-8)? A Steed, a Ship or a companion is so
    wherever it lies (STEED-4, HIRE-6)."""
    d = g.lib.defs[card]
    taken_up = card in g.equipped or d.kind in ("steed", "ship") or d.is_companion or card in g.ridden
    return taken_up and front.owner(g, card) >= 0 and may_use(g, front.owner(g, card), card)


def may_use(g: Game, seat: int, card: int) -> bool:
    """Does its user meet an Item's restriction now (ITEM-6, ITEM-7)?"""
    d = g.lib.defs[card]
    if not d.usable_by and not d.not_usable_by:
        return True
    if front.waived(g, card):
        return True
    if card in g.bearer:
        return front.borne_use(g, g.bearer[card], card)
    mine = _base_traits(g, seat)
    if d.usable_by and not (d.usable_by & mine or d.usable_by & _passes_for(g, seat)):
        return False
    # What Items grant is asked as above: whether they may be used would ask for traits again, and so without an end.
    return not (d.not_usable_by and d.not_usable_by & front.with_drawbacks(g, seat, mine))


def _passes_for(g: Game, seat: int) -> frozenset[str]:
    """What a disguise lets its wearer count as where Items ask (never asking whether the disguise may be worn)."""
    out: set[str] = set()
    defs = g.lib.defs
    for c in g.players[seat].table:
        if "usable_as" in defs[c].mods and c in g.equipped and not front.suppressed(g, c):
            for m in defs[c].mods["usable_as"]:
                out |= m.word
    return frozenset(out)


def _base_traits(g: Game, seat: int) -> frozenset[str]:
    """Traits without those granted by Items, so that an Item cannot be the reason for its own use."""
    got = g.about(seat).base
    if got is None:
        got = _find_base_traits(g, seat)
        g.about(seat).base = got
    return got


def _find_base_traits(g: Game, seat: int) -> frozenset[str]:
    out = front.own_traits(g, seat)
    defs = g.lib.defs
    for c in g.players[seat].table:
        d = defs[c]
        if "grants" not in d.mods or front.kind_of(g, c) in front.forgotten(g, seat):
            continue
        if (not d.is_item or c in g.equipped) and not _dormant(g, c):
            for m in d.mods["grants"]:
                out |= m.word
    if g.dungeons:
        made_traits(g, seat, out)
    return frozenset(out)


def _dormant(g: Game, card: int) -> bool:
    d = g.lib.defs[card]
    return (d.opt_in and (g.fight is None or card not in g.fight.optins)) or front.suppressed(g, card)


ALL_SEATS = -1


def in_dungeon(g: Game, seat: int, card: int) -> bool:
    """Is a Dungeon for this player too? For everyone, unless its Portal says otherwise (DUNG-2)."""
    return bool(g.reach.get(card, ALL_SEATS) >> seat & 1)


def dungeons(g: Game, seat: int) -> Sequence[int]:
    """The Dungeons in force for a player, the oldest first (DUNG-5, DUNG-6)."""
    return [c for c in g.dungeons if in_dungeon(g, seat, c)] if g.reach else g.dungeons


def claimed(g: Game, seat: int, trait: str) -> bool:
    """Does another player keep everyone else from becoming this (FQ-DUNG-7)?"""
    for s in g.around(seat)[1:]:
        for c, m in modifiers(g, s, "claims"):
            if trait in m.word or ("host" in m.word and c in g.host and trait in g.lib.defs[g.host[c]].traits):
                return True
    return False


def _made(g: Game, seat: int, dungeon: int) -> list[tuple[int, CardDef]]:
    """What a Dungeon makes of everyone besides (FQ-DUNG-6): the card of that name is in force, unless one has it."""
    out: list[tuple[int, CardDef]] = []
    if "grants" not in g.lib.defs[dungeon].mods:
        return out
    for m in g.lib.defs[dungeon].mods["grants"]:
        for name in m.word:
            mine = any(
                name in g.lib.defs[c].traits for c in front.counted(g, seat) if g.lib.defs[c].kind in TRAIT_KINDS
            )
            card = g.lib.by_name.get(name)
            if card and not mine:
                out.append((card[0], g.lib.defs[card[0]]))
    return out


def races_had(g: Game, seat: int) -> int:
    """How many Races a player is of: his cards that count, and what a Dungeon makes of him (RACE-2, FQ-DUNG-6)."""
    had = len(front.races(g, seat))
    for c in dungeons(g, seat):
        for _, d in _made(g, seat, c):
            had += d.kind == "race"
    return had


def made_traits(g: Game, seat: int, out: set[str]) -> None:
    """Traits that Dungeons give, beyond every limit; a Race from there makes no Human (FQ-DUNG-6)."""
    for c in dungeons(g, seat):
        for m in g.lib.defs[c].mods.get("grants", ()):
            out |= m.word
            out.discard("human")


def cards(g: Game, seat: int) -> list[tuple[int, CardDef]]:
    """The cards in force for a player: (card, definition)."""
    got = g.about(seat).force
    if got is None:
        defs = g.lib.defs
        got = [(c, defs[c]) for c in g.players[seat].table if in_force(g, seat, c)]
        for s, c, i, _ in g.afflictions:
            d = g.lib.afflictions[i]
            if s == seat and (d.lasting != "next_turn" or g.turn == seat):
                got.append((c, d))
        for c in dungeons(g, seat):
            got.append((c, defs[c]))
            got += _made(g, seat, c)
        if g.lib.no_race >= 0 and not races_had(g, seat) and g.rules.traits.race.enabled:  # RACE-3: Humans
            got.append((g.lib.no_race, defs[g.lib.no_race]))
        g.about(seat).force = got
    return got


def modifiers(g: Game, seat: int, what: str) -> list[tuple[int, Mod]]:
    """Modifiers of one kind that hold for a player now."""
    found = _by_kind(g, seat).get(what)
    if found is None:
        return []
    return [x for x in found if x[1].test is None or x[1].test(g, seat, None)]


def _by_kind(g: Game, seat: int) -> dict[str, list[tuple[int, Mod]]]:
    """All modifiers of the cards in force, by what they change; asked so often that it is kept."""
    known = g.known
    got = known[seat].kinds if known else None
    if got is not None:
        return got
    got = {}
    for c, d in cards(g, seat):
        if not d.mods:
            continue
        for what, mods in d.mods.items():
            had = got.get(what)
            if had is None:
                had = got[what] = []
            for m in mods:
                had.append((c, m))
    g.about(seat).kinds = got
    return got


def total(g: Game, seat: int, what: str) -> int:
    found = _by_kind(g, seat).get(what)
    n = 0
    if found is not None:
        for _, m in found:
            if m.test is None or m.test(g, seat, None):
                n += m.amount
    return n


def any_modifier(g: Game, seat: int, what: str) -> bool:
    found = _by_kind(g, seat).get(what)
    if found is not None:
        for _, m in found:
            if m.test is None or m.test(g, seat, None):
                return True
    return False


def steady(g: Game, seat: int, whats: Sequence[str]) -> bool:
    """Do these hold whatever else changes: has no card in force a condition on them?"""
    found = _by_kind(g, seat)
    return all(m.test is None for what in whats for _, m in found.get(what, ()))


def may_receive(g: Game, seat: int, card: int) -> bool:
    """May this player be given that card? Some Bad Stuff keeps every Treasure from its victim."""
    return g.lib.defs[card].deck != TREASURE or not no_treasures(g, seat)


def no_treasures(g: Game, seat: int) -> bool:
    return any(m.word == "any_source" for _, m in modifiers(g, seat, "no_treasure"))


def hand_limit(g: Game, seat: int) -> int:
    """PILE-10, and the Dwarf's larger hand."""
    base, own = g.rules.turn.hand_limit, 0
    for c, m in modifiers(g, seat, "hand_limit"):
        if c in g.dungeons:
            base = m.amount  # of several the one played last, which comes last (DUNG-8)
        else:
            own = max(own, UNBOUNDED if m.word == "unlimited" else m.amount)
    return max(base, own) + total(g, seat, "extra_cards")
