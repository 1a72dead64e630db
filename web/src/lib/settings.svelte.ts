/** How this person likes it. Kept in the browser. */
import { keep, recall } from "./session";

export type Look = "system" | "light" | "dark";
export type TextSize = "small" | "normal" | "large" | "huge";

const phone = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;

class Settings {
  look = $state<Look>("system");
  motion = $state<"system" | "on" | "off">("system");
  sound = $state(!phone);
  vibrate = $state(false);
  text = $state<TextSize>("normal");
  guide = $state(true);
  /** names whose chat is not shown */
  muted = $state<string[]>([]);
  /** does the device ask for calm? */
  calmDevice = $state(false);
  darkDevice = $state(false);

  constructor() {
    try {
      const s = JSON.parse(recall("kickdoor.settings") ?? "{}") as Partial<Settings>;
      for (const k of ["look", "motion", "sound", "vibrate", "text", "guide", "muted"] as const)
        if (s[k] !== undefined) (this as Record<string, unknown>)[k] = s[k];
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

  get dark(): boolean {
    return this.look === "dark" || (this.look === "system" && this.darkDevice);
  }

  save(): void {
    const { look, motion, sound, vibrate, text, guide, muted } = this;
    keep("kickdoor.settings", JSON.stringify({ look, motion, sound, vibrate, text, guide, muted }));
  }
}

export const settings = new Settings();
