"""Who a player is, with all that cards make of him, and what others take him for."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import force, front
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game, by_seat


def traits(g: Game, seat: int) -> frozenset[str]:
    """What a player is: Races, Classes, Powers, sex, and what cards grant besides."""
    got = g.about(seat).traits
    if got is None:
        got = _traits(g, seat)
        g.about(seat).traits = got
    return got


def _traits(g: Game, seat: int) -> frozenset[str]:
    out = front.own_traits(g, seat)
    defs = g.lib.defs
    for c in g.players[seat].table:
        if "grants" in defs[c].mods and force.in_force(g, seat, c):
            for m in defs[c].mods["grants"]:
                out |= m.word
    if g.dungeons:
        force.made_traits(g, seat, out)
    return frozenset(out)


def drawbacks(g: Game, seat: int) -> frozenset[str]:
    """Traits whose disadvantages count: a lone Race under Half-Breed has none (FQ-RC-1)."""
    return front.with_drawbacks(g, seat, traits(g, seat))


_APPARENT: Final = tuple(by_seat(f"apparent/{how}") for how in range(4))


def apparent(g: Game, seat: int, bonus: bool, alone: bool = False) -> frozenset[str]:
    """What monsters take a player for (FQ-AXE-1, HIRE-22): disguises hide the Race, companions add theirs.

    They do so for bonuses and penalties only; for whatever else a monster does he stands `alone` (HIRE-27).
    """
    key = _APPARENT[2 * bonus + alone][seat]
    got: frozenset[str] | None = g.cache.get(key)
    if got is not None:
        return got
    out = drawbacks(g, seat) if bonus else traits(g, seat)
    if _seems_other(g, seat, alone):
        out = _apparent(g, seat, bonus, alone, set(out))
    g.cache[key] = out
    return out


def _seems_other(g: Game, seat: int, alone: bool) -> bool:
    """Could a monster take a player for something else than he is? Hardly ever."""
    defs = g.lib.defs
    company = not alone and g.rules.companion is not None
    for c in g.players[seat].table:
        d = defs[c]
        if "apparent" in d.mods or (company and d.is_companion):
            return True
    return False


def _apparent(g: Game, seat: int, bonus: bool, alone: bool, seen: set[str]) -> frozenset[str]:
    disguise: set[str] = set()
    looks: set[str] = set()
    defs = g.lib.defs
    for c in g.players[seat].table:
        d = defs[c]
        if "apparent" in d.mods and force.in_force(g, seat, c):
            for m in d.mods["apparent"]:
                if d.kind != "race":
                    disguise |= m.word
                elif d.traits <= seen:  # a Race that looks like another hides only itself
                    looks |= m.word
                    seen -= d.traits
    if disguise:
        for c in front.races(g, seat):
            seen -= defs[c].traits
        seen.discard("human")
    seen |= disguise or looks
    rules = g.rules.companion
    if not alone and rules is not None and ("bonus" if bonus else "penalty") in rules.reactions:
        for c in front.companions(g, seat):
            seen |= front.companion_traits(g, c, rules.reaction_kinds)
    return frozenset(seen)


def has(g: Game, seat: int, trait: str) -> bool:
    return trait in traits(g, seat)


def has_any(g: Game, seat: int, names: tuple[str, ...]) -> bool:
    if seat < 0:
        return False
    mine = traits(g, seat)
    return any(n in mine for n in names)


def seen_as(g: Game, seat: int, names: tuple[str, ...], bad: bool, alone: bool) -> bool:
    """Does a monster take a player for one of these? Where that is `bad` for him, only what has drawbacks counts."""
    if seat < 0:
        return False
    mine = apparent(g, seat, bad, alone)
    return any(n in mine for n in names)


def harmed_as(g: Game, seat: int, names: tuple[str, ...]) -> bool:
    """Is somebody one of these, where that is bad for him? Not what has no drawbacks for him (FQ-RC-1)."""
    if seat < 0:
        return False
    mine = drawbacks(g, seat)
    return any(n in mine for n in names)


def suffers_as(g: Game, seat: int, names: tuple[str, ...], f: Effect | None) -> bool:
    """Is the victim of a Curse or Bad Stuff one of these? Nobody suffers as what has no drawbacks for him (FQ-RC-1).

    Bad Stuff is what a monster does, which knows only what it sees (FQ-AXE-1).
    """
    if f is not None and f.cause in ("curse", "bad_stuff"):
        seen = f.cause == "bad_stuff"
        return seen_as(g, seat, names, bad=True, alone=True) if seen else harmed_as(g, seat, names)
    return has_any(g, seat, names)


def epic(g: Game, seat: int) -> bool:
    """A computed thing, not a number: Epic from Level 10 on, in an Epic game (EPIC-5, EPIC-8)."""
    return g.rules.options.epic and g.players[seat].level >= 10


def epic_powers(g: Game, seat: int) -> bool:
    """Epic, or in a Dungeon that gives the Epic powers of Race and Class to everyone (DUNG-10)."""
    return epic(g, seat) or force.any_modifier(g, seat, "epic_powers")


def highest(g: Game, seat: int) -> bool:
    """Is nobody of higher Level?"""
    return g.players[seat].level >= max(p.level for p in g.players if not p.dead)


def lowest(g: Game, seat: int) -> bool:
    return g.players[seat].level <= min(p.level for p in g.players if not p.dead)


def month(g: Game) -> int:
    """The month in which the table plays, or 0 where it has not said (FQ-PROMO-1, FQ-PROMO-2)."""
    date = g.rules.accessories.date
    return int(date[5:7]) if date else 0
