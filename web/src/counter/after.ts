/** A finished game in figures. */
import type { Played } from "../lib/games";
import { seated, type Sheet, type State } from "./fold.ts";
import { tr } from "./words.ts";

const POINTS = 80;

export interface Summary {
  people: Sheet[];
  winners: string[];
  /** everybody's Level, one row per change, thinned out where there are too many to see */
  levels: number[][];
  fights: number;
  minutes: number;
}

export function summary(s: State): Summary {
  const people = seated(s);
  const rows = s.curve.map((c) => people.map((p) => c.levels[p.id] ?? 1));
  const step = Math.max(1, Math.ceil(rows.length / POINTS));
  const end = s.finished || s.curve.at(-1)?.at || s.began;
  return {
    people,
    winners: s.winners.map((w) => s.sheets.find((p) => p.id === w)?.name ?? tr("somebody")),
    levels: [...rows.filter((_, i) => i % step === 0), people.map((p) => p.level)],
    fights: s.fights.filter((f) => f.end === "won" || f.end === "lost").length,
    minutes: Math.max(1, Math.round((end - s.began) / 60_000)),
  };
}

/** As a game of the browser table is remembered, so that the same picture can be drawn of it. */
export function played(id: string, s: State): Played {
  const all = summary(s);
  const none = { won: 0, lost: 0, helped: 0, killed: 0, treasures: 0, deaths: 0, curses: 0, stabs: 0, escapes: 0, caught: 0, best: 0 };
  return {
    table: id, game: 1, at: s.finished || Date.now(), name: s.name || tr("realTable"), seat: -1, bots: all.people.map(() => false), players: all.people.map((p) => p.name),
    winners: s.winners.map((w) => all.people.findIndex((p) => p.id === w)).filter((i) => i >= 0), packs: s.packs, turns: s.curve.length,
    levels: all.levels, numbers: all.people.map((p) => ({ ...none, killed: p.kills, helped: p.helped, deaths: p.deaths })), worst: null,
  };
}
