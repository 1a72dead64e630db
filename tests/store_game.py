"""Stores a finished game for `test_stored_games`: python tests/store_game.py NAME SEED PACK..."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import msgspec

import kickdoor
from kickdoor.engine.kernel import legal, to_act
from kickdoor.server import deciding, replays
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.table import OVER, Table

FOLDER = Path(__file__).parent / "replays"
TALK = (18, 19, 25, 27)  # offers and trades make long games; a few are enough


def stored(seed: int, packs: list[str]) -> replays.Replay:
    """A random game of four, as the journal of a table would have it."""
    t = Table("abcdefghjk")
    options = op.changed(op.TableOptions(), {"packs": packs})
    journal = [en.Entry(en.Opened(t.id, "Stored", op.plain(options), 4)), en.Entry(en.Sealed(seed, "salt"))]
    journal += [en.Entry(en.Sat(i, name, "male", f"mark {i}")) for i, name in enumerate(["Ann", "Bob", "Cid", "Dee"])]
    for e in journal:
        t.take(e)
    journal.append(en.Entry(deciding.dealing(t, [0, 1, 2, 3])))
    t.take(journal[-1])
    rng = random.Random(seed)
    while t.status != OVER:
        g = t.game
        assert g is not None
        s = to_act(g)[0]
        moves = [m for m in legal(g, s) if m.verb not in TALK or rng.random() < 0.02] or legal(g, s)
        journal.append(en.Entry(deciding.prepare(t, g, s, [rng.choice(moves).deed], "person")))
        t.take(journal[-1])
    return replays.record(t, journal, 0)


if __name__ == "__main__":
    name, number, *which = sys.argv[1:]
    record = stored(int(number), which or ["classic"])
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name}.json"
    path.write_bytes(msgspec.json.encode(record))
    print(f"{path.name}: {len(record.steps)} steps, version {kickdoor.__version__}")
