/** What a player has in play, laid out as people lay it out: who he is, what he wears, what he carries, what plagues him. */
import type { CardInfo as Card, PlayerState as Player } from "./protocol";

export interface Belongings {
  traits: number[];
  worn: number[];
  carried: number[];
  friends: number[];
  others: number[];
  plagues: number[];
  /** what the player has brought along */
  beside: number[];
  /** card -> what is attached to it */
  on: Map<number, number[]>;
}

const TRAITS = new Set(["race", "class", "power"]);
const FRIENDS = new Set(["hireling", "steed"]);

export function belongings(p: Player, card: (n: number) => Card | undefined): Belongings {
  const out: Belongings = { traits: [], worn: [], carried: [], friends: [], others: [], plagues: [], beside: [...(p.accessories ?? [])], on: new Map() };
  const plagues = new Set(p.afflictions);
  for (const c of p.table) {
    const host = p.attached[c];
    if (host !== undefined && p.table.includes(host)) {
      out.on.set(host, [...(out.on.get(host) ?? []), c]);
      continue;
    }
    const d = card(c);
    if (plagues.has(c) || d?.kind === "curse") plagues.add(c);
    else if (!d) out.others.push(c);
    else if (TRAITS.has(d.kind) || d.name === "Half-Breed" || d.name === "Super Munchkin") out.traits.push(c);
    else if (FRIENDS.has(d.kind)) out.friends.push(c);
    else if (p.equipped.includes(c)) out.worn.push(c);
    else if (d.gold !== null) out.carried.push(c);
    else out.others.push(c);
  }
  out.plagues = [...plagues];
  return out;
}

/** Where a card of somebody's is, in a word: who sells or trades wants to know what he does without. */
export function whereabouts(p: Player, c: number, card: (n: number) => Card | undefined): string {
  const name = (n: number): string => card(n)?.name ?? "a card";
  if (p.hand?.includes(c)) return "in the hand";
  const lies = p.accessories?.includes(c) ? "brought along" : p.afflictions.includes(c) ? "a Curse that stays" : p.attached[c] !== undefined ? `on ${name(p.attached[c])}` : card(c)?.gold != null ? (p.equipped.includes(c) ? "in use" : "carried") : "";
  return [lies, p.borne[c] !== undefined ? `borne by ${name(p.borne[c])}` : ""].filter(Boolean).join(", ");
}
