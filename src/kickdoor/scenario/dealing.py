"""What is put together piece by piece: sales, gifts, trades, offers of help, charity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kickdoor.engine.chapters import helping
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, at_seat
from kickdoor.scenario.finding import Finder
from kickdoor.scenario.naming import ScenarioError, Unclear, Unused, is_seat, seat_named
from kickdoor.scenario.wording import Keys, as_list


def draft(f: Finder) -> fr.Draft | None:
    """What this player is putting together."""
    top = f.g.stack[-1]
    return top if isinstance(top, fr.Draft) and top.seat == f.seat else None


def add(f: Finder, label: Any, whose: int = -1, target: int = mv.NONE, extra: int = mv.NONE) -> Move:
    """One more card: somebody's that could be added, otherwise the one he would mean."""
    p = f.g.players[f.seat if whose < 0 else whose]
    found = [m for m in f.with_card(mv.ADD, str(label)) if m.card in p.hand or m.card in p.table]
    fitting = [m for m in found if (m.target, m.extra) == (target, extra)]
    card = fitting[0].card if fitting else found[0].card if found else f.card(str(label), whose)
    return Move(f.seat, mv.ADD, card, target, extra)


# -- sales --------------------------------------------------------------------------------------------------------


def sell(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    labels = as_list(arg)
    double = as_list(keys.get("double"))
    for label in double:
        if label not in labels:
            raise Unused(f"sell: double: {label!r} is not among what is sold")
    yield Move(f.seat, mv.SELL)
    for label in labels:
        yield add(f, label, extra=mv.DOUBLE_PRICE if label in double else mv.NONE)
    yield Move(f.seat, mv.DONE)


# -- gifts and trades ---------------------------------------------------------------------------------------------


def give(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    if "to" not in keys:
        raise ScenarioError("give: needs `to:` a player")
    to = seat_named(f.g, keys["to"])
    yield Move(f.seat, mv.TRADE, target=at_seat(to))
    yield from barter(f, to, {"give": arg})


def trade(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    if not isinstance(arg, dict) or "with" not in keys:
        raise ScenarioError("trade: needs {give: [...], get: [...]} and `with:` a player")
    to = seat_named(f.g, keys["with"])
    yield Move(f.seat, mv.TRADE, target=at_seat(to))
    yield from barter(f, to, arg)


def barter(f: Finder, to: int, wanted: dict[str, Any]) -> Iterator[Move]:
    for word in wanted:
        if word not in ("give", "get"):
            raise ScenarioError(f"a trade is {{give: [...], get: [...]}}, not {word!r}")
    for word, labels in wanted.items():
        for label in as_list(labels):
            yield add(f, label, f.seat if word == "give" else to)
    yield Move(f.seat, mv.PROPOSE)


# -- help ---------------------------------------------------------------------------------------------------------


def ask_help(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    yield Move(f.seat, mv.ASK_HELP, target=at_seat(seat_named(f.g, arg)))
    yield from terms(f, keys)


def offer_help(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    if arg is not None:
        yield Move(f.seat, mv.OFFER_HELP, target=at_seat(seat_named(f.g, arg)))
    else:
        yield next(iter(f.legal(mv.OFFER_HELP)), Move(f.seat, mv.OFFER_HELP))
    yield from terms(f, keys)


def counter(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    """Another offer instead of an answer: other terms of the help, or another trade."""
    found = f.legal(mv.COUNTER)
    if len(found) > 1:
        raise Unclear("counter: there are several offers")
    yield found[0] if found else Move(f.seat, mv.COUNTER)
    made = draft(f)
    if isinstance(arg, dict):
        if keys:
            raise ScenarioError(f"counter: a trade has no {', '.join(keys)}")
        yield from barter(f, made.to if made is not None else f.seat, arg)
    else:
        yield from terms(f, keys)


def terms(f: Finder, keys: Keys) -> Iterator[Move]:
    """The terms in the order written, how much before who picks; what the offer says already needs no word."""
    main = f.g.fight.main if f.g.fight is not None else f.seat
    for word, value in sorted(keys.items(), key=lambda said: said[0] != "treasures"):
        made = draft(f)
        if word == "treasures":
            n = share(f, main, value, keys.get("picks_first"))
            if made is None or made.treasures != n:
                yield Move(f.seat, mv.ADD, extra=mv.treasures_code(n))
        elif word == "picks_first":
            order = picks(f, main, value)
            if made is not None and not made.treasures:
                raise Unused("picks_first: there is nothing to pick without `treasures:`")
            if made is None or made.picks != order:
                yield Move(f.seat, mv.ADD, extra=mv.picks_code(order))
        else:
            for label in as_list(value):
                yield promised(f, main, str(label), word)
    yield Move(f.seat, mv.PROPOSE)


def promised(f: Finder, main: int, label: str, word: str) -> Move:
    """An Item on the table of the main player, or a card of his hand that he is to play."""
    p = f.g.players[main]
    zone = p.hand if word == "plays" else p.table
    found = [m for m in f.with_card(mv.ADD, label) if m.card in zone]
    return found[0] if found else Move(f.seat, mv.ADD, f.card(label, main))


def share(f: Finder, main: int, value: Any, order: Any) -> int:
    """So many Treasures, `all` that the fight would yield now, or `half`: the odd one goes to who picks first."""
    if isinstance(value, int):
        return value
    whole = helping.expected_treasures(f.g) if f.g.fight is not None else 0
    if value == "all":
        return whole
    if value != "half":
        raise ScenarioError(f"treasures: a number, half or all, not {value!r}")
    first = order is not None and picks(f, main, order) == mv.PICKS_HELPER
    return (whole + 1) // 2 if first else whole // 2


def picks(f: Finder, main: int, word: Any) -> int:
    """Who picks first, as the engine counts it."""
    if word in ("handed", "main_hands_over", "mains_choice"):
        return mv.PICKS_HANDED
    if word in ("helper", "helpers_choice") or (word == "me" and f.seat != main):
        return mv.PICKS_HELPER
    if word in ("main", "me"):
        return mv.PICKS_MAIN
    if is_seat(f.g, word):
        return mv.PICKS_MAIN if seat_named(f.g, word) == main else mv.PICKS_HELPER
    raise ScenarioError(f"picks_first: me or helper, not {word!r}")


# -- charity ------------------------------------------------------------------------------------------------------


def charity(f: Finder, arg: Any, keys: Keys) -> Iterator[Move]:
    if not isinstance(arg, dict):
        raise ScenarioError("charity: needs {player: [cards], discard: [cards]}")
    yield Move(f.seat, mv.CHARITY)
    for name, labels in arg.items():
        target = mv.NONE if name == "discard" else at_seat(seat_named(f.g, name))
        for label in as_list(labels):
            yield add(f, label, target=target)
    if draft(f) is not None:  # there is more to give away: whether one may stop here is for the rules to say
        yield Move(f.seat, mv.DONE)
