/** Card texts in pieces: plain, numbers (bold), words that have rules (tap for them). Always text, never HTML. */

export interface Piece {
  text: string;
  as: "plain" | "number" | "word";
}

const PARTS = /([+−-]?\d[\d,]*)|\b(run away|ran away|Bad Stuff|Treasures?|Curses?|Big|levels?|Undead|Hirelings?|Steeds?|one-shots?|usable once|Race|Class|Footgear|Headgear|Armor|help(?:er)?s?|discards?)\b/gi;

export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const m of text.matchAll(PARTS)) {
    if (m.index > at) out.push({ text: text.slice(at, m.index), as: "plain" });
    out.push({ text: m[0], as: m[1] !== undefined ? "number" : "word" });
    at = m.index + m[0].length;
  }
  if (at < text.length) out.push({ text: text.slice(at), as: "plain" });
  return out;
}

/** "I'm done (you are losing)" is a button with a second line. */
export function split(text: string): [main: string, more: string] {
  const m = /^([^:(]{3,}?)(?:: | \()(.+?)\)?$/.exec(text);
  return m ? [m[1]!, m[2]!] : [text, ""];
}
