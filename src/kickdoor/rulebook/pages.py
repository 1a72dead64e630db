"""The pages of the rulebook: chapters and rules, read when somebody asks for them."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

# Many times as fast, where PyYAML was built with it.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

HOME = Path(__file__).resolve().parent / "pages"

CLASSIC_ORDER = """
SETUP PILE DECK CHAR WIN CONF TURN COMBAT MULTI HELP INTERFERE RUN DEATH TREASURE LEVEL RACE CLASS ITEM BIG
EQUIP TRADE SELL MONSTER UNDEAD ENH IENH EENH SPECIAL CURSE COMBO HIRE STEED DUNG PORTAL XOVER EPIC FAST
"""
QUESTION_ORDER = """
GEN CURSE CARD RC CBT CHEAT MISC BASE AXE CLER STEED DER DUNG GOOD CWBH HORSE BOOST FAIRY ENH BOOK REL SANTA
DICE EPIC KILL PROMO
"""

CLASSIC = tuple(CLASSIC_ORDER.split())
QUESTIONS = tuple(f"FQ-{topic}" for topic in QUESTION_ORDER.split())
SETS = ("MM", "BT", "GB", "SH")
READINGS = ("AMB", "SAMB")
"""What the books leave open and how it is read here: no rules of their own, but how those in their `see` are meant."""

ORDER = CLASSIC + QUESTIONS + SETS + READINGS
"""The chapters as a reader meets them: the classic game, questions about it, the sets that change it, the readings."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: what it says, what is worth adding, what to read with it, what says the same, how it is asked for."""

    id: str
    chapter: str
    says: str
    detail: str = ""
    see: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    @property
    def reading(self) -> bool:
        """Is it a reading of other rules, with nothing to say beyond them?"""
        return self.chapter in READINGS


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One chapter of the rulebook, with its rules in order."""

    id: str
    title: str
    about: str
    rules: tuple[Rule, ...]


class RuleError(ValueError):
    """There is no such rule or chapter; ``nearest`` holds the ids that may have been meant."""

    def __init__(self, kind: str, asked: str, nearest: tuple[str, ...]) -> None:
        hint = f"the nearest: {', '.join(nearest)}" if nearest else "rule ids look like COMBAT-19"
        super().__init__(f"no {kind} {asked!r}; {hint}")
        self.asked = asked
        self.nearest = nearest


@cache
def chapter(id: str) -> Chapter:
    """The chapter of that id, such as ``COMBAT`` or ``FQ-CBT``; only its own page is read."""
    if id not in ORDER:
        raise RuleError("chapter", id, tuple(get_close_matches(id.upper(), ORDER)))
    page: dict[str, Any] = yaml.load((HOME / f"{id}.yaml").read_text(encoding="utf-8"), LOADER)
    page["id"] = page.pop("chapter")
    for entry in page["rules"]:
        entry["chapter"] = id
    return msgspec.convert(page, Chapter)


@cache
def rules_of(id: str) -> dict[str, Rule]:
    """The rules of one chapter by id."""
    return {found.id: found for found in chapter(id).rules}


def rule(id: str) -> Rule:
    """The rule of that id, such as ``COMBAT-19``; raises RuleError with the nearest ids if there is none."""
    home = id.rpartition("-")[0]
    found = rules_of(home).get(id) if home in ORDER else None
    if found is None:
        raise RuleError("rule", id, nearest(id))
    return found


def chapters() -> list[Chapter]:
    """Every chapter, in the order of the rulebook."""
    return [chapter(id) for id in ORDER]


def all_rules() -> list[Rule]:
    """Every rule, in the order of the rulebook, and the readings after them."""
    return [found for each in chapters() for found in each.rules]


def nearest(asked: str, limit: int = 3) -> tuple[str, ...]:
    """The ids that were most likely meant: the right chapter first, then the nearest numbers in it."""
    name, _, number = asked.strip().upper().rpartition("-")
    if not number.isdecimal():
        name, number = asked.strip().upper(), "1"
    near: list[str] = []
    for home in get_close_matches(name, ORDER, limit, 0.7):
        ids = sorted(rules_of(home), key=lambda id: abs(int(id.rpartition("-")[2]) - int(number)))
        near += ids[: limit if home == name else 1]
    return tuple(near[:limit])
