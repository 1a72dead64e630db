"""Which cards a game was played with: what is played decides, what is only read does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import msgspec
import pytest
from msgspec.structs import replace

from kickdoor.cards.identity import bare, played
from kickdoor.cards.language import Ability, AbilityRules, Card, Pack
from kickdoor.cards.library import Library
from kickdoor.cards.packs import find_pack, forget_packs, known_packs, read_pack
from kickdoor.engine import saving, setup
from kickdoor.engine.setup import library, new_game
from kickdoor.server import options as op
from kickdoor.server import showing

HERE = Path(__file__).parent


class Shelf:
    """A pack of one's own, whose files are edited."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def edit(self, file: str, was: str, now: str) -> None:
        path = self.folder / file
        before = path.read_text(encoding="utf-8")
        assert was in before
        path.write_text(before.replace(was, now, 1), encoding="utf-8")
        forget_packs()
        setup._library.cache_clear()
        showing._mix.cache_clear()

    def cards(self) -> Library:
        return library((str(self.folder),))


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    copytree(HERE / "old" / "pack", tmp_path / "pack")
    yield Shelf(tmp_path / "pack")
    forget_packs()
    setup._library.cache_clear()
    showing._mix.cache_clear()


def other_words(shelf: Shelf) -> None:
    shelf.edit("pack.yaml", "about: A few", "about: Some")
    shelf.edit("doors.yaml", "It is cool.", "It is as cold as it looks.")


def test_a_save_goes_on_when_only_words_have_changed(shelf: Shelf) -> None:
    was = shelf.cards()
    g = new_game(packs=(str(shelf.folder),), seed=3)
    saved = saving.to_json(g)
    other_words(shelf)
    now = shelf.cards()
    assert was.hash == now.hash
    assert was.printed != now.printed
    assert saving.from_json(saved).plain() == g.plain()


@pytest.mark.parametrize(
    ("was", "now"),
    [("level: 2", "level: 3"), ("name: Ice Cube", "name: Ice Lump"), ("copies: 20", "copies: 19")],
)
def test_a_save_does_not_when_what_is_played_has(shelf: Shelf, was: str, now: str) -> None:
    saved = saving.to_json(new_game(packs=(str(shelf.folder),), seed=3))
    shelf.edit("doors.yaml", was, now)
    with pytest.raises(saving.SaveError, match="saved with other cards"):
        saving.from_json(saved)


def test_what_was_saved_before_words_were_told_apart_goes_on_with_the_very_same_cards(shelf: Shelf) -> None:
    g = new_game(packs=(str(shelf.folder),), seed=3)
    old = msgspec.json.encode(msgspec.json.decode(saving.to_json(g)) | {"cards": g.lib.printed})
    assert saving.from_json(old).plain() == g.plain()
    other_words(shelf)
    with pytest.raises(saving.SaveError, match="saved with other cards"):
        saving.from_json(old)


def test_a_page_asks_anew_for_cards_that_read_otherwise(shelf: Shelf) -> None:
    options = op.TableOptions(packs=[str(shelf.folder)])
    was = showing.mix(options)["cards"]
    other_words(shelf)
    assert showing.mix(options)["cards"] != was


def test_with_fixtures_as_well() -> None:
    card = Card("Rat King", kind="monster", level=3, text="Squeak.")
    one, two, three = (library(fixtures=[c]) for c in (card, replace(card, text="Squeak!"), replace(card, level=4)))
    assert one.hash == two.hash != three.hash
    assert len({one.printed, two.printed, three.printed}) == 3


_CARD = Card("Rat", kind="monster", abilities=[Ability("Gnaw")])
_HEAD = Pack("rats", "Rats")


@pytest.mark.parametrize(
    "edit",
    [
        lambda c: replace(c, text="It gnaws."),
        lambda c: replace(c, note="Two printings."),
        lambda c: replace(c, origin="ours"),
        lambda c: replace(c, bad_stuff_text="Gnawed."),
        lambda c: replace(c, abilities=[Ability("Gnaw", rules=AbilityRules("COMBAT-1"))]),
    ],
)
def test_what_is_only_read_of_a_card(edit: Callable[[Card], Card]) -> None:
    assert bare(edit(_CARD)) == bare(_CARD)
    assert played(replace(_HEAD, no_race=edit(_CARD)), []) == played(replace(_HEAD, no_race=_CARD), [])


def test_everything_else_is_played() -> None:
    """A key that somebody adds to the language counts, unless he says in `identity` that it is only read."""
    read = {"text", "note", "origin", "bad_stuff_text", "as_in"}
    for field in msgspec.structs.fields(Card):
        said: object = [] if field.name == "abilities" else "something"
        told = bare(replace(_CARD, **{field.name: said}))
        assert (told == bare(_CARD)) is (field.name in read), field.name
    read = {"title", "about", "sources", "samples", "mixing", "theme"}
    for field in msgspec.structs.fields(Pack):
        something: object = _CARD if field.name == "no_race" else "something"
        whole = played(replace(_HEAD, **{field.name: something}), [])
        assert (whole == played(_HEAD, [])) is (field.name in read), field.name


def test_every_pack_is_another() -> None:
    sources = [read_pack(find_pack(p)) for p in known_packs()]
    assert len({s.played for s in sources}) == len({s.digest for s in sources}) == len(sources)
    both = library(("classic", "cwbh")), library(("cwbh", "classic"))
    assert both[0].hash != both[1].hash  # the numbers of the cards are others
