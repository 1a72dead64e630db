"""Running what cards do, step by step, and what follows when a card is done."""

from __future__ import annotations

from kickdoor.engine.chapters import epic, turn
from kickdoor.engine.table import decks, portals, several_piles, zones
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import DOOR, Game


def step_effect(g: Game, f: Effect) -> bool:
    """Run the next step of the program on top."""
    program = g.lib.programs[f.prog]
    if f.pc >= len(program) or (f.pc == 0 and f.cause == zones.BAD_STUFF and g.players[f.who].dead):
        g.stack.pop()
        if f.cause == "portal":
            _portal_done(g, f)
        else:
            zones.put_away(g, f)
        return True
    instr = program[f.pc]
    above = len(g.stack)
    if instr.fn(g, f, instr.a):
        f.pc += 1
        f.ans = None
    else:
        # What it set off comes first; what it asks must lie right on it, since that is where the answer goes.
        g.stack.insert(above, g.stack.pop())
    return True


def _portal_done(g: Game, f: Effect) -> None:
    """Another Door in its place, facing as the Portal did when it was drawn (PORTAL-5, PORTAL-7, PORTAL-12)."""
    others = any(g.lib.defs[c].kind != "portal" for p in (g.discards[DOOR], *several_piles.piles(g, DOOR)) for c in p)
    if g.players[f.actor].dead or not others:  # with nothing but Portals left one would never arrive
        g.emit("no_draw", f.actor, n=DOOR, rule="PILE-5")
    elif f.face == portals.AT_DOOR:
        turn.kick(g, decks.take_top(g, DOOR))
    elif f.face == portals.AT_EPIC_DOOR:
        epic.another_door(g)
    else:
        decks.draw(g, f.actor, DOOR, 1, f.face == portals.FACE_UP, "portal", "PORTAL-12")
    g.limbo.remove(f.card)
    zones.to_discard(g, f.card, "PORTAL-1")
