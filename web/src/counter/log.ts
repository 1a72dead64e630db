/** What happened at the counter, in words: one line per thing that was done, several quick taps of one thumb together. */
import { signed } from "../lib/cards.ts";
import { groupOf, sheetOf, type State, walk } from "./fold.ts";
import type { Deed, Taps } from "./taps.ts";
import { listed, tr } from "./words.ts";

export interface Line {
  /** what an undo of it names: all taps of one finger's work */
  taps: string[];
  at: number;
  /** the phone, and the sheet it was held by */
  phone: string;
  holder: string;
  text: string;
  /** whose sheet it is about */
  about: string;
  rule: string;
  off: boolean;
}

/** Taps of one thumb that come so soon after each other are one thing. */
const TOGETHER = 4000;

const name = (s: State, id: string | null | undefined): string => sheetOf(s, id ?? "")?.name || tr("somebody");
const names = (s: State, ids: readonly string[]): string => listed(ids.map((id) => name(s, id))) || tr("nobody");
const thing = (s: State, id: string | null | undefined): string => s.things.find((x) => x.id === id)?.name || tr("aCard");
/** Why, where it is no card: said by the phone that tapped, in the words of the one that reads. */
export const DEATH = "death";
const FOR = { munchkins: "logForMunchkins", monsters: "logForMonsters" } as const;

type Counted = Extract<Deed, { by: number }>;
/** Numbers that are tapped up and down, with what it came to. */
function number(t: Counted, total: number, s: State, off: boolean): string {
  const by = signed(total);
  if (t.kind === "swing") return t.on ? tr("logFor", { by, what: thing(s, t.on) }) : tr(FOR[t.side], { by });
  const [p, who, level] = [sheetOf(s, t.sheet), name(s, t.sheet), t.kind === "level"];
  const line = off || !p ? tr(level ? "logLevel" : "logGear", { who, by }) : tr(level ? "logLevelNow" : "logGearNow", { who, by, n: level ? p.level : p.gear });
  return t.why ? `${line} (${t.why === DEATH ? tr("whyDeath") : t.why})` : line;
}

type Says = { [K in Deed["kind"]]?: (t: Extract<Deed, { kind: K }>, s: State) => string };

const SAYS: Says = {
  table(t) {
    if (typeof t.limit === "number") return t.limit ? tr("logLimit", { n: t.limit }) : tr("logNoLimit");
    if (t.packs) return tr("logSets", { n: t.packs.length });
    return t.name ? tr("logCalled", { name: t.name }) : "";
  },
  person(t, s) {
    const who = name(s, t.sheet);
    if (typeof t.gone === "boolean") return tr(t.gone ? "logLeaves" : "isBack", { who });
    if (t.name && t.colour) return tr("logSits", { who: t.name });
    if (t.name) return tr("logRenamed", { name: t.name });
    return t.sex ? tr(t.sex === "female" ? "logWoman" : "logMan", { who }) : "";
  },
  order: (t, s) => tr(t.lot ? "logLot" : "logOrder", { who: names(s, t.sheets) }),
  turn: (t, s) => (t.sheet ? tr(t.lot ? "logBegins" : "logTurn", { who: name(s, t.sheet) }) : ""),
  put(t, s) {
    const bare = t.name || thing(s, t.thing);
    const what = t.bonus ? `${bare} ${signed(t.bonus)}` : bare;
    if (t.place === "away") return tr("logAway", { what: bare });
    if (t.place === "table") return tr("logForAll", { what: bare });
    if (t.place === "foe") return t.level ? tr("logFoeLevel", { what: bare, n: t.level }) : tr("logFoe", { what: bare });
    if (t.place === "on_foe") return tr("logOn", { what, foe: thing(s, t.on) });
    if (t.place === "munchkins" || t.place === "monsters") return tr(FOR[t.place], { by: what });
    return tr(t.place === "carried" ? "logCarries" : "logHas", { who: name(s, t.sheet), what });
  },
  fight(t, s) {
    if (t.end) return tr(({ won: "logWon", lost: "logLost", over: "logOff", open: "logGoesOn" } as const)[t.end]);
    if (t.main) return t.helper ? tr("swapFight", { a: name(s, t.main), b: name(s, t.helper) }) : tr("fights", { who: name(s, t.main) });
    if (t.helper) {
      const line = t.promised ? tr("logHelpsFor", { who: name(s, t.helper), n: t.promised }) : tr("helps", { who: name(s, t.helper) });
      return t.terms ? `${line} (${t.terms})` : line;
    }
    return t.helper === null ? tr("logNoHelp") : typeof t.promised === "number" ? tr("logForHelper", { n: t.promised }) : t.terms ? tr("logDeal", { what: t.terms }) : "";
  },
  roll(t, s) {
    if (t.foe && typeof t.escaped === "boolean") return tr(t.escaped ? "logEscapes" : "logCaught", { who: name(s, t.sheet), foe: thing(s, t.foe), n: t.roll });
    return t.sheet ? tr("logRolls", { who: name(s, t.sheet), n: t.roll }) : tr("logShows", { n: t.roll });
  },
  mark(t, s) {
    if (!t.key.startsWith("when.")) return "";
    const what = thing(s, t.about);
    if (!t.value) return tr("logNot", { what });
    return typeof t.value === "number" && t.value > 1 ? tr("logCountsTimes", { what, n: t.value }) : tr("logCounts", { what });
  },
  died: (t, s) => tr("logDies", { who: name(s, t.sheet) }),
  note: (t) => t.text,
  over: (t, s) => (t.winners.length ? tr(t.winners.length === 1 ? "logWins" : "logWin", { who: names(s, t.winners) }) : tr("logNotOver")),
  next: () => tr("logAgain"),
};

const about = (t: Deed): string => ("sheet" in t && t.sheet) || "";
const subject = (t: Counted): string => (t.kind === "swing" ? `${t.fight}/${t.side}/${t.on ?? ""}` : t.sheet);

/** Oldest first. */
export function told(taps: Iterable<Taps>): Line[] {
  const out: (Line & { last: Deed; total: number })[] = [];
  walk(taps, (t, off, s) => {
    const last = out.at(-1);
    const line = { taps: [t.id], at: t.at, phone: t.who, holder: s.phones[t.who] ?? "", about: about(t), rule: (t.kind === "note" && t.rule) || "", off, last: t as Deed, total: 0 };
    if (t.kind === "level" || t.kind === "gear" || t.kind === "swing") {
      const joins = last && last.last.kind === t.kind && last.phone === t.who && last.off === off && t.at - last.at < TOGETHER && !t.with && !last.last.with && subject(last.last as Counted) === subject(t);
      const total = (joins ? last.total : 0) + t.by;
      const text = number(t, total, s, off);
      if (joins) Object.assign(last, { taps: [...last.taps, t.id], at: t.at, text, total, last: t });
      else if (last && t.with && groupOf(last.last) === t.with && last.off === off) Object.assign(last, { taps: [...last.taps, t.id], text: `${last.text}; ${text}` });
      else out.push({ ...line, text, total: t.by });
      return;
    }
    const text = (SAYS[t.kind] as ((t: Deed, s: State) => string) | undefined)?.(t, s) ?? "";
    // What belongs together is one line, and undone as one.
    if (last && t.with && groupOf(last.last) === t.with && last.off === off) Object.assign(last, { taps: [...last.taps, t.id], text: text ? `${last.text}; ${text}` : last.text });
    else if (text) out.push({ ...line, text });
  });
  return out.map(({ last: _, total: __, ...line }) => line);
}
