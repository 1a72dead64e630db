"""Why something may not be done: a rule and a sentence. Refusals are values, so that asking costs nothing."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from kickdoor.packs.editions import PRESETS, SAME_RULES


class Reason(NamedTuple):
    """The rule that forbids it, and why, in one sentence that also says what would be right.

    `also` are other rules that say the same thing from another chapter.
    """

    rule: str
    says: str
    also: tuple[str, ...] = ()

    def cites(self, rule: str) -> bool:
        """Is that the rule, or one that says the same, be it in another book?"""
        if rule == self.rule or rule in self.also:
            return True
        return any(self.cites(other) for other in SAME_RULES.get(rule, ()))

    def resting_on(self, *rules: str) -> Reason:
        """The same, which also follows from these rules: those of the question that is being asked."""
        return self._replace(also=(*self.also, *rules))

    def said_of(self, word: str, instead: str) -> Reason:
        """The same with another word in it."""
        return self._replace(says=re.sub(rf"\b{word}(?=s?\b)", instead, self.says)) if word in self.says else self


# What the sentences below call these kinds of cards: the words of the classic book.
CURSE_WORD: Final = "Curse"
COMPANION_WORD: Final[str] = PRESETS["classic"]["companion"]["label"]


class Refused(Exception):
    """A move that the rules do not allow; nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"{reason.says} ({reason.rule})")
        self.reason = reason

    @property
    def rule(self) -> str:
        return self.reason.rule


class Unsettled(Exception):
    """Nobody is asked anything, and yet it goes on and on: a card does something that sets itself off again."""

    def __init__(self, frame: str, card: str, steps: int) -> None:
        about = f" of {card}" if card else ""
        super().__init__(f"it never settles: after {steps} steps the frame {frame}{about} is still at work")
        self.frame = frame


GAME_OVER = Reason("WIN-4", "The game is over; somebody has won.")
NOT_ASKED = Reason(
    "CONF-1",
    "That is not among the answers to the question that is being asked.",
    (
        "HELP-8",
        "DEATH-8",
        "DEATH-9",
        "CURSE-8",
        "RUN-11",
        "FQ-CURSE-3",
        "FQ-BASE-30",
        "FQ-CWBH-7",
        "FQ-CARD-13",
        "FQ-CURSE-4",
        "FQ-CURSE-5",
    ),
)
ANSWER_FIRST = Reason(
    "FQ-CURSE-9",
    "Something is being resolved; it comes first.",
    ("TURN-5", "CURSE-3", "DEATH-8", "RUN-16", "RUN-11", "HELP-8", "FQ-CARD-32"),
)
NOT_YOURS = Reason("FQ-CARD-21", "That card is not yours to use.")
GONE = Reason(
    "FQ-CURSE-9",
    "That card has left the table; things happen in the order in which they happen.",
    ("FQ-CARD-21", "FQ-CARD-32", "FQ-MISC-2", "CURSE-3", "PILE-8"),
)
NO_SUCH_ACTION = Reason("FQ-GEN-3", "Neither a rule nor a card gives you that.", ("CONF-8",))
NO_SUCH_SEAT = Reason("FQ-GEN-3", "Nobody sits there.")
NO_SUCH_CARD = Reason("FQ-GEN-3", "There is no such card in this game.")
DEAD = Reason(
    "DEATH-12",
    "The dead do nothing and receive nothing until the next turn begins.",
    ("DEATH-14", "HELP-24", "FQ-CBT-43", "FQ-CBT-44"),
)

SELL_IN_FIGHT = Reason(
    "COMBAT-19", "Nobody in a fight sells anything. Finish it first.", ("SELL-1", "BIG-6", "COMBAT-25", "TURN-5")
)
SELL_OFF_TURN = Reason("SELL-1", "Items are sold on your own turn only.", ("TRADE-6", "BIG-6"))
SELL_TOO_LITTLE = Reason("SELL-6", "A sale must come to 1,000 Gold Pieces or more.", ("SELL-2", "FQ-CARD-18", "BIG-7"))
SELL_LAST_LEVEL = Reason("SELL-7", "The winning level cannot be bought.", ("WIN-5", "CONF-7", "LEVEL-3", "SELL-8"))
SELL_NOT_ITEM = Reason(
    "FQ-CARD-20",
    "Only Items have a price.",
    ("SPECIAL-1", "FQ-CARD-6", "SELL-2", "ITEM-1", "BT-16", "BT-25", "HIRE-6", "FQ-DER-4"),
)
SELL_DOUBLE = Reason(
    "EPIC-25", "Only as many Items a turn sell double as your Race allows.", ("EPIC-6", "RACE-4", "SELL-6")
)

