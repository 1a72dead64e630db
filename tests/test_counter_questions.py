"""What the engine is asked for a table with real cards: how a fight stands, what may be put on, could I now ...?"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import shutil
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from house import House
from house import story as a_house
from kickdoor.cards import packs as pk
from kickdoor.companion import facts, fights, laying, rulings
from kickdoor.companion import shapes as sh
from kickdoor.companion.laying import Impossible
from kickdoor.scenario import run_text

SCHEMA = json.loads(json.dumps(sh.schema()))


def held(*cards: str, prefix: str = "t") -> list[dict[str, Any]]:
    return [{"thing": f"{prefix}{i}", "card": c} for i, c in enumerate(cards)]


def sheet(name: str, level: int, *cards: str, **more: Any) -> dict[str, Any]:
    return {"sheet": name.lower(), "name": name, "level": level, "cards": held(*cards, prefix=name.lower()), **more}


def position(*sheets: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"packs": ["classic"], "sheets": list(sheets), **more}


def foe(card: str, *enhancers: str, thing: str = "foe", **more: Any) -> dict[str, Any]:
    return {"thing": thing, "card": card, "enhancers": held(*enhancers, prefix="e"), **more}


def stands(p: dict[str, Any], *hand: str) -> Any:
    told = fights.stands(msgspec.convert({"position": p, "hand": list(hand)}, sh.FightQuestion))
    valid("FightTold", told)
    return told


def could(p: dict[str, Any], who: str, card: str, on: str = "") -> Any:
    told = rulings.could(msgspec.convert({"position": p, "sheet": who, "card": card, "on": on}, sh.CouldQuestion))
    valid("CouldTold", told)
    return told


def may(p: dict[str, Any], who: str, card: str) -> Any:
    told = rulings.may_have(msgspec.convert({"position": p, "sheet": who, "card": card}, sh.ItemQuestion))
    valid("ItemTold", told)
    return told


def valid(name: str, told: Any) -> None:
    Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}", "anyOf": [{}]}).validate(json.loads(json.dumps(told)))


def terms(told: Any, side: str = "munchkin_terms") -> list[tuple[int, str]]:
    return [(t["amount"], t["name"]) for t in told[side]]


# -- fights ---------------------------------------------------------------------------------------------------------


def test_both_sides_term_by_term() -> None:
    ann = sheet("Ann", 4, "Wizard", "Helm of Courage", "Huge Rock", gear=2, sex="female")
    p = position(ann, sheet("Bob", 2), fight={"main": "ann", "foes": [foe("Maul Rat", "Enraged")], "munchkins": 1})
    told = stands(p)
    assert terms(told) == [(4, "Level"), (1, "Helm of Courage"), (3, "Huge Rock"), (2, "Gear"), (1, "By hand")]
    assert terms(told, "monster_terms") == [(1, "Maul Rat"), (5, "Enraged")]
    assert (told["munchkins"], told["monsters"], told["winning"]) == (11, 6, True)
    assert told["says"] == "Ann wins, 11 to 6."
    assert told["treasures"] == 2  # one is printed on it, one more is its enhancer's
    assert [(x["sheet"], x["level"]) for x in told["levels"]] == [("ann", 1)]
    assert told["munchkin_terms"][1]["thing"] == "ann1"
    assert told["munchkin_terms"][0]["sheet"] == "ann"


def test_what_a_monster_has_against_somebody() -> None:
    fight = {"main": "ann", "helper": "bob", "foes": [foe("Maul Rat")]}
    told = stands(position(sheet("Ann", 1), sheet("Bob", 1, "Cleric"), fight=fight))
    assert (3, "Maul Rat") in terms(told, "monster_terms")
    told = stands(position(sheet("Ann", 1), sheet("Bob", 1), fight=fight))
    assert terms(told, "monster_terms") == [(1, "Maul Rat")]


def test_a_warrior_wins_ties() -> None:
    fight = {"main": "ann", "foes": [foe("", name="A thing", level=5, treasures=3, levels=2)]}
    lost, won = (stands(position(sheet("Ann", 5, *c), sheet("Bob", 1), fight=fight)) for c in ((), ("Warrior",)))
    assert (lost["winning"], lost["ties"], lost["says"]) == (False, False, "Ann loses, 5 to 5. A tie is not enough.")
    assert (won["winning"], won["ties"]) == (True, True)
    assert won["treasures"] == 3
    assert won["levels"][0]["level"] == 2
    assert won["foes"][0]["name"] == "A thing"
    assert not won["foes"][0]["known"]


def test_an_elf_who_helps_is_paid_in_levels() -> None:
    fight = {"main": "ann", "helper": "bob", "foes": [foe("Maul Rat"), foe("", thing="f2", level=2)]}
    told = stands(position(sheet("Ann", 5), sheet("Bob", 3, "Elf"), fight=fight))
    assert [(x["sheet"], x["level"]) for x in told["levels"]] == [("ann", 2), ("bob", 2)]


def test_losing_who_runs_from_what_and_what_it_does() -> None:
    ann = sheet("Ann", 3, "Elf", "Helm of Courage")
    told = stands(position(ann, sheet("Bob", 1), fight={"main": "ann", "foes": [foe("Shrieking Geek", "Enraged")]}))
    [flight] = told["flights"]
    assert (flight["needs"], flight["chance"]) == (4, 50)  # an Elf runs better
    assert flight["modifiers"] == [{"amount": 1, "name": "Elf", "thing": "ann0", "sheet": "ann", "rule": "RUN-7"}]
    [hit] = told["foes"][0]["hits"]
    assert told["foes"][0]["bad_stuff"]
    assert hit["changes"][0]["away"] == ["ann0"]  # the Race goes, the helmet stays
    assert hit["changes"][0]["says"] == "Ann loses Elf."
    assert hit["open"] == ""


def test_what_changes_a_throw_is_called_after_its_cards() -> None:
    """The runner's own things and the monster's, each by itself; what makes no difference is left out."""
    ann = sheet("Ann", 1, "Boots of Running Really Fast", "Tuba of Charm")
    told = stands(
        position(
            ann,
            sheet("Bob", 1),
            fight={"main": "ann", "foes": [foe("Large Angry Chicken"), foe("Snails on Speed", thing="f2")]},
        )
    )
    chicken, snails = ([(m["name"], m["amount"]) for m in x["modifiers"]] for x in told["flights"])
    own = [("Boots of Running Really Fast", 2), ("Tuba of Charm", 3)]
    assert sorted(chicken) == sorted(own)
    assert sorted(snails) == sorted([*own, ("Snails on Speed", -2)])


def test_bad_stuff_leaves_choices_and_dice_to_the_table() -> None:
    """Every monster of the box: what it does is worked out, or said to be open, and never breaks."""
    monsters = [c for c in facts.told(["classic"])["cards"] if c["kind"] == "monster"]
    ann = sheet("Ann", 5, "Elf", "Wizard", "Helm of Courage", "Flaming Armor", "Boots of Butt-Kicking", sex="female")
    said: dict[str, Any] = {}
    for c in monsters:
        told = stands(position(ann, sheet("Bob", 1), fight={"main": "ann", "foes": [foe(c["label"])], "monsters": 99}))
        if any("has left the fight already" in x for x in told["assumed"]):  # it does not fight such a munchkin
            assert told["foes"][0]["hits"] == []
            continue
        [said[c["name"]]] = told["foes"][0]["hits"]
    assert len(said) >= len(monsters) - 2
    assert said["Maul Rat"]["changes"][0]["level"] == -1
    deaths = [hit for hit in said.values() if any(x["died"] for x in hit["changes"])]
    assert deaths
    assert all("one card each" in hit["open"] for hit in deaths)
    assert any(hit["open"] and not hit["changes"] for hit in said.values())


def test_what_would_help() -> None:
    ann, bob = sheet("Ann", 3, "Wizard"), sheet("Bob", 9, "Warrior")
    told = stands(position(ann, bob, fight={"main": "ann", "foes": [foe("Shrieking Geek")]}), "Magic Missile")
    says = [h["says"] for h in told["helps"]]
    assert says[0] == "A bonus of 4 turns it."
    assert says[1] == "With Bob it is 12 to 12, and a tie is enough."  # a Warrior, against whom it is stronger
    assert [h["sheet"] for h in told["helps"] if h["card"] == "" and h["sheet"]] == ["bob"]
    assert [h["card"] for h in told["helps"] if h["card"]] == ["Magic Missile"]
    assert told["helps"][-1]["munchkins"] > told["helps"][-1]["monsters"]


def test_one_shots_are_played_by_the_rules() -> None:
    played = [
        {"thing": "p1", "card": "Sleep Potion", "side": "munchkins", "sheet": "ann"},
        {"thing": "p2", "card": "Magic Missile", "side": "monsters"},
        {"thing": "p3", "name": "Beer", "bonus": 3, "side": "munchkins"},
    ]
    told = stands(
        position(sheet("Ann", 1), sheet("Bob", 1), fight={"main": "ann", "foes": [foe("Maul Rat")], "played": played})
    )
    assert (2, "Sleep Potion") in terms(told)
    assert (3, "Beer") in terms(told)
    assert (5, "Magic Missile") in terms(told, "monster_terms")
    assert told["refusals"] == []


def test_a_card_that_another_one_took_away_breaks_no_sum() -> None:
    """Malign Intervention moves what it is played on; the next card is not where it was any more."""
    played = [
        {"thing": "t9", "side": "monsters", "card": "Malign Intervention"},
        {"thing": "t11", "side": "munchkins", "card": "Fries"},
    ]
    p = position(sheet("Ann", 1), fight={"main": "ann", "foes": [{"thing": "t8"}], "played": played})
    told = stands({**p, "packs": ["bites", "cwbh"]})
    assert terms(told) == [(1, "Level")]


def test_house_rules_happen() -> None:
    """What the rules do not allow is said with its rule, and counts all the same."""
    ann = sheet("Ann", 1, "Helm of Courage", "Helm of Courage", "Pointy Hat of Power")
    told = stands(position(ann, sheet("Bob", 1), fight={"main": "ann", "foes": [foe("Maul Rat")]}))
    assert [(r["thing"], r["rule"]) for r in told["refusals"]] == [("ann1", "EQUIP-1"), ("ann2", "ITEM-6")]
    assert told["munchkins"] == 1 + 1 + 1 + 3


def test_a_monster_that_must_be_faced_alone() -> None:
    """Who helps all the same is counted, and the rule is said."""
    alone: dict[str, Any] = {"main": "ann", "helper": "bob", "foes": [foe("Wall")]}
    told = stands({**position(sheet("Ann", 3), sheet("Bob", 4), fight=alone), "packs": ["shakespeare"]})
    assert [(r["thing"], r["rule"]) for r in told["refusals"]] == [("bob", "FQ-BASE-37")]
    assert told["munchkins"] == 7
    alone |= {"helper": "", "monsters": 20}
    told = stands({**position(sheet("Ann", 3), sheet("Bob", 40), fight=alone), "packs": ["shakespeare"], "limit": 0})
    assert not told["winning"]
    assert [h for h in told["helps"] if h["sheet"]] == []  # nobody is named who may not help


def test_what_there_is_no_room_for_counts_all_the_same() -> None:
    """A Centaur has no Steed: the engine would take it away at once."""
    packs = ["classic", "need_for_steed", "other_expansions"]
    p = position(sheet("Ann", 1, "Centaur", "Eagle Steed"), fight={"main": "ann", "foes": [foe("", level=9)]})
    told = stands({**p, "packs": packs})
    assert [(r["thing"], r["rule"]) for r in told["refusals"]] == [("ann1", "STEED-2")]
    assert (2, "Eagle Steed") in terms(told)


def test_cards_that_are_not_here_are_said_to_be_unknown() -> None:
    ann = sheet("Ann", 1)
    ann["cards"] = [{"thing": "x", "card": "Sword of My Own", "bonus": 4}]
    told = stands(position(ann, sheet("Bob", 1), fight={"main": "ann", "foes": [foe("Dragon of My Own", level=8)]}))
    assert (4, "Sword of My Own") in terms(told)
    assert terms(told, "monster_terms") == [(8, "Dragon of My Own")]
    assert any("Sword of My Own is not in these sets" in x for x in told["assumed"])


def test_levels_without_a_limit() -> None:
    fight = {"main": "ann", "foes": [foe("Maul Rat")]}
    assert stands(position(sheet("Ann", 140), sheet("Bob", 1), limit=0, fight=fight))["munchkins"] == 140
    told = stands(position(sheet("Ann", 14), sheet("Bob", 1), limit=20, fight=fight))
    assert (told["munchkins"], told["levels"][0]["level"]) == (14, 1)


def test_questions_that_make_no_sense() -> None:
    ann = sheet("Ann", 1)
    for p, why in (
        (position(ann), "no fight"),
        (position(ann, ann, fight={"main": "ann", "foes": [foe("Maul Rat")]}), "same name"),
        (position(ann, fight={"main": "zoe", "foes": [foe("Maul Rat")]}), "no sheet"),
        (position(ann, fight={"main": "ann", "foes": [foe("Maul Rat"), foe("Maul Rat")]}), "two places"),
        ({**position(ann, fight={"main": "ann", "foes": [foe("Maul Rat")]}), "packs": ["nothing"]}, "nothing"),
    ):
        with pytest.raises(Impossible, match=why):
            stands(p)


def fighting(*packs: str) -> dict[str, Any]:
    p = position(sheet("Ann", 1), sheet("Bob", 1), fight={"main": "ann", "foes": [foe("Maul Rat")]})
    return {**p, "packs": list(packs)}


def test_only_sets_that_come_with_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger asks: no folder of the host is looked at, not even to see whether it is there."""
    own = tmp_path / "own"
    shutil.copytree(pk.find_pack("classic"), own)
    monkeypatch.chdir(tmp_path)
    looked: list[Path] = []
    monkeypatch.setattr(pk, "_has_head", looked.append)
    for name in ("own", "./own", "/etc", "../classic", "classic/", "classic/../classic", "x\0y"):
        for question in (
            lambda n: stands(fighting(n)),
            lambda n: stands(fighting("classic", n)),
            lambda n: facts.told([n]),
        ):
            with pytest.raises(Impossible, match="no set"):
                question(name)
    with pytest.raises(Impossible, match="twice"):
        stands(fighting("classic", "classic"))
    assert looked == []


