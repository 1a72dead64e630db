"""Moves as text and back, as chess has it: `Ann: play Potion of Halitosis on monsters`, `Bob: add 2 treasures`.

One move, one text: `text` prints every legal move so that `parse` reads the very same one back. Cards are called by
name, with a number where the game has several of that name (`Thief#2`, counted as the library does). What an answer
means is decided by the question that lies on top of the stack, so both want the position in which the move is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from msgspec.structs import replace

from kickdoor.cards.library import Library
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import SEXES, Game
from kickdoor.engine.value.moves import NONE, Move, at_seat, seat_of


class NotationError(ValueError):
    """A text that is no move at this table."""


# How each verb is said, and what joins it to the card or the player that follows.
_WORDS: Final[dict[int, tuple[str, str]]] = {
    mv.PASS: ("pass", ""),
    mv.KICK: ("kick", ""),
    mv.TROUBLE: ("look for trouble", " with "),
    mv.LOOT: ("loot", ""),
    mv.PLAY: ("play", " "),
    mv.KEEP: ("keep", " "),
    mv.EQUIP: ("equip", " "),
    mv.UNEQUIP: ("unequip", " "),
    mv.DISCARD: ("discard", " "),
    mv.USE: ("use", " "),
    mv.CHOOSE: ("choose", " "),
    mv.DONE: ("done", ""),
    mv.CANCEL: ("cancel", ""),
    mv.RUN: ("run", " from "),
    mv.SELL: ("sell", ""),
    mv.CHARITY: ("charity", ""),
    mv.END_TURN: ("end turn", ""),
    mv.ASK_HELP: ("ask help", " of "),
    mv.OFFER_HELP: ("offer help", " to "),
    mv.TRADE: ("trade", " with "),
    mv.GIVE: ("give", ""),
    mv.ADD: ("add", " "),
    mv.PROPOSE: ("propose", ""),
    mv.ACCEPT: ("accept", " "),
    mv.DECLINE: ("decline", " "),
    mv.COUNTER: ("counter", " "),
    mv.SACRIFICE: ("sacrifice", " "),
    mv.SHOW_HAND: ("show hand", ""),
    mv.WITHDRAW: ("withdraw", ""),
}
_TO_PLAYERS: Final = (mv.ASK_HELP, mv.OFFER_HELP, mv.TRADE, mv.ACCEPT, mv.DECLINE, mv.COUNTER)
_AT: Final[dict[int, str]] = {mv.ADD: " to ", mv.EQUIP: " on ", mv.PLAY: " on ", mv.USE: " on "}
_SIDES: Final = {"munchkins": mv.MUNCHKINS, "monsters": mv.MONSTERS}
_PICKS: Final = ("main", "helper", "handed")
_ANSWERS: Final = ("no", "yes")
_DOUBLE: Final = " at double price"
_WITH: Final = " with "
_AS: Final = " as "
_TREASURES: Final = re.compile(r"(\d+) treasures?")
_PICKING: Final = "picks: "
_COUNTED: Final = re.compile(r"\w+ [1-9]\d?")
_NUMBERED: Final = re.compile(r"(.*)#(\d+)")


# -- cards ------------------------------------------------------------------------------------------------------


def copies(lib: Library, name: str) -> list[int]:
    """Every physical card of that name, and what other cards are under that face, in the library's order."""
    name = name.lower()
    return [*lib.by_name.get(name, ()), *(c for c in lib.origin if lib.defs[c].name.lower() == name)]


def card_text(lib: Library, card: int) -> str:
    """A card by its name; its number is said where there are several of that name."""
    if not 0 <= card < len(lib.defs):
        return f"card {card}"
    name = lib.defs[card].name
    same = copies(lib, name)
    return name if len(same) == 1 else f"{name}#{same.index(card) + 1}"


