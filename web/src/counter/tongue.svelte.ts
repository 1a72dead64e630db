/** The tongue of this phone: as its browser says, or as somebody has chosen. English is built in; the others are fetched when they are wanted. */
import { labels } from "../lib/labels.svelte";
import { keep, recall } from "../lib/session";
import { en } from "./tongues/en.ts";
import { speak, tr, type Tongue } from "./words.ts";

const KEY = "kickdoor.counter.tongue";
/** So long (milliseconds) nothing is drawn because a tongue is on its way. */
const PATIENCE = 1500;

/** What each is called by those who speak it, and where it is. */
const TONGUES: Record<string, { name: string; load?: () => Promise<{ default: Tongue }> }> = {
  cs: { name: "Čeština", load: () => import("./tongues/cs") },
  de: { name: "Deutsch", load: () => import("./tongues/de") },
  en: { name: "English" },
  es: { name: "Español", load: () => import("./tongues/es") },
  fr: { name: "Français", load: () => import("./tongues/fr") },
  it: { name: "Italiano", load: () => import("./tongues/it") },
  nl: { name: "Nederlands", load: () => import("./tongues/nl") },
  pl: { name: "Polski", load: () => import("./tongues/pl") },
  pt: { name: "Português (Brasil)", load: () => import("./tongues/pt") },
  ru: { name: "Русский", load: () => import("./tongues/ru") },
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

  /** Before anything is drawn. What could not be fetched is English, and what is long in coming is English until it is there. */
  begin(): Promise<unknown> {
    speak(() => this);
    return Promise.race([this.#first(), new Promise((done) => setTimeout(done, PATIENCE))]);
  }
  async #first(): Promise<void> {
    const kept = recall(KEY) ?? "";
    if (!Object.hasOwn(TONGUES, kept) || !(await this.#become(kept))) await this.#become(suited(navigator.languages));
  }

  /** Kept on this device, so that it is asked for again where it cannot be fetched now. False: not yet. */
  choose(code: string): Promise<boolean> {
    keep(KEY, code);
    return this.#become(code);
  }

  async #become(code: string): Promise<boolean> {
    this.#wanted = code;
    const load = TONGUES[code]?.load;
    let table: Tongue = en;
    try {
      if (load) table = (await load()).default;
    } catch {
      return false;
    }
    if (this.#wanted !== code) return true; // another was chosen meanwhile
    [this.table, this.code] = [table, code];
    document.documentElement.lang = code === "pt" ? "pt-BR" : code;
    labels.said = {
      close: tr("close"), rule: (n) => tr("ruleN", { n }), copyLink: tr("copyLink"), copied: tr("copied"), copyYourself: tr("copyYourself"), qrLink: tr("qrLink"), thatIsMe: tr("thatIsMe"), changeFace: tr("changeFace"),
      yourFace: tr("yourFace"), faceTaken: (face) => tr("faceTaken", { face }), levelsEnd: (who) => tr("levelsEnd", { who }),
    };
    return true;
  }
}

export const tongue = new Spoken();
