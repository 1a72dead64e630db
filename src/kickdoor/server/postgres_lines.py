"""Lines to a Postgres database: how long one is waited for, and what it means that there is none, in words."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Final, TypeVar

import asyncpg

from kickdoor.paper import plain
from kickdoor.server.addresses import UNREADABLE
from kickdoor.server.journal import Damaged, Lost

log = logging.getLogger("kickdoor.server")

CONNECT: Final = 10.0  # seconds that a database has to let somebody in
COMMAND: Final = 20.0  # seconds that it has to do what it is asked for
WORD_AFTER: Final = 3.0  # seconds after which whoever waits at the start hears what for
CLOSING: Final = 2.0  # seconds for a goodbye to a database that may be gone

DOWN: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)
_WAITING: Final = "the database is not ready after %g seconds; still waiting for it"
# SQLSTATEs: it cannot be reached, has no room, is being stopped, lets us in no more, is not there, may only be read.
_AWAY: Final = ("08", "53", "57", "28", "3D", "25006")
# And those that are about what is written or read: it cannot be, is there twice, is too much, or damaged.
_OF_ONE: Final = ("22", "23", "54", "58", "XX")
_T = TypeVar("_T")


async def _as_it_is(_: Any) -> None:
    """What is to be undone on a line that goes back to its pool: nothing, we change no settings of it. asyncpg would
    ask the database to, which cost a call as large as the one before it."""


# How statements are carried out is thought out once for a line (as of Postgres 12). For lists of unknown length it is
# thought out again each time otherwise, which takes three times as long as to do them. So a plan may be made when there
# is next to nothing in the database, and is carried out when there are thousands of tables in it: it goes by names from
# the first, where Postgres would rather read all of what it thinks is little (and would then take such a plan, where it
# has no other, for so dear that it compiles it each time). And what was answered has to be on the disk, also where a
# database is content with less: else it is gone when the database dies.
_SETTINGS: Final = """
select set_config(name, wanted, false)
from (values ('plan_cache_mode', 'force_generic_plan'), ('enable_seqscan', 'off'), ('jit', 'off')) as s(name, wanted)
where current_setting(name, true) is not null;
select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'
"""


def trouble(e: BaseException) -> Exception:
    """What a failed call means to those who asked for it."""
    if is_of_one(e):
        return Damaged(f"the database cannot keep or give what belongs there ({_words(e)})")
    if isinstance(e, asyncpg.DiskFullError):
        return Lost("the server cannot write down what happens: the disk of its database is full")
    why = "does not answer" if is_away(e) else "refuses it"
    return Lost(f"the server cannot write down what happens: its database {why} ({_words(e)})")


def unusable(e: BaseException, waited: float) -> str:
    """Why a database cannot be opened. Who does not understand its address may quote a part of a password."""
    if isinstance(e, TimeoutError):
        return (
            f"the database cannot be used: it has not answered within {waited:g} seconds. "
            "Is it well, and is this its address?"
        )
    if isinstance(e, ValueError) and not isinstance(e, asyncpg.InterfaceError):
        return UNREADABLE
    return f"the database cannot be used: {_words(e)}"


def _words(e: BaseException) -> str:
    if isinstance(e, TimeoutError):
        return "it took too long"
    return plain.discreet(str(e)) or type(e).__name__


def is_away(e: BaseException) -> bool:
    """Is it the database that is missing for a while, and not we who asked for nonsense?"""
    if isinstance(e, asyncpg.PostgresError):
        return str(e.sqlstate).startswith(_AWAY)
    return isinstance(e, (OSError, TimeoutError, asyncpg.InterfaceError))


def is_of_one(e: BaseException) -> bool:
    """Is it about what one table has there, or is to have, and not about the database?"""
    if isinstance(e, asyncpg.PostgresError):
        return str(e.sqlstate).startswith(_OF_ONE)
    return not isinstance(e, DOWN)


async def apart(
    do: Callable[[list[_T]], Awaitable[None]], things: list[_T], wrong: Callable[[_T, Exception], None]
) -> None:
    """Do something to all of these at once. What is `wrong` with one is told of that one, and the others are done
    without it: by halves, in as few steps as it takes. Raises what concerns all."""
    try:
        await do(things)
    except Exception as e:
        if not is_of_one(e):
            raise
        if len(things) > 1:
            half = len(things) // 2
            await apart(do, things[:half], wrong)
            await apart(do, things[half:], wrong)
        else:
            wrong(things[0], trouble(e) if isinstance(e, DOWN) else e)


@contextlib.contextmanager
def in_words() -> Iterator[None]:
    """A database that is missing is Lost; whatever else is wrong stays what it is."""
    try:
        yield
    except Exception as e:
        if is_away(e):
            raise trouble(e) from None
        raise


@contextlib.asynccontextmanager
async def opened(url: str, most: int, command: float = 0.0) -> AsyncIterator[Any]:
    """Lines to the database at this address, and time to get ready there. Raises Lost; then there are none."""
    word = asyncio.get_running_loop().call_later(WORD_AFTER, log.warning, _WAITING, WORD_AFTER)
    command = command or COMMAND
    waited, pool = CONNECT, None

    async def let_in(db: Any) -> None:
        nonlocal waited
        waited = command
        await db.execute(_SETTINGS)

    times: dict[str, Any] = {"timeout": CONNECT, "command_timeout": command}
    try:
        pool = await asyncpg.create_pool(url, min_size=1, max_size=most, init=let_in, reset=_as_it_is, **times)
        yield pool
    except BaseException as e:
        if pool is not None:
            pool.terminate()  # a goodbye would wait for an answer
        if isinstance(e, (*DOWN, ValueError, Lost)):
            raise Lost(unusable(e, waited)) from None
        raise
    finally:
        word.cancel()


async def closed(pool: Any) -> None:
    """Say goodbye, if the other side is there to hear it."""
    with contextlib.suppress(*DOWN):
        await asyncio.wait_for(pool.close(), CLOSING)
