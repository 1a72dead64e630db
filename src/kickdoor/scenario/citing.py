"""The rule that a refusal cites, and the one that a scenario wants: the same, one that says the same, another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kickdoor.engine.reasons import Reason
from kickdoor.rulebook import equivalent


class Named(Enum):
    """How an assertion of a refusal names its rule."""

    EXACTLY = "exactly"
    BY_EQUIVALENCE = "by equivalence"
    NOT = "not"
    OTHERWISE = "otherwise"


@dataclass
class Citation:
    """A refusal that came as a scenario said: at which step, and by which rule."""

    step: int
    named: Named
    wanted: str | None
    cited: str


def named(reason: Reason, wanted: str | None) -> Named:
    """Does a refusal rest on the rule that is wanted?"""
    if wanted is None:
        return Named.NOT
    if reason.rule == wanted:
        return Named.EXACTLY
    cited = (reason.rule, *getattr(reason, "also", ()))
    return Named.BY_EQUIVALENCE if any(equivalent(wanted, rule) for rule in cited) else Named.OTHERWISE
