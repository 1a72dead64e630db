"""A table: the fold of its journal.

Nothing here waits, sends or stores. `deciding.decide` turns a command into entries, or refuses it; `take` folds an
entry in. The room (`room.Room`) writes the entries into the journal between the two.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from kickdoor.bots.ledger import BLANK, Ledger, deeds
from kickdoor.engine.table import accessories
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason, Refused
from kickdoor.engine.value.records import Event
from kickdoor.engine.value.ruleset import PICKERS, Ruleset
from kickdoor.paper.grammar import Person, render
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.ballots import Ballot, stands
from kickdoor.server.chairs import BOT, OPEN, PERSON, Chair, fingerprint
from kickdoor.server.games import (
    Past,
    deal,
    fixed,
    loser,
    made,
    only_passed,
    said_with,
    same_window,
    seal,
    shared_rules,
    talks_on,
)
from kickdoor.server.learning import Eye
from kickdoor.voice.telling import Line, tell_all

log = logging.getLogger("kickdoor.server")

LOBBY: Final = "lobby"
PLAYING: Final = "playing"
OVER: Final = "over"
WATCHER: Final = -1
LOG_KEPT: Final = 200
CHAT_KEPT: Final = 100
UNDO_KEPT: Final = 6
ANSWERS_KEPT: Final = 50  # of one person: nobody else can push them out
STRANGERS_KEPT: Final = 500  # spectators whose answers are kept
STRANGER: Final = "~"  # how the mark of a spectator begins

SET_ASIDE: Final = (
    "Entry {} of this table's journal does not follow from what came before it. It is set aside, and the table goes on."
)
_USUAL: Final = op.TableOptions()  # one for all: a table is made for every move that is tried out
_NOBODYS: Final = Event("")  # what a line tells of that tells of no event
NOTHING_TO_UNDO: Final = Reason("CONF-8", "There is nothing to take back any more.")


class Regrets(NamedTuple):
    """Who has taken a move back, or asked for it, in the furthest turn that the game has come to: it costs nothing, and
    could be done without end."""

    turn: int = -1
    seats: tuple[int, ...] = ()

    def since(self, turn: int) -> Regrets:
        """As it stands in a game in this turn, perhaps again."""
        return self if turn <= self.turn else Regrets(turn)


class Table:
    """One table, whole."""

    def __init__(self, ident: str) -> None:
        self.id = ident
        self.name = ""
        self.seq = 0
        self.weight = 0  # bytes that are written down of it
        self.status: pr.Status = LOBBY
        self.games = 0
        self.options = _USUAL
        self.chairs: list[Chair] = []
        self.host = -1
        self.game: Game | None = None
        self.dealt: en.Dealt | None = None
        self.first_seq = 0  # of the current game's deal
        self.next_seed = 0  # drawn before the deal, so that its hash can be shown
        self.next_salt = ""
        self.window = 0
        self.count = 0  # moves made in this game
        self.recent: list[Move] = []  # since the turn began, for bots
        self.ledger: Ledger = BLANK  # what everybody saw players do to each other in this game, for bots
        self.past: deque[Past] = deque(maxlen=UNDO_KEPT)
        self.votes: list[Ballot] = []
        self.voted = 0
        self.declined = -1  # the moves that were not to be taken back
        self.regrets = Regrets()
        self.last: dict[str, str] = {}  # who was winner and loser of the last game here
        self.lines: dict[int, deque[pr.LogLine]] = {}
        self._new: list[tuple[int, pr.LogLine]] | None = None  # of a trial: lines that the table does not have yet
        self.chat: deque[pr.ChatLine] = deque(maxlen=CHAT_KEPT)
        self.answers: dict[str, dict[str, int]] = {}  # whose command was carried out, and the number it got
        self.eye = Eye()
        self.unlearnt: tuple[int, int, bool] | None = None  # of which moves, in which window: could it be taken back?
        self.prepared: tuple[en.Made, Game, list[Event]] | None = None
        self.looked: tuple[int, dict[int, Any]] | None = None  # after which entry, and what each viewer then had
        self.passed: tuple[int, int] = (-1, -1)  # an entry by which nothing happened but that somebody passed, and who

    # -- questions ----------------------------------------------------------------------------------------------

    def seat_of(self, token: str) -> int:
        """The seat of the browser that holds this token, or -1."""
        mark = fingerprint(token)
        for i, c in enumerate(self.chairs):
            if c.who == PERSON and secrets.compare_digest(c.token, mark):
                return i
        return WATCHER

    def names(self) -> list[str]:
        return [c.name for c in self.chairs if c.who != OPEN]

    def rules(self) -> Ruleset:
        """The rules of the next game here: who picks the first Dungeon depends on the last one (DUNG-12)."""
        rules = op.rules(self.options)
        said = rules.dungeons
        if said.first not in PICKERS:
            return rules
        who = self.last.get(said.first, said.chosen_by)
        if who in self.names():
            said = replace(said, chosen_by=who)
        else:
            said = replace(said, first="random", chosen_by="")
        return replace(rules, dungeons=said)

    def seal(self) -> str:
        """The hash that is published before the deal."""
        if self.dealt is not None:
            return seal(self.dealt.seed, self.dealt.salt)
        return seal(self.next_seed, self.next_salt)

    def last_move(self) -> int:
        """The number of the moves that could be taken back now, or -1."""
        return self.past[-1].move if self.past else -1

    # -- folding ------------------------------------------------------------------------------------------------

    def take(self, entry: en.Entry) -> None:
        """Fold one entry of the journal in. Where that cannot be, the table is half done: see `after` and `follow`."""
        self.seq += 1
        if entry.command:
            self._answered(entry.command)
        _TAKE[type(entry.what)](self, entry.what, entry)
        if self.votes:
            self._lapse()

    def copy(self) -> Table:
        """Another table, the same as this one. Games and events are values, and are shared."""
        new = self._trial()
        new.lines, new._new = {v: lines.copy() for v, lines in self.lines.items()}, None
        return new

    def _trial(self) -> Table:
        """A copy to try something out on. It has the very log of this one, which is long: what it is told besides is
        put under that when this one becomes the copy."""
        new = Table(self.id)
        new._be(self)
        new.chairs = [replace(c) for c in self.chairs]
        new.votes = [v.copy() for v in self.votes]
        new.past = self.past.copy()
        new.chat = self.chat.copy()
        new.answers = self.answers.copy()
        new._new = []
        return new

    def _be(self, other: Table) -> None:
        """All that another table is; by name, since this is done twice for every move."""
        self.id, self.name, self.seq, self.weight = other.id, other.name, other.seq, other.weight
        self.status, self.games = other.status, other.games
        self.options, self.chairs, self.host = other.options, other.chairs, other.host
        self.game, self.dealt, self.first_seq = other.game, other.dealt, other.first_seq
        self.next_seed, self.next_salt = other.next_seed, other.next_salt
        self.window, self.count, self.recent, self.past = other.window, other.count, other.recent, other.past
        self.ledger = other.ledger
        self.votes, self.voted, self.declined, self.last = other.votes, other.voted, other.declined, other.last
        self.lines, self.chat, self.answers = other.lines, other.chat, other.answers
        self.eye, self.unlearnt, self.prepared, self.passed = other.eye, other.unlearnt, other.prepared, other.passed
        self.regrets = other.regrets

    def after(self, entries: Iterable[en.Entry]) -> Table:
        """The table as these entries make it; this one stays as it is, also where they are refused."""
        new = self._trial()
        for e in entries:
            new.take(e)
        return new

    def become(self, new: Table) -> None:
        """Be what was tried out on a copy."""
        self._be(new)
        self.prepared = None
        for viewer, line in new._new or ():
            self._add(viewer, line)

    def follow(self, entries: Iterable[en.Entry], look: Callable[[Table], object]) -> None:
        """Fold in what a journal holds, and look at it. What does not fit is set aside; everybody is told."""
        fits = True
        for e in entries:
            try:
                new = self.after([e])
                look(new)
            except Exception as trouble:  # whatever it is, the table goes on without it
                log.error("table %s: entry %s is set aside: %r (%r)", self.id, self.seq + 1, trouble, e.what)
                self.seq += 1
                if fits:
                    self._note("table.set_aside", SET_ASIDE.format(self.seq), tone="bad")
                fits = False
            else:
                self.become(new)
                fits = True

    def _answered(self, command: str) -> None:
        """Remember that a command was carried out: so many for each person, so that nobody pushes out another's."""
        mark, _, ident = command.partition("/")
        mine = self.answers.pop(mark, {}) | {ident: self.seq}
        if len(mine) > ANSWERS_KEPT:
            del mine[next(iter(mine))]
        self.answers[mark] = mine  # whoever spoke last stands last
        if len(self.answers) > STRANGERS_KEPT:
            strangers = [m for m in self.answers if m.startswith(STRANGER)]
            for m in strangers[:-STRANGERS_KEPT]:
                del self.answers[m]

    def _forget(self) -> None:
        """Seats that were given up have nothing to ask again."""
        held = {mark_of(c.token) for c in self.chairs if c.token}
        self.answers = {m: known for m, known in self.answers.items() if m.startswith(STRANGER) or m in held}

    def _lapse(self) -> None:
        """Votes about something that is not so any more are over."""
        for v in self.votes:
            if not stands(self, v):
                self._note("table.lapsed", f"The vote is off, since things have moved on: {v.text}", v.by)
        self.votes = [v for v in self.votes if stands(self, v)]

    def _take_opened(self, w: en.Opened, e: en.Entry) -> None:
        self.name = w.name
        self.options = msgspec.convert(w.options, op.TableOptions)
        self.chairs = [Chair() for _ in range(w.seats)]

    def _take_sealed(self, w: en.Sealed, e: en.Entry) -> None:
        self.next_seed, self.next_salt = w.seed, w.salt

    def _take_options(self, w: en.OptionsSet, e: en.Entry) -> None:
        before = msgspec.to_builtins(self.options) if w.some else {}
        self.options = msgspec.convert(before | w.options, op.TableOptions)
        host = self.chairs[self.host] if self.host >= 0 else None
        self.chairs += [Chair() for _ in range(w.seats - len(self.chairs))]
        for _ in range(len(self.chairs) - w.seats):
            free = [i for i, c in enumerate(self.chairs) if c.who == OPEN]
            del self.chairs[free[-1] if w.last else free[0]]
        self.host = next((i for i, c in enumerate(self.chairs) if c is host), -1)
        if self.status == LOBBY:
            for c in self.chairs:
                c.ready = c.ready and c.who == BOT

    def _take_sat(self, w: en.Sat, e: en.Entry) -> None:
        self.chairs[w.seat] = Chair(PERSON, w.name, w.sex, w.token, avatar=w.avatar)
        if self.host < 0:
            self.host = w.seat
        self._note("table.sat", f"{w.name} sits down.", w.seat)

    def _take_retoken(self, w: en.Retoken, e: en.Entry) -> None:
        self.chairs[w.seat].token = w.token
        self._forget()

    def _take_got_up(self, w: en.GotUp, e: en.Entry) -> None:
        c = self.chairs[w.seat]
        freed = f"{self.chairs[w.by].name} frees the seat of {c.name}." if w.by >= 0 else f"{c.name} gets up."
        self._note("table.left", freed, w.seat)
        if self.status == LOBBY:
            self.chairs[w.seat] = Chair()
        else:
            c.token = ""
            c.who, c.bot, c.standin, c.open_hand = BOT, self.options.standin, False, False
        if self.host == w.seat:
            self.host = next((i for i, x in enumerate(self.chairs) if x.who == PERSON), -1)
        self._forget()

    def _take_bot(self, w: en.BotSat, e: en.Entry) -> None:
        self.chairs[w.seat] = Chair(BOT, w.name, w.sex, bot=w.bot, ready=True, avatar=w.avatar) if w.bot else Chair()

    def _take_ready(self, w: en.ReadySet, e: en.Entry) -> None:
        self.chairs[w.seat].ready = w.ready
        if w.why:
            self._note("table.unready", f"{self.chairs[w.seat].name} is not ready any more{w.why}.", w.seat)

    def _take_host(self, w: en.HostSet, e: en.Entry) -> None:
        self.host = w.seat
        self._note("table.host", f"{self.chairs[w.seat].name} is the host now{w.why}.", w.seat)

    def _take_avatar(self, w: en.AvatarSet, e: en.Entry) -> None:
        self.chairs[w.seat].avatar = w.avatar

    def _take_colour(self, w: en.ColourSet, e: en.Entry) -> None:
        self.chairs[w.seat].colour = w.colour

    def _take_brought(self, w: en.Brought, e: en.Entry) -> None:
        self.chairs[w.seat].things = list(w.things)

    def _take_dealt(self, w: en.Dealt, e: en.Entry) -> None:
        host = self.chairs[self.host] if self.host >= 0 else None
        self.chairs = [self.chairs[i] for i in w.chairs]
        self.host = next((i for i, c in enumerate(self.chairs) if c is host), -1)
        for c in self.chairs:
            c.late, c.standin = 0, False
        self.dealt = replace(shared_rules(w)[0], position={})
        self.first_seq = self.seq
        self.games += 1
        self.status = PLAYING
        self.game = deal(w, self.options)
        self.window += 1
        self.count, self.declined, self.regrets = 0, -1, Regrets()
        self.recent, self.votes, self.ledger = [], [], BLANK
        self.past.clear()
        self.lines = {v: deque(maxlen=LOG_KEPT) for v in range(-1, len(self.chairs))}
        self._new = None if self._new is None else []
        begun = "The game goes on from here, with another shuffle" if w.position else "The cards are dealt"
        self._note("table.dealt", f"{begun}. The seal on the shuffle is {self.seal()[:12]}.")
        self._tell(self.game, self.game.events or [])

    def _take_made(self, w: en.Made, e: en.Entry) -> None:
        old = self.game
        assert old is not None
        ready = self.prepared
        self.prepared = None
        if ready is not None and ready[0] is w:
            new, events = ready[1], ready[2]
        else:
            new, events = made(old, w)
        new.share(old)
        old.touch()  # what was worked out about it is not needed any more, and is most of its size
        self.count += len(w.moves)
        self.past.append(Past(w.seat, old, self.window, self.count, events))
        self.game = new
        self._remember(old, new, w)
        self.ledger = self.ledger.after(deeds(new, events))
        if same_window(old, new, w):
            if not events and only_passed(old, new, w.seat):
                self.passed = (self.seq, w.seat)
                self.eye.follow(old, new)
        elif not talks_on(self.recent, w):
            self.window += 1
        chair = self.chairs[w.seat]
        if w.by == "person":
            chair.late = 0
        elif w.by == "clock":
            chair.late += 1
            self._tell_of("table.clock", "Time is up for {w}.", w.seat, tone="quiet")
        self._tell(new, events, said_with(w), w.seat)
        if new.winners:
            self.status = OVER
            self.last = {"winner": new.players[new.winners[0]].name, "loser": new.players[loser(new)].name}
            self._note("table.seal", "The seal on the shuffle is broken: anyone can check the game now.")

    def _remember(self, old: Game, new: Game, w: en.Made) -> None:
        if old.turns != new.turns:
            self.recent = []
        self.recent = [*self.recent, *(Move(w.seat, *m) for m in w.moves)]

    def _take_undone(self, w: en.Undone, e: en.Entry) -> None:
        if not self.past or w.move not in (-1, self.last_move()):
            raise Refused(NOTHING_TO_UNDO)
        back = self.past.pop()
        self._regret(back.seat)
        if self.game is not None:
            self.ledger = self.ledger.after(deeds(self.game, back.events), -1)
        self.game = back.game
        self.game.touch()
        self.window += 1
        self._tell_of("table.undone", "{w} [takes] the last move back.", back.seat)

    def _regret(self, seat: int) -> None:
        if self.game is not None:
            now = self.regrets.since(self.game.turns)
            self.regrets = Regrets(now.turn, (*now.seats, seat))

    def _take_fixed(self, w: en.Fixed, e: en.Entry) -> None:
        assert self.game is not None
        old = self.game
        self.game = old.clone()
        fixed(self.game, msgspec.convert(w.fix, pr.Fix))
        self.past.clear()
        self.window += 1
        self._note("table.fixed", "The table agrees, and so it is (CONF-8).", w.by, rule="CONF-8")
        self._tell(self.game, self.game.events or [])

    def _take_asked(self, w: en.Asked, e: en.Entry) -> None:
        self.voted = w.vote
        if w.kind == "undo":
            self._regret(w.by)
        self.votes.append(Ballot(w.vote, w.kind, w.by, w.seat, w.text, w.fix, [w.by], [], w.about))
        self._note("table.asked", w.text, w.by)

    def _take_voted(self, w: en.Voted, e: en.Entry) -> None:
        for v in self.votes:
            if v.id == w.vote:
                if w.seat in v.yes:  # a change of mind
                    v.yes.remove(w.seat)
                (v.yes if w.yes else v.no).append(w.seat)

    def _take_closed(self, w: en.Closed, e: en.Entry) -> None:
        gone = next((v for v in self.votes if v.id == w.vote), None)
        self.votes = [v for v in self.votes if v.id != w.vote]
        if gone is not None and w.agreed and gone.kind == "undo" and gone.by in self.regrets.seats:
            seats = list(self.regrets.seats)
            seats.remove(gone.by)  # it counts as it is taken back, which comes next
            self.regrets = Regrets(self.regrets.turn, tuple(seats))
        if gone is not None and not w.agreed:
            self.declined = gone.about.move if gone.kind == "undo" else self.declined
            if gone.by in gone.no:
                self._tell_of("table.no", "{w} [withdraws] it. It stays as it is.", gone.by)
            else:
                self._note("table.no", _why_not(gone), gone.by)

    def _take_chatted(self, w: en.Chatted, e: en.Entry) -> None:
        self.chat.append(pr.ChatLine(self.seq, w.seat, w.name, w.text, w.phrase))

    def _take_standin(self, w: en.StandIn, e: en.Entry) -> None:
        c = self.chairs[w.seat]
        c.standin, c.late = w.on, 0
        if w.on:
            self._tell_of("table.standin", f"A bot plays for {{w}} for now{_WHY_A_BOT.get(w.why, '')}.", w.seat)
        else:
            self._tell_of("table.back", "{w} [is] back and [takes] over from the bot.", w.seat)

    def _take_auto(self, w: en.AutoSet, e: en.Entry) -> None:
        self.chairs[w.seat].auto = w.mode

    def _take_open_hand(self, w: en.HandOpen, e: en.Entry) -> None:
        self.chairs[w.seat].open_hand = w.on
        text = "{w} [lets] spectators see the hand." if w.on else "{w} no longer [lets] spectators see the hand."
        self._tell_of("table.open_hand", text, w.seat)

    def _take_again(self, w: en.Again, e: en.Entry) -> None:
        self.status = LOBBY
        if self.game is not None and self.game.brought:
            after = accessories.after(self.game)  # what was given away is the other's from now on (FQ-PROMO-3)
            for c in self.chairs:
                c.things = after.get(c.name, [])
        self.game, self.dealt = None, None
        self.votes = []
        self.past.clear()
        for c in self.chairs:
            c.standin, c.late, c.open_hand = False, 0, False
            c.ready = c.who == BOT

    def _take_mended(self, w: en.Mended, e: en.Entry) -> None:
        rest = f" What came later is put aside ({w.lost} {'entry' if w.lost == 1 else 'entries'})." if w.lost else ""
        self._note(
            "table.mended",
            f"The server's journal is damaged: {w.why}. This is how it stood at the last good entry.{rest}",
        )

    def _take_carried(self, w: en.Carried, e: en.Entry) -> None:
        assert self.dealt is not None
        was, self.dealt = self.dealt, replace(self.dealt, version=w.version, cards=w.cards)
        told = (
            f"The cards have changed since version {was.version} dealt this game; it goes on with those of {w.version}."
        )
        self._note("table.carried", told)

    # -- the log ------------------------------------------------------------------------------------------------

    def _note(self, ident: str, text: str, seat: int = -1, rule: str = "", tone: str = "table") -> None:
        """Something about the table itself, the same for everyone."""
        told: dict[Line, pr.LogLine] = {}
        for v in list(self.lines) or [WATCHER]:
            self._line(v, Line(text, rule, tone, "", Event(ident, seat)), told)

    def _tell_of(self, ident: str, text: str, seat: int, rule: str = "", tone: str = "table") -> None:
        """The same about somebody, {w} (`grammar.render`): who it is about hears it said to himself."""
        told: dict[Line, pr.LogLine] = {}
        for v in list(self.lines) or [WATCHER]:
            said = render(text, {"w": Person(self.chairs[seat].name, v == seat)}.__getitem__)
            self._line(v, Line(said, rule, tone, "", Event(ident, seat)), told)

    def _tell(self, g: Game, events: Sequence[Event], said: str = "", seat: int = -1) -> None:
        if not events:
            return
        told: dict[Line, pr.LogLine] = {}
        for v, lines in tell_all(g, events, self.lines).items():
            for i, line in enumerate(lines):
                if said and i == 0 and v != seat:
                    line = line._replace(said=said)
                self._line(v, line, told)

    def _line(self, viewer: int, line: Line, told: dict[Line, pr.LogLine]) -> None:
        """A line for one viewer; those who are told the same (`told`) share it."""
        out = told.get(line)
        if out is None:
            out = told[line] = self._log_line(line)
        if self._new is None:
            self._add(viewer, out)
        else:
            self._new.append((viewer, out))

    def _add(self, viewer: int, line: pr.LogLine) -> None:
        mine = self.lines.get(viewer)
        if mine is None:
            mine = self.lines[viewer] = deque(maxlen=LOG_KEPT)
        mine.append(line)

    def _log_line(self, line: Line) -> pr.LogLine:
        e = line.event or _NOBODYS
        return pr.LogLine(self.seq, e.kind, line.text, line.rule, line.tone, e.seat, e.card, e.other, e.n, line.said)


