import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CardInfo, FightState, GameState, LogLine, PlayerState } from "../src/lib/protocol";
import { Director } from "../src/stage/director.svelte";
import { direct, type Eye, oddsWords, type Scene } from "../src/stage/scenes";
import { BUDGET, fit, total, weighty } from "../src/stage/timeline";

const MONSTER = 0, CURSE = 1, BOOTS = 2, ENHANCER = 3, WIZARD = 4, POTION = 5, TWIN = 6;
const KINDS = ["monster", "curse", "item", "monster_enhancer", "class", "one_shot", "class"];
const NAMES = ["Net Troll", "Curse! Lose a Level", "Boots", "Enraged", "Wizard", "Potion", "Wizard"];
const cards = NAMES.map((name, id) => ({ id, name, kind: KINDS[id] }) as CardInfo);
const eye = (me: number): Eye => ({ me, card: (n) => cards[n] });

const player = (more: Partial<PlayerState> = {}): PlayerState => ({ level: 3, table: [], afflictions: [], hand_size: 4, sex: "female", dead: false, name: "?", ...more }) as PlayerState;
const fight = (more: Partial<FightState> = {}): FightState => ({ main: 0, helper: -1, munchkins: 5, monsters: 10, foes: [{ card: MONSTER, face: MONSTER, active: true, strength: 10, treasures: 3, enhancers: [] }], escapes: [], deal: { treasures: 0, items: [], picks: -1, plays: 0 }, fleeing: false, winning: false, ...more }) as FightState;
const game = ({ players = [player(), player(), player()], ...more }: Partial<GameState> = {}): GameState => ({ players: players.map((p, i) => ({ ...p, name: ["Ann", "Bob", "Cid"][i]! })), fight: null, pending: null, asked: null, winners: [], decks: [50, 50, 0, 0, 0], ...more }) as GameState;
const line = (id: string, seat = -1, more: Partial<LogLine> = {}): LogLine => ({ seq: 1, id, text: `${id}.`, rule: "", tone: id === "victory" ? "good" : "", seat, card: -1, other: -1, n: 0, said: "", ...more });
const scenes = (me: number, before: GameState | null, after: GameState, ...lines: LogLine[]): Scene[] => direct({ before, after, lines }, eye(me));
const kinds = (all: Scene[]): string[] => all.map((s) => s.kind);

