"""`kickdoor pack`: check a pack of one's own, start a new one, print the schema for editors."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import fields
from rich.text import Text

from kickdoor.app import pack_trial_command
from kickdoor.app.cards_command import as_json, complain, console, plural
from kickdoor.cards.clauses import Condition, FightCondition, Filter, Modifier, Predicate
from kickdoor.cards.compiler import VERBS, Compiler, merge_like
from kickdoor.cards.conditions import LanguageError
from kickdoor.cards.kinds import TRAITS
from kickdoor.cards.language import Card, CardFile, Pack
from kickdoor.cards.library import CardDef, Library
from kickdoor.cards.packs import build, find_pack, known_packs, read_pack
from kickdoor.cards.reading import ReadingError, convert, read_documents
from kickdoor.cards.steps import Choose, Discard, DrawCards, Each, Pay, Step, Take
from kickdoor.engine import kernel
from kickdoor.engine.effects import verbs
from kickdoor.engine.facts import queries
from kickdoor.engine.facts.questions import ASKED
from kickdoor.engine.value.ruleset import RulesetError, ruleset
from kickdoor.packs.crossovers import NAMED

STARTER: Final = Path(__file__).resolve().parent / "starter"
SCHEMA_FILE: Final = "cards.schema.json"
ALONE: Final = 24  # of each deck: what three players are dealt twice over

WHO: Final = ("victim", "actor", "target", "this", "main", "helper", "left", "right")
EACH_WHO: Final = ("everyone", "others", "neighbours", "highest_level", "fighters")
PER: Final = {"item": "tag", "foe": "card"}  # what stands after `per: WORD:`
SEATS: Final = ("you", "victim", "actor", "target", "main", "helper", "fighters", "anyone")

Level = Literal["error", "warning", "note"]
Lines = dict[tuple[Any, ...], int]
Path_ = tuple[Any, ...]


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "pack",
        help="make and check card packs of your own",
        description="Make and check card packs of your own. The language of the cards is in docs/card-language.md.",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="say what is wrong with a pack",
        description="Check a pack folder: its schema, what its names refer to, what it lacks.",
        epilog="Exit code: 0 if the pack can be played, whatever the warnings; 2 if it has errors.",
    )
    check.add_argument("folder", type=Path, metavar="DIR")
    check.add_argument("--json", action="store_true", help="for programs")
    pack_trial_command.add(check)
    check.set_defaults(run=_run_check)
    new = actions.add_parser(
        "new", help="write a small pack to start from", description="Write a small, commented pack to start from."
    )
    new.add_argument("folder", type=Path, metavar="DIR")
    new.add_argument("--id", metavar="ID", help="default: the folder's name")
    new.add_argument("--title", metavar="T", help="default: from the id")
    new.set_defaults(run=_run_new)
    schema = actions.add_parser(
        "schema",
        help="print the JSON Schema of a file of cards",
        description="Print the JSON Schema of a file of cards.",
    )
    schema.set_defaults(run=_run_schema)


# -- schema and starter -------------------------------------------------------------------------------------------


def schema_text() -> str:
    """The JSON Schema by which editors complete and check a file of cards."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(CardFile)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _run_schema(args: argparse.Namespace) -> int:
    sys.stdout.write(schema_text())
    return 0


def _run_new(args: argparse.Namespace) -> int:
    folder: Path = args.folder
    id = args.id or re.sub(r"[^a-z0-9]+", "_", folder.resolve().name.lower()).strip("_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", id):
        return complain(
            f"an id is small letters, digits and _, and begins with a letter, not {id!r}; give one with --id"
        )
    if id in known_packs():
        return complain(f"there is a pack {id!r} already; give another id with --id")
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(STARTER.glob("*.yaml"))}
    files[SCHEMA_FILE] = schema_text()
    title = args.title or id.replace("_", " ").title()
    there = [name for name in files if (folder / name).exists()]
    if there or (folder.exists() and not folder.is_dir()):
        return complain(f"{folder / there[0] if there else folder} exists already; nothing was written")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            text = text.replace("__ID__", id).replace("__TITLE__", json.dumps(title, ensure_ascii=False))
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as e:
        return complain(f"{folder}: cannot be written: {e.strerror}")
    print(f"Wrote {folder}: {', '.join(files)}.")
    print(f"  kickdoor pack check {folder}              what is wrong with it, after every change")
    print(f"  kickdoor play --packs classic,{folder}    play with it; alone it is too small for a game")
    return 0


