"""Files from strangers: bombs are refused with file and line before they go off, big honest ones still work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kickdoor.app import saves
from kickdoor.app.cli import main
from kickdoor.cards import packs, reading
from kickdoor.cards.linting import TOLD, Check, Engine
from kickdoor.cards.reading import ReadingError, documents
from kickdoor.engine.facts.questions import ASKED
from kickdoor.engine.saving import SaveError, from_json, from_msgpack
from kickdoor.paper import files
from kickdoor.paper.files import check_depth, decoded, read_bytes, write_folder, written
from kickdoor.scenario.runner import run_file
from kickdoor.server import replays
from kickdoor.server.trouble import Trouble

REPLAYS = Path(__file__).parent / "replays"
ALIASES = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
)
DEEPER = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [[[[[*a{i - 1}]]]]]\n" for i in range(1, 100))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("[" * 100_000, 1, "nested more than"),
        ("{a: " * 100_000, 1, "nested more than"),
        ("- " * 50_000, 1, "nested more than"),
        ("\n".join(" " * i + "a:" for i in range(500)), reading.DEPTH + 1, "nested more than"),
        (ALIASES, 5, "values, with what aliases repeat"),
        (DEEPER, 9, "nested more than"),
        ("a: &a x\nb: [" + "*a, " * 2000 + "]", 2, "aliases"),
        ("a: 1\nb: &b [1, *b]", 2, "inside itself"),
        ("&a {b: *a}", 1, "inside itself"),
        ("a: *b", 1, "nothing before it is called &b"),
        ("a:\n - 1\n - .inf", 3, "no number"),
        ("a: -.INF", 1, "no number"),
        ("a: .nan", 1, "no number"),
        ("a: 1e999", 1, "no number"),
        ("a: !!int abc", 1, "no int"),
        ("a: !!float abc", 1, "no float"),
        ("a: !!python/object/apply:os.system [ls]", 1, "means nothing here"),
        ("a: !mine x", 1, "means nothing here"),
        ("a: 1\na: 2", 2, "written twice"),
        ("? [a]\n: 1", 1, "plain word"),
        ("a:\n\tb: 1", 2, "not valid YAML"),
        ("a: 1\nb: x\0y", 2, "U+0000"),
        ('a: 1\nb: "\\x1b[31m"', 2, "U+001B"),
        ('a: "\\u009b31m"', 1, "U+009B"),
        ('a: "\\u202egnp"', 1, "U+202E"),
        ("a: " + "9" * 5000, 1, "digits"),
        ("a: " + "x" * 20_000, 1, "letters"),
        ("x" * 2000 + ": 1", 1, ""),
        ("---\na\n" * 3000, 2 * reading.DOCUMENTS + 1, "documents"),
    ],
)
def test_a_bomb_is_told_with_its_line(text: str, line: int, says: str) -> None:
    with pytest.raises(ReadingError, match=rf"^bomb:{line}: ") as e:
        list(documents(text, "bomb"))
    assert says in str(e.value)
    assert len(str(e.value)) < 300


def test_aliases_within_bounds_still_work() -> None:
    [(data, lines)] = documents("a: &x {n: 1}\nb: [*x, *x]\nc: &x 7\nd: *x", "f")
    assert data == {"a": {"n": 1}, "b": [{"n": 1}, {"n": 1}], "c": 7, "d": 7}
    assert data["b"][0] is not data["b"][1]
    assert lines[("b", 1)] == 2


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a\nb\xff\n", "f:2: is not UTF-8"),
        ("x".encode("utf-16"), "UTF-16"),
        (b"\xe9", "f:1: is not UTF-8"),
    ],
)
def test_other_encodings_are_told(data: bytes, says: str) -> None:
    with pytest.raises(ReadingError, match=says):
        decoded(data, "f")
    assert decoded(b"\xef\xbb\xbfscenario: x", "f") == "scenario: x"


def test_only_plain_files_are_read(tmp_path: Path) -> None:
    """Neither a pipe nor a device is waited for, and nothing is read to an end that it does not have."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "big").write_bytes(b"x" * 101)
    for name, says in [
        ("pipe", "a pipe"),
        ("link", "a device"),
        ("loop", "cannot be read"),
        (".", "a folder"),
        ("big", "too big"),
        ("nobody", "no such file"),
        ("a\0b", "cannot be the name"),
        ("x" * 400, "cannot be read"),
    ]:
        with pytest.raises(ReadingError, match=says):
            read_bytes(tmp_path / name, 100)
    assert len(read_bytes(tmp_path / "big", 101)) == 101


# -- packs --------------------------------------------------------------------------------------------------------

CARD = "- {name: Cat %d, kind: monster, level: 1, treasures: 1, text: It purrs., bad_stuff: []}\n"


def pack(folder: Path, cards: str, head: str = "id: cats\ntitle: Cats\n") -> Path:
    folder.mkdir()
    (folder / "pack.yaml").write_text(head)
    (folder / "cards.yaml").write_text("cards:\n" + cards)
    return folder


