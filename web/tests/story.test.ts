import { describe, expect, it } from "vitest";
import type { LogLine } from "../src/lib/protocol";
import { chapters, gist } from "../src/lib/story";

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
