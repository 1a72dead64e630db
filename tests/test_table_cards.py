"""The cards of a table are asked for at the table: of whoever has it, now or for a game that is over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from house import House, story
from kickdoor.server import catalog, deciding, showing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from staging import Stage


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """As on another server, or after this one has started again: nothing is known of what anybody plays with."""
    return lambda: monkeypatch.setattr(catalog, "_mixes", catalog.Mixes())


def evening() -> Stage:
    """A game of classic that is over, and one with another box that is not."""
    s = Stage(["Ann"], ["greedy", "greedy"], seed=3, window=120)
    s.lively(lambda g: bool(g.winners), 20_000)
    s.take(*deciding.decide(s.table, 0, pr.Rematch("rematch")))
    s.take(en.OptionsSet(op.plain(op.changed(s.table.options, {"packs": ["bites"]})), 3))
    s.take(*deciding.decide(s.table, 0, pr.Start("start")))
    assert s.table.games == 2
    return s


def named(cards: list[dict[str, Any]], pack: str) -> bool:
    return pack in {c["pack"] for c in cards}


def test_a_server_that_has_just_got_the_table_knows_its_cards(tmp_path: Path, forget: Callable[[], None]) -> None:
    """A page that has come back after a restart, or by a proxy, asks for cards that nobody has been shown here yet."""
    stage = Stage(["Ann"], ["greedy", "greedy"])
    mix = showing.mix(stage.table.options)["cards"]

    async def ask(house: House) -> None:
        stage.lay(tmp_path / "journal.sqlite")
        forget()
        async with house.caller() as api:
            assert (await api.get(f"/api/cards/{mix}")).status_code == 404
            got = await api.get(f"/api/tables/{stage.id}/cards/{mix}")
            assert got.status_code == 200
            assert "immutable" in got.headers["cache-control"]
            assert named(got.json(), "classic")
            assert (await api.get(f"/api/tables/{stage.id}/cards/nothing")).status_code == 404
            assert (await api.get(f"/api/tables/zzzzzzzzzz/cards/{mix[::-1]}")).status_code == 404

    story(tmp_path, ask)


def test_a_replay_is_shown_with_the_cards_and_people_it_was_played_with(
    tmp_path: Path, forget: Callable[[], None]
) -> None:
    stage = evening()

    async def ask(house: House) -> None:
        stage.lay(tmp_path / "journal.sqlite")
        async with house.caller() as api:
            now = (await api.get(f"/api/tables/{stage.id}")).json()
            then = (await api.get(f"/api/tables/{stage.id}/replay/table?game=1")).json()
            assert now.keys() == then.keys()
            assert (now["packs"], then["packs"]) == (["bites"], ["classic"])
            assert (now["game"], then["game"], then["status"]) == (2, 1, "over")
            assert then["seed"]["seed"] == "3", "the one of that game, which is over"
            assert [s["name"] for s in then["seats"]] == [c.name for c in stage.table.chairs]
            forget()
            cards = (await api.get(f"/api/tables/{stage.id}/cards/{then['cards']}?game=1")).json()
            assert named(cards, "classic")
            assert not named(cards, "bites")
            assert (await api.get(f"/api/tables/{stage.id}/replay/table")).status_code == 409, "it is not over yet"

    story(tmp_path, ask)
