"""The messages on the wire: what a client may say on the socket, and what it hears.

Both directions are tagged unions of JSON objects (`t` names the message). `docs/protocol.md` tells how they are used;
`schema()` is the same as JSON Schema, from which the browser's types are made.
"""

# No postponed annotations: they would hide which keys of a TypedDict may be missing.

from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from kickdoor.engine.value.moves import Action
from kickdoor.engine.value.seen import Drafted, ProspectState, Seen

VERSION: Final = 3

CommandId = Annotated[str, Meta(min_length=1, max_length=64, description="chosen by the client, new for each command")]
Text = Annotated[str, Meta(min_length=1, max_length=400)]
SeatNumber = Annotated[int, Meta(ge=0, le=11)]
MoveKey = Annotated[
    str,
    Meta(
        pattern=r"^-?[0-9]{1,6}(,-?[0-9]{1,6}){3}$(?!\n)",
        description="a key of `state.moves` or of a draft's `moves`: say it as you were told it",
    ),
]
Json = Annotated[Any, Meta(extra_json_schema={"$ref": "#/$defs/Json"})]
AutoPass = Literal["off", "nothing", "soon", "bystander", "always"]
Who = Literal["open", "person", "bot"]
Status = Literal["lobby", "playing", "over"]
BotSpeed = Literal["slow", "normal", "fast", "instant"]
ClockKind = Literal["none", "window", "decision"]
Motion = Literal["undo", "fix", "standin"]
Towards = Literal["harder", "easier"]


class Message(msgspec.Struct, tag_field="t", forbid_unknown_fields=True, frozen=True):
    """What all messages have in common: the tag."""


# -- what a client says -----------------------------------------------------------------------------------------


class Hello(Message, tag="hello", frozen=True):
    """The first message on a socket. No token: a spectator. `have`: the last number seen, after a lost line.

    `watcher`: what a spectator's client calls itself, made up at random and the same over all its lines, so that what
    it says twice is done once. Nobody else is told.
    """

    v: int
    token: Annotated[str, Meta(max_length=100)] | None = None
    have: int | None = None
    watcher: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{16,64}$(?!\n)")] | None = None


class Act(Message, tag="act", frozen=True):
    """One or more moves that happen together or not at all, in the window in which they were chosen."""

    id: CommandId
    window: int
    moves: Annotated[list[MoveKey], Meta(min_length=1, max_length=40)]


class Draft(Message, tag="draft", frozen=True):
    """What could follow these moves? For putting an offer, a sale or charity together; changes nothing."""

    id: CommandId
    moves: Annotated[list[MoveKey], Meta(min_length=1, max_length=40)]


class WhyNot(Message, tag="why", frozen=True):
    """Why can I not play this card now?"""

    id: CommandId
    card: int


class Hint(Message, tag="hint", frozen=True):
    """What would you do? The strongest bot's answer for this seat, where the table allows hints; changes nothing."""

    id: CommandId


class Wait(Message, tag="wait", frozen=True):
    """Do not pass for me before this window is over: I am thinking. Any other command says as much."""

    id: CommandId


class Say(Message, tag="say", frozen=True):
    """Chat."""

    id: CommandId
    text: Text


class Phrase(Message, tag="phrase", frozen=True):
    """A quick phrase, by its id (see `/api/about`)."""

    id: CommandId
    phrase: Annotated[str, Meta(max_length=40)]


class Ready(Message, tag="ready", frozen=True):
    """I am ready (or not any more), in the lobby."""

    id: CommandId
    ready: bool = True


class Colour(Message, tag="colour", frozen=True):
    """The colour of my standies, by its number in `/api/about`; in the lobby of a game with a board (MM-3)."""

    id: CommandId
    colour: Annotated[int, Meta(ge=0, le=11)]


class Bring(Message, tag="bring", frozen=True):
    """The accessories that I bring, by name, in the lobby of a table that plays with them; all of them (CAP-52)."""

    id: CommandId
    things: Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=12)]


class Start(Message, tag="start", frozen=True):
    """The host starts the game. Empty seats are closed. `absent`: what becomes of people who are neither ready nor
    there: they are waited for, a bot stands in until they come, or their seats are freed."""

    id: CommandId
    absent: Literal["wait", "bot", "free"] = "wait"


