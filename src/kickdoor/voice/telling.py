"""What happened, told at the table: one short sentence for each event, with its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from kickdoor.engine.facts import fights, front
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import MUNCHKINS, seat_of
from kickdoor.engine.value.records import KILLED, Event
from kickdoor.paper.grammar import Person, Word, article, listed, many, number, render, signed, whose
from kickdoor.voice.asking import offer_words
from kickdoor.voice.naming import DECK_NAMES, card_name, person, target_words

ONLOOKER: Final = -1


class Line(NamedTuple):
    """A sentence of the log, the rule behind it, how loud it is, and what the one who did it said."""

    text: str
    rule: str = ""
    tone: str = ""
    said: str = ""
    event: Event | None = None  # what it tells of, without the card if the listener may not know it


# {w}: who; {own}: his, her, their; {o}: the other one; {c}: the card; {n}: a number; {an}: with its article; [verbs] go
# with who.
# One row for every kind of event. SILENT: told by another event already, or of no interest.
SILENT: Final = ("", "")
_SAYS: Final[dict[str, tuple[str, str]]] = {
    "turn": ("-- {w's} turn --", "turn"),
    "skipped": ("{w} [misses] a turn.", "bad"),
    "end_turn": SILENT,
    "kick": ("{w} [kicks] open the door: {c}.", "door"),
    "room": ("{c} is the room for this fight.", "door"),
    "keep": ("{w} [keeps] {c}.", ""),
    "trouble": ("{w} [looks] for trouble with {c}.", "door"),
    "loot": ("{w} [loots] the room.", ""),
    "roll": ("{w} [rolls] {an}.", "die"),
    "die_set": ("{w} [turns] the die to {n}.", "die"),
    "roll_bonus": ("{w} [adds] {n} to the roll.", "die"),
    "figure": ("{w} [puts] a figure on the board.", ""),
    "win": ("{w} [wins] the game!", "good"),
    "no_draw": ("There is no {d} left to draw.", ""),
    "shuffle": ("The {d} discards are shuffled into a new deck.", ""),
    "reserve": ("The {d} pile has run out: the reserve is next.", ""),
    "retrieve": ("{w} [takes] {c} from the discards.", ""),
    "peek": ("{w} [looks] at the top of a deck, alone.", ""),
    "immediate": ("{c} takes effect at once.", ""),
    "portal": ("{w} [steps] through {c}.", "door"),
    "discard": SILENT,
    "box": ("{c} is out of the game.", ""),
    "annihilate": ("{c} is gone for good.", "bad"),
    "home": ("{c} goes back on top of its deck.", ""),
    "shows": ("{w} [shows] {c}.", ""),
    "show_hand": ("{w} [lays] {own} hand open for everybody.", ""),
    "swap_hands": ("{w} [exchanges] hands with {o}.", ""),
    "corrected": ("Put right: {c}.", ""),
    "fight": SILENT,
    "join": ("{w} [sends] {c} into the fight.", "bad"),
    "ally": ("{c} fights for {w}.", "good"),
    "enhance": SILENT,
    "one_shot": SILENT,
    "bonus": SILENT,
    "penalty": ("{w} [is] stabbed in the back: {n}.", "bad"),
    "monster_level": ("{c} is of Level {n} now.", ""),
    "refuses": ("No fight between {c} and {w}: the monster leaves.", ""),
    "reset": ("The fight begins anew.", ""),
    "transfer": ("The fight is {w's own} now.", "bad"),
    "hold": ("{w} [has] found {c} and may still play it.", ""),
    "hold_lapsed": ("{w} [has] been waited for long enough.", ""),
    "banned": ("{w} may play nothing against {o} for the rest of the turn.", ""),
    "helper_leaves": ("{w} [has] to leave the fight: it must be fought alone.", "bad"),
    "killed": ("Dead: {c}.", "good"),
    "removed": ("Gone: {c}.", "good"),
    "eaten": ("{w} [eats] {c}.", "good"),
    "pet": ("{w} [has] a pet now: {c}.", "good"),
    "keep_as_item": ("{w} [keeps] {c} for good.", "good"),
    "tamed": ("{w} [rides] {c} now, for {n} in every fight.", "good"),
    "losing": ("{w} [loses] the fight and [has] to run.", "bad"),
    "victory": ("{w} [wins] the fight!", "good"),
    "fight_over": SILENT,
    "reward_from": ("{w} [draws] the reward from another deck.", ""),
    "receive": ("{w} [gets] {c}.", ""),
    "escaped": ("{w} [gets] away from {c}.", "good"),
    "caught": ("{w} [is] caught by {c}.", "bad"),
    "no_escape": ("Nobody outruns {c}.", "bad"),
    "use": ("{w} [uses] {c}{on}.", ""),
    "trait": SILENT,
    "equip": ("{w} [puts] on {c}.", ""),
    "unequip": ("{w} [takes] off {c}.", ""),
    "attach": ("{w} [puts] {c} on {t}.", ""),
    "ride": ("{w} [changes] what {c} is for.", ""),
    "companion_sex": ("{c} changes sex.", ""),
    "sex": ("{w} [changes] sex.", "bad"),
    "lost": ("{w} [loses] {c}.", "bad"),
    "back": ("{c} comes back to {w}.", ""),
    "destroyed": ("{c} is used up, for good.", ""),
    "given_away": ("{c} is {w's own} now, for good.", "good"),
    "death": ("{w} [dies].", "bad"),
    "laid_out": ("What {w} had is laid out: {cards}.", ""),
    "loot_body": ("{w} [takes] {c} from the body.", ""),
    "reborn": ("{w} [is] back, with the same face and nothing in the pockets.", ""),
    "curse": ("{c} strikes {w}.", "bad"),
    "reflected": ("{c} is turned back on {w}.", "bad"),
    "spared": ("{c} spares {w}.", "good"),
    "cancelled": ("{c} is cancelled.", "good"),
    "ignored": ("{c} does not touch {w}.", "good"),
    "lasting": ("{c} stays with {w}.", "bad"),
    "afflicted": ("{c} is not done with {w}.", "bad"),
    "relieved": ("{w} [is] rid of what {c} did.", "good"),
    "accept": ("{w} [accepts].", "good"),
    "decline": ("{w} [says] no to {o}.", ""),
    "help": ("{w} [helps] {o}.", "good"),
    "not_given": ("{w} cannot carry {c}: it stays with {o}.", ""),
    "trade": ("{w} [gets] {c} from {o}, in trade.", ""),
    "give": ("{w} [gets] {c} from {o}.", ""),
    "steal": ("{w} [steals] {c} from {o}!", "bad"),
    "force": ("{w} [takes] {c} from {o}.", "bad"),
    "brought": ("{c} comes along, to {w}.", ""),
    "charity": ("{w} [gets] {c} from {o}.", ""),
    "taken": ("{w} [gets] {c} from {o}.", ""),
    "given": ("{w} [gets] {c} from {o}.", ""),
    "arrives": ("{c} comes to {w}.", "good"),
    "summon": ("{c} comes to {w}.", "good"),
    "looted": ("{w} [takes] {c}.", ""),
    "dungeon": ("You are all in {c} now.", "door"),
    "dungeon_left": ("{c} lies behind you.", "door"),
}


def tell(g: Game, events: Sequence[Event], me: int) -> list[Line]:
    """The events as lines; a run of hidden draws is one line, throws for the first turn are left out."""
    heard = [known(e, me) for e in events]  # nothing below has more than this listener may know
    out: list[Line] = []
    i = 0
    while i < len(heard):
        n = _together(g, heard, i)
        line = _run(g, heard, i, n, me)
        if line is not None:
            out.append(line)
        i += n
    return out


def tell_all(g: Game, events: Sequence[Event], listeners: Iterable[int]) -> dict[int, list[Line]]:
    """The same for each of these. Whom none of it is about is told what an onlooker is told, in the same list."""
    about = concerned(g, events)
    told: dict[int, list[Line]] = {}
    others: list[Line] | None = None
    for me in listeners:
        if me in about:
            told[me] = tell(g, events, me)
        else:
            if others is None:
                others = tell(g, events, ONLOOKER)
            told[me] = others
    return told


def concerned(g: Game, events: Sequence[Event]) -> set[int]:
    """All to whom some of these events may be told otherwise than to onlookers: `other` may be a seat, a card of
    somebody's, or what a move is aimed at."""
    out: set[int] = set()
    for e in events:
        out |= {e.seat, e.other, seat_of(e.other)}
        if e.other == MUNCHKINS:
            out.update(fights.fighters(g))
        elif e.other >= 0:
            out.add(front.owner(g, e.other))
    out.discard(ONLOOKER)
    return out


