"""What a run says: seats, length, levels, comebacks, fights, and every card's effect on winning.

How a card is judged. Which card comes off a shuffled deck is chance, whoever draws it. So each draw is a small fair
experiment: of the players who got this card, how many more won than of those who, standing as they stood, got any card
of that deck in that way? "Standing as they stood" is the chance of winning by one's own Level and the best rival's,
taken from the run itself. The difference is the card's *lift*; its interval comes from the spread of single results.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kickdoor.lab.extras import LabError, need
from kickdoor.lab.figures import Z95, wilson
from kickdoor.lab.recording import ENDS, FATES, HOWS, IN_HAND, KICKED, MET
from kickdoor.lab.simulate import Run
from kickdoor.paper.plain import short

TOP: Final = 41  # Levels that are told apart
PRIOR: Final = 8.0  # games' worth of doubt about a rare standing
RANDOM: Final = 3  # dealt, drawn, kicked: the ways that are chance
FEWEST: Final = 30  # arrivals of a card before it is talked about
HANDS: Final = ("dealt", "drawn")


@dataclass
class Curves:
    """The Levels of a part, flat: per game `seats` rows of `turns` values."""

    offset: Any  # first value of each seat row
    length: Any  # turns of each seat row
    own: Any
    rival: Any
    won: Any  # per seat row
    row: dict[int, int]  # game -> its first seat row


class Lab:
    """The packages that numbers need."""

    def __init__(self) -> None:
        self.np = need("numpy", "lab")
        self.pa = need("pyarrow", "lab")
        self.pc = need("pyarrow.compute", "lab")
        self.pq = need("pyarrow.parquet", "lab")

    def codes(self, column: Any, words: tuple[str, ...]) -> Any:
        """A column of words as numbers."""
        plain = column.cast(self.pa.string())
        return self.pc.index_in(plain, value_set=self.pa.array(words)).to_numpy(zero_copy_only=False)


class Analysis:
    """A run being read, part by part."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.lab = Lab()
        self.parts = run.parts()
        if not self.parts:
            raise LabError(f"{run.folder} has no finished games yet; let kickdoor simulate go on for a while")
        self.seats = len(run.setting.bots)
        self.curves: dict[int, Curves] = {}
        np = self.lab.np
        self.chances = np.zeros((TOP, TOP)), np.zeros((TOP, TOP))

    def table(self, name: str, part: int, *columns: str) -> Any:
        return self.lab.pq.read_table(self.run.path(name, part), columns=list(columns) or None)

    def each(self, name: str, *columns: str) -> Iterator[tuple[int, Any]]:
        for part in self.parts:
            yield part, self.table(name, part, *columns)

    # -- the table of chances -------------------------------------------------------------------------------------

    def learn(self) -> None:
        """How often a player of this Level, with rivals at most at that one, went on to win."""
        np = self.lab.np
        met, won = self.chances
        for part, t in self.each("seats", "game", "won", "levels"):
            c = self.curves[part] = self._curves(t)
            key = c.own.astype(np.int64) * TOP + c.rival
            every = np.repeat(c.won, c.length)
            met += np.bincount(key, minlength=TOP * TOP).reshape(TOP, TOP)
            won += np.bincount(key, weights=every, minlength=TOP * TOP).reshape(TOP, TOP)
        self.chance = (won + PRIOR / self.seats) / (met + PRIOR)

    def _curves(self, t: Any) -> Curves:
        np = self.lab.np
        games = t["game"].to_numpy()
        lists = t["levels"].combine_chunks()
        length = np.diff(lists.offsets.to_numpy())
        flat = np.minimum(lists.flatten().to_numpy(), TOP - 1)
        offset = np.concatenate([[0], np.cumsum(length)[:-1]]) if len(length) else np.zeros(0, int)
        rival = np.zeros_like(flat)
        n = self.seats
        rows: dict[int, int] = {}
        for i in range(0, len(games), n):
            rows[int(games[i])] = i
            a, turns = int(offset[i]), int(length[i])
            if not turns:
                continue
            levels = flat[a : a + n * turns].reshape(n, turns)
            ordered = np.sort(levels, axis=0)
            others = np.where(levels == ordered[-1], ordered[-2], ordered[-1])
            rival[a : a + n * turns] = others.reshape(-1)
        won = t["won"].to_numpy(zero_copy_only=False).astype(float)
        return Curves(offset, length, flat, rival, won, rows)

    # -- games ----------------------------------------------------------------------------------------------------

    def games(self) -> dict[str, Any]:
        np = self.lab.np
        wins, deaths = np.zeros(self.seats), 0.0
        bots: dict[str, list[int]] = {}
        for _, t in self.each("seats", "place", "won", "deaths", "bot"):
            won = t["won"].to_numpy(zero_copy_only=False)
            wins += np.bincount(t["place"].to_numpy()[won], minlength=self.seats)
            deaths += float(t["deaths"].to_numpy().sum())
            for kind, w in zip(t["bot"].to_pylist(), won, strict=True):
                got = bots.setdefault(kind, [0, 0])
                got[0] += 1
                got[1] += bool(w)
        turns, moves, shared, failed, why = [], 0.0, 0, 0, ""
        for _, t in self.each("games", "turns", "moves", "winners", "error"):
            good = t["error"].is_null().to_numpy(zero_copy_only=False)
            if not why and not good.all():
                why = str(t["error"].drop_null()[0])
            failed += int((~good).sum())
            turns.append(t["turns"].to_numpy()[good])
            moves += float(t["moves"].to_numpy()[good].sum())
            shared += int((t["winners"].to_numpy()[good] > 1).sum())
        rounds = np.concatenate(turns) / self.seats
        n = len(rounds)
        if not n:
            raise LabError(f"{self.run.folder}: every game failed, the first with {short(why)} (the column `error`)")
        return {
            "games": n,
            "failed": failed,
            "shared": shared,
            "moves": moves / n,
            "deaths": deaths / n,
            "seat_wins": [_share(float(w), n) for w in wins],
            "bots": {kind: _share(w, s) for kind, (s, w) in sorted(bots.items())},
            "length": self._length(rounds),
        }

    def _length(self, rounds: Any) -> dict[str, Any]:
        np = self.lab.np
        whole = np.ceil(rounds).astype(int)
        top = int(np.percentile(whole, 99)) + 1
        counts = np.bincount(np.minimum(whole, top), minlength=top + 1)
        return {
            "median": float(np.median(rounds)),
            "mean": float(rounds.mean()),
            "p10": float(np.percentile(rounds, 10)),
            "p90": float(np.percentile(rounds, 90)),
            "longest": float(rounds.max()),
            "sd": float(rounds.std()),
            "counts": [int(x) for x in counts[1:]],  # games of 1, 2, ... rounds; the last holds all longer ones
        }

    # -- levels ---------------------------------------------------------------------------------------------------

    def levels(self) -> dict[str, Any]:
        """Mean Levels round by round, of those who win and of the rest; and how far behind winners have been."""
        np = self.lab.np
        rounds = 60
        sums = np.zeros((3, rounds))  # winners, others, everybody's best
        counts = np.zeros((3, rounds))
        behind: list[int] = []
        halftime = np.zeros(self.seats)
        for c in self.curves.values():
            for row in c.row.values():
                self._one_game(c, row, sums, counts, behind, halftime)
        n = max(1, len(behind))
        worst = np.bincount(np.minimum(behind, 9), minlength=10) if behind else np.zeros(10)
        kept = int((counts[2] >= max(1, 0.05 * n)).sum())
        lines = sums[:, :kept] / np.maximum(counts[:, :kept], 1)
        return {
            "rounds": list(range(1, kept + 1)),
            "winners": [float(x) for x in lines[0]],
            "others": [float(x) for x in lines[1]],
            "best": [float(x) for x in lines[2]],
            "still_playing": [float(x) for x in counts[2, :kept] / n],
            "behind": [int(x) for x in worst],
            "halftime": [_share(float(x), n) for x in halftime],
            "games": n,
        }

    def _one_game(self, c: Curves, row: int, sums: Any, counts: Any, behind: list[int], halftime: Any) -> None:
        np = self.lab.np
        n, a, turns = self.seats, int(c.offset[row]), int(c.length[row])
        if not turns:
            return
        levels = c.own[a : a + n * turns].reshape(n, turns)
        won = c.won[row : row + n] > 0
        each = levels[:, ::n][:, : sums.shape[1]]
        k = each.shape[1]
        for line, chosen in ((0, each[won]), (1, each[~won])):
            sums[line, :k] += chosen.sum(axis=0)
            counts[line, :k] += len(chosen)
        sums[2, :k] += each.max(axis=0)
        counts[2, :k] += 1
        if won.any():
            winner = levels[int(np.argmax(won))]
            behind.append(int((levels.max(axis=0) - winner).max()))
            half = levels[:, turns // 2]
            halftime[int((half > half[int(np.argmax(won))]).sum())] += 1

    # -- fights ---------------------------------------------------------------------------------------------------

    def fights(self) -> dict[str, Any]:
        np = self.lab.np
        cards = len(self.run.cards)
        counts = np.zeros((cards, len(ENDS)), int)
        more = 0
        for _, t in self.each("fights", "card", "foes", "end"):
            if t.num_rows:
                card, end = t["card"].to_numpy(), self.lab.codes(t["end"], ENDS)
                counts += np.bincount(card * len(ENDS) + end, minlength=counts.size).reshape(counts.shape)
                more += int((t["foes"].to_numpy() > 1).sum())
        total = counts.sum(axis=0)
        monsters = [self._monster(i, counts[i]) for i in range(cards) if counts[i].sum() >= FEWEST]
        return {
            "count": int(total.sum()),
            "several": more,
            "ends": {word: int(x) for word, x in zip(ENDS, total, strict=True)},
            "monsters": sorted(monsters, key=lambda m: m["won"]),
        }

    def _monster(self, card: int, counts: Any) -> dict[str, Any]:
        n = int(counts.sum())
        won = int(counts[0] + counts[1])
        low, high = wilson(won, n)
        died = float(counts[4]) / n
        return {**self._named(card), "fights": n, "won": won / n, "low": low, "high": high, "died": died}

    def _named(self, card: int) -> dict[str, Any]:
        c = self.run.cards[card]
        return {"card": c["name"], "pack": c["pack"], "kind": c["kind"]}

    # -- cards ----------------------------------------------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        """Every card that came up often enough: lift, time in hands, swing."""
        np = self.lab.np
        n = len(self.run.cards)
        ways = np.zeros((3, n, RANDOM))  # count, sum, sum of squares of (won - chance), by card and way
        hand = np.zeros((3, n))  # arrivals in a hand, turns held, still there at the end
        swing = np.zeros((3, n))
        usual = np.zeros(2)
        for part, t in self.each("holdings"):
            self._arrivals(self.curves[part], t, ways, hand)
            self._swings(self.curves[part], t, swing, usual)
        lift = self._lift(ways)
        typical = float(usual[1] / max(1.0, usual[0]))
        self.typical_swing = typical
        return [
            {
                **self._named(i),
                "deck": self.run.cards[i]["deck"],
                "seen": int(ways[0, i].sum()),
                "lift": float(lift[0][i]),
                "error": float(lift[1][i]),
                "low": float(lift[0][i] - Z95 * lift[1][i]),
                "high": float(lift[0][i] + Z95 * lift[1][i]),
                "in_hand": int(hand[0, i]),
                "held": float(hand[1, i] / hand[0, i] / self.seats) if hand[0, i] else 0.0,
                "stuck": float(hand[2, i] / hand[0, i]) if hand[0, i] else 0.0,
                "plays": int(swing[0, i]),
                "swing": float(swing[1, i] / swing[0, i]) if swing[0, i] else 0.0,
                "swing_error": _error(swing[0, i], swing[1, i], swing[2, i]),
            }
            for i in range(n)
            if ways[0, i].sum() >= FEWEST
        ]

    def _where(self, c: Curves, t: Any) -> tuple[Any, Any]:
        """For each holding: the row of its seat, and which of them are known."""
        np = self.lab.np
        game, seat = t["game"].to_numpy(), t["seat"].to_numpy()
        first = np.array([c.row.get(int(g), -1) for g in game]) if len(game) else np.zeros(0, int)
        return first + seat, first >= 0

    def _arrivals(self, c: Curves, t: Any, ways: Any, hand: Any) -> None:
        np = self.lab.np
        if not t.num_rows:
            return
        row, known = self._where(c, t)
        how, fate = self.lab.codes(t["how"], HOWS), self.lab.codes(t["fate"], FATES)
        card, held = t["card"].to_numpy(), t["held"].to_numpy()
        chance = self.chance[c.own, c.rival]
        good = known & (how < RANDOM) & (c.length[row] > 0)
        at = np.minimum(t["turn"].to_numpy() - 1, c.length[row] - 1)
        left = c.won[row[good]] - chance[(c.offset[row] + at)[good]]
        key = card[good].astype(np.int64) * RANDOM + how[good]
        for i, weight in enumerate((None, left, left * left)):
            ways[i] += np.bincount(key, weights=weight, minlength=ways[i].size).reshape(ways[i].shape)
        hands = (how != KICKED) | (held > 0)
        for i, weight in enumerate((None, held[hands], (fate == IN_HAND)[hands].astype(float))):
            hand[i] += np.bincount(card[hands], weights=weight, minlength=hand.shape[1])

    def _lift(self, ways: Any) -> tuple[Any, Any]:
        """Mean of what is left after the chance, against what all cards of that deck leave in that way."""
        np = self.lab.np
        count, total, squares = ways
        deck = np.array([c["deck"] for c in self.run.cards])
        middle = np.zeros_like(total)
        for d in set(deck.tolist()):
            mine = deck == d
            middle[mine] = total[mine].sum(axis=0) / np.maximum(count[mine].sum(axis=0), 1)
        n = np.maximum(count.sum(axis=1), 1)
        lift = (total - count * middle).sum(axis=1) / n
        spread = (squares - 2 * middle * total + count * middle**2).sum(axis=1) / n - lift**2
        return lift, np.sqrt(np.maximum(spread, 0) / n)

    def _swings(self, c: Curves, t: Any, swing: Any, usual: Any) -> None:
        """How far everybody's chances move in the turn in which a card is played or met."""
        np = self.lab.np
        moved, place = self._moved(c)
        usual += [len(moved), moved.sum()]
        if not t.num_rows:
            return
        row, known = self._where(c, t)
        fate = self.lab.codes(t["fate"], FATES)
        turn = np.where(
            t["played"].to_numpy() > 0, t["played"].to_numpy(), np.where(fate == MET, t["turn"].to_numpy(), 0)
        )
        first = row - t["seat"].to_numpy()
        good = known & (turn > 0) & (turn <= np.where(known, c.length[np.maximum(first, 0)], 0))
        change = moved[place[first[good] // self.seats] + turn[good] - 1]
        card = t["card"].to_numpy()[good]
        for i, weight in enumerate((None, change, change * change)):
            swing[i] += np.bincount(card, weights=weight, minlength=swing.shape[1])

    def _moved(self, c: Curves) -> tuple[Any, Any]:
        """For each turn of each game the part of the chances that changed owners; and where each game begins."""
        np = self.lab.np
        n = self.seats
        out, place, at = [], np.zeros(len(c.row), int), 0
        for row in c.row.values():
            place[row // n] = at
            a, turns = int(c.offset[row]), int(c.length[row])
            if not turns:
                continue
            span = slice(a, a + n * turns)
            p = self.chance[c.own[span], c.rival[span]].reshape(n, turns)
            p = p / p.sum(axis=0)
            won = c.won[row : row + n]
            end = (won / max(1.0, won.sum())).reshape(n, 1)
            out.append(np.abs(np.diff(np.hstack([p, end]), axis=1)).sum(axis=0) / 2)
            at += turns
        return (np.concatenate(out) if out else np.zeros(0)), place


def _share(wins: float, n: int) -> dict[str, float]:
    low, high = wilson(wins, n)
    return {"share": wins / n if n else 0.0, "low": low, "high": high, "wins": wins, "n": n}


def _error(n: float, total: float, squares: float) -> float:
    if n < 2:
        return 0.0
    return math.sqrt(max(0.0, float(squares / n - (total / n) ** 2)) / float(n))


def findings(run: Run) -> dict[str, Any]:
    """Everything a report shows, as plain numbers and words."""
    a = Analysis(run)
    a.learn()
    games = a.games()
    cards = a.cards()
    return {
        "settings": run.setting.plain(),
        "engine": run.head["engine"],
        **games,
        "levels": a.levels(),
        "fights": a.fights(),
        "cards": cards,
        "typical_swing": a.typical_swing,
        "spread": spread(cards),
    }


def spread(cards: list[dict[str, Any]]) -> dict[str, float]:
    """How much cards differ in lift, the noise of measuring taken off."""
    lifts = [c["lift"] for c in cards]
    if len(lifts) < 2:
        return {"mean": 0.0, "sd": 0.0}
    middle = sum(lifts) / len(lifts)
    seen = sum((x - middle) ** 2 for x in lifts) / (len(lifts) - 1)
    noise = sum(c["error"] ** 2 for c in cards) / len(cards)
    return {"mean": middle, "sd": math.sqrt(max(0.0, seen - noise))}
