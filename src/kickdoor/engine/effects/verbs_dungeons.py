"""What cards do to Dungeons: entering and leaving them, and becoming what one of them makes of you (DUNG, FQ-DUNG)."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import dungeons
from kickdoor.engine.effects.programs import otherwise, run, seat_for
from kickdoor.engine.facts import force
from kickdoor.engine.table import several_piles, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import DOOR, DUNGEON, Game


def change(g: Game, f: Effect, a: Args) -> bool:
    """The verb `dungeon`: Dungeons are added, left, or one takes another's place (PORTAL-4)."""
    gone = _leaving(g, f, a)
    if gone is None:
        return False
    come = [dungeons.next_dungeon(g, a.frm) for _ in range(int(a.amount))]
    if -1 in come:
        g.emit("no_draw", f.actor, n=DUNGEON, rule="PILE-5")
        come = [c for c in come if c >= 0]
    if not come and not gone:
        return otherwise(g, f, a)
    dungeons.move_on(g, come, gone, _reach(g, f.actor, a.who))
    run(g, f, a.do)
    return True


def _leaving(g: Game, f: Effect, a: Args) -> list[int] | None:
    """Which Dungeons are left; None while the choice is being asked for."""
    can = dungeons.removable(g)
    if a.which == "all":
        return can
    if a.which == "choice" and f.ans is None:
        ask(g, f.actor, can, card=f.card, about="dungeon", rule="PORTAL-4")
        return None
    if a.which == "none" or not can:
        return []
    if f.ans is not None:
        return list(f.ans)
    return [can[0] if a.which == "oldest" else can[-1]]


def _reach(g: Game, actor: int, word: str) -> int:
    """Whom a Dungeon is for, as its Portal says: a bit set of seats (DUNG-2, AMB-67)."""
    n = len(g.players)
    if word == "actor":
        return 1 << actor
    if word == "others":
        return ((1 << n) - 1) & ~(1 << actor)
    if word == "neighbours":
        return 1 << actor | 1 << (actor + 1) % n | 1 << (actor - 1) % n
    return force.ALL_SEATS


def become(g: Game, f: Effect, a: Args) -> bool:
    """A Race or Class stays with a player: a card of that name lies before him from now on (FQ-DUNG-8).

    It comes from the discards or the deck. Where that makes one too many, he says which goes (COMBO-17); who has it
    already gets none, nor does anyone whom another's claim shuts out (FQ-DUNG-7).
    """
    seat = seat_for(g, f, "")
    word = a.word.lower()
    mine = any(word in g.lib.defs[c].traits for c in g.players[seat].table)
    if mine or g.players[seat].dead or force.claimed(g, seat, word):
        return True
    for pile in (g.discards[DOOR], *several_piles.piles(g, DOOR)):
        card = next((c for c in reversed(pile) if g.lib.defs[c].name.lower() == word), -1)
        if card >= 0:
            several_piles.find(g, DOOR, card)
            zones.to_table(g, seat, card)
            g.emit("trait", seat, card, rule="FQ-DUNG-8")
            break
    return True
