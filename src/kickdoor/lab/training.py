"""A first agent, trained in minutes: it learns by watching a teacher, also where its own play has led.

    python -m kickdoor.lab.training -o my_agent.npz                    a minute of one core
    python -m kickdoor.lab.training --lessons 200000 -o better.npz     some minutes
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
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from kickdoor.bots import BotError, Stuck, make, play_out
from kickdoor.lab import command
from kickdoor.lab.agents import TRAINED, Seated, Trained
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import wilson
from kickdoor.lab.playing import Setting, deal
from kickdoor.lab.policy import Batch, Floats, Ints, Policy, drawn
from kickdoor.lab.stepping import MAX_MOVES
from kickdoor.lab.vector import Games

try:
    import numpy as np
except ImportError:
    raise ImportError("kickdoor.lab.training needs numpy; get it with: pip install 'kickdoor[env]'") from None

TEACHER: Final = "greedy"
LESSONS: Final = 20_000
GAMES: Final = 32  # at once
CHUNK: Final = 4_096  # decisions between two rounds of learning
KEPT: Final = 20  # chunks that are remembered
SMALL: Final = 256  # decisions that are learned from at a time
KNOWN: Final = 0.9  # the chance of an answer from which on there is little to learn from it
RARELY: Final = 5.0  # one in so many of these is kept
PASSES: Final = 4  # how often a round goes over as many decisions as a chunk has
RATES: Final = (1e-3, 1e-4)  # of learning: at the beginning, at the end
TRIAL_SEED: Final = 77  # of the games that an agent is tried in, far from those it learns in


@dataclass
class Lessons:
    """Decisions with the teacher's answers."""

    observation: list[Any] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)
    cards: list[Any] = field(default_factory=list)
    right: list[int] = field(default_factory=list)  # the place of the answer among the moves
    weight: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.right)

    def batch(self, which: Ints) -> tuple[Batch, Ints, Floats]:
        """Some of them, where their answers lie, and what each counts."""
        start = np.concatenate([[0], np.cumsum([len(self.cards[i]) for i in which])])
        seen = np.array([self.observation[i] for i in which], np.float32)
        moves = np.concatenate([self.moves[i] for i in which]).astype(np.float32)
        cards = np.concatenate([self.cards[i] for i in which])
        right = start[:-1] + np.array([self.right[i] for i in which])
        return Batch(seen, start, moves, cards), right, np.array([self.weight[i] for i in which], np.float32)


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
        agreed = asked = 0
        while asked < decisions:
            batch, actions = now(self.games)
            p = self.policy.chances(batch)
            places = drawn(p, batch.start, self.rng)
            seen = batch.observation.astype(np.float16)
            for i, stepper in enumerate(self.games.steppers):
                mine = slice(batch.start[i], batch.start[i + 1])
                answer = stepper.bot_action(self.teachers[stepper.seat]) - int(actions[mine][0])
                asked += 1
                agreed += int(np.argmax(p[mine])) == answer
                known = p[mine][answer] > KNOWN
                if not known or self.rng.random() < 1 / RARELY:  # of easy ones a few, and they count more
                    out.observation.append(seen[i])
                    out.moves.append(batch.moves[mine].astype(np.float16))
                    out.cards.append(batch.cards[mine])
                    out.right.append(answer)
                    out.weight.append(RARELY if known else 1.0)
                if (stepper.seat + i) % 2:
                    places[i] = batch.start[i] + answer
            self.games.step(actions[places])
        self.watched += asked
        return out, agreed / asked

    def study(self, rate: float) -> float:
        """Go over what is remembered, in no order; the mean loss."""
        losses = []
        for _ in range(PASSES * CHUNK // SMALL):
            chunk = self.memory[int(self.rng.integers(len(self.memory)))]
            batch, right, weight = chunk.batch(self.rng.choice(len(chunk), SMALL))
            losses.append(self.policy.learn(batch, right, rate, weight))
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
    """How many of so many games it wins against three of a kind, a quarter of them in each seat."""
    setting = Setting((TRAINED, against, against, against), seed=TRIAL_SEED)
    won = 0
    for n in range(games):
        game, kinds = deal(setting, n), setting.seats(n)
        mine = kinds.index(TRAINED)
        bots = [make(kind, seed=n * 31 + s) if s != mine else None for s, kind in enumerate(kinds)]
        with suppress(Stuck):  # a game without an end is not won
            play_out(game, [b or Seated(TRAINED, Trained(policy, n)) for b in bots], MAX_MOVES)
        won += mine in game.winners
    return won


def main(words: Sequence[str] | None = None) -> int:
    about = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.training", description=about)
    parser.add_argument("-o", type=Path, required=True, metavar="FILE.npz", help="where the weights go")
    parser.add_argument("--teacher", default=TEACHER, metavar="BOT", help=f"who is watched (default {TEACHER})")
    parser.add_argument(
        "--lessons", type=command.whole(1), default=LESSONS, metavar="N", help=f"decisions (default {LESSONS:,})"
    )
    parser.add_argument(
        "--seed", type=command.whole(0), default=1, metavar="S", help="another agent, just as reproducible"
    )
    parser.add_argument(
        "--trial", type=command.whole(0), default=40, metavar="GAMES", help="after each eighth (default 40; 0: none)"
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
    sys.exit(command.run(main))