describe("what is staged", () => {
  it("is nothing where nothing was said", () => expect(scenes(0, game(), game())).toEqual([]));

  it("a door, behind it a monster: both sums are said, and it is longer for the one at the door", () => {
    const [mine] = scenes(0, game(), game({ fight: fight() }), line("kick", 0, { card: MONSTER }));
    const [other] = scenes(1, game(), game({ fight: fight() }), line("kick", 0, { card: MONSTER }));
    expect(mine).toMatchObject({ kind: "monster", card: MONSTER, door: true, mine: true, words: ["Level 10", "3 Treasures", "5 to 10"] });
    expect(other!.length).toBeLessThan(mine!.length);
  });

  it("a monster that is tamed, kept as a pet or sent away", () => {
    const before = game({ fight: fight() });
    expect(scenes(0, before, game(), line("pet", 0, { card: MONSTER }))[0]).toMatchObject({ kind: "friend", title: "You have a pet", words: ["Net Troll"], mine: true });
    expect(scenes(1, before, game(), line("tamed", 0, { card: MONSTER, n: 2 }))[0]).toMatchObject({ kind: "friend", title: "Ann rides Net Troll", words: ["+2 in every fight"], mine: false });
    expect(scenes(0, before, game(), line("removed", 1, { card: MONSTER }))[0]).toMatchObject({ kind: "gone", title: "Net Troll is gone", mine: true });
    expect(kinds(scenes(0, before, game(), line("killed", 0, { card: MONSTER }), line("victory", 0)))).toEqual(["victory"]);
  });

  it("a Curse comes through the door as one scene", () => {
    const pending = { what: "curse", seat: 0, card: CURSE, by: -1, item: -1 };
    const all = scenes(0, game(), game({ pending }), line("kick", 0, { card: CURSE }), line("curse", 0, { card: CURSE }));
    expect(kinds(all)).toEqual(["curse"]);
    expect(all[0]).toMatchObject({ door: true, title: "A Curse on you" });
  });

  it("nobody does a thing to himself in the words for two", () => {
    const pending = { what: "curse", seat: 0, card: CURSE, by: 0, item: -1 };
    const own = (me: number): Scene[] => scenes(me, game(), game({ pending }), line("curse", 0, { card: CURSE, other: 0 }));
    expect(own(0)[0]).toMatchObject({ title: "A Curse on you", by: -1, words: ["Lose a Level", "Your own doing"] });
    expect(own(2)[0]).toMatchObject({ title: "A Curse on Ann", words: ["Lose a Level", "Ann’s own doing"] });
    const roll = { what: "roll", seat: 0, die: 6, bonus: 0, need: 5, foe: MONSTER, card: -1, by: -1, item: -1 };
    expect(scenes(1, game(), game({ pending: roll }), line("die_set", 0, { n: 6 }))[0]).toMatchObject({ title: "Ann turns the die", by: -1 });
    expect(scenes(1, game(), game({ pending: roll }), line("die_set", 2, { n: 6 }))[0]).toMatchObject({ title: "Cid turns the die", by: 2 });
    expect(scenes(1, game(), game(), line("penalty", 0, { other: 0, n: -2 }), line("steal", 0, { card: BOOTS, other: 0 }))).toEqual([]);
  });

  it("what somebody puts on is meant for nobody else, and a fight is measured against itself only", () => {
    const dressed = game({ fight: fight({ monsters: 15 }), players: [player(), player({ table: [BOOTS] }), player()] });
    expect(scenes(2, game({ fight: fight() }), dressed, line("play", 1, { card: BOOTS }))).toEqual([]);
    const mine = { ...dressed, fight: null, players: [{ ...dressed.players[0]!, level: 2 }, dressed.players[1]!, dressed.players[2]!] };
    expect(kinds(scenes(0, game(), mine, line("play", 1, { card: BOOTS })))).toEqual([]);
    expect(scenes(-1, game({ fight: fight({ main: 1 }) }), game({ fight: fight({ monsters: 19 }) }), line("play", 0, { card: ENHANCER }))).toEqual([]);
  });

  it("a Curse that strikes says what it does, though the log has no card for it", () => {
    const before = game({ pending: { what: "curse", seat: 0, card: CURSE, by: 1, item: -1 }, players: [player({ table: [BOOTS, WIZARD] }), player(), player()] });
    const after = game({ players: [player({ level: 2 }), player(), player()] });
    const all = scenes(0, before, after, line("level", 0, { n: -1 }), line("lost", 0, { card: BOOTS }));
    expect(kinds(all)).toEqual(["struck"]);
    expect(all[0]).toMatchObject({ card: CURSE, by: 1, lost: [BOOTS, WIZARD], words: ["−1 level", "no more Boots", "no longer a Wizard"] });
  });

  it("a Curse that is still pending has not struck", () => {
    const pending = { what: "curse", seat: 0, card: CURSE, by: 1, item: -1 };
    expect(scenes(0, game({ pending }), game({ pending }), line("shows", 1))).toEqual([]);
  });

  it("death has the monster in it, and is told once", () => {
    const after = game({ players: [player({ dead: true }), player(), player()] });
    const all = scenes(0, game({ fight: fight(), players: [player({ table: [BOOTS] }), player(), player()] }), after, line("caught", 0, { card: MONSTER }), line("death", 0), line("lost", 0, { card: BOOTS }));
    expect(kinds(all)).toEqual(["death"]);
    expect(all[0]).toMatchObject({ title: "You die", card: MONSTER, lost: [BOOTS] });
    expect(all[0]!.length).toBe(2500);
  });

  it("who plays against me betrays me; who plays for me steps in; my own cards are no news to me", () => {
    const f = game({ fight: fight() });
    const against = scenes(0, f, game({ fight: fight({ monsters: 15 }) }), line("play", 1, { card: ENHANCER }));
    expect(against[0]).toMatchObject({ kind: "betrayal", by: 1, mine: true, title: "Bob turns on you", words: ["+5 against you", "5 to 15"] });
    expect(scenes(0, f, game({ fight: fight({ munchkins: 8 }) }), line("play", 1, { card: POTION }))[0]).toMatchObject({ kind: "support", words: ["+3 for you", "8 to 10"] });
    expect(scenes(0, f, game({ fight: fight({ munchkins: 8 }) }), line("play", 0, { card: POTION }))).toEqual([]);
    expect(scenes(2, f, game({ fight: fight({ monsters: 15 }) }), line("play", 1, { card: ENHANCER }))[0]).toMatchObject({ title: "Bob turns on Ann", mine: false });
  });

  it("a helper is betrayed as well", () => {
    const [s] = scenes(2, game({ fight: fight({ helper: 2 }) }), game({ fight: fight({ helper: 2, monsters: 12 }) }), line("play", 1, { card: ENHANCER }));
    expect(s).toMatchObject({ kind: "betrayal", seat: 2, mine: true });
  });

  it("a deal says the price", () => {
    const [s] = scenes(0, game({ fight: fight() }), game({ fight: fight({ helper: 1, munchkins: 12, deal: { treasures: 2, items: [BOOTS], picks: 0, plays: 0 } }) }), line("accept", 1, { other: 0 }), line("help", 1, { other: 0 }));
    expect(s).toMatchObject({ kind: "deal", mine: true, title: "Bob helps you", words: ["for 2 Treasures, Boots", "12 to 10"] });
  });

  it("a victory has its level and Treasures in it", () => {
    const after = game({ players: [player({ level: 4 }), player(), player()], decks: [50, 48, 0, 0, 0] });
    const all = scenes(0, game({ fight: fight() }), after, line("victory", 0), line("level", 0, { n: 1 }), line("draw", 0));
    expect(kinds(all)).toEqual(["victory"]);
    expect(all[0]).toMatchObject({ card: MONSTER, words: ["+1 level", "2 Treasures"] });
  });

  it("a fight that nobody is left in is no victory", () => {
    const before = game({ fight: fight() });
    const all = scenes(0, before, game(), line("removed", 0, { card: MONSTER }), line("victory", 0, { tone: "" }));
    expect(kinds(all)).toEqual(["gone"]);
  });

  it("who is one level from winning is pointed at, once", () => {
    const [was, is] = [8, 9].map((level) => game({ goal: 10, players: [player({ level }), player(), player()] }));
    const win = [line("victory", 0), line("level", 0, { n: 1 })];
    expect(scenes(1, game({ ...was!, fight: fight() }), is!, ...win)[0]!.words).toEqual(["+1 level", "one level from winning!"]);
    expect(scenes(1, was!, is!, line("level", 0, { n: 1 }))[0]!.words).toEqual(["+1 level", "one level from winning!"]);
    expect(scenes(1, game({ ...is!, fight: fight() }), is!, line("victory", 0))[0]!.words).toEqual([]);
  });

  it("the die says what was needed and how likely that was, as it was said before the throw", () => {
    const escapes = [{ seat: 0, foe: MONSTER, need: 4, chance: 50 }];
    const pending = { what: "roll", seat: 0, die: 3, bonus: 1, need: 5, foe: MONSTER };
    const [s] = scenes(0, game({ fight: fight({ fleeing: true, escapes }) }), game({ fight: fight({ fleeing: true, escapes }), pending }), line("roll", 0, { n: 3 }));
    expect(s).toMatchObject({ kind: "die", n: 3, need: 4, words: ["needs 4 or more on the die: 50%", "3 + 1 = 4, needs 5"] });
    const [plain] = scenes(0, game({ fight: fight({ fleeing: true, escapes: [{ seat: 0, foe: MONSTER, need: 5, chance: 33 }] }) }), game({ pending: { ...pending, bonus: 0 } }), line("roll", 0, { n: 3 }));
    expect(plain!.words).toEqual(["needs 5 or more on the die: 33%"]);
    expect([0, 1, 4, 7].map((need) => oddsWords({ need, chance: Math.round((100 * (7 - need)) / 6) }))).toEqual(["away without a throw", "1 or more on the die: 100%", "4 or more on the die: 50%", "no escape"]);
  });

  it("who changes from one Wizard to another still is one", () => {
    const pending = { what: "curse", seat: 0, card: CURSE, by: -1, item: -1 };
    const before = game({ pending, players: [player({ table: [WIZARD] }), player(), player()] });
    const all = scenes(0, before, game({ players: [player({ table: [TWIN] }), player(), player()] }), line("lost", 0, { card: WIZARD }));
    expect(all[0]!.words).toEqual(["still a Wizard"]);
  });

  it("a Curse that is cancelled has not struck, whatever that cost", () => {
    const before = game({ pending: { what: "curse", seat: 0, card: CURSE, by: -1, item: -1 }, players: [player({ table: [BOOTS] }), player(), player()] });
    const all = scenes(0, before, game(), line("play", 0, { card: BOOTS }), line("cancelled", 0, { card: CURSE }));
    expect(kinds(all)).toEqual(["spared"]);
  });

  it("what was bought with an Item is no loss; what a question took is", () => {
    const before = game({ players: [player({ table: [BOOTS] }), player(), player()] });
    expect(scenes(0, before, game(), line("use", 0, { card: WIZARD }), line("lost", 0, { card: BOOTS }))).toEqual([]);
    const asked = { about: "lose", card: MONSTER, domain: "cards" as const, options: null, rule: "", seat: 0, treasures: 0 };
    expect(scenes(0, { ...before, asked }, game(), line("lost", 0, { card: BOOTS }))[0]).toMatchObject({ kind: "loss", card: MONSTER, words: ["no more Boots"] });
  });

  it("the end is one scene, whatever else there was", () => {
    const all = scenes(1, game({ fight: fight() }), game({ winners: [0], players: [player({ level: 10 }), player(), player()] }), line("victory", 0), line("level", 0, { n: 1 }), line("win", 0));
    expect(all).toMatchObject([{ kind: "win", title: "Ann wins!", card: MONSTER, n: 10, mine: false }]);
  });

  it("what the others take from my body is seen, what they take from another's is in the log", () => {
    expect(scenes(0, game(), game(), line("loot_body", 1, { card: BOOTS, other: 0 }))[0]).toMatchObject({ kind: "theft", title: "Bob takes Boots", words: ["from you"] });
    expect(scenes(2, game(), game(), line("loot_body", 1, { card: BOOTS, other: 0 }))).toEqual([]);
  });

  it("gifts are one scene, and names of cards are never read as grammar", () => {
    const odd = { ...eye(0), card: (n: number) => ({ ...cards[n]!, name: n === BOOTS ? "[is] {w}" : "Potion" }) };
    const all = direct({ before: game(), after: game(), lines: [line("charity", 0, { card: BOOTS, other: 1 }), line("charity", 0, { card: POTION, other: 1 })] }, odd);
    expect(all).toMatchObject([{ kind: "deal", title: "Bob gives you [is] {w}", words: ["and Potion"] }]);
  });

  it("no hidden card is named: a theft of what I may not see", () => {
    const [s] = scenes(2, game(), game(), line("steal", 0, { card: -1, other: 1 }));
    expect(s).toMatchObject({ title: "Ann takes a card", card: -1 });
  });
});

