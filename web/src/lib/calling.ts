/** "It is your move", for who looks elsewhere: the system's notifications, if one has asked for them, and a mark on the installed page's icon. */
import { settings } from "./settings.svelte";

const TAG = "kickdoor-turn";

/** Browsers notify only over https, or from this very machine. */
export const canNotify = (): boolean => typeof Notification !== "undefined" && window.isSecureContext;

/** Ask for leave; true if it was given. */
export async function allowNotifying(): Promise<boolean> {
  if (!canNotify()) return false;
  try {
    return (await Notification.requestPermission()) === "granted";
  } catch {
    return false;
  }
}

let shown: Notification | null = null;

export async function callMe(title: string, body: string, path: string): Promise<void> {
  if (!document.hidden) return;
  mark(true);
  if (!settings.notify || !canNotify() || Notification.permission !== "granted") return;
  const words = { body, tag: TAG, icon: "/icon-192.png", data: { path } };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(title, words);
    else {
      shown = new Notification(title, words);
      shown.onclick = () => {
        window.focus();
        hush();
      };
    }
  } catch {
    /* not on this device */
  }
}

/** It has been seen. */
export function hush(): void {
  mark(false);
  shown?.close();
  shown = null;
  void navigator.serviceWorker?.getRegistration().then(
    async (r) => (await r?.getNotifications({ tag: TAG }))?.forEach((n) => n.close()),
    () => undefined,
  );
}

function mark(on: boolean): void {
  const n = navigator as Navigator & { setAppBadge?: () => Promise<void>; clearAppBadge?: () => Promise<void> };
  void (on ? n.setAppBadge?.() : n.clearAppBadge?.())?.catch(() => undefined);
}
