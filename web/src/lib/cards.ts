/** What kinds of cards there are, and how each looks and is called. Colour, shape and word always go together. */
import type { CardInfo as Card } from "./protocol";

/** What the decks are called, in the order of their numbers. */
export const DECKS = ["Doors", "Treasures", "Dungeons", "Spells", "Fairy Dust"] as const;

export type Shape = "jag" | "drop" | "shield" | "banner" | "round" | "flask" | "bolt" | "gem" | "arch" | "star" | "hoof" | "plain";

export interface Kind {
  word: string;
  shape: Shape;
  /** a CSS custom property: --k-monster ... */
  hue: string;
}

const KINDS: Record<string, Kind> = {
  monster: { word: "Monster", shape: "jag", hue: "monster" },
  curse: { word: "Curse", shape: "drop", hue: "curse" },
  trap: { word: "Trap", shape: "drop", hue: "curse" },
  race: { word: "Race", shape: "shield", hue: "race" },
  class: { word: "Class", shape: "banner", hue: "class" },
  power: { word: "Power", shape: "star", hue: "class" },
  item: { word: "Item", shape: "round", hue: "item" },
  one_shot: { word: "One-shot", shape: "flask", hue: "shot" },
  monster_enhancer: { word: "Enhancer", shape: "bolt", hue: "monster" },
  item_enhancer: { word: "Item enhancer", shape: "gem", hue: "item" },
  hireling: { word: "Hireling", shape: "hoof", hue: "friend" },
  steed: { word: "Steed", shape: "hoof", hue: "friend" },
  dungeon: { word: "Dungeon", shape: "arch", hue: "dungeon" },
  portal: { word: "Portal", shape: "arch", hue: "dungeon" },
  go_up_a_level: { word: "Level", shape: "star", hue: "level" },
  special: { word: "Special", shape: "gem", hue: "special" },
  spell: { word: "Spell", shape: "star", hue: "special" },
};
const PLAIN: Kind = { word: "Card", shape: "plain", hue: "special" };

export function kindOf(card: Card | undefined): Kind {
  if (!card) return PLAIN;
  return KINDS[card.kind] ?? { ...PLAIN, word: card.kind.replace(/_/g, " ").replace(/^./, (c) => c.toUpperCase()) };
}

export const SLOTS: Record<string, string> = { "1hand": "1 Hand", "2hands": "2 Hands", headgear: "Headgear", armor: "Armor", footgear: "Footgear" };

/** "Big 2 Hands", "Monster", "One-shot" */
export function kindWords(card: Card): string {
  const k = kindOf(card);
  if (card.kind !== "item") return k.word;
  return [card.big ? "Big" : "", SLOTS[card.slot] ?? "Item"].filter(Boolean).join(" · ");
}

/** How a fight stands, as it is said: "9 to −1". */
export const versus = (f: { munchkins: number; monsters: number }): string => `${f.munchkins} to ${f.monsters}`.replace(/-/g, "−");

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** The number in the seal, or nothing. */
export function seal(card: Card): string {
  if (card.kind === "monster") return String(card.level);
  if (card.bonus) return signed(card.bonus);
  if (card.kind === "go_up_a_level") return "+1";
  if (card.rank > 0 && card.kind === "power") return String(card.rank);
  return "";
}

/** 12000 as 12,000. (`toLocaleString` takes a phone a tenth of a second when it is first asked.) */
export const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
export const gold = (n: number): string => `${thousands(n)} gp`;

/** A card read aloud. */
export function spoken(card: Card): string {
  const k = kindWords(card).replace(/ · /g, " ");
  const n = card.kind === "monster" ? `level ${card.level}` : card.bonus ? signed(card.bonus) : "";
  return [card.name, k, n].filter(Boolean).join(", ");
}

/** The names of traits, as the engine spells them, for people. */
/** Race and Class of a munchkin, without the sex, which is said elsewhere. */
export const traitsOf = (traits: string[]): string => {
  const own = traits.filter((t) => t !== "male" && t !== "female" && t !== "human").map(titled);
  return own.join(" ") || "Human";
};
export const titled = (trait: string): string => trait.replace(/_/g, " ").replace(/\b\w/g, (c) => c.toUpperCase());
