"""Who is asked when: the awaited seats, and once per quiet moment the others who could act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kickdoor.bots.ledger import BLANK, Ledger, deeds
from kickdoor.bots.seat import Bot, Choice, Seat
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Event

# What no seat needs to be asked about: it changes nothing that could not wait.
IDLE_TALK = frozenset({mv.SHOW_HAND, mv.TRADE, mv.WITHDRAW, mv.UNEQUIP, mv.DISCARD, mv.EQUIP, mv.SELL})
LIMIT = 100_000
_HEARD: Final = tuple((f"{s}/0", f"{s}/1") for s in range(16))  # a seat, and whether it was asked about an offer


class Stuck(Exception):
    """A game that goes nowhere: nobody can move, or nobody stops."""


class Table:
    """A game being played: whose answer is next, what everybody did this turn, how many moves there were."""

    def __init__(self, game: Game, bots: Sequence[Bot] = ()) -> None:
        self.game = game
        self.bots = bots  # where all players are known to be these, seats with nothing to say are not bothered
        self.count = 0
        self.recent: list[Move] = []  # moves since the turn began
        self.turn = game.turns
        self.ledger: Ledger = BLANK  # what everybody saw players do to each other
        self.heard: dict[str, list[int]] = {}  # when a seat was last asked without being awaited

    def seat(self, s: int) -> Seat:
        """The table as seat `s` has it now."""
        out = Seat(self.game, s, self.count, (), self.ledger)
        if self.recent:
            out.remember(self.recent)
        return out

    def apply(self, move: Move, trusted: bool = False) -> list[Event]:
        events = apply(self.game, move, trusted=trusted)
        self.count += 1
        if events:
            self.ledger = self.ledger.after(deeds(self.game, events))
        if self.game.turns != self.turn:
            self.turn = self.game.turns
            self.recent = []
        else:
            self.recent.append(move)
        return events

    def next(self) -> tuple[int, bool] | None:
        """The seat to ask, and whether it must answer; None when the game is over."""
        g = self.game
        awaited = to_act(g)
        if not awaited:
            return None
        if type(g.stack[-1]) is fr.Turn:
            other = self._other(g)
            if other >= 0:
                return other, False
        for s in awaited:
            if self.bots or legal(g, s):
                return s, True
        raise Stuck(f"seat {awaited[0]} is awaited and has no move")

    def _other(self, g: Game) -> int:
        """Somebody else with an answer to give, or with something new to do in this quiet moment."""
        for o in g.offers:
            if o.to != g.turn and self._unheard(g, o.to, 1) and legal(g, o.to):
                return o.to
        for s in g.living(g.turn):
            if s == g.turn or not self._unheard(g, s, 0) or (self.bots and self.bots[s].idle(self.seat(s))):
                continue
            if any(m.verb not in IDLE_TALK for m in legal(g, s)):
                return s
        return -1

    def _unheard(self, g: Game, s: int, offer: int) -> bool:
        """Has this seat not been asked in this quiet moment? Asking counts as having been asked."""
        f = g.stack[-1]
        assert isinstance(f, fr.Turn)
        key = _HEARD[s][offer]
        last = self.heard.get(key)
        if offer:
            if last is not None and last[0] == g.turns and last[1] == self.count:
                return False
            self.heard[key] = [g.turns, self.count]
            return True
        phase, held = f.phase, len(g.players[s].hand)
        if last is not None and last[0] == g.turns and last[1] == phase and last[2] == held:
            return False
        self.heard[key] = [g.turns, phase, held]
        return True

    def hush(self) -> None:
        """Everybody has had their say in this quiet moment: nobody is asked about it again."""
        g = self.game
        f = g.stack[-1]
        if isinstance(f, fr.Turn):
            for s in g.living(g.turn):
                self.heard[_HEARD[s][0]] = [g.turns, f.phase, len(g.players[s].hand)]


def only_pass(moves: Sequence[Move]) -> Move | None:
    """The pass, if that is all there is to do."""
    found = None
    for m in moves:
        if m.verb == mv.PASS:
            found = m
        elif m.verb not in IDLE_TALK:
            return None
    return found


def unasked(bot: Bot, seat: Seat) -> Move | None:
    """The pass of a bot that need not be bothered: it could only pass, or certainly would. Nothing is listed for who
    has no reason to look up."""
    if not seat.may_pass:
        return None
    return Move(seat.seat, mv.PASS) if bot.idle(seat) else only_pass(seat.moves)


def ask(table: Table, bots: Sequence[Bot], s: int, must: bool) -> Choice | None:
    """What the bot at seat `s` does; one that could only pass is not bothered."""
    seat = table.seat(s)
    if not must:
        return bots[s].interject(seat)
    done = unasked(bots[s], seat)
    if done is not None:
        return Choice(done)
    if not seat.moves:
        raise Stuck(f"seat {s} is awaited and has no move")
    return bots[s].choose(seat)


def play_out(
    game: Game,
    bots: Sequence[Bot],
    max_moves: int = LIMIT,
    watch: Callable[[Table, Choice], None] | None = None,
    trusted: bool = False,
) -> int:
    """Play to the end; returns the number of moves. Raises Stuck when it does not come.

    `trusted` leaves out the check that a bot's move is legal: for measuring bots that are known to play by the rules.
    """
    table = Table(game, bots)
    for _ in range(max_moves):
        turn = table.next()
        if turn is None:
            return table.count
        choice = ask(table, bots, *turn)
        if choice is not None:
            table.apply(choice.move, trusted)
            if watch is not None:
                watch(table, choice)
    raise Stuck(f"no winner after {max_moves} moves")
