/** Moves: which card they belong to, what they are aimed at, and how they are laid out in groups. What a move is, its fields say. */
import type { MoveState, Target } from "./protocol";

export type Move = MoveState & { key: string };
export type Verb = Move["action"];

/** Something that can be tapped as a target: a card by its number, a player, a side of the fight. */
export type Aim = number | `seat ${number}` | "munchkins" | "monsters";

export const atSeat = (seat: number): Aim => `seat ${seat}`;
const aimOf = (t: Target): Aim => (t.kind === "card" ? t.id : t.kind === "seat" ? atSeat(t.id) : t.kind);
/** The seat that a move is aimed at, or -1. */
export const seatOf = (m: Move): number => (m.target?.kind === "seat" ? m.target.id : -1);
const aim = (m: Move): Aim | undefined => (m.target ? aimOf(m.target) : m.second);

export const listed = (moves: { [key: string]: MoveState }): Move[] => Object.entries(moves).map(([key, m]) => ({ ...m, key }));

/** How many Treasures are promised: what stands now is what cannot be chosen. */
export function promised(adds: Move[]): number {
  const offered = adds.map((m) => m.treasures);
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
  const number = last((m) => m.treasures !== undefined);
  const n = number[0]?.treasures ?? promised(first);
  return [...number, ...(n ? last((m) => m.picks !== undefined) : []), ...steps.filter((m) => m.card !== undefined)];
}

const HELD: Verb[] = ["play", "look_for_trouble", "equip", "use", "sacrifice", "unequip", "discard"];

/** Which card of mine one taps for this move, or -1 if it is a button of its own. */
export const holder = (m: Move): number => (HELD.includes(m.action) ? (m.card ?? -1) : -1);

/** One thing that can be done with a card; several moves if it has to be said to what. */
export interface Action {
  id: string;
  /** the words of the button */
  text: string;
  verb: Verb;
  moves: Move[];
}

/** The actions of one card: what differs only in its target or second card is one action. */
export function actionsOf(moves: Move[]): Action[] {
  const bundles = new Map<string, Move[]>();
  for (const m of moves) {
    const id = `${m.action}/${m.card}/${m.way ?? ""}`;
    const some = bundles.get(id);
    if (some) some.push(m);
    else bundles.set(id, [m]);
  }
  return [...bundles]
    .map(([id, some]) => ({ id, text: (some.length > 1 && some[0]!.title) || some[0]!.text, verb: some[0]!.action, moves: some }))
    .sort((a, b) => HELD.indexOf(a.verb) - HELD.indexOf(b.verb));
}

/** What is done at once and never undone, by a button with nothing to choose: it asks whether that is meant. */
export const grave = (m: Move): boolean => m.action === "show_hand";
export const SURE = "Really show everybody your hand? What they have seen stays seen.";

/** The words of a move among others like it: what makes it different. */
export const among = (m: Move, all: Move[]): string => (all.length > 1 && m.label) || m.text;

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
    switch (m.action) {
      case "choose":
      case "done":
      case "add":
      case "propose":
      case "cancel":
        out.answers.push(m);
        break;
      case "accept":
      case "decline":
      case "counter":
      case "withdraw":
        out.deals.push(m);
        break;
      case "ask_help":
      case "offer_help":
        out.help.push(m);
        break;
      case "trade":
      case "show_hand":
      case "give":
        out.more.push(m);
        break;
      default:
        if (card < 0 || m.action === "look_for_trouble" || m.action === "sacrifice") out.buttons.push(m);
    }
  }
  return out;
}

/** Every seat, card or side that some of these moves are aimed at. */
export function targetsOf(moves: Move[]): Set<Aim> {
  return new Set(moves.map(aim).filter((x) => x !== undefined));
}

/** The moves that remain when this target was tapped. */
export const aimed = (moves: Move[], at: Aim): Move[] => moves.filter((m) => aim(m) === at);
