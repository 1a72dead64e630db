"""Setting the table of a scenario: its packs, its ruleset, its cards, and everything in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kickdoor.cards.language import Card
from kickdoor.cards.library import Library
from kickdoor.cards.packs import card_names, members, unseen
from kickdoor.engine import setup
from kickdoor.engine.value.game import Game
from kickdoor.scenario.naming import Names, TooFew, split
from kickdoor.scenario.table import Seating, check_keys, read_fixtures, read_rules
from kickdoor.scenario.wording import as_list

Printed = Callable[[list[str], list[Card], list[str], dict[str, int]], Library]  # packs, fixtures, without, copies


def set_table(data: dict[str, Any], folder: Path, printed: Printed = setup.library) -> tuple[Game, Names]:
    """The game at its start, and what its cards are called. How many of each are in a box may be our own guess."""
    packs = [_pack(p, folder) for p in members(str(p) for p in as_list(data.get("packs")) or ["classic"])]
    rules = read_rules(_with_options(data), packs)
    table = data.get("table") or {}
    fixtures = read_fixtures(table.get("fixtures") if isinstance(table, dict) else None, "fixtures")
    fixtures += _only_named(packs, fixtures, data)
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


def _only_named(packs: list[str], fixtures: list[Card], data: dict[str, Any]) -> list[Card]:
    """The cards the scenario names of which no more than the name is known: they lie here as fixtures do."""
    names = unseen(packs)
    if not names:
        return []
    there = {f.name.lower() for f in fixtures}.union(*(card_names(p) for p in packs))
    said = {split(w)[0].lower() for w in _words([data.get("table"), data.get("steps")])} - there
    return [names[n] for n in sorted(said & set(names))]


def _words(data: Any) -> Iterator[str]:
    """Every word of a scenario that could be a card's name."""
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list):
        for x in data:
            yield from _words(x)
    elif isinstance(data, str):
        yield from data.split("/")
