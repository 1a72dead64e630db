/** Every tongue of the counter says everything, with the same holes, and a word for every number. */
import { describe, expect, it } from "vitest";
import { en } from "../src/counter/tongues/en";
import { suited, tongues } from "../src/counter/tongue.svelte";
import { couldAsk, english, filled, forms, kindSaid, listed, speak, termSaid, tr, type Key, type Tongue } from "../src/counter/words";

const files = import.meta.glob<{ default: Tongue }>("../src/counter/tongues/[a-z][a-z].ts", { eager: true });
const others = Object.entries(files).map(([file, m]) => ({ code: /(\w+)\.ts$/.exec(file)![1]!, table: m.default })).filter((x) => x.code !== "en");
const holes = (s: string): string[] => [...new Set([...s.matchAll(/\{(\w+)/g)].map((m) => m[1]!))].sort();

/** Words that are the same in many languages; everything else that is English word for word was forgotten. */
const letters = (s: string): string => s.replace(/\{[^{}]*\}/g, "").replace(/[^\p{L}]/gu, "");

describe.each(others)("$code", ({ code, table }) => {
  it("has every sentence and no other, with the same holes", () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en) as Key[]) expect(holes(table[key]), key).toEqual(holes(en[key]));
  });

  it("has a form of each word for each of its numbers", () => {
    for (const [key, s] of Object.entries(table)) for (const m of s.matchAll(/\{\w+(\|[^{}]*)\}/g)) expect(m[1]!.split("|").length - 1, key).toBe(forms(code).length);
    const kinds = new Set([...Array(30).keys()].map((n) => new Intl.PluralRules(code).select(n)));
    expect([...kinds].filter((k) => !forms(code).includes(k))).toEqual([]); // a number that no form is for
  });

  it("is well written: no holes left open, no spaces astray, ends as the English does", () => {
    for (const key of Object.keys(en) as Key[]) {
      const s = table[key];
      expect(s.replace(/\{\w+(\|[^{}|]*)*\}/g, ""), key).not.toMatch(/[{}|]/);
      expect(s, key).not.toMatch(/ {2}| $/);
      expect(s.startsWith(" "), key).toBe(en[key].startsWith(" "));
      expect(/[.]$/.test(s), key).toBe(/[.]$/.test(en[key]));
    }
  });

  it("is no longer English", () => {
    const same = (Object.keys(en) as Key[]).filter((k) => letters(en[k]).length > 12 && table[k] === en[k]);
    expect(same).toEqual([]);
  });
});

describe("a sentence", () => {
  it("takes the form of its word by the number", () => {
    expect(filled("en", en.nTreasures, { n: 1 })).toBe("1 Treasure");
    expect(filled("en", en.nTreasures, { n: 0 })).toBe("0 Treasures");
    const few = "{n} {n|one|few|many}";
    expect([1, 2, 5, 21, 22, 112].map((n) => filled("ru", few, { n }))).toEqual(["1 one", "2 few", "5 many", "21 one", "22 few", "112 many"]);
    expect([1, 4, 5, 22].map((n) => filled("cs", few, { n }))).toEqual(["1 one", "4 few", "5 many", "22 many"]);
  });

  it("is not confused by what stands in its holes", () => {
    expect(filled("en", en.logHas, { who: "{what}", what: "$& {n|a|b}" })).toBe("{what}: $& {n|a|b}");
  });

  it("asks the rules for whoever it is about: the button and its sheet alike", () => {
    expect([couldAsk("s1", "s1", "Ann"), couldAsk("", "s1", "Ann"), couldAsk("s2", "s1", "Ann")]).toEqual(["Could I now play …?", "Could Ann now play …?", "Could Ann now play …?"]);
  });

  it("is said in the tongue that is spoken", () => {
    expect(listed(["Ann", "Bob", "Cid"])).toBe("Ann, Bob and Cid");
    const de = others.find((x) => x.code === "de")!;
    speak(() => de);
    expect(english()).toBe(false);
    expect(tr("helps", { who: "Ann" })).toBe("Ann hilft");
    expect(listed(["Ann", "Bob", "Cid"])).toBe("Ann, Bob und Cid");
    expect(kindSaid("Big · 2 Hands")).toBe("Groß · 2 Hände");
    expect([termSaid("Level"), termSaid("Maul Rat: by hand"), termSaid("Maul Rat")]).toEqual(["Stufe", "Maul Rat: von Hand", "Maul Rat"]);
    speak(() => ({ code: "en", table: en }));
    expect(termSaid("Maul Rat: against this side")).toBe("Maul Rat: against this side");
  });
});

it("is the first language of the browser that is here", () => {
  expect(suited(["de-AT", "en"])).toBe("de");
  expect(suited(["en-GB", "de"])).toBe("en");
  expect(suited(["tlh", "pt-PT"])).toBe("pt");
  expect(suited(["constructor", "xx"])).toBe("en");
  expect(suited([])).toBe("en");
});

it("every tongue that has a file can be chosen, and none that has not", () => {
  expect(tongues.map((x) => x.code).sort()).toEqual([...others.map((x) => x.code), "en"].sort());
});
