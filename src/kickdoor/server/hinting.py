"""What would you do? The strongest bot thinks for somebody who asks, where the table allows it.

Only who asked hears the answer, and only by what his own seat sees. It comes after whole slots of what such a bot
takes, so that nothing can be read in how long it took; and it is out of date as soon as anything happens.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from kickdoor.bots import KINDS, Choice, Seat, advice
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value.game import Game
from kickdoor.server import consent, deciding, limits, menu, pace, thinking
from kickdoor.server import protocol as pr
from kickdoor.server.botplay import Company
from kickdoor.server.table import Table
from kickdoor.server.thinking import Thinker
from kickdoor.server.trouble import Trouble
from kickdoor.voice import words

log = logging.getLogger("kickdoor.server")

TOP: Final = KINDS[-1]
NO_HINTS: Final = ("no_hints", "This table plays without hints. The host can allow them in the lobby.")
NOT_NOW: Final = ("no_hint", "There is nothing for you to decide right now.")
ONE_AT_A_TIME: Final = ("busy", "I am still thinking about your last question.")
TOO_MANY: Final = (
    "busy",
    "More people ask at the moment than I can think for. Ask again in a little.",
)
NO_IDEA: Final = ("failed", "I could not make up my mind. Decide for yourself, or ask again.")

Send = Callable[[pr.Answer], None]
Post = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]


class Asked:
    """A question that is being thought about, and who hears the answer: whoever has asked it, on whatever line."""

    def __init__(self, ident: str, send: Send) -> None:
        self.id, self.sends = ident, [send]
        self.task: asyncio.Task[None] | None = None


class Hints:
    """Who has asked at one table, and is waiting for the answer. `post` brings a job into the room's own order."""

    def __init__(self, table: Table, company: Company, thinker: Thinker, post: Post) -> None:
        self.table, self.company, self.thinker, self.post = table, company, thinker, post
        self._asking: dict[int, Asked] = {}

    def ask(self, seat: int, m: pr.Hint, send: Send) -> None:
        """Begin to think, or refuse. Whoever repeats a question hears its answer. Raises Trouble."""
        known = self._asking.get(seat)
        if known is not None and known.id == m.id:
            known.sends = [*known.sends[-3:], send]  # he has not more lines than that
            return
        g = self._allowed(seat)
        self.thinker.hints += 1
        asked = self._asking[seat] = Asked(m.id, send)
        asked.task = asyncio.create_task(self._think(seat, g, m, asked))
        asked.task.add_done_callback(lambda _: self._done(seat))

    def _done(self, seat: int) -> None:
        self.thinker.hints -= 1
        self._asking.pop(seat, None)

    def close(self) -> None:
        for asked in self._asking.values():
            if asked.task is not None:
                asked.task.cancel()

    def _allowed(self, seat: int) -> Game:
        if seat < 0:
            raise Trouble(*deciding.NOT_SEATED)
        g = consent.playing(self.table)
        if not self.table.options.hints:
            raise Trouble(*NO_HINTS)
        if not legal(g, seat):
            raise Trouble(*NOT_NOW)
        if seat in self._asking:
            raise Trouble(*ONE_AT_A_TIME)
        if self.thinker.hints >= limits.HINTS_WAITING:
            raise Trouble(*TOO_MANY)
        return g

    async def _think(self, seat: int, g: Game, m: pr.Hint, asked: Asked) -> None:
        t, loop = self.table, asyncio.get_running_loop()
        window, count, must = t.window, t.count, seat in to_act(g)
        mine = [x for x in t.recent if x.seat == seat]
        slot = thinking.seconds(TOP)
        due = loop.time() + slot
        said: pr.Answer | None = None
        try:
            choice = await self.thinker.think(TOP, self.company.seed(seat), g, seat, count, mine, must, t.ledger)
            eyes = Seat(g, seat, count, mine, t.ledger)
            said = pr.Answer(m.id, True, t.seq, hint=shown(g, eyes, choice, window))
        except TimeoutError:
            log.warning("table %s: no hint for seat %s: it took too long", t.id, seat)
        except Exception as e:
            log.error("table %s: no hint for seat %s: %r", t.id, seat, e)
        await asyncio.sleep(max(0.0, pace.late(due, loop.time(), slot) - loop.time()))

        async def tell() -> None:
            answer = said if said is not None else pr.Answer(m.id, False, t.seq, *NO_IDEA)
            if (t.window, t.count) != (window, count):
                answer = pr.Answer(m.id, False, t.seq, *deciding.STALE)
            for send in asked.sends:
                send(answer)

        self.post(tell)


def shown(g: Game, eyes: Seat, choice: Choice | None, window: int) -> pr.HintState:
    """A bot's choice as it is told to whom it is about."""
    if choice is None:
        return {"move": "", "text": "Let it be for now", "why": advice.why(eyes, None), "window": window}
    text = words.say(g, choice.move, eyes.seat)
    return {"move": menu.key(choice.move), "text": text, "why": advice.why(eyes, choice), "window": window}