def build(names: tuple[str, ...]) -> None:
    packs.build(names, ASKED)


def checked(folder: Path) -> Check:
    check = Check(folder, Engine(ASKED, lambda _: "", build))
    check.run()
    return check


@pytest.mark.parametrize(
    ("cards", "line", "says"),
    [
        (CARD.replace("[]", "[" + "{lose_level: 1}, " * 2_000 + "]") % 1, 2, "card 'Cat 1': a card has at most 1,000"),
        ("- {name: x}\n" * 6000, 5002, "at most 5,000 different cards"),
        (CARD.replace("level: 1", "copies: 501") % 1, 2, "copies: is at most 500"),
        (CARD.replace("level: 1", "level: 99999999999") % 1, 2, "a number on a card is at most 1,000,000"),
        (CARD.replace("[]", "[{lose_level: 1000001*roll}]") % 1, 2, "a number on a card is at most 1,000,000"),
        (CARD.replace("[]", f"[{{lose_level: {'9' * 5000}*roll}}]") % 1, 2, "a number on a card is at most 1,000,000"),
        (CARD.replace("Cat %d", '"A cat\\nok"'), 2, "a name is one line"),
        (CARD.replace("Cat %d", '"Cat\\u200b"'), 2, "a name is one line"),
        (CARD.replace("Cat %d", "Cat " * 100), 2, "a name"),
    ],
)
def test_too_much_in_a_pack(tmp_path: Path, cards: str, line: int, says: str) -> None:
    folder = pack(tmp_path / "cats", cards)
    errors = [p for p in checked(folder).problems if p.level == "error"]
    assert len(errors) == 1
    assert errors[0].line == line
    assert says in f"card {errors[0].card!r}: {errors[0].field}: {errors[0].says}" or says in errors[0].says
    with pytest.raises(ReadingError, match=rf"cards.yaml:{line}: "):
        packs.read_pack(folder)


def test_a_big_pack_is_checked(tmp_path: Path) -> None:
    check = checked(pack(tmp_path / "cats", "".join(CARD % i for i in range(600))))
    assert not check.levels["error"]
    assert check.different() == 600


def test_the_same_mistake_a_thousand_times_is_told_a_hundred_times(tmp_path: Path) -> None:
    wrong = CARD.replace("text:", "txet:")
    check = checked(pack(tmp_path / "cats", "".join(wrong % i for i in range(1000))))
    assert len(check.problems) == TOLD
    words = CARD.replace("text:", "modifiers: [{strength: 1, against: elvoid}], text:")
    check = checked(pack(tmp_path / "more", "".join(words % i for i in range(300))))
    assert len(check.problems) == TOLD


def test_a_game_has_only_so_many_cards() -> None:
    with pytest.raises(packs.PackError, match="more than a table holds"):
        packs.build(("classic",), ASKED, copies={"Crabs": 5_000_000})
    with pytest.raises(packs.PackError, match="at least one copy"):
        packs.build(("classic",), ASKED, copies={"Crabs": 5_000_000, "Potted Plant": -5_000_000})


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("fixtures: [{name: Cat, kind: monster, copies: 999999}]", "more than a table holds"),
        ("fixtures: [{name: Cat, kind: monster, copies: 999999999}]", "a number on a card is at most 1,000,000"),
        (f"fixtures: [{{name: Cat, kind: monster, level: {'9' * 30}}}]", "a number on a card is at most 1,000,000"),
        ("fixtures: [{name: Cat, kind: monster, bad_stuff: [{lose_level: 9999999*roll}]}]", "is at most 1,000,000"),
        ("dice: []}\ncopies: {Potted Plant: 0", "at least one copy"),
    ],
)
def test_cards_of_a_scenario_have_the_bounds_of_a_pack(tmp_path: Path, table: str, says: str) -> None:
    path = tmp_path / "cats.yaml"
    path.write_text(f"scenario: cats\ntable: {{players: {{Aric: {{}}, Bob: {{}}, Suzan: {{}}}}, {table}}}\nsteps: []\n")
    (told,) = run_file(path)
    assert told.broken
    assert says in told.because


