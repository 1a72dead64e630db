"""Could this be played? What stands in the way of a game of these cards with so many people, and what would help.

The engine refuses such a game when it is dealt; who sets a table wants to know before, and what to do about it.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from kickdoor.engine import setup
from kickdoor.engine.table import deck_building
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import OPEN
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble
from kickdoor.voice.choices import FLAGS


def of_table(t: Table) -> list[pr.Obstacle]:
    """For those who sit there now; and for a full table, where that is worse."""
    sat = sum(c.who != OPEN for c in t.chairs)
    now = obstacles(t.options, sat)
    if sat == len(t.chairs):
        return now
    known = {x["rule"] for x in now}
    later = [x for x in obstacles(t.options, len(t.chairs)) if x["rule"] not in known]
    for x in later:
        x["now"] = False
    return now + later


def obstacles(o: op.TableOptions, n: int) -> list[pr.Obstacle]:
    """What is in the way of a game of n people."""
    return [x.copy() for x in _obstacles(msgspec.msgpack.encode(o), n)]


@lru_cache(maxsize=512)
def _obstacles(packed: bytes, n: int) -> tuple[pr.Obstacle, ...]:
    o = msgspec.msgpack.decode(packed, type=op.TableOptions)
    rules = op.rules(o)
    found = [_seats(o, rules, n)]
    if n >= rules.players.min:  # of fewer people more may come
        found.append(_cards(o, rules, n))
    return tuple(x for x in found if x is not None)


def _seats(o: op.TableOptions, rules: Ruleset, n: int) -> pr.Obstacle | None:
    """SETUP-1, and the house rule that says otherwise."""
    try:
        setup.check_seats(rules, n)
    except Refused as e:
        house = next((h for h in FLAGS if h not in o.house and _allows(o, h, n)), "")
        more = f" The house rule “{FLAGS[house].title}” allows it." if house else ""
        return _obstacle(e, n, f"{e.reason.says}{more}", house=house)
    return None


def _allows(o: op.TableOptions, house: str, n: int) -> bool:
    seats = op.rules(msgspec.structs.replace(o, house=[*o.house, house])).players
    return seats.min <= n <= seats.max


def _cards(o: op.TableOptions, rules: Ruleset, n: int) -> pr.Obstacle | None:
    """SETUP-5, WIN-5, and the sets that would do."""
    g = setup.prepared([f"P{i}" for i in range(n)], tuple(o.packs), 1, rules, lib=op.cards(o))
    try:
        deck_building.check_size(g)
    except Refused as e:
        return _obstacle(e, n, e.reason.says, add=deck_building.mending(g))
    return None


def _obstacle(e: Refused, n: int, says: str, add: list[str] | None = None, house: str = "") -> pr.Obstacle:
    return {"says": says, "rule": e.rule, "players": n, "now": True, "add": add or [], "house": house}


def check(o: op.TableOptions, sat: int) -> None:
    """Cards that cannot be played with are refused as soon as they are chosen: for those who sit there, or for as few
    as the rules allow. That seats are missing, or too many, can still change."""
    n = max(sat, op.rules(o).players.min)
    wrong = _cards(o, op.rules(o), n)
    if wrong is not None:
        raise Trouble("bad_option", wrong["says"], wrong["rule"])
