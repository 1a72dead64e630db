"""Dungeons and the Portals that lead to them (DUNG, PORTAL).

Every Dungeon that lies face-up is in play (DUNG-6), the oldest first, so that the order of the list is the order in
which they came (DUNG-5, DUNG-8). What a Dungeon changes is read by the chapters as `force.modifiers`.
"""

from __future__ import annotations

from kickdoor.engine.facts import force
from kickdoor.engine.table import deck_building, decks, levels, several_piles
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import Effect, FirstDungeon
from kickdoor.engine.value.game import DOOR, DUNGEON, Game
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.ruleset import PICKERS

# -- coming and going -------------------------------------------------------------------------------------------


def removable(g: Game) -> list[int]:
    """The Dungeons that can be left: not the base Dungeon of a table that plays with one (DUNG-15)."""
    return list(g.dungeons[1:] if g.rules.dungeons.locked else g.dungeons)


def next_dungeon(g: Game, source: str) -> int:
    """The top of the Dungeon deck, or the Dungeon left last; -1 when there is none (DUNG-7, AMB-35)."""
    left = decks.take_from_discards(g, DUNGEON) if source == "discards" else -1
    return left if left >= 0 else decks.take_top(g, DUNGEON)


def move_on(g: Game, come: list[int], gone: list[int], reach: int) -> None:
    """From Dungeon to Dungeon in one step: no limit is checked in between (DUNG-9, DUNG-10).

    What the cards say of entering comes first, then what they say of leaving (DUNG-4).
    """
    said = [(c, "left", s) for c in gone for s in inside(g, c)]
    for c in come:
        g.dungeons = [*g.dungeons, c]
        if reach != force.ALL_SEATS:
            g.reach = {**g.reach, c: reach}
        g.emit("dungeon", card=c, rule="DUNG-6")
    for c in gone:
        g.dungeons = renewed.less(g.dungeons, c)
        g.reach = renewed.without(g.reach, c)
        deck = g.lib.defs[c].deck
        g.discards[deck] = [*g.discards[deck], c]  # a room is a Door and goes back to them (EPIC-13)
        g.emit("dungeon_left", card=c, rule="DUNG-7")
    g.touch()
    g.dirty = (1 << len(g.players)) - 1
    said = [(c, "entered", s) for c in come for s in inside(g, c)] + said
    for c, event, s in reversed(said):
        prog = g.lib.defs[c].on.get(event, -1)
        if prog >= 0:
            g.stack.append(Effect(prog, c, s, s, cause=event))
    # The goal may have been further away.
    levels.check_win(g, [s for s, p in enumerate(g.players) if p.level >= levels.common_goal(g, s)])


def vanish(g: Game, card: int) -> None:
    """A Dungeon in play ceases to exist: it is left, and goes into the box (DUNG-4, FQ-AXE-8)."""
    move_on(g, [], [card], force.ALL_SEATS)
    several_piles.take_back(g, DUNGEON, card)
    g.box = [*g.box, card]
    g.emit("annihilate", card=card, rule="FQ-AXE-8")


def inside(g: Game, card: int) -> list[int]:
    """The living players a Dungeon is for, from the one whose turn it is (DUNG-2)."""
    return [s for s in g.living(g.turn) if force.in_dungeon(g, s, card)]


# -- Portals ----------------------------------------------------------------------------------------------------


# -- set-up -----------------------------------------------------------------------------------------------------


def first_dungeon(g: Game) -> int:
    """The Dungeon that lies open from the start: at random, or the one agreed on (DUNG-11, DUNG-12, DUNG-13)."""
    name = g.rules.dungeons.first
    pile = g.piles[DUNGEON]
    card = next((c for c in pile if g.lib.defs[c].name.lower() == name.lower()), pile[-1])
    if name != "random" and g.lib.defs[card].name.lower() != name.lower():
        raise r.Refused(Reason("DUNG-12", f"There is no Dungeon named {name!r} in this game."))
    several_piles.take_out(g, DUNGEON, card)
    return card


def picker(g: Game) -> int:
    """The seat of the player who picks the first Dungeon, or -1 where nobody does (DUNG-12)."""
    rules = g.rules.dungeons
    if rules.first not in PICKERS:
        return -1
    seat = next((s for s, p in enumerate(g.players) if p.name == rules.chosen_by), -1)
    if seat < 0:
        says = (
            f"The {rules.first} of the last game picks the first Dungeon; it must be said who of the players that is."
        )
        raise r.Refused(Reason("DUNG-12", says))
    return seat


def lay_first(g: Game, card: int) -> None:
    """One Dungeon lies open from the start (SETUP-9)."""
    g.dungeons = [*g.dungeons, card]
    g.touch()
    g.emit("dungeon", card=card, rule="SETUP-9")


def step_first(g: Game, f: FirstDungeon) -> bool:
    """Whoever won or lost the last game picks any of them; the others stay shuffled (DUNG-12, DUNG-13)."""
    pile = g.piles[DUNGEON]
    if f.ans is None:
        ask(g, f.seat, sorted(pile), about="first_dungeon", rule="DUNG-12")
    else:
        g.stack.pop()
        several_piles.take_out(g, DUNGEON, f.ans[0])
        lay_first(g, f.ans[0])
    return True


def set_aside(g: Game) -> list[int]:
    """The Portals of this game, taken out of the Doors; those not used go back into the box (PORTAL-14, PORTAL-15)."""
    defs = g.lib.defs
    all_ = [c for c in g.piles[DOOR] if defs[c].kind == "portal"]
    used = _used(g, all_)
    if all_:
        g.piles[DOOR] = [c for c in g.piles[DOOR] if defs[c].kind != "portal"]
        g.box = [*g.box, *(c for c in all_ if c not in used)]
    return used


def _used(g: Game, portals: list[int]) -> list[int]:
    how = g.rules.dungeons.portals
    defs = g.lib.defs
    if how == "suggested":  # one of each with a single set, all of them with more
        how = "all" if deck_building.supplemented(g.lib) else "one_each"
    if how == "none":
        return []
    if how == "all":
        return portals
    return list({(defs[c].name, c if defs[c].pack == "fixtures" else -1): c for c in portals}.values())


def mix_in(g: Game, portals: list[int]) -> None:
    """Among the Doors, or among the block on top of very many (PORTAL-16)."""
    if not portals:
        return
    pile = g.piles[DOOR]
    block = g.rules.dungeons.portal_block
    at = max(0, len(pile) - block) if block else 0
    top = [*pile[at:], *portals]
    g.shuffle(top)
    g.piles[DOOR] = [*pile[:at], *top]
