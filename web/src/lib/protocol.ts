// Kickdoor socket messages, version 1. Written by `npm run types` from kickdoor.server.protocol; do not edit.

/** The first message on a socket. No token: a spectator. `have`: the last number seen, after a lost line. */
export interface Hello {
  t: "hello";
  v: number;
  token?: string | null;
  have?: number | null;
}

/** One or more moves that happen together or not at all, in the window in which they were chosen. */
export interface Act {
  t: "act";
  /** chosen by the client, new for each command */
  id: string;
  window: number;
  moves: [number, number, number, number][];
}

/** What could follow these moves? For putting an offer, a sale or charity together; changes nothing. */
export interface Draft {
  t: "draft";
  /** chosen by the client, new for each command */
  id: string;
  moves: [number, number, number, number][];
}

/** Why can I not play this card now? */
export interface WhyNot {
  t: "why";
  /** chosen by the client, new for each command */
  id: string;
  card: number;
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

/** The host starts the game. Empty seats are closed. */
export interface Start {
  t: "start";
  /** chosen by the client, new for each command */
  id: string;
}

/** The same people, a new game: back to the lobby, ready. */
export interface Rematch {
  t: "rematch";
  /** chosen by the client, new for each command */
  id: string;
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

/** The host puts a bot on a seat, changes its level, or (null) takes it away. */
export interface SetBot {
  t: "set_bot";
  /** chosen by the client, new for each command */
  id: string;
  seat: number;
  bot: string | null;
}

/** The host changes the table's options in the lobby; only those named change. */
export interface Options {
  t: "options";
  /** chosen by the client, new for each command */
  id: string;
  options: Record<string, unknown>;
}

/** When the table passes for me: never, when I hold nothing to play, when I am not in the fight, always. */
export interface Auto {
  t: "auto";
  /** chosen by the client, new for each command */
  id: string;
  mode: "always" | "bystander" | "nothing" | "off";
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

/** Agree or not: to an undo, a correction, a bot for somebody who dozes. */
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

/** Everything a viewer has. `game` is `kickdoor.view` (docs/protocol.md lists its fields), None in the lobby. */
export interface State {
  clock: Clock;
  game: Record<string, unknown> | null;
  moves: Record<string, string>;
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

/** What is asked of this viewer, in words. */
export interface Prompt {
  headline: string;
  must: boolean;
  primary: string;
}

/** All that is not the game itself. */
export interface TableState {
  advice: Advice[];
  board: boolean;
  cards: string;
  game: number;
  host: number;
  house: string[];
  id: string;
  name: string;
  options: Record<string, unknown>;
  packs: string[];
  seats: SeatState[];
  seed: SeedState;
  status: "lobby" | "over" | "playing";
  theme: Record<string, string>;
  undo: boolean;
  votes: VoteState[];
  watchers: number;
}

/** What a book recommends for these sets and rules. */
export interface Advice {
  rule: string;
  says: string;
}

/** A chair: who sits there and whether he is awake. */
export interface SeatState {
  auto: "always" | "bystander" | "nothing" | "off";
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
  card: number;
  id: string;
  n: number;
  other: number;
  rule: string;
  said: string;
  seat: number;
  seq: number;
  text: string;
  tone: string;
}

/** Something somebody said. `phrase` is the id of a quick phrase, or empty. Plain text, never HTML. */
export interface ChatLine {
  name: string;
  phrase: string;
  seat: number;
  seq: number;
  text: string;
}

/** What changed: a list of [path, value] (set) and [path] (gone), in order; new lines of log and chat. */
export interface Update {
  t: "update";
  seq: number;
  clock: Clock;
  patch: unknown[][];
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
  data?: Record<string, unknown> | null;
}

/** A message that could not be taken at all. */
export interface Problem {
  t: "problem";
  code: string;
  says: string;
}

/** This table is kept by another server: go there. */
export interface Moved {
  t: "moved";
  url: string;
}

/** The server hangs up, and why. */
export interface Bye {
  t: "bye";
  code: string;
  says: string;
}

/** Yes. */
export interface Pong {
  t: "pong";
  n?: number;
}

export type Said = Hello | Act | Draft | WhyNot | Say | Phrase | Ready | Colour | Bring | Start | Rematch | Leave | TakeBack | SetBot | Options | Auto | OpenHand | Undo | Propose | Vote | Wake | Ping;

export type Heard = Welcome | Update | Answer | Problem | Moved | Bye | Pong;
