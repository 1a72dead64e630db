// Kickdoor socket messages, version 3. Written by `npm run types` from kickdoor.server.protocol; do not edit.

export const VERSION = 3;

/** The first message on a socket. No token: a spectator. `have`: the last number seen, after a lost line.

    `watcher`: what a spectator's client calls itself, made up at random and the same over all its lines, so that what
    it says twice is done once. Nobody else is told. */
export interface Hello {
  t: "hello";
  v: number;
  token?: string | null;
  have?: number | null;
  watcher?: string | null;
}

/** One or more moves that happen together or not at all, in the window in which they were chosen. */
export interface Act {
  t: "act";
  /** chosen by the client, new for each command */
  id: string;
  window: number;
  moves: string[];
}

/** What could follow these moves? For putting an offer, a sale or charity together; changes nothing. */
export interface Draft {
  t: "draft";
  /** chosen by the client, new for each command */
  id: string;
  moves: string[];
}

/** Why can I not play this card now? */
export interface WhyNot {
  t: "why";
  /** chosen by the client, new for each command */
  id: string;
  card: number;
}

/** What would you do? The strongest bot's answer for this seat, where the table allows hints; changes nothing. */
export interface Hint {
  t: "hint";
  /** chosen by the client, new for each command */
  id: string;
}

/** Do not pass for me before this window is over: I am thinking. Any other command says as much. */
export interface Wait {
  t: "wait";
  /** chosen by the client, new for each command */
  id: string;
}

/** Chat. */
export interface Say {
  t: "say";
  /** chosen by the client, new for each command */
  id: string;
  text: string;
}

/** A quick phrase, by its id (see `/api/about`). */
export interface Phrase {
  t: "phrase";
  /** chosen by the client, new for each command */
  id: string;
  phrase: string;
}

/** I am ready (or not any more), in the lobby. */
export interface Ready {
  t: "ready";
  /** chosen by the client, new for each command */
  id: string;
  ready?: boolean;
}

/** The colour of my standies, by its number in `/api/about`; in the lobby of a game with a board (MM-3). */
export interface Colour {
  t: "colour";
  /** chosen by the client, new for each command */
  id: string;
  colour: number;
}

/** The accessories that I bring, by name, in the lobby of a table that plays with them; all of them (CAP-52). */
export interface Bring {
  t: "bring";
  /** chosen by the client, new for each command */
  id: string;
  things: string[];
}

/** The host starts the game. Empty seats are closed. `absent`: what becomes of people who are neither ready nor
    there: they are waited for, a bot stands in until they come, or their seats are freed. */
export interface Start {
  t: "start";
  /** chosen by the client, new for each command */
  id: string;
  absent?: "bot" | "free" | "wait";
}

/** The same people, a new game: back to the lobby, ready. `bots`: the host wants another rung of the ladder. */
export interface Rematch {
  t: "rematch";
  /** chosen by the client, new for each command */
  id: string;
  bots?: "easier" | "harder" | null;
}

/** Get up. In a game a bot sits down instead. */
export interface Leave {
  t: "leave";
  /** chosen by the client, new for each command */
  id: string;
}

/** I am here again: the bot may go. */
export interface TakeBack {
  t: "take_back";
  /** chosen by the client, new for each command */
  id: string;
}

/** The host puts a bot on a seat, changes its level, or (null) frees the seat, whoever sits there. */
export interface SetBot {
  t: "set_bot";
  /** chosen by the client, new for each command */
  id: string;
  seat: number;
  bot: string | null;
}

/** The host hands his part to somebody else. */
export interface MakeHost {
  t: "make_host";
  /** chosen by the client, new for each command */
  id: string;
  seat: number;
}

/** What I look like: the name of a drawing. The server has none; a client draws those that it knows. */
export interface Avatar {
  t: "avatar";
  /** chosen by the client, new for each command */
  id: string;
  avatar: string;
}

/** The host changes the table's options in the lobby; only those named change. */
export interface Options {
  t: "options";
  /** chosen by the client, new for each command */
  id: string;
  options: { [key: string]: Json };
}

