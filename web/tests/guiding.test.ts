import { afterEach, describe, expect, it } from "vitest";
import { Guiding } from "../src/lib/guiding.svelte";
import type { Table } from "../src/lib/table.svelte";
import { ui } from "../src/lib/ui.svelte";

const table = (fight: boolean): Table => ({ seat: 0, game: { winners: [], offers: [], pending: null, asked: null, turn: 0, phase: "before_door", players: [], fight: fight ? { main: 0, helper: -1, fleeing: false, winning: false, escapes: [] } : null }, grouped: { answers: [] }, prompt: { must: true }, log: [], mine: null }) as unknown as Table;
const [width, height] = [ui.width, ui.height];

/** Its title, and whether that is all that is shown of its own accord. */
function shown(wide: number, high: number, fight: boolean): [string | undefined, boolean] {
  [ui.width, ui.height] = [wide, high];
  const g = new Guiding(table(fight));
  return [g.hint?.[0], g.brief];
}

describe("a hint", () => {
  afterEach(() => ([ui.width, ui.height] = [width, height]));

  it("is whole beside the table, and only its title on a phone that it would crowd", () => {
    expect(shown(1366, 768, true)).toEqual(["You are losing", false]);
    expect(shown(360, 640, true)).toEqual(["You are losing", true]);
    expect(shown(390, 844, false)).toEqual(["Your turn", true]); // else the level track is pushed off the screen
    expect(shown(430, 932, false)).toEqual(["Your turn", false]);
  });
  it("is whole once it was asked for, until it was got", () => {
    [ui.width, ui.height] = [360, 640];
    const g = new Guiding(table(true));
    g.open();
    expect([g.brief, g.asked]).toEqual([false, true]);
    g.got();
    expect(g.hint).toBeUndefined();
  });
});
