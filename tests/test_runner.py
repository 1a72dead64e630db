"""The runner only translates and compares: what it does by itself, point by point, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kickdoor.app.cli import main
from kickdoor.scenario import Outcome, run_text
from kickdoor.scenario.checks import compare

ROOM = Path(__file__).resolve().parent.parent / "src" / "kickdoor" / "scenario"

CURSED = """
scenario: x
table:
  players: {Ann: {level: 5, hand: [Wishing Ring]}, Bob: {level: 1, hand: ["Curse! Lose a Level"]}, Cid: {}}
  fight: {main: Ann, monsters: [Lame Goblin]}
"""
DUEL = """
scenario: x
table:
  players: {Ann: {level: 3, HAND}, Bob: {level: 2, in_play: [{carried: Helm of Courage}]}, Cid: {level: 1}}
"""


def told(table: str, *steps: str, hand: str = "hand: []") -> Outcome:
    lines = "".join(f"  - {step}\n" for step in steps)
    [outcome] = run_text(f"{table.strip().replace('HAND', hand)}\nsteps:\n{lines}")
    return outcome


def passes(table: str, *steps: str, hand: str = "hand: []") -> None:
    outcome = told(table, *steps, hand=hand)
    assert outcome.passed, outcome.because


def fails(table: str, *steps: str, because: str, hand: str = "hand: []") -> None:
    outcome = told(table, *steps, hand=hand)
    assert (outcome.passed, outcome.broken) == (False, False), outcome
    assert because in outcome.because


def makes_no_sense(table: str, *steps: str, because: str, hand: str = "hand: []") -> None:
    outcome = told(table, *steps, hand=hand)
    assert outcome.broken, outcome
    assert because in outcome.because


def test_no_rule_lives_in_the_room() -> None:
    """No reason of its own, no refusal of its own, no explaining, nothing settled or set by hand."""
    for path in ROOM.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"raise Refused|explain|import reasons|engine\.reasons import .*[A-Z]{3}_", text), (
            path.name
        )
        if path.name != "table.py":
            assert not re.search(r"settle\(|\.stack\s*=|\.stack\.(append|pop)|\.flags\s*\|?=|trusted=True", text), (
                path.name
            )


# -- 1. windows ------------------------------------------------------------------------------------------------------


CURSE = 'Bob: {play: "Curse! Lose a Level", on: Ann}'


def test_a_window_that_somebody_can_use_stays_open_for_assertions() -> None:
    passes(
        CURSED,
        CURSE,
        "expect: {Ann.level: 5}",
        "offered: {Ann: [{play: Wishing Ring}]}",
        "everyone: pass",
        "expect: {Ann.level: 4}",
    )
    fails(CURSED, CURSE, "expect: {Ann.level: 4}", because="Ann.level is 5, not 4")


def test_a_window_that_nobody_can_use_is_over_at_once() -> None:
    bare = CURSED.replace("hand: [Wishing Ring]", "hand: []")
    passes(bare, CURSE, "expect: {Ann.level: 4, fight: [4, 1]}")
    fails(bare, CURSE, "everyone: pass", "expect: {fight: [4, 1]}", because="fight is none")  # that was the fight's


def test_a_step_that_is_not_legal_closes_windows_but_never_the_fight() -> None:
    passes(CURSED, CURSE, "Ann: {ask_help: Bob}", "expect: {Ann.level: 4}")
    fails(CURSED, "Ann: end_turn", because="refused: The fight comes first")


def test_what_is_open_at_any_time_is_no_move_in_a_window() -> None:
    """A Race may be given up in the window before the first roll as anywhere; a slow Steed only there (STEED-12)."""
    table = """
scenario: x
table:
  fixtures: [{name: Turtle, kind: steed, run_away: -1}]
  players: {Ann: {level: 1, THING}, Bob: {}, Cid: {}}
  fight: {main: Ann, monsters: [Net Troll]}
  dice: [6]