# -- checking -----------------------------------------------------------------------------------------------------


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
    file: str
    index: int
    lines: Lines

    def line(self, path: Path_ = ()) -> int:
        at = ("cards", self.index, *path)
        while at and at not in self.lines:
            at = at[:-1]
        return self.lines.get(at, 1)


@dataclass
class Words:
    """What there is to refer to: in this pack, in those it needs, in those that come with the game."""

    names: dict[str, str] = field(default_factory=dict)
    families: dict[str, str] = field(default_factory=dict)
    traits: set[str] = field(default_factory=lambda: {"male", "female", "human", "rider"})
    tags: set[str] = field(default_factory=lambda: {n.tag for n in NAMED})

    def learn(self, card: Card) -> None:
        self.names[card.name.lower()] = card.name
        if card.family:
            self.families.setdefault(card.family.lower(), card.family)
        if card.kind in TRAITS:
            self.traits.add(card.name.lower())
        self.traits |= {t.lower() for t in (card.race, card.class_) if t}
        self.tags |= {t.lower() for t in card.tags}
        for m in card.modifiers:
            self.traits |= set(_many(m.grants))
            self.tags |= set(_many(m.tag))


def _many(words: str | list[str] | None) -> list[str]:
    return [] if words is None else [words.lower()] if isinstance(words, str) else [w.lower() for w in words]


