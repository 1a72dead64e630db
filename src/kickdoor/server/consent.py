"""By consent: what the people at a table can only do together. Take a move back, correct the table, wake a sleeper.

Consent is of seats, not of open lines: everybody who is a person at this table has to say yes, connected or not, also
who is played for by a bot. Only where the table settled in the lobby that nobody is waited for without end (`absent`)
those need not be asked who have been gone so long, with a bot in their seat: the room knows who that is (`Away`).

Whether a proposal is taken, and what is said of it, depends on nothing but what its proposer can see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from kickdoor.engine.correcting import NOT_THERE
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.reasons import Refused
from kickdoor.paper.plain import one_line
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.ballots import About, Ballot, asleep, place
from kickdoor.server.chairs import PERSON
from kickdoor.server.games import fixed
from kickdoor.server.learning import learnt
from kickdoor.server.table import PLAYING, Table
from kickdoor.server.trouble import Trouble

Away = Sequence[int]  # seats of people who need not be asked

BACKS: Final = 6  # moves of one seat in one turn that it may take back, or ask to, where it keeps others waiting by it
NOT_PLAYING: Final = ("not_playing", "No game is being played at this table.")


def playing(t: Table) -> Game:
    """The game, or a clear no."""
    if t.status != PLAYING or t.game is None:
        raise Trouble(*NOT_PLAYING)
    return t.game


# -- taking back ------------------------------------------------------------------------------------------------


def free_undo(t: Table, seat: int) -> bool:
    """May this seat take its last move back without asking? Only if nobody learnt anything by it."""
    if t.status != PLAYING or not t.past or t.past[-1].seat != seat or t.game is None:
        return False
    if _regrets_too_much(t, seat):
        return False
    last = t.past[-1]
    if t.unlearnt is None or t.unlearnt[:2] != (last.move, t.window):
        silent = t.passed == (t.seq, seat)  # nothing has changed by it that anybody could have learnt
        t.unlearnt = (last.move, t.window, silent or not learnt(last.game, t.game, last.events, t.eye))
    return t.unlearnt[2]


def _regrets_too_much(t: Table, seat: int) -> bool:
    """Has this seat taken back so much in this turn that it must not begin everybody's time anew once more? Who is
    alone with bots keeps nobody waiting."""
    if t.game is None or sum(c.who == PERSON for c in t.chairs) <= 1:
        return False
    return t.regrets.since(t.game.turns).seats.count(seat) >= BACKS


def undo(t: Table, seat: int, m: pr.Undo, away: Away) -> list[en.Entries]:
    playing(t)
    if not t.past:
        raise Trouble("no_undo", "There is nothing to take back.")
    if t.past[-1].seat != seat:
        raise Trouble("no_undo", "Somebody has moved since. Only the last move can be taken back.")
    if _regrets_too_much(t, seat):
        says = f"You have thought better of it {BACKS} times in this turn. Go on: others are waiting."
        raise Trouble("no_undo", says)
    move = t.last_move()
    if free_undo(t, seat):
        return [en.Undone(seat, move)]
    if t.declined == move:
        raise Trouble("no_undo", "You have asked for that already.")
    text = f"{t.chairs[seat].name} would like to take the last move back."
    return _ask(t, Ballot(0, "undo", seat, seat, text, None, [seat], [], About(move=move)), away)


# -- correcting -------------------------------------------------------------------------------------------------


def propose(t: Table, seat: int, m: pr.Propose, away: Away) -> list[en.Entries]:
    g = playing(t)
    fix = m.fix
    if fix.seat >= len(t.chairs) or not _one_correction(fix):
        raise Trouble("bad_fix", "A correction is a player and a level, or a player, a card and where it belongs.")
    _one_at_a_time(t, seat)
    if fix.card is not None and not in_sight(g, seat, fix.card):
        raise Trouble.because(NOT_THERE)  # the same words for a card in a hand, in a deck, and for no card at all
    try:
        fixed(g.clone(), fix)
    except Refused as e:
        raise Trouble.because(e.reason) from None
    why = one_line(m.why)
    text = f"{t.chairs[seat].name} proposes: {_fix_words(t, g, fix)}" + (f" ({why})" if why else "") + "."
    return _ask(t, Ballot(0, "fix", seat, fix.seat, text, msgspec.to_builtins(fix), [seat], [], _about(g, fix)), away)


def _one_correction(fix: pr.Fix) -> bool:
    """A Level and nothing else, or a card and where it belongs: what is voted on is what is said of it."""
    if fix.level is not None:
        return fix.card is None and fix.to is None
    return fix.card is not None and fix.to is not None


def in_sight(g: Game, seat: int, card: int) -> bool:
    """Can this seat see a card that could lie elsewhere: in play, on the discards, in a hand that it may look into?"""
    open_hands = [p.hand for s, p in enumerate(g.players) if s == seat or p.shown]
    tables = [p.table for p in g.players]
    return any(card in zone for zone in (*open_hands, *tables)) or any(p[-1:] == [card] for p in g.discards)


def _about(g: Game, fix: pr.Fix) -> About:
    if fix.level is not None:
        return About(level=g.players[fix.seat].level)
    return About(place=place(g, fix.card if fix.card is not None else -1))


def _fix_words(t: Table, g: Game, fix: pr.Fix) -> str:
    """What is proposed, as everybody may hear it: a card in a hand that not everybody sees is not named."""
    name = t.chairs[fix.seat].name
    if fix.card is None:
        return f"{name} is Level {fix.level}, not {g.players[fix.seat].level}"
    holder = next((p for p in g.players if fix.card in p.hand), None)
    hidden = holder is not None and not holder.shown
    card = f"a card of {holder.name}'s hand" if holder is not None and hidden else g.lib.defs[fix.card].name
    where = {"hand": f"into {name}'s hand", "table": f"in front of {name}", "discard": "on the discards"}
    return f"{card} belongs {where[fix.to or 'discard']}"


# -- somebody sleeps --------------------------------------------------------------------------------------------


def wake(t: Table, seat: int, m: pr.Wake, away: Away) -> list[en.Entries]:
    playing(t)
    if m.seat >= len(t.chairs) or not asleep(t, m.seat):
        raise Trouble("awake", "That player is awake, or played by a bot already.")
    text = f"{t.chairs[seat].name} would let a bot play for {t.chairs[m.seat].name}, who does not answer."
    return _ask(t, Ballot(0, "standin", seat, m.seat, text, None, [seat], []), away)


# -- asking and answering ---------------------------------------------------------------------------------------


def _one_at_a_time(t: Table, by: int) -> None:
    if any(v.by == by for v in t.votes):
        raise Trouble("voting", "Your last proposal is still being voted on. Withdraw it, or wait for the answer.")


def _ask(t: Table, v: Ballot, away: Away) -> list[en.Entries]:
    _one_at_a_time(t, v.by)
    v.id = t.voted + 1
    return [en.Asked(v.id, v.kind, v.by, v.seat, v.text, v.fix, v.about), *outcome(t, v, away)]


def vote(t: Table, seat: int, m: pr.Vote, away: Away) -> list[en.Entries]:
    """Yes or no. Who has said yes may still think better of it; whoever proposed it withdraws it so."""
    v = next((v for v in t.votes if v.id == m.vote), None)
    if v is None:
        raise Trouble("no_vote", "That vote is over.")
    if m.yes and seat in v.yes:
        raise Trouble("voted", "You have agreed to that already.")
    after = v.copy()
    if m.yes:
        after.yes.append(seat)
    else:
        after.no.append(seat)
    return [en.Voted(v.id, seat, m.yes), *outcome(t, after, away)]


def electors(t: Table, v: Ballot, away: Away) -> list[int]:
    """Who has to agree: every person here, connected or not.

    Whether a sleeper gets a bot is up to those who are awake: he can take his seat back with a word.
    """
    people = [s for s, c in enumerate(t.chairs) if c.who == PERSON and s not in away]
    if v.kind != "standin":
        return people
    return [s for s in people if s != v.seat and not t.chairs[s].dozing and not t.chairs[s].standin]


def outcome(t: Table, v: Ballot, away: Away) -> list[en.Entries]:
    """What a vote has come to: one no ends it, and everybody has to say yes."""
    if v.no:
        return [en.Closed(v.id, False)]
    if any(s not in v.yes for s in electors(t, v, away)):
        return []
    return [en.Closed(v.id, True), _agreed(v)]


def _agreed(v: Ballot) -> en.Entries:
    if v.kind == "undo":
        return en.Undone(v.by, v.about.move)
    if v.kind == "fix":
        return en.Fixed(v.by, v.fix or {})
    return en.StandIn(v.seat, True, ", who does not answer")


def due(t: Table, away: Away, old: Sequence[int]) -> list[en.Entries]:
    """What has come of open votes without another word: somebody got up, or was waited for long enough; or it is old.

    What everybody has agreed to and what cannot be done at this moment waits for a better one.
    """
    for v in t.votes:
        done: list[Any] = [en.Closed(v.id, False)] if v.id in old else outcome(t, v, away)
        if done and _possible(t, done):
            return done
    return []


def _possible(t: Table, done: Sequence[en.Entries]) -> bool:
    try:
        t.after(en.Entry(w) for w in done)
    except Exception:  # whatever it is: not now
        return False
    return True
