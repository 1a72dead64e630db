"""The counter's language, asked for with the document: on a slow line the page would wait for it after its program.

Which one it will be the page knows (`web/src/counter/tongue.svelte.ts`); the browser's own word for what somebody reads
is nearly always the same. English is in the program.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

ENGLISH: Final = "en"
_READS: Final = re.compile(r"(?:^|,)\s*([a-z]{2})\b", re.IGNORECASE)  # the first letters of each, best first
_LETTERS: Final = 200  # of what a browser says about itself; nobody reads more languages


def hint(assets: Path, reads: str) -> str:
    """For the document's head, by the header Accept-Language; empty where nothing is to be fetched."""
    files = _files(assets, assets.stat().st_mtime_ns) if assets.is_dir() else {}
    wanted = (code.lower() for code in _READS.findall(reads[:_LETTERS]))
    name = files.get(next((code for code in wanted if code == ENGLISH or code in files), ENGLISH))
    return f'<link rel="modulepreload" href="/assets/{name}" />' if name else ""


@lru_cache(maxsize=2)
def _files(assets: Path, _: int) -> dict[str, str]:
    return {f.name.split("-")[1]: f.name for f in assets.glob("tongue-??-*.js")}
