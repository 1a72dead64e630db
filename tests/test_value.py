"""The game is a plain value: it can be written, read back, cloned, compared and hashed at every decision."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers
import kickdoor
from kickdoor.engine import kernel
from kickdoor.engine.facts import strength
from kickdoor.engine.saving import SaveError, from_json, from_msgpack, restore, to_json, to_msgpack
from kickdoor.engine.value import chance, stored
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import Game, Player, bare_table, new_player
from kickdoor.engine.value.records import DOUBLES, MULTIPLIES, REVERSES, Token
from kickdoor.engine.value.ruleset import RulesetError, ruleset
from kickdoor.scenario.setting import set_table

Write = Callable[[Game], bytes]
Read = Callable[[bytes], Game]
FORMS = [(to_json, from_json), (to_msgpack, from_msgpack)]
STEPS = 700


def everyones_moves(g: Game) -> list[list[kickdoor.Move]]:
    return [kickdoor.legal(g, s) for s in range(len(g.players))]


@pytest.mark.parametrize("mix", ["classic", "three_packs_shakespeare", "shared_victory"])
@pytest.mark.parametrize(("write", "read"), FORMS, ids=["json", "msgpack"])
def test_restart_at_every_decision(mix: str, write: Write, read: Read) -> None:
    """One game is played through; the other is written and read back before every single move."""
    rng = random.Random(21)
    whole = helpers.start(mix, 4, 21)
    broken = helpers.start(mix, 4, 21)
    for _ in range(STEPS):
        if whole.over:
            break
        broken = read(write(broken))
        assert broken.key() == whole.key()
        assert kickdoor.to_act(broken) == kickdoor.to_act(whole)
        assert everyones_moves(broken) == everyones_moves(whole)
        move = helpers.choose(whole, rng)
        kickdoor.apply(whole, move)
        kickdoor.apply(broken, move)
    assert broken.key() == whole.key()


@pytest.mark.parametrize(("write", "read"), FORMS, ids=["json", "msgpack"])
def test_writing_what_was_read_gives_the_same_bytes(write: Write, read: Read) -> None:
    rng = random.Random(4)
    g = helpers.start("three_packs", 6, 4)
    for _ in range(300):
        kickdoor.apply(g, helpers.choose(g, rng))
        data = write(g)
        assert write(read(data)) == data


@pytest.mark.parametrize("mix", ["classic", "three_packs"])
def test_what_happens_in_a_clone_stays_in_the_clone(mix: str) -> None:
    rng, dreams = random.Random(8), random.Random(9)
    g = helpers.start(mix, 5, 8)
    for _ in range(STEPS):
        if g.over:
            break
        before, moves = g.key(), everyones_moves(g)
        dream = g.clone()
        assert dream.key() == before
        for _ in range(6):
            if not dream.over:
                kickdoor.apply(dream, helpers.choose(dream, dreams))
        assert g.key() == before
        assert everyones_moves(g) == moves
        kickdoor.apply(g, helpers.choose(g, rng))


@pytest.mark.parametrize("mix", ["classic", "three_packs"])
def test_a_strength_is_the_sum_of_its_terms(mix: str) -> None:
    """Whatever of it is kept from before: who asks for the sum and who asks for each term are told the same."""
    rng = random.Random(17)
    g = helpers.start(mix, 4, 17)
    for _ in range(STEPS):
        if g.over:
            break
        for s in range(len(g.players)):
            assert strength.strength(g, s) == sum(t.amount for t in strength.seat_terms(g.clone(), s))
        kickdoor.apply(g, helpers.choose(g, rng))


def test_what_happens_in_the_original_stays_in_the_original() -> None:
    rng = random.Random(13)
    g = helpers.start("three_packs", 4, 13)
    kept: list[tuple[Game, bytes]] = []
    for _ in range(STEPS):
        if g.over:
            break
        kept.append((g.clone(), g.key()))
        kickdoor.apply(g, helpers.choose(g, rng))
    assert [c.key() for c, _ in kept] == [key for _, key in kept]


def test_a_clone_played_on_is_the_same_game() -> None:
    """Including its dice and shuffles: the generator is part of the value."""
    rng = random.Random(2)
    g = helpers.start("classic", 3, 2)
    for _ in range(STEPS):
        if g.over:
            break
        twin = g.clone()
        move = helpers.choose(g, rng)
        assert kickdoor.apply(twin, move) == kickdoor.apply(g, move)
        assert twin.key() == g.key()


@given(seed=st.integers(0, 2**64 - 1), seats=st.integers(3, 6), steps=st.integers(0, 120))
def test_equal_games_have_equal_keys(seed: int, seats: int, steps: int) -> None:
    one, two = helpers.start("classic", seats, seed), helpers.start("classic", seats, seed)
    rng = random.Random(seed)
    keys = set()
    for _ in range(steps):
        if one.over:
            break
        keys.add(one.key())
        move = helpers.choose(one, rng)
        kickdoor.apply(one, move)
        kickdoor.apply(two, move)
    assert one.key() == two.key()
    assert from_json(to_json(one)).key() == two.key()


@pytest.mark.parametrize(
    "change",
    [
        lambda g: setattr(g, "rng", g.rng ^ 1),
        lambda g: setattr(g, "turns", g.turns + 1),
        lambda g: setattr(g.players[0], "level", 5),
        lambda g: setattr(g.players[1], "shown", True),
        lambda g: g.own_piles()[0][0].reverse(),
        lambda g: g.players[0].hand.reverse(),
        lambda g: g.uses.update(x=1),
        lambda g: setattr(g, "dice", [6]),
    ],
)
def test_the_key_sees_every_difference(change: Callable[[Game], None]) -> None:
    g = helpers.start("classic", 3, 6)
    other = g.clone()
    change(other)
    assert other.key() != g.key()


# -- a game in the middle of something ------------------------------------------------------------------------


def some_game(seed: int = 31, steps: int = 150) -> Game:
    """A game with something on the table, in the middle of something if possible."""
    rng = random.Random(seed)
    g = helpers.start("classic", 4, seed)
    for i in range(steps + 500):
        if g.over or (i >= steps and g.fight is not None and len(g.stack) > 1):
            break
        kickdoor.apply(g, helpers.choose(g, rng))
    return g


GAME = some_game()
JSON = to_json(GAME)
PACKED = to_msgpack(GAME)


# -- a field of the value has its three places ------------------------------------------------------------------

HOME = "src/kickdoor/engine/value/"
DERIVED = {"cache", "known", "moves", "sight", "acts"}
NO_VALUE = {"lib", "rules", "events"} | DERIVED  # shared, or derived, or for whoever listens
REPLACED = ("Sequence[", "Mapping[")  # types that cannot be changed in place: one and the same in every copy


def declared(kind: type) -> dict[str, str]:
    """The fields of a class as its source declares them; a compiled class does not know."""
    file = "records.py" if issubclass(kind, msgspec.Struct) else "game.py"
    tree = ast.parse((Path(__file__).parent.parent / HOME / file).read_text(encoding="utf-8"))
    [body] = [n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == kind.__name__]
    return {n.target.id: ast.unparse(n.annotation) for n in body if isinstance(n, ast.AnnAssign)}  # type: ignore[union-attr]


def copies() -> list[tuple[str, Any, Any]]:
    """Everything that has a `clone` of its own: its name, and a pair of original and copy."""
    g = GAME
    assert g.fight is not None
    twin = g.clone()
    assert twin.fight is not None
    return [("Game", g, twin), ("Player", g.players[0], twin.players[0]), ("Fight", g.fight, twin.fight)]


@pytest.mark.parametrize(("kind", "record"), [(Game, stored.Stored), (Player, stored.StoredPlayer)])
def test_what_is_declared_is_stored(kind: type, record: type[msgspec.Struct]) -> None:
    fields, rows = declared(kind), set(record.__struct_fields__)
    for name in sorted(set(fields) - rows - NO_VALUE):
        kept = fields[name]
        pytest.fail(f"a save forgets {kind.__name__}.{name}: {HOME}stored.py, {record.__name__} needs `{name}: {kept}`")
    assert rows <= set(fields), f"{record.__name__} has what {kind.__name__} in {HOME}game.py does not declare"


def test_a_copy_has_everything_and_shares_nothing_that_changes() -> None:
    file = HOME + "game.py"
    for kind, original, copy in copies():
        types = declared(type(original))
        for name in types:
            assert hasattr(copy, name), f"a copy lacks {kind}.{name}: {file}, {kind}.clone needs `new.{name} = ...`"
            mine, theirs = getattr(original, name), getattr(copy, name)
            shared = isinstance(mine, (list, dict, set)) and mine is theirs
            replaced = types[name].startswith(REPLACED)
            assert replaced or not shared, f"a copy shares {kind}.{name}: {file}, needs `new.{name} = self.{name}[:]`"
            assert kind == "Fight" or name in NO_VALUE | {"players", "fight", "stack"} or mine == theirs


def test_an_empty_table_has_everything_in_it() -> None:
    g = bare_table(GAME.lib, GAME.rules, [new_player("Ann"), new_player("Bob")], 1)
    missing = [name for name in declared(Game) if not hasattr(g, name)]
    assert missing == [], f"{HOME}game.py, bare_table: what are these at the start?"
    assert restore(g.lib, g.rules, g.plain()).plain() == g.plain()


@pytest.mark.parametrize("frame", fr.KINDS, ids=lambda f: f.__name__)
def test_every_frame_can_be_gone_on_with_and_is_described(frame: type[fr.Frame]) -> None:
    name = frame.__name__
    assert frame in kernel.STEP, (
        f"nothing goes on with {name}: src/kickdoor/engine/kernel.py, STEP needs `fr.{name}: ...`"
    )
    assert frame.__doc__, f"{HOME}frames.py: {name} says which chapter it belongs to, and what is being resolved"
    page = (Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert f"| `{name}` |" in page, f"docs/architecture.md, Frames: who is asked what by `{name}`?"


# -- what is no save ------------------------------------------------------------------------------------------


@given(cut=st.integers(0, len(JSON) - 1))
def test_half_a_json_save_is_refused(cut: int) -> None:
    with pytest.raises(SaveError):
        from_json(JSON[:cut])


@given(cut=st.integers(0, len(PACKED) - 1))
def test_half_a_msgpack_save_is_refused(cut: int) -> None:
    with pytest.raises(SaveError):
        from_msgpack(PACKED[:cut])


@given(rubbish=st.binary(max_size=60))
def test_rubbish_is_refused(rubbish: bytes) -> None:
    for read in (from_json, from_msgpack):
        with pytest.raises(SaveError):
            read(rubbish)


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a save, deepest last."""
    out = [at] if at else []
    if isinstance(value, dict):
        for k, v in value.items():
            out += paths(v, (*at, k))
    elif isinstance(value, list):
        for i, v in enumerate(value[:3]):
            out += paths(v, (*at, i))
    return out