EQUIP_IN_FIGHT = Reason(
    "COMBAT-22",
    "Nobody in a fight changes equipment.",
    ("ITEM-14", "EQUIP-8", "COMBAT-25", "COMBAT-26", "TURN-5", "FQ-CARD-30"),
)
EQUIP_RUNNING = Reason(
    "RUN-18",
    "No changing of equipment while running away.",
    ("ITEM-14", "EQUIP-8", "COMBAT-22", "FQ-CARD-31", "FQ-CARD-30"),
)
EQUIP_IN_HAND = Reason(
    "ITEM-2", "An Item in the hand is played before it can be in use.", ("PILE-8", "ITEM-12", "ITEM-11", "COMBAT-24")
)
EQUIP_NOT_ITEM = Reason("FQ-RC-13", "Only Items can lie in play unused.")
EQUIP_UNUSABLE = Reason(
    "ITEM-6",
    "You are not what this Item asks for; you may only carry it.",
    ("ITEM-7", "ITEM-5", "ITEM-8", "ITEM-10", "FQ-RC-2", "BT-37"),
)
ITEM_IDLE = Reason(
    "ITEM-9",
    "That Item is not in use, and so gives you nothing.",
    ("ITEM-8", "EQUIP-8", "FQ-GEN-3", "BT-37", "GB-11", "MM-21", "COMBAT-22"),
)
EQUIP_BARRED = Reason("CURSE-4", "A Curse keeps you from using anything there.")
EQUIP_OVER = Reason("CONF-1", "That is only worn over something of its kind.")
CARRY_BARRED = Reason("CURSE-4", "A Curse keeps you from carrying such an Item.")
EQUIP_STUCK = Reason("FQ-AXE-14", "The Curse on it keeps it where it is.", ("FQ-CARD-27", "FQ-CHEAT-7"))
EQUIP_HEAD = Reason("EQUIP-1", "One Headgear at a time is in use.", ("EQUIP-6",))
EQUIP_ARMOR = Reason("EQUIP-2", "One suit of Armor at a time is in use.", ("EQUIP-6",))
EQUIP_FOOT = Reason("EQUIP-3", "One pair of Footgear at a time is in use.", ("EQUIP-6",))
EQUIP_HANDS = Reason("EQUIP-4", "Your Hands are full: two Hands in all.", ("FQ-CARD-36", "EQUIP-6"))
EQUIP_ALREADY = Reason("EQUIP-8", "It is in use already.")
BEARER_FULL = Reason(
    "HIRE-14", "That companion carries nothing, or as much as it can.", ("HIRE-12", "HIRE-15", "HIRE-35", "EQUIP-5")
)
BEARER_NEVER = Reason("HIRE-35", "That companion never carries anything, whatever is played on it.", ("HIRE-34",))
BEARER_USE = Reason("HIRE-15", "That companion cannot use such an Item either.", ("HIRE-14", "HIRE-28"))
BEARER_STEED = Reason("STEED-10", "A Steed uses only Items that say so.")
UNEQUIP_NOT = Reason("EQUIP-8", "It is not in use.")

BIG_LIMIT = Reason(
    "BIG-1",
    "You carry as many Big Items as you may. Sell, trade or lose one first.",
    ("BIG-10", "BIG-3", "BIG-2", "FQ-RC-14", "BT-38"),
)
BIG_SWAP = Reason("BIG-3", "A Big Item may not be dropped to make room for another.")

