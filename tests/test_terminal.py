"""The table in a terminal: setting up, deciding, asking why, leaving and going on."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drilling import daily
from kickdoor.app import saves, sitting
from kickdoor.app.cli import main
from kickdoor.app.terminal import game_console
from kickdoor.cards.reading import documents
from kickdoor.engine.kernel import legal
from kickdoor.engine.setup import new_game
from kickdoor.scenario.setting import set_table
from kickdoor.voice import words
from kickdoor.voice.telling import tell

Feed = Callable[..., None]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("KICKDOOR_DEBUG", "1")


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Feed:
    """Lines that a person types; then the input ends."""

    def give(*lines: str) -> None:
        it: Iterator[str] = iter(lines)

        def read(prompt: str = "") -> str:
            try:
                return next(it)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)

    return give


def new(*extra: str) -> list[str]:
    return ["play", "--terminal", "--seed", "11", "--name", "Ada", "--sex", "female", *extra]


def test_alone_it_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "kickdoor play" in out
    assert "kickdoor resume" in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as e:
        main(["--version"])
    assert e.value.code == 0
    assert capsys.readouterr().out.startswith("kickdoor ")


def test_first_screen(feed: Feed, capsys: pytest.CaptureFixture[str]) -> None:
    feed()
    assert main(new()) == 0
    out = capsys.readouterr().out
    for words_ in ("Ada (you)", "Suzan", "Doors", "Your hand", "?1", "Your move, 1 to", "kickdoor resume"):
        assert words_ in out
    assert "\x1b" not in out  # no colours where nobody sees them


@pytest.mark.parametrize("width", [60, 80, 140])
def test_nothing_is_wider_than_the_terminal(
    feed: Feed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    feed(*[""] * 25, "more", "log", "help", "hand", "table", "card dwarf", "rule combat-19")
    assert main(new()) == 0
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= width


def test_bad_input_says_what_would_be_right(feed: Feed, capsys: pytest.CaptureFixture[str]) -> None:
    feed("99", "dance", "?77", "why xyzzy", "rule COMBAT-999", "card nosuch", "rule", "skip")
    assert main(new()) == 0
    out = capsys.readouterr().out
    assert "There is no move 99. Type a number from 1 to" in out
    assert "I do not know 'dance'" in out
    assert "?1 asks about the first" in out
    assert "No card 'xyzzy'" in out
    assert "the nearest: COMBAT-" in out
    assert "No card 'nosuch'" in out


def test_why_not_names_the_rule(feed: Feed, capsys: pytest.CaptureFixture[str]) -> None:
    feed("why dragon", "?4")
    assert main(new()) == 0
    out = capsys.readouterr().out
    assert "Plutonium Dragon: " in out
    assert "Super Munchkin: You need a Class" in out
    assert "COMBO-5" in out


def test_a_hint_is_a_move_and_why_and_characters_have_their_names(
    feed: Feed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitting, "KINDS", ("schemer",))  # who thinks for long would say as much
    feed("hint")
    assert main(new("--bots", "schemer:miser,schemer:avenger,easy")) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "I would: " in out
    assert "Penny" in out
    assert "Greta" in out


def test_rule_and_card_pages(feed: Feed, capsys: pytest.CaptureFixture[str]) -> None:
    feed("rule COMBAT-19", "card bullrog", "rule selling in a fight")
    assert main(new()) == 0
    out = capsys.readouterr().out
    assert "COMBAT-19" in out
    assert "Bullrog" in out
    assert "Horns first" in out


def test_quit_saves_and_resume_goes_on_exactly_there(feed: Feed, tmp_path: Path) -> None:
    """One sitting, or two: the same game."""
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    feed(*[""] * 30)
    main(new("--save", str(whole)))
    feed(*[""] * 11, "quit")
    assert main(new("--save", str(parts))) == 0
    feed(*[""] * 19)
    assert main(["resume", str(parts)]) == 0
    a, b = saves.read(whole), saves.read(parts)
    assert a[1].key() == b[1].key()
    assert (a[0].count, a[0].recent, a[0].log) == (b[0].count, b[0].recent, b[0].log)
    assert a[0].ledger == b[0].ledger


def test_a_saved_game_as_a_scenario(feed: Feed, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.json"
    for moves in (3, 9, 17):
        feed(*[""] * moves, "quit")
        assert main(new("--save", str(path))) == 0
        capsys.readouterr()
        assert main(["scenario", "--from", str(path)]) == 0
        ((data, _),) = documents(capsys.readouterr().out, "written")
        assert set_table(data, tmp_path)[0].key() == saves.read(path)[1].key()
    assert main(["scenario", "--from", f"{path}@3"]) == 2
    assert "it holds one position, and none of its moves" in capsys.readouterr().err
    path.write_bytes(path.read_bytes().replace(b'"level"', b'"lvl"', 1)[:-9])
    assert main(["scenario", "--from", str(path)]) == 2


def test_ctrl_c_saves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def read(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    assert main(new()) == 130
    assert "Saved. Go on with: kickdoor resume" in capsys.readouterr().out
    assert saves.default_path().is_file()


def test_a_killed_process_loses_nothing(monkeypatch: pytest.MonkeyPatch, feed: Feed) -> None:
    """The file on disk is always the table that is being looked at."""
    seen: list[bytes] = []
    real = sitting.Session._show

    def spy(self: sitting.Session, must: bool, full: bool = False) -> None:
        seen.append(saves.read(self.path)[1].key())
        assert seen[-1] == self.game.key()
        real(self, must, full)

    monkeypatch.setattr(sitting.Session, "_show", spy)
    feed(*[""] * 10)
    main(new())
    assert len(seen) > 5


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other", "text"])
def test_a_damaged_save_is_one_line(
    feed: Feed, capsys: pytest.CaptureFixture[str], tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "game.json"
    feed("")
    main(new("--save", str(path)))
    data = path.read_bytes()
    bad = {
        "cut": data[: len(data) // 2],
        "flip": data.replace(b'"rng":"', b'"rng":"1', 1).replace(b'\\"rng\\":\\"', b'\\"rng\\":\\"1', 1),
        "empty": b"",
        "other": b'{"kickdoor": 1}',
        "text": "Grüße".encode("latin-1"),
    }[damage]
    assert bad != data
    path.write_bytes(bad)
    capsys.readouterr()
    assert main(["resume", str(path)]) == 2
    got = capsys.readouterr()
    assert got.out == ""
    assert len(got.err.strip().splitlines()) == 1
    assert path.read_bytes() == bad


def test_no_saved_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume"]) == 2
    assert "no saved game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--packs", "clasic"], "did you mean 'classic'"),
        (["--edition", "magical_mes"], "did you mean 'magical_mess'"),
        (["--bots", "sensibel,random"], "did you mean 'sensible'"),
        (["--players", "12"], "SETUP-1"),
        (["--players", "5", "--bots", "random,random"], "do not fit"),
        (["--without", "Bulrog"], "Bullrog"),
    ],
)
def test_mistakes_on_the_command_line(args: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(new(*args)) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("extra", [["--faster"], ["--epic"], ["--shared-victory"], ["--players", "6"]])
def test_variants_can_be_played(feed: Feed, extra: list[str]) -> None:
    feed(*[""] * 15)
    assert main(new(*extra)) == 0


@pytest.mark.parametrize("seed", range(daily(2, 4)))
def test_a_careless_person_breaks_nothing(
    seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole evening of random typing: no move is refused, nothing is left unsaid, the save stays readable."""
    chance = random.Random(seed)
    said = ["", "", "more", "?1", "log 5", "hand", "skip", "why", "card 1"]
    left = [600]

    def read(prompt: str = "") -> str:
        left[0] -= 1
        if left[0] < 0:
            raise EOFError
        return chance.choice(said) if chance.random() < 0.4 else str(chance.randint(1, 9))

    monkeypatch.setattr("builtins.input", read)
    assert main(["play", "--terminal", "--seed", str(seed), "--name", "Zed", "--packs", "classic,unnatural_axe"]) == 0
    out = capsys.readouterr().out
    assert "Traceback" not in out
    assert "{" not in out
    saves.read(saves.default_path())


