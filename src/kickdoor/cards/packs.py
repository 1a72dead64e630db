"""Finding, reading and checking packs: folders of YAML in the card language."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from kickdoor.cards.checking import Fault, Known, faults, head_faults, head_words, name_faults
from kickdoor.cards.compiler import Compiler, merge_like
from kickdoor.cards.conditions import LanguageError
from kickdoor.cards.identity import SIZE, bare, played
from kickdoor.cards.language import Card, CardFile, Pack
from kickdoor.cards.library import CardDef, Library
from kickdoor.cards.reading import (
    KEY_LETTERS,
    VALUES,
    Lines,
    Path_,
    ReadingError,
    convert,
    documents,
    fault,
    nearest,
    place,
    read_documents,
)
from kickdoor.cards.reprints import CardsOf, printed_again
from kickdoor.cards.words import Words, learned
from kickdoor.paper.files import PACK_BYTES, PACK_FILES, YAML_BYTES, decoded, read_bytes, why
from kickdoor.paper.plain import short

HOME = Path(__file__).resolve().parent.parent / "packs"

# What no pack and no game of honest people reaches: all of ours have 858 different cards, the largest 147.
CARDS: Final = 5_000  # different ones in a pack
CARD_VALUES: Final = 1_000  # keys, words and steps of one card
FIGURE: Final = 1_000_000  # the greatest number on a card
DECK: Final = 20_000  # pieces of cardboard in one game

_TIMES: Final = re.compile(r"([0-9]+)\*(?:roll|remembered|paid)")  # 2*roll: a number, too (`vocabulary.AmountWord`)


class PackError(ReadingError):
    """A pack that does not exist or cannot be used."""


@dataclass(frozen=True)
class Place:
    """Where a card stands, and each of its parts."""

    file: str
    lines: Lines = field(default_factory=dict)
    prefix: Path_ = ()

    def line(self, path: Path_ = ()) -> int:
        return place(self.lines, (*self.prefix, *path))

    def __str__(self) -> str:
        return f"{self.file}:{self.line()}"


@dataclass(frozen=True)
class PackSource:
    """A pack as read: its head, its cards, and where each stands."""

    head: Pack
    cards: tuple[Card, ...]
    places: tuple[Place, ...]
    folder: Path
    digest: str  # of everything that stands in its files
    played: str = ""  # of what can be played; of a pack as it is written, nothing
    head_lines: Lines = field(default_factory=dict)


def known_packs() -> list[str]:
    """The packs that come with the project."""
    return sorted(p.parent.name for p in HOME.glob("*/pack.yaml"))


@lru_cache(maxsize=1)
def bundles() -> dict[str, tuple[str, ...]]:
    """Names for several of these packs together; a bundle has no cards of its own."""
    data, lines = next(read_documents(HOME / "bundles.yaml"))
    return convert(data, dict[str, tuple[str, ...]], str(HOME / "bundles.yaml"), lines)


def members(names: Iterable[str]) -> tuple[str, ...]:
    """These packs, where one is a bundle those in it; what is also named by itself stays where that is said."""
    said = list(names)
    named = set(said)
    return tuple(p for name in said for p in bundles().get(name, (name,)) if p == name or p not in named)


def find_pack(name: str) -> Path:
    """The folder of a pack: a bundled one by id, or a path of one's own."""
    for folder in (HOME / name, Path(name)):
        if _has_head(folder):
            return folder
    if name in bundles():
        raise PackError(f"{name!r} is no pack but several: {', '.join(bundles()[name])}; name the one you mean")
    near = get_close_matches(name, known_packs(), 1) if len(name) <= KEY_LETTERS else []
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known_packs())}, or a folder with a pack.yaml"
    raise PackError(f"no pack {short(name)}; {hint}")


def _has_head(folder: Path) -> bool:
    try:
        return (folder / "pack.yaml").is_file()
    except OSError as e:
        raise PackError(f"{short(str(folder))}: cannot be read: {why(e)}") from None