/** When the table passes for me: never; with nothing to play; soon, unless I stir; when I do not fight; always.

    Nobody can tell by it what I hold: where somebody else could see it, `nothing` waits until the window is over. */
export interface Auto {
  t: "auto";
  /** chosen by the client, new for each command */
  id: string;
  mode: "always" | "bystander" | "nothing" | "off" | "soon";
}

/** Let spectators see my hand (or not any more). */
export interface OpenHand {
  t: "open_hand";
  /** chosen by the client, new for each command */
  id: string;
  on: boolean;
}

/** Take my last move back: at once if nothing was revealed since, else if everybody agrees. */
export interface Undo {
  t: "undo";
  /** chosen by the client, new for each command */
  id: string;
}

/** Propose a correction; it is made when everybody agrees. */
export interface Propose {
  t: "propose";
  /** chosen by the client, new for each command */
  id: string;
  fix: Fix;
  why?: string;
}

/** A correction of the table: a level, or a card that belongs somewhere else. */
export interface Fix {
  seat: number;
  level?: number | null;
  card?: number | null;
  to?: "discard" | "hand" | "table" | null;
}

/** Agree or not: to an undo, a correction, a bot for somebody who dozes. No to one's own proposal withdraws it. */
export interface Vote {
  t: "vote";
  /** chosen by the client, new for each command */
  id: string;
  vote: number;
  yes: boolean;
}

/** Propose that a bot plays for somebody who does not answer. */
export interface Wake {
  t: "wake";
  /** chosen by the client, new for each command */
  id: string;
  seat: number;
}

/** Are you there? */
export interface Ping {
  t: "ping";
  n?: number;
}

/** The answer to hello: the whole state, and what was said lately. */
export interface Welcome {
  t: "welcome";
  v: number;
  seat: number;
  seq: number;
  state: State;
  log: LogLine[];
  chat: ChatLine[];
}

/** Everything a viewer has. `game` is null in the lobby. */
export interface State {
  clock: Clock;
  game: GameState | null;
  /** by their keys */
  moves: { [key: string]: MoveState };
  prompt: Prompt;
  table: TableState;
}

/** Who is waited for and for how long still. `window` goes with every move, so that stale clicks are noticed. */
export interface Clock {
  kind: "decision" | "none" | "window";
  left: number;
  seats: number[];
  total: number;
  window: number;
}

/** A game as you see it. `goal`: how far the track of Levels goes. */
export interface GameState {
  asked: AskedState | null;
  /** the seats that have to act */
  awaited: number[];
  board: BoardState | null;
  /** cards that are out of the game */
  box: number[];
  /** accessories that were given away or used up */
  changed_hands: HandedState[];
  /** cards left: Doors, Treasures, Dungeons, Spells, Fairy Dust */
  decks: number[];
  discard_counts: number[];
  /** the top card of each, or all while you look through it */
  discards: number[][];
  /** a card's number, or -1 */
  door_card: number;
  /** what else lies open at an Epic door (EPIC-9) */
  doors: number[];
  dungeons: number[];
  fight: FightState | null;
  goal: number;
  /** who brings which accessory to the next game */
  next_time: { [key: string]: string[] };
  offers: OfferState[];
  pending: PendingState | null;
  phase: "" | "after_door" | "before_door" | "charity" | "creation" | "door_card";
  /** of a deck in several piles: how tall each is */
  piles: { [key: string]: number }[];
  players: PlayerState[];
  rolls: number[];
  /** whose view this is; -1: an onlooker's */
  seat: number;
  /** the card that lies openly on each deck, or -1 */
  tops: number[];
  /** a seat, or -1 */
  turn: number;
  turns: number;
  winners: number[];
}