class Check:
    """One pack being checked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[Problem] = []
        self.head: Pack | None = None
        self.entries: list[Entry] = []
        self.compiled: list[CardDef] = []
        self.words = Words()
        self.here = Words()

    def run(self) -> None:
        self._read()
        if self.head is None and not self._has_errors():
            self._add("error", str(self.folder / "pack.yaml"), 1, says="a pack needs a pack.yaml with its id and title")
        if self.head is not None:
            self._head(self.head)
        self._names()
        models = self._learn()
        for entry in self.entries:
            self._card(entry, models)
        if not self._has_errors():
            self._whole()
        order = {"error": 0, "warning": 1, "note": 2}
        self.problems.sort(key=lambda p: (order[p.level], p.file, p.line))

    def _has_errors(self) -> bool:
        return any(p.level == "error" for p in self.problems)

    def _add(self, level: Level, file: str, line: int, card: str = "", field: str = "", *, says: str) -> None:
        self.problems.append(Problem(level, file, line, card, field, says))

    def _at(self, level: Level, entry: Entry, path: Path_, says: str) -> None:
        name = ".".join(str(p) for p in path)
        self._add(level, entry.file, entry.line(path), entry.card.name, name, says=says)

    # -- reading

    def _read(self) -> None:
        for path in sorted(self.folder.glob("*.yaml")):
            try:
                for data, lines in read_documents(path):
                    if path.name == "pack.yaml":
                        self.head = convert(data, Pack, str(path), lines)
                    else:
                        self._read_cards(data, path, lines)
            except ReadingError as e:
                self._reading(e, str(path))

    def _read_cards(self, data: Any, path: Path, lines: Lines) -> None:
        cards = data.get("cards") if isinstance(data, dict) else None
        if not isinstance(cards, list) or set(data) != {"cards"}:
            convert(data, CardFile, str(path), lines)
            raise ReadingError(f"{path}:1: a file of cards is one key `cards:` with a list")
        for i, raw in enumerate(cards):
            name = str(raw.get("name", f"number {i + 1}")) if isinstance(raw, dict) else f"number {i + 1}"
            try:
                card = convert(raw, Card, str(path), lines, name, ("cards", i))
            except ReadingError as e:
                self._reading(e, str(path), name)
            else:
                self.entries.append(Entry(card, str(path), i, lines))

    def _reading(self, error: ReadingError, file: str, card: str = "") -> None:
        """Take the loader's message apart: file, line, card, field."""
        text = str(error)
        place = re.match(re.escape(file) + r":(?:(\d+):)? ?", text)
        line = int(place[1]) if place and place[1] else 1
        text = text[place.end() :] if place else text
        text = text.removeprefix(f"card {card!r}: ")
        unknown = re.match(r"unknown key '([^']*)'(?: in ([^;]*))?;", text)
        named = re.match(r"([\w.*]+): ", text)
        where = ""
        if unknown:
            where = f"{unknown[2]}.{unknown[1]}" if unknown[2] else unknown[1]
        elif named and card:
            where = named[1]
            text += _instead(where, text)
        self._add("error", file, line, card, where, says=text)

    # -- the head, the names

    def _head(self, head: Pack) -> None:
        file = str(self.folder / "pack.yaml")
        try:
            ruleset(head.edition)
        except RulesetError as e:
            self._add("error", file, 1, field="edition", says=str(e))
        for need in head.needs:
            try:
                find_pack(need)
            except ReadingError as e:
                self._add("error", file, 1, field="needs", says=str(e))
        bundled = head.id in known_packs() and find_pack(head.id).resolve() != self.folder.resolve()
        if bundled:
            self._add("warning", file, 1, field="id", says=f"another pack has the id {head.id!r}")

    def _names(self) -> None:
        seen: dict[tuple[str, str | None], Entry] = {}
        for entry in self.entries:
            card = entry.card
            first = seen.setdefault((card.name.lower(), card.set_), entry)
            if first is not entry:
                place = f"{first.file}:{first.line()}"
                self._at("error", entry, ("name",), f"a card of that name stands at {place}; use copies:")
            if card.kind is None and card.like is None:
                self._at("error", entry, (), "needs a kind (or like: another card)")
            if card.copies < 1:
                self._at("error", entry, ("copies",), "copies must be at least 1")

    def _learn(self) -> dict[str, Card]:
        """Everything that could be referred to, and the cards that one may be `like`."""
        models: dict[str, Card] = {}
        needs = self.head.needs if self.head else []
        for name in (*known_packs(), *needs):
            try:
                cards = read_pack(find_pack(name)).cards
            except ReadingError:
                continue
            for card in cards:
                self.words.learn(card)
                if name in needs:
                    models[card.name.lower()] = card
        for entry in self.entries:
            self.words.learn(entry.card)
            self.here.learn(entry.card)
            models[entry.card.name.lower()] = entry.card
        return models

    # -- one card

    def _card(self, entry: Entry, models: dict[str, Card]) -> None:
        card = entry.card
        if card.like is not None:
            model = models.get(card.like.lower())
            if model is None:
                known = self.words.names.get(card.like.lower())
                hint = (
                    f"{known!r} is in another pack; name that under needs:"
                    if known
                    else near(card.like, self.words.names)
                )
                self._at("error", entry, ("like",), f"no card {card.like!r} here to be like; {hint}")
                return
            card = merge_like(card, model)
        try:
            d = Compiler(Library(), queries).card(card, self.head.id if self.head else "")
        except LanguageError as e:
            self._at("error", entry, (), str(e))
        except Exception as e:
            self._at("error", entry, (), f"something in it has no meaning ({type(e).__name__}: {e})")
        else:
            self.compiled += [d] * card.copies
            self._figures(entry, card, d)
        for path, node in walk(entry.card):
            self._words(entry, path, node)

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

    # -- words

    def _words(self, entry: Entry, path: Path_, node: Any) -> None:
        for name, value, kind in references(node):
            for word in _many(value):
                self._refer(entry, (*path, name), word, kind)
        for name, value, known in closed_words(node):
            if value not in known:
                hint = near(value, {k: k for k in known})
                self._at("error", entry, (*path, name), f"{name}: {value!r} is none of {', '.join(known)}; {hint}")
        for name, value in amounts(node):
            if not re.fullmatch(r"all|any|this|(\d+\*)?(roll|remembered|\d+)", value):
                self._at("error", entry, (*path, name), f"{name}: {value!r} is no number, nor roll or remembered")

    def _refer(self, entry: Entry, path: Path_, word: str, kind: str) -> None:
        if kind == "card":
            known: dict[str, str] = self.words.names
            found = word in known or (path[-1] != "family" and word in self.words.families)
        else:
            pool = self.words.traits if kind == "trait" else self.words.tags
            known, found = {w: w for w in pool}, word in pool
        if not found:
            what = {"card": "no card is called", "trait": "nobody can be", "tag": "nothing is tagged"}[kind]
            self._at("warning", entry, path, f"{what} {word!r}; {near(word, known)}")

    # -- the whole

    def _whole(self) -> None:
        """Compile it as a game would, and count."""
        read_pack.cache_clear()
        needs = tuple(self.head.needs) if self.head else ()
        try:
            build((*needs, str(self.folder.resolve())), ASKED).bind(verbs.VERBS, kernel)
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


