"""The place of a journal's file: one server uses it, and what lies there is what that server has open.

A file that somebody takes away, or puts another one in the place of, can still be written to by whoever has it open;
but nobody will ever read that.
"""

from __future__ import annotations

import contextlib
import os
from typing import IO, Final

from kickdoor.server.journal import Lost

ELSEWHERE: Final = (
    "the server cannot write down what happens: the journal's file has been taken away, emptied, or another one put in "
    "its place"
)
_BESIDE: Final = ("-wal", "-shm")  # what SQLite keeps beside the file while it is open
Which = tuple[int, int]


class Place:
    """Where a journal's file is, whatever its name is a link to."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._real = os.path.realpath(path)
        self._lock: IO[str] | None = None
        self._open: dict[str, Which] = {}

    def take(self) -> None:
        """For this server alone. Raises Lost, or OSError."""
        self._lock = _only_one(self._real)

    @property
    def taken(self) -> bool:
        return self._lock is not None

    def leave(self) -> None:
        self._open = {}
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def leave_as_found(self) -> None:
        """It was no journal: nothing of ours stays beside it."""
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._lock.name)
        self.leave()

    def remember(self) -> None:
        """What lies here now has just been opened."""
        for name in (self.path, *(self._real + end for end in _BESIDE)):
            with contextlib.suppress(OSError):
                self._open[name] = _which(os.stat(name))

    def check(self) -> None:
        """Raises Lost where what is written now would not be found again."""
        try:
            for name, which in self._open.items():
                there = os.stat(name)
                if _which(there) != which or (name == self.path and not there.st_size):
                    raise Lost(ELSEWHERE)
        except OSError:
            raise Lost(ELSEWHERE) from None
        self._keep_lock()

    def _keep_lock(self) -> None:
        """Locks are tidied up by people who think them left over; another server may have one of its own by now."""
        if self._lock is None:
            return
        with contextlib.suppress(OSError):
            if _which(os.stat(self._lock.name)) == _which(os.fstat(self._lock.fileno())):
                return
        try:
            lock = _only_one(self._real)
        except OSError:
            raise Lost(ELSEWHERE) from None
        self._lock.close()
        self._lock = lock


def _which(found: os.stat_result) -> Which:
    return found.st_dev, found.st_ino


def _only_one(path: str) -> IO[str] | None:
    """A lock that dies with the process: two servers on one file would contradict each other."""
    try:
        import fcntl
    except ImportError:  # not on every system; there the port is the lock
        return None
    name = f"{path}.lock"
    lock = open(name, "w", opener=_opener)  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise Lost(f"another server is using {path}. Stop it, or name another folder with --data.") from None
    except OSError:
        lock.close()
        raise
    return lock


def _opener(name: str, flags: int) -> int:
    return os.open(name, os.O_RDWR | os.O_CREAT, 0o666)  # never waits, whatever it is