ITEM_IN_FIGHT = Reason(
    "COMBAT-24",
    "In a fight only one-shot Items are played.",
    ("ITEM-12", "COMBAT-22", "COMBAT-25", "COMBAT-26", "ITEM-11", "TURN-4", "TURN-5", "STEED-3"),
)
ITEM_OFF_TURN = Reason(
    "ITEM-12",
    "Items are played on your own turn, or the moment you get them.",
    ("ITEM-11", "PILE-11", "STEED-3", "TREASURE-7"),
)
TREASURE_IN_FIGHT = Reason(
    "MM-36",
    "In a fight you play no Treasure from your hand unless it says so itself.",
    ("MM-31", "MM-19", "SH-32", "SPECIAL-2", "COMBAT-24"),
)
TREASURE_OFF_TURN = Reason(
    "MM-31",
    "A Treasure that names no time is played on your own turn out of combat, or as you get it.",
    ("MM-19", "SPECIAL-2", "ITEM-12", "PILE-11"),
)
ONE_SHOT_TABLE = Reason(
    "COMBAT-16",
    "Only a one-shot with a Gold Piece value may wait on the table.",
    ("FQ-CARD-6", "ITEM-1", "SPECIAL-1"),
)
NO_FREE_DISCARD = Reason(
    "ITEM-15",
    "Items may not be thrown away at will: sell, trade or use them up.",
    ("PILE-13", "FQ-CARD-26", "BIG-3", "BIG-4", "STEED-3", "STEED-12"),
)
NOT_DISCARDABLE = Reason("PILE-13", "That card cannot be discarded at will.")
CURSE_STAYS = Reason(
    "FQ-CARD-24", "A Curse in front of you is not yours to discard.", ("CURSE-4", "CURSE-7", "FQ-CURSE-14")
)
IN_PLAY_STAYS = Reason(
    "PILE-12",
    "A card in play never goes back to the hand.",
    ("ITEM-22", "FQ-CHEAT-1", "FQ-CHEAT-2", "IENH-4", "FQ-MISC-2", "FQ-STEED-3"),
)

TRAIT_OFF_TURN = {
    "race": Reason("RACE-12", "A Race is played on your own turn, or the moment you get it.", ("PILE-11",)),
    "class": Reason("CLASS-10", "A Class is played on your own turn, or the moment you get it.", ("PILE-11",)),
    "power": Reason("BT-13", "A Power is played on your own turn, or the moment you get it.", ("PILE-11", "XOVER-11")),
}
TRAIT_LIMIT = {
    "race": Reason(
        "RACE-8",
        "One Race at a time: say which card it replaces.",
        ("FQ-RC-3", "FQ-RC-13", "COMBO-1", "COMBO-6", "CHAR-4", "BT-7"),
    ),
    "class": Reason(
        "CLASS-8",
        "One Class at a time: say which card it replaces.",
        ("FQ-RC-4", "FQ-RC-13", "COMBO-2", "COMBO-11", "CHAR-5"),
    ),
    "style": Reason("XOVER-9", "One Style at a time: say which card it replaces.", ("XOVER-8",)),
    "training": Reason("XOVER-10", "One Training at a time: say which card it replaces.", ("XOVER-8",)),
    "loyalty": Reason("FQ-RC-9", "One Loyalty at a time: say which card it replaces."),
    "accent": Reason("FQ-RC-9", "One Accent at a time: say which card it replaces."),
}
TRAIT_OFF_TURN |= {
    "style": Reason("XOVER-9", "A Style is played like a Class: on your own turn, or the moment you get it."),
    "training": Reason("XOVER-10", "Training is played like a Class: on your own turn, or the moment you get it."),
    "loyalty": Reason("XOVER-19", "A Loyalty is played like a Class: on your own turn, or the moment you get it."),
    "accent": Reason("XOVER-19", "An Accent is played like a Class: on your own turn, or the moment you get it."),
}
TRAIT_NONE = {
    "race": Reason("GB-2", "There are no Races in this game."),
    "class": Reason("BT-2", "There are no Classes in this game.", ("BT-3",)),
}
POWER_RANK = Reason(
    "BT-12",
    "The Ranks of your Powers together may not exceed your Level.",
    ("XOVER-11", "BT-14", "BT-18", "BT-3", "BT-35"),
)
POWER_RACE = Reason("BT-11", "What you are cannot have that Power.", ("BT-14", "XOVER-11"))
POWER_OPENING = Reason("BT-3", "Everyone starts with one Power at most, of Rank 1.", ("BT-12", "BT-14", "CHAR-8"))
NO_LEVEL_TO_STEAL = Reason("BT-23", "Nobody can lose a level he has not got.", ("LEVEL-5", "CONF-3"))
TRAIT_OTHERWISE = Reason(
    "FQ-CWBH-3",
    "You are that already, as a Race or as a Class; once is enough.",
    ("RACE-9", "CLASS-9", "FQ-RC-5"),
)
TRAIT_TWICE = {
    "power": Reason("BT-19", "You have that Power already; a second one would add nothing.", ("BT-14", "BT-16")),
    "race": Reason(
        "RACE-9",
        "You are that already; two of the same Race cannot lie before you.",
        ("FQ-RC-5", "RACE-8", "FQ-CWBH-3", "BT-7"),
    ),
    "class": Reason(
        "CLASS-9",
        "You are that already; two of the same Class cannot lie before you.",
        ("FQ-RC-5", "CLASS-8", "FQ-CWBH-3"),
    ),
}
MULTI_NEEDS = {
    "race": Reason("COMBO-4", "You need a Race before you can be half of it.", ("COMBO-7", "COMBO-6", "BT-8")),
    "class": Reason("COMBO-5", "You need a Class before you can be super at it.", ("COMBO-12", "COMBO-11")),
}
MULTI_NEEDS |= {
    group: Reason("FQ-RC-9", f"You need {one} before you can have two.", ("COMBO-4", "COMBO-5"))
    for group, one in (
        ("style", "a Style"),
        ("training", "Training"),
        ("loyalty", "a Loyalty"),
        ("accent", "an Accent"),
    )
}
MULTI_ONE = {
    "race": Reason("COMBO-9", "One such card at a time: say which it replaces.", ("FQ-RC-3", "COMBO-6", "COMBO-10")),
    "class": Reason("COMBO-14", "One such card at a time: say which it replaces.", ("FQ-RC-4", "COMBO-11", "COMBO-15")),
}
MULTI_ONE |= {
    group: Reason("FQ-RC-9", "One such card at a time: say which it replaces.", ("COMBO-9", "COMBO-14"))
    for group in ("style", "training", "loyalty", "accent")
}
MULTI_NONE = Reason("GB-7", "Nobody has two of these in this game.", ("BT-8", "GB-2", "BT-2"))
MULTI_OFF_TURN = Reason(
    "COMBO-3",
    "It is played on your own turn, or the moment you get it.",
    ("COMBO-16", "PILE-11", "RACE-12", "CLASS-10"),
)