def parse_card(lib: Library, label: str) -> int:
    """The one card that is called so."""
    same = copies(lib, label)
    if len(same) == 1:
        return same[0]
    if same:
        raise NotationError(f"there are {len(same)} of {label!r}: say which, as {label}#1 to {label}#{len(same)}")
    m = _NUMBERED.fullmatch(label)
    same = copies(lib, m[1]) if m is not None else []
    if m is None or not same:
        name = m[1] if m is not None else label
        near = get_close_matches(name.lower(), list(lib.by_name), 1)
        hint = f"; did you mean {lib.defs[lib.by_name[near[0]][0]].name!r}?" if near else ""
        raise NotationError(f"no card of this game is called {name!r}{hint}")
    if not 1 <= int(m[2]) <= len(same):
        raise NotationError(f"there is no {label!r}: the game has {len(same)} of {m[1]!r}")
    return same[int(m[2]) - 1]


# -- players and targets ----------------------------------------------------------------------------------------


def player_text(g: Game, seat: int) -> str:
    """A player by name; by number, where the name could be somebody's or something's else."""
    name = g.players[seat].name
    low = name.lower()
    others = [p.name.lower() for s, p in enumerate(g.players) if s != seat]
    clear = low not in others and low not in _SIDES and not low.startswith("seat ")
    return name if clear and ": " not in name and not copies(g.lib, name) else f"seat {seat + 1}"


def parse_player(g: Game, word: str) -> int:
    low = word.lower()
    for s in range(len(g.players)):
        if low in (player_text(g, s).lower(), f"seat {s + 1}"):
            return s
    names = ", ".join(player_text(g, s) for s in range(len(g.players)))
    raise NotationError(f"nobody here is called {word!r}; at this table: {names}")


def _target_text(g: Game, target: int) -> str:
    seat = seat_of(target)
    if seat >= 0:
        return player_text(g, seat) if seat < len(g.players) else f"seat {seat + 1}"
    for word, code in _SIDES.items():
        if code == target:
            return word
    return card_text(g.lib, target)


def _parse_target(g: Game, word: str) -> int:
    code = _SIDES.get(word.lower())
    if code is not None:
        return code
    try:
        return at_seat(parse_player(g, word))
    except NotationError:
        return parse_card(g.lib, word)


# -- names of ways and powers -----------------------------------------------------------------------------------


def _named(names: list[str], kind: str, index: int) -> str:
    """The name of one of several things, or its number where the name does not tell it apart."""
    name = names[index] if 0 <= index < len(names) else ""
    same = [n for n in names if n.lower() == name.lower()]
    return name if name and len(same) == 1 else f"{kind} {index + 1}"


def _parse_named(names: list[str], kind: str, word: str) -> int:
    for i in range(len(names)):
        if word.lower() == _named(names, kind, i).lower():
            return i
    if _COUNTED.fullmatch(word) is not None and word.startswith(f"{kind} "):
        return int(word[len(kind) + 1 :]) - 1
    known = ", ".join(_named(names, kind, i) for i in range(len(names))) or "none"
    raise NotationError(f"no {kind} {word!r}; there are: {known}")


def _ways(g: Game, card: int) -> list[str]:
    return [m.word for m in g.lib.defs[card].modes]


def _powers(g: Game, card: int) -> list[str]:
    return [p.name for p in g.lib.defs[card].powers]


# -- answers ----------------------------------------------------------------------------------------------------


def _labels(g: Game) -> list[str]:
    """The printed ways between which the program below the question lets choose."""
    below = g.stack[-2] if len(g.stack) > 1 else None
    if not isinstance(below, fr.Effect):
        return []
    return [str(name) for name, *_ in g.lib.programs[below.prog][below.pc].a.labels]


def _answer_text(g: Game, option: int, asked: fr.Frame | None) -> str:
    domain = asked.domain if isinstance(asked, fr.Ask) else fr.CARDS
    if domain == fr.SEATS and 0 <= option < len(g.players):
        return player_text(g, option)
    if domain == fr.YESNO and option in (0, 1):
        return _ANSWERS[option]
    if domain == fr.FIGURES and option in (0, 1):
        return SEXES[option]
    if domain == fr.LABELS:
        return _named(_labels(g), "way", option)
    if domain == fr.PILES:
        return f"pile {option + 1}"
    if domain in (fr.CARDS, fr.FOES) and option >= 0:
        return card_text(g.lib, option)
    return str(option) if domain == fr.NUMBERS else "unseen"  # a card that only its holder can see


