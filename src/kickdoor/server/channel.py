"""Calls from one process of a server to another: those of one turn of the loop go together, and so do their answers.

Both ends are ours, so what comes is believed.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from kickdoor.server.journal import Damaged, Lost, Stale

_LENGTH: Final = 4  # bytes before a message
_CALL, _ANSWER, _FAILURE = range(3)

Answer = Callable[[str, tuple[Any, ...]], Awaitable[Any]]


def message(name: str, *args: Any) -> bytes:
    """A call as it goes over the line, for who waits for no answer, and may have no loop any more."""
    return _framed([(_CALL, 0, (name, args))])


def _framed(some: list[tuple[int, int, Any]]) -> bytes:
    data = pickle.dumps(some, 5)
    return len(data).to_bytes(_LENGTH, "big") + data


class Channel(asyncio.Protocol):
    """One end. `answer` does what the other one asks for; `lost` is told when it has gone."""

    def __init__(self, answer: Answer, lost: Callable[[], None]) -> None:
        self._answer = answer
        self._lost = lost
        self._transport: asyncio.Transport | None = None
        self._heard = bytearray()
        self._out: list[tuple[int, int, Any]] = []
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def call(self, name: str, *args: Any) -> Any:
        """What the other end answers; raises what it raised there, and Lost if it has gone."""
        if self._transport is None:
            raise Lost("the other loop of this server is gone")
        self._number = number = self._number + 1
        done = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._say(_CALL, number, (name, args))
        try:
            return await done
        finally:
            self._waiting.pop(number, None)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    # -- out ------------------------------------------------------------------------------------------------------

    def _say(self, kind: int, number: int, what: Any) -> None:
        if not self._out:
            asyncio.get_running_loop().call_soon(self._send)
        self._out.append((kind, number, what))

    def _send(self) -> None:
        out, self._out = self._out, []
        if self._transport is not None:
            self._transport.write(_framed(out))

    # -- in -------------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        while len(self._heard) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._heard[:_LENGTH], "big")
            if len(self._heard) < end:
                return
            some = pickle.loads(self._heard[_LENGTH:end])
            del self._heard[:end]
            for kind, number, what in some:
                self._hear(kind, number, what)

    def _hear(self, kind: int, number: int, what: Any) -> None:
        if kind == _CALL:
            task = asyncio.get_running_loop().create_task(self._do(number, *what))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        done = self._waiting.get(number)
        if done is None or done.done():
            return
        if kind == _ANSWER:
            done.set_result(what)
        else:
            done.set_exception(what)

    async def _do(self, number: int, name: str, args: tuple[Any, ...]) -> None:
        try:
            self._say(_ANSWER, number, await self._answer(name, args))
        except (Stale, Lost, Damaged) as e:
            self._say(_FAILURE, number, e)
        except Exception as e:  # not every one can be sent
            self._say(_FAILURE, number, Lost(f"{type(e).__name__}: {e}"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        for done in self._waiting.values():
            if not done.done():
                done.set_exception(Lost("the other loop of this server is gone"))
        self._lost()
