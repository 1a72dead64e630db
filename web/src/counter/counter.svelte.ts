/** One counter as its page has it: the book, the line, what is open on the screen, and what the engine says about the fight. */
import { getContext, setContext } from "svelte";
import { tapsAhead } from "../lib/ahead";
import type { CardFacts, FightTold, SheetChange } from "../lib/counting";
import { TOKENS } from "../lib/seats";
import { ask } from "./asking";
import { Book, lot, phone } from "./book.svelte";
import { deck } from "./cards.svelte";
import { remember } from "./counters";
import { hand } from "./device.svelte";
import { cardsOf, conditionKey, type Fight, fightNow, foesOf, type Place, said, seated, type Sheet, sheetOf, type Side, type State, type Thing } from "./fold";
import { told as lines } from "./log";
import { position } from "./position";
import { type Sums, sums } from "./sums";
import type { Taps, Wish } from "./taps";
import { Wire } from "./wire.svelte";
import { tr } from "./words";

export type Tab = "people" | "fight" | "dice" | "rules" | "log";
/** What a card is looked for: to lie before somebody, or for everybody; to join the fight, on a side of it or on a monster; or only to be looked at. */
export type Errand = { for: "sheet"; sheet: string } | { for: "table" } | { for: "foe" } | { for: "side"; side: Side } | { for: "on_foe"; foe: string } | { for: "could"; sheet: string } | { for: "hold" } | { for: "look" };
export type Open = { sheet: "table" } | { sheet: "person"; id: string } | { sheet: "card"; errand: Errand } | { sheet: "thing"; id: string } | { sheet: "settings" } | { sheet: "invite" } | { sheet: "fighters" } | null;

interface Notice {
  id: number;
  text: string;
  taps: string[];
}

const SHOWN = 6000;

export class Counter {
  readonly id: string;
  book: Book;
  wire: Wire;
  tab = $state<Tab>("people");
  picked = $state("");
  open = $state.raw<Open>(null);
  /** what somebody else did to my sheet: shown for a moment, never in the way */
  notices = $state.raw<Notice[]>([]);
  /** the engine's word about the fight as it stood when it was asked */
  word = $state.raw<{ fight: string; about: string; told: FightTold } | null>(null);
  unanswered = $state("");
  /** cards in a hand, by their labels: told to nobody but the engine, and forgotten with its answer */
  held = $state.raw<string[]>([]);
  #asked = "";
  #n = 0;

