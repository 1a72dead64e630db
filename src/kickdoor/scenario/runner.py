"""Running scenarios: set the table, make the moves, check what must be true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kickdoor.cards.language import Card
from kickdoor.cards.packs import unseen
from kickdoor.cards.reading import ReadingError, documents
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import setup
from kickdoor.engine.flags import MONSTER_MET, TURN_OVER
from kickdoor.engine.game import CHARITY_PHASE, Game
from kickdoor.engine.kernel import apply, legal, settle, to_act
from kickdoor.engine.moves import Move
from kickdoor.engine.reasons import Refused, Unsettled
from kickdoor.engine.views import EVERYTHING
from kickdoor.scenario.checks import Eyes, compare, show
from kickdoor.scenario.naming import Names, ScenarioError, TooFew, Unclear, seat_named, split
from kickdoor.scenario.steps import Hands
from kickdoor.scenario.table import Seating, check_keys, read_fixtures, read_rules
from kickdoor.scenario.wording import as_list, parse

TOP_KEYS: Final = (
    "scenario",
    "shows",
    "packs",
    "rules",
    "options",
    "table",
    "steps",
    "setup_refused",
    "best",
    "note",
)
ASSERTIONS: Final = ("expect", "refused", "offered", "not_offered", "sees")
_ACTS: Final = (mv.PLAY, mv.USE, mv.SACRIFICE)
_ANSWERS: Final = {"accept": mv.ACCEPT, "decline": mv.DECLINE, "run": mv.RUN}  # `everyone` is who may give that answer


def _words(data: Any) -> Iterator[str]:
    """Every word of a scenario that could be a card's name."""
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list):
        for x in data:
            yield from _words(x)
    elif isinstance(data, str):
        yield from data.split("/")


@dataclass
class Outcome:
    """How one scenario went."""

    file: str
    scenario: str
    passed: bool
    step: int = 0
    because: str = ""
    shows: list[str] = field(default_factory=list)
    line: int = 0
    broken: bool = False  # the scenario itself makes no sense


class Failed(Exception):
    """An expectation that did not hold."""


def run_text(text: str, name: str = "scenario", strict: bool = False) -> list[Outcome]:
    return [_run(data, lines, name, strict) for data, lines in documents(text, name)]


