"""A first agent, trained in minutes: it learns by watching a teacher, also where its own play has led.

    python -m kickdoor.lab.training -o my_agent.npz                  about five minutes of one core
    python -m kickdoor.lab.training --lessons 20000 -o quick.npz     one minute, and weaker
    kickdoor arena --bots trained=my_agent.npz,greedy -n 400

Many games go on at once. In each of them half the seats are played by the teacher and half by the learner; whoever
plays, the teacher says what it would do, and the learner is made to find that likelier (DAgger, Ross et al. 2011). The
same seed brings the same agent on the same machine.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from kickdoor.bots import BotError, make
from kickdoor.lab.agents import SHARP
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import wilson
from kickdoor.lab.policy import Batch, Ints, Policy, drawn, softmax
from kickdoor.lab.vector import Games

try:
    import numpy as np
except ImportError:
    raise ImportError("kickdoor.lab.training needs numpy; get it with: pip install 'kickdoor[env]'") from None

TEACHER: Final = "greedy"
LESSONS: Final = 160_000
GAMES: Final = 32  # at once
CHUNK: Final = 4_096  # decisions between two rounds of learning
KEPT: Final = 12  # chunks that are remembered
SMALL: Final = 256  # decisions that are learned from at a time
PASSES: Final = 6  # how often a round goes over as many decisions as a chunk has
RATES: Final = (1e-3, 1e-4)  # of learning: at the beginning, at the end
TRIAL_SEED: Final = 1_000_000  # of the games that an agent is tried in, far from those it learns in


@dataclass
class Lessons:
    """Decisions with the teacher's answers."""

    observation: list[Any] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)
    cards: list[Any] = field(default_factory=list)
    right: list[int] = field(default_factory=list)  # the place of the answer among the moves

    def __len__(self) -> int:
        return len(self.right)

    def batch(self, which: Ints) -> tuple[Batch, Ints]:
        """Some of them, and where their answers lie."""
        start = np.concatenate([[0], np.cumsum([len(self.cards[i]) for i in which])])
        seen = np.array([self.observation[i] for i in which], np.float32)
        moves = np.concatenate([self.moves[i] for i in which]).astype(np.float32)
        cards = np.concatenate([self.cards[i] for i in which])
        return Batch(seen, start, moves, cards), start[:-1] + np.array([self.right[i] for i in which])


def now(games: Games) -> tuple[Batch, Ints]:
    """The decisions at all tables, and the action that each move is."""
    legal = games.legal()
    return Batch(games.observation, legal.start, legal.moves, legal.cards), legal.action


@dataclass
class Point:
    """How far it has come."""

    lessons: int
    seconds: float  # of processor time
    loss: float
    agreed: float  # how often the teacher's answer was the likeliest move, before it was learned from