class Rematch(Message, tag="rematch", frozen=True):
    """The same people, a new game: back to the lobby, ready. `bots`: the host wants another rung of the ladder."""

    id: CommandId
    bots: Towards | None = None


class Leave(Message, tag="leave", frozen=True):
    """Get up. In a game a bot sits down instead."""

    id: CommandId


class TakeBack(Message, tag="take_back", frozen=True):
    """I am here again: the bot may go."""

    id: CommandId


class SetBot(Message, tag="set_bot", frozen=True):
    """The host puts a bot on a seat, changes its level, or (null) frees the seat, whoever sits there."""

    id: CommandId
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=30, description="a kind, `kind:character`, or `kind:lot`")] | None


class MakeHost(Message, tag="make_host", frozen=True):
    """The host hands his part to somebody else."""

    id: CommandId
    seat: SeatNumber


class Avatar(Message, tag="avatar", frozen=True):
    """What I look like: the name of a drawing. The server has none; a client draws those that it knows."""

    id: CommandId
    avatar: Annotated[str, Meta(max_length=24)]


class Options(Message, tag="options", frozen=True):
    """The host changes the table's options in the lobby; only those named change."""

    id: CommandId
    options: dict[str, Json]


class Auto(Message, tag="auto", frozen=True):
    """When the table passes for me: never; with nothing to play; soon, unless I stir; when I do not fight; always.

    Nobody can tell by it what I hold: where somebody else could see it, `nothing` waits until the window is over.
    """

    id: CommandId
    mode: AutoPass


class OpenHand(Message, tag="open_hand", frozen=True):
    """Let spectators see my hand (or not any more)."""

    id: CommandId
    on: bool


class Undo(Message, tag="undo", frozen=True):
    """Take my last move back: at once if nothing was revealed since, else if everybody agrees."""

    id: CommandId


