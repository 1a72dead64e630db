"""A bot without a plan: any legal move will do, as long as the game goes on."""

from __future__ import annotations

from typing import Final

from kickdoor.bots.seat import Choice, Seat
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move

# Moves that lead nowhere by themselves. Each is made once a turn at most.
DITHER: Final = frozenset(
    {
        mv.EQUIP,
        mv.UNEQUIP,
        mv.TRADE,
        mv.ASK_HELP,
        mv.OFFER_HELP,
        mv.COUNTER,
        mv.WITHDRAW,
        mv.SELL,
        mv.DISCARD,
        mv.SHOW_HAND,
        mv.USE,
    }
)
LONGEST: Final = 4  # parts of a draft


class RandomBot:
    """Uniform over what is legal and has not been fiddled with already this turn."""

    def __init__(self, seed: int = 0, name: str = "random") -> None:
        self.seed = seed
        self.name = name

    def idle(self, seat: Seat) -> bool:
        """It has no idea, so it looks."""
        return False

    def choose(self, seat: Seat) -> Choice:
        chance = seat.chance(self.seed)
        options = fresh(seat)
        if seat.question is None and chance.random() < 0.8:
            options = [m for m in options if m.verb not in DITHER] or options
        return Choice(chance.choice(options), "The die said so.")

    def interject(self, seat: Seat) -> Choice | None:
        """Now and then, for no reason."""
        chance = seat.chance(self.seed)
        options = fresh(seat)
        if not options or chance.random() < 0.85:
            return None
        return Choice(chance.choice(options), "Nobody expects it.")


def fresh(seat: Seat) -> list[Move]:
    """The legal moves without what was done this turn already; never none if there are any."""
    moves = seat.moves
    if seat.question is not None:
        return _closing(seat, moves)
    done = {(m.verb, m.card) if m.card >= 0 else (m.verb, m.target) for m in seat.mine}
    turned = {m.card for m in seat.mine if m.verb in (mv.EQUIP, mv.UNEQUIP)}
    out = []
    for m in moves:
        if m.verb in DITHER:
            key = (m.verb, m.card) if m.card >= 0 else (m.verb, m.target)
            if key in done or (m.verb in (mv.EQUIP, mv.UNEQUIP) and m.card in turned):
                continue
        out.append(m)
    return out or moves


def _closing(seat: Seat, moves: list[Move]) -> list[Move]:
    """A draft grows a while; then it is said or dropped."""
    parts = 0
    for m in reversed(seat.mine):
        if m.verb != mv.ADD:
            break
        parts += 1
    ends = [m for m in moves if m.verb in (mv.PROPOSE, mv.DONE, mv.CANCEL)]
    return ends if ends and parts >= LONGEST else moves
