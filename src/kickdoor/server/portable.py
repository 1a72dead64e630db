"""Tables in a file that can be kept, sent and read: JSON lines, with every entry's check, gzipped if its name says so.

{"kickdoor_journal": 1, "version": "0.1.0", "made": 1794800000}      what this is
{"table": "abcdefghjk", "entries": 2, "damage": ""}                  a table, and then its entries
{"seq": 1, "check": "0f3a...", "entry": {"what": {"e": "opened", ...}, "at": 1794700000.0}}
{"seq": 2, "check": "77b0...", "entry": {...}}
{"end": true, "tables": 1, "entries": 2}                             so that a file that breaks off is noticed
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

import kickdoor
from kickdoor.paper.files import UNREADABLE, ReadingError, open_plain, written
from kickdoor.paper.plain import short
from kickdoor.server import chain
from kickdoor.server.limits import BOOK_BYTES
from kickdoor.server.names import is_name

_T = TypeVar("_T")
FORMAT: Final = 1
LINE_BYTES: Final = 16 * 1024 * 1024
TABLE_BYTES: Final = 4 * BOOK_BYTES  # of one table; a long evening has one or two million
TOO_LARGE: Final = f"it is larger than any table ({TABLE_BYTES:,} bytes)"
NO_NAME: Final = "that is no table's name"
UNREAD: Final = (TOO_LARGE, NO_NAME)  # with one of these a table is left out; those after it are as good as ever
SWELLING: Final = 200  # times as large as packed: entries are text, and come to a tenth or so


class PortableError(ValueError):
    """A file that is none of these, or is damaged, or newer than this version."""


class Told(NamedTuple):
    """A table in a file: its entries and checks, and what was wrong with it when it was written out."""

    table: str
    entries: list[bytes]
    checks: list[bytes]
    damage: str


class _Head(msgspec.Struct):
    kickdoor_journal: int
    version: str = ""
    made: float = 0


class _Table(msgspec.Struct):
    table: str
    entries: int
    damage: str = ""


class _Line(msgspec.Struct):
    seq: int
    check: str
    entry: msgspec.Raw = msgspec.Raw(b"")
    bytes: str = ""  # where an entry is no JSON: base64


class _End(msgspec.Struct):
    end: bool
    tables: int
    entries: int


_json = msgspec.json.Encoder()


def is_portable(raw: bytes) -> bool:
    """Does a file that begins like this claim to be one?"""
    return raw[:2] == b"\x1f\x8b" or raw.lstrip().startswith(b'{"kickdoor_journal"')


class Writer:
    """Writes such a file: whole and safe on disk under its name when it is closed, or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tables = self.entries = 0
        self._open = contextlib.ExitStack()
        self._out: Any = None

    def _line(self, value: Any) -> None:
        self._out.write(_json.encode(value) + b"\n")

    def add(self, told: Told) -> None:
        self._line(_Table(told.table, len(told.entries), told.damage))
        for seq, (data, check) in enumerate(zip(told.entries, told.checks, strict=True), 1):
            self._line({"seq": seq, "check": check.hex(), **_body(data)})
        self.tables += 1
        self.entries += len(told.entries)

    def __enter__(self) -> Writer:
        with contextlib.ExitStack() as opening:
            file = opening.enter_context(written(self.path))
            packed = self.path.suffix == ".gz"
            self._out = opening.enter_context(gzip.GzipFile("", "wb", 6, file)) if packed else file
            self._line(_Head(FORMAT, kickdoor.__version__, int(time.time())))
            self._open = opening.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None) -> None:
        if e is not None:
            self._open.__exit__(kind, e, tb)
            return
        with self._open:
            self._line(_End(True, self.tables, self.entries))


def _body(data: bytes) -> dict[str, Any]:
    """An entry as it is, if it is JSON in one line."""
    try:
        msgspec.json.decode(data)
    except UNREADABLE:
        return {"bytes": base64.b64encode(data).decode()}
    if data != data.strip() or b"\n" in data:
        return {"bytes": base64.b64encode(data).decode()}
    return {"entry": msgspec.Raw(data)}


def read(path: Path) -> Iterator[Told]:
    """The tables of a file, each checked when it is given out. Raises PortableError; what came before is good."""
    try:
        with open_plain(path) as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            yield from _read(path, _Unpacked(path, file) if packed else file)
    except ReadingError as e:
        raise PortableError(str(e)) from None
    except (OSError, EOFError, zlib.error) as e:
        raise PortableError(f"{path} cannot be read: {getattr(e, 'strerror', None) or e}") from None


class _Unpacked:
    """A packed file, line by line; one that swells as no export does is none."""

    def __init__(self, path: Path, file: Any) -> None:
        self._path, self._file = path, file
        self._lines = gzip.GzipFile(fileobj=file)
        self._came = 0

    def readline(self, most: int) -> bytes:
        line = self._lines.readline(most)
        self._came += len(line)
        if self._came > max(LINE_BYTES, SWELLING * self._file.tell()):
            raise PortableError(f"{self._path} unpacks to more than any export of its size does; it is not read")
        return line


def _read(path: Path, file: Any) -> Iterator[Told]:
    """Such files can be put one behind the other (`cat`), as often as one likes."""
    line = _next(path, file)
    while line:
        yield from _one(path, file, line)
        line = file.readline(LINE_BYTES)


def _one(path: Path, file: Any, first: bytes) -> Iterator[Told]:
    head = _decoded(path, first, _Head)
    if head.kickdoor_journal != FORMAT:
        raise PortableError(
            f"{path} has format {head.kickdoor_journal}, written by Kickdoor {head.version or '?'}; this version "
            f"({kickdoor.__version__}) reads format {FORMAT}. Use a newer version"
        )
    tables = entries = 0
    while True:
        line = _next(path, file)
        if line.startswith(b'{"end"'):
            end = _decoded(path, line, _End)
            if (end.tables, end.entries) != (tables, entries):
                raise PortableError(f"{path} is damaged: it says {end.tables} tables, and has {tables}")
            return
        named = _decoded(path, line, _Table)
        told = _table(path, file, named)
        tables += 1
        entries += named.entries
        yield told


def _table(path: Path, file: Any, head: _Table) -> Told:
    out = Told(head.table, [], [], head.damage)
    before = chain.start(head.table)
    size = 0
    for seq in range(1, head.entries + 1):
        line = _decoded(path, _next(path, file), _Line)
        try:
            data = base64.b64decode(line.bytes, validate=True) if line.bytes else bytes(line.entry)
        except ValueError:
            data = b""
        before = chain.link(before, seq, data)
        if line.seq != seq or line.check != before.hex():
            raise PortableError(f"{path} is damaged: entry {seq} of table {_shown(head)} does not match its check")
        size += len(data)
        if size <= TABLE_BYTES:  # else it is read past
            out.entries.append(data)
            out.checks.append(before)
    if not is_name(head.table):  # names become files, and lines on a screen
        return Told(_shown(head), [], [], NO_NAME)
    return out if size <= TABLE_BYTES else Told(head.table, [], [], TOO_LARGE)


def _shown(head: _Table) -> str:
    return head.table if is_name(head.table) else short(head.table)


def _next(path: Path, file: Any) -> bytes:
    line: bytes = file.readline(LINE_BYTES)
    if not line.endswith(b"\n"):
        raise PortableError(f"{path} breaks off: its end is missing")
    return line


def _decoded(path: Path, line: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(line, type=kind)
    except UNREADABLE as e:
        raise PortableError(f"{path} is damaged, or is no export of Kickdoor: {e}") from None