def test_in_which_order_sets_are_named() -> None:
    """The first gives the rules; among the others it is the same, and nothing is compiled for it again."""
    a, b = [p for p in pk.known_packs() if p != "classic"][:2]
    assert laying.find_library(["classic", b, a]) is laying.find_library(["classic", a, b])
    assert laying.find_library([a, "classic"]).packs[0] == a


def test_other_sets_cost_something(tmp_path: Path) -> None:
    """Their cards have to be compiled; what was asked for lately costs nothing, in whatever order."""
    a, b, c = [p for p in pk.known_packs() if p != "classic"][:3]

    async def tell(house: House) -> None:
        async with house.caller() as phone:

            async def asks(level: int, *packs: str) -> int:
                p = position(sheet("Ann", level), fight={"main": "ann", "foes": [foe("Maul Rat")]})
                question = {"position": {**p, "packs": list(packs)}}
                return (await phone.post("/api/counter/fight", json=question)).status_code

            assert await asks(1, "classic", a, b) == 200
            house.gate.new_mixes.take("192.0.2.1", house.gate.new_mixes._at("192.0.2.1", monotonic()))
            house.gate.new_mixes.per_second = 0.001
            assert await asks(2, "classic", b, a) == 200
            assert await asks(2, "classic", c) == 429
            assert await asks(2, "nothing") == 429
            assert (await phone.get(f"/api/counter/cards?packs=classic,{b},{a}")).status_code == 200
            assert (await phone.get(f"/api/counter/cards?packs=classic,{c}")).status_code == 429
            assert house.hub.workshop._pool is None, "tables do not wait for this"

    a_house(tmp_path, tell)


