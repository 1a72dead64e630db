/** When a clause counts, in words. */
import type { Clause } from "../lib/counting";

const named = (traits: readonly string[]): string => traits.map((t) => t.charAt(0).toUpperCase() + t.slice(1).replaceAll("_", " ")).join(" or ");

export function when(c: Pick<Clause, "any" | "none" | "level_at_least" | "level_at_most" | "helper">): string {
  const parts = [
    c.any.length ? `with ${named(c.any)}` : "",
    c.none.length ? `without ${named(c.none)}` : "",
    c.level_at_least && c.level_at_most ? `at Level ${c.level_at_least} to ${c.level_at_most}` : c.level_at_least ? `from Level ${c.level_at_least} on` : c.level_at_most ? `up to Level ${c.level_at_most}` : "",
    c.helper === null ? "" : c.helper ? "with a helper" : "without a helper",
  ].filter(Boolean);
  return parts.length ? `Counts ${parts.join(", ")}.` : "";
}