def known(e: Event, me: int) -> Event:
    """An event as one listener may know it: without the card, where that is others' business."""
    if not e.secret or (me >= 0 and me in (e.seat, e.other)):
        return e
    return msgspec.structs.replace(e, card=-1)


def _together(g: Game, events: Sequence[Event], i: int) -> int:
    """How many events from here are told in one line: a sale, draws that look alike, cards that go for one reason, one
    Race or Class for another."""
    e = events[i]
    n = 1
    if e.rule == "SELL-2" and e.kind in ("lost", "discard", "sale"):
        while i + n < len(events) and events[i + n - 1].kind != "sale":
            n += 1
    elif e.kind == "draw":
        while i + n < len(events) and _same_draw(e, events[i + n]):
            n += 1
    elif e.kind == "discard" and e.rule in _GO:
        while i + n < len(events) and (events[i + n].kind, events[i + n].rule) == ("discard", e.rule):
            n += 1
    elif i + 1 < len(events) and _exchange(g, e, events[i + 1]):
        n = 2
    return n


def _exchange(g: Game, e: Event, then: Event) -> bool:
    """Does a Race or Class that is played take the place of another?"""
    played = e.kind == "play" and e.card >= 0 and g.lib.defs[e.card].kind in ("race", "class")
    return played and (then.kind, then.seat, then.rule) == ("lost", e.seat, "FQ-RC-6") and then.card >= 0