ENHANCER_NO_FIGHT = Reason("ENH-3", "A monster enhancer needs a fight.", ("ENH-1", "PILE-11", "COMBAT-18"))
ENHANCER_ENHANCER_NO_FIGHT = Reason(
    "EENH-1", "It goes on an enhancer that lies on a monster, and so needs a fight.", ("EENH-2", "ENH-3", "PILE-11")
)
ENHANCER_NO_MONSTER = Reason(
    "FQ-CBT-29",
    "There is no monster left in the fight to play it on.",
    ("FQ-CBT-34", "FQ-BASE-36", "ENH-1", "ENH-3"),
)
ENHANCER_CLASH = Reason("CONF-1", "That monster already has an enhancer that excludes this one.")
ITEM_ENHANCER = Reason(
    "IENH-1", "An item enhancer goes on an Item of your own in play.", ("IENH-2", "IENH-5", "FQ-CLER-11")
)
ITEM_ENHANCER_TIME = Reason(
    "IENH-1",
    "An item enhancer is played like an Item: own turn, out of combat.",
    ("COMBAT-22", "COMBAT-24", "ITEM-12"),
)
ENHANCER_ENHANCER = Reason(
    "EENH-1", "It goes on an enhancer that lies on a monster, on nothing else.", ("EENH-2", "EENH-6", "XOVER-6")
)
ENHANCER_BARE = Reason("EENH-2", "No monster here has an enhancer on it.", ("EENH-1", "EENH-6"))
ENHANCER_COMPANION = Reason(
    "XOVER-6", "Monster enhancers go on monsters; of companions on Mooks alone.", ("ENH-1", "ENH-5", "PILE-11")
)
SHIP_ENHANCER = Reason("XOVER-14", "It goes on a Ship of your own, and on nothing else.")
EQUIP_TAG = Reason("XOVER-33", "You have as many Items of that sort in use as you can manage.")
STEED_ENHANCER = Reason(
    "STEED-9", "It goes on a Steed of your own.", ("FQ-STEED-3", "IENH-5", "XOVER-14", "FQ-HORSE-1", "IENH-1")
)
NOT_ENHANCED = Reason("FQ-HORSE-1", "Nothing can be put on that one.", ("STEED-9", "CONF-1"))
TRAIT_ENHANCER = Reason(
    "FQ-REL-4", "It goes on a Race or Class card of yours, as it says; being Human is no card.", ("FQ-REL-3", "RACE-2")
)
TRAIT_ENHANCER_OFF_TURN = Reason(
    "FQ-REL-5",
    "It is played when a Race or Class could be: on your own turn, or the moment you get it.",
    ("RACE-12", "CLASS-10", "PILE-11"),
)
NOT_SO_STRONG = Reason(
    "FQ-ENH-2", "Only a monster of a lower Level than the one the fight began with.", ("FQ-ENH-1", "CONF-1")
)
DIED_OTHERWISE = Reason(
    "FQ-REL-7", "That is for whoever has just died of a fight that was lost.", ("DEATH-12", "PILE-11", "CONF-1")
)
RIDE_LIMIT = Reason("STEED-2", "You have a Steed already.", ("FQ-DER-10",))
NOT_TAMABLE = Reason("FQ-DER-1", "Only a monster that is a card of its own can be tamed.", ("EPIC-53", "CLASS-3"))
ATTACH_OWN = Reason("FQ-CHEAT-3", "It goes on an Item of your own.")
ONE_SHOT_NO_FIGHT = Reason(
    "COMBAT-14", "That one-shot needs a fight.", ("ITEM-20", "ITEM-21", "INTERFERE-2", "PILE-11", "ITEM-12", "ITEM-11")
)
FIGHT_OVER = Reason(
    "FQ-BASE-32",
    "The fight is over; that card had to be played before.",
    (
        *("COMBAT-14", "INTERFERE-2", "INTERFERE-5", "MULTI-1", "COMBAT-18", "COMBAT-33", "PILE-11"),
        *("ENH-3", "RUN-1", "FQ-BASE-39", "FQ-BASE-49"),
    ),
)
MONSTER_FROM_HAND = Reason(
    "MONSTER-3",
    "A monster in hand waits for Looking For Trouble or a Wandering Monster.",
    ("MONSTER-2", "MONSTER-4", "UNDEAD-2", "UNDEAD-4", "INTERFERE-10", "TURN-11", "PILE-11"),
)
JOIN_NO_KIN = Reason(
    "UNDEAD-4",
    "It can join by itself only where one of its kind is in the fight.",
    (
        "UNDEAD-2",
        "FQ-CBT-28",
        "INTERFERE-10",
        "MONSTER-4",
        "INTERFERE-5",
        "MULTI-1",
        "MONSTER-3",
        "BT-29",
        "TURN-11",
        "FQ-BASE-40",
    ),
)
WANDER_NO_MONSTER = Reason("INTERFERE-5", "It needs a monster from your hand to go with it.", ("MULTI-1", "MONSTER-4"))
WANDER_NO_FIGHT = Reason(
    "MONSTER-4", "There is no fight to add a monster to.", ("INTERFERE-5", "MULTI-1", "FQ-CBT-35", "PILE-11")
)
WINNING_LEVEL = Reason(
    "WIN-5",
    "The winning level takes a kill.",
    (
        *("CONF-7", "FQ-GEN-2", "FQ-CBT-39", "TREASURE-9", "TREASURE-8", "LEVEL-2", "CONF-2", "SPECIAL-4"),
        *("WIN-6", "BT-5", "BT-23", "FQ-DUNG-9", "DUNG-3"),
    ),
)
ONLY_KILLS = Reason("DUNG-2", "Levels are gained only by killing here.", ("FQ-DUNG-10", "CONF-1", "LEVEL-2"))
DEAD_LEVEL = Reason("DEATH-13", "The dead gain no levels.", ("LEVEL-8", "FQ-CBT-44", "DEATH-12", "TREASURE-9"))
DEAD_TARGET = Reason("DEATH-12", "The dead receive nothing, not even this.", ("FQ-CBT-44",))
CONDITION = Reason("CONF-1", "The card's own condition is not met.", ("PILE-11", "SPECIAL-2", "INTERFERE-3"))
FIGHT_CARD = Reason(
    "PILE-11",
    "That card is played into a fight.",
    ("COMBAT-18", "ENH-3", "MULTI-1", "SPECIAL-2", "CONF-1", "FQ-BASE-38", "FQ-BASE-39"),
)
WRONG_TIME = Reason(
    "PILE-11", "This is not the moment that card is played.", ("SPECIAL-2", "CONF-1", "FQ-BASE-38", "FQ-BASE-39")
)
OWN_TURN_ONLY = Reason("FQ-BASE-52", "That card is for your own turn.", ("PILE-11", "CONF-1"))
NO_HELP_OUT = Reason(
    "FQ-BASE-6",
    "It takes only what turns a losing fight into a winning one, by strength.",
    ("FQ-BASE-5", "FQ-BASE-7", "FQ-BASE-8", "FQ-BASE-4", "CONF-1"),
)
NO_TARGET = Reason(
    "PILE-11", "There is nothing here to play it on.", ("INTERFERE-3", "ENH-1", "ENH-5", "CONF-1", "FQ-BOOK-5")
)
NOT_IN_HAND = Reason("PILE-8", "You do not have that card in hand.", ("FQ-MISC-2",))
BETWEEN_ROLL = Reason(
    "FQ-CBT-16",
    "Between a roll and its result only what changes the roll may be used.",
    ("RUN-6", "CURSE-2", "FQ-BASE-32", "FQ-BASE-39", "PILE-11", "HIRE-8", "STEED-12", "ITEM-14"),
)
CURSE_PENDING = Reason(
    "FQ-CURSE-9",
    "The Curse is resolved first; only what cancels it may be used.",
    ("FQ-CARD-32", "CURSE-3", "TURN-7"),
)
SHIP_LIMIT = Reason("XOVER-14", "One Ship at a time: say which it replaces.")
STEED_LIMIT = Reason("STEED-2", "One Steed at a time: say which it replaces.", ("XOVER-12",))
COMPANION_NONE = Reason(
    "MM-64", "There are no Hirelings in this game.", ("HIRE-1", "HIRE-4", "SH-53", "BT-40", "GB-35", "XOVER-4")
)
COMPANION_LIMIT = Reason("HIRE-4", "One Hireling at a time. Send the other away first.", ("XOVER-5", "BT-24"))
SACRIFICE_NEVER = Reason(
    "XOVER-7", "No set at this table lets a Hireling be left behind in your place.", ("HIRE-8", "SH-29")
)
HANDED_IN_FIGHT = Reason(
    "COMBAT-22",
    "In a fight, and while running from one, nobody is handed anything to carry.",
    ("SH-29", "RUN-18", "MM-36", "MM-21", "HIRE-14"),
)
SACRIFICE_WHOM = Reason("HIRE-8", "Only a Hireling can be left behind in your place.", ("FQ-STEED-6",))
SACRIFICE_HELPER = Reason("HIRE-11", "Only the one whose fight it was decides about somebody else.", ("HIRE-8",))
SACRIFICE_TIME = Reason(
    "HIRE-8", "A Hireling is sacrificed instead of rolling to run away, at no other time.", ("RUN-19", "BT-26")
)
CREATION_ONLY = Reason(
    "CHAR-8",
    "Before the first turn only starting cards are put down, in seating order.",
    ("PILE-11", "CHAR-4", "CHAR-5"),
)

