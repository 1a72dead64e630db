"""The table of verbs: every word of the card language that does something, and the function that does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kickdoor.cards.library import Args
from kickdoor.engine import (
    dungeons,
    verbs_cards,
    verbs_epic,
    verbs_fight,
    verbs_levels,
    verbs_monsters,
    verbs_rivals,
    verbs_table,
)
from kickdoor.engine.frames import Effect
from kickdoor.engine.game import Game

Verb = Callable[[Game, Effect, Args], bool]


VERBS: Final[dict[str, Verb]] = {
    "lose_level": verbs_levels.lose_level,
    "gain_level": verbs_levels.gain_level,
    "set_level": verbs_levels.set_level,
    "steal_level": verbs_levels.steal_level,
    "death": verbs_levels.death_,
    "discard": verbs_cards.discard,
    "take": verbs_cards.take,
    "draw": verbs_levels.draw,
    "owe_treasure": verbs_levels.owe_treasure,
    "roll": verbs_levels.roll,
    "by_roll": verbs_levels.by_roll,
    "choose": verbs_levels.choose,
    "if": verbs_levels.if_,
    "each": verbs_levels.each,
    "change_sex": verbs_levels.change_sex,
    "change_trait": verbs_levels.change_trait,
    "pay": verbs_cards.pay,
    "remove_monster": verbs_fight.remove_monster,
    "add_monster": verbs_fight.add_monster,
    "clone_monster": verbs_fight.clone_monster,
    "replace_monster": verbs_fight.replace_monster,
    "escape": verbs_fight.escape,
    "cancel_curse": verbs_levels.cancel_curse,
    "resurrect": verbs_levels.resurrect,
    "set_die": verbs_levels.set_die,
    "reroll": verbs_levels.reroll,
    "roll_bonus": verbs_levels.roll_bonus,
    "bonus": verbs_fight.bonus,
    "penalty": verbs_fight.penalty,
    "double": verbs_fight.double,
    "transfer_fight": verbs_fight.transfer_fight,
    "retrieve": verbs_levels.retrieve,
    "loot_room": verbs_fight.loot_room,
    "compel_help": verbs_fight.compel_help,
    "kill_companion": verbs_cards.kill_companion,
    "remove_enhancer": verbs_fight.remove_enhancer,
    "attach": verbs_levels.attach,
    "annihilate": verbs_fight.annihilate,
    "reset_fight": verbs_fight.reset_fight,
    "deny_treasure": verbs_fight.deny_treasure,
    "start_fight": verbs_fight.start_fight,
    "lift": verbs_levels.lift,
    "remember": verbs_levels.remember,
    "consent": verbs_levels.consent,
    "afflict": verbs_table.afflict,
    "keep_as_item": verbs_table.keep_as_item,
    "peek": verbs_table.peek,
    "share_out": verbs_table.share_out,
    "opt_in": verbs_fight.opt_in,
    "contest": verbs_rivals.contest,
    "give": verbs_rivals.give,
    "show_hand": verbs_rivals.show_hand,
    "skip_turn": verbs_rivals.skip_turn,
    "dismiss_helper": verbs_rivals.dismiss_helper,
    "become_helper": verbs_rivals.become_helper,
    "ban": verbs_rivals.ban,
    "raise_monster": verbs_monsters.raise_monster,
    "suffer": verbs_monsters.suffer,
    "monster_level": verbs_monsters.monster_level,
    "multiply_item": verbs_fight.multiply_item,
    "make_pet": verbs_epic.make_pet,
    "eat_monster": verbs_epic.eat_monster,
    "dungeon": dungeons.change,
    "become": dungeons.become,
    "name_player": verbs_rivals.name_player,
}