"""
    for bare in (table.replace(", THING", ""), table.replace("THING", "in_play: [Elf]")):
        passes(bare, "everyone: pass", "offered: {Ann: [run]}", "Ann: run")
    slow = table.replace("THING", "in_play: [Turtle]")
    passes(slow, "everyone: pass", "offered: {Ann: [{discard: Turtle}]}", "not_offered: {Ann: [run]}", "Ann: run")


# -- 2. everyone: pass ----------------------------------------------------------------------------------------------


def test_everyone_passes_in_one_window_only() -> None:
    passes(CURSED, CURSE, "everyone: pass", "expect: {fight: [4, 1]}", "everyone: pass", "expect: {fight: none}")
    fails(CURSED, CURSE, "everyone: pass", "expect: {fight: none}", because="fight is [4, 1]")


def test_everyone_passes_where_there_is_no_window_and_nothing_happens() -> None:
    passes(DUEL, "everyone: pass", "expect: {phase: before_door, turn: Ann}")
    fails(DUEL, "Ann: pass", because="refused")


# -- 3. several parts -----------------------------------------------------------------------------------------------


def test_a_refused_part_refuses_the_whole_and_leaves_no_trace() -> None:
    rich = "hand: [Wand of Dowsing, Elf]"
    passes(
        DUEL,
        "refused: {Ann: {sell: [Wand of Dowsing, Elf]}}",
        "expect: {Ann.level: 3, asked: none}",
        "Ann: kick",
        hand=rich,
    )
    passes(DUEL, "Ann: {sell: [Wand of Dowsing]}", "expect: {Ann.level: 4}", hand=rich)
    fails(DUEL, "Ann: {sell: [Wand of Dowsing, Elf]}", because="refused", hand=rich)


def test_charity_that_stops_short_is_refused() -> None:
    full = "hand: [Elf, Dwarf, Halfling, Thief, Cleric, Warrior, Wizard]"
    table = DUEL.replace("table:", "table:\n  phase: charity")
    passes(table, "Ann: {charity: {Cid: [Elf, Dwarf]}}", "expect: {Ann.hand_size: 5}", hand=full)
    passes(table, "refused: {Ann: {charity: {Cid: [Elf]}}}", "expect: {Ann.hand_size: 7}", hand=full)
    fails(table, "Ann: {charity: {Cid: [Elf, Dwarf, Thief]}}", because="refused", hand=full)


def test_a_list_answers_consecutive_questions_to_one_player() -> None:
    table = """
scenario: x
table:
  players: {Ann: {level: 8}, Bob: {level: 8}, Cid: {}}
  doors: [Stoned Golem]
  treasures: [Leather Armor, Magic Missile, Helm of Courage, Sleep Potion]