def pack_files(folder: Path) -> list[Path]:
    """The files of a pack; PackError if there are too many of them, or too much in them."""
    try:
        found = sorted(islice(folder.glob("*.yaml"), PACK_FILES + 1))
        size = sum(path.stat().st_size for path in found if path.is_file())
    except OSError as e:
        raise PackError(f"{folder}: cannot be read: {why(e)}") from None
    if len(found) > PACK_FILES:
        raise PackError(f"{folder}: a pack has at most {PACK_FILES} files")
    if size > PACK_BYTES:
        raise PackError(f"{folder}: is too big: {size:,} bytes, where a pack has at most {PACK_BYTES:,}")
    return found


class Tally:
    """How much a pack holds so far; what no pack holds is refused before it is compiled."""

    def __init__(self) -> None:
        self.cards = self.values = 0

    def document(self, path: Path, lines: Lines) -> None:
        self.values += len(lines)
        if self.values > VALUES:
            raise PackError(f"{path}:{lines[()]}: a pack has at most {VALUES:,} values in all; make several of it")

    def card(self, raw: Any, name: str, where: Place) -> None:
        self.cards += 1
        if self.cards > CARDS:
            raise PackError(f"{where}: a pack has at most {CARDS:,} different cards; make several of it")
        for says in out_of_bounds(raw):
            raise PackError(str(fault(where.file, where.line(), name, "", says)))


def out_of_bounds(raw: Any) -> Iterator[str]:
    """What is too much for one card, as it is written; counting ends at the bound."""
    count, left = 0, [raw]
    while left:
        node = left.pop()
        count += 1
        if count > CARD_VALUES:
            yield f"a card has at most {CARD_VALUES:,} values (keys, words and steps, each counted)"
            return
        if isinstance(node, (int, float)) and abs(node) > FIGURE:
            yield f"a number on a card is at most {FIGURE:,}, not {node:,}"
        times = _TIMES.fullmatch(node) if isinstance(node, str) else None
        if times is not None and (len(times[1]) > len(str(FIGURE)) or int(times[1]) > FIGURE):
            yield f"a number on a card is at most {FIGURE:,}, not {short(times[1], 40)}"
        left += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()


def card_name(raw: Any, i: int) -> str:
    """What the i-th card of a file is called in what is said about it."""
    return str(raw.get("name", f"number {i + 1}"))[:KEY_LETTERS] if isinstance(raw, dict) else f"number {i + 1}"


@lru_cache(maxsize=64)
def as_written(folder: Path) -> PackSource:
    """A pack folder as its files have it: what is printed again there is an entry that names another pack."""
    head: Pack | None = None
    head_lines: Lines = {}
    cards: list[Card] = []
    places: list[Place] = []
    tally = Tally()
    digest = hashlib.blake2b(digest_size=SIZE)
    for path in pack_files(folder):
        raw = read_bytes(path, YAML_BYTES)
        digest.update(path.name.encode() + raw)
        for data, lines in documents(decoded(raw, str(path)), str(path)):
            tally.document(path, lines)
            if path.name == "pack.yaml":
                head, head_lines = convert(data, Pack, str(path), lines), lines
                continue
            for i, card in enumerate(card_list(data, path, lines)):
                where, name = Place(str(path), lines, ("cards", i)), card_name(card, i)
                tally.card(card, name, where)
                cards.append(convert(card, Card, str(path), lines, name, ("cards", i)))
                places.append(where)
    if head is None:
        raise PackError(f"{folder}: has no pack.yaml")
    for wrong in head_faults(head):
        raise PackError(f"{folder / 'pack.yaml'}:{place(head_lines, wrong.path)}: {wrong.path[0]}: {wrong.says}")
    return PackSource(head, tuple(cards), tuple(places), folder, digest.hexdigest(), head_lines=head_lines)


