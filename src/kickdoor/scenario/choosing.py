"""Answers: passing, accepting, declining, choosing, dividing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kickdoor.engine.table import several_piles
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import SEXES
from kickdoor.engine.value.moves import Move, at_seat
from kickdoor.scenario.finding import Finder
from kickdoor.scenario.naming import Unclear, is_seat, seat_named, split, unknown_card
from kickdoor.scenario.wording import Keys, as_list

NOTHING = "none"
NO_OPTION = -99  # no card, player or number
UNSEEN = ("hand", "unseen")
TRUTHS = {"yes": 1, "true": 1, "no": 0, "false": 0}


def pass_(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    """Nothing more to do in this window, or in a question that lets one stop."""
    yield Move(f.seat, mv.DONE if not f.legal(mv.PASS) and f.legal(mv.DONE) else mv.PASS)


def accept(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    yield reply(f, mv.ACCEPT, arg)


def decline(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    yield reply(f, mv.DECLINE, arg)


def reply(f: Finder, verb: int, arg: Any) -> Move:
    """To the offer made to the player."""
    by = at_seat(seat_named(f.g, arg)) if arg is not None else mv.NONE
    found = [m for m in f.legal(verb) if by in (mv.NONE, m.target)]
    if len(found) > 1:
        raise Unclear(f"{mv.VERB_NAMES[verb]}: say whose offer")
    return found[0] if found else Move(f.seat, verb, target=by)


def choose(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    if isinstance(arg, dict):
        yield from shares(f, arg)
    elif isinstance(arg, list):
        yield from one_by_one(f, arg)
    else:
        yield answer(f, arg)


def one_by_one(f: Finder, values: list[Any]) -> Iterator[Move]:
    """A list answers consecutive questions; where it ends before its question does, that was all."""
    first = f.g.stack[-1]
    for i, value in enumerate(values):
        if i and i == len(values) - 1 and is_last(f, first, value):
            return
        yield answer(f, value)
    if not values or (f.g.stack[-1] is first and f.legal(mv.DONE)):
        yield Move(f.seat, mv.DONE)


def is_last(f: Finder, first: fr.Frame, value: Any) -> bool:
    """Of what is put in order the last one is no choice; that it is the one named must be so all the same."""
    if not isinstance(first, fr.Ask) or not first.order or first in f.g.stack:
        return False
    return matches(f, first, first.chosen[-1], value)


def shares(f: Finder, wanted: dict[str, Any]) -> Iterator[Move]:
    """Who gets what: card by card, first the card and then who. What has a single answer is not asked."""
    begun = False
    for name, label in [(name, str(label)) for name, cards in wanted.items() for label in as_list(cards)]:
        if begun and question(f) is None and not f.legal(mv.CHOOSE) and f.has(seat_named(f.g, name), label):
            continue  # the last one has gone there by itself
        begun = True
        if not asks_who(f):
            yield answer(f, label)
        if asks_who(f) or not f.has(seat_named(f.g, name), label):
            yield answer(f, name)


def asks_who(f: Finder) -> bool:
    asked = question(f)
    return asked is not None and asked.domain == fr.SEATS


def question(f: Finder) -> fr.Ask | None:
    """The question that is put to this player."""
    top = f.g.stack[-1]
    return top if isinstance(top, fr.Ask) and top.seat == f.seat else None


def answer(f: Finder, value: Any) -> Move:
    """The answer that a word is: an option of the question, otherwise what it would be."""
    asked = question(f)
    if value == NOTHING or (value == "no" and f.legal(mv.DONE) and (asked is None or asked.domain != fr.YESNO)):
        return Move(f.seat, mv.DONE)
    found = [m for m in f.legal(mv.CHOOSE) if matches(f, asked, m.card, value)]
    if len(found) > 1 and asked is not None and asked.domain == fr.LABELS:
        raise Unclear(f"choose: {value!r} could be several of the answers")
    if found:
        return min(found, key=lambda m: f.nearness(str(value), m.card))
    return Move(f.seat, mv.CHOOSE, code(f, asked, value))


def code(f: Finder, asked: fr.Ask | None, value: Any) -> int:
    """What a word stands for that is no option: a player, a yes or no, a number, a card, as the question has it."""
    domain = asked.domain if asked is not None else fr.CARDS
    text = str(value).lower()
    if domain == fr.SEATS and is_seat(f.g, value):
        return seat_named(f.g, value)
    if domain == fr.YESNO and text in TRUTHS:
        return TRUTHS[text]
    if domain == fr.NUMBERS and text.isdigit():
        return int(text)
    name = f.names.owned(text)[1]
    if domain in (fr.CARDS, fr.FOES) and split(name)[0] in f.g.lib.by_name:
        return f.card(name)
    if asked is not None and domain == fr.CARDS and not (is_seat(f.g, value) or text in TRUTHS or text.isdigit()):
        raise unknown_card(f.g, name)
    return NO_OPTION


def matches(f: Finder, asked: fr.Ask | None, option: int, value: Any) -> bool:
    """Is that option meant by this word?"""
    domain = asked.domain if asked is not None else fr.CARDS
    text = str(value).lower()
    if domain == fr.SEATS:
        return f.g.players[option].name.lower() == text
    if domain == fr.NUMBERS:
        return str(option) == text
    if domain == fr.YESNO:
        return TRUTHS.get(text) == option
    if domain == fr.LABELS:
        return is_label(f, option, text)
    if domain == fr.FIGURES:
        return text == SEXES[option]
    if domain == fr.PILES:
        return several_piles.name(f.g, option) == text
    if option < 0:
        return text in UNSEEN
    return not is_seat(f.g, value) and is_card(f, option, str(value))


def is_card(f: Finder, option: int, label: str) -> bool:
    owner, name = f.names.owned(label)
    return f.means(name, option) and (not owner or option in f.belonging(owner))


def is_label(f: Finder, option: int, text: str) -> bool:
    """A printed way, by its name, its number, or words that are in it."""
    frame = f.g.stack[-2]
    if not isinstance(frame, fr.Effect):
        return False
    names = [name.lower() for name, *_ in f.g.lib.programs[frame.prog][frame.pc].a.labels]
    if text in names or text.isdigit():
        return text in (names[option], str(option + 1))
    return all(word in names[option] for word in text.replace("_", " ").split())
