"""Many games into a folder of Parquet files, as they are played.

    RUN/run.json                     what was played: settings, engine, packs
    RUN/cards.parquet                the cards of the mix, by number
    RUN/games/part-00000.parquet     one row per game
    RUN/seats/...                    one row per game and seat, with its Levels turn by turn
    RUN/fights/...                   one row per fight
    RUN/holdings/...                 one row per card that came to a seat: how, when, how long, what became of it

A part holds a fixed range of games, so the files do not depend on how many workers played them. A part appears when it
is complete (`games` last), or when the run is stopped: then it is shorter, can be read, and is played anew when the run
goes on.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kickdoor import __version__
from kickdoor.engine.setup import library
from kickdoor.lab import agents, farm
from kickdoor.lab.extras import LabError, need
from kickdoor.lab.playing import Record, Setting, cards_of, check
from kickdoor.lab.recording import ENDS, FATES, HOWS
from kickdoor.paper.files import ReadingError, check_depth, read_bytes, why, write_text

FORMAT: Final = 1
PART: Final = 500  # games
GROUP: Final = 25  # games in a row group
TABLES: Final = ("seats", "fights", "holdings", "games")  # in the order in which a part is completed
HEAD: Final = "run.json"
HEAD_BYTES: Final = 50_000_000  # its cards, a few hundred bytes each


@dataclass(frozen=True)
class Run:
    """A run on disk."""

    folder: Path
    setting: Setting
    cards: list[dict[str, Any]]
    head: dict[str, Any]

    def parts(self) -> list[int]:
        """The complete parts."""
        return sorted(int(p.stem.split("-")[1]) for p in (self.folder / "games").glob("part-*.parquet"))

    def path(self, table: str, part: int) -> Path:
        return self.folder / table / f"part-{part:05}.parquet"

    def rows(self, part: int) -> int:
        """How many games a part has; 0 if it is not there."""
        path = self.path("games", part)
        if not path.exists():
            return 0
        pq = need("pyarrow.parquet", "lab")
        try:
            return int(pq.read_metadata(path).num_rows)
        except (OSError, ValueError):
            return 0  # a part that cannot be read is played again


def fingerprint(setting: Setting) -> dict[str, Any]:
    """What a run must have in common with an earlier one to go on with it."""
    return {
        "format": FORMAT,
        "engine": __version__,
        "packs": library(setting.packs).hash,
        "settings": setting.plain(),
        "agents": agents.marks(setting.bots),
    }


def opened(folder: Path) -> Run:
    """A run that is there."""
    path = folder / HEAD
    if not os.path.lexists(path):
        raise LabError(f"{folder}: no run is there (it has no {HEAD}); make one with: kickdoor simulate --out {folder}")
    try:
        raw = read_bytes(path, HEAD_BYTES)
        check_depth(raw, str(path))
        head = json.loads(raw)
        return Run(folder, Setting.of(head["settings"]), head["cards"], head)
    except ReadingError as e:
        raise LabError(str(e)) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise LabError(f"{path}: not the head of a run; simulate into a new folder") from None


def prepare(folder: Path, setting: Setting) -> Run:
    """The folder of a run, new or to be gone on with; never one that holds something else."""
    check(setting)
    mark = fingerprint(setting)
    if (folder / HEAD).exists():
        old = opened(folder)
        for what in mark:
            if old.head.get(what, {}) != mark[what] and not (what == "packs" and _same_cards(old)):
                raise LabError(
                    f"{folder} holds another run ({_difference(what, old.head.get(what), mark[what])}); "
                    "name another folder with --out"
                )
        return old
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LabError(f"{folder} is there and is not a run; name a new folder with --out, nothing was written")
    try:
        str(folder).encode()
    except UnicodeEncodeError:  # Parquet's files have names in UTF-8
        raise LabError("the name of that folder is not UTF-8; name another with --out, nothing was written") from None
    return _begin(folder, setting, mark)


def _same_cards(run: Run) -> bool:
    """Was it played with the cards that there are now, words apart?"""
    return library(run.setting.packs).same(str(run.head.get("packs")))


def _begin(folder: Path, setting: Setting, mark: dict[str, Any]) -> Run:
    cards = cards_of(setting.packs)
    head = {**mark, "cards": cards}
    pa, pq = need("pyarrow", "lab"), need("pyarrow.parquet", "lab")
    try:
        for table in TABLES:
            (folder / table).mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(cards), folder / "cards.parquet")
        text = json.dumps(head, indent=1, ensure_ascii=False) + "\n"
        write_text(folder / HEAD, text)  # last: a folder without it is no run
    except OSError as e:
        _take_back(folder)
        raise LabError(f"{folder}: cannot be written: {why(e)}") from None
    return Run(folder, setting, cards, head)


def _take_back(folder: Path) -> None:
    """A run that could not begin leaves nothing; the folder was empty or not there."""
    with suppress(OSError):
        (folder / "cards.parquet").unlink(missing_ok=True)
        for table in TABLES:
            (folder / table).rmdir()
        folder.rmdir()


def _difference(what: str, old: Any, new: Any) -> str:
    if isinstance(old, dict) and isinstance(new, dict):
        for k in new:
            if old.get(k) != new[k]:
                return f"{k} was {old.get(k)!r}, now {new[k]!r}"
    return "of other cards" if what == "packs" else f"{what} was {old!r}, now {new!r}"


# -- playing ------------------------------------------------------------------------------------------------------


def simulate(
    folder: Path, setting: Setting, games: int, workers: int = 0, on: str = "cores"
) -> Iterator[tuple[int, int]]:
    """Play; yields (games done now, of which failed) after every batch. What an earlier run did comes first."""
    run = prepare(folder, setting)
    begun = min(-(-games // PART), max(run.parts(), default=-1) + 1)
    holes = [n for part in range(begun) for n in _lacking(run, part, games)]
    yield min(games, begun * PART) - len(holes), 0
    for numbers in (holes, range(begun * PART, games)):  # the second may be a billion
        if numbers:
            yield from _played(run, games, farm.run(setting, numbers, workers, on))


def _numbers(part: int, games: int) -> range:
    """The games of a part, of so many in all."""
    return range(part * PART, min(games, (part + 1) * PART))


def _lacking(run: Run, part: int, games: int) -> range:
    """The games of a part if any of them is missing: then all are played anew."""
    numbers = _numbers(part, games)
    return numbers if run.rows(part) < len(numbers) else range(0)


def _played(run: Run, games: int, batches: Iterator[list[Record]]) -> Iterator[tuple[int, int]]:
    try:
        yield from _store(run, games, batches)
    except OSError as e:
        raise LabError(f"{run.folder}: cannot be written: {why(e)}") from None
    finally:
        close = getattr(batches, "close", None)
        if close is not None:
            close()


def _store(run: Run, games: int, batches: Iterator[list[Record]]) -> Iterator[tuple[int, int]]:
    """Batches into parts. A batch may belong to two of them."""
    writer: Part | None = None
    try:
        for batch in batches:
            for part in dict.fromkeys(r.number // PART for r in batch):
                mine = [r for r in batch if r.number // PART == part]
                if writer is None:
                    writer = Part(run, part)
                writer.write(mine)
                if mine[-1].number == _numbers(part, games)[-1]:
                    writer.finish()
                    writer = None
            yield len(batch), sum(1 for r in batch if r.error)
    except OSError:
        if writer is not None:
            writer.sound = False
        raise
    finally:
        if writer is not None:
            writer.leave()


# -- Parquet ------------------------------------------------------------------------------------------------------


class Part:
    """The files of one part while they are written: row group by row group, with a new name when they are complete."""

    def __init__(self, run: Run, part: int) -> None:
        self.run = run
        self.part = part
        self.pa = need("pyarrow", "lab")
        self.pq = need("pyarrow.parquet", "lab")
        self.writers: dict[str, Any] = {}
        self.waiting: list[Record] = []
        self.sound = True  # the tables agree with each other

    def _temporary(self, table: str) -> Path:
        return self.run.path(table, self.part).with_suffix(".unfinished")

    def write(self, records: Sequence[Record]) -> None:
        """Groups of the same size, however many games come at a time: the files are the same to the byte."""
        self.waiting += records
        while len(self.waiting) >= GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self.waiting:
            return
        tables = as_tables(self.pa, self.waiting[:GROUP])
        self.sound = False
        for name in TABLES:
            if name not in self.writers:
                schema = tables[name].schema
                self.writers[name] = self.pq.ParquetWriter(self._temporary(name), schema, compression="zstd")
            self.writers[name].write_table(tables[name])
        self.waiting = self.waiting[GROUP:]
        self.sound = True

    def finish(self) -> None:
        while self.waiting:
            self._flush()
        for name in TABLES:
            self.writers[name].close()
            os.replace(self._temporary(name), self.run.path(name, self.part))

    def leave(self) -> None:
        """Stop in the middle: what is there can be read, and the part is played anew when the run goes on."""
        if self.sound and (self.writers or self.waiting):
            self.finish()
            return
        for name, writer in self.writers.items():
            with suppress(OSError):
                writer.close()
            self._temporary(name).unlink(missing_ok=True)


def as_tables(pa: Any, records: Sequence[Record]) -> dict[str, Any]:
    """Records as Arrow tables."""
    return {
        "games": _games(pa, records),
        "seats": _seats(pa, records),
        "fights": _fights(pa, records),
        "holdings": _holdings(pa, records),
    }


def _table(pa: Any, **columns: tuple[Sequence[Any], Any]) -> Any:
    return pa.table({name: pa.array(values, kind) for name, (values, kind) in columns.items()})


def _words(pa: Any, codes: Sequence[int], words: Sequence[str]) -> Any:
    """Codes as words: the file keeps the codes, readers see the words."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(words, pa.string()))


