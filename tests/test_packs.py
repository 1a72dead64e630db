"""Packs of one's own: a new one, what the check finds, the schema; and the packs that come with the game."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import kickdoor as game
from kickdoor.app import pack_command
from kickdoor.cards.packs import HOME, known_packs
from kickdoor.cards.reading import read_documents
from kickdoor.scenario.coverage import Part, run_part
from test_commands import kickdoor

HEAD = "id: mine\ntitle: Mine\n"


@pytest.fixture
def pack(tmp_path: Path) -> Any:
    """A folder with these cards in it."""

    def make(cards: str, head: str = HEAD) -> Path:
        (tmp_path / "pack.yaml").write_text(head, encoding="utf-8")
        (tmp_path / "doors.yaml").write_text(f"cards:\n{cards}", encoding="utf-8")
        return tmp_path

    return make


def check(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    code = kickdoor("pack", "check", folder, "--json")
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] == (code == 0)
    return code, report["problems"]


@pytest.fixture
def started(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "office"
    assert kickdoor("pack", "new", folder) == 0
    capsys.readouterr()
    return folder


# -- a new pack ---------------------------------------------------------------------------------------------------


def test_a_new_pack_has_nothing_wrong_but_its_size(started: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, problems = check(started, capsys)
    assert code == 0
    assert [p["level"] for p in problems] == ["note"]
    assert "too few" in problems[0]["says"]
    kinds = {c["kind"] for f in ("doors", "treasures") for c in raw_cards(started / f"{f}.yaml")}
    assert kinds >= {
        "monster",
        "curse",
        "race",
        "item",
        "one_shot",
        "monster_enhancer",
        "item_enhancer",
        "go_up_a_level",
    }


def raw_cards(path: Path) -> list[Any]:
    return [card for data, _ in read_documents(path) for card in data["cards"]]


def test_a_new_pack_takes_an_id_and_a_title(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "x"
    assert kickdoor("pack", "new", folder, "--id", "night_shift", "--title", 'The "Night": Shift') == 0
    [(head, _)] = read_documents(folder / "pack.yaml")
    assert (head["id"], head["title"]) == ("night_shift", 'The "Night": Shift')


def test_a_new_pack_overwrites_nothing(started: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (started / "doors.yaml").write_text("mine", encoding="utf-8")
    assert kickdoor("pack", "new", started) == 2
    assert "exists already" in capsys.readouterr().err
    assert (started / "doors.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("id", ["9lives", "No Spaces", "classic"])
def test_an_id_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str], id: str) -> None:
    assert kickdoor("pack", "new", tmp_path / "x", "--id", id) == 2
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("more", [("--title", "x" * 101), ("--id", "x" * 101)])
def test_a_new_pack_has_no_name_that_it_may_not_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, str]
) -> None:
    assert kickdoor("pack", "new", tmp_path / "x", *more) == 2
    assert "at most 100 letters" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_new_pack_can_be_played_at_once(started: Path) -> None:
    g = game.new_game(["Ann", "Bob", "Cid"], packs=("classic", str(started)), seed=5)
    assert "Megaphone" in {d.name for d in g.lib.defs}
    luck = random.Random(5)
    for _ in range(600):
        seats = game.to_act(g)
        if not seats:
            break
        game.apply(g, luck.choice(game.legal(g, seats[0])))


STARTER = """\
scenario: The cabinet files a Thief's Stapler
packs: [classic, "PACK"]
table:
  players: {Ann: {level: 3, in_play: [Thief, Stapler of Justice]}, Bob: {hand: [Caffeinated]}, Cid: {}}
  doors: [Filing Cabinet of Doom]
  dice: [1]
steps:
  - Ann: kick
  - expect: {fight: [7, 7]}
  - Bob: {play: Caffeinated}
  - expect: {fight: [7, 12]}
  - everyone: pass
  - Ann: run
  - expect: {fight: none, Ann.in_play: [Thief], Ann.level: 3}
---
scenario: Everybody walks out
packs: [classic, "PACK"]
table:
  players: {Ann: {level: 1, in_play: [Megaphone], hand: [Fire Drill, Elf]}, Bob: {}, Cid: {}}
  fight: {main: Ann, helper: Bob, monsters: [Passive-Aggressive Armchair]}
