import { describe, expect, it } from "vitest";
import type { SeatState } from "../src/lib/protocol";
import { MOST, noFewer, noMore, roomFor } from "../src/lib/seating";

const seats = (...who: SeatState["who"][]): SeatState[] => who.map((w) => ({ who: w }) as SeatState);
const crowd = Array.from({ length: MOST }, (): SeatState["who"] => "person");

describe("seats in the lobby", () => {
  it("say why there cannot be fewer, or more", () => {
    expect(noFewer(seats("person", "bot", "open"))).toBe("");
    expect(noFewer(seats("person", "bot", "bot"))).toMatch(/free seat/);
    expect(noFewer(seats("person", "open"))).toMatch(/at least 2/);
    expect([noMore(seats("person", "bot")), noMore(seats(...crowd)) === ""]).toEqual(["", false]);
  });
  it("have room for who shares the device, or say why not", () => {
    expect(roomFor(seats("person", "open"), false)).toEqual({ how: "free", says: "" });
    expect(roomFor(seats("person", "bot", "bot"), true).how).toBe("added");
    for (const none of [roomFor(seats("person", "bot"), false), roomFor(seats(...crowd), true)]) {
      expect(none.how).toBe("none");
      expect(none.says).toMatch(/^Every seat is taken/);
    }
  });
});
