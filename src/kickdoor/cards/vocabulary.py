"""The card language, its words: kinds, slots, decks, moments, roles, targets, events.

Where the words are a fixed set they are listed here, and no other is read. `Names` are words that other cards give a
meaning (a Race, a tag, the name of a card): the loader looks them up (`references`).
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta

Names = str | list[str]
Some = Annotated[int, Meta(ge=1)]
None_or_some = Annotated[int, Meta(ge=0)]
AmountWord = Annotated[
    str, Meta(pattern=r"^([0-9]+\*)?(roll|remembered|paid)$(?!\n)", description="roll, remembered, paid, or 2*roll")
]
Amount = Some | AmountWord
Count = Some | Annotated[str, Meta(pattern=r"^(all|any|([0-9]+\*)?(roll|remembered|paid))$(?!\n)")]

Kind = Literal[
    "monster",
    "curse",
    "trap",
    "madness",
    "race",
    "class",
    "power",
    "style",
    "training",
    "loyalty",
    "accent",
    "item",
    "one_shot",
    "enhancer",
    "monster_enhancer",
    "item_enhancer",
    "steed_enhancer",
    "ship_enhancer",
    "enhancer_enhancer",
    "race_or_class_enhancer",
    "special",
    "go_up_a_level",
    "hireling",
    "minion",
    "sidekick",
    "mook",
    "ally",
    "steed",
    "vehicle",
    "ship",
    "dungeon",
    "portal",
    "room",
    "spell",
    "accessory",
    "blank",
]
Slot = Literal["headgear", "armor", "footgear", "1hand", "2hands", "none"]
Slots = Slot | list[Slot]
Deck = Literal["door", "treasure", "dungeon", "spell", "fairy_dust"]
Gold = None_or_some | Literal["no value", "none"]
Sex = Literal["male", "female", "none"]
Kinds = Kind | list[Kind]
TraitKind = Literal["race", "class", "style", "training", "loyalty", "accent"]
RaceOrClass = Literal["race", "class"]

# Persons a step is about, and who chooses where somebody has to.
Who = Literal["victim", "actor", "target", "this", "this_left", "main", "helper", "left", "right"]
EachWho = Literal["everyone", "others", "neighbours", "highest_level", "fighters"]
Chooser = Literal["actor", "left", "right", "random"]  # if not whoever it happens to
Pick = Literal["biggest_bonus", "highest_value"]

# How a card in play is lost.
Loss = Literal["curse", "bad_stuff", "sale", "steal", "killed"]
Shield = Literal["box", "taken"]

FilterWord = Literal[
    "card",
    "item",
    "small_item",
    "big_item",
    "armor",
    "headgear",
    "footgear",
    "weapon",
    "one_shot",
    "race",
    "class",
    "race_or_class",
    "treasure",
    "monster",
    "curse",
    "hireling",
    "steed",
]

When = Literal[
    "any_time",
    "own_turn",
    "own_turn_idle",
    "idle",
    "fight",
    "own_turn_fight",
    "fight_start",
    "before_roll",
    "before_dice",
    "after_roll",
    "after_failed_roll",
    "after_escape",
    "curse",
    "victory",
    "after_combat",
    "face_up_draw",
    "any_time_not_fighting",
    "trait",
    "monster_discarded",
    "dying",
]
By = Literal["anyone", "fighter", "main", "helper", "bystander", "runner", "victim", "roller", "rival"]
On = Literal[
    "nothing",
    "side",
    "munchkins",
    "monsters",
    "monster",
    "player",
    "other_player",
    "fighter",
    "other_fighter",
    "helper",
    "combatant",
    "first_monster",
    "own_item",
    "own_card",
    "any_item",
    "rival_item",
    "rival_small_item",
    "curse",
    "runner",
    "companion",
    "rival_companion",
    "enhancer",
    "card_in_play",
    "own_trait",
    "stray",
]

Event = Literal[
    "escaped",
    "fled",
    "before_combat",
    "defeated",
    "refused",
    "helped",
    "won",
    "lost",
    "met",
    "help_settled",
    "cursed",
    "turn_end",
    "fight_over",
    "beaten",
    "got_away",
    "rival_hurt",
    "sex_changed",
    "own_sex_changed",
    "headgear_lost",
    "entered",
    "left",
    "received",
    "mourned",
    "dealt",
    "hindered",
    "spent",
    "paid",
]
EVENTS = Meta(extra_json_schema={"propertyNames": {"enum": list(get_args(Event))}})