PATHS = paths(msgspec.json.decode(JSON))
NONSENSE = {"non": "sense"}
WRONG: dict[type, Any] = {int: "seven", float: "seven", bool: "seven", list: 7, dict: 7}


@pytest.mark.parametrize("path", PATHS, ids=lambda p: ".".join(map(str, p)))
def test_a_value_of_the_wrong_kind_is_refused(path: tuple[Any, ...]) -> None:
    data = msgspec.json.decode(JSON)
    at = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = WRONG.get(type(at[path[-1]]), NONSENSE)
    with pytest.raises(SaveError):
        from_json(msgspec.json.encode(data))


PARTS = [p for p in PATHS if len(p) == 1 or (len(p) == 2 and p[0] == "game")]


@pytest.mark.parametrize("path", PARTS, ids=".".join)
def test_a_missing_part_is_refused(path: tuple[str, ...]) -> None:
    data = msgspec.json.decode(JSON)
    del (data if len(path) == 1 else data[path[0]])[path[-1]]
    with pytest.raises(SaveError):
        from_json(msgspec.json.encode(data))


@given(place=st.integers(0, len(JSON) - 1), byte=st.integers(0, 255))
def test_a_flipped_byte_is_refused_or_gives_a_game(place: int, byte: int) -> None:
    """Never anything but a SaveError."""
    data = JSON[:place] + bytes([byte]) + JSON[place + 1 :]
    try:
        g = from_json(data)
    except SaveError:
        return
    assert isinstance(g, Game)