"""
    deal = ("Ann: kick", "Ann: {ask_help: Bob, treasures: 2, picks_first: helper}", "Bob: accept", "everyone: pass")
    picks = ("Bob: {choose: Sleep Potion}", "Ann: {choose: Magic Missile}", "Bob: {choose: Leather Armor}")
    passes(table, *deal, *picks, "expect: {Bob.hand: [Sleep Potion, Leather Armor]}")
    fails(table, *deal, "Bob: {choose: [Sleep Potion, Leather Armor]}", because="refused")


# -- 4. names -------------------------------------------------------------------------------------------------------


def test_what_is_not_there_is_refused_and_what_is_nowhere_is_an_error() -> None:
    passes(
        DUEL,
        "refused: {Ann: {play: Elf}}",
        "refused: {Ann: {use: Berserk}}",
        "refused: {Ann: {equip: Helm of Courage}}",
    )
    fails(DUEL, "Ann: {play: Elf}", because="refused")
    makes_no_sense(DUEL, "refused: {Ann: {play: Elv}}", because="unknown card 'Elv'; did you mean 'Elf'?")
    makes_no_sense(DUEL, "refused: {Ann: {use: Telepathy}}", because="no card of this game has a power 'Telepathy'")


def test_a_name_means_the_hand_before_the_table() -> None:
    table = DUEL.replace("HAND", "hand: [Elf], in_play: [Half-Breed, Dwarf]")
    passes(table, "Ann: {play: Elf}", "expect: {Ann.races: [Elf, Dwarf], Ann.hand: []}")
    fails(table, "Ann: {play: Dwarf}", because="refused")


# -- 5. defaults ----------------------------------------------------------------------------------------------------


def test_the_only_possibility_need_not_be_said_and_one_of_several_must() -> None:
    level = "hand: [Boil an Anthill]"
    passes(DUEL, "Ann: {play: Boil an Anthill, on: Ann}", "expect: {Ann.level: 4}", hand=level)
    makes_no_sense(DUEL, "Ann: {play: Boil an Anthill}", because="say `on:` what (Ann, Bob, Cid)", hand=level)


def test_the_only_card_to_replace_need_not_be_said() -> None:
    one = DUEL.replace("HAND", "hand: [Dwarf], in_play: [Elf]")
    two = DUEL.replace("HAND", "hand: [Dwarf], in_play: [Half-Breed, Elf, Halfling]")
    passes(one, "Ann: {play: Dwarf}", "expect: {Ann.races: [Dwarf], doors.discard: [Elf]}")
    passes(one, "refused: {Ann: {play: Dwarf, replacing: none}}", "expect: {Ann.races: [Elf]}")
    passes(two, "Ann: {play: Dwarf, replacing: Elf}", "expect: {Ann.races: [Dwarf, Halfling]}")
    fails(two, "Ann: {play: Dwarf}", because="refused")


def test_what_is_written_and_not_used_is_an_error() -> None:
    fight = CURSED.replace("hand: [Wishing Ring]", "in_play: [Wizard], hand: [Elf, Dwarf, Thief]")
    passes(fight, "Ann: {use: Charm, on: Lame Goblin, discard: [Elf, Dwarf, Thief]}", "expect: {Ann.hand: []}")
    makes_no_sense(fight, "Ann: {use: Charm, on: Lame Goblin, discard: [Elf, Dwarf]}", because="the whole hand")
    makes_no_sense(fight, "Ann: {ask_help: Bob, picks_first: helper}", because="nothing to pick")
    makes_no_sense(DUEL, "Ann: {kick: hard}", because="kick takes nothing")
    makes_no_sense(DUEL, "Ann: {sell: [Wand of Dowsing], double: Elf}", because="not among what is sold")
    makes_no_sense(DUEL, "Ann: {kick: ~, on: Bob}", because="unknown key 'on'")


# -- 6. assertions --------------------------------------------------------------------------------------------------


def test_a_refusal_is_asked_for_in_this_very_position() -> None:
    passes(CURSED, CURSE, "refused: {Ann: {ask_help: Bob}}", "expect: {Ann.level: 5}")
    fails(CURSED, "refused: {Ann: {ask_help: Bob}}", because="should have been refused")
    fails(CURSED, CURSE, "offered: {Ann: [{ask_help: Bob}]}", because="should be offered")


def test_because_is_one_rule_and_the_outcome_says_how_it_was_named() -> None:
    fight = CURSED.replace("hand: [Wishing Ring]", "hand: [Wand of Dowsing]")
    sale = "refused: {Ann: {sell: [Wand of Dowsing]}, because: %s}"
    assert [c.named for c in told(fight, sale % "COMBAT-19").citations] == ["exactly"]
    assert [(c.named, c.cited) for c in told(fight, sale % "MM-27").citations] == [("by_equivalence", "COMBAT-19")]
    assert [c.named for c in told(fight, "refused: {Ann: {sell: [Wand of Dowsing]}}").citations] == ["unnamed"]
    fails(fight, sale % "RUN-1", because="was refused by COMBAT-19, not RUN-1")
    makes_no_sense(fight, sale % "[COMBAT-19, SELL-1]", because="one rule")


def test_a_die_that_waits_in_vain_breaks_no_promise() -> None:
    outcome = told(DUEL.replace("table:", "table:\n  dice: [3]"), "expect: {turn: Ann}")
    assert (outcome.passed, outcome.unrolled, outcome.clean) == (True, [3], False)


# -- 7. comparison --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actual", "wanted", "same"),
    [
        (["Elf", "Dwarf"], ["Dwarf", "Elf"], True),
        (["Elf", "Dwarf"], ["Elf"], False),
        ([7, 10], [10, 7], False),
        ("Pony", ["Pony"], False),
        (["Pony"], "Pony", False),
        ([], "none", False),
        ("none", "none", True),
        (["Elf"], {"contains": ["Elf"], "lacks": ["Dwarf"]}, True),
        ("Elf", {"contains": ["Elf"]}, False),
        (4, {"at_least": 4, "at_most": 4}, True),
        (True, "yes", True),
        ({"doors": 0, "treasures": 2, "face": "up"}, {"treasures": 2}, True),
        ({"doors": 0, "treasures": 2, "face": "up"}, {"treasures": 2, "face": "down"}, False),
    ],
)
def test_comparing(actual: object, wanted: object, same: bool) -> None:
    assert compare(actual, wanted) is same


def test_attachments_go_unnamed_and_steeds_are_not_worn() -> None:
    table = DUEL.replace("HAND", "in_play: [{card: Slimy Armor, with: [Cheat!]}, Pony]").replace(
        "players:", "fixtures: [{name: Pony, kind: steed}]\n  players:"
    )
    passes(table, "expect: {Ann.in_play: [Slimy Armor, Pony], Ann.equipped: [Slimy Armor], Ann.steed: Pony}")
    passes(table, "expect: {Ann.in_play: [Slimy Armor, Cheat!, Pony]}")
    fails(table, "expect: {Ann.equipped: [Slimy Armor, Pony]}", because="Ann.equipped is")


def test_a_number_means_that_copy_and_a_bare_name_any() -> None:
    second = "hand: [Elf#2]"
    passes(DUEL, "expect: {Ann.hand: [Elf#2]}", "expect: {Ann.hand: [Elf]}", hand=second)
    fails(DUEL, "expect: {Ann.hand: [Elf#1]}", because="Ann.hand is [Elf], not [Elf#1]", hand=second)
    mates = CURSED.replace("monsters: [Lame Goblin]", "monsters: [{card: Lame Goblin, with: [Mate]}]")
    passes(mates, "expect: {fight.monsters: [Lame Goblin, Lame Goblin#2]}")
    fails(mates, "expect: {fight.monsters: [Lame Goblin#2, Lame Goblin#2]}", because="fight.monsters is")


def test_what_is_asked_is_called_by_its_word_its_card_or_its_rule() -> None:
    table = DUEL.replace("HAND", "in_play: [Slimy Armor, Spiky Knees]").replace(
        "level: 2, in", 'level: 2, hand: ["Curse! Lose a Small Item"], in'
    )
    curse = ('Bob: {play: "Curse! Lose a Small Item", on: Ann}',)
    outcome = told(table, *curse, "expect: {asked: {player: Ann, about: nonsense}}")
    assert "asked is {player: Ann" in outcome.because
    for word in re.findall(r"about: (.*?)}", outcome.because)[0].split(" or "):
        passes(table, *curse, f"expect: {{asked: {{player: Ann, about: {word!r}}}}}")
    # What else was expected has perhaps only not happened yet.
    fails(table, *curse, "expect: {Ann.in_play: []}", because="not [] (while Ann is asked about ")


# -- the command ----------------------------------------------------------------------------------------------------


def test_the_exit_code_tells_failures_from_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, step, code in (("good", "Ann: kick", 0), ("bad", "Ann: loot", 1), ("ugly", "Ann: kik", 2)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(f"{DUEL.strip().replace('HAND', 'hand: []')}\nsteps:\n  - {step}\n")
        assert main(["scenario", str(path)]) == code
    capsys.readouterr()


def test_the_command_tells_of_hits_by_equivalence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.yaml"
    fight = CURSED.replace("hand: [Wishing Ring]", "hand: [Wand of Dowsing]").strip()
    path.write_text(f"{fight}\nsteps:\n  - refused: {{Ann: {{sell: [Wand of Dowsing]}}}}\n    because: MM-27\n")
    assert main(["scenario", "--json", str(path)]) == 0
    hit = {"step": 1, "named": "by_equivalence", "wanted": "MM-27", "cited": "COMBAT-19"}
    assert json.loads(capsys.readouterr().out)["by_equivalence"] == [hit]
    assert main(["scenario", "-v", str(path)]) == 0
    assert "step 1: refused by COMBAT-19, which says the same as MM-27" in capsys.readouterr().out


def test_what_hangs_on_a_card_is_compared_where_it_is_written() -> None:
    worn = "in_play: [{card: Slimy Armor, with: [Cheat!]}, {card: Hireling, carries: [Huge Rock]}]"
    fights = DUEL.replace("HAND", worn) + "  fight: {main: Ann, monsters: [{card: Net Troll, with: [Enraged]}]}\n"
    passes(fights, f"expect: {{{worn.replace('in_play', 'Ann.in_play')}}}")
    passes(fights, "expect: {Ann.in_play: [{card: Slimy Armor, with: [Cheat!]}, Hireling, Huge Rock]}")
    passes(fights, "expect: {Ann.hireling: {card: Hireling, carries: [Huge Rock]}}")
    passes(fights, "expect: {fight.monsters: [{card: Net Troll, with: [Enraged]}]}")
    fails(fights, "expect: {fight.monsters: [{card: Net Troll, with: []}]}", because="fight.monsters is")
    fails(fights, "expect: {Ann.in_play: {contains: [{card: Slimy Armor, with: []}]}}", because="Ann.in_play is")
    fails(fights, "expect: {Ann.equipped: {contains: [{card: Slimy Armor, with: [Enraged]}]}}", because="Ann.equipped")
