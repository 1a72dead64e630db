/** Scenes within a measure of time: shortened, then told together, until they fit. Pure. */
import type { Kind, Scene } from "./scenes";

/** As long as a show may take before the table goes on, in milliseconds. */
export const BUDGET = 3000;
/** The least that one's own scene, and another's, is worth showing. */
const LEAST = { mine: 1200, other: 450 };
const WORDS = 4;

/** What is kept to the last when there is too much. */
const WEIGHT: Partial<Record<Kind, number>> = { win: 9, death: 8, caught: 6, struck: 6, curse: 5, theft: 5, betrayal: 5, victory: 5, loss: 4, fall: 4, level: 3, deal: 3, die: 3, escape: 3, run: 2, monster: 3, door: 1, turn: 1, skipped: 2, meanwhile: 0 };
const weight = (s: Scene): number => (s.mine ? 10 : 0) + (WEIGHT[s.kind] ?? 2);

/** Worth showing even to somebody in a hurry: what befell himself, and the end. */
export const weighty = (s: Scene): boolean => s.kind === "win" || (s.mine && (WEIGHT[s.kind] ?? 2) >= 4);

export const total = (scenes: readonly Scene[]): number => scenes.reduce((n, s) => n + s.length, 0);

/** Scenes that take no longer than `budget` together. The end of a game and one's own death are always played out. */
export function fit(scenes: readonly Scene[], budget = BUDGET): Scene[] {
  const won = scenes.findLast((s) => s.kind === "win");
  if (won) return [won]; // nothing matters any more
  let out = shorter([...scenes], budget);
  while (total(out) > budget && out.length > 1) out = shorter(fold(out), budget);
  return out;
}

/** All of them, hurried: others' first, one's own only if that is not enough. */
function shorter(scenes: Scene[], budget: number): Scene[] {
  const other = scenes.map((s) => (s.mine ? s : hurried(s, LEAST.other, budget - total(scenes.filter((x) => x.mine)), total(scenes.filter((x) => !x.mine)))));
  if (total(other) <= budget) return other;
  const rest = budget - total(other.filter((s) => !s.mine));
  return other.map((s) => (s.mine && s.kind !== "death" ? hurried(s, LEAST.mine, rest, total(other.filter((x) => x.mine))) : s));
}

function hurried(s: Scene, least: number, room: number, taken: number): Scene {
  const length = Math.round(taken > room ? (s.length * Math.max(0, room)) / taken : s.length);
  return { ...s, length: Math.min(s.length, Math.max(least, length)) };
}

/** The least of them becomes a line among what happened meanwhile. */
function fold(scenes: Scene[]): Scene[] {
  const kept = scenes.filter((s) => s.kind !== "meanwhile");
  const said = scenes.find((s) => s.kind === "meanwhile")?.words ?? [];
  const least = kept.reduce((a, b) => (weight(b) < weight(a) ? b : a));
  const rest = kept.filter((s) => s !== least);
  const words = [...said, caption(least)].slice(-WORDS);
  const strip: Scene = { ...least, kind: "meanwhile", card: -1, lost: [], by: -1, door: false, mine: false, title: "Meanwhile", words, length: 900 };
  return rest.length ? [strip, ...rest] : [strip];
}

/** A scene in one line. */
export function caption(s: Scene): string {
  return [s.title, s.words[0]].filter(Boolean).join(": ");
}