/** The decision that is waited for, if it is one player's. `options`: null where they are not for your eyes. */
export interface AskedState {
  about: string;
  /** a card's number, or -1 */
  card: number;
  /** what the options are */
  domain: "cards" | "figures" | "foes" | "labels" | "numbers" | "piles" | "seats" | "yesno";
  options: number[] | null;
  rule: string;
  /** a seat, or -1 */
  seat: number;
  /** how many Treasures it is about, unseen (FQ-REL-6) */
  treasures: number;
}

/** The gameboard: a picture of Levels and sexes (MM-2). */
export interface BoardState {
  spaces: number;
  standies: StandieState[];
}

/** A player's figure on the board (MM-3). */
export interface StandieState {
  figure: "female" | "male";
  /** a seat, or -1 */
  seat: number;
  space: number;
}

/** A thing that changed hands for good. */
export interface HandedState {
  /** a seat, or -1 */
  giver: number;
  /** a seat; -1: it was used up */
  taker: number;
  thing: number;
}

/** The fight, if there is one. */
export interface FightState {
  deal: DealState;
  /** where the fight is being lost: who runs from what */
  escapes: EscapeState[];
  fleeing: boolean;
  foes: FoeState[];
  /** a seat, or -1 */
  helper: number;
  hold: HoldState | null;
  /** a seat, or -1 */
  main: number;
  monster_terms: TermState[];
  monsters: number;
  munchkin_terms: TermState[];
  munchkins: number;
  passed: number[];
  played: number[];
  treasures: number;
  winning: boolean;
}

/** What fighter and helper have agreed on (HELP-6..HELP-8). Promised hand cards are named by their number only. */
export interface DealState {
  items: number[];
  /** -1 unsaid, 0 the fighter first, 1 the helper first, 2 handed over */
  picks: number;
  plays: number;
  treasures: number;
}

/** What a fighter needs to get away from a monster. `chance` is before the die is cast, and in percent. */
export interface EscapeState {
  chance: number;
  /** a card's number, or -1 */
  foe: number;
  /** the least throw that does; 0: none is needed, 7: none will do */
  need: number;
  /** a seat, or -1 */
  seat: number;
}

/** A monster in the fight. `face` is the monster it counts as: a Mate has the face of another card. */
export interface FoeState {
  active: boolean;
  /** a card's number, or -1 */
  card: number;
  enhancers: number[];
  /** a card's number, or -1 */
  face: number;
  strength: number;
  treasures: number;
}

/** Who is given time to play what he has searched for. */
export interface HoldState {
  card: number;
  seat: number;
}

/** One summand of a side's strength. */
export interface TermState {
  amount: number;
  /** by which card; -1: a munchkin's Level */
  card: number;
  rule: string;
}

/** An offer that was said aloud. */
export interface OfferState {
  /** a seat, or -1 */
  by: number;
  get: number[];
  give: number[];
  /** who would help, or -1 for a trade */
  helper: number;
  items: number[];
  kind: "help" | "trade";
  /** -1 unsaid, 0 the fighter first, 1 the helper first, 2 handed over */
  picks: number;
  plays: number;
  /** what would come of it; null for a trade */
  prospect: ProspectState | null;
  /** a seat, or -1 */
  to: number;
  treasures: number;
}

/** What the fight would come to with that helper, as it stands now. */
export interface ProspectState {
  monsters: number;
  munchkins: number;
  treasures: number;
  winning: boolean;
}

/** What is happening in front of everybody: a Curse about to strike, a roll, a flight, or a moment with a name. */
export interface PendingState {
  bonus?: number;
  /** who cast the Curse, or -1 */
  by?: number;
  /** a card's number, or -1 */
  card?: number;
  die?: number;
  /** a card's number, or -1 */
  foe?: number;
  /** from what the helper still has to run */
  helper?: number[];
  /** the Item the Curse is aimed at, or -1 */
  item?: number;
  /** from what the fighter still has to run */
  main?: number[];
  /** what the roll has to come to; 0: nothing in particular */
  need?: number;
  /** a seat, or -1 */
  seat?: number;
  /** curse, roll, flight, or the name of the moment */
  what: string;
}