def run_file(path: Path, strict: bool = False) -> list[Outcome]:
    """Every scenario of a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise ReadingError(f"{path}: cannot be read: {e.strerror}") from None
    except UnicodeDecodeError:
        raise ReadingError(f"{path}: is not UTF-8 text") from None
    return run_text(text, str(path), strict)


def find_files(paths: list[Path]) -> Iterator[Path]:
    """The scenario files under these paths."""
    for path in paths:
        if path.is_dir():
            for p in sorted(path.rglob("*.yaml")):
                if not any(part.endswith(".d") for part in p.parts):
                    yield p
        elif path.exists():
            yield path
        else:
            raise ReadingError(f"{path}: no such file or folder")


def _run(data: Any, lines: dict[tuple[Any, ...], int], name: str, strict: bool) -> Outcome:
    title = str(data.get("scenario", "(no title)")) if isinstance(data, dict) else "(not a scenario)"
    shows = [str(x) for x in data.get("shows", None) or []] if isinstance(data, dict) else []
    out = Outcome(name, title, False, shows=shows, line=lines.get((), 1))
    play = Play(data, lines, Path(name).parent)
    try:
        play.run(strict)
        out.passed = True
    except Failed as e:
        out.because = str(e)
    except Refused as e:
        out.because = f"refused: {e}"
    except Unsettled as e:
        out.because = str(e)
    except (ScenarioError, ReadingError) as e:
        out.because, out.broken = str(e), True
    out.step = play.step
    return out


def best_moves(best: Any) -> list[tuple[str, list[Any], list[Any]]]:
    """`best:` as (player, right moves, wrong moves): `{Aric: MOVE}`, `{Aric: [MOVE, ...]}`, `{Aric: {not: [MOVE]}}`."""
    if best is None:
        return []
    if not isinstance(best, dict):
        raise ScenarioError("best: must name a player and his move")
    out: list[tuple[str, list[Any], list[Any]]] = []
    for name, moves in best.items():
        if isinstance(moves, dict) and list(moves) == ["not"]:
            wrong = moves["not"]
            out.append((str(name), [], wrong if isinstance(wrong, list) else [wrong]))
        else:
            out.append((str(name), moves if isinstance(moves, list) else [moves], []))
    return out


class Play:
    """One scenario being played."""

    def __init__(self, data: Any, lines: dict[tuple[Any, ...], int], folder: Path = Path()) -> None:
        self.data = data
        self.folder = folder
        self.lines = lines
        self.step = 0
        self.g: Game
        self.names: Names
        self.hands: Hands
        self.events: list[str] = []
        self.mark = 0  # where the events of the last step begin
        self.powered = False  # was the last move the use of a power?
        self.doorstep: Game | None = None  # the table before the door that was opened just now
        self.closed_itself = False
        self.spare_pass = False
        self.wake: Game | None = None  # the table as it was before the turn of somebody who died was over

    def run(self, strict: bool) -> None:
        data = check_keys(self.data, TOP_KEYS, "scenario")
        if "scenario" not in data:
            raise ScenarioError("a scenario needs a title: scenario: ...")
        steps = data.get("steps") or []
        if not isinstance(steps, list):
            raise ScenarioError("steps: must be a list")
        wanted = data.get("setup_refused")
        try:
            self._set_table(data)
        except Refused as e:
            if wanted is None:
                raise
            if not e.reason.cites(wanted):
                raise Failed(f"setting the table was refused by {e.rule}, not {wanted}") from None
            return
        if wanted is not None:
            raise Failed(f"setting the table should have been refused ({wanted})")
        for i, step in enumerate(steps):
            self.step = i + 1
            self._step(step)
            self._ride_on(steps[i + 1 :])
        self.step = 0
        self._best(data.get("best"))
        if strict and self.g.dice:
            raise Failed(f"scripted dice were left over: {self.g.dice}")

    def _ride_on(self, ahead: list[Any]) -> None:
        """Of several Steeds the best one runs, unless the next step says which, or asks who is asked (AMB-58)."""
        f = self.g.stack[-1]
        if not isinstance(f, fr.Ask) or f.about != "mount":
            return
        step = ahead[0] if ahead and isinstance(ahead[0], dict) else {}
        said = step.get(self.g.players[f.seat].name)
        if (isinstance(said, dict) and "choose" in said) or "asked" in (step.get("expect") or ()):
            return
        apply(self.g, mv.Move(f.seat, mv.CHOOSE, f.options[0]))
        self._close_idle_windows()

    def _pack(self, name: str) -> str:
        """A pack by its name; `./folder` is one beside the file of the scenario."""
        return str(self.folder / name[2:]) if name.startswith("./") else name

    def _set_table(self, data: dict[str, Any]) -> None:
        packs = [self._pack(str(p)) for p in as_list(data.get("packs")) or ["classic"]]
        raw = data.get("rules")
        if data.get("options"):
            raw = {
                **(raw if isinstance(raw, dict) else {"edition": raw} if raw else {}),
                "options": data["options"],
            }
        rules = read_rules(raw, packs)
        table = data.get("table") or {}
        fixtures = read_fixtures(table.get("fixtures") if isinstance(table, dict) else None, "fixtures")
        fixtures += self._only_named(packs, fixtures, data)
        copies: dict[str, int] = {}
        while True:
            lib = setup.library(packs, fixtures, copies=copies)
            seating = Seating(table, rules, lib, count="setup_refused" in data)
            try:
                self.g = seating.build()
                break
            except TooFew as e:
                card = lib.defs[e.copies[0]]
                if card.pack not in packs or not setup.has_more(card.pack):
                    raise
                copies[card.name.lower()] = len(e.copies) + 1
        self.names = seating.names
        self.hands = Hands(self.g, self.names)
        self._close_idle_windows()
        self.closed_itself = False

    def _only_named(self, packs: list[str], fixtures: list[Card], data: dict[str, Any]) -> list[Card]:
        """The cards the scenario names of which no more than the name is known: they lie here as fixtures do."""
        names = unseen(packs)
        if not names:
            return []
        there = {f.name.lower() for f in fixtures} | set(setup.library(packs).by_name)
        said = {split(w)[0].lower() for w in _words([data.get("table"), data.get("steps")])} - there
        return [names[n] for n in sorted(said & set(names))]

    # -- steps ------------------------------------------------------------------------------------------------

    def _step(self, step: Any) -> None:
        if not isinstance(step, dict) or not step:
            raise ScenarioError(f"not a step: {step!r}")
        head = str(next(iter(step)))
        if head in ASSERTIONS:
            self._assert(head, step)
            return
        if len(step) != 1:
            raise ScenarioError(f"a step is one move of one player, not {sorted(step)}")
        turn = self.g.turn
        if head == "everyone":
            self._everyone(step[head])
        elif not self._buried(seat_named(self.g, head), step[head]):
            self.wake = None
            self._move(seat_named(self.g, head), step[head])
        self._mourn(turn)

    def _mourn(self, turn: int) -> None:
        """The turn of somebody who dies on it is over at once (AMB-49); until the next move one may still look back."""
        g = self.g
        if g.turn == turn or g.winners or not g.players[turn].redeal:
            return
        self.wake = g.clone()
        self.wake.turn = turn
        self.wake.stack = [fr.Turn(CHARITY_PHASE)]
        self.wake.flags |= MONSTER_MET
        for p in self.wake.players:
            p.dead = p.redeal
        self.wake.touch()

    def _buried(self, seat: int, move: Any) -> bool:
        """Does somebody dead end the turn that his death has ended already?"""
        if parse(move)[0] in ("end_turn", "kick") and self._lay_out():
            return parse(move)[0] == "end_turn"
        if self.wake is None or self.wake.turn != seat or parse(move)[0] != "end_turn":
            return False
        self.wake = None
        return True

    def _lay_out(self) -> bool:
        """Where the table was set with the turn player dead, his turn is over now (AMB-49)."""
        g = self.g
        if not g.players[g.turn].dead or not isinstance(g.stack[-1], fr.Turn):
            return False
        g.moves = {}
        g.flags |= TURN_OVER
        settle(g)
        return True

    def _assert(self, head: str, step: dict[str, Any]) -> None:
        """Assertions close nothing; but what they see decides which window an earlier pass was for."""
        check = getattr(self, f"_{head}")
        if head in ("expect", "sees"):
            self.closed_itself = False
            self.doorstep = None
        try:
            check(step)
        except Failed:
            if self.wake is not None and self._held(check, step):
                return
            if not self.spare_pass:
                raise
            self._spend_pass()
            check(step)

    def _held(self, check: Callable[[dict[str, Any]], None], step: dict[str, Any]) -> bool:
        """Was it so while the one who died on his own turn lay there?"""
        now, self.g = self.g, self.wake or self.g
        try:
            check(step)
        except Failed:
            return False
        finally:
            self.g = now
        return True

    def _spend_pass(self) -> None:
        """`everyone: pass` after a Curse or roll that nobody could answer was meant for the fight's window.

        One that won a fight was meant for the draw as well, if nobody takes from the discards after all; and one
        that let a roll stand for what could still be done about the escape, or about the Curse it was made against.
        """
        self.spare_pass = False
        if isinstance(self.g.stack[-1], fr.Combat):
            self._everyone("pass")
        elif isinstance(self.g.stack[-1], (fr.Draw, fr.Roll, fr.Curse, fr.Window)):
            self._close()
            self._close_idle_windows()

    def _move(self, seat: int, move: Any) -> None:
        """Make the move; a window that it does not use closes by itself first."""
        verb = parse(move)[0]
        self._step_back(seat, move)
        before = len(self.g.events or [])
        if self.spare_pass and not self._works(seat, move):
            self._spend_pass()
        self.spare_pass = False
        self._close_until(seat, move)
        if verb == "pass" and self.closed_itself and not self._may(seat, mv.PASS, mv.DONE):
            return
        self.closed_itself = False
        if self.hands.already(seat, move) or self._acted_already(seat, move) or self._answered_itself(seat, move):
            return
        self.mark = before
        self.doorstep = self.g.clone() if verb == "kick" else None
        self.powered = verb == "use"
        self.hands.do(seat, move)
        self._close_idle_windows()
        self.spare_pass = verb == "pass" and self._all_declined()
        self.events = [e.rule for e in (self.g.events or [])[before:] if e.rule]

    def _all_declined(self) -> bool:
        """Has everybody who could answer this roll or Curse passed? Then the others need not say so, too."""
        f = self.g.stack[-1]
        if not isinstance(f, (fr.Roll, fr.Curse)):
            return False
        left = [s for s in range(len(self.g.players)) if not f.passed >> s & 1]
        return not any(m.verb in _ACTS for s in left for m in legal(self.g, s))

    def _step_back(self, seat: int, move: Any) -> None:
        """A power used instead of turning the door over may be told after the kick, as long as nobody has looked."""
        door, self.doorstep = self.doorstep, None
        if door is None or parse(move)[0] != "use" or self._works(seat, move):
            return
        try:
            Hands(door.clone(), self.names).do(seat, move)
        except Refused:
            return
        self.g = door
        self.hands = Hands(door, self.names)

    def _acted_already(self, seat: int, move: Any) -> bool:
        """Does the step play a card that had to act the moment it came, or open a door that a power just opened?"""
        verb, arg, _ = parse(move)
        if verb not in ("play", "kick") or self._works(seat, move):
            return False
        recent = [e for e in (self.g.events or [])[self.mark :] if e.seat == seat]
        if verb == "kick":
            return self.powered and any(e.kind == "kick" for e in recent)
        return any(e.kind == "immediate" and self.names.matches(str(arg), e.card) for e in recent)

    def _answered_itself(self, seat: int, move: Any) -> bool:
        """Does the step give the only answer to a question that was not asked for that reason, and that came true?"""
        verb, arg, _ = parse(move)
        if verb != "choose" or self._works(seat, move):
            return False
        labels = [str(x) for x in (arg if isinstance(arg, list) else [arg])]
        for _ in range(20):
            mine = [e for e in (self.g.events or [])[self.mark :] if e.seat == seat]
            cards = [e.other if e.kind == "attach" else e.card for e in mine]
            if labels and all(any(self.names.matches(x, c) for c in cards) for x in labels):
                return True
            if not self._self_closing():
                return False
            self._close()
        return False

    def _close_until(self, seat: int, move: Any) -> None:
        for _ in range(20):
            if not self._self_closing() or self._works(seat, move):
                return
            if not self._works_after_closing(seat, move):
                return
            self._close()

    def _works(self, seat: int, move: Any) -> bool:
        trial = self._trial()
        try:
            trial.do(seat, move)
        except Refused:
            return False
        except Unclear:
            return True
        return True

    def _works_after_closing(self, seat: int, move: Any) -> bool:
        """Would it be legal with this window, and perhaps others after it, closed?"""
        play = Play(None, {})
        play.g = self.g.clone()
        play.names = self.names
        for _ in range(20):
            if not play._self_closing():
                return False
            play._close()
            if play._works(seat, move):
                return True
        return False

    def _trial(self) -> Hands:
        return Hands(self.g.clone(), self.names)

    def _may(self, seat: int, *verbs: int) -> bool:
        return any(m.verb in verbs for m in legal(self.g, seat))

    def _everyone(self, move: Any) -> None:
        """Each player who may still answer, from the turn player on; nobody to answer: nothing happens."""
        verb = parse(move)[0]
        if verb != "pass":
            for seat in self.g.living(self.g.turn):
                if verb not in _ANSWERS or self._may(seat, _ANSWERS[verb]):
                    self._move(seat, move)
            return
        if self.closed_itself:
            self.closed_itself = False
            self.spare_pass = True
            return
        self.spare_pass = False
        before = len(self.g.events or [])
        frame = self.g.stack[-1]
        if isinstance(frame, (fr.Ask, fr.Draft, fr.Surplus, fr.Turn)):
            return
        self.mark = before
        for seat in self.g.around(self.g.turn):
            if self.g.stack and self.g.stack[-1] is frame and self._may(seat, mv.PASS):
                apply(self.g, Move(seat, mv.PASS))
        self._close_idle_windows()
        self.closed_itself = False
        top = self.g.stack[-1]
        self.spare_pass = isinstance(top, (fr.Draw, fr.Window)) or (
            isinstance(frame, fr.Roll) and isinstance(top, fr.Curse)
        )
        self.events = [e.rule for e in (self.g.events or [])[before:] if e.rule]

    def _best(self, best: Any) -> None:
        """What `best:` calls right or wrong must at least be legal; who finds it is for the bots to show."""
        for name, right, wrong in best_moves(best):
            self._offered({"offered": {name: [m for m in (*right, *wrong) if m != "pass"]}})

    # -- windows ----------------------------------------------------------------------------------------------

    def _self_closing(self) -> bool:
        if self.g.winners:
            return False
        f = self.g.stack[-1]
        return isinstance(f, (fr.Roll, fr.Curse, fr.Window, fr.Draw)) or (isinstance(f, fr.Flee) and f.stage == 1)

    def _close(self) -> None:
        frame = self.g.stack[-1]
        for seat in to_act(self.g):
            if self.g.stack and self.g.stack[-1] is frame and self._may(seat, mv.PASS):
                apply(self.g, Move(seat, mv.PASS))

    def _close_idle_windows(self) -> None:
        """A window in which nobody at the table could do anything is over before it is seen."""
        while self._self_closing():
            if any(m.verb in _ACTS for s in range(len(self.g.players)) for m in legal(self.g, s)):
                if isinstance(self.g.stack[-1], (fr.Curse, fr.Roll)):
                    self.closed_itself = False  # a pass is for this one
                return
            if isinstance(self.g.stack[-1], (fr.Curse, fr.Roll)):
                self.closed_itself = True
            self._close()

    # -- assertions -------------------------------------------------------------------------------------------

    def _expect(self, step: dict[str, Any]) -> None:
        self._compare(step["expect"], EVERYTHING)

    def _sees(self, step: dict[str, Any]) -> None:
        for name, paths in step["sees"].items():
            self._compare(paths, seat_named(self.g, name))

    def _compare(self, paths: Any, seat: int) -> None:
        if not isinstance(paths, dict):
            raise ScenarioError(f"expected a mapping of paths, not {paths!r}")
        eyes = Eyes(self.g, seat, self.events)
        for path, wanted in paths.items():
            actual = eyes.read(str(path))
            if not compare(actual, eyes.spelled(wanted)):
                raise Failed(f"{path} is {show(actual)}, not {show(wanted)}")

    def _refused(self, step: dict[str, Any]) -> None:
        reason = step.get("because")
        body = dict(step["refused"])
        if reason is None:
            reason = body.pop("because", None)
        for name, move in body.items():
            seat = seat_named(self.g, name)
            for one in self._alternatives(move):
                self._must_refuse(seat, one, reason)

    def _alternatives(self, move: Any) -> list[Any]:
        return move if isinstance(move, list) else [move]

    def _must_refuse(self, seat: int, move: Any, reason: Any) -> None:
        before = self.g.key()
        try:
            self._trial().do(seat, move)
        except Refused as e:
            wanted = [reason] if isinstance(reason, str) else reason
            if wanted and not any(e.reason.cites(w) for w in wanted):
                raise Failed(f"{show(move)} was refused by {e.rule}, not {show(reason)}: {e}") from None
        else:
            raise Failed(f"{show(move)} should have been refused, but it is legal")
        if self.g.key() != before:
            raise Failed("a refused move changed the position")

    def _offered(self, step: dict[str, Any]) -> None:
        for name, moves in step["offered"].items():
            for move in self._alternatives(moves):
                try:
                    self._trial().do(seat_named(self.g, name), move)
                except Unclear:
                    pass  # there is more than one way to do it
                except Refused as e:
                    if self._self_closing() and self._works_after_closing(seat_named(self.g, name), move):
                        continue  # the window before it would close by itself
                    raise Failed(f"{show(move)} should be offered to {name}, but: {e}") from None

    def _not_offered(self, step: dict[str, Any]) -> None:
        for name, moves in step["not_offered"].items():
            for move in self._alternatives(moves):
                if self._works(seat_named(self.g, name), move):
                    raise Failed(f"{show(move)} should not be offered to {name}, but it is legal")
