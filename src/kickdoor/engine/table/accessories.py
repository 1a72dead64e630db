"""What players bring to the table besides the cards (CAP-52): an optional module, agreed on before the game.

A thing lies beside its owner, out of reach of everything that happens to cards. Some come with a card to play, some are
given away or used up for good; `after` says who brings what to the next game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import SEXES, Game
from kickdoor.engine.value.reasons import Refused

MODULE: Final = "accessories"
NOBODY: Final = -1


def bring(g: Game, seat: int, cards: Sequence[int]) -> None:
    """A player puts his things beside him, with the cards that come with them (FQ-KILL-1, FQ-MISC-7)."""
    if not cards:
        return
    if MODULE not in g.rules.modules:
        raise Refused(r.ACCESSORIES_OFF)
    if not g.accessories:
        g.accessories = [[] for _ in g.players]
    for c in cards:
        d = g.lib.defs[c]
        if not d.outside:
            raise Refused(r.ACCESSORY_KIND)
        g.accessories[seat].append(c)
        g.brought = [*g.brought, (seat, c)]
        if d.sex in SEXES:
            g.players[seat].sex = SEXES.index(d.sex)  # FQ-MISC-7
        _bring_along(g, seat, d.card.brings)


def _bring_along(g: Game, seat: int, names: str | list[str] | None) -> None:
    """One card of each name, unless the table shares it (FQ-KILL-3)."""
    for name in [names] if isinstance(names, str) else names or ():
        if name.lower() not in shared(g):
            free = next((c for c in g.lib.by_name.get(name.lower(), ()) if not is_brought(g, c)), -1)
            if free >= 0:
                g.accessories[seat].append(free)


def is_brought(g: Game, card: int) -> bool:
    return any(card in mine for mine in g.accessories)


def shared(g: Game) -> frozenset[str]:
    """What belongs to the group is shuffled into its deck, and nobody starts with it (FQ-KILL-3)."""
    if MODULE not in g.rules.modules:
        return frozenset()
    return frozenset(n.lower() for n in g.rules.accessories.shared)


def in_the_deck(g: Game, card: int) -> bool:
    """Is this the one copy that the table shares?"""
    name = g.lib.defs[card].name.lower()
    return name in shared(g) and g.lib.by_name[name][0] == card


def bring_all(g: Game, things: Mapping[str, Sequence[str]]) -> None:
    """What everybody brings, by the names of players and things."""
    seats = {p.name: s for s, p in enumerate(g.players)}
    for who, names in things.items():
        if who not in seats:
            raise Refused(r.NO_SUCH_SEAT)
        for name in names:
            free = next((c for c in g.lib.by_name.get(name.lower(), ()) if not is_brought(g, c)), -1)
            if free < 0:
                raise Refused(r.NO_SUCH_CARD)
            bring(g, seats[who], [free])


def dealt(g: Game) -> None:
    """What a thing does for its owner when the hands have been dealt."""
    for s, mine in enumerate(g.accessories):
        for c in mine:
            prog = g.lib.defs[c].on.get("dealt", -1)
            if prog >= 0:
                g.stack.append(Effect(prog, c, s, s, cause="dealt"))


def destroy(g: Game, seat: int, card: int) -> None:
    """A thing that is used up is gone for good, not for this game alone (FQ-PROMO-4)."""
    g.accessories[seat].remove(card)
    g.box = [*g.box, card]
    g.ledger = [*g.ledger, (card, seat, NOBODY)]
    g.touch()
    g.emit("destroyed", seat, card, rule="FQ-PROMO-4")


def after(g: Game) -> dict[str, list[str]]:
    """Who brings what to the next game, ready for its set-up (FQ-PROMO-3, FQ-PROMO-4).

    House rules: `accessories.returned` (what was given away goes back), `accessories.stand_ins` (what was used up was
    only a stand-in).
    """
    owner = {c: s for s, c in g.brought}
    rules = g.rules.accessories
    for card, _, to in g.ledger:
        if to == NOBODY and not rules.stand_ins:
            owner.pop(card, None)
        elif to != NOBODY and not rules.returned:
            owner[card] = to
    out: dict[str, list[str]] = {p.name: [] for p in g.players}
    for card, seat in owner.items():
        out[g.players[seat].name].append(g.lib.defs[card].name)
    return out
