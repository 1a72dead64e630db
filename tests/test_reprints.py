"""A card that is printed again in another pack is written once, and is the same card there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from kickdoor.app import pack_command
from kickdoor.app.cli import main
from kickdoor.cards import packs
from kickdoor.cards.language import Card
from kickdoor.cards.packs import PackError, find_pack, forget_packs, known_packs, read_pack
from kickdoor.engine.setup import library
from kickdoor.lab.boxes import base_boxes
from kickdoor.scenario.runner import run_text

WORDS = ("text", "bad_stuff_text", "note", "origin", "copies", "aka", "set", "as_in")


def mechanics(card: Card) -> str:
    """What a card does, whatever it says and however many there are."""
    data: dict[str, Any] = msgspec.to_builtins(card)
    return repr(sorted((k, v) for k, v in data.items() if k not in WORDS))


def test_no_card_is_written_twice() -> None:
    """Classic and the expansions share one; another box may have a card in its own words, and only so."""
    boxes = set(base_boxes()) - {"classic"}
    written: dict[str, list[tuple[str, Card]]] = {}
    for pack in known_packs():
        for card in read_pack(find_pack(pack)).cards:
            if card.as_in is None:
                written.setdefault(mechanics(card), []).append((pack, card))
    for found in written.values():
        shared = [f"{pack}:{card.name}" for pack, card in found if pack not in boxes]
        assert len(shared) < 2, f"{' and '.join(shared)} are one card: say as_in"
        said = [card.text for _, card in found]
        assert len(set(said)) == len(said), f"{[p for p, _ in found]} have the same {found[0][1].name}: say as_in"


def test_what_is_printed_again_is_the_same_card() -> None:
    seen = 0
    for pack in known_packs():
        for card in read_pack(find_pack(pack)).cards:
            if card.as_in is not None:
                model = next(c for c in read_pack(find_pack(card.as_in)).cards if c.name == card.name)
                assert msgspec.structs.replace(card, copies=model.copies, as_in=None) == model
                seen += 1
    assert seen > 90
    axe = library(("unnatural_axe",))
    assert axe.defs[axe.by_name["elf"][0]].pack == "unnatural_axe"


# -- packs of one's own -------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "pack.yaml").write_text("id: own\ntitle: Own\n")
    return folder


def cards(folder: Path, *lines: str) -> Path:
    (folder / "cards.yaml").write_text("cards:\n" + "".join(f"  - {line}\n" for line in lines))
    return folder


def test_a_pack_of_ones_own_may_print_again_what_comes_with_the_game(own: Path) -> None:
    cards(own, "{name: Elf, as_in: classic, copies: 2}", "{name: Orc, as_in: unnatural_axe}")
    assert main(["pack", "check", str(own)]) == 0
    lib = library((str(own),))
    assert [d.name for d in lib.defs] == ["Elf", "Elf", "Orc"]
    assert lib.defs[2].powers[0].name == "Ignore Curse"


WRONG = [
    ("{name: Elf, as_in: clasic}", "as_in: no pack 'clasic' comes with the game", "did you mean 'classic'"),
    ("{name: Elf, as_in: ../other}", "as_in: no pack '../other' comes with the game", ""),
    ("{name: Elf, as_in: other_expansions}", "as_in: no pack 'other_expansions' comes with the game", ""),
    ("{name: Elv, as_in: classic}", "as_in: classic has no card 'Elv'", "did you mean 'Elf'"),
    ("{name: Elf, as_in: own}", "as_in: 'own' is this very pack", "copies"),
    ("{name: Elf, as_in: unnatural_axe}", "as_in: in unnatural_axe 'Elf' is printed again", "say as_in: classic"),
    ("{name: Elf, as_in: classic, bonus: 3}", "bonus: is as in 'classic' as well", "leave out as_in"),
    ("{name: Elf, as_in: classic, text: Mine.}", "text: is as in 'classic' as well", "leave out as_in"),
    ("{name: Great Cthulhu, as_in: crossovers}", "as_in: crossovers has 2 cards called 'Great Cthulhu'", ""),
]


@pytest.mark.parametrize(("line", "says", "hint"), WRONG)
def test_what_cannot_be_meant_is_told_with_file_and_line(
    own: Path, line: str, says: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cards(own, "{name: Rat, kind: monster, level: 1}", line)
    with pytest.raises(PackError) as e:
        read_pack(own)
    told = str(e.value)
    assert told.startswith(f"{own / 'cards.yaml'}:3: card ")
    assert says in told
    assert hint in told
    assert main(["pack", "check", str(own)]) == 2
    assert says.partition(": ")[2] in " ".join("".join(capsys.readouterr()).split())


def test_two_packs_that_point_at_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may print again what the other has; but one of them must have it."""
    for name, other in (("here", "there"), ("there", "here")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.yaml").write_text(f"id: {name}\ntitle: {name}\n")
        cards(tmp_path / name, f"{{name: Rat, as_in: {other}}}")
    monkeypatch.setattr(packs, "HOME", tmp_path)
    forget_packs()
    with pytest.raises(PackError, match="in there 'Rat' is as in here, and so nowhere"):
        read_pack(find_pack("here"))
    cards(tmp_path / "here", "{name: Rat, as_in: there}", "{name: Cat, kind: monster, level: 2}")
    cards(tmp_path / "there", "{name: Cat, as_in: here}", "{name: Rat, kind: monster, level: 1}")
    forget_packs()
    assert [c.level for c in read_pack(find_pack("here")).cards] == [1, 2]
    assert [c.level for c in read_pack(find_pack("there")).cards] == [2, 1]
    forget_packs()


def test_a_pack_changes_with_what_it_prints_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("classic", "unnatural_axe"):
        shutil.copytree(find_pack(name), tmp_path / name)
    monkeypatch.setattr(packs, "HOME", tmp_path)
    digests = []
    for was, now in (("", ""), ("run_away: 1", "run_away: 2"), ("Leather Armor", "Lather Armor")):
        for path in (tmp_path / "classic").glob("*.yaml"):
            path.write_text(path.read_text(encoding="utf-8").replace(was, now), encoding="utf-8")
        forget_packs()
        digests.append(read_pack(find_pack("unnatural_axe")).digest)
    forget_packs()
    assert digests[0] != digests[1]
    assert digests[1] == digests[2]  # what it does not print again is no business of it


def test_who_has_no_race_may_be_printed_again(own: Path) -> None:
    cards(own, "{name: Rat, kind: monster, level: 1}")
    (own / "pack.yaml").write_text("id: own\ntitle: Own\nno_race: {name: Human, as_in: classic}\n")
    lib = library((str(own),))
    assert lib.defs[lib.no_race].powers[0].name == "Pets Rock"
    forget_packs()
    (own / "pack.yaml").write_text("id: own\ntitle: Own\nno_race: {name: Elf, as_in: classic}\n")
    with pytest.raises(PackError, match=r"pack\.yaml:3: card 'Elf': as_in: classic has no card 'Elf'"):
        read_pack(own)


def test_who_is_like_a_card_printed_again_is_a_card_of_its_own(own: Path) -> None:
    cards(own, "{name: Elf, as_in: classic}", "{name: Elfin, like: Elf, text: Not quite.}")
    lib = library((str(own),))
    assert [(d.name, d.card.as_in) for d in lib.unique] == [("Elf", "classic"), ("Elfin", None)]


def test_a_scenario_may_have_one_too() -> None:
    told = run_text(
        """\
scenario: An Orc from a box that is not on the table
table:
  fixtures: [{name: Orc, as_in: unnatural_axe}]
  players: {Ann: {in_play: [Orc]}, Bob: {}, Cid: {}}
steps:
  - expect: {Ann.races: [Orc]}
"""
    )
    assert [r.because for r in told if not r.passed] == []


def test_the_schema_says_so_too() -> None:
    validator = jsonschema.Draft202012Validator(msgspec.json.decode(pack_command.schema_text()))
    assert validator.is_valid({"cards": [{"name": "Elf", "as_in": "classic", "copies": 2}]})
    assert not validator.is_valid({"cards": [{"name": "Elf", "as_in": "classic", "bonus": 2}]})
