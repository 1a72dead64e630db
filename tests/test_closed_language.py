"""The card language is closed: no word, key, figure or argument is read that has no meaning where it stands."""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from kickdoor.cards import arguments as rows
from kickdoor.cards import clauses, language, steps, vocabulary
from kickdoor.cards.compiler import Compiler
from kickdoor.cards.kinds import COMPANIONS, CURSES
from kickdoor.cards.packs import HOME, find_pack, known_packs, read_pack
from kickdoor.cards.reading import ReadingError, documents, read_documents
from kickdoor.engine.effects import programs
from kickdoor.engine.effects.verbs import VERBS
from kickdoor.engine.facts import force
from kickdoor.engine.kernel import legal
from kickdoor.engine.setup import library
from kickdoor.engine.table import zones
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import USE
from kickdoor.scenario.setting import set_table
from kickdoor.scenario.table import read_fixtures

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "card-language.md"

# A card, the field that is wrong, and what the message says about it. What is wrong stands in the last line.
CURSE = "kind: curse\neffect:\n  - "
ITEM = "kind: item\nslot: none\n"
MOD = ITEM + "modifiers:\n  - "
MONSTER = "kind: monster\nlevel: 3\ntreasures: 1\n"

BAD: list[tuple[str, str, str]] = [
    # words that are none of a fixed set
    (CURSE + "lose_level: 1\n    who: vicitm", "effect.0.who", "'victim'"),
    (CURSE + "give: lefft", "effect.0.give", "'left'"),
    (CURSE + "take:\n      victim: rihgt", "effect.0.take.victim", "'right'"),
    (CURSE + "discard:\n      chooser: randm", "effect.0.discard.chooser", "'random'"),
    (CURSE + "discard:\n      what: smal_item", "effect.0.discard.what", "'small_item'"),
    (CURSE + "each:\n      who: evryone", "effect.0.each.who", "'everyone'"),
    (CURSE + "roll: runaway", "effect.0.roll", "'run_away'"),
    (CURSE + "take:\n      pick: bigest_bonus", "effect.0.take.pick", "'biggest_bonus'"),
    (CURSE + "remove_monster: al", "effect.0.remove_monster", "'all'"),
    (MOD + "returns: stael", "modifiers.0.returns", "'steal'"),
    (MOD + "returns_to_hand: cruse", "modifiers.0.returns_to_hand", "'curse'"),
    (MOD + "no_slot: footgaer", "modifiers.0.no_slot", "'footgear'"),
    (MOD + "no_carry:\n      - 2hand", "modifiers.0.no_carry.0", "'2hands'"),
    (MOD + "shields: takn", "modifiers.0.shields", "'taken'"),
    (MOD + "suppress_traits: rase", "modifiers.0.suppress_traits", "'race'"),
    (ITEM + "on:\n  won:\n    - lose_level: 1\n      who: actr", "on.won.0.who", "'actor'"),
    (ITEM + "on:\n  wun: []", "on", "'won'"),
    (CURSE + "if: {victim: {has: {kind: monstr}}}\n    then: []", "effect.0.if.victim.has.kind", "'monster'"),
    # words that nothing gives a meaning
    (MOD + "strength: 1\n    per: elff", "modifiers.0.per", "'elf'"),
    (MOD + "strength: 1\n    per: item:knive", "modifiers.0.per", "'knife'"),
    (MOD + "immune_to: thefd", "modifiers.0.immune_to", "'Theft'"),
    (MOD + "ability: {Backstap: 1}", "modifiers.0.ability", "'Backstab'"),
    (MOD + "apparent: humen", "modifiers.0.apparent", "'human'"),
    (MOD + "grants: wizzard", "modifiers.0.grants", "'wizard'"),
    (MOD + "claims: hosst", "modifiers.0.claims", "'host'"),
    (ITEM + "usable_by: dwraf", "usable_by", "'dwarf'"),
    (MONSTER + "modifiers:\n  - strength: 3\n    against: elv", "modifiers.0.against", "'elf'"),
    (MONSTER + "refuses: theif", "refuses", "'thief'"),
    (MONSTER + "pursuit_limit: 3\npursues: clercs", "pursues", "'cleric'"),
    (MOD + "strength: 1\n    if: {fight: {tag: undeed}}", "modifiers.0.if.fight.tag", "'undead'"),
    ("kind: hireling\nbonus: 1\nrace: Elv", "race", "'elf'"),
    (MONSTER + "tags: [undeed]", "tags", "did you mean 'undead'?"),
    (MONSTER + "tags: [stationery]", "tags", "list it under `tags` in pack.yaml"),
    (CURSE + "if: halfing\n    then: []", "effect.0.if", "'halfling'"),
    # keys of another kind
    (ITEM + "bad_stuff: [{lose_level: 1}]", "bad_stuff", "kind item; it is for enhancer, monster"),
    (ITEM + "treasures: 2", "treasures", "kind item; it is for"),
    (ITEM + "pursuit_limit: 2", "pursuit_limit", "kind item; it is for monster"),
    (MONSTER + "slot: armor", "slot", "kind monster; it is for item"),
    (MONSTER + "big: false", "big", "kind monster; it is for"),
    (MONSTER + "rank: 2", "rank", "kind monster; it is for power"),
    (MONSTER + "gold: 300", "gold", "kind monster; it is for"),
    ("kind: race\nlasting: true", "lasting", "kind race; it is for curse"),
    ("kind: curse\ncarries: 1", "carries", "kind curse; it is for"),
    # arguments that nothing reads
    (CURSE + "lose_level: 1\n    side: monsters", "effect.0.side", "beside lose_level; it is for bonus"),
    (CURSE + "lose_level: 1\n    may_win: true", "effect.0.may_win", "beside lose_level; it is for gain_level"),
    (CURSE + "draw: {doors: 1}\n    else: []", "effect.0.else", "beside draw; it is for"),
    (CURSE + "cancel_curse: true\n    who: target", "effect.0.who", "beside cancel_curse; it is for"),
    (MOD + "hands: 1\n    per: elf", "modifiers.0.per", "beside hands; it is for strength"),
    (MOD + "strength: 1\n    against: elf", "modifiers.0.against", "is for monsters, not for a card of kind item"),
    (
        MONSTER + "modifiers:\n  - strength: 1\n    host: weapon",
        "modifiers.0.host",
        "what munchkins have",
    ),
    (CURSE + "if:\n      victim:\n        count: 2\n    then: []", "effect.0.if.victim.count", "more about `has`"),
    ("kind: special\nmax_traits: 3", "max_traits", "more about `multi`"),
    ("kind: special\nplay:\n  - on: monster\n    stays: attached", "play.0.stays", "attached is on any_item"),
    # figures out of range
    ("kind: monster\ntreasures: 1\nlevel: -3", "level", "at least 1"),
    ("kind: monster\nlevel: 1\ntreasures: -1", "treasures", "at least 0"),
    (ITEM + "copies: 0", "copies", ">= 1"),
    ("kind: power\nrank: 0", "rank", ">= 1"),
    (ITEM + "gold: -100", "gold", ">= 0"),
    (CURSE + "lose_level: -1", "effect.0.lose_level", ">= 1"),
    ("kind: curse\nlevel: 2", "level", "at most -1"),
    (
        CURSE + "if: {you: {level: {at_least: 5, at_most: 3}}}\n    then: []",
        "effect.0.if.you.level",
        "nothing is at least",
    ),
]


