/** The counter's own sentences (`tongues/en.ts`) in the tongue of this phone. Plain, so that it works without a page; `tongue.svelte.ts` says which one it is. */
import { en } from "./tongues/en.ts";

export type Key = keyof typeof en;
/** All sentences of one tongue. */
export type Tongue = Readonly<Record<Key, string>>;

type Name<H extends string> = H extends `${infer N}|${string}` ? N : H;
type Holes<S extends string> = S extends `${string}{${infer H}}${infer Rest}` ? Name<H> | Holes<Rest> : never;
type Fillings<K extends Key> = [Holes<(typeof en)[K]>] extends [never] ? [] : [Record<Holes<(typeof en)[K]>, string | number>];

/** Which form of a word stands for a number, in the order in which a tongue writes them; what is not named here has one and many. */
const FORMS: Record<string, readonly Intl.LDMLPluralRule[]> = {
  cs: ["one", "few", "other"],
  pl: ["one", "few", "many"],
  ru: ["one", "few", "many"],
  uk: ["one", "few", "many"],
};
export const forms = (code: string): readonly Intl.LDMLPluralRule[] => FORMS[code] ?? ["one", "other"];

const rules = new Map<string, Intl.PluralRules>();
function form(code: string, n: number): number {
  let r = rules.get(code);
  if (!r) rules.set(code, (r = new Intl.PluralRules(code)));
  const all = forms(code);
  const i = all.indexOf(r.select(n));
  return i < 0 ? all.length - 1 : i;
}

/** A sentence with its holes filled. */
export function filled(code: string, sentence: string, holes: Readonly<Record<string, string | number>> = {}): string {
  return sentence.replace(/\{(\w+)((?:\|[^{}|]*)*)\}/g, (_, name: string, words: string) => (words ? (words.split("|").slice(1)[form(code, Number(holes[name]))] ?? "") : String(holes[name] ?? "")));
}

interface Spoken {
  code: string;
  table: Tongue;
}
let spoken = (): Spoken => ({ code: "en", table: en });
/** Whoever knows which tongue it is: asked for every sentence, so that a page hears of a change. */
export const speak = (ask: () => Spoken): void => void (spoken = ask);

export function tr<K extends Key>(key: K, ...holes: Fillings<K>): string {
  const { code, table } = spoken();
  return filled(code, table[key], holes[0]);
}

/** The engine speaks English: where it and the counter can say the same thing, the counter's words are taken in other tongues. */
export const engines = (theirs: string, ours: () => string): string => (spoken().code === "en" && theirs ? theirs : ours());
export const english = (): boolean => spoken().code === "en";
/** For dates and times: as the device writes them, unless its tongue is another. */
export const locale = (): string | undefined => {
  const { code } = spoken();
  return code === "en" || navigator.language.startsWith(code) ? undefined : code;
};

/** "Ann", "Ann and Bob", "Ann, Bob and Cid" */
const row = (all: readonly string[], last: "and" | "or"): string => (all.length > 1 ? tr(last, { a: all.slice(0, -1).join(", "), b: all.at(-1)! }) : (all[0] ?? ""));
export const listed = (all: readonly string[]): string => row(all, "and");
export const either = (all: readonly string[]): string => row(all, "or");

/** What is asked of the rules for a sheet. The name is used only where the sheet is not one's own. */
export const couldAsk = (me: string, sheet: string, who: string): string => (sheet === me ? tr("couldI") : tr("couldWho", { who }));

const called = (prefix: string): Map<string, Key> => new Map((Object.keys(en) as Key[]).filter((k) => k.startsWith(prefix)).map((k) => [en[k], k]));
const [KINDS, TERMS] = [called("kind"), called("term")];
const plain = (known: Map<string, Key>, word: string): string => {
  const key = known.get(word);
  return key ? (tr as (k: Key) => string)(key) : word;
};

/** What `kindWords` says of a card. */
export const kindSaid = (words: string): string => words.split(" · ").map((w) => plain(KINDS, w)).join(" · ");

/** A line of a sum. What is a card's name stays as it is. */
export function termSaid(name: string): string {
  const by = /^(.*): (by hand|against this side)$/.exec(name);
  if (by) return tr(by[2] === "by hand" ? "termSwing" : "termAgainst", { name: plain(TERMS, by[1]!) });
  return plain(TERMS, name);
}