const some = (kind: Scene["kind"], mine: boolean, length: number, title: string = kind): Scene => ({ kind, seat: 0, by: -1, card: -1, lost: [], title, words: [], mine, length, door: false, n: 0, need: 0 });

describe("the measure of time", () => {
  it("leaves what fits as it is", () => expect(fit([some("curse", true, 1600), some("level", false, 700)])).toHaveLength(2));

  it("hurries others before it hurries me", () => {
    const out = fit([some("monster", false, 1100), some("struck", true, 1900), some("door", false, 800)]);
    expect(total(out)).toBeLessThanOrEqual(BUDGET);
    expect(out.find((s) => s.mine)!.length).toBe(1900);
  });

  it("tells together what is too much, and says so", () => {
    const out = fit(Array.from({ length: 12 }, (_, i) => some("door", false, 800, `door ${i}`)));
    expect(total(out)).toBeLessThanOrEqual(BUDGET);
    expect(out[0]!.kind).toBe("meanwhile");
    expect(out[0]!.words.length).toBeGreaterThan(1);
  });

  it("keeps what befell me, in its order, however much there is", () => {
    const out = fit([...Array.from({ length: 9 }, () => some("door", false, 800)), some("curse", true, 1600, "mine"), some("death", true, 2500)]);
    expect(out.map((s) => s.title).slice(-1)).toEqual(["death"]);
    expect(out.at(-1)!.length).toBe(2500);
    expect(total(out)).toBeLessThanOrEqual(BUDGET);
  });

  it("nothing matters beside the end", () => expect(kinds(fit([some("death", true, 2500), some("win", false, 3200)]))).toEqual(["win"]));

  it("knows what even somebody in a hurry wants to see", () => expect([some("death", true, 1), some("door", true, 1), some("curse", false, 1), some("win", false, 1)].map(weighty)).toEqual([true, false, false, true]));
});