def test_a_scenario_has_only_so_many_players(tmp_path: Path) -> None:
    path = tmp_path / "crowd.yaml"
    players = ", ".join(f"P{i}: {{}}" for i in range(13))
    path.write_text(f"scenario: crowd\ntable: {{players: {{{players}}}}}\nsteps: []\n")
    (told,) = run_file(path)
    assert told.broken
    assert "at most 12 sit" in told.because


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a file that is read as it comes")
def test_a_file_that_has_nothing_to_say_now_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As some in /proc, which are plain files by their looks, and are never waited for."""
    monkeypatch.setattr(files, "must_be_plain", lambda *_: None)
    os.mkfifo(path := tmp_path / "kmsg")
    waits = os.open(path, os.O_RDWR)
    with pytest.raises(ReadingError, match="nothing in it"):
        read_bytes(path, 100)
    os.close(waits)


def test_a_head_that_is_too_much(tmp_path: Path) -> None:
    head = "id: cats\ntitle: Cats\nneeds: [" + ", ".join(f"p{i}" for i in range(500)) + "]\n"
    check = checked(pack(tmp_path / "cats", CARD % 1, head))
    assert "needs at most" in check.problems[0].says
    head = 'id: cats\ntitle: "Cats\\n\\nok"\n'
    assert "one line" in checked(pack(tmp_path / "two", CARD % 1, head)).problems[0].says


# -- saves and replays --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000, b'[{"a":"\\"[[["},' * 3 + b"[" * 70])
def test_nested_json_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(data)
    with pytest.raises(ReadingError, match=r"f:1: nested more than"):
        check_depth(data, "f")
    with pytest.raises(SaveError, match="nested more than"):
        saves.read(path)
    with pytest.raises(Trouble, match="nested more than"):
        replays.read(data)
    with pytest.raises(SaveError):
        from_json(data)
    with pytest.raises(SaveError):
        from_msgpack(b"\x91" * 100_000)


def test_brackets_in_strings_do_not_count() -> None:
    check_depth(json.dumps(["[" * 1000, '\\"[[[' * 100]).encode())
    check_depth(b'"' + b'\\"' * 100_000)  # a string without an end is looked at once


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"players": ["x"] * 50, "sexes": ["male"] * 50, "bots": [""] * 50}, "do not fit"),
        ({"players": ["\x1b[31mAnn", "Bob", "Cid"]}, "nobody is called"),
        ({"players": ["Ann\nok", "Bob", "Cid"]}, "nobody is called"),
        ({"players": ["Ann\u202e", "Bob", "Cid"]}, "nobody is called"),
        ({"name": "\x1b]0;mine\x07"}, "nobody is called"),
        ({"steps": [{"what": {"e": "undone", "seat": 0}}] * 100_001}, "steps"),
        ({"steps": [{"what": {"e": "made", "seat": 0, "moves": [[0, 0, 0, 0]] * 1001}}]}, "at once"),
        ({"seed": "9" * 5000}, "digits"),
    ],
)
def test_an_unlikely_replay_is_refused(change: dict[str, object], says: str) -> None:
    record = json.loads((REPLAYS / "classic.json").read_bytes())
    many = len(record["players"])
    if "players" in change and len(change["players"]) == 3:  # type: ignore[arg-type]
        change = {"players": [*change["players"], *record["players"]][:1] + record["players"][1:many]}  # type: ignore[misc]
    with pytest.raises(Trouble, match=says) as e:
        replays.read(json.dumps(record | change).encode())
    assert "\x1b" not in str(e.value)


def test_an_impossible_deal_is_told() -> None:
    record = json.loads((REPLAYS / "classic.json").read_bytes())
    record["rules"] = {}
    checks = replays.verify(json.dumps(record | {"sexes": ["?"] * len(record["players"])}).encode())
    assert not checks[-1][0]


# -- all of it at once, in a process with little memory ------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a limit of memory")
def test_bombs_take_neither_memory_nor_time(tmp_path: Path) -> None:
    """One process with 700 MB in all, and 40 seconds of its processor, reads every sort of bomb."""
    texts = {"nest": "[" * 100_000, "alias": ALIASES, "deeper": DEEPER, "docs": "---\nscenario: x\n" * 100_000}
    texts["flat"] = "steps: [" + "1," * 900_000 + "]"
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text)
        pack(tmp_path / name, text)
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    (tmp_path / "huge.json").write_bytes(b"[" * files.REPLAY_BYTES)
    pack(tmp_path / "many", "".join(CARD % i for i in range(20_000)))
    script = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (40, 40))\n"
        "from kickdoor.app.cli import main\n"
        "wrong = [words for words in map(str.split, sys.stdin) if main(words) != 2]\n"
        "sys.exit(repr(wrong) if wrong else 0)\n"
    )
    words = [f"scenario {tmp_path / name}.yaml" for name in (*texts, "zero")]
    words += [f"pack check {tmp_path / name}" for name in (*texts, "many")]
    words += [f"{command} {tmp_path / 'huge.json'}" for command in ("verify", "resume", "scenario --from")]
    done = subprocess.run(
        [sys.executable, "-c", script], input="\n".join(words), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    assert "a bug" not in done.stderr


# -- writing ------------------------------------------------------------------------------------------------------


def test_what_is_not_wholly_written_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_text("old")

    def break_off() -> None:
        with written(path) as f:
            f.write(b"half")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        break_off()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page"]
    (tmp_path / "b").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_folder(tmp_path / "c", {"a": "1", "../b": "2"})
    assert sorted(os.listdir(tmp_path)) == ["b", "page"]


def test_a_scenario_of_endless_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("scenario: long\nsteps:\n" + "- {expect: {turn: 0}}\n" * 3000)
    began = time.process_time()
    assert main(["scenario", str(path)]) == 2
    assert time.process_time() - began < 20
    assert "at most 2,000" in capsys.readouterr().out
