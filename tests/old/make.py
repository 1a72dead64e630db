"""Writes what a version writes: run with that version's sources, PYTHONPATH=THERE/src python make.py PACK OUT.

What lies beside this file was made so, once, by earlier versions (README.md says by which); it is never made again. It
stands alone (and `journalling.py`, which makes journals of today, beside it): it is run where only that version is.
"""

from __future__ import annotations

import asyncio
import gzip
import importlib
import random
import sys
from pathlib import Path
from typing import Any

import msgspec

from kickdoor.app import saves
from kickdoor.engine import saving, setup
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.server import deciding, replays, snapshots
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.table import OVER, Table

TALK = (18, 19, 25, 27)


def game(pack: str) -> Any:
    """In the middle of a fight, some turns in."""
    g = setup.new_game(("Ann", "Bob", "Cid"), (pack,), 11)
    rng = random.Random(4)
    for _ in range(1000):
        if g.fight is not None and g.turns > 8 and len(g.fight.foes) and any(p.table for p in g.players):
            return g
        s = to_act(g)[0]
        apply(g, rng.choice([m for m in legal(g, s) if m.verb not in TALK] or legal(g, s)))
    raise AssertionError("no fight")


def story(ident: str, seed: int) -> tuple[Table, list[en.Entry], list[bytes]]:
    """A finished game at a table, its entries, and a shortcut from its middle."""
    t = Table(ident)
    options = op.changed(op.TableOptions(), {"packs": ["classic"]})
    told: list[en.Entry] = []
    shorts: list[bytes] = []

    def take(what: Any) -> None:
        told.append(en.Entry(what, 1_763_200_000.0 + len(told)))
        t.take(told[-1])
        if t.seq == 100:
            shorts.append(snapshots.dump(t))

    take(en.Opened(t.id, "Old", op.plain(options), 3))
    take(en.Sealed(seed, "salt"))
    for i, name in enumerate(["Ann", "Bob", "Cid"]):
        take(en.Sat(i, name, "male", f"mark {i}"))
    take(deciding.dealing(t, [0, 1, 2]))
    rng = random.Random(seed)
    while t.status != OVER:
        g = t.game
        assert g is not None
        s = to_act(g)[0]
        moves = [m for m in legal(g, s) if m.verb not in TALK] or legal(g, s)
        take(deciding.prepare(t, g, s, [rng.choice(moves).deed], "person"))
    return t, told, shorts


async def journal(path: Path, told: list[en.Entry], short: bytes) -> None:
    j = SqliteJournal(str(path))
    await j.open()
    for ident, entries in (("abcdefghjk", told), ("mnpqrstuvw", told[:5])):
        raw = [en.pack(e) for e in entries]
        lease = await j.create(ident, raw[:5])
        if raw[5:]:
            await j.append(lease, 5, raw[5:])
            await j.snapshot(ident, 100, short)
    await j.close()


def main(pack: str, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    g = game(pack)
    (out / "game.json").write_bytes(saving.to_json(g))
    bots = [("greedy", 0) for _ in g.players]
    saves.write(out / "table.json", saves.Saved(0, bots, 11, 0, g.turns, [], {}, [], saves.pack_game(g)))
    shortest = min((story("abcdefghjk", seed) for seed in range(1, 9)), key=lambda s: len(s[1]))
    t, told, shorts = shortest
    replay = replays.record(t, told, 0)
    (out / "replay.json.gz").write_bytes(gzip.compress(msgspec.json.encode(replay), 9, mtime=0))
    file = out / "journal.sqlite"
    asyncio.run(journal(file, told, shorts[0]))
    (out / "journal.sqlite.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    for rest in out.glob("journal.sqlite*"):
        if rest.suffix != ".gz":
            rest.unlink()
    print(out, len(told), "entries, version", importlib.import_module("kickdoor").__version__)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