/** A player's part of the table. */
export interface PlayerState {
  accessories: number[];
  afflictions: number[];
  /** card: the card it lies on */
  attached: { [key: string]: number };
  /** Item: the companion that carries it */
  borne: { [key: string]: number };
  dead: boolean;
  drew: DrewState;
  equipped: number[];
  /** cards that have just been got */
  fresh: number[];
  /** null: not for your eyes */
  hand: number[] | null;
  hand_limit: number;
  hand_size: number;
  hands_free: number;
  level: number;
  name: string;
  run_bonus: number;
  sex: "both" | "female" | "male" | "none";
  steeds: number[];
  strength: number;
  /** everything in play in front of the player */
  table: number[];
  /** a monster that is ridden: what it is worth as a Steed */
  tamed: { [key: string]: number };
  traits: string[];
}

/** What the last reward or draw gave: how many of each deck, and the cards where they are known. */
export interface DrewState {
  cards: number[] | null;
  counts: number[];
  face: "down" | "up";
}

/** Something you may do. What it is comes in fields, `text` is how it is said; what does not apply is not there. */
export interface MoveState {
  action: "accept" | "add" | "ask_help" | "cancel" | "charity" | "choose" | "counter" | "decline" | "discard" | "done" | "end_turn" | "equip" | "give" | "keep" | "kick" | "look_for_trouble" | "loot" | "offer_help" | "pass" | "play" | "propose" | "run" | "sacrifice" | "sell" | "show_hand" | "trade" | "unequip" | "use" | "withdraw";
  /** a number, 1 or 0 for yes or no, a label's number */
  answer?: number;
  /** the card that is played, used, put on, added, run from; the one chosen */
  card?: number;
  /** sold at twice its price */
  double?: boolean;
  /** it begins something that is put together: see `draft` */
  draft?: "charity" | "help" | "sell" | "trade";
  /** what makes it different from others like it */
  label?: string;
  picks?: "handed" | "helper" | "main";
  /** another card that goes with it */
  second?: number;
  target?: Target;
  text: string;
  /** how it begins, before it is said what it is aimed at */
  title?: string;
  /** so many Treasures for the helper */
  treasures?: number;
  /** which of the card's ways of being played, or of its powers */
  way?: number;
}

/** What a move is aimed at: a player, a card, or a side of the fight (its id is -1). */
export interface Target {
  id: number;
  kind: "card" | "monsters" | "munchkins" | "seat";
}

/** What is asked of this viewer, in words. */
export interface Prompt {
  headline: string;
  lesson?: LessonState;
  must: boolean;
  /** the key of the move that one button stands for, or empty */
  primary: string;
  /** the rule that asks it, or empty */
  rule: string;
}

/** Where somebody is in the guided first game, and what to do next. */
export interface LessonState {
  /** the key of the move to make, or empty: wait */
  move: string;
  of: number;
  step: number;
  text: string;
  title: string;
}

/** All that is not the game itself. */
export interface TableState {
  advice: Advice[];
  board: boolean;
  /** the hash by which `/api/tables/{table}/cards` has them */
  cards: string;
  game: number;
  host: number;
  house: string[];
  id: string;
  name: string;
  /** in the lobby: why the game could not begin like this */
  obstacles: Obstacle[];
  options: OptionsState;
  packs: string[];
  seats: SeatState[];
  seed: SeedState;
  status: "lobby" | "over" | "playing";
  theme: { [key: string]: string };
  /** may you take your last move back without asking? */
  undo: boolean;
  votes: VoteState[];
  watchers: number;
}

/** What a book recommends for these sets and rules. */
export interface Advice {
  /** this table does as it says */
  followed: boolean;
  rule: string;
  says: string;
  /** it is settled by the rules of a table, not by bringing other sets */
  settled: boolean;
}

/** What stands in the way of a game of these cards and so many players, and what would help. */
export interface Obstacle {
  /** packs of which one more would be enough */
  add: string[];
  /** the house rule that would allow it, or empty */
  house: string;
  /** in the way of starting now; otherwise, only when every seat is taken */
  now: boolean;
  players: number;
  rule: string;
  says: string;
}

