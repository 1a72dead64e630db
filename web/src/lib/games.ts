/** My games: what came of them, kept in this browser and nowhere else. */
import type { Betrayal, Chronicle, SeatNumbers } from "./protocol";
import { keep, recall } from "./session";

const KEY = "kickdoor.games";
const MOST = 300;
const POINTS = 80; // of a line in a graph; more cannot be seen

/** The worst that was done to anybody, with the card's name, since cards have numbers only at their table. */
export interface Worst extends Pick<Betrayal, "by" | "against" | "before" | "after" | "turned" | "died" | "step"> {
  card: string;
}

export interface Played {
  table: string;
  game: number;
  at: number;
  name: string;
  /** my seat, and whether bots sat on the others */
  seat: number;
  bots: boolean[];
  players: string[];
  winners: number[];
  packs: string[];
  turns: number;
  /** everybody's Level, turn by turn, and at last */
  levels: number[][];
  numbers: SeatNumbers[];
  worst: Worst | null;
}

export interface Sums {
  games: number;
  won: number;
  streak: number;
  best: number;
  level: number;
  numbers: SeatNumbers;
  boxes: [string, number, number][];
}

/** The Levels of a game as lines: one row per moment, thinned out where there are too many to see. */
export function lines(told: Pick<Chronicle, "turns" | "final">): number[][] {
  const rows = told.turns.map((t) => t.levels);
  const step = Math.max(1, Math.ceil(rows.length / POINTS));
  return [...rows.filter((_, i) => i % step === 0), told.final];
}

function likely(x: unknown): x is Played {
  const p = x as Partial<Played> | null;
  return typeof p === "object" && p !== null && typeof p.table === "string" && typeof p.game === "number" && typeof p.at === "number" && typeof p.seat === "number" && Array.isArray(p.players) && Array.isArray(p.winners) && Array.isArray(p.levels) && Array.isArray(p.numbers) && Array.isArray(p.packs) && Array.isArray(p.bots);
}

/** Latest first. */
export function played(): Played[] {
  try {
    const all = JSON.parse(recall(KEY) ?? "[]") as unknown;
    return Array.isArray(all) ? all.filter(likely) : [];
  } catch {
    return [];
  }
}

const same = (a: Played, b: Played): boolean => a.table === b.table && a.game === b.game;

export function remember(p: Played): void {
  if (played().some((x) => same(x, p))) return;
  keep(KEY, JSON.stringify([p, ...played()].slice(0, MOST)));
}

export const forgetGame = (p: Played): void => keep(KEY, JSON.stringify(played().filter((x) => !same(x, p))));
export const forgetAll = (): void => keep(KEY, null);

/** Games out of a file that was written here or on another device; how many of them were new. */
export function bring(text: string): number {
  const all = (JSON.parse(text) as { games?: unknown[] }).games;
  if (!Array.isArray(all)) throw new Error("This file holds no games of Kickdoor.");
  const fresh = all.filter(likely).filter((p) => !played().some((x) => same(x, p)));
  keep(KEY, JSON.stringify([...played(), ...fresh].sort((a, b) => b.at - a.at).slice(0, MOST)));
  return fresh.length;
}

export const exported = (): string => JSON.stringify({ kickdoor: "games", games: played() }, null, 1);

export const wonBy = (p: Played): boolean => p.winners.includes(p.seat);

/** What it comes to. */
export function sums(all: readonly Played[]): Sums {
  const numbers: SeatNumbers = { won: 0, lost: 0, helped: 0, killed: 0, treasures: 0, deaths: 0, curses: 0, stabs: 0, escapes: 0, caught: 0, best: 0 };
  const boxes = new Map<string, [number, number]>();
  let [run, streak, level] = [0, 0, 0];
  for (const p of [...all].reverse()) {
    run = wonBy(p) ? run + 1 : 0;
    streak = Math.max(streak, run);
    level += p.levels.at(-1)?.[p.seat] ?? 0;
    const mine = p.numbers[p.seat];
    for (const k of Object.keys(numbers) as (keyof SeatNumbers)[]) numbers[k] = k === "best" ? Math.max(numbers[k], mine?.[k] ?? 0) : numbers[k] + (mine?.[k] ?? 0);
    for (const b of p.packs) {
      const [n, w] = boxes.get(b) ?? [0, 0];
      boxes.set(b, [n + 1, w + Number(wonBy(p))]);
    }
  }
  return { games: all.length, won: all.filter(wonBy).length, streak, best: numbers.best, level: all.length ? level / all.length : 0, numbers, boxes: [...boxes].map(([b, [n, w]]): [string, number, number] => [b, n, w]).sort((a, b) => b[1] - a[1]) };
}
