/** The lines of a sum, each with whose it is. */
import type { FightState as Fight } from "./protocol";

export interface Line {
  n: number;
  /** -1: a Level */
  card: number;
  /** -1: nobody's in particular */
  seat: number;
  rule: string;
}

/** As it is sent: [amount, card, rule], or with the seat before the rule. */
export type TermRow = [number, number, string] | [number, number, number, string];

/** Level lines come in order, the fighter's first; what else a munchkin brings is told by who has the card. */
export function lines(rows: TermRow[], fight: Fight, owner: (card: number) => number, monsters = false): Line[] {
  const fighters = [fight.main, fight.helper].filter((s) => s >= 0);
  let levels = 0;
  return rows.map((r) => {
    const [n, card] = r;
    if (r.length === 4) return { n, card, seat: r[2], rule: r[3] };
    const seat = monsters ? -1 : card < 0 ? (fighters[levels++] ?? -1) : owner(card);
    return { n, card, seat, rule: r[2] };
  });
}
