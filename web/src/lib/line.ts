/** The line to the server: says hello, comes back by itself when it drops, and repeats what was not answered. */
import { hello } from "./ahead";
import type { Answer, Heard, Said, Welcome } from "./protocol";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 4_000; // a table whose server has died goes on at another within seven seconds
const PING_EVERY = 15_000;
const SILENCE = 40_000;

/** As much of a WebSocket as is used, so that tests can bring their own. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((e: { data: unknown }) => void) | null;
  onclose: ((e: { code?: number; reason?: string }) => void) | null;
  onerror: (() => void) | null;
}

export type Status = "connecting" | "open" | "waiting" | "closed";
export type Command = Extract<Said, { id: string }>;
/** A command before it has an id. */
export type Words<C = Command> = C extends Command ? Omit<C, "id"> : never;

export interface LineOptions {
  url: string;
  token: () => string | null;
  watcher?: () => string | null;
  heard: (m: Heard) => void;
  status: (s: Status, retryAt: number) => void;
  connect?: (url: string) => Socket;
  now?: () => number;
  after?: (ms: number, fn: () => void) => unknown;
  stop?: (timer: unknown) => void;
  jitter?: () => number;
}

interface Open {
  command: Command;
  done: (a: Answer) => void;
}

let count = 0;
/** Unguessable enough, and unique; crypto.randomUUID is not there over plain http. */
export function freshId(): string {
  const a = new Uint32Array(2);
  globalThis.crypto.getRandomValues(a);
  return `${a[0]!.toString(36)}${a[1]!.toString(36)}-${(count++).toString(36)}`;
}

/** The same socket at another server: its address, our path. Null where that is where we are, or no address. */
export function elsewhere(url: string, server: string): string | null {
  try {
    const there = new URL(server);
    const here = new URL(url);
    if (there.host === here.host || !/^https?:$/.test(there.protocol)) return null;
    return `${there.protocol === "https:" ? "wss" : "ws"}://${there.host}${here.pathname}`;
  } catch {
    return null;
  }
}

export class Line {
  #o: Required<LineOptions>;
  #socket: Socket | null = null;
  #welcomed = false;
  #tries = 0;
  #timer: unknown = null;
  #beat: unknown = null;
  #lastHeard = 0;
  #closed = false;
  #open = new Map<string, Open>();
  /** Where another server keeps the table, as long as that is so; `url` is home. */
  #away: string | null = null;
  /** The server has said how long it will be away: milliseconds. */
  #pause = 0;
  seen = 0;

  constructor(options: LineOptions) {
    this.#o = {
      connect: (url) => new WebSocket(url) as unknown as Socket,
      now: () => Date.now(),
      after: (ms, fn) => setTimeout(fn, ms),
      stop: (t) => clearTimeout(t as ReturnType<typeof setTimeout>),
      jitter: () => Math.random(),
      watcher: () => null,
      ...options,
    };
  }

  get unanswered(): number {
    return this.#open.size;
  }

  start(): void {
    this.#closed = false;
    this.#dial();
  }

  /** Hang up for good. */
  close(): void {
    this.#closed = true;
    this.#o.stop(this.#timer);
    this.#o.stop(this.#beat);
    this.#drop();
    this.#o.status("closed", 0);
  }

  /** Now, not later (the person tapped, or the device woke up). */
  retry(): void {
    if (this.#closed || this.#welcomed) return;
    this.#o.stop(this.#timer);
    this.#drop();
    this.#dial();
  }

  /** The page is seen again: is the line still alive? */
  wake(): void {
    if (!this.#welcomed) this.retry();
    else if (this.#o.now() - this.#lastHeard > PING_EVERY * 2) this.#lost();
    else this.#ping();
  }

  /** Send a command; the promise is kept when its answer is here, over however many lines. */
  send(words: Words): Promise<Answer> {
    const command = { ...words, id: freshId() } as Command;
    return new Promise((done) => {
      this.#open.set(command.id, { command, done });
      if (this.#welcomed) this.#socket?.send(JSON.stringify(command));
    });
  }

  #dial(): void {
    this.#o.status("connecting", 0);
    let socket: Socket;
    try {
      socket = this.#o.connect(this.#away ?? this.#o.url);
    } catch {
      this.#again();
      return;
    }
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(hello(this.#o.token(), this.#o.watcher, this.seen));
    };
    socket.onmessage = (e) => {
      if (socket === this.#socket) this.#message(String(e.data));
    };
    socket.onerror = () => undefined;
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #message(text: string): void {
    this.#lastHeard = this.#o.now();
    let m: Heard;
    try {
      m = JSON.parse(text) as Heard;
    } catch {
      return;
    }
    if (m.t === "welcome") this.#welcome(m);
    else if (m.t === "update") this.seen = Math.max(this.seen, m.seq);
    else if (m.t === "answer") {
      const open = this.#open.get(m.id);
      this.#open.delete(m.id);
      this.#o.heard(m);
      open?.done(m);
      return;
    } else if (m.t === "moved") {
      const there = elsewhere(this.#o.url, m.url);
      this.#lost(); // whoever was asked does not have it; if that was not home, home may know better
      this.#away = there;
      return;
    } else if (m.t === "bye") this.#pause = (m.back ?? 0) * 1000;
    this.#o.heard(m);
  }

  #welcome(m: Welcome): void {
    this.#tries = 0;
    this.#welcomed = true;
    this.seen = m.seq;
    this.#o.status("open", 0);
    for (const { command } of this.#open.values()) this.#socket?.send(JSON.stringify(command));
    this.#schedulePing();
  }

  #schedulePing(): void {
    this.#o.stop(this.#beat);
    this.#beat = this.#o.after(PING_EVERY, () => {
      if (this.#o.now() - this.#lastHeard > SILENCE) this.#lost();
      else this.#ping();
    });
  }

  #ping(): void {
    this.#socket?.send(JSON.stringify({ t: "ping" }));
    this.#schedulePing();
  }

  #lost(): void {
    this.#away = null; // unless we are sent there again
    this.#drop();
    this.#o.stop(this.#beat);
    if (!this.#closed) this.#again();
  }

  #drop(): void {
    const s = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    if (!s) return;
    s.onopen = s.onmessage = s.onclose = s.onerror = null;
    s.close();
  }

  #again(): void {
    const usual = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries);
    const wait = Math.max(this.#pause, usual) * (0.75 + this.#o.jitter() / 2);
    this.#pause = 0;
    this.#tries += 1;
    this.#o.status("waiting", this.#o.now() + wait);
    this.#timer = this.#o.after(wait, () => this.#dial());
  }
}