class Trainer:
    """Watches, and learns."""

    def __init__(self, teacher: str = TEACHER, seed: int = 1, games: int = GAMES) -> None:
        self.rng = np.random.default_rng(seed)
        self.games = Games(games, players=4, seed=seed * 100_000)
        self.teachers = [make(teacher, seed=seed + s) for s in range(4)]
        self.policy = Policy.new(self.games.encoder.size, self.games.encoder.cards, seed)
        self.memory: list[Lessons] = []
        self.watched = 0

    def watch(self, decisions: int) -> tuple[Lessons, float]:
        """Play on, and note what the teacher says; also, how often the learner would have said the same."""
        out = Lessons()
        agreed = 0
        while len(out) < decisions:
            batch, actions = now(self.games)
            p = self.policy.chances(batch)
            places = drawn(p, batch.start, self.rng)
            seen = batch.observation.astype(np.float16)
            for i, stepper in enumerate(self.games.steppers):
                mine = slice(batch.start[i], batch.start[i + 1])
                answer = stepper.bot_action(self.teachers[stepper.seat]) - int(actions[mine][0])
                out.observation.append(seen[i])
                out.moves.append(batch.moves[mine].astype(np.float16))
                out.cards.append(batch.cards[mine])
                out.right.append(answer)
                agreed += int(np.argmax(p[mine])) == answer
                if (stepper.seat + i) % 2:
                    places[i] = batch.start[i] + answer
            self.games.step(actions[places])
        self.watched += len(out)
        return out, agreed / len(out)

    def study(self, rate: float) -> float:
        """Go over what is remembered, in no order; the mean loss."""
        losses = []
        for _ in range(PASSES * CHUNK // SMALL):
            chunk = self.memory[int(self.rng.integers(len(self.memory)))]
            losses.append(self.policy.learn(*chunk.batch(self.rng.choice(len(chunk), SMALL)), rate))
        return float(np.mean(losses))

    def run(self, lessons: int) -> Iterator[Point]:
        began = time.process_time()
        while self.watched < lessons:
            chunk, agreed = self.watch(min(CHUNK, lessons))
            self.memory = [*self.memory[1 - KEPT :], chunk]
            done = min(1.0, self.watched / lessons)
            loss = self.study(RATES[0] * (RATES[1] / RATES[0]) ** done)
            yield Point(self.watched, time.process_time() - began, loss, agreed)


def trial(policy: Policy, games: int, against: str = "greedy") -> int:
    """How many of so many games it wins against three of a kind, a quarter of them in each seat.

    All go on at once, and the first game at each table counts.
    """
    tables = Games(games, players=4, seed=TRIAL_SEED)
    bots = [make(against, seed=s) for s in range(4)]
    rng = np.random.default_rng(1)
    going = np.ones(games, bool)
    won = 0
    while going.any():
        batch, actions = now(tables)
        places = drawn(softmax(SHARP * policy.scores(batch), batch.start), batch.start, rng)
        choice = actions[places]
        for i in np.flatnonzero(going):
            stepper = tables.steppers[i]
            if stepper.seat != i % 4:
                choice[i] = stepper.bot_action(bots[stepper.seat])
        rewards, over = tables.step(choice)
        for i in np.flatnonzero(over.astype(bool) & going):
            won += int(rewards[i, i % 4] > 0)
            going[i] = False
    return won


def main(words: Sequence[str] | None = None) -> int:
    about = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.training", description=about)
    parser.add_argument("-o", type=Path, required=True, metavar="FILE.npz", help="where the weights go")
    parser.add_argument("--teacher", default=TEACHER, metavar="BOT", help=f"who is watched (default {TEACHER})")
    parser.add_argument("--lessons", type=int, default=LESSONS, metavar="N", help=f"decisions (default {LESSONS:,})")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another agent, just as reproducible")
    parser.add_argument(
        "--trial", type=int, default=40, metavar="GAMES", help="after each eighth (default 40; 0: none)"
    )
    parser.add_argument("--curve", type=Path, metavar="FILE.csv", help="write the training curve here as well")
    args = parser.parse_args(words)
    try:
        return run(args)
    except (BotError, LabError, OSError) as e:
        print(f"training: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"training: stopped; {args.o} has the weights after the last trial, if there was one", file=sys.stderr)
        return 130


def run(args: argparse.Namespace) -> int:
    trainer = Trainer(args.teacher, args.seed)
    rows: list[dict[str, float]] = []
    print("lessons  seconds   loss  agrees   wins against three greedy bots", flush=True)
    due = 0.0
    for point in trainer.run(args.lessons):
        if point.lessons < min(due, args.lessons):
            continue
        due = point.lessons + args.lessons / 8
        trainer.policy.save(args.o)
        rows.append({**asdict(point), **tried(trainer.policy, args.trial)})
        print(line(rows[-1]), flush=True)
        if args.curve is not None:
            write_curve(args.curve, rows)
    trainer.policy.save(args.o)
    return 0


def tried(policy: Policy, games: int) -> dict[str, float]:
    if not games:
        return {}
    won = trial(policy, games)
    low, high = wilson(won, games)
    return {"share": won / games, "low": low, "high": high}


def line(row: dict[str, float]) -> str:
    told = f"{row['lessons']:7,.0f} {row['seconds']:8.0f} {row['loss']:6.3f} {row['agreed']:7.1%}   "
    if "share" not in row:
        return told
    return f"{told}{row['share']:4.0%} ({row['low']:.0%} to {row['high']:.0%}) " + "#" * round(100 * row["share"])


def write_curve(path: Path, rows: Sequence[dict[str, float]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, list(rows[0]))
        out.writeheader()
        out.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
