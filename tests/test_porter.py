"""Hundreds of tables are asked for in the same second: they come some at a time, in order, and nobody is forgotten."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection
from typing import Any, cast

import pytest

from kickdoor.server import porter
from kickdoor.server.chain import Held
from kickdoor.server.journal import Damaged, Journal, Keeper, Lease, Lost, Lying
from kickdoor.server.neighbours import Alone
from kickdoor.server.porter import AT_ONCE, Elsewhere, Porter
from kickdoor.server.room import Room
from kickdoor.server.trouble import Trouble
from virtual_time import run

HERE = "https://play.example"
LOADING = 0.004  # seconds that a table takes
PATIENCE = 6.0


class Street(Alone):
    """Another server behind the same address, which dies at a given moment."""

    def __init__(self, dies: float = 0.0) -> None:
        super().__init__(HERE)
        self.dies = dies
        self.wishes: list[list[str]] = []

    async def gone(self) -> frozenset[str]:
        return frozenset({"other"} if asyncio.get_running_loop().time() >= self.dies else ())

    async def wish(self, tables: list[str]) -> None:
        self.wishes.append(tables)


class Book:
    """A journal of which every statement is written down."""

    def __init__(self, tables: Collection[str], url: str = HERE) -> None:
        self.keeper: dict[str, Keeper | None] = dict.fromkeys(tables, Keeper("other", url))
        self.claims: list[list[str]] = []
        self.asked = 0
        self.damaged: set[str] = set()
        self.broken: Exception | None = None

    async def keepers(self, tables: list[str], gone: Collection[str]) -> dict[str, Keeper | None]:
        self.asked += 1
        await asyncio.sleep(0.002)
        if self.broken is not None:
            raise self.broken
        there = {t: self.keeper[t] for t in tables if t in self.keeper}
        return {t: None if k is None or k.server in gone else k for t, k in there.items()}

    async def claim(self, tables: list[str], gone: Collection[str]) -> dict[str, Lease]:
        self.claims.append(tables)
        await asyncio.sleep(0.002)
        free = [t for t, k in (await self.keepers(tables, gone)).items() if k is None]
        self.keeper.update(dict.fromkeys(free))
        return {t: Lease(t, 2) for t in free}

    async def lying(self, tables: list[str]) -> dict[str, Lying]:
        await asyncio.sleep(0.002)
        if self.damaged & set(tables):
            raise Damaged("a page of the file is gone")
        return {t: Lying(Held(0, []), None) for t in tables}


class House:
    """A porter, and what he brings."""

    def __init__(self, book: Book, street: Street) -> None:
        self.book = book
        self.came: list[str] = []
        self.bringing = self.most = 0
        self.unlisted: set[str] = set()
        self.porter = Porter(cast("Journal", book), street, self.bring, self.seek, PATIENCE)

    async def bring(self, lease: Lease, lying: Lying) -> Room:
        self.bringing += 1
        self.most = max(self.most, self.bringing)
        await asyncio.sleep(LOADING)
        self.bringing -= 1
        if lease.table == "cursed":
            raise Trouble("damaged", "It is cursed.")
        self.came.append(lease.table)
        return cast("Room", lease.table)

    async def seek(self, ident: str) -> Lease:
        if ident not in self.unlisted:
            raise Trouble("no_table", "There is no such table.")
        return Lease(ident, 1)

    async def outcome(self, ident: str) -> Any:
        try:
            return await self.porter.fetch(ident)
        except Exception as e:
            return e


NAMES = [f"table{i:03}" for i in range(400)]


def of(tables: Collection[str], dies: float = 0.0, url: str = HERE) -> tuple[House, Street]:
    street = Street(dies)
    return House(Book(tables, url), street), street


def test_a_server_dies_and_all_its_tables_come_in_the_order_in_which_they_are_asked_for() -> None:
    async def story() -> None:
        house, street = of(NAMES, dies=1.0)
        asked = NAMES[::-1]
        got = await asyncio.gather(*(house.outcome(n) for n in asked))
        assert got == asked
        assert [n for some in house.book.claims for n in some] == asked
        assert house.most == AT_ONCE
        assert max(len(c) for c in house.book.claims) <= AT_ONCE
        assert len(house.book.claims) <= len(NAMES) / porter.TOGETHER + 1
        assert house.book.asked < 10 + len(house.book.claims)
        assert [len(w) for w in street.wishes] == [len(NAMES)], "one wish for all of them, and not again at once"
        assert asyncio.get_running_loop().time() < 1.0 + len(NAMES) * LOADING + 2

    run(story())


def test_a_server_that_has_come_back_is_not_dead_any_more() -> None:
    """Its tables were taken from under its people, without a word to it."""

    async def story() -> None:
        house, street = of(NAMES[:1], dies=0.2)
        assert await house.outcome(NAMES[0]) == NAMES[0]
        street.dies = math.inf  # it has been started again
        house.book.keeper[NAMES[1]] = Keeper("other", HERE)
        claims = len(house.book.claims)
        assert isinstance(await house.outcome(NAMES[1]), Elsewhere)
        assert len(house.book.claims) == claims
        assert street.wishes[-1] == [NAMES[1]], "it has been asked"

    run(story())


def test_a_table_is_asked_for_once_however_many_want_it() -> None:
    async def story() -> None:
        house, _ = of(["one"])
        house.book.keeper["one"] = None
        assert await asyncio.gather(*(house.outcome("one") for _ in range(9))) == ["one"] * 9
        assert house.came == ["one"]
        assert house.porter.waiting == 0

    run(story())


def test_whoever_comes_first_is_served_while_the_others_still_wait_for_a_lease() -> None:
    """Tables that are somebody else's do not hold up those that are free."""

    async def story() -> None:
        house, _ = of(NAMES, dies=3.0)
        house.book.keeper["mine"] = None
        waiting = [asyncio.create_task(house.outcome(n)) for n in NAMES]
        await asyncio.sleep(1)
        assert await house.outcome("mine") == "mine"
        assert asyncio.get_running_loop().time() < 1.5
        assert await asyncio.gather(*waiting) == NAMES

    run(story())