@pytest.mark.parametrize("card", [-1, 10_000])
def test_a_card_that_does_not_exist_is_refused(card: int) -> None:
    data = msgspec.json.decode(JSON)
    data["game"]["piles"][0][0] = card
    with pytest.raises(SaveError):
        from_json(msgspec.json.encode(data))


def test_a_card_in_two_places_is_refused() -> None:
    data = msgspec.json.decode(JSON)
    data["game"]["piles"][0][0] = data["game"]["piles"][0][1]
    with pytest.raises(SaveError):
        from_json(msgspec.json.encode(data))


def test_other_cards_are_refused() -> None:
    data = msgspec.json.decode(JSON)
    data["cards"] = "0" * len(data["cards"])
    with pytest.raises(SaveError, match="other cards"):
        from_json(msgspec.json.encode(data))


def in_format_1(g: Game) -> bytes:
    """A game as it was saved before tokens had kinds, and drafts their own fields."""
    data = msgspec.json.decode(to_json(g))
    data["kickdoor"] = 1
    for token in (data["game"]["fight"] or {}).get("tokens", ()):
        kind, item = token.pop("kind"), token.pop("item")
        if kind:
            token["rule"] = ["", "double", "multiply", "reversed"][kind]
            token["foe"] = item
    for frame in data["game"]["stack"]:
        if frame["type"] == "Draft":
            own = frame.pop("doubled"), frame.pop("received")
            frame["get"] = own[0] or own[1] or frame["get"]
            frame["double"] = -1
    return msgspec.json.encode(data)


