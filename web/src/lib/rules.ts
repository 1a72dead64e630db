/** The rulebook on this device: where a rule stands, and a search for when there is no server to ask. */
import type { ChapterInfo, RuleInfo } from "./protocol";

export const chapterOf = (rule: string): string => rule.replace(/-\d+$/, "");
export const ruleHref = (rule: string): string => `/rules/${encodeURIComponent(chapterOf(rule))}#${encodeURIComponent(rule)}`;

/** The chapters under the heads of the contents, in their order. */
export function contents(book: readonly ChapterInfo[]): [string, ChapterInfo[]][] {
  const parts = new Map<string, ChapterInfo[]>();
  for (const c of book) parts.set(c.part, [...(parts.get(c.part) ?? []), c]);
  return [...parts];
}

/** The rules that have most of these words in them. The server's search knows what people mean; this one only what they write. */
export function findHere(book: readonly ChapterInfo[], words: string, most = 12): RuleInfo[] {
  const wanted = [...new Set(words.toLowerCase().match(/[\p{L}\d-]{2,}/gu) ?? [])];
  if (!wanted.length) return [];
  const scored = book.flatMap((c) =>
    c.rules.map((r) => {
      const text = `${r.id} ${c.title} ${r.says} ${r.detail}`.toLowerCase();
      return { r, n: wanted.filter((w) => text.includes(w)).length, length: text.length };
    }),
  );
  return scored.filter((x) => x.n > 0).sort((a, b) => b.n - a.n || a.length - b.length).slice(0, most).map((x) => x.r);
}