class Fix(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A correction of the table: a level, or a card that belongs somewhere else."""

    seat: SeatNumber
    level: int | None = None
    card: int | None = None
    to: Literal["hand", "table", "discard"] | None = None


class Propose(Message, tag="propose", frozen=True):
    """Propose a correction; it is made when everybody agrees."""

    id: CommandId
    fix: Fix
    why: Annotated[str, Meta(max_length=200)] = ""


class Vote(Message, tag="vote", frozen=True):
    """Agree or not: to an undo, a correction, a bot for somebody who dozes. No to one's own proposal withdraws it."""

    id: CommandId
    vote: int
    yes: bool


class Wake(Message, tag="wake", frozen=True):
    """Propose that a bot plays for somebody who does not answer."""

    id: CommandId
    seat: SeatNumber


class Ping(Message, tag="ping", frozen=True):
    """Are you there?"""

    n: int = 0


Said = (
    Hello
    | Act
    | Draft
    | WhyNot
    | Hint
    | Wait
    | Say
    | Phrase
    | Ready
    | Colour
    | Bring
    | Start
    | Rematch
    | Leave
    | TakeBack
    | SetBot
    | MakeHost
    | Avatar
    | Options
    | Auto
    | OpenHand
    | Undo
    | Propose
    | Vote
    | Wake
    | Ping
)


# -- the state of a table, as one viewer has it -----------------------------------------------------------------


class SeatState(TypedDict):
    """A chair: who sits there and whether he is awake."""

    name: str
    sex: str
    who: Who
    bot: str
    here: bool
    ready: bool
    auto: AutoPass
    standin: bool
    dozing: bool
    open_hand: bool
    colour: int
    things: list[str]
    avatar: Annotated[str, Meta(description="the name of a drawing, or empty: then a client chooses one")]


class VoteState(TypedDict):
    """Something everybody is asked to agree to."""

    id: int
    kind: Motion
    by: int
    seat: int
    text: str
    yes: list[int]
    no: list[int]


class SeedState(TypedDict):
    """The seal on the shuffle: its hash before the deal, seed and salt after the game."""

    hash: str
    seed: str | None
    salt: str | None


class Advice(TypedDict):
    """What a book recommends for these sets and rules."""

    rule: str
    says: str
    settled: Annotated[bool, Meta(description="it is settled by the rules of a table, not by bringing other sets")]
    followed: Annotated[bool, Meta(description="this table does as it says")]


class OptionsState(TypedDict):
    """Everything that is settled in the lobby."""

    packs: list[str]
    house: list[str]
    rules: Annotated[dict[str, Json], Meta(description="any field of the ruleset, by its dotted name")]
    without: list[str]
    copies: dict[str, int]
    timer: str
    window: float
    decision: float
    grace: float
    bot_speed: BotSpeed
    standin: str
    watchers: bool
    lesson: Annotated[str, Meta(description="the guided first game, or empty")]
    listed: Annotated[bool, Meta(description="shown to everybody in the list of open tables, where the server has one")]
    absent: Annotated[float, Meta(description="who has been played for by a bot so long need not vote; 0: everybody")]
    hints: Annotated[bool, Meta(description="may everybody ask what the strongest bot would do?")]


class Obstacle(TypedDict):
    """What stands in the way of a game of these cards and so many players, and what would help."""

    says: str
    rule: str
    players: int
    now: Annotated[bool, Meta(description="in the way of starting now; otherwise, only when every seat is taken")]
    add: Annotated[list[str], Meta(description="packs of which one more would be enough")]
    house: Annotated[str, Meta(description="the house rule that would allow it, or empty")]


class MixState(TypedDict):
    """What follows from the options alone."""

    packs: list[str]
    cards: Annotated[str, Meta(description="the hash by which `/api/tables/{table}/cards` has them")]
    theme: dict[str, str]
    options: OptionsState
    house: list[str]
    advice: list[Advice]
    board: bool


class TableInfo(MixState):
    """What anybody can look up about a table."""

    id: str
    name: str
    status: Status
    game: int
    host: int
    seats: list[SeatState]
    watchers: int
    seed: SeedState
    obstacles: Annotated[list[Obstacle], Meta(description="in the lobby: why the game could not begin like this")]


class TablePart(TableInfo):
    """All that is not the game itself, and the same for everybody."""

    votes: list[VoteState]


class TableState(TablePart):
    """All that is not the game itself."""

    undo: Annotated[bool, Meta(description="may you take your last move back without asking?")]


class Clock(TypedDict):
    """Who is waited for and for how long still. `window` goes with every move, so that stale clicks are noticed."""

    kind: ClockKind
    seats: list[int]
    left: int
    total: int
    window: int


class LessonState(TypedDict):
    """Where somebody is in the guided first game, and what to do next."""

    step: int
    of: int
    title: str
    text: str
    move: Annotated[str, Meta(description="the key of the move to make, or empty: wait")]


class Prompt(TypedDict):
    """What is asked of this viewer, in words."""

    headline: str
    rule: Annotated[str, Meta(description="the rule that asks it, or empty")]
    must: bool
    primary: Annotated[str, Meta(description="the key of the move that one button stands for, or empty")]
    lesson: NotRequired[LessonState]


class GameState(Seen):
    """A game as you see it. `goal`: how far the track of Levels goes."""

    goal: int


class SharedState(TypedDict):
    """What everybody may know, spectators included."""

    table: TablePart
    game: GameState | None


class Target(TypedDict):
    """What a move is aimed at: a player, a card, or a side of the fight (its id is -1)."""

    kind: Literal["seat", "card", "munchkins", "monsters"]
    id: int


class MoveState(TypedDict):
    """Something you may do. What it is comes in fields, `text` is how it is said; what does not apply is not there."""

    action: Action
    text: str
    card: NotRequired[
        Annotated[int, Meta(description="the card that is played, used, put on, added, run from; the one chosen")]
    ]
    target: NotRequired[Target]
    second: NotRequired[Annotated[int, Meta(description="another card that goes with it")]]
    way: NotRequired[Annotated[int, Meta(description="which of the card's ways of being played, or of its powers")]]
    answer: NotRequired[Annotated[int, Meta(description="a number, 1 or 0 for yes or no, a label's number")]]
    treasures: NotRequired[Annotated[int, Meta(description="so many Treasures for the helper")]]
    picks: NotRequired[Literal["main", "helper", "handed"]]
    double: NotRequired[Annotated[bool, Meta(description="sold at twice its price")]]
    draft: NotRequired[Annotated[Drafted, Meta(description="it begins something that is put together: see `draft`")]]
    title: NotRequired[Annotated[str, Meta(description="how it begins, before it is said what it is aimed at")]]
    label: NotRequired[Annotated[str, Meta(description="what makes it different from others like it")]]


Moves = Annotated[dict[str, MoveState], Meta(description="by their keys")]


class State(TypedDict):
    """Everything a viewer has. `game` is null in the lobby."""

    table: TableState
    game: GameState | None
    moves: Moves
    prompt: Prompt
    clock: Clock


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """A sentence of the log; `id` and the figures are there for translators and for moving cards about."""

    seq: int
    id: str
    text: str
    rule: str
    tone: str
    seat: int
    card: int
    other: int
    n: int
    said: str


class ChatLine(msgspec.Struct, frozen=True, gc=False):
    """Something somebody said. `phrase` is the id of a quick phrase, or empty. Plain text, never HTML."""

    seq: int
    seat: int
    name: str
    text: str
    phrase: str


# -- what a client hears ----------------------------------------------------------------------------------------


class Welcome(Message, tag="welcome", frozen=True):
    """The answer to hello: the whole state, and what was said lately."""

    v: int
    seat: int
    seq: int
    state: State
    log: list[LogLine]
    chat: list[ChatLine]


Change = Annotated[
    list[Any],
    Meta(
        extra_json_schema={
            "minItems": 1,
            "maxItems": 2,
            "prefixItems": [
                {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
                {"$ref": "#/$defs/Json"},
            ],
            "items": False,
            "description": "[path, value] sets what `State` has there, [path] takes it away",
        }
    ),
]


class DraftState(TypedDict):
    """What could be added to a draft, or end it."""

    moves: Moves
    headline: str
    rule: Annotated[str, Meta(description="the rule that asks for it, or empty")]
    prospect: NotRequired[Annotated[ProspectState, Meta(description="of an offer of help: what would come of it")]]
    picks: NotRequired[Annotated[Literal["main", "helper", "handed"], Meta(description="who picks first, once said")]]


class HintState(TypedDict):
    """What the strongest bot would do in your place, and why."""

    move: Annotated[str, Meta(description="the key of the move, or empty: it would wait")]
    text: Annotated[str, Meta(description="the move in words")]
    why: str
    window: Annotated[int, Meta(description="the window it is about; in a later one it is out of date")]


class Update(Message, tag="update", frozen=True, omit_defaults=True):
    """What changed: a list of [path, value] (set) and [path] (gone), in order; new lines of log and chat."""

    seq: int
    clock: Clock
    patch: list[Change]
    log: list[LogLine] = []
    chat: list[ChatLine] = []


class Answer(Message, tag="answer", frozen=True, omit_defaults=True):
    """The answer to a command; the same one, if the command comes twice."""

    id: str
    ok: bool
    seq: int = 0
    code: str = ""
    says: str = ""
    rule: str = ""
    data: DraftState | None = None
    hint: HintState | None = None


class Problem(Message, tag="problem", frozen=True):
    """A message that could not be taken at all."""

    code: str
    says: str


class Moved(Message, tag="moved", frozen=True):
    """This table is kept by another server: go there (`url` is its address; the socket's path is the same)."""

    url: str


class Bye(Message, tag="bye", frozen=True, omit_defaults=True):
    """The server hangs up, and why. `back`: come again after so many seconds (0, or not there: at once)."""

    code: str
    says: str
    back: int = 0


class Pong(Message, tag="pong", frozen=True):
    """Yes."""

    n: int = 0


Heard = Welcome | Update | Answer | Problem | Moved | Bye | Pong


# -- what can be had by HTTP ------------------------------------------------------------------------------------


class CardInfo(TypedDict):
    """What is on a card. `gold` is null for what is no Item."""

    id: int
    name: str
    kind: str
    deck: Annotated[int, Meta(description="0 Doors, 1 Treasures, 2 Dungeons, 3 Spells, 4 Fairy Dust")]
    level: int
    treasures: int
    levels: int
    bonus: int
    gold: int | None
    slot: str
    big: bool
    run_away: int
    rank: int
    tags: list[str]
    text: str
    bad_stuff: str
    usable: str
    pack: str


class ResponseTime(TypedDict):
    """How long the book waits for others to speak up."""

    seconds: float
    label: str


class PackInfo(TypedDict):
    """A set of cards that can be played with."""

    id: str
    title: str
    about: str
    line: Annotated[str, Meta(description="what it is about, in a sentence")]
    special: Annotated[list[str], Meta(description="what it brings to the table, each in a word or two")]
    edition: str
    theme: dict[str, str]
    doors: int
    treasures: int
    more: Annotated[int, Meta(description="cards in decks of their own: Dungeons, Spells")]
    core: Annotated[bool, Meta(description="a box that is a game of its own")]
    needs: list[str]
    kinds: Annotated[list[str], Meta(description="kinds of card that some options need")]
    dungeons: list[str]
    response: ResponseTime
    board: Annotated[bool, Meta(description="Levels are shown by standies on a board")]


class EveningInfo(TypedDict):
    """A mix that is recommended, by the book."""

    id: str
    title: str
    why: str
    packs: list[str]
    seats: Annotated[tuple[int, int], Meta(description="for how many people it is meant, from and to")]
    house: list[str]


class BotInfo(TypedDict):
    """A kind of bot. They are listed from the weakest to the strongest."""

    id: str
    title: str
    about: str


class CharacterInfo(TypedDict):
    """Somebody a bot can be, on any rung: `schemer:miser`."""

    id: str
    name: str
    sex: str
    face: Annotated[str, Meta(description="the name of a drawing")]
    line: Annotated[str, Meta(description="what it says of itself")]


class TimerInfo(TypedDict):
    """A pace to play at, in seconds."""

    id: str
    title: str
    window: Annotated[float, Meta(description="what it comes to by the classic book")]
    extra: Annotated[float, Meta(description="on top of what the book asks for")]
    decision: float


class OptionInfo(TypedDict):
    """Something to be chosen in the lobby."""

    id: str
    title: str
    about: str
    kind: Literal["flag", "choice"]
    default: bool | int | str
    choices: list[tuple[bool | int | str, str]]
    group: Literal["house", "book", "table"]
    rule: str
    needs: Annotated[str, Meta(description="the kind of card without which it means nothing")]
    field: NotRequired[Annotated[str, Meta(description="the field of the rules that it sets")]]
    names: NotRequired[Annotated[str, Meta(description="of which kind of card a name will do as well")]]


class PhraseInfo(TypedDict):
    """Something that can be said with one tap."""

    id: str
    text: str


class About(TypedDict):
    """What a lobby needs to know."""

    name: str
    version: str
    protocol: int
    packs: list[PackInfo]
    evenings: list[EveningInfo]
    bots: list[BotInfo]
    characters: list[CharacterInfo]
    timers: list[TimerInfo]
    options: list[OptionInfo]
    phrases: list[PhraseInfo]
    colours: list[str]
    crowd: Annotated[list[tuple[str, str]], Meta(description="names for bots, with their sex")]
    lists: Annotated[bool, Meta(description="does this server show open tables to everybody?")]


class OpenTable(TypedDict):
    """A table that strangers may come to: to sit down in its lobby, or to watch."""

    id: str
    name: str
    status: Status
    packs: list[str]
    people: list[str]
    avatars: Annotated[list[str], Meta(description="what these people look like, in the same order")]
    bots: int
    free: int
    timer: str
    house: list[str]


class OpenTables(TypedDict):
    """The tables of this server whose hosts want them to be found."""

    tables: list[OpenTable]


class BookOptions(TypedDict):
    """What of a table's options is as the books recommend for its sets: to be sent as they are."""

    house: list[str]
    rules: dict[str, Json]


class MixAnswer(TypedDict):
    """Could such a table be played at?"""

    obstacles: list[Obstacle]
    advice: list[Advice]
    book: BookOptions


class RuleInfo(TypedDict):
    """One rule, in our words."""

    id: str
    chapter: str
    says: str
    detail: str
    see: list[str]


class ShelfInfo(TypedDict):
    """A set, taken from the shelf and looked into."""

    id: str
    sources: Annotated[str, Meta(description="where its names, figures and words come from")]
    samples: Annotated[
        list[CardInfo], Meta(description="three cards that show what it is like; their ids mean nothing")
    ]
    mixing: Annotated[list[RuleInfo], Meta(description="the rules that speak of it in a mix")]


class ReplayFrame(TypedDict):
    """Everything as it lay on the table after a step of a game that is over, and the log up to it."""

    step: int
    steps: int
    moves: Annotated[list[str], Meta(description="that step's moves, in notation")]
    game: GameState
    log: list[LogLine]
    seq: int


class ReplayChange(TypedDict):
    """What the next step changes: `patch` is about `game` of the frame before it, `log` are the lines that it adds."""

    moves: list[str]
    patch: list[list[Json]]
    log: list[LogLine]


class ReplayPage(TypedDict):
    """Steps of a replay in a row: the first as a frame, those after it as changes."""

    first: ReplayFrame
    then: list[ReplayChange]


class TurnTold(TypedDict):
    """A turn of a game that is over."""

    step: Annotated[int, Meta(description="the step of the replay with which it begins")]
    turn: int
    seat: int
    levels: Annotated[list[int], Meta(description="of everybody, as it begins")]


class FightTold(TypedDict):
    """A fight of a game that is over."""

    step: int
    turn: int
    seat: int
    helper: int
    foes: Annotated[list[int], Meta(description="cards")]
    outcome: Annotated[Literal["won", "lost", "over", ""], Meta(description="`over`: it ended otherwise")]


class Betrayal(TypedDict):
    """Somebody made it worse for somebody: in a fight of the other's, or by a Curse (`before` and `after` are 0)."""

    step: int
    by: int
    against: int
    card: int
    before: Annotated[int, Meta(description="by how much the munchkins were ahead")]
    after: int
    turned: Annotated[bool, Meta(description="a fight that had been won was lost by it")]
    died: bool
    weight: Annotated[int, Meta(description="the larger, the worse")]


Counted = Literal[
    "won", "lost", "helped", "killed", "treasures", "deaths", "curses", "stabs", "escapes", "caught", "best"
]


class SeatNumbers(TypedDict):
    """What somebody did in a game; `best` is the most that his side came to in a fight."""

    won: int
    lost: int
    helped: int
    killed: int
    treasures: int
    deaths: int
    curses: int
    stabs: int
    escapes: int
    caught: int
    best: int


class Chronicle(TypedDict):
    """The story of a game that is over, in figures."""

    steps: int
    players: list[str]
    winners: list[int]
    turns: list[TurnTold]
    fights: list[FightTold]
    betrayals: Annotated[list[Betrayal], Meta(description="the worst first")]
    final: Annotated[list[int], Meta(description="everybody's Level at the end")]
    numbers: list[SeatNumbers]


class ChapterInfo(TypedDict):
    """A chapter of the rulebook, whole."""

    id: str
    title: str
    about: str
    part: Annotated[str, Meta(description="what it stands under in the contents")]
    rules: list[RuleInfo]


class PositionText(TypedDict):
    """A position as a scenario file."""

    text: Annotated[str, Meta(description="the file: YAML, for `kickdoor scenario FILE`")]
    file: Annotated[str, Meta(description="a name for it")]
    whole: Annotated[bool, Meta(description="everything, since the game is over; otherwise what you know")]


decode: Final = msgspec.json.Decoder(Said).decode
_encoder: Final = msgspec.json.Encoder()
encode: Final = _encoder.encode

JSON: Final[dict[str, Any]] = {
    "description": "Any JSON value.",
    "anyOf": [
        {"type": "null"},
        {"type": "boolean"},
        {"type": "number"},
        {"type": "string"},
        {"type": "array", "items": {"$ref": "#/$defs/Json"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
    ],
}


def schema() -> dict[str, Any]:
    """Both directions, and what else a client reads of a game, as one JSON Schema document."""
    kinds = (
        Said,
        Heard,
        CardInfo,
        ReplayFrame,
        ReplayPage,
        Chronicle,
        PositionText,
        About,
        RuleInfo,
        ChapterInfo,
        TableInfo,
        OpenTables,
        MixAnswer,
        ShelfInfo,
    )
    (said, heard, *_), parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for part in parts.values():
        if "properties" in part:  # an object has the keys that are described, and no others
            part["additionalProperties"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Kickdoor socket messages, version {VERSION}",
        "version": VERSION,
        "$defs": {**parts, "Json": JSON, "Said": said, "Heard": heard},
        "anyOf": [{"$ref": "#/$defs/Said"}, {"$ref": "#/$defs/Heard"}],
    }
