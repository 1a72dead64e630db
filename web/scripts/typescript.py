"""Writes src/lib/protocol.ts and src/lib/counting.ts from the JSON Schemas of what is sent (the `schema()` of
kickdoor.server.protocol and of kickdoor.companion.shapes).

python web/scripts/typescript.py       (or `npm run types`); tests/test_wire.py holds the files to it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

LIB = Path(__file__).resolve().parents[1] / "src" / "lib"
FILE = LIB / "protocol.ts"
COUNTING = LIB / "counting.ts"


def declarations(schema: dict[str, Any], source: str = "kickdoor.server.protocol") -> str:
    """All types of a schema, as TypeScript."""
    head = f"// {schema['title']}. Written by `npm run types` from {source}; do not edit."
    parts = [_declaration(name, part) for name, part in schema["$defs"].items()]
    version = f"export const VERSION = {schema['version']};"
    return "\n\n".join([head, version, *parts]) + "\n"


def _declaration(name: str, part: dict[str, Any]) -> str:
    said = f"/** {part['description']} */\n" if "description" in part else ""
    if "properties" in part:
        return f"{said}export interface {name} {_object(part)}"
    return f"{said}export type {name} = {_type(part)};"


def _object(part: dict[str, Any]) -> str:
    needed = set(part.get("required", ()))
    rows = []
    for key, value in part["properties"].items():
        if "description" in value:
            rows.append(f"  /** {value['description']} */")
        name = key if re.fullmatch(r"[a-zA-Z_]\w*", key) else json.dumps(key)
        rows.append(f"  {name}{'' if key in needed else '?'}: {_type(value)};")
    return "\n".join(["{", *rows, "}"])


def _type(part: dict[str, Any]) -> str:
    if "$ref" in part:
        return str(part["$ref"]).rsplit("/", 1)[-1]
    if "enum" in part:
        return " | ".join(json.dumps(x) for x in part["enum"])
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(_type(x) for x in part["anyOf"]))
    kind = part["type"]
    if isinstance(kind, list):
        return " | ".join(_type({**part, "type": k}) for k in kind)
    if kind == "array":
        return _tuple(part) if "prefixItems" in part else f"{_wrapped(_type(part['items']))}[]"
    if kind == "object":
        return f"{{ [key: string]: {_type(part['additionalProperties'])} }}"
    return {"integer": "number"}.get(kind, kind)


def _tuple(part: dict[str, Any]) -> str:
    kinds = [_wrapped(_type(x)) for x in part["prefixItems"]]
    least = part.get("minItems", len(kinds))
    return f"[{', '.join(k if i < least else f'{k}?' for i, k in enumerate(kinds))}]"


def _wrapped(kind: str) -> str:
    return f"({kind})" if "|" in kind and kind[0] not in "{[(" else kind


if __name__ == "__main__":
    from kickdoor.companion import shapes
    from kickdoor.server import protocol

    for file, module in ((FILE, protocol), (COUNTING, shapes)):
        schema = json.loads(json.dumps(module.schema()))
        file.write_text(declarations(schema, module.__name__))
        print(f"{file}: {len(schema['$defs'])} types")
