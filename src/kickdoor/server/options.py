"""What a table can be: its cards, its rules, its clocks; and what the lobby offers to choose from."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from kickdoor.bots import KINDS, known
from kickdoor.cards.library import Library
from kickdoor.cards.packs import PackError, find_pack, known_packs, read_pack
from kickdoor.engine.ruleset import Ruleset, RulesetError
from kickdoor.engine.setup import library, rules_for
from kickdoor.server.trouble import Trouble

BotSpeed = Literal["slow", "normal", "fast", "instant"]
PACE: Final[dict[str, float]] = {"slow": 2.0, "normal": 1.0, "fast": 0.35, "instant": 0.0}
SHORTEST_WINDOW: Final = 2.6  # COMBAT-12

# Reasonable time in a window, and time for a decision, in seconds.
TIMERS: Final[dict[str, tuple[float, float]]] = {
    "relaxed": (15.0, 180.0),
    "normal": (8.0, 60.0),
    "quick": (5.0, 25.0),
    "blitz": (SHORTEST_WINDOW, 10.0),
}
# Rules that tables like to change: the field of the ruleset, and what it means.
HOUSE_RULES: Final[dict[str, tuple[str, Any, str]]] = {
    "faster": ("options.faster_play", True, "Faster play: one more Door face-down at the start of a turn"),
    "shared": ("options.shared_victory", True, "Shared victory: fighter and helper may win together"),
    "epic": ("options.epic", True, "Epic play: on to Level 20, with Epic powers"),
    "two_players": ("players.min", 2, "Two may play"),
    "eight_players": ("players.max", 8, "Up to eight may play"),
}
PHRASES: Final[dict[str, str]] = {
    "hello": "Hello!",
    "hurry": "Some time today, please.",
    "thanks": "Thank you. I did not expect that.",
    "deal": "We can talk about this.",
    "no_way": "Not for all the gold in the dungeon.",
    "ouch": "That was uncalled for.",
    "sorry": "Nothing personal.",
    "laugh": "Ha!",
    "good_game": "Good game.",
    "brb": "Back in a minute.",
}


class TableOptions(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Everything that is settled in the lobby."""

    packs: list[str] = msgspec.field(default_factory=lambda: ["classic"])
    house: list[str] = []  # ids of HOUSE_RULES
    rules: dict[str, Any] = {}  # any other field of the ruleset, by its dotted name
    without: list[str] = []  # cards left in the box
    copies: dict[str, int] = {}  # another number of a card than the box has
    timer: str = "normal"
    window: float = TIMERS["normal"][0]
    decision: float = TIMERS["normal"][1]
    grace: float = 60.0
    bot_speed: BotSpeed = "normal"
    standin: str = "schemer"
    watchers: bool = True


def changed(old: TableOptions, changes: dict[str, Any]) -> TableOptions:
    """The options with some of them changed; refused with a sentence if they make no sense."""
    data = msgspec.to_builtins(old) | changes
    if "timer" in changes and changes["timer"] in TIMERS:
        data["window"], data["decision"] = TIMERS[changes["timer"]]
        data |= {k: changes[k] for k in ("window", "decision") if k in changes}
    try:
        new = msgspec.convert(data, TableOptions)
    except msgspec.ValidationError as e:
        raise Trouble("bad_option", f"These options make no sense: {e}.") from None
    check(new)
    return new


def check(o: TableOptions) -> None:
    """Do packs, rules and clocks exist and fit together?"""
    if not o.packs or len(set(o.packs)) != len(o.packs) or len(o.packs) > 20:
        raise Trouble("bad_option", "Choose at least one pack, and none twice.")
    unknown = [p for p in o.packs if p not in known_packs()]
    if unknown:
        raise Trouble(
            "bad_option", f"There is no pack {unknown[0][:40]!r} here. There are: {', '.join(known_packs())}."
        )
    odd = [h for h in o.house if h not in HOUSE_RULES]
    if odd:
        raise Trouble("bad_option", f"No house rule is called {odd[0][:40]!r}. There are: {', '.join(HOUSE_RULES)}.")
    if o.timer not in (*TIMERS, "custom"):
        raise Trouble("bad_option", f"No timer is called {o.timer[:40]!r}. There are: {', '.join(TIMERS)}, custom.")
    if not SHORTEST_WINDOW <= o.window <= 120:
        raise Trouble("bad_option", "Reasonable time is between 2.6 and 120 seconds.", "COMBAT-12")
    if not 5 <= o.decision <= 3600 or not 5 <= o.grace <= 3600:
        raise Trouble("bad_option", "A decision may take 5 seconds to an hour, and so may waiting for a lost line.")
    if not known(o.standin):
        raise Trouble("bad_option", f"There is no bot {o.standin[:40]!r}. There are: {', '.join(KINDS)}.")
    rules(o)
    try:
        cards(o)
    except (PackError, ValueError) as e:
        raise Trouble("bad_option", f"These packs do not go together like that: {e}") from None


def rules(o: TableOptions) -> Ruleset:
    """The ruleset of a table."""
    fields = dict(o.rules)
    edition = fields.pop("edition", None)
    for h in o.house:
        field, value, _ = HOUSE_RULES[h]
        fields[field] = value
    try:
        return rules_for(tuple(o.packs), edition, **fields)
    except (RulesetError, msgspec.ValidationError, TypeError, ValueError) as e:
        raise Trouble("bad_option", f"These rules make no sense: {e}") from None


def cards(o: TableOptions) -> Library:
    """The cards of a table."""
    return library(tuple(o.packs), without=tuple(o.without), copies=o.copies)


def plain(o: TableOptions) -> dict[str, Any]:
    """The options as JSON has them."""
    out: dict[str, Any] = msgspec.to_builtins(o)
    return out


def theme(packs: list[str]) -> dict[str, str]:
    """The first pack of a mix sets the table."""
    return dict(read_pack(find_pack(packs[0])).head.theme or {})
