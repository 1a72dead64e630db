"""Replays: the journal of a game, told again. And the proof that nobody touched the shuffle."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from kickdoor.engine.kernel import apply
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.notation import text
from kickdoor.engine.value.reasons import Refused, Unsettled
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.engine.views import EVERYTHING
from kickdoor.paper.files import UNREADABLE, ReadingError, check_depth
from kickdoor.paper.plain import one_line, short
from kickdoor.server import entries as en
from kickdoor.server import limits
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import BOT, PERSON, Chair
from kickdoor.server.chronicle import Beat, beat, chronicle
from kickdoor.server.games import seal
from kickdoor.server.patching import diff
from kickdoor.server.showing import game_view, table_info
from kickdoor.server.table import OVER, PLAYING, WATCHER, Table
from kickdoor.server.trouble import Trouble

FORMAT: Final = 1
MARK_EVERY: Final = 20  # steps; in a long game it is more
SAID_KEPT: Final = 500
PAGE: Final = 50  # steps of a replay that are sent together
TELLING: Final = (en.Made, en.Undone, en.Fixed)
# What a record that is not true runs into.
IMPOSSIBLE: Final = (
    *(Refused, Unsettled, Trouble, LookupError, AssertionError, TypeError, ValueError, ArithmeticError),
    *(AttributeError, RuntimeError),
)

# What no game reaches: a long one has 11,000 steps, and a table has twelve seats.
MOST_STEPS: Final = 100_000
MOST_MOVES: Final = 1_000  # of one seat, made together
MOST_SEATS: Final = 12


class Head(msgspec.Struct):
    """What every version's replays have."""

    kickdoor: int
    version: str = ""


