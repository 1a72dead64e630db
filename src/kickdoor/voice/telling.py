"""What happened, told at the table: one short sentence for each event, with its rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
_SAYS: Final[dict[str, tuple[str, str]]] = {
    "turn": ("-- {P} turn --", "turn"),
    "kick": ("{W} [kick|kicks] open the door: {c}.", "door"),
    "keep": ("{W} [keep|keeps] {c}.", ""),
    "trouble": ("{W} [look|looks] for trouble with {c}.", "door"),
    "loot": ("{W} [loot|loots] the room.", ""),
    "losing": ("{W} [lose|loses] the fight and [have|has] to run.", "bad"),
    "victory": ("{W} [win|wins] the fight!", "good"),
    "join": ("{W} [send|sends] {c} into the fight.", "bad"),
    "help": ("{W} [help|helps] {o}.", "good"),
    "helper_leaves": ("{W} [have|has] to leave the fight: it must be fought alone.", "bad"),
    "refuses": ("No fight between {c} and {w}: the monster leaves.", ""),
    "transfer": ("The fight is {p} now.", "bad"),
    "killed": ("Dead: {c}.", "good"),
    "removed": ("Gone: {c}.", "good"),
    "tamed": ("{W} [ride|rides] {c} now, for {n} in every fight.", "good"),
    "ride": ("{W} [change|changes] what {c} is for.", ""),
    "escaped": ("{W} [get|gets] away from {c}.", "good"),
    "caught": ("{W} [are|is] caught by {c}.", "bad"),
    "no_escape": ("Nobody outruns {c}.", "bad"),
    "roll": ("{W} [roll|rolls] a {n}.", "die"),
    "die_set": ("{W} [turn|turns] the die to {n}.", "die"),
    "roll_bonus": ("{W} [add|adds] {n} to the roll.", "die"),
    "curse": ("{c} strikes {w}.", "bad"),
    "cancelled": ("{c} is cancelled.", "good"),
    "ignored": ("{c} does not touch {w}.", "good"),
    "lasting": ("{c} stays with {w}.", "bad"),
    "penalty": ("{W} [are|is] stabbed in the back: {n}.", "bad"),
    "lost": ("{W} [lose|loses] {c}.", "bad"),
    "death": ("{W} [die|dies].", "bad"),
    "laid_out": ("{P} {n} cards are laid out.", ""),
    "loot_body": ("{W} [take|takes] {c} from the body.", ""),
    "home": ("{c} goes back on top of its deck.", ""),
    "arrives": ("{c} comes to {w}.", "good"),
    "summon": ("{c} comes to {w}.", "good"),
    "hold": ("{W} [have|has] found {c} and may still play it.", ""),
    "hold_lapsed": ("{W} [have|has] been waited for long enough.", ""),
    "swap_hands": ("{W} [exchange|exchanges] hands with {o}.", ""),
    "destroyed": ("{c} is used up, for good.", ""),
    "given_away": ("{c} is {p} now, for good.", "good"),
    "reborn": ("{W} [are|is] back, with the same face and nothing in the pockets.", ""),
    "reward_from": ("{W} [draw|draws] the reward from another deck.", ""),
    "receive": ("{W} [get|gets] {c}.", ""),
    "retrieve": ("{W} [take|takes] {c} from the discards.", ""),
    "attach": ("{W} [put|puts] {c} on {t}.", ""),
    "use": ("{W} [use|uses] {c}{on}.", ""),
    "equip": ("{W} [put|puts] on {c}.", ""),
    "unequip": ("{W} [take|takes] off {c}.", ""),
    "accept": ("{W} [accept|accepts].", "good"),
    "decline": ("{W} [say|says] no to {o}.", ""),
    "show_hand": ("{W} [show|shows] everybody the hand.", ""),
    "immediate": ("{c} takes effect at once.", ""),
    "trade": ("{W} [get|gets] {c} from {o}, in trade.", ""),
    "give": ("{W} [get|gets] {c} from {o}.", ""),
    "not_given": ("{W} cannot carry {c}: it stays with {o}.", ""),
    "steal": ("{W} [steal|steals] {c} from {o}!", "bad"),
    "loot_taken": ("{W} [take|takes] {c}.", ""),
    "force": ("{W} [take|takes] {c} from {o}.", "bad"),
    "win": ("{W} [win|wins] the game!", "good"),
    "sex": ("{W} [change|changes] sex.", "bad"),
    "figure": ("{W} [put|puts] a figure on the board.", ""),
}
_BETWEEN_TWO: Final = ("charity", "taken")  # a card that only giver and taker know
# Said by another event already, or of no interest.
_SILENT: Final = frozenset({"discard", "fight", "fight_over", "one_shot", "enhance", "end_turn", "bonus", "trait"})


def tell(g: Game, events: Sequence[Event], me: int) -> list[Line]:
    """The events as lines; a run of hidden draws is one line, throws for the first turn are left out."""
    out: list[Line] = []
    i = 0
    while i < len(events):
        e = events[i]
        n = 1
        if e.rule == "SELL-2" and e.kind in ("lost", "discard", "sale"):
            while i + n < len(events) and events[i + n - 1].kind != "sale":
                n += 1
            out.append(_sale(g, events[i : i + n], me)._replace(event=events[i + n - 1]))
        elif e.kind == "draw":
            while i + n < len(events) and _same_draw(e, events[i + n]):
                n += 1
            out.append(_draw(g, events[i : i + n], me)._replace(event=known(e, me)))
        elif e.kind not in _SILENT and not (e.kind == "roll" and e.rule == "WIN-1"):
            line = _line(g, e, me)
            if line is not None:
                out.append(line._replace(event=known(e, me)))
        i += n
    return out


def known(e: Event, me: int) -> Event:
    """An event as one listener may know it: without the card, where that is others' business."""
    hidden = me not in (e.seat, e.other) if e.kind in _BETWEEN_TWO else e.audience not in (-1, me)
    return msgspec.structs.replace(e, card=-1) if hidden else e


