"""Arguments at a table with real cards: may this be put on, could I now ...? The engine is asked, and says its rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from kickdoor.companion import shapes as sh
from kickdoor.companion.laying import FREE, Impossible, Laid, lay
from kickdoor.engine.facts import fights
from kickdoor.engine.facts import strength as st
from kickdoor.engine.kernel import apply, legal, when_card, why_not_card
from kickdoor.engine.playing import saying
from kickdoor.engine.table import items
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.notation import card_text
from kickdoor.engine.value.records import Token
from kickdoor.paper.grammar import capital
from kickdoor.scenario.writing import as_yaml
from kickdoor.voice.words import say

ASKED: Final = "asked"  # the thing that a question is about
WAYS: Final = 12
_ABOUT: Final = (mv.PLAY, mv.USE, mv.EQUIP, mv.TROUBLE)


def may_have(question: sh.ItemQuestion) -> sh.ItemTold:
    """May this sheet have this card in play, and would it be in use? Raises Impossible."""
    asked = question.position
    position = sh.Position(asked.packs, asked.sheets, asked.limit, asked.dungeons, question.sheet)  # at a quiet moment
    laid = lay(position, {question.sheet: [(ASKED, question.card)]})
    card, seat = _card(laid, question.sheet, question.card)
    g = laid.g
    why = why_not_card(g, seat, card)
    if why is not None:
        return {"may": False, "worn": False, "rule": why.rule, "says": _with_its_time(g, seat, card, why.says)}
    d = g.lib.defs[card]
    if not items.can_be_equipped(g, card):
        return {"may": True, "worn": True, "rule": "", "says": f"{d.name} can be in play."}
    g.players[seat].hand.remove(card)
    g.players[seat].table.append(card)
    g.touch()
    no = items.why_not_equip(g, seat, card)
    if no is None:
        return {"may": True, "worn": True, "rule": "", "says": f"{d.name} can be put on."}
    no = saying.worded(g, Move(seat, mv.EQUIP, card), no)
    return {"may": True, "worn": False, "rule": no.rule, "says": f"It can be carried. {no.says}"}


def _card(laid: Laid, sheet: str, label: str) -> tuple[int, int]:
    if sheet not in laid.seats:
        raise Impossible("Whose card it is has no sheet here.")
    card = laid.cards.get(ASKED, -1)
    if card < 0:
        raise Impossible(f"{label or 'That card'} is not in these sets; nothing can be said about it.")
    return card, laid.seats[sheet]


def could(question: sh.CouldQuestion) -> sh.CouldTold:
    """Could this one now play this card, or use what it can do? Raises Impossible."""
    asked = question.position
    if question.sheet not in {s.sheet for s in asked.sheets}:
        raise Impossible("Whose card it is has no sheet here.")
    mine = next(s for s in asked.sheets if s.sheet == question.sheet)
    lying = next((h.thing for h in mine.cards if h.card.lower() == question.card.lower()), "")
    laid = lay(asked) if lying else None
    if laid is None or lying not in laid.cards:  # it is turned away, or nowhere: then it would come from the hand
        lying, laid = "", lay(asked, {question.sheet: [(ASKED, question.card)]})
    else:
        laid.cards[ASKED] = laid.cards[lying]
    card, seat = _card(laid, question.sheet, question.card)
    g = laid.g
    moves = [m for m in legal(g, seat) if m.card == card and m.verb in _ABOUT]
    if question.on:
        moves = [m for m in moves if m.target in _targets(laid, question.on)]
    why = why_not_card(g, seat, card) if not moves else None
    asking = _Asked(_assumed(laid, bool(lying)), as_yaml(_document(laid)))
    if moves:
        ways = list(dict.fromkeys(say(g, m, seat) for m in moves))[:WAYS]
        says = f"Yes: {ways[0]}." if len(ways) == 1 else f"Yes, in {len(ways)} ways."
        return asking.told(True, says, ways=ways, then=_then(laid, moves[0]))
    if why is None:
        return asking.told(False, "Not on that one; on something else it could be used.")
    return asking.told(False, _with_its_time(g, seat, card, why.says), why.rule)


class _Asked(NamedTuple):
    """What goes with every ruling."""

    assumed: list[str]
    scenario: str

    def told(self, may: bool, says: str, rule: str = "", ways: Sequence[str] = (), then: str = "") -> sh.CouldTold:
        return {
            "may": may,
            "rule": rule,
            "says": says,
            "ways": list(ways),
            "then": then,
            "assumed": self.assumed,
            "scenario": self.scenario,
        }


def _targets(laid: Laid, on: str) -> tuple[int, ...]:
    """What a move has to be aimed at: a side, a sheet, a thing."""
    if on == "munchkins":
        return (mv.MUNCHKINS,)
    if on == "monsters":
        return (mv.MONSTERS,)
    if on in laid.seats:
        return (mv.at_seat(laid.seats[on]),)
    return (laid.cards[on],) if on in laid.cards else ()


def _with_its_time(g: Game, seat: int, card: int, says: str) -> str:
    """Why not now, and when: said once."""
    when, before = when_card(g, seat, card)
    if when and when not in says:
        verb = "played" if card in g.players[seat].hand else "used"
        return f"{says} It can be {verb} {when}{f'; {before}' if before else ''}."
    return f"{says} {capital(before)}." if before else says


def _then(laid: Laid, move: Move) -> str:
    """How the fight would stand, where there is one and nothing has to be chosen."""
    g = laid.g.clone()
    g.events = None
    if g.fight is None:
        return ""
    apply(g, move, trusted=True)
    if g.fight is None or g.fight.over:
        return "Then the fight is over."
    if not isinstance(g.stack[-1], fr.Combat):
        return "Then something has to be chosen, rolled or paid."
    mine, theirs = st.standing(g)
    return f"Then it is {mine} to {theirs}: {'won' if st.winning(g) else 'lost'}, as it stands."


def _assumed(laid: Laid, lying: bool) -> list[str]:
    g = laid.g
    out = [*laid.assumed, *(r["says"] for r in laid.refusals)]
    names = ", ".join(g.players[s].name for s in fights.fighters(g)) if g.fight is not None else ""
    quiet = f"It is the turn of {g.players[g.turn].name}, before the door."
    out.append(f"A fight is on, and {names} can still act." if names else quiet)
    out.append("The card lies in play." if lying else "The card is in hand.")
    out.append("Nobody holds any other cards, and nobody has used anything this turn.")
    return out


def _document(laid: Laid) -> dict[str, Any]:
    """The position as a scenario: the table, and the cards that were played into the fight."""
    g = laid.g
    doc: dict[str, Any] = _unnumbered(laid.doc, str(laid.doc))
    sides = {mv.MUNCHKINS: "munchkins", mv.MONSTERS: "monsters"}
    steps = []
    for m in laid.played:
        on = sides.get(m.target) or g.lib.defs[m.target].name
        steps.append({g.players[m.seat].name: {"play": g.lib.defs[m.card].name, "on": on}})
    if steps:
        doc["steps"] = steps
    entered = [_entered(g, t) for t in g.fight.tokens if t.rule.startswith(FREE)] if g.fight is not None else []
    if entered:
        doc["table"]["memory"] = {"fight": {"tokens": entered}}
    return doc


def _entered(g: Game, t: Token) -> dict[str, Any]:
    """A number that somebody entered, as a table remembers it."""
    foe = card_text(g.lib, t.foe) if t.foe >= 0 else -1
    seat = g.players[t.seat].name if t.seat >= 0 else -1
    return {"amount": t.amount, "seat": seat, "monsters": t.monsters, "card": -1, "foe": foe}


def _unnumbered(value: Any, all_: str) -> Any:
    """Cards of which there is one are called by their names alone."""
    if isinstance(value, dict):
        return {_unnumbered(k, all_): _unnumbered(v, all_) for k, v in value.items()}
    if isinstance(value, list):
        return [_unnumbered(x, all_) for x in value]
    if isinstance(value, str) and "#1" in value and value.replace("#1", "#2") not in all_:
        return value.replace("#1", "")
    return value