/** Everything that is settled in the lobby. */
export interface OptionsState {
  /** who has been played for by a bot so long need not vote; 0: everybody */
  absent: number;
  bot_speed: "fast" | "instant" | "normal" | "slow";
  copies: { [key: string]: number };
  decision: number;
  grace: number;
  /** may everybody ask what the strongest bot would do? */
  hints: boolean;
  house: string[];
  /** the guided first game, or empty */
  lesson: string;
  /** shown to everybody in the list of open tables, where the server has one */
  listed: boolean;
  packs: string[];
  /** any field of the ruleset, by its dotted name */
  rules: { [key: string]: Json };
  standin: string;
  timer: string;
  watchers: boolean;
  window: number;
  without: string[];
}

/** A chair: who sits there and whether he is awake. */
export interface SeatState {
  auto: "always" | "bystander" | "nothing" | "off" | "soon";
  /** the name of a drawing, or empty: then a client chooses one */
  avatar: string;
  bot: string;
  colour: number;
  dozing: boolean;
  here: boolean;
  name: string;
  open_hand: boolean;
  ready: boolean;
  sex: string;
  standin: boolean;
  things: string[];
  who: "bot" | "open" | "person";
}

/** The seal on the shuffle: its hash before the deal, seed and salt after the game. */
export interface SeedState {
  hash: string;
  salt: string | null;
  seed: string | null;
}

/** Something everybody is asked to agree to. */
export interface VoteState {
  by: number;
  id: number;
  kind: "fix" | "standin" | "undo";
  no: number[];
  seat: number;
  text: string;
  yes: number[];
}

/** A sentence of the log; `id` and the figures are there for translators and for moving cards about. */
export interface LogLine {
  seq: number;
  id: string;
  text: string;
  rule: string;
  tone: string;
  seat: number;
  card: number;
  other: number;
  n: number;
  said: string;
}

/** Something somebody said. `phrase` is the id of a quick phrase, or empty. Plain text, never HTML. */
export interface ChatLine {
  seq: number;
  seat: number;
  name: string;
  text: string;
  phrase: string;
}

/** What changed: a list of [path, value] (set) and [path] (gone), in order; new lines of log and chat. */
export interface Update {
  t: "update";
  seq: number;
  clock: Clock;
  patch: [(string | number)[], Json?][];
  log?: LogLine[];
  chat?: ChatLine[];
}

/** The answer to a command; the same one, if the command comes twice. */
export interface Answer {
  t: "answer";
  id: string;
  ok: boolean;
  seq?: number;
  code?: string;
  says?: string;
  rule?: string;
  data?: DraftState | null;
  hint?: HintState | null;
}

/** What could be added to a draft, or end it. */
export interface DraftState {
  headline: string;
  /** by their keys */
  moves: { [key: string]: MoveState };
  /** who picks first, once said */
  picks?: "handed" | "helper" | "main";
  /** of an offer of help: what would come of it */
  prospect?: ProspectState;
  /** the rule that asks for it, or empty */
  rule: string;
}

/** What the strongest bot would do in your place, and why. */
export interface HintState {
  /** the key of the move, or empty: it would wait */
  move: string;
  /** the move in words */
  text: string;
  why: string;
  /** the window it is about; in a later one it is out of date */
  window: number;
}

/** A message that could not be taken at all. */
export interface Problem {
  t: "problem";
  code: string;
  says: string;
}

/** This table is kept by another server: go there (`url` is its address; the socket's path is the same). */
export interface Moved {
  t: "moved";
  url: string;
}

/** The server hangs up, and why. `back`: come again after so many seconds (0, or not there: at once). */
export interface Bye {
  t: "bye";
  code: string;
  says: string;
  back?: number;
}

/** Yes. */
export interface Pong {
  t: "pong";
  n?: number;
}

