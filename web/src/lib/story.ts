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

/** What a chapter comes to, in a few words: its fights. */
export const gist = (c: Chapter, name: (card: number) => string): string =>
  c.parts
    .filter((p) => p.fight >= 0)
    .map((p) => `${name(p.fight)}${p.end ? `: ${p.end}` : ""}`)
    .join("; ");