ABILITY_NONE = Reason(
    "FQ-GEN-3",
    "You have no such power in play.",
    (
        *("CLASS-3", "CLASS-5", "CLASS-2", "RACE-4", "RACE-6", "RACE-3", "PILE-8", "FQ-CARD-2", "FQ-CBT-22"),
        *("INTERFERE-6", "CLASS-14", "CLASS-15", "HELP-13"),
    ),
)
ABILITY_TIME = Reason(
    "CLASS-3",
    "That power cannot be used now.",
    (
        "RACE-4",
        "FQ-AXE-2",
        "FQ-AXE-3",
        "FQ-AXE-7",
        "FQ-CLER-5",
        "FQ-BASE-24",
        "INTERFERE-6",
        "CLASS-14",
        "CLASS-15",
        "CLASS-17",
        "HELP-11",
        "HELP-13",
        "HELP-14",
    ),
)
ABILITY_USED = Reason(
    "MULTI-7",
    "That power has been used as often as it may.",
    ("CLASS-15", "HELP-13", "FQ-CBT-23", "FQ-BASE-17", "CLASS-14", "FQ-CLER-9", "FQ-CLER-10"),
)
ABILITY_COST = Reason(
    "CLASS-6",
    "You cannot pay for it.",
    ("RACE-7", "FQ-CARD-4", "FQ-CARD-27", "CURSE-7", "BT-21", "BT-22", "FQ-BASE-26"),
)
ABILITY_TARGET = Reason(
    "CLASS-3",
    "That power cannot be used on that.",
    ("RACE-4", "CLASS-14", "CLASS-17", "INTERFERE-6", "FQ-BASE-14", "FQ-BASE-40", "CONF-1", "FQ-CBT-8", "FQ-BASE-1"),
)
ENHANCER_SAFE = Reason(
    "EENH-4", "That enhancer has been enhanced; what enhances it comes off first.", ("EENH-5", "CLASS-3", "CONF-1")
)
WHOLE_HAND = Reason("FQ-CARD-4", "That power costs the whole hand, no less.", ("CLASS-6",))
NOT_AN_ITEM = Reason(
    "FQ-CARD-6", "A card without a price is no Item and cannot be carried.", ("SPECIAL-1", "ITEM-1", "FQ-RC-13")
)
OWN_CARD_COST = Reason("FQ-CARD-23", "A card does not pay for its own power.", ("CLASS-6", "RACE-7"))
CURSE_COST = Reason("CURSE-7", "A Curse in front of you pays for nothing.", ("FQ-CARD-24", "BT-22"))
STEAL_FIGHTING = Reason("CLASS-11", "Nobody in a fight steals.", ("COMBAT-20", "COMBAT-25", "FQ-BASE-11", "CLASS-13"))
STEAL_FROM_FIGHTER = Reason(
    "CLASS-12",
    "Nobody steals from someone in a fight.",
    ("COMBAT-21", "COMBAT-25", "FQ-BASE-12", "FQ-CBT-24", "CLASS-13"),
)
STEAL_BIG = Reason("STEED-8", "Only small Items can be stolen.", ("CLASS-3", "CLASS-12"))

