/** Card facts of the sets in the box: for looking up, and for counting without a line. Fetched once for a mix, and kept by the service worker. */
import type { CardFacts, CardsTold } from "../lib/counting";
import { Refused } from "../lib/api";
import { tr } from "./words";

/** What did not come is not asked for again at once. */
const PAUSE = 4000;

class Deck {
  cards = $state.raw<CardFacts[]>([]);
  #by = new Map<string, CardFacts>();
  /** the sets they are of, or will be; nothing of a page that fetches may depend on it, or it would fetch for ever */
  #packs = "";
  #lacks = $state(false);
  coming = $state(false);
  #failed = "";
  #at = 0;

  get problem(): string {
    return this.#lacks ? tr("cardsLater") : "";
  }

  async want(packs: readonly string[]): Promise<void> {
    const key = [...packs].join(",");
    if (!key || key === this.#packs || (key === this.#failed && Date.now() - this.#at < PAUSE)) return;
    this.#packs = key;
    this.#lacks = false;
    this.coming = true;
    try {
      const r = await fetch(`/api/counter/cards?packs=${encodeURIComponent(key)}`);
      if (!r.ok) throw new Refused(r.status, "cards", ((await r.json()) as { says?: string }).says ?? "The cards did not come.");
      const told = (await r.json()) as CardsTold;
      if (this.#packs !== key) return;
      this.cards = told.cards;
      this.#by = new Map(told.cards.map((c) => [c.label, c]));
    } catch {
      if (this.#packs !== key) return;
      this.#packs = "";
      [this.#failed, this.#at] = [key, Date.now()];
      this.#lacks = true;
    } finally {
      if (this.#packs === key || !this.#packs) this.coming = false;
    }
  }

  of(label: string): CardFacts | undefined {
    return this.cards.length ? this.#by.get(label) : undefined; // read so that whoever shows it is told when they come
  }
}

export const deck = new Deck();

const plain = (s: string): string => s.toLowerCase().normalize("NFD").replace(/[^\p{L}\p{N} ]/gu, "");

/** Cards by a few letters of their names: those that begin so, then those with a word that does, then those that have them anywhere. */
export function find(cards: readonly CardFacts[], letters: string, fits: (c: CardFacts) => boolean, most = 30): CardFacts[] {
  const wanted = plain(letters).trim();
  if (wanted.length < 2) return [];
  const words = wanted.split(/\s+/);
  const scored = cards.flatMap((c) => {
    if (!fits(c)) return [];
    const name = plain(c.name);
    const score = name.startsWith(wanted) ? 0 : words.every((w) => ` ${name}`.includes(` ${w}`)) ? 1 : words.every((w) => name.includes(w)) ? 2 : -1;
    return score < 0 ? [] : [{ c, score }];
  });
  return scored.sort((a, b) => a.score - b.score || a.c.name.localeCompare(b.c.name, "en")).slice(0, most).map((x) => x.c);
}
