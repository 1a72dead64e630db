import { describe, expect, it } from "vitest";
import { arrange, fit, held, stand, TALL } from "../src/lib/fitting";
import { room } from "../src/lib/room";

const BOX = { width: 900, height: 190 };

describe("cards in a box", () => {
  it("are as large as the height allows while they are few", () => {
    expect(fit(3, BOX).w).toBeCloseTo(190 / TALL);
    expect(fit(1, BOX, { most: 100 }).w).toBe(100);
  });
  it("never leave the box, however many", () => {
    for (const peek of [undefined, 0.37])
      for (let n = 1; n <= 15; n++) {
        const gap = 5;
        const f = fit(n, BOX, { gap, peek });
        expect(f.per * f.rows).toBeGreaterThanOrEqual(n);
        expect(f.per * f.w + (f.per - 1) * gap).toBeLessThanOrEqual(BOX.width + 0.01);
        const high = peek === undefined ? f.rows * f.w * TALL + (f.rows - 1) * gap : f.w * (TALL + peek * (f.rows - 1));
        expect(high).toBeLessThanOrEqual(BOX.height + 0.01);
      }
  });
  it("go into a second row when that makes them larger", () => {
    expect(fit(7, BOX, { peek: 0.37 }).rows).toBe(1);
    expect(fit(15, BOX, { peek: 0.37 }).rows).toBe(2);
  });
  it("scroll rather than become too small", () => {
    const f = fit(20, { width: 300, height: 200 }, { least: 90, gap: 10 });
    expect(f).toMatchObject({ w: 90, per: 3, rows: 7, over: true });
  });
  it("of a hand show their heads: no card covers its neighbour, none its row's name", () => {
    const f = fit(15, BOX, { gap: 4, peek: 0.37 });
    const places = held(15, BOX, f, 4, 0.37);
    for (const [i, p] of places.entries()) {
      expect(p.x).toBeGreaterThanOrEqual(-0.01);
      expect(p.x + f.w).toBeLessThanOrEqual(BOX.width + 0.01);
      expect(p.y + f.w * TALL).toBeLessThanOrEqual(BOX.height + 0.01);
      for (const q of places.slice(i + 1)) expect(q.row > p.row ? p.y - q.y >= 0.3 * f.w : q.x - p.x >= f.w).toBe(true);
    }
  });
});

describe("monsters in a fight", () => {
  const o = { gap: 10, readable: 140, most: 300, strip: { width: 260, height: 70 } };
  it("lie where their cards are larger", () => {
    expect(arrange(1, { width: 900, height: 330 }, 450, 150, o)).toMatchObject({ beside: true, told: false });
    expect(arrange(3, { width: 740, height: 420 }, 450, 150, o)).toMatchObject({ beside: false, told: false });
  });
  it("are told in words where cards could not be read", () => {
    expect(arrange(5, { width: 740, height: 330 }, 430, 150, o).told).toBe(true);
  });
});

describe("tokens on a step", () => {
  it("stand inside it, and each can be told apart", () => {
    for (const step of [18, 31, 70, 120])
      for (let crowd = 1; crowd <= 8; crowd++) {
        const s = stand(crowd, step, 30);
        expect(s.d + (s.cols - 1) * s.spread).toBeLessThanOrEqual(step);
        expect(s.d).toBeLessThanOrEqual(30);
        if (s.cols > 1) expect(s.spread).toBeGreaterThanOrEqual(s.d * 0.79);
      }
  });
});

describe("the room there is", () => {
  it("is a table on every screen that has one, laptops with browser bars too", () => {
    for (const [w, h] of [[1366, 650], [1280, 800], [1920, 1080], [2560, 1440], [1024, 768]] as const) expect(room(w, h, "normal").shape).toBe("desk");
    expect(room(820, 1180, "normal").shape).toBe("tablet");
    expect(room(360, 640, "normal").shape).toBe("phone");
    expect(room(640, 360, "normal").shape).toBe("flat");
  });
  it("has letters that grow with it, and with what the reader asks for", () => {
    const sizes = [[1366, 650], [1280, 800], [1920, 1080], [2560, 1440]].map(([w, h]) => room(w!, h!, "normal").rem);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(sizes[0]).toBeGreaterThan(13);
    for (const [w, h] of [[1280, 800], [360, 640], [1920, 1080]] as const) expect(room(w, h, "large").rem).toBeGreaterThan(room(w, h, "normal").rem);
  });
});
