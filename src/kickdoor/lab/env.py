"""The game as a PettingZoo AEC environment.

    from kickdoor.lab import env
    e = env.env(players=4)
    e.reset(seed=7)
    for agent in e.agent_iter():
        observation, reward, over, cut_off, info = e.last()
        e.step(None if over or cut_off else e.action_space(agent).sample(observation["action_mask"]))

An action is a place in the list of the acting seat's moves: 0 is "let it be" (only where nobody waits for the seat), k
is the k-th legal move. `observation["moves"]` describes each of them in numbers. See docs/lab.md for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kickdoor.bots import Bot, Table
from kickdoor.bots.driver import only_pass
from kickdoor.cards.library import CardDef
from kickdoor.engine.kernel import legal
from kickdoor.engine.setup import library, new_game, rules_for
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import PHASES, Game
from kickdoor.engine.value.moves import VERB_NAMES, Move, seat_of
from kickdoor.engine.value.seen import FightState, View
from kickdoor.engine.views import SPECTATOR, view

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as e:
    raise ImportError(
        f"kickdoor.lab.env needs the package {(e.name or 'pettingzoo').split('.')[0]!r}; "
        "get it with: pip install 'kickdoor[env]'"
    ) from None

ACTIONS: Final = 256
LET_IT_BE: Final = 0
EDGE: Final = 4.0  # all numbers are scaled to about 0..1 and cut off here
MAX_MOVES: Final = 20_000
MAX_TURNS: Final = 1_000

PENDING: Final = ("curse", "roll", "flight")
CARD_KINDS: Final = (
    "class", "curse", "dungeon", "enhancer_enhancer", "go_up_a_level", "hireling", "item", "item_enhancer", "monster",
    "monster_enhancer", "one_shot", "portal", "power", "race", "race_or_class_enhancer", "special", "spell", "steed",
    "steed_enhancer", "trap", "other",
)  # fmt: skip
TABLE: Final = (
    *(f"phase is {p}" for p in PHASES),
    "my turn", "turns / 100", "Doors left / 100", "Treasures left / 100",
    "Door discards / 100", "Treasure discards / 100",
    "I am asked", "somebody else is asked", "offers to me", "Treasures offered to me / 5",
    *(f"pending: {p}" for p in PENDING), "pending: something else", "pending for me", "die", "roll needs",
    "a fight", "I am the main fighter", "I help", "munchkins / 20", "monsters / 20", "munchkins ahead / 10",
    "munchkins winning", "fleeing", "monsters in it", "Treasures at stake / 5", "Treasures promised / 5",
)  # fmt: skip
SEAT: Final = (
    "level / 10", "dead", "cards in hand / 8", "strength / 20", "run away bonus / 5", "hands free / 2",
    "hand limit / 6", "male", "female", "cards in use / 6", "cards in front / 10", "Gold in front / 2000",
    "lasting curses / 3", "traits / 4", "has the turn", "is awaited", "main fighter", "helper", "has passed", "has won",
)  # fmt: skip
MOVE: Final = (
    *(f"verb is {v}" for v in VERB_NAMES),
    "let it be",
    *(f"card is {k}" for k in CARD_KINDS),
    "card level / 20", "card bonus / 10", "card Gold / 1000", "card Treasures / 5", "card is Big", "card is in my hand",
    "card is in use", "on me", "on another player", "on the munchkins", "on the monsters", "on a card",
    "target's level / 10", "target's strength / 20", "Treasures / 5", "I pick first", "the helper picks first",
    "a choice of mine", "answer is a number", "number / 10",
)  # fmt: skip


def env(**options: Any) -> Any:
    """The environment with PettingZoo's usual guards."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**options)))


