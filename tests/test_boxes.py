"""The base boxes as wholes: how many cards, whether their words fit, and whether their scenarios would notice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kickdoor.app.cli import main
from kickdoor.cards.language import Card
from kickdoor.cards.packs import HOME, find_pack, read_pack
from kickdoor.engine.setup import rules_for
from kickdoor.engine.value.ruleset import ruleset
from kickdoor.lab import boxes, links, noticing, structure, wording
from kickdoor.lab.card_changes import Change, bare, hollow, parts
from kickdoor.lab.playing import Setting, deal, play
from kickdoor.scenario.coverage import still_open

RULES = Path(__file__).parent.parent / "scenarios"
BOXES = boxes.base_boxes()
WHOLE = [b for b in BOXES if boxes.size(b) >= boxes.WHOLE]  # those that are not all there yet are still written


def card(pack: str, name: str) -> Card:
    return next(c for c in read_pack(find_pack(pack)).cards if c.name == name)


def test_five_boxes_are_games_of_their_own() -> None:
    assert BOXES == ["classic", "bites", "good_bad", "magical_mess", "shakespeare"]


def test_a_box_that_is_not_open_has_all_its_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--json"]) == 0
    held = {p["id"]: p for p in json.loads(capsys.readouterr().out)["packs"]}
    unfinished = " ".join(still_open([RULES]).values())
    for box in BOXES:
        wanted = ruleset(box).components
        if f"in {box}:" in unfinished:
            continue
        assert held[box]["doors"] + held[box]["treasures"] == boxes.WHOLE
        if wanted.doors is not None:
            assert (held[box]["doors"], held[box]["treasures"]) == (wanted.doors, wanted.treasures)


@pytest.mark.parametrize("box", WHOLE)
def test_a_box_is_a_game_of_its_own_by_its_own_rules(box: str) -> None:
    assert rules_for((box,)).meta.id == box
    found = play(Setting(("greedy",) * 4, (box,)), 1, detail=False)
    assert found.error == ""
    assert found.winners


def test_boxes_mix_and_the_first_gives_the_rules() -> None:
    for mix in (tuple(BOXES), tuple(reversed(BOXES)), *((box, BOXES[0]) for box in BOXES[1:])):
        rules = rules_for(mix)
        assert rules.meta.id == mix[0]
        assert deal(Setting(("greedy",) * 4, mix), 1).rules == rules


# -- scenarios ----------------------------------------------------------------------------------------------------


def test_a_card_exchanged_for_itself_changes_nothing() -> None:
    source = read_pack(find_pack("classic"))
    found = noticing.stories("classic")
    for c in source.cards[::5]:
        same = Change("nothing", noticing.whole(source, c))
        assert not noticing.notices("classic", same, noticing.shown_by(c, found)), c.name


def test_a_scenario_that_does_not_look_does_not_notice() -> None:
    """It says that it shows the card, and would pass without it."""
    table = {"players": {"Ann": {"hand": ["Horny Helmet"]}, "Bob": {}}}
    steps: list[Any] = [{"Ann": {"play": "Horny Helmet"}}, {"expect": {"Ann.in_play": ["Horny Helmet"]}}]
    told, looks = (
        noticing.Story({"scenario": "a helmet is put on", "table": table, "steps": [*steps, *more]}, {})
        for more in ([], [{"expect": {"Ann.strength": 2}}])
    )
    empty = hollow(card("classic", "Horny Helmet"))
    assert not noticing.notices("classic", empty, [told])
    assert noticing.notices("classic", empty, [told, looks])
    printed = Change("nothing", card("classic", "Horny Helmet"))
    assert not noticing.notices("classic", printed, [looks])


def test_every_part_of_a_card_is_left_out_in_turn() -> None:
    said = {c.what for c in parts(card("classic", "Horny Helmet"))}
    assert {"bonus 2 for 1", "slot gone", "modifiers.1 gone", "modifiers.1.strength 3 for 2"} <= said
    assert not any(word.startswith(("text", "gold", "name")) for word in said)


def test_a_card_that_is_only_its_kind_has_nothing_to_leave_out() -> None:
    assert bare(Card("Spear Carrier", kind="minion", text="Carries it."))
    assert bare(Card("Ring of Rust", kind="item", gold=100))
    for does in ({"bonus": 1}, {"slot": "1hand"}, {"tags": ["undead"]}, {"big": True}):
        assert not bare(msgspec.convert({"name": "Ring", "kind": "item", "gold": 100, **does}, Card))


@pytest.mark.parametrize("box", WHOLE)
def test_every_card_has_a_scenario_that_would_notice_if_it_did_nothing(box: str) -> None:
    assert noticing.unshown(box) == []
    assert [u.card for u in noticing.unnoticed(box)] == []


# -- words, structure, links --------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", WHOLE)
def test_what_cards_say_is_there_and_fits(box: str) -> None:
    assert list(wording.too_long(box)) == []
    assert wording.wordless(box) == []


@pytest.mark.parametrize("box", WHOLE)
def test_cards_of_a_box_talk_to_each_other(box: str) -> None:
    assert len(links.links(box)) >= boxes.TALK


def test_a_link_is_to_another_card_of_the_box() -> None:
    found = links.links("classic")
    assert found["Horny Helmet"] == ["elf"]
    assert found["Kill the Hireling"] == ["kind hireling"]
    assert "Leather Armor" not in found


def test_the_structure_counts_every_card_once() -> None:
    lines = structure.counted("classic")["lines"]
    parts_of = [k for k in lines if k.startswith(("monsters, ", "Items, "))]
    assert sum(lines[k]["count"] for k in lines if k not in parts_of) == boxes.size("classic") == boxes.WHOLE
    for whole in ("monsters", "Items"):
        assert sum(lines[k]["count"] for k in parts_of if k.startswith(whole)) == lines[whole]["count"]
    assert "| monsters, Level 17-20 | 3, 4.7 Treasures each" in structure.markdown(["classic"])


def words(text: str, name: str = "A") -> wording.Words:
    return wording.Words("classic", name, "text", text)


def test_a_joke_is_told_once_and_a_rule_as_often_as_it_holds() -> None:
    first = words("It hums an old song about turnips, and nobody dares to join in.")
    again = words("She hums an old song about turnips and nobody ever joins.", "B")
    rule = [words("+5 to a monster, and 1 more Treasure.", n) for n in "CDEFGHIJKLMNOPQR"]
    assert [(a.card, b.card) for a, b in wording.twice([first, again, *rule])] == [("A", "B")]
    assert [len(cards) for _, cards in wording.worn(rule)] == [16, 16]


def test_the_command_tells_and_judges(capsys: pytest.CaptureFixture[str]) -> None:
    assert boxes.main(["classic", "--only", "structure", "--only", "words"]) == 0
    assert "| Races | 9, Dwarf 3, Elf 3, Halfling 3 |" in capsys.readouterr().out
    assert boxes.main(["no_such_box"]) == 2
    assert "no pack" in capsys.readouterr().err


def test_a_card_that_nobody_shows_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pack.yaml").write_text("{id: mine, title: Mine, expands: classic}\n")
    (folder / "cards.yaml").write_text("cards: [{name: Bent Spoon, kind: item, bonus: 1, slot: 1hand, gold: 100}]\n")
    assert boxes.main([str(folder), "--json", "--only", "scenarios"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["boxes"]
    assert found["scenarios"]["unshown"] == ["Bent Spoon"]
    assert HOME not in folder.parents
