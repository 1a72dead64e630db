"""What an observation is, in terms of the view of a seat and of what is printed on the cards, and of nothing else.

The encoder of the lab reads the game itself, because that is faster; it has to come to the same numbers as this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kickdoor.cards.library import CardDef
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import PHASES
from kickdoor.engine.value.moves import VERB_NAMES, Move, seat_of
from kickdoor.engine.value.seen import FightState, View
from kickdoor.lab.encoding import ACTIONS, CARD_KINDS, EDGE, MOVE, PENDING, Encoder


class Reference:
    """An encoder that is given a view."""

    def __init__(self, encoder: Encoder) -> None:
        self.e = encoder

    def observe(self, v: View, seat: int, options: Sequence[Move | None]) -> dict[str, Any]:
        mask = np.zeros(ACTIONS, np.int8)
        moves = np.zeros((ACTIONS, len(MOVE)), np.float32)
        at = 0 if options and options[0] is None else 1
        rows = [self._move(v, seat, move) for move in options[: ACTIONS - at]]
        if rows:
            mask[at : at + len(rows)] = 1
            moves[at : at + len(rows)] = np.array(rows, np.float32).clip(-EDGE, EDGE)
        cards = np.full(ACTIONS, -1, np.int16)
        for i, move in enumerate(options[: ACTIONS - at]):
            if move is not None and 0 <= move.card < len(self.e.lib.defs):
                cards[at + i] = self.e.number[move.card]
        seen = self._vector(v, seat)
        return {"observation": seen, "moves": moves, "action_mask": mask, "action_cards": cards}

    def _vector(self, v: View, seat: int) -> Any:
        out = np.zeros(self.e.size, np.float32)
        numbers = _table(v, seat)
        order = [(seat + i) % self.e.players for i in range(self.e.players)]
        for s in order:
            numbers += self._seat(v, s)
        out[: len(numbers)] = np.array(numbers, np.float32).clip(-EDGE, EDGE)
        at = len(numbers)
        for cards in (v["players"][seat]["hand"] or [], *(v["players"][s]["table"] for s in order)):
            for c in cards:
                n = self.e.number[c]
                if n >= 0 and out[at + n] < EDGE:
                    out[at + n] += 1
            at += self.e.cards
        return out

    def _seat(self, v: View, s: int) -> list[float]:
        p, fight = v["players"][s], v["fight"]
        return [
            p["level"] / 10, p["dead"], p["hand_size"] / 8, p["strength"] / 20, p["run_bonus"] / 5,
            p["hands_free"] / 2, p["hand_limit"] / 6, p["sex"] in ("male", "both"), p["sex"] in ("female", "both"),
            len(p["equipped"]) / 6, len(p["table"]) / 10, sum(_facts(self.e.lib.defs[c])[2] for c in p["table"]) / 2,
            len(p["afflictions"]) / 3, len(p["traits"]) / 4, v["turn"] == s, s in v["awaited"],
            fight is not None and fight["main"] == s, fight is not None and fight["helper"] == s,
            fight is not None and s in fight["passed"], s in v["winners"],
        ]  # fmt: skip

    def _move(self, v: View, seat: int, move: Move | None) -> list[float]:
        verb = [0.0] * (len(VERB_NAMES) + 1)
        kind = [0.0] * len(CARD_KINDS)
        facts: tuple[float, ...] = (0.0,) * 5
        hand = used = False
        if move is None:
            verb[-1] = 1.0
            return [*verb, *[0.0] * (len(MOVE) - len(verb))]
        verb[move.verb] = 1.0
        if 0 <= move.card < len(self.e.lib.defs):
            kind[_kind(self.e.lib.defs[move.card])] = 1.0
            facts = _facts(self.e.lib.defs[move.card])
            me = v["players"][seat]
            hand, used = move.card in (me["hand"] or []), move.card in me["equipped"]
        to = seat_of(move.target)
        other = v["players"][to] if 0 <= to < self.e.players else None
        return [
            *verb, *kind, *facts, hand, used, to == seat, other is not None and to != seat,
            move.target == mv.MUNCHKINS, move.target == mv.MONSTERS, move.target >= 0,
            other["level"] / 10 if other else 0.0, other["strength"] / 20 if other else 0.0, *_extra(v, move),
        ]  # fmt: skip


def _kind(d: CardDef) -> int:
    return CARD_KINDS.index(d.kind) if d.kind in CARD_KINDS else len(CARD_KINDS) - 1


def _facts(d: CardDef) -> tuple[float, ...]:
    """What is printed on a card, as far as it is a number."""
    return (d.level / 20, d.bonus / 10, (d.gold or 0) / 1000, d.treasures / 5, float(d.big))


def _extra(v: View, move: Move) -> list[float]:
    """What a move says besides: terms of an offer, or a number that was asked for."""
    treasures = mv.treasures_in(move.extra) if mv.names_treasures(move.extra) else 0
    picks = mv.picks_in(move.extra) if move.verb == mv.ADD and mv.names_picks(move.extra) else -1
    asked = v["asked"]
    number = move.verb == mv.CHOOSE and asked is not None and asked["domain"] == "numbers"
    return [
        treasures / 5 if move.verb == mv.ADD else 0.0,
        picks == mv.PICKS_MAIN,
        picks == mv.PICKS_HELPER,
        picks == mv.PICKS_HANDED,
        number,
        move.card / 10 if number else 0.0,
    ]


def _table(v: View, me: int) -> list[float]:
    """The middle of the table."""
    asked, pending = v["asked"], v["pending"]
    what = pending["what"] if pending else ""
    roll = pending if what == "roll" else None
    offers = [o for o in v["offers"] if o["to"] == me]
    known = [what == p for p in PENDING]
    return [
        *(v["phase"] == p for p in PHASES),
        v["turn"] == me, v["turns"] / 100, v["decks"][0] / 100, v["decks"][1] / 100,
        v["discard_counts"][0] / 100, v["discard_counts"][1] / 100,
        asked is not None and asked["seat"] == me, asked is not None and asked["seat"] != me,
        len(offers), sum(o["treasures"] for o in offers) / 5,
        *known, bool(what) and not any(known), pending is not None and pending.get("seat") == me,
        roll["die"] / 6 if roll else 0.0, roll["need"] / 6 if roll else 0.0,
        *_fight(v["fight"], me),
    ]  # fmt: skip


def _fight(f: FightState | None, me: int) -> list[float]:
    if f is None:
        return [0.0] * 11
    ahead = f["munchkins"] - f["monsters"]
    return [
        1.0, f["main"] == me, f["helper"] == me, f["munchkins"] / 20, f["monsters"] / 20, ahead / 10, f["winning"],
        f["fleeing"], sum(x["active"] for x in f["foes"]), f["treasures"] / 5, f["deal"]["treasures"] / 5,
    ]  # fmt: skip
