"""One game, decision by decision: who has to choose among what, until it is over. Environments are built on this.

It is compiled with the engine, and knows nothing of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kickdoor.bots.driver import Table, only_pass
from kickdoor.bots.seat import Bot
from kickdoor.engine.kernel import legal
from kickdoor.engine.saving import from_msgpack, to_msgpack
from kickdoor.engine.setup import new_game, rules_for
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.lab.encoding import ACTIONS, LET_IT_BE

MAX_MOVES: Final = 20_000
MAX_TURNS: Final = 1_000


class Terms:
    """What is played, and when somebody is asked.

    `quick`: a seat that can only pass (or trade, or fiddle with its things, in a window) is not asked, as the bots' own
    driver does it; a forced move is made. A game beyond `max_moves` or `max_turns` is cut off.
    """

    def __init__(
        self,
        players: int = 4,
        packs: Sequence[str] = ("classic",),
        edition: str | None = None,
        rules: dict[str, Any] | None = None,
        quick: bool = True,
        max_moves: int = MAX_MOVES,
        max_turns: int = MAX_TURNS,
    ) -> None:
        self.players = players
        self.names = tuple(f"player {s}" for s in range(players))
        self.packs = tuple(packs)
        self.edition = edition
        self.changes: dict[str, Any] = rules or {}
        self.rules: Ruleset = rules_for(self.packs, edition, **self.changes)
        self.quick = quick
        self.max_moves = max_moves
        self.max_turns = max_turns

    def __deepcopy__(self, memo: object) -> Terms:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle."""
        limits = self.max_moves, self.max_turns
        return Terms, (self.players, self.packs, self.edition, self.changes, self.quick, *limits)


class Stepper:
    """A table at which every decision is an action: 0 is "let it be", k the k-th of the acting seat's moves."""

    def __init__(self, terms: Terms, table: Table) -> None:
        self.terms = terms
        self.table = table
        self.game: Game = table.game
        self.options: list[Move | None] = []
        self.seat = 0
        self.won = False
        self.cut_off = False

    @staticmethod
    def deal(terms: Terms, seed: int) -> Stepper:
        """A new game, at its first decision."""
        game = new_game(terms.names, packs=terms.packs, seed=seed, rules=terms.rules)
        game.events = None
        out = Stepper(terms, Table(game))
        out._advance()
        return out

    def clone(self) -> Stepper:
        """An independent copy, at the same decision."""
        table = Table(self.game.clone())
        table.count, table.turn = self.table.count, self.table.turn
        table.recent, table.heard = self.table.recent[:], self.table.heard.copy()
        new = Stepper(self.terms, table)
        new.options, new.seat = self.options, self.seat
        new.won, new.cut_off = self.won, self.cut_off
        return new

    def __deepcopy__(self, memo: object) -> Stepper:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the game as it is saved, and what the table remembers beside it."""
        t = self.table
        table = t.count, t.turn, t.recent, t.heard
        return restored, (self.terms, to_msgpack(self.game), table, self.options, self.seat, self.won, self.cut_off)

    @property
    def over(self) -> bool:
        return self.won or self.cut_off

    @property
    def first(self) -> int:
        """The lowest action."""
        return LET_IT_BE if self.options and self.options[0] is None else 1

    @property
    def count(self) -> int:
        """How many actions there are, from the first on."""
        return min(ACTIONS - self.first, len(self.options))

    def check(self, action: int) -> None:
        """ValueError if the acting seat has no such action."""
        if not 0 <= action - self.first < self.count:
            raise ValueError(
                f"action {action} is not legal for player_{self.seat} now; its mask allows "
                f"{self.first} to {self.first + self.count - 1}: sample with the mask, or choose among its ones"
            )

    def step(self, action: int) -> None:
        """Carry out an action of the acting seat; ValueError if it has none such."""
        self.check(action)
        move = self.options[action - self.first]
        if move is not None:
            self.table.apply(move, True)
        self._advance()

    def _advance(self) -> None:
        """Go on until somebody has something to decide, or the game is over."""
        g, table = self.game, self.table
        while True:
            turn = table.next()
            if turn is None or table.count >= self.terms.max_moves or g.turns > self.terms.max_turns:
                self.won = turn is None
                self.cut_off = turn is not None
                self.options = []
                return
            s, must = turn
            moves = legal(g, s)
            forced = self._forced(moves) if must else None
            if forced is None:
                break
            table.apply(forced, True)
        options: list[Move | None] = [] if must else [None]
        options += moves
        self.options = options
        self.seat = s

    def _forced(self, moves: list[Move]) -> Move | None:
        if not self.terms.quick:
            return None
        return moves[0] if len(moves) == 1 else only_pass(moves)

    def reward(self, seat: int) -> float:
        """One for the winner, or a share of it; what that is worth, the others lose. Nothing if nobody won."""
        winners = self.game.winners
        if not self.won or not winners:
            return 0.0
        return 1 / len(winners) if seat in winners else -1 / (self.terms.players - len(winners))

    def bot_action(self, bot: Bot) -> int:
        """What a bot of the ladder would do in the acting seat."""
        seat = self.table.seat(self.seat)
        if self.options[0] is None:
            choice = bot.interject(seat)
            return LET_IT_BE if choice is None else self.options.index(choice.move)
        return self.options.index(bot.choose(seat).move) + 1


def restored(
    terms: Terms, saved: bytes, table: tuple[Any, ...], options: list[Move | None], seat: int, won: bool, cut_off: bool
) -> Stepper:
    """A stepper out of its pickle."""
    game = from_msgpack(saved)
    game.events = None
    out = Stepper(terms, Table(game))
    out.table.count, out.table.turn, out.table.recent, out.table.heard = table
    out.options, out.seat = options, seat
    out.won, out.cut_off = won, cut_off
    return out
