/** Seats in the lobby: whether there can be more or fewer of them, and why not. */
import type { SeatState } from "./protocol";

type Seats = readonly Pick<SeatState, "who">[];
export const LEAST = 2;
export const MOST = 12;

const free = (seats: Seats): boolean => seats.some((s) => s.who === "open");

/** Why there cannot be a seat less; empty: there can. */
export function noFewer(seats: Seats): string {
  if (seats.length <= LEAST) return `There are at least ${LEAST} seats.`;
  return free(seats) ? "" : "Only a free seat can go: set a bot’s to “Free” first.";
}

/** Why there cannot be one more. */
export const noMore = (seats: Seats): string => (seats.length >= MOST ? `More than ${MOST} seats there are not.` : "");

/** Somebody more wants to sit down: on a seat that is free, on one that the host adds, or not yet, and why. */
export function roomFor(seats: Seats, host: boolean): { how: "free" | "added" | "none"; says: string } {
  if (free(seats)) return { how: "free", says: "" };
  if (host && !noMore(seats)) return { how: "added", says: "Every seat is taken: one more is put up for them." };
  return { how: "none", says: host ? "Every seat is taken: set a bot’s to “Free” first." : "Every seat is taken: the host can free one, or add one." };
}