def _games(pa: Any, records: Sequence[Record]) -> Any:
    return _table(
        pa,
        game=([r.number for r in records], pa.int32()),
        seed=([r.seed for r in records], pa.int64()),
        players=([len(r.bots) for r in records], pa.int8()),
        first=([r.first for r in records], pa.int8()),
        winner=([r.winners[0] if r.winners else -1 for r in records], pa.int8()),
        winners=([len(r.winners) for r in records], pa.int8()),
        turns=([r.turns for r in records], pa.int16()),
        moves=([r.moves for r in records], pa.int32()),
        error=([r.error or None for r in records], pa.string()),
    )


def _seats(pa: Any, records: Sequence[Record]) -> Any:
    rows = [(r, s) for r in records if not r.error for s in range(len(r.bots))]
    return _table(
        pa,
        game=([r.number for r, _ in rows], pa.int32()),
        seat=([s for _, s in rows], pa.int8()),
        place=([(s - r.first) % len(r.bots) for r, s in rows], pa.int8()),
        bot=([r.bots[s] for r, s in rows], pa.string()),
        won=([s in r.winners for r, s in rows], pa.bool_()),
        level=([r.final[s] for r, s in rows], pa.int8()),
        deaths=([r.deaths[s] for r, s in rows], pa.int8()),
        levels=([r.levels[s] for r, s in rows], pa.list_(pa.int8())),
    )


