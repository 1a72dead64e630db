"""A name for several packs together means them wherever somebody writes it, and is no pack itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kickdoor.app.cli import main
from kickdoor.cards.packs import PackError, bundles, find_pack, known_packs, members
from kickdoor.companion.laying import in_order
from kickdoor.engine import saving
from kickdoor.engine.setup import library, new_game, rules_for
from kickdoor.lab import mix_report
from kickdoor.scenario.coverage import _unknown
from kickdoor.scenario.runner import run_file
from kickdoor.server import catalog
from kickdoor.server import options as op
from kickdoor.server.trouble import Trouble

NAME = "other_expansions"
INSIDE = bundles()[NAME]


def test_what_is_in_a_bundle_are_packs_each_in_one() -> None:
    held = [p for packs in bundles().values() for p in packs]
    assert set(held) <= set(known_packs())
    assert len(held) == len(set(held))
    assert not set(bundles()) & set(known_packs())


def test_those_in_it_stand_in_its_place() -> None:
    assert members(["classic", NAME, "bites"]) == ("classic", *INSIDE, "bites")
    assert members(["classic", NAME, "santa"]) == ("classic", *(p for p in INSIDE if p != "santa"), "santa")
    assert members(["classic", "classic"]) == ("classic", "classic")  # no business of bundles


def test_it_is_the_same_game() -> None:
    said, meant = ("classic", NAME), ("classic", *INSIDE)
    assert library(said).hash == library(meant).hash
    assert library(said).packs == meant
    assert rules_for(said) == rules_for(meant)
    g = new_game(packs=said, seed=3)
    assert g.plain() == new_game(packs=meant, seed=3).plain()


def test_a_save_that_names_it_is_read() -> None:
    g = new_game(packs=("classic", NAME), seed=3)
    data = msgspec.json.decode(saving.to_json(g)) | {"packs": ["classic", NAME]}
    assert saving.from_json(msgspec.json.encode(data)).plain() == g.plain()


def test_a_save_from_before_its_cards_were_more_is_told_so() -> None:
    g = new_game(packs=("classic", NAME), seed=3)
    data = msgspec.json.decode(saving.to_json(g)) | {"packs": ["classic", NAME], "cards": "as they were"}
    with pytest.raises(saving.SaveError, match="saved with other cards"):
        saving.from_json(msgspec.json.encode(data))


def test_a_scenario_may_name_it(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(
        """\
scenario: From one pack of several
shows: ["other_expansions:Master"]
packs: [classic, other_expansions]
table:
  players: {Aric: {level: 1, in_play: [Thief], hand: [Master@other_expansions]}, Suzan: {}, Bob: {}}
steps:
  - Aric: {play: Master@reloaded, on: Thief}
  - expect: {Aric.strength: 3}
"""
    )
    assert [r.because for r in run_file(path) if not r.passed] == []
    assert _unknown(f"{NAME}:Master") == ""
    assert _unknown(f"{NAME}:Mister") == f"no card 'Mister' in {NAME}"


def test_a_table_whose_packs_name_it_has_those_in_it() -> None:
    assert op.changed(op.TableOptions(), {"packs": ["classic", NAME]}).packs == ["classic", *INSIDE]
    stored = {"packs": ["classic", NAME]}  # as an earlier version wrote it down
    assert msgspec.convert(stored, op.TableOptions).packs == ["classic", *INSIDE]
    assert in_order(["classic", NAME]) == ("classic", *INSIDE)
    with pytest.raises(Trouble, match="none twice"):
        op.changed(op.TableOptions(), {"packs": ["classic", "santa", "santa"]})


def test_on_the_shelf_are_packs_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert NAME not in [p["id"] for p in catalog.about()["packs"]]
    assert NAME not in [s["id"] for s in mix_report.known_sets()]
    assert main(["cards", "--pack", NAME]) == 0
    out = capsys.readouterr().out
    assert "Naughty" in out
    assert "Fairy Dust: specials" in out


def test_as_one_pack_it_does_not_exist() -> None:
    with pytest.raises(PackError, match="no pack but several: fairy_dust, half_horse"):
        find_pack(NAME)
