"""What happened, told at the table: one short sentence for each event, with its rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event
from kickdoor.voice.words import DECK_NAMES, article, card_name, offer_words, target_words

_VERB: Final = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


class Line(NamedTuple):
    """A sentence of the log, the rule behind it, how loud it is, and what the one who did it said."""

    text: str
    rule: str = ""
    tone: str = ""
    said: str = ""
    event: Event | None = None  # what it tells of, without the card if the listener may not know it


# {W}: who, as the subject; {w}: as the object; {o}: the other one; {c}: the card; {n}: a number; [you|he] forms.
# One row for every kind of event. SILENT: told by another event already, or of no interest.
SILENT: Final = ("", "")
_SAYS: Final[dict[str, tuple[str, str]]] = {
    "turn": ("-- {P} turn --", "turn"),
    "skipped": ("{W} [miss|misses] a turn.", "bad"),
    "end_turn": SILENT,
    "kick": ("{W} [kick|kicks] open the door: {c}.", "door"),
    "room": ("{c} is the room for this fight.", "door"),
    "keep": ("{W} [keep|keeps] {c}.", ""),
    "trouble": ("{W} [look|looks] for trouble with {c}.", "door"),
    "loot": ("{W} [loot|loots] the room.", ""),
    "roll": ("{W} [roll|rolls] a {n}.", "die"),
    "die_set": ("{W} [turn|turns] the die to {n}.", "die"),
    "roll_bonus": ("{W} [add|adds] {n} to the roll.", "die"),
    "figure": ("{W} [put|puts] a figure on the board.", ""),
    "win": ("{W} [win|wins] the game!", "good"),
    "no_draw": ("There is no {d} left to draw.", ""),
    "shuffle": ("The {d} discards are shuffled into a new deck.", ""),
    "reserve": ("The {d} pile has run out: the reserve is next.", ""),
    "retrieve": ("{W} [take|takes] {c} from the discards.", ""),
    "peek": ("{W} [look|looks] at the top of a deck, alone.", ""),
    "immediate": ("{c} takes effect at once.", ""),
    "portal": ("{W} [step|steps] through {c}.", "door"),
    "discard": SILENT,
    "box": ("{c} is out of the game.", ""),
    "annihilate": ("{c} is gone for good.", "bad"),
    "home": ("{c} goes back on top of its deck.", ""),
    "shows": ("{W} [show|shows] {c}.", ""),
    "show_hand": ("{W} [show|shows] everybody the hand.", ""),
    "swap_hands": ("{W} [exchange|exchanges] hands with {o}.", ""),
    "corrected": ("Put right: {c}.", ""),
    "fight": SILENT,
    "join": ("{W} [send|sends] {c} into the fight.", "bad"),
    "ally": ("{c} fights for {w}.", "good"),
    "enhance": SILENT,
    "one_shot": SILENT,
    "bonus": SILENT,
    "penalty": ("{W} [are|is] stabbed in the back: {n}.", "bad"),
    "monster_level": ("{c} is of Level {n} now.", ""),
    "refuses": ("No fight between {c} and {w}: the monster leaves.", ""),
    "reset": ("The fight begins anew.", ""),
    "transfer": ("The fight is {p} now.", "bad"),
    "hold": ("{W} [have|has] found {c} and may still play it.", ""),
    "hold_lapsed": ("{W} [have|has] been waited for long enough.", ""),
    "banned": ("{W} may play nothing against {o} for the rest of the turn.", ""),
    "helper_leaves": ("{W} [have|has] to leave the fight: it must be fought alone.", "bad"),
    "killed": ("Dead: {c}.", "good"),
    "removed": ("Gone: {c}.", "good"),
    "eaten": ("{W} [eat|eats] {c}.", "good"),
    "pet": ("{W} [have|has] a pet now: {c}.", "good"),
    "keep_as_item": ("{W} [keep|keeps] {c} for good.", "good"),
    "tamed": ("{W} [ride|rides] {c} now, for {n} in every fight.", "good"),
    "losing": ("{W} [lose|loses] the fight and [have|has] to run.", "bad"),
    "victory": ("{W} [win|wins] the fight!", "good"),
    "fight_over": SILENT,
    "reward_from": ("{W} [draw|draws] the reward from another deck.", ""),
    "receive": ("{W} [get|gets] {c}.", ""),
    "escaped": ("{W} [get|gets] away from {c}.", "good"),
    "caught": ("{W} [are|is] caught by {c}.", "bad"),
    "no_escape": ("Nobody outruns {c}.", "bad"),
    "use": ("{W} [use|uses] {c}{on}.", ""),
    "trait": SILENT,
    "equip": ("{W} [put|puts] on {c}.", ""),
    "unequip": ("{W} [take|takes] off {c}.", ""),
    "attach": ("{W} [put|puts] {c} on {t}.", ""),
    "ride": ("{W} [change|changes] what {c} is for.", ""),
    "companion_sex": ("{c} changes sex.", ""),
    "sex": ("{W} [change|changes] sex.", "bad"),
    "lost": ("{W} [lose|loses] {c}.", "bad"),
    "back": ("{c} comes back to {w}.", ""),
    "destroyed": ("{c} is used up, for good.", ""),
    "given_away": ("{c} is {p} now, for good.", "good"),
    "death": ("{W} [die|dies].", "bad"),
    "laid_out": ("{P} {n} cards are laid out.", ""),
    "loot_body": ("{W} [take|takes] {c} from the body.", ""),
    "reborn": ("{W} [are|is] back, with the same face and nothing in the pockets.", ""),
    "curse": ("{c} strikes {w}.", "bad"),
    "reflected": ("{c} is turned back on {w}.", "bad"),
    "spared": ("{c} spares {w}.", "good"),
    "cancelled": ("{c} is cancelled.", "good"),
    "ignored": ("{c} does not touch {w}.", "good"),
    "lasting": ("{c} stays with {w}.", "bad"),
    "afflicted": ("{c} is not done with {w}.", "bad"),
    "relieved": ("{W} [are|is] rid of what {c} did.", "good"),
    "accept": ("{W} [accept|accepts].", "good"),
    "decline": ("{W} [say|says] no to {o}.", ""),
    "help": ("{W} [help|helps] {o}.", "good"),
    "not_given": ("{W} cannot carry {c}: it stays with {o}.", ""),
    "trade": ("{W} [get|gets] {c} from {o}, in trade.", ""),
    "give": ("{W} [get|gets] {c} from {o}.", ""),
    "steal": ("{W} [steal|steals] {c} from {o}!", "bad"),
    "force": ("{W} [take|takes] {c} from {o}.", "bad"),
    "brought": ("{c} comes along, to {w}.", ""),
    "charity": ("{W} [get|gets] {c} from {o}.", ""),
    "taken": ("{W} [get|gets] {c} from {o}.", ""),
    "given": ("{W} [get|gets] {c} from {o}.", ""),
    "arrives": ("{c} comes to {w}.", "good"),
    "summon": ("{c} comes to {w}.", "good"),
    "looted": ("{W} [take|takes] {c}.", ""),
    "dungeon": ("You are all in {c} now.", "door"),
    "dungeon_left": ("{c} lies behind you.", "door"),
}


def tell(g: Game, events: Sequence[Event], me: int) -> list[Line]:
    """The events as lines; a run of hidden draws is one line, throws for the first turn are left out."""
    heard = [known(e, me) for e in events]  # nothing below has more than this listener may know
    out: list[Line] = []
    i = 0
    while i < len(heard):
        n = _together(heard, i)
        line = _run(g, heard[i : i + n], me)
        if line is not None:
            out.append(line)
        i += n
    return out


def known(e: Event, me: int) -> Event:
    """An event as one listener may know it: without the card, where that is others' business."""
    if not e.secret or (me >= 0 and me in (e.seat, e.other)):
        return e
    return msgspec.structs.replace(e, card=-1)


