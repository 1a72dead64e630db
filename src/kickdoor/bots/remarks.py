"""What bots say: several lines for everything they do, and for everything that is done to them.

Nothing here may tell what somebody holds. A reason is put into words that are the same for all reasons that look alike
from outside (a hand that could have turned the fight and one that could not say no in the same words), and what is said
of the lines that fit depends on nothing but how far the table is and what was said lately. A reaction is to what
everybody saw.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from kickdoor.bots.ledger import deeds
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event

Lines = tuple[str, ...]

# -- what a bot says to its move ----------------------------------------------------------------------------------
# Reasons as the bots give them ({} is a name or a number), and what is said instead of any of them.

_WORDS: Final[tuple[tuple[Lines, Lines], ...]] = (
    (
        ("Better on than in the bag.", "Somebody will buy it.", "That helps.", "That makes me stronger."),
        (
            "It goes with everything.",
            "Every little helps.",
            "Better on than in the bag.",
            "Does it suit me? Never mind.",
            "I always wanted one of these.",
            "Dressed to kill.",
        ),
    ),
    (
        ("My things are made for {}.", "{}, and room for it.", "{} is better than nothing."),
        (
            "I was born for this.",
            "Call me what you like.",
            "A new me.",
            "It is mostly the hat.",
            "Mother would be proud.",
        ),
    ),
    (("Better to ride than to walk.",), ("My feet hurt.", "Better to ride than to walk.", "Giddy up.")),
    (
        ("A good Item made better.",),
        ("A good thing made better.", "Now with extra.", "It was missing something.", "Handle with care."),
    ),
    (
        ("I have a horse. I could use a level.",),
        ("Come here, you.", "I could use a level.", "This will only take a moment."),
    ),
    (
        ("Within reach.", "A level is a level.", "Up I go."),
        ("A level is a level.", "Up I go.", "Do not mind me.", "One step closer.", "I earned that. Somehow."),
    ),
    (("Room for something better.",), ("That can go.", "Out with the old.", "Room for something better.")),
    (
        ("Junk for a level.", "For sale.", "Sold.", "I keep it after all."),
        ("Everything must go.", "Who needs it?", "Cash, please.", "A level for old junk: fair.", "The attic is full."),
    ),
    (
        ("That turns the fight.", "It is worth the cards.", "A start.", "We are in this together, for now."),
        (
            "Take that.",
            "I was saving this.",
            "Now we are talking.",
            "Mind your ears.",
            "Not in the face, I said.",
            "That ought to do it.",
        ),
    ),
    (
        ("Keep out of this one.", "That one is mine.", "There is more where that came from."),
        ("This one is mine.", "Hands off.", "Nobody move.", "I saw it first."),
    ),
    (
        ("Gone is as good as dead.",),
        ("Gone is as good as dead.", "And stay away!", "Next, please.", "Wrong door, friend."),
    ),
    (
        (
            "Not today, {}.",
            "Somebody has to stop {}.",
            "Oh no you don't.",
            "Where to, {}?",
            "{} is far enough ahead.",
            "Look closer, {}.",
            "Better on {} than given away.",
            "And another thing.",
        ),
        (
            "Not today, {}.",
            "Where do you think you are going, {}?",
            "Somebody had to, {}.",
            "It is nothing personal, {}. Mostly.",
            "I could not resist, {}.",
            "A present for {}.",
            "You were too far ahead, {}.",
            "Oops. Sorry, {}. No, I am not.",
        ),
    ),
    (
        ("Run!", "It is what he is paid for.", "Not worth the risk."),
        (
            "Run!",
            "I left something at home.",
            "Legs, do not fail me now.",
            "Discretion and so on.",
            "After you. No, after me.",
        ),
    ),
    (
        ("Let us say that did not happen.",),
        ("That did not happen.", "Nobody saw that.", "Shall we call it a rehearsal?"),
    ),
    (
        ("{} could turn this.",),
        (
            "A hand here, {}?",
            "{}, old friend!",
            "What would it cost me, {}?",
            "{}, you look strong today.",
            "I would do the same for you, {}.",
        ),
    ),
    (
        (
            "There is Treasure in it.",
            "{} of {} sounds fair.",
            "{} of {} Treasures, and that is that.",
            "A fair share.",
            "{} of the Treasures is fair.",
            "Whose fight it is picks first.",
            "For a little more, perhaps.",
        ),
        (
            "Business is business.",
            "A modest fee.",
            "I have expenses.",
            "You will not find it cheaper.",
            "Shall we say this much?",
            "Take it or run.",
        ),
    ),
    (
        ("It pays.", "Better than running.", "Take it all. I take the game.", "A good bargain, for me."),
        ("Done!", "Your hand on it.", "A pleasure.", "Why not. I was free anyway.", "Deal."),
    ),
    (
        (
            "Too late for that.",
            "Not worth it.",
            "There is no fight.",
            "Even together we lose.",
            "What is in it for me?",
            "I can manage.",
            "That is robbery.",
            "And let you win the game? No.",
            "You would win the game by it.",
            "On second thoughts, no.",
        ),
        (
            "No, thank you.",
            "I would rather watch.",
            "Not for that.",
            "Ask me again when I am richer.",
            "My horoscope says no.",
            "Ha. No.",
        ),
    ),
    (
        ("{} has something I could use.", "{} goes into the bargain.", "We would both be better off."),
        (
            "A little trade?",
            "Have a look at this.",
            "We would both be better off.",
            "You never liked it anyway.",
            "Special price, only today.",
        ),
    ),
    (
        ("It looks better on me.", "Better with me.", "Nobody is looking.", "Shall we?"),
        (
            "It looks better on me.",
            "Nobody is looking.",
            "You will not miss it.",
            "Borrowed. For good.",
            "Finders keepers.",
        ),
    ),
    (
        ("Somebody has to keep things moving.", "Let us see where this leads."),
        ("Somebody has to keep things moving.", "On we go.", "Let us see where that leads."),
    ),
    (
        ("Nobody said I could not.",),
        ("Nobody said I could not.", "It fits if you do not look.", "Rules are for other people.", "Watch me."),
    ),
    (
        ("This one, please.", "That can wait for somebody else."),
        ("Let me see.", "First things first.", "I like to know what is coming."),
    ),
    (
        ("You will thank me later.",),
        ("You will thank me later.", "Do not say no.", "Make room, I am coming.", "I was in the neighbourhood."),
    ),
    (
        ("I can beat {}.", "{} will do."),
        (
            "I know somebody I can beat.",
            "I brought my own.",
            "Trouble? I have some here.",
            "Let us have some exercise.",
        ),
    ),
    (
        ("Let us see what is behind it.",),
        (
            "Let us see what is behind it.",
            "Knock, knock.",
            "Who is there?",
            "Stand back.",
            "Gently, now. No.",
            "My foot, your door.",
        ),
    ),
    (("It may come in handy.",), ("It may come in handy.", "Into the pocket with it.", "Waste not.", "Mine now.")),
    (
        ("Nothing here I could beat.",),
        ("Anybody lost something?", "Let us look under the rug.", "Nobody home: all the better.", "Only looking."),
    ),
    (
        ("Too many cards.",),
        ("Too many cards.", "I am known for my generosity.", "Take it, I insist.", "My hands are full."),
    ),
    (
        ("That is all from me.",),
        ("That is all from me.", "Over to you.", "Next!", "Wake me when it is my turn.", "I rest my case."),
    ),
    (
        (
            "Best one first.",
            "High is good.",
            "The first offer sounds fine.",
            "The fast one, please.",
            "Why not.",
            "Not for that one.",
        ),
        ("Eeny, meeny ...", "That one.", "Do not rush me.", "Let me think. There.", "Easy."),
    ),
    (
        (
            "That one will be missed least.",
            "The least dangerous one.",
            "The greater evil.",
            "The lesser evil.",
            "I was not using it.",
            "There is nothing else to say.",
            "Nothing better to do.",
        ),
        ("If it must be.", "I was not using it.", "Farewell.", "It could be worse.", "One has to choose."),
    ),
    (
        (
            "I have thought about it, and I had better wait.",
            "I have thought it through: {} does the most for me.",
            "I have thought it through, and this leads further.",
        ),
        (
            "I have thought about this.",
            "All according to plan.",
            "You will see.",
            "Three moves ahead of you.",
            "Hm. Yes. This.",
        ),
    ),
    (
        ("The die said so.", "Nobody expects it."),
        ("The die said so.", "Nobody expects it.", "Why not?", "I closed my eyes.", "Random? Me?"),
    ),
)


def _pattern(reason: str) -> str:
    return re.escape(reason).replace(r"\{\}", "(.+)")


_GROUPS: Final = tuple((re.compile("|".join(map(_pattern, given))), said) for given, said in _WORDS)


def group_of(reason: str) -> Lines:
    """The lines that say it, or none."""
    return _meant(reason)[0]


def _meant(reason: str) -> tuple[Lines, str]:
    """The lines that say it, and the name in it, if there is one."""
    for pattern, said in _GROUPS:
        m = pattern.fullmatch(reason)
        if m:
            return said, next((x for x in m.groups() if x), "")
    return (), ""


def reworded(reason: str, whom: str, moment: int, lately: Collection[str]) -> tuple[str, str]:
    """A reason in one of its ways, and which one: none that was said lately, if there is another. `whom` is meant."""
    lines, named = _meant(reason)
    whom = whom or named
    said = pick([x for x in lines if whom or "{}" not in x], moment, lately)
    return (said.replace("{}", whom) if said else reason), said


def pick(lines: Sequence[str], moment: int, lately: Collection[str]) -> str:
    """One of these lines, by how far the table is; none that was said lately, as long as another is left."""
    fresh = [x for x in lines if x not in lately] or lines
    return fresh[moment % len(fresh)] if fresh else ""


# -- what it says to what is done to it ---------------------------------------------------------------------------


class Reaction(NamedTuple):
    """What happened to a bot, who did it (-1: nobody), and how much it matters: always said, or now and then."""

    kind: str
    other: int
    loud: bool


REACTIONS: Final[dict[str, Lines]] = {
    "won": (
        "And that is the game. Thank you, thank you.",
        "I would like to thank my boots.",
        "Ten! Did anybody else count?",
        "I never doubted myself. You did, though.",
    ),
    "beaten": (
        "Well played, {}. I will deny having said that.",
        "{}! I was so close.",
        "Rigged. Good game, {}.",
        "Next time I bring my own door, {}.",
    ),
    "died": ("Ow. Tell my hireling I loved him.", "I am only resting.", "Mind the carpet.", "Well. That is me dead."),
    "looted": (
        "Hands off, {}, I am still warm!",
        "I hope it itches, {}.",
        "{}! That was a family piece.",
        "Take the socks too, {}, why not.",
    ),
    "robbed": ("Hey! {}!", "I saw that, {}.", "{}, I had only just broken it in.", "This will be remembered, {}."),
    "cursed": (
        "{}! What have I done to you?",
        "Very funny, {}.",
        "I will remember this, {}.",
        "Really, {}? Now?",
        "Charming. Thank you, {}.",
    ),
    "betrayed": (
        "{}! I had that one!",
        "Et tu, {}?",
        "With friends like {} ...",
        "You will need me one day, {}.",
        "Noted, {}. In ink.",
    ),
    "helped": (
        "Thank you, {}. I mean it, almost.",
        "{}, you are a gem.",
        "I take back what I said about you, {}.",
        "Good timing, {}.",
    ),
    "bribed": (
        "For that price I even smile, {}.",
        "A pleasure doing business, {}.",
        "My sword is yours, {}. Rented.",
        "Deal is a deal, {}.",
    ),
    "refused": (
        "Your loss, {}.",
        "I will ask somebody nicer, {}.",
        "As you like, {}.",
        "One asks politely, and then {} ...",
    ),
    "given": ("For me? {}, you should not have.", "How kind, {}. What is wrong with it?", "Charity, {}? I accept."),
    "victory": ("Like a warm knife.", "Who is next?", "Did you see that?", "Too easy. It was not, but still."),
    "losing": ("This is not how I planned it.", "I may have misjudged that one.", "Any volunteers? No?"),
    "escaped": ("Still here!", "Never in doubt.", "I can stop any time. Running, I mean.", "Phew."),
    "caught": ("Not the hair!", "I slipped.", "It had a head start.", "Ouch. Ouch. Ouch."),
    "fell": ("Down again.", "I liked it better up there.", "Stairs, who needs them."),
}
_LOUD: Final = ("won", "beaten", "died", "looted", "robbed", "cursed", "betrayed", "helped", "bribed")
_TO_ME: Final = {"death": "died", "victory": "victory", "losing": "losing", "escaped": "escaped", "caught": "caught"}
_ORDER: Final = (*_LOUD, "given", "refused", "fell", "caught", "escaped", "losing", "victory")


def reaction(g: Game, events: Sequence[Event], seat: int) -> Reaction | None:
    """What this seat makes of what has just happened in front of everybody, if it concerns it."""
    found = [r for e in events if not e.secret and (r := _felt(g, e, seat)) is not None]
    return min(found, key=lambda r: _ORDER.index(r.kind)) if found else None


def _felt(g: Game, e: Event, seat: int) -> Reaction | None:
    kind, other = "", -1
    if e.kind == "win":
        kind, other = ("won", -1) if e.seat == seat else ("beaten", e.seat)
    elif e.seat == seat and e.kind in _TO_ME:
        kind = _TO_ME[e.kind]
    elif e.seat == seat and e.kind == "level" and e.n < 0:
        kind = "fell"
    elif e.kind == "help" and e.seat == seat:
        kind, other = _paid(g, e.other)
    else:
        done = next((d for d in deeds(g, (e,)) if d.to == seat), None)
        kind, other = (done.kind, done.by) if done is not None else ("", -1)
    return Reaction(kind, other, kind in _LOUD) if kind else None


def _paid(g: Game, other: int) -> tuple[str, int]:
    """Who helps for something is glad of it; for nothing he says nothing."""
    return ("bribed", other) if g.fight is not None and g.fight.deal.treasures else ("", -1)


def loudest(found: Sequence[tuple[int, Reaction]]) -> tuple[int, Reaction]:
    """Of several who have something to say, the one whom it concerns most."""
    return min(found, key=lambda x: _ORDER.index(x[1].kind))
