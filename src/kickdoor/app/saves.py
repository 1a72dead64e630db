"""Saved tables: one file, written whole or not at all, checked when it is read."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec

from kickdoor.engine.saving import SaveError, from_json, to_json
from kickdoor.engine.value.game import Game
from kickdoor.paper.files import SAVE_BYTES, UNREADABLE, ReadingError, check_depth, read_bytes, why, write_bytes

FORMAT = 1


class Saved(msgspec.Struct, forbid_unknown_fields=True):
    """Everything a table needs to go on: the game, who sits where, and what was done this turn."""

    you: int
    bots: list[tuple[str, int]]
    seed: int
    count: int
    turn: int
    recent: list[tuple[int, int, int, int, int]]
    heard: dict[str, list[int]]
    log: list[tuple[str, str, str, str]]
    game: msgspec.Raw
    ledger: list[tuple[int, int]] = []  # what players did to each other (a save of before there was one has none)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    kickdoor_table: int
    check: str
    table: msgspec.Raw


def folder() -> Path:
    """Where saved games live, by the platform's custom."""
    base = os.environ.get("XDG_DATA_HOME", "")
    try:
        return (Path(base) if base else Path.home() / ".local" / "share") / "kickdoor"
    except RuntimeError:
        raise ValueError(
            "whoever runs this has no home folder to keep things in; name one, in the environment, as HOME, or as "
            "XDG_DATA_HOME"
        ) from None


def default_path() -> Path:
    return folder() / "table.json"


def _check(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def write(path: Path, saved: Saved) -> None:
    """Replace the file in one step, so that a killed process leaves either the old or the new one."""
    body = msgspec.json.encode(saved)
    data = msgspec.json.encode(_File(FORMAT, _check(body), msgspec.Raw(body)))
    try:
        write_bytes(path, data)
    except OSError as e:
        raise SaveError(f"cannot save the game to {path}: {why(e)}") from None


def read(path: Path) -> tuple[Saved, Game]:
    """A saved table, or SaveError with the reason in one line."""
    if not os.path.lexists(path):
        raise SaveError(f"no saved game at {path}; begin one with: kickdoor play")
    try:
        data = read_bytes(path, SAVE_BYTES)
        check_depth(data)
        file = msgspec.json.decode(data, type=_File)
        if file.kickdoor_table != FORMAT:
            raise SaveError(
                f"{path} was saved in format {file.kickdoor_table}; this version reads {FORMAT}. A newer version of "
                "Kickdoor may have written it: use that one"
            )
        if _check(bytes(file.table)) != file.check:
            raise SaveError(f"{path} is damaged: its content does not match its check sum")
        saved = msgspec.json.decode(bytes(file.table), type=Saved)
    except UNREADABLE as e:
        raise SaveError(f"{path} is not a saved table, or it is damaged: {_one_line(e)}") from None
    except ReadingError as e:
        said = str(e).removeprefix(f"{path}: ")
        raise SaveError(f"{path} is no saved game: {said}") from None
    game = from_json(bytes(saved.game))
    if not 0 <= saved.you < len(game.players) or len(saved.bots) != len(game.players):
        raise SaveError(f"{path} is damaged: its seats do not fit the game")
    return saved, game


def _one_line(e: Any) -> str:
    return str(e).splitlines()[0]


def pack_game(g: Game) -> msgspec.Raw:
    return msgspec.Raw(to_json(g))