TRADE_IN_FIGHT = Reason("COMBAT-23", "Nobody in a fight trades.", ("TRADE-4", "COMBAT-25", "TURN-5"))
TRADE_PARTNER_FIGHTS = Reason("TRADE-4", "Your partner is in a fight.", ("COMBAT-23", "COMBAT-25", "TURN-5"))
TRADE_ITEMS = Reason(
    "TRADE-2",
    "Only Items are traded.",
    ("FQ-CARD-25", "FQ-CARD-6", "SPECIAL-1", "PILE-13", "BT-16", "BT-25", "HIRE-6", "HIRE-7", "FQ-DER-4"),
)
COMPANION_SEX = Reason("HIRE-32", "Nothing changes a companion but a card that says so.", ("HIRE-28", "GB-20"))
STEED_FOUGHT = Reason("STEED-14", "A Steed is fought only when the door shows it.", ("FQ-STEED-5", "TURN-11"))
TRADE_TABLE = Reason("TRADE-3", "Only Items in play are traded, never cards from the hand.", ("TRADE-2", "PILE-8"))
TRADE_BIG = Reason("TRADE-5", "The receiver could not carry that.", ("BIG-1", "BIG-10", "STEED-2", "HIRE-4", "HIRE-7"))
TRADE_NOTHING = Reason("TRADE-1", "A trade of nothing for nothing is not a trade.")
NO_OFFER = Reason("HELP-2", "Nobody has made you an offer.", ("HELP-3", "HELP-1", "TRADE-1"))
OFFER_GONE = Reason("TRADE-1", "What was offered is no longer there.")

