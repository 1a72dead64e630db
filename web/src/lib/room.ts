/**
 * How much room there is: it is letters that count, not pixels.
 *
 * The size of a letter grows with the window, and every length of the page is so many letters. So one layout serves a laptop with
 * browser bars and a large screen alike, and larger letters (a setting) lead to the layout that has room for them.
 */
import type { TextSize } from "./settings.svelte";

/** desk: all around the table at once; tablet: the same, one above the other; phone: for the thumb; flat: a phone lying down. */
export type Shape = "desk" | "tablet" | "phone" | "flat";
export interface Room {
  /** pixels */
  rem: number;
  shape: Shape;
}

const TEXT: Record<TextSize, number> = { small: 0.875, normal: 1, large: 1.19, huge: 1.375 };
const BASE = 16;
/** A window of so many letters is what a layout is drawn for; with fewer than the least it is not used. */
const DESK = { wide: 82, high: 45, least: { wide: 64, high: 39 }, letters: { small: 13.2, large: 25 } };
const TABLET = { wide: 52, high: 74, least: { wide: 42, high: 48 }, letters: { small: 14.5, large: 22 } };
const FLAT_HEIGHT = 34;

type Drawn = typeof DESK;

function letters(width: number, height: number, d: Drawn): number {
  const x = Math.min(width / d.wide, height / d.high);
  const grown = x > BASE ? BASE + (x - BASE) / 2 : x; // half of what is gained goes into letters, half into room for cards
  return Math.min(d.letters.large, Math.max(d.letters.small, grown));
}

/** Letters of the size that is asked for; a little smaller where the layout fits only so; none where even that does not help. */
function drawn(width: number, height: number, scale: number, d: Drawn): number | null {
  const rem = Math.min(letters(width, height, d) * scale, width / d.least.wide, height / d.least.high);
  return rem >= d.letters.small * scale ? rem : null;
}

export function room(width: number, height: number, text: TextSize): Room {
  const scale = TEXT[text];
  const wide = width >= height * 1.15;
  const shape = wide ? "desk" : "tablet";
  const rem = drawn(width, height, scale, wide ? DESK : TABLET);
  if (rem !== null) return { rem, shape };
  return wide && height < FLAT_HEIGHT * BASE * scale ? { rem: BASE * 0.9 * scale, shape: "flat" } : { rem: BASE * scale, shape: "phone" };
}
