/** The lines of a sum, each with whose it is. */
import type { FightState as Fight, TermState } from "./protocol";

export interface Line extends TermState {
  /** -1: nobody's in particular */
  seat: number;
}

/** Level lines come in order, the fighter's first; what else a munchkin brings is told by who has the card. */
export function lines(terms: TermState[], fight: Fight, owner: (card: number) => number, monsters = false): Line[] {
  const fighters = [fight.main, fight.helper].filter((s) => s >= 0);
  let levels = 0;
  return terms.map((t) => ({ ...t, seat: monsters ? -1 : t.card < 0 ? (fighters[levels++] ?? -1) : owner(t.card) }));
}