@lru_cache(maxsize=64)
def read_pack(folder: Path) -> PackSource:
    """Read and validate a pack folder; the first problem is raised. What is printed again is as in its first pack."""
    source = as_written(folder)
    id, known = source.head.id, known_packs()
    cards = [_printed(c, id, at, known) for c, at in zip(source.cards, source.places, strict=True)]
    _check_names(cards, source.places)
    head = source.head
    _check_samples(head, cards, source.head_lines, folder / "pack.yaml")
    if head.no_race is not None and head.no_race.as_in is not None:
        at = Place(str(folder / "pack.yaml"), source.head_lines, ("no_race",))
        head = msgspec.structs.replace(head, no_race=_printed(head.no_race, id, at, known, no_races))
    again = [card for card in (*cards, head.no_race) if card is not None and card.as_in is not None]
    whole = _with(source.digest, again)
    return replace(source, head=head, cards=tuple(cards), digest=whole, played=played(head, cards))


def _with(digest: str, again: Sequence[Card]) -> str:
    """The digest of a pack, with what it prints again; as it was, if it prints nothing again."""
    if not again:
        return digest
    whole = hashlib.blake2b(digest.encode(), digest_size=SIZE)
    for card in again:
        whole.update(msgspec.json.encode(card))
    return whole.hexdigest()


def forget_packs() -> None:
    """What was read of packs is read again: their files may have changed."""
    as_written.cache_clear()
    read_pack.cache_clear()


def written_cards(pack: str) -> tuple[Card, ...]:
    """The cards of a pack that comes with the game, as they are written there."""
    return as_written(find_pack(pack)).cards


def no_races(pack: str) -> tuple[Card, ...]:
    """What everybody is in such a pack who has no Race, if it says so."""
    card = as_written(find_pack(pack)).head.no_race
    return () if card is None else (card,)


def _printed(card: Card, pack: str, where: Place, known: Sequence[str], cards_of: CardsOf = written_cards) -> Card:
    """The card itself, or the one that it is as in another pack."""
    if card.as_in is None:
        return card
    found = printed_again(card, pack, known, cards_of)
    if isinstance(found, Fault):
        raise _fault(where, card, *found)
    return found


def card_list(data: Any, path: Path, lines: Lines) -> list[Any]:
    """The cards of a file, as they are written."""
    if isinstance(data, dict) and isinstance(data.get("cards"), list) and set(data) == {"cards"}:
        return list(data["cards"])
    convert(data, CardFile, str(path), lines)
    raise PackError(f"{path}:{lines.get((), 1)}: a file of cards is one key `cards:` with a list")


def _check_names(cards: Sequence[Card], places: Sequence[Place]) -> None:
    """A name stands once, except that a pack of several sets has namesakes (XOVER-17, XOVER-29)."""
    seen: dict[tuple[str, str | None], Place] = {}
    for card, where in zip(cards, places, strict=True):
        key = card.name.lower(), card.set_
        if key in seen:
            raise _fault(where, card, ("name",), f"a card of that name stands at {seen[key]}; use copies:")
        seen[key] = where
        for wrong in name_faults(card):
            raise _fault(where, card, *wrong)


def _check_samples(head: Pack, cards: Sequence[Card], lines: Lines, path: Path) -> None:
    """What a pack shows of itself is in it."""
    known = {name for card in cards for name in spellings(card)}
    for i, name in enumerate(head.samples):
        if name.lower() not in known:
            hint = nearest(name, (c.name for c in cards))
            raise PackError(f"{path}:{place(lines, ('samples', i))}: samples: no card {name!r} in this pack; {hint}")


def _fault(where: Place, card: Card, path: Path_, says: str) -> PackError:
    field = ".".join(str(p) for p in path)
    return PackError(str(fault(where.file, where.line(path), card.name, field, says)))


@lru_cache(maxsize=64)
def _pack_words(folder: Path) -> Words:
    source = read_pack(folder)
    return learned(source.cards, [source.head])


@lru_cache(maxsize=64)
def card_names(pack: str) -> frozenset[str]:
    """The names of the cards of a pack in all their spellings, in small letters."""
    return frozenset(name for card in read_pack(find_pack(pack)).cards for name in spellings(card))


