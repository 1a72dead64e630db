"""What the counter says in another language, read from its own tables."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

TABLES: Final = Path(__file__).parent.parent / "web" / "src" / "counter" / "tongues"


@cache
def table(tongue: str) -> dict[str, str]:
    """All sentences of a tongue."""
    text = (TABLES / f"{tongue}.ts").read_text(encoding="utf-8")
    return {key: json.loads(said) for key, said in re.findall(r'^  (\w+): ("(?:[^"\\]|\\.)*"),$', text, re.MULTILINE)}


def said(tongue: str, key: str, **holes: str | int) -> str:
    """One of them, with its holes filled."""
    return table(tongue)[key].format(**holes)


def english_left(tongue: str, words: list[str]) -> list[str]:
    """What of these words is a sentence that this tongue has in words of its own."""
    own = table(tongue)
    mine = set(own.values())
    forgotten = {s for key, s in table("en").items() if s != own[key] and s not in mine}
    return sorted(forgotten.intersection(words))
