/** The service worker, where the browser allows one (https, or this very machine): the page opens without a network, and becomes a new version by itself. */
import { fresh } from "./router.svelte";

class Net {
  /** does this device have a network at all? */
  up = $state(typeof navigator === "undefined" || navigator.onLine);

  constructor() {
    if (typeof window === "undefined") return;
    window.addEventListener("online", () => (this.up = true));
    window.addEventListener("offline", () => (this.up = false));
  }
}

export const net = new Net();

/** Is the server there? */
const answers = (): Promise<boolean> => fetch("/healthz", { cache: "no-store" }).then((r) => r.ok, () => false);

/** Everything works without it: over plain http in a home network there is none. */
export function install(): void {
  // Who leaves a page while a part of it is still on its way has not met a newer version: a reload would keep him here.
  let leaving = false;
  window.addEventListener("beforeunload", () => (leaving = true));
  window.addEventListener("pageshow", () => (leaving = false));
  // A part of the page that is not there any more: a newer version has come, if the server is there to say so. (Else a reload would show nothing at
  // all; who wanted the part asks for it again.) Once only, lest it goes round in circles.
  window.addEventListener("vite:preloadError", async () => {
    const here = location.href;
    if (sessionStorage.getItem("kickdoor.reloaded") === here || !(await answers()) || leaving || location.href !== here) return;
    sessionStorage.setItem("kickdoor.reloaded", here);
    location.reload();
  });
  if (!import.meta.env.PROD || !("serviceWorker" in navigator) || !window.isSecureContext) return;
  const had = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (had) fresh.waiting = true; // the next page that is gone to is of the new version
  });
  const begin = (): void => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  // First the table, then what is kept for later.
  const later = (): void => void ("requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: 5000 }) : setTimeout(begin, 2000));
  if (document.readyState === "complete") later();
  else window.addEventListener("load", later);
}
