import { describe, expect, it } from "vitest";
import { commandFor, spotKeys, type Situation } from "../src/table/keys";
import type { Decision, Offer } from "../src/wire/types";

const offer = (name: string, key: string): Offer => ({
  name,
  key,
  wager: "",
  least: 0,
  most: 0,
  chip: 1,
  sizes: [],
  cards: [],
  title: name,
  consequence: "",
  clauses: [],
});
const decision: Decision = {
  spot: 2,
  about: "",
  subject: "",
  unanswered: "hit",
  offers: [offer("fold", "F"), offer("hit", "H")],
};
const titles = [
  { name: "ante", title: "Ante" },
  { name: "lucky-monkey", title: "Lucky Monkey" },
  { name: "tie", title: "Tie" },
];
const wagering: Situation = { decision: null, wagering: { titles, isSettled: false } };
const deciding: Situation = { decision, wagering: null };

describe("spots", () => {
  it("have the letters people expect", () => {
    expect([...spotKeys(titles).values()]).toEqual(["A", "M", "T"]);
  });

  it("never share a letter, nor take the coach's", () => {
    const alike = ["Ante", "Anta", "Aa", "Queen", "Yes"].map((title) => ({ name: title, title }));
    const keys = [...spotKeys(alike).values()];
    expect(new Set(keys).size).toBe(alike.length);
    expect(keys).not.toContain("Q");
    expect(keys).not.toContain("Y");
  });
});

describe("a key", () => {
  it("chooses an offer, in either case", () => {
    expect(commandFor({ key: "h" }, deciding)).toEqual({ type: "choose", name: "hit" });
    expect(commandFor({ key: "H" }, deciding)).toEqual({ type: "choose", name: "hit" });
  });

  it("means nothing where its choice is not offered", () => {
    expect(commandFor({ key: "s" }, deciding)).toBeNull();
    expect(commandFor({ key: "a" }, deciding)).toBeNull();
    expect(commandFor({ key: "f" }, wagering)).toBeNull();
  });

  it("is the browser's with a modifier", () => {
    expect(commandFor({ key: "f", ctrlKey: true }, deciding)).toBeNull();
    expect(commandFor({ key: "a", metaKey: true }, wagering)).toBeNull();
  });

  it("picks a chip, puts it on a spot, and takes it back with shift", () => {
    expect(commandFor({ key: "3" }, wagering)).toEqual({ type: "chip", cents: 2500 });
    expect(commandFor({ key: "m" }, wagering)).toEqual({ type: "spot", wager: "lucky-monkey", remove: false });
    expect(commandFor({ key: "M", shiftKey: true }, wagering)).toEqual({
      type: "spot",
      wager: "lucky-monkey",
      remove: true,
    });
  });

  it("deals and clears only while wagers are open", () => {
    expect(commandFor({ key: "Enter" }, wagering)).toEqual({ type: "deal" });
    expect(commandFor({ key: "Delete" }, wagering)).toEqual({ type: "clear" });
    expect(commandFor({ key: "Enter" }, deciding)).toBeNull();
  });

  it("changes the wagers after a settled round, even where a spot has the same letter", () => {
    const settled: Situation = {
      decision: null,
      wagering: { titles: [{ name: "war", title: "War" }], isSettled: true },
    };
    expect(commandFor({ key: "w" }, settled)).toEqual({ type: "change" });
    expect(
      commandFor(
        { key: "w" },
        { decision: null, wagering: { titles: [{ name: "war", title: "War" }], isSettled: false } },
      ),
    ).toEqual({ type: "spot", wager: "war", remove: false });
  });

  it("opens coach, reasons and keys at any time", () => {
    for (const situation of [wagering, deciding]) {
      expect(commandFor({ key: "q" }, situation)).toEqual({ type: "coach" });
      expect(commandFor({ key: "y" }, situation)).toEqual({ type: "why" });
      expect(commandFor({ key: "?" }, situation)).toEqual({ type: "keys" });
    }
  });
});
