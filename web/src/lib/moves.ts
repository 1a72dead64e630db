/** Moves: reading their keys, saying which card they belong to, and laying them out in groups. */
import type { GameState as Game } from "./protocol";

export const V = {
  pass: 0, kick: 1, trouble: 2, loot: 3, play: 4, keep: 5, equip: 6, unequip: 7, discard: 8, use: 9, choose: 10, done: 11, cancel: 12, run: 13,
  sell: 14, charity: 15, end: 16, ask: 17, offer: 18, trade: 19, give: 20, add: 21, propose: 22, accept: 23, decline: 24, counter: 25,
  sacrifice: 26, show: 27, withdraw: 28,
} as const;

export const NONE = -1;
export const MUNCHKINS = -2;
export const MONSTERS = -3;
const SEATS = -10;
const MODES = -100;
export const TREASURES = -100;
export const PICKS = -200;

export type Parts = [verb: number, card: number, target: number, extra: number];

export interface Move {
  key: string;
  text: string;
  verb: number;
  card: number;
  target: number;
  extra: number;
  parts: Parts;
}

export const atSeat = (seat: number): number => SEATS - seat;
/** The seat behind a target, or -1. */
export const seatOf = (target: number): number => (target <= SEATS ? SEATS - target : -1);

export function parse(key: string, text: string): Move {
  const n = key.split(",").map(Number);
  const parts: Parts = [n[0] ?? 0, n[1] ?? -1, n[2] ?? -1, n[3] ?? -1];
  return { key, text, verb: parts[0], card: parts[1], target: parts[2], extra: parts[3], parts };
}

export const parseAll = (moves: Record<string, string>): Move[] => Object.entries(moves).map(([k, t]) => parse(k, t));

const isNumber = (m: Move): boolean => m.card < 0 && m.extra > PICKS;
const isOrder = (m: Move): boolean => m.card < 0 && m.extra <= PICKS;

/** How many Treasures are promised: what stands now is what cannot be chosen. */
export function promised(adds: Move[]): number {
  const offered = adds.filter(isNumber).map((m) => TREASURES - m.extra);
  let n = 0;
  while (offered.includes(n)) n++;
  return n;
}

/**
 * The parts of a deal so that they can be said anew from the beginning: the last number, the last order of picking, the cards.
 * What stood at the beginning (`first` is what could be said then) is not said, nor who picks where there is nothing to pick.
 */
export function saidAnew(steps: Move[], first: Move[]): Move[] {
  const last = (test: (m: Move) => boolean): Move[] => {
    const known = first.filter(test);
    return steps.filter(test).slice(-1).filter((m) => !known.length || known.some((k) => k.key === m.key));
  };
  const number = last(isNumber);
  const n = number[0] ? TREASURES - number[0].extra : promised(first);
  return [...number, ...(n ? last(isOrder) : []), ...steps.filter((m) => m.card >= 0)];
}

/** Which card of mine one taps for this move, or -1 if it is a button of its own. */
export function holder(m: Move): number {
  switch (m.verb) {
    case V.play:
    case V.use:
    case V.equip:
    case V.unequip:
    case V.discard:
    case V.trouble:
    case V.sacrifice:
      return m.card;
    default:
      return -1;
  }
}

/** One thing that can be done with a card; several moves if it has to be said to what. */
export interface Action {
  id: string;
  /** the words of the button */
  text: string;
  verb: number;
  moves: Move[];
}

const bundle = (m: Move): string => `${m.verb},${m.card},${m.extra <= MODES ? m.extra : "-"}`;

/** The actions of one card: what differs only in its target or second card is one action. */
export function actionsOf(moves: Move[]): Action[] {
  const bundles = new Map<string, Move[]>();
  for (const m of moves) {
    const id = bundle(m);
    const some = bundles.get(id);
    if (some) some.push(m);
    else bundles.set(id, [m]);
  }
  const order = [V.play, V.trouble, V.equip, V.use, V.sacrifice, V.unequip, V.discard] as number[];
  return [...bundles]
    .map(([id, some]) => ({ id, text: some.length === 1 ? some[0]!.text : common(some), verb: some[0]!.verb, moves: some }))
    .sort((a, b) => order.indexOf(a.verb) - order.indexOf(b.verb));
}

/** What several sentences begin with: "Play Magic Missile (+5) on ..." */
export function common(moves: Move[]): string {
  const words = moves.map((m) => m.text.split(" "));
  const first = words[0] ?? [];
  let n = 0;
  while (n < first.length && words.every((w) => w[n] === first[n])) n++;
  const head = first.slice(0, n).join(" ").replace(/[:,]$/, "");
  return head ? `${head} …` : (moves[0]?.text ?? "");
}

/** What is left of a sentence when its common beginning is gone: the name of the target. */
export function rest(move: Move, all: Move[]): string {
  const head = common(all).replace(/ …$/, "");
  if (all.length < 2 || !move.text.startsWith(head)) return move.text;
  const tail = move.text.slice(head.length).replace(/^[:,]?\s*/, "");
  return tail ? tail[0]!.toUpperCase() + tail.slice(1) : move.text;
}

export interface Grouped {
  /** by the card one taps */
  byCard: Map<number, Move[]>;
  /** answers to a question: choose and done */
  answers: Move[];
  /** accept, decline, counter, withdraw */
  deals: Move[];
  /** buttons of the turn or fight */
  buttons: Move[];
  /** ask and offer help */
  help: Move[];
  /** what is seldom wanted */
  more: Move[];
}

export function group(moves: Move[]): Grouped {
  const out: Grouped = { byCard: new Map(), answers: [], deals: [], buttons: [], help: [], more: [] };
  for (const m of moves) {
    const card = holder(m);
    if (card >= 0) {
      const some = out.byCard.get(card);
      if (some) some.push(m);
      else out.byCard.set(card, [m]);
    }
    switch (m.verb) {
      case V.choose:
      case V.done:
      case V.add:
      case V.propose:
      case V.cancel:
        out.answers.push(m);
        break;
      case V.accept:
      case V.decline:
      case V.counter:
      case V.withdraw:
        out.deals.push(m);
        break;
      case V.ask:
      case V.offer:
        out.help.push(m);
        break;
      case V.trade:
      case V.show:
      case V.give:
        out.more.push(m);
        break;
      default:
        if (card < 0 || m.verb === V.trouble || m.verb === V.sacrifice) out.buttons.push(m);
    }
  }
  return out;
}

/** Every seat, card or side that some of these moves are aimed at. */
export function targetsOf(moves: Move[]): Set<number> {
  const out = new Set<number>();
  for (const m of moves) {
    if (m.target !== NONE) out.add(m.target);
    else if (m.extra >= 0) out.add(m.extra);
  }
  return out;
}

/** The moves that remain when this target was tapped. */
export const aimed = (moves: Move[], target: number): Move[] => moves.filter((m) => m.target === target || (m.target === NONE && m.extra === target));

/** Drafts: their first move, by what is being put together. */
export function draftKind(m: Move): "help" | "trade" | "sell" | "charity" | null {
  switch (m.verb) {
    case V.ask:
    case V.offer:
    case V.counter:
      return "help";
    case V.trade:
      return "trade";
    case V.sell:
      return "sell";
    case V.charity:
      return "charity";
    default:
      return null;
  }
}

/** Is this a counter-offer to a trade, not to a deal for help? */
export function countersTrade(m: Move, g: Game): boolean {
  return m.verb === V.counter && g.offers.some((o) => o.kind === "trade" && o.by === seatOf(m.target) && o.to === g.seat);
}
