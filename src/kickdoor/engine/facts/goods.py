"""What a card is and is called, and what an Item is worth and gives."""

from __future__ import annotations

from kickdoor.cards.library import CardDef
from kickdoor.engine.facts import front
from kickdoor.engine.value.game import TREASURE, Game


def price(g: Game, card: int) -> int:
    """The Gold Pieces of an Item and of what lies on it, which is lost or sold with it (IENH-4)."""
    defs = g.lib.defs
    gold = defs[card].gold or 0
    return gold + sum(defs[a].gold or 0 for a in front.attachments(g, card)) if g.host else gold


def items_value(g: Game, seat: int) -> int:
    """What all Items in front of a player are worth together."""
    return sum(price(g, c) for c in g.players[seat].table if is_item(g, c) and c not in g.host)


def is_item(g: Game, card: int) -> bool:
    """A card with a Gold Piece value, or No Value, whatever its deck (FQ-CARD-5)."""
    d = g.lib.defs[card]
    return d.is_item and not (d.is_companion and no_item_companions(g))


def is_special(d: CardDef) -> bool:
    """A Treasure that is no Item, such as Go Up a Level (SPECIAL-1)."""
    return d.deck == TREASURE and not d.is_item and not d.is_one_shot


def no_item_companions(g: Game) -> bool:
    """In some sets no companion is an Item, whatever it costs (BT-25)."""
    return g.rules.companion is None or g.rules.companion.tradable == "never"


def is_big(g: Game, card: int) -> bool:
    d = g.lib.defs[card]
    if not d.big:
        return False
    if g.host:
        defs = g.lib.defs
        return not any("small" in defs[a].mods for a in front.attachments(g, card))
    return True


def tagged(g: Game, card: int, tags: tuple[str, ...]) -> bool:
    """Has a card one of these tags, its own or from what lies on it?"""
    mine = g.lib.defs[card].tags
    if g.host and front.suppressed(g, card):
        return False  # FQ-AXE-17
    if any(t in mine for t in tags):
        return True
    if g.host:
        defs = g.lib.defs
        return any(t in defs[a].adds_tags for a in front.attachments(g, card) for t in tags)
    return False


def named(g: Game, card: int, names: tuple[str, ...]) -> bool:
    d = g.lib.defs[card]
    return d.name.lower() in names or d.family in names


def item_bonus(g: Game, card: int) -> int:
    """What an Item with all that lies on it gives in combat, whether in use or not."""
    if g.host and front.suppressed(g, card):
        return 0
    seat = front.owner(g, card)
    return sum(own_bonus(g, seat, c) for c in (card, *front.attachments(g, card)))


def own_bonus(g: Game, seat: int, card: int) -> int:
    """What one card gives its owner in combat, without what lies on it."""
    n = g.lib.defs[card].bonus + g.grown.get(card, 0)
    for m in g.lib.defs[card].mods.get("strength", ()):
        if m.test is None or (seat >= 0 and m.test(g, seat, None)):
            n += m.amount
    return n


def favours(g: Game, card: int, kind: str) -> bool:
    """Is an Item only for a Race (or Class) that its owner has now, or better for it?"""
    seat = front.owner(g, card)
    d = g.lib.defs[card]
    if seat < 0:
        return False
    mine: set[str] = set()
    for c in front.races(g, seat) if kind == "race" else front.classes(g, seat):
        mine |= g.lib.defs[c].traits
    if not mine and kind == "race":
        mine.add("human")
    return bool(mine & (d.usable_by | d.better_for))