HELP_NO_FIGHT = Reason("HELP-1", "There is no fight to help in.", ("RUN-1", "RUN-2"))
HELP_NOT_MAIN = Reason("HELP-1", "Only the one whose fight it is asks for help.", ("HELP-4",))
HELP_TAKEN = Reason("HELP-4", "One helper at most.", ("HELP-2", "HELP-1"))
HELP_SELF = Reason("HELP-1", "You are in it already.")
SEALED = Reason("COMBAT-13", "Nobody comes near this fight, except with monsters and what makes them worse.")
KEPT_OUT = Reason("COMBAT-13", "What a lone fighter wears keeps such cards out of his fight.", ("FQ-CARD-14",))
HELP_ALONE = Reason("FQ-BASE-37", "This has to be faced alone.", ("HELP-1", "COMBAT-13"))
HELP_LOSING = Reason("HELP-1", "At this table help is asked for only when losing.")
HELP_ITEM = Reason("HELP-6", "Only Items you carry can be promised.", ("TRADE-8", "HELP-7"))
HELP_ORDER = Reason("HELP-8", "Say who picks first, or that the fighter hands over what he likes.")
HELP_SHARE = Reason("HELP-7", "That is more Treasure than the fight will yield.")
HELP_KIND = Reason("HELP-6", "At this table that cannot be part of an offer.", ("HELP-7", "TRADE-8"))
HELP_DEAD = Reason("HELP-24", "The dead are no help.", ("DEATH-12", "DEATH-14", "DEATH-15", "FQ-CBT-44", "FQ-CBT-45"))

RUN_WINNING = Reason(
    "RUN-1",
    "You run when you have lost, and not before.",
    ("FQ-CBT-41", "MULTI-5", "FQ-CBT-3", "CLASS-16", "COMBAT-4", "COMBAT-6", "COMBAT-5"),
)
RUN_MUST = Reason("FQ-CBT-47", "Who has lost runs; nobody waits to be caught.", ("RUN-1", "RUN-2", "COMBAT-6"))
RUN_NOT_YOU = Reason(
    "RUN-12", "You have nothing to run from.", ("RUN-1", "RUN-2", "FQ-CBT-11", "FQ-CBT-18", "FQ-CBT-43")
)
RUN_FOE = Reason("RUN-14", "You do not have to run from that.", ("RUN-15", "MULTI-9", "FQ-CBT-11", "FQ-CBT-18"))

