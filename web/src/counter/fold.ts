/**
 * The state of a counter: the fold of its taps, in their one order, without those that were undone.
 *
 * Pure, and the only place that knows what a tap does. Whatever order taps arrive in, whoever holds the same ones sees the same table.
 */
import type { Put, Roll } from "../lib/counting";
import { before, type Deed, type Taps } from "./taps.ts";

/** Nobody is below it (LEVEL-5). */
export const FLOOR = 1;

export type Place = Put["place"];
export type Side = "munchkins" | "monsters";

/** A card somewhere, or something for which there is no card here. */
export interface Thing {
  id: string;
  card: string;
  name: string;
  bonus: number;
  level: number;
  treasures: number | null;
  levels: number | null;
  place: Place;
  sheet: string;
  fight: string;
  on: string;
}

export interface Sheet {
  id: string;
  name: string;
  sex: "male" | "female";
  colour: string;
  avatar: string;
  level: number;
  /** what cards we do not have are worth, together */
  gear: number;
  gone: boolean;
  deaths: number;
  /** monsters beaten in fights of one's own */
  kills: number;
  /** fights of others that were won with this one's help */
  helped: number;
}

export interface Run {
  sheet: string;
  foe: string;
  roll: number;
  escaped: boolean;
}

export interface Fight {
  id: string;
  main: string;
  helper: string;
  promised: number;
  terms: string;
  end: "won" | "lost" | "over" | "open";
  swing: Record<Side, number>;
  /** the free number of one monster */
  swings: Record<string, number>;
  runs: Run[];
}

/** Everybody's Level after something that changed one. */
export interface Point {
  at: number;
  levels: Record<string, number>;
}

export interface Thrown extends Pick<Roll, "roll" | "at" | "who" | "id"> {
  sides: number;
  sheet: string;
  fight: string;
}

export interface State {
  name: string;
  limit: 0 | 10 | 20;
  packs: string[];
  /** as they sit, those who have left among them */
  sheets: Sheet[];
  things: Thing[];
  turn: string;
  /** who holds which phone */
  phones: Record<string, string>;
  fights: Fight[];
  rolls: Thrown[];
  /** what was set by hand: about, key, value */
  marks: Record<string, Record<string, boolean | number | string>>;
  curve: Point[];
  winners: string[];
  finished: number;
  next: string;
  began: number;
}

export const empty = (): State => ({ name: "", limit: 10, packs: [], sheets: [], things: [], turn: "", phones: {}, fights: [], rolls: [], marks: {}, curve: [], winners: [], finished: 0, next: "", began: 0 });

export const sheetOf = (s: State, id: string): Sheet | undefined => s.sheets.find((x) => x.id === id);
export const seated = (s: State): Sheet[] => s.sheets.filter((x) => !x.gone);
export const fightNow = (s: State): Fight | null => s.fights.findLast((f) => f.end === "open") ?? null;
export const cardsOf = (s: State, sheet: string): Thing[] => s.things.filter((t) => t.sheet === sheet && (t.place === "worn" || t.place === "carried"));
export const foesOf = (s: State, fight: string): Thing[] => s.things.filter((t) => t.fight === fight && t.place === "foe");
export const playedIn = (s: State, fight: string): Thing[] => s.things.filter((t) => t.fight === fight && (t.place === "munchkins" || t.place === "monsters" || t.place === "on_foe"));
export const onTable = (s: State): Thing[] => s.things.filter((t) => t.place === "table");

/** What is set by hand about a condition of a card in a fight. */
export const conditionKey = (index: number): string => `when.${index}`;
export function said(s: State, thing: string, index: number): number | undefined {
  const value = s.marks[thing]?.[conditionKey(index)];
  return typeof value === "number" ? value : undefined;
}

export const groupOf = (t: Taps): string => ("with" in t && t.with) || t.id;
const counts = (t: Taps): t is Deed => t.kind !== "undo" && t.kind !== "redo";

/** One of each, in their order. */
export function sorted(taps: Iterable<Taps>): Taps[] {
  const one = new Map<string, Taps>();
  for (const t of taps) if (!one.has(t.id)) one.set(t.id, t);
  return [...one.values()].sort(before);
}

/** The taps that do not count: of all who undid and redid one, the last has it. */
export function undone(inOrder: readonly Taps[]): Set<string> {
  const out = new Set<string>();
  for (const t of inOrder) {
    if (t.kind === "undo") for (const id of t.taps) out.add(id);
    else if (t.kind === "redo") for (const id of t.taps) out.delete(id);
  }
  return out;
}

/** The fold, with a look at the table after each tap: what was undone is passed by, and said to have been. */
export function walk(taps: Iterable<Taps>, look: (t: Deed, off: boolean, s: State) => void): State {
  const all = sorted(taps);
  const off = undone(all);
  const s = empty();
  const vain = new Set<string>();
  for (const t of all) {
    if (!counts(t)) continue;
    // Two phones said how a fight ended before they heard of each other: the later one, and the Levels that came with it, were in vain.
    if (!off.has(t.id) && t.kind === "fight" && again(s, t.fight, t.end)) vain.add(groupOf(t));
    const out = off.has(t.id) || vain.has(groupOf(t));
    if (!out) apply(s, t);
    look(t, out, s);
  }
  return s;
}

export const fold = (taps: Iterable<Taps>): State => walk(taps, () => undefined);

function again(s: State, fight: string, end: string | null | undefined): boolean {
  const f = s.fights.find((x) => x.id === fight);
  return !!f && f.end !== "open" && !!end && end !== "open";
}

type Does = { [K in Deed["kind"]]: (s: State, t: Extract<Deed, { kind: K }>) => void };

