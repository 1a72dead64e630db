"""A journal that is away for a while, or for good: what the log, the figures and whoever starts a server are told."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from kickdoor.app.cli import main
from kickdoor.server import outages, postgres_lines, watching
from kickdoor.server.explaining import explained
from kickdoor.server.hub import Hub, in_words
from kickdoor.server.journal import Lost
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.neighbours import PostgresNeighbours
from kickdoor.server.trouble import Trouble
from serving import CALM


def run(coro: Any, seconds: float = 200) -> Any:
    return asyncio.run(asyncio.wait_for(coro, seconds))


def test_an_outage_is_a_line_when_it_begins_one_a_minute_and_one_when_it_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = [1000.0]
    outage = outages.Outage(lambda: clock[0])
    outage.calm()
    for second in range(150):
        clock[0] = 1000.0 + second
        for table in range(100):
            outage.met(f"table {table}", Lost("the database is down"))
    outage.calm()  # one round of the upkeep went well; others may not have tried yet
    clock[0] += outages.QUIET
    outage.calm()
    outage.calm()
    said = [(r.levelname, r.getMessage()) for r in caplog.records]
    assert said == [
        ("ERROR", "the journal is away, noticed first at table 0: the database is down"),
        ("WARNING", "the journal is still away, after 60 seconds: the database is down"),
        ("WARNING", "the journal is still away, after 120 seconds: the database is down"),
        (
            "WARNING",
            "the journal is back: nothing has failed since; it was away for 149 seconds, and noticed 15000 times",
        ),
    ]
    outage.met("table 1", Lost("again"))
    assert caplog.records[-1].levelname == "ERROR"


def test_the_upkeep_tells_an_outage_once_and_a_bug_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("kickdoor.server.hub.LEASE_SECONDS", 0.03)
    monkeypatch.setattr(outages, "QUIET", 0.05)
    caplog.set_level(logging.WARNING)
    root = logging.getLogger()  # a server that ran here before may have left its own ways of counting
    monkeypatch.setattr(root, "handlers", [caplog.handler, watching.CountErrors()])
    errors = watching.ERRORS.labels("kickdoor.server")._value
    rounds = {"renew": 0, "meet": 0}

    def failing(what: str, e: Exception) -> Any:
        async def fail(*_: Any) -> None:
            rounds[what] += 1
            raise e

        return fail

    async def story() -> None:
        hub = Hub(SqliteJournal(str(tmp_path / "journal.sqlite")))
        await hub.open()
        before = errors.get()
        with monkeypatch.context() as broken:
            broken.setattr(hub.journal, "renew", failing("renew", Lost("the database is down")))
            broken.setattr(hub.neighbours, "meet", failing("meet", KeyError("a bug")))
            while min(rounds.values()) < 5:
                await asyncio.sleep(0.01)
        while "the journal is back" not in caplog.text:
            await asyncio.sleep(0.01)
        assert errors.get() == before + 2
        await hub.close()

    run(story())
    away, bug, back = caplog.records
    assert (
        away.getMessage() == "the journal is away, noticed first at the upkeep of tables (renew): the database is down"
    )
    assert bug.getMessage() == "the upkeep of tables (meet) failed; it is tried again"
    assert (away.exc_info, bug.exc_info is None, back.exc_info) == (None, False, None)


def test_tables_that_cannot_be_written_to_are_one_outage(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        hub = Hub(SqliteJournal(str(tmp_path / "journal.sqlite")))
        await hub.open()
        rooms = [(await hub.create("", "Ann", "female", dict(CALM), 3, []))[0] for _ in range(3)]
        hub.journal.append = away  # type: ignore[method-assign,assignment]
        for room in rooms:
            room._not_written(None, None, Lost("the disk is full"))
        for _ in range(3):
            assert explained(Lost("the disk is full"), "GET /api/tables/x").code == "unwritable"
            with pytest.raises(Trouble), in_words("abcdefghjk"):
                raise Lost("the disk is full")
        await hub.close()

    async def away(*_: Any) -> None:
        raise Lost("the disk is full")

    run(story())
    assert [r.getMessage().partition(",")[0] for r in caplog.records if r.levelno >= logging.WARNING] == [
        "the journal is away"
    ]


class Mute:
    """Something that lets everybody in and does not answer; or says what a database says to who comes, and no more."""

    def __init__(self, polite: bool) -> None:
        self.polite = polite
        self.sock = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql://joe:hunter2@127.0.0.1:{self.sock.getsockname()[1]}/x"
        self.lines: list[socket.socket] = []
        threading.Thread(target=self._let_in, daemon=True).start()

    def _let_in(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self.sock.accept()
                self.lines.append(line)
                threading.Thread(target=self._greet, args=(line,), daemon=True).start()

    def _greet(self, line: socket.socket) -> None:
        with suppress(OSError):
            while self.polite and (said := line.recv(1000)):
                if said[4:8] == b"\x04\xd2\x16\x2f":
                    line.sendall(b"N")  # no TLS here
                elif said[4:8] == b"\x00\x03\x00\x00":
                    about = b"server_version\x0016.0\0"
                    about = b"S" + (4 + len(about)).to_bytes(4, "big") + about
                    line.sendall(b"R\0\0\0\x08\0\0\0\0" + about + b"Z\0\0\0\x05I")  # come in; what is it?

    def close(self) -> None:
        for line in (self.sock, *self.lines):
            line.close()


@pytest.mark.parametrize(("polite", "waited"), [(False, "0.4"), (True, "0.6")])
@pytest.mark.parametrize("words", [["serve", "--port", "0", "--database"], ["journal", "check"]])
def test_a_database_that_does_not_answer_is_given_up(
    polite: bool,
    waited: str,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert postgres_lines.WORD_AFTER < postgres_lines.CONNECT < postgres_lines.COMMAND <= 20
    for name, seconds in (("WORD_AFTER", 0.1), ("CONNECT", 60 if polite else 0.4), ("COMMAND", 0.6)):
        monkeypatch.setattr(postgres_lines, name, seconds)
    monkeypatch.setattr("kickdoor.server.logs.begin", lambda _: None)  # what is logged is caught here
    database = Mute(polite)
    try:
        assert main([*words, database.url]) == 2
    finally:
        database.close()
    out, err = capsys.readouterr()
    assert "the database is not ready after 0.1 seconds; still waiting for it" in caplog.text
    assert f"kickdoor: the database cannot be used: it has not answered within {waited} seconds. Is it well" in err
    assert "open at" not in out
    assert "hunter2" not in err + caplog.text


def test_who_asks_for_the_others_in_vain_is_told_why(postgres: str) -> None:
    """A database that is missing is Lost, also where it is asked about other servers; nonsense stays nonsense."""

    async def story() -> None:
        them = PostgresNeighbours(postgres, "one", "http://one.example")
        await them.open()
        with pytest.raises(asyncpg.UndefinedTableError), postgres_lines.in_words():
            await them._pool.execute("select * from kd_nothing")
        await them._pool.close()
        for ask in (them.meet, them.gone, lambda: them.wish(["a"]), lambda: them.wished(["a"])):
            with pytest.raises(Lost, match="its database does not answer"):
                await ask()
        them._sign.terminate()
        with pytest.raises(Lost, match="the database cannot be used"):
            await PostgresNeighbours("postgresql://127.0.0.1:1/x", "one", "").open()

    run(story())
