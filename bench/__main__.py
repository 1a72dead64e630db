"""Speed, beside other engines, in one run on one core.

    python -m bench              a table, what is asked of each figure, and how the cost of a decision grows
    python -m bench --json       the same for a program
    python -m bench --profile    where the time of random play goes

Machines are noisy, so the measurements take turns: several short rounds of processor time each, and the median counts.
Machines differ, so what is asked of the engine is asked in plies of python-chess in the same run. Engines that are not
installed are left out with a note.
"""

from __future__ import annotations

import argparse
import copy
import cProfile
import json
import pstats
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

import kickdoor
from bench import lab
from kickdoor import bots as company
from kickdoor.cards.packs import known_packs
from kickdoor.engine.setup import rules_for
from kickdoor.engine.value.frames import Combat
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import PASS, Move

NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eli", "Fay", "Gus", "Hal")
SEATS: Final = NAMES[:4]
BATCH: Final = 50  # steps between two looks at the clock

Step = Callable[[], int]  # does something and says how many units that was


# -- kickdoor ---------------------------------------------------------------------------------------------------


Choose = Callable[[random.Random, list[Move]], Move]


def any_move(rng: random.Random, moves: list[Move]) -> Move:
    """Uniform over all legal moves, as with the other engines. Much of it is putting trades together."""
    return rng.choice(moves)


def verb_first(rng: random.Random, moves: list[Move]) -> Move:
    """A verb, then one of its moves: games that get somewhere, and fewer cheap decisions."""
    verb = rng.choice(list({m.verb for m in moves}))
    return rng.choice([m for m in moves if m.verb == verb])


class RandomPlay:
    """Random games, one after the other, of four players with one box; a seat that can only pass is no decision."""

    def __init__(
        self, choose: Choose, seed: int = 1, seats: int = len(SEATS), packs: tuple[str, ...] = ("classic",)
    ) -> None:
        self.choose = choose
        self.seed = seed
        self.names, self.packs = NAMES[:seats], packs
        self.rules = rules_for(packs, **{"players.max": len(NAMES)})
        self.rng = random.Random(seed)
        self.decisions = 0
        self.moves = 0
        self.lengths: list[int] = []  # decisions of each finished game
        self.begun = 0
        self.g = self.deal()

    def deal(self) -> Game:
        g = kickdoor.new_game(self.names, packs=self.packs, seed=self.seed, rules=self.rules)
        g.events = None
        self.seed += 1
        return g

    def step(self) -> int:
        """Some moves; returns how many of them were decisions."""
        made = 0
        g = self.g
        choose, rng = self.choose, self.rng
        for _ in range(BATCH):
            if g.winners:
                self.lengths.append(self.decisions + made - self.begun)
                self.begun = self.decisions + made
                g = self.g = self.deal()
            moves = kickdoor.legal(g, kickdoor.to_act(g)[0])
            if len(moves) > 1:
                made += 1
                move = choose(rng, moves)
            else:
                move = moves[0]
                made += move.verb != PASS
            kickdoor.apply(g, move, trusted=True)
        self.moves += BATCH
        self.decisions += made
        return made


# Tables whose decisions may cost no more than so many times those of four players with classic.
GROWN: Final = 1.5
BOX: Final = "bites"


def larger_tables() -> dict[str, RandomPlay]:
    """The same play with more people, another box, and all packs that there are in one deck."""
    tables = {f"{n} seats": RandomPlay(any_move, seats=n) for n in (3, 6)}
    tables["8 seats, two packs"] = RandomPlay(any_move, seats=8, packs=("classic", "unnatural_axe"))  # one is too small
    tables[f"{BOX} alone"] = RandomPlay(any_move, packs=(BOX,))
    tables["all packs"] = RandomPlay(any_move, packs=tuple(known_packs()))
    return tables


def mid_combat(seed: int = 1) -> Game:
    """A table well into the game, in the middle of a fight."""
    rng = random.Random(seed)
    g = kickdoor.new_game(SEATS, packs=("classic",), seed=seed)
    g.events = None
    for i in range(5000):
        if i > 500 and isinstance(g.stack[-1], Combat) and g.stack[-1].stage == 1:
            break
        kickdoor.apply(g, rng.choice(kickdoor.legal(g, kickdoor.to_act(g)[0])), trusted=True)
    assert g.fight is not None, "no fight was found to measure in"
    return g


