/** What a seat is doing, in a word, and how it looks. */
import { avatarOf, type AvatarName } from "./avatars";
import type { Table } from "./table.svelte";

export type Doing = "turn" | "thinking" | "passed" | "dead" | "idle";

export function doing(t: Table, seat: number): Doing {
  const g = t.game;
  if (!g) return "idle";
  if (g.players[seat]?.dead) return "dead";
  if (g.winners.length) return "idle";
  const plays = g.turn === seat && g.phase !== "creation"; // with the starting cards it is nobody's turn
  if (t.replay) return plays ? "turn" : "idle"; // in a recording nobody thinks any more
  if (g.awaited.includes(seat)) return "thinking";
  if (g.fight?.passed.includes(seat) || (t.clock?.kind === "window" && g.awaited.length > 0 && !g.awaited.includes(seat))) return "passed";
  return plays ? "turn" : "idle";
}

/** Who has the frame: whose turn it is, unless the table waits for an answer of somebody else (starting cards, a body that is looted, a Curse that asks). In a window everybody may act, and an offer holds nobody up: there it stays where the turn is. */
export function framed(t: Table, seat: number): boolean {
  const g = t.game;
  if (!g) return false;
  if (g.phase === "creation" && !g.winners.length) return g.awaited.includes(seat);
  const asked = g.asked?.seat ?? -1;
  const only = asked >= 0 && g.awaited.every((s) => s === asked) && !g.offers.some((o) => o.to === asked);
  return seat === (only ? asked : g.turn);
}

export function presence(t: Table, seat: number): string {
  const s = t.table?.seats[seat];
  if (!s || t.replay) return "";
  if (s.who === "bot") return "bot";
  if (s.standin) return "a bot plays";
  if (!s.here) return "away";
  return s.dozing ? "dozing" : "";
}

/** Seats in the order in which they sit to my left. */
export function around(t: Table): number[] {
  const n = t.game?.players.length ?? 0;
  const me = t.seat;
  if (me < 0) return [...Array(n).keys()];
  return Array.from({ length: n - 1 }, (_, i) => (me + 1 + i) % n);
}

/** The colour of a seat's token and standies: chosen in the lobby, or that of the place. */
export const colourOf = (t: Table, seat: number): string => TOKENS[(t.table?.seats[seat]?.colour ?? seat) % TOKENS.length]!;

/** The face of a seat. */
export const faceOf = (t: Table, seat: number): AvatarName => avatarOf({ ...t.table?.seats[seat], name: t.game?.players[seat]?.name ?? t.table?.seats[seat]?.name ?? "?" });

/** Where there is a board: the figure that stays in front of the player, to show whose colour it is (MM-3). */
export function otherFigure(t: Table, seat: number): string {
  const mine = t.game?.board?.standies.find((x) => x.seat === seat)?.figure;
  return mine ? (mine === "male" ? "female" : "male") : "";
}

/** A colour for each seat. It never says alone whose something is: the face or the name does. */
export const TOKENS = ["#b3382c", "#1f6fb0", "#2c7a45", "#8a4fb0", "#b06a00", "#0f7f86", "#a8326e", "#5d6b1f", "#4a5568", "#7a4a2a", "#3d4aa8", "#6a6a6a"];

/** A mark for each of these names: its first letter, and where several begin alike another that tells them apart, or a number where none does. */
export function marks(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name, i) => {
    const first = initial(name);
    const like = names.filter((n, j) => j !== i && initial(n) === first).map((n) => [...n.trim()]);
    const at = like.length ? [...name.trim()].map((c, k) => (k && c.trim() && like.every((n) => n[k] !== c) ? first + c : "")).find((m) => m && !used.has(m)) : first;
    const mark = at ?? (used.has(first) ? first + String(i + 1) : first);
    used.add(mark);
    return mark;
  });
}

export const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? "?";
