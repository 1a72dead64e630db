// Kickdoor's counter for real cards, version 1. Written by `npm run types` from kickdoor.companion.shapes; do not edit.

export const VERSION = 1;

/** The first message. `line` and `have`: as the server said them last, so that only what is new is sent; 0 and 0 on
    a phone that knows nothing. */
export interface Hello {
  t: "hello";
  v: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  device: string;
  line?: number;
  have?: number;
}

/** Taps for everybody, 50 and 8 KiB at most; said again until `took` or `news` has their ids. Each is looked at
    alone. */
export interface Tell {
  t: "taps";
  taps: Taps[];
}

/** Are you there? */
export interface Ping {
  t: "ping";
  n?: number;
}

/** How the server stands: `seq` taps. What the phone lacks follows in `news`, from tap `first` + 1 on. Where
    `first` is 0 the phone says everything again that is not in those: the server may have lost it, or be another. */
export interface Welcome {
  t: "welcome";
  v: number;
  counter: string;
  line: number;
  seq: number;
  first: number;
  link?: string;
}

/** Taps number `first` + 1 and on, in the order in which they came to the server. They are safe. */
export interface News {
  t: "news";
  first: number;
  taps: (Table | Person | Device | Order | Turn | Level | Gear | Put | Fight | Swing | Roll | Died | Mark | Note | Over | Next | Undo | Redo)[];
}

/** About the whole table; what is given is set (last writer), what is not stays. `limit`: the Level that wins, 0 for
    none; 20 is Epic. */
export interface Table {
  kind: "table";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  name?: string | null;
  packs?: string[] | null;
  limit?: 0 | 10 | 20 | null;
  language?: string | null;
  with?: string | null;
}

/** A sheet: the first such tap makes it, later ones set what they give (last writer). `gone`: the sheet is put away
    (or, false, brought back). */
export interface Person {
  kind: "person";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  sheet: string;
  name?: string | null;
  colour?: string | null;
  avatar?: string | null;
  sex?: "female" | "male" | null;
  gone?: boolean | null;
  with?: string | null;
}

/** Which sheet the device `who` is held by (last writer); null: it is everybody's. */
export interface Device {
  kind: "device";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  sheet: string | null;
  name?: string;
  with?: string | null;
}

/** Who sits where, clockwise (last writer). Sheets that are not named come after those that are. `lot`: it was
    drawn. */
export interface Order {
  kind: "order";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  sheets: string[];
  lot?: boolean;
  with?: string | null;
}

/** Whose turn it is (last writer); `lot`: the first player was drawn. */
export interface Turn {
  kind: "turn";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  sheet: string | null;
  lot?: boolean;
  with?: string | null;
}

/** Levels up or down: a difference. A sheet begins at 1; what it comes to is never shown below 1. `why`: a fight, a
    card, some words. */
export interface Level {
  kind: "level";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  sheet: string;
  by: number;
  fight?: string | null;
  why?: string;
  with?: string | null;
}

/** The free number of a sheet, for what has no card here: a difference. */
export interface Gear {
  kind: "gear";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  sheet: string;
  by: number;
  why?: string;
  with?: string | null;
}

/** Where a thing is (last writer): a card, or something for which there is no card here.

    `worn` and `carried`: before `sheet` (a Race, a Class, a Steed is `worn`); `on`: it lies on that thing. `table`: for
    everybody (a Dungeon). `foe`: a monster in `fight`. `on_foe`: it enhances the monster `on`. `munchkins`,
    `monsters`: played into `fight` for that side, by `sheet`. `away`: discarded.
    The first tap with a `card`, or a `name` and figures, says what the thing is; later ones need not repeat it. */
export interface Put {
  kind: "put";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  thing: string;
  place: "away" | "carried" | "foe" | "monsters" | "munchkins" | "on_foe" | "table" | "worn";
  sheet?: string | null;
  fight?: string | null;
  on?: string | null;
  card?: string | null;
  name?: string | null;
  bonus?: number | null;
  level?: number | null;
  treasures?: number | null;
  levels?: number | null;
  with?: string | null;
}

