"""Whatever rules and options a table is given: they make a game, or are refused with a sentence."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin

import msgspec
import pytest

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.setup import rules_for
from kickdoor.engine.value.ruleset import Ruleset, RulesetError, ruleset
from kickdoor.server import deciding, showing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble
from serving import Client, Server, seated


def run(story: Any) -> None:
    asyncio.run(asyncio.wait_for(story, 90))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("rooms"))) as s:
        yield s


def leaves(kind: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of a struct that is no struct itself, by its dotted name, with its type."""
    for f in msgspec.structs.fields(kind):
        name = f"{at}.{f.encode_name}" if at else f.encode_name
        inner = [t for t in (f.type, *get_args(f.type)) if isinstance(t, type) and issubclass(t, msgspec.Struct)]
        if inner:
            yield from leaves(inner[0], name)
        else:
            yield name, f.type


def bounded(kind: Any) -> bool:
    """Does a type say how large, how long, how many?"""
    if get_origin(kind) is Annotated:
        base, *notes = get_args(kind)
        meta = [m for m in notes if isinstance(m, msgspec.Meta)]
        if base in (int, float):
            return any(m.ge is not None and m.le is not None for m in meta)
        if base is str:
            return any(m.max_length is not None or m.pattern is not None for m in meta)
        return bounded(base) and any(m.max_length is not None for m in meta)
    if kind in (int, float, str):
        return False
    return all(bounded(t) for t in get_args(kind) if not isinstance(t, str | int))


def test_every_field_of_the_rules_says_what_it_can_be() -> None:
    odd = [name for name, kind in leaves(Ruleset) if not bounded(kind)]
    lists_of_words = {"help.offer_kinds", "companion.reactions", "companion.reaction_kinds"}
    assert {o for o in odd if o not in lists_of_words} == set()


EXTREMES = [-(10**30), -1, 0, 1, 2, 12, 20, 99, 100, 10**4, 10**30, 0.5, "", "x" * 100, [], ["x"] * 99, {}, None, True]


def test_rules_make_a_game_or_are_refused_with_a_sentence() -> None:
    """All fields, with values that nobody means: what is taken can be dealt, looked at and played."""
    usual = msgspec.to_builtins(ruleset("classic"))
    taken: list[tuple[str, Any]] = []
    for name, _ in leaves(Ruleset):
        for value in EXTREMES:
            no = refusal(lambda name=name, value=value: rules_for(("classic",), **{name: value}))
            assert no is None or len(no) > 20
            if no is None and type(value) is int and value != at(usual, name):
                taken.append((name, value))
    assert len(taken) > 50
    for name, value in [extreme for n in dict.fromkeys(n for n, _ in taken) for extreme in ends(taken, n)]:
        playable(name, value)


def refusal(fn: Any) -> str | None:
    """The sentence with which something is refused, if it is; anything else is a bug."""
    try:
        fn()
    except (RulesetError, Trouble) as e:
        return str(e)
    return None


def at(data: Any, dotted: str) -> Any:
    for part in dotted.split("."):
        data = data.get(part) if isinstance(data, dict) else None
    return data


def ends(taken: list[tuple[str, Any]], name: str) -> set[tuple[str, Any]]:
    mine = [v for n, v in taken if n == name]
    return {(name, min(mine)), (name, max(mine))}


def playable(name: str, value: Any) -> None:
    no = refusal(lambda: op.changed(op.TableOptions(), {"rules": {name: value}}))
    if no is not None:  # it needs other cards, or another clock
        assert len(no) > 20
        return
    o = op.changed(op.TableOptions(), {"rules": {name: value}})
    seats = op.rules(o).players
    n = min(max(3, seats.min), seats.max)
    t = Table("abcdefghjk")
    for w in (en.Opened(t.id, "Odd", op.plain(o), n), en.Sealed(5, "salt")):
        t.take(en.Entry(w))
    for i in range(n):
        t.take(en.Entry(en.Sat(i, f"P{i}", "male", str(i))))
    showing.rehearse(t)
    no = refusal(lambda: t.take(en.Entry(deciding.dealing(t, list(range(n))))))
    if no is not None:  # more cards than there are
        assert len(no) > 20
        return
    rng = random.Random(3)
    for _ in range(20):
        g = t.game
        assert g is not None
        if g.winners:
            break
        s = to_act(g)[0]
        t.take(en.Entry(en.Made(s, [rng.choice(legal(g, s)).deed])))
    showing.rehearse(t)


ODD_OPTIONS: list[dict[str, Any]] = [
    {"timer": []},
    {"rules": {"sell.threshold": 0}},
    {"rules": {"edition": []}},
    {"rules": {"options": 1}},
    {"rules": {"players.min": 9}},
    {"rules": {"level.start": 50}},
    {"rules": []},
    {"packs": [[]]},
    {"house": {}},
    {"standin": "lookahead@60000"},
    {"standin": "lookahead#" + "9" * 5000},
    {"window": None},
    {"decision": 1e308},
    {"absent": -1},
    {"seats": []},
    {"seats": True},
    {"copies": {"Potted Plant": "many"}},
]


def test_no_option_brings_a_room_down(server: Server) -> None:
    async def story() -> None:
        ident, tickets = await seated(server.url, 3)
        async with Client(server.url, ident, tickets[0]["token"]) as ann:
            for options in ODD_OPTIONS:
                no = await ann.say("options", options=options)
                assert not no["ok"], options
                assert no["code"] == "bad_option", no
                assert len(no["says"]) > 20
            assert (await ann.say("say", text="still here"))["ok"]
            assert ann.goodbye is None

    run(story())
