"""A table that begins in the middle of a game: a finished game is played on from one of its positions, against bots.

Only games that are over can be played on, since a position holds what everybody held. The cards that nobody had seen
are shuffled anew, by a seed that is drawn and sealed now: how the first game went on says nothing about this one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

import kickdoor
from kickdoor.engine.value.game import Game
from kickdoor.server import deciding
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.chairs import fingerprint, fit_avatar, fit_name, guest_name, nameless
from kickdoor.server.replays import Replay, Stage
from kickdoor.server.trouble import Trouble


class Guest(NamedTuple):
    """Who plays on: on which seat, under which name, and against which bots (empty: those that played there)."""

    seat: int
    name: str
    bot: str
    token: str
    avatar: str = ""


def begin(stage: Stage, step: int, who: Guest, ident: str, tick: Callable[[], None]) -> list[en.Entries]:
    """The entries of a table that goes on from the position after a step. Raises Trouble where that cannot be."""
    r = stage.record
    stage.go(max(0, min(step, len(r.steps))), tick)
    g = stage.table.game
    assert g is not None
    if g.winners:
        raise Trouble("over", "Here the game has been won already. Go back to an earlier moment, and play on from it.")
    if not 0 <= who.seat < len(r.players):
        raise Trouble("no_seat", f"This game has {len(r.players)} seats; there is no number {who.seat + 1}.")
    names = [p.name for p in g.players]
    others = names[: who.seat] + names[who.seat + 1 :]
    names[who.seat] = guest_name(others) if nameless(who.name) else fit_name(who.name, others)
    options = msgspec.convert({**r.options, "listed": False}, op.TableOptions)  # its new host has not said so
    bots = [_bot(options, who.bot or b) for b in r.bots]
    bots[who.seat] = ""
    seal = deciding.new_seal()
    return [
        en.Opened(ident, _title(r, g), op.plain(options), len(names)),
        seal,
        en.Sat(who.seat, names[who.seat], r.sexes[who.seat], fingerprint(who.token), fit_avatar(who.avatar)),
        *(en.BotSat(i, b, names[i], r.sexes[i], _face(b)) for i, b in enumerate(bots) if b),
        _dealt(r, g, seal, names, bots, op.cards(options).hash),
    ]


def _dealt(r: Replay, g: Game, seal: en.Sealed, names: list[str], bots: list[str], cards: str) -> en.Dealt:
    return en.Dealt(
        seed=seal.seed,
        salt=seal.salt,
        players=names,
        sexes=r.sexes,
        chairs=list(range(len(names))),
        version=kickdoor.__version__,
        cards=cards,
        rules=r.rules,
        bots=bots,
        position=msgspec.json.decode(msgspec.json.encode(g.plain())),  # as the journal is going to have it
    )


def _bot(options: op.TableOptions, bot: str) -> str:
    bot = bot or options.standin
    if not op.known_bot(bot):
        raise Trouble("bad_bot", f"There is no bot {bot[:20]!r}.")
    return bot


def _face(bot: str) -> str:
    who = deciding.character_of(bot)
    return who.face if who is not None else ""


def _title(r: Replay, g: Game) -> str:
    return fit_name(f"{r.name[:25].strip()}, from turn {max(1, g.turns)}", [], 40)
