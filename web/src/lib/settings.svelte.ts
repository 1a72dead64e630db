/** How this person likes it. Kept in the browser. */
import { keep, recall } from "./session";

export type Look = "system" | "light" | "dark";
export type TextSize = "small" | "normal" | "large" | "huge";
/** What the mixer mixes: what happens on the table, what is said at it, and what calls for me. Each from 0 to 1. */
export const SOUND_GROUPS = ["effects", "voices", "alerts"] as const;
export type SoundGroup = (typeof SOUND_GROUPS)[number];
export type Volume = Record<SoundGroup, number>;

const KEPT = ["look", "motion", "scenes", "sound", "volume", "vibrate", "notify", "text", "guide", "banter", "muted"] as const;

/** A volume as it was kept, whatever was kept: each group between 0 and 1. */
export function volumeOf(kept: unknown): Volume {
  const found = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>;
  const one = (group: SoundGroup, usual: number): number => (typeof found[group] === "number" && Number.isFinite(found[group]) ? Math.min(1, Math.max(0, found[group])) : usual);
  return { effects: one("effects", 0.8), voices: one("voices", 0.6), alerts: one("alerts", 1) };
}

const phone = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;

class Settings {
  look = $state<Look>("system");
  motion = $state<"system" | "on" | "off">("system");
  /** what happens is staged: with everything, standing still, or not at all */
  scenes = $state<"full" | "calm" | "off">("full");
  sound = $state(!phone);
  volume = $state<Volume>(volumeOf(null));
  vibrate = $state(false);
  /** tell me by the system's notifications that it is my turn, when this tab is hidden */
  notify = $state(false);
  text = $state<TextSize>("normal");
  guide = $state(true);
  /** do bots say what they think? */
  banter = $state(true);
  /** names whose chat is not shown */
  muted = $state<string[]>([]);
  /** does the device ask for calm? */
  calmDevice = $state(false);
  darkDevice = $state(false);

  constructor() {
    try {
      const s = JSON.parse(recall("kickdoor.settings") ?? "{}") as Partial<Settings>;
      for (const k of KEPT) if (s[k] !== undefined) (this as Record<string, unknown>)[k] = s[k];
      this.volume = volumeOf(s.volume);
    } catch {
      /* the defaults will do */
    }
    if (typeof matchMedia !== "function") return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.calmDevice = calm.matches;
    this.darkDevice = dark.matches;
    calm.addEventListener("change", () => (this.calmDevice = calm.matches));
    dark.addEventListener("change", () => (this.darkDevice = dark.matches));
  }

  get moving(): boolean {
    return this.motion === "on" || (this.motion === "system" && !this.calmDevice);
  }

  /** As it is played on this device: without movement there is only calm. */
  get staging(): "full" | "calm" | "off" {
    return this.scenes === "full" && !this.moving ? "calm" : this.scenes;
  }

  get dark(): boolean {
    return this.look === "dark" || (this.look === "system" && this.darkDevice);
  }

  save(): void {
    keep("kickdoor.settings", JSON.stringify(Object.fromEntries(KEPT.map((k) => [k, this[k]]))));
  }
}

export const settings = new Settings();
