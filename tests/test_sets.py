"""Mixing sets: `kickdoor sets`, the decks that are built, and mixes that are no game."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import kickdoor
from kickdoor import rulebook
from kickdoor.app.cli import main
from kickdoor.cards.packs import known_packs, read_pack
from kickdoor.cards.reading import ReadingError
from kickdoor.engine import invariants
from kickdoor.engine.setup import library, rules_for
from kickdoor.engine.table import deck_building
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.ruleset import ruleset
from kickdoor.lab import mix_report
from kickdoor.server import catalog


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["sets", *words])
    out, err = capsys.readouterr()
    return status, out, err


def mix(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    _, out, _ = asked(capsys, "--json", *words)
    found: dict[str, Any] = json.loads(out)
    return found


# -- the command ------------------------------------------------------------------------------------------------


def test_all_sets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = asked(capsys)
    assert status == 0
    for name in known_packs():
        assert name in out
    listed = mix(capsys)["sets"]
    assert {s["id"]: s["is"] for s in listed}["cwbh"] == "for mixes"
    assert {s["id"]: s["is"] for s in listed}["unnatural_axe"] == "expands classic"


def test_boxes_stand_on_the_shelf_with_what_is_special(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = asked(capsys)
    boxes, more = out.split("Sets to shuffle into them")
    assert re.findall(r"^(\w+)  ", boxes, re.M) == ["bites", "classic", "good_bad", "magical_mess", "shakespeare"]
    assert "no Races; Classes: Cowboy, Indian, Outlaw, Dude; Sidekicks; Steeds; Traps" in boxes
    assert "unnatural_axe" in more
    assert "the first set gives the rules" in more


def test_the_lobby_is_told_the_same() -> None:
    packs = {p["id"]: p for p in catalog.about()["packs"]}
    assert [p for p in packs if packs[p]["core"]] == ["bites", "classic", "good_bad", "magical_mess", "shakespeare"]
    classic = packs["classic"]
    assert (classic["doors"], classic["treasures"]) == (95, 73)  # who has no Race is no card
    assert classic["line"] == "The original dungeon: kick the door, hit what is behind it, keep what it was sitting on."
    assert classic["special"] == ["Races: Elf, Dwarf, Halfling", "Classes: Warrior, Wizard, Thief, Cleric", "Hirelings"]
    assert "no Classes" in packs["bites"]["special"]
    assert {"Minions", "Traps", "Powers of several ranks"} <= set(packs["bites"]["special"])
    assert "a board to climb" in packs["magical_mess"]["special"]


def test_a_mix_tells_what_is_in_it_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = asked(capsys, "classic", "cwbh")
    assert status == 0
    for words in ("Races: Dwarf, Elf, Halfling", "Classes: Cleric", "Enhancer enhancers", "DECK-5", "DECK-3"):
        assert words in out


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    found = mix(capsys, "classic,unnatural_axe,dungeons,cwbh", "--players", "5")
    on = {s["what"]: s["on"] for s in found["switches"]}
    assert on["Races"]
    assert on["Classes"]
    assert on["Dungeons"]
    assert on["Portals"]
    assert not on["Powers"]
    rules = {a["rule"] for a in found["recommended"]}
    assert {"DECK-3", "DECK-6", "PORTAL-15"} <= rules
    assert found["decks"]["playable"]
    assert found["decks"]["players"] == 5
    assert sum(found["kinds"].values()) == found["doors"] + found["treasures"] + found["dungeons"] + found["spells"]


def test_what_is_recommended_is_what_is_built(capsys: pytest.CaptureFixture[str]) -> None:
    some, everything = mix(capsys, "classic", "cwbh"), mix(capsys, "classic", "cwbh", "--all-cards")
    assert everything["decks"]["doors"] == everything["doors"]
    assert everything["decks"]["in_the_box"] == 0
    doors = sum(1 for d in library(("classic", "cwbh")).defs if d.pack == "cwbh" and d.deck == 0)
    assert some["decks"]["doors"] == 95 + deck_building.rounded(doors, Fraction(1, 3))
    assert some["decks"]["treasures"] == everything["decks"]["treasures"]


def test_build_says_how_to_play_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = asked(capsys, "--build", "classic", "cwbh", "--epic", "--piles", "halves", "--players", "3")
    assert status == 0
    assert "kickdoor play --packs classic,cwbh --players 3 --epic --piles halves" in out


def test_build_of_too_little_says_what_to_add(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = asked(capsys, "--build", "boosters")
    assert status == 1
    assert "too small" in out
    assert "classic" in out
    assert "SETUP-5" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["clasic"], "did you mean 'classic'?"),
        (["classic", "classic"], "named twice"),
        (["--build"], "needs the sets to build from"),
        (["classic", "--edition", "nonsense"], "no edition 'nonsense'"),
        (["classic", "--players", "0"], "how many will play"),
    ],
)
def test_errors_say_what_to_do(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    status, _, err = asked(capsys, *words)
    assert status == 2
    assert says in err
    assert "Traceback" not in err


def test_every_rule_that_is_cited_can_be_read() -> None:
    known = {r.id for r in rulebook.all_rules()}
    found = mix_report.describe([p for p in known_packs() if p != "classic"])
    cited = {s["rule"] for s in found["switches"]} | {a["rule"] for a in found["recommended"]}
    cited |= {s.rule for s in mix_report.SWITCHES}
    assert cited <= known


# -- the decks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ["classic", "bites", "good_bad", "magical_mess", "shakespeare"])
def test_a_whole_box_is_a_game_for_as_many_as_its_book_says(box: str) -> None:
    for people in (3, 6):
        assert len(kickdoor.new_game(tuple("ABCDEF"[:people]), packs=(box,)).players) == people


def test_a_game_too_small_is_refused_and_says_what_to_add() -> None:
    with pytest.raises(Refused) as e:
        kickdoor.new_game(("Ann", "Bob", "Cid"), packs=("boosters",))
    assert e.value.rule == "SETUP-5"
    assert "classic" in e.value.reason.says


def test_play_refuses_it_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--packs", "boosters", "--players", "3"]) == 2
    _, err = capsys.readouterr()
    assert "too small" in err
    assert "Traceback" not in err


def test_what_is_left_out_depends_on_the_seed() -> None:
    games = [kickdoor.new_game(packs=("classic", "cwbh"), seed=s) for s in (1, 2, 1)]
    boxes = [sorted(g.box) for g in games]
    assert boxes[0] == boxes[2] != boxes[1]
    for g in games:
        invariants.check(g)


def test_beside_the_set_that_fears_them_level_1_monsters_stay_in_the_box(tmp_path: Path) -> None:
    """Munchkin Fu has no cards here; a set of that id is treated as the book says (DECK-9)."""
    folder = tmp_path / "munchkin_fu"
    folder.mkdir()
    (folder / "pack.yaml").write_text("id: munchkin_fu\ntitle: Fu\n")
    (folder / "cards.yaml").write_text(
        "cards:\n  - {name: Ninja, kind: class, copies: 20}\n  - {name: Yakuza, kind: monster, level: 5, copies: 30}\n"
        "  - {name: Rice, kind: item, gold: 100, copies: 40}\n"
    )
    packs = (str(folder), "cwbh")
    rules = ruleset("classic", **{"decks.doors": "all", "decks.filters": False})
    g = kickdoor.new_game(packs=packs, rules=rules)
    assert len(g.box) == 6
    assert all(g.lib.defs[c].level == 1 and g.lib.defs[c].pack == "cwbh" for c in g.box)
    assert any(a.rule == "DECK-9" for a in deck_building.advice(library(packs), rules))


@pytest.mark.parametrize("piles", ["halves", "reserve", "per_set"])
def test_a_deck_in_piles_is_one_value(piles: str) -> None:
    """It can be cloned, written and read back like any other."""
    packs = ("classic", "unnatural_axe")
    g = kickdoor.new_game(packs=packs, rules=rules_for(packs, **{"decks.piles": piles}))
    from kickdoor.engine import saving

    assert saving.from_json(saving.to_json(g)).key() == g.key() == g.clone().key()
    assert kickdoor.view(g, 0)["decks"][0] == sum(kickdoor.view(g, 0)["piles"][0].values())


def test_no_curse_is_a_treasure() -> None:
    """Curses printed with a Treasure back are a misprint (FQ-GOOD-1)."""
    for name in known_packs():
        for d in library((name,) if name != "dungeons" else ("classic", name)).unique:
            assert d.deck != 1 or not d.is_curse, f"{d.name} of {d.pack}"


def test_a_pack_with_a_curse_among_the_treasures_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.yaml").write_text("id: slip\ntitle: Slip\n")
    (tmp_path / "cards.yaml").write_text(
        "cards:\n  - {name: Curse! Misprint, kind: curse, deck: treasure, text: Lose., effect: [{lose_level: 1}]}\n"
    )
    main(["pack", "check", str(tmp_path)])
    out, err = capsys.readouterr()
    assert "FQ-GOOD-1" in out + err


def test_set_names_are_known() -> None:
    """An expansion names a set that is there."""
    for name in known_packs():
        head = read_pack(kickdoor.cards.packs.find_pack(name)).head
        assert head.expands is None or head.expands in known_packs()
    with pytest.raises(ReadingError):
        library(("nothing",))


def test_what_there_is_one_of_comes_with_the_first_set_that_has_it() -> None:
    """FQ-BASE-23: two boxes with a Hoard! make one deck with one; whoever wants two is refused."""
    assert [d.pack for d in library(("bites", "classic")).unique if d.name == "Hoard!"] == ["bites"]
    assert [d.pack for d in library(("classic", "bites")).unique if d.name == "Hoard!"] == ["classic"]
    with pytest.raises(ReadingError, match="only once"):
        library(("classic", "bites"), copies={"hoard!": 2})
