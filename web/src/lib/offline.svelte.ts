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

/** Everything works without it: over plain http in a home network there is none. */
export function install(): void {
  // Who leaves a page while a part of it is still on its way has not met a newer version: a reload would keep him here.
  let leaving = false;
  window.addEventListener("beforeunload", () => (leaving = true));
  window.addEventListener("pageshow", () => (leaving = false));
  // A part of the page that is not there any more: a newer version has come. Once only, lest it goes round in circles.
  window.addEventListener("vite:preloadError", (e) => {
    if (leaving || !navigator.onLine || sessionStorage.getItem("kickdoor.reloaded") === location.href) return;
    sessionStorage.setItem("kickdoor.reloaded", location.href);
    e.preventDefault();
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
