"""What sets mean to each other, as data: what a name alone makes of a card, and what some sets have against others.

From the rulebook's notes on mixing sets (XOVER). A rule that goes by a name holds whatever set the card is from; a tag
on the card itself says the same for those whose name does not show it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple


class Named(NamedTuple):
    """Cards of these kinds (none: any) with this in the name have the tag; `whole`: as a word of its own."""

    word: str
    tag: str
    kinds: tuple[str, ...] = ()
    whole: bool = False


NAMED: Final = (
    Named("bat", "bat", ("monster",), whole=True),  # XOVER-21
    Named("shark", "shark", ("monster",), whole=True),  # FQ-CBT-34
    Named("gaki", "gaki", ("monster",), whole=True),  # XOVER-24
    Named("knife", "knife"),  # XOVER-25
    Named("dagger", "knife"),
    Named("gun", "gun"),  # XOVER-26
    Named("car", "vehicle", whole=True),  # XOVER-27
    Named("bowling", "bowling"),  # FQ-CWBH-6
    Named("grenade", "grenade", ("one_shot",), whole=True),  # FQ-CARD-15
    Named("ichor", "ichor", ("one_shot",), whole=True),
    Named("robot", "robot", ("monster",)),  # XOVER-32
    Named("alien", "alien", ("monster",)),
)

# Monsters of these sets with this tag have the modifiers too.
GRUDGES: Final[tuple[tuple[frozenset[str], str, tuple[dict[str, Any], ...]], ...]] = (
    (frozenset({"fu", "bites"}), "demon", ({"strength": 5, "against": "cleric"},)),  # XOVER-23
)
