/** The buttons of the moment: the one that Space stands for, and the rest, in an order that stays. */
import type { Grouped, Move, Verb } from "./moves";

export interface Button {
  id: string;
  label: string;
  icon: "kick" | "trouble" | "loot" | "check" | "run" | "gold" | "gift" | "handshake" | "cards" | "skull" | "list" | "talk" | null;
  moves: Move[];
  /** built piece by piece in a sheet */
  draft: boolean;
}

const LABELS: Partial<Record<Verb, [string, Button["icon"], boolean]>> = {
  kick: ["Kick open the door", "kick", false],
  look_for_trouble: ["Look for trouble", "trouble", false],
  loot: ["Loot the room", "loot", false],
  keep: ["", "cards", false],
  run: ["Run away", "run", false],
  sell: ["Sell Items", "gold", true],
  charity: ["Charity", "gift", true],
  end_turn: ["End your turn", "check", false],
  ask_help: ["Ask for help", "handshake", true],
  offer_help: ["Offer help", "handshake", true],
  sacrifice: ["Leave somebody behind", "skull", false],
  trade: ["Trade", "handshake", true],
  show_hand: ["Show your hand", "cards", false],
  pass: ["", "check", false],
};
const ORDER: Verb[] = ["pass", "kick", "keep", "charity", "end_turn", "run", "look_for_trouble", "loot", "ask_help", "offer_help", "sacrifice", "sell", "trade", "show_hand"];

/** Moves that are not tied to a card of mine, one button per verb. */
export function buttons(g: Grouped, primary: Move | null, seldom = false): Button[] {
  const byVerb = new Map<Verb, Move[]>();
  for (const m of seldom ? g.more : [...g.buttons, ...g.help]) {
    if (primary && m.key === primary.key) continue;
    byVerb.set(m.action, [...(byVerb.get(m.action) ?? []), m]);
  }
  return [...byVerb]
    .sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]))
    .map(([verb, moves]) => {
      const [label, icon, draft] = LABELS[verb] ?? ["", null, false];
      return { id: verb, label: moves.length === 1 && !draft ? short(moves[0]!, label) : label || moves[0]!.text, icon, moves, draft };
    });
}

function short(m: Move, label: string): string {
  return m.action === "run" || m.action === "look_for_trouble" || m.action === "sacrifice" || !label ? m.text : label;
}
