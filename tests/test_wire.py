"""The wire is typed to the leaves: whatever is sent in real games is what the schema says, and nothing else."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from drilling import daily
from kickdoor.companion import shapes
from kickdoor.engine.kernel import legal, to_act
from kickdoor.lab.random_play import choose
from kickdoor.server import catalog, deciding, learning, menu, replays, showing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Frames
from kickdoor.server.chairs import fingerprint
from kickdoor.server.patching import patched
from kickdoor.server.room import Room
from kickdoor.server.table import OVER, PLAYING, Table
from test_leaks import Eye, room_of

SEATS = 4
MIXES: dict[str, dict[str, Any]] = {
    "classic": {"packs": ["classic"]},
    "dungeons": {"packs": ["classic", "clerical_errors", "dungeons"], "rules": {"decks.piles": "halves"}},
    "board": {"packs": ["magical_mess", "classic"]},
    "steeds": {"packs": ["good_bad", "classic", "need_for_steed"]},
    "powers": {"packs": ["bites", "classic"]},
    "spells": {"packs": ["shakespeare", "classic"]},
    "epic": {"packs": ["classic", "unnatural_axe"], "house": ["epic", "faster"]},
    "things": {"packs": ["classic", "accessories"], "house": ["accessories"]},
}
STEPS = daily(60, 100)
WEB = Path(__file__).resolve().parents[1] / "web"

SCHEMA = json.loads(json.dumps(pr.schema()))


def checker(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{name}"})


CHECKERS = {
    name: checker(name)
    for name in ("Heard", "Said", "State", "CardInfo", "ReplayFrame", "DraftState", "About", "RuleInfo")
}


def wrong(name: str, value: Any) -> list[str]:
    """What does not fit, each with its place."""
    return [f"{e.json_path}: {e.message[:200]}" for e in CHECKERS[name].iter_errors(value)]


def schemas(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every schema inside a schema."""
    yield at, value
    if not isinstance(value, dict):
        return
    for key in ("properties", "$defs"):
        for name, part in value.get(key, {}).items():
            yield from schemas(part, f"{at}/{name}")
    for key in ("anyOf", "prefixItems"):
        for i, part in enumerate(value.get(key, [])):
            yield from schemas(part, f"{at}/{key}{i}")
    for key in ("items", "additionalProperties"):
        if key in value and value[key] is not False:
            yield from schemas(value[key], f"{at}/{key}")


def test_the_schema_describes_everything() -> None:
    """No leaf is left open, no object may have a key that is not described, and no reference leads nowhere."""
    Draft202012Validator.check_schema(SCHEMA)
    for at, part in schemas(SCHEMA):
        assert part not in ({}, True), f"{at} may be anything"
        assert part.keys() & {"$ref", "type", "enum", "const", "anyOf"}, f"{at} may be anything"
        if "$ref" in part:
            assert part["$ref"].removeprefix("#/$defs/") in SCHEMA["$defs"], at
        if part.get("type") == "object":
            strict = part.get("additionalProperties") is False
            assert strict if "properties" in part else "additionalProperties" in part, f"{at} is open"
        if part.get("type") == "array":
            assert "items" in part, f"{at} is a list of anything"


def test_only_what_really_may_be_anything_is_json() -> None:
    """Values of a patch (they are what `State` has there), and rules by their dotted names."""
    used = {at for at, part in schemas(SCHEMA) if isinstance(part, dict) and part.get("$ref") == "#/$defs/Json"}
    assert {at for at in used if not at.startswith("/Json")} == {
        "/BookOptions/rules/additionalProperties",
        "/Options/options/additionalProperties",
        "/OptionsState/rules/additionalProperties",
        "/ReplayChange/patch/items/items",
        "/Update/patch/items/prefixItems1",
    }


def test_the_types_of_the_page_are_those_of_the_schema() -> None:
    """`npm run types` (web/scripts/typescript.py) writes them; nobody copies them by hand."""
    found = runpy.run_path(str(WEB / "scripts" / "typescript.py"))
    assert (WEB / "src" / "lib" / "protocol.ts").read_text() == found["declarations"](SCHEMA)
    counting = found["declarations"](json.loads(json.dumps(shapes.schema())), shapes.__name__)
    assert (WEB / "src" / "lib" / "counting.ts").read_text() == counting


