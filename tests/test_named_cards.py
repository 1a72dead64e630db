"""Every card that a rulebook or the FAQ names is in a pack, and a scenario that passes plays with it.

The names are in `scenarios/named_cards.yaml.d`, a file for each book: `name` as the book writes it, `pack` where the
card is, or `cards` where it is called otherwise or a whole sort of cards is meant; or `reason`, where no card is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import test_scenarios
from kickdoor.cards.packs import find_pack, known_packs, members, read_pack
from kickdoor.cards.reading import documents, read_documents
from kickdoor.scenario.coverage import split
from kickdoor.scenario.naming import split as split_label
from kickdoor.scenario.runner import find_files

ROOT = Path(__file__).resolve().parent.parent
BOOKS = sorted((ROOT / "scenarios" / "named_cards.yaml.d").glob("*.yaml"))
HOMES = [ROOT / "scenarios", *sorted((ROOT / "src" / "kickdoor" / "packs").glob("*/scenarios"))]
FEW = 6  # names that are no cards


class Named(NamedTuple):
    """A name in a book, and the card it means."""

    book: str
    name: str
    pack: str
    card: str


def entries() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in BOOKS:
        for data, _ in read_documents(path):
            for entry in data:
                yield path.stem, entry


def named() -> Iterator[Named]:
    for book, e in entries():
        for c in e.get("cards", [{"pack": e["pack"], "card": e["name"]}] if "pack" in e else []):
            yield Named(book, e["name"], c["pack"], c["card"])


@cache
def spellings(pack: str) -> dict[str, set[str]]:
    """The names of a pack's cards in small letters, each with all spellings of that card."""
    out: dict[str, set[str]] = {}
    for c in read_pack(find_pack(pack)).cards:
        words = {n.lower() for n in (c.name, *c.aka)}
        for w in words:
            out.setdefault(w, set()).update(words)
    return out


def words(data: Any) -> Iterator[str]:
    """Everything that a part of a scenario says, keys and values."""
    if isinstance(data, dict):
        for k, v in data.items():
            yield str(k)
            yield from words(v)
    elif isinstance(data, list):
        for x in data:
            yield from words(x)
    elif isinstance(data, str):
        yield data


def _homes(packs: list[str], name: str, home: str) -> Iterator[str]:
    """The pack that a name in a scenario means: the one it gives, else the first that has such a card."""
    if home:
        yield home
        return
    yield from [p for p in packs if name in spellings(p)][:1]


def played(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The cards a scenario plays with: those it says it shows, and those on its table that are no fixtures."""
    packs = list(members(str(p) for p in data.get("packs") or ["classic"]))
    if not set(packs) <= set(known_packs()):
        return
    for shown in data.get("shows") or []:
        pack, colon, card = str(shown).partition(":")
        if colon and pack in packs:
            yield pack, card.lower()
    table = data.get("table") or {}
    own = {str(f.get("name", "")).lower() for f in table.get("fixtures") or []}
    for word in words([{k: v for k, v in table.items() if k != "fixtures"}, data.get("steps")]):
        for label in {word, word.partition("/")[2]} - {""}:
            name, _, home = split_label(label)
            if name.lower() not in own:
                for pack in _homes(packs, name.lower(), home):
                    yield pack, name.lower()


@cache
def scenarios() -> dict[tuple[str, str], tuple[Path, str]]:
    """For each card, the scenario that plays with it: best one that says so, else the first."""
    shown: dict[tuple[str, str], tuple[Path, str]] = {}
    seen: dict[tuple[str, str], tuple[Path, str]] = {}
    for path in find_files(HOMES):
        for _, text in split(path.read_text(encoding="utf-8")):
            for data, _ in documents(text, str(path)):
                if isinstance(data, dict):
                    said = {str(s).lower() for s in data.get("shows") or []}
                    for pack, name in played(data):
                        (shown if f"{pack}:{name}" in said else seen).setdefault((pack, name), (path, text))
    return seen | shown


NAMED = sorted(set(named()))


def test_there_is_a_list_for_every_book() -> None:
    assert {p.stem for p in BOOKS} == {"rulebook", "faq", "magical_mess", "bites", "good_bad", "shakespeare"}
    assert len({(n.book, n.name) for n in NAMED}) > 300


def test_what_is_no_card_is_so_for_a_reason() -> None:
    reasons = {(book, e["name"]): e.get("reason") for book, e in entries() if not {"pack", "cards"} & set(e)}
    assert all(reasons.values())
    assert len({name for _, name in reasons}) <= FEW


def test_no_name_stands_twice_in_a_book() -> None:
    names = [(book, e["name"], str(e)) for book, e in entries()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("book", [p.stem for p in BOOKS])
def test_every_named_card_is_in_its_pack(book: str) -> None:
    missing = [n for n in NAMED if n.book == book and n.card.lower() not in spellings(n.pack)]
    assert missing == []


@pytest.mark.xdist_group("named_cards")  # all scenarios are read once
@pytest.mark.parametrize("book", [p.stem for p in BOOKS])
def test_every_named_card_is_played_in_a_scenario(book: str) -> None:
    """That all of them pass is held by test_scenarios, which runs the same files."""
    assert HOMES == test_scenarios.HOMES
    cards = {(n.pack, n.card) for n in NAMED if n.book == book}
    assert [c for c in cards if not any((c[0], w) in scenarios() for w in spellings(c[0]).get(c[1].lower(), ()))] == []
