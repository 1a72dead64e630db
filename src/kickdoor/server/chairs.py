"""A chair at a table and the one who sits on it."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from kickdoor.paper.plain import one_line
from kickdoor.server.protocol import AutoPass, Who
from kickdoor.server.trouble import Trouble

OPEN: Final = "open"
PERSON: Final = "person"
BOT: Final = "bot"

CROWD: Final = (
    ("Suzan", "female"),
    ("Bob", "male"),
    ("Mira", "female"),
    ("Otto", "male"),
    ("Pip", "female"),
    ("Grim", "male"),
    ("Zelda", "female"),
    ("Knut", "male"),
    ("Olga", "female"),
    ("Fritz", "male"),
    ("Runa", "female"),
    ("Tom", "male"),
)


# What the tokens and standies of a player can look like. A box has six pairs of standies (MM-3); larger tables go on.
COLOURS: Final = (
    *("red", "blue", "green", "purple", "orange", "teal"),
    *("pink", "olive", "slate", "brown", "indigo", "grey"),
)
STANDIES: Final = 6


AVATAR: Final = re.compile(r"[a-z][a-z0-9_-]{0,23}")  # the server has no drawings, only such a name


class Chair(msgspec.Struct):
    """Who sits here. `token` is the hash of what the person's browser holds."""

    who: Who = OPEN
    name: str = ""
    sex: str = "male"
    token: str = ""
    bot: str = ""
    ready: bool = False
    auto: AutoPass = "off"
    standin: bool = False
    late: int = 0  # decisions in a row that the clock made
    open_hand: bool = False
    colour: int = -1  # of COLOURS, if the person chose one
    things: list[str] = []  # the accessories that the person brings
    avatar: str = ""  # the name of a drawing, which only the page has

    @property
    def dozing(self) -> bool:
        return self.late >= 2 and self.who == PERSON and not self.standin


def colours(chairs: Sequence[Chair]) -> list[int]:
    """The colour of each chair: the one that was chosen, otherwise its own place's, or the first that is free."""
    out = [c.colour for c in chairs]
    for i, colour in enumerate(out):
        if colour < 0:
            free = (x for x in (i, *range(len(COLOURS))) if x not in out)
            out[i] = next(free, i)
    return out


def new_token() -> str:
    """Unguessable; only the browser has it."""
    return secrets.token_urlsafe(24)


def fingerprint(token: str) -> str:
    """What the journal keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()[:40]


def fit_name(name: str, taken: list[str], longest: int = 24) -> str:
    """A name as it may stand on the table: plain, short, nobody else's."""
    name = one_line(name)
    if not name:
        raise Trouble("bad_name", "Please give a name: letters, digits, whatever you are called by.")
    if len(name) > longest:
        raise Trouble("bad_name", f"That name is too long. {longest} characters are enough.")
    if name.casefold() in (t.casefold() for t in taken):
        raise Trouble("name_taken", f"Somebody here is called {name} already. Take another name.")
    return name


def fit_avatar(avatar: str) -> str:
    """The name of a drawing as it may stand in the journal; nothing is nobody's choice."""
    if avatar and not AVATAR.fullmatch(avatar):
        raise Trouble("bad_avatar", "An avatar is a short word in small letters, one of those on offer.")
    return avatar


def nameless(name: str) -> bool:
    """Has somebody not said a name? "You" is what everybody is called here, and so is nobody's name."""
    return one_line(name).casefold() in ("", "you")


def guest_name(taken: Sequence[str]) -> str:
    """What somebody is called who has not said a name."""
    known = {t.casefold() for t in taken}
    return next(f"Guest {n}" for n in range(1, len(known) + 2) if f"guest {n}" not in known)


def crowd_name(taken: list[str]) -> tuple[str, str]:
    """A name and sex for a bot."""
    for name, sex in CROWD:
        if name not in taken:
            return name, sex
    return f"Bot {len(taken) + 1}", "male"