def last_line(text: str, field: str) -> int:
    """Where the wrong thing stands: the last line but what follows it only to make the step whole."""
    lines = text.splitlines()
    return len(lines) - (1 if lines[-1].strip() == "then: []" else 0)


@pytest.mark.parametrize(("text", "field", "says"), BAD, ids=[f"{f}:{i}" for i, (_, f, _) in enumerate(BAD)])
def test_what_has_no_meaning_is_not_read(tmp_path: Path, text: str, field: str, says: str) -> None:
    (tmp_path / "pack.yaml").write_text("id: mine\ntitle: Mine\n", encoding="utf-8")
    card = textwrap.indent("name: A\n" + text, "    ").replace("    name", "  - name", 1)
    (tmp_path / "cards.yaml").write_text("cards:\n" + card + "\n", encoding="utf-8")
    with pytest.raises(ReadingError) as error:
        library((str(tmp_path),))
    where = f"{tmp_path / 'cards.yaml'}:{last_line(text, field) + 2}: card 'A': {field}: "
    assert str(error.value).startswith(where)
    assert says in str(error.value)


def test_a_tag_is_asked_for_by_a_card_or_declared_by_the_pack(tmp_path: Path) -> None:
    head = tmp_path / "pack.yaml"
    card = {"name": "A", "kind": "monster", "level": 3, "treasures": 1, "tags": ["stationery"]}
    asking = {"name": "B", "kind": "item", "modifiers": [{"strength": 1, "if": {"fight": {"tag": "stationery"}}}]}
    head.write_text("id: mine\ntitle: Mine\n", encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(json.dumps({"cards": [card, asking]}), encoding="utf-8")
    assert len(library((str(tmp_path),)).unique) == 2
    other = tmp_path / "other"
    other.mkdir()
    (other / "cards.yaml").write_text(json.dumps({"cards": [card]}), encoding="utf-8")
    (other / "pack.yaml").write_text("id: other\ntitle: Other\ntags: [stationery]\n", encoding="utf-8")
    assert len(library((str(other),)).unique) == 1


def test_kin_are_monsters_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("id: mine\ntitle: Mine\nkin: [shrak]\n", encoding="utf-8")
    (tmp_path / "cards.yaml").write_text("cards: []\n", encoding="utf-8")
    with pytest.raises(ReadingError, match=r"pack.yaml:3: kin: nothing is tagged 'shrak'; did you mean 'shark'\?"):
        library((str(tmp_path),))


# -- the tables are true ------------------------------------------------------------------------------------------


def reads(function: Callable[..., Any], index: int = 2, seen: set[Any] | None = None) -> set[str]:
    """The arguments of a step that a function reads, itself or in what it hands them to."""
    seen = set() if seen is None else seen
    if (function, index) in seen:
        return set()
    seen.add((function, index))
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    name = tree.args.args[index].arg
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            found.add(node.attr)
        if isinstance(node, ast.Call):
            for i, arg in enumerate(node.args):
                if isinstance(arg, ast.Name) and arg.id == name:
                    found |= reads(called(function, node.func), i, seen)
    return found


def called(function: Callable[..., Any], to: ast.expr) -> Callable[..., Any]:
    names = function.__globals__
    if isinstance(to, ast.Name):
        return names[to.id]  # type: ignore[no-any-return]
    assert isinstance(to, ast.Attribute)
    assert isinstance(to.value, ast.Name)
    return getattr(names[to.value.id], to.attr)  # type: ignore[no-any-return]


def sets(verb: str) -> set[str]:
    """The arguments that the compiler makes of what stands under a verb."""
    function = getattr(Compiler, f"_{verb}", None)
    if function is None:
        return set()
    source = textwrap.dedent(inspect.getsource(function))
    return set(re.findall(r"\ba\.(\w+)(?:, a\.\w+)? = ", source)) | set(re.findall(r", a\.(\w+) = ", source))


OWN_WHO = ("each", "dungeon")  # their own structure says for whom


@pytest.mark.parametrize("verb", VERBS)
def test_the_keys_beside_a_verb_are_those_that_it_reads(verb: str) -> None:
    read = {"else" if key == "else_" else key for key in reads(VERBS[verb])}
    shared: set[str] = {key for key in ("who", "else", "may_win", "per", "side") if key in read}
    if verb in OWN_WHO:
        shared.discard("who")
    if "then" in inspect.getsource(getattr(Compiler, f"_{verb}", Compiler._plain)):
        shared.add("then")
    listed = {key for key, verbs in rows.BESIDE_VERB.items() if verb in verbs}
    table = "src/kickdoor/cards/arguments.py, _READ"
    assert shared <= listed, f"{table}: add {verb!r} under {sorted(shared - listed)}, which its function reads"
    assert listed <= shared, (
        f"{table}: take {verb!r} out of {sorted(listed - shared)}, which its function does not read"
    )


def test_every_verb_of_the_language_has_a_function() -> None:
    language_, table = {v.rstrip("_") for v in rows.VERBS}, set(VERBS)
    where = "src/kickdoor/engine/effects/verbs.py, VERBS"
    assert language_ <= table, f"{where}: nothing does {sorted(language_ - table)}"
    assert table <= language_, f"{where}: no step of src/kickdoor/cards/steps.py says {sorted(table - language_)}"


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_under_a_verb_is_compiled_for_nobody(verb: str) -> None:
    assert sets(verb) <= reads(VERBS[verb])


ENGINE = Path(inspect.getfile(programs)).resolve().parent
while ENGINE.name != "engine":
    ENGINE = ENGINE.parent
SOURCE = "\n".join(p.read_text(encoding="utf-8") for p in sorted(ENGINE.rglob("*.py")))
ASKED = re.compile(r"\b(?:modifiers|any_modifier|total|fight_rule|fight_words)\([^()]*\"(\w+)\"\)")


@pytest.mark.parametrize("key", rows.MODIFIER_KEYS)
def test_a_modifier_may_have_a_condition_where_the_engine_asks_for_it(key: str) -> None:
    """What is listed as always in force is never asked for by the functions that look at the condition."""
    if key in rows.ALWAYS:
        assert key not in ASKED.findall(SOURCE)


def test_how_a_card_is_lost_is_what_the_engine_calls_it() -> None:
    causes = {v for k, v in vars(zones).items() if k.isupper() and isinstance(v, str)}
    assert set(get_args(vocabulary.Loss)) <= causes | {"steal"}


def test_every_person_is_somebody_to_the_engine() -> None:
    source = inspect.getsource(programs.seat_for)
    assert set(re.findall(r'word == "(\w+)"', source)) == set(get_args(vocabulary.Who))


# -- no key where it means nothing --------------------------------------------------------------------------------

# Kinds that are one to the engine as far as keys go: what one of them may say, all may.
FAMILIES = (CURSES, COMPANIONS, rows.RIDDEN, rows.PEOPLE, rows.ENHANCERS, rows.ON_ITEMS)
BEFORE_A_PLAYER = frozenset().union(*FAMILIES) - rows.ENHANCERS | {"special", "race_or_class_enhancer"}

# Keys that the engine reads off whatever lies before a player: what such a card says, and what must be so then.
IN_FORCE: dict[str, tuple[dict[str, Any], Callable[[Game], Any]]] = {
    "run_away": ({"run_away": 2}, lambda g: force.total(g, 0, "run_away") == 2),
    "abilities": (
        {"abilities": [{"name": "Zap", "when": "own_turn_idle", "do": [{"gain_level": 1}]}]},
        lambda g: any(m.verb == USE for m in legal(g, 0)),
    ),
    "on": ({"on": {"turn_end": [{"gain_level": 1}]}}, lambda g: zones.awaits(g, 0, "turn_end")),
}


@cache
def kinds_by_key() -> dict[str, set[str]]:
    """For which kinds each key is written, on cards and in the examples of the page and of rules."""
    blocks = re.findall(r"^```yaml (?:scenario|cards)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    raw = [
        c
        for b in blocks
        for d, _ in documents(b, PAGE.name)
        for c in (d.get("cards") or (d.get("table") or {}).get("fixtures") or [])
    ]
    cards = [*fixtures(), *(msgspec.convert(c, language.Card) for c in raw)]
    for pack in known_packs():
        cards += read_pack(find_pack(pack)).cards
    models = {c.name.lower(): c for c in cards if c.kind is not None}
    found: dict[str, set[str]] = {}
    for card in cards:
        model = card if card.kind else models.get((card.like or "").lower())
        for key in msgspec.to_builtins(card):
            found.setdefault(key, set()).update([model.kind] if model and model.kind else [])
    return found


@pytest.mark.xdist_group("all_cards")  # they are read once
@pytest.mark.parametrize("key", rows.KINDS)
def test_a_key_is_allowed_where_it_means_something(key: str) -> None:
    used = kinds_by_key().get(key, set())
    for kind in sorted(rows.KINDS[key]):
        family = next((f for f in FAMILIES if kind in f), frozenset({kind}))
        if not family & used:
            assert key in IN_FORCE, f"nothing uses `{key}` on a card of kind {kind}: take it out of arguments.KINDS"
            assert kind in BEFORE_A_PLAYER, f"nothing uses `{key}` on a card of kind {kind}, which is never in play"
            says, so = IN_FORCE[key]
            thing = {"name": "Thing", "kind": kind, **says}
            table = {"fixtures": [thing], "players": {"Ann": {"in_play": ["Thing"]}, "Bob": {}, "Cid": {}}}
            assert so(set_table({"table": table}, Path())[0]), f"the engine does not read `{key}` off a {kind}"


# -- no word for nobody -------------------------------------------------------------------------------------------

STRUCTS = [
    t
    for module in (clauses, steps, language)
    for t in vars(module).values()
    if isinstance(t, type) and issubclass(t, msgspec.Struct) and t.__module__ == module.__name__
]


@cache
def keys(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def written(node: Any, found: set[tuple[str, str]]) -> None:
    """The keys of each structure that differ from what they are when nothing is written."""
    if isinstance(node, msgspec.Struct):
        for f in keys(type(node)):
            value = getattr(node, f.name)
            default = f.default_factory() if f.default_factory is not msgspec.NODEFAULT else f.default
            if value != default:
                found.add((type(node).__name__, f.encode_name))
                written(value, found)
    elif isinstance(node, (list, dict)):
        for item in node.values() if isinstance(node, dict) else node:
            written(item, found)


def fixtures() -> list[language.Card]:
    """The cards that exist in scenarios of rules alone."""
    files = [*(ROOT / "scenarios").rglob("*.yaml"), *HOME.glob("*/scenarios/**/*.yaml")]
    tables = [d.get("table") for p in files for d, _ in read_documents(p) if isinstance(d, dict)]
    raw = [c for t in tables if isinstance(t, dict) for c in t.get("fixtures") or [] if isinstance(c, dict)]
    return read_fixtures(raw, "fixtures")


@pytest.mark.xdist_group("all_cards")
def test_every_word_is_said_by_a_card_or_needed_by_the_scenario_of_a_rule() -> None:
    found: set[tuple[str, str]] = set()
    for pack in known_packs():
        source = read_pack(find_pack(pack))
        written(source.head, found)
        written(list(source.cards), found)
    written(fixtures(), found)
    words = {(t.__name__, f.encode_name) for t in STRUCTS for f in keys(t)}
    assert sorted(words - found) == [("CardFile", "cards")]
