/**
 * Sentences about people: who hears them is "you", everybody else has a name. The one place of the page that knows; what the server says has its own (paper/grammar.py), with the same pattern.
 *
 *     told(table, "It is {w's} turn.", { w: 2 })    told(table, "{w} [helps] {o} for {n}.", { w: 0, o: 1, n: "1 Treasure" })
 *
 * Gaps that are numbers are seats. Verbs in brackets go with the first person, or with the one they name: [o:has]. Who does something to himself is named once: "You play it on yourself."
 */

export interface Person {
  name: string;
  you: boolean;
  many?: boolean;
  sex?: string;
}
type Word = string | Person;

/** As much of a table as knows its people. */
export interface Company {
  seat: number;
  game: { players: { name: string; sex?: string }[] } | null;
  table: { seats: { name: string }[] } | null;
}

const nameOf = (t: Company, seat: number): string => t.game?.players[seat]?.name ?? t.table?.seats[seat]?.name ?? "somebody";

const PART = /\{(\w+)('s(?: own)?)?\}|\[(?:(\w+):)?([\w' ]+)\]/g;
const VERBS: Record<string, string> = { is: "are", was: "were", has: "have", does: "do" };

/** The form of a verb for you and for many: "take", "are". */
export function several(verb: string): string {
  if (VERBS[verb]) return VERBS[verb];
  if (verb.endsWith("ies") && verb.length > 4) return `${verb.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|zz|o)es$/.test(verb)) return verb.slice(0, -2);
  return verb.endsWith("s") ? verb.slice(0, -1) : verb;
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Ann; Ann and Bob; Ann, Bob and Cid. */
export const listed = (names: string[], nothing = "nobody"): string => (names.length < 2 ? (names[0] ?? nothing) : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/** 1 Treasure, 2 Treasures. */
export const many = (n: number, what: string): string => `${n} ${what}${Math.abs(n) === 1 ? "" : "s"}`;

const cased = (p: Person, c: string | undefined): string => (p.you ? (c === "'s" ? "your" : c ? "yours" : "you") : c ? `${p.name}’s` : p.name);

/** Yourself, himself, herself, themselves; of one whose sex is not said: themself. */
const reflexive = (p: Person): string => (p.you ? "yourself" : p.many ? "themselves" : p.sex === "male" ? "himself" : p.sex === "female" ? "herself" : "themself");
const same = (a: Person | undefined, b: Person): boolean => a !== undefined && a.name === b.name && a.you === b.you && b.name !== "somebody";

export function render(text: string, words: Record<string, Word>): string {
  let out = "";
  let at = 0;
  let subject: Person | undefined;
  for (const m of text.matchAll(PART)) {
    out += text.slice(at, m.index);
    at = m.index + m[0].length;
    const [, gap, form, whose, verb] = m;
    if (verb !== undefined) {
      const p = whose ? words[whose] : subject;
      out += typeof p === "object" && (p.you || p.many) ? several(verb) : verb;
      continue;
    }
    const word = words[gap!] ?? "";
    if (typeof word === "string") {
      out += word;
      continue;
    }
    const begins = /(^|[.!?] )$/.test(out);
    const does = text.startsWith(" [", at); // who does something more is named again
    const said = !begins && !form && !does && same(subject, word) ? reflexive(word) : cased(word, form);
    subject ??= word;
    out += begins ? capital(said) : said;
  }
  return (out + text.slice(at)).replace(/([!?…])\.$/, "$1");
}

/** The people of these seats as one: "Ann and you". */
export function together(t: Company, seats: number[]): Person {
  const names = [...seats.filter((s) => s !== t.seat).map((s) => nameOf(t, s)), ...(seats.includes(t.seat) && t.seat >= 0 ? ["you"] : [])];
  const only = seats.length === 1 && seats[0] === t.seat && t.seat >= 0;
  return { name: listed(names), you: only, many: seats.length > 1, sex: seats.length === 1 ? t.game?.players[seats[0]!]?.sex : undefined };
}

/** A sentence as this page's person hears it. A number is a seat, a list of them several people. */
export function told(t: Company, text: string, gaps: Record<string, string | number | number[]>): string {
  const words = Object.entries(gaps).map(([k, v]): [string, Word] => [k, typeof v === "string" ? v : together(t, typeof v === "number" ? [v] : v)]);
  return render(text, Object.fromEntries(words));
}

/** What a die has to show. Said like this wherever a chance is said: bonuses are in it already, so that a throw has one figure before it and in it. */
export const onDie = (need: number): string => `${need} or more on the die`;

/** A throw as it lies there: its face, or where something is added the sum, which is then what counts. */
export function thrown(p: { die?: number; bonus?: number; need?: number }): string {
  const die = p.die ?? 0;
  return (p.bonus ? `${die} ${p.bonus > 0 ? "+" : "−"} ${Math.abs(p.bonus)} = ${die + p.bonus}` : `${die} on the die`) + (p.need ? `, needs ${p.need}` : "");
}

/** What it takes to get away from somebody, as a sentence without its stop. The figures are the engine's. */
export function escaping(t: Company, x: { seat: number; need: number; chance: number }, from: string): string {
  if (x.need === 0) return told(t, "{w} [gets] away from {from} without a throw", { w: x.seat, from });
  if (x.need > 6) return told(t, "{w} cannot get away from {from}", { w: x.seat, from });
  return told(t, "{w} [needs] {n} to get away from {from}: {chance}%", { w: x.seat, from, n: onDie(x.need), chance: String(x.chance) });
}
