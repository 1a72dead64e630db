"""Running scenarios: set the table, make the moves, check what must be true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kickdoor.cards.reading import ReadingError, documents
from kickdoor.engine import setup
from kickdoor.engine.kernel import apply
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.notation import NotationError
from kickdoor.engine.value.notation import parse as parse_move
from kickdoor.engine.value.reasons import Refused, Unsettled
from kickdoor.engine.views import EVERYTHING
from kickdoor.paper.files import read_text
from kickdoor.paper.plain import one_line
from kickdoor.scenario import windows
from kickdoor.scenario.checks import Eyes, compare, show
from kickdoor.scenario.citing import Citation, named
from kickdoor.scenario.naming import Names, ScenarioError, Unclear, seat_named
from kickdoor.scenario.setting import Printed, set_table
from kickdoor.scenario.table import check_keys
from kickdoor.scenario.translating import after
from kickdoor.scenario.wording import as_list, parse

TOP_KEYS: Final = (
    "scenario",
    "shows",
    "packs",
    "without",
    "copies",
    "rules",
    "options",
    "table",
    "steps",
    "setup_refused",
    "best",
    "note",
)
STEPS: Final = 2_000  # a whole game has fewer
ASSERTIONS: Final = ("expect", "refused", "offered", "not_offered", "sees")
NOT_PLAYERS: Final = (*ASSERTIONS, "everyone", "moves")  # what else a step begins with


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
    citations: list[Citation] = field(default_factory=list)  # one for each refusal that was asserted and came
    unrolled: list[int] = field(default_factory=list)  # scripted dice that nobody rolled

    @property
    def clean(self) -> bool:
        """Does everything hold, and is every scripted die rolled? A die that waits in vain breaks no promise, but
        in a scenario of ours it is a sign that something else happened than was meant."""
        return self.passed and not self.unrolled


class Failed(Exception):
    """An expectation that did not hold."""


def run_text(text: str, name: str = "scenario", first: int = 1) -> list[Outcome]:
    """Every scenario of a text that begins on this line of its file."""
    return [run_document(data, lines, name) for data, lines in documents(text, name, first)]


def run_file(path: Path) -> list[Outcome]:
    """Every scenario of a file."""
    return run_text(read_text(path), str(path))


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


def run_document(data: Any, lines: dict[tuple[Any, ...], int], name: str, printed: Printed = setup.library) -> Outcome:
    """One scenario that has been read; `printed` says what its cards are, for whoever tries out other ones."""
    title = one_line(str(data.get("scenario", "(no title)"))) if isinstance(data, dict) else "(not a scenario)"
    shows = [str(x) for x in data.get("shows", None) or []] if isinstance(data, dict) else []
    out = Outcome(name, title, False, shows=shows, line=lines.get((), 1))
    play = Play(data, Path(name).parent, printed)
    try:
        play.run()
        out.passed, out.unrolled = True, play.unrolled
    except Failed as e:
        out.because = str(e)
    except Refused as e:
        out.because = f"refused: {e}"
    except Unsettled as e:
        out.because = str(e)
    except (ScenarioError, ReadingError) as e:
        out.because, out.broken = str(e), True
    out.step = play.step
    out.citations = play.citations
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
            out.append((str(name), [], as_list(moves["not"])))
        else:
            out.append((str(name), as_list(moves), []))
    return out


class Play:
    """One scenario being played."""

    def __init__(self, data: Any, folder: Path = Path(), printed: Printed = setup.library) -> None:
        self.data = data
        self.folder = folder
        self.printed = printed
        self.step = 0
        self.g: Game
        self.names: Names
        self.events: list[str] = []  # the rules that the last move brought into play
        self.citations: list[Citation] = []
        self.unrolled: list[int] = []

    def run(self) -> None:
        data = check_keys(self.data, TOP_KEYS, "scenario")
        if "scenario" not in data:
            raise ScenarioError("a scenario needs a title: scenario: ...")
        steps = data.get("steps") or []
        if not isinstance(steps, list):
            raise ScenarioError("steps: must be a list")
        if len(steps) > STEPS:
            raise ScenarioError(f"steps: at most {STEPS:,}, not {len(steps):,}; make several scenarios of it")
        if "setup_refused" in data:
            self._refuse_table(data)
            return
        self._set_table(data)
        for i, step in enumerate(steps):
            self.step = i + 1
            self._step(step)
        self.step = 0
        self._best(data.get("best"))
        self.unrolled = list(self.g.dice)

    # -- the table --------------------------------------------------------------------------------------------

    def _refuse_table(self, data: dict[str, Any]) -> None:
        wanted = data["setup_refused"]
        try:
            self._set_table(data)
        except Refused as e:
            self._cite("setting the table", e, wanted)
            return
        raise Failed(f"setting the table should have been refused ({wanted})")

    def _set_table(self, data: dict[str, Any]) -> None:
        self.g, self.names = set_table(data, self.folder, self.printed)
        if "memory" not in (data.get("table") or {}):  # a position out of a game is as it was
            windows.close_idle(self.g)

    # -- moves ------------------------------------------------------------------------------------------------

    def _step(self, step: Any) -> None:
        if not isinstance(step, dict) or not step:
            raise ScenarioError(f"not a step: {step!r}")
        head = str(next(iter(step)))
        if len(step) != 1 and set(step) != {"refused", "because"}:
            raise ScenarioError(f"a step is one move of one player, or one assertion, not {sorted(step)}")
        if head in ASSERTIONS:
            getattr(self, f"_{head}")(step)
            return
        if head == "moves":
            self._moves(step[head])
        elif head == "everyone":
            self._everyone(step[head])
        else:
            self._move(seat_named(self.g, head), step[head])

    def _move(self, seat: int, move: Any) -> None:
        """Make the move; where it is not legal now, windows that need no written pass close first, one by one."""
        while windows.closes_itself(self.g) and not self._is_legal(seat, move):
            if not windows.close(self.g):
                break
        self.g = after(self.g, self.names, seat, move)
        self._settle_windows()

    def _moves(self, said: Any) -> None:
        """The engine's own moves, in notation, as they were made in a game: nothing closes by itself here."""
        self.g.events = []
        for move in as_list(said):
            try:
                apply(self.g, parse_move(self.g, str(move)))
            except NotationError as e:
                raise ScenarioError(f"moves: {e}") from None
        self.events = [e.rule for e in self.g.events or [] if e.rule]

    def _is_legal(self, seat: int, move: Any) -> bool:
        try:
            after(self.g, self.names, seat, move)
        except Refused:
            return False
        return True

    def _everyone(self, move: Any) -> None:
        """All pass in the topmost window; or everybody who can gives that answer, from the turn player on."""
        if parse(move)[0] == "pass":
            self.g.events = []
            windows.close(self.g)
            self._settle_windows()
            return
        for seat in self.g.living(self.g.turn):
            if self._is_legal(seat, move):
                self._move(seat, move)

    def _settle_windows(self) -> None:
        windows.close_idle(self.g)
        self.events = [e.rule for e in self.g.events or [] if e.rule]

    def _best(self, best: Any) -> None:
        """What `best:` calls right or wrong must at least be legal; who finds it is for the bots to show."""
        for name, right, wrong in best_moves(best):
            for move in (*right, *wrong):
                if move != "pass":
                    self._must_be_offered(name, move)

    # -- assertions -------------------------------------------------------------------------------------------

    def _expect(self, step: dict[str, Any]) -> None:
        self._compare(step["expect"], EVERYTHING)

    def _sees(self, step: dict[str, Any]) -> None:
        for name, paths in step["sees"].items():
            self._compare(paths, seat_named(self.g, name))

    def _compare(self, paths: Any, seat: int) -> None:
        if not isinstance(paths, dict):
            raise ScenarioError(f"expected a mapping of paths, not {paths!r}")
        eyes = Eyes(self.g, seat, self.events, self.names)
        for path, wanted in paths.items():
            actual = eyes.read(str(path))
            if not compare(actual, eyes.spelled(wanted)):
                raise Failed(f"{path} is {show(actual)}, not {show(wanted)}{_meanwhile(eyes, path)}")

    def _refused(self, step: dict[str, Any]) -> None:
        body = dict(step["refused"])
        rule = step.get("because", body.pop("because", None))
        if rule is not None and not isinstance(rule, str):
            raise ScenarioError(f"because: is the id of one rule, not {show(rule)}")
        for name, moves in body.items():
            for move in as_list(moves):
                self._must_refuse(seat_named(self.g, name), move, rule)

    def _must_refuse(self, seat: int, move: Any, rule: str | None) -> None:
        before = self.g.key()
        try:
            after(self.g, self.names, seat, move)
        except Refused as e:
            self._cite(show(move), e, rule)
        else:
            raise Failed(f"{show(move)} should have been refused, but it is legal")
        if self.g.key() != before:
            raise Failed("a refused move changed the position")

    def _cite(self, what: str, refusal: Refused, rule: str | None) -> None:
        """Compare the rule that a refusal cites with the one it should, and write down how it was named."""
        how = named(refusal.reason, rule)
        if how is None:
            raise Failed(f"{what} was refused by {refusal.rule}, not {rule}: {refusal}")
        self.citations.append(Citation(self.step, how, rule, refusal.rule))

    def _offered(self, step: dict[str, Any]) -> None:
        for name, moves in step["offered"].items():
            for move in as_list(moves):
                try:
                    self._must_be_offered(name, move)
                except Unclear:
                    continue  # there is more than one way to do it

    def _must_be_offered(self, name: str, move: Any) -> None:
        try:
            after(self.g, self.names, seat_named(self.g, name), move)
        except Refused as e:
            raise Failed(f"{show(move)} should be offered to {name}, but: {e}") from None

    def _not_offered(self, step: dict[str, Any]) -> None:
        for name, moves in step["not_offered"].items():
            for move in as_list(moves):
                try:
                    after(self.g, self.names, seat_named(self.g, name), move)
                except Refused:
                    continue
                except Unclear:
                    pass
                raise Failed(f"{show(move)} should not be offered to {name}, but it is legal")


def _meanwhile(eyes: Eyes, path: str) -> str:
    """Who is asked something that the scenario has not answered: then what it expects may not have happened yet."""
    asked = eyes.read("asked")
    if path == "asked" or not isinstance(asked, dict):
        return ""
    return f" (while {asked['player']} is asked about {show(asked['about'])})"
