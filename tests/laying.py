"""Any position at all for tests of the browser table: a scenario's table, laid into a server's journal.

`staging` plays to a position with real moves; some of those worth looking at (fifteen cards in a hand, a fight of five)
would take very many. Here the journal has a real deal, and the shortcut past it, which a server loads a table from, the
game of the scenario.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from kickdoor.cards.reading import documents
from kickdoor.engine.value.game import FEMALE, Game
from kickdoor.engine.value.records import Event
from kickdoor.paper.files import read_text
from kickdoor.scenario.runner import Play
from kickdoor.server import chain, snapshots
from kickdoor.server import entries as en
from kickdoor.server.chairs import BOT, PERSON, Chair, fingerprint
from kickdoor.server.table import LOG_KEPT, UNDO_KEPT
from staging import BOT as SENSIBLE
from staging import Stage


class Told(Play):
    """A scenario whose events are kept, so that a log can tell of them."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.told: list[tuple[Game, list[Event]]] = []

    def _step(self, step: Any) -> None:
        super()._step(step)
        self.told.append((self.g, list(self.g.events or [])))


class Position(Stage):
    """A table in the position of a scenario. The first two players are people: one looks at the first one's screen."""

    def __init__(self, data: dict[str, Any]) -> None:
        play = Told(data)
        play.run()
        packs = list(data.get("packs") or ["classic"])
        names = [f"Seat {i}" for i in range(4)]
        super().__init__(names[:2], [SENSIBLE] * 2, title=str(data["scenario"])[:24].strip(), packs=packs)
        self._set(play)

    def _set(self, play: Told) -> None:
        t = self.table
        t.game = play.g
        t.chairs = [
            Chair(PERSON, p.name, _sex(p.sex), fingerprint(self.tokens[i]))
            if i < 2
            else Chair(BOT, p.name, _sex(p.sex), bot=SENSIBLE, ready=True)
            for i, p in enumerate(play.g.players)
        ]
        t.host, t.past, t.recent = 0, deque(maxlen=UNDO_KEPT), []
        assert t.dealt is not None
        t.dealt = _with(t.dealt, play.g)
        t.lines = {v: deque(maxlen=LOG_KEPT) for v in range(-1, len(t.chairs))}
        for game, events in play.told:
            t._tell(game, events)

    def lay(self, journal: Path) -> Position:
        super().lay(journal)
        data = snapshots.dump(self.table)
        check = chain.links(chain.start(self.id), 0, [en.pack(e) for e in self.entries])[-1]
        seq = len(self.entries)
        row = (self.id, seq, data, check, chain.stamp(self.id, seq, check, data))
        with closing(sqlite3.connect(journal, timeout=20)) as db, db:
            db.execute("insert into snapshots values (?, ?, ?, ?, ?)", row)
        return self


def _sex(sex: int) -> str:
    return "female" if sex == FEMALE else "male"


def _with(dealt: en.Dealt, g: Game) -> en.Dealt:
    """The deal as if it had been of this game: nothing to be carried over to other cards."""
    return msgspec.structs.replace(dealt, players=[p.name for p in g.players], cards=g.lib.hash)


def positions(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The scenarios of a file, by their titles."""
    for data, _ in documents(read_text(file), str(file)):
        yield str(data["scenario"]), data