def test_more_cards_than_anybody_has() -> None:
    crowd = [sheet(f"Player{i}", 1, *["Helm of Courage"] * 60) for i in range(5)]
    fight = {"main": "player0", "foes": [foe("Maul Rat")]}
    with pytest.raises(Impossible, match=r"at once .301; 250 can.*enter it together as gear"):
        stands(position(*crowd, fight=fight))
    many = [sheet("Ann", 1, *["Helm of Courage"] * 18), sheet("Bob", 1, *["Huge Rock"] * 18)]
    many.append(sheet("Zoe", 1, *["Leather Armor"] * 18))
    with pytest.raises(Impossible, match=r"More than 40 cards .*by their bonus"):
        stands(position(*many, fight={"main": "ann", "foes": [foe("Maul Rat")]}))


# -- rulings --------------------------------------------------------------------------------------------------------


def test_may_it_be_put_on() -> None:
    ann = sheet("Ann", 2, "Elf", "Huge Rock", "Helm of Courage")
    p = position(ann, sheet("Bob", 2))
    assert may(p, "ann", "Flaming Armor") == {
        "may": True,
        "worn": True,
        "rule": "",
        "says": "Flaming Armor can be put on.",
    }
    for card, may_, worn, rule in (
        ("Pointy Hat of Power", True, False, "ITEM-6"),  # for Wizards
        ("Huge Rock", False, False, "BIG-1"),
        ("Wizard", True, True, ""),
        ("Bad-Ass Bandana", True, False, "ITEM-6"),  # for Humans
    ):
        told = may(p, "ann", card)
        assert (told["may"], told["worn"], told["rule"]) == (may_, worn, rule), (card, told)
        assert told["says"].endswith(".")


