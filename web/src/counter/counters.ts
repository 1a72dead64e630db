/** The counters that this phone has opened, latest first, and what came of them: its history. */
import { keep, recall } from "../lib/session";
import { seated, type State } from "./fold.ts";
import { forgetShelf } from "./shelf";

const KEY = "kickdoor.counters";
const MOST = 100;

export interface Somebody {
  name: string;
  sex: "male" | "female";
  colour: string;
  avatar: string;
  level: number;
  deaths: number;
  kills: number;
  helped: number;
}

export interface Known {
  id: string;
  name: string;
  at: number;
  limit: 0 | 10 | 20;
  packs: string[];
  people: Somebody[];
  /** places in `people` */
  winners: number[];
}

function likely(x: unknown): x is Known {
  const k = x as Partial<Known> | null;
  return typeof k === "object" && k !== null && typeof k.id === "string" && typeof k.at === "number" && Array.isArray(k.people) && Array.isArray(k.winners) && Array.isArray(k.packs);
}

export function known(): Known[] {
  try {
    const all = JSON.parse(recall(KEY) ?? "[]") as unknown;
    return Array.isArray(all) ? all.filter(likely) : [];
  } catch {
    return [];
  }
}

export function remember(id: string, s: State): void {
  const people = seated(s);
  const now: Known = { id, name: s.name, at: Date.now(), limit: s.limit, packs: s.packs, people: people.map((p) => ({ name: p.name, sex: p.sex, colour: p.colour, avatar: p.avatar, level: p.level, deaths: p.deaths, kills: p.kills, helped: p.helped })), winners: s.winners.map((w) => people.findIndex((p) => p.id === w)).filter((i) => i >= 0) };
  keep(KEY, JSON.stringify([now, ...known().filter((k) => k.id !== id)].slice(0, MOST)));
}

export function forget(id: string): void {
  keep(KEY, JSON.stringify(known().filter((k) => k.id !== id)));
  forgetShelf(`kickdoor.counter.${id}`);
}
