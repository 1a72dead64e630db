"""What changed between two states, as a short list: the world is sent once, then only changes."""

from __future__ import annotations

from typing import Any, Final

Path = list[str | int]
Change = list[Any]  # [path, value] sets, [path] takes away
_NOTHING: Final = object()


def diff(old: Any, new: Any) -> list[Change]:
    """The changes that make `old` into `new`. Both are JSON-ready."""
    out: list[Change] = []
    if type(old) is dict and type(new) is dict:
        _dicts([], old, new, out)
    elif old != new:
        extend([], old, new, out)
    return out


def extend(path: Path, old: Any, new: Any, out: list[Change]) -> None:
    """Add the changes at one place, where something is not the same, to a list of changes."""
    if type(old) is dict and type(new) is dict:
        _dicts(path, old, new, out)
    elif type(old) is list and type(new) is list and len(old) == len(new) and old and type(old[0]) is dict:
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            if a != b:
                extend([*path, i], a, b, out)
    else:
        out.append([path, new])


def _dicts(path: Path, old: dict[Any, Any], new: dict[Any, Any], out: list[Change]) -> None:
    known = 0
    start = len(out)
    for k, b in new.items():
        a = old.get(k, _NOTHING)
        if a is not _NOTHING:
            known += 1
        if a is b:
            continue
        if a is _NOTHING:
            out.append([[*path, _key(k)], b])
        elif type(a) is dict and type(b) is dict and not path:
            _dicts([_key(k)], a, b, out)  # not compared first: that would be done again further down
        elif a != b:
            extend([*path, _key(k)], a, b, out)
    if known < len(old):
        out[start:start] = [[[*path, _key(k)]] for k in old if k not in new]


def _key(k: Any) -> str:
    return k if type(k) is str else str(k)


def patched(state: Any, patch: list[Change]) -> Any:
    """`state` with the changes made; what a client does. (Returns it, since the root itself may be replaced.)"""
    for change in patch:
        path = change[0]
        if not path:
            state = change[1]
            continue
        at = state
        for key in path[:-1]:
            at = at[key]
        if len(change) == 1:
            del at[path[-1]]
        else:
            at[path[-1]] = change[1]
    return state