class Replay(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A game's record: its inputs. Everything else follows from them."""

    kickdoor: int
    table: str
    game: int
    name: str
    version: str
    options: dict[str, Any]
    cards: str
    rules: dict[str, Any]
    players: list[str]
    sexes: list[str]
    bots: list[str]
    seed: str
    salt: str
    seal: str
    steps: list[en.Entry]
    winners: list[int]
    key: str
    things: dict[str, list[str]] = {}
    position: dict[str, Any] = {}


def record(t: Table, journal: list[en.Entry], number: int) -> Replay:
    """The record of the n-th game at a table (0: the latest), if it is over."""
    stage = Stage(unplayed(t, journal, number, t.status == PLAYING), told=True)
    stage.finish()
    return stage.record


def unplayed(t: Table, journal: list[en.Entry], number: int, playing: bool) -> Replay:
    """The same without its outcome, which is known when it has been played (`Stage.finish`). `playing`: so it was when
    the journal was read, whatever has happened since."""
    deals = [i for i, e in enumerate(journal) if isinstance(e.what, en.Dealt)]
    number = number or len(deals)
    if not 1 <= number <= len(deals):
        raise Trouble("no_game", f"This table has seen {len(deals)} games; there is no number {number}.")
    start = deals[number - 1]
    end = deals[number] if number < len(deals) else len(journal)
    if number == len(deals) and playing:
        raise Trouble("not_over", "This game is not over yet. Its replay can be had when it is.")
    dealt = journal[start].what
    assert isinstance(dealt, en.Dealt)
    options: dict[str, Any] = {}
    for e in journal[:start]:
        if isinstance(e.what, (en.Opened, en.OptionsSet)):
            some = isinstance(e.what, en.OptionsSet) and e.what.some
            options = {**options, **e.what.options} if some else e.what.options
    steps = [e for e in journal[start + 1 : end] if isinstance(e.what, TELLING)]
    return Replay(
        FORMAT,
        t.id,
        number,
        t.name,
        dealt.version,
        options,
        dealt.cards,
        dealt.rules,
        dealt.players,
        dealt.sexes,
        dealt.bots,
        str(dealt.seed),
        dealt.salt,
        seal(dealt.seed, dealt.salt),
        steps,
        [],
        "",
        dealt.things,
        dealt.position,
    )


class Marks:
    """Tables of a replay to go on from: spread evenly over its steps, and never more than so many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.every = MARK_EVERY
        self._tables: dict[int, Table] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def keep(self, at: int, t: Table) -> None:
        """Keep the table as it is after so many steps, if its turn has come."""
        if not self.most or at % self.every or at in self._tables:
            return
        self._tables[at] = _copy(t)
        if len(self._tables) > self.most:
            self.every *= 2
            self._tables = {n: kept for n, kept in self._tables.items() if n % self.every == 0}

    def before(self, step: int) -> tuple[int, Table] | None:
        """The last one up to a step."""
        at = max((n for n in self._tables if n <= step), default=None)
        return None if at is None else (at, _copy(self._tables[at]))


def _copy(t: Table) -> Table:
    """A table that goes its own way. What its games have worked out takes more room than they do."""
    new = t.copy()
    for g in (new.game, *(p.game for p in new.past)):
        if g is not None:
            g.touch()
    return new


class Stage:
    """A table on which a record is played again. `marks`: so many tables are kept on the way, to go back to.

    `told`: the record is our own journal's, out of which every telling leaves what it has to set aside. In anybody
    else's a step that cannot have happened is a lie, and raises what the engine raises. `people`: some of whom may have
    played; a record does not say what anybody looks like.
    """

    def __init__(self, r: Replay, marks: int = 0, told: bool = False, people: Sequence[Chair] = ()) -> None:
        self.record = r
        self.told = told
        self._looks = {c.name: (c.colour, c.avatar) for c in people}
        self.marks = Marks(marks)
        self.said: dict[int, list[str]] = {}  # the moves of steps that were looked at, in notation
        self.beats: list[Beat] = []  # the steps that have been told (`story`)
        self._open()
        assert self.table.game is not None
        self.first = [p.level for p in self.table.game.players]

    def _open(self) -> None:
        r = self.record
        t = self.table = Table(r.table)
        self.at = 0
        t.name = r.name
        t.options = msgspec.convert(r.options, op.TableOptions)
        for name, sex, bot in zip(r.players, r.sexes, r.bots, strict=True):
            colour, avatar = self._looks.get(name, (-1, ""))
            t.chairs.append(Chair(BOT if bot else PERSON, name, sex, bot=bot, colour=colour, avatar=avatar))
        seats = list(range(len(r.players)))
        dealt = (int(r.seed), r.salt, r.players, r.sexes, seats, r.version, r.cards, r.rules, r.bots, r.things)
        t.take(en.Entry(en.Dealt(*dealt, position=r.position)))
        t.lines = {WATCHER: t.lines[WATCHER]}  # nobody asks what the others were told
        self.marks.keep(0, t)

    def go(self, step: int, tick: Callable[[], None] = lambda: None) -> None:
        """To the table as it was after so many steps. `tick` may stop it on the way; it can go on from there."""
        near = self.marks.before(step)
        if near is not None and (step < self.at or self.at < near[0]):
            self.at, self.table = near
        elif step < self.at:
            self._open()
        steps = self.record.steps
        while self.at < min(step, len(steps)):
            tick()
            try:
                self.table.become(self.table.after(steps[self.at : self.at + 1]))
            except Exception:
                if not self.told:
                    raise
                del steps[self.at]  # it was set aside when the table was told again, too (`Table.follow`)
                continue
            self.at += 1
            self.marks.keep(self.at, self.table)

    def finish(self, tick: Callable[[], None] = lambda: None) -> None:
        """Play the record to its end, and note what came of it."""
        if self.record.key:
            return
        self.go(len(self.record.steps), tick)
        game = self.table.game
        assert game is not None
        self.record.winners = list(game.winners)
        self.record.key = game.key().hex()


def info(stage: Stage) -> pr.TableInfo:
    """The table as it was for this game, which may have been played with other cards and people than the next."""
    r = stage.record
    told = table_info(stage.table, [], 0)
    return {**told, "status": OVER, "game": r.game, "seed": {"hash": r.seal, "seed": r.seed, "salt": r.salt}}


def story(stage: Stage, tick: Callable[[], None] = lambda: None) -> pr.Chronicle:
    """The whole game in figures. It is told step by step: `tick` may stop it, and it can go on from there."""
    steps = stage.record.steps
    while (at := len(stage.beats)) < len(steps):
        stage.go(at, tick)
        before = stage.table.game
        stage.go(at + 1, tick)
        if stage.at != at + 1:  # the last ones were set aside
            break
        what, after = steps[at].what, stage.table.game
        assert before is not None
        assert after is not None
        events = stage.table.past[-1].events if isinstance(what, en.Made) else ()
        stage.beats.append(beat(at + 1, what, before, after, events))
    stage.finish(tick)
    r = stage.record
    return chronicle(r.players, r.winners, stage.first, stage.beats)


def frame(stage: Stage, step: int, tick: Callable[[], None] = lambda: None) -> pr.ReplayFrame:
    """What lies on the table after a step: everything, since the game is over."""
    step = max(0, min(step, len(stage.record.steps)))
    moves = _moves(stage, step, tick)
    stage.go(step, tick)
    t = stage.table
    v = game_view(t, EVERYTHING)
    lines = list(t.lines[WATCHER])
    steps = len(stage.record.steps)
    return {"step": step, "steps": steps, "moves": moves, "game": v, "log": lines[-60:], "seq": t.seq}


def page(stage: Stage, start: int, tick: Callable[[], None] = lambda: None) -> pr.ReplayPage:
    """So many steps in a row, from this one on: a whole game is a few pages, and can be kept."""
    first = frame(stage, start, tick)
    then: list[pr.ReplayChange] = []
    last, seq = first["game"], first["seq"]
    for step in range(first["step"] + 1, min(first["step"] + PAGE, first["steps"] + 1)):
        next_ = frame(stage, step, tick)
        added = [line for line in next_["log"] if line.seq > seq]
        then.append({"moves": next_["moves"], "patch": diff(last, next_["game"]), "log": added})
        last, seq = next_["game"], next_["seq"]
    return {"first": first, "then": then}


def _moves(stage: Stage, step: int, tick: Callable[[], None]) -> list[str]:
    """The moves of a step, in notation; none where something else happened."""
    what = stage.record.steps[step - 1].what if step else None
    if step not in stage.said:
        stage.go(max(0, step - 1), tick)
        if len(stage.said) >= SAID_KEPT:
            stage.said.clear()
        made = _one_by_one(stage.table.game, what) if isinstance(what, en.Made) else ()
        stage.said[step] = [text(g, move) for g, move in made]
    return stage.said[step]


def _one_by_one(g: Game | None, what: en.Made) -> Iterator[tuple[Game, Move]]:
    """The moves of an entry, each with the game in which it is made; none of these games is changed."""
    assert g is not None
    for parts in what.moves:
        move = Move(what.seat, *parts)
        yield g, move
        g = g.clone()
        apply(g, move)


class Shelf:
    """Replays that were looked at lately."""

    def __init__(self) -> None:
        self._stages: OrderedDict[tuple[str, int], Stage] = OrderedDict()

    def __len__(self) -> int:
        return len(self._stages)

    def put(self, stage: Stage) -> Stage:
        key = stage.record.table, stage.record.game
        stage = self._stages.setdefault(key, stage)
        self._stages.move_to_end(key)
        if len(self._stages) > limits.REPLAYS:
            self._stages.popitem(last=False)
        return stage

    def get(self, table: str, game: int) -> Stage | None:
        found = self._stages.get((table, game))
        if found is not None:
            self._stages.move_to_end((table, game))
        return found


def read(raw: bytes) -> Replay:
    """A downloaded record. Raises Trouble if it is none."""
    try:
        check_depth(raw)
        head = msgspec.json.decode(raw, type=Head)
        if head.kickdoor != FORMAT:  # first of all: what else is in it, only that version knows
            raise Trouble(
                "bad_replay",
                f"This replay has format {head.kickdoor}, and this version of Kickdoor reads {FORMAT}. Use the version "
                f"that wrote it{f' ({head.version})' if head.version else ''}, or a newer one.",
            )
        r = msgspec.json.decode(raw, type=Replay)
    except (*UNREADABLE, ReadingError) as e:
        raise Trouble("bad_replay", f"This is not a replay: {e}.") from None
    try:
        _must_be_likely(r)
        int(r.seed)
        msgspec.convert(r.options, op.TableOptions)
        msgspec.convert(r.rules, Ruleset)
    except (ValueError, msgspec.ValidationError) as e:
        raise Trouble("bad_replay", f"This replay is damaged: {e}.") from None
    return r


def _must_be_likely(r: Replay) -> None:
    """ValueError for what no game has, before anything is set up for it."""
    if not 1 <= len(r.players) <= MOST_SEATS or not len(r.players) == len(r.sexes) == len(r.bots):
        raise ValueError(f"its {len(r.players)} players, {len(r.sexes)} sexes and {len(r.bots)} bots do not fit")
    for name in (r.name, *r.players):
        if one_line(name) != name or len(name) > 100:
            raise ValueError(f"nobody is called {short(name)}: a name is one line of letters that can be seen")
    if len(r.steps) > MOST_STEPS:
        raise ValueError(f"it has {len(r.steps):,} steps; no game has more than {MOST_STEPS:,}")
    if any(isinstance(e.what, en.Made) and len(e.what.moves) > MOST_MOVES for e in r.steps):
        raise ValueError(f"somebody made more than {MOST_MOVES:,} moves at once")
    if len(r.seed) > 40:
        raise ValueError(f"a seed of {len(r.seed):,} digits")


def played(stage: Stage) -> Iterator[tuple[int, Game, Move]]:
    """Every move of a record with the number of its step, and the game in which it is made, which is left as it is.

    Whatever cannot have happened raises what the engine raises.
    """
    for number, entry in enumerate(stage.record.steps, 1):
        stage.go(number - 1)
        if isinstance(entry.what, en.Made):
            for g, move in _one_by_one(stage.table.game, entry.what):
                yield number, g, move


def notated(r: Replay, upto: int = -1) -> list[str]:
    """The moves of a record in notation, up to a step, or up to one that cannot have happened."""
    out: list[str] = []
    try:
        for number, g, move in played(Stage(r)):
            if 0 <= upto < number:
                break
            out.append(text(g, move))
    except IMPOSSIBLE:
        pass
    return out


def verify(raw: bytes) -> list[tuple[bool, str]]:
    """Check a record: each check with whether it held. Raises Trouble if it is no record at all."""
    r = read(raw)
    out = [(seal(int(r.seed), r.salt) == r.seal, f"the seal {r.seal[:12]}... is that of seed {r.seed} and its salt")]
    o = msgspec.convert(r.options, op.TableOptions)
    out.append((op.cards(o).same(r.cards), f"the cards are those it was played with ({', '.join(o.packs)})"))
    if not out[-1][0]:
        return out
    try:
        stage = Stage(r)
    except IMPOSSIBLE as e:
        return [*out, (False, f"such a game cannot be dealt: {e}")]
    try:
        stage.go(len(r.steps))
    except IMPOSSIBLE as e:
        step = stage.at + 1
        last = (notated(r, step) or [""])[-1] if isinstance(r.steps[stage.at].what, en.Made) else ""
        told = f" ({last})" if last else ""
        return [*out, (False, f"step {step} of {len(r.steps)}{told} cannot have happened: {e}")]
    g = stage.table.game
    assert g is not None
    begun = "the position it goes on from and the seed" if r.position else "the seed"
    out.append((True, f"all {len(r.steps)} steps are legal and follow from {begun}"))
    out.append((g.key().hex() == r.key, "the table at the end is the one that was recorded"))
    names = ", ".join(r.players[s] for s in g.winners) or "nobody"
    out.append((list(g.winners) == r.winners, f"the winner is {names}"))
    return out