def _fights(pa: Any, records: Sequence[Record]) -> Any:
    rows = [(r.number, *f) for r in records if not r.error for f in r.fights]
    table = _table(
        pa,
        game=([x[0] for x in rows], pa.int32()),
        turn=([x[1] for x in rows], pa.int16()),
        main=([x[2] for x in rows], pa.int8()),
        helper=([x[3] for x in rows], pa.int8()),
        card=([x[4] for x in rows], pa.int16()),
        foes=([x[5] for x in rows], pa.int8()),
    )
    return table.append_column("end", _words(pa, [x[6] for x in rows], ENDS))


def _holdings(pa: Any, records: Sequence[Record]) -> Any:
    rows = [(r.number, *c) for r in records if not r.error for c in r.cards]
    table = _table(
        pa,
        game=([x[0] for x in rows], pa.int32()),
        card=([x[1] for x in rows], pa.int16()),
        seat=([x[2] for x in rows], pa.int8()),
        turn=([x[4] for x in rows], pa.int16()),
        held=([x[5] for x in rows], pa.int16()),
        played=([x[6] for x in rows], pa.int16()),
    )
    table = table.append_column("how", _words(pa, [x[3] for x in rows], HOWS))
    return table.append_column("fate", _words(pa, [x[7] for x in rows], FATES))


def size(folder: Path) -> int:
    """Bytes on disk."""
    return sum(p.stat().st_size for p in folder.rglob("*.parquet"))


def clear(folder: Path) -> None:
    """Remove a run; nothing that is not one."""
    if (folder / HEAD).exists():
        shutil.rmtree(folder)
