"""Why something may not be done: the one rule that decides, and a sentence. Refusals are values, so asking is cheap.

A sentence may have gaps in braces, `{card}` or `{limit}`, which `saying` fills in from the move and the game when
somebody is really told; until then a refusal is a constant. Verbs in brackets agree with the person before them
(`kickdoor.paper.grammar`): "{asked} [is] drawing" is told as "You are drawing", or "Ann is drawing".
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kickdoor.packs.editions import PRESETS


class Reason(NamedTuple):
    """The rule that decides, and why, in one sentence that also says what would be right."""

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


class Unsettled(Exception):
    """Nobody is asked anything, and yet it goes on and on: a card does something that sets itself off again."""

    def __init__(self, frame: str, card: str, steps: int, move: str = "") -> None:
        about = f" of {card}" if card else ""
        after = f" after {move!r}" if move else ""
        super().__init__(f"it never settles{after}: after {steps} steps the frame {frame}{about} is still at work")
        self.frame = frame
        self.card = card


# -- whoever it is, whatever he does ----------------------------------------------------------------------------

GAME_OVER = Reason("WIN-4", "The game is over: {winners} won it.")
DEAD = Reason("DEATH-12", "You are dead; the dead do nothing and receive nothing until the next turn begins.")
NO_SUCH_ACTION = Reason("FQ-GEN-3", "Neither a rule nor a card gives you that.")
NO_SUCH_SEAT = Reason("FQ-GEN-3", "Nobody sits there.")
NO_SUCH_CARD = Reason("FQ-GEN-3", "There is no such card in this game.")
NO_SUCH_WAY = Reason("CONF-1", "{card} cannot be played in that way.")
NOT_YOURS = Reason("FQ-CARD-21", "{card} does not lie before you.")
GONE = Reason("FQ-CURSE-9", "{card} has left the table; things happen in the order in which they happen.")
NOTHING_TO_ANSWER = Reason("PILE-11", "There is nothing that you could pass on just now.")
PASSED = Reason("COMBAT-32", "You have passed already; it comes back to you if something changes.")
NO_CREATION_PASS = Reason("CHAR-8", "It is {asked} who [puts] down starting cards now.")
DRAWING = Reason("CLASS-3", "{asked} [is] drawing face-up and may take from the discards; that is settled first.")
MOMENT_FIRST = Reason("FQ-CURSE-9", "What has just happened is settled first.")
SHOWN = Reason("PILE-15", "Your hand lies open already, or there is nothing in it.")

# -- answering --------------------------------------------------------------------------------------------------

NOT_ASKED = Reason("CONF-1", "{answer} is not one of the choices.")
ASKED_ANOTHER = Reason("CONF-1", "The question is for {asked}, not for you.")
NO_QUESTION = Reason("FQ-GEN-3", "You are not being asked anything just now.")
TOO_FEW_CHOSEN = Reason("CONF-1", "That is not enough: {still} more to be named.")
NO_TAKING_BACK = Reason("FQ-MISC-1", "That can no longer be taken back.")
ANSWER_FIRST = Reason("FQ-CURSE-9", "There is a question for {asked} to answer; that comes first.")
CURSE_PENDING = Reason("FQ-CURSE-9", "{pending} is resolved first; only what cancels it may be used.")
BETWEEN_ROLL = Reason("FQ-CBT-16", "Between a roll and its result only what changes the roll may be used.")
NOT_DRAFTING = Reason("FQ-GEN-3", "Nothing is being put together that it could be added to.")
DRAFT_FIRST = Reason("FQ-CURSE-9", "Finish what is being put together, or drop it.")

# -- selling ----------------------------------------------------------------------------------------------------

SELL_IN_FIGHT = Reason("COMBAT-19", "Nobody in a fight sells anything. Finish it first.")
SELL_OFF_TURN = Reason("SELL-1", "Items are sold on your own turn; this one is {turn's own}.")
SELL_LATER = Reason("SELL-1", "Items are sold between other things, not in the middle of one.")
SELL_TOO_LITTLE = Reason(
    "SELL-6", "A sale must come to {threshold} Gold Pieces or more; all you could sell comes to {worth}."
)
SELL_SHORT = Reason("SELL-6", "That comes to {named} Gold Pieces; a sale must come to {threshold} or more.")
SELL_LAST_LEVEL = Reason("SELL-7", "The winning level cannot be bought.")
SELL_NOT_ITEM = Reason("FQ-CARD-20", "{card} has no price: only Items are sold.")
SELL_NAMED = Reason("SELL-2", "{card} is in this sale already.")
SELL_DOUBLE = Reason("EPIC-25", "No more Items sell at twice their value this turn.")
SELL_NOT_DOUBLE = Reason("RACE-4", "Nothing that you are lets you sell at twice the value.")
SELL_DOUBLE_NOTHING = Reason("SELL-2", "{card} is worth nothing, and twice that is nothing.")

# -- Items in play ----------------------------------------------------------------------------------------------

EQUIP_IN_FIGHT = Reason("COMBAT-22", "Nobody in a fight changes equipment.")
EQUIP_RUNNING = Reason("RUN-18", "No changing of equipment while running away.")
EQUIP_IN_HAND = Reason("ITEM-2", "{card} is in your hand; an Item is played before it can be in use.")
EQUIP_NOT_ITEM = Reason("FQ-RC-13", "{card} is no Item; only Items can lie in play unused.")
EQUIP_ONE_SHOT = Reason("COMBAT-16", "{card} is a one-shot: it is used up, neither worn nor held.")
EQUIP_NEVER = Reason("ITEM-9", "{card} is not put in use; it does what it does from where it lies.")
EQUIP_ATTACHED = Reason("IENH-4", "{card} lies on something for good; it is not put in use by itself.")
EQUIP_OFF_TURN = Reason("ITEM-12", "At this table Items are put in and out of use on one's own turn.")
EQUIP_LATER = Reason("EQUIP-8", "Equipment is changed between other things, not in the middle of one.")
EQUIP_UNUSABLE = Reason("ITEM-6", "You are not what {card} asks for; you may only carry it.")
EQUIP_STEEDS = Reason("STEED-10", "{card} is made for Steeds; you may only carry it.")
ITEM_IDLE = Reason("ITEM-9", "{card} is not in use, and so gives you nothing.")
EQUIP_BARRED = Reason("CURSE-4", "A Curse keeps you from using anything there.")
EQUIP_OVER = Reason("CONF-1", "{card} is only worn over something of its kind.")
CARRY_BARRED = Reason("CURSE-4", "A Curse keeps you from carrying {card}.")
EQUIP_STUCK = Reason("FQ-AXE-14", "The Curse on {card} keeps it where it is.")
EQUIP_HEAD = Reason("EQUIP-1", "Your head is taken: one Headgear at a time is in use.")
EQUIP_ARMOR = Reason("EQUIP-2", "You wear Armor already: one suit at a time is in use.")
EQUIP_FOOT = Reason("EQUIP-3", "Your feet are taken: one pair of Footgear at a time is in use.")
EQUIP_HANDS = Reason(
    "EQUIP-4", "You are short of Hands: {card} needs {hands}, and you have {free} of {all_hands} free."
)
EQUIP_TAG = Reason("XOVER-33", "You have as many Items of that sort in use as you can manage.")
EQUIP_ALREADY = Reason("EQUIP-8", "{card} is in use already.")
UNEQUIP_NOT = Reason("EQUIP-8", "{card} is not in use.")
BEARER_NOBODY = Reason("HIRE-14", "{target} [is] not with you, and [carries] nothing for you.")
BEARER_NONE = Reason("HIRE-14", "{target} [carries] nothing for you; only some Hirelings do.")
BEARER_KIND = Reason("HIRE-14", "{target} [does] not carry such an Item.")
BEARER_FULL = Reason("HIRE-14", "{target} [carries] as much as it can already.")
BEARER_NEVER = Reason("HIRE-35", "{target} never [carries] anything, whatever is played on it.")
BEARER_USE = Reason("HIRE-15", "{target} [is] not what {card} asks for, and cannot use it.")
BEARER_SEX = Reason("HIRE-28", "{target} [is] not of the sex that {card} asks for.")
BEARER_STEED = Reason("STEED-10", "A Steed uses only Items that say so.")
BEARER_HAS = Reason("HIRE-14", "{card} is being carried for you already.")
HANDED_IN_FIGHT = Reason("COMBAT-22", "In a fight, and while running from one, nobody is handed anything to carry.")
BIG_SALE = Reason("BIG-6", "What is too Big is sold on your own turn only, and not in a fight.")
BIG_LIMIT = Reason("BIG-1", "You carry {bigs}, which is as much as you may. Sell, trade or lose one first.")

# -- getting rid of cards ---------------------------------------------------------------------------------------

ATTACHED = Reason("IENH-4", "{card} lies on something for good, and goes where that goes.")
NO_FREE_DISCARD = Reason("ITEM-15", "{card} is an Item: it may not be thrown away at will. Sell, trade or use it up.")
NOT_DISCARDABLE = Reason("PILE-13", "{card} cannot be discarded at will.")
HAND_STAYS = Reason("PILE-13", "{card} is in your hand; nothing is discarded from there at will.")
CURSE_STAYS = Reason("FQ-CARD-24", "A Curse is not discarded at will: {card} stays before you.")
ATTACHED_STAYS = Reason("IENH-4", "{card} lies on something for good, and never moves.")
CHEAT_STAYS = Reason("FQ-CHEAT-1", "{card} stays on what it was played on, and never moves.")
IN_PLAY_STAYS = Reason("PILE-12", "{card} is in play already, and never goes back to the hand.")

# -- playing cards ----------------------------------------------------------------------------------------------

NOT_IN_HAND = Reason("PILE-8", "You do not have {card} in your hand.")
BROUGHT_USED = Reason("FQ-KILL-1", "{card} comes once for a game, and has been played.")
BROUGHT_SHARED = Reason("FQ-KILL-3", "{card} belongs to the table and is in the deck; nobody starts with it.")
NOT_BROUGHT = Reason("FQ-KILL-4", "You did not bring {card}: a counter without its card is a counter.")
ITEM_IN_FIGHT = Reason("COMBAT-24", "You are in a fight; in one only one-shot Items are played.")
ITEM_OFF_TURN = Reason("ITEM-12", "{card} is an Item, for your own turn or the moment you get it; this is neither.")
ITEM_IN_ANOTHERS_FIGHT = Reason("ITEM-12", "A fight is on. {card} is played before or after it.")
TREASURE_IN_FIGHT = Reason("MM-36", "In a fight you play no Treasure from your hand unless it says so itself.")
TREASURE_OFF_TURN = Reason("MM-31", "{card} names no time, so it is for your own turn out of combat, or as you get it.")
ONE_SHOT_TABLE = Reason("COMBAT-16", "{card} has no price; only a one-shot with one may wait on the table.")
NOT_AN_ITEM = Reason("FQ-CARD-6", "{card} is no Item and cannot be carried.")
TRAIT_OFF_TURN = {
    "race": Reason("RACE-12", "{card} is played on your own turn, or the moment you get it."),
    "class": Reason("CLASS-10", "{card} is played on your own turn, or the moment you get it."),
    "power": Reason("BT-13", "{card} is played on your own turn, or the moment you get it."),
    "style": Reason("XOVER-9", "{card} is played like a Class: on your own turn, or the moment you get it."),
    "training": Reason("XOVER-10", "{card} is played like a Class: on your own turn, or the moment you get it."),
    "loyalty": Reason("XOVER-19", "{card} is played like a Class: on your own turn, or the moment you get it."),
    "accent": Reason("XOVER-19", "{card} is played like a Class: on your own turn, or the moment you get it."),
}
TRAIT_LIMIT = {
    "race": Reason("RACE-8", "You have all the Races you may have: {card} can only take the place of one."),
    "class": Reason("CLASS-8", "You have all the Classes you may have: {card} can only take the place of one."),
    "style": Reason("XOVER-9", "You have all the Styles you may have: {card} can only take the place of one."),
    "training": Reason("XOVER-10", "You have all the Trainings you may have: {card} can only take the place of one."),
    "loyalty": Reason("FQ-RC-9", "You have all the Loyalties you may have: {card} can only take the place of one."),
    "accent": Reason("FQ-RC-9", "You have all the Accents you may have: {card} can only take the place of one."),
}
CREATION_ONE = {
    "race": Reason("CHAR-4", "Before the first turn you put down one Race, and you have done that."),
    "class": Reason("CHAR-5", "Before the first turn you put down one Class, and you have done that."),
}
TRAIT_NOT_THERE = Reason("FQ-RC-6", "{card} cannot take the place of that.")
TRAIT_NONE = {
    "race": Reason("GB-2", "There are no Races in this game."),
    "class": Reason("BT-2", "There are no Classes in this game."),
}
TRAIT_OTHERWISE = Reason("FQ-CWBH-3", "You are that already, as a Race or as a Class; once is enough.")
TRAIT_TWICE = {
    "power": Reason("BT-19", "You have {card} already; a second one would add nothing."),
    "race": Reason("RACE-9", "You are that already; two of the same Race cannot lie before you."),
    "class": Reason("CLASS-9", "You are that already; two of the same Class cannot lie before you."),
}
TRAIT_CLAIMED = Reason("FQ-DUNG-7", "Another player lets nobody else become that.")
RECAST_NONE = Reason("FQ-CWBH-3", "It takes a Race or Class that could be the other, and room for one more of those.")
POWER_RANK = Reason("BT-12", "The Ranks of your Powers would exceed your Level, which leaves room for {room}.")
POWER_RACE = Reason("BT-11", "You are not what {card} asks for, and a Power you cannot use is not played.")
POWER_OPENING = Reason("BT-3", "Everyone starts with one Power at most, of Rank 1.")
MULTI_NEEDS = {
    "race": Reason("COMBO-4", "You need a Race before you can be half of it."),
    "class": Reason("COMBO-5", "You need a Class before you can be super at it."),
    "style": Reason("FQ-RC-9", "You need a Style before you can have two."),
    "training": Reason("FQ-RC-9", "You need Training before you can have two."),
    "loyalty": Reason("FQ-RC-9", "You need a Loyalty before you can have two."),
    "accent": Reason("FQ-RC-9", "You need an Accent before you can have two."),
}
MULTI_NEEDS_MORE = {  # the cards for three or more of them
    "race": Reason("COMBO-7", "You need a Race before {card} can give you more."),
    "class": Reason("COMBO-12", "You need a Class before {card} can give you more."),
}
MULTI_ONE = {
    "race": Reason("COMBO-9", "One such card at a time: {card} can only take the other one's place."),
    "class": Reason("COMBO-14", "One such card at a time: {card} can only take the other one's place."),
    "style": Reason("FQ-RC-9", "One such card at a time: {card} can only take the other one's place."),
    "training": Reason("FQ-RC-9", "One such card at a time: {card} can only take the other one's place."),
    "loyalty": Reason("FQ-RC-9", "One such card at a time: {card} can only take the other one's place."),
    "accent": Reason("FQ-RC-9", "One such card at a time: {card} can only take the other one's place."),
}
MULTI_NONE = {
    "race": Reason("GB-7", "Nobody has two Races in this game."),
    "class": Reason("BT-8", "Nobody has two Classes in this game."),
}
MULTI_OFF_TURN = Reason("COMBO-3", "{card} is played on your own turn, or the moment you get it.")
ENHANCER_NO_FIGHT = Reason("ENH-3", "{card} enhances a monster in a fight, and there is none.")
ENHANCER_TOO_LATE = Reason("ENH-3", "{card} enhances a monster in a fight, and this one is decided.")
ENHANCER_NO_MONSTER = Reason("FQ-CBT-29", "There is no monster left in the fight to play {card} on.")
ENHANCER_NOT_MONSTER = Reason("ENH-1", "{target} [is] no monster in this fight, and so nothing for {card}.")
ENHANCER_CLASH = Reason("CONF-1", "{target} already [has] an enhancer that excludes {card}.")
ENHANCER_CLASH_ALL = Reason("CONF-1", "A monster here has an enhancer that excludes {card}.")
ENHANCER_UNFIT = Reason("CONF-1", "{card} does not go on {target}; it says itself on what it goes.")
ENHANCER_ENHANCER_NO_FIGHT = Reason("EENH-1", "{card} goes on an enhancer that lies on a monster: it needs a fight.")
ENHANCER_ENHANCER_COMPANION = Reason(
    "EENH-6", "{card} goes on a monster's enhancer; nobody else gets anything from it."
)
ENHANCER_ENHANCER = Reason("EENH-1", "{card} goes on an enhancer that lies on a monster, on nothing else.")
ENHANCER_BARE = Reason("EENH-2", "No monster here has an enhancer on it for {card} to go on.")
ENHANCER_COMPANION = Reason("XOVER-6", "Monster enhancers go on monsters; of companions on Mooks alone.")
ENHANCER_SAFE = Reason("EENH-4", "That enhancer has been enhanced; what enhances it comes off first.")
ITEM_ENHANCER = Reason("IENH-1", "{card} goes on an Item of your own in play.")
ITEM_ENHANCER_NONE = Reason("IENH-2", "{card} needs an Item of yours in play to go on, and you have none that fits.")
ITEM_ENHANCER_STEED = Reason("IENH-5", "{target} [is] made for Steeds; item enhancers do nothing for it.")
ITEM_ENHANCER_UNFIT = Reason("CONF-1", "{card} does not go on {target}; it says itself on what it goes.")
ITEM_ENHANCER_IN_FIGHT = Reason("COMBAT-24", "{card} is played like an Item, and in a fight only one-shots are.")
ITEM_ENHANCER_TIME = Reason("IENH-1", "{card} is played like an Item: on your own turn, out of combat.")
SHIP_ENHANCER = Reason("XOVER-14", "{card} goes on a Ship of your own, and on nothing else.")
STEED_ENHANCER_SHIP = Reason("XOVER-14", "{target} [is] a Ship; {card} goes on a Steed.")
STEED_ENHANCER = Reason("STEED-9", "{card} goes on a Steed of your own.")
NONE_ENHANCED = Reason("FQ-HORSE-1", "Nothing can be put on the Steed that you have.")
NOT_ENHANCED = Reason("FQ-HORSE-1", "Nothing can be put on {target}.")
TRAIT_ENHANCER = Reason("FQ-REL-4", "{card} goes on a Race card of yours; being Human is no card.")
CLASS_ENHANCER = Reason("FQ-REL-3", "{card} goes on a Class card of yours, and on nothing else.")
TRAIT_ENHANCER_OFF_TURN = Reason("FQ-REL-5", "{card} is played when a Race or Class could be, and now none could.")
ATTACH_OWN = Reason("FQ-CHEAT-3", "{card} goes on an Item of your own.")
ATTACH_IN_FIGHT = Reason("COMBAT-24", "{card} is played with Items, and in a fight only one-shots are.")
ATTACH_OFF_TURN = Reason("ITEM-12", "{card} is played when Items are: on your own turn.")
CURSE_ITEM = Reason("IENH-1", "At this table {card} is only for an Item of your own.")
CURSE_WHOM = Reason("CURSE-2", "{card} is played on a player.")
COMPANION_SEX = Reason("HIRE-32", "Nothing changes {target} but a card that says so.")
NOT_SO_STRONG = Reason("FQ-ENH-2", "Only a monster of a lower Level than the one the fight began with.")
DICE_ROLLED = Reason("FQ-BASE-39", "The dice have been rolled: it is too late for {card}.")
DIED_OTHERWISE = Reason("FQ-REL-7", "{card} is for whoever has just died of a fight that was lost.")
ONE_SHOT_NO_FIGHT = Reason("COMBAT-14", "{card} is used in a fight, and there is none.")
FIGHT_OVER = Reason("FQ-BASE-32", "This fight is decided; {card} had to be played before.")
FIGHT_CARD = Reason("COMBAT-18", "{card} is played into a fight, and there is none.")
FIGHT_TREASURE = Reason("PILE-11", "{card} is played into a fight, and there is none.")
MONSTER_FROM_HAND = Reason("MONSTER-3", "{card} waits in your hand for Looking For Trouble or a Wandering Monster.")
JOIN_NO_BAT = Reason("BT-29", "{card} can join by itself only where another Bat is in the fight.")
JOIN_STRANGER = Reason("MONSTER-4", "{card} joins a fight only with a Wandering Monster or the like.")
JOIN_TOO_LATE = Reason("UNDEAD-2", "This fight is decided; {card} had to join it before.")
JOIN_NO_KIN = Reason("UNDEAD-4", "{card} can join by itself only where one of its kind is in the fight.")
ALLY_NONE = Reason("CONF-1", "Nothing that you are makes {card} fight at your side.")
ALLY_TIME = Reason("PILE-11", "{card} fights at your side in a fight of yours, at no other time.")
INVITED_TIME = Reason("FQ-ENH-2", "{card} comes in that way only where a card has just invited monsters.")
WANDER_NO_MONSTER = Reason("INTERFERE-5", "{card} needs a monster from your hand to go with it.")
WANDER_NOT_SUCH = Reason("INTERFERE-5", "{card} says which monsters go with it, and this is none of those.")
WANDER_NOT_MONSTER = Reason("INTERFERE-5", "What goes with {card} is a monster from your hand.")
WANDER_NO_FIGHT = Reason("MONSTER-4", "There is no fight to add a monster to.")
WINNING_LEVEL = Reason("WIN-5", "The winning level takes a kill.")
ONLY_KILLS = Reason("DUNG-2", "Levels are gained only by killing here.")
DEAD_LEVEL = Reason("DEATH-13", "{target} [is] dead, and the dead gain no levels.")
DEAD_TARGET = Reason("DEATH-12", "{target} [is] dead; the dead receive nothing, not even this.")
NO_LEVEL_TO_STEAL = Reason("LEVEL-5", "{target} [has] no level to lose; nobody falls below Level 1.")
CONDITION = Reason("CONF-1", "The condition of {card} is not met. {text}")
WRONG_TIME = Reason("PILE-11", "{card} is played {when}; this is not that moment.")
WRONG_ROLE = Reason("PILE-11", "{card} is played {when}; that is not you.")
OWN_TURN_ONLY = Reason("PILE-11", "{card} is for your own turn; this one is {turn's own}.")
OWN_TURN_ANYWAY = Reason("FQ-BASE-52", "{card} is for your own turn; the fight is yours, the turn is {turn's own}.")
ONE_SIDE = Reason("INTERFERE-3", "{card} says for which side it counts, and that is not {target}.")
NO_HELP_OUT = Reason("FQ-BASE-6", "{card} takes only what turns a losing fight into a winning one.")
NO_TARGET = Reason("CONF-1", "There is nothing here to play {card} on.")
NOT_A_TARGET = Reason("CONF-1", "{card} cannot be played on {target}.")
ON_A_DECK = Reason("FQ-BOOK-5", "{target} [lies] on a deck; it is not in play, and so nothing for {card}.")
NOT_A_SIDE = Reason("INTERFERE-3", "{card} counts for a side of the fight; {target} [is] none.")
SAY_TARGET = Reason("CONF-1", "Say on what {card} is played.")
NOT_WITH_THAT = Reason("FQ-GEN-3", "{card} is not played together with that.")
SHIP_LIMIT = Reason("XOVER-14", "One Ship at a time: {card} can only take the other one's place.")
STEED_LIMIT = Reason("STEED-2", "One Steed at a time: {card} can only take the other one's place.")
MOUNT_SHARED = Reason("XOVER-12", "One Steed or Vehicle at a time: {card} can only take the other one's place.")
STEED_IN_FIGHT = Reason("STEED-3", "{card} is an Item, and in a fight only one-shots are played.")
STEED_OFF_TURN = Reason("STEED-3", "{card} is played like any Item: on your own turn, or the moment you get it.")
STEED_LATER = Reason(
    "STEED-12", "{card} may be left behind by whoever has to run, before the roll, and at no other time."
)
STEED_STAYS = Reason("STEED-12", "{card} does not slow you down; only a Steed that does is left behind at will.")
STEED_NOT_STOLEN = Reason("STEED-8", "{target} [counts] as Big; only small Items can be stolen.")
STEED_NOT_SACRIFICED = Reason("FQ-STEED-6", "{card} is a Steed, and does not say that it may be left behind for you.")
STEED_FOUGHT = Reason("STEED-14", "{card} is fought only when the door shows it.")
RIDE_LIMIT = Reason("STEED-2", "You have a Steed already.")
NO_STEED_AT_ALL = Reason("STEED-2", "You can have no Steed at all, so nothing can be tamed for you to ride.")
NOT_TAMABLE = Reason("FQ-DER-1", "Only a monster that is a card of its own can be tamed.")
COMPANION_NONE = Reason("MM-64", "There are no Hirelings in this game.")
COMPANION_LIMIT = Reason("HIRE-4", "One Hireling at a time. Send {companion} away first.")
COMPANION_ANY_NAME = Reason(
    "XOVER-5", "One at a time, whatever it is called. Send {companion} away before {card} comes."
)
COMPANION_TIME = Reason("HIRE-3", "{card} comes at an open moment; this is not one.")
CREATION_ONLY = Reason("CHAR-8", "Before the first turn only starting cards are put down, in seating order.")
PORTAL_TURN = Reason("PORTAL-8", "A Portal in hand is played only on your own turn.")
PORTAL_FIGHT = Reason("PORTAL-9", "No Portal leads out of a fight.")
PORTAL_ONCE = Reason("PORTAL-10", "You have been through a Portal this turn already.")
PORTAL_TIME = Reason("PORTAL-11", "{card} is played on your own turn, between other things.")
PET_TIME = Reason("EPIC-29", "A pet is spent in a fight, on one of its sides.")
SEALED = Reason("COMBAT-13", "Nobody comes near this fight, except with monsters and what makes them worse.")
KEPT_OUT = Reason("CONF-1", "What a lone fighter wears keeps {card} out of his fight.")
UNSTOPPABLE = Reason("EPIC-46", "{card} would take from {fighter} what no card of a rival's may prevent.")
BANNED = Reason("CONF-1", "You may play nothing against {protected} for the rest of this turn.")

# -- powers -----------------------------------------------------------------------------------------------------
# CLASS-3 and MULTI-7 stand for "the card says what it can": `abilities` puts the rule of the power in their place.

ABILITY_NONE = Reason("FQ-GEN-3", "You have no {power} in play.")
ABILITY_TIME = Reason("CLASS-3", "{power} is used {when}; this is not that moment.")
ABILITY_ROLE = Reason("CLASS-3", "{power} is used {when}; that is not you.")
ABILITY_USED = Reason("MULTI-7", "{power} has been used as often as it may.")
ABILITY_COST = Reason("CLASS-6", "{power} costs {price}, and you have not got that.")
COST_ONLY_CURSE = Reason("CURSE-7", "{power} costs {price}, and a Curse that lies before you pays for nothing.")
COST_ONLY_STUCK = Reason("FQ-CARD-27", "{power} costs {price}, and what a Curse keeps where it is pays for nothing.")
ABILITY_LEVEL = Reason("CLASS-6", "{power} costs {price}, and you have no Level to lose.")
ABILITY_CONDITION = Reason("CLASS-3", "The condition of {power} is not met. {text}")
ABILITY_NO_TARGET = Reason("CLASS-3", "There is nothing here to use {power} on.")
ABILITY_SELF = Reason("CLASS-3", "{power} cannot be used on yourself.")
NOT_EPIC = Reason("EPIC-6", "{power} is for Epic characters, and you are not one.")
ABILITY_TARGET = Reason("CLASS-3", "{power} cannot be used on {target}.")
ABILITY_SHIELDED = Reason("CONF-1", "{target} [is] safe from {power}.")
NOT_OFFERED = Reason("CONF-1", "What {card} offers is for those who fight it.")
COPY_NO_ITEM = Reason("FQ-CARD-5", "{card} only stands for that monster; its own card could not be kept as an Item.")
ABILITY_DRAW = Reason("PILE-5", "There is nothing left for {power} to draw.")
WHOLE_HAND = Reason("FQ-CARD-4", "{power} costs the whole hand, {price}.")
COST_KIND = Reason("CLASS-6", "{answer} cannot pay for {power}; that takes {price}.")
OWN_CARD_COST = Reason("FQ-CARD-23", "{answer} does not pay for its own power.")
CURSE_COST = Reason("CURSE-7", "{answer} is a Curse in front of you, and pays for nothing.")
COST_NOT_YOURS = Reason("FQ-CARD-21", "{answer} is not yours to pay with.")
COST_STUCK = Reason("FQ-CARD-27", "The Curse on {answer} keeps it where it is; it pays for nothing.")
STEAL_FIGHTING = Reason("CLASS-11", "You are in a fight, and nobody in a fight steals.")
STEAL_FROM_FIGHTER = Reason("CLASS-12", "{owner} [is] in a fight, and nobody steals from someone in a fight.")
STEAL_BIG = Reason("CLASS-3", "{target} [is] Big; only small Items can be stolen.")
ACCESSORIES_OFF = Reason("FQ-MISC-7", "This table plays without accessories; the module has to be agreed on.")
ACCESSORY_KIND = Reason("FQ-GEN-3", "That is a card of the decks; nobody brings it along.")
ACCESSORY_NONE = Reason("FQ-DICE-1", "{power} comes with a thing of its own, which you have not brought.")

# -- loot -------------------------------------------------------------------------------------------------------

LOOT_KEPT = Reason("DEATH-2", "{card} stays with the dead; it is no loot.")
LOOT_BOUND = Reason("IENH-4", "{card} lies on something for good; whoever loots that has it too.")
LOOT_NONE = Reason("DEATH-8", "{card} is not among what may be looted.")

# -- trading ----------------------------------------------------------------------------------------------------

TRADE_SELF = Reason("TRADE-1", "A trade takes two.")
TRADE_IN_FIGHT = Reason("COMBAT-23", "You are in a fight, and nobody in a fight trades.")
TRADE_PARTNER_FIGHTS = Reason("TRADE-4", "{target} [is] in a fight, and nobody in a fight trades.")
TRADE_LATER = Reason("TRADE-4", "Items are traded between other things, not in the middle of one.")
TRADE_BARE = Reason("TRADE-2", "Neither of you has an Item in play to give away, and only Items are traded.")
TRADE_HELD = Reason(
    "TRADE-3", "Neither of you has an Item in play to give away, and cards from the hand are never traded."
)
TRADE_ITEMS = Reason("TRADE-2", "{card} is no Item, and only Items are traded.")
TRADE_TABLE = Reason("TRADE-3", "{card} is not in play; cards from the hand are never traded.")
TRADE_WHOSE = Reason("TRADE-1", "{card} belongs to neither of the two who trade.")
TRADE_NAMED = Reason("TRADE-1", "{card} is part of this trade already.")
TRADE_BIG = Reason("TRADE-5", "Too many Big Items: the receiver could not carry that.")
TRADE_BARRED = Reason("TRADE-5", "A card keeps the receiver from having that.")
TRADE_COMPANION = Reason("HIRE-4", "The receiver would have one Hireling too many.")
TRADE_STEED = Reason("STEED-2", "The receiver would have one Steed too many.")
TRADE_SHIP = Reason("XOVER-14", "The receiver would have one Ship too many.")
TRADE_NOTHING = Reason("TRADE-1", "A trade of nothing for nothing is not a trade.")
NO_OFFER = Reason("HELP-2", "Nobody has made you an offer.")
OFFER_GONE = Reason("TRADE-1", "What was offered is no longer there.")
NOTHING_OFFERED = Reason("HELP-2", "You have made no offer that you could take back.")

# -- help -------------------------------------------------------------------------------------------------------

HELP_NO_FIGHT = Reason("HELP-1", "There is no fight to help in.")
HELP_OVER = Reason("HELP-1", "This fight is lost; nobody helps any more.")
HELP_NOT_MAIN = Reason("HELP-1", "Only {fighter}, whose fight it is, [asks] for help.")
HELP_TAKEN = Reason("HELP-4", "{helper} [helps] already, and one helper is the limit.")
HELP_SELF = Reason("HELP-1", "You are in it already.")
HELP_ALONE = Reason("FQ-BASE-37", "This has to be faced alone.")
HELP_CANNOT = Reason("CONF-1", "A card keeps {target} from helping anybody.")
HELP_CANNOT_YOU = Reason("CONF-1", "A card keeps you from helping anybody.")
HELP_LOSING = Reason("HELP-1", "At this table help is asked for only when losing.")
HELP_ITEM = Reason("HELP-6", "{card} cannot be promised: only Items that {fighter} [carries] can.")
HELP_PLAY = Reason("MM-43", "{card} cannot be promised: it is not played on a player.")
HELP_LEVEL = Reason(
    "MM-43", "{card} cannot be promised: it could not be played, since it gives a level that takes a kill."
)
HELP_NAMED = Reason("HELP-6", "{card} is promised already.")
HELP_ORDER = Reason("HELP-8", "Say who picks first, or that the fighter chooses what to hand over.")
HELP_SHARE = Reason("HELP-7", "That is more Treasure than the fight will yield: {yields}.")
HELP_SAME = Reason("HELP-7", "That is what the offer says already.")
HELP_PICKS = Reason("HELP-8", "Who picks first matters only where Treasure is shared.")
HELP_KIND = Reason("HELP-6", "At this table that cannot be part of an offer.")
HELP_DEAD = Reason("HELP-24", "{target} [is] dead, and the dead are no help.")

# -- running away -----------------------------------------------------------------------------------------------

RUN_WINNING = Reason("RUN-1", "You run when you have lost, and not before.")
RUN_MUST = Reason("FQ-CBT-47", "Who has lost runs; nobody waits to be caught.")
RUN_NOT_YOU = Reason("RUN-1", "You have nothing to run from.")
RUN_FOE = Reason("RUN-14", "You do not have to run from {card}.")
RUN_WAIT = Reason("RUN-19", "Everybody may still act before the first roll.")
SACRIFICE_NEVER = Reason("XOVER-7", "No set at this table lets a Hireling be left behind in your place.")
SACRIFICE_WHOM = Reason("HIRE-8", "{card} cannot be left behind in your place; only a Hireling can.")
SACRIFICE_YOURS = Reason("HIRE-8", "{card} is not with you.")
SACRIFICE_TIME = Reason("HIRE-8", "A Hireling is sacrificed instead of rolling to run away, at no other time.")

# -- the turn ---------------------------------------------------------------------------------------------------

NOT_YOUR_TURN = Reason("WIN-3", "It is {turn's} turn, not yours.")
KICK_ONCE = Reason("TURN-3", "The door of this turn has been opened already.")
KICK_FIGHT = Reason("TURN-5", "The fight comes first.")
TROUBLE_BARRED = Reason("CONF-1", "A card in front of you keeps you from looking for trouble.")
TROUBLE_DOOR = Reason("TURN-10", "Trouble is looked for only after a door without a monster.")
TROUBLE_MONSTER = Reason("TURN-11", "Trouble is a monster from your own hand, and {card} is none.")
TROUBLE_HAND = Reason("TURN-11", "Trouble is a monster from your own hand; {card} is not in it.")
TROUBLE_ONCE = Reason(
    "TURN-11", "Trouble is one monster of your own, once a turn, and before the room is looted; that moment is past."
)
TROUBLE_LOOT = Reason("TURN-13", "The room is open to be looted; trouble was before that.")
LOOT_MET = Reason("TURN-13", "The room is looted only if no monster came and you looked for none.")
LOOT_ONCE = Reason("TURN-15", "You have looted the room already, and one card is all that it holds.")
DOOR_FIRST = Reason("TURN-2", "First kick open the door.")
KEEP_NOTHING = Reason("TURN-9", "There is no card from the door to keep.")
KEEP_NOT_THAT = Reason("EPIC-11", "{card} is not among the cards from the door that may be kept.")
END_DOOR = Reason("TURN-2", "The turn is not over: it has a door to kick open.")
END_EARLY = Reason("TURN-15", "The turn is not over: look for trouble, or loot the room.")
END_HAND = Reason("TURN-17", "You hold {hand} cards, and {limit} is the limit: play, give or discard first.")
CHARITY_NONE = Reason("TURN-17", "You hold {hand} cards, which is within the limit; there is nothing to give.")
CHARITY_TIME = Reason("TURN-17", "Charity comes at the end of your turn.")
CHARITY_WHO = Reason("TURN-19", "Charity goes to the lowest-Level player: {lowest}.")
CHARITY_SELF = Reason("TURN-23", "You are the lowest yourself: the excess is discarded.")
CHARITY_NEVER = Reason("DUNG-2", "Nobody gives anything away here: the excess is discarded.")
CHARITY_EVEN = Reason("TURN-21", "The excess is divided as evenly as possible; {target} [has] enough of it.")
CHARITY_DEAD = Reason("TURN-24", "{target} [is] dead, and the dead receive no charity.")
CHARITY_CANNOT = Reason("CONF-1", "A card keeps {target} from having {card}.")
CHARITY_GIVE = Reason("TURN-19", "It is given, not thrown away: {lowest} may have it.")
CHARITY_MANY = Reason("TURN-20", "Exactly the excess leaves your hand, no more.")
CHARITY_FEW = Reason("TURN-20", "You still hold {excess} too many: name what else goes.")
CHARITY_HAND = Reason("TURN-20", "{card} is not in your hand; charity is what you hold too much of.")
DOOR_CARD_FIRST = Reason("TURN-9", "First play or keep {door}, which lies before you from the door.")
DOOR_EXPOSED = Reason("EPIC-11", "A monster is behind the door already: the other card comes first, then the fight.")
DOOR_FROZEN = Reason(
    "COMBAT-25",
    "A monster is behind the door already, and what a fight forbids is forbidden: first play or keep the other card.",
)

# -- too much ---------------------------------------------------------------------------------------------------

SURPLUS_FIRST = Reason("FQ-CURSE-9", "There is too much before {asked}; that is settled first.")
SURPLUS_NOT_THAT = Reason("FQ-CURSE-9", "{card} is not among the cards of which one must go.")

# What the sentences above call these kinds of cards: the words of the classic book.
CURSE_WORD: Final = "Curse"
COMPANION_WORD: Final[str] = PRESETS["classic"]["companion"]["label"]
