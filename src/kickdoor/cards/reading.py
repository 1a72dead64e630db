"""Reading YAML 1.2 with the line of every value, so that an error can say where it is.

`on` is a key and `yes` / `no` are words here, as in YAML 1.2; only `true` and `false` are booleans.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

T = TypeVar("T")
Path_ = tuple[Any, ...]
Lines = dict[Path_, int]  # the line of every value, by its path


class ReadingError(ValueError):
    """A file that cannot be understood; the message names file, line and what would be right."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    pass


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:bool"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_INT = "tag:yaml.org,2002:int"
for _first, _rules in list(_Loader.yaml_implicit_resolvers.items()):
    _Loader.yaml_implicit_resolvers[_first] = [
        (tag, re.compile(r"^[-+]?[0-9]+$") if tag == _INT else pattern)
        for tag, pattern in _rules
        if tag not in ("tag:yaml.org,2002:timestamp",)
    ]
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|false|False)$"), list("tTfF"))


def documents(text: str, name: str) -> Iterator[tuple[Any, Lines]]:
    """Each document of a YAML text with a map from the path of a value to its line."""
    try:
        for node in yaml.compose_all(text, _Loader):
            if node is None:
                continue
            lines: Lines = {}
            yield _build(node, (), lines, name), lines
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        raise ReadingError(f"{where}: not valid YAML: {e.problem or e.context}") from None
    except yaml.YAMLError as e:
        raise ReadingError(f"{name}: not valid YAML: {e}") from None


_CONSTRUCT = yaml.SafeLoader("")


def _build(node: Any, path: Path_, lines: Lines, name: str) -> Any:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        out: dict[Any, Any] = {}
        for k, v in node.value:
            key = _build(k, (*path, "key"), {}, name)
            if not isinstance(key, (str, int)):
                raise ReadingError(f"{name}:{k.start_mark.line + 1}: a key must be a plain word, not {key!r}")
            if key in out:
                raise ReadingError(f"{name}:{k.start_mark.line + 1}: the key {key!r} is written twice")
            out[key] = _build(v, (*path, key), lines, name)
        return out
    if isinstance(node, yaml.SequenceNode):
        return [_build(v, (*path, i), lines, name) for i, v in enumerate(node.value)]
    if node.tag == "tag:yaml.org,2002:bool":
        return node.value.lower() == "true"
    if node.tag == _INT:
        return int(node.value)
    if node.tag == "tag:yaml.org,2002:float":
        return float(node.value)
    if node.tag == "tag:yaml.org,2002:null":
        return None
    return node.value


def read_documents(path: Path) -> Iterator[tuple[Any, Lines]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise ReadingError(f"{path}: cannot be read: {e.strerror}") from None
    except UnicodeDecodeError:
        raise ReadingError(f"{path}: is not UTF-8 text") from None
    yield from documents(text, str(path))


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
    near = get_close_matches(word.lower(), sorted(words), 1, cutoff)
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


def _known(kind: Any, path: Path_) -> tuple[list[str], list[str]]:
    """The keys, and the words, known at a place inside a structure."""
    schema = msgspec.json.schema(kind)
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