def _instead(where: str, text: str) -> str:
    """What would be right in the place of a word that is none of those allowed."""
    wrong = re.search(r"invalid enum value '([^']*)'", text)
    if not wrong:
        return ""
    allowed = _allowed(tuple(where.split(".")))
    best = get_close_matches(wrong[1], allowed, 1, 0.6)
    if best:
        return f"; did you mean {best[0]!r}?"
    return f"; known: {', '.join(allowed)}" if allowed else ""


def _allowed(path: tuple[str, ...]) -> list[str]:
    """The words that may stand at a place inside a card."""
    schema = msgspec.json.schema(Card)
    found: list[str] = []

    def look(node: dict[str, Any], rest: tuple[str, ...]) -> None:
        if "$ref" in node:
            look(schema["$defs"][node["$ref"].rsplit("/", 1)[1]], rest)
            return
        for one in node.get("anyOf", ()):
            look(one, rest)
        if not rest:
            found.extend(w for w in node.get("enum", ()) if isinstance(w, str))
            found.extend(node.get("propertyNames", {}).get("enum", ()))
        elif rest[0] in node.get("properties", {}):
            look(node["properties"][rest[0]], rest[1:])
        elif "items" in node:
            look(node["items"], rest[1:])
        elif isinstance(node.get("additionalProperties"), dict):
            look(node["additionalProperties"], rest[1:])

    look(schema, path)
    return list(dict.fromkeys(found))


def near(word: str, known: Any) -> str:
    """The nearest known word, as a hint."""
    found = get_close_matches(word.lower(), list(known), 1, 0.6)
    if not found:
        return "nothing is spelled like it"
    full = known[found[0]]
    return f"did you mean {full.name if isinstance(full, Card) else full!r}?"


# -- walking a card -----------------------------------------------------------------------------------------------