/** A fight: the first such tap begins it, and it is the table's fight until it has an `end`. What is given is set
    (last writer). `helper`: null, nobody. `promised`: Treasures; `terms`: the deal in words. */
export interface Fight {
  kind: "fight";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  fight: string;
  main?: string | null;
  helper?: string | null;
  promised?: number | null;
  terms?: string | null;
  end?: "lost" | "open" | "over" | "won" | null;
  with?: string | null;
}

/** The free number of a side of a fight, or of one monster (`on`): a difference. */
export interface Swing {
  kind: "swing";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  fight: string;
  side: "monsters" | "munchkins";
  by: number;
  on?: string | null;
  with?: string | null;
}

/** A die was thrown. In a flight: who runs from what, and whether that was enough. */
export interface Roll {
  kind: "roll";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  roll: number;
  sides?: number;
  sheet?: string | null;
  fight?: string | null;
  foe?: string | null;
  escaped?: boolean | null;
  with?: string | null;
}

/** A munchkin died. What he loses are taps of their own. */
export interface Died {
  kind: "died";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  sheet: string;
  fight?: string | null;
  with?: string | null;
}

/** Something set by hand (last writer): a condition in a fight ("counts as an Elf"), a house rule, a reminder.
    `about`: a sheet, a thing, a fight, or `table`. Null takes it away. */
export interface Mark {
  kind: "mark";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  about: string;
  key: string;
  value: boolean | number | string | null;
  with?: string | null;
}

/** A line for the log: a ruling, a promise. */
export interface Note {
  kind: "note";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  text: string;
  sheet?: string | null;
  rule?: string;
  with?: string | null;
}

/** The game is over (last writer); an empty list: it goes on after all. */
export interface Over {
  kind: "over";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  winners: string[];
  with?: string | null;
}

/** A rematch: the same people go on at another counter (last writer). */
export interface Next {
  kind: "next";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  counter: string;
  with?: string | null;
}

/** These taps count as if they had never been made. Whether a tap counts is settled by the last undo or redo that
    names it. An undo cannot itself be named. */
export interface Undo {
  kind: "undo";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  taps: string[];
}

/** These taps count again. */
export interface Redo {
  kind: "redo";
  /** made up by the phone; no two taps of a counter have the same */
  id: string;
  /** Lamport: one more than the highest the phone has seen */
  clock: number;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  who: string;
  at: number;
  taps: string[];
}

/** These taps of yours are safe (also those that were there already). */
export interface Took {
  t: "took";
  ids: string[];
}

/** These taps were not taken. `again`: say them again after so many seconds; 0: never, they will not do. */
export interface Refused {
  t: "refused";
  ids: string[];
  code: string;
  says: string;
  again?: number;
}

/** Whose phones are on the line now, by device. */
export interface Here {
  t: "here";
  devices: string[];
}

/** Something that was said could not be taken, or the journal cannot be written just now (`unwritable`). */
export interface Problem {
  t: "problem";
  code: string;
  says: string;
}

/** The server hangs up. `back`: come again after so many seconds, where that is of use. */
export interface Bye {
  t: "bye";
  code: string;
  says: string;
  back?: number;
}

/** Another server keeps this counter: the same path at that address. */
export interface Moved {
  t: "moved";
  url: string;
}

export interface Pong {
  t: "pong";
  n: number;
}

/** POST /api/counter/fight: how does it stand? `hand`: cards that somebody could still play, for "what would
    help"; the server forgets them with the answer. */
export interface FightQuestion {
  position: Position;
  hand?: string[];
}

/** The table: who is there with what, and the fight that is on, if any. */
export interface Position {
  packs: string[];
  sheets: Sheet[];
  limit?: 0 | 10 | 20;
  dungeons?: string[];
  /** as an id, or empty: nobody, nothing */
  turn?: string;
  fight?: FightAsked | null;
}

/** A player as his sheet has him. */
export interface Sheet {
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  sheet: string;
  name?: string;
  sex?: "female" | "male";
  level?: number;
  gear?: number;
  cards?: Held[];
}

