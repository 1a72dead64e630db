"""The shape of a view: what `views.view` puts together, and so what the server sends of a game, to the leaves.

These are types of plain dicts: they cost nothing at run time, and the wire's JSON Schema is made from them. Cards and
seats are numbers, -1 is none. (No postponed annotations here: they would hide which keys may be missing.)
"""

from typing import Annotated, Final, Literal, NotRequired, TypedDict

from msgspec import Meta

Card = Annotated[int, Meta(description="a card's number, or -1")]
Seat = Annotated[int, Meta(description="a seat, or -1")]
Sex = Literal["male", "female", "both", "none"]
Phase = Literal["", "creation", "before_door", "door_card", "after_door", "charity"]
Side = Literal["munchkins", "monsters"]
Drafted = Literal["help", "trade", "sell", "charity"]
Domain = Literal["cards", "seats", "numbers", "yesno", "labels", "foes", "piles", "figures"]

DOMAINS: Final[tuple[Domain, ...]] = (  # by their numbers in `frames`
    *("cards", "seats", "numbers", "yesno"),
    *("labels", "foes", "piles", "figures"),
)


class DrewState(TypedDict):
    """What the last reward or draw gave: how many of each deck, and the cards where they are known."""

    cards: list[int] | None
    counts: list[int]
    face: Literal["up", "down"]


class OwnState(TypedDict):
    """What only the player himself knows of his part of the table."""

    hand: Annotated[list[int] | None, Meta(description="null: not for your eyes")]
    drew: DrewState
    fresh: Annotated[list[int], Meta(description="cards that have just been got")]


class PlayerState(OwnState):
    """A player's part of the table."""

    name: str
    level: int
    sex: Sex
    dead: bool
    hand_size: int
    accessories: list[int]
    table: Annotated[list[int], Meta(description="everything in play in front of the player")]
    equipped: list[int]
    attached: Annotated[dict[int, int], Meta(description="card: the card it lies on")]
    steeds: list[int]
    tamed: Annotated[dict[int, int], Meta(description="a monster that is ridden: what it is worth as a Steed")]
    borne: Annotated[dict[int, int], Meta(description="Item: the companion that carries it")]
    strength: int
    run_bonus: int
    hands_free: int
    hand_limit: int
    traits: list[str]
    afflictions: list[int]


class TermState(TypedDict):
    """One summand of a side's strength."""

    amount: int
    card: Annotated[int, Meta(description="by which card; -1: a munchkin's Level")]
    rule: str


class HoldState(TypedDict):
    """Who is given time to play what he has searched for."""

    seat: int
    card: int


class HandedState(TypedDict):
    """A thing that changed hands for good."""

    thing: int
    giver: Seat
    taker: Annotated[int, Meta(description="a seat; -1: it was used up")]


class FoeState(TypedDict):
    """A monster in the fight. `face` is the monster it counts as: a Mate has the face of another card."""

    card: Card
    face: Card
    active: bool
    strength: int
    treasures: int
    enhancers: list[int]


class EscapeState(TypedDict):
    """What a fighter needs to get away from a monster. `chance` is before the die is cast, and in percent."""

    seat: Seat
    foe: Card
    need: Annotated[int, Meta(description="the least throw that does; 0: none is needed, 7: none will do")]
    chance: int


class DealState(TypedDict):
    """What fighter and helper have agreed on (HELP-6..HELP-8). Promised hand cards are named by their number only."""

    treasures: int
    picks: Annotated[int, Meta(description="-1 unsaid, 0 the fighter first, 1 the helper first, 2 handed over")]
    items: list[int]
    plays: int


class FightState(TypedDict):
    """The fight, if there is one."""

    main: Seat
    helper: Seat
    munchkins: int
    monsters: int
    winning: bool
    fleeing: bool
    foes: list[FoeState]
    escapes: Annotated[list[EscapeState], Meta(description="where the fight is being lost: who runs from what")]
    treasures: int
    munchkin_terms: list[TermState]
    monster_terms: list[TermState]
    played: list[int]
    hold: HoldState | None
    passed: list[int]
    deal: DealState


class ProspectState(TypedDict):
    """What the fight would come to with that helper, as it stands now."""

    munchkins: int
    monsters: int
    winning: bool
    treasures: int


class OfferState(DealState):
    """An offer that was said aloud."""

    kind: Literal["help", "trade"]
    by: Seat
    to: Seat
    give: list[int]
    get: list[int]
    helper: Annotated[int, Meta(description="who would help, or -1 for a trade")]
    prospect: Annotated[ProspectState | None, Meta(description="what would come of it; null for a trade")]


class AskedState(TypedDict):
    """The decision that is waited for, if it is one player's. `options`: null where they are not for your eyes."""

    seat: Seat
    about: str
    card: Card
    rule: str
    options: list[int] | None
    treasures: Annotated[int, Meta(description="how many Treasures it is about, unseen (FQ-REL-6)")]
    domain: Annotated[Domain, Meta(description="what the options are")]


class PendingState(TypedDict):
    """What is happening in front of everybody: a Curse about to strike, a roll, a flight, or a moment with a name."""

    what: Annotated[str, Meta(description="curse, roll, flight, or the name of the moment")]
    seat: NotRequired[Seat]
    card: NotRequired[Card]
    by: NotRequired[Annotated[int, Meta(description="who cast the Curse, or -1")]]
    item: NotRequired[Annotated[int, Meta(description="the Item the Curse is aimed at, or -1")]]
    die: NotRequired[int]
    bonus: NotRequired[int]
    need: NotRequired[Annotated[int, Meta(description="what the roll has to come to; 0: nothing in particular")]]
    foe: NotRequired[Card]
    main: NotRequired[Annotated[list[int], Meta(description="from what the fighter still has to run")]]
    helper: NotRequired[Annotated[list[int], Meta(description="from what the helper still has to run")]]


class StandieState(TypedDict):
    """A player's figure on the board (MM-3)."""

    seat: Seat
    space: int
    figure: Literal["male", "female"]


class BoardState(TypedDict):
    """The gameboard: a picture of Levels and sexes (MM-2)."""

    spaces: int
    standies: list[StandieState]


class Seen(TypedDict):
    """A game as one viewer sees it."""

    seat: Annotated[int, Meta(description="whose view this is; -1: an onlooker's")]
    turn: Seat
    turns: int
    phase: Phase
    players: list[PlayerState]
    decks: Annotated[list[int], Meta(description="cards left: Doors, Treasures, Dungeons, Spells, Fairy Dust")]
    piles: Annotated[list[dict[str, int]], Meta(description="of a deck in several piles: how tall each is")]
    discards: Annotated[list[list[int]], Meta(description="the top card of each, or all while you look through it")]
    discard_counts: list[int]
    board: BoardState | None
    tops: Annotated[list[int], Meta(description="the card that lies openly on each deck, or -1")]
    changed_hands: Annotated[list[HandedState], Meta(description="accessories that were given away or used up")]
    next_time: Annotated[dict[str, list[str]], Meta(description="who brings which accessory to the next game")]
    box: Annotated[list[int], Meta(description="cards that are out of the game")]
    dungeons: list[int]
    door_card: Card
    doors: Annotated[list[int], Meta(description="what else lies open at an Epic door (EPIC-9)")]
    fight: FightState | None
    offers: list[OfferState]
    asked: AskedState | None
    pending: PendingState | None
    awaited: Annotated[list[int], Meta(description="the seats that have to act")]
    rolls: list[int]
    winners: list[int]


class View(Seen):
    """What programs get besides. `dice_left`: dice that a scenario still has in store."""

    dice_left: int
