"""What would come of it: a victory, or a monster's Bad Stuff, carried out by the engine on a copy and told as changes
of sheets. Where somebody has to choose or a die has to be thrown, it is left to the people at the table."""

from __future__ import annotations

from typing import Final

from kickdoor.companion import shapes as sh
from kickdoor.companion.laying import Laid
from kickdoor.engine.facts import enemies
from kickdoor.engine.kernel import apply, legal, settle
from kickdoor.engine.table import zones
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import SEXES, Game
from kickdoor.engine.value.records import Foe, Token
from kickdoor.paper.grammar import many
from kickdoor.voice.words import sentence

ENOUGH: Final = 100_000  # a bonus with which any fight is won
PASSES: Final = 60  # so often everybody lets something happen


def victory(laid: Laid) -> list[sh.SheetChange]:
    """What winning this fight would be worth to each, in Levels (LEVEL-1, HELP-16)."""
    g = laid.g.clone()
    g.events = None
    assert g.fight is not None
    g.fight.tokens = [*g.fight.tokens, Token(ENOUGH, g.fight.main, False, -1)]
    g.touch()
    for _ in range(PASSES):
        if not isinstance(g.stack[-1], fr.Combat) or g.winners or not _pass(g):
            break
    out = [_change(laid, g, s) for s in range(len(g.players))]
    return [x for x in out if x["level"] > 0]


def _pass(g: Game) -> bool:
    """Somebody who may, lets it happen."""
    for seat in range(len(g.players)):
        passing = [m for m in legal(g, seat) if m.verb == mv.PASS]
        if passing:
            apply(g, passing[0], trusted=True)
            return True
    return False


def bad_stuff(laid: Laid, sheet: str, foe: Foe) -> sh.BadStuff:
    """What this monster does to one who does not get away (RUN-11, RUN-16)."""
    seat = laid.seats[sheet]
    stuff = enemies.bad_stuff(laid.g, foe)
    if not stuff:
        return {"sheet": sheet, "changes": [], "open": ""}
    g = laid.g.clone()
    g.events = None
    depth = len(g.stack)
    for prog, card in reversed(stuff):
        g.stack.append(fr.Effect(prog, card, seat, seat, foe=foe.card, cause=zones.BAD_STUFF))
    settle(g)
    waiting = "" if len(g.stack) <= depth or g.winners else _waiting(g)
    changes = [_change(laid, g, s) for s in range(len(g.players))]
    return {"sheet": sheet, "changes": [x for x in changes if x["says"]], "open": waiting}


def _waiting(g: Game) -> str:
    """What is to be decided at the table."""
    f = g.stack[-1]
    if isinstance(f, fr.Roll):
        return "A die decides: throw it at the table."
    seat = getattr(f, "seat", -1)
    if isinstance(f, fr.Death) or any(isinstance(x, fr.Death) for x in g.stack):
        return "The others take what they like of what he had, one card each, the highest Level first (DEATH-3)."
    return f"{g.players[seat].name}: {sentence(g, seat, True)}" if seat >= 0 else "Something is to be decided."


def _change(laid: Laid, then: Game, seat: int) -> sh.SheetChange:
    """How a sheet is other than it was."""
    was, is_ = laid.g.players[seat], then.players[seat]
    away = [c for c in was.table if c not in is_.table]
    died = is_.dead and not was.dead
    sex = SEXES[is_.sex] if is_.sex != was.sex else ""
    by = is_.level - was.level
    parts = []
    if died:
        parts.append("dies")
    if by:
        parts.append(f"{'gains' if by > 0 else 'loses'} {many(abs(by), 'Level')}")
    if away:
        parts.append("loses " + ", ".join(laid.g.lib.defs[c].name for c in away))
    if sex:
        parts.append(f"is {sex} from now on")
    things = laid.things
    return {
        "sheet": laid.sheets[seat],
        "level": by,
        "away": [things[c] for c in away if c in things],
        "died": died,
        "sex": sex,
        "says": f"{was.name} {' and '.join(parts)}." if parts else "",
    }
