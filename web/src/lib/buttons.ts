/** The buttons of the moment: the one that Space stands for, and the rest, in an order that stays. */
import { type Grouped, type Move, V } from "./moves";

export interface Button {
  id: string;
  label: string;
  icon: "kick" | "trouble" | "loot" | "check" | "run" | "gold" | "gift" | "handshake" | "cards" | "skull" | "list" | "talk" | null;
  moves: Move[];
  /** built piece by piece in a sheet */
  draft: boolean;
}

const LABELS: Partial<Record<number, [string, Button["icon"], boolean]>> = {
  [V.kick]: ["Kick open the door", "kick", false],
  [V.trouble]: ["Look for trouble", "trouble", false],
  [V.loot]: ["Loot the room", "loot", false],
  [V.keep]: ["", "cards", false],
  [V.run]: ["Run away", "run", false],
  [V.sell]: ["Sell Items", "gold", true],
  [V.charity]: ["Charity", "gift", true],
  [V.end]: ["End your turn", "check", false],
  [V.ask]: ["Ask for help", "handshake", true],
  [V.offer]: ["Offer help", "handshake", true],
  [V.sacrifice]: ["Leave somebody behind", "skull", false],
  [V.trade]: ["Trade", "handshake", true],
  [V.show]: ["Show your hand", "cards", false],
  [V.pass]: ["", "check", false],
};
const ORDER = [V.pass, V.kick, V.keep, V.charity, V.end, V.run, V.trouble, V.loot, V.ask, V.offer, V.sacrifice, V.sell, V.trade, V.show] as number[];

/** Moves that are not tied to a card of mine, one button per verb. */
export function buttons(g: Grouped, primary: Move | null, seldom = false): Button[] {
  const byVerb = new Map<number, Move[]>();
  for (const m of seldom ? g.more : [...g.buttons, ...g.help]) {
    if (primary && m.key === primary.key) continue;
    byVerb.set(m.verb, [...(byVerb.get(m.verb) ?? []), m]);
  }
  return [...byVerb]
    .sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]))
    .map(([verb, moves]) => {
      const [label, icon, draft] = LABELS[verb] ?? ["", null, false];
      return { id: `v${verb}`, label: moves.length === 1 && !draft ? short(moves[0]!, label) : label || moves[0]!.text, icon, moves, draft };
    });
}

function short(m: Move, label: string): string {
  return m.verb === V.run || m.verb === V.trouble || m.verb === V.sacrifice || !label ? m.text : label;
}
