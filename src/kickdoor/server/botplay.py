"""Bots at a table: whose bot is asked next, and what it does. A bot that fails does what the clock would do."""

from __future__ import annotations

import hashlib
import logging
from collections import deque
from collections.abc import Sequence
from typing import Final

from kickdoor.bots import Bot, Choice, Seat, acting, make, remarks
from kickdoor.bots.driver import IDLE_TALK, only_pass
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import seat_of
from kickdoor.server import entries as en
from kickdoor.server import thinking, timing
from kickdoor.server.chairs import BOT
from kickdoor.server.table import Table, played_by_bot

log = logging.getLogger("kickdoor.server")


LATELY: Final = 14  # lines that are not said again so soon
PAUSE: Final = 3  # moves between two reactions, and more before one that nobody waits for
CHATTY: Final = 12
REMARK: Final = "bot."  # how the phrase of a bot's remark begins, so that a page can leave them out


class Company:
    """The bots of one table, and which quiet moments they have been asked about."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._bots: dict[tuple[int, str, int], Bot] = {}
        self._heard: dict[str, tuple[int, ...]] = {}
        self._lately: deque[str] = deque(maxlen=LATELY)
        self._spoke = 0  # how far the table was when one of them last reacted to something

    def next(self) -> tuple[int, bool] | None:
        """The bot to ask, and whether the table waits for it."""
        t = self.table
        g = t.game
        if g is None or g.winners or not any(played_by_bot(c) for c in t.chairs):
            return None
        for s in to_act(g):
            if played_by_bot(t.chairs[s]):
                return s, True
        if isinstance(g.stack[-1], fr.Turn):
            return self._other(g)
        return None

    def _other(self, g: Game) -> tuple[int, bool] | None:
        """A bot with an offer to answer, or with something new to do in this quiet moment."""
        for o in g.offers:
            if self._unheard(g, o.to, True) and legal(g, o.to):
                return o.to, False
        for s in g.living(g.turn):
            if self._unheard(g, s, False) and (self._slow(s) or any(m.verb not in IDLE_TALK for m in legal(g, s))):
                return s, False
        return None

    def _slow(self, s: int) -> bool:
        """Does this bot need time to think? It takes it whatever it holds: the next one's would tell of its hand."""
        return thinking.slow(self.kind(s))

    def _unheard(self, g: Game, s: int, offer: bool) -> bool:
        """Asking counts as having been asked (see `heard`)."""
        if not played_by_bot(self.table.chairs[s]):
            return False
        return self._heard.get(f"{s}/{offer}") != self._moment(g, s, offer)

    def _moment(self, g: Game, s: int, offer: bool) -> tuple[int, ...]:
        f = g.stack[-1]
        phase = f.phase if isinstance(f, fr.Turn) else -1
        return (g.turns, self.table.count) if offer else (g.turns, phase, len(g.players[s].hand))

    def ask(self, s: int, must: bool) -> Choice | None:
        """What the bot at this seat does; None: it lets things be."""
        g = self.table.game
        assert g is not None
        done = only_pass(legal(g, s)) if must else None
        if done is not None:
            return Choice(done)
        choice = None
        try:
            bot = self._bot(s)
            mine = [m for m in self.table.recent if m.seat == s]
            seat = Seat(g, s, self.table.count, mine, self.table.ledger)
            choice = bot.choose(seat) if must else bot.interject(seat)
        except Exception:
            log.exception("table %s: the bot at seat %s failed", self.table.id, s)
        return self.answer(s, must, choice)

    def answer(self, s: int, must: bool, choice: Choice | None) -> Choice | None:
        """What a bot has chosen, if it may do that; if it must do something, what the clock would do."""
        g = self.table.game
        assert g is not None
        if not must:
            for offer in (True, False):
                self._heard[f"{s}/{offer}"] = self._moment(g, s, offer)
        if choice is not None:
            if choice.move in legal(g, s):
                return choice
            log.error("table %s: the bot at seat %s chose %s, which is not legal", self.table.id, s, choice.move)
        move = timing.default(g, s) if must else None
        return Choice(move) if move is not None else None

    # -- what they say ------------------------------------------------------------------------------------------

    def words(self, choice: Choice) -> str:
        """What a bot says to its move. Why it passes it keeps to itself: not even a later line is chosen by it."""
        if choice.move.verb == mv.PASS:
            return ""
        g = self.table.game
        s = seat_of(choice.move.target)
        whom = g.players[s].name if g is not None and 0 <= s != choice.move.seat else ""
        text, line = remarks.reworded(choice.reason, whom, self.table.count + choice.move.seat, self._lately)
        if line:
            self._lately.append(line)
        return f"{choice.first} {text}".strip()

    def reactions(self, whats: Sequence[en.Entries]) -> list[en.Chatted]:
        """What one of them says to what is about to happen, as everybody sees it; mostly nothing."""
        t = self.table
        ready = t.prepared
        if ready is None or ready[0] not in whats or not any(c.who == BOT for c in t.chairs):
            return []
        _, new, events = ready
        able = [s for s, c in enumerate(t.chairs) if c.who == BOT and not c.bot.endswith(":quiet")]
        found = [(s, r) for s in able if (r := remarks.reaction(new, events, s)) is not None]
        if not found:
            return []
        seat, r = remarks.loudest(found)
        since = t.count - self._spoke if t.count >= self._spoke else CHATTY
        if since < (PAUSE if r.loud else CHATTY):
            return []
        self._spoke = t.count
        lines = acting.reacts(r.kind, t.chairs[seat].bot.partition(":")[2]) or remarks.REACTIONS[r.kind]
        line = remarks.pick(lines, t.count + seat, self._lately)
        self._lately.append(line)
        text = line.replace("{}", t.chairs[r.other].name if r.other >= 0 else "")
        return [en.Chatted(seat, t.chairs[seat].name, text, REMARK + r.kind)]

    def kind(self, s: int) -> str:
        """Which bot sits there, or stands in."""
        return self.table.chairs[s].bot or self.table.options.standin

    def seed(self, s: int) -> int:
        """Its own luck, which nobody at the table can know."""
        mark = hashlib.sha256(f"{self.table.next_salt}/{self.table.id}/{s}".encode()).digest()
        return int.from_bytes(mark[:6], "big")

    def _bot(self, s: int) -> Bot:
        key = (s, self.kind(s), self.table.games)
        if key not in self._bots:
            self._bots[key] = make(self.kind(s), self.seed(s))
        return self._bots[key]
