/**
 * What can happen at a counter: small operations ("taps"), made on a phone and never changed again.
 *
 * The state is the fold of all of them in one order (`fold.ts`), so phones that were apart need only exchange what the other lacks. Numbers are differences, names and lists are as the last one said,
 * things have ids of their own, and undoing is an operation, too.
 */

/** Who made it, and its place in the one order of all: (clock, id). */
export interface Made {
  /** made by the phone, never twice: its own name, a dot, a number */
  id: string;
  /** Lamport's: one more than the highest this phone had seen */
  clock: number;
  /** the phone */
  by: string;
  /** milliseconds since 1970, by the phone's own clock: for the log only */
  at: number;
  /** the first of several that belong together and are undone together */
  with?: string;
}

export type Sex = "male" | "female";
export type Side = "players" | "monsters";
/** Where a thing lies: in use, carried only, or put away. */
export type Place = "used" | "carried" | "gone";

/** A card on the table, by `pack:Name`, or one that we do not have (no card): then its name and number are all there is. */
export interface Carded {
  thing: string;
  card: string;
  name: string;
  /** as the card says: monster, item, race, class, power, hireling, steed, dungeon, curse ... */
  sort: string;
  bonus: number;
}

export type Tap =
  // the table
  | { kind: "name_table"; name: string }
  | { kind: "limit"; limit: number }
  | { kind: "packs"; packs: string[] }
  | { kind: "seats"; players: string[] }
  | { kind: "turn"; player: string }
  // a sheet
  | { kind: "join"; player: string; name: string; sex: Sex; colour: number; avatar: string }
  | { kind: "leave"; player: string; gone: boolean }
  | { kind: "sit"; player: string }
  | { kind: "called"; player: string; name: string }
  | { kind: "colour"; player: string; colour: number }
  | { kind: "avatar"; player: string; avatar: string }
  | { kind: "sex"; player: string; sex: Sex }
  | { kind: "level"; player: string; change: number }
  | { kind: "gear"; player: string; change: number }
  | { kind: "clear"; player: string }
  | { kind: "death"; player: string }
  // a card before somebody; without a player before nobody: a Dungeon
  | ({ kind: "put"; player: string; place: Place } & Carded)
  | { kind: "move"; thing: string; player: string; place: Place }
  // a fight
  | { kind: "fight"; fight: string; player: string }
  | { kind: "fighter"; fight: string; player: string }
  | { kind: "helper"; fight: string; player: string; treasures: number; promise: string }
  | ({ kind: "foe"; fight: string; level: number; treasures: number; levels: number } & Carded)
  | ({ kind: "play"; fight: string; side: Side; on: string } & Carded)
  | { kind: "away"; fight: string; thing: string; gone: boolean }
  | { kind: "bonus"; fight: string; side: Side; change: number }
  | { kind: "condition"; fight: string; term: string; holds: boolean }
  | { kind: "run"; fight: string; player: string; thing: string; roll: number; escaped: boolean }
  | { kind: "outcome"; fight: string; how: "won" | "lost" | "off"; levels: number; treasures: number }
  // dice, the end
  | { kind: "dice"; player: string; sides: number; rolls: number[] }
  | { kind: "finish"; winners: string[] }
  | { kind: "rematch"; to: string }
  // what was done is undone, and done again
  | { kind: "undo"; op: string }
  | { kind: "redo"; op: string };

export type Op = Made & Tap;
export type Kind = Tap["kind"];

/** The one order: whoever knew of more comes later; among those who did not know of each other, by name. */
export const before = (a: Made, b: Made): number => a.clock - b.clock || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