@pytest.mark.parametrize(("url", "after"), [("http://elsewhere.example", 0.0), (HERE, PATIENCE)])
def test_a_table_that_is_kept_elsewhere(url: str, after: float) -> None:
    """At another address its people are sent there at once; behind the same one there is nobody else to be sent to."""

    async def story() -> None:
        house, street = of(["one"], dies=1e9, url=url)
        got = await house.outcome("one")
        assert isinstance(got, Elsewhere)
        assert got.url == url
        assert after <= asyncio.get_running_loop().time() < after + 1
        assert len(street.wishes) == after

    run(story())


def test_what_is_wrong_with_one_table_is_told_to_its_people_alone() -> None:
    async def story() -> None:
        house, _ = of(["cursed", *NAMES[:40]])
        house.book.damaged = {NAMES[5]}
        house.unlisted = {"lost"}
        asked = ["cursed", "nowhere", "lost", *NAMES[:40]]
        got = dict(zip(asked, await asyncio.gather(*(house.outcome(n) for n in asked)), strict=True))
        assert got.pop("cursed").code == "damaged"
        assert got.pop("nowhere").code == "no_table"
        assert got.pop("lost") == "lost"
        assert isinstance(got.pop(NAMES[5]), Damaged)
        assert got == {n: n for n in got}
        assert len(got) == 39
        house.book.damaged = set()
        assert await house.outcome(NAMES[5]) == NAMES[5], "and it can be asked for again"

    run(story())


def _broken(house: House) -> Awaitable[None]:
    house.book.broken = Lost("the database does not answer")
    return asyncio.sleep(0)


def _closed(house: House) -> Awaitable[None]:
    return house.porter.close(Lost("closing"))


@pytest.mark.parametrize("what", [_broken, _closed])
def test_when_nothing_comes_any_more_nobody_waits_in_vain(what: Callable[[House], Awaitable[None]]) -> None:
    async def story() -> None:
        house, _ = of(NAMES, dies=1e9)
        waiting = [asyncio.create_task(house.outcome(n)) for n in NAMES]
        await asyncio.sleep(0.1)
        await what(house)
        assert all(isinstance(x, Lost) for x in await asyncio.gather(*waiting))
        assert asyncio.get_running_loop().time() < 1
        assert house.porter.waiting == 0

    run(story())
