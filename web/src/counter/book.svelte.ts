/**
 * One counter on this phone: its operations, kept here at once, and the table they come to.
 *
 * Everything works without a line. What the server lacks is whatever is here and was not heard from it (`line.ts` sends that).
 */
import { keep, recall } from "../lib/session";
import { empty, fold, groupOf, sorted, type State, undone } from "./fold";
import { Shelf } from "./shelf";
import type { Taps, Wish } from "./taps";

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/** So many letters by lot: names that nobody else makes. */
export function lot(letters: number): string {
  return Array.from(globalThis.crypto.getRandomValues(new Uint8Array(letters)), (x) => LETTERS[x % LETTERS.length]!).join("");
}

/** What this phone is called in everything that is tapped on it. */
export function phone(): string {
  const known = recall("kickdoor.phone");
  if (known) return known;
  const made = lot(10);
  keep("kickdoor.phone", made);
  return made;
}

/** So many taps one undo may name. */
const NAMED = 60;
/** A clock that is further on than any game could be: whoever made it, this phone's own stays where it can still count. */
const FAR = 2 ** 39;

/** What servers refuse in a text: whatever moves a cursor or turns the writing round. Pasted along with a name it would keep the tap from ever getting there. */
const NO_TEXT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const written = (tap: object): object => Object.fromEntries(Object.entries(tap).map(([k, v]) => [k, typeof v === "string" ? v.replace(NO_TEXT, "") : v]));

export class Book {
  readonly id: string;
  readonly phone: string;
  #taps = new Map<string, Taps>();
  #shelf: Shelf;
  #clock = 0;
  /** heard from the server, so that it need not be told */
  #safe = new Set<string>();
  /** in their one order */
  taps = $state.raw<Taps[]>([]);
  state = $state.raw<State>(empty());
  /** taps that only this phone has, as far as it knows */
  waiting = $state(0);
  /** somebody else's taps, as they come in */
  heard: (taps: Taps[]) => void = () => undefined;
  /** there is something to send */
  made: () => void = () => undefined;

  constructor(id: string, phone: string) {
    this.id = id;
    this.phone = phone;
    this.#shelf = new Shelf(`kickdoor.counter.${id}`, (taps) => this.#merge(taps, false));
    this.#merge(this.#shelf.read(), false);
    this.#shelf.write([...this.#taps.values()]);
  }

  get blank(): boolean {
    return this.taps.length === 0;
  }

  /** Who holds this phone: nobody in particular, where one phone is for all. */
  get me(): string {
    return this.state.phones[this.phone] ?? "";
  }

  /** Done here: kept, shown, and sent when there is a line. Several at once are one thing, and undone as one. */
  tap(...wishes: Wish[]): void {
    const first = lot(12);
    this.#make(wishes.map((w, i) => ({ ...w, id: i ? lot(12) : first, ...(wishes.length > 1 ? { with: first } : {}) })));
  }

  #make(made: object[]): void {
    this.#merge(made.map((m) => ({ ...written(m), clock: ++this.#clock, who: this.phone, at: Date.now() }) as Taps), true);
    this.made();
  }

  /** From the server. */
  take(taps: readonly Taps[]): void {
    for (const t of taps) this.#safe.add(t.id);
    const fresh = this.#merge(taps, true);
    this.#count();
    if (fresh.length) this.heard(fresh);
  }

  /** The server has these now; or will not have them, and is not asked again. */
  settled(ids: readonly string[]): void {
    for (const id of ids) this.#safe.add(id);
    this.#count();
  }

  /** Everything is said again: it is another server, or one that has forgotten. */
  doubt(): void {
    this.#safe.clear();
    this.#count();
  }

  lacking(): Taps[] {
    return this.taps.filter((t) => !this.#safe.has(t.id));
  }

  #count(): void {
    this.waiting = this.lacking().length;
  }

  #merge(taps: readonly Taps[], store: boolean): Taps[] {
    const fresh = taps.filter((t) => !this.#taps.has(t.id));
    if (!fresh.length) return [];
    for (const t of fresh) {
      this.#taps.set(t.id, t);
      if (t.clock < FAR) this.#clock = Math.max(this.#clock, t.clock);
    }
    if (store) this.#shelf.add(fresh);
    this.taps = sorted(this.#taps.values());
    this.state = fold(this.taps);
    this.#count();
    return fresh;
  }

  // -- undo and redo: of what was done on this phone by its buttons, of anything by the log --------------------------------

  /** What was done here, and what was taken back here, each as the taps of one finger's work. */
  #stacks = $derived.by((): { done: string[][]; back: string[][] } => {
    const off = undone(this.taps);
    const groups = new Map<string, string[]>();
    let back: string[][] = [];
    for (const t of this.taps) {
      if (t.who !== this.phone || t.kind === "device") continue;
      if (t.kind === "undo") back.push(t.taps);
      else if (t.kind === "redo") back = back.filter((b) => b[0] !== t.taps[0]);
      else {
        const g = groupOf(t);
        groups.set(g, [...(groups.get(g) ?? []), t.id]);
        back = [];
      }
    }
    return { done: [...groups.values()].filter((g) => !off.has(g[0]!)), back: back.filter((g) => off.has(g[0]!)) };
  });

  get canUndo(): boolean {
    return this.#stacks.done.length > 0;
  }

  get canRedo(): boolean {
    return this.#stacks.back.length > 0;
  }

  undo(taps = this.#stacks.done.at(-1)): void {
    this.#about("undo", taps);
  }

  redo(taps = this.#stacks.back.at(-1)): void {
    this.#about("redo", taps);
  }

  #about(kind: "undo" | "redo", taps: readonly string[] = []): void {
    for (let i = 0; i < taps.length; i += NAMED) this.#make([{ kind, id: lot(12), taps: taps.slice(i, i + NAMED) }]);
  }

  close(): void {
    this.#shelf.close();
  }
}
