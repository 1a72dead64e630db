"""What a table can choose about its game besides its sets: in words for people, each with the rule that allows it.

The lobby and the command line read the same lists, so that what can be chosen at one can be chosen at the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kickdoor.engine.table.deck_building import PORTAL_BLOCK


class Flag(NamedTuple):
    """Something that is so or not. `needs`: the kind of card without which it means nothing."""

    fields: Mapping[str, Any]
    title: str
    about: str
    rule: str
    needs: str = ""
    modules: tuple[str, ...] = ()  # what it adds to the game besides


class Choice(NamedTuple):
    """One of several words for a field of the ruleset; the first is what happens if nobody says anything."""

    field: str
    words: tuple[tuple[Any, str], ...]
    title: str
    about: str
    rule: str
    needs: str = ""
    names: str = ""  # of which kind of card a name will do as well


FLAGS: Final[dict[str, Flag]] = {
    "faster": Flag(
        {"options.faster_play": True},
        "Faster play: one more Door face-down at the start of a turn",
        "Listen at the door before you kick it, and loot a Treasure instead of a Door.",
        "MM-62",
    ),
    "shared": Flag(
        {"options.shared_victory": True},
        "Shared victory: fighter and helper may win together",
        "Whoever helps the winner over the last level wins too.",
        "MM-62",
    ),
    "epic": Flag(
        {"options.epic": True},
        "Epic play: on to Level 20, with Epic powers",
        "A long game: the faster rules are suggested along with it (EPIC-2).",
        "EPIC-1",
    ),
    "all_cards": Flag(
        {"decks.doors": "all", "decks.filters": False, "decks.thin_out": 0, "dungeons.portals": "all"},
        "All cards of every set, whatever is recommended",
        "Nothing stays in the box: every Door of a set made for mixes, every Portal, and cards nobody here can use.",
        "DECK-4",
    ),
    "locked_dungeon": Flag(
        {"dungeons.locked": True},
        "A base Dungeon: the first one is never left",
        "Others may come and go beside it, but no Portal takes the first Dungeon away.",
        "DUNG-15",
        "dungeon",
    ),
    "accessories": Flag(
        {},
        "Accessories: people may bring things of their own",
        "Counters, dice, coins and shirts, agreed on before the game. Each says in the lobby what he brings.",
        "FQ-KILL-1",
        "accessory",
        ("accessories",),
    ),
    "returned": Flag(
        {"accessories.returned": True},
        "Accessories that were given away go back after the game",
        "Otherwise they stay with whoever got them, for the next game too.",
        "FQ-PROMO-3",
        "accessory",
    ),
    "stand_ins": Flag(
        {"accessories.stand_ins": True},
        "Accessories that are used up were only stand-ins",
        "Otherwise what was torn up is gone for the next game too.",
        "FQ-PROMO-4",
        "accessory",
    ),
    "two_players": Flag({"players.min": 2}, "Two may play", "The books want three at least.", "SETUP-1"),
    "eight_players": Flag({"players.max": 8}, "Up to eight may play", "The books want six at most.", "SETUP-1"),
}

CHOICES: Final[dict[str, Choice]] = {
    "piles": Choice(
        "decks.piles",
        (
            ("one", "One pile each"),
            ("halves", "Two halves: draw from either (DECK-13)"),
            ("reserve", "A half in reserve, for when the first runs out (DECK-14)"),
            ("per_set", "A pile for each set: the drawer chooses (DECK-15)"),
        ),
        "Tall decks",
        "With many sets the decks grow too tall to stand.",
        "DECK-12",
    ),
    "first_dungeon": Choice(
        "dungeons.first",
        (
            ("random", "At random"),
            ("winner", "The winner of the last game picks"),
            ("loser", "The loser of the last game picks"),
        ),
        "The first Dungeon",
        "Or agree on one. Before a first game there is no winner or loser: then it is drawn at random.",
        "DUNG-12",
        "dungeon",
        "dungeon",
    ),
    "portals": Choice(
        "dungeons.portals",
        (
            ("suggested", "As suggested: one of each with a single set, all with more"),
            ("one_each", "One of each"),
            ("all", "All of them"),
            ("none", "None: stay in one Dungeon (DUNG-14)"),
        ),
        "Portals",
        "How often the party stumbles into another Dungeon.",
        "PORTAL-14",
        "portal",
    ),
    "portal_block": Choice(
        "dungeons.portal_block",
        ((0, "Among all Doors"), (PORTAL_BLOCK, f"Among the top {PORTAL_BLOCK} Doors")),
        "Where the Portals are",
        "In a very tall deck of Doors they would hardly ever be found.",
        "PORTAL-16",
        "portal",
    ),
}