class raw_env(AECEnv):
    """One table. `players` agents, named player_0 and so on in the order of their seats.

    `packs`, `edition` and `rules` choose the game as in `kickdoor.new_game`. `quick`: a seat that can only pass (or
    trade, or fiddle with its things, in a window) is not asked, as the bots' own driver does it; a forced move is made.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "name": "kickdoor_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        players: int = 4,
        packs: Sequence[str] = ("classic",),
        edition: str | None = None,
        rules: dict[str, Any] | None = None,
        quick: bool = True,
        max_moves: int = MAX_MOVES,
        max_turns: int = MAX_TURNS,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"no render mode {render_mode!r}; known: ansi, human")
        super().__init__()
        self.packs = tuple(packs)
        self.rules = rules_for(self.packs, edition, **(rules or {}))
        self.quick = quick
        self.max_moves = max_moves
        self.max_turns = max_turns
        self.render_mode = render_mode
        self.encoder = Encoder(self.packs, players)
        self.possible_agents = [f"player_{s}" for s in range(players)]
        self.seats = {a: s for s, a in enumerate(self.possible_agents)}
        self._spaces = {a: self.encoder.space() for a in self.possible_agents}
        self._actions = {a: spaces.Discrete(ACTIONS) for a in self.possible_agents}
        self.agents: list[str] = []
        self.next_seed = 1

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    # -- playing --------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. Without a seed the games of one environment differ, and still are the same every time."""
        seed = self.next_seed if seed is None else seed
        self.next_seed = seed + 1
        names = [a.replace("_", " ") for a in self.possible_agents]
        self.table = Table(new_game(names, packs=self.packs, seed=seed, rules=self.rules))
        self.table.game.events = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
        self.options: list[Move | None] = []
        self.agent_selection = self.agents[0]
        self._advance()

    @property
    def game(self) -> Game:
        return self.table.game

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self._move(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if move is not None:
            self.table.apply(move)
        self._advance()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _move(self, agent: str, action: int | None) -> Move | None:
        """The move behind an action."""
        place = -1 if action is None else int(action)
        if place == LET_IT_BE and self.options and self.options[0] is None:
            return None
        if not 0 < place <= self._count():
            raise ValueError(
                f"action {action} is not legal for {agent} now; its mask allows {self._allowed()}: "
                "sample with the mask, or choose among its ones"
            )
        return self.options[place if self.options[0] is None else place - 1]

    def _count(self) -> int:
        """How many moves there are to choose from, besides letting it be."""
        return min(ACTIONS - 1, len(self.options) - (self.options[0] is None))

    def _allowed(self) -> str:
        first = LET_IT_BE if self.options and self.options[0] is None else 1
        return f"{first} to {self._count()}"

    def _advance(self) -> None:
        """Go on until somebody has something to decide, or the game is over."""
        g = self.game
        while True:
            turn = self.table.next()
            if turn is None:
                self._end(g.winners)
                return
            if self.table.count >= self.max_moves or g.turns > self.max_turns:
                self._end([])
                return
            s, must = turn
            moves = legal(g, s)
            forced = self._forced(moves) if must else None
            if forced is None:
                break
            self.table.apply(forced)
        self.options = [*([] if must else [None]), *moves]
        self.agent_selection = self.possible_agents[s]

    def _forced(self, moves: list[Move]) -> Move | None:
        if not self.quick:
            return None
        return moves[0] if len(moves) == 1 else only_pass(moves)

    def _end(self, winners: Sequence[int]) -> None:
        """One for the winner, or a share of it; what that is worth, the others lose. Nothing if nobody won."""
        self.options = []
        losers = len(self.possible_agents) - len(winners)
        for agent, s in self.seats.items():
            if winners:
                self.terminations[agent] = True
                self.rewards[agent] = 1 / len(winners) if s in winners else -1 / losers
            else:
                self.truncations[agent] = True

    # -- looking --------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What this agent's seat sees. Moves and mask are the acting agent's alone; others get zeros."""
        s = self.seats[agent]
        acting = agent == self.agent_selection and bool(self.options)
        return self.encoder.observe(view(self.game, s), s, self.options if acting else [])

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        text = told(self.game)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to close."""

    def bot_action(self, bot: Bot) -> int:
        """What a bot of the ladder would do in the acting seat."""
        s = self.seats[self.agent_selection]
        if self.options[0] is None:
            choice = bot.interject(self.table.seat(s))
            return LET_IT_BE if choice is None else self.options.index(choice.move)
        return self.options.index(bot.choose(self.table.seat(s)).move) + 1


# -- numbers ------------------------------------------------------------------------------------------------------


class Encoder:
    """A view as numbers. It is given the view of a seat and the printed cards, and nothing else."""

    def __init__(self, packs: Sequence[str], players: int) -> None:
        self.lib = library(packs)
        self.players = players
        number = {id(d): i for i, d in enumerate(self.lib.unique)}
        self.number = [number.get(id(d), -1) for d in self.lib.defs]
        self.cards = len(self.lib.unique)
        self.facts = [_facts(d) for d in self.lib.defs]
        self.size = len(TABLE) + players * len(SEAT) + (players + 1) * self.cards

    def space(self) -> Any:
        return spaces.Dict(
            {
                "observation": spaces.Box(-EDGE, EDGE, (self.size,), np.float32),
                "moves": spaces.Box(-EDGE, EDGE, (ACTIONS, len(MOVE)), np.float32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )

    def names(self) -> list[str]:
        """What each number of an observation is. Seats are counted from the observer."""
        who = ["me", *(f"{i} after me" for i in range(1, self.players))]
        cards = [d.name for d in self.lib.unique]
        return [
            *TABLE,
            *(f"{w}: {x}" for w in who for x in SEAT),
            *(f"in my hand: {c}" for c in cards),
            *(f"in front of {w}: {c}" for w in who for c in cards),
        ]

    def observe(self, v: View, seat: int, options: Sequence[Move | None]) -> dict[str, Any]:
        mask = np.zeros(ACTIONS, np.int8)
        moves = np.zeros((ACTIONS, len(MOVE)), np.float32)
        at = 0 if options and options[0] is None else 1
        rows = [self._move(v, seat, move) for move in options[: ACTIONS - at]]
        if rows:
            mask[at : at + len(rows)] = 1
            moves[at : at + len(rows)] = np.array(rows, np.float32).clip(-EDGE, EDGE)
        return {"observation": self._vector(v, seat), "moves": moves, "action_mask": mask}

    def _vector(self, v: View, seat: int) -> Any:
        out = np.zeros(self.size, np.float32)
        numbers = _table(v, seat)
        order = [(seat + i) % self.players for i in range(self.players)]
        for s in order:
            numbers += self._seat(v, s)
        out[: len(numbers)] = np.array(numbers, np.float32).clip(-EDGE, EDGE)
        at = len(numbers)
        for cards in (v["players"][seat]["hand"] or [], *(v["players"][s]["table"] for s in order)):
            for c in cards:
                n = self.number[c]
                if n >= 0 and out[at + n] < EDGE:
                    out[at + n] += 1
            at += self.cards
        return out

    def _seat(self, v: View, s: int) -> list[float]:
        p, fight = v["players"][s], v["fight"]
        return [
            p["level"] / 10, p["dead"], p["hand_size"] / 8, p["strength"] / 20, p["run_bonus"] / 5,
            p["hands_free"] / 2, p["hand_limit"] / 6, p["sex"] in ("male", "both"), p["sex"] in ("female", "both"),
            len(p["equipped"]) / 6, len(p["table"]) / 10, sum(self.facts[c][2] for c in p["table"]) / 2,
            len(p["afflictions"]) / 3, len(p["traits"]) / 4, v["turn"] == s, s in v["awaited"],
            fight is not None and fight["main"] == s, fight is not None and fight["helper"] == s,
            fight is not None and s in fight["passed"], s in v["winners"],
        ]  # fmt: skip

    def _move(self, v: View, seat: int, move: Move | None) -> list[float]:
        verb = [0.0] * (len(VERB_NAMES) + 1)
        kind = [0.0] * len(CARD_KINDS)
        facts: tuple[float, ...] = (0.0,) * 5
        hand = used = False
        if move is None:
            verb[-1] = 1.0
            return [*verb, *[0.0] * (len(MOVE) - len(verb))]
        verb[move.verb] = 1.0
        if 0 <= move.card < len(self.facts):
            kind[_kind(self.lib.defs[move.card])] = 1.0
            facts = self.facts[move.card]
            me = v["players"][seat]
            hand, used = move.card in (me["hand"] or []), move.card in me["equipped"]
        to = seat_of(move.target)
        other = v["players"][to] if 0 <= to < self.players else None
        return [
            *verb, *kind, *facts, hand, used, to == seat, other is not None and to != seat,
            move.target == mv.MUNCHKINS, move.target == mv.MONSTERS, move.target >= 0,
            other["level"] / 10 if other else 0.0, other["strength"] / 20 if other else 0.0, *_extra(v, move),
        ]  # fmt: skip


def _kind(d: CardDef) -> int:
    return CARD_KINDS.index(d.kind) if d.kind in CARD_KINDS else len(CARD_KINDS) - 1


def _facts(d: CardDef) -> tuple[float, ...]:
    """What is printed on a card, as far as it is a number."""
    return (d.level / 20, d.bonus / 10, (d.gold or 0) / 1000, d.treasures / 5, float(d.big))


def _extra(v: View, move: Move) -> list[float]:
    """What a move says besides: terms of an offer, or a number that was asked for."""
    treasures = mv.treasures_in(move.extra) if mv.names_treasures(move.extra) else 0
    picks = mv.picks_in(move.extra) if move.verb == mv.ADD and mv.names_picks(move.extra) else -1
    asked = v["asked"]
    number = move.verb == mv.CHOOSE and asked is not None and asked["domain"] == "numbers"
    return [
        treasures / 5 if move.verb == mv.ADD else 0.0,
        picks == mv.PICKS_MAIN,
        picks == mv.PICKS_HELPER,
        picks == mv.PICKS_HANDED,
        number,
        move.card / 10 if number else 0.0,
    ]


def _table(v: View, me: int) -> list[float]:
    """The middle of the table."""
    asked, pending = v["asked"], v["pending"]
    what = pending["what"] if pending else ""
    roll = pending if what == "roll" else None
    offers = [o for o in v["offers"] if o["to"] == me]
    known = [what == p for p in PENDING]
    return [
        *(v["phase"] == p for p in PHASES),
        v["turn"] == me, v["turns"] / 100, v["decks"][0] / 100, v["decks"][1] / 100,
        v["discard_counts"][0] / 100, v["discard_counts"][1] / 100,
        asked is not None and asked["seat"] == me, asked is not None and asked["seat"] != me,
        len(offers), sum(o["treasures"] for o in offers) / 5,
        *known, bool(what) and not any(known), pending is not None and pending.get("seat") == me,
        roll["die"] / 6 if roll else 0.0, roll["need"] / 6 if roll else 0.0,
        *_fight(v["fight"], me),
    ]  # fmt: skip


def _fight(f: FightState | None, me: int) -> list[float]:
    if f is None:
        return [0.0] * 11
    ahead = f["munchkins"] - f["monsters"]
    return [
        1.0, f["main"] == me, f["helper"] == me, f["munchkins"] / 20, f["monsters"] / 20, ahead / 10, f["winning"],
        f["fleeing"], sum(x["active"] for x in f["foes"]), f["treasures"] / 5, f["deal"]["treasures"] / 5,
    ]  # fmt: skip


def told(g: Game) -> str:
    """The table in words, as an onlooker sees it."""
    v = view(g, SPECTATOR)
    lines = [
        f"turn {v['turns']}, {v['phase'].replace('_', ' ') or 'set-up'}; "
        f"{v['decks'][0]} Doors and {v['decks'][1]} Treasures are left"
    ]
    for s, p in enumerate(v["players"]):
        mark = ">" if v["turn"] == s else " "
        cards = ", ".join(g.lib.defs[c].name for c in p["table"]) or "nothing"
        dead = " (dead)" if p["dead"] else ""
        lines.append(
            f"{mark} {p['name']}{dead}: Level {p['level']}, strength {p['strength']}, {p['hand_size']} in hand; {cards}"
        )
    f = v["fight"]
    if f is not None:
        foes = " and ".join(g.lib.defs[x["face"]].name for x in f["foes"])
        helper = f" and {v['players'][f['helper']]['name']}" if f["helper"] >= 0 else ""
        lines.append(f"  {v['players'][f['main']]['name']}{helper} {f['munchkins']} against {foes} {f['monsters']}")
    if v["winners"]:
        lines.append("  won by " + " and ".join(v["players"][s]["name"] for s in v["winners"]))
    return "\n".join(lines)