steps:
  - Ann: {use: Shout, discard: [Elf]}
  - expect: {fight: [7, 10]}
  - everyone: pass
  - Ann: {play: Fire Drill}
  - everyone: pass
  - expect: {fight: none, Ann.dead: false, Bob.dead: false}
---
scenario: It is Monday
packs: [classic, "PACK"]
table: {players: {Ann: {hand: [Curse! It Is Monday]}, Bob: {level: 4}, Cid: {}}}
steps:
  - Ann: {play: Curse! It Is Monday, on: Bob}
  - expect: {Bob.level: 3, Bob.strength: 1, Bob.curses: [Curse! It Is Monday]}
"""


@pytest.mark.parametrize("text", STARTER.split("---\n"))
def test_the_cards_of_a_new_pack_do_what_they_say(started: Path, text: str) -> None:
    [outcome] = run_part(Part(1, text.replace("PACK", str(started))), "starter")
    assert outcome.passed, outcome.because


# -- what the check finds -----------------------------------------------------------------------------------------

ERRORS = {
    "{name: A, kind: monster, levl: 3}": "unknown key 'levl'; did you mean 'level'?",
    "{name: A, kind: monstr}": "did you mean 'monster'?",
    "{name: A, kind: item, bonus: five}": "expected `int | null`",
    "{name: A}": "needs a kind",
    "{name: A, kind: item, copies: 0}": "expected `int` >= 1",
    "{name: A, like: Net Trol}": "did you mean 'Net Troll'?",
    "{name: A, like: Net Troll}": "name that under needs:",
    "{name: A, kind: curse, effect: [{lose_level: 1, death: true}]}": "exactly one verb",
    "{name: A, kind: curse, effect: [{discard: hat}]}": "known: armor, big_item",
    "{name: A, kind: curse, effect: [{lose_level: 1, who: lft}]}": "did you mean 'left'?",
    "{name: A, kind: curse, effect: [{each: {who: other}}]}": "did you mean 'others'?",
    "{name: A, kind: curse, effect: [{lose_level: rol}]}": "no amount",
    "{name: A, kind: curse, effect: [{by_roll: {x: []}}]}": "no span",
    "{name: A, kind: item, abilities: [{name: B, wen: fight}]}": "did you mean 'when'?",
    "{name: A, kind: item, modifiers: [{strength: 1, if: {fight: {margin: {at_most: 0}}}}]}": "who is winning",
    "{name: A, kind: item, text: x, slot: none, usable_by: elff}": "did you mean 'elf'?",
    "{name: A, kind: item, text: x, slot: none, modifiers: [{strength: 1, if: {you: elff}}]}": "did you mean 'elf'?",
    "{name: A, kind: item, text: x, slot: none, modifiers: [{die: 1, if: {fight: {name: Net Trol}}}]}": "'Net Troll'",
    "{name: A, kind: item, text: x, slot: none, modifiers: [{strength: 1, if: {fight: {tag: undeed}}}]}": "'undead'",
    "{name: A, kind: item, text: x, slot: none, family: Wishing Rin}": "'Wishing Ring'",
    "{name: A, kind: monster_enhancer, text: x, bonus: 1, incompatible: [Enrged]}": "'Enraged'",
    "{name: A, kind: curse, text: x, effect: [{discard: {what: {name: Hug Rock}}}]}": "'Huge Rock'",
}
WARNINGS = {
    "{name: A, kind: monster, text: x, treasures: 1, bad_stuff: []}": "without a level",
    "{name: A, kind: monster, text: x, level: 1, bad_stuff: []}": "without treasures",
    "{name: A, kind: monster, text: x, level: 1, treasures: 1}": "without bad_stuff",
    "{name: A, kind: monster, text: x, level: 1, treasures: 1, bad_stuff: [{lose_level: 1}]}": "no words",
    "{name: A, kind: item, text: x, bonus: 1}": "without a slot",
    "{name: A, kind: item, slot: none}": "has no text",
    "{name: A, kind: curse, text: x}": "does nothing",
    "{name: A, kind: curse, text: x, deck: treasure, effect: [{lose_level: 1}]}": "Curses are Doors",
}


@pytest.mark.parametrize("card", ERRORS)
def test_errors(pack: Any, capsys: pytest.CaptureFixture[str], card: str) -> None:
    code, problems = check(pack(f"  - {card}\n"), capsys)
    errors = [p for p in problems if p["level"] == "error"]
    assert code == 2
    assert len(errors) == 1
    assert ERRORS[card] in errors[0]["says"]
    assert (errors[0]["card"], errors[0]["line"]) == ("A", 2)


@pytest.mark.parametrize("card", WARNINGS)
def test_warnings(pack: Any, capsys: pytest.CaptureFixture[str], card: str) -> None:
    code, problems = check(pack(f"  - {card}\n"), capsys)
    assert code == 0
    warnings = [p for p in problems if p["level"] == "warning"]
    assert len(warnings) == 1, warnings
    assert WARNINGS[card] in warnings[0]["says"]


def test_every_error_is_told_not_only_the_first(pack: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = pack(
        "  - {name: A, kind: monstr}\n  - {name: B, kind: item, goold: 3}\n"
        "  - {name: C, kind: item}\n  - {name: c, kind: item}\n"
    )
    code, problems = check(folder, capsys)
    assert code == 2
    assert [(p["line"], p["card"]) for p in problems if p["level"] == "error"] == [(2, "A"), (3, "B"), (5, "c")]
    assert kickdoor("pack", "check", folder) == 2
    out = capsys.readouterr().out
    assert f"{folder / 'doors.yaml'}:3: error: card 'B': unknown key 'goold'; did you mean 'gold'?" in out


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("id: mine\n", "title"),
        ("id: mine\ntitle: x\nedition: clasic\n", "did you mean 'classic'?"),
        ("id: mine\ntitle: x\nneeds: [clasic]\n", "did you mean 'classic'?"),
        ("id: [\n", "not valid YAML"),
    ],
)
def test_errors_in_the_head(pack: Any, capsys: pytest.CaptureFixture[str], head: str, says: str) -> None:
    code, problems = check(pack("  - {name: A, kind: item, slot: none, text: x}\n", head), capsys)
    assert code == 2
    assert says in " ".join(p["says"] for p in problems if p["level"] == "error")


def test_a_folder_without_a_head_or_without_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, problems = check(tmp_path, capsys)
    assert code == 2
    assert "needs a pack.yaml" in problems[0]["says"]
    assert kickdoor("pack", "check", tmp_path / "nowhere") == 2


def test_a_pack_may_be_like_what_it_needs(pack: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = pack("  - {name: Net Troll Junior, like: Net Troll, level: 4}\n", HEAD + "needs: [classic]\n")
    code, problems = check(folder, capsys)
    assert (code, [p["level"] for p in problems]) == (0, ["note"])


# -- the schema, and the packs that come along --------------------------------------------------------------------


def test_the_schema_is_valid_and_fits_every_card_of_ours(started: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("pack", "schema") == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    files = [p for name in known_packs() for p in (HOME / name).glob("*.yaml")]
    for path in [*files, started / "doors.yaml", started / "treasures.yaml"]:
        if path.name != "pack.yaml":
            for data, _ in read_documents(path):
                validator.validate(data)
    assert (started / pack_command.SCHEMA_FILE).read_text(encoding="utf-8") == pack_command.schema_text()
    assert list(validator.iter_errors({"cards": [{"name": "A", "levl": 3}]}))


@pytest.mark.parametrize("name", known_packs())
def test_our_own_packs_have_no_errors(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, problems = check(HOME / name, capsys)
    assert [p for p in problems if p["level"] == "error"] == []
    assert code == 0


@pytest.mark.parametrize("name", known_packs())
def test_what_is_for_any_time_says_so(name: str) -> None:
    """A card that names no moment has the one that the rules of the table give its kind (SAMB-4)."""
    for path in (HOME / name).glob("*.yaml"):
        for card in raw_cards(path) if path.name != "pack.yaml" else ():
            if any(p.get("when") == "any_time" for p in card.get("play", ())):
                assert any(words in card["text"].lower() for words in ("any time", "whenever")), card["name"]
