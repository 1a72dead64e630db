/** The service worker: the page opens without a network, with the rules, the cards and the replays that were seen.
 *
 * What is asked of the server comes from the server as long as it answers: nobody is shown an old page. Files with a hash in their name never
 * change and are kept. `FILES` and `VERSION` are filled in by scripts/service-worker.ts when the page is built. */
import { lastingOf, shellOf, surplus, tableOf, way } from "./routes";

declare const FILES: string[];
declare const VERSION: string;

/** As much of the worker's world as is used; the page's own types are the browser's. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Client {
  url: string;
  focus?(): Promise<unknown>;
}
interface Clicked extends Extendable {
  notification: Notification;
}
interface Worker {
  location: Location;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void>; matchAll(o: { type: "window"; includeUncontrolled: boolean }): Promise<Client[]>; openWindow(url: string): Promise<unknown> };
  addEventListener(kind: string, heard: (e: never) => void): void;
}
const worker = self as unknown as Worker;

const SHELL = `kickdoor-page-${VERSION}`;
const LASTING = "kickdoor-cards";
const FRESH = "kickdoor-rules";
const REPLAY = "kickdoor-replay-";
const REPLAYS = 12;
const MIXES = 20;

worker.addEventListener("install", (e: Extendable) => {
  e.waitUntil(
    caches
      .open(SHELL)
      .then((c) => c.addAll(FILES.map((f) => new Request(f, f.startsWith("/assets/") ? {} : { cache: "no-cache" }))))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (e: Extendable) => {
  e.waitUntil(
    caches
      .keys()
      .then((all) => Promise.all(all.filter((k) => k.startsWith("kickdoor-page-") && k !== SHELL).map((k) => caches.delete(k))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (e: Fetching) => {
  const url = new URL(e.request.url);
  const how = way(e.request.method, url, worker.location.origin, e.request.mode === "navigate");
  if (how === "page") e.respondWith(page(e.request));
  else if (how === "file") e.respondWith(kept(e.request, SHELL));
  else if (how === "lasting") e.respondWith(kept(e.request, LASTING, lastingOf(url), MIXES));
  else if (how === "fresh") e.respondWith(fresh(e.request, FRESH));
  else if (how === "replay") e.respondWith(fresh(e.request, `${REPLAY}${tableOf(url)}`, true));
});

/** From the server; if it is away, the page as it was built. */
async function page(asked: Request): Promise<Response> {
  try {
    return await fetch(asked);
  } catch (e) {
    const shell = await caches.match(shellOf(new URL(asked.url)), { cacheName: SHELL });
    if (shell) return shell;
    throw e;
  }
}

/** What never changes: looked for here first. */
async function kept(asked: Request, where: string, as: string = asked.url, most = Infinity): Promise<Response> {
  const found = await caches.match(as);
  if (found) return found;
  const got = await fetch(asked);
  if (got.ok) await keep(where, as, got.clone(), most);
  return got;
}

/** What may change: looked for here last. */
async function fresh(asked: Request, where: string, replay = false): Promise<Response> {
  try {
    const got = await fetch(asked);
    if (got.ok && replay) await makeRoom(where);
    if (got.ok) await keep(where, asked, got.clone());
    return got;
  } catch (e) {
    const found = await caches.match(asked, { cacheName: where });
    if (found) return found;
    throw e;
  }
}

/** The parts of a replay are kept together, and the oldest replay goes when there are too many. */
async function makeRoom(where: string): Promise<void> {
  const all = (await caches.keys()).filter((k) => k.startsWith(REPLAY));
  if (!all.includes(where)) await Promise.all(surplus(all, REPLAYS - 1).map((k) => caches.delete(k)));
}

async function keep(where: string, asked: Request | string, got: Response, most = Infinity): Promise<void> {
  try {
    const c = await caches.open(where);
    await c.put(asked, got);
    if (most < Infinity) await Promise.all(surplus(await c.keys(), most).map((k) => c.delete(k)));
  } catch {
    /* no room on this device: it works without */
  }
}

// "It is your move": a tap brings the table back.
worker.addEventListener("notificationclick", (e: Clicked) => {
  e.notification.close();
  const path = String((e.notification.data as { path?: string } | null)?.path ?? "/");
  e.waitUntil(
    worker.clients.matchAll({ type: "window", includeUncontrolled: true }).then((all) => {
      const open = all.find((c) => new URL(c.url).pathname === path);
      return open?.focus ? open.focus() : worker.clients.openWindow(path);
    }),
  );
});
