/** Several people at one device: each has a seat and its token here, one of them has the screen, and a curtain hangs between them.
 *
 * The others' seats keep a line of their own, so that the server knows that they are here and the page knows when they are asked. What comes over
 * these lines is not shown to anybody. */
import { Line, type Socket } from "./line";
import { patched } from "./patch";
import type { Heard, State } from "./protocol";
import { held, token } from "./session";
import { play } from "./sounds";
import type { Table } from "./table.svelte";
import { ui } from "./ui.svelte";

const GONE = new Set(["bad_token", "no_table", "archived"]);

/** A seat whose person does not have the screen at the moment. */
export class Waiting {
  state = $state.raw<State | null>(null);
  seat = $state(-1);
  readonly line: Line;
  #readied = -1;

  constructor(
    readonly table: string,
    readonly token: string,
    gone: () => void,
    connect?: (url: string) => Socket,
  ) {
    const scheme = typeof location !== "undefined" && location.protocol === "https:" ? "wss" : "ws";
    const where = typeof location !== "undefined" ? location.host : "localhost";
    this.line = new Line({
      url: `${scheme}://${where}/ws/tables/${encodeURIComponent(table)}`,
      token: () => token,
      heard: (m) => this.#heard(m, gone),
      status: () => undefined,
      ...(connect ? { connect } : {}),
    });
    this.line.start();
  }

  /** Is something asked of this one? */
  get asked(): boolean {
    return this.state !== null && this.state.table.status === "playing" && this.state.prompt.must && Object.keys(this.state.moves).length > 0;
  }

  get name(): string {
    return this.state?.table.seats[this.seat]?.name ?? "";
  }

  #heard(m: Heard, gone: () => void): void {
    if (m.t === "welcome") {
      this.seat = m.seat;
      this.state = m.state;
    } else if (m.t === "update" && this.state) {
      try {
        this.state = { ...patched(this.state, m.patch ?? []), clock: m.clock };
      } catch {
        this.line.close();
        this.line.start(); // out of step: everything again
      }
    } else if (m.t === "bye" && GONE.has(m.code)) {
      this.line.close();
      gone();
    }
    this.#ready();
  }

  /** Who sits at a device at which somebody plays is there, and ready: one need not take turns to say so. */
  #ready(): void {
    const t = this.state?.table;
    if (!t || t.status !== "lobby" || t.host === this.seat || t.seats[this.seat]?.ready !== false || this.#readied === t.game) return;
    this.#readied = t.game;
    void this.line.send({ t: "ready", ready: true }).then(() => setTimeout(() => (this.#readied = -1), 1000));
  }
}

/** Who has the screen, who waits, and for whom the curtain hangs. */
export class HotSeat {
  table = $state.raw<Table | null>(null);
  waiting = $state.raw<Waiting[]>([]);
  /** the seat that is called to the screen; nobody's cards are shown meanwhile */
  called = $state(-1);
  /** the one who was called is on the way to the screen */
  coming = $state(false);

  get several(): boolean {
    return this.waiting.length > 0;
  }

  /** The table that this page shows. Where several people share it, nobody's hand lies open when it is opened. */
  attach(table: Table): void {
    this.detach();
    this.table = table;
    this.sync();
  }

  detach(): void {
    for (const w of this.waiting) w.line.close();
    this.waiting = [];
    this.table = null;
    this.called = -1;
    this.coming = false;
  }

  /** A line for every seat that is held here and does not have the screen. */
  sync(): void {
    const t = this.table;
    if (!t) return;
    const others = held.of(t.id).filter((x) => x !== token.of(t.id));
    for (const w of this.waiting) if (!others.includes(w.token)) w.line.close();
    this.waiting = others.map((x) => this.waiting.find((w) => w.token === x) ?? new Waiting(t.id, x, () => this.#lost(x)));
  }

  #lost(gone: string): void {
    if (!this.table) return;
    held.drop(this.table.id, gone);
    this.sync();
  }

  /** Somebody sat down at this device. */
  add(value: string): void {
    if (!this.table) return;
    held.add(this.table.id, value);
    this.sync();
  }

  /** Somebody at this device gets up for good. */
  async leave(w: Waiting): Promise<void> {
    if ((await w.line.send({ t: "leave" })).ok) this.#lost(w.token);
  }

  /** Who has the screen gets up for good (that has been said); the next one comes to it. */
  up(): void {
    const t = this.table;
    const next = this.waiting[0];
    const mine = t && token.of(t.id);
    if (!t || !next || !mine) return;
    held.drop(t.id, mine);
    token.keep(t.id, next.token);
    this.sync();
    t.again();
    if (this.several) this.call(next.seat);
  }

  /** Draw the curtain for a seat. */
  call(seat: number): void {
    if (this.called === seat) return;
    this.called = seat;
    this.coming = false;
    ui.close();
    ui.rule = null;
    ui.zoom = -1;
    play("turn");
  }

  /** Whose turn at the screen it is: called again and again, as things change. */
  watch(): void {
    const t = this.table;
    if (!t || !this.several || t.table?.status !== "playing") {
      if (!this.coming) this.called = -1;
      return;
    }
    const asked = [...(t.myMove ? [t.seat] : []), ...this.waiting.filter((w) => w.asked).map((w) => w.seat)];
    const at = this.called >= 0 ? this.called : t.seat;
    // Whoever is at the screen keeps it until nothing is asked of him any more, and something of another.
    if (!this.coming && asked.length && !asked.includes(at)) this.call(asked[0]!);
  }

  /** "That is me": the one who was called has the screen. */
  take(): void {
    const t = this.table;
    const next = this.waiting.find((w) => w.seat === this.called);
    if (!t || this.called < 0) return;
    if (!next) {
      if (t.seat === this.called) this.called = -1;
      return;
    }
    this.coming = true;
    t.drop();
    token.keep(t.id, next.token);
    t.again();
    this.sync();
  }

  /** The screen shows the right seat: up with the curtain. */
  arrived(): void {
    if (this.coming && this.table?.status === "open" && this.table.seat === this.called) {
      this.coming = false;
      this.called = -1;
    }
  }
}

export const hotseat = new HotSeat();
