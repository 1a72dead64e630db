"""Every card has a picture of its own: a line in the pictures.txt of its pack, or of the one it is printed again from.

What a line means, that its icons exist and that no two look alike is tested where they are read:
web/tests/pictures.test.ts.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from kickdoor.cards.packs import find_pack, known_packs, read_pack
from kickdoor.engine.setup import library


def building() -> ModuleType:
    """What builds the page; it lies beside the package, not in it."""
    spec = importlib.util.spec_from_file_location("hatch_build", Path(__file__).parent.parent / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(pack: str) -> set[str]:
    """The names of the cards that a pack has pictures of."""
    lines = (find_pack(pack) / "pictures.txt").read_text(encoding="utf-8").splitlines()
    return {line.split(" = ")[0].strip() for line in lines if line and not line.startswith("#")}


@pytest.mark.parametrize("pack", known_packs())
def test_every_card_has_a_picture(pack: str) -> None:
    cards = {d.name: d.card for d in library((pack,)).defs}
    homes = {name: card.as_in for name, card in cards.items() if card.as_in}
    assert set(cards) - set(homes) - drawn(pack) == set()
    assert [name for name, home in homes.items() if name not in drawn(home)] == []
    assert drawn(pack) <= set(cards), "a picture of no card"


@pytest.mark.parametrize("pack", known_packs())
def test_what_is_printed_again_is_written_so_that_the_page_finds_it(pack: str) -> None:
    """web/scripts/game-icons.ts reads no YAML: it looks for lines of this form."""
    text = "".join(p.read_text(encoding="utf-8") for p in sorted(find_pack(pack).glob("*.yaml")))
    found = [(m[1] or m[2], m[3]) for m in re.finditer(r'^ *- \{name: (?:"([^"]+)"|([^,]+)), as_in: (\w+)', text, re.M)]
    again = [(c.name, c.as_in) for c in read_pack(find_pack(pack)).cards if c.as_in is not None]
    assert sorted(found) == sorted(again)


def test_a_picture_that_changes_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = building()
    monkeypatch.setattr(page, "WEB", tmp_path / "web")
    monkeypatch.setattr(page, "PACKS", tmp_path / "packs")
    (tmp_path / "packs" / "own").mkdir(parents=True)
    (tmp_path / "packs" / "own" / "pictures.txt").write_text("Duck = sea; duck gold")
    before = page.fingerprint()
    (tmp_path / "packs" / "own" / "cards.yaml").write_text("cards: []")
    assert page.fingerprint() == before
    (tmp_path / "packs" / "own" / "cards.yaml").write_text("cards:\n  - {name: Elf, as_in: classic}")
    assert page.fingerprint() != before
    before = page.fingerprint()
    (tmp_path / "packs" / "own" / "pictures.txt").write_text("Duck = sea; duck blood")
    assert page.fingerprint() != before
