/** This phone in the hand: does it stay awake, does it buzz? Kept in the browser. */
import { keep, recall } from "../lib/session";

const KEY = "kickdoor.counter.hand";

interface Lock {
  release(): Promise<void>;
}

class Hand {
  awake = $state(true);
  buzz = $state(true);
  /** the screen is kept on right now; some browsers cannot */
  lit = $state(false);
  #lock: Lock | null = null;

  constructor() {
    try {
      const k = JSON.parse(recall(KEY) ?? "{}") as { awake?: boolean; buzz?: boolean };
      this.awake = k.awake ?? true;
      this.buzz = k.buzz ?? true;
    } catch {
      /* as it is for everybody */
    }
  }

  save(): void {
    keep(KEY, JSON.stringify({ awake: this.awake, buzz: this.buzz }));
  }

  /** A short answer to the thumb. */
  feel(ms = 12): void {
    if (this.buzz && typeof navigator.vibrate === "function") navigator.vibrate(ms);
  }

  get canWake(): boolean {
    return "wakeLock" in navigator;
  }

  /** Asked for whenever the page comes to the front: the system lets go of it when one looks elsewhere. */
  async stay(): Promise<void> {
    const lock = (navigator as Navigator & { wakeLock?: { request(kind: "screen"): Promise<Lock> } }).wakeLock;
    if (!this.awake || !lock || document.hidden) return this.rest();
    try {
      this.#lock ??= await lock.request("screen");
      this.lit = true;
    } catch {
      this.lit = false; // a low battery, or a browser that will not
    }
  }

  rest(): void {
    void this.#lock?.release().catch(() => undefined);
    this.#lock = null;
    this.lit = false;
  }
}

export const hand = new Hand();
