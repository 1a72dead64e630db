import { describe, expect, it } from "vitest";
import type { LogLine } from "../src/lib/protocol";
import { chapters, gist, reader } from "../src/lib/story";

let seq = 0;
const line = (id: string, card = -1, tone = ""): LogLine => ({ seq: ++seq, id, text: id === "turn" ? "-- Ann's turn --" : id, rule: "", tone, seat: 0, card, other: -1, n: 0, said: "" });
const turn = (): LogLine => line("turn", -1, "turn");
const TROLL = 7;
const told = (...lines: LogLine[]) => chapters(lines, (c) => c === TROLL);

describe("the log as a story", () => {
  it("has a chapter for each turn, and one before the first", () => {
    const all = told(line("draw"), turn(), line("kick", 3), turn(), line("kick", TROLL));
    expect(all.map((c) => c.title)).toEqual(["", "Ann's turn", "Ann's turn"]);
    expect(new Set(all.map((c) => c.id)).size).toBe(3);
  });
  it("tells of fights and what came of them", () => {
    const [one] = told(turn(), line("sale"), line("kick", TROLL), line("play", 4), line("victory", -1, "good"), line("loot"));
    expect(one!.parts.map((p) => [p.fight, p.end, p.lines.length])).toEqual([[-1, "", 1], [TROLL, "won", 3], [-1, "", 1]]);
    expect(gist(one!, () => "Net Troll")).toBe("Net Troll: won");
    const [two] = told(turn(), line("kick", TROLL), line("refuses", TROLL), line("victory"));
    expect(gist(two!, () => "Net Troll")).toBe("Net Troll: nobody left");
  });
  it("does not forget that somebody was caught", () => {
    const [one] = told(turn(), line("kick", TROLL), line("losing"), line("caught", TROLL), line("escaped", 8));
    expect(one!.parts[0]!.end).toBe("caught");
    const [two] = told(turn(), line("kick", TROLL), line("losing"), line("escaped", TROLL));
    expect(two!.parts[0]!.end).toBe("got away");
  });
  it("loses no line", () => {
    const lines = [line("draw"), turn(), line("kick", TROLL), line("death"), line("reborn"), turn()];
    expect(told(...lines).flatMap((c) => c.parts.flatMap((p) => p.lines)).length).toBe(4);
  });
});

describe("a line in pieces", () => {
  const CARDS = ["Elf", "Elf", "Sword of Slaying Everything Except Squid", "Sword", "Curse! Lose a Level", "3,872 Orcs", "Bob"].map((name) => ({ name }));
  const read = reader(CARDS, ["Ann", "Bob"]);
  const named = (text: string, card = -1): [string, number][] => read(text, card).filter((b) => b.card >= 0).map((b) => [b.text, b.card]);

  it("has every card that it names, the longest name first, and loses no letter", () => {
    const text = "Ann draws Sword of Slaying Everything Except Squid, Elf and Curse! Lose a Level.";
    expect(named(text)).toEqual([["Sword of Slaying Everything Except Squid", 2], ["Elf", 0], ["Curse! Lose a Level", 4]]);
    expect(read(text, -1).map((b) => b.text).join("")).toBe(text);
    expect(named("3,872 Orcs against Ann's Sword")).toEqual([["3,872 Orcs", 5], ["Sword", 3]]);
  });
  it("takes no part of a word for a card, and no player either", () => {
    expect(named("Bob himself, an Elfin Swordsman")).toEqual([]);
  });
  it("means the very copy that the line is about", () => {
    expect(named("Ann is an Elf now.", 1)).toEqual([["Elf", 1]]);
  });
});