def test_every_move_has_words() -> None:
    """Along a game: each legal move is said in words of its own, none in the engine's."""
    from kickdoor.bots import Choice, Table, make, play_out

    names = {"Ann", "Bob", "Cid", "Dot"}

    def watch(table: Table, choice: Choice) -> None:
        g = table.game
        for s in range(4):
            moves = legal(g, s)
            entries = words.menu(g, moves, s)
            assert sum(len(e.moves) for e in entries) == len(moves)
            for m in moves:
                text = words.say(g, m, s)
                assert text
                assert "_" not in text
            if moves:
                assert words.headline(g, s, True)

    g = new_game(sorted(names), seed=2)
    play_out(g, [make(k, 3) for k in ("sensible", "random", "random", "sensible")], 2_000_000, watch)


def test_nobody_is_told_what_was_drawn_in_secret() -> None:
    g = new_game(["Ann", "Bob", "Cid"], seed=4)
    mine = {g.lib.defs[c].name for c in g.players[0].hand}
    theirs = {g.lib.defs[c].name for c in (*g.players[1].hand, *g.players[2].hand)} - mine
    told = " ".join(line.text for line in tell(g, g.events or [], 0))
    assert all(name in told for name in mine)
    assert not any(name in told for name in theirs if len(name) > 6)


def test_colours_only_where_somebody_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    seen = Tty()
    game_console(seen).print("hello", style="bold red")
    assert "\x1b[" in seen.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Tty()
    game_console(plain).print("hello", style="bold red")
    assert "\x1b[" not in plain.getvalue()