def _parse_answer(g: Game, word: str) -> int:
    """An answer to the question on the table; what is none is read as a card, for the rules to refuse."""
    top = g.stack[-1] if g.stack else None
    if isinstance(top, fr.Ask):
        for option in top.options:
            if _answer_text(g, option, top).lower() == word.lower():
                return option
        if top.domain not in (fr.CARDS, fr.FOES):
            known = ", ".join(_answer_text(g, o, top) for o in top.options)
            raise NotationError(f"{word!r} is no answer to this question; there are: {known}")
    return parse_card(g.lib, word)


# -- printing ---------------------------------------------------------------------------------------------------


def text(g: Game, move: Move, asked: fr.Frame | None = None) -> str:
    """A move as it is written; `parse` reads it back in the same position.

    For a move that has been made already, `asked` is the frame that lay on top before it.
    """
    who = player_text(g, move.seat) if 0 <= move.seat < len(g.players) else f"seat {move.seat + 1}"
    return f"{who}: {_said(g, move, asked or (g.stack[-1] if g.stack else None))}"


def _said(g: Game, move: Move, asked: fr.Frame | None) -> str:
    if move.verb not in _WORDS:
        return f"verb {move.verb}"
    word, glue = _WORDS[move.verb]
    if move.verb in _TO_PLAYERS:
        return word if move.target == NONE else f"{word}{glue}{_target_text(g, move.target)}"
    if move.verb == mv.CHOOSE:
        return f"{word} {_answer_text(g, move.card, asked)}"
    if move.verb == mv.ADD:
        return f"{word} {_piece(g, move)}"
    if move.card == NONE:
        return word
    return f"{word}{glue}{_with_card(g, move)}"


def _piece(g: Game, move: Move) -> str:
    """A piece of an offer, of a sale, or of charity."""
    if move.card == NONE:
        if mv.names_picks(move.extra):
            order = mv.picks_in(move.extra)
            return f"{_PICKING}{_PICKS[order] if order < len(_PICKS) else order}"
        n = mv.treasures_in(move.extra)
        return f"{n} treasure{'' if n == 1 else 's'}"
    piece = card_text(g.lib, move.card)
    if move.target != NONE:
        piece += f"{_AT[mv.ADD]}{_target_text(g, move.target)}"
    return piece + (_DOUBLE if move.extra == mv.DOUBLE_PRICE else "")


def _with_card(g: Game, move: Move) -> str:
    """The card, by which of its ways or powers, on what, and with what."""
    said = card_text(g.lib, move.card)
    known = 0 <= move.card < len(g.lib.defs)
    if move.verb == mv.USE and known and move.extra != NONE:
        said += f".{_named(_powers(g, move.card), 'power', mv.power_index(move.extra))}"
    if move.target != NONE:
        said += f"{_AT.get(move.verb, ' on ')}{_target_text(g, move.target)}"
    if move.verb == mv.PLAY and move.extra >= 0:
        said += f"{_WITH}{card_text(g.lib, move.extra)}"
    elif move.verb == mv.PLAY and known and move.extra != NONE:
        said += f"{_AS}{_named(_ways(g, move.card), 'way', mv.mode_index(move.extra))}"
    return said


# -- reading ----------------------------------------------------------------------------------------------------


def parse(g: Game, said: str) -> Move:
    """The move that a text means in this position; raises NotationError with a sentence where it means none."""
    for s in range(len(g.players)):
        for name in (player_text(g, s), f"seat {s + 1}"):
            if said.lower().startswith(f"{name.lower()}: "):
                return _parse_move(g, s, said[len(name) + 2 :].strip())
    who, colon, _ = said.partition(":")
    if not colon:
        raise NotationError(f"a move is written `PLAYER: MOVE`, not {said!r}")
    parse_player(g, who.strip())
    raise NotationError(f"a move is written `PLAYER: MOVE`, not {said!r}")


