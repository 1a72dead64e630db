/**
 * Where a phone keeps the taps of a counter: in pieces, so that a tap writes little, each tab under a name of its own, so that none writes over another's.
 */
import { keep, recall } from "../lib/session";
import type { Taps } from "./taps";

const PIECE = 100;

function pieces(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((k) => k.startsWith(prefix));
  } catch {
    return [];
  }
}

function parsed(text: string | null): Taps[] {
  try {
    const all = JSON.parse(text ?? "[]") as unknown;
    return Array.isArray(all) ? (all as Taps[]).filter((x) => typeof x?.id === "string" && typeof x.clock === "number" && typeof x.kind === "string") : [];
  } catch {
    return [];
  }
}

export class Shelf {
  readonly #prefix: string;
  readonly #mine: string;
  #taps: Taps[] = [];
  #heard: (e: StorageEvent) => void;

  /** `other`: another tab of this browser has written something. */
  constructor(name: string, other: (taps: Taps[]) => void) {
    this.#prefix = `${name}/`;
    this.#mine = `${this.#prefix}${Math.random().toString(36).slice(2, 10)}/`;
    this.#heard = (e) => {
      if (e.key?.startsWith(this.#prefix) && e.newValue) other(parsed(e.newValue));
    };
    if (typeof window !== "undefined") window.addEventListener("storage", this.#heard);
  }

  read(): Taps[] {
    return pieces(this.#prefix).flatMap((k) => parsed(recall(k)));
  }

  /** All of them, anew; what other tabs wrote is among them, and need not lie there twice. */
  write(taps: readonly Taps[]): void {
    const old = pieces(this.#prefix).filter((k) => !k.startsWith(this.#mine));
    this.#taps = [];
    this.add(taps);
    for (const k of old) keep(k, null);
  }

  add(taps: readonly Taps[]): void {
    if (!taps.length) return;
    const from = Math.floor(this.#taps.length / PIECE);
    this.#taps.push(...taps);
    for (let i = from; i * PIECE < this.#taps.length; i++) keep(`${this.#mine}${i}`, JSON.stringify(this.#taps.slice(i * PIECE, (i + 1) * PIECE)));
  }

  close(): void {
    if (typeof window !== "undefined") window.removeEventListener("storage", this.#heard);
  }
}

export function forgetShelf(name: string): void {
  for (const k of pieces(`${name}/`)) keep(k, null);
}
