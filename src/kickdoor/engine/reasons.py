"""Why something may not be done: a rule and a sentence. Refusals are values, so that asking costs nothing."""

from __future__ import annotations

from typing import NamedTuple


class Reason(NamedTuple):
    """The rule that forbids it, and why, in one sentence that also says what would be right."""

    rule: str
    says: str


class Refused(Exception):
    """A move that the rules do not allow; nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"{reason.says} ({reason.rule})")
        self.reason = reason

    @property
    def rule(self) -> str:
        return self.reason.rule


GAME_OVER = Reason("WIN-4", "The game is over; somebody has won.")
NOT_ASKED = Reason("CONF-1", "That is not among the answers to the question that is being asked.")
ANSWER_FIRST = Reason("FQ-CURSE-9", "Something is being resolved; it comes first.")
NOT_YOURS = Reason("FQ-CARD-21", "That card is not yours to use.")
NO_SUCH_ACTION = Reason("FQ-GEN-3", "Neither a rule nor a card gives you that.")
DEAD = Reason("DEATH-12", "The dead do nothing and receive nothing until the next turn begins.")

SELL_IN_FIGHT = Reason("COMBAT-19", "Nobody in a fight sells anything. Finish it first.")
SELL_OFF_TURN = Reason("SELL-1", "Items are sold on your own turn only.")
SELL_TOO_LITTLE = Reason("SELL-6", "A sale must come to 1,000 Gold Pieces or more.")
SELL_LAST_LEVEL = Reason("SELL-7", "The winning level cannot be bought.")
SELL_NOT_ITEM = Reason("FQ-CARD-20", "Only Items have a price.")
SELL_DOUBLE = Reason("EPIC-25", "Only as many Items a turn sell double as your Race allows.")

EQUIP_IN_FIGHT = Reason("COMBAT-22", "Nobody in a fight changes equipment.")
EQUIP_RUNNING = Reason("RUN-18", "No changing of equipment while running away.")
EQUIP_NOT_ITEM = Reason("FQ-RC-13", "Only Items can lie in play unused.")
EQUIP_UNUSABLE = Reason("ITEM-6", "You are not what this Item asks for; you may only carry it.")
EQUIP_HEAD = Reason("EQUIP-1", "One Headgear at a time is in use.")
EQUIP_ARMOR = Reason("EQUIP-2", "One suit of Armor at a time is in use.")
EQUIP_FOOT = Reason("EQUIP-3", "One pair of Footgear at a time is in use.")
EQUIP_HANDS = Reason("EQUIP-4", "Your Hands are full: two Hands in all.")
EQUIP_ALREADY = Reason("EQUIP-8", "It is in use already.")
UNEQUIP_NOT = Reason("EQUIP-8", "It is not in use.")

BIG_LIMIT = Reason("BIG-1", "You carry as many Big Items as you may. Sell, trade or lose one first.")
BIG_SWAP = Reason("BIG-3", "A Big Item may not be dropped to make room for another.")

ITEM_IN_FIGHT = Reason("COMBAT-24", "In a fight only one-shot Items are played.")
ITEM_OFF_TURN = Reason("ITEM-12", "Items are played on your own turn, or the moment you get them.")
NO_FREE_DISCARD = Reason("ITEM-15", "Items may not be thrown away at will: sell, trade or use them up.")
NOT_DISCARDABLE = Reason("PILE-13", "That card cannot be discarded at will.")
CURSE_STAYS = Reason("FQ-CARD-24", "A Curse in front of you is not yours to discard.")
IN_PLAY_STAYS = Reason("PILE-12", "A card in play never goes back to the hand.")

TRAIT_OFF_TURN = {
    "race": Reason("RACE-12", "A Race is played on your own turn, or the moment you get it."),
    "class": Reason("CLASS-10", "A Class is played on your own turn, or the moment you get it."),
    "power": Reason("XOVER-11", "A Power is played on your own turn, or the moment you get it."),
}
TRAIT_LIMIT = {
    "race": Reason("RACE-8", "One Race at a time: say which card it replaces."),
    "class": Reason("CLASS-8", "One Class at a time: say which card it replaces."),
}
TRAIT_TWICE = {
    "race": Reason("RACE-9", "You are that already; two of the same Race cannot lie before you."),
    "class": Reason("CLASS-9", "You are that already; two of the same Class cannot lie before you."),
}
MULTI_NEEDS = {
    "race": Reason("COMBO-4", "You need a Race before you can be half of it."),
    "class": Reason("COMBO-5", "You need a Class before you can be super at it."),
}
MULTI_ONE = {
    "race": Reason("COMBO-9", "One such card at a time: say which it replaces."),
    "class": Reason("COMBO-14", "One such card at a time: say which it replaces."),
}
MULTI_OFF_TURN = Reason("COMBO-3", "It is played on your own turn, or the moment you get it.")

ENHANCER_NO_FIGHT = Reason("ENH-3", "A monster enhancer needs a fight.")
ENHANCER_NO_MONSTER = Reason("FQ-CBT-29", "There is no monster left in the fight to play it on.")
ENHANCER_CLASH = Reason("CONF-1", "That monster already has an enhancer that excludes this one.")
ITEM_ENHANCER = Reason("IENH-1", "An item enhancer goes on an Item of your own in play.")
ITEM_ENHANCER_TIME = Reason("IENH-1", "An item enhancer is played like an Item: own turn, out of combat.")
ATTACH_OWN = Reason("FQ-CHEAT-3", "It goes on an Item of your own.")
ONE_SHOT_NO_FIGHT = Reason("COMBAT-14", "That one-shot needs a fight.")
FIGHT_OVER = Reason("FQ-BASE-32", "The fight is over; that card had to be played before.")
MONSTER_FROM_HAND = Reason(
    "MONSTER-3", "A monster in hand waits for Looking For Trouble or a Wandering Monster."
)
JOIN_NO_KIN = Reason("UNDEAD-4", "It can join by itself only where one of its kind is in the fight.")
WANDER_NO_MONSTER = Reason("INTERFERE-5", "It needs a monster from your hand to go with it.")
WANDER_NO_FIGHT = Reason("MONSTER-4", "There is no fight to add a monster to.")
WINNING_LEVEL = Reason("WIN-5", "The winning level takes a kill.")
DEAD_LEVEL = Reason("DEATH-13", "The dead gain no levels.")
DEAD_TARGET = Reason("DEATH-12", "The dead receive nothing, not even this.")
CONDITION = Reason("CONF-1", "The card's own condition is not met.")
WRONG_TIME = Reason("PILE-11", "This is not the moment that card is played.")
NO_TARGET = Reason("PILE-11", "There is nothing here to play it on.")
NOT_IN_HAND = Reason("PILE-8", "You do not have that card in hand.")
BETWEEN_ROLL = Reason("FQ-CBT-16", "Between a roll and its result only what changes the roll may be used.")
CURSE_PENDING = Reason("FQ-CURSE-9", "The Curse is resolved first; only what cancels it may be used.")
COMPANION_LIMIT = Reason("HIRE-4", "One Hireling at a time. Send the other away first.")
SACRIFICE_TIME = Reason("HIRE-8", "A Hireling is sacrificed instead of rolling to run away, at no other time.")
CREATION_ONLY = Reason("CHAR-8", "Before the first turn only starting cards are put down, in seating order.")

ABILITY_NONE = Reason("FQ-GEN-3", "You have no such power in play.")
ABILITY_TIME = Reason("CLASS-3", "That power cannot be used now.")
ABILITY_USED = Reason("MULTI-7", "That power has been used as often as it may.")
ABILITY_COST = Reason("CLASS-6", "You cannot pay for it.")
ABILITY_TARGET = Reason("CLASS-3", "That power cannot be used on that.")
OWN_CARD_COST = Reason("FQ-CARD-23", "A card does not pay for its own power.")
CURSE_COST = Reason("CURSE-7", "A Curse in front of you pays for nothing.")
STEAL_FIGHTING = Reason("COMBAT-20", "Nobody in a fight steals.")
STEAL_FROM_FIGHTER = Reason("COMBAT-21", "Nobody steals from someone in a fight.")
STEAL_BIG = Reason("STEED-8", "Only small Items can be stolen.")

TRADE_IN_FIGHT = Reason("COMBAT-23", "Nobody in a fight trades.")
TRADE_PARTNER_FIGHTS = Reason("TRADE-4", "Your partner is in a fight.")
TRADE_ITEMS = Reason("TRADE-2", "Only Items are traded.")
TRADE_TABLE = Reason("TRADE-3", "Only Items in play are traded, never cards from the hand.")
TRADE_BIG = Reason("TRADE-5", "The receiver could not carry that.")
TRADE_NOTHING = Reason("TRADE-1", "A trade of nothing for nothing is not a trade.")
NO_OFFER = Reason("HELP-2", "Nobody has made you an offer.")
OFFER_GONE = Reason("TRADE-1", "What was offered is no longer there.")

HELP_NO_FIGHT = Reason("HELP-1", "There is no fight to help in.")
HELP_NOT_MAIN = Reason("HELP-1", "Only the one whose fight it is asks for help.")
HELP_TAKEN = Reason("HELP-4", "One helper at most.")
HELP_SELF = Reason("HELP-1", "You are in it already.")
HELP_ALONE = Reason("FQ-BASE-37", "This has to be faced alone.")
HELP_LOSING = Reason("HELP-1", "At this table help is asked for only when losing.")
HELP_ITEM = Reason("HELP-6", "Only Items you carry can be promised.")
HELP_SHARE = Reason("HELP-7", "That is more Treasure than the fight will yield.")
HELP_KIND = Reason("HELP-6", "At this table that cannot be part of an offer.")
HELP_DEAD = Reason("HELP-24", "The dead are no help.")

RUN_WINNING = Reason("RUN-1", "You run when you have lost, and not before.")
RUN_NOT_YOU = Reason("RUN-12", "You have nothing to run from.")
RUN_FOE = Reason("RUN-14", "You do not have to run from that.")

NOT_YOUR_TURN = Reason("WIN-3", "It is not your turn.")
KICK_ONCE = Reason("TURN-3", "The door of this turn has been opened already.")
KICK_FIGHT = Reason("TURN-5", "The fight comes first.")
TROUBLE_DOOR = Reason("TURN-10", "Trouble is looked for only after a door without a monster.")
TROUBLE_MONSTER = Reason("TURN-11", "Trouble is a monster from your own hand.")
LOOT_MET = Reason("TURN-13", "The room is looted only if no monster came and you looked for none.")
LOOT_DOOR = Reason("TURN-13", "First the door.")
END_EARLY = Reason("TURN-2", "The turn is not over: door, trouble or loot come first.")
END_HAND = Reason("TURN-17", "You hold more cards than the limit: play, give or discard first.")
CHARITY_NONE = Reason("TURN-17", "Your hand is within the limit; there is nothing to give.")
CHARITY_TIME = Reason("TURN-17", "Charity comes at the end of your turn.")
CHARITY_WHO = Reason("TURN-19", "Charity goes to the lowest-Level player.")
CHARITY_SELF = Reason("TURN-23", "You are the lowest yourself: the excess is discarded.")
CHARITY_EVEN = Reason("TURN-21", "The excess is divided as evenly as possible.")
CHARITY_DEAD = Reason("TURN-24", "The dead receive no charity.")
CHARITY_MANY = Reason("TURN-20", "Exactly the excess leaves your hand, no more.")
DOOR_CARD_FIRST = Reason("TURN-9", "First play or keep the card from the door.")