def _run(g: Game, heard: Sequence[Event], i: int, n: int, me: int) -> Line | None:
    """The line for `n` events from one on; what comes before and after them says what came of it."""
    events = heard[i : i + n]
    e = events[-1] if events[-1].kind == "sale" else events[0]
    line: Line | None
    if e.kind == "draw":
        line = _draw(g, events, me)
    elif e.kind == "discard" and e.rule in _GO:
        line = _gone(g, events, me) if not _itself(g, events) else _nothing(g, heard, i, me) if n == 1 else None
    elif n > 1:
        line = _swap(g, events, me) if e.kind == "play" else _sale(g, events, me)
    elif e.kind == "caught":
        line = _caught(g, heard, i, me)
    elif e.kind == "victory" and not _slain(g, heard, i):
        line = _told(g, "Nobody is left to fight {w}.", e, me)
    else:
        line = _line(g, e, me)
    return line if line is None or line.event is e else line._replace(event=e)


# What ends what befalls somebody who was caught.
_NEXT: Final = frozenset(("caught", "escaped", "no_escape", "roll", "fight_over", "end_turn", "turn"))


def _caught(g: Game, heard: Sequence[Event], i: int, me: int) -> Line | None:
    """Somebody is caught. What that costs is told by what follows; where nothing does, it is said here."""
    e = heard[i]
    for x in heard[i + 1 :]:
        if x.kind in _NEXT:
            break
        if x.kind != "discard" or x.rule in _GO:
            return _line(g, e, me)
    if any(type(f) is Effect and (f.foe, f.actor) == (e.card, e.seat) for f in g.stack):
        return _line(g, e, me)  # the Bad Stuff is still to come
    cost = "and will miss a turn" if g.skips[e.seat] else "and the Bad Stuff does nothing"
    return _told(g, f"{{w}} [is] caught by {{c}}, {cost}.", e, me, "bad")


