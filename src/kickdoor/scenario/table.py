"""Setting a table from the `table:` of a scenario."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final

from kickdoor.cards.language import Card
from kickdoor.cards.library import Library
from kickdoor.cards.packs import out_of_bounds
from kickdoor.cards.reading import convert
from kickdoor.engine import setup
from kickdoor.engine.facts import front, nature
from kickdoor.engine.kernel import settle
from kickdoor.engine.table import accessories, deck_building, items, several_piles
from kickdoor.engine.value.flags import FOUGHT, LOOKED, MONSTER_MET
from kickdoor.engine.value.frames import Combat, Creation, Turn
from kickdoor.engine.value.game import (
    AFTER_DOOR,
    BEFORE_DOOR,
    CHARITY_PHASE,
    CREATION,
    DOOR,
    DUNGEON,
    FAIRY_DUST,
    FEMALE,
    MALE,
    SPELL,
    TREASURE,
    Game,
    bare_table,
    new_player,
)
from kickdoor.engine.value.records import Fight, Foe
from kickdoor.engine.value.ruleset import Ruleset, RulesetError
from kickdoor.paper.plain import short
from kickdoor.scenario.memory import recall
from kickdoor.scenario.naming import Names, ScenarioError, seat_named
from kickdoor.scenario.wording import as_list

PHASES: Final = {
    "before_door": BEFORE_DOOR,
    "after_door": AFTER_DOOR,
    "charity": CHARITY_PHASE,
    "creation": CREATION,
}
TABLE_KEYS: Final = (
    "turn",
    "phase",
    "players",
    "doors",
    "treasures",
    "dice",
    "door_discards",
    "treasure_discards",
    "dungeons",
    "dungeon_deck",
    "spells",
    "fairy_dust",
    "spell_discards",
    "box",
    "fixtures",
    "decks",
    "fight",
    "deal",
    "seed",
    "memory",
    "unseen",
)
CHAIRS: Final = 12  # the engine knows no larger table
PLAYER_KEYS: Final = ("level", "sex", "in_play", "hand", "dead", "accessories")


def check_keys(given: Any, known: tuple[str, ...] | None, where: str) -> dict[str, Any]:
    """A mapping with no key outside the known ones, where not any key will do."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ScenarioError(f"{where}: must be a mapping, not {given!r}")
    for k in given if known is not None else ():
        if known is not None and k not in known:
            near = get_close_matches(str(k), known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise ScenarioError(f"{where}: unknown key {k!r}; {hint}")
    return given


def read_rules(data: Any, packs: list[str]) -> Ruleset:
    if data is None:
        return setup.default_rules(packs)
    if isinstance(data, str):
        data = {"edition": data}
    if not isinstance(data, dict):
        raise ScenarioError(f"rules: must be a preset or a mapping, not {data!r}")
    data = dict(data)
    edition = data.pop("edition", None)
    try:
        return setup.rules_for(packs, edition and str(edition), **{str(k): _truth(v) for k, v in data.items()})
    except RulesetError as e:
        raise ScenarioError(f"rules: {e}") from None


def _truth(value: Any) -> Any:
    """`yes` and `no` are words in these files; for a field they mean true and false."""
    if isinstance(value, dict):
        return {k: _truth(v) for k, v in value.items()}
    if isinstance(value, list):  # of steps, or of things with fields; a list of words is one
        return [_truth(v) if isinstance(v, dict | list) else v for v in value]
    return {"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


def flag(given: dict[str, Any], key: str) -> bool:
    """A field that is there or not; `no` says that it is not."""
    value = _truth(given.get(key))
    if value not in (None, True, False):
        raise ScenarioError(f"table: {key}: yes or no, not {value!r}")
    return bool(value)


SAID = ("name", "text", "bad_stuff_text", "note")  # what a card has in words


def read_fixtures(data: Any, where: str) -> list[Card]:
    out = []
    for i, raw in enumerate(as_list(data)):
        if isinstance(raw, dict):
            raw = {k: v if k in SAID else _truth(v) for k, v in raw.items()}
            if "tags" in raw:
                raw["tags"] = as_list(raw["tags"])
            if not {"kind", "like", "as_in"} & set(raw):
                raise ScenarioError(f"{where}: fixture {raw.get('name', i + 1)!r} needs a kind (or like:, or as_in:)")
            for says in out_of_bounds(raw):
                raise ScenarioError(f"{where}: fixture {short(raw.get('name', i + 1))}: {says}")
        out.append(convert(raw, Card, where, {}, str(raw.get("name", i + 1)) if isinstance(raw, dict) else ""))
    return out


class Seating:
    """Builds the game of one scenario."""

    def __init__(self, table: dict[str, Any], rules: Ruleset, lib: Library, count: bool = False) -> None:
        self.table = check_keys(table, TABLE_KEYS, "table")
        people = self.table.get("players") or {}
        if not isinstance(people, dict) or not people:
            raise ScenarioError("table: players must be a mapping of names")
        if len(people) > CHAIRS:
            raise ScenarioError(f"table: players: at most {CHAIRS} sit at a table, not {len(people):,}")
        self.people = {str(n): check_keys(p, PLAYER_KEYS, f"table: player {n}") for n, p in people.items()}
        self.refusable = count
        if count or flag(self.table, "deal"):  # a position may be set up for any number; a game may not
            setup.check_seats(rules, len(self.people))
        players = [new_player(name, self._sex(name, p), self._level(name, p, rules)) for name, p in self.people.items()]
        self.g = bare_table(lib, rules, players, int(self.table.get("seed", 1)))
        self.names = Names(self.g)
        self.piles: dict[str, dict[str, list[int]]] = {}

    def _sex(self, name: str, p: dict[str, Any]) -> int:
        sex = p.get("sex", "male")
        if sex == "choose" and flag(self.table, "deal"):  # said at the table, before the deal (MM-3)
            return MALE
        if sex not in ("male", "female"):
            raise ScenarioError(f"table: player {name}: sex must be male or female, not {sex!r}")
        return FEMALE if sex == "female" else MALE

    def _level(self, name: str, p: dict[str, Any], rules: Ruleset) -> int:
        level = p.get("level", rules.level.start)
        if not isinstance(level, int) or not rules.level.min <= level <= rules.level.goal + 1:
            raise ScenarioError(f"table: player {name}: level must be {rules.level.min} to {rules.level.goal}")
        return level

    def build(self) -> Game:
        g, t = self.g, self.table
        g.turn = seat_named(g, t["turn"]) if "turn" in t else 0
        g.dice = [self._die(d) for d in as_list(t.get("dice"))]
        for s, p in enumerate(self.people.values()):
            accessories.bring(g, s, self._claim(p.get("accessories")))
        self.names.used.update(c for mine in g.accessories for c in mine)  # with what comes along
        if flag(t, "deal"):
            return self._dealt()
        g.dungeons = self._claim(t.get("dungeons"))  # before the players: it may decide what they can use
        for s, (name, p) in enumerate(self.people.items()):
            self._seat(s, name, p)
        tops = {DOOR: self._top("doors"), TREASURE: self._top("treasures")}
        g.discards[DOOR] = self._claim(t.get("door_discards"))[::-1]
        g.discards[TREASURE] = self._claim(t.get("treasure_discards"))[::-1]
        g.discards[SPELL] = self._claim(t.get("spell_discards"))[::-1]
        g.box = self._claim(t.get("box"))
        tops[DUNGEON] = self._claim(t.get("dungeon_deck"))
        tops[SPELL] = self._claim(t.get("spells"))
        tops[FAIRY_DUST] = self._claim(t.get("fairy_dust"))
        fight = self._fight(t.get("fight"))
        self._decks(tops, exact=t.get("decks") == "exact" or "unseen" in t)
        self._start(fight)
        self.g = recall(g, t.get("memory"), t.get("unseen"))
        self.names.g = self.g
        return self.g

    def _die(self, d: Any) -> int:
        if not isinstance(d, int) or not 1 <= d <= 6:
            raise ScenarioError(f"table: dice: a die shows 1 to 6, not {d!r}")
        return d

    def _top(self, word: str) -> list[int]:
        """The top of a deck; where it lies in several piles, of each of them by name (see `_piles`)."""
        labels = self.table.get(word)
        if not isinstance(labels, dict):
            return self._claim(labels)
        tops = [(name, self._claim(cards)) for name, cards in labels.items()]
        self.piles[word] = {str(name): cards for name, cards in tops}
        return []

    def _claim(self, labels: Any) -> list[int]:
        if labels is None:
            return []
        if isinstance(labels, dict):
            raise ScenarioError(f"table: expected a list of cards, not {labels!r}")
        return [self.names.claim(str(label)) for label in as_list(labels)]

    def _dealt(self) -> Game:
        g = self.g
        g.box = self._claim(self.table.get("box"))
        for deck, word in ((DOOR, "doors"), (TREASURE, "treasures"), (DUNGEON, "dungeon_deck"), (SPELL, "spells")):
            g.piles[deck] = [*g.piles[deck], *self._claim(self.table.get(word))]  # shuffled in with the rest
        setup.fill_decks(g, self.names.used)
        if self.refusable:  # only a table that is set to be refused is asked whether its decks are tall enough
            deck_building.check_size(g)
        choosing = [s for s, p in enumerate(self.people.values()) if p.get("sex") == "choose"]
        setup.open_game(g, first=g.turn if "turn" in self.table else -1, choosing=choosing)
        return g

    def _seat(self, s: int, name: str, p: dict[str, Any]) -> None:
        g = self.g
        player = g.players[s]
        player.dead = flag(p, "dead")
        player.redeal = player.dead
        wanted: list[int] = []
        for key in p:  # in the order written, which is also that of the copies
            if key == "hand":
                player.hand = self._claim(p["hand"])
            elif key == "in_play":
                for entry in as_list(p["in_play"]):
                    self._in_play(s, name, entry, wanted)
        g.touch()
        for c in wanted:
            if self._ridden(s, c):
                g.ridden = {**g.ridden, c: g.lib.defs[c].treasures}
                g.touch()
        left = [c for c in wanted if c not in g.ridden and items.can_be_equipped(g, c)]
        while (fitting := next((c for c in left if items.why_not_equip(g, s, c) is None), None)) is not None:
            left.remove(fitting)  # what is put on may be what another needs, in whatever order they are written
            g.equipped.add(fitting)
            g.touch()

    def _ridden(self, seat: int, card: int) -> bool:
        """A monster before a player is a tamed one, unless it is a pet (FQ-DER-4, EPIC-26).

        An Item that may serve as a Steed lies there as one if a Steed enhancer lies on it (FQ-DER-10).
        """
        defs = self.g.lib.defs
        if defs[card].kind == "monster":
            return not (nature.epic_powers(self.g, seat) and not front.races(self.g, seat))
        laden = any(defs[a].kind == "steed_enhancer" for a, on in self.g.host.items() if on == card)
        return laden and defs[card].is_item and "rideable" in defs[card].mods

    def _in_play(self, s: int, name: str, entry: Any, wanted: list[int]) -> None:
        g = self.g
        table = g.players[s].table
        if not isinstance(entry, dict):
            card = self.names.claim(str(entry))
            table.append(card)
            wanted.append(card)
            return
        check_keys(entry, ("carried", "card", "with", "carries"), f"table: player {name}: in_play")
        carried = entry.get("carried")
        if (carried is None) == ("card" not in entry):
            raise ScenarioError(f"table: player {name}: in_play: a card, or one that is carried, not {entry!r}")
        card = self.names.claim(str(entry["card"] if carried is None else carried))
        table.append(card)
        if carried is None:
            wanted.append(card)
        for label in as_list(entry.get("with")):
            extra = self.names.claim(str(label))
            table.append(extra)
            g.host[extra] = card
        for label in as_list(entry.get("carries")):
            item = self.names.claim(str(label))
            table.append(item)
            g.bearer = {**g.bearer, item: card}
            g.equipped.add(item)

    def _fight(self, data: Any) -> Fight | None:
        if data is None:
            return None
        check_keys(data, ("main", "helper", "monsters"), "table: fight")
        g = self.g
        fight = Fight(seat_named(g, data["main"]) if "main" in data else g.turn)
        if data.get("helper") not in (None, "none"):
            fight.helper = seat_named(g, data["helper"])
        for i, entry in enumerate(as_list(data.get("monsters"))):
            extra: list[Any] = []
            if isinstance(entry, dict):
                check_keys(entry, ("card", "with"), "table: fight: monsters")
                extra = as_list(entry.get("with"))
                entry = entry["card"]
            card = self.names.claim(str(entry))
            fight.foes.append(Foe(card, card, i))
            self._enhance(fight, i, extra)
        if not fight.foes:
            raise ScenarioError("table: fight: needs monsters")
        fight.starter = fight.foes[0].card
        return fight

    def _makes_two(self, card: int) -> bool:
        lib = self.g.lib
        programs = [lib.programs[m.prog] for m in lib.defs[card].modes if m.prog >= 0]
        return any(i.verb == "clone_monster" for program in programs for i in program)

    def _enhance(self, fight: Fight, group: int, labels: list[Any]) -> None:
        """What lies on a monster; an enhancer enhancer lies on the enhancer written before it (EENH-3)."""
        below = -1
        for label in labels:
            more: list[Any] = []
            if isinstance(label, dict):
                check_keys(label, ("card", "with"), "table: fight: monsters: with")
                label, more = label["card"], as_list(label.get("with"))
            for name in (label, *more):
                card = self.names.claim(str(name))
                if self._makes_two(card):  # ENH-6: a Mate is a monster of its own, with the same enhancers
                    face = next(x.face for x in fight.foes if x.group == group)
                    fight.foes.append(Foe(card, face, group, joined=True))
                    continue
                fight.enhancers = [*fight.enhancers, (card, group, -1)]
                if self.g.lib.defs[card].kind != "enhancer_enhancer":
                    below = card
                elif below >= 0:
                    fight.boosts = [*fight.boosts, (card, below)]
                else:
                    raise ScenarioError(f"table: fight: {name} needs an enhancer before it to lie on")

    def _decks(self, tops: dict[int, list[int]], exact: bool) -> None:
        """What is written on top; below it the rest in a fixed order, cards that act when drawn at the very bottom."""
        g = self.g
        if not exact:
            setup.fill_decks(g, self.names.used, by_the_book=False)
            deck_building.leave_out(g)
            piles, _ = g.own_piles()
            for pile in piles:
                pile.sort(key=lambda c: not g.lib.defs[c].immediate)
        several_piles.split(g)
        for deck, cards in tops.items():
            g.piles[deck] = [*g.piles[deck], *cards[::-1]]
        for word, deck in (("doors", DOOR), ("treasures", TREASURE)):
            if word in self.piles:
                self._piles(word, deck)

    def _piles(self, word: str, deck: int) -> None:
        """The tops of a deck that lies in several piles, by their names (DECK-13..DECK-15)."""
        g = self.g
        names = list(several_piles.heights(g, deck))
        for name, cards in self.piles[word].items():
            if name not in names:
                known = f"known: {', '.join(names)}" if names else "the deck is one pile (rules: decks.piles)"
                raise ScenarioError(f"table: {word}: no pile {name!r}; {known}")
            place = names.index(name)
            if place == g.heap[deck]:
                g.piles[deck] = [*g.piles[deck], *cards[::-1]]
            else:
                g.aside[deck][place] += cards[::-1]
        first = next((i for i in range(len(names)) if g.aside[deck][i]), -1)
        if not g.piles[deck] and first >= 0:
            several_piles.turn_to(g, deck, first)

    def _start(self, fight: Fight | None) -> None:
        g, t = self.g, self.table
        word = t.get("phase", "before_door")
        if word not in PHASES:
            raise ScenarioError(f"table: phase must be one of {', '.join(PHASES)}, not {word!r}")
        phase = PHASES[word]
        g.stack = [Turn(phase)]
        if phase == CREATION:
            g.stack.append(Creation(g.turn, len(g.players)))
        if fight is not None:
            g.fight = fight
            g.flags |= MONSTER_MET | FOUGHT
            g.stack[0] = Turn(AFTER_DOOR)
            g.stack.append(Combat(stage=1))
        if phase == CHARITY_PHASE:
            g.flags |= LOOKED
        g.turns = 1
        g.events = []
        if phase == CREATION:
            self._immediate_hands()
        for s in range(len(g.players)):
            g.dirty |= 1 << s
        settle(g)

    def _immediate_hands(self) -> None:
        """Cards that act when received act in a starting hand too (FQ-BASE-16, FQ-BASE-19)."""
        from kickdoor.engine.table import decks

        g = self.g
        for s in reversed(g.around(g.turn)):
            for c in [c for c in g.players[s].hand if g.lib.defs[c].immediate]:
                g.players[s].hand.remove(c)
                decks.start_immediate(g, s, c, False)
