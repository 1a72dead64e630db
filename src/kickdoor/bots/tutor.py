"""The bots of the guided first game: they do what is written, and play on as easy company when it is over."""

from __future__ import annotations

from kickdoor.bots import lesson
from kickdoor.bots.greedy import GreedyBot
from kickdoor.bots.seat import Choice, Seat
from kickdoor.engine.value import moves as mv


class TutorBot(GreedyBot):
    """Knows the story, and so more than its seat sees; never more than a learner who reads it again."""

    def idle(self, seat: Seat) -> bool:
        return False if self._step(seat) >= 0 else super().idle(seat)

    def choose(self, seat: Seat) -> Choice:
        step = self._step(seat)
        if step < 0:
            return super().choose(seat)
        mine = self._mine(seat, step)
        if mine is not None:
            return mine
        done = next((m for m in seat.moves if m.verb == mv.PASS), None)
        return Choice(done) if done is not None else super().choose(seat)

    def interject(self, seat: Seat) -> Choice | None:
        step = self._step(seat)
        return super().interject(seat) if step < 0 else self._mine(seat, step)

    def _step(self, seat: Seat) -> int:
        return lesson.first().at(seat.whole)

    def _mine(self, seat: Seat, step: int) -> Choice | None:
        """What is written for this seat, if it is its turn in the story."""
        told = lesson.first()
        if told.steps[step].seat != seat.seat:
            return None
        move = told.move(seat.whole, step)
        return Choice(move) if move is not None else None
