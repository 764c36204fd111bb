import { describe, expect, it } from "vitest";
import { BLANK, begun, missing, moveOf, needsOf, verbOf, VERBS, type Draft } from "../src/pages/chair/draft";
import type { Verb } from "../src/wire/types";

const drafted = (verb: Verb, more: Partial<Draft> = {}): Draft => ({ ...begun(BLANK, verb), ...more });
const NONE = {};

describe("a step in the dealer's chair", () => {
  it("asks for what it needs, one thing after the other", () => {
    expect(missing(drafted("pay"), NONE)).toBe("seat");
    expect(missing(drafted("pay", { at: 2 }), NONE)).toBe("wager");
    expect(missing(drafted("pay", { at: 2, wager: "ante" }), NONE)).toBe("amount");
    expect(moveOf(drafted("pay", { at: 2, wager: "ante", amount: "7.50" }), NONE)).toEqual({
      do: "pay",
      seat: 2,
      wager: "ante",
      cents: 750,
      part: "",
    });
  });

  it("is no move while something is missing or no amount", () => {
    expect(moveOf(BLANK, NONE)).toBeNull();
    expect(moveOf(drafted("ask"), NONE)).toBeNull();
    expect(moveOf(drafted("ask", { at: 0 }), NONE)).toBeNull(); // the dealer decides nothing
    expect(moveOf(drafted("take", { at: 1, wager: "ante", amount: "ten" }), NONE)).toBeNull();
  });

  it("asks for a face only where the dealer's own card is dealt", () => {
    expect(needsOf(drafted("deal", { at: 0 }), NONE)).toContain("face");
    expect(needsOf(drafted("deal", { at: 3 }), NONE)).not.toContain("face");
    expect(moveOf(drafted("deal", { at: 0, count: 1, down: true }), NONE)).toEqual({
      do: "deal",
      to: 0,
      count: 1,
      down: true,
    });
    expect(moveOf(drafted("deal", { at: 3, count: 2, down: true }), NONE)).toEqual({
      do: "deal",
      to: 3,
      count: 2,
      down: null,
    });
  });

  it("asks which hand where a seat has split", () => {
    const split = { "1 blackjack": ["hand 1", "hand 2"] };
    expect(missing(drafted("push", { at: 1, wager: "blackjack" }), split)).toBe("part");
    expect(missing(drafted("push", { at: 2, wager: "blackjack" }), split)).toBeNull();
    expect(missing(drafted("push", { at: 1, wager: "lucky-break" }), split)).toBeNull();
  });

  it("remembers how many cards were dealt, and nothing else", () => {
    const before = drafted("deal", { at: 2, count: 5 });
    expect(begun(before, "deal")).toEqual({ ...BLANK, verb: "deal", count: 5 });
  });
});

describe("a verb's key", () => {
  it("is its own", () => {
    const keys = Object.values(VERBS).map((verb) => verb.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("means nothing in a game without that verb", () => {
    expect(verbOf("h", ["deal", "turn"])).toBeNull();
    expect(verbOf("H", ["deal", "peek"])).toBe("peek");
  });
});
