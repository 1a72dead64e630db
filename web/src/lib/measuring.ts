/**
 * How much room an element has, told when it is there and whenever that changes.
 *
 * Whoever measures has the whole page laid out. So those that come at once are measured at once, when everything else has been drawn and dressed:
 * one layout for all of them, and what goes by it is drawn before anybody sees the page, or waits for a `tick`.
 */
import { flushSync } from "svelte";
import type { Box } from "./fitting";

type Tell = (box: Box) => void;

const told = new WeakMap<Element, Box>();
const tells = new Map<HTMLElement, Tell>();
const fresh = new Set<HTMLElement>();
const seen = typeof ResizeObserver === "undefined" ? null : new ResizeObserver((all) => measure(all.map((e) => e.target as HTMLElement)));

/** First everything is measured, then it is told. */
function measure(all: HTMLElement[]): void {
  for (const [e, box] of all.map((e) => [e, { width: e.clientWidth, height: e.clientHeight }] as const)) {
    const was = told.get(e);
    if (was?.width === box.width && was.height === box.height) continue;
    told.set(e, box);
    tells.get(e)?.(box);
  }
}

let held: Promise<unknown> | null = null;

/** Nothing is measured before this has come. */
export function hold(until: Promise<unknown>): void {
  held = until.finally(() => (held = null));
}

function begin(): void {
  if (held) return void held.then(begin);
  const all = [...fresh];
  fresh.clear();
  flushSync(() => measure(all));
  for (const e of all) if (tells.has(e)) seen?.observe(e);
}

export function measured(node: HTMLElement, tell: Tell): { update: (tell: Tell) => void; destroy: () => void } {
  tells.set(node, tell);
  if (!fresh.size) queueMicrotask(begin);
  fresh.add(node);
  return {
    update: (next) => void tells.set(node, next),
    destroy() {
      tells.delete(node);
      fresh.delete(node);
      seen?.unobserve(node);
    },
  };
}