def clones() -> Step:
    g = mid_combat()

    def step() -> int:
        for _ in range(BATCH):
            g.clone()
        return BATCH

    return step


def views_in_play() -> Step:
    """A game of greedy bots is made again, move by move, and every seat looks after each; the moves are counted in."""
    moves: list[Move] = []

    def deal() -> Game:
        g = kickdoor.new_game(SEATS, packs=("classic",), seed=1)
        g.events = None
        return g

    players = [company.make("greedy", s) for s in range(len(SEATS))]
    company.play_out(deal(), players, watch=lambda _, choice: moves.append(choice.move))

    def step() -> int:
        g = deal()
        for m in moves:
            kickdoor.apply(g, m, trusted=True)
            for seat in range(len(SEATS)):
                kickdoor.view(g, seat)
        return len(moves) * len(SEATS)

    return step


def views() -> Step:
    """Every seat looks once after each change; nothing is remembered from before it. The dearest case: in play hardly
    a change makes all that was known about all cards worthless, and few positions are fights with an offer in them."""
    g = mid_combat()

    def step() -> int:
        g.touch()
        for seat in range(len(SEATS)):
            kickdoor.view(g, seat)
        return len(SEATS)

    return step


# -- the others -------------------------------------------------------------------------------------------------


def chess_plies() -> Step:
    chess: Any = import_module("chess")
    rng = random.Random(1)
    board = chess.Board()

    def step() -> int:
        made = 0
        for _ in range(BATCH):
            moves = list(board.legal_moves)
            if not moves or board.halfmove_clock >= 150:
                board.reset()
                continue
            board.push(rng.choice(moves))
            made += 1
        return made

    return step


def uno_env() -> Any:
    rlcard: Any = import_module("rlcard")
    return rlcard.make("uno", config={"seed": 1})


def uno_steps() -> Step:
    env = uno_env()
    rng = random.Random(1)
    state, _ = env.reset()

    def step() -> int:
        nonlocal state
        for _ in range(BATCH):
            if env.is_over():
                state, _ = env.reset()
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
        return BATCH

    return step


def uno_copies() -> Step:
    env = uno_env()
    state, _ = env.reset()
    for _ in range(8):
        state, _ = env.step(next(iter(state["legal_actions"])))

    def step() -> int:
        copy.deepcopy(env.game)
        return 1

    return step


def catan_game() -> Any:
    catanatron: Any = import_module("catanatron")
    return catanatron.Game([catanatron.RandomPlayer(color) for color in catanatron.Color], seed=1)


def catan_steps() -> Step:
    game = catan_game()

    def step() -> int:
        nonlocal game
        for _ in range(BATCH):
            if game.winning_color() is not None or game.state.num_turns > 1000:
                game = catan_game()
            game.play_tick()
        return BATCH

    return step


def catan_copies() -> Step:
    game = catan_game()
    for _ in range(150):
        game.play_tick()

    def step() -> int:
        for _ in range(BATCH):
            game.copy()
        return BATCH

    return step


# -- measuring --------------------------------------------------------------------------------------------------


@dataclass
class Row:
    """One thing that is measured."""

    name: str
    unit: str
    step: Step
    rates: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """So many seconds of processor time: what else the machine does counts little."""
        done = 0
        begin = time.process_time()
        end = begin + seconds
        now = begin
        while now < end:
            done += self.step()
            now = time.process_time()
        self.rates.append(done / (now - begin))

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    def plain(self) -> dict[str, Any]:
        low, high = min(self.rates), max(self.rates)
        return {"name": self.name, "unit": self.unit, "rate": self.rate, "low": low, "high": high}


CHESS: Final = "python-chess random play"
OTHERS: Final[tuple[tuple[str, str, Callable[[], Step]], ...]] = (
    (lab.ENVIRONMENT, "steps/s", lab.environment),
    (CHESS, "plies/s", chess_plies),
    ("rlcard uno random play", "steps/s", uno_steps),
    ("rlcard uno deepcopy", "copies/s", uno_copies),
    ("catanatron random play", "ticks/s", catan_steps),
    ("catanatron game copy", "copies/s", catan_copies),
)
DECISIONS: Final = "kickdoor decisions"
LIVELY: Final = "kickdoor decisions, verb first"
CLONES: Final = "kickdoor clones in mid-combat"
VIEWS: Final = "kickdoor views"
LOOKS: Final = "kickdoor views, in play"


