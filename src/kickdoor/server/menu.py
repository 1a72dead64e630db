"""The moves of a player as they are sent: each with a key to answer with, what it is in fields, and how it is said.

The key holds the four numbers of the engine's move. Nobody else has to know that: a client says it back as it came.
"""

from __future__ import annotations

from typing import Final, Literal

from kickdoor.cards.library import CardDef
from kickdoor.engine.kernel import legal
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move, seat_of
from kickdoor.engine.value.records import OFFER_TRADE
from kickdoor.engine.value.seen import Drafted
from kickdoor.server.protocol import MoveState, Target
from kickdoor.voice import naming, words

Parts = tuple[int, int, int, int]

DRAFTS: Final[dict[int, Drafted]] = {
    mv.SELL: "sell",
    mv.TRADE: "trade",
    mv.ASK_HELP: "help",
    mv.OFFER_HELP: "help",
    mv.CHARITY: "charity",
    mv.COUNTER: "help",
}
PICKS: Final[tuple[Literal["main", "helper", "handed"], ...]] = ("main", "helper", "handed")
# What is said of these depends on the move itself, and on the name of whom it is aimed at: it is kept.
_SETTLED: Final = frozenset(
    {
        *(mv.KICK, mv.LOOT, mv.CANCEL, mv.SELL, mv.CHARITY, mv.END_TURN, mv.PROPOSE, mv.SHOW_HAND, mv.WITHDRAW),
        *(mv.ASK_HELP, mv.OFFER_HELP, mv.TRADE),
    }
)
# And of these on the move, on the card it is made with, on how what it is aimed at is called, and on what is asked in
# `_of_a_card`, as long as every card in a fight is called by its own name.
_OF_CARDS: Final = frozenset({mv.PLAY, mv.EQUIP, mv.UNEQUIP, mv.DISCARD, mv.TROUBLE, mv.RUN, mv.SACRIFICE})
# And of these on the move and its words.
_OF_WORDS: Final = frozenset({mv.PASS, mv.KEEP, mv.ACCEPT, mv.DECLINE})
_SAID_KEPT: Final = 20_000
_Kept = tuple[CardDef | None, str, MoveState]
_said: dict[tuple[int, int, int, int, str, str, int], _Kept] = {}
# Of these there may be several that differ only in what they are done to.
_ALIKE: Final = frozenset({mv.PLAY, mv.USE, mv.EQUIP, mv.RUN, mv.SACRIFICE, mv.TROUBLE, mv.ADD})
_CARDS: Final = (fr.CARDS, fr.FOES)  # domains of a question whose options are cards


def key(m: Move) -> str:
    return f"{m.verb},{m.card},{m.target},{m.extra}"


def parts(key: str) -> Parts:
    """The numbers behind a key."""
    verb, card, target, extra = (int(x) for x in key.split(","))
    return verb, card, target, extra


def moves(g: Game, seat: int) -> dict[str, MoveState]:
    """Everything a player may do now. Tables share what they say alike, so it is not to be changed; and what is as it
    was is the very same thing."""
    fight = g.fight
    own_names = fight is None or all(f.face == f.card for f in fight.foes)
    out: dict[str, MoveState] = {}
    for m in legal(g, seat):
        verb = m.verb
        if verb in _SETTLED:
            aim = seat_of(m.target)
            k, state = _kept(g, m, seat, None, g.players[aim].name if aim >= 0 else "", "", 0)
        elif verb in _OF_CARDS and own_names:
            k, state = _of_a_card(g, m, seat)
        elif verb in _OF_WORDS:
            k, state = _kept(g, m, seat, None, "", words.say(g, m, seat), 0)
        else:
            k, state = key(m), shown(g, m, seat)
        out[k] = state
    return out


def _of_a_card(g: Game, m: Move, me: int) -> tuple[str, MoveState]:
    """A move with a card, of which it is also said whether it will be worn, and whom it lifts by a level."""
    played = m.verb == mv.PLAY
    with_ = g.lib.defs[m.extra].name if played and mv.names_card(m.extra) else ""
    so = 1 if played and words.worn(g, m, me) else 0
    aim = ""
    if m.target != mv.NONE:
        aim = naming.target_words(g, m.target, me)
        so += 2 if seat_of(m.target) == me else 0
    return _kept(g, m, me, g.lib.defs[m.card], aim, with_, so)


def _kept(g: Game, m: Move, me: int, d: CardDef | None, aim: str, said: str, so: int) -> tuple[str, MoveState]:
    """A move that is said alike at every table where all this is the same."""
    of = (m.verb, m.card, m.target, m.extra, aim, said, so)
    known = _said.get(of)
    if known is None or known[0] is not d:
        if len(_said) >= _SAID_KEPT:
            _said.clear()
        known = _said[of] = (d, key(m), shown(g, m, me))
    return known[1], known[2]


def shown(g: Game, m: Move, me: int) -> MoveState:
    """One move."""
    out: MoveState = {"action": mv.VERB_NAMES[m.verb], "text": words.say(g, m, me)}
    if m.verb == mv.CHOOSE:
        _answer(g, m, out)
        return out
    if m.card >= 0:
        out["card"] = m.card
    if m.target != mv.NONE:
        out["target"] = target(m.target)
    if m.verb == mv.ADD:
        _term(m, out)
    elif m.verb == mv.USE:
        out["way"] = mv.power_index(m.extra)
    elif mv.names_mode(m.extra):
        out["way"] = mv.mode_index(m.extra)
    elif mv.names_card(m.extra):
        out["second"] = m.extra
    if m.verb in DRAFTS:
        out["draft"] = "trade" if m.verb == mv.COUNTER and _counters_trade(g, m) else DRAFTS[m.verb]
    if m.verb in _ALIKE:
        _two_steps(g, m, me, out)
    return out


def target(code: int) -> Target:
    """What a move is aimed at."""
    seat = seat_of(code)
    if seat >= 0:
        return {"kind": "seat", "id": seat}
    if code >= 0:
        return {"kind": "card", "id": code}
    return {"kind": "munchkins" if code == mv.MUNCHKINS else "monsters", "id": -1}


def _two_steps(g: Game, m: Move, me: int, out: MoveState) -> None:
    """How it is said where one first says what, then on what."""
    title = words.title(g, m, me)
    if title:
        out["title"] = title
    label = words.label(g, m, me)
    if label:
        out["label"] = label


def _answer(g: Game, m: Move, out: MoveState) -> None:
    """What is chosen: a card, a player, or a number that means what the question is about."""
    f = g.stack[-1]
    domain = f.domain if isinstance(f, fr.Ask) else fr.CARDS
    if domain == fr.SEATS:
        out["target"] = {"kind": "seat", "id": m.card}
    elif domain not in _CARDS:
        out["answer"] = m.card
    elif m.card >= 0:
        out["card"] = m.card


def _term(m: Move, out: MoveState) -> None:
    """A part of an offer or a sale."""
    if m.card < 0 and mv.names_picks(m.extra):
        out["picks"] = PICKS[mv.picks_in(m.extra)]
    elif m.card < 0:
        out["treasures"] = mv.treasures_in(m.extra)
    elif m.extra == mv.DOUBLE_PRICE:
        out["double"] = True


def _counters_trade(g: Game, m: Move) -> bool:
    """Is it a trade that is countered, not a deal for help?"""
    return any(o.kind == OFFER_TRADE and o.by == seat_of(m.target) and o.to == m.seat for o in g.offers)
