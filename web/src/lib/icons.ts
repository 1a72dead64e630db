/** Icons of buttons, slots and kinds. The pictures of cards are in pictures.svelte.ts. All from game-icons.net, CC BY 3.0. */
import outlines from "virtual:game-icons";
import table from "./icons.json";

const kinds: Record<string, string> = table.kinds;
const slots: Record<string, string> = table.slots;
const ui: Record<string, string> = table.ui;

export type UiIcon = keyof typeof table.ui;

export const kindIcon = (kind: string): string => kinds[kind] ?? "star-swirl";
export const uiIcon = (name: UiIcon): string => outline(ui[name]!);
export const slotIcon = (slot: string): string | null => (slots[slot] ? outline(slots[slot]!) : null);
export const outline = (icon: string): string => outlines[icon] ?? "";
