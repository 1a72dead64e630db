"""Games that were played with earlier versions come out the same (promise 5 of the server: deterministic)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kickdoor.server.replays import Replay, Stage

STORED = sorted((Path(__file__).parent / "replays").glob("*.json"))


def test_some_games_are_stored() -> None:
    assert len(STORED) >= 3


@pytest.mark.parametrize("path", STORED, ids=lambda p: p.stem)
def test_a_stored_game_comes_out_the_same(path: Path) -> None:
    """If a card or a rule was changed on purpose, store the game again: python tests/store_game.py NAME SEED PACKS."""
    record = msgspec.json.decode(path.read_bytes(), type=Replay)
    stage = Stage(record)
    stage.go(len(record.steps))
    game = stage.table.game
    assert game is not None
    assert list(game.winners) == record.winners
    assert game.key().hex() == record.key
