"""How cards, people, targets and other things of the table are named in a sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kickdoor.cards.library import CardDef
from kickdoor.cards.words import SLOTS
from kickdoor.engine.facts import fights, front
from kickdoor.engine.playing.abilities import power_of
from kickdoor.engine.table import several_piles
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import SEXES, Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, Move, seat_of
from kickdoor.paper.grammar import SOMEBODY, Person, Word, listed, many, possessive, reflexive, render, signed, whose

DECK_NAMES: Final = ("Door", "Treasure", "Dungeon", "Spell", "Fairy Dust card")

# -- cards, powers and piles --------------------------------------------------------------------------------------


def card_name(g: Game, card: int) -> str:
    """A card's name; a Mate bears the name of what it copies."""
    if card < 0:
        return "a card"
    fight = g.fight
    if fight is not None:
        foe = fights.find_foe(fight, card)
        if foe is not None and foe.face != card:
            return f"{g.lib.defs[foe.face].name} (its {g.lib.defs[card].name})"
    return g.lib.defs[card].name


def card_names(g: Game, cards: tuple[int, ...]) -> str:
    """Several cards by their names, and "nothing" for none."""
    return listed([card_name(g, c) for c in cards], nothing="nothing")


def kind_word(d: CardDef) -> str:
    """What kind of card it is, as a player says it."""
    if d.kind == "item":
        parts = ["Big" if d.big else "", SLOTS.get(d.slot, "Item")]
        return " ".join(p for p in parts if p)
    return {
        "one_shot": "One-shot",
        "monster_enhancer": "Enhancer",
        "item_enhancer": "Item enhancer",
        "go_up_a_level": "Level",
    }.get(d.kind, d.kind.replace("_", " ").capitalize())


def figures(d: CardDef) -> str:
    """The numbers of a card, in the order people look for them."""
    out = []
    if d.kind == "monster":
        out.append(f"Level {d.level}")
        out.append(many(d.treasures, "Treasure"))
        if d.levels > 1:
            out.append(many(d.levels, "level"))
    elif d.bonus:
        out.append(signed(d.bonus))
    if d.kind == "power":
        out.append(f"Rank {d.rank}")
    if d.is_item:
        out.append(f"{d.gold:,} gp" if d.gold else "no value")
    return ", ".join(out)


def choice_name(g: Game, card: int) -> str:
    """A card among others, with what makes the choice easier."""
    if card < 0:
        return "A card from the hand, unseen"
    facts = figures(g.lib.defs[card])
    where = ", in use" if card in g.equipped else ""
    return card_name(g, card) + (f" ({facts}{where})" if facts or where else "")


def power_name(g: Game, m: Move) -> str:
    """A power, and the card that gives it where that has another name."""
    p = power_of(g, m.seat, m.card, mv.power_index(m.extra))
    name = g.lib.defs[m.card].name
    return p.name + ("" if p.name == name else f" ({name})")


def pile_name(g: Game, place: int, deck: str) -> str:
    """A pile to draw from, by its place on the table or the set it holds."""
    name = several_piles.name(g, place)
    left = several_piles.heights(g, ("doors", "treasures").index(deck))[name]
    where = f"the {name}" if name in several_piles.SIDES else name.replace("_", " ").title()
    return f"{deck.capitalize()} {'on' if name in several_piles.SIDES else 'of'} {where} ({many(left, 'card')})"


# -- people and targets -------------------------------------------------------------------------------------------


def person(g: Game, seat: int, me: int) -> Person:
    """A player in a sentence for this listener."""
    if not 0 <= seat < len(g.players):
        return SOMEBODY
    p = g.players[seat]
    return _person(p.name, seat == me, p.sex)


@lru_cache(maxsize=4000)
def _person(name: str, you: bool, sex: int) -> Person:
    """Kept: the same few people are in every sentence of a table."""
    return Person(name, you, sex=SEXES[sex] if 0 <= sex < len(SEXES) else "")


def said(text: str, **words: Word) -> str:
    """A sentence with these words in its gaps (`grammar.render`). Everybody around a table is told much the same."""
    return _said(text, tuple(words.items()))


@lru_cache(maxsize=4000)
def _said(text: str, words: tuple[tuple[str, Word], ...]) -> str:
    return render(text, dict(words).__getitem__)


def target_words(g: Game, target: int, me: int, by: int = -1) -> str:
    """What a move is aimed at, as the end of a sentence: of one's own, or of what somebody (`by`) did."""
    if target == MUNCHKINS:
        mine = g.fight is not None and me in fights.fighters(g)
        return "your side" if mine else "the munchkins"
    if target == MONSTERS:
        return "the monsters"
    s = seat_of(target)
    if s >= 0:
        if s == by or (by < 0 and s == me):
            return reflexive(person(g, s, me))
        return "you" if s == me else g.players[s].name
    if target < 0:
        return ""
    owner = front.owner(g, target)
    name = card_name(g, target)
    if owner == me >= 0:
        return f"your {name}" if by >= 0 else name
    if owner == by >= 0:
        return f"{whose(person(g, by, me))} {name}"
    return f"{possessive(g.players[owner].name)} {name}" if owner >= 0 else name
