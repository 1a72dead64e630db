"""Positions out of files: a saved game, or a replay after so many moves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from kickdoor.app import saves
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.notation import text
from kickdoor.paper.files import REPLAY_BYTES, UNREADABLE, check_depth, read_bytes
from kickdoor.paper.plain import short
from kickdoor.scenario.writing import is_quiet
from kickdoor.server import replays
from kickdoor.server.entries import Made
from kickdoor.server.trouble import Trouble


@dataclass
class Position:
    """A game, how it came about as far as the file knows, and where it is from."""

    path: Path
    game: Game
    history: list[tuple[Game, Move]]
    move: int | None  # so many have been made, where the file has them all

    @property
    def title(self) -> str:
        return f"{self.path.name} after {self.move} moves" if self.move is not None else f"The game in {self.path.name}"


def find(source: str) -> Position:
    """`FILE` or `FILE@MOVE`; ValueError says in one line why there is no such position."""
    path, move = _split(source)
    raw = read_bytes(path, REPLAY_BYTES)
    check_depth(raw, str(path))
    if _is_save(raw):
        if move is not None:
            raise ValueError(f"{path} is a saved game: it holds one position, and none of its moves")
        return Position(path, saves.read(path)[1], [], None)
    try:
        return _replayed(path, replays.read(raw), move)
    except Trouble as e:
        raise ValueError(f"{path} is neither a saved game nor a replay: {e.says}") from None


def _split(source: str) -> tuple[Path, int | None]:
    name, at, number = source.rpartition("@")
    if not at or Path(source).exists():
        return Path(source), None
    if not number.isdecimal() or len(number) > 9:
        raise ValueError(f"{source}: after the @ comes the number of a move, not {short(number)}")
    return Path(name), int(number)


def _is_save(raw: bytes) -> bool:
    try:
        return "kickdoor_table" in msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except UNREADABLE:
        return False


def _replayed(path: Path, record: replays.Replay, move: int | None) -> Position:
    """The position after so many moves, or at the end. What is taken back or corrected by agreement is no move."""
    history: list[tuple[Game, Move]] = []
    stage = replays.Stage(record)
    made, step = 0, 0
    try:
        for number, g, m in replays.played(stage):
            if is_quiet(g) or any(not isinstance(e.what, Made) for e in record.steps[step : number - 1]):
                history = []  # nothing before this is needed, or led to it
            if made == move:
                return Position(path, g, history, made)
            history.append((g, m))
            made, step = made + 1, number
        stage.go(len(record.steps))
    except replays.IMPOSSIBLE as e:
        said = f" ({text(*history[-1])})" if history else ""
        raise ValueError(f"{path}: move {made}{said} cannot have happened: {e}") from None
    if move is not None and move != made:
        raise ValueError(f"{path} has {made} moves; there is no position after {move}")
    if any(not isinstance(e.what, Made) for e in record.steps[step:]):
        history = []
    assert stage.table.game is not None
    return Position(path, stage.table.game, history, made)
