/** What can be chosen in the lobby, for the sets that are on the table. */
import type { About, Evening, Option, Pack } from "./api";
import { many } from "./people";
import type { Json, OptionsState } from "./protocol";

/** Options as far as they have been chosen. */
export type Chosen = Partial<OptionsState>;

const of = (about: About, packs: string[]) => about.packs.filter((p) => packs.includes(p.id));

const USUAL = "classic";

/** The boxes that are games of their own, as they stand on the shelf: the best known first. */
export const boxesOf = (about: About): Pack[] => about.packs.filter((p) => p.core).sort((a, b) => Number(b.id === USUAL) - Number(a.id === USUAL));

/** Does any of these sets have the cards that an option is about? */
export const fitting = (about: About, packs: string[], o: Option): boolean => !o.needs || of(about, packs).some((p) => p.kinds.includes(o.needs));

/** The cards by whose name this can be answered as well: the Dungeons of these sets. */
export const namesFor = (about: About, packs: string[], o: Option): string[] => (o.names === "dungeon" ? [...new Set(of(about, packs).flatMap((p) => p.dungeons))].sort() : []);

/** Options without what these sets know nothing of any more. */
export function wanted(about: About, options: Chosen): Chosen {
  const packs = options.packs ?? [];
  const gone = about.options.filter((o) => !fitting(about, packs, o));
  const house = options.house ?? [];
  const rules = Object.entries(options.rules ?? {});
  const odd = (field: string, value: Json): boolean => {
    const o = about.options.find((x) => x.field === field);
    if (!o) return false;
    return gone.includes(o) || !(o.choices.some(([v]) => v === value) || !o.names || namesFor(about, packs, o).includes(String(value)));
  };
  return { ...options, house: house.filter((h) => !gone.some((o) => o.id === h)), rules: Object.fromEntries(rules.filter(([k, v]) => !odd(k, v))) };
}

/** How many cards a set has, and in which decks. */
export const counted = (p: Pack): string => (p.doors + p.treasures + p.more ? many(p.doors + p.treasures + p.more, "card") : "In no deck");

/** Is this the mix of an evening? The first set gives the rules, the order of the others says nothing. */
export const isEvening = (e: Evening, o: Chosen): boolean => {
  const packs = o.packs ?? [];
  return packs[0] === e.packs[0] && packs.length === e.packs.length && e.packs.every((p) => packs.includes(p)) && e.house.every((h) => o.house?.includes(h));
};

/** The choices that were made about the rules, in words. */
export function told(about: About, options: Chosen): string[] {
  const rules = options.rules ?? {};
  return about.options.flatMap((o) => {
    if (!o.field || !(o.field in rules)) return [];
    const value = rules[o.field];
    return [`${o.title}: ${o.choices.find(([v]) => v === value)?.[1] ?? String(value)}`];
  });
}
