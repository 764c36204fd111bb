import { describe, expect, it } from "vitest";
import { lastWords, announce } from "../src/table/announcements";
import type { Decision, View } from "../src/wire/types";

const seat = { spot: 2, player: "Ann", total: "total 5" };
const view = { seats: [seat], dealer: { cards: ["9s", null], total: null }, running: true } as unknown as View;
const offer = (title: string) => ({ name: title.toLowerCase(), title, cards: [] });
const decision = { spot: 2, about: "", offers: [offer("Fold"), offer("Stay")] } as unknown as Decision;
const calm = { view, decision: null, isSeated: true, isSettled: false, isPlaying: false, result: "" };

describe("what a screen reader says by itself", () => {
  it("names the turn, what the dealer shows and every choice", () => {
    expect(announce({ ...calm, decision })).toBe(
      "Your turn: total 5. The dealer shows the nine of spades. Fold, Stay.",
    );
  });
  it("asks a bonus wager's question in its own name", () => {
    const asked = { ...decision, subject: "Acey Deucey" } as Decision;
    expect(announce({ ...calm, decision: asked })).toContain("Acey Deucey: fold or stay?");
  });
  it("says nothing while cards are on their way", () => {
    expect(announce({ ...calm, decision, isPlaying: true })).toBe("");
  });
  it("tells what the round came to", () => {
    expect(announce({ ...calm, isSettled: true, result: "−$5.00" })).toBe("Round settled: −$5.00.");
    expect(announce({ ...calm, isSettled: true, result: "even" })).toBe("Round settled: even.");
  });
});

describe("the dealer's last words", () => {
  const ended = (total: string | null, says: string | null = "No more bets") =>
    lastWords({ ...view, running: false, says, dealer: { cards: [], total, burned: [] } });
  it("tell the hand where the procedure ends without a word", () => {
    expect([ended("17"), ended("22, over 21")]).toEqual(["Dealer has 17", "Dealer breaks with 22"]);
    expect(ended(null)).toBe(null); // not that wagers are closed: the next ones are open
  });
  it("stay where something was announced, and while the round goes on", () => {
    expect(ended("pair of sevens", "Dealer qualifies")).toBe("Dealer qualifies");
    expect(lastWords({ ...view, says: "No more bets" })).toBe("No more bets");
  });
});