def dealt(mix: str, seed: int) -> Table:
    t = Table("abcdefghjk")
    options = op.changed(op.TableOptions(), MIXES[mix])
    t.take(en.Entry(en.Opened(t.id, "Typed", op.plain(options), SEATS)))
    t.take(en.Entry(en.Sealed(seed, "salt")))
    for i, name in enumerate(["Ann", "Bob", "Cid", "Dee"]):
        t.take(en.Entry(en.Sat(i, name, "female", fingerprint(f"token {i}"))))
    t.take(en.Entry(deciding.dealing(t, list(range(SEATS)))))
    return t


@pytest.mark.parametrize("mix", MIXES)
def test_every_frame_of_a_game_is_as_the_schema_says(mix: str) -> None:
    """All seats and an onlooker; the frames, and the state that a client makes of them."""

    async def story() -> None:
        rng = random.Random(mix)
        t = dealt(mix, rng.randrange(1000))
        room = room_of(t)
        eyes = {v: Eye(room, v) for v in range(-1, SEATS)}
        room._rest()
        room._broadcast()
        states: dict[int, Any] = {}
        passes = 0
        for v, eye in eyes.items():
            eye.frames.clear()
            room.audience.welcome(room.table, eye.guest, room.clocks.of)
            welcome = json.loads(eye.frames.pop())
            assert wrong("Heard", welcome) == []
            states[v] = welcome["state"]
        for _ in range(STEPS):
            g = t.game
            assert g is not None
            if t.status != PLAYING:
                break
            m = choose(g, rng)
            await room._write([deciding.prepare(t, g, m.seat, [m.deed], "person")], m.seat)
            room._rest()
            room._broadcast()
            looked = rng.randrange(-1, SEATS)
            for v, eye in eyes.items():
                update = json.loads(eye.frames.pop())
                states[v] = patched(states[v], update["patch"])
                states[v]["clock"] = update["clock"]
                if v in (looked, m.seat):
                    assert wrong("Heard", update) == []
                    assert wrong("State", states[v]) == [], f"seat {v} of {mix}"
                if v == looked or t.passed[0] == t.seq:  # after a pass nothing is worked out anew for the others
                    assert states[v] == afresh(room, v, update["clock"]), f"seat {v} of {mix}"
                    passes += t.passed[0] == t.seq
        assert passes > SEATS

    asyncio.run(story())


def afresh(room: Room, viewer: int, clock: Any) -> Any:
    """The state of a viewer, with nothing kept from before."""
    t = room.table
    assert t.game is not None
    t.game.touch()
    t.unlearnt, t.eye = None, learning.Eye()
    common = showing.shared(t, *room.audience._present(t))
    return json.loads(pr.encode(showing.state(common, showing.own(t, viewer), clock)))


def same_but_for_words(m: pr.MoveState) -> str:
    return json.dumps({k: v for k, v in m.items() if k not in ("text", "title", "label")}, sort_keys=True)


@pytest.mark.parametrize("mix", ["classic", "steeds", "spells"])
def test_a_move_says_in_its_fields_what_it_is(mix: str) -> None:
    """No two moves have the same fields: nobody has to read a sentence, or a key, to tell them apart."""
    rng = random.Random(mix)
    t = dealt(mix, 3)
    for _ in range(250):
        g = t.game
        assert g is not None
        for s in range(SEATS):
            shown = menu.moves(g, s)
            assert [menu.parts(k) for k in shown] == [m.deed for m in legal(g, s)]
            assert list(shown.values()) == [menu.shown(g, m, s) for m in legal(g, s)]  # also what is kept between moves
            fields = [same_but_for_words(m) for m in shown.values() if m["action"] != "choose" or "card" in m]
            assert len(set(fields)) == len(fields)
            bundles: dict[Any, list[pr.MoveState]] = {}
            for m in shown.values():
                bundles.setdefault((m["action"], m.get("card"), m.get("way")), []).append(m)
            for some in bundles.values():
                if len(some) > 1 and some[0]["action"] in ("play", "use", "equip"):  # what, then on what
                    assert len({m.get("title") for m in some if m.get("title")}) <= 1, some
                    assert sum("label" not in m for m in some) <= 1, some
        if t.status != PLAYING:
            break
        made = choose(g, rng)
        t.take(en.Entry(deciding.prepare(t, g, made.seat, [made.deed], "person")))


