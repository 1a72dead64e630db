"""The commands for scenarios, rules and cards: what they print, and the exit code."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from kickdoor.app import cards_command, pack_command, rules_command, scenario_command
from kickdoor.cards.packs import known_packs
from kickdoor.engine.setup import library
from kickdoor.scenario import coverage
from kickdoor.scenario.runner import Outcome

ROOT = Path(__file__).resolve().parent.parent

GOOD = """\
scenario: Ann goes up
shows: [COMBAT-7, TURN-4]
table: {players: {Ann: {level: 3}, Bob: {}, Cid: {}}, doors: [Lame Goblin]}
steps:
  - Ann: kick
  - everyone: pass
  - expect: {Ann.level: 4}
"""
BAD = """\
scenario: Ann goes up by five
shows: [COMBAT-7]
table: {players: {Ann: {level: 3}, Bob: {}, Cid: {}}, doors: [Lame Goblin]}
steps:
  - Ann: kick
  - everyone: pass
  - expect: {Ann.level: 8}
"""
TYPO = """\
scenario: Ann meets nobody we know
table: {players: {Ann: {}, Bob: {}, Cid: {}}, doors: [Lame Gobin]}
steps:
  - Ann: kick
"""


def kickdoor(*words: object) -> int:
    parser = argparse.ArgumentParser(prog="kickdoor")
    commands = parser.add_subparsers(required=True)
    for command in (scenario_command, rules_command, cards_command, pack_command):
        command.register(commands)
    args = parser.parse_args([str(w) for w in words])
    code: int = args.run(args)
    return code


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def writer(name: str, *scenarios: str) -> Path:
        path = tmp_path / name
        path.write_text("---\n".join(scenarios), encoding="utf-8")
        return path

    return writer


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


# -- scenario -----------------------------------------------------------------------------------------------------


def test_a_line_for_each_scenario_and_a_count(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("two.yaml", GOOD, BAD)
    assert kickdoor("scenario", path) == 1
    first, second, count = capsys.readouterr().out.splitlines()
    assert first == "ok    Ann goes up"
    assert second == f"FAIL  Ann goes up by five  {path}:15: step 3: Ann.level is 4, not 8"
    assert count == "2 scenarios: 1 passed, 1 failed"


def test_all_passed_is_exit_code_0(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("scenario", write("one.yaml", GOOD)) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 scenario: 1 passed"


def test_json_is_one_object_a_line(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("two.yaml", GOOD, BAD)
    assert kickdoor("scenario", "--json", path) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(row) for row in rows] == [["file", "scenario", "passed", "step", "because"]] * 2
    assert rows[0] == {
        "file": str(path),
        "scenario": "Ann goes up",
        "passed": True,
        "step": None,
        "because": None,
    }
    assert rows[1]["step"] == 3
    assert rows[1]["because"] == "Ann.level is 4, not 8"


def test_a_typo_says_what_would_be_right_and_the_others_still_run(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kickdoor("scenario", write("three.yaml", GOOD, TYPO, GOOD)) == 2
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "ERROR", "ok", "3"]
    assert "unknown card 'Lame Gobin'; did you mean 'Lame Goblin'?" in lines[1]
    assert lines[3] == "3 scenarios: 2 passed, 1 could not be understood"


def test_broken_yaml_spoils_only_its_own_document(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("broken.yaml", GOOD, "scenario: Oops\ntable: {players: [\n", GOOD)
    assert kickdoor("scenario", path) == 2
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "ERROR", "ok", "3"]
    assert "Oops" in lines[1]
    assert "not valid YAML" in lines[1]


@pytest.mark.parametrize(
    "text",
    [
        "just a word\n",
        "- a\n- list\n",
        "scenario: x\nsteps: 5\n",
        "scenario: x\ntable: 5\n",
        "scenario: x\ntable: {players: {A: 1}}\n",
        "scenario: x\ntable: {players: {A: {}, B: {}, C: {}}}\nsteps: [{sees: 5}]\n",
        "scenario: x\ntable: {players: {A: {}, B: {}, C: {}}}\nsteps: [{A: {kik: 1}}]\n",
        "scenario: x\npacks: [clasic]\ntable: {players: {A: {}, B: {}, C: {}}}\n",
    ],
)
def test_nonsense_is_one_line_and_exit_code_2(write: Any, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert kickdoor("scenario", write("nonsense.yaml", text)) == 2
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 2
    assert out[0].startswith("ERROR")


def test_what_is_not_there_or_empty(
    tmp_path: Path, write: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kickdoor("scenario", tmp_path / "nowhere.yaml") == 2
    assert "no such file" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert kickdoor("scenario", tmp_path / "empty") == 2
    assert "no scenarios under" in capsys.readouterr().err
    assert kickdoor("scenario", tmp_path / "nowhere.yaml", write("one.yaml", GOOD)) == 2
    assert "1 passed" in capsys.readouterr().out
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    assert kickdoor("scenario", tmp_path / "binary.yaml") == 2
    assert "not UTF-8" in capsys.readouterr().out


def test_scenarios_is_the_default_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "one.yaml").write_text(GOOD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert kickdoor("scenario") == 0
    assert "1 passed" in capsys.readouterr().out


def test_verbose_shows_the_rules_and_the_step(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    kickdoor("scenario", "-v", write("bad.yaml", BAD))
    out = capsys.readouterr().out
    assert "shows COMBAT-7" in out
    assert "step 3: {expect: {Ann.level: 8}}" in out


def test_dice_that_nobody_rolled_are_told_and_no_failure(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("dice.yaml", GOOD.replace("doors:", "dice: [3], doors:"))
    assert kickdoor("scenario", path) == 0
    assert "dice that nobody rolled: [3]" in capsys.readouterr().out
    assert kickdoor("scenario", "--json", path) == 0
    assert json.loads(capsys.readouterr().out)["unrolled"] == [3]


def test_what_never_ends_is_ended(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(text: str, name: str, first: int) -> list[Outcome]:
        while True:
            pass

    monkeypatch.setattr(coverage, "run_text", forever)
    [outcome] = coverage.run_scenarios(write("loop.yaml", GOOD), seconds=0.2)
    assert not outcome.passed
    assert outcome.scenario == "Ann goes up"
    assert outcome.because == "it did not come to an end within 0.2 seconds"


ENDLESS = """
scenario: A pendulum
table:
  fixtures: [{name: Pendulum, kind: item, slot: none, gold: 100, on: {own_sex_changed: [{change_sex: true}]}}]
  players: {Ann: {in_play: [Pendulum]}, Bob: {hand: [Curse! Change Sex]}, Cid: {}}
