"""Every card has a picture of its own: a line in its pack's pictures.txt, or in that of the set which the pack expands.

What a line means, that its icons exist and that no two look alike is tested where they are read:
web/tests/pictures.test.ts.
"""

from __future__ import annotations

import importlib.util
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
    cards = {d.name for d in library((pack,)).defs}
    base = read_pack(find_pack(pack)).head.expands
    assert cards <= drawn(pack) | (drawn(base) if base else set())
    assert drawn(pack) <= cards, "a picture of no card"


def test_a_picture_that_changes_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = building()
    monkeypatch.setattr(page, "WEB", tmp_path / "web")
    monkeypatch.setattr(page, "PACKS", tmp_path / "packs")
    (tmp_path / "packs" / "own").mkdir(parents=True)
    (tmp_path / "packs" / "own" / "pictures.txt").write_text("Duck = sea; duck gold")
    before = page.fingerprint()
    (tmp_path / "packs" / "own" / "cards.yaml").write_text("cards: []")
    assert page.fingerprint() == before
    (tmp_path / "packs" / "own" / "pictures.txt").write_text("Duck = sea; duck blood")
    assert page.fingerprint() != before
