/** When a clause counts, in words. */
import type { Clause } from "../lib/counting";
import { either, tr } from "./words.ts";

const named = (traits: readonly string[]): string => either(traits.map((t) => t.charAt(0).toUpperCase() + t.slice(1).replaceAll("_", " ")));

export function when(c: Pick<Clause, "any" | "none" | "level_at_least" | "level_at_most" | "helper">): string {
  const parts = [
    c.any.length ? tr("whenWith", { what: named(c.any) }) : "",
    c.none.length ? tr("whenWithout", { what: named(c.none) }) : "",
    c.level_at_least && c.level_at_most ? tr("whenBetween", { a: c.level_at_least, b: c.level_at_most }) : c.level_at_least ? tr("whenFrom", { n: c.level_at_least }) : c.level_at_most ? tr("whenUpTo", { n: c.level_at_most }) : "",
    c.helper === null ? "" : c.helper ? tr("whenHelped") : tr("whenAlone"),
  ].filter(Boolean);
  return parts.length ? tr("counts", { when: parts.join(", ") }) : "";
}
