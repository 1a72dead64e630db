/** What is parted with, in the page's own words: a sale and Charity, as far as they are put together. Pure. */
import { gold } from "./cards";
import { type Move, seatOf } from "./moves";
import { many } from "./people";

/** What a level costs, as the bar of a sale is drawn. */
export const PRICE = 1000;

/** What the button says before it is pressed: nothing is sold yet. For how many levels is the game's to say, in the words of its move. */
export const selling = (end: Move | null): string => (end ? `Sell for ${many(Number(/(\d+) level/.exec(end.text)?.[1] ?? 1), "level")}` : "Not enough yet");

/** Where the cards go is known before one is chosen: from what may be chosen. */
export function parting(chosen: Move[], adds: Move[]): string {
  const it = chosen.length === 1 ? "it" : "them";
  return (chosen.length ? chosen : adds).some((m) => seatOf(m) >= 0) ? `Give ${it} away` : `Discard ${it}`;
}

/** Where one card of Charity goes. */
export const way = (m: Move, who: (seat: number) => string): string => (seatOf(m) >= 0 ? `to ${who(seatOf(m))}` : "discard");

/** Cards that may go to several people are one card each, with its ways. */
export function ways(adds: Move[]): Move[][] {
  const by = new Map<number, Move[]>();
  for (const m of adds) by.set(m.card ?? -1, [...(by.get(m.card ?? -1) ?? []), m]);
  return [...by.values()];
}

/** What was chosen for a sale: the price as every other price stands here. */
export const sold = (name: string, price: number, double: boolean): string => (double ? `${name}, ${gold(2 * price)}, twice its price` : `${name}, ${gold(price)}`);
