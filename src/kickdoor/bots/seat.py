"""What a bot gets: one seat's eyes and hands, and nothing else of the game.

A bot keeps no state but its seed. What it did a moment ago it can read here (`mine`), so that a game that was saved
and read back goes on exactly as it would have.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from kickdoor.cards.library import CardDef, Instr, Mode, Power
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine.game import Game
from kickdoor.engine.kernel import legal
from kickdoor.engine.levels import goal_level
from kickdoor.engine.moves import Move
from kickdoor.engine.views import view

EXTRA_BASE = -100  # `extra` of a play or a power counts its ways down from here
ANSWERS = frozenset({mv.CHOOSE, mv.ADD, mv.DONE, mv.CANCEL, mv.PROPOSE})


class Choice(NamedTuple):
    """A move, and why, in one sentence."""

    move: Move
    reason: str = ""


class Moment(NamedTuple):
    """What everybody at the table can see is happening: a roll, a Curse about to strike, or nothing special."""

    kind: str = ""
    seat: int = -1
    card: int = -1
    result: int = 0
    need: int = 0


class Bot(Protocol):
    """A player."""

    name: str

    def choose(self, seat: Seat) -> Choice:
        """Answer: the table waits."""

    def interject(self, seat: Seat) -> Choice | None:
        """Nobody waits, but something could be done. None: let it be."""


class Seat:
    """One seat at a table: what it sees, what it may do, what the cards say, and what it has done this turn."""

    def __init__(self, game: Game, seat: int, moment: int = 0, mine: Sequence[Move] = ()) -> None:
        self._game = game
        self.seat = seat
        self.number = moment  # how many moves the table has seen
        self.mine = mine  # this seat's own moves since the turn began

    @cached_property
    def view(self) -> dict[str, Any]:
        return view(self._game, self.seat)

    @cached_property
    def moves(self) -> list[Move]:
        return legal(self._game, self.seat)

    def forget(self, verbs: frozenset[int], times: int) -> None:
        """Leave out moves of these verbs that were made that often this turn and led nowhere."""
        if len(self.mine) < times:
            return
        tired = {m for m in self.mine if m.verb in verbs and self.mine.count(m) >= times}
        if tired:
            self.moves = [m for m in self.moves if m not in tired] or self.moves

    @property
    def defs(self) -> list[CardDef]:
        return self._game.lib.defs

    @property
    def goal(self) -> int:
        return self.goal_of(self.seat)

    def goal_of(self, seat: int) -> int:
        """The Level that wins, for this player; everybody can see who needs less."""
        return goal_level(self._game, seat)

    @property
    def me(self) -> dict[str, Any]:
        return self.view["players"][self.seat]  # type: ignore[no-any-return]

    @property
    def sale(self) -> int:
        """How much a level costs."""
        return self._game.rules.sell.threshold

    @cached_property
    def moment(self) -> Moment:
        return moment(self._game)

    @cached_property
    def question(self) -> dict[str, Any] | None:
        """What this seat, and nobody else, is asked: a choice, or the next part of something it puts together."""
        if not any(m.verb in ANSWERS for m in self.moves):
            return None
        return self.view["asked"]  # type: ignore[no-any-return]

    def name(self, seat: int) -> str:
        return self._game.players[seat].name

    def chance(self, seed: int) -> random.Random:
        """Randomness that depends on the seed and on how far the table is, and on nothing that is hidden."""
        return random.Random(f"{seed}/{self.seat}/{self.number}")

    # -- what the cards say -----------------------------------------------------------------------------------

    def mode(self, move: Move) -> Mode | None:
        """The way in which a play plays its card."""
        modes = self.defs[move.card].modes
        if move.extra <= EXTRA_BASE:
            return modes[EXTRA_BASE - move.extra]
        if move.extra >= 0:
            return next((m for m in modes if m.needs_monster), modes[0])
        return modes[0] if modes else None

    def power(self, move: Move) -> Power:
        """The power that a move uses; a monster's face may be another card's."""
        card = move.card
        fight = self.view["fight"]
        for foe in fight["foes"] if fight else ():
            if foe["card"] == card:
                card = foe["face"]
        return self.defs[card].powers[EXTRA_BASE - move.extra]

    def does(self, move: Move) -> list[Instr]:
        """The steps that a play or a power carries out."""
        prog = -1
        if move.verb == mv.PLAY:
            mode = self.mode(move)
            prog = mode.prog if mode is not None else -1
        elif move.verb == mv.USE:
            prog = self.power(move).prog
        return self.steps(prog)

    def steps(self, prog: int) -> list[Instr]:
        """A program with its parts, in the order they are written."""
        if prog < 0:
            return []
        out: list[Instr] = []
        for instr in self._game.lib.programs[prog]:
            out.append(instr)
            parts = [instr.a.do, instr.a.else_, *(p for _, p in instr.a.labels), *instr.a.table]
            for part in dict.fromkeys(parts):
                if part >= 0:
                    out += self.steps(part)
        return out


def moment(g: Game) -> Moment:
    """The public part of what lies on top of the stack."""
    f = g.stack[-1]
    if isinstance(f, fr.Roll):
        return Moment("roll", f.seat, f.foe, f.face + f.bonus, f.need)
    if isinstance(f, fr.Curse):
        return Moment("curse", f.victim, f.card)
    if isinstance(f, fr.Creation):
        return Moment("creation", f.seat)
    if isinstance(f, fr.Flee):
        return Moment("flee", f.runner, f.foe)
    if isinstance(f, fr.Window):
        return Moment(f.what, f.seat, f.card)
    if isinstance(f, fr.Draw):
        return Moment("draw", f.seat)
    return Moment()