def test_could_i_now() -> None:
    fight = {"main": "ann", "foes": [foe("Maul Rat")]}
    p = position(sheet("Ann", 3, "Wizard"), sheet("Bob", 2), fight=fight)
    yes = could(p, "bob", "Enraged")
    assert yes["may"]
    assert yes["ways"] == ["Play Enraged (+5) on Maul Rat"]
    assert yes["then"] == "Then it is 3 to 6: lost, as it stands."
    assert "A fight is on, and Ann can still act." in yes["assumed"]
    no = could(p, "bob", "Helm of Courage")
    assert not no["may"]
    assert no["rule"]
    assert "own turn" in no["says"]
    aimed = could(p, "bob", "Magic Missile", "monsters")
    assert aimed["ways"] == ["Play Magic Missile (+5) on the monsters"]
    assert not could(p, "ann", "Wizard")["may"]  # Flight comes after a failed roll
    with pytest.raises(Impossible, match="not in these sets"):
        could(p, "ann", "No Such Card")


def test_a_ruling_can_be_run_as_a_scenario() -> None:
    """The file that comes with it is one: it loads, what was played is played, and numbers that were entered count."""
    played = [{"thing": "p1", "card": "Sleep Potion", "side": "munchkins", "sheet": "ann"}]
    foes = [foe("Maul Rat", "Enraged", swing=2), foe("", thing="f2", name="Gnat", level=3)]
    fight = {"main": "ann", "helper": "bob", "foes": foes, "played": played, "munchkins": 4, "monsters": 1}
    p = position(sheet("Ann", 3, "Elf", gear=2), sheet("Bob", 2), sheet("everyone", 1), fight=fight)
    told = stands(p)
    text = could(p, "ann", "Magic Missile")["scenario"]
    expects = f"- expect: {{fight: [{told['munchkins']}, {told['monsters']}]}}\n"
    [outcome] = run_text(text + expects, "asked.yaml")
    assert outcome.passed, outcome


