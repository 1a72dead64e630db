/** Card texts in pieces: plain, numbers (bold), words that have rules (tap for them). Always text, never HTML. */

export interface Piece {
  text: string;
  as: "plain" | "number" | "word";
}

const PARTS = /([+−-]?\d[\d,]*)|\b(run away|ran away|Bad Stuff|Treasures?|Curses?|Big|levels?|Undead|Hirelings?|Steeds?|one-shots?|usable once|Race|Class|Footgear|Headgear|Armor|help(?:er)?s?|discards?)\b/gi;

export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const m of text.matchAll(PARTS)) {
    if (m.index > at) out.push({ text: text.slice(at, m.index), as: "plain" });
    out.push({ text: m[0], as: m[1] !== undefined ? "number" : "word" });
    at = m.index + m[0].length;
  }
  if (at < text.length) out.push({ text: text.slice(at), as: "plain" });
  return out;
}

const vowel = (c: string | undefined): boolean => /[aeiouyäöü]/i.test(c ?? "");
/** A name whose words of so many letters may be broken between syllables, with a hyphen: browsers without a dictionary would break them anywhere, or not at all. */
export const breakable = (name: string, letters = 9): string => name.replace(/[\p{L}'’]{9,}/gu, (w) => w.length < letters ? w : [...w].map((c, i) => (opens(w, i) ? `\u00ad${c}` : c)).join(""));

/** Does a syllable open with this letter of a word: a consonant, or two that are one sound, before a vowel? Three letters stay together at either end. */
function opens(w: string, i: number): boolean {
  if (i < 3 || i > w.length - 3 || vowel(w[i])) return false;
  const pair = /^(th|ch|sh|ph|gh|wh|qu|tr|dr|br|cr|gr|pr|fr|bl|cl|gl|pl|fl|st)/i.test(w.slice(i));
  if (pair) return vowel(w[i + 2]) || /^(th|ch|sh)r/i.test(w.slice(i));
  return vowel(w[i + 1]) && !/(th|ch|sh|ph|gh|wh|tr|dr|br|cr|gr|pr|fr|bl|cl|gl|pl|fl|st)$/i.test(w.slice(i - 1, i + 1));
}

/** The letters of the longest word of a name: what a narrow place has to hold. */
export const longest = (name: string): number => Math.max(4, ...name.split(/\s+/).map((w) => w.length));

/** A name that needs a line of its own where names stand two in a row. */
export const lengthy = (name: string): boolean => name.length > 20;

/** "I'm done (you are losing)" is a button with a second line. */
export function split(text: string): [main: string, more: string] {
  const m = /^([^:(]{3,}?)(?:: | \()(.+?)\)?$/.exec(text);
  return m ? [m[1]!, m[2]!] : [text, ""];
}
