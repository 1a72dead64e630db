"""A bot in character: its rung decides as its style has it, and it says so in its own words."""

from __future__ import annotations

from typing import Final

from kickdoor.bots import turning
from kickdoor.bots.characters import CHARACTERS, Character, Lines
from kickdoor.bots.manners import DEALS
from kickdoor.bots.seat import Bot, Choice, Seat
from kickdoor.bots.standing import chief, provoked
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, seat_of

_AT_SOMEBODY: Final = frozenset({mv.PLAY, mv.USE})
_SILENT: Final = frozenset({mv.PASS, mv.ADD, mv.DONE, mv.CHOOSE, mv.EQUIP, mv.UNEQUIP, mv.CANCEL})


class InCharacter:
    """A bot of any rung that plays in a style. It keeps nothing: what it remembers is the table's ledger."""

    def __init__(self, bot: Bot, character: Character) -> None:
        self.bot = bot
        self.character = character
        self.name = bot.name

    def idle(self, seat: Seat) -> bool:
        """As its rung, unless somebody has it coming and there is a card for it."""
        seat.style = self.character.style
        return self.bot.idle(seat) and not (seat.frame == "turn" and self._roused(seat))

    def choose(self, seat: Seat) -> Choice:
        seat.style = self.character.style
        free = seat.frame == "turn" and not seat.asked_for_an_answer
        got = turning.hold_back(seat) if free and self._roused(seat) else None
        return self._said(seat, got if got is not None else self.bot.choose(seat))

    def interject(self, seat: Seat) -> Choice | None:
        seat.style = self.character.style
        got = self.bot.interject(seat)
        if got is None and not seat.asked_for_an_answer and self._roused(seat):
            got = turning.hold_back(seat)
        return self._said(seat, got) if got is not None else None

    def _roused(self, seat: Seat) -> bool:
        """Has somebody it coming, by my temper or for what he did, and is there a card for it?"""
        return turning.armed(seat) and provoked(seat, chief(seat))

    def _said(self, seat: Seat, choice: Choice) -> Choice:
        lines = self._lines(occasion(seat, choice.move), choice.move)
        if not lines or not choice.reason:
            return choice
        whom = seat_of(choice.move.target)
        first = lines[(seat.number + seat.seat) % len(lines)]  # not by the card, which may be nobody's business
        said = first.replace("{}", seat.name(whom)) if whom >= 0 else first
        return Choice(choice.move, choice.reason, said)

    def _lines(self, when: str, m: Move) -> Lines:
        """What it says on such an occasion; who has no words for it says what goes with any blow, or any deal."""
        says = self.character.says
        if when in ("", "other"):
            return says.get(when, ())
        return says.get(when) or says["hit" if m.verb in _AT_SOMEBODY else "deal"]


def occasion(seat: Seat, m: Move) -> str:
    """What a move is between two players, as everybody sees it: a promise made, kept, broken, a wrong repaid."""
    whom = seat_of(m.target)
    if whom < 0 or whom == seat.seat:
        return "" if m.verb in _SILENT or m.verb in DEALS or whom >= 0 else "other"
    if m.verb in _AT_SOMEBODY:
        if seat.wrongs(whom):
            return "avenge" if seat.style.grudge or not seat.owed(whom) else "hit"
        return "break" if seat.owed(whom) and seat.style.honour < 0 else "hit"
    if m.verb not in DEALS:
        return ""
    if seat.style.honour and seat.owed(whom):
        kept, refused = ("keep", "regret") if seat.style.honour > 0 else ("deal", "break")
        return kept if m.verb == mv.ACCEPT else refused if m.verb == mv.DECLINE else "deal"
    return "promise" if m.verb == mv.ASK_HELP and seat.style.honour else "deal"


def reacts(kind: str, character: str) -> Lines:
    """What a character says to what is done to it, if it has words of its own for that."""
    known = CHARACTERS.get(character)
    return known.says.get(kind, ()) if known is not None else ()