def prepare(play: RandomPlay, lively: RandomPlay) -> tuple[list[Row], list[str]]:
    """Everything that can be measured here, and a note for what cannot."""
    rows = [
        Row(DECISIONS, "decisions/s", play.step),
        Row(LIVELY, "decisions/s", lively.step),
        Row(CLONES, "clones/s", clones()),
        Row(VIEWS, "views/s", views()),
        Row(LOOKS, "views/s", views_in_play()),
    ]
    notes = []
    for name, unit, make in OTHERS:
        try:
            rows.append(Row(name, unit, make()))
        except ImportError as e:
            notes.append(f"{name}: left out, {e.name or e} is not installed")
        except Exception as e:  # another engine's trouble is no reason to measure nothing
            notes.append(f"{name}: left out, {type(e).__name__}: {e}")
    return rows, notes


def run(rounds: int, seconds: float) -> dict[str, Any]:
    play, lively = RandomPlay(any_move), RandomPlay(verb_first)
    bots = {kind: lab.BotGames(kind) for kind in lab.KINDS}
    rows, notes = prepare(play, lively)
    rows += [Row(f"{kind} bots, recorded", "decisions/s", b.step) for kind, b in bots.items()]
    tables = larger_tables()
    rows += [Row(f"kickdoor decisions, {name}", "decisions/s", t.step) for name, t in tables.items()]
    for row in rows:
        row.measure(seconds / 4)  # warm up
        row.rates.clear()
    for _ in range(rounds):
        for row in rows:
            row.measure(seconds)
    rates = {row.name: row.rate for row in rows}
    simulated = [bot_games(kind, b, rates[f"{kind} bots, recorded"]) for kind, b in bots.items()]
    pace = next(x["games_per_second"] for x in simulated if x["kind"] == "greedy")
    spread = lab.workers("greedy", max(48, round(lab.LONG * pace)), max(1, min(3, rounds)))
    return {
        "engine": "compiled" if kickdoor.COMPILED else "plain Python",
        "rounds": rounds,
        "seconds": seconds,
        "rows": [row.plain() for row in rows],
        "games": [games(DECISIONS, play, rates), games(LIVELY, lively, rates)],
        "simulated": simulated,
        "workers": spread,
        "bars": [*bars(rates), *game_bars(simulated, rates), *growth_bars(rates, list(tables)), *lab_bars(spread)],
        "notes": notes,
    }


def bot_games(kind: str, played: lab.BotGames, rate: float) -> dict[str, Any]:
    """Games a second on one core, from decisions a second and decisions a game."""
    length = played.decisions / max(1, played.games)
    return {
        "kind": kind,
        "finished": played.games,
        "decisions_per_game": length,
        "decisions_per_second": rate,
        "games_per_second": rate / length,
        "games_per_processor_second": len(played.seconds) / sum(played.seconds),
    }


def bar(what: str, least: float, got: float | None) -> dict[str, Any]:
    """Something that is asked for, so many times as much as something else in the same run."""
    said = "python-chess is not installed" if got is None else f"{got:.2f}"
    return {"bar": f"{what}, at least {least:g}", "got": said, "met": got is not None and got >= least}


def game_bars(simulated: list[dict[str, Any]], rates: dict[str, float]) -> list[dict[str, Any]]:
    plies = rates.get(CHESS)
    out = []
    for x in simulated:
        if x["kind"] in lab.BARS:
            got = x["games_per_second"] / plies * 1000 if plies else None
            what = f"recorded games of {x['kind']} bots in the time of 1,000 plies of python-chess"
            out.append(bar(what, lab.BARS[x["kind"]], got))
    return out


def growth_bars(rates: dict[str, float], tables: list[str]) -> list[dict[str, Any]]:
    """What a decision costs at other tables, in those of four players with classic."""
    out = []
    for name in tables:
        got = rates[DECISIONS] / rates[f"kickdoor decisions, {name}"]
        what = f"cost of a decision, {name}, at most {GROWN} x four players with classic"
        out.append({"bar": what, "got": f"{got:.2f} x", "met": got <= GROWN})
    return out


