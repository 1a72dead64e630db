/** Taps, as phones and servers exchange them (`lib/counting.ts`), and the one order they have. */
import type { Redo, Taps, Undo } from "../lib/counting";

export type { Taps } from "../lib/counting";
/** A tap that does something to the table; the others say which of these count. */
export type Deed = Exclude<Taps, Undo | Redo>;
export type Kind = Taps["kind"];
type Made = "id" | "clock" | "who" | "at" | "with";
type Bare<T> = T extends Taps ? Omit<T, Made> : never;
/** What somebody does, before the phone has put its name and number on it. */
export type Wish = Bare<Deed>;

/** Whoever knew of more comes later; among those who did not know of each other, by name. */
export const before = (a: { clock: number; id: string }, b: { clock: number; id: string }): number => a.clock - b.clock || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