def test_a_save_of_the_first_format_is_read() -> None:
    table = {"players": {"Ann": {"in_play": ["Halfling", "Flaming Armor"]}, "Bob": {}}}
    sale, names = set_table({"table": table}, Path())
    armor = names.copies("Flaming Armor")[0]
    sale.stack.append(fr.Draft(fr.SELL_DRAFT, 0, give=(armor,), doubled=(armor,)))
    charity, _ = set_table({"table": table}, Path())
    charity.stack.append(fr.Draft(fr.CHARITY_DRAFT, 0, need=1, received=(0, 1)))
    fight, _ = set_table({"table": {**table, "fight": {"main": "Ann", "monsters": ["Harpies"]}}}, Path())
    assert fight.fight is not None
    fight.fight.tokens = [
        Token(2, -1, True, armor, foe=fight.fight.foes[0].card),
        Token(0, 0, False, armor, kind=DOUBLES),
        Token(3, 0, False, armor, kind=MULTIPLIES, item=armor),
        Token(0, -1, True, armor, kind=REVERSES),
    ]
    for g in (sale, charity, fight):
        assert from_json(in_format_1(g)).key() == g.key()


def test_another_format_is_refused() -> None:
    data = msgspec.json.decode(JSON)
    data["kickdoor"] = 999
    with pytest.raises(SaveError, match="format"):
        from_json(msgspec.json.encode(data))


@pytest.mark.parametrize(
    ("field", "word", "known"),
    [
        ("combat.hand_ban", "nothing", "items, treasures"),
        ("companion.sex_change", "never", "none, sex_change_potion, any"),
        ("help.offer_kinds", ["item", "money"], "item, treasure, play_card"),
    ],
)
def test_a_word_that_no_rule_knows_is_refused_with_those_that_are(field: str, word: Any, known: str) -> None:
    with pytest.raises(RulesetError, match=f"known words: {known}$"):
        ruleset(**{field: word})


TABLE = kickdoor.new_game(("Ann", "Bob", "Cid"), seed=1)


@given(st.integers(0, 2**64 - 1), st.integers(0, 400))
def test_a_deck_is_shuffled_with_the_numbers_of_the_game(state: int, cards: int) -> None:
    """`chance` reckons them in parts, `Game.random` in whole numbers: an old seed goes on giving the old deck."""
    g = TABLE.clone()
    g.rng = state
    by_hand = list(range(cards))
    for i in range(cards - 1, 0, -1):
        j = g.random(i + 1)
        by_hand[i], by_hand[j] = by_hand[j], by_hand[i]
    pile = list(range(cards))
    assert chance.shuffle(state, pile) == g.rng
    assert pile == by_hand
