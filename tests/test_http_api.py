"""The HTTP interface against its own description: schemathesis tries to break it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drilling import daily
from kickdoor.server.hub import Hub
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.limits import Gate
from kickdoor.server.website import website
from serving import Server, call, new_table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("journal"))) as s:
        yield s


def test_the_interface_describes_itself(server: Server) -> None:
    status, described = call(f"{server.url}/openapi.json")
    assert status == 200
    assert {"/api/tables", "/api/tables/{table}/seats", "/api/cards/{mix}", "/api/rules/{rule}"} <= set(
        described["paths"]
    )
    for path, calls in described["paths"].items():
        for verb, what in calls.items():
            assert what.get("description"), f"{verb} {path} says nothing about itself"


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    """Every call with generated input, valid and not: no server error, and only answers that were announced."""
    schemathesis = pytest.importorskip("schemathesis")
    app = website(Hub(SqliteJournal(str(tmp_path / "journal.sqlite"))), gate=Gate(10**6))
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    tried: list[str] = []
    for operation in schema.get_all_operations():
        run_operation(operation.ok(), tried)
    assert len(set(tried)) >= 12


def run_operation(operation: Any, tried: list[str]) -> None:
    from hypothesis import HealthCheck, given, settings

    @given(case=operation.as_strategy())
    @settings(max_examples=daily(6, 100), deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def attack(case: Any) -> None:
        tried.append(operation.label)
        case.call_and_validate()

    attack()


def test_a_table_can_be_looked_up_by_anybody_and_tells_no_secret(server: Server) -> None:
    ticket = new_table(server.url, seats=3)
    status, shown = call(f"{server.url}/api/tables/{ticket['table']}")
    assert status == 200
    assert ticket["token"] not in str(shown)
    assert shown["seed"]["seed"] is None
    assert shown["seats"][0]["name"] == "Ann"


def test_cards_and_rules_can_be_looked_up(server: Server) -> None:
    ticket = new_table(server.url, seats=3)
    _, shown = call(f"{server.url}/api/tables/{ticket['table']}")
    status, cards = call(f"{server.url}/api/cards/{shown['cards']}")
    assert status == 200
    assert sum(c["deck"] == 0 for c in cards if c["name"] != "Human") == 95
    assert sum(c["deck"] == 1 for c in cards) == 73
    assert cards[0].keys() >= {"name", "kind", "level", "gold", "text", "bad_stuff"}
    assert call(f"{server.url}/api/cards/nothing")[0] == 404
    status, rule = call(f"{server.url}/api/rules/COMBAT-20")
    assert rule["says"]
    status, found = call(f"{server.url}/api/rules?search=steal%20in%20combat")
    assert any(r["id"] == "COMBAT-20" for r in found)


def test_a_second_opening_of_the_hub_does_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        hub = Hub(SqliteJournal(str(tmp_path / "journal.sqlite")))
        await hub.open()
        await hub.open()
        await hub.close()

    asyncio.run(story())
