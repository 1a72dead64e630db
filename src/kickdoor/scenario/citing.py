"""The rule that a refusal cites, and the one that a scenario wants: the same, one that says the same, another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kickdoor.engine.value.reasons import Reason
from kickdoor.rulebook import equivalent

Named = Literal["exactly", "by_equivalence", "unnamed"]


@dataclass
class Citation:
    """A refusal that came as a scenario said: at which step, and by which rule."""

    step: int
    named: Named
    wanted: str | None
    cited: str


def named(reason: Reason, wanted: str | None) -> Named | None:
    """How an assertion names the rule that a refusal rests on; None where it names another."""
    if wanted is None:
        return "unnamed"
    if reason.rule == wanted:
        return "exactly"
    return "by_equivalence" if equivalent(wanted, reason.rule) else None