def walk(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every structure inside a card, with the path by which its file writes it."""
    if isinstance(node, msgspec.Struct):
        yield path, node
        for f in fields(node):
            yield from walk(getattr(node, f.name), (*path, f.encode_name))
    elif isinstance(node, list):
        for i, item in enumerate(node):
            yield from walk(item, (*path, i))
    elif isinstance(node, dict):
        for key, item in node.items():
            yield from walk(item, (*path, key))


def _verbs(step: Step) -> list[str]:
    return [v.rstrip("_") for v in VERBS if getattr(step, v) is not None]


Reference = tuple[str, "str | list[str] | None", str]


def references(node: Any) -> Iterator[Reference]:
    """What a structure refers to by name: cards, traits, tags."""
    if isinstance(node, Card):
        yield "family", node.family, "card"
        yield "incompatible", node.incompatible, "card"
        for name in ("usable_by", "not_usable_by", "pursues", "refuses"):
            yield name, getattr(node, name), "trait"
    elif isinstance(node, Filter):
        yield "name", node.name, "card"
        yield "tag", node.tag, "tag"
        yield "usable_by", node.usable_by, "trait"
    elif isinstance(node, FightCondition):
        yield "name", node.name, "card"
        yield "tag", node.tag, "tag"
        yield "used", node.used, "tag"
    elif isinstance(node, Modifier):
        yield "against", node.against, "trait"
        yield "against_tag", node.against_tag, "tag"
        yield "apparent", node.apparent, "trait"
        yield from _per(node.per)
    elif isinstance(node, Predicate):
        yield "is", node.is_, "trait"
        yield "not", node.not_ if isinstance(node.not_, (str, list)) else None, "trait"
    elif isinstance(node, Condition):
        for name in SEATS:
            value = getattr(node, name)
            yield name, value if isinstance(value, (str, list)) else None, "trait"
        for name, group in (("any", node.any_), ("all", node.all_), ("not", [node.not_])):
            yield name, [c for c in group or [] if isinstance(c, str)], "trait"
    elif isinstance(node, Step):
        yield from _per(node.per)
    test = getattr(node, "if_", None)
    if isinstance(test, str):
        yield "if", test, "trait"


def _per(word: str | None) -> Iterator[Reference]:
    if word is None or word.lower() == "hireling":
        return
    head, colon, rest = word.partition(":")
    if not colon:
        yield "per", head, "trait"
    elif head.lower() in PER:
        yield "per", rest, PER[head.lower()]


def closed_words(node: Any) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Free words of the schema that only make sense if the engine knows them."""
    if isinstance(node, Step) and node.who is not None:
        yield "who", node.who, WHO
    elif isinstance(node, Each):
        yield "who", node.who, EACH_WHO
    elif isinstance(node, Choose) and node.who is not None:
        yield "who", node.who, WHO
    elif isinstance(node, Discard) and node.chooser is not None:
        yield "chooser", node.chooser, (*WHO, "random")
    elif isinstance(node, Take) and node.chooser is not None:
        yield "chooser", node.chooser, (*WHO, "taker")


def amounts(node: Any) -> Iterator[tuple[str, str]]:
    """Amounts that are written as words."""
    names: tuple[str, ...] = ()
    if isinstance(node, Discard):
        names = ("count",)
    elif isinstance(node, DrawCards):
        names = ("treasures", "doors")
    elif isinstance(node, Pay):
        names = ("value",)
    for name in names:
        value = getattr(node, name)
        if isinstance(value, str):
            yield name, value


# -- telling ------------------------------------------------------------------------------------------------------


def _run_check(args: argparse.Namespace) -> int:
    folder: Path = args.folder
    if not folder.is_dir():
        return complain(f"{folder}: no such folder; a pack is a folder with a pack.yaml")
    check = Check(folder)
    check.run()
    tally = Counter(p.level for p in check.problems)
    if not args.json:
        _tell(check, tally)
    trial = None
    if args.simulate is not None and not tally["error"]:
        trial = pack_trial_command.measure(folder, args.simulate, args.workers)
    if args.json:
        more = {"simulation": pack_trial_command.plain(trial)} if trial is not None else {}
        as_json({**_report(check, tally), **more})
    elif trial is not None:
        pack_trial_command.tell(trial)
    return 2 if tally["error"] else 0


def _report(check: Check, tally: Counter[Level]) -> dict[str, Any]:
    doors, treasures = check.counts()
    return {
        "pack": check.head.id if check.head else None,
        "ok": not tally["error"],
        "doors": doors,
        "treasures": treasures,
        "different": check.different(),
        "errors": tally["error"],
        "warnings": tally["warning"],
        "problems": [asdict(p) for p in check.problems],
    }


def _tell(check: Check, tally: Counter[Level]) -> None:
    out = console()
    colours = {"error": "bold red", "warning": "yellow", "note": "cyan"}
    for p in check.problems:
        place = f"{p.file}:{p.line}: " if Path(p.file).is_file() else f"{p.file}: "
        card = f"card {p.card!r}: " if p.card else ""
        where = f"{p.field}: " if p.field and p.field.split(".")[-1] not in p.says else ""
        line = Text.assemble((place, "dim"), (f"{p.level}: ", colours[p.level]), card, where, p.says)
        out.print(line, soft_wrap=True)
    doors, treasures = check.counts()
    title = check.head.title if check.head else str(check.folder)
    count = f"{title}: {plural(doors, 'Door')}, {plural(treasures, 'Treasure')}, {check.different()} different cards"
    told = [plural(n, word) for word, n in tally.items() if word != "note"]
    out.print(Text(f"{count}; {', '.join(told) or 'nothing wrong'}.", "bold" if tally["error"] else "green"))
