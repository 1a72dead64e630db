"""The shelf: what each set says of itself, evenings to recommend, and games by the book."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kickdoor import rulebook
from kickdoor.app.cli import main
from kickdoor.bots import make, play_out
from kickdoor.cards import evenings
from kickdoor.cards.packs import PackError, find_pack, known_packs, read_pack
from kickdoor.engine.setup import check_seats, library, new_game, rules_for
from kickdoor.engine.table import deck_building
from kickdoor.engine.table.deck_building import advice, by_the_book
from kickdoor.lab import mix_report
from kickdoor.server import catalog, playable
from kickdoor.server import options as op
from kickdoor.server.hub import Hub
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.trouble import Trouble
from kickdoor.server.website import website
from kickdoor.voice import boxes
from kickdoor.voice.choices import FLAGS

EVERYTHING = evenings.evening("shelf")


def options(**changes: Any) -> op.TableOptions:
    return op.changed(op.TableOptions(), changes)


# -- what a set says of itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", known_packs())
def test_every_set_shows_three_cards_and_cites_rules_that_there_are(pack: str) -> None:
    told = catalog.shelf(pack)
    source = read_pack(find_pack(pack))
    assert len({c["name"] for c in told["samples"]}) == min(boxes.SAMPLES, len(source.cards))
    assert all(c["text"] for c in told["samples"]), "a sample is worth reading"
    head = source.head
    assert [r["id"] for r in told["mixing"]] == head.mixing
    assert len(boxes.sentences(head.about)) == 2
    assert head.samples, "chosen by the set itself"
    assert head.sources


def test_a_sample_that_is_no_card_of_the_pack_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("id: slip\ntitle: Slip\nsamples: [Duck, Dcuk]\n")
    (tmp_path / "cards.yaml").write_text("cards:\n  - {name: Duck, kind: monster, level: 1, treasures: 1}\n")
    with pytest.raises(PackError, match=r"pack.yaml:3: samples: no card 'Dcuk'.*did you mean 'Duck'"):
        read_pack(tmp_path)


def test_a_pack_that_names_no_samples_shows_different_kinds(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("id: slip\ntitle: Slip\n")
    (tmp_path / "cards.yaml").write_text(
        "cards:\n  - {name: A, kind: monster, level: 1, treasures: 1}\n  - {name: B, kind: monster, level: 2}\n"
        "  - {name: C, kind: item, gold: 100}\n"
    )
    shown = boxes.samples(library((str(tmp_path),)), read_pack(tmp_path).head)
    assert [d.name for d in shown] == ["A", "C", "B"]


def test_sentences_end_where_a_new_one_begins() -> None:
    assert boxes.sentences("Bites! is a box. It bites.") == ["Bites! is a box.", "It bites."]
    assert boxes.sentences("") == []


def test_no_set_of_that_name_is_on_the_shelf() -> None:
    with pytest.raises(Trouble) as e:
        catalog.shelf("../etc")
    assert e.value.code == "no_set"


# -- by the book ------------------------------------------------------------------------------------------------------


def test_by_the_book_sets_what_the_books_recommend_and_says_why() -> None:
    o = options(packs=list(EVERYTHING.packs), house=["all_cards", "shared"])
    before = {a["rule"]: a["followed"] for a in op.advice(o) if a["settled"]}
    assert before == {"DECK-3": True, "DECK-8": False, "PORTAL-15": False, "PORTAL-16": False, "DECK-12": False}
    book = op.by_the_book(o)
    assert book.house == ["shared"], "a house rule that the books say nothing of stays"
    assert book.rules == {"dungeons.portal_block": 150, "decks.piles": "reserve"}
    assert all(a["followed"] for a in op.advice(book) if a["settled"])
    assert op.by_the_book(book) == book


def test_what_people_have_to_bring_is_not_settled_by_a_tap() -> None:
    o = options(packs=["bites", "unnatural_axe"])
    assert [(a["rule"], a["settled"]) for a in op.advice(o)] == [("FQ-CWBH-4", False)]
    assert op.by_the_book(o) == o


def test_epic_games_get_the_faster_rules_as_a_house_rule() -> None:
    assert op.by_the_book(options(house=["epic"])).house == ["epic", "faster"]


def test_a_server_that_plays_by_the_book_leaves_alone_what_its_people_have_said() -> None:
    said = options(packs=list(EVERYTHING.packs), house=["all_cards"], rules={"decks.piles": "halves"})
    kept = op.by_the_book(said, keep=True)
    assert kept.house == ["all_cards"]
    assert kept.rules == {"decks.piles": "halves", "dungeons.portal_block": 150}


def test_over_http(tmp_path: Path) -> None:
    hub = Hub(SqliteJournal(str(tmp_path / "journal.sqlite")))
    hub.by_the_book = True
    tall = ["classic", "bites", "shakespeare"]
    with TestClient(website(hub)) as site:
        told = site.post("/api/mix", json={"options": {"packs": ["classic", "cwbh"], "house": ["all_cards"]}}).json()
        assert told["book"] == {"house": [], "rules": {}}
        assert {"rule": "DECK-5", "settled": True, "followed": False}.items() <= told["advice"][2].items()
        assert site.get("/api/shelf/cwbh").json()["samples"][0]["name"] == "Chimera"
        assert site.get("/api/shelf/nothing").status_code == 404
        for said, rules in (({}, {"decks.piles": "reserve"}), ({"decks.piles": "halves"}, {"decks.piles": "halves"})):
            new = {"host": {"name": "Ann"}, "packs": tall, "options": {"rules": said}}
            table = site.post("/api/tables", json=new).json()["table"]
            assert site.get(f"/api/tables/{table}").json()["options"]["rules"] == rules


def test_advice_does_not_change_when_it_is_followed() -> None:
    packs = EVERYTHING.packs
    lib, plain = library(packs), rules_for(packs)
    book = rules_for(packs, **by_the_book(lib, plain))
    assert advice(lib, book) == advice(lib, plain)
    assert all(a.followed(book) for a in advice(lib, book))
    assert {a.rule for a in advice(lib, plain) if not a.followed(plain)} == {"PORTAL-16", "DECK-12"}


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (["classic,dungeons,bites,shakespeare", "--by-the-book"], {"piles": "reserve"}),
        (["classic,dungeons,bites,shakespeare", "--by-the-book", "--piles", "halves"], {"piles": "halves"}),
        (["classic,dungeons,bites,shakespeare"], {"piles": "one"}),
    ],
)
def test_on_the_command_line(capsys: pytest.CaptureFixture[str], words: list[str], fields: dict[str, str]) -> None:
    assert main(["sets", "--json", *words]) == 0
    mix = json.loads(capsys.readouterr().out)
    assert mix["decks"]["piles"] == fields["piles"]
    assert {s["id"]: len(s["samples"]) for s in mix["sets"]} == dict.fromkeys(words[0].split(","), 3)


def test_the_terminal_tells_what_is_not_so_and_how_to_have_it_all(capsys: pytest.CaptureFixture[str]) -> None:
    main(["sets", "classic", "bites", "shakespeare"])
    out = capsys.readouterr().out
    assert "not so  DECK-12" in out
    assert "--by-the-book" in out
    main(["sets", "classic", "bites", "shakespeare", "--by-the-book"])
    assert "done  DECK-12" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["classic", "--by-the-book", "--all-cards"], "say one of them"),
        (["classic", "--evening", "first"], "names the sets itself"),
        (["--evening", "sadle"], "did you mean 'saddle'?"),
    ],
)
def test_what_contradicts_itself_is_refused(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    assert main(["sets", *words]) == 2
    assert says in capsys.readouterr().err


# -- evenings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", evenings.names())
def test_an_evening_is_a_game_for_as_many_as_it_says(name: str) -> None:
    e = evenings.evening(name)
    assert set(e.packs) <= set(known_packs())
    assert set(e.house) <= set(FLAGS)
    here = {h.id: h for h in library(e.packs).heads}
    assert all(h.expands in here for h in here.values() if h.expands), "nothing is missing that a set is made for"
    book = op.by_the_book(options(packs=list(e.packs), house=list(e.house)))
    for n in range(e.seats[0], e.seats[1] + 1):
        check_seats(op.rules(book), n)
        assert playable.obstacles(book, n) == []
    assert all(a["followed"] for a in op.advice(book) if a["settled"])
    assert all(a["settled"] for a in op.advice(book)), "nothing is left for the people to bring"


@pytest.mark.parametrize("name", evenings.names())
def test_an_evening_comes_to_its_end(name: str) -> None:
    e = evenings.evening(name)
    o = op.by_the_book(options(packs=list(e.packs), house=list(e.house)))
    g = new_game(("Ann", "Bob", "Cid"), e.packs, seed=7, rules=op.rules(o))
    play_out(g, [make("greedy", s) for s in range(3)])
    assert g.winners


def test_the_whole_shelf_is_everything_that_goes_into_a_deck() -> None:
    without = {"accessories"}
    assert set(EVERYTHING.packs) == set(known_packs()) - without
    assert EVERYTHING.packs[0] == "classic", "it gives the rules"
    last = [p for p in EVERYTHING.packs if read_pack(find_pack(p)).head.expands]
    assert EVERYTHING.packs.index(last[0]) > EVERYTHING.packs.index("shakespeare")


def test_lobby_and_terminal_recommend_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    told = catalog.about()["evenings"]
    assert [e["id"] for e in told] == evenings.names()
    main(["sets", "--json"])
    sets = json.loads(capsys.readouterr().out)
    assert sets["evenings"] == json.loads(json.dumps(told))
    main(["sets"])
    out = capsys.readouterr().out
    for e in told:
        assert e["title"] in out
        assert e["why"] in out


def test_play_and_simulate_know_evenings_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sets", "--build", "--evening", "saddle"]) == 0
    assert "kickdoor play --evening saddle" in capsys.readouterr().out
    for command in (["play", "--terminal"], ["simulate", "--out", "nowhere", "-n", "1"]):
        assert main([*command, "--evening", "nothing"]) == 2
        assert "no evening 'nothing'" in capsys.readouterr().err


def test_every_rule_behind_a_recommendation_can_be_read() -> None:
    for e in evenings.evenings():
        for a in deck_building.advice(library(e.packs), rules_for(e.packs)):
            assert rulebook.rule(a.rule)
    assert mix_report.describe(["classic"])["recommended"] == []