@lru_cache(maxsize=1)
def bundled_words() -> Words:
    """What the cards of all packs that come with the project may be referred to by."""
    sources = [read_pack(find_pack(n)) for n in known_packs()]
    return learned((c for s in sources for c in s.cards), [s.head for s in sources])


def bundled_words_with(word: str) -> Iterator[Words]:
    """The same, as far as has to be read for one word: packs in whose files it stands, and at last all of them."""
    yield from (_pack_words(HOME / name) for name in known_packs() if _mentions(HOME / name, word))
    yield bundled_words()


@lru_cache(maxsize=1024)
def _mentions(folder: Path, word: str) -> bool:
    return any(word in decoded(read_bytes(path, YAML_BYTES), str(path)).lower() for path in pack_files(folder))


def build(
    names: tuple[str, ...],
    queries: Any,
    without: tuple[str, ...] = (),
    copies: dict[str, int] | None = None,
) -> Library:
    """A library of all cards of these packs, less those left out."""
    lib = Library()
    compiler = Compiler(lib, queries)
    sources = [read_pack(find_pack(n)) for n in members(names)]
    asked = {word.lower() for word in (*without, *(copies or {}))}
    lib.models = _models(sources)
    lib.words = tuple(_pack_words(s.folder) for s in sources)
    known = Known(*lib.words, rest=bundled_words_with)
    for word in asked:
        _must_exist(lib, word, names)
    named = {word: lib.models[word].name.lower() for word in asked}  # another spelling means the card it is on
    left_out = {named[w.lower()] for w in without}
    counts = {named[k.lower()]: v for k, v in (copies or {}).items()}
    for word, n in counts.items():
        if n < 1:
            raise PackError(f"{short(word)}: a deck has at least one copy of a card, not {n}; name it under without")
    _must_fit(sum(counts.get(c.name.lower(), c.copies) for s in sources for c in s.cards))
    for source in sources:
        for path, says in head_words(source.head, known):
            line, name = place(source.head_lines, path), ".".join(str(p) for p in path)
            raise PackError(str(fault(str(source.folder / "pack.yaml"), line, "", name, says)))
        for card, where in zip(source.cards, source.places, strict=True):
            if card.name.lower() in left_out or card.kind == "blank":
                continue
            if card.unique and card.name.lower() in lib.by_name:
                continue  # FQ-BASE-23: several sets have it, the first one named brings it
            n = counts.get(card.name.lower(), card.copies)
            lib.add(_compile(compiler, card, lib.models, source.head.id, where, known), n)
        human = source.head.no_race
        if human is not None and (human.as_in is None or lib.no_race < 0):  # who is the same again, is there already
            where = Place(str(source.folder / "pack.yaml"), source.head_lines, ("no_race",))
            lib.add_no_race(_compile(compiler, human, lib.models, "faces", where, known))
    for d in lib.unique:
        n = len(lib.by_name[d.name.lower()])
        if d.card.unique and n > 1:  # FQ-BASE-23
            raise PackError(f"{d.name!r} may be in a deck only once, here it is {n} times; leave one out or set copies")
    lib.heads = [s.head for s in sources]
    chosen = repr((sorted(left_out), sorted(counts.items())))
    lib.hash = _together([s.played for s in sources], chosen)
    lib.printed = _together([s.digest for s in sources], chosen)
    lib.packs = tuple(s.head.id if s.folder.parent == HOME else str(s.folder) for s in sources)
    lib.without = tuple(without)
    lib.copies = tuple(sorted((copies or {}).items()))
    return lib


def _together(digests: Iterable[str], chosen: str) -> str:
    """The digest of a mix: its packs in their order, and what is left out or there more often."""
    whole = hashlib.blake2b(digest_size=SIZE)
    for digest in digests:
        whole.update(digest.encode())
    whole.update(chosen.encode())
    return whole.hexdigest()


