"""`python -m kickdoor.lab.pairs`: each expansion with each box, counted, kept, and told on one page."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kickdoor.lab import bounds, pairs
from kickdoor.lab.boxes import base_boxes
from kickdoor.lab.pairs import Kept, Pair, Tally

AXE = Pair("unnatural_axe", "classic")


def test_expansions_are_all_sets_with_cards_in_a_deck_that_are_no_boxes() -> None:
    found = pairs.expansions()
    assert {"unnatural_axe", "cwbh", "dungeons"} <= set(found)
    assert not set(found) & {*base_boxes(), "accessories"}


def test_a_pair_is_played_kept_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--packs", "unnatural_axe", "--boxes", "classic", "--workers", "1", "--home", str(tmp_path / "kept")]
    page = tmp_path / "shelf.md"
    pairs.main([*words, "-n", "1", "--arena", "1", "-o", str(page)])
    assert "| unnatural_axe | classic | 1 | 0 |" in page.read_text()
    first = Kept(tmp_path / "kept").read(AXE)
    assert (first.games, first.contests, first.failed) == (1, 1, [])
    assert first.seen
    assert all(first.kept[c] + first.used[c] <= n for c, n in first.hands.items())
    assert first.used
    page.write_text(f"old\n{'<!-- What follows is written by hand. -->'}\nBy hand.\n")
    pairs.main([*words, "-n", "2", "--arena", "1", "-o", str(page)])
    both = Kept(tmp_path / "kept").read(AXE)
    assert both.games == 2
    assert both.rounds[0] == first.rounds[0], "what was there is not played again"
    assert page.read_text().endswith("By hand.\n")
    capsys.readouterr()
    assert pairs.main([*words[:-1], str(tmp_path / "nothing"), "--page"]) == 2
    assert "nothing has been measured yet" in capsys.readouterr().err


def test_what_is_out_of_bounds_is_told() -> None:
    good = Tally(games=40, rounds=[8.0] * 40, longest=60, contests=30, won=25)
    assert pairs.outside(AXE, good) == []
    bad = Tally(
        games=40,
        rounds=[20.0] * 40,
        longest=400,
        failed=["schemers 3: no winner"],
        hands=Counter({"Orc": 50, "Siege Engine": 50, "Raincoat": 2}),
        kept=Counter({"Orc": 50, "Siege Engine": 49, "Raincoat": 2}),
        contests=100,
        won=30,
    )
    said = " ".join(pairs.outside(AXE, bad))
    for words in ("schemers 3: no winner", "20.0 rounds", "400 turns", "only 30%", "Orc has come into hands"):
        assert words in said
    assert "Siege" not in said, "it was played once"
    assert "Raincoat" not in said, "it came too seldom to be talked about"


def test_what_is_seldom_used_is_named_over_all_boxes() -> None:
    hands = Counter({"Orc": 20, "Raincoat": 20, "Siege Engine": 2})
    found = {AXE: Tally(games=9, hands=hands, used=Counter({"Orc": 1, "Raincoat": 9}))}
    assert pairs.seldom(found) == []  # twenty are too few to talk about
    found[AXE._replace(box="bites")] = Tally(games=9, hands=hands, used=Counter({"Raincoat": 9}))
    assert pairs.seldom(found) == ["- unnatural_axe: Orc (2%)."]
    before = Tally.of({"games": 9, "seen": {}, "hands": {"Orc": 40}, "kept": {}})  # as it was kept without this count
    assert pairs.seldom({AXE: before}) == []


def test_a_card_that_never_came_is_named_and_what_is_in_no_deck_is_not() -> None:
    seen = Counter(dict.fromkeys(pairs._printed(AXE) - {"Orc"}, 1))
    assert pairs.never_seen(AXE, Tally(seen=seen)) == ["Orc"]
    dungeons = pairs._printed(Pair("dungeons", "classic"))
    assert "Cave-In!" in dungeons
    assert "Joe's Discount Dungeon" not in dungeons


def test_a_game_that_fails_spoils_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "BOTS", ("nobody",) * 4)
    tally = pairs.work(pairs.Job(AXE, False, (0,)))
    assert tally.games == 1
    assert tally.rounds == []
    assert "nobody" in tally.failed[0]


@pytest.mark.parametrize("words", [["--packs", "bites"], ["--boxes", "unnatural_axe"]])
def test_a_box_is_no_expansion_and_an_expansion_no_box(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert pairs.main(words) == 2
    assert "there are:" in capsys.readouterr().err
