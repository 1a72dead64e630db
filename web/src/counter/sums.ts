/**
 * A fight without a line: what the engine has exported about each card (`CardFacts`), added up. No rule stands here; what a card does beyond its exported
 * terms is not counted, and named in `unknown`. What counts under a condition is in `conditions`: whether it holds is read off the sheets where they say it, and
 * whoever sits at the table may say otherwise.
 */
import type { CardFacts, Clause, Held, Position, Sheet, TermTold } from "../lib/counting";

/** An amount that counts if something is so. */
export interface Condition {
  thing: string;
  /** which of the card's clauses */
  index: number;
  name: string;
  card: string;
  clause: Clause;
  /** so often it counts now */
  times: number;
  /** somebody has said so; else the sheets */
  said: boolean;
}

/** How often a clause of a thing holds, if somebody has said so. */
export type Said = (thing: string, index: number) => number | undefined;

export interface Sums {
  munchkins: number;
  monsters: number;
  munchkin_terms: TermTold[];
  monster_terms: TermTold[];
  /** the munchkins win ties */
  ties: boolean;
  winning: boolean;
  treasures: number;
  levels: number;
  conditions: Condition[];
  /** cards that may do more than was counted, or are not known on this phone */
  unknown: string[];
}

type Facts = (label: string) => CardFacts | undefined;

interface Fighter {
  sheet: Sheet;
  /** what he is: `elf`, `wizard`, `male` ... */
  is: Set<string>;
}

const worn = (s: Sheet): Held[] => (s.cards ?? []).filter((h) => h.worn !== false);

function fighter(sheet: Sheet, facts: Facts): Fighter {
  const is = new Set<string>([sheet.sex ?? "male"]);
  for (const h of worn(sheet)) for (const t of (h.card ? facts(h.card)?.traits : undefined) ?? []) is.add(t);
  return { sheet, is };
}

/** How often a clause counts by the sheets: once for its owner; of a monster, once for each fighter whom it fits. */
function times(c: Clause, who: readonly Fighter[], helped: boolean): number {
  const main = who[0];
  if (!main || c.by_hand) return 0;
  const level = main.sheet.level ?? 1;
  if (level < c.level_at_least || (c.level_at_most && level > c.level_at_most)) return 0;
  if (c.helper !== null && c.helper !== helped) return 0;
  const fits = (f: Fighter): boolean => (!c.any.length || c.any.some((t) => f.is.has(t))) && !c.none.some((t) => f.is.has(t));
  if (c.to === "fighters") return who.filter(fits).length;
  return (!c.any.length || who.some((f) => c.any.some((t) => f.is.has(t)))) && !who.some((f) => c.none.some((t) => f.is.has(t))) ? 1 : 0;
}

/** Does it count whatever happens? Then there is nothing to say about it. */
const always = (c: Clause): boolean => !c.by_hand && !c.any.length && !c.none.length && !c.level_at_least && !c.level_at_most && c.helper === null;

export function sums(position: Position, facts: Facts, said: Said = () => undefined): Sums {
  const fight = position.fight;
  const ours: TermTold[] = [];
  const theirs: TermTold[] = [];
  const unknown = new Set<string>();
  const conditions: Condition[] = [];
  let [ties, treasures, levels] = [false, 0, 0];
  if (!fight) return { munchkins: 0, monsters: 0, munchkin_terms: ours, monster_terms: theirs, ties, winning: false, treasures, levels, conditions, unknown: [] };
  const sheets = [fight.main, fight.helper].flatMap((id) => position.sheets.filter((s) => s.sheet === id && id));
  const who = sheets.map((s) => fighter(s, facts));
  const helped = who.length > 1;
  const term = (to: TermTold[], amount: number, name: string, thing = "", sheet = ""): void => void (amount && to.push({ amount, name, thing, sheet, rule: "" }));
  const known = (label: string | undefined, name: string): CardFacts | undefined => {
    const f = label ? facts(label) : undefined;
    if (label && (!f || !f.whole)) unknown.add(f?.name ?? name);
    return f;
  };
  const counts = (f: CardFacts, c: Clause, index: number, for_: readonly Fighter[], thing: string, name: string): number => {
    const told = said(thing, index);
    const n = told ?? times(c, for_, helped);
    if (!always(c)) conditions.push({ thing, index, name, card: f.label, clause: c, times: n, said: told !== undefined });
    return c.amount * n;
  };
  const clauses = (f: CardFacts | undefined, for_: readonly Fighter[], thing: string, name: string): number => (f?.clauses ?? []).reduce((n, c, i) => n + counts(f!, c, i, for_, thing, name), 0);

  for (const f of who) {
    term(ours, f.sheet.level ?? 1, "Level", "", f.sheet.sheet);
    term(ours, f.sheet.gear ?? 0, "Gear", "", f.sheet.sheet);
    for (const h of worn(f.sheet)) {
      const card = known(h.card, h.name ?? "");
      const name = h.name || card?.name || "A card";
      term(ours, (h.bonus ?? 0) + (card?.bonus ?? 0) + clauses(card, [f], h.thing, name), name, h.thing, f.sheet.sheet);
      if (card?.wins_ties) ties = true;
    }
  }
  for (const p of fight.played ?? []) {
    const card = known(p.card, p.name ?? "");
    const name = p.name || card?.name || "A card";
    term(p.side === "munchkins" ? ours : theirs, (p.bonus ?? 0) + (card?.bonus ?? 0) + clauses(card, who, p.thing, name), name, p.thing);
  }
  for (const m of fight.foes) {
    const card = known(m.card, m.name ?? "");
    const name = m.name || card?.name || "Monster";
    term(theirs, card?.level ?? m.level ?? 1, name, m.thing);
    for (const [i, c] of (card?.clauses ?? []).entries()) term(c.to === "fighters" ? ours : theirs, counts(card!, c, i, who, m.thing, name), `${name}: against this side`, m.thing);
    term(theirs, m.swing ?? 0, `${name}: by hand`, m.thing);
    treasures += m.treasures ?? card?.treasures ?? 1;
    levels += m.levels ?? card?.levels ?? 1;
    for (const e of m.enhancers ?? []) {
      const on = known(e.card, e.name ?? "");
      const called = e.name || on?.name || "An enhancer";
      term(theirs, (e.bonus ?? 0) + (on?.bonus ?? 0) + clauses(on, who, e.thing, called), called, e.thing);
      treasures += on?.treasures ?? 0;
    }
  }
  term(ours, fight.munchkins ?? 0, "By hand");
  term(theirs, fight.monsters ?? 0, "By hand");
  const add = (all: TermTold[]): number => all.reduce((n, t) => n + t.amount, 0);
  const [munchkins, monsters] = [add(ours), add(theirs)];
  return { munchkins, monsters, munchkin_terms: ours, monster_terms: theirs, ties, winning: munchkins > monsters || (ties && munchkins === monsters), treasures: Math.max(0, treasures), levels, conditions, unknown: [...unknown] };
}
