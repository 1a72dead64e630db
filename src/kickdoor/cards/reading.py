"""Reading YAML 1.2 with the line of every value, so that an error can say where it is.

`on` is a key and `yes` / `no` are words here, as in YAML 1.2; only `true` and `false` are booleans.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from difflib import get_close_matches
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import yaml

from kickdoor.paper.files import ReadingError as ReadingError
from kickdoor.paper.files import read_text
from kickdoor.paper.plain import first_control, short

T = TypeVar("T")
Path_ = tuple[Any, ...]
Lines = dict[Path_, int]  # the line of every value, by its path


# What an honest file never reaches: ours have at most 10,000 values, 16 deep, 371 letters, and no alias at all.
DEPTH: Final = 40
VALUES: Final = 120_000  # in one file, with everything that aliases repeat
ALIASES: Final = 1_000
DOCUMENTS: Final = 1_000
LETTERS: Final = 10_000  # of one value
KEY_LETTERS: Final = 200
DIGITS: Final = 40  # of a number; the state of the dice has 20

_STANDARD: Final = "tag:yaml.org,2002:"
_INT: Final = re.compile(r"[-+]?[0-9]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NUMERIC: Final = frozenset("-+.0123456789")
_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("true", "True"), True),
    **dict.fromkeys(("false", "False"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_UNREADABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def documents(text: str, name: str, first: int = 1) -> Iterator[tuple[Any, Lines]]:
    """Each document of a YAML text with a map from the path of a value to its line.

    It is built out of the parser's events, one after the other: nothing is nested in memory that was not counted, and
    what is out of bounds is refused where it begins. `first` is the line on which the text begins in its file.
    """
    odd = _UNREADABLE.search(text)
    if odd is not None:
        line = text.count("\n", 0, odd.start()) + first
        raise ReadingError(f"{name}:{line}: not valid YAML: the character U+{ord(odd[0]):04X} cannot stand in a text")
    builder = _Builder(name, first)
    try:
        for event in yaml.parse(text, _LOADER):
            if builder.take(event):
                yield builder.whole, builder.lines
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        where = f"{name}:{mark.line + first}" if mark else name
        raise ReadingError(f"{where}: not valid YAML: {e.problem or e.context}") from None
    except yaml.YAMLError as e:
        raise ReadingError(f"{name}:{first}: not valid YAML: {' '.join(str(e).split())}") from None


class _Open:
    """A list or a mapping that is being read."""

    __slots__ = ("anchor", "before", "inside", "into", "key", "path")

    def __init__(self, into: Any, path: Path_, anchor: str | None, before: int) -> None:
        self.into, self.path, self.anchor, self.before = into, path, anchor, before
        self.inside = 0  # how deep it is nested so far
        self.key: Any = None  # of a mapping: the one whose value comes next


class _Builder:
    """Values out of events, within bounds."""

    def __init__(self, name: str, first: int) -> None:
        self.name = name
        self.first = first
        self.whole: Any = None
        self.lines: Lines = {}
        self.open: list[_Open] = []
        self.kept: dict[str, tuple[Any, int, int]] = {}  # by anchor: the value, how many are in it, how deep
        self.values = self.aliases = self.documents = 0

    def take(self, event: Any) -> bool:
        """One event; True when a document is whole."""
        line = event.start_mark.line + self.first
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._begin(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end(self.open.pop())
        elif isinstance(event, yaml.AliasEvent):
            self._alias(str(event.anchor), line)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._count_document(line)
        elif isinstance(event, yaml.DocumentEndEvent):
            return True
        return False

    def _wrong(self, line: int, says: str) -> ReadingError:
        return ReadingError(f"{self.name}:{line}: {says}")

    def _count_document(self, line: int) -> None:
        self.documents += 1
        if self.documents > DOCUMENTS:
            raise self._wrong(line, f"a file has at most {DOCUMENTS:,} documents; make several files of it")
        self.whole, self.lines, self.kept = None, {}, {}

    def _count(self, line: int, n: int = 1) -> None:
        self.values += n
        if self.values > VALUES:
            raise self._wrong(
                line, f"a file has at most {VALUES:,} values, with what aliases repeat; make several of it"
            )

    def _nest(self, depth: int, line: int) -> None:
        """Something so deep begins here."""
        if len(self.open) + depth > DEPTH:
            raise self._wrong(line, f"nested more than {DEPTH} deep")
        if self.open:
            self.open[-1].inside = max(self.open[-1].inside, depth)

    # -- one event each

    def _begin(self, event: Any, line: int) -> None:
        self._tag(event, line, "map" if isinstance(event, yaml.MappingStartEvent) else "seq")
        self._nest(1, line)
        into: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        before = self.values
        path = self._put(into, line)
        self.open.append(_Open(into, path, event.anchor, before))

    def _end(self, done: _Open) -> None:
        if done.anchor is not None:
            self.kept[done.anchor] = done.into, self.values - done.before, done.inside + 1
        if self.open:
            self.open[-1].inside = max(self.open[-1].inside, done.inside + 1)

    def _scalar(self, event: Any, line: int) -> None:
        if len(event.value) > LETTERS:
            raise self._wrong(line, f"a text of {len(event.value):,} letters; at most {LETTERS:,} are read")
        value = self._value(event, line)
        self._put(value, line)
        if event.anchor is not None:
            self.kept[event.anchor] = value, 1, 0

    def _alias(self, anchor: str, line: int) -> None:
        self.aliases += 1
        if self.aliases > ALIASES:
            raise self._wrong(line, f"a file has at most {ALIASES:,} aliases (*{anchor[:40]}); write it out")
        if any(o.anchor == anchor for o in self.open):
            raise self._wrong(line, f"*{anchor[:40]} stands inside itself, which has no end")
        if anchor not in self.kept:
            raise self._wrong(line, f"not valid YAML: nothing before it is called &{anchor[:40]}")
        value, size, depth = self.kept[anchor]
        self._nest(depth, line)
        self._count(line, size - 1)
        self._put(deepcopy(value), line)

    def _put(self, value: Any, line: int) -> Path_:
        """A value to where it belongs; its path."""
        self._count(line)
        if not self.open:
            self.whole, self.lines[()] = value, line
            return ()
        at = self.open[-1]
        if isinstance(at.into, list):
            path = (*at.path, len(at.into))
            at.into.append(value)
        elif at.key is None:
            at.key = self._key(at.into, value, line)
            return at.path
        else:
            path = (*at.path, at.key)
            at.into[at.key] = value
            at.key = None
        self.lines[path] = line
        return path

    def _key(self, into: dict[Any, Any], key: Any, line: int) -> str | int:
        if isinstance(key, bool) or not isinstance(key, (str, int)):
            raise self._wrong(line, f"a key must be a plain word, not {short(key)}")
        if isinstance(key, str) and len(key) > KEY_LETTERS:
            raise self._wrong(line, f"a key of {len(key):,} letters; at most {KEY_LETTERS}")
        if key in into:
            raise self._wrong(line, f"the key {short(key)} is written twice")
        return key

    # -- scalars

    def _tag(self, event: Any, line: int, usual: str) -> str:
        """The kind of value that a tag asks for; only those of plain data are known."""
        tag = event.tag
        if tag is None or tag == "!":
            return ""
        kind = str(tag).removeprefix(_STANDARD)
        if kind not in ((usual,) if usual else ("str", "int", "float", "bool", "null")):
            raise self._wrong(line, f"the tag {short(tag.replace(_STANDARD, '!!'))} means nothing here; leave it out")
        return kind

    def _value(self, event: Any, line: int) -> Any:
        text: str = event.value
        kind = self._tag(event, line, "")
        if kind == "str" or (not kind and not event.implicit[0]):
            return self._text(text, line)
        value = self._resolved(text, line)
        if kind and type(value).__name__ != {"null": "NoneType"}.get(kind, kind):
            raise self._wrong(line, f"{short(text)} is no {kind}")
        return value

    def _resolved(self, text: str, line: int) -> Any:
        """What plain writing means in YAML 1.2."""
        if text in _WORDS:
            return _WORDS[text]
        if text[0] in _NUMERIC:
            if _INT.fullmatch(text):
                if len(text) > DIGITS:
                    raise self._wrong(line, f"a number of {len(text):,} digits; at most {DIGITS}")
                return int(text)
            if _FLOAT.fullmatch(text) and len(text) <= 2 * DIGITS and isfinite(float(text)):
                return float(text)
            if _NO_NUMBER.fullmatch(text) or _FLOAT.fullmatch(text):
                raise self._wrong(line, f"{short(text)} is no number to play with; write a whole one")
        return self._text(text, line)

    def _text(self, text: str, line: int) -> str:
        odd = first_control(text)
        if odd:
            raise self._wrong(line, f"the control character U+{ord(odd):04X} cannot stand in a text; leave it out")
        return text


def read_documents(path: Path) -> Iterator[tuple[Any, Lines]]:
    yield from documents(read_text(path), str(path))


_AT = re.compile(r" - at `(.*)`$")
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]|\[\.\.\.\]")
_UNKNOWN = re.compile(r"unknown field `(.*?)`")
_WRONG = re.compile(r"[Ii]nvalid enum value '([^']*)'")


def _path(text: str) -> Path_:
    return tuple(m[1] if m[1] is not None else int(m[2]) if m[2] is not None else "*" for m in _STEP.finditer(text))


def place(lines: Lines, path: Path_) -> int:
    """The line of a value, or of the nearest one around it that has a line."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def fault(name: str, line: int, card: str, field: str, says: str) -> ReadingError:
    """The one form in which all faults of a file are told: where, which card, which field, what."""
    who = f" card {card!r}:" if card else ""
    what = f" {field}:" if field else ""
    return ReadingError(f"{name}:{line}:{who}{what} {says}")


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The nearest known word, as a hint; where nothing is near, what there is."""
    words = {w.lower(): w for w in known}
    near = get_close_matches(word.lower(), sorted(words), 1, cutoff) if len(word) <= KEY_LETTERS else []
    if near:
        return f"did you mean {words[near[0]]!r}?"
    return f"known: {', '.join(sorted(words.values()))}" if 0 < len(words) <= 24 else "nothing is spelled like it"


def convert(
    data: Any,
    kind: type[T],
    name: str,
    lines: Lines,
    card: str = "",
    prefix: Path_ = (),
) -> T:
    """`data` as `kind`, or a ReadingError with file, line, card, field and the nearest known key or word."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as e:
        message = str(e)
    at = _AT.search(message)
    inside = _path(at[1]) if at else ()
    message = _AT.sub("", message)
    unknown, wrong = _UNKNOWN.search(message), _WRONG.search(message)
    inside = _found(data, inside, unknown[1] if unknown else "", wrong[1] if wrong else None)
    field = ".".join(str(p) for p in inside)
    if unknown:
        line = place(lines, (*prefix, *inside, unknown[1]))
        hint = nearest(unknown[1], _known(kind, inside)[0], 0.5)
        where = f" in {field}" if field else ""
        raise fault(name, line, card, "", f"unknown key {unknown[1]!r}{where}; {hint}")
    hint = f"; {nearest(wrong[1], _known(kind, inside)[1])}" if wrong else ""
    says = f"{message[:1].lower()}{message[1:]}{hint}"
    if "roll|remembered" in message:
        says = "no amount; write a number, roll, remembered, paid or 2*roll"
    raise fault(name, place(lines, (*prefix, *inside)), card, field or "value", says)