def _itself(g: Game, gone: Sequence[Event]) -> bool:
    """Are these Curses that have had their day, and nothing that one of them takes?"""
    return gone[0].rule == "CURSE-3" and all(g.lib.defs[x.card].is_curse for x in gone)


def _nothing(g: Game, heard: Sequence[Event], i: int, me: int) -> Line | None:
    """A Curse is discarded: was that all?"""
    e = heard[i]
    struck = next((k + 1 for k, x in enumerate(heard[:i]) if (x.kind, x.card) == ("curse", e.card)), 0)
    return _told(g, "{c} comes to nothing.", e, me, "good") if struck == i and not any(g.skips) else None


def _slain(g: Game, heard: Sequence[Event], i: int) -> bool:
    """Was anybody killed in a fight that is won? Who was sent away, or will not fight, leaves no level behind."""
    if g.fight is not None and any(f.fate == KILLED for f in g.fight.foes):
        return True
    return any(x.kind in ("level", "win") for x in heard[i + 1 :])


def _swap(g: Game, events: Sequence[Event], me: int) -> Line:
    """One Race or Class for another, or for another card of the same."""
    new, old = (g.lib.defs[e.card].name for e in events)
    if new == old:
        return _told(g, "{w} [swaps] one {what} for another.", events[0], me, what=new)
    return _told(
        g, "{w} [becomes] {what} and [is] no longer {old}.", events[0], me, what=article(new), old=article(old)
    )


# Why cards leave a hand without anybody's wish, by the rule that takes them.
_GO: Final = {
    "RUN-11": ("The Bad Stuff takes {what}.", "bad"),
    "CURSE-3": ("The Curse takes {what}.", "bad"),
    "TURN-23": ("Too many cards, and nobody to give them to: {what} [goes] to the discards.", ""),
    "CONF-1": ("{what} [goes] to the discards.", ""),
}


def _gone(g: Game, cards: Sequence[Event], me: int) -> Line:
    """Cards that go, in one line."""
    e = cards[0]
    text, tone = _GO[e.rule]
    if e.rule == "CURSE-3" and g.lib.defs[cards[-1].card].is_curse:
        cards = cards[:-1]  # the Curse itself goes last
    named = listed([card_name(g, x.card) for x in cards])
    return Line(render(text, {"what": Person(named, many=len(cards) > 1)}.__getitem__), e.rule, tone, "", e)


def _same_draw(a: Event, b: Event) -> bool:
    return b.kind == "draw" and (a.seat, a.n, a.secret) == (b.seat, b.n, b.secret)


def _draw(g: Game, draws: Sequence[Event], me: int) -> Line:
    e = draws[0]
    if e.card >= 0:
        return _told(g, "{w} [draws] {what}.", e, me, what=listed([card_name(g, d.card) for d in draws]))
    deck = DECK_NAMES[e.n]
    what = article(deck) if len(draws) == 1 else many(len(draws), deck)
    return _told(g, "{w} [draws] {what}, face-down.", e, me, what=what)


def _sale(g: Game, sold: Sequence[Event], me: int) -> Line:
    """Items named one by one, sold together."""
    cards = [card_name(g, x.card) for x in sold if x.card >= 0]
    return _told(g, "{w} [sells] {what}.", sold[-1], me, what=listed(cards, nothing="Items"))


def _line(g: Game, e: Event, me: int) -> Line | None:
    own = _OWN_WORDS.get(e.kind)
    if own is not None:
        return own(g, e, me)
    if e.kind == "curse" and e.other >= 0:
        return _told(g, "{o} [o:plays] {c} on {w}.", e, me, "bad")
    if e.kind == "lost" and e.card >= 0 and g.lib.defs[e.card].is_curse:
        return _told(g, "{w} [is] rid of {c}.", e, me, "good")  # a Curse is no loss
    if e.kind == "roll" and e.rule == "WIN-1":
        return None  # who begins is told by the first turn
    text, tone = _SAYS.get(e.kind, SILENT)
    return _told(g, text, e, me, tone) if text else None


