"""Any position of a game as a scenario that loads to the same game."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from drilling import daily
from kickdoor.app.cli import main
from kickdoor.cards.reading import documents
from kickdoor.engine.kernel import apply
from kickdoor.engine.setup import new_game
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.lab import mixes
from kickdoor.lab.random_play import choose
from kickdoor.scenario.runner import Outcome, Play, run_text
from kickdoor.scenario.writing import Unsayable, is_quiet, write

REPLAY = Path(__file__).parent / "replays" / "classic.json"


def loaded(text: str) -> Game:
    ((data, _),) = documents(text, "written")
    play = Play(data)
    play.run()
    return play.g


def wandering(g: Game, seed: int, moves: int) -> Any:
    """A game at random: each position, and what led to it."""
    rng = random.Random(seed)
    history: list[tuple[Game, Move]] = []
    for _ in range(moves):
        if g.winners:
            return
        yield g, history
        move = choose(g, rng)
        history.append((g.clone(), move))
        apply(g, move)


@pytest.mark.parametrize("number", daily([2, 20], [2, 3, 4, 20]))
def test_every_position_comes_back(number: int) -> None:
    g, _ = mixes.start(mixes.case(number))
    seen = {"quiet": 0, "moves": 0, "frames": 0}
    for i, (at, history) in enumerate(wandering(g, number, 300)):
        if i % 13 == 0:
            text = write(at, history)
            assert loaded(text).key() == at.key()
            seen["quiet" if is_quiet(at) else "moves"] += 1
        if i % 17 == 0 and not is_quiet(at):  # nobody knows how it came to this
            assert loaded(write(at)).key() == at.key()
            seen["frames"] += 1
    assert all(seen.values()), seen


def test_what_is_written_can_be_played_on() -> None:
    """The generator goes along, so that the game goes on as it would have."""
    g = new_game(["Ann", "Bob", "Cid"], packs=("classic",), seed=5)
    *_, (g, history) = wandering(g, 5, 120)
    then = loaded(write(g, history))
    rng, again = random.Random(1), random.Random(1)
    for _ in range(60):
        apply(g, choose(g, rng))
        apply(then, choose(then, again))
    assert g.key() == then.key()


def test_players_of_one_name_cannot_be_told_apart() -> None:
    with pytest.raises(Unsayable, match="the same name"):
        write(new_game(["Ann", "ann", "Cid"], packs=("classic",), seed=5))


# -- the command ------------------------------------------------------------------------------------------------


def test_a_replay_after_so_many_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", "--from", f"{REPLAY}@83"]) == 0
    (outcome,) = run_text(capsys.readouterr().out)
    assert outcome.passed
    assert outcome.scenario == "classic.json after 83 moves"
    assert main(["scenario", "--from", f"{REPLAY}@83", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["move"] == 83
    assert told["scenario"]["packs"] == ["classic"]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (f"{REPLAY}@99999", "there is no position after 99999"),
        (f"{REPLAY}@last", "after the @ comes the number of a move, not 'last'"),
        (f"{REPLAY.parent}/none.json", "cannot be read"),
        (__file__, "is neither a saved game nor a replay"),
    ],
    ids=["too far", "no number", "no file", "no game"],
)
def test_what_is_no_position(source: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", "--from", source]) == 2
    err = capsys.readouterr().err
    assert why in err
    assert len(err.splitlines()) == 1


def test_a_damaged_replay_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(REPLAY.read_text(encoding="utf-8"))
    made = next(e for e in data["steps"] if e["what"]["moves"][0][0] == 1)  # somebody kicks: not twice
    made["what"]["moves"].append([1, -1, -1, -1])
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(data), encoding="utf-8")
    assert main(["scenario", "--from", str(bad)]) == 2
    assert ": kick) cannot have happened" in capsys.readouterr().err
    bad.write_text(json.dumps({**data, "seed": "soup"}), encoding="utf-8")
    assert main(["scenario", "--from", str(bad)]) == 2
    assert "damaged" in capsys.readouterr().err


def test_the_moves_of_a_replay(capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", str(REPLAY), "--moves", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["moves"][0].split(": ")[0] in ("Ann", "Bob", "Cid", "Dee")
    assert any(m.endswith(": kick") for m in told["moves"])


# -- the language -----------------------------------------------------------------------------------------------

TABLE = """
scenario: x
table:
  players: {Ann: {hand: [Enraged]}, Bob: {}}
  doors: [Harpies]
"""


def run(more: str) -> Outcome:
    (outcome,) = run_text(TABLE + more)
    return outcome


def test_moves_as_they_were_made() -> None:
    assert run("steps:\n- moves: ['Ann: kick', 'Bob: pass']\n- expect: {fight.monsters: [Harpies]}\n").passed
    assert "no move begins like 'kik'" in run("steps:\n- moves: ['Ann: kik']\n").because
    assert run("steps:\n- moves: ['Bob: kick']\n").because.startswith("refused: ")


@pytest.mark.parametrize(
    ("memory", "why"),
    [
        ("{turnips: 3}", "unknown key 'turnips'"),
        ("{equipped: [Soup]}", "no card of this game is called 'Soup'"),
        ("{flags: [hungry]}", "unknown 'hungry'"),
        ("{stack: [{type: Nap}]}", "each has a type"),
        ("{turn: Zoe}", "nobody here is called 'Zoe'"),
        ("{box: [Enraged]}", "there is no such position"),
        ("{turns: often}", "there is no such position"),
        ("7", "must be a mapping"),
    ],
)
def test_a_memory_that_makes_no_sense(memory: str, why: str) -> None:
    outcome = run(f"  memory: {memory}\n")
    assert outcome.broken
    assert why in outcome.because
