"""Runs on disk, what is read out of them, the page, and a pack on trial."""

from __future__ import annotations

import json
import random
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kickdoor.app.cli import main
from kickdoor.cards.language import Card
from kickdoor.cards.packs import find_pack
from kickdoor.lab import analysis, balance, farm, met, pack_trial, plots, report, simulate
from kickdoor.lab.extras import LabError, need
from kickdoor.lab.playing import Record, Setting, cards_of
from kickdoor.lab.recording import DEALT, IN_HAND, PLAYED, WON_ALONE

GREEDY = Setting(("greedy",) * 4)
GAMES = 12


def read(folder: Path, table: str) -> Any:
    return need("pyarrow.parquet", "lab").read_table(folder / table)


def play(folder: Path, games: int = GAMES, workers: int = 1, **how: Any) -> list[tuple[int, int]]:
    return list(simulate.simulate(folder, GREEDY, games, workers, **how))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> simulate.Run:
    folder = tmp_path_factory.mktemp("lab") / "run"
    play(folder)
    return simulate.opened(folder)


# -- runs ---------------------------------------------------------------------------------------------------------


def test_one_row_per_game_seat_fight_and_holding(run: simulate.Run) -> None:
    games, seats, fights, holdings = (read(run.folder, t) for t in ("games", "seats", "fights", "holdings"))
    assert games["game"].to_pylist() == list(range(GAMES))
    assert games["error"].null_count == GAMES
    assert seats.num_rows == 4 * GAMES
    assert fights.num_rows > GAMES
    assert holdings.num_rows > 40 * GAMES
    assert set(holdings["how"].to_pylist()) <= {"dealt", "drawn", "kicked", "given"}
    cards = read(run.folder, "cards.parquet")
    assert cards["name"].to_pylist() == [c["name"] for c in run.cards]
    wins = sum(seats["won"].to_pylist())
    assert wins == sum(games["winners"].to_pylist())


def test_where_every_game_failed_it_is_said_why(tmp_path: Path) -> None:
    """Also where the games are not kept, as by `kickdoor pack check --simulate`."""
    card = "{name: Heap, kind: monster, level: 20, treasures: 1, text: t, bad_stuff_text: b, copies: 60, "
    (tmp_path / "heap").mkdir()
    (tmp_path / "heap" / "pack.yaml").write_text("id: heap\ntitle: Heap\nedition: classic\n")
    (tmp_path / "heap" / "cards.yaml").write_text(f"cards:\n- {card}bad_stuff: [{{draw: {{treasures: 1000000}}}}]}}\n")
    with pytest.raises(LabError, match=r"every game failed, the first with .*never settles"):
        pack_trial.run(tmp_path / "heap", 2, 1)


def test_the_files_do_not_depend_on_the_workers(run: simulate.Run, tmp_path: Path) -> None:
    play(tmp_path / "two", workers=2)
    for table in simulate.TABLES:
        assert read(run.folder, table).equals(read(tmp_path / "two", table)), table


