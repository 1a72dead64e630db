"""The server's log: a line of text or a JSON object each, and never a secret in it.

Tokens, the codes of links and what people say are not logged anywhere. Should one of the first two come by in the words
of an error, it is blotted out here; so is the password in a database's address.
"""

from __future__ import annotations

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final, Literal, TextIO

from kickdoor.paper import plain
from kickdoor.server.watching import CountErrors

Style = Literal["text", "json"]
_LONG: Final = re.compile(r"[A-Za-z0-9_-]{28,}")  # tokens have 32 letters, codes and fingerprints more


def discreet(text: str) -> str:
    """Without what looks like a token, a code or a password."""
    return _LONG.sub(_blot, plain.discreet(text))


def _blot(found: re.Match[str]) -> str:
    """Names of functions and files have no digits; tokens that are all letters are one in a thousand millions."""
    word = found[0]
    looks_named = "_" in word and word.replace("_", "").isalpha() and word.islower()
    return word if looks_named else plain.HIDDEN


class Plain(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return plain.shown(discreet(super().format(record)))  # it may quote what the network sent


class Json(logging.Formatter):
    """An object per line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        out: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "says": discreet(record.getMessage()),
        }
        if record.exc_info:
            out["trace"] = discreet(self.formatException(record.exc_info))
        return plain.as_json(out)


def begin(style: Style, stream: TextIO | None = None) -> None:
    """Everything that is logged from now on goes to `stream` in this style."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Json() if style == "json" else Plain())
    logging.basicConfig(level=logging.INFO, handlers=[handler, CountErrors()], force=True)
    for quiet in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "asyncio"):
        logging.getLogger(quiet).setLevel(logging.WARNING)
    logging.getLogger("asyncpg").setLevel(logging.ERROR)  # whenever there is no database; `outages` tells that once
