"""Rules that say the same from another chapter, or in another book."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from kickdoor.rulebook.pages import LOADER, all_rules

READINGS = Path(__file__).resolve().parent / "readings.yaml"


@cache
def same_as() -> dict[str, tuple[str, ...]]:
    """For each rule, and each reading of the rules, what says the same."""
    readings: dict[str, list[str]] = yaml.load(READINGS.read_text(encoding="utf-8"), LOADER)
    said = {found.id: found.same_as for found in all_rules() if found.same_as}
    return {**said, **{id: tuple(same) for id, same in readings.items()}}


@cache
def equivalent(wanted: str, cited: str) -> bool:
    """Does the rule that is cited say what the wanted one says? (Not the other way round: a summary says less.)"""
    return wanted == cited or any(equivalent(other, cited) for other in same_as().get(wanted, ()))