/** A card before a player: `worn` or `carried`, perhaps `on` another thing of his. What has no card here has a
    `bonus`, and counts by that (a known card with a `bonus` has it on top: house rules happen). */
export interface Held {
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  thing: string;
  /** a card as its facts call it (`CardFacts.label`) */
  card?: string;
  worn?: boolean;
  /** as an id, or empty: nobody, nothing */
  on?: string;
  name?: string;
  bonus?: number;
}

/** Both sides of a fight, as the phones have them. */
export interface FightAsked {
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  main: string;
  foes: FoeAsked[];
  /** as an id, or empty: nobody, nothing */
  helper?: string;
  played?: Played[];
  /** the free number of that side */
  munchkins?: number;
  monsters?: number;
}

/** A monster: by its card, or by a Level (and what it pays) where there is no card for it here. */
export interface FoeAsked {
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  thing: string;
  /** a card as its facts call it (`CardFacts.label`) */
  card?: string;
  name?: string;
  level?: number | null;
  treasures?: number | null;
  levels?: number | null;
  swing?: number;
  enhancers?: OnFoe[];
}

/** What lies on a monster: an enhancer by its card, or by its bonus alone. */
export interface OnFoe {
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  thing: string;
  /** a card as its facts call it (`CardFacts.label`) */
  card?: string;
  name?: string;
  bonus?: number;
}

/** What was played into the fight for a side: a one-shot by its card, or by its bonus alone. */
export interface Played {
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  thing: string;
  side: "monsters" | "munchkins";
  /** a card as its facts call it (`CardFacts.label`) */
  card?: string;
  name?: string;
  bonus?: number;
  /** as an id, or empty: nobody, nothing */
  sheet?: string;
}

/** POST /api/counter/item: may this sheet put this card on (or have it in play)? */
export interface ItemQuestion {
  position: Position;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  sheet: string;
  /** a card as its facts call it (`CardFacts.label`) */
  card: string;
}

/** POST /api/counter/could: could this one now play this card, or use its power? `on`: a thing or a sheet it would
    be for; empty: anything. */
export interface CouldQuestion {
  position: Position;
  /** made up by the phone: of a sheet, a thing, a fight, a device */
  sheet: string;
  /** a card as its facts call it (`CardFacts.label`) */
  card: string;
  on?: string;
}

/** How a fight stands. */
export interface FightTold {
  /** what could not be known, in sentences */
  assumed: string[];
  flights: Flight[];
  foes: FoeTold[];
  helps: Help[];
  /** what a victory is worth to each */
  levels: SheetChange[];
  monster_terms: TermTold[];
  monsters: number;
  munchkin_terms: TermTold[];
  munchkins: number;
  must_flee: boolean;
  refusals: Refusal[];
  /** how it stands, in a sentence */
  says: string;
  /** the munchkins win ties */
  ties: boolean;
  treasures: number;
  winning: boolean;
}

/** One runs from one monster: the least throw that is enough (7: none is), and the chance in percent. */
export interface Flight {
  chance: number;
  foe: string;
  modifiers: TermTold[];
  needs: number;
  says: string;
  sheet: string;
}

/** A summand: what it is called, where it comes from (a thing, or a sheet for its Level), and by which rule. */
export interface TermTold {
  amount: number;
  name: string;
  rule: string;
  /** whose it is; empty: the side's, or a monster's */
  sheet: string;
  /** of the question; empty: a Level, or a number that was entered */
  thing: string;
}

/** A monster in the fight. */
export interface FoeTold {
  /** in our words */
  bad_stuff: string;
  hits: BadStuff[];
  known: boolean;
  levels: number;
  name: string;
  strength: number;
  thing: string;
  treasures: number;
}

/** What a monster does to one who does not get away. */
export interface BadStuff {
  /** as far as nobody has to choose or roll */
  changes: SheetChange[];
  /** what somebody has to choose or roll, or what cannot be told from here */
  open: string;
  sheet: string;
}