def test_not_even_their_bytes_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of rows are cut by games, not by what workers bring at a time."""
    monkeypatch.setattr(simulate, "GROUP", 5)
    for workers in (1, 2):
        play(tmp_path / str(workers), games=GAMES + workers - 1, workers=workers)  # 12 games, and 13 in other batches
        play(tmp_path / str(workers), games=GAMES + 1, workers=workers)
    for table in simulate.TABLES:
        one, two = (tmp_path / str(w) / table / "part-00000.parquet" for w in (1, 2))
        assert one.read_bytes() == two.read_bytes(), table


def test_a_ray_cluster_brings_the_same(run: simulate.Run, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    play(tmp_path / "ray", workers=2, on="ray")
    for table in simulate.TABLES:
        assert read(run.folder, table).equals(read(tmp_path / "ray", table)), table


def test_a_run_that_was_stopped_goes_on(run: simulate.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PART", 5)
    folder = tmp_path / "run"
    games = simulate.simulate(folder, GREEDY, GAMES, 1)
    assert next(games) == (0, 0)
    while simulate.opened(folder).parts() != [0]:
        next(games)
    next(games)
    games.close()  # type: ignore[attr-defined]
    assert not list(folder.rglob("*.unfinished"))
    there = simulate.opened(folder)
    assert there.parts() == [0, 1]
    assert there.rows(0) == 5
    assert 0 < there.rows(1) < 5  # what was played can be read
    assert analysis.findings(there)["games"] == 5 + there.rows(1)
    rest = play(folder)
    assert rest[0] == (5, 0)
    assert sum(n for n, _ in rest) == GAMES
    for table in simulate.TABLES:
        assert read(run.folder, table).equals(read(folder, table)), table
    assert play(folder) == [(GAMES, 0)]


def test_games_to_come_are_not_listed_and_a_part_that_is_missing_is_played_first(
    tmp_path: Path, run: simulate.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, asked = tmp_path / "run", list[Any]()
    monkeypatch.setattr(simulate, "PART", 5)
    play(folder, 10)
    simulate.opened(folder).path("games", 0).unlink()

    def nothing(setting: Setting, numbers: Any, *how: Any) -> Any:
        asked.append(numbers)
        return iter(())

    monkeypatch.setattr(farm, "run", nothing)
    assert play(folder, 10**9) == [(5, 0)]
    assert asked == [[0, 1, 2, 3, 4], range(10, 10**9)]


def test_a_run_can_be_made_longer(tmp_path: Path, run: simulate.Run) -> None:
    folder = tmp_path / "run"
    play(folder, 2)
    assert read(folder, "games").num_rows == 2
    play(folder, 4)
    assert read(folder, "games").equals(read(run.folder, "games").slice(0, 4))


def test_another_run_is_not_mixed_in(run: simulate.Run, tmp_path: Path) -> None:
    with pytest.raises(LabError, match="seed was 1, now 2"):
        list(simulate.simulate(run.folder, Setting(GREEDY.bots, seed=2), 1, 1))
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to_mum.txt").write_text("Dear Mum,")
    with pytest.raises(LabError, match="is there and is not a run"):
        list(simulate.simulate(tmp_path / "letters", GREEDY, 1, 1))
    with pytest.raises(LabError, match="not UTF-8"):
        list(simulate.simulate(tmp_path / "a\udcffb", GREEDY, 1, 1))
    assert [p.name for p in tmp_path.iterdir()] == ["letters"]


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "-n", "2", "--workers", "1", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "2 games in" in told
    assert "kickdoor report" in told
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["played"], found["kept"]) == (2, 0, 2)


def test_a_folder_without_a_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "no run is there" in err
    assert "kickdoor simulate --out" in err


# -- what it says -------------------------------------------------------------------------------------------------

STRONG, STALLER = 5, 6


def invented(number: int, rng: random.Random) -> Record:
    """A game whose truth is known: card 5 doubles the chance of whoever was dealt it, card 6 is never played."""
    lucky, stuck = rng.randrange(4), rng.randrange(4)
    weights = [0.2, 0.2, 0.2, 0.2]
    weights[lucky] = 0.4
    winner = rng.choices(range(4), weights)[0]
    turns = 40
    levels = [[1 + (t * (9 if s == winner else 5)) // turns for t in range(turns)] for s in range(4)]
    cards = [[STRONG, lucky, DEALT, 1, 3, 2, PLAYED], [STALLER, stuck, DEALT, 1, turns, 0, IN_HAND]]
    for s in range(4):
        cards += [[c, s, DEALT, 1, 4, 5, PLAYED] for c in rng.sample(range(7, 40), 6)]
    return Record(
        number,
        number,
        ("greedy",) * 4,
        winners=[winner],
        turns=turns,
        moves=500,
        final=[10 if s == winner else 5 for s in range(4)],
        deaths=[0] * 4,
        levels=levels,
        cards=cards,
        fights=[[1, 0, -1, 9, 1, WON_ALONE]],
    )


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("lab") / "invented"
    run = simulate.prepare(folder, GREEDY)
    rng = random.Random(4)
    for part in range(3):
        writer = simulate.Part(run, part)
        for first in range(0, 500, 250):
            writer.write([invented(part * 500 + first + i, rng) for i in range(250)])
        writer.finish()
    return analysis.findings(run)


def test_lift_finds_the_card_that_wins(truth: dict[str, Any]) -> None:
    by_lift = sorted(truth["cards"], key=lambda c: -c["lift"])
    strong = next(c for c in truth["cards"] if c["seen"] == 1500 and c["plays"])
    assert strong is by_lift[0]
    # Dealt the card, a player wins 40% of the time; dealt another of its deck, about 25%.
    assert 0.08 < strong["low"] < 0.15 < strong["high"] < 0.22
    others = [c for c in by_lift[1:] if c["plays"]]
    missed = [c for c in others if c["low"] > 0 or c["high"] < 0]
    assert len(missed) <= 0.2 * len(others)


def test_stalling_is_counted_in_rounds(truth: dict[str, Any]) -> None:
    slow = max(truth["cards"], key=lambda c: c["held"])
    assert slow["held"] == 10.0  # 40 turns of 4 players
    assert slow["stuck"] == 1.0
    assert slow["plays"] == 0


def test_games_levels_and_comebacks_add_up(truth: dict[str, Any]) -> None:
    assert truth["games"] == 1500
    assert sum(x["wins"] for x in truth["seat_wins"]) == 1500
    assert truth["length"]["median"] == 10
    assert sum(truth["length"]["counts"]) == 1500
    assert truth["levels"]["winners"][-1] > truth["levels"]["others"][-1]
    assert sum(truth["levels"]["behind"]) == 1500
    assert sum(x["wins"] for x in truth["levels"]["halftime"]) == 1500
    assert truth["fights"]["ends"]["won_alone"] == truth["fights"]["count"] == 1500


# -- the page -----------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Checks that tags close, pictures have words, and nothing is fetched."""

    VOID = frozenset({"meta", "br", "img", "link", "input", "line", "rect", "circle", "polyline"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.pictures = self.tables = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        assert tag not in ("script", "link", "img", "iframe"), tag
        assert not {"src", "href", "onclick", "onload"} & names.keys(), names
        if tag == "svg":
            assert names.get("role") == "img"
            assert names.get("aria-label")
            self.pictures += 1
        self.tables += tag == "table"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID, tag

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}>"


def test_the_page_stands_alone_and_is_complete(run: simulate.Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    report.write(run, path)
    text = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.pictures >= 6
    assert page.tables >= page.pictures
    for words in (
        "Does the seat matter?",
        "How long it takes",
        "Comebacks",
        "How fights end",
        "stall in hands",
        "swingy",
    ):
        assert words in text
    assert "What to leave in the box" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    assert "url(" not in text
    assert "prefers-color-scheme: dark" in text
    assert re.search(r"\bnan\b|\binf\b", text) is None


def test_the_report_command_writes_beside_the_run(run: simulate.Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run.folder)]) == 0
    assert (run.folder / "report.html").exists()
    (run.folder / "report.html").unlink()
    capsys.readouterr()
    assert main(["report", str(run.folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == GAMES


def test_names_are_escaped(truth: dict[str, Any]) -> None:
    cards = [{**c, "card": '<b>Bow & "Arrow"</b>'} for c in truth["cards"]]
    mix = {"recommended": [], "left_out": [], "edition": "<i>own</i>"}
    text = report.render({**truth, "cards": cards}, mix)
    assert "<b>" not in text
    assert "<i>" not in text
    Page().feed(text)


def test_ticks_are_round_numbers() -> None:
    assert plots.ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert plots.ticks(-0.1, 0.1, 4) == [-0.1, -0.05, 0, 0.05, 0.1]
    assert plots.ticks(3, 3) == [3]


# -- a pack on trial ----------------------------------------------------------------------------------------------


def card(name: str, pack: str = "mine", **figures: Any) -> dict[str, Any]:
    usual = {"lift": 0.0, "error": 0.01, "held": 2.0, "stuck": 0.1, "in_hand": 500, "plays": 400, "seen": 500}
    return {"card": name, "pack": pack, "kind": "item", "deck": 1, **usual, **figures}


ENDS_WELL = {"won_alone": 60, "won_with_help": 40}


def judged(
    *cards: dict[str, Any], alone: bool = False, prized: frozenset[str] = frozenset(), **whole: Any
) -> dict[str, str]:
    classic = [card(f"c{i}", "classic", lift=0.01 * (i % 3 - 1), held=1 + i / 40) for i in range(40)]
    length = {"mean": 11.0, "sd": 4.0, "median": 10.0, "longest": 30.0}
    base = {
        "settings": {"packs": ["classic"]},
        "fights": {"ends": ENDS_WELL},
        "seat_wins": [{"share": 0.25}] * 4,
        "cards": classic,
        "games": 2000,
        "failed": 0,
        "length": length,
        "deaths": 0.5,
        "spread": {"mean": 0, "sd": 0.015},
    }
    names = [{"name": c["card"], "pack": c["pack"], "copies": 1} for c in cards]
    mix = {**base, "cards": [*classic, *(c for c in cards if c["seen"] >= 30)], "all_cards": names, **whole}
    return {f.what: f.says for f in pack_trial.judge("mine", base, mix, alone, prized)}


def test_a_fair_pack_is_let_go() -> None:
    assert judged(card("Spoon"), card("Fork", lift=0.03)) == {}


def test_a_card_beyond_the_classic_spread_is_named() -> None:
    says = judged(card("Sword of Doom", lift=0.12))["strong"]
    assert says.startswith("Sword of Doom is too good: who gets it wins 12.0 points more often (+9.4 to +14.6)")
    assert "cards of classic lie between -3.8 and +3.8" in says
    assert "a burden" in judged(card("Wet Sock", lift=-0.12))["weak"]
    assert judged(card("Lucky Draw", lift=0.12, error=0.05)) == {}  # too few to be sure


def test_a_card_that_stalls_is_named() -> None:
    assert "Anvil lies in hands for 9.0 rounds" in judged(card("Anvil", held=9.0, stuck=0.8))["stalls"]
    assert "never played" in judged(card("Riddle", plays=0))["unplayed"]
    assert "Comet" in judged(card("Comet", seen=4))["rare"]


def test_a_change_of_the_whole_game_is_told() -> None:
    assert judged(length={"mean": 14.0, "sd": 5.0})["length"] == "Games get 27% longer: 14.0 rounds instead of 11.0."
    assert judged(length={"mean": 11.4, "sd": 5.0}) == {}
    assert "more often: 1.10" in judged(deaths=1.1)["deaths"]
    assert "3 of 2,003 games" in judged(failed=3)["failed"]


def test_a_prize_is_listed_apart() -> None:
    found = judged(card("Crown", lift=0.12), prized=frozenset({"Crown"}))
    assert list(found) == ["prize"]
    assert found["prize"].startswith("Crown is a prize, as its note says: who gets it wins 12.0 points more often")
    noted = Card("Crown", note="Prize: there is only one, and everybody wants it.")
    assert pack_trial.is_prize(noted)
    assert not pack_trial.is_prize(Card("Prize: Ham", note="No prize."))


def test_a_box_alone_has_bounds_of_its_own() -> None:
    assert judged(card("Spoon"), alone=True) == {}
    short = {"mean": 6.0, "sd": 4.0, "median": 6.0, "longest": 90.0}
    found = judged(alone=True, length=short, deaths=0.1, fights={"ends": {"won_alone": 9, "won_with_help": 1}})
    assert found["length"] == "A game takes 6.0 rounds, not 7 to 12."
    assert found["longest"] == "The longest game has 360 turns, which is more than 300."
    assert found["help"] == "Of the fights won, 10% are won with help, not 25% to 50%."
    assert {"deaths"} < set(found)
    assert "4.1 standard errors" in judged(alone=True, seat_wins=[{"share": 0.29}, *[{"share": 0.237}] * 3])["seats"]
    assert "never left" in judged(card("Anvil", stuck=1.0), alone=True)["stuck"]


def test_a_box_is_played_alone_and_an_expansion_beside_its_base(tmp_path: Path, pack: Path) -> None:
    alone = pack_trial.plan(find_pack("classic"))
    assert (alone.base, alone.mix, alone.alone) == (("classic",), ("classic",), True)
    axe = pack_trial.plan(find_pack("unnatural_axe"))
    assert (axe.base, axe.mix, axe.alone) == (("classic",), ("classic", "unnatural_axe"), False)
    few = pack_trial.plan(pack)  # nobody can play one card alone
    assert (few.base, few.mix, few.alone) == (("classic",), ("classic", str(pack)), False)
    more = tmp_path / "more"
    more.mkdir()
    (more / "pack.yaml").write_text("{id: more, title: More, edition: bites, expands: bites}")
    (more / "cards.yaml").write_text("cards: [{name: Wet Bat, kind: monster, level: 2, text: Damp.}]")
    assert pack_trial.plan(more).mix == ("bites", str(more))


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "doom"
    folder.mkdir()
    (folder / "pack.yaml").write_text("id: doom\ntitle: Doom\nedition: classic\n")
    (folder / "cards.yaml").write_text(
        "cards:\n  - {name: Sword of Doom, kind: item, slot: 1hand, bonus: 15, gold: 900, copies: 9, text: Better.}\n"
    )
    return folder


def test_pack_check_simulates(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["pack", "check", str(pack), "--simulate", "12", "--workers", "1"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"]
    trial = found["simulation"]
    assert (trial["pack"], trial["games"], trial["with"]["games"]) == ("doom", 12, 12)
    assert {f["what"] for f in trial["findings"]} <= {
        "strong",
        "weak",
        "stalls",
        "unplayed",
        "rare",
        "length",
        "deaths",
    }
    assert main(words[:-2]) == 0
    assert "12 games of classic and as many of classic with doom" in capsys.readouterr().out


def test_pack_check_needs_games_and_a_sound_pack(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", "check", str(pack), "--simulate", "0"]) == 2
    assert "at least one game" in capsys.readouterr().err
    (pack / "cards.yaml").write_text("cards:\n  - {name: Oops, kind: itemm}\n")
    assert main(["pack", "check", str(pack), "--simulate", "2000"]) == 2
    assert "games of classic" not in capsys.readouterr().out
    shutil.rmtree(pack)


# -- the balance of a box -----------------------------------------------------------------------------------------


def test_the_balance_of_a_box_is_measured_once_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "balance.md"
    page.write_text(f"# Old\n{balance.BY_HAND}\n\nGood boots are good.\n")
    words = ["-n", "4", "--arena", "4", "--random", "2", "--workers", "1", "--home", str(tmp_path / "kept")]
    words += ["--packs", "classic", "-o", str(page)]
    assert balance.main(words) == 0
    first = page.read_text()
    for said in ("| games | 4 |", "| schemer against three greedy |", "## classic", "Good boots are good."):
        assert said in first
    assert "# Old" not in first
    (folder,) = (tmp_path / "kept").iterdir()
    parts = [p.stat().st_mtime_ns for p in (folder / "run").rglob("part-*")]
    assert balance.main(words) == 0  # goes on where it was: there is nothing left to play
    assert [p.stat().st_mtime_ns for p in (folder / "run").rglob("part-*")] == parts
    assert balance.main([*words, "--page"]) == 0
    assert page.read_text() == first
    capsys.readouterr()


def test_what_was_never_measured_is_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert balance.main(["--page", "--packs", "classic", "--home", str(tmp_path)]) == 2
    assert "nothing has been measured yet" in capsys.readouterr().err
    assert balance.main(["--packs", "clasic", "--home", str(tmp_path)]) == 2
    assert "did you mean 'classic'" in capsys.readouterr().err


def test_cards_are_met_in_the_same_game_whoever_plays() -> None:
    found = met.run(("classic",), 3, 1)
    assert found.games == 3
    assert set(found.first.values()) <= {1, 2, 3}
    assert len(found.first) + len(found.missing) == len({c["name"] for c in cards_of(("classic",))})
    assert met.run(("classic",), 3, 2) == found
