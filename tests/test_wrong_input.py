"""Every command with wrong input of every kind: one line that says what is wrong, a status, and nothing left behind."""

from __future__ import annotations

import asyncio
import builtins
import io
import os
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from rich.panel import Panel
from rich.text import Text

from kickdoor.app import serving, terminal
from kickdoor.app.cli import main, parser
from kickdoor.lab import arena
from kickdoor.paper import plain
from kickdoor.paper.files import write_bytes
from kickdoor.server.addresses import is_database
from kickdoor.server.chairs import fit_name
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.journals import open_journal
from kickdoor.server.trouble import Trouble

APP = Path(__file__).resolve().parent.parent / "src" / "kickdoor" / "app"
EVIL = "\x1b[31mred\x1b]0;title\x07 \x9b2J\u202egnp\u200b\u2028\r\b"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one of each, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    (tmp_path / "file").write_text("just words\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nest").write_text("[" * 100_000)
    (tmp_path / "bytes").write_bytes(b"\x00\xff\xfe" * 10)
    (tmp_path / "inf.yaml").write_text("scenario: x\nsteps: .inf\n")
    (tmp_path / "self.yaml").write_text("scenario: x\nsteps: &s [*s]\n")
    for name, head, cards in (
        ("circle", "id: circle\ntitle: T\nneeds: &n [*n]\n", ""),
        ("inf", "id: inf\ntitle: T\n", "cards: [.inf]\n"),
        ("word", "id: word\ntitle: T\n", "cards:\n- {name: !!int abc}\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.yaml").write_text(head)
        (tmp_path / name / "cards.yaml").write_text(cards)
    for name, thing in (("piped", "pipe"), ("endless", "zero"), ("round", "loop"), ("worded", "file")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "journal.sqlite").symlink_to(tmp_path / thing)
    (tmp_path / "roomy" / "journal.sqlite").mkdir(parents=True)
    (tmp_path / "stuck").mkdir()
    os.mkfifo(tmp_path / "stuck" / "pack.yaml")
    return tmp_path


READERS = (["scenario"], ["verify"], ["resume"], ["scenario", "--from"], ["report"], ["pack", "check"])
READ = ("nobody", "file", "folder", "pipe", "zero", "loop", "nest", "bytes", "x" * 5000, EVIL, "\udcff")
PACKS = ("nobody", "file", "folder", "pipe", "circle", "inf", "word", "stuck", "x" * 5000, EVIL)
WRITERS = (
    ["simulate", "-n", "1", "--workers", "1", "--out"],
    ["arena", "-n", "1", "--workers", "1", "--out"],
    ["pack", "new", "--id", "mine"],
    ["play", "--terminal", "--seed", "1", "--save"],
)
JOURNALS = ("piped", "endless", "round", "worded", "roomy")  # folders in which something else is in its place
UNWRITABLE = ("file/x", "/dev/full", "/proc/x", "pipe", "x" * 5000)
NUMBERS = ("0", "-1", "x", "1e9", "9" * 5000)
WORDS: list[list[str]] = [
    *([*command, word] for command in READERS for word in READ),
    *(["scenario", word] for word in ("inf.yaml", "self.yaml")),
    *(["pack", "check", word] for word in PACKS),
    *(["cards", "--pack", word] for word in PACKS),
    *(["play", "--terminal", "--packs", f"classic,{word}"] for word in PACKS),
    *([*command, word] for command in WRITERS for word in UNWRITABLE),
    *(["play", "--terminal", "--players", n] for n in NUMBERS),
    *(["simulate", "--out", "run", "-n", n] for n in NUMBERS if n != "1e9"),
    *(["arena", "--workers", "-1", "-n", n] for n in NUMBERS),
    *(["play", "--terminal", "--copies", f"Crabs={n}"] for n in ("0", "x", "9" * 12)),
    *([command, "--port", n] for command in ("serve", "play") for n in ("99999", "-1", "x", "", "9" * 5000)),
    *(["serve", "--port", "0", "--host", h] for h in ("999.1.1.1", "192.0.2.1", "a" * 300, EVIL)),
    *(["serve", "--port", "0", "--data", d] for d in ("file", "file/x", "/proc/x", "/dev/null", "x" * 5000)),
    *(["serve", "--port", "0", "--data", d] for d in JOURNALS),
    *(["journal", "check", d] for d in (*JOURNALS, "pipe", "zero", "file")),
    *(["journal", "import", "file", "--into", d] for d in JOURNALS),
    *(["journal", "export", "--out", "x", d] for d in JOURNALS),
    ["serve", "--port", "0", "--archive", "file"],
    ["serve", "--port", "0", "--archive", "file/archive"],
    *(["serve", "--port", "0", "--database", d] for d in ("mysql://x", "postgresql://127.0.0.1:1/x", "/dev/zero")),
    ["play", "--terminal", "--bots", EVIL],
    ["play", "--terminal", "--without", EVIL],
    ["play", "--terminal", "--edition", EVIL],
    ["rules", EVIL],
    ["rules", "search"],
    ["cards", "x" * 5000],
    ["sets", EVIL],
    [EVIL],
    ["play", f"--{EVIL}"],
]


def run(words: list[str]) -> object:
    """The status of a command."""
    try:
        return main(words)
    except SystemExit as e:  # the parser's own
        return e.code


def harmless(text: str) -> bool:
    return all(c in "\n\t" or plain.is_seen(c) for c in text)


@pytest.fixture
def nobody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that got so far would wait for people; it closes instead."""

    async def serve(self: uvicorn.Server, sockets: Any = None) -> None:
        self.started = True

    monkeypatch.setattr(uvicorn.Server, "serve", serve)


@pytest.mark.usefixtures("nobody_comes")
def test_what_is_wrong_is_one_line_and_a_status(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(os.listdir(place))
    wrong = []
    for words in WORDS:
        began = time.process_time()
        status = run(words)
        out, err = capsys.readouterr()
        told = err or out
        last = told.rstrip("\n").rpartition("\n")[2]
        good = status in (1, 2) and last and "a bug" not in told and "Traceback" not in told
        if not good or not harmless(out + err) or len(last) > 1500 or time.process_time() - began > 20:
            wrong.append((status, [w[:60] for w in words], told[-300:]))
    assert not wrong, "\n".join(map(str, wrong))
    assert sorted(set(os.listdir(place)) - {"data"}) == before


def test_what_is_wrong_has_its_place(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, says in [
        (["pack", "check", "circle"], "circle/pack.yaml:3: error: *n stands inside itself"),
        (["pack", "check", "inf"], "inf/cards.yaml:1: error: '.inf' is no number"),
        (["pack", "check", "word"], "word/cards.yaml:2: error: 'abc' is no int"),
        (["scenario", "inf.yaml"], "inf.yaml:2: '.inf' is no number"),
        (["scenario", "self.yaml"], "self.yaml:2: *s stands inside itself"),
        (["scenario", "nest"], "nest:1: nested more than 40 deep"),
        (["scenario", "--from", "nest"], "nest:1: nested more than 64 deep"),
        (["serve", "--port", "99999"], "a number from 0 (any free) to 65535"),
        (["serve", "--port", "0", "--public-url", "javascript:alert(1)"], "is no address such as https://"),
        (["serve", "--port", "0", "--public-url", "play.example.org"], "is no address such as https://"),
        (["serve", "--port", "0", "--origin", "http://a b"], "is no address such as https://"),
        (["serve", "--port", "0", "--data", "file"], "file/journal.sqlite cannot be used as a journal"),
        (["serve", "--port", "0", "--host", "192.0.2.1"], "Is that an address here?"),
    ]:
        assert run(words) == 2
        assert says in "".join(capsys.readouterr())


def test_a_port_that_is_taken(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    err = capsys.readouterr().err
    assert "in use" in err
    assert "Choose another with --port" in err


def test_a_lock_that_is_no_file_is_not_waited_for(place: Path) -> None:
    """It is opened as whatever it is: a pipe that nobody reads would keep a server from opening for ever."""
    os.mkfifo(place / "folder" / "journal.sqlite.lock")

    async def opened() -> None:
        journal = SqliteJournal(str(place / "folder" / "journal.sqlite"))
        await journal.open()
        await journal.close()

    opening = threading.Thread(target=lambda: asyncio.run(opened()), daemon=True)
    opening.start()
    opening.join(60)
    assert not opening.is_alive()


@pytest.mark.parametrize("how", [os.mkfifo, lambda part: os.symlink("mine", part), lambda part: part.touch()])
def test_what_lies_where_a_file_is_written_first_is_put_aside(tmp_path: Path, how: Callable[[Path], None]) -> None:
    """It may be left over from a crash; or a pipe, for which nobody waits, or a link to somebody's file."""
    (tmp_path / "mine").write_bytes(b"mine")
    how(tmp_path / "out.part")
    writing = threading.Thread(target=write_bytes, args=(tmp_path / "out", b"all of it"), daemon=True)
    writing.start()
    writing.join(60)
    assert not writing.is_alive()
    assert (tmp_path / "out").read_bytes() == b"all of it"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "out"]
    assert (tmp_path / "mine").read_bytes() == b"mine"


