"""Files that people hand in, read within bounds; and files of ours, written whole or not at all.

A pack from a friend may be anything: as big as a disk, a pipe that never ends, nested until the stack bursts. All such
files are read here and nowhere else, and refused before anything heavy is done with them.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, Final

import msgspec

# -- the bounds: what an honest file never reaches (docs/card-language.md, "Bounds") --------------------------------

YAML_BYTES: Final = 2_000_000  # one file of cards or scenarios; the largest of ours has 55,000
PACK_BYTES: Final = 8_000_000  # all files of a pack
PACK_FILES: Final = 200
SAVE_BYTES: Final = 8_000_000
REPLAY_BYTES: Final = 16_000_000  # a long game has one million
LOG_BYTES: Final = 1_000_000_000  # results of an arena: about 200 bytes a game
JSON_DEPTH: Final = 64


# What reading JSON that somebody else wrote may come to: nonsense, letters that are none, brackets without end.
UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)


class ReadingError(ValueError):
    """A file that cannot be understood; the message names file, line and what would be right."""


_NOT_FILES: Final = (
    (stat.S_ISDIR, "is a folder, not a file"),
    (stat.S_ISFIFO, "is a pipe; only plain files are read: save it to one first"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (lambda mode: not stat.S_ISREG(mode), "is a device, not a file"),
)


def open_plain(path: Path) -> BinaryIO:
    """A plain file to be read; whatever else it is, ReadingError or OSError says so. Never waits."""
    must_be_plain(path, os.stat(path).st_mode)
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    file = open(fd, "rb")  # noqa: SIM115
    try:
        must_be_plain(path, os.fstat(fd).st_mode)
    except ReadingError:
        file.close()
        raise
    return file


def read_bytes(path: Path, most: int) -> bytes:
    """A plain file of at most so many bytes; whatever else it is, ReadingError says so. Never waits."""
    try:
        with open_plain(path) as f:
            about = os.fstat(f.fileno())
            data = f.read(most + 1) if about.st_size <= most else b""
            if data is None:  # a file of the system's own (in /proc) that has nothing to say now
                raise ReadingError(f"{path}: there is nothing in it to be read now")
    except OSError as e:
        raise ReadingError(f"{path}: cannot be read: {why(e)}") from None
    except ValueError as e:
        if isinstance(e, ReadingError):
            raise
        raise ReadingError(f"{str(path)!r}: cannot be the name of a file") from None  # a NUL in it
    if about.st_size > most or len(data) > most:
        size = max(about.st_size, len(data))
        raise ReadingError(f"{path}: is too big: {size:,} bytes, where at most {most:,} are read")
    return data


def must_be_plain(path: Path, mode: int) -> None:
    """ReadingError if what is there under this name is no file."""
    for is_one, says in _NOT_FILES:
        if is_one(mode):
            raise ReadingError(f"{path}: {says}")


def read_text(path: Path, most: int = YAML_BYTES) -> str:
    """The same as UTF-8 text (a byte order mark is left out); what is not UTF-8 is told with its line."""
    return decoded(read_bytes(path, most), str(path))


def decoded(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadingError(f"{name}:1: is not UTF-8 text but UTF-16 or UTF-32; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise ReadingError(f"{name}:{line}: is not UTF-8 text (byte {data[e.start]:#04x}); save it as UTF-8") from None


_STRING_OR_BRACKET: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.S)


def check_depth(data: bytes, name: str = "", most: int = JSON_DEPTH) -> None:
    """ReadingError if JSON is nested deeper than anything of ours; to be asked before it is decoded."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(data):
        mark = data[found.start()]
        if mark in b"[{":
            depth += 1
            if depth > most:
                line = data.count(b"\n", 0, found.start()) + 1
                raise ReadingError(f"{f'{name}:' if name else 'line '}{line}: nested more than {most} deep")
        elif mark in b"]}":
            depth -= 1


def why(e: OSError) -> str:
    """What the system says, in a few words, and what may help."""
    said = (e.strerror or str(e) or type(e).__name__).lower()
    hint = _HELPS.get(e.errno or 0, "")
    return f"{said}; {hint}" if hint else said


_HELPS: Final = {
    errno.ENOSPC: "free some space, or choose another place",
    errno.EDQUOT: "free some space, or choose another place",
    errno.EACCES: "look at its permissions, or choose another place",
    errno.EPERM: "look at its permissions, or choose another place",
    errno.EEXIST: "something else is there under that name",
    errno.EROFS: "choose a place that can be written",
    errno.ENOTDIR: "something on the way there is a file, not a folder",
    errno.EMFILE: "too much is open at once; close something and try again",
}


# -- writing ------------------------------------------------------------------------------------------------------


def is_special(path: Path) -> bool:
    """Is there something that no file can take the place of, such as a terminal?"""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """A file to write into, which is at its place when all is written, or not at all; OSError says why not."""
    if is_special(path):
        fd = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe that nobody reads is not waited for
        os.set_blocking(fd, True)
        with open(fd, "wb") as f:
            yield f
        return
    part = path.with_name(f"{path.name}.part")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    try:
        with suppress(FileNotFoundError):
            part.unlink()  # left over by a crash; a pipe of that name would be waited for, a link followed
        with part.open("xb") as f:
            yield f
            f.flush()
            os.fsync(f.fileno())
        os.replace(part, path)
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _sync_folder(folder: Path) -> None:
    """The name is safe, too. Not every system lets a folder be opened."""
    with suppress(OSError):
        where = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(where)
        finally:
            os.close(where)


def write_bytes(path: Path, data: bytes) -> None:
    with written(path) as f:
        f.write(data)


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def write_folder(folder: Path, files: dict[str, str]) -> None:
    """All of these files in a folder, or none of them; a folder that was made for them goes with them."""
    made = not folder.exists()
    done: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            write_text(folder / name, text)
            done.append(folder / name)
    except BaseException:
        with suppress(OSError):
            for path in done:
                path.unlink()
            if made:
                folder.rmdir()
        raise
