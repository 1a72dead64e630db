/** The log as a story: chapters by turn, and in them fights, each with what came of it. */
import type { LogLine } from "./protocol";

export interface Part {
  /** the monster it is about, or nothing */
  fight: number;
  lines: LogLine[];
  end: "" | "nobody left" | "won" | "lost" | "got away" | "caught" | "dead";
}

export interface Chapter {
  id: string;
  /** whose turn; empty before the first one */
  title: string;
  parts: Part[];
}

const BEGINS = new Set(["kick", "trouble"]);
const AFTER = new Set(["loot", "keep", "reborn"]);
const ENDS: Record<string, Part["end"]> = { victory: "won", losing: "lost", escaped: "got away", caught: "caught", death: "dead" };
/** what a later line does not take back: who was caught once has not got away */
const WEIGHT: Part["end"][] = ["", "nobody left", "lost", "got away", "caught", "dead", "won"];

const bare = (text: string): string => text.replace(/^-+ | -+$/g, "");

export function chapters(lines: LogLine[], isMonster: (card: number) => boolean): Chapter[] {
  const out: Chapter[] = [{ id: "0", title: "", parts: [] }];
  for (const l of lines) {
    if (l.tone === "turn") {
      out.push({ id: `${l.seq}/${l.seat}`, title: bare(l.text), parts: [] });
      continue;
    }
    const parts = out.at(-1)!.parts;
    const fights = BEGINS.has(l.id) && l.card >= 0 && isMonster(l.card);
    if (fights || !parts.length || (parts.at(-1)!.fight >= 0 && AFTER.has(l.id))) parts.push({ fight: fights ? l.card : -1, lines: [], end: "" });
    const part = parts.at(-1)!;
    part.lines.push(l);
    const end = l.id === "victory" && l.tone !== "good" ? "nobody left" : ENDS[l.id]; // sent away, or would not fight: that is no win
    if (end && part.fight >= 0 && WEIGHT.indexOf(end) > WEIGHT.indexOf(part.end)) part.end = end;
  }
  return out.filter((c) => c.title || c.parts.length);
}

/** A piece of a line: words, or a card's name, which can be tapped. */
export interface Bit {
  text: string;
  /** the card, or -1 */
  card: number;
}

type Named = readonly [name: string, card: number];
const FIRST = /^[\p{L}\p{N}]+/u;
const isLetter = (c: string | undefined): boolean => c !== undefined && /[\p{L}\p{N}]/u.test(c);

/** Takes lines to pieces: every card that a line names, the longest name first. Who is called like a card is no card. */
export function reader(cards: readonly { name: string }[], people: readonly string[]): (text: string, card: number) => Bit[] {
  const known = new Map<string, Named[]>();
  for (const [i, { name }] of cards.entries()) {
    const first = FIRST.exec(name)?.[0];
    if (!first || people.includes(name)) continue;
    const same = known.get(first) ?? [];
    if (!same.some(([n]) => n === name)) known.set(first, [...same, [name, i] as const].sort((x, y) => y[0].length - x[0].length));
  }
  const at = (text: string, i: number): Named | undefined => {
    if (!isLetter(text[i]) || isLetter(text[i - 1])) return undefined;
    return known.get(FIRST.exec(text.slice(i))![0])?.find(([n]) => text.startsWith(n, i) && !isLetter(text[i + n.length]));
  };
  const kept = new Map<string, Bit[]>();
  return (text, card) => {
    const key = `${card}/${text}`;
    const out = kept.get(key) ?? pieces(text, at).map((b) => (b.card >= 0 && b.text === cards[card]?.name ? { ...b, card } : b)); // this very copy
    kept.set(key, out);
    return out;
  };
}

function pieces(text: string, at: (text: string, i: number) => Named | undefined): Bit[] {
  const out: Bit[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const found = at(text, i);
    if (!found) continue;
    if (i > from) out.push({ text: text.slice(from, i), card: -1 });
    out.push({ text: found[0], card: found[1] });
    from = i + found[0].length;
    i = from - 1;
  }
  if (from < text.length) out.push({ text: text.slice(from), card: -1 });
  return out;
}

/** What a chapter comes to, in a few words: its fights. */
export const gist = (c: Chapter, name: (card: number) => string): string =>
  c.parts
    .filter((p) => p.fight >= 0)
    .map((p) => `${name(p.fight)}${p.end ? `: ${p.end}` : ""}`)
    .join("; ");