def test_enhancers_lie_on_something_and_what_does_not_counts_by_its_number() -> None:
    fight = {"main": "ann", "foes": [foe("", level=9)]}
    ann = sheet("Ann", 1, "Horny Helmet", "Horny Helmet", "Horny Helmet")  # more than are in the box
    told = stands(position(ann, sheet("Bob", 1), fight=fight))
    assert told["munchkins"] == 1 + 3
    packs = ["good_bad"]
    cards = facts.told(packs)["cards"]
    enhancer = next(c for c in cards if c["kind"] == "item_enhancer" and c["bonus"] > 0)
    item = next(
        c for c in cards if c["kind"] == "item" and c["bonus"] > 0 and c["whole"] and not c["usable"] and not c["big"]
    )
    loose = {"sheet": "ann", "name": "Ann", "cards": [{"thing": "x", "card": enhancer["label"]}]}
    told = stands({**position(loose, fight=fight), "packs": packs})
    assert told["munchkins"] == 1 + enhancer["bonus"]
    assert any("lies on nothing" in x for x in told["assumed"])
    cards_on = [{"thing": "y", "card": item["label"]}, {"thing": "x", "card": enhancer["label"], "on": "y"}]
    told = stands({**position({**loose, "cards": cards_on}, fight=fight), "packs": packs})
    assert told["munchkins"] == 1 + enhancer["bonus"] + item["bonus"]
    assert told["assumed"][:-1] == []


