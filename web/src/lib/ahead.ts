/**
 * What a page will need first, begun before its program is here: this module is the entry and small, the program is large.
 *
 * The server sends along what it knows (`server/ahead.py`): what can be chosen in a lobby, the cards of the table and its box, or the taps of a counter. A table's line is dialled
 * and says hello; `line.ts` takes it over with everything that was heard on it. The letters are asked for before the styles are read, so that they are there
 * when something is written, and nothing moves. At a table that is played they would only be in the way of its program, which works for a while before it writes anything:
 * there they are asked for when it has come (`letters`).
 */
import body from "@fontsource/atkinson-hyperlegible/files/atkinson-hyperlegible-latin-400-normal.woff2?url";
import italic from "@fontsource/atkinson-hyperlegible/files/atkinson-hyperlegible-latin-400-italic.woff2?url";
import bold from "@fontsource/atkinson-hyperlegible/files/atkinson-hyperlegible-latin-700-normal.woff2?url";
import display from "@fontsource/grenze/files/grenze-latin-800-normal.woff2?url";
import lead from "@fontsource/grenze/files/grenze-latin-600-normal.woff2?url";
import almendra from "@fontsource/almendra/files/almendra-latin-700-normal.woff2?url";
import cinzel from "@fontsource/cinzel/files/cinzel-latin-800-normal.woff2?url";
import grandstander from "@fontsource/grandstander/files/grandstander-latin-800-normal.woff2?url";
import rye from "@fontsource/rye/files/rye-latin-400-normal.woff2?url";
import gothic from "@fontsource-variable/grenze-gotisch/files/grenze-gotisch-latin-wght-normal.woff2?url";
import type { Taps } from "./counting";
import type { Socket } from "./line";
import { type About, type CardInfo, type Said, VERSION } from "./protocol";
import { token, watcher } from "./session";

/** The letters of titles, by the box whose look the page wears (looks.css): where they are, and what they are called. */
const CLASSIC = [display, '800 1em "Grenze"'] as const;
const TITLES: Record<string, readonly [string, string]> = { bites: [almendra, '700 1em "Almendra"'], good_bad: [rye, '400 1em "Rye"'], magical_mess: [grandstander, '800 1em "Grandstander"'], shakespeare: [cinzel, '800 1em "Cinzel"'] };
const TEXTS = ['400 1em "Atkinson Hyperlegible"', '700 1em "Atkinson Hyperlegible"'];

/** A counter for real cards as the server has it: its line of numbers, and all taps. */
export interface Tapped {
  line: number;
  taps: Taps[];
}

interface Sent {
  about?: About;
  cards?: string;
  box?: string;
  counter?: Tapped;
}

/** Data in the document. */
function data<T extends object>(id: string): Partial<T> {
  try {
    return JSON.parse(document.getElementById(id)?.textContent ?? "{}") as Partial<T>;
  } catch {
    return {};
  }
}

