"""The editions as data: in which fields of a ruleset each book differs from the bare classic game."""

from __future__ import annotations

from typing import Any, Final

_ERA_B: Final[dict[str, Any]] = {
    "turn": {
        "phases": ["kick", "trouble_or_loot", "charity"],
        "phase2_gate": "no_monster_drawn_and_no_fight",
    },
    "windows": {"special_default": "like_treasure", "fresh_trait_in_fight": False},
    "help": {"offer_kinds": ["item", "treasure", "play_card"]},
}

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "classic": {
        "traits": {
            "race": {"cards": ["Elf", "Dwarf", "Halfling"], "default": "Human", "multi_card": "Half-Breed"},
            "class": {"cards": ["Warrior", "Wizard", "Thief", "Cleric"], "multi_card": "Super Munchkin"},
        },
        "combat": {"twin_cards": ["Mate"]},
        "death": {"split": ["Cheat!", "Hireling"]},
        "companion": {"label": "Hireling"},
    },
    "magical_mess": {
        "meta": {
            "id": "magical_mess",
            "label": "Munchkin Magical Mess (rules 1.0, January 2018)",
            "era": "B",
        },
        "components": {"total": 168, "doors": 93, "treasures": 75, "board": True},
        "setup": {"sex": "choose"},
        **_ERA_B,
        "items": {"curse_enhancers": True},
        "oneshot": {"table_needs_item": False},
        "combat": {"hand_ban": "treasures", "nonlethal_treasure": False, "twin_cards": ["Mooplicate"]},
        "death": {"split": ["Cheat!"], "replay": "any_legal"},
        "companion": None,
        "modules": [],
    },
    "bites": {
        "meta": {"id": "bites", "label": "Munchkin Bites! (9th printing, 2013)"},
        "components": {"total": 168},
        "setup": {
            "opening_play": [
                {"kind": "race", "max": 1},
                {"kind": "power", "max": 1, "filter": "rank<=1"},
                {"kind": "item", "filter": "usable"},
                {"kind": "companion", "max": 1},
            ]
        },
        "traits": {
            "race": {"cards": ["Vampire", "Werewolf", "Changeling"]},
            "class": {"enabled": False, "cards": [], "multi_card": None},
            "power": {
                "cap": "level",
                "opening_max_rank": 1,
                "window": "on_receipt_or_own_turn",
                "duplicates": "forbid",
                "keep_over_cap": ["Changeling"],
            },
        },
        "combat": {"join_tags": ["undead", "bat"], "twin_cards": ["Evil Twin"]},
        "death": {"keep": ["race", "power", "level", "curse", "multi_card"], "split": []},
        "curse": {"labels": ["Curse", "Trap"]},
        "companion": {
            "label": "Minion",
            "deck": None,
            "tradable": "never",
            "reactions": [],
            "reaction_kinds": [],
            "sex_change": "none",
            "carry": False,
        },
        "modules": ["powers", "bats"],
    },
    "good_bad": {
        "meta": {"id": "good_bad", "label": "The Good, the Bad, and the Munchkin"},
        "components": {"total": 168},
        "setup": {
            "opening_play": [
                {"kind": "class", "max": 1},
                {"kind": "item", "filter": "usable"},
                {"kind": "companion", "max": 1},
            ]
        },
        "traits": {
            "race": {"enabled": False, "cards": [], "default": None, "multi_card": None},
            "class": {"cards": ["Cowboy", "Indian", "Outlaw", "Dude"]},
        },
        "combat": {"twin_cards": []},
        "death": {"keep": ["class", "level", "curse", "multi_card"], "split": ["Cheat!"]},
        "curse": {"labels": ["Trap"]},
        "companion": {
            "label": "Sidekick",
            "reactions": ["bonus"],
            "reaction_kinds": ["sex"],
            "sex_change": "any",
            "carry": False,
        },
        "modules": ["steeds"],
        "name_rules": [{"trait": "Indian", "substring": "bow", "bonus": 2}],
    },
    "shakespeare": {
        "meta": {"id": "shakespeare", "label": "Munchkin Shakespeare Deluxe", "era": "B"},
        "components": {"total": 168, "board": True},
        "setup": {"sex": "choose"},
        "traits": {"class": {"cards": ["Bard", "Warrior", "Wizard", "Thief", "Cleric"]}},
        **_ERA_B,
        "oneshot": {"marker": "One-Shot", "table_needs_item": True},
        "combat": {
            "hand_ban": "treasures",
            "nonlethal_treasure": False,
            "twin_cards": [],
            "response": {"label": "a rhyming couplet", "seconds": 6},
        },
        "death": {"replay": "any_legal"},
        "companion": {
            "label": "Hireling",
            "deck": "treasure",
            "tradable": "never",
            "sacrifice": False,
            "reactions": [],
            "reaction_kinds": [],
            "sex_change": "none",
            "carry": True,
        },
        "modules": [],
    },
}
