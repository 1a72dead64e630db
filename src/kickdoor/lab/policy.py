"""A small network that chooses among moves, in plain numpy: it looks at the table and at each move, and scores it.

The score of a move is two layers over (what the table is like) + (what the move is like) + (which card it is about), so
that the network needs no list of all moves that there ever are. Chances are the softmax of the legal moves' scores.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kickdoor.lab.encoding import WIDTH
from kickdoor.lab.extras import LabError

try:
    # These matrices are small: threads cost more than they bring, and their number would change the last digits.
    for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(threads, "1")
    import numpy as np
    import numpy.typing as npt
except ImportError:
    raise ImportError("kickdoor.lab.policy needs numpy; get it with: pip install 'kickdoor[env]'") from None

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[Any]

HIDDEN: Final = 64
PARTS: Final = ("table", "move", "card", "bias", "second", "second_bias", "last")


@dataclass
class Batch:
    """Decisions: what the seat saw of each, and all its legal moves one after the other."""

    observation: Floats  # a row per decision
    start: Ints  # where the moves of each decision begin, and where the last ones end
    moves: Floats  # a row per move
    cards: Ints  # which card each is about, counted from 1, or 0

    @property
    def owner(self) -> Ints:
        """Of each move the decision that it belongs to."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))


class Policy:
    """Weights, what they say, and how they learn (Adam)."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.w = {name: weights[name].astype(np.float32) for name in PARTS}
        self.first = {name: np.zeros_like(x) for name, x in self.w.items()}
        self.second = {name: np.zeros_like(x) for name, x in self.w.items()}
        self.steps = 0

    @staticmethod
    def new(size: int, cards: int, seed: int, hidden: int = HIDDEN) -> Policy:
        """Knows nothing: small weights by chance, and every move as good as any other."""
        rng = np.random.default_rng(seed)
        shapes = {"table": (size, hidden), "move": (WIDTH, hidden), "card": (cards + 1, hidden)}
        weights: dict[str, Any] = {name: 0.1 * rng.standard_normal(shape) for name, shape in shapes.items()}
        weights["second"] = rng.standard_normal((hidden, hidden)) * (2 / hidden) ** 0.5
        weights |= {"bias": np.zeros(hidden), "second_bias": np.zeros(hidden), "last": np.zeros(hidden)}
        return Policy(weights)

    @staticmethod
    def load(path: Path) -> Policy:
        try:
            with np.load(path, allow_pickle=False) as file:
                return Policy({name: file[name] for name in PARTS})
        except (OSError, ValueError, KeyError, EOFError) as e:
            raise LabError(f"{path}: these are no weights of a policy ({type(e).__name__}); make some with: "
                           "python -m kickdoor.lab.training") from None  # fmt: skip

    def save(self, path: Path) -> None:
        """Half precision: what is lost changes no choice that was not a toss-up."""
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **{n: x.astype(np.float16) for n, x in self.w.items()})

    @property
    def size(self) -> int:
        """How long an observation is that it can read."""
        return int(self.w["table"].shape[0])

    # -- looking --------------------------------------------------------------------------------------------------

    def _layers(self, b: Batch) -> tuple[Floats, Floats, Floats]:
        w = self.w
        used = np.flatnonzero(b.observation.any(axis=0))  # most cards are nowhere: most numbers are 0
        seen = b.observation[:, used] @ w["table"][used] + w["bias"]
        one = np.maximum(seen[b.owner] + b.moves @ w["move"] + w["card"][b.cards], 0)
        two = np.maximum(one @ w["second"] + w["second_bias"], 0)
        return one, two, two @ w["last"]

    def scores(self, b: Batch) -> Floats:
        return self._layers(b)[2]

    def chances(self, b: Batch) -> Floats:
        """Of every move, among those of its decision."""
        return softmax(self.scores(b), b.start)

    # -- learning -------------------------------------------------------------------------------------------------

    def learn(self, b: Batch, right: Ints, rate: float, weight: Floats | None = None) -> float:
        """Make the moves at `right` (places in `moves`, one per decision) likelier, each by its weight; what was the
        mean of -log(chance) before?"""
        one, two, scores = self._layers(b)
        p = softmax(scores, b.start)
        n = len(right)
        each = np.full(n, 1.0, np.float32) if weight is None else weight
        error = p * each[b.owner]
        error[right] -= each
        error /= n
        down = np.outer(error, self.w["last"]) * (two > 0)
        lower = (down @ self.w["second"].T) * (one > 0)
        seen = np.add.reduceat(lower, b.start[:-1], axis=0)
        card = np.zeros_like(self.w["card"])
        np.add.at(card, b.cards, lower)
        self._adam(
            {
                "last": two.T @ error,
                "second": one.T @ down,
                "second_bias": down.sum(axis=0),
                "move": b.moves.T @ lower,
                "card": card,
                "table": b.observation.T @ seen,
                "bias": seen.sum(axis=0),
            },
            rate,
        )
        return float(-np.log(p[right] + 1e-12).mean())

    def _adam(self, slopes: dict[str, Floats], rate: float) -> None:
        self.steps += 1
        for name, g in slopes.items():
            m, v = self.first[name], self.second[name]
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            fresh = m / (1 - 0.9**self.steps)
            self.w[name] -= rate * fresh / (np.sqrt(v / (1 - 0.999**self.steps)) + 1e-8)


def softmax(scores: Floats, start: Ints) -> Floats:
    """Within each decision."""
    counts = np.diff(start)
    e = np.exp(scores - np.repeat(np.maximum.reduceat(scores, start[:-1]), counts))
    out: Floats = e / np.repeat(np.add.reduceat(e, start[:-1]), counts)
    return out


def drawn(p: Floats, start: Ints, rng: np.random.Generator) -> Ints:
    """One move of each decision, by these chances: places among all moves."""
    gone = np.cumsum(p, dtype=np.float64)
    before = np.concatenate([[0.0], gone])[start]
    want = before[:-1] + rng.random(len(start) - 1) * (before[1:] - before[:-1])
    found: Ints = np.clip(np.searchsorted(gone, want, side="right"), start[:-1], start[1:] - 1)
    return found
