/** The tongue of this phone: as its browser says, or as somebody has chosen. English is built in; the others are fetched when they are wanted. */
import { labels } from "../lib/labels.svelte";
import { keep, recall } from "../lib/session";
import { en } from "./tongues/en.ts";
import { speak, tr, type Tongue } from "./words.ts";

const KEY = "kickdoor.counter.tongue";

/** What each is called by those who speak it, and where it is. */
const TONGUES: Record<string, { name: string; load?: () => Promise<{ default: Tongue }> }> = {
  de: { name: "Deutsch", load: () => import("./tongues/de") },
  en: { name: "English" },
  es: { name: "Español", load: () => import("./tongues/es") },
  fr: { name: "Français", load: () => import("./tongues/fr") },
  it: { name: "Italiano", load: () => import("./tongues/it") },
  nl: { name: "Nederlands", load: () => import("./tongues/nl") },
  pt: { name: "Português (Brasil)", load: () => import("./tongues/pt") },
};
export const tongues = Object.entries(TONGUES).map(([code, { name }]) => ({ code, name }));

/** The first of the languages that somebody reads which is here. */
export function suited(wanted: readonly string[]): string {
  return wanted.map((w) => w.toLowerCase().split("-")[0]!).find((w) => Object.hasOwn(TONGUES, w)) ?? "en";
}

class Spoken {
  code = $state("en");
  table = $state.raw<Tongue>(en);
  #wanted = "en";

  /** Before anything is drawn; without a line, and not fetched before, it is English. */
  begin(): Promise<void> {
    speak(() => this);
    const kept = recall(KEY) ?? "";
    return this.#become(Object.hasOwn(TONGUES, kept) ? kept : suited(navigator.languages));
  }

  /** Kept on this device. False: it could not be fetched. */
  async choose(code: string): Promise<boolean> {
    await this.#become(code);
    if (this.code !== code) return false;
    keep(KEY, code);
    return true;
  }

  async #become(code: string): Promise<void> {
    this.#wanted = code;
    const load = TONGUES[code]?.load;
    let table: Tongue = en;
    try {
      if (load) table = (await load()).default;
    } catch {
      return;
    }
    if (this.#wanted !== code) return; // another was chosen meanwhile
    [this.table, this.code] = [table, code];
    document.documentElement.lang = code === "pt" ? "pt-BR" : code;
    labels.said = {
      close: tr("close"), rule: (n) => tr("ruleN", { n }), copyLink: tr("copyLink"), copied: tr("copied"), copyYourself: tr("copyYourself"), qrLink: tr("qrLink"), thatIsMe: tr("thatIsMe"), changeFace: tr("changeFace"),
      yourFace: tr("yourFace"), faceTaken: (face) => tr("faceTaken", { face }), levelsEnd: (who) => tr("levelsEnd", { who }),
    };
  }
}

export const tongue = new Spoken();