def lab_bars(spread: dict[str, Any]) -> list[dict[str, Any]]:
    scaling = f"simulation with 2 workers, at least {lab.SCALING} x one"
    got_scaling = f"{spread['ratio']:.2f} x by the clock at a load of {spread['load']} on {spread['cores']} cores"
    got_scaling += f"; two bare processes {spread['control']:.2f} x"
    return [{"bar": scaling, "got": got_scaling, "met": spread["ratio"] >= lab.SCALING}]


def games(name: str, play: RandomPlay, rates: dict[str, float]) -> dict[str, Any]:
    """How long games are, counting finished ones, and so how many a second."""
    length = statistics.mean(play.lengths) if play.lengths else 0.0
    return {
        "name": name,
        "finished": len(play.lengths),
        "decisions_per_game": length,
        "moves_per_decision": play.moves / play.decisions,
        "games_per_second": rates[name] / length if length else 0.0,
    }


def bars(rates: dict[str, float]) -> list[dict[str, Any]]:
    """What the engine is measured by, and whether it gets there."""
    plies = rates.get(CHESS)
    asked = ((DECISIONS, 5.0), (CLONES, 15.0), (VIEWS, 3.0))
    return [
        *(
            bar(f"{name} a second, in plies of python-chess", x, rates[name] / plies if plies else None)
            for name, x in asked
        ),
        bar(f"steps a second of the {lab.ENVIRONMENT}", lab.STEPS, rates.get(lab.ENVIRONMENT)),
    ]


def show(result: dict[str, Any]) -> None:
    plies = next((r["rate"] for r in result["rows"] if r["name"].startswith("python-chess")), 0.0)
    print(f"engine: {result['engine']}")
    print(f"{'':40}{'median':>12}  {'low .. high':>21}  {'x chess':>8}")
    for r in result["rows"]:
        ratio = f"{r['rate'] / plies:8.2f}" if plies else ""
        spread = f"{r['low']:,.0f} .. {r['high']:,.0f}"
        print(f"{r['name']:40}{r['rate']:>12,.0f}  {spread:>21}  {ratio:>8}  {r['unit']}")
    print()
    for x in result["games"]:
        print(
            f"{x['name']}: {x['games_per_second']:.2f} games/s ({x['finished']} finished,"
            f" {x['decisions_per_game']:,.0f} decisions each, {x['moves_per_decision']:.2f} moves to a decision)"
        )
    for x in result["simulated"]:
        print(
            f"{x['kind']} bots, one core: {x['games_per_second']:.1f} games/s,"
            f" {x['decisions_per_second']:,.0f} decisions/s"
            f" ({x['finished']} finished, {x['decisions_per_game']:.0f} decisions each,"
            f" {x['games_per_processor_second']:.1f} games per second of processor time)"
        )
    w = result["workers"]
    print(
        f"simulate, {w['kind']} bots: 1 worker {w['one']:.1f} games/s, 2 workers {w['two']:.1f} games/s,"
        f" {w['ratio']:.2f} x"
    )
    for b in result["bars"]:
        print(f"{'met    ' if b['met'] else 'NOT MET'}  {b['bar']}: {b['got']}")
    for note in result["notes"]:
        print(f"note: {note}")


def profile(seconds: float, lines: int) -> None:
    """Random play under cProfile, by the time spent in each function itself."""
    play = RandomPlay(any_move)
    play.step()
    profiler = cProfile.Profile()
    end = time.perf_counter() + seconds
    profiler.enable()
    while time.perf_counter() < end:
        play.step()
    profiler.disable()
    print(f"{play.decisions} decisions, {play.moves} moves")
    pstats.Stats(profiler, stream=sys.stdout).strip_dirs().sort_stats("tottime").print_stats(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="How fast the engine is, beside others.")
    parser.add_argument("--json", action="store_true", help="print the result for a program")
    parser.add_argument("--profile", action="store_true", help="print where the time of random play goes")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each measurement (7)")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of one round (0.5)")
    parser.add_argument("--lines", type=int, default=40, help="functions in the profile (40)")
    args = parser.parse_args()
    if args.profile:
        profile(args.rounds * args.seconds, args.lines)
        return
    result = run(args.rounds, args.seconds)
    if args.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)


if __name__ == "__main__":
    main()
