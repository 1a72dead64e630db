"""A refusal in words: the gaps in its sentence are filled from the move and the game, in the words of the table's book.

Nothing is told to whom it does not concern: a card that the player cannot see is "that card" (DESIGN: views).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.contexts import Alternatives
from kickdoor.cards.library import Mode, Power
from kickdoor.engine.chapters import charity, helping, interfering, selling
from kickdoor.engine.facts import fights, force, front
from kickdoor.engine.playing import abilities, plays
from kickdoor.engine.table import items, powers
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, USE, Move, power_index, seat_of
from kickdoor.engine.value.reasons import Reason
from kickdoor.paper.grammar import SOMEBODY, Person, Word, capital, listed, render, together

_THAT: Final = "that card"


def worded(g: Game, move: Move, reason: Reason) -> Reason:
    """The refusal of this move as it is told to whoever tried it."""
    return reason._replace(says=capital(render(_in_book_words(g, reason.says), lambda gap: FILL[gap](g, move))))


def _in_book_words(g: Game, says: str) -> str:
    """Traps and Sidekicks are Curses and Hirelings (XOVER-2)."""
    labels, companion = g.rules.curse.labels, g.rules.companion
    if r.CURSE_WORD not in labels:
        says = _instead(says, r.CURSE_WORD, labels[0])
    if companion is not None and companion.label != r.COMPANION_WORD:
        says = _instead(says, r.COMPANION_WORD, companion.label)
    return says


def _instead(says: str, word: str, other: str) -> str:
    return re.sub(rf"\b{word}(?=s?\b)", other, says)


# -- cards and players ------------------------------------------------------------------------------------------


def _name(g: Game, seat: int, card: int) -> str:
    if not 0 <= card < len(g.lib.defs) or not front.sees(g, seat, card):
        return _THAT
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    return g.lib.defs[foe.face if foe is not None else card].name


def _person(g: Game, m: Move, seat: int) -> Person:
    """A player, as whoever tried the move is told of him."""
    return Person(g.players[seat].name, seat == m.seat)


def _people(g: Game, m: Move, seats: list[int]) -> Person:
    return together([_person(g, m, s) for s in seats])


def _target(g: Game, m: Move) -> Person:
    s = seat_of(m.target)
    if s >= 0:
        return _person(g, m, s)
    if m.target in (MUNCHKINS, MONSTERS):
        return Person("the munchkins' side" if m.target == MUNCHKINS else "the monsters' side")
    return Person(_name(g, m.seat, m.target) if m.target >= 0 else "that")


def _answer(g: Game, m: Move) -> str:
    """What was answered, as the question would have it: a card, a player, or something else."""
    top = g.stack[-1]
    domain = top.domain if isinstance(top, fr.Ask) else fr.CARDS
    if domain == fr.SEATS and 0 <= m.card < len(g.players):
        return g.players[m.card].name
    return _name(g, m.seat, m.card) if domain in (fr.CARDS, fr.FOES) else "that"


def _text(g: Game, m: Move) -> str:
    """The card's own words, which say what it asks for; of Epic powers the rulebook speaks, not the card."""
    p = _power_meant(g, m)
    if p is not None and p.epic:
        return "The rule says what it takes."
    text = g.lib.defs[m.card].card.text if front.sees(g, m.seat, m.card) else None
    return f"It says: {text}" if text else "It says itself when it may be used."


def _owner(g: Game, m: Move) -> Person:
    owner = front.owner(g, m.target) if m.target >= 0 else seat_of(m.target)
    return _person(g, m, owner) if owner >= 0 else Person("the owner")


def _asked(g: Game, m: Move) -> Person:
    return _person(g, m, getattr(g.stack[-1], "seat", g.turn))


def _pending(g: Game, m: Move) -> str:
    top = g.stack[-1]
    return g.lib.defs[top.card].name if isinstance(top, fr.Curse) else "what is going on"


def _fighter(g: Game, m: Move) -> Person:
    return _person(g, m, g.fight.main) if g.fight is not None else Person("the fighter")