def _parse_move(g: Game, seat: int, said: str) -> Move:
    why: NotationError | None = None
    for verb, (word, glue) in _WORDS.items():
        if said.lower() == word:
            return Move(seat, verb)
        lead = word + glue
        if glue and said.lower().startswith(lead):
            try:
                return _parse_rest(g, Move(seat, verb), said[len(lead) :].strip())
            except NotationError as e:
                why = e
    if why is not None:
        raise why
    near = get_close_matches(said.lower(), [word for word, _ in _WORDS.values()], 1)
    hint = f"did you mean {near[0]!r}?" if near else f"moves begin with {', '.join(w for w, _ in _WORDS.values())}"
    raise NotationError(f"no move begins like {said!r}; {hint}")


def _parse_rest(g: Game, move: Move, rest: str) -> Move:
    if move.verb in _TO_PLAYERS:
        return replace(move, target=at_seat(parse_player(g, rest)))
    if move.verb == mv.CHOOSE:
        return replace(move, card=_parse_answer(g, rest))
    if move.verb == mv.ADD:
        return _parse_piece(g, move, rest)
    return _first_that_reads(g, move, rest)


def _parse_piece(g: Game, move: Move, rest: str) -> Move:
    m = _TREASURES.fullmatch(rest.lower())
    if m is not None:
        return replace(move, extra=mv.treasures_code(int(m[1])))
    if rest.lower().startswith(_PICKING):
        word = rest[len(_PICKING) :].lower()
        if word not in _PICKS:
            raise NotationError(f"who picks is one of {', '.join(_PICKS)}, not {word!r}")
        return replace(move, extra=mv.picks_code(_PICKS.index(word)))
    if rest.lower().endswith(_DOUBLE):
        return replace(move, card=parse_card(g.lib, rest[: -len(_DOUBLE)]), extra=mv.DOUBLE_PRICE)
    return _first_that_reads(g, move, rest)


def _first_that_reads(g: Game, move: Move, rest: str) -> Move:
    """A card's name may have " on " or " with " in it: every place to divide the text is tried, the latest first."""
    no_card: NotationError | None = None
    why: NotationError | None = None
    for card, target, tail in _divided(rest, _AT.get(move.verb, ""), move.verb):
        try:
            found = _parse_power(g, move, card) if move.verb == mv.USE else replace(move, card=parse_card(g.lib, card))
        except NotationError as e:
            no_card = no_card or e
            continue
        try:
            return _put_together(g, found, target, tail)
        except NotationError as e:
            why = why or e
    raise why or no_card or NotationError(f"cannot read {rest!r}")


def _divided(rest: str, at: str, verb: int) -> Iterator[tuple[str, str, str]]:
    """The text as card, target and what comes after, in all ways that it could be meant; the whole as a card first."""
    yield rest, "", ""
    tails = [(rest, "")]
    if verb == mv.PLAY:
        for word in (_AS, _WITH):
            tails += [(rest[:i], rest[i:]) for i in _places(rest, word)]
    for head, tail in tails:
        if tail:
            yield head, "", tail
        if at:
            for i in _places(head, at):
                yield head[:i], head[i + len(at) :], tail


def _places(said: str, word: str) -> list[int]:
    return [m.start() for m in re.finditer(re.escape(word), said)][::-1]


def _put_together(g: Game, move: Move, target: str, tail: str) -> Move:
    if target:
        move = replace(move, target=_parse_target(g, target))
    if tail.startswith(_WITH):
        return replace(move, extra=parse_card(g.lib, tail[len(_WITH) :]))
    if tail.startswith(_AS):
        return replace(move, extra=mv.mode_code(_parse_named(_ways(g, move.card), "way", tail[len(_AS) :])))
    return move


def _parse_power(g: Game, move: Move, said: str) -> Move:
    """`Thief.Backstab`: a card, and which of its powers."""
    why: NotationError | None = None
    for i in _places(said, "."):
        try:
            card = parse_card(g.lib, said[:i])
        except NotationError as e:
            why = why or e
            continue
        return replace(move, card=card, extra=mv.power_code(_parse_named(_powers(g, card), "power", said[i + 1 :])))
    raise why or NotationError(f"use is written `use CARD.POWER`, not {said!r}")
