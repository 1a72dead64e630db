/**
 * The line of a counter: tells the server the taps it lacks, hears those that this phone lacks, and comes back by itself.
 *
 * Nothing waits for it. What is said is said again until the server has it.
 */
import { type Heard, type Taps, VERSION } from "../lib/counting";
import { elsewhere, type Socket } from "../lib/line";
import type { Book } from "./book.svelte";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5_000;
const PING_EVERY = 15_000;
const SILENCE = 35_000;
/** As much as one message takes: taps, and letters of them. */
const MOST = 50;
const LETTERS = 7_000;

/** together: everybody's phone has what this one has. apart: there is no line. none: the server does not have this counter, and will not. */
export type Standing = "calling" | "together" | "sending" | "apart" | "none";

export interface WireOptions {
  url: string;
  /** bring a counter that was begun without a line to the server; false: it will not have it */
  bring: () => Promise<boolean>;
  connect?: (url: string) => Socket;
  /** what the server has said of it already: its line of numbers, and so many taps */
  line?: number;
  have?: number;
}

/** Taps in handfuls that one message takes. */
export function handfuls(taps: readonly Taps[]): Taps[][] {
  const out: Taps[][] = [];
  let letters = Infinity;
  for (const t of taps) {
    const size = JSON.stringify(t).length + 1;
    if (letters + size > LETTERS || out.at(-1)!.length >= MOST) {
      out.push([]);
      letters = 0;
    }
    out.at(-1)!.push(t);
    letters += size;
  }
  return out;
}

export class Wire {
  standing = $state<Standing>("calling");
  /** phones on the line, by their names */
  here = $state.raw<string[]>([]);
  says = $state("");
  /** taps that the server will never have: only this phone counts them */
  stuck = $state(0);
  #book: Book;
  #o: Required<WireOptions>;
  #socket: Socket | null = null;
  #welcomed = false;
  #line = 0;
  #have = 0;
  #upTo = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setTimeout> | undefined;
  #heardAt = 0;
  #closed = false;
  #brought = false;
  #away: string | null = null;
  /** said on this line, and not answered yet */
  #said = new Set<string>();

  constructor(book: Book, options: WireOptions) {
    this.#book = book;
    this.#o = { connect: (url) => new WebSocket(url) as unknown as Socket, line: 0, have: 0, ...options };
    [this.#line, this.#have] = [this.#o.line, this.#o.have];
    book.made = () => this.#tell();
  }

  start(): void {
    this.#closed = false;
    this.#dial();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  /** The phone has woken up, or has a network again: now, not later. */
  wake(): void {
    if (this.#closed) return;
    if (!this.#welcomed || Date.now() - this.#heardAt > PING_EVERY * 2) {
      clearTimeout(this.#timer);
      this.#drop();
      this.#dial();
    } else this.#say({ t: "ping", n: 0 });
  }

  /** The device has lost its network: what is said now would be said to nobody. It goes on trying. */
  cut(): void {
    if (!this.#closed && this.#socket) this.#lost();
  }

  #dial(): void {
    const s = this.#o.connect(this.#away ?? this.#o.url);
    this.#socket = s;
    this.#welcomed = false;
    this.#said.clear();
    s.onopen = () => this.#say({ t: "hello", v: VERSION, device: this.#book.phone, line: this.#line, have: this.#have });
    s.onmessage = (e) => this.#hear(JSON.parse(String(e.data)) as Heard);
    s.onclose = () => s === this.#socket && this.#lost();
    s.onerror = () => undefined; // a close follows
    this.#watch();
  }

  #drop(): void {
    clearTimeout(this.#beat);
    const s = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    if (s) s.close();
  }

  #lost(wait = 0): void {
    this.#drop();
    this.here = [];
    if (this.#closed) return;
    if (this.standing !== "none") this.standing = "apart";
    this.#away = null;
    const pause = wait || Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#dial(), pause);
  }

  #watch(): void {
    clearTimeout(this.#beat);
    this.#heardAt = Date.now();
    this.#beat = setTimeout(() => {
      if (Date.now() - this.#heardAt > SILENCE - PING_EVERY) return this.#lost();
      this.#say({ t: "ping", n: 1 });
      this.#beat = setTimeout(() => this.#lost(), SILENCE - PING_EVERY);
    }, PING_EVERY);
  }

  #say(message: object): void {
    try {
      this.#socket?.send(JSON.stringify(message));
    } catch {
      /* it was not open: it will be said again */
    }
  }

  #tell(): void {
    if (!this.#welcomed) return;
    const left = this.#book.lacking().filter((t) => !this.#said.has(t.id));
    for (const taps of handfuls(left)) {
      for (const t of taps) this.#said.add(t.id);
      this.#say({ t: "taps", taps });
    }
    this.#stand();
  }

  #stand(): void {
    this.standing = !this.#welcomed ? "apart" : this.#book.waiting ? "sending" : "together";
  }

  #hear(m: Heard): void {
    this.#watch();
    if (m.t === "welcome") {
      this.#tries = 0;
      this.says = "";
      this.#line = m.line;
      this.#upTo = m.seq;
      this.#have = m.first;
      if (m.first === 0) this.#book.doubt();
      if (this.#have >= this.#upTo) this.#caughtUp();
    } else if (m.t === "news") {
      this.#have = Math.max(this.#have, (m.first ?? 0) + m.taps.length);
      this.#book.take(m.taps);
      if (!this.#welcomed && this.#have >= this.#upTo) this.#caughtUp();
      else this.#stand();
    } else if (m.t === "took") {
      this.#book.settled(m.ids);
      this.#stand();
    } else if (m.t === "refused") this.#refused(m.ids, m.says, m.again ?? 0);
    else if (m.t === "here") this.here = m.devices;
    else if (m.t === "problem") this.says = m.says;
    else if (m.t === "moved") {
      const there = elsewhere(this.#o.url, m.url);
      this.#drop();
      this.#away = there;
      this.#timer = setTimeout(() => this.#dial(), there ? 0 : FIRST_WAIT);
    } else if (m.t === "bye") void this.#bye(m.code, m.says, m.back ?? 0);
  }

  /** Everything the server had is here: now what it has not. */
  #caughtUp(): void {
    this.#welcomed = true;
    this.#tell();
  }

  #refused(ids: string[], says: string, again: number): void {
    if (again > 0) {
      setTimeout(() => {
        for (const id of ids) this.#said.delete(id);
        this.#tell();
      }, again * 1000);
      return;
    }
    this.says = says;
    this.stuck += ids.length;
    this.#book.settled(ids);
    this.#stand();
  }

  async #bye(code: string, says: string, back: number): Promise<void> {
    const unknown = code === "no_counter" || code === "archived";
    if (unknown) this.#line = this.#have = 0; // if it is made again, its numbers begin anew
    this.#drop();
    this.says = says;
    if (unknown && !this.#book.blank && !this.#brought) {
      this.#brought = await this.#o.bring().catch(() => false);
      if (this.#brought) this.says = "";
      return this.#lost(this.#brought ? 1 : 0);
    }
    if (unknown) this.standing = "none";
    this.#lost(back * 1000);
  }
}
