"""When the bots of one table are due, and what a slow one thinks about until then.

Which bot is asked, and what it does, is `botplay`'s; how long it takes is settled by `pace` before any of them thinks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from kickdoor.bots import Choice
from kickdoor.server import deciding, pace, thinking
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.botplay import Company
from kickdoor.server.hinting import Post
from kickdoor.server.limits import Buckets
from kickdoor.server.table import PLAYING, Table, played_by_bot
from kickdoor.server.thinking import Thinker

log = logging.getLogger("kickdoor.server")

Thought = tuple[int, int, int, bool]  # moves made, window, the bot's seat, and whether the table waits for it


class BotTurns:
    """The turns of the bots at one table. `post` brings a job into the room's own order, `clock` is the room's time,
    and `later` is called when a bot that has thought is due at another time than before. `whose` is the address that
    they think for. `instant` is what bots that
    play at once may do, on all tables together: else a few such tables would take the time of all others."""

    def __init__(
        self,
        table: Table,
        company: Company,
        thinker: Thinker,
        post: Post,
        clock: Callable[[], float],
        later: Callable[[], None],
        whose: Callable[[], str],
        instant: Buckets[None] | None = None,
    ) -> None:
        self.table, self.company, self.thinker = table, company, thinker
        self._post, self._clock, self._later, self._whose = post, clock, later, whose
        self._instant = instant
        self._thinking: tuple[Thought, asyncio.Task[None]] | None = None  # what a slow bot is thinking about
        self._thought: tuple[Thought, Choice | None] | None = None  # what it came to, until it is time to say so
        self._due = 0.0
        self._background: set[asyncio.Task[None]] = set()  # also those given up, until they have noticed it

    # -- when ---------------------------------------------------------------------------------------------------

    def begin(self, moment: float, share: float = 1.0) -> None:
        """From this moment on the bots' pace runs, or a share of it."""
        self._due = moment + self._pace(share)

    def _pace(self, share: float) -> float:
        """How long until a bot answers; where nobody waits for one, it does not show which of them it is."""
        t = self.table
        turn = self.company.next()
        asked = [turn[0]] if turn is not None and turn[1] else range(len(t.chairs))
        kinds = [self.company.kind(s) for s in asked if played_by_bot(t.chairs[s])]
        return pace.bots(op.PACE[t.options.bot_speed], kinds, share)

    def next_due(self) -> float | None:
        """When a bot does something; None where none is asked, and while one thinks: then nobody knows yet."""
        return self._due if self._thinking is None and self.company.next() is not None else None

    def _crowded(self, moment: float) -> bool:
        """Must a bot that plays at once wait, since so many of them do?"""
        if self._instant is None or op.PACE[self.table.options.bot_speed] or self.company.next() is None:
            return False
        if self._instant.take(None):
            return False
        self._due = moment + self._instant.wait(None)
        return True

    # -- what ---------------------------------------------------------------------------------------------------

    def ponder(self, watched: bool) -> None:
        """A slow bot thinks while its pace runs. Whatever it was thinking about before is given up.

        `watched`: somebody is there. For nobody no bot thinks.
        """
        t = self.table
        turn = self.company.next() if t.status == PLAYING and watched else None
        about: Thought | None = None
        if turn is not None and thinking.slow(self.company.kind(turn[0])):
            about = (t.count, t.window, *turn)
        if self._thinking is not None and self._thinking[0] != about:
            self._thinking[1].cancel()
            self._thinking = None
        if self._thought is not None and self._thought[0] != about:
            self._thought = None
        if about is not None and self._thinking is None and self._thought is None:
            task = asyncio.create_task(self._think(about))
            self._thinking = (about, task)
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _think(self, about: Thought) -> None:
        """What a slow bot comes to; it comes in like everything else, and is kept until the bot is due."""
        t, g = self.table, self.table.game
        assert g is not None
        count, _, s, must = about
        kind = self.company.kind(s)
        mine = [m for m in t.recent if m.seat == s]
        choice = None
        try:
            async with self.thinker.turns.of(self._whose()):
                choice = await self.thinker.think(kind, self.company.seed(s), g, s, count, mine, must, t.ledger)
        except Exception as e:
            log.error("table %s: the bot at seat %s could not think: %s", t.id, s, e)

        async def job() -> None:
            if self._thinking is not None and self._thinking[0] == about:
                self._thinking, self._thought = None, (about, choice)
                self._due = pace.late(self._due, self._clock(), thinking.seconds(kind))
            self._later()

        self._post(job)

    def due(self, moment: float) -> list[en.Entries]:
        """What a bot does at this moment, if anything; only asked while somebody is there."""
        if moment < self._due or self._crowded(moment):
            return []
        g = self.table.game
        assert g is not None
        while (turn := self.company.next()) is not None:
            if thinking.slow(self.company.kind(turn[0])):
                self.ponder(True)
                if self._thought is None:
                    return []
                choice = self.company.answer(*turn, self._thought[1])
            else:
                choice = self.company.ask(*turn)
            if choice is not None:
                parts = choice.move.deed
                return [deciding.prepare(self.table, g, turn[0], [parts], "bot", self.company.words(choice))]
            if turn[1]:  # it would be asked the same again, for ever
                raise AssertionError(f"the table waits for the bot at seat {turn[0]}, which can do nothing")
        return []