  constructor(id: string) {
    this.id = id;
    this.book = new Book(id, phone());
    const sent = tapsAhead(id);
    if (sent) this.book.take(sent.taps);
    const ws = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/counter/${id}`;
    this.wire = new Wire(this.book, { url: ws, bring: () => bring(id, this.book.taps.slice(0, 50)), ...(sent ? { line: sent.line, have: sent.taps.length } : {}) });
    this.book.heard = (taps) => this.#notice(taps);
    this.keep();
  }

  get s(): State {
    return this.book.state;
  }

  get people(): Sheet[] {
    return seated(this.s);
  }

  get fight(): Fight | null {
    return fightNow(this.s);
  }

  /** Whose sheet is large: the one that was tapped, else mine, else whose turn it is. */
  get current(): Sheet | undefined {
    return this.people.find((p) => p.id === this.picked) ?? this.people.find((p) => p.id === this.book.me) ?? this.people.find((p) => p.id === this.s.turn) ?? this.people[0];
  }

  who(id: string): string {
    return sheetOf(this.s, id)?.name ?? tr("somebody");
  }

  tap(...wishes: Wish[]): void {
    this.book.tap(...wishes);
    this.keep();
  }

  keep(): void {
    if (this.people.length) remember(this.id, this.s);
  }

  /** Printed figures of what lies before somebody: what depends on anything is the engine's to say. */
  bonusOf(t: Thing): number {
    return t.bonus + (t.card ? (deck.of(t.card)?.bonus ?? 0) : 0);
  }

  gearOf(p: Sheet): number {
    return p.gear + cardsOf(this.s, p.id).reduce((n, t) => n + (t.place === "worn" ? this.bonusOf(t) : 0), 0);
  }

  strength(p: Sheet): number {
    return p.level + this.gearOf(p);
  }

  // -- what is done ------------------------------------------------------------------------------------------------------

  sit(name: string, sex: "male" | "female", avatar: string, mine = true): void {
    const sheet = lot(8);
    const used = new Set(this.s.sheets.map((p) => p.colour));
    const colour = TOKENS.find((c) => !used.has(c)) ?? TOKENS[this.s.sheets.length % TOKENS.length]!;
    this.tap({ kind: "person", sheet, name: name.trim() || tr("playerN", { n: this.s.sheets.length + 1 }), sex, colour, avatar });
    if (mine) this.tap({ kind: "device", sheet });
  }

  next(): void {
    const all = this.people;
    if (!all.length) return;
    const to = all[(all.findIndex((p) => p.id === this.s.turn) + 1) % all.length]!;
    this.tap({ kind: "turn", sheet: to.id });
    if (!this.book.me) this.picked = to.id;
  }

  begin(main: string): void {
    this.tap({ kind: "fight", fight: lot(8), main });
    this.tab = "fight";
  }

  /** A card, or a name and a number, for what it was looked for. `level` is a monster's. */
  lay(errand: Errand, what: { card?: CardFacts | undefined; name: string; bonus?: number; level?: number; treasures?: number; place?: Place; on?: string }): void {
    const f = this.fight;
    const known = what.card;
    const thing = { kind: "put" as const, thing: lot(8), name: what.name.slice(0, 60), ...(known ? { card: known.label } : {}), ...(!known && what.bonus ? { bonus: what.bonus } : {}) };
    if (errand.for === "hold") {
      if (known) this.held = [...this.held, known.label];
      return;
    }
    if (errand.for === "sheet" && known?.kind === "go_up_a_level") this.tap({ kind: "level", sheet: errand.sheet, by: known.levels || 1, why: known.name });
    else if (errand.for === "sheet") this.tap({ ...thing, place: what.place ?? "worn", sheet: errand.sheet, ...(what.on ? { on: what.on } : {}) });
    else if (errand.for === "table") this.tap({ ...thing, place: "table" });
    else if (!f) return;
    else if (errand.for === "foe") this.tap({ ...thing, place: "foe", fight: f.id, ...(known ? {} : { level: what.level ?? 1, treasures: what.treasures ?? 1, levels: 1 }) });
    else if (errand.for === "on_foe" && known && !known.kind.endsWith("enhancer")) this.lay({ for: "side", side: "monsters" }, what); // it lies beside the monster, not on it
    else if (errand.for === "on_foe") this.tap({ ...thing, place: "on_foe", fight: f.id, on: errand.foe });
    else if (errand.for === "side") this.tap({ ...thing, place: errand.side, fight: f.id, ...(this.book.me ? { sheet: this.book.me } : {}) });
    hand.feel();
  }

  away(...things: Thing[]): void {
    const with_ = things.flatMap((t) => [t, ...this.s.things.filter((x) => x.on === t.id && x.place !== "away")]);
    this.tap(...with_.map((t): Wish => ({ kind: "put", thing: t.id, place: "away" })));
  }

  /** What the engine says becomes of sheets, carried over in one go. */
  carry(changes: readonly SheetChange[], first: Wish[] = [], fight = ""): void {
    const wishes: Wish[] = [...first];
    for (const c of changes) {
      if (c.died) wishes.push({ kind: "died", sheet: c.sheet, ...(fight ? { fight } : {}) });
      if (c.level) wishes.push({ kind: "level", sheet: c.sheet, by: c.level, ...(fight ? { fight } : {}) });
      if (c.sex === "male" || c.sex === "female") wishes.push({ kind: "person", sheet: c.sheet, sex: c.sex });
      for (const id of c.away) wishes.push({ kind: "put", thing: id, place: "away" });
    }
    if (wishes.length) this.tap(...wishes);
    hand.feel(30);
  }

  roll(sides = 6): number {
    const most = Math.floor(256 / sides) * sides; // every face as likely as any other
    for (;;) {
      const x = globalThis.crypto.getRandomValues(new Uint8Array(1))[0]!;
      if (x < most) return 1 + (x % sides);
    }
  }

  shuffle(): void {
    const ids = this.people.map((p) => p.id);
    for (let i = ids.length - 1; i > 0; i--) {
      const j = this.roll(i + 1) - 1;
      [ids[i], ids[j]] = [ids[j]!, ids[i]!];
    }
    this.tap({ kind: "order", sheets: ids, lot: true });
  }

  first(): void {
    const all = this.people;
    if (all.length) this.tap({ kind: "turn", sheet: all[this.roll(all.length) - 1]!.id, lot: true });
  }

  // -- the fight, by the engine, and without a line by what it has exported --------------------------------------------------

  /** By printed figures and the conditions that the engine exports; `unknown` says what that leaves out. */
  get reckoned(): Sums | null {
    const f = this.fight;
    return f ? sums(position(this.s, f), (l) => deck.of(l), (thing, i) => said(this.s, thing, i)) : null;
  }

  /** Whether, or how often, a condition of a card holds: read off the sheets, unless somebody says it. */
  say(thing: string, index: number, times: number): void {
    this.tap({ kind: "mark", about: thing, key: conditionKey(index), value: times });
  }

  /** Nobody can be asked now: there is no line, or no answer. */
  get alone(): boolean {
    return !!this.unanswered || (this.wire.standing !== "together" && this.wire.standing !== "sending");
  }

  get told(): FightTold | null {
    const f = this.fight;
    return f && this.word?.fight === f.id && this.word.about === this.question ? this.word.told : null;
  }

  /** The fight as it is asked about: a change of anything that matters is another question. */
  get question(): string {
    const f = this.fight;
    return f && foesOf(this.s, f.id).length ? JSON.stringify([position(this.s, f), this.held]) : "";
  }

  async consult(): Promise<void> {
    const [about, f] = [this.question, this.fight];
    if (!f || !about || this.#asked === about) return;
    this.#asked = about;
    try {
      const told = await ask.fight({ position: position(this.s, f), hand: this.held.slice(0, 20) });
      if (this.#asked !== about) return;
      this.word = { fight: f.id, about, told };
      this.unanswered = "";
    } catch (e) {
      if (this.#asked !== about) return;
      this.#asked = "";
      this.unanswered = (e as Error).message;
    }
  }

  // -- others ------------------------------------------------------------------------------------------------------------

  #notice(taps: Taps[]): void {
    this.keep();
    const me = this.book.me;
    if (!me) return;
    const fresh = new Set(taps.map((t) => t.id));
    const about = lines(this.book.taps).filter((l) => l.about === me && l.phone !== this.book.phone && !l.off && l.taps.some((t) => fresh.has(t)) && Date.now() - l.at < 60_000);
    for (const l of about.slice(-2)) {
      const id = ++this.#n;
      const by = l.holder ? this.who(l.holder) : tr("anotherPhoneDid");
      this.notices = [...this.notices.slice(-1), { id, text: `${by}: ${l.text}`, taps: l.taps }];
      setTimeout(() => this.dismiss(id), SHOWN);
    }
    if (about.length) hand.feel(40);
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((n) => n.id !== id);
  }

  close(): void {
    this.wire.close();
    this.book.close();
  }
}

/** A counter that began on this phone, for the server. */
export async function bring(id: string, taps: readonly Taps[]): Promise<boolean> {
  const r = await fetch("/api/counter", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ counter: id, taps }) });
  return r.ok;
}

const KEY = Symbol("counter");
export const giveCounter = (c: Counter): Counter => setContext(KEY, c);
export const useCounter = (): Counter => getContext<Counter>(KEY);
