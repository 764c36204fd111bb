// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { CARD, cardBody, detailFor, isCard, named } from "../src/draw/card";

const DECK = [..."A23456789TJQK"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));

function parsed(body: string): Document {
  return new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CARD.W} ${CARD.H}">${body}</svg>`,
    "image/svg+xml",
  );
}

describe("a card", () => {
  it("is drawn well-formed in every size, all fifty-two and the joker and the back", () => {
    for (const code of [...DECK, "Jo", null])
      for (const detail of ["small", "medium", "large"] as const)
        expect(parsed(cardBody(code, detail)).querySelector("parsererror"), `${code} ${detail}`).toBeNull();
  });

  it("looks like no other card", () => {
    for (const detail of ["small", "medium", "large"] as const)
      expect(new Set([...DECK, "Jo", null].map((code) => cardBody(code, detail))).size).toBe(54);
  });

  it("has as many pips as its rank says, beside two indices", () => {
    for (const rank of "23456789")
      expect(parsed(cardBody(`${rank}h`, "large")).querySelectorAll('path[fill="currentColor"]').length).toBe(
        Number(rank) + 2,
      );
  });

  it("tells diamonds from hearts and clubs from spades by colour in a four-colour deck alone", () => {
    expect(cardBody("5d", "small")).toContain("--card-red");
    expect(cardBody("5d", "small", true)).toContain("--card-blue");
    expect(cardBody("5c", "small")).toContain("--card-black");
    expect(cardBody("5c", "small", true)).toContain("--card-green");
    expect(cardBody("5s", "small", true)).toContain("--card-black");
  });

  it("shows its back when it lies face down or its code is no card's", () => {
    const back = cardBody(null, "medium");
    expect(back).toContain("fw-back-medium");
    expect(cardBody('"><script>', "medium")).toBe(back);
    expect(isCard("1h")).toBe(false);
    expect(isCard("Jo")).toBe(true);
  });

  it("is drawn with the detail of its width", () => {
    expect([36, 55, 56, 119, 120, 180].map(detailFor)).toEqual([
      "small",
      "small",
      "medium",
      "medium",
      "large",
      "large",
    ]);
  });

  it("has a name", () => {
    expect([named("Kh"), named("Td"), named("Jo"), named(null)]).toEqual([
      "king of hearts",
      "ten of diamonds",
      "joker",
      "face-down card",
    ]);
  });
});