@pytest.mark.usefixtures("nobody_comes")
@pytest.mark.parametrize("version", [0, 2, 57])
def test_a_file_of_another_program_is_told_apart_and_stays_as_it_is(
    version: int, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place / "folder" / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("create table bookmarks (address text)")
        db.execute(f"pragma user_version = {version}")
    before = path.read_bytes()
    for words in (
        ["serve", "--port", "0", "--data", "folder"],
        ["journal", "check", "folder"],
        ["journal", "import", "file", "--into", "folder"],
    ):
        assert run(words) == 2
        told = "".join(capsys.readouterr())
        assert "it is no journal of Kickdoor, but a file of another program" in told
        assert path.read_bytes() == before


@pytest.mark.usefixtures("nobody_comes")
def test_whoever_has_no_home_is_told_what_to_name(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container, under a number that belongs to nobody."""

    def nobody(_: int) -> None:
        raise KeyError("getpwuid(): uid not found")

    for name in ("HOME", "XDG_DATA_HOME", "KICKDOOR_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    for words in (["serve", "--port", "0"], ["journal", "check"], ["resume"], ["play", "--terminal", "--seed", "1"]):
        assert run(words) == 2, words
        assert "HOME" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("host", "told"),
    [("127.0.0.1", "http://127.0.0.1:8"), ("::1", "http://[::1]:8"), ("play.example", "http://play.example:8")],
)
def test_an_address_is_told_as_a_browser_takes_it(host: str, told: str) -> None:
    assert serving.shown(host, 8) == told
    assert "//:" not in serving.shown("", 8)


def test_an_address_is_one_address_however_it_is_written() -> None:
    """Servers behind one address, and pages of another site, are known by it as browsers write it."""
    words = ["serve", "--public-url", "HTTPS://Play.Example.org:443/", "--origin", "http://Other.example:80/table"]
    args = parser()[0].parse_args([*words, "--origin", "https://third.example:8443"])
    assert args.public_url == "https://play.example.org"
    assert args.origin == ["http://other.example", "https://third.example:8443"]


def test_a_driver_that_is_not_there(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "kickdoor.server.journal_postgres", raising=False)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert main(["serve", "--port", "0", "--database", "postgresql://x/y"]) == 2
    out, err = capsys.readouterr()
    assert "pip install 'kickdoor[postgres]'" in err
    assert "open at" not in out


NEARLY = (
    "postgresql:/joe:hunter2@h/x",
    "postgresql:joe:hunter2@h/x",
    "postgresql:\\\\joe:hunter2@h/x",
    "postgres//joe:hunter2@h/x",
    "postgrse//h/x",
    "//joe:hunter2@h/x",
    "joe:hunter2@h/x",
    "joe@h/x",
    "127.0.0.1:5499/x",
    "host=127.0.0.1 port=5499",
    "dbname=x password=hunter2",
    "mysql://joe:hunter2@h/x",
    "sqlite:///x.sqlite",
    "postgresql://joe:hunt/er2@h/x",
    "postgresql://joe:hunt@er2@h/x",
    "postgresql://joe:hunt#er2@h/x",
    "postgresql://joe:hunt?er2@h/x",
    "postgresql://joe:hunter2/x",
)


@pytest.mark.usefixtures("nobody_comes")
@pytest.mark.parametrize("database", NEARLY)
def test_what_is_nearly_the_address_of_a_database_is_no_file(
    database: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else it would be one, with a password in its path, and a server that nobody finds anything in."""
    before = sorted(os.listdir(place))
    for words in (["serve", "--port", "0", "--database"], ["serve", "--port", "0", "--data"], ["journal", "check"]):
        if "--data" in words and database == "postgrse//h/x":
            continue  # a folder is called so: two slashes in a path are one
        assert run([*words, database]) == 2
        told = "".join(capsys.readouterr())
        assert "postgresql://USER:PASSWORD@HOST/DATABASE" in told
        assert not re.search("hunt|er2", told)
    assert sorted(set(os.listdir(place)) - {"data"}) == before


@pytest.mark.parametrize(
    "path",
    [
        "my.sqlite",
        "data//journal.sqlite",
        "postgres/journal.sqlite",
        "data/me@work.sqlite",
        "./12:30.sqlite",
        "../joe@home:8/x",
        "/srv/joe@home:8/x",
        "~/x.sqlite",
        "C:\\x.sqlite",
        "c:/x.sqlite",
        "C:x.sqlite",
        "\\\\here\\games\\x.sqlite",
        ":memory:",
    ],
)
def test_a_path_is_a_file(path: str) -> None:
    assert not is_database(path)
    assert isinstance(open_journal(path, "me", ""), SqliteJournal)


@pytest.mark.parametrize(
    "address",
    ["postgresql://", "postgres://joe:a%40b@h:1/x", "POSTGRESQL://h/x", "postgresql:///x?host=/run&password=a@b"],
)
def test_an_address_is_a_database(address: str) -> None:
    assert is_database(address)


@pytest.mark.parametrize(
    "typed",
    [
        ["serve", "postgresql://joe:hunter2@h/x"],
        ["serve", "--port", "postgresql://joe:hunter2@h/x"],
        ["serve", "--keep", "postgresql:/joe:hunter2@h/x"],
        ["play", "--packs", "postgresql://joe:hunter2@h/x"],
        ["verify", "postgresql:/joe:hunter2@h/x"],
        ["journal", "export", "postgresql://h/x?password=hunter2"],
        ["postgres//joe:hunter2@h/x"],
    ],
)
def test_a_password_that_is_typed_in_the_wrong_place_is_not_repeated(
    typed: list[str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(typed) == 2
    told = "".join(capsys.readouterr())
    assert told
    assert "hunter2" not in told


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "Permission denied")])
def test_a_disk_that_does_not_take_it(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def fsync(fd: int) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fsync)
    assert main(["play", "--terminal", "--seed", "1", "--save", "mine.json"]) == 2
    assert "cannot save the game to mine.json" in capsys.readouterr().err
    assert main(["pack", "new", "cats"]) == 2
    assert "choose another place" in capsys.readouterr().err
    assert not list(place.glob("mine.json*"))
    assert not (place / "cats").exists()


@pytest.mark.parametrize(
    ("error", "says"), [(MemoryError(), "memory"), (RecursionError(), "deeply"), (OSError(5), "5")]
)
def test_what_the_machine_lacks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    def breaks(*_: object) -> None:
        raise error

    monkeypatch.setattr("kickdoor.app.rules_command._contents", breaks)
    monkeypatch.setattr("kickdoor.app.cli._mute", lambda: None)
    assert main(["rules"]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert "a bug" not in err


# -- only text comes out ------------------------------------------------------------------------------------------


def test_nothing_is_printed_past_the_one_door() -> None:
    """`print`, consoles and streams are used in one module only."""
    for path in APP.glob("*.py"):
        if path.name != "terminal.py":
            text = path.read_text(encoding="utf-8")
            for word in (
                r"print\(",
                r"Console\(",
                r"std(out|err)\.write",
                r"= argparse\.ArgumentParser\(",
                "basicConfig",
            ):
                lines = [line for line in text.splitlines() if re.search(rf"(?<!\.){word}", line)]
                assert not lines, (path.name, lines)


def test_only_text_comes_out(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.say(EVIL)
    terminal.say(EVIL, err=True)
    terminal.complain(f"{EVIL}\nok")
    terminal.columns([(EVIL, "x")], ("a", "b"))
    terminal.console().print(Text(EVIL))
    terminal.console().print(f"[red]{EVIL}[/nothing]")
    terminal.console().print(Panel(EVIL, title=Text(EVIL)))
    out, err = capsys.readouterr()
    assert harmless(out + err)
    assert "[31mred" in out
    assert "[red]" in out
    assert err.count("\n") == 2
    terminal.as_json({EVIL: EVIL})
    said = capsys.readouterr().out
    assert harmless(said)
    assert __import__("json").loads(said) == {EVIL: EVIL}


def test_colours_of_our_own_stay() -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    seen = Tty()
    console = terminal.Screen(file=seen, force_terminal=True, color_system="standard", markup=False)
    console.print(Text("ours", "red"), Text(EVIL))
    assert "\x1b[31mours" in seen.getvalue()
    assert "\x1b]0;" not in seen.getvalue()
    assert "\x9b" not in seen.getvalue()


@pytest.mark.parametrize(
    "evil", ["\x1b[31m", "\x9b", "\u202e", "\u2066", "\u200b", "\ufeff", "\u034f", "\u3164", "\x7f"]
)
def test_a_name_is_only_what_is_seen(evil: str) -> None:
    assert fit_name(f"An{evil}n", []) in ("Ann", "An[31mn")
    with pytest.raises(Trouble, match="already"):
        fit_name(f"Ann{evil.replace('[31m', '')}", ["Ann"])
    assert plain.shown(f"a{evil}b").replace("[31m", "") == "ab"


def test_a_terminal_that_is_too_small(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["hand", "table", "help", "card Crabs", "1", ""])

    def read(prompt: str = "") -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", read)
    monkeypatch.setenv("COLUMNS", "3")
    monkeypatch.setenv("LINES", "2")
    assert main(["play", "--terminal", "--seed", "3", "--name", f"[/]{EVIL}"]) == 0


def test_a_batch_that_was_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between writing a batch and counting it."""
    real = arena.run

    def run(*args: Any) -> Iterator[list[arena.Result]]:
        games = real(*args)
        yield next(games)
        next(games)
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "run", run)
    words = ["arena", "--bots", "random", "-n", "2", "--workers", "1", "--out", str(tmp_path / "log")]
    assert main(words) == 130
    assert "95% interval" in capsys.readouterr().out


# -- real processes -----------------------------------------------------------------------------------------------

KICKDOOR = f"{sys.executable} -m kickdoor"


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (f"{KICKDOOR} cards --pack classic | head -1", 0),
        (f"{KICKDOOR} rules >/dev/full", 2),
        (f"{KICKDOOR} rules >&- 2>&- <&-", 0),
        (f"{KICKDOOR} play --terminal --seed 1 --save t.json <&-", 0),
        (f"LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 PYTHONIOENCODING=ascii {KICKDOOR} rules COMBAT-1", 0),
    ],
)
def test_streams_that_are_closed_full_or_foreign(tmp_path: Path, line: str, status: int) -> None:
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(APP.parents[1])}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, cwd=tmp_path, env=env, timeout=120
    )
    assert done.returncode == status, done.stderr
    for word in (b"Traceback", b"a bug", b"Exception ignored"):
        assert word not in done.stderr


@pytest.mark.parametrize("module", ["kickdoor.engine", "msgspec", "datetime", "yaml", "kickdoor.server.room"])
def test_ctrl_c_is_quiet_whenever_it_comes(tmp_path: Path, module: str) -> None:
    """In the middle of loading a module: not everybody bears an exception there (msgspec, importing datetime)."""
    script = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}:\n"
        "            print('interrupted', flush=True)\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.modules.pop('datetime', None)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.argv = ['kickdoor', 'serve', '--port', '0', '--data', sys.argv[1]]\n"
        "from kickdoor.__main__ import main\n"
        "raise SystemExit(main())\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, "interrupted\n", "")