def _found(data: Any, path: Path_, key: str, word: str | None) -> Path_:
    """The path with the keys that the message leaves out: of those possible, one that has the wrong key or word."""
    if "*" not in path:
        return path
    i = path.index("*")
    for step in path[:i]:
        data = data[step]
    options = [_found(data, (step, *path[i + 1 :]), key, word) for step in (data if isinstance(data, dict) else ())]
    for option in options:
        at: Any = data
        try:
            for step in option:
                at = at[step]
        except (KeyError, IndexError, TypeError):
            continue
        if (key and isinstance(at, dict) and key in at) or (word is not None and at == word):
            return (*path[:i], *option)
    return path


@lru_cache(maxsize=16)
def _schema(kind: Any) -> dict[str, Any]:
    return msgspec.json.schema(kind)


def _known(kind: Any, path: Path_) -> tuple[list[str], list[str]]:
    """The keys, and the words, known at a place inside a structure."""
    schema = _schema(kind)
    defs = schema.get("$defs", {})
    keys: list[str] = []
    words: list[str] = []

    def walk(node: Any, rest: Path_) -> None:
        if "$ref" in node:
            walk(defs[node["$ref"].rsplit("/", 1)[1]], rest)
            return
        for alternative in node.get("anyOf", ()):
            walk(alternative, rest)
        if not rest:
            keys.extend(node.get("properties", {}))
            words.extend(w for w in node.get("enum", ()) if isinstance(w, str))
            words.extend(node.get("propertyNames", {}).get("enum", ()))
            return
        head, tail = rest[0], rest[1:]
        if "properties" in node and head in node["properties"]:
            walk(node["properties"][head], tail)
        elif "items" in node and (isinstance(head, int) or head == "*"):
            walk(node["items"], tail)
        elif isinstance(node.get("additionalProperties"), dict):
            walk(node["additionalProperties"], tail)

    walk(schema, path)
    return keys, words