/** What is on a card. `gold` is null for what is no Item. */
export interface CardInfo {
  bad_stuff: string;
  big: boolean;
  bonus: number;
  /** 0 Doors, 1 Treasures, 2 Dungeons, 3 Spells, 4 Fairy Dust */
  deck: number;
  gold: number | null;
  id: number;
  kind: string;
  level: number;
  levels: number;
  name: string;
  pack: string;
  rank: number;
  run_away: number;
  slot: string;
  tags: string[];
  text: string;
  treasures: number;
  usable: string;
}

/** Everything as it lay on the table after a step of a game that is over, and the log up to it. */
export interface ReplayFrame {
  game: GameState;
  log: LogLine[];
  /** that step's moves, in notation */
  moves: string[];
  seq: number;
  step: number;
  steps: number;
}

/** Steps of a replay in a row: the first as a frame, those after it as changes. */
export interface ReplayPage {
  first: ReplayFrame;
  then: ReplayChange[];
}

/** What the next step changes: `patch` is about `game` of the frame before it, `log` are the lines that it adds. */
export interface ReplayChange {
  log: LogLine[];
  moves: string[];
  patch: Json[][];
}

/** The story of a game that is over, in figures. */
export interface Chronicle {
  /** the worst first */
  betrayals: Betrayal[];
  fights: FightTold[];
  /** everybody's Level at the end */
  final: number[];
  numbers: SeatNumbers[];
  players: string[];
  steps: number;
  turns: TurnTold[];
  winners: number[];
}

/** Somebody made it worse for somebody: in a fight of the other's, or by a Curse (`before` and `after` are 0). */
export interface Betrayal {
  after: number;
  against: number;
  /** by how much the munchkins were ahead */
  before: number;
  by: number;
  card: number;
  died: boolean;
  step: number;
  /** a fight that had been won was lost by it */
  turned: boolean;
  /** the larger, the worse */
  weight: number;
}

/** A fight of a game that is over. */
export interface FightTold {
  /** cards */
  foes: number[];
  helper: number;
  /** `over`: it ended otherwise */
  outcome: "" | "lost" | "over" | "won";
  seat: number;
  step: number;
  turn: number;
}

/** What somebody did in a game; `best` is the most that his side came to in a fight. */
export interface SeatNumbers {
  best: number;
  caught: number;
  curses: number;
  deaths: number;
  escapes: number;
  helped: number;
  killed: number;
  lost: number;
  stabs: number;
  treasures: number;
  won: number;
}

/** A turn of a game that is over. */
export interface TurnTold {
  /** of everybody, as it begins */
  levels: number[];
  seat: number;
  /** the step of the replay with which it begins */
  step: number;
  turn: number;
}

/** A position as a scenario file. */
export interface PositionText {
  /** a name for it */
  file: string;
  /** the file: YAML, for `kickdoor scenario FILE` */
  text: string;
  /** everything, since the game is over; otherwise what you know */
  whole: boolean;
}

/** What a lobby needs to know. */
export interface About {
  bots: BotInfo[];
  characters: CharacterInfo[];
  colours: string[];
  /** names for bots, with their sex */
  crowd: [string, string][];
  evenings: EveningInfo[];
  /** does this server show open tables to everybody? */
  lists: boolean;
  name: string;
  options: OptionInfo[];
  packs: PackInfo[];
  phrases: PhraseInfo[];
  protocol: number;
  timers: TimerInfo[];
  version: string;
}

/** A kind of bot. They are listed from the weakest to the strongest. */
export interface BotInfo {
  about: string;
  id: string;
  title: string;
}

/** Somebody a bot can be, on any rung: `schemer:miser`. */
export interface CharacterInfo {
  /** the name of a drawing */
  face: string;
  id: string;
  /** what it says of itself */
  line: string;
  name: string;
  sex: string;
}

/** A mix that is recommended, by the book. */
export interface EveningInfo {
  house: string[];
  id: string;
  packs: string[];
  /** for how many people it is meant, from and to */
  seats: [number, number];
  title: string;
  why: string;
}

