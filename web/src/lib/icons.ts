/** Which picture goes with which card: by words of its name (icons.json), else by its kind. Pictures: game-icons.net, CC BY 3.0. */
import outlines from "virtual:game-icons";
import type { CardInfo as Card } from "./protocol";
import table from "./icons.json";

const words = Object.entries(table.words).sort((a, b) => b[0].length - a[0].length);
const kinds: Record<string, string> = table.kinds;
const slots: Record<string, string> = table.slots;
const ui: Record<string, string> = table.ui;
const found = new Map<string, string>();

function has(name: string, word: string): boolean {
  const i = name.indexOf(word);
  if (i < 0 || (i > 0 && /[a-z]/.test(name[i - 1]!))) return false;
  return word.length > 4 || !/[a-rt-z]/.test(name[i + word.length] ?? "");
}

/** The icon's name for a card. */
export function iconOf(card: Pick<Card, "name" | "kind">): string {
  const key = `${card.kind}/${card.name}`;
  let icon = found.get(key);
  if (icon === undefined) {
    const name = card.name.toLowerCase();
    icon = words.find(([w]) => has(name, w))?.[1] ?? kinds[card.kind] ?? "star-swirl";
    found.set(key, icon);
  }
  return icon;
}

export type UiIcon = keyof typeof table.ui;

export const uiIcon = (name: UiIcon): string => outline(ui[name]!);
export const slotIcon = (slot: string): string | null => (slots[slot] ? outline(slots[slot]!) : null);
export const outline = (icon: string): string => outlines[icon] ?? "";