/** What becomes of a sheet, to be carried over by one tap. */
export interface SheetChange {
  /** things that go to the discards */
  away: string[];
  died: boolean;
  /** a difference */
  level: number;
  says: string;
  /** the new sex, where it changes */
  sex: string;
  sheet: string;
}

/** Something that would turn the fight: `by`, a bonus (card empty); or a card, and what it would come to. */
export interface Help {
  by: number;
  card: string;
  monsters: number;
  munchkins: number;
  says: string;
  sheet: string;
}

/** What the rules do not allow, and is counted all the same: a thing, or a helper by his sheet. */
export interface Refusal {
  rule: string;
  says: string;
  thing: string;
}

/** May it be put on, or be in play? `worn`: it would count; otherwise it can only be carried. */
export interface ItemTold {
  may: boolean;
  rule: string;
  says: string;
  worn: boolean;
}

/** A ruling, what it rests on, what was assumed, and the position as a scenario. */
export interface CouldTold {
  assumed: string[];
  may: boolean;
  rule: string;
  says: string;
  scenario: string;
  /** how the fight would stand after the first of them */
  then: string;
  /** what one could do, in sentences */
  ways: string[];
}

/** GET /api/counter/cards?packs=a,b: every card once. */
export interface CardsTold {
  cards: CardFacts[];
  hash: string;
  packs: string[];
}

/** A card for looking up, and for counting without a line. */
export interface CardFacts {
  bad_stuff: string;
  big: boolean;
  bonus: number;
  clauses: Clause[];
  deck: string;
  gold: number | null;
  hands: number;
  kind: string;
  /** what it is called in questions and taps: unique among these packs */
  label: string;
  level: number;
  levels: number;
  name: string;
  pack: string;
  run_away: number;
  slot: string;
  text: string;
  /** what one is by having it: `elf`, `wizard`, `warrior` */
  traits: string[];
  treasures: number;
  /** who may use it, in words */
  usable: string;
  /** `bonus`, `level`, `treasures`, `wins_ties` and `clauses` are all it does to the sum of a fight, once somebody has said of those `by_hand` whether they hold */
  whole: boolean;
  wins_ties: boolean;
}

/** A term that counts under conditions: `amount`, if all of these hold. An empty list asks nothing.

    `to`: of an Item, `owner`. Of a monster, `owner` is the monster itself; `fighters` is each fighter whom it fits, and
    counts on the munchkins' side.
    `any`: at least one fighter is one of these (`elf`, `wizard`, `male`, ...). `none`: no fighter is. Of an Item, its
    owner alone is asked. Levels are the main fighter's (of an Item, its owner's; 0: no bound); `helper`: there has to
    be one (true), or must not be (false); null: that does not matter.
    `by_hand`: the condition cannot be read off the sheets, so that the people at the table say whether it holds; or
    how often, where it counts for `each` of something. */
export interface Clause {
  amount: number;
  any: string[];
  by_hand: boolean;
  each: boolean;
  helper: boolean | null;
  level_at_least: number;
  level_at_most: number;
  none: string[];
  to: "fighters" | "owner";
}

/** POST /api/counter: a counter on this server. A phone that began without a line gives it the name it has made up,
    and its first taps; asked twice, it is the same counter. */
export interface NewCounter {
  counter?: string;
  taps?: Taps[];
}

/** Where it is. */
export interface CounterMade {
  counter: string;
  link: string;
  seq: number;
}

/** GET /api/counter/{counter}: all taps, in the order in which they came. */
export interface CounterTold {
  counter: string;
  line: number;
  seq: number;
  taps: (Table | Person | Device | Order | Turn | Level | Gear | Put | Fight | Swing | Roll | Died | Mark | Note | Over | Next | Undo | Redo)[];
}

export type Said = Hello | Tell | Ping;

export type Heard = Welcome | News | Took | Refused | Here | Problem | Bye | Moved | Pong;

export type Taps = Table | Person | Device | Order | Turn | Level | Gear | Put | Fight | Swing | Roll | Died | Mark | Note | Over | Next | Undo | Redo;