def _level(g: Game, e: Event, me: int) -> Line:
    up = e.n > 0
    text = "{w} [goes] up {what}, to {to}." if up else "{w} [goes] down {what}, to {to}."
    what, to = many(abs(e.n), "level"), str(g.players[e.seat].level)
    return _told(g, text, e, me, "good" if up else "bad", what=what, to=to)


def _offer(g: Game, e: Event, me: int) -> Line | None:
    o = next((o for o in g.offers if o.by == e.seat and o.to == e.other), None)
    return Line(offer_words(g, o, me), e.rule, event=e) if o is not None else None


def _play(g: Game, e: Event, me: int) -> Line | None:
    if e.card < 0:
        return _told(g, "{w} [plays] {c}.", e, me)
    d = g.lib.defs[e.card]
    if d.is_curse:
        return None  # the Curse itself is told
    if d.kind in ("race", "class"):
        return _told(g, "{w} [becomes] {what}.", e, me, what=article(d.name))
    if _lies(g, e):
        return _laid(g, e, me)
    own = seat_of(e.other) == e.seat
    on = "" if own else target_words(g, e.other, me, e.seat)
    text = "{w} [plays] {c}{bonus} on {on}." if on else "{w} [plays] {c}{bonus}."
    return _told(g, text, e, me, bonus=f" ({signed(d.bonus)})" if d.bonus else "", on=on)


def _lies(g: Game, e: Event) -> bool:
    """Is a card that was played an Item or a one-shot that lies there now? A companion, a Steed or what lies on another
    card is played like any other."""
    put_down = any(m.op in ("item", "lay") for m in g.lib.defs[e.card].modes)
    return put_down and e.card in g.players[e.seat].table and e.card not in g.host and e.card not in g.ridden


def _laid(g: Game, e: Event, me: int) -> Line:
    """What is only carried adds nothing, so its bonus is not named (ITEM-8); what works once is not used up yet."""
    d = g.lib.defs[e.card]
    if e.card in g.equipped:
        return _told(g, "{w} [puts] on {c}{bonus}.", e, me, bonus=f" ({signed(d.bonus)})" if d.bonus else "")
    if d.is_one_shot:
        return _told(g, "{w} [lays] down {c}, ready to use.", e, me)
    return _told(g, "{w} [carries] {c}, not in use.", e, me)


def _told(g: Game, text: str, e: Event, me: int, tone: str = "", **more: str) -> Line:
    """A sentence about an event, for one listener; `more`: what else stands in its gaps."""

    def word(gap: str) -> Word:
        if gap in more:
            return more[gap]
        return _GAPS[gap](g, e, me)

    return Line(render(text, word), e.rule, tone, "", e)


def _on(g: Game, e: Event, me: int) -> str:
    on = target_words(g, e.other, me, e.seat)
    return f" on {on}" if on else ""


_GAPS: Final[dict[str, Callable[[Game, Event, int], Word]]] = {
    "w": lambda g, e, me: person(g, e.seat, me),
    "o": lambda g, e, me: person(g, e.other, me),
    "own": lambda g, e, me: whose(person(g, e.seat, me)),
    "c": lambda g, e, me: card_name(g, e.card),
    "n": lambda g, e, me: number(e.n),
    "cards": lambda g, e, me: many(e.n, "card", "nothing"),
    "an": lambda g, e, me: article(str(e.n)),
    "d": lambda g, e, me: DECK_NAMES[e.n],
    "t": lambda g, e, me: target_words(g, e.other, me, e.seat),
    "on": _on,
}


# Kinds that are told by more than a row.
_OWN_WORDS: Final[dict[str, Callable[[Game, Event, int], Line | None]]] = {
    "play": _play,
    "level": _level,
    "offer": _offer,
    "draw": lambda g, e, me: _draw(g, (e,), me),
    "sale": lambda g, e, me: _sale(g, (e,), me),
}
KINDS: Final = frozenset(_SAYS) | frozenset(_OWN_WORDS)  # all that there is a word for
