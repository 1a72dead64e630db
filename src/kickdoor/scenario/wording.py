"""The words of a move: verbs, and the keys that each of them takes."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final

from kickdoor.engine.value import moves as mv
from kickdoor.scenario.naming import ScenarioError

BARE: Final = {
    "kick": mv.KICK,
    "loot": mv.LOOT,
    "keep": mv.KEEP,
    "end_turn": mv.END_TURN,
    "show_hand": mv.SHOW_HAND,
    "withdraw": mv.WITHDRAW,
}
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "kick": (),
    "loot": (),
    "keep": (),
    "end_turn": (),
    "show_hand": (),
    "withdraw": (),
    "pass": (),
    "look_for_trouble": (),
    "play": ("on", "with", "as", "replacing"),
    "equip": ("by",),
    "unequip": ("by",),
    "sell": ("double",),
    "give": ("to",),
    "trade": ("with",),
    "ask_help": ("treasures", "picks_first", "items", "plays"),
    "offer_help": ("treasures", "picks_first", "items", "plays"),
    "counter": ("treasures", "picks_first", "items", "plays"),
    "accept": (),
    "decline": (),
    "discard": (),
    "use": ("card", "discard", "on"),
    "run": ("from",),
    "sacrifice": ("helper_too",),
    "choose": (),
    "charity": (),
}


Keys = dict[str, Any]


def parse(move: Any) -> tuple[str, Any, dict[str, Any]]:
    """A bare verb, or a mapping whose first key is the verb."""
    if isinstance(move, str):
        verb, arg, keys = move, None, {}
    elif isinstance(move, dict) and move:
        items = list(move.items())
        verb, arg = str(items[0][0]), items[0][1]
        keys = {str(k): v for k, v in items[1:]}
    else:
        raise ScenarioError(f"not a move: {move!r}")
    if verb not in KEYS:
        near = get_close_matches(verb, list(KEYS), 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(KEYS)}"
        raise ScenarioError(f"unknown move {verb!r}; {hint}")
    if arg is not None and (verb in BARE or verb in ("pass", "run")):
        raise ScenarioError(f"{verb} takes nothing, not {arg!r}")
    for k in keys:
        if k not in KEYS[verb]:
            near = get_close_matches(k, KEYS[verb], 1)
            hint = f"did you mean {near[0]!r}?" if near else f"{verb} takes {', '.join(KEYS[verb]) or 'nothing more'}"
            raise ScenarioError(f"{verb}: unknown key {k!r}; {hint}")
    return verb, arg, keys


def as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]