steps:
  - Bob: {play: Curse! Change Sex, on: Ann}
"""


def test_what_never_settles_is_told_by_its_frame_and_not_by_the_clock(write: Any) -> None:
    [outcome] = coverage.run_scenarios(write("endless.yaml", ENDLESS))
    assert not outcome.passed
    assert outcome.because.startswith("it never settles after 'Cid: pass': after 20000 steps the frame ")


def test_what_breaks_the_engine_is_a_failure_not_a_traceback(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(text: str, name: str, first: int) -> list[Outcome]:
        raise KeyError("door")

    monkeypatch.setattr(coverage, "run_text", breaks)
    [outcome] = coverage.run_scenarios(write("broken.yaml", GOOD))
    assert not outcome.passed
    assert "KeyError" in outcome.because


def test_many_files_give_the_same_outcomes_in_order(write: Any) -> None:
    files = [write(f"{i}.yaml", GOOD if i % 2 else BAD) for i in range(coverage.MANY)]
    together = list(coverage.run_all(files))
    assert together == [coverage.run_scenarios(path) for path in files]


# -- rules --------------------------------------------------------------------------------------------------------


def test_the_chapters(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("rules") == 0
    out = capsys.readouterr().out
    assert "COMBAT" in out
    assert out.splitlines()[-1].endswith("chapters.")
    assert kickdoor("rules", "--json") == 0
    assert {"id", "title", "about", "rules"} == set(printed(capsys)[0])


def test_a_rule_with_the_scenarios_that_show_it(write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("one.yaml", GOOD)
    assert kickdoor("rules", "combat-7", "--scenarios", tmp_path) == 0
    out = capsys.readouterr().out
    assert out.startswith("COMBAT-7")
    assert f"Ann goes up  {path}:1" in out
    assert kickdoor("rules", "COMBAT-7", "--json", "--scenarios", tmp_path) == 0
    page = printed(capsys)
    assert page["id"] == "COMBAT-7"
    assert f"{path}:1 Ann goes up" in page["scenarios"]


def test_a_chapter(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("rules", "FAST") == 0
    assert "FAST-1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("COMBT-31", "COMBAT-31"), ("COMBT", "COMBAT"), ("backstab", "rules search"), ("COMBAT-999", "COMBAT-")],
)
def test_no_such_rule(capsys: pytest.CaptureFixture[str], asked: str, hint: str) -> None:
    assert kickdoor("rules", asked) == 2
    err = capsys.readouterr().err
    assert hint in err
    assert len(err.splitlines()) == 1


def test_searching_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("rules", "search", "steal in combat", "--limit", 3) == 0
    assert "COMBAT-20" in capsys.readouterr().out
    assert kickdoor("rules", "search", "steal", "in", "combat", "--json") == 0
    assert "COMBAT-20" in [r["id"] for r in printed(capsys)]
    assert kickdoor("rules", "search", "xyzzy") == 1
    assert kickdoor("rules", "search") == 2


def test_coverage_tells_pass_fail_missing_and_not_applicable(
    write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "pack_scenarios", list)
    write("two.yaml", GOOD, BAD)
    (tmp_path / coverage.NOT_APPLICABLE).mkdir()
    (tmp_path / coverage.NOT_APPLICABLE / "x.yaml").write_text("- {id: TURN-5, reason: no such thing}\n")
    assert kickdoor("rules", "coverage", "--json", "--scenarios", tmp_path, "COMBAT", "TURN") == 1
    rows = printed(capsys)
    assert {frozenset(r) for r in rows} == {frozenset({"id", "status", "scenarios", "reason", "refusals"})}
    by_id = {r["id"]: r for r in rows}
    assert by_id["COMBAT-7"]["status"] == "fail"
    assert len(by_id["COMBAT-7"]["scenarios"]) == 2
    assert "Ann.level is 4, not 8" in by_id["COMBAT-7"]["reason"]
    assert by_id["TURN-4"]["status"] == "pass"
    assert (by_id["TURN-5"]["status"], by_id["TURN-5"]["reason"]) == ("not_applicable", "no such thing")
    assert by_id["TURN-6"]["status"] == "missing"
    assert {r["id"].rpartition("-")[0] for r in rows} == {"COMBAT", "TURN"}


def test_coverage_of_what_fails_for_people(
    write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "pack_scenarios", list)
    write("two.yaml", GOOD.replace("TURN-4", "TURN-444"), BAD)
    assert kickdoor("rules", "coverage", "--failing", "--scenarios", tmp_path, "combat") == 1
    got = capsys.readouterr()
    assert "fail            COMBAT-7" in got.out
    assert "missing         COMBAT-8" in got.out
    assert "no rule 'TURN-444'" in got.err
    assert kickdoor("rules", "coverage", "COMBT") == 2


def test_readings_are_listed_apart_and_covered_through_what_they_settle(
    write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "pack_scenarios", list)
    write("one.yaml", GOOD.replace("TURN-4", "SELL-7"))
    assert kickdoor("rules", "coverage", "--scenarios", tmp_path) == 0
    out = capsys.readouterr().out
    assert "1099 rules: " in out
    assert "137 readings: " in out
    assert "AMB-28" not in [line.split()[1] for line in out.splitlines() if len(line.split()) > 1]
    assert kickdoor("rules", "coverage", "--json", "--scenarios", tmp_path, "AMB") == 0
    by_id = {r["id"]: r for r in printed(capsys)}
    assert by_id["AMB-28"]["status"] == "pass"
    assert by_id["AMB-29"]["status"] == "missing"
    assert kickdoor("rules", "SAMB-14") == 0
    assert "BT-19" in capsys.readouterr().out


def test_a_count_is_open_until_the_cards_are_there(
    write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "pack_scenarios", list)
    write("one.yaml", GOOD.replace("TURN-4", "TURN-4, COMBAT-8"))
    (tmp_path / coverage.OPEN).mkdir()
    (tmp_path / coverage.OPEN / "x.yaml").write_text(
        "- {id: COMBAT-8, pack: classic, cards: 169, reason: one short}\n"
        "- {id: TURN-4, pack: classic, cards: 168, reason: none short}\n"
    )
    assert kickdoor("rules", "coverage", "--json", "--scenarios", tmp_path, "COMBAT", "TURN") == 0
    by_id = {r["id"]: r for r in printed(capsys)}
    assert by_id["COMBAT-8"]["status"] == "open"
    assert by_id["COMBAT-8"]["reason"] == "168 of 169 cards are in classic: one short"
    assert by_id["TURN-4"]["status"] == "pass"


# -- cards --------------------------------------------------------------------------------------------------------


def test_the_packs_and_their_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("cards", "--json", "--pack", "classic") == 0
    [pack] = printed(capsys)["packs"]
    assert set(pack) == {"id", "doors", "treasures", "different", "kinds"}
    assert (pack["id"], pack["doors"], pack["treasures"]) == ("classic", 95, 73)
    assert sum(pack["kinds"].values()) == 168
    assert pack["kinds"]["monster"] == 37
    assert kickdoor("cards") == 0
    assert "classic" in capsys.readouterr().out


def test_the_cards_of_a_pack(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("cards", "--pack", "classic") == 0
    out = capsys.readouterr().out
    assert "Doors: monsters" in out
    assert "Level 10, 3 Treasures" in out


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Virgins' Tears", "Virgin Tears"),
        ("virgin tears", "Virgin Tears"),
        ("Horrific, Steeped in Evil, Yet Somehow Pitiable", "Horrific, Steeped in Evil, Yet Somewhat Pitiable"),
        ("Celeterousness", "Celeritousness"),
        ("killer jalapeno", "Killer Jalapeño"),
        ("Killer Jalapeño", "Killer Jalapeño"),
        ("Grizzly", "Grizzly Bear"),
        ("20-Gallon Hat", "20-Gallon Hat"),
        ("Twenty-Gallon Hat", "20-Gallon Hat"),
        (". . . Imbued With Magical Energy", "...Imbued With Magical Energy"),
        ("… imbued  with magical energy", "...Imbued With Magical Energy"),
        ("Head of an Ass", "Curse! Head of an Ass"),
        ("Sheriff’s Badge", "Sheriff's Badge"),
    ],
)
def test_a_card_answers_to_every_spelling_in_print(capsys: pytest.CaptureFixture[str], asked: str, name: str) -> None:
    assert kickdoor("cards", asked) == 0
    assert capsys.readouterr().out.startswith(f"{name}\n")


def test_the_card_of_that_name_comes_before_one_that_is_also_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("cards", "Lose Your Armor") == 0
    assert capsys.readouterr().out.startswith("Lose Your Armor\n")


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("Out, Damned Spot", "Treasure, one-shot (shakespeare)"),
        ("Toe of Frog", "Treasure, one-shot Item (shakespeare)"),
        ("Catamount", "Door, steed, an Item (good_bad)"),
        ("Elf Hireling", "Door, hireling (need_for_steed)"),
        ("Horny Helmet", "Treasure, Item (classic)"),
    ],
)
def test_only_what_has_a_price_is_headed_an_item(capsys: pytest.CaptureFixture[str], name: str, heading: str) -> None:
    assert kickdoor("cards", name) == 0
    assert capsys.readouterr().out.splitlines()[1] == heading


@pytest.mark.parametrize("pack", known_packs())
def test_cards_whose_figures_are_ours_say_so(pack: str) -> None:
    _, cards = cards_command.definitions(pack)
    assert [d.name for d in cards if d.card.origin == "ours" and "ours" not in cards_command.note(d)] == []
    own = [d for d in cards if d.card.as_in is None]  # what is printed again is as the other pack has it
    assert len({d.card.origin is None for d in own}) == 1, "either every card of a pack says where it is from, or none"


@pytest.mark.parametrize("pack", known_packs())
def test_every_card_has_a_heading_and_figures(pack: str) -> None:
    for d in library((pack,)).unique:
        assert cards_command.heading(d).split(", ")[0] in ("Door", "Treasure", "Dungeon", "Spell", "Fairy Dust")
        assert cards_command.figures(d).strip() == cards_command.figures(d)


def test_one_card_as_at_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("cards", "net troll", "--pack", "classic") == 0
    out = capsys.readouterr().out
    assert out.startswith("Net Troll\nDoor, monster (classic)\nLevel 10, 3 Treasures\n")
    assert "Bad Stuff: " in out
    assert kickdoor("cards", "Loaded Die", "--pack", "classic") == 0
    assert "FQ-BASE-30" in capsys.readouterr().out


def test_one_card_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("cards", "Net Troll", "--json") == 0
    card = printed(capsys)
    assert (card["name"], card["pack"], card["deck"], card["level"]) == ("Net Troll", "classic", "door", 10)


@pytest.mark.parametrize("asked", ["Net Trol", "net toll", "troll"])
def test_a_misspelt_card(capsys: pytest.CaptureFixture[str], asked: str) -> None:
    assert kickdoor("cards", asked, "--pack", "classic") == 2
    assert "'Net Troll'" in capsys.readouterr().err


def test_a_misspelt_pack(capsys: pytest.CaptureFixture[str]) -> None:
    assert kickdoor("cards", "--pack", "clasic") == 2
    assert "did you mean 'classic'?" in capsys.readouterr().err