/** Something to be chosen in the lobby. */
export interface OptionInfo {
  about: string;
  choices: [(boolean | number | string), string][];
  default: boolean | number | string;
  /** the field of the rules that it sets */
  field?: string;
  group: "book" | "house" | "table";
  id: string;
  kind: "choice" | "flag";
  /** of which kind of card a name will do as well */
  names?: string;
  /** the kind of card without which it means nothing */
  needs: string;
  rule: string;
  title: string;
}

/** A set of cards that can be played with. */
export interface PackInfo {
  about: string;
  /** Levels are shown by standies on a board */
  board: boolean;
  /** a box that is a game of its own */
  core: boolean;
  doors: number;
  dungeons: string[];
  edition: string;
  id: string;
  /** kinds of card that some options need */
  kinds: string[];
  /** what it is about, in a sentence */
  line: string;
  /** cards in decks of their own: Dungeons, Spells */
  more: number;
  needs: string[];
  response: ResponseTime;
  /** what it brings to the table, each in a word or two */
  special: string[];
  theme: { [key: string]: string };
  title: string;
  treasures: number;
}

/** How long the book waits for others to speak up. */
export interface ResponseTime {
  label: string;
  seconds: number;
}

/** Something that can be said with one tap. */
export interface PhraseInfo {
  id: string;
  text: string;
}

/** A pace to play at, in seconds. */
export interface TimerInfo {
  decision: number;
  /** on top of what the book asks for */
  extra: number;
  id: string;
  title: string;
  /** what it comes to by the classic book */
  window: number;
}

/** One rule, in our words. */
export interface RuleInfo {
  chapter: string;
  detail: string;
  id: string;
  says: string;
  see: string[];
}

/** A chapter of the rulebook, whole. */
export interface ChapterInfo {
  about: string;
  id: string;
  /** what it stands under in the contents */
  part: string;
  rules: RuleInfo[];
  title: string;
}

/** What anybody can look up about a table. */
export interface TableInfo {
  advice: Advice[];
  board: boolean;
  /** the hash by which `/api/tables/{table}/cards` has them */
  cards: string;
  game: number;
  host: number;
  house: string[];
  id: string;
  name: string;
  /** in the lobby: why the game could not begin like this */
  obstacles: Obstacle[];
  options: OptionsState;
  packs: string[];
  seats: SeatState[];
  seed: SeedState;
  status: "lobby" | "over" | "playing";
  theme: { [key: string]: string };
  watchers: number;
}

/** The tables of this server whose hosts want them to be found. */
export interface OpenTables {
  tables: OpenTable[];
}

/** A table that strangers may come to: to sit down in its lobby, or to watch. */
export interface OpenTable {
  /** what these people look like, in the same order */
  avatars: string[];
  bots: number;
  free: number;
  house: string[];
  id: string;
  name: string;
  packs: string[];
  people: string[];
  status: "lobby" | "over" | "playing";
  timer: string;
}

/** Could such a table be played at? */
export interface MixAnswer {
  advice: Advice[];
  book: BookOptions;
  obstacles: Obstacle[];
}

/** What of a table's options is as the books recommend for its sets: to be sent as they are. */
export interface BookOptions {
  house: string[];
  rules: { [key: string]: Json };
}

/** A set, taken from the shelf and looked into. */
export interface ShelfInfo {
  id: string;
  /** the rules that speak of it in a mix */
  mixing: RuleInfo[];
  /** three cards that show what it is like; their ids mean nothing */
  samples: CardInfo[];
  /** where its names, figures and words come from */
  sources: string;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Said = Hello | Act | Draft | WhyNot | Hint | Wait | Say | Phrase | Ready | Colour | Bring | Start | Rematch | Leave | TakeBack | SetBot | MakeHost | Avatar | Options | Auto | OpenHand | Undo | Propose | Vote | Wake | Ping;

export type Heard = Welcome | Update | Answer | Problem | Moved | Bye | Pong;
