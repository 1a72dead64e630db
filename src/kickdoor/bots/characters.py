"""The company: bots with a name, a face and a way of their own.

A character is data: how it plays (`Style`) and what it says. It can sit on any rung of the ladder (`schemer:miser`),
and how well it plays is the rung's business. What it says may tell nothing that is hidden: which of its lines fits
depends on the move that everybody sees and on what everybody saw before (`ledger`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kickdoor.bots.style import Style

Lines = tuple[str, ...]


class Character(NamedTuple):
    """Somebody to play with. `says`: by occasion (see `acting.occasion`), and by what is done to it (see `remarks`)."""

    id: str
    name: str
    sex: str
    face: str  # the name of a drawing, which only the page has
    line: str  # what it says of itself
    style: Style
    says: dict[str, Lines]


_ALL: Final = (
    Character(
        "miser",
        "Penny",
        "female",
        "rat",
        "Every card has its price, and mine is higher.",
        Style(kindness=-1.5, thrift=1.2, grudge=1.7),
        {
            "hit": ("That cost me, {}.", "I hope you are worth it, {}.", "An expense, {}, all for you."),
            "deal": ("Let us talk money, {}.", "Nothing is free, {}.", "Time is gold, {}."),
            "promise": ("I will put it on the list, {}.", "You shall have it back, {}, one day."),
            "keep": ("My debts are small, {}, and I pay them.", "We are even now, {}."),
            "avenge": ("You still owe me for that, {}.", "I have kept the receipt, {}."),
            "robbed": ("That was worth a fortune, {}!", "Put it back, {}! All of it!"),
            "cursed": ("Do you know what that cost, {}?", "I am sending you the bill, {}."),
            "helped": ("How much? Thank you, {}.", "You could have asked for less, {}."),
        },
    ),
    Character(
        "avenger",
        "Greta",
        "female",
        "wolf",
        "Hurt me once, and I will see to it that you remember.",
        Style(grudge=2.2, thrift=1.6),
        {
            "hit": ("You had it coming, {}.", "Look at me, {}.", "I do not forget, {}."),
            "avenge": (
                "This is for before, {}.",
                "You thought I had forgotten, {}.",
                "One good turn, {}.",
                "Now we are even, {}.",
            ),
            "deal": ("I know what you did, {}.", "I have no quarrel with you, {}.", "Fair is fair, {}."),
            "robbed": ("I wrote that down, {}.", "You will lose more than that, {}."),
            "cursed": ("Big mistake, {}.", "I count to one, {}.", "You are on my list now, {}. At the top."),
            "betrayed": ("Wait for it, {}.", "I have a long memory, {}.", "You will wish you had not, {}."),
        },
    ),
    Character(
        "diplomat",
        "Percy",
        "male",
        "king",
        "There is nothing that two reasonable people cannot share.",
        Style(kindness=1.8, share=1, honour=1.0, thrift=1.35),
        {
            "hit": ("With the deepest regret, {}.", "My government insists, {}.", "Let this not come between us, {}."),
            "deal": ("My dear {}.", "To our friendship, {}.", "Let us be reasonable, {}."),
            "promise": (
                "I will stand by you next time, {}.",
                "You have my word, {}.",
                "One hand washes the other, {}.",
            ),
            "keep": ("I gave you my word, {}.", "As I promised, {}.", "One good turn, {}."),
            "regret": ("I have not forgotten, {}.", "I still owe you one, {}."),
            "helped": ("I shall remember this, {}.", "Next time it is my turn, {}.", "The pleasure will be mine, {}."),
            "cursed": ("I must protest, {}.", "This calls for a strongly worded letter, {}."),
            "betrayed": ("We had an understanding, {}!", "I am recalling my ambassador, {}."),
        },
    ),
    Character(
        "gambler",
        "Lou",
        "male",
        "bandit",
        "It has to work one time in six.",
        Style(fear=0.6, daring=1.0, kindness=-0.9),
        {
            "hit": ("Double or nothing, {}.", "Your luck just ran out, {}.", "I call, {}."),
            "deal": ("Deal me in, {}.", "You look like a winner, {}.", "Fifty to one, {}."),
            "other": ("", "", "Come on, lucky six.", "Never tell me the odds.", "I have a feeling."),
            "died": ("I want to see that die again.", "Next time I bring my own dice.", "The house wins."),
            "escaped": ("Told you it was a six.", "Never in doubt, I said.", "Again! Again!"),
            "caught": ("One time in six, they said.", "Best of three?", "I was sure about that one."),
        },
    ),
    Character(
        "loner",
        "Hob",
        "male",
        "monk",
        "I work alone. So should you.",
        Style(proud=True, thrift=0.5, kindness=-0.5),
        {
            "hit": ("Nothing against you, {}.", "Leave me in peace, {}.", "You were in the way, {}."),
            "deal": ("I prefer silence, {}.", "Be brief, {}.", "If you cannot do it yourself, {}."),
            "other": ("", "", "", "Alone at last.", "I need nobody."),
            "victory": ("By myself, if anybody asks.", "One pair of hands is enough.", "Quiet again."),
            "helped": ("I did not ask for that, {}.", "That was not necessary, {}."),
            "refused": ("As I thought, {}.", "That is why I ask nobody, {}."),
        },
    ),
    Character(
        "turncoat",
        "Roxy",
        "female",
        "fox",
        "I keep every promise, until it is my turn.",
        Style(share=1, honour=-2.0, kindness=-0.7, thrift=1.1),
        {
            "hit": ("Nothing in writing, {}.", "Surprise, {}.", "You would have done the same, {}."),
            "deal": ("Trust me, {}.", "We are friends, {}, are we not?", "You and me, {}."),
            "promise": (
                "I will make it up to you, {}.",
                "Next time I help you, {}, promise.",
                "Would I lie to you, {}?",
            ),
            "break": ("A promise? That was last turn, {}.", "You believed that, {}?", "I had my fingers crossed, {}."),
            "helped": ("I will never forget this, {}. Until later.", "You are too good for this game, {}."),
            "cursed": ("And I trusted you, {}!", "That was my idea, {}."),
            "betrayed": ("I taught you that, {}.", "Well stabbed, {}."),
        },
    ),
    Character(
        "bully",
        "Bruno",
        "male",
        "troll",
        "Somebody has to be last, and it is not me.",
        Style(bully=True, grudge=0.4, thrift=1.15),
        {
            "hit": ("Stay down, {}.", "Give me your lunch, {}.", "What are you looking at, {}?", "Too slow, {}."),
            "deal": ("You need me, {}.", "Say please, {}.", "Louder, {}."),
            "avenge": ("Nobody does that to me, {}.", "You dare, {}?"),
            "cursed": ("Say that again, {}!", "I know where you sit, {}."),
            "robbed": ("That is MY trick, {}!", "Give that back, {}, now!"),
            "beaten": ("I let you, {}.", "Fluke, {}. Again!"),
        },
    ),
    Character(
        "hothead",
        "Blitz",
        "female",
        "imp",
        "Cards are for throwing.",
        Style(eager=True, grudge=0.15, thrift=1.9),
        {
            "hit": ("Catch, {}!", "Ha, {}!", "Take that, {}!", "Could not wait, {}!"),
            "deal": ("Quick, {}!", "Yes or no, {}!", "Now or never, {}!"),
            "other": ("", "", "Go, go, go!", "Faster!"),
            "avenge": ("And one right back, {}!", "You started it, {}!"),
            "cursed": ("Oh, it is ON, {}!", "Right. That does it, {}!"),
            "betrayed": ("You! {}! Outside!", "I am going to scream, {}!"),
        },
    ),
    Character(
        "leveller",
        "Robin",
        "male",
        "elf",
        "I take from those who lead. The rest of you are welcome.",
        Style(wary=3, kindness=0.3, thrift=1.3),
        {
            "hit": (
                "You have had enough, {}.",
                "For the people, {}.",
                "Down you come, {}.",
                "Nobody needs that many levels, {}.",
            ),
            "deal": ("Among equals, {}.", "From each, to each, {}.", "All for one, {}."),
            "cursed": ("I am not even ahead, {}!", "Aim higher, {}!"),
            "won": ("I hereby abolish the leader. After me.", "Somebody had to hold it for everybody."),
            "beaten": ("Long live the king, {}. For a minute.", "Next time we start by levelling you, {}."),
        },
    ),
    Character(
        "coward",
        "Tim",
        "male",
        "rabbit",
        "I am right behind you. Well behind.",
        Style(fear=2.0, thrift=0.8, share=1),
        {
            "hit": ("Please do not be angry, {}.", "It slipped, {}.", "I am so sorry, {}."),
            "deal": ("You look strong, {}.", "Could you stand in front, {}?", "Is it safe, {}?"),
            "other": ("", "", "What was that noise?", "I would rather not look."),
            "helped": ("You saved my life, {}!", "Stay close, {}.", "My hero, {}!"),
            "escaped": ("Is it gone?", "I knew these legs were good for something.", "Never again. Until next turn."),
            "losing": ("Mother!", "I told you all. I told you.", "Can we talk about this?"),
        },
    ),
)
CHARACTERS: Final[dict[str, Character]] = {c.id: c for c in _ALL}
