"""What must be true: reading paths out of a view and comparing them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final

from kickdoor.engine import queries as q
from kickdoor.engine.game import Game
from kickdoor.engine.views import view
from kickdoor.scenario.naming import ScenarioError
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


class Words(list[str]):
    """What one thing is called: any of these."""


class OnTable(list[str]):
    """Cards in play; what is attached to one of them goes with its host, so it may be named or not."""

    attached: list[str]


class Eyes:
    """Reads paths from what one seat (or everybody) sees."""

    def __init__(self, g: Game, seat: int, events: list[str]) -> None:
        self.g = g
        self.v = view(g, seat)
        self.events = events

    def spelled(self, wanted: Any) -> Any:
        """The same expectation, with each card under the name that is on it."""
        if isinstance(wanted, dict):
            return {k: self.spelled(v) for k, v in wanted.items()}
        if isinstance(wanted, list):
            return [self.spelled(x) for x in wanted]
        cards = self.g.lib.by_name.get(wanted.lower(), ()) if isinstance(wanted, str) else ()
        return self.name(cards[0]) if cards else wanted

    def name(self, card: int) -> str:
        return self.g.lib.defs[card].name

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
            return [self._changed(*x) for x in v["changed_hands"]]
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
        """Active monsters; the second of a name is written `Name#2`."""
        out: list[str] = []
        seen: dict[str, int] = {}
        for foe in fight["foes"]:
            name = self.name(foe["face"])
            seen[name] = seen.get(name, 0) + 1
            if foe["active"]:
                out.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
        return out

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
        own = self.names(q.races(self.g, s) if kind == "race" else q.classes(self.g, s))
        traits = self.v["players"][s]["traits"]
        lent = {d.name for d in self.g.lib.unique if d.kind == kind and d.trait in traits}
        return own + sorted(lent - set(self.names(q.counted(self.g, s))))

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
        in_use = [c for c in p["equipped"] if q.may_use(self.g, s, c)]  # ITEM-8: what cannot help is only carried
        if word == "equipped":
            return self.names(in_use)
        if word == "carried":
            idle = [c for c in table if defs[c].is_item and c not in in_use and c not in mounts]
            return self.names([c for c in idle if c not in p["attached"]])
        if word == "races":
            return self._traits(s, "race") or (["Human"] if q.has_races(self.g) else [])
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
            return q.companion_sex(self.g, cards[0]) or "none"
        if more == "bonus":
            own = p["tamed"].get(cards[0], defs[cards[0]].bonus)
            return own + sum(defs[c].bonus for c in q.attachments(self.g, cards[0]))  # FQ-DER-10: they add to its bonus
        return self.name(cards[0]) if len(cards) == 1 else self.names(cards)


def _norm(x: Any) -> Any:
    """`yes` and `no` are words in these files; and a card's pack is no part of its name."""
    if not isinstance(x, str):
        return x
    return {"yes": True, "no": False}.get(x, x.partition("@")[0])


def compare(actual: Any, wanted: Any) -> bool:
    """Lists regardless of order; `contains`, `lacks`, `at_least`, `at_most`; a mapping compares the keys given."""
    if isinstance(actual, Words):
        return _norm(wanted) in [_norm(word) for word in actual]
    if isinstance(wanted, dict):
        return _mapping(actual, wanted)
    if isinstance(wanted, list) and isinstance(actual, list):
        return _list(actual, wanted)
    return bool(_norm(actual) == _norm(wanted))


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
    if isinstance(actual, OnTable):
        actual = _with_attached(actual, _multiset(wanted))
    return _multiset(actual) == _multiset(wanted)


def _with_attached(actual: OnTable, named: list[str]) -> list[str]:
    """Of what is attached, only what the scenario names as well."""
    rest = list(actual)
    for x in actual.attached:
        if _plain(x) not in named:
            rest.remove(x)
    return rest


def _multiset(xs: list[Any]) -> list[str]:
    return sorted(_plain(x) for x in xs)


def _plain(x: Any) -> str:
    """A name without its copy number: copies are told apart by place, not in lists."""
    text = str(_norm(x))
    head, mark, tail = text.rpartition("#")
    return head if mark and tail.isdigit() else text


def _part(actual: list[Any], wanted: dict[str, Any]) -> bool:
    have = _multiset(actual)
    for x in as_list(wanted.get("contains")):
        if _plain(x) not in have:
            return False
        have.remove(_plain(x))
    return all(_plain(x) not in have for x in as_list(wanted.get("lacks")))


def show(x: Any) -> str:
    """A value as a person would write it in a scenario."""
    if isinstance(x, list):
        return "[" + ", ".join(show(i) for i in x) + "]"
    if isinstance(x, dict):
        return "{" + ", ".join(f"{k}: {show(v)}" for k, v in x.items()) + "}"
    return str(x).lower() if isinstance(x, bool) else str(x)
