"""The game at a table: how entries of its journal begin it, carry it on and put it right, and whether it still asks the
same afterwards.

Nothing here knows a table. Whoever decides tries out by these what the fold of the journal then does (`table.Table`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from kickdoor.bots import lesson
from kickdoor.cards.library import Library
from kickdoor.engine import correcting, saving
from kickdoor.engine.facts.strength import strength
from kickdoor.engine.going_on import go_on
from kickdoor.engine.kernel import apply, to_act
from kickdoor.engine.setup import new_game
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game, Player
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Event
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.engine.value.stored import TYPES, StoredPlayer
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr

# With what a piece of talk or tidying is over, and what there is of it besides: it uses nothing up, and has no end.
ENDS_OF_TALK: Final = frozenset({mv.PROPOSE, mv.WITHDRAW, mv.DECLINE, mv.CANCEL, mv.EQUIP, mv.UNEQUIP, mv.SHOW_HAND})
TALK: Final = ENDS_OF_TALK | {mv.TRADE, mv.ASK_HELP, mv.OFFER_HELP, mv.COUNTER, mv.SELL, mv.ADD}
TALKS: Final = 4  # of one seat, in a row, for which everybody gets his time anew


class Packed(NamedTuple):
    """A game out of a shortcut that nobody has asked for yet: what is in it, its cards and its rules."""

    data: bytes
    lib: Library
    rules: Ruleset


class Past:
    """A game as it was before some moves, for taking them back; and what happened by them.

    `move` is `Table.count` after them, by which they are known. Out of a shortcut the game stays packed until somebody
    asks for it: moves are seldom taken back, and a server that takes hundreds of tables over has no time for it.
    """

    def __init__(self, seat: int, game: Game | Packed, window: int, move: int, events: Sequence[Event]) -> None:
        self.seat, self.window, self.move, self.events = seat, window, move, events
        self._game = game

    @property
    def game(self) -> Game:
        if isinstance(self._game, Packed):
            data, lib, rules = self._game
            self._game = saving.unpacked(lib, rules, data)
        return self._game

    def packed(self) -> bytes:
        """The game as it is written into a shortcut; its cards and rules are those of the table's game."""
        return self._game.data if isinstance(self._game, Packed) else saving.packed(self._game)


def seal(seed: int, salt: str) -> str:
    """SHA-256 of `seed:salt`."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


def deal(w: en.Dealt, o: op.TableOptions) -> Game:
    """The game that an entry begins."""
    rules = shared_rules(w)[1]
    if o.lesson and len(w.players) == lesson.SEATS:
        return lesson.first().deal(w.players, w.sexes, op.cards(o), rules, w.seed)
    if w.position:
        g = saving.position(op.cards(o), rules, w.position)
        go_on(g, w.seed, w.players)
        return g
    return new_game(w.players, tuple(o.packs), w.seed, rules, w.sexes, lib=op.cards(o), things=w.things)


def shared_rules(w: en.Dealt) -> tuple[en.Dealt, Ruleset]:
    """The entry with the rules that all tables share which play by them, and these as the engine reads them."""
    written, read = rules_of(msgspec.msgpack.encode(w.rules))
    return replace(w, rules=written), read


@lru_cache(maxsize=256)
def rules_of(packed: bytes) -> tuple[dict[str, Any], Ruleset]:
    """Most tables play by the same rules: as they are written, and as the engine reads them."""
    return msgspec.msgpack.decode(packed), msgspec.msgpack.decode(packed, type=Ruleset)


def made(g: Game, w: en.Made) -> tuple[Game, list[Event]]:
    """The game after these moves, and what happened; the old one is left as it was."""
    new = g.heir()
    events: list[Event] = []
    for parts in w.moves:
        events += apply(new, Move(w.seat, *parts))
    return new, events


def fixed(g: Game, fix: pr.Fix) -> None:
    if fix.level is not None:
        correcting.correct_level(g, fix.seat, fix.level)
    elif fix.card is not None and fix.to is not None:
        correcting.correct_card(g, fix.seat, fix.card, fix.to)


def loser(g: Game) -> int:
    """Who has lost a game: the lowest Level, then the least strength, then the first to the winner's left."""
    order = g.around(g.winners[0])
    return min(order, key=lambda s: (s in g.winners, g.players[s].level, strength(g, s)))


def said_with(w: en.Made) -> str:
    """What a bot says to its move. Why it lets something be would tell what it holds."""
    return w.reason if w.by == "bot" and any(m[0] != mv.PASS for m in w.moves) else ""


def same_window(old: Game, new: Game, w: en.Made) -> bool:
    """Has only somebody passed, so that what the others are looking at is still so?"""
    if any(m[0] != mv.PASS for m in w.moves) or new.winners or type(old.stack[-1]) is not type(new.stack[-1]):
        return False
    return set(to_act(new)) == set(to_act(old)) - {w.seat}


def talks_on(recent: Sequence[Move], w: en.Made) -> bool:
    """Has this seat talked and tidied so often, while nobody did anything else, that the others need not look up for
    it again? Such moves use nothing up, and so could keep a table waiting for ever."""
    if not all(m[0] in TALK for m in w.moves):
        return False
    times = 0
    for m in reversed(recent):
        if m.verb not in TALK and m.verb != mv.PASS:
            break
        times += m.seat == w.seat and m.verb in ENDS_OF_TALK
    return times > TALKS


def only_passed(old: Game, new: Game, seat: int) -> bool:
    """Are two games the same but for who has passed? What a seat may do does not depend on who else has; who has faced
    a monster is asked of the main player only (EPIC-26)."""
    if not _alike(old, new, _FIELDS) or not all(
        _alike(a, b, _OF_PLAYERS) for a, b in zip(old.players, new.players, strict=True)
    ):
        return False
    *below, top = new.stack
    if hasattr(top, "passed"):
        top = replace(top, passed=old.stack[-1].passed)  # type: ignore[attr-defined]
    if [*below, top] != old.stack or (old.fight is None) != (new.fight is None):
        return False
    if old.fight is None or new.fight is None or old.fight is new.fight:
        return True
    foes = new.fight.foes
    if seat != new.fight.main and len(foes) == len(old.fight.foes):
        foes = [replace(f, faced=o.faced) for f, o in zip(foes, old.fight.foes, strict=True)]
    return bool(replace(new.fight, passed=old.fight.passed, foes=foes) == old.fight)


def _alike(a: Game | Player, b: Game | Player, fields: tuple[str, ...]) -> bool:
    for name in fields:
        x, y = getattr(a, name), getattr(b, name)
        if x is not y and x != y:
            return False
    return True


_FIELDS: Final = tuple(name for name in TYPES if name not in ("stack", "fight", "players"))
_OF_PLAYERS: Final = StoredPlayer.__struct_fields__
