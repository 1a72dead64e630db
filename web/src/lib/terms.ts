/** The lines of a sum, each with whose it is. */
import type { FightState as Fight, TermState } from "./protocol";

export interface Line extends TermState {
  /** -1: nobody's in particular */
  seat: number;
  /** of a card that is in the sum already: why it counts once more, if its text says so */
  why: string;
}

/** The words of a card's text that follow a number in it: "+3 against Dwarves." says of +3 "against Dwarves". */
export function because(text: string, amount: number): string {
  const number = `${amount < 0 ? "[-−]" : "\\+"}${Math.abs(amount)}`;
  return new RegExp(`${number} ((?:against|for|if|with|while|when|in|on|to|as|after|per)\\b[^.;:!?]*)`, "i").exec(text)?.[1]?.trim() ?? "";
}

/** Level lines come in order, the fighter's first; what else a munchkin brings is told by who has the card. */
export function lines(terms: TermState[], fight: Fight, owner: (card: number) => number, monsters = false, text: (card: number) => string = () => ""): Line[] {
  const fighters = [fight.main, fight.helper].filter((s) => s >= 0);
  let levels = 0;
  const again = (t: TermState, i: number): boolean => t.card >= 0 && terms.findIndex((x) => x.card === t.card) < i;
  return terms.map((t, i) => ({ ...t, why: again(t, i) ? because(text(t.card), t.amount) || (t.rule === "COMBAT-13" ? "its own text" : "") : "", seat: monsters ? -1 : t.card < 0 ? (fighters[levels++] ?? -1) : owner(t.card) }));
}
