"""Reading YAML 1.2 with the line of every value, so that an error can say where it is.

`on` is a key and `yes` / `no` are words here, as in YAML 1.2; only `true` and `false` are booleans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

T = TypeVar("T")


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


def documents(text: str, name: str) -> Iterator[tuple[Any, dict[tuple[Any, ...], int]]]:
    """Each document of a YAML text with a map from the path of a value to its line."""
    try:
        for node in yaml.compose_all(text, _Loader):
            if node is None:
                continue
            lines: dict[tuple[Any, ...], int] = {}
            yield _build(node, (), lines, name), lines
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        raise ReadingError(f"{where}: not valid YAML: {e.problem or e.context}") from None
    except yaml.YAMLError as e:
        raise ReadingError(f"{name}: not valid YAML: {e}") from None


_CONSTRUCT = yaml.SafeLoader("")


def _build(node: Any, path: tuple[Any, ...], lines: dict[tuple[Any, ...], int], name: str) -> Any:
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


def read_documents(path: Path) -> Iterator[tuple[Any, dict[tuple[Any, ...], int]]]:
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


def _path(text: str) -> tuple[Any, ...]:
    return tuple(m[1] if m[1] is not None else int(m[2]) if m[2] is not None else "*" for m in _STEP.finditer(text))


def convert(
    data: Any,
    kind: type[T],
    name: str,
    lines: dict[tuple[Any, ...], int],
    card: str = "",
    prefix: tuple[Any, ...] = (),
) -> T:
    """`data` as `kind`, or a ReadingError with file, line, card, field and the nearest known key."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as e:
        message = str(e)
        at = _AT.search(message)
        path = prefix + (_path(at[1]) if at else ())
        message = _AT.sub("", message)
        unknown = _UNKNOWN.search(message)
        line_path = path + ((unknown[1],) if unknown else ())
        while line_path and line_path not in lines:
            line_path = line_path[:-1]
        line = lines.get(line_path, 1)
        field = ".".join(str(p) for p in path[len(prefix) :])
        who = f" card {card!r}:" if card else ""
        if unknown:
            known = _known_keys(kind, path[len(prefix) :])
            near = get_close_matches(unknown[1], known, 1, 0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known)[:12])}..."
            inside = f" in {field}" if field else ""
            raise ReadingError(f"{name}:{line}:{who} unknown key {unknown[1]!r}{inside}; {hint}") from None
        raise ReadingError(f"{name}:{line}:{who} {field or 'value'}: {message[:1].lower() + message[1:]}") from None


def _known_keys(kind: Any, path: tuple[Any, ...]) -> list[str]:
    """The keys known at a place inside a structure."""
    schema = msgspec.json.schema(kind)
    defs = schema.get("$defs", {})
    found: list[str] = []

    def walk(node: Any, rest: tuple[Any, ...]) -> None:
        if "$ref" in node:
            walk(defs[node["$ref"].rsplit("/", 1)[1]], rest)
            return
        for alternative in node.get("anyOf", ()):
            walk(alternative, rest)
        if not rest:
            found.extend(node.get("properties", {}))
            return
        head, tail = rest[0], rest[1:]
        if "properties" in node and head in node["properties"]:
            walk(node["properties"][head], tail)
        elif "items" in node and (isinstance(head, int) or head == "*"):
            walk(node["items"], tail)
        elif isinstance(node.get("additionalProperties"), dict):
            walk(node["additionalProperties"], tail)

    walk(schema, path)
    return found