NOT_YOUR_TURN = Reason(
    "WIN-3",
    "It is not your turn.",
    ("TURN-26", "TURN-1", "TURN-2", "TURN-3", "TURN-11", "TURN-13", "TURN-25", "MONSTER-3"),
)
KICK_ONCE = Reason("TURN-3", "The door of this turn has been opened already.", ("WIN-2", "TURN-2", "FQ-AXE-9"))
KICK_FIGHT = Reason(
    "TURN-5",
    "The fight comes first.",
    (
        *("COMBAT-25", "COMBAT-35", "TURN-3", "TURN-4", "MONSTER-1", "TURN-10", "TURN-11", "TURN-13"),
        *("TURN-16", "RUN-5"),
        "FQ-CBT-47",
    ),
)
TROUBLE_BARRED = Reason("CONF-1", "A card in front of you keeps you from looking for trouble.")
UNSTOPPABLE = Reason("EPIC-46", "No card of a rival's may prevent what the fighter could do now.")
BANNED = Reason("CONF-1", "You may play nothing against that player for the rest of this turn.")
TROUBLE_DOOR = Reason(
    "TURN-10",
    "Trouble is looked for only after a door without a monster.",
    ("MONSTER-3", "TURN-11", "FQ-AXE-9", "FQ-CBT-10", "FQ-CBT-37"),
)
TROUBLE_MONSTER = Reason("TURN-11", "Trouble is a monster from your own hand.", ("MONSTER-3", "FQ-STEED-5", "STEED-14"))
LOOT_MET = Reason(
    "TURN-13",
    "The room is looted only if no monster came and you looked for none.",
    ("TURN-14", "TURN-15", "TURN-16", "RUN-5", "FQ-AXE-9", "FQ-CBT-37"),
)
LOOT_DOOR = Reason("TURN-13", "First the door.", ("TURN-2", "TURN-3"))
END_EARLY = Reason(
    "TURN-2", "The turn is not over: door, trouble or loot come first.", ("TURN-13", "TURN-15", "TURN-3")
)
END_HAND = Reason("TURN-17", "You hold more cards than the limit: play, give or discard first.", ("PILE-10", "TURN-20"))
CHARITY_NONE = Reason("TURN-17", "Your hand is within the limit; there is nothing to give.")
CHARITY_TIME = Reason("TURN-17", "Charity comes at the end of your turn.", ("PILE-10", "TURN-5", "WIN-3"))
CHARITY_WHO = Reason("TURN-19", "Charity goes to the lowest-Level player.", ("TURN-23", "TURN-24"))
CHARITY_SELF = Reason("TURN-23", "You are the lowest yourself: the excess is discarded.")
CHARITY_EVEN = Reason("TURN-21", "The excess is divided as evenly as possible.", ("TURN-22",))
CHARITY_DEAD = Reason("TURN-24", "The dead receive no charity.", ("DEATH-12", "FQ-CBT-44"))
CHARITY_MANY = Reason("TURN-20", "Exactly the excess leaves your hand, no more.", ("TURN-17", "PILE-10"))
TRAIT_CLAIMED = Reason("FQ-DUNG-7", "Another player lets nobody else become that.")
PORTAL_TURN = Reason("PORTAL-8", "A Portal in hand is played only on your own turn.")
PORTAL_FIGHT = Reason("PORTAL-9", "No Portal leads out of a fight.", ("PORTAL-8",))
PORTAL_ONCE = Reason("PORTAL-10", "You have been through a Portal this turn already.")
ACCESSORIES_OFF = Reason(
    "FQ-MISC-7", "This table plays without accessories; the module has to be agreed on.", ("FQ-KILL-1",)
)
ACCESSORY_KIND = Reason("FQ-GEN-3", "That is a card of the decks; nobody brings it along.")
ACCESSORY_NONE = Reason("FQ-DICE-1", "That comes with a thing of its own, which you have not brought.", ("FQ-PROMO-4",))
NOT_BROUGHT = Reason("FQ-KILL-4", "You do not have that card: a counter without it is a counter.", ("FQ-KILL-1",))
DOOR_CARD_FIRST = Reason("TURN-9", "First play or keep the card from the door.", ("EPIC-11",))
DOOR_EXPOSED = Reason(
    "EPIC-11",
    "A monster is behind the door already: only the other card comes first, then the fight.",
    ("TURN-9", "COMBAT-25", "COMBAT-24", "COMBAT-22", "COMBAT-19", "COMBAT-23", "EPIC-12"),
)