def _together(events: Sequence[Event], i: int) -> int:
    """How many events from here are told in one line: a sale, or draws that look alike."""
    e = events[i]
    n = 1
    if e.rule == "SELL-2" and e.kind in ("lost", "discard", "sale"):
        while i + n < len(events) and events[i + n - 1].kind != "sale":
            n += 1
    elif e.kind == "draw":
        while i + n < len(events) and _same_draw(e, events[i + n]):
            n += 1
    return n


def _run(g: Game, events: Sequence[Event], me: int) -> Line | None:
    e = events[-1] if events[-1].kind == "sale" else events[0]
    if len(events) == 1:
        line = _line(g, e, me)
    else:
        line = _draw(g, events, me) if e.kind == "draw" else _sale(g, events, me)
    return line._replace(event=e) if line is not None else None


def _same_draw(a: Event, b: Event) -> bool:
    return b.kind == "draw" and (a.seat, a.n, a.secret) == (b.seat, b.n, b.secret)


def _draw(g: Game, draws: Sequence[Event], me: int) -> Line:
    e = draws[0]
    subject = "You draw" if e.seat == me else f"{g.players[e.seat].name} draws"
    if e.card >= 0:
        cards = ", ".join(card_name(g, d.card) for d in draws)
        return Line(f"{subject} {cards}.", e.rule)
    deck = DECK_NAMES[e.n]
    what = article(deck) if len(draws) == 1 else f"{len(draws)} {deck}s"
    return Line(f"{subject} {what}, face-down.", e.rule)


