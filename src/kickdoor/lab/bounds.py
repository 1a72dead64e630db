"""What a box that is a game of its own has to be like when four schemers play it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from kickdoor.lab.analysis import FEWEST

BOTS: Final = ("schemer",) * 4
RIVALS: Final = ("schemer", "greedy", "greedy", "greedy")
SURE: Final = 3.0  # standard errors: what is less may be chance
SEATED: Final = 100  # games before anything is said about seats
BETTER: Final = 0.6  # of the games that one schemer wins against three greedy players


class Bound(NamedTuple):
    """One figure of a run, and between what it has to lie."""

    what: str
    of: Callable[[dict[str, Any]], float]
    low: float
    high: float
    says: str  # with {x}, {low} and {high}


def helped(found: dict[str, Any]) -> float:
    """The share of won fights that were won with help."""
    ends = found["fights"]["ends"]
    won = ends["won_alone"] + ends["won_with_help"]
    return float(ends["won_with_help"]) / won if won else 0.0


def longest(found: dict[str, Any]) -> int:
    """Turns of the longest game."""
    return round(float(found["length"]["longest"]) * len(found["seat_wins"]))


def seat_error(found: dict[str, Any]) -> float:
    """How far the luckiest or unluckiest seat is from its share, in standard errors; a few games say nothing of it."""
    if found["games"] < SEATED:
        return 0.0
    even = 1 / len(found["seat_wins"])
    error = math.sqrt(even * (1 - even) / max(1, found["games"]))
    return max(abs(float(s["share"]) - even) for s in found["seat_wins"]) / error


BOUNDS: Final = (
    Bound(
        "length", lambda f: float(f["length"]["median"]), 7, 12, "A game takes {x:.1f} rounds, not {low:g} to {high:g}."
    ),
    Bound(
        "deaths",
        lambda f: float(f["deaths"]),
        0.3,
        1.2,
        "Somebody dies {x:.2f} times a game, not {low:g} to {high:g} times.",
    ),
    Bound("help", helped, 0.25, 0.5, "Of the fights won, {x:.0%} are won with help, not {low:.0%} to {high:.0%}."),
    Bound("seats", seat_error, 0, SURE, "Where one sits matters: a seat is {x:.1f} standard errors from its share."),
    Bound("longest", longest, 0, 300, "The longest game has {x:.0f} turns, which is more than {high:g}."),
    Bound("failed", lambda f: float(f["failed"]), 0, 0, "{x:.0f} games could not be played to their end."),
)


def outside(found: dict[str, Any]) -> list[tuple[str, str]]:
    """What of a run is out of bounds: the name of the bound, and a sentence."""
    out = []
    for b in BOUNDS:
        x = b.of(found)
        if not b.low <= x <= b.high:
            out.append((b.what, b.says.format(x=x, low=b.low, high=b.high)))
    return out


def stuck(found: dict[str, Any]) -> list[str]:
    """Cards that came into hands often enough, and never left one."""
    return [c["card"] for c in found["cards"] if c["in_hand"] >= FEWEST and c["stuck"] >= 1.0]


def unseen(found: dict[str, Any], cards: list[dict[str, Any]]) -> list[str]:
    """Cards that hardly ever came up, or never."""
    known = {c["card"] for c in found["cards"]}
    return [c["name"] for c in cards if c["copies"] and c["name"] not in known]