def _must_fit(cards: int) -> None:
    if cards > DECK:
        raise PackError(f"{cards:,} cards are more than a table holds; at most {DECK:,}: name fewer packs or copies")


def _models(sources: list[PackSource]) -> dict[str, Card]:
    """The cards by name, for `like:` and wherever a card is named; by another spelling where that is nobody's name."""
    cards = [c for source in sources for c in source.cards]
    models = {c.name.lower(): c for c in cards}
    for card in cards:
        for other in card.aka:
            models.setdefault(other.lower(), card)
    return models


def spellings(card: Card) -> tuple[str, ...]:
    """The names that a card goes by, its own first."""
    return tuple(name.lower() for name in (card.name, *card.aka))


def _must_exist(lib: Library, word: str, names: tuple[str, ...]) -> None:
    if word in lib.models:
        return
    near = get_close_matches(word, list(lib.models), 1)
    hint = f"did you mean {lib.models[near[0]].name!r}?" if near else "see `kickdoor cards`"
    raise PackError(f"no card {word!r} in {', '.join(names)}; {hint}")


def extend(base: Library, fixtures: tuple[Card, ...], queries: Any) -> Library:
    """The same library with cards that exist only here."""
    _must_fit(len(base.defs) + sum(card.copies for card in fixtures))
    lib = base.copy()
    compiler = Compiler(lib, queries)
    plays = hashlib.blake2b(base.hash.encode(), digest_size=SIZE)
    reads = hashlib.blake2b(base.printed.encode(), digest_size=SIZE)
    known_ids = known_packs() if any(c.as_in is not None for c in fixtures) else []
    cards = [_printed(card, "fixtures", Place("fixtures"), known_ids) for card in fixtures]
    known = Known(learned(cards), *base.words, rest=bundled_words_with, made_up=True)
    for card in cards:
        plays.update(bare(card))
        reads.update(msgspec.json.encode(card))
        models = lib.models | _borrowed(card, lib.models)
        lib.add(_compile(compiler, card, models, "fixtures", Place("fixtures"), known), card.copies)
        lib.models.setdefault(card.name.lower(), card)
    lib.hash, lib.printed = plays.hexdigest(), reads.hexdigest()
    return lib


def _borrowed(card: Card, models: dict[str, Card]) -> dict[str, Card]:
    """The model of a fixture, and its model's, where they stand in bundled packs that are not in the game."""
    got: dict[str, Card] = {}
    like = card.like
    while like is not None and like.lower() not in models and like.lower() not in got:
        name, _, pack = like.lower().partition("@")
        places = [n for n in known_packs() if not pack or n in members([pack])]
        printed = (c for n in places for c in read_pack(find_pack(n)).cards if name in spellings(c))
        found = next(printed, None)
        if found is None:
            break
        got[like.lower()] = found
        like = found.like
    return got


def _compile(compiler: Compiler, card: Card, models: dict[str, Card], pack: str, where: Place, known: Known) -> CardDef:
    """A card that says nothing wrong, as the engine has it; the first thing that is wrong is raised."""
    whole, model = card, card
    if card.like is not None:
        like = models.get(card.like.lower())
        if like is None:
            hint = nearest(card.like, (m.name for m in models.values()))
            raise _fault(where, card, ("like",), f"no card {card.like!r} in these packs to be like; {hint}")
        whole, model = merge_like(card, like), like
    _check(card, model, whole, where, known)
    try:
        return compiler.card(whole, pack)
    except LanguageError as e:
        raise _fault(where, card, (), str(e)) from None


_sound: dict[tuple[int, int], tuple[Card, Card]] = {}  # bundled cards, each with its model, that were checked before


def _check(card: Card, model: Card, whole: Card, where: Place, known: Known) -> None:
    """Bundled cards are checked once: whatever else is in the mix, they may refer to any bundled card."""
    key = id(card), id(model)
    if key in _sound:
        return
    for wrong in faults(card, whole, known):
        raise _fault(where, card, *wrong)
    if Path(where.file).parent.parent == HOME:
        _sound[key] = card, model