def _same_draw(a: Event, b: Event) -> bool:
    return b.kind == "draw" and (a.seat, a.n, a.audience) == (b.seat, b.n, b.audience)


def _draw(g: Game, draws: Sequence[Event], me: int) -> Line:
    e = draws[0]
    you = e.seat == me
    subject = "You draw" if you else f"{g.players[e.seat].name} draws"
    if e.audience in (-1, me):
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
    if e.kind == "play":
        return _play(g, e, me)
    if e.kind == "level":
        way = "up" if e.n > 0 else "down"
        n = abs(e.n)
        level = g.players[e.seat].level
        text = f"{{W}} [go|goes] {way} {n} level{'s' * (n != 1)}, to {level}."
        return Line(_fill(g, text, e, me), e.rule, "good" if e.n > 0 else "bad")
    if e.kind == "curse" and e.other >= 0:
        by = "You play" if e.other == me else f"{g.players[e.other].name} plays"
        return Line(_fill(g, f"{by} {{c}} on {{w}}.", e, me), e.rule, "bad")
    if e.kind == "offer":
        o = next((o for o in g.offers if o.by == e.seat and o.to == e.other), None)
        return Line(_you(offer_words(g, o, me), g, me), e.rule) if o is not None else None
    if e.kind == "shuffle":
        return Line(f"The {DECK_NAMES[e.n]} discards are shuffled into a new deck.", e.rule)
    if e.kind == "no_draw":
        return Line(f"There is no {DECK_NAMES[e.n]} left to draw.", e.rule)
    if e.kind in _BETWEEN_TWO:
        return _hidden(g, e, me)
    known = _SAYS.get(e.kind)
    if known is None:
        return Line(f"{e.kind.replace('_', ' ').capitalize()}: {card_name(g, e.card)}.", e.rule)
    return Line(_fill(g, known[0], e, me), e.rule, known[1])


def _play(g: Game, e: Event, me: int) -> Line | None:
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


def _hidden(g: Game, e: Event, me: int) -> Line:
    """Two people know the card, the others only that it moved."""
    card = card_name(g, e.card) if me in (e.seat, e.other) else "a card"
    return Line(_fill(g, f"{{W}} [get|gets] {card} from {{o}}.", e, me), e.rule)


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
    you = e.seat == me
    text = _VERB.sub(lambda m: m[1] if you else m[2], text)
    name = g.players[e.seat].name if e.seat >= 0 else ""
    words = {
        "W": "You" if you else name,
        "w": "you" if you else name,
        "P": "Your" if you else f"{name}'s",
        "p": "yours" if you else f"{name}'s",
        "c": card_name(g, e.card),
        "n": str(e.n),
        "o": "",
        "t": "",
        "on": "",
    }
    if "{o}" in text and e.other >= 0:
        words["o"] = "you" if e.other == me else g.players[e.other].name
    if "{t}" in text or "{on}" in text:
        words["t"] = target_words(g, e.other, me)
        words["on"] = f" on {words['t']}" if words["t"] else ""
    return text.format(**words)