def _helper(g: Game, m: Move) -> Person:
    return _person(g, m, g.fight.helper) if g.fight is not None and g.fight.helper >= 0 else SOMEBODY


def _protected(g: Game, m: Move) -> Person:
    bans = interfering.bans(g, m.seat)
    return _people(g, m, [s for s in range(len(g.players)) if bans >> s & 1])


def _companion(g: Game, m: Move) -> str:
    have = front.companions(g, m.seat)
    return g.lib.defs[have[0]].name if have else "the other"


def _power_meant(g: Game, m: Move) -> Power | None:
    top = g.stack[-2] if len(g.stack) > 1 else None
    if isinstance(top, fr.Pay):  # its price is being chosen
        return abilities.power_of(g, top.seat, top.card, top.ability)
    if m.verb != USE or m.card < 0:
        return None
    foe = fights.find_foe(g.fight, m.card) if g.fight is not None else None
    d = g.lib.defs[foe.face if foe is not None else m.card]
    index = power_index(m.extra)
    return d.powers[index] if 0 <= index < len(d.powers) and front.sees(g, m.seat, m.card) else None


def _power(g: Game, m: Move) -> str:
    p = _power_meant(g, m)
    return p.name if p is not None else "such power"


# -- how much ---------------------------------------------------------------------------------------------------


def _price(g: Game, m: Move) -> str:
    p = _power_meant(g, m)
    if p is None:
        return "more"
    if p.cost_hand:
        return f"{p.cost_hand} cards at least" if p.cost_hand > 1 else "one card at least"
    if p.cost_level:
        return _many(p.cost_level, "Level")
    n = abilities.price(g, p, m.target)
    where = {"hand": " from your hand", "in_play": " in play"}.get(p.cost_from, " of yours")
    return _many(n, "card") + where + (", of the kind it names" if p.cost_what is not None else "")


def _many(n: int, what: str) -> str:
    return f"one {what}" if n == 1 else f"{n} {what}s"


def _bigs(g: Game, m: Move) -> str:
    return _many(len(items.bigs(g, m.seat)), "Big Item")


def _hands(g: Game, m: Move) -> str:
    return _many(items.hands_for(g, m.seat, g.lib.defs[m.card]), "Hand")


def _free_hands(g: Game, m: Move) -> str:
    return str(max(0, items.hand_capacity(g, m.seat) - items.hands_used(g, m.seat)))


def _named_worth(g: Game, m: Move) -> str:
    f = g.stack[-1]
    return str(selling.worth(g, f)) if isinstance(f, fr.Draft) else "0"


def _excess(g: Game, m: Move) -> str:
    f = g.stack[-1]
    return _many(f.need, "card") if isinstance(f, fr.Draft) else "some"


def _still(g: Game, m: Move) -> str:
    f = g.stack[-1]
    return str(f.low - len(f.chosen)) if isinstance(f, fr.Ask) else "some"


# -- when -------------------------------------------------------------------------------------------------------

_MOMENT: Final = {
    "any_time": "at any open moment",
    "own_turn": "on your own turn",
    "own_turn_idle": "on your own turn, out of combat",
    "idle": "while nobody fights",
    "fight": "in a fight",
    "own_turn_fight": "in a fight of your own turn",
    "fight_start": "as a fight begins, before anything else is done",
    "before_roll": "before the roll to run away",
    "before_dice": "before the first roll to run away",
    "after_roll": "right after a roll",
    "after_failed_roll": "right after a failed roll",
    "after_escape": "right after an escape",
    "curse": "as a Curse strikes",
    "victory": "upon a victory",
    "after_combat": "right after a fight",
    "face_up_draw": "when cards are drawn face-up",
    "any_time_not_fighting": "while you are not in a fight",
    "monster_discarded": "when a monster has just been discarded",
    "dying": "when you have just died of a lost fight",
    "trait": "on your own turn, or the moment you get it",
    "power": "at any open moment",
    "face_up_door": "when the door shows it",
    "invited": "when monsters have been invited",
    "portal": "on your own turn, or the moment you get it",
    "companion": "at any open moment",
}
_ROLE: Final = {
    "fighter": "by those who fight",
    "main": "by the one whose fight it is",
    "helper": "by the helper",
    "bystander": "by those who do not fight",
    "runner": "by whoever runs",
    "victim": "by the one it strikes",
    "roller": "by the one who rolled",
}