describe("the director", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("plays one after another, and says when the stage is empty", () => {
    const ended = vi.fn();
    const d = new Director(ended);
    d.play([some("curse", true, 1600), some("level", true, 1300)]);
    expect(d.now?.kind).toBe("curse");
    vi.advanceTimersByTime(1600);
    expect(d.now?.kind).toBe("level");
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1300);
    expect(d.now).toBeNull();
    expect(ended).toHaveBeenCalledOnce();
  });

  it("never lags behind, whatever comes and how fast", () => {
    const d = new Director();
    for (let i = 0; i < 60; i++) {
      d.play([some(i % 7 ? "monster" : "curse", i % 7 === 0, 1600, `${i}`)]);
      expect(d.left).toBeLessThanOrEqual(1.5 * BUDGET);
      vi.advanceTimersByTime(90);
    }
    vi.advanceTimersByTime(2 * BUDGET);
    expect(d.busy).toBe(false);
  });

  it("is ended by whoever has seen enough", () => {
    const ended = vi.fn();
    const d = new Director(ended);
    d.play([some("curse", true, 1600), some("level", true, 1300)]);
    d.skip();
    expect(d.now).toBeNull();
    expect(ended).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(9000);
    expect(ended).toHaveBeenCalledOnce();
    d.skip();
    expect(ended).toHaveBeenCalledOnce();
  });
});
