/** What happened at the counter, in words: one line per thing that was done, several quick taps of one thumb together. */
import { signed } from "../lib/cards.ts";
import { groupOf, sheetOf, type State, walk } from "./fold.ts";
import type { Deed, Taps } from "./taps.ts";

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

const name = (s: State, id: string | null | undefined): string => sheetOf(s, id ?? "")?.name || "somebody";
const list = (all: string[]): string => (all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : (all[0] ?? "nobody"));
const many = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
const thing = (s: State, id: string | null | undefined): string => s.things.find((x) => x.id === id)?.name || "a card";
const SIDE = { munchkins: "munchkins", monsters: "monsters" } as const;

type Counted = Extract<Deed, { by: number }>;
/** Numbers that are tapped up and down, with what it came to. */
function number(t: Counted, total: number, s: State, off: boolean): string {
  if (t.kind === "swing") return t.on ? `${signed(total)} for ${thing(s, t.on)}` : `${signed(total)} for the ${SIDE[t.side]}`;
  const p = sheetOf(s, t.sheet);
  const now = off || !p ? "" : `, now ${t.kind === "level" ? p.level : p.gear}`;
  return `${name(s, t.sheet)}: ${t.kind === "level" ? "Level" : "gear"} ${signed(total)}${now}${t.why ? ` (${t.why})` : ""}`;
}

type Says = { [K in Deed["kind"]]?: (t: Extract<Deed, { kind: K }>, s: State) => string };

const SAYS: Says = {
  table(t) {
    if (typeof t.limit === "number") return t.limit ? `The game goes to Level ${t.limit}` : "The game has no last Level";
    if (t.packs) return `${many(t.packs.length, "set")} in the box`;
    return t.name ? `The table is called ${t.name}` : "";
  },
  person(t, s) {
    if (typeof t.gone === "boolean") return t.gone ? `${name(s, t.sheet)} leaves` : `${name(s, t.sheet)} is back`;
    if (t.name && t.colour) return `${t.name} sits down`;
    if (t.name) return `Somebody is called ${t.name} now`;
    return t.sex ? `${name(s, t.sheet)} is ${t.sex === "female" ? "a woman" : "a man"} now` : "";
  },
  order: (t, s) => `${t.lot ? "Drawn by lot" : "New order"}: ${list(t.sheets.map((x) => name(s, x)))}`,
  turn: (t, s) => (t.sheet ? `${name(s, t.sheet)}${t.lot ? " begins, by lot" : "’s turn"}` : ""),
  put(t, s) {
    const what = t.name || thing(s, t.thing);
    const bonus = t.bonus ? ` ${signed(t.bonus)}` : "";
    if (t.place === "away") return `${what}: put away`;
    if (t.place === "table") return `${what} for everybody`;
    if (t.place === "foe") return `${what}${t.level ? `, Level ${t.level},` : ""} joins the fight`;
    if (t.place === "on_foe") return `${what}${bonus} on ${thing(s, t.on)}`;
    if (t.place === "munchkins" || t.place === "monsters") return `${what}${bonus} for the ${SIDE[t.place]}`;
    return `${name(s, t.sheet)}: ${what}${bonus}${t.place === "carried" ? ", carried" : ""}`;
  },
  fight(t, s) {
    if (t.end === "won") return "The fight is won";
    if (t.end === "lost") return "The fight is lost";
    if (t.end === "over") return "The fight is called off";
    if (t.end === "open") return "The fight goes on";
    if (t.main) return `${name(s, t.main)} fights${t.helper ? `, and ${name(s, t.helper)} helps` : ""}`;
    if (t.helper) return `${name(s, t.helper)} helps${t.promised ? ` for ${many(t.promised, "Treasure")}` : ""}${t.terms ? ` (${t.terms})` : ""}`;
    return t.helper === null ? "Nobody helps" : typeof t.promised === "number" ? `${many(t.promised, "Treasure")} for the helper` : t.terms ? `The deal: ${t.terms}` : "";
  },
  roll(t, s) {
    if (t.foe && typeof t.escaped === "boolean") return `${name(s, t.sheet)} runs from ${thing(s, t.foe)} with a ${t.roll}: ${t.escaped ? "gets away" : "caught"}`;
    return `${t.sheet ? `${name(s, t.sheet)} rolls` : "The die shows"} ${t.roll}`;
  },
  mark: (t, s) => (t.key.startsWith("when.") ? `${thing(s, t.about)}: what it says ${t.value ? "counts" : "does not count"}${typeof t.value === "number" && t.value > 1 ? `, ${t.value} times` : ""}` : ""),
  died: (t, s) => `${name(s, t.sheet)} dies`,
  note: (t) => t.text,
  over: (t, s) => (t.winners.length ? `The game is over: ${list(t.winners.map((w) => name(s, w)))} ${t.winners.length === 1 ? "wins" : "win"}` : "The game goes on after all"),
  next: () => "Once more with the same people",
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
