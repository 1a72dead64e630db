/** What would come of help, in a sentence; the figures are the server's. */
import { versus } from "./cards";
import { type Company, told } from "./people";
import type { OfferState, ProspectState } from "./protocol";

/** "With Suzan 6 to 4: you win and keep 1 of 2." */
export function outcome(t: Company, p: ProspectState, main: number, helper: number, share: number): string {
  const gaps = { h: helper, m: main, sums: versus(p) };
  if (!p.winning) return told(t, "Even with {h} it is {sums}: {m} [m:loses].", gaps);
  if (!p.treasures) return told(t, "With {h} {sums}: {m} [m:wins]. There is no Treasure.", gaps);
  const rest = p.treasures - share;
  const kept = rest ? `[m:keeps] ${rest === p.treasures ? (["", "the Treasure", "both Treasures"][rest] ?? `all ${rest} Treasures`) : `${rest} of ${p.treasures}`}` : "[m:keeps] no Treasure";
  const gets = share ? `, {h} [h:gets] ${share}` : "";
  return told(t, `With {h} {sums}: {m} [m:wins] and ${kept}${gets}.`, gaps);
}

const PICKS = ["{m} [m:picks] first", "{h} [h:picks] first", "{m} [m:chooses] which"];

/** Who picks, as part of a deal (HELP-8) and of a sentence. -1: nothing is said. */
export const picking = (t: Company, picks: number, main: number, helper: number): string => told(t, `, ${PICKS[picks] ?? ""}`, { m: main, h: helper }).slice(2);

/** Who would fight and who would help in an offer of help. */
export const sides = (o: OfferState): [main: number, helper: number] => [o.helper === o.by ? o.to : o.by, o.helper];