def test_a_companion_carries_an_item() -> None:
    cards = [
        {"thing": "h", "card": "Hireling"},
        {"thing": "r", "card": "Huge Rock", "on": "h"},
        *held("Helm of Courage"),
    ]
    ann = {"sheet": "ann", "name": "Ann", "cards": cards}
    told = stands(position(ann, fight={"main": "ann", "foes": [foe("", level=9)]}))
    assert told["refusals"] == []
    assert (3, "Huge Rock") in terms(told)
    assert may(position(ann), "ann", "Huge Rock")["may"]  # the other one is carried for her


def test_any_position_of_any_cards_gets_an_answer() -> None:
    """Cards of every kind anywhere, names that mean something else: an answer by the schema, or a sentence why not."""
    rng = random.Random(7)
    for packs in (["classic"], ["good_bad"], ["shakespeare"]):
        cards = facts.told(packs)["cards"]
        for _ in range(12):
            p = _anything(rng, packs, cards)
            labels = [c["label"] for c in rng.sample(list(cards), 3)]
            with contextlib.suppress(Impossible):
                stands(p, *labels)
            could(p, "a", labels[0])
            may(p, "a", labels[1])


def _anything(rng: random.Random, packs: list[str], cards: Any) -> dict[str, Any]:
    things = itertools.count()

    def some(most: int, *kinds: str) -> list[dict[str, Any]]:
        found = [c["label"] for c in cards if not kinds or c["kind"] in kinds]
        return [
            {"thing": f"t{next(things)}", "card": x} for x in rng.sample(found, min(len(found), rng.randint(0, most)))
        ]

    sheets = [
        {
            "sheet": s,
            "name": rng.choice((s, "", "everyone", "A/b#2")),
            "level": rng.choice((1, 9, 15, 140)),
            "cards": some(8),
        }
        for s in ("a", "b", "c")
    ]
    for s in sheets:
        mine: Any = s["cards"]
        for h in mine:
            h.update({"worn": rng.random() < 0.8, "on": rng.choice(mine)["thing"] if rng.random() < 0.2 else ""})
    foes = [{**f, "enhancers": some(2, "monster_enhancer", "enhancer_enhancer")} for f in some(3, "monster")]
    played = [{**x, "side": rng.choice(("munchkins", "monsters"))} for x in some(3, "one_shot", "special", "curse")]
    fight = {"main": "a", "helper": rng.choice(("", "b")), "foes": foes, "played": played}
    return {"packs": packs, "sheets": sheets, "limit": rng.choice((0, 10, 20)), "fight": fight}
