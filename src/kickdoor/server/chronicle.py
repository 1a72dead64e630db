"""The story of a finished game in figures: its turns and fights, who stood where when, and who stabbed whom.

A game is told step by step (`Beat`); what was taken back has not happened. Nothing here plays anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kickdoor.engine.facts.strength import standing, winning
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import TREASURE, Game
from kickdoor.engine.value.records import ACTIVE, Event
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr

CURSE_WEIGHS: Final = 3  # as much as so many points of combat strength
TURNED_WEIGHS: Final = 10  # a fight that had been won
DEATH_WEIGHS: Final = 10


class Clash(NamedTuple):
    """A fight as it stands: who is in it, the monsters, by how much the munchkins are ahead, and whether they win."""

    main: int
    helper: int
    foes: tuple[int, ...]
    mine: int
    ahead: int
    winning: bool


class Beat(NamedTuple):
    """What a step brought: moves of a seat, or (seat -1) something that the whole table agreed on."""

    step: int
    seat: int
    events: Sequence[Event]
    levels: tuple[int, ...]
    before: Clash | None
    after: Clash | None
    back: bool = False  # the last moves were taken back


def beat(step: int, what: en.Entries, before: Game, after: Game, events: Sequence[Event]) -> Beat:
    """One step of a record, with the games around it."""
    acted = isinstance(what, en.Made) and any(m[0] != mv.PASS for m in what.moves)
    seat = what.seat if isinstance(what, en.Made) and acted else -1
    levels = tuple(p.level for p in after.players)
    return Beat(step, seat, events, levels, clash(before), clash(after), isinstance(what, en.Undone))


def clash(g: Game) -> Clash | None:
    f = g.fight
    if f is None or f.over:
        return None
    mine, theirs = standing(g)
    return Clash(f.main, f.helper, tuple(x.face for x in f.foes if x.fate == ACTIVE), mine, mine - theirs, winning(g))


def chronicle(
    players: Sequence[str], winners: Sequence[int], first: Sequence[int], beats: Sequence[Beat]
) -> pr.Chronicle:
    """All of it; `first` are the Levels as the game begins."""
    told = Telling(len(players), tuple(first))
    for b in _happened(beats):
        told.take(b)
    return {
        "steps": len(beats),
        "players": list(players),
        "winners": list(winners),
        "turns": told.turns,
        "fights": told.fights,
        "betrayals": sorted(told.stabs, key=lambda s: -s["weight"]),
        "final": list(told.levels),
        "numbers": told.numbers,
    }


def _happened(beats: Sequence[Beat]) -> list[Beat]:
    """Without what was taken back."""
    out: list[Beat] = []
    for b in beats:
        if not b.back:
            out.append(b)
            continue
        last = next((i for i in range(len(out) - 1, -1, -1) if out[i].events or out[i].seat >= 0), None)
        if last is not None:
            del out[last]
    return out


class Telling:
    """The story so far."""

    def __init__(self, seats: int, levels: tuple[int, ...]) -> None:
        self.levels = levels
        self.turns: list[pr.TurnTold] = []
        self.fights: list[pr.FightTold] = []
        self.stabs: list[pr.Betrayal] = []
        self.numbers: list[pr.SeatNumbers] = [_nothing() for _ in range(seats)]
        self._fight: pr.FightTold | None = None
        self._standing = 0  # how many monsters were still in it

    def take(self, b: Beat) -> None:
        self._meets(b)
        self._stab(b)
        for e in b.events:
            self._event(b, e)
        self.levels = b.levels
        if self._fight is not None and b.after is None and self._fight["outcome"]:
            self._fight = None

    def _meets(self, b: Beat) -> None:
        """A fight begins, or more comes into it."""
        now = b.after
        if now is None:
            return
        if self._fight is None:
            turn = self.turns[-1]["turn"] if self.turns else 0
            self._fight = {"step": b.step, "turn": turn, "seat": now.main, "helper": -1, "foes": [], "outcome": ""}
            self.fights.append(self._fight)
        self._fight["seat"] = now.main
        self._fight["helper"] = now.helper
        if now.foes:  # a fight that everybody has left, or been made to leave, is still the one against them
            self._fight["foes"] = list(now.foes)
        self._standing = len(now.foes)
        for seat in (now.main, now.helper):
            if seat >= 0:
                self.numbers[seat]["best"] = max(self.numbers[seat]["best"], now.mine)

    def _stab(self, b: Beat) -> None:
        """Somebody who is not in a fight makes it worse for those who are."""
        was, now = b.before, b.after
        if was is None or now is None or was.main != now.main or b.seat in (-1, now.main, now.helper, was.helper):
            return
        if now.ahead < was.ahead:
            turned = was.winning and not now.winning
            card = next((e.card for e in b.events if e.card >= 0 and e.seat in (b.seat, -1)), -1)
            self._betrayal(b, b.seat, now.main, card, was.ahead, now.ahead, turned)

    def _betrayal(self, b: Beat, by: int, against: int, card: int, was: int, now: int, turned: bool) -> None:
        self.numbers[by]["stabs"] += 1
        weight = was - now + TURNED_WEIGHS * turned if was != now else CURSE_WEIGHS
        self.stabs.append(
            {
                "step": b.step,
                "by": by,
                "against": against,
                "card": card,
                "before": was,
                "after": now,
                "turned": turned,
                "died": False,
                "weight": weight,
            }
        )

    def _event(self, b: Beat, e: Event) -> None:
        n = self.numbers[e.seat] if e.seat >= 0 else _nothing()
        fight = self._fight
        if e.kind == "turn":
            self.turns.append({"step": b.step, "turn": e.n, "seat": e.seat, "levels": list(b.levels)})
            self._fight = self._fight if b.after is not None else None
        elif e.kind == "victory":
            # Where everybody was sent away, or would not fight, there is nobody to be beaten.
            won = self._standing > 0 or any(x.kind in ("level", "win") for x in b.events)
            n["won"] += won
            if fight is not None:
                fight["outcome"] = "won" if won else "over"
                n["killed"] += self._standing
                if fight["helper"] >= 0:
                    self.numbers[fight["helper"]]["helped"] += 1
        elif e.kind == "losing":
            n["lost"] += 1
            if fight is not None:
                fight["outcome"] = "lost"
        elif e.kind == "fight_over":
            if fight is not None:
                fight["outcome"] = fight["outcome"] or "over"
            self._fight = None
        elif e.kind == "death":
            n["deaths"] += 1
            self._died(e.seat, fight)
        elif e.kind == "curse":
            n["curses"] += 1
            if e.other >= 0 and e.other != e.seat:
                self._betrayal(b, e.other, e.seat, e.card, 0, 0, False)
        elif e.kind == "draw" and e.n == TREASURE:
            n["treasures"] += 1
        elif e.kind in _COUNTED:
            n[_COUNTED[e.kind]] += 1

    def _died(self, seat: int, fight: pr.FightTold | None) -> None:
        """Whoever stabbed the dead in that fight has a death on his conscience."""
        for s in self.stabs:
            if fight is not None and s["against"] == seat and s["step"] >= fight["step"] and not s["died"]:
                s["died"] = True
                s["weight"] += DEATH_WEIGHS


_COUNTED: Final[dict[str, pr.Counted]] = {"escaped": "escapes", "caught": "caught", "killed": "killed"}


def _nothing() -> pr.SeatNumbers:
    return {
        "won": 0,
        "lost": 0,
        "helped": 0,
        "killed": 0,
        "treasures": 0,
        "deaths": 0,
        "curses": 0,
        "stabs": 0,
        "escapes": 0,
        "caught": 0,
        "best": 0,
    }
