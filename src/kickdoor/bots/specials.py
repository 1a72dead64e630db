"""What a card is worth that does something once, by what it does: to keep it, to spend it, to give it away."""

from __future__ import annotations

from typing import Final

from kickdoor.bots.findings import Findings
from kickdoor.bots.seat import Seat
from kickdoor.cards.library import CardDef, Instr

USUAL: Final = 4.0  # what takes, steals, draws or sends away
IDLE: Final = 0.3  # what nobody can play from a hand
POINT: Final = 0.4  # of a fight, for once, beside the surprise of it; nobody buys such a card
SURPRISE: Final = 1.0
UNSEEN: Final = 2.0  # a card out of somebody's hand

# What asks for company or for somebody's bad luck, and so for patience. In points, as all worth.
_PATIENT: Final = {
    "replace_monster": 3.0,  # a monster in the hand, of the right size
    "raise_monster": 3.0,
    "compel_help": 3.0,  # somebody who is strong enough, and who might have helped for a Treasure
    "become_helper": 2.0,
    "reroll": 2.0,
    "roll_bonus": 2.0,
    "escape": 2.5,
    "ban": 2.0,
    "peek": 1.0,
    "reward_from": 2.0,
}
# What only belongs to something else that a card does.
_BESIDES: Final = frozenset(
    {"if", "each", "roll", "by_roll", "choose", "consent", "discard", "pay", "invite", "suffer"}
)

_prices: Final = Findings[float]()


def price(seat: Seat, d: CardDef) -> float:
    """The best that it can do, by any of its ways; worked out once per card."""
    got = _prices.about(d)
    return _prices.keep(d, _price(seat, d)) if got is None else got


def _price(seat: Seat, d: CardDef) -> float:
    if not d.modes:
        return IDLE
    found = [_step(s) for mode in d.modes for s in seat.steps(mode.prog) if s.verb not in _BESIDES]
    return d.bonus + max(found, default=USUAL)


def _step(s: Instr) -> float:
    if s.verb == "bonus" and isinstance(s.a.amount, int):
        return SURPRISE + POINT * abs(s.a.amount)
    if s.verb == "take" and s.a.frm == "hand":
        return UNSEEN
    return _PATIENT.get(s.verb, USUAL)
