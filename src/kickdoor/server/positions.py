"""This position as a scenario, for whoever asks: what his seat knows, and everything when the game is over.

Writing one takes some tens of milliseconds, so it happens beside the loop that all tables share, on a copy.
"""

from __future__ import annotations

from collections.abc import Callable

from kickdoor.engine.value.game import Game
from kickdoor.scenario import telling
from kickdoor.scenario.writing import Unsayable
from kickdoor.server import protocol as pr
from kickdoor.server.replays import Stage
from kickdoor.server.table import OVER, WATCHER, Table
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Tick, Workshop


class Scribe:
    """Writes positions, in the workshop."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def write(self, tell: Callable[[], str]) -> str:
        """What `tell` makes of a copy of a game, away from the loop."""
        try:
            return await self._workshop.do(tell)
        except Unsayable as e:
            raise Trouble("unsayable", f"This position cannot be written as a scenario: {e}.") from None

    async def of_table(self, t: Table, token: str | None) -> pr.PositionText:
        """The position now, as the holder of this token knows it; without one, as somebody who watches does."""
        viewer = _viewer(t, token)
        if t.game is None:
            raise Trouble("not_started", "No game has begun at this table, so there is no position to write down yet.")
        g, over = t.game.clone(), t.status == OVER
        title = f"{t.name}, after {t.count} moves" if t.name else f"After {t.count} moves"
        text = await self.write(lambda: telling.whole(g, title) if over else telling.as_known(g, viewer, title))
        return {"text": text, "file": _file(t.id, t.count), "whole": over}

    async def of_replay(self, stage: Stage, step: int) -> pr.PositionText:
        """The position after a step of a game that is over, which is played again up to there."""
        r = stage.record
        step = max(0, min(step, len(r.steps)))
        title = f"{r.name or 'A game'}, step {step} of {len(r.steps)}"
        g = await self._workshop.in_turns(lambda tick: _after(stage, step, tick))
        text = await self.write(lambda: telling.whole(g, title))
        return {"text": text, "file": _file(r.table, step), "whole": True}


def _after(stage: Stage, step: int, tick: Tick) -> Game:
    stage.go(step, tick)
    assert stage.table.game is not None
    return stage.table.game.clone()


def _viewer(t: Table, token: str | None) -> int:
    seat = t.seat_of(token) if token else WATCHER
    if token and seat < 0:
        raise Trouble("bad_token", "This seat is not yours any more.")
    if seat < 0 and not t.options.watchers:
        raise Trouble("no_watching", "This table does not want spectators.")
    return seat


def _file(table: str, number: int) -> str:
    return f"kickdoor-{table}-{number}.yaml"
