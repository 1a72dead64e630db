"""The lab plays: intervals, records, workers, the arena and its file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kickdoor.app.cli import main
from kickdoor.bots import BotError
from kickdoor.lab import arena, extras, farm, figures, playing
from kickdoor.lab.extras import LabError
from kickdoor.lab.playing import Setting
from kickdoor.lab.recording import ENDS, FATES, HOWS
from kickdoor.lab.stopwatch import Stopwatch

GREEDY = Setting(("greedy",) * 4)
ONE_AND_THREE = Setting(("greedy", "random", "random"))


# -- figures ------------------------------------------------------------------------------------------------------


def test_wilson_is_the_interval_of_the_books() -> None:
    low, high = figures.wilson(25, 100)
    assert (round(low, 4), round(high, 4)) == (0.1755, 0.3430)  # Newcombe 1998, method 3
    assert figures.wilson(0, 20)[0] == 0.0
    assert figures.wilson(20, 20)[1] == 1.0
    assert figures.wilson(0, 0) == (0.0, 1.0)


def test_a_clock_knows_percentiles_and_adds_up() -> None:
    a, b = figures.Clock(), figures.Clock()
    for ms in range(1, 101):
        (a if ms % 2 else b).add(ms / 1000)
    a.merge(b)
    assert a.count == 100
    assert 0.095 <= a.percentile(0.95) <= 0.095 * 1.1
    assert a.percentile(1.0) == a.longest == 0.1
    again = figures.Clock.of(json.loads(json.dumps(a.plain())))
    assert (again.count, again.bins, again.percentile(0.5)) == (a.count, a.bins, a.percentile(0.5))


def test_a_stopwatch_shows_what_a_clock_would() -> None:
    watch, clock = Stopwatch(), figures.Clock()
    for us in (0, 1, 1, 7, 900, 64_000, 3_000_000):
        watch.add(us / 1e6)
        clock.add(us / 1e6)
    assert figures.Clock.read(watch) == clock


# -- a game -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record() -> playing.Record:
    return playing.play(GREEDY, 3)


def test_a_game_is_told_by_its_number(record: playing.Record) -> None:
    again = playing.play(GREEDY, 3)
    for r in (record, again):
        r.thought = []
    assert record == again
    assert record.error == ""
    assert record.winners
    assert playing.play(GREEDY, 4).cards != record.cards


def test_a_record_holds_together(record: playing.Record) -> None:
    cards = playing.cards_of(("classic",))
    assert [len(x) for x in record.levels] == [record.turns] * 4
    assert all(record.final[s] >= 10 for s in record.winners)
    dealt = [c for c in record.cards if HOWS[c[2]] == "dealt"]
    assert len(dealt) == 4 * 8
    for card, seat, how, turn, held, played, fate in record.cards:
        assert 0 <= card < len(cards)
        assert 0 <= seat < 4
        assert how < len(HOWS)
        assert fate < len(FATES)
        assert 1 <= turn <= record.turns
        assert 0 <= held <= record.turns
        assert played == 0 or turn <= played <= record.turns
        if FATES[fate] == "met":
            assert cards[card]["kind"] in ("monster", "curse", "trap"), cards[card]["name"]
    for turn, main_, helper, card, foes, end in record.fights:
        assert 1 <= turn <= record.turns
        assert main_ != helper
        assert cards[card]["deck"] == 0
        assert foes >= 1
        assert (ENDS[end] == "won_with_help") <= (helper >= 0)


def test_everybody_sits_everywhere() -> None:
    seats = [Setting(("a", "b", "c", "d")).seats(n) for n in range(4)]
    assert all({row[s] for row in seats} == {"a", "b", "c", "d"} for s in range(4))


def test_a_game_that_breaks_is_a_line_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "TOO_LONG", 3)
    r = playing.play(GREEDY, 0)
    assert r.error.startswith("LabError: no winner after 4 turns")


def test_wrong_words_are_told_before_anything_is_played() -> None:
    with pytest.raises(BotError, match="no bot 'gready'"):
        playing.check(Setting(("gready",) * 4))
    with pytest.raises(ValueError, match="clasic"):
        playing.check(Setting(("greedy",) * 4, ("clasic",)))


# -- many games ---------------------------------------------------------------------------------------------------


def test_two_workers_bring_what_one_brings() -> None:
    def played(workers: int) -> list[tuple[object, ...]]:
        batches = farm.run(GREEDY, range(4), workers, size=1)
        return [(r.number, r.winners, r.moves, r.cards, r.fights, r.levels) for b in batches for r in b]

    assert played(1) == played(2)


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(LabError, match="known: cores, ray"):
        farm.run(GREEDY, range(2), on="moon")


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LabError, match=r"pip install 'kickdoor\[lab\]'"):
        extras.need("pyarrow", "lab")


def test_the_game_needs_no_package_of_the_lab() -> None:
    """Every command loads without them; those that need one say so in a line."""
    code = (
        "import sys\n"
        "for name in ('pyarrow', 'numpy', 'openskill', 'pettingzoo', 'gymnasium', 'ray'): sys.modules[name] = None\n"
        "from kickdoor.app.cli import main\n"
        "assert main([]) == 0\n"
        "assert main(['arena', '-n', '1']) == 2\n"
        "assert main(['simulate', '-n', '1', '--out', 'nowhere']) == 2\n"
        "assert main(['report', 'nowhere']) == 2\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("pip install 'kickdoor[lab]'") == 3
    assert "Traceback" not in done.stderr


# -- the arena ----------------------------------------------------------------------------------------------------


def test_the_last_one_named_fills_the_table() -> None:
    assert arena.seating(["schemer", "greedy"]) == ("schemer", "greedy", "greedy", "greedy")
    assert arena.seating(["a", "b", "c"]) == ("a", "b", "c")
    assert arena.seating(["a"], 3) == ("a", "a", "a")
    with pytest.raises(LabError, match="4 bots are named for 3 seats"):
        arena.seating(["a", "b", "c", "d"], 3)
    with pytest.raises(LabError, match="no bots are named"):
        arena.seating([])


def fake(game: int, winner: int, bots: tuple[str, ...] = ("a", "b", "b")) -> arena.Result:
    clock = figures.Clock()
    clock.add(0.001)
    shift = game % 3
    return arena.Result(game, tuple(bots[(s + shift) % 3] for s in range(3)), 0, (winner,), 30, 400, {"a": clock})


def test_the_table_counts_chairs_and_rates_in_order() -> None:
    setting = Setting(("a", "b", "b"))
    results = [fake(n, (-n) % 3) for n in range(30)]  # a sits in seat -n and wins
    found = arena.table(setting, results)
    a, b = found["standings"]
    assert (a["bot"], a["wins"], a["seats"], a["win_rate"]) == ("a", 30, 30, 1.0)
    assert (b["bot"], b["wins"], b["seats"], b["chairs"]) == ("b", 0, 60, 2)
    assert a["rating"] > b["rating"]
    assert a["mu"] > 25 > b["mu"]
    assert found["rounds"]["median"] == 10
    assert arena.table(setting, results[::-1])["standings"] == found["standings"]


def test_a_contest_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    out = tmp_path / "night.jsonl"
    first = [r for batch in arena.run(ONE_AND_THREE, 2, 1, out) for r in batch]
    assert [r.game for r in first] == [0, 1]
    text = out.read_text()
    out.write_text(text + text.splitlines()[-1][:40])  # the power went in the middle of a line
    other = Setting(("greedy",) * 3)
    list(arena.run(other, 1, 1, out))  # another contest in the same file
    batches = list(arena.run(ONE_AND_THREE, 3, 1, out))
    assert [[r.game for r in b] for b in batches] == [[0, 1], [2]]
    kept = next(iter(arena.run(ONE_AND_THREE, 3, 1, out)))
    assert [(r.game, r.winners, r.moves) for r in kept] == [(r.game, r.winners, r.moves) for b in batches for r in b]
    keys = [json.loads(line)["key"] for line in out.read_text().splitlines() if line.endswith("}")]
    assert set(keys) == {arena.key_of(ONE_AND_THREE), arena.key_of(other)}


def test_a_hole_in_the_file_is_filled_before_it_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "night.jsonl"
    list(arena.run(ONE_AND_THREE, 3, 1, out))
    lines = out.read_text().splitlines(keepends=True)
    out.write_text("".join(line for line in lines if json.loads(line).get("game") != 1))
    assert [[r.game for r in b] for b in arena.run(ONE_AND_THREE, 4, 1, out)] == [[0, 2], [1], [3]]


def test_a_billion_games_are_not_listed_before_the_first() -> None:
    jobs = farm.Jobs(ONE_AND_THREE, range(10**9), False, 25)
    assert len(jobs) == 40_000_000
    assert jobs[-1].numbers == tuple(range(10**9 - 25, 10**9))
    assert [job.numbers[0] for job in jobs[:3]] == [0, 25, 50]
    assert [job.numbers for job in farm.Jobs(ONE_AND_THREE, [4, 7, 9], False, 2)] == [(4, 7), (9,)]


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("Buy milk.\n")
    with pytest.raises(LabError, match="is not a file of the arena"):
        list(arena.run(ONE_AND_THREE, 1, 1, out))
    assert out.read_text() == "Buy milk.\n"


def test_the_command_prints_a_table_or_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "--bots", "greedy,random,random", "-n", "3", "--workers", "1", "--out", str(tmp_path / "x.jsonl")]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "3 games, 3 seats (greedy, random, random), classic" in told
    assert "95% interval" in told
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 3
    assert {s["bot"] for s in found["standings"]} == {"greedy", "random"}
    for s in found["standings"]:
        assert 0 <= s["low"] <= s["win_rate"] <= s["high"] <= 1
        assert s["think_ms_p95"] <= s["think_ms_max"] + 1e-9


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--bots", "gready"], "no bot 'gready'"),
        (["-n", "0"], "at least one game"),
        (["--packs", "clasic"], "clasic"),
        (["--packs", ""], "a game needs one"),
        (["--players", "0"], "give a number of seats"),
        (["--workers", "-1"], "give a number of processes"),
        (["--players", "2"], "players"),
    ],
)
def test_a_slip_is_one_line(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "-n", "1", *words]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def listening() -> None:
    """A process in the background inherits a deaf ear to Ctrl-C, and this one may have been started from such a one."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another matter there")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_being_stopped_leaves_a_usable_file(tmp_path: Path, how: signal.Signals) -> None:
    out = tmp_path / "night.jsonl"
    words = ["arena", "--bots", "greedy", "-n", "100000", "--workers", "2", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "kickdoor", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listening,
    )
    deadline = time.monotonic() + 300  # a bound for the slowest machine, not a measure
    while process.poll() is None and not (out.exists() and out.read_text().count("\n") > 3):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(how)
    told, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "go on with the same command" in err
    assert "95% interval" in told
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    games = [x["game"] for x in lines if "game" in x]
    assert games == list(range(len(games)))
    assert arena.Log(out, GREEDY).results.keys() == set(games)