def _when(g: Game, m: Move) -> str:
    """The moment for a card or a power, as a phrase: "right after a failed roll, by whoever runs"."""
    way: Mode | Power | None = _power_meant(g, m)
    if way is None and m.card >= 0:
        way = plays.meant(g.lib.defs[m.card], m)
    return moment(way.alts, way.by) if way is not None else "at another time"


_BY_THE_WAY: Final = cx.FRESH | cx.CREATION | cx.OPENING  # moments that nobody can wait for


def later(g: Game, seat: int, ctx: int, way: Mode | Power) -> tuple[str, str]:
    """When this may be played or used, by what it is judged by; and what comes before that. Both empty: it is time."""
    if cx.fits(ctx, way.alts, way.by):
        return "", ""
    return moment(way.alts, way.by), until(g, seat, way.alts)


def until(g: Game, seat: int, alts: Alternatives) -> str:
    """What has to pass before such a moment can come: other turns, or this fight; empty if it may come at any time."""
    waited = [(any_of & ~_BY_THE_WAY, all_of) for any_of, all_of in alts if any_of & ~_BY_THE_WAY]
    own = all(all_of & cx.OWN_TURN or any_of == cx.OWN_IDLE for any_of, all_of in waited)
    if own and g.turn != seat:
        before = g.around(g.turn)
        names = [g.players[s].name for s in before[: before.index(seat)]]
        return f"your turn comes after {listed(names)}"
    stages = 0
    for any_of, _ in waited:
        stages |= any_of
    if g.fight is not None:
        return "" if stages & ~(cx.OWN_IDLE | cx.OTHER_IDLE) else "this fight is settled first"
    return "the next one may be anybody's" if stages == cx.FIGHT and not own else ""


def moment(alts: Alternatives, by: int) -> str:
    when = next((_MOMENT[word] for word, x in cx.WHEN.items() if x == alts), "at its own time")
    role = next((_ROLE[word] for word, bits in cx.BY.items() if bits == by and word in _ROLE), "")
    return f"{when}, {role}" if role else when


FILL: Final[dict[str, Callable[[Game, Move], Word]]] = {
    "card": lambda g, m: _name(g, m.seat, m.card),
    "answer": _answer,
    "text": _text,
    "target": _target,
    "owner": _owner,
    "power": _power,
    "when": _when,
    "asked": _asked,
    "pending": _pending,
    "fighter": _fighter,
    "helper": _helper,
    "companion": _companion,
    "protected": _protected,
    "turn": lambda g, m: _person(g, m, g.turn),
    "winners": lambda g, m: _people(g, m, list(g.winners)),
    "lowest": lambda g, m: _people(g, m, charity.receivers(g, g.turn)),
    "door": lambda g, m: g.lib.defs[g.door_card].name if g.door_card >= 0 else _THAT,
    "price": _price,
    "bigs": _bigs,
    "hands": _hands,
    "free": _free_hands,
    "all_hands": lambda g, m: str(items.hand_capacity(g, m.seat)),
    "hand": lambda g, m: str(len(g.players[m.seat].hand)),
    "limit": lambda g, m: str(force.hand_limit(g, m.seat)),
    "still": _still,
    "excess": _excess,
    "worth": lambda g, m: str(selling.most(g, m.seat)),
    "named": _named_worth,
    "threshold": lambda g, m: f"{g.rules.sell.threshold:,}",
    "room": lambda g, m: str(max(0, powers.room(g, m.seat))),
    "yields": lambda g, m: str(helping.expected_treasures(g)),
}