@pytest.mark.parametrize("common", [[], [[["game", "turn"], 2], [["game", "fight"]]]])
@pytest.mark.parametrize("own", [[], [[["moves"], {"1,-1,-1,-1": {"action": "pass", "text": 'Say "no", \u00e9'}}]]])
@pytest.mark.parametrize("lines", [0, 2])
def test_a_frame_put_together_of_written_parts_is_the_frame(common: Any, own: Any, lines: int) -> None:
    """Byte for byte, whichever viewers share which parts."""
    t = dealt("classic", 5)
    t.lines.clear()
    for v in (0, 1):
        for i in range(lines):
            t._add(v, pr.LogLine(t.seq, "table.x", f"line {i} for {v if i else 'all'}", "", "quiet", v, -1, -1, 0, ""))
    t.chat.extend(pr.ChatLine(t.seq, 0, "Ann", "Hello!", "hello") for _ in range(lines))
    clocks: list[pr.Clock] = [{**showing.NO_CLOCK, "left": 1}, {**showing.NO_CLOCK, "left": 2}]
    frames = Frames(t, t.seq - 1, common)
    for v, clock in ((0, clocks[0]), (1, clocks[1]), (1, clocks[1]), (0, clocks[1])):
        whole = pr.Update(t.seq, clock, common + own, list(t.lines.get(v, ())), list(t.chat))
        assert frames.update(v, clock, own) == pr.encode(whole)


def test_the_end_of_a_game_and_its_replay() -> None:
    rng = random.Random(4)
    t = dealt("classic", 4)
    journal = [en.Entry(t.dealt)] if t.dealt else []
    while t.status == PLAYING:
        assert t.game is not None
        m = choose(t.game, rng)
        journal.append(en.Entry(deciding.prepare(t, t.game, m.seat, [m.deed], "person")))
        t.take(journal[-1])
    assert t.status == OVER
    for v in range(-1, SEATS):
        state = showing.state(showing.shared(t, [True] * SEATS, 0), showing.own(t, v), showing.NO_CLOCK)
        assert wrong("State", json.loads(pr.encode(state))) == []
    opened = en.Entry(en.Opened(t.id, t.name, op.plain(t.options), SEATS))
    record = replays.record(t, [opened, *journal], 0)
    stage = replays.Stage(record)
    for step in (0, len(record.steps) // 2, len(record.steps)):
        assert wrong("ReplayFrame", json.loads(pr.encode(replays.frame(stage, step)))) == []


def test_the_lobby_the_cards_and_drafts() -> None:
    t = Table("abcdefghjk")
    t.take(en.Entry(en.Opened(t.id, "Typed", op.plain(op.TableOptions()), SEATS)))
    t.take(en.Entry(en.Sealed(1, "salt")))
    state = showing.state(showing.shared(t, [False] * SEATS, 1), showing.own(t, -1), showing.NO_CLOCK)
    assert wrong("State", json.loads(pr.encode(state))) == []
    assert wrong("About", json.loads(pr.encode(catalog.about()))) == []
    assert wrong("RuleInfo", json.loads(pr.encode(catalog.rule("HELP-2")))) == []
    for mix in MIXES.values():
        options = op.changed(op.TableOptions(), mix)
        catalog.remember(op.cards(options).printed, options)
        for card in json.loads(gzip.decompress(catalog.cards(op.cards(options).printed))):
            assert wrong("CardInfo", card) == []


def test_what_a_draft_is_answered_with() -> None:
    rng = random.Random(2)
    t = dealt("classic", 2)
    seen = set()
    for _ in range(600):
        g = t.game
        assert g is not None
        for s in range(SEATS):
            for m in legal(g, s):
                if m.verb in menu.DRAFTS and m.verb not in seen:
                    seen.add(m.verb)
                    answer = deciding.draft(t, s, pr.Draft("x", [menu.key(m)]))
                    assert wrong("DraftState", json.loads(pr.encode(answer))) == []
        if g.winners or len(seen) > 3:
            break
        s = to_act(g)[0]
        t.take(en.Entry(deciding.prepare(t, g, s, [rng.choice(legal(g, s)).deed], "person")))
    assert len(seen) > 3
