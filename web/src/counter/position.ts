/** The table as the engine is asked about it: plain data. */
import type { FightAsked, Held, Position } from "../lib/counting";
import { cardsOf, type Fight, foesOf, onTable, playedIn, seated, type State, type Thing } from "./fold.ts";

const held = (t: Thing): Held => ({ thing: t.id, worn: t.place === "worn", ...(t.card ? { card: t.card } : {}), ...(t.on ? { on: t.on } : {}), ...(t.name ? { name: t.name } : {}), ...(t.bonus ? { bonus: t.bonus } : {}) });

export function fightAsked(s: State, f: Fight): FightAsked {
  const played = playedIn(s, f.id);
  return {
    main: f.main,
    ...(f.helper ? { helper: f.helper } : {}),
    foes: foesOf(s, f.id).map((t) => ({
      thing: t.id,
      ...(t.card ? { card: t.card } : { level: t.level, treasures: t.treasures ?? 1, levels: t.levels ?? 1 }),
      name: t.name,
      swing: f.swings[t.id] ?? 0,
      enhancers: played.filter((x) => x.place === "on_foe" && x.on === t.id).map((x) => ({ thing: x.id, ...(x.card ? { card: x.card } : {}), name: x.name, bonus: x.bonus })),
    })),
    played: played.flatMap((x) => (x.place === "munchkins" || x.place === "monsters" ? [{ thing: x.id, side: x.place, ...(x.card ? { card: x.card } : {}), name: x.name, bonus: x.bonus, ...(x.sheet ? { sheet: x.sheet } : {}) }] : [])),
    munchkins: f.swing.munchkins,
    monsters: f.swing.monsters,
  };
}

export function position(s: State, f: Fight | null): Position {
  return {
    packs: s.packs,
    limit: s.limit,
    ...(s.turn ? { turn: s.turn } : {}),
    dungeons: onTable(s).flatMap((t) => (t.card ? [t.card] : [])),
    sheets: seated(s).map((p) => ({ sheet: p.id, name: p.name, sex: p.sex, level: p.level, gear: p.gear, cards: cardsOf(s, p.id).map(held) })),
    fight: f && f.main ? fightAsked(s, f) : null,
  };
}
