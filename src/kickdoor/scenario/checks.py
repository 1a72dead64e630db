"""What must be true: reading paths out of a view and comparing them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final, cast

from kickdoor.engine.facts import force, front
from kickdoor.engine.value.game import Game
from kickdoor.engine.views import view
from kickdoor.scenario.naming import Names, ScenarioError, numbered, split
from kickdoor.scenario.wording import as_list

HIDDEN: Final = "hidden"
DECK_WORDS: Final = ("doors", "treasures", "dungeons", "spells", "fairy_dust")
PATHS: Final = (
    "fight",
    "winning",
    "turn",
    "phase",
    "winners",
    "asked",
    "doors.discard",
    "treasures.discard",
    "doors.deck",
    "doors.piles",
    "treasures.piles",
    "treasures.deck",
    "board",
    "box",
    "dungeons",
    "dungeons.discard",
    "dungeons.deck",
    "spells.discard",
    "spells.deck",
    "fairy_dust.deck",
    "fairy_dust.discard",
    "doors.top",
    "treasures.top",
    "changed_hands",
    "next_time",
    "rolls",
    "events",
    "fight.monsters",
    "fight.helper",
    "fight.treasures",
    "fight.main",
    "fight.played",
)
PLAYER_PATHS: Final = (
    "level",
    "strength",
    "sex",
    "races",
    "classes",
    "powers",
    "hand",
    "hand_size",
    "accessories",
    "in_play",
    "equipped",
    "carried",
    "curses",
    "afflictions",
    "hireling",
    "steed",
    "ship",
    "dead",
    "hands_free",
    "run_bonus",
    "drew",
)


HANGS_ON = {"with": "lying", "carries": "borne"}  # the words of the table for what a card has on it and with it


class Words(list[str]):
    """What one thing is called: any of these."""


class Card(str):
    """The name of a card, which card it is, and what lies on it and is carried by it."""

    number: int
    lying: list[str]
    borne: list[str]


class Copy(str):
    """A monster in a fight by its name and number, and what lies on it."""

    name: str
    lying: list[str]

    def __new__(cls, name: str, number: int, lying: list[str]) -> Copy:
        new = super().__new__(cls, name if number == 1 else f"{name}#{number}")
        new.name, new.lying = name, lying
        return new


class Label(str):
    """A card as a scenario writes it where there are several of its name (`Name#2`, `Name@pack`): one of these."""

    numbers: frozenset[int]


class OnTable(list[str]):
    """Cards in play; what is attached to one of them goes with its host, so it may be named or not."""

    attached: list[str]


class Eyes:
    """Reads paths from what one seat (or everybody) sees."""

    def __init__(self, g: Game, seat: int, events: list[str], labels: Names) -> None:
        self.g = g
        self.labels = labels
        self.v = cast("dict[str, Any]", view(g, seat))  # read by names that scenarios give
        self.events = events

    def spelled(self, wanted: Any) -> Any:
        """The same expectation, with each card under the name that is on it."""
        if isinstance(wanted, dict):
            return {k: self.spelled(v) for k, v in wanted.items()}
        if isinstance(wanted, list):
            return [self.spelled(x) for x in wanted]
        return self._spelled(wanted) if isinstance(wanted, str) else wanted

    def _spelled(self, wanted: str) -> str:
        by_name = self.g.lib.by_name
        if wanted.lower() in by_name:
            return self.name(by_name[wanted.lower()][0])
        if ("#" not in wanted and "@" not in wanted) or split(wanted)[0].lower() not in by_name:
            return wanted
        label = Label(wanted)
        label.numbers = frozenset(c for c in self.labels.copies(wanted) if self.labels.matches(wanted, c))
        return label

    def name(self, card: int) -> str:
        name = self._bare(card)
        name.lying = [self._bare(c) for c in front.attachments(self.g, card)]
        name.borne = [self._bare(c) for c, by in self.g.bearer.items() if by == card]
        return name

    def _bare(self, card: int) -> Card:
        name = Card(self.g.lib.defs[card].name)
        name.number, name.lying, name.borne = card, [], []
        return name

    def names(self, cards: list[int]) -> list[str]:
        return [self.name(c) for c in cards]

    def read(self, path: str) -> Any:
        if path in PATHS:
            return self._table(path)
        for s, p in enumerate(self.g.players):  # a name may have a dot in it (K.C.)
            if path.lower().startswith(f"{p.name.lower()}."):
                return self._player(s, path[len(p.name) + 1 :], path)
        known = [*PATHS, *(f"{p.name}.{x}" for p in self.g.players for x in PLAYER_PATHS)]
        near = get_close_matches(path, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(PATHS)}, and NAME.level ..."
        raise ScenarioError(f"unknown path {path!r}; {hint}")

    def _table(self, path: str) -> Any:
        v, fight = self.v, self.v["fight"]
        if path == "fight":
            return [fight["munchkins"], fight["monsters"]] if fight else "none"
        if path == "winning":
            return ("munchkins" if fight["winning"] else "monsters") if fight else "none"
        if path.startswith("fight."):
            return self._fight(path.partition(".")[2])
        if path == "turn":
            return self.g.players[v["turn"]].name
        if path == "phase":
            return "after_door" if v["phase"] == "door_card" else v["phase"]  # the contract has one word for both
        if path == "winners":
            return [self.g.players[s].name for s in v["winners"]]
        if path == "asked":
            return self._asked()
        deck, _, pile = path.partition(".")
        if pile == "piles":
            return v["piles"][("doors", "treasures").index(deck)] or "none"
        if pile in ("discard", "deck"):
            number = DECK_WORDS.index(deck)
            return self.names(v["discards"][number]) if pile == "discard" else v["decks"][number]
        if path == "board":
            return self._board()
        if pile == "top":
            top = v["tops"][DECK_WORDS.index(deck)]
            return self.name(top) if top >= 0 else HIDDEN
        if path == "changed_hands":
            return [self._changed(x["thing"], x["giver"], x["taker"]) for x in v["changed_hands"]]
        if path == "next_time":
            return v["next_time"]
        if path == "rolls":
            return v["rolls"]
        if path == "events":
            return self.events
        return self.names(v[path])

    def _board(self) -> Any:
        """Who stands on which space, where the game has a board."""
        board = self.v["board"]
        if board is None:
            return "none"
        out: dict[Any, list[str]] = {"spaces": board["spaces"]}
        for x in board["standies"]:
            out.setdefault(x["space"], []).append(f"{self.g.players[x['seat']].name} ({x['figure']})")
        return out

    def _changed(self, card: int, giver: int, taker: int) -> str:
        """`Thing: Aric > Bob`, or `> nobody` for what is gone."""
        names = [self.g.players[s].name if s >= 0 else "nobody" for s in (giver, taker)]
        return f"{self.name(card)}: {' > '.join(names)}"

    def _fight(self, rest: str) -> Any:
        fight = self.v["fight"]
        if not fight:
            return "none"
        if rest == "monsters":
            return self._monsters(fight)
        if rest == "helper":
            return self.g.players[fight["helper"]].name if fight["helper"] >= 0 else "none"
        if rest == "main":
            return self.g.players[fight["main"]].name
        if rest == "played":
            return self.names(fight["played"])
        return fight["treasures"]

    def _monsters(self, fight: dict[str, Any]) -> list[str]:
        """Active monsters; the second of a name is written `Name#2`, and so is a copy of one that has gone."""
        names = [self.name(foe["face"]) for foe in fight["foes"]]
        numbers = numbered(names, [foe["face"] != foe["card"] for foe in fight["foes"]])
        rows = zip(fight["foes"], names, numbers, strict=True)
        return [Copy(name, n, self.names(foe["enhancers"])) for foe, name, n in rows if foe["active"]]

    def _asked(self) -> Any:
        asked = self.v["asked"]
        if asked is None:
            return "none"
        words = Words([asked["about"], asked["rule"]])
        if asked["card"] >= 0:
            words.append(self.name(asked["card"]))
        return {"player": self.g.players[asked["seat"]].name, "about": words}

    def _player(self, s: int, rest: str, path: str) -> Any:
        p = self.v["players"][s]
        word, _, more = rest.partition(".")
        if word in ("level", "strength", "sex", "dead", "hand_size", "hands_free", "run_bonus"):
            return p[word]
        if word == "hand":
            return HIDDEN if p["hand"] is None else self.names(p["hand"])
        if word == "drew":
            return self._drew(p["drew"])
        if word == "accessories":
            return self.names(p["accessories"])
        if word in PLAYER_PATHS:
            return self._table_cards(s, word, more)
        near = get_close_matches(word, PLAYER_PATHS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(PLAYER_PATHS)}"
        raise ScenarioError(f"unknown path {path!r}; {hint}")

    def _traits(self, s: int, kind: str) -> list[str]:
        """Race or Class cards that count, then what other cards make of their owner besides."""
        own = self.names(front.races(self.g, s) if kind == "race" else front.classes(self.g, s))
        traits = self.v["players"][s]["traits"]
        lent = {d.name for d in self.g.lib.unique if d.kind == kind and d.trait in traits}
        return own + sorted(lent - set(self.names(front.counted(self.g, s))))

    def _drew(self, drew: dict[str, Any]) -> Any:
        cards = HIDDEN if drew["cards"] is None else self.names(drew["cards"])
        of = {word: n for word, n in zip(DECK_WORDS, drew["counts"], strict=True) if n}
        return {"doors": 0, "treasures": 0, **of, "face": drew["face"], "cards": cards}

    def _table_cards(self, s: int, word: str, more: str) -> Any:
        p = self.v["players"][s]
        defs = self.g.lib.defs
        table = p["table"]
        if word == "in_play":
            laid = OnTable(self.names(table))
            laid.attached = self.names([c for c in table if c in p["attached"]])
            return laid
        mounts = [c for c in table if defs[c].kind in ("steed", "ship") or defs[c].is_companion]
        in_use = [c for c in p["equipped"] if force.may_use(self.g, s, c)]  # ITEM-8: what cannot help is only carried
        if word == "equipped":
            return self.names(in_use)
        if word == "carried":
            idle = [c for c in table if defs[c].is_item and c not in in_use and c not in mounts]
            return self.names([c for c in idle if c not in p["attached"]])
        if word == "races":
            return self._traits(s, "race") or (["Human"] if front.has_races(self.g) else [])
        if word == "classes":
            return self._traits(s, "class")
        if word == "powers":
            return self.names([c for c in table if defs[c].kind == "power"])
        if word == "afflictions":
            return self.names(p["afflictions"])
        if word == "curses":
            return self.names([c for c in table if defs[c].is_curse])
        cards = [c for c in table if (defs[c].is_companion if word == "hireling" else defs[c].kind == word)]
        if word == "hireling":
            cards = [c for c in cards if c not in p["steeds"]]
        if word == "steed":
            cards = p["steeds"]
        if not cards:
            return "none"
        if more == "sex":
            return front.companion_sex(self.g, cards[0]) or "none"
        if more == "bonus":
            own = p["tamed"].get(cards[0], defs[cards[0]].bonus)
            return own + sum(
                defs[c].bonus for c in front.attachments(self.g, cards[0])
            )  # FQ-DER-10: they add to its bonus
        return self.name(cards[0]) if len(cards) == 1 else self.names(cards)


def compare(actual: Any, wanted: Any) -> bool:
    """Lists regardless of order; `contains`, `lacks`, `at_least`, `at_most`; a mapping compares the keys given."""
    if isinstance(actual, Words):
        return wanted in actual
    if isinstance(wanted, dict):
        return _laid(actual, wanted) if "card" in wanted else _mapping(actual, wanted)
    if isinstance(wanted, list) and isinstance(actual, list):
        return _list(actual, wanted)
    return _same(actual, wanted)


def _same(actual: Any, wanted: Any) -> bool:
    """One thing; `yes` and `no` are words in these files."""
    if isinstance(wanted, dict):
        return _laid(actual, wanted)
    if isinstance(actual, bool) or isinstance(wanted, bool):
        return actual is {"yes": True, "no": False}.get(wanted, wanted)
    if isinstance(actual, Copy) and wanted == actual.name:
        return True
    if isinstance(actual, Card) and isinstance(wanted, Label):
        return actual.number in wanted.numbers
    return bool(actual == wanted)


def _laid(actual: Any, wanted: dict[str, Any]) -> bool:
    """A card as the table is written, `{card: X, with: [...], carries: [...]}`: with exactly what is said."""
    if not isinstance(actual, (Card, Copy)) or "card" not in wanted or not set(wanted) <= {"card", *HANGS_ON}:
        return False
    has = {word: getattr(actual, attribute, []) for word, attribute in HANGS_ON.items()}
    return _same(actual, wanted["card"]) and all(_list(has[w], as_list(wanted[w])) for w in HANGS_ON if w in wanted)


def _mapping(actual: Any, wanted: dict[str, Any]) -> bool:
    if wanted and set(wanted) <= {"contains", "lacks"}:
        return isinstance(actual, list) and _part(actual, wanted)
    if wanted and set(wanted) <= {"at_least", "at_most"}:
        if not isinstance(actual, (int, float)):
            return False
        return bool(wanted.get("at_least", actual) <= actual <= wanted.get("at_most", actual))
    return isinstance(actual, dict) and all(k in actual and compare(actual[k], v) for k, v in wanted.items())


def _list(actual: list[Any], wanted: list[Any]) -> bool:
    """Without order, but for numbers: those are two sides, or rolls."""
    if all(isinstance(x, int) for x in (*actual, *wanted)):
        return actual == wanted
    left = _without(actual, wanted)
    if isinstance(actual, OnTable) and left:
        return _without(actual.attached, left) is not None
    return left == []


def _without(actual: list[Any], wanted: list[Any]) -> list[Any] | None:
    """What is left of a list when the wanted things are taken out, one copy before any; None if one is missing."""
    left = list(actual)
    for x in sorted(wanted, key=lambda x: not isinstance(x, (Label, dict))):
        found = next((i for i, a in enumerate(left) if _same(a, x)), -1)
        if found < 0:
            return None
        host = left.pop(found)
        if isinstance(x, dict):  # what hangs on it is said with it
            said = {c.number for w in HANGS_ON if w in x for c in getattr(host, HANGS_ON[w], [])}
            left = [c for c in left if not isinstance(c, Card) or c.number not in said]
    return left


def _part(actual: list[Any], wanted: dict[str, Any]) -> bool:
    left = _without(actual, as_list(wanted.get("contains")))
    return left is not None and not any(_same(a, x) for x in as_list(wanted.get("lacks")) for a in left)


def show(x: Any) -> str:
    """A value as a person would write it in a scenario."""
    if isinstance(x, Words):
        return " or ".join(dict.fromkeys(word for word in x if word))
    if isinstance(x, list):
        return "[" + ", ".join(show(i) for i in x) + "]"
    if isinstance(x, dict):
        return "{" + ", ".join(f"{k}: {show(v)}" for k, v in x.items()) + "}"
    return str(x).lower() if isinstance(x, bool) else str(x)
