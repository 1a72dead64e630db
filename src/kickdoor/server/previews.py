"""What a link to a table shows where it is pasted: the page's head with the table's name and who waits there.

Only what anybody with the link may see, and only of tables that are in memory: whoever shares a link is there, and no
robot makes the server load a table.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from kickdoor.cards.packs import find_pack, read_pack
from kickdoor.server.chairs import OPEN, PERSON
from kickdoor.server.hub import Hub
from kickdoor.server.table import LOBBY, OVER, Table

SITE: Final = "Kickdoor"
ANYBODY: Final = (
    "Kick open the door, hit what is behind it, keep what it was sitting on. With friends, bots and one link."
)
COUNTER: Final = "counter.html"
REAL_CARDS: Final = "Levels, cards, fights and rules for a table with real cards: on one phone, or on everybody’s."
PICTURE: Final = "icon-512.png"
_PROGRAM: Final = "<script"  # whatever it needs stands before it


def page(index: Path, hub: Hub, ident: str, link: str, ahead: str = "") -> str:
    """The document for a browser, with tags for whoever only reads its head. `link`: how this page is reached,
    if that is known; `ahead`: what goes along with it (`ahead.py`)."""
    text = _read(index, index.stat().st_mtime_ns)
    room = hub.rooms.get(ident)
    title, says = ("Level counter", REAL_CARDS) if index.name == COUNTER else (SITE, ANYBODY)
    if room is not None:
        title, says = room.table.name, told(room.table)
    tags = {"og:site_name": SITE, "og:type": "website", "og:title": title, "og:description": says}
    if link:
        tags["og:url"] = link
    if link and (index.parent / PICTURE).is_file():
        tags["og:image"] = f"{_root(link)}/{PICTURE}"
    metas = [f'<meta property="{k}" content="{html.escape(v)}" />' for k, v in tags.items()]
    metas.append('<meta name="twitter:card" content="summary" />')
    if room is not None or "/counter/" in link:
        metas.append('<meta name="robots" content="noindex" />')  # a link among friends is for friends
    return text.replace(_PROGRAM, "".join(metas) + ahead + _PROGRAM, 1)


@lru_cache(maxsize=2)
def _read(index: Path, _: int) -> str:
    return index.read_text(encoding="utf-8")


def _root(link: str) -> str:
    """The site that a link leads to."""
    scheme, _, rest = link.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


def told(t: Table) -> str:
    """Who is at a table and what is going on there, in a sentence or two."""
    box = read_pack(find_pack(t.options.packs[0])).head.title
    more = f" and {len(t.options.packs) - 1} more" if len(t.options.packs) > 1 else ""
    names = [c.name for c in t.chairs if c.who == PERSON]
    free = sum(c.who == OPEN for c in t.chairs)
    if t.status == LOBBY:
        waits = f"{_list(names)} {'waits' if len(names) == 1 else 'wait'} for you." if names else "Nobody is there yet."
        seats = f"{free} {'seat is' if free == 1 else 'seats are'} free" if free else "Every seat is taken"
        return f"{waits} {seats}; played with {box}{more}."
    doing = "have played" if t.status == OVER else "play"
    return f"{_list([c.name for c in t.chairs])} {doing} {box}{more}."


def _list(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