/** One tap more. What is about somebody or something that is not there (its making was undone) does nothing. */
function apply(s: State, t: Deed): void {
  if (!s.began) s.began = t.at;
  (DOES[t.kind] as ((s: State, t: Deed) => void) | undefined)?.(s, t);
}

function climb(s: State, p: Sheet, by: number, at: number): void {
  const top = Math.max(s.limit || Infinity, p.level); // who is above it already (the limit was lowered) is not pulled down
  const to = Math.max(FLOOR, Math.min(top, p.level + by));
  if (to === p.level) return;
  p.level = to;
  mark(s, at);
}

const mark = (s: State, at: number): void => void s.curve.push({ at, levels: Object.fromEntries(s.sheets.map((x) => [x.id, x.level])) });
const place = (order: readonly string[], id: string): number => (order.includes(id) ? order.indexOf(id) : order.length);
const given = <T>(x: T | null | undefined): x is T => x !== null && x !== undefined;

const DOES: Does = {
  table(s, t) {
    if (given(t.name)) s.name = t.name;
    if (given(t.packs)) s.packs = t.packs;
    if (given(t.limit)) s.limit = t.limit;
  },
  person(s, t) {
    let p = sheetOf(s, t.sheet);
    if (!p) {
      p = { id: t.sheet, name: "", sex: "male", colour: "", avatar: "", level: FLOOR, gear: 0, gone: false, deaths: 0, kills: 0, helped: 0 };
      s.sheets.push(p);
      mark(s, t.at);
    }
    if (given(t.name)) p.name = t.name;
    if (given(t.sex)) p.sex = t.sex;
    if (given(t.colour)) p.colour = t.colour;
    if (given(t.avatar)) p.avatar = t.avatar;
    if (given(t.gone)) p.gone = t.gone;
  },
  device(s, t) {
    s.phones[t.who] = t.sheet ?? "";
  },
  // Those whom the list does not know (they sat down meanwhile) keep their places behind the others.
  order: (s, t) => void s.sheets.sort((a, b) => place(t.sheets, a.id) - place(t.sheets, b.id)),
  turn(s, t) {
    s.turn = t.sheet ?? "";
  },
  level(s, t) {
    const p = sheetOf(s, t.sheet);
    if (p) climb(s, p, t.by, t.at);
  },
  gear(s, t) {
    const p = sheetOf(s, t.sheet);
    if (p) p.gear += t.by;
  },
  put(s, t) {
    let x = s.things.find((y) => y.id === t.thing);
    if (!x) {
      x = { id: t.thing, card: "", name: "", bonus: 0, level: 1, treasures: null, levels: null, place: "away", sheet: "", fight: "", on: "" };
      s.things.push(x);
    }
    x.place = t.place;
    x.sheet = t.sheet ?? "";
    x.fight = t.fight ?? "";
    x.on = t.on ?? "";
    if (given(t.card)) x.card = t.card;
    if (given(t.name)) x.name = t.name;
    if (given(t.bonus)) x.bonus = t.bonus;
    if (given(t.level)) x.level = t.level;
    if (given(t.treasures)) x.treasures = t.treasures;
    if (given(t.levels)) x.levels = t.levels;
  },
  fight(s, t) {
    let f = s.fights.find((x) => x.id === t.fight);
    if (!f) {
      const old = fightNow(s);
      if (old) old.end = "over"; // two phones began one each: the later is fought, the other was never decided
      f = { id: t.fight, main: "", helper: "", promised: 0, terms: "", end: "open", swing: { munchkins: 0, monsters: 0 }, swings: {}, runs: [] };
      s.fights.push(f);
    }
    if (given(t.main)) f.main = t.main;
    if (t.helper !== undefined) f.helper = t.helper ?? "";
    if (f.helper === f.main) f.helper = "";
    if (given(t.promised)) f.promised = t.promised;
    if (given(t.terms)) f.terms = t.terms;
    if (!given(t.end) || t.end === f.end) return;
    tally(s, f, -1);
    f.end = t.end;
    tally(s, f, 1);
  },
  swing(s, t) {
    const f = s.fights.find((x) => x.id === t.fight);
    if (!f) return;
    if (t.on) f.swings[t.on] = (f.swings[t.on] ?? 0) + t.by;
    else f.swing[t.side] += t.by;
  },
  roll(s, t) {
    s.rolls.push({ roll: t.roll, sides: t.sides ?? 6, sheet: t.sheet ?? "", fight: t.fight ?? "", at: t.at, who: t.who, id: t.id });
    const f = s.fights.find((x) => x.id === t.fight);
    if (f && t.sheet && t.foe && given(t.escaped)) f.runs = [...f.runs.filter((r) => r.sheet !== t.sheet || r.foe !== t.foe), { sheet: t.sheet, foe: t.foe, roll: t.roll, escaped: t.escaped }];
  },
  died(s, t) {
    const p = sheetOf(s, t.sheet);
    if (p) p.deaths += 1;
  },
  mark(s, t) {
    const about = (s.marks[t.about] ??= {});
    if (t.value === null) delete about[t.key];
    else about[t.key] = t.value;
  },
  note: () => undefined,
  over(s, t) {
    s.winners = t.winners.filter((w) => sheetOf(s, w));
    s.finished = s.winners.length ? t.at : 0;
  },
  next(s, t) {
    s.next = t.counter;
  },
};

/** What a won fight counts for, once it is won; and no more, where it goes on after all. */
function tally(s: State, f: Fight, sign: 1 | -1): void {
  if (f.end !== "won") return;
  const [main, helper] = [sheetOf(s, f.main), sheetOf(s, f.helper)];
  if (main) main.kills += sign * foesOf(s, f.id).length;
  if (helper) helper.helped += sign;
}
