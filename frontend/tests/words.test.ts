import { describe, expect, it } from "vitest";
import { done, duration, label, sentence, shortTotal, typeset } from "../src/app/words";

describe("words on a page", () => {
  it("keep odds, shares and signed amounts whole", () => {
    expect(typeset("pays 30 to 1, 25% of it, −$5.00")).toBe("pays 30\u00a0to\u00a01, 25\u00a0% of it, −\u2060$5.00");
  });

  it("have curly apostrophes, and dashes in ranges alone", () => {
    expect(typeset("the dealer's 0-5")).toBe("the dealer’s 0–5");
    expect(typeset("suited 6-7-8")).toBe("suited 6-7-8");
    expect(typeset("WAC 230-15-140")).toBe("WAC 230-15-140");
  });

  it("show cards with their suits, and leave single words alone", () => {
    expect(typeset("7s 6d Tc make 23")).toBe("7♠ 6♦ 10♣ make 23");
    expect(typeset("As the document says")).toBe("As the document says");
  });

  it("become a sentence or a label", () => {
    expect(sentence("there is no table")).toBe("There is no table.");
    expect(label("Whether the ace plays low.")).toBe("Whether the ace plays low");
    expect([sentence(""), label("")]).toEqual(["", ""]);
  });

  it("tell what a seat has done, and the number of a hand that has one", () => {
    expect([done("fold"), done("hit"), done("stand")]).toEqual(["folded", "hit", "stood"]);
    expect(["24, over 21, doubled", "soft 17", "total 5", "pair of sevens", "blackjack"].map(shortTotal)).toEqual([
      "24",
      "soft 17",
      "5",
      "pair of sevens",
      "blackjack",
    ]);
  });

  it("tell a stretch of time in the largest unit that fits", () => {
    expect([180, 60, 90, 1, 3600, 7200].map(duration)).toEqual([
      "3 minutes",
      "1 minute",
      "90 seconds",
      "1 second",
      "1 hour",
      "2 hours",
    ]);
  });
});
