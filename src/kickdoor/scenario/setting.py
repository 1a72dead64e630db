"""Setting the table of a scenario: its packs, its ruleset, its cards, and everything in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kickdoor.cards.language import Card
from kickdoor.cards.library import Library
from kickdoor.cards.packs import members
from kickdoor.engine import setup
from kickdoor.engine.value.game import Game
from kickdoor.scenario.naming import Names, TooFew
from kickdoor.scenario.table import Seating, check_keys, read_fixtures, read_rules
from kickdoor.scenario.wording import as_list

Printed = Callable[[list[str], list[Card], list[str], dict[str, int]], Library]  # packs, fixtures, without, copies


def set_table(data: dict[str, Any], folder: Path, printed: Printed = setup.library) -> tuple[Game, Names]:
    """The game at its start, and what its cards are called. How many of each are in a box may be our own guess."""
    packs = [_pack(p, folder) for p in members(str(p) for p in as_list(data.get("packs")) or ["classic"])]
    rules = read_rules(_with_options(data), packs)
    table = data.get("table") or {}
    fixtures = read_fixtures(table.get("fixtures") if isinstance(table, dict) else None, "fixtures")
    copies = {str(k).lower(): int(v) for k, v in check_keys(data.get("copies"), None, "copies").items()}
    without = [str(x) for x in as_list(data.get("without"))]
    while True:
        lib = printed(packs, fixtures, without, copies)
        seating = Seating(table, rules, lib, count="setup_refused" in data)
        try:
            return seating.build(), seating.names
        except TooFew as e:
            card = lib.defs[e.copies[0]]
            if card.pack not in packs or not setup.copies_are_ours(card.pack):
                raise
            copies[card.name.lower()] = len(e.copies) + 1


def _pack(name: str, folder: Path) -> str:
    """A pack by its name; `./folder` is one beside the file of the scenario."""
    return str(folder / name[2:]) if name.startswith("./") else name


def _with_options(data: dict[str, Any]) -> Any:
    """`rules:`, with what is written under `options:` in it."""
    raw = data.get("rules")
    if not data.get("options"):
        return raw
    return {**(raw if isinstance(raw, dict) else {"edition": raw} if raw else {}), "options": data["options"]}