def _sale(g: Game, sold: Sequence[Event], me: int) -> Line:
    """Items named one by one, sold together."""
    e = sold[-1]
    cards = ", ".join(card_name(g, x.card) for x in sold if x.card >= 0)
    return Line(_fill(g, f"{{W}} [sell|sells] {cards or 'Items'}.", e, me), e.rule)


def _line(g: Game, e: Event, me: int) -> Line | None:
    own = _OWN_WORDS.get(e.kind)
    if own is not None:
        return own(g, e, me)
    if e.kind == "curse" and e.other >= 0:
        by = "You play" if e.other == me else f"{g.players[e.other].name} plays"
        return Line(_fill(g, f"{by} {{c}} on {{w}}.", e, me), e.rule, "bad")
    if e.kind == "roll" and e.rule == "WIN-1":
        return None  # who begins is told by the first turn
    text, tone = _SAYS.get(e.kind, SILENT)
    return Line(_fill(g, text, e, me), e.rule, tone) if text else None


def _level(g: Game, e: Event, me: int) -> Line:
    way = "up" if e.n > 0 else "down"
    n = abs(e.n)
    level = g.players[e.seat].level
    text = f"{{W}} [go|goes] {way} {n} level{'s' * (n != 1)}, to {level}."
    return Line(_fill(g, text, e, me), e.rule, "good" if e.n > 0 else "bad")


def _offer(g: Game, e: Event, me: int) -> Line | None:
    o = next((o for o in g.offers if o.by == e.seat and o.to == e.other), None)
    return Line(_you(offer_words(g, o, me), g, me), e.rule) if o is not None else None


def _play(g: Game, e: Event, me: int) -> Line | None:
    if e.card < 0:
        return Line(_fill(g, "{W} [play|plays] {c}.", e, me), e.rule)
    d = g.lib.defs[e.card]
    if d.is_curse:
        return None  # the Curse itself is told
    on = target_words(g, e.other, -1 if e.seat != me else me)
    if d.kind in ("race", "class"):
        return Line(_fill(g, f"{{W}} [become|becomes] {article(d.name)}.", e, me), e.rule)
    bonus = f" ({d.bonus:+d})" if d.bonus else ""
    where = f" on {on}" if on else ""
    if on == g.players[e.seat].name or on == "yourself":
        where = ""
    elif me >= 0 and on == g.players[me].name:
        where = " on you"
    return Line(_fill(g, f"{{W}} [play|plays] {{c}}{bonus}{where}.", e, me), e.rule)


def _you(text: str, g: Game, me: int) -> str:
    """Offers of one's own begin with You."""
    name = g.players[me].name if me >= 0 else ""
    if not name or not text.startswith(f"{name} "):
        return text
    text = "You " + text[len(name) + 1 :]
    for third, second in (("You asks", "You ask"), ("You offers", "You offer"), ("You wants", "You want")):
        text = text.replace(third, second)
    return text.replace(" and offers ", " and offer ")


def _fill(g: Game, text: str, e: Event, me: int) -> str:
    you = e.seat == me >= 0
    text = _VERB.sub(lambda m: m[1] if you else m[2], text)
    name = g.players[e.seat].name if e.seat >= 0 else ""
    words = {
        "W": "You" if you else name,
        "w": "you" if you else name,
        "P": "Your" if you else f"{name}'s",
        "p": "yours" if you else f"{name}'s",
        "c": card_name(g, e.card),
        "n": str(e.n),
        "d": DECK_NAMES[e.n] if "{d}" in text else "",
        "o": "",
        "t": "",
        "on": "",
    }
    if "{o}" in text and e.other >= 0:
        words["o"] = "you" if e.other == me else g.players[e.other].name
    if "{t}" in text or "{on}" in text:
        words["t"] = target_words(g, e.other, me)
        words["on"] = f" on {words['t']}" if words["t"] else ""
    return text.format(**words).replace("!.", "!")  # a name that shouts ends the sentence


# Kinds that are told by more than a row.
_OWN_WORDS: Final[dict[str, Callable[[Game, Event, int], Line | None]]] = {
    "play": _play,
    "level": _level,
    "offer": _offer,
    "draw": lambda g, e, me: _draw(g, (e,), me),
    "sale": lambda g, e, me: _sale(g, (e,), me),
}
KINDS: Final = frozenset(_SAYS) | frozenset(_OWN_WORDS)  # all that there is a word for
