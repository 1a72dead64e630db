"""Checking a pack as a whole: every error of the loader, not only the first, and what a card of its kind should have.

What needs an engine (does the pack build, is there such an edition) is asked through `Engine`, which is handed in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from kickdoor.cards.checking import COPIES, NEEDS, Fault, Known, faults, head_faults, head_words, name_faults
from kickdoor.cards.compiler import Compiler, merge_like
from kickdoor.cards.conditions import LanguageError
from kickdoor.cards.language import Card, Pack
from kickdoor.cards.library import CardDef, Library
from kickdoor.cards.packs import (
    PackError,
    Place,
    Tally,
    bundled_words,
    bundled_words_with,
    card_list,
    card_name,
    find_pack,
    forget_packs,
    known_packs,
    members,
    no_races,
    pack_files,
    read_pack,
    written_cards,
)
from kickdoor.cards.reading import Lines, Path_, ReadingError, convert, nearest, place, read_documents
from kickdoor.cards.reprints import printed_again
from kickdoor.cards.words import learned

TOLD: Final = 100  # of each level; whoever has more has one of them a hundred times
ALONE: Final = 24  # of each deck: what three players are dealt twice over

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Engine:
    """What the check asks of the engine: its queries, and what it says of editions and of whole libraries."""

    queries: Any
    wrong_edition: Callable[[str], str]  # "" if there is such an edition
    build: Callable[[tuple[str, ...]], None]  # raises what is wrong


@dataclass
class Problem:
    """One thing about a pack that is wrong, doubtful or worth knowing."""

    level: Level
    file: str
    line: int
    card: str
    field: str
    says: str


@dataclass
class Entry:
    """A card as read, and where each of its parts stands."""

    card: Card
    place: Place


class Check:
    """One pack being checked."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        self.folder = folder
        self.engine = engine
        self.problems: list[Problem] = []
        self.levels: Counter[Level] = Counter()  # how many there are, also of those that are not told
        self.head: Pack | None = None
        self.head_lines: Lines = {}
        self.entries: list[Entry] = []
        self.compiled: list[CardDef] = []

    def run(self) -> None:
        self._read()
        if self.head is None and not self._has_errors():
            self._add("error", str(self.folder / "pack.yaml"), 1, says="a pack needs a pack.yaml with its id and title")
        self._reprints()
        heads = [] if self.head is None else [self.head]
        words = learned((e.card for e in self.entries), heads)
        models, known = self._models(), Known(words, rest=bundled_words_with)
        for head in heads:
            self._head(head, known)
        self._names()
        for entry in self.entries:
            if self.levels["error"] < TOLD:  # looking for the nearest word costs time, and nobody reads on
                self._card(entry, models, known)
        if not self._has_errors():
            self._whole()
        for level, n in self.levels.items():
            if n > TOLD:
                says = f"{n - TOLD:,} more; the first {TOLD} are told: mend these, and check again"
                self.problems.append(Problem(level, str(self.folder), 1, "", "", says))
        order = {"error": 0, "warning": 1, "note": 2}
        self.problems.sort(key=lambda p: (order[p.level], p.file, p.line))

    def _has_errors(self) -> bool:
        return self.levels["error"] > 0

    def _add(self, level: Level, file: str, line: int, card: str = "", field: str = "", *, says: str) -> None:
        self.levels[level] += 1
        if self.levels[level] <= TOLD:
            self.problems.append(Problem(level, file, line, card, field, says))

    def _at(self, level: Level, entry: Entry, path: Path_, says: str) -> None:
        name = ".".join(str(p) for p in path)
        self._add(level, entry.place.file, entry.place.line(path), entry.card.name, name, says=says)

    # -- reading

    def _read(self) -> None:
        try:
            files = pack_files(self.folder)
        except ReadingError as e:
            self._reading(e, str(self.folder))
            return
        tally = Tally()
        for path in files:
            try:
                for data, lines in read_documents(path):
                    tally.document(path, lines)
                    if path.name == "pack.yaml":
                        self.head, self.head_lines = convert(data, Pack, str(path), lines), lines
                    else:
                        self._read_cards(data, path, lines, tally)
            except PackError as e:  # out of bounds: what was read of it is not worth a look
                self._reading(e, str(path))
                self.entries.clear()
                return
            except ReadingError as e:
                self._reading(e, str(path))

    def _read_cards(self, data: Any, path: Path, lines: Lines, tally: Tally) -> None:
        for i, raw in enumerate(card_list(data, path, lines)):
            where, name = Place(str(path), lines, ("cards", i)), card_name(raw, i)
            tally.card(raw, name, where)
            if self.levels["error"] >= TOLD:
                return
            try:
                card = convert(raw, Card, str(path), lines, name, ("cards", i))
            except ReadingError as e:
                self._reading(e, str(path), name)
            else:
                self.entries.append(Entry(card, where))

    def _reading(self, error: ReadingError, file: str, card: str = "") -> None:
        """Take the loader's message apart: file, line, card, field."""
        text = str(error)
        found = re.match(re.escape(file) + r":(?:(\d+):)? ?", text)
        line = int(found[1]) if found and found[1] else 1
        text = text[found.end() :] if found else text
        text = text.removeprefix(f"card {card!r}: ")
        unknown = re.match(r"unknown key '([^']*)'(?: in ([^;]*))?;", text)
        named = re.match(r"([\w.*]+): ", text)
        where = ""
        if unknown:
            where = f"{unknown[2]}.{unknown[1]}" if unknown[2] else unknown[1]
        elif named and card:
            where = named[1]
        self._add("error", file, line, card, where, says=text)

    def _reprints(self) -> None:
        """What is printed again becomes the card that it is in another pack."""
        id, known, found = self.head.id if self.head else "", known_packs(), []
        for entry in self.entries:
            again = entry.card.as_in is not None
            card = printed_again(entry.card, id, known, written_cards) if again else entry.card
            if isinstance(card, Fault):
                self._at("error", entry, *card)
            else:
                found.append(Entry(card, entry.place))
        self.entries = found
        if self.head is not None and self.head.no_race is not None and self.head.no_race.as_in is not None:
            card = printed_again(self.head.no_race, id, known, no_races)
            where = Entry(self.head.no_race, Place(str(self.folder / "pack.yaml"), self.head_lines, ("no_race",)))
            if isinstance(card, Fault):
                self._at("error", where, *card)

    # -- the head, the names

    def _head(self, head: Pack, known: Known) -> None:
        file = str(self.folder / "pack.yaml")
        for path, says in (*head_faults(head), *head_words(head, known)):
            name = ".".join(str(p) for p in path)
            self._add("error", file, place(self.head_lines, path), field=name, says=says)
        wrong = self.engine.wrong_edition(head.edition)
        if wrong:
            self._add("error", file, 1, field="edition", says=wrong)
        for need in self._needs():
            try:
                find_pack(need)
            except ReadingError as e:
                self._add("error", file, 1, field="needs", says=str(e))
        if head.id in known_packs() and find_pack(head.id).resolve() != self.folder.resolve():
            self._add("warning", file, 1, field="id", says=f"another pack has the id {head.id!r}")

    def _names(self) -> None:
        seen: dict[tuple[str, str | None], Entry] = {}
        for entry in self.entries:
            card = entry.card
            first = seen.setdefault((card.name.lower(), card.set_), entry)
            if first is not entry:
                self._at("error", entry, ("name",), f"a card of that name stands at {first.place}; use copies:")
            for wrong in name_faults(card):
                self._at("error", entry, *wrong)

    def _needs(self) -> list[str]:
        return list(members(self.head.needs)) if self.head is not None and len(self.head.needs) <= NEEDS else []

    def _models(self) -> dict[str, Card]:
        """The cards that one may be `like`."""
        models: dict[str, Card] = {}
        for name in self._needs():
            try:
                models |= {c.name.lower(): c for c in read_pack(find_pack(name)).cards}
            except ReadingError:
                continue
        return models | {e.card.name.lower(): e.card for e in self.entries}

    # -- one card

    def _card(self, entry: Entry, models: dict[str, Card], known: Known) -> None:
        card = entry.card
        if card.like is not None:
            model = models.get(card.like.lower())
            if model is None:
                self._no_model(entry, card.like, models)
                return
            card = merge_like(card, model)
        wrong = list(faults(entry.card, card, known))
        for path, says in wrong:
            self._at("error", entry, path, says)
        if wrong:
            return
        try:
            d = Compiler(Library(), self.engine.queries).card(card, self.head.id if self.head else "")
        except LanguageError as e:
            self._at("error", entry, (), str(e))
            return
        self.compiled += [d] * min(card.copies, COPIES)
        self._figures(entry, card, d)

    def _no_model(self, entry: Entry, like: str, models: dict[str, Card]) -> None:
        elsewhere = bundled_words().card
        if like.lower() in elsewhere:
            hint = f"{elsewhere[like.lower()]!r} is in another pack; name that under needs:"
        else:
            hint = nearest(like, [*(c.name for c in models.values()), *elsewhere.values()])
        self._at("error", entry, ("like",), f"no card {like!r} here to be like; {hint}")

    def _figures(self, entry: Entry, card: Card, d: CardDef) -> None:
        """What a card of its kind should have."""
        lacking: list[tuple[str, str]] = []
        if d.kind == "monster":
            lacking += [("level", "a monster without a level is Level 1")] if card.level is None else []
            lacking += [("treasures", "a monster without treasures has 1")] if card.treasures is None else []
            if card.bad_stuff is None:
                lacking.append(("bad_stuff", "a monster without bad_stuff catches nobody; write [] if that is meant"))
            elif card.bad_stuff and not card.bad_stuff_text:
                lacking.append(("bad_stuff_text", "its Bad Stuff has no words for the players"))
        if d.kind == "item" and card.slot is None:
            lacking.append(("slot", "an Item without a slot takes up none; write slot: none if that is meant"))
        if not (card.text or "").strip() and d.kind != "blank":
            lacking.append(("text", "has no text for the players"))
        if d.is_curse and not (card.effect or card.lasting or d.curses_item):
            lacking.append(("effect", "a Curse without an effect does nothing"))
        for name, says in lacking:
            self._at("warning", entry, (name,), says)
        if d.is_curse and d.deck == 1:
            self._at("warning", entry, ("deck",), "a Curse among the Treasures; Curses are Doors (FQ-GOOD-1)")

    # -- the whole

    def _whole(self) -> None:
        """Compile it as a game would, and count."""
        forget_packs()
        needs = tuple(self.head.needs) if self.head else ()
        try:
            self.engine.build((*needs, str(self.folder.resolve())))
        except Exception as e:
            self._add("error", str(self.folder), 1, says=f"the pack cannot be built: {e}")
            return
        doors, treasures = self.counts()
        if min(doors, treasures) < ALONE:
            says = (
                f"{doors} Doors and {treasures} Treasures are too few for a game of their own (from {ALONE} each);"
                f" play it with others: --packs classic,{self.folder}"
            )
            self._add("note", str(self.folder), 1, says=says)

    def counts(self) -> tuple[int, int]:
        decks = Counter(d.deck for d in self.compiled if d.kind != "blank")
        return decks[0], decks[1]

    def different(self) -> int:
        return len({d.name for d in self.compiled if d.kind != "blank"})