# Why a bot plays for somebody, by what the journal has, as it is told of anybody and to himself.
_WHY_A_BOT: Final = {", whose line is gone": ": the line is gone", ", who does not answer": ": no answer came"}


def _why_not(v: Ballot) -> str:
    """Why nothing comes of a vote."""
    if v.no:
        return "Not everybody agrees. It stays as it is."
    return f"Not everybody has answered in time. It stays as it is: {v.text}"


def played_by_bot(c: Chair) -> bool:
    """Is it a bot's, or does one stand in? Asked dozens of times for every move, so it is where it can be compiled."""
    return c.who == BOT or c.standin


def mark_of(token: str) -> str:
    """How the commands of whoever holds a token are marked; of the fingerprint, as chairs keep it."""
    return token[:16]


def now() -> float:
    return round(time.time(), 3)


_TAKE: Final[dict[type, Callable[[Table, Any, en.Entry], None]]] = {
    en.Opened: Table._take_opened,
    en.Sealed: Table._take_sealed,
    en.OptionsSet: Table._take_options,
    en.Sat: Table._take_sat,
    en.Retoken: Table._take_retoken,
    en.GotUp: Table._take_got_up,
    en.BotSat: Table._take_bot,
    en.ReadySet: Table._take_ready,
    en.HostSet: Table._take_host,
    en.AvatarSet: Table._take_avatar,
    en.ColourSet: Table._take_colour,
    en.Brought: Table._take_brought,
    en.Dealt: Table._take_dealt,
    en.Made: Table._take_made,
    en.Undone: Table._take_undone,
    en.Fixed: Table._take_fixed,
    en.Asked: Table._take_asked,
    en.Voted: Table._take_voted,
    en.Closed: Table._take_closed,
    en.Chatted: Table._take_chatted,
    en.StandIn: Table._take_standin,
    en.AutoSet: Table._take_auto,
    en.HandOpen: Table._take_open_hand,
    en.Again: Table._take_again,
    en.Mended: Table._take_mended,
    en.Carried: Table._take_carried,
}
