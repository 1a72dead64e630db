/** The `game` object (kickdoor.engine.views.view) and the cards, as the server sends them. */
import type { TableState } from "./protocol";
import type { TermRow } from "./terms";

export interface Card {
  id: number;
  name: string;
  kind: string;
  /** 0 Door, 1 Treasure, 2 Dungeon, 3 Spell */
  deck: number;
  level: number;
  treasures: number;
  levels: number;
  bonus: number;
  /** null: not an Item */
  gold: number | null;
  slot: string;
  big: boolean;
  run_away: number;
  rank: number;
  tags: string[];
  text: string;
  bad_stuff: string;
  usable: string;
  pack: string;
}

export interface Drew {
  cards: number[] | null;
  counts: number[];
  face: "up" | "down";
}

export interface Player {
  name: string;
  level: number;
  sex: string;
  dead: boolean;
  hand: number[] | null;
  hand_size: number;
  table: number[];
  equipped: number[];
  attached: Record<string, number>;
  borne: Record<string, number>;
  strength: number;
  run_bonus: number;
  hands_free: number;
  hand_limit: number;
  traits: string[];
  afflictions: number[];
  accessories: number[];
  drew: Drew;
  fresh: number[];
}

export interface Foe {
  card: number;
  face: number;
  active: boolean;
  strength: number;
  treasures: number;
  enhancers: number[];
}

export interface Fight {
  main: number;
  helper: number;
  munchkins: number;
  monsters: number;
  winning: boolean;
  fleeing: boolean;
  foes: Foe[];
  treasures: number;
  munchkin_terms: TermRow[];
  monster_terms: TermRow[];
  played: number[];
  passed: number[];
  deal: { treasures: number; picks: number; items: number[]; plays: number };
}

export interface Offer {
  kind: "help" | "trade";
  by: number;
  to: number;
  treasures: number;
  picks: number;
  items: number[];
  plays: number;
  give: number[];
  get: number[];
}

export interface Asked {
  seat: number;
  about: string;
  card: number;
  rule: string;
  options: number[] | null;
  domain: number;
}

export interface Pending {
  what: string;
  seat?: number;
  card?: number;
  by?: number;
  die?: number;
  bonus?: number;
  need?: number;
  foe?: number;
  main?: number[];
  helper?: number[];
}

/** The gameboard: a picture of Levels and sexes (MM-2, MM-3). */
export interface GameBoard {
  spaces: number;
  standies: { seat: number; space: number; figure: string }[];
}

export interface Game {
  seat: number;
  turn: number;
  turns: number;
  phase: string;
  players: Player[];
  decks: number[];
  /** of a deck in several piles: how tall each is */
  piles: Record<string, number>[];
  board: GameBoard | null;
  discards: number[][];
  discard_counts: number[];
  dungeons: number[];
  door_card: number;
  doors: number[];
  fight: Fight | null;
  offers: Offer[];
  asked: Asked | null;
  pending: Pending | null;
  awaited: number[];
  rolls: number[];
  winners: number[];
  goal?: number;
}

export type TableInfo = TableState & { goal?: number };

export const DECKS = ["Doors", "Treasures", "Dungeons", "Spells"] as const;