/** A line that was dialled ahead: it keeps what it hears until somebody takes it, and hello is said once. */
class Dialled implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((e: { data: unknown }) => void) | null = null;
  onclose: ((e: { code?: number; reason?: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #line: WebSocket;
  #kept: { data: unknown }[] | null = [];
  #over: CloseEvent | null = null;

  constructor(
    readonly url: string,
    readonly hello: string,
  ) {
    this.#line = new WebSocket(url);
    this.#line.onopen = () => this.#line.send(hello);
    this.#line.onmessage = (e) => (this.#kept ? this.#kept.push(e) : this.onmessage?.(e));
    this.#line.onclose = (e) => (this.#kept ? (this.#over = e) : this.onclose?.(e));
  }

  /** Somebody listens from now on. */
  taken(): this {
    queueMicrotask(() => this.onopen?.());
    return this;
  }

  send(text: string): void {
    if (!this.#kept) return this.#line.send(text);
    const heard = this.#kept;
    this.#kept = null;
    if (text !== this.hello) return this.onclose?.({}); // somebody else sits here meanwhile: dial again
    for (const e of heard) this.onmessage?.(e);
    if (this.#over) this.onclose?.(this.#over);
  }

  close(): void {
    this.#kept = null;
    this.#line.close();
  }
}

/** What is said first on a line, by who holds a seat or only watches, and has seen so much of the table. */
export function hello(token: string | null, watcher: () => string | null, have: number): string {
  const said: Said = { t: "hello", v: VERSION, token, have: have || null, ...(token ? {} : { watcher: watcher() }) };
  return JSON.stringify(said);
}
export const socketOf = (table: string): string => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/tables/${encodeURIComponent(table)}`;

/** Where the cards of a table are. Its name is in it: that way they are asked of whoever has the table. */
export const cardsOf = (table: string, hash: string): string => `/api/tables/${encodeURIComponent(table)}/cards/${encodeURIComponent(hash)}`;

let dialled: Dialled | null = null;
let about: About | null = null;
let tapped: (Tapped & { counter: string }) | null = null;
let writing: string[] | null = null;
let cards: { hash: string; coming: Promise<CardInfo[]> } | null = null;

function hint(rel: string, href: string, more: Partial<HTMLLinkElement> = {}): Promise<unknown> {
  const link = Object.assign(document.createElement("link"), { rel, href, crossOrigin: "", ...more });
  const come = new Promise((done) => (link.onload = link.onerror = done));
  document.head.append(link);
  return come;
}

const boxOf = (taps: Taps[]): string => taps.flatMap((t) => (t.kind === "table" && t.packs ? t.packs.slice(0, 1) : [])).at(-1) ?? "";

/** A page waits so long (milliseconds) for its letters, and is then drawn with others: what has been written would move when they come, and be laid out twice. */
const PATIENCE = 400;
const STEPS = 4; // while the page itself works, nothing can arrive: that does not count as waiting
const soon = async (): Promise<void> => {
  for (let i = 0; i < STEPS; i++) await new Promise((done) => setTimeout(done, PATIENCE / STEPS));
};

/** Begin with what the page at this address needs; kept when it may be drawn. */
export function begin(): Promise<unknown> {
  const known = data<Sent>("ahead");
  about = known.about ?? null;
  const table = /^\/t\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  const home = location.pathname === "/";
  const counter = /^\/counter\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  if (counter && known.counter) tapped = { ...known.counter, counter };
  if (about) for (const part of data<Record<string, string[]>>("parts")[home ? "Home" : "Lobby"] ?? []) void hint("modulepreload", part);
  const box = known.box ?? boxOf(tapped?.taps ?? []);
  const [title, called] = TITLES[box] ?? CLASSIC;
  if (known.cards) writing = [...TEXTS, called];
  const fonts = known.cards ? [] : [body, bold, title, ...(about && !counter ? [gothic] : []), ...(home ? [lead] : about && !counter ? [italic] : [])]; // in a lobby bots are quoted
  const letters = Promise.all(fonts.map((f) => hint("preload", f, { as: "font", type: "font/woff2" })));
  if (table && !location.hash.includes("move=")) dial(decodeURIComponent(table), known.cards); // a seat that is brought along is taken first
  return about && !counter ? Promise.race([letters, soon()]) : Promise.resolve();
}

/** The program and the styles are here: now the letters of a table that is played. Kept when they are there, or have been waited for; null where nobody waits. */
export const letters = (): Promise<unknown> | null => writing && Promise.race([Promise.allSettled(writing.map((f) => document.fonts.load(f))), soon()]);

function dial(id: string, hash: string | undefined): void {
  if (hash) {
    cards = { hash, coming: fetch(cardsOf(id, hash)).then((r) => (r.ok ? (r.json() as Promise<CardInfo[]>) : Promise.reject(new Error(String(r.status))))) };
    cards.coming.catch(() => undefined); // asked for again by whoever needs them
  }
  dialled = new Dialled(socketOf(id), hello(token.of(id), watcher, 0));
}

/** The line to this address, if it was dialled ahead; once. */
export function takeLine(url: string): Socket | null {
  const line = dialled;
  dialled = null;
  if (line && line.url !== url) line.close();
  return line?.url === url ? line.taken() : null;
}
export const tapsAhead = (counter: string): Tapped | null => (tapped?.counter === counter ? tapped : null);
export const aboutAhead = (): About | null => about;
export const cardsAhead = (hash: string): Promise<CardInfo[]> | null => (cards?.hash === hash ? cards.coming : null);
