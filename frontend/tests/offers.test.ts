import { expect, test } from "vitest";
import { commandFor } from "../src/table/keys";
import { listed, offerOf, verbOf } from "../src/table/offers";
import type { Decision, Offer } from "../src/wire/types";

const offer = (title: string, cards: number[], key: string): Offer => ({
  name: title.toLowerCase(),
  title,
  cards,
  key,
  wager: "",
  least: 0,
  most: 0,
  chip: 1,
  sizes: [],
  consequence: "",
  clauses: [],
});
const offers = [offer("Stand", [], "S"), offer("Discard 1", [0], "D"), offer("Discard 1 3", [0, 2], "D")];

test("cards in any order choose one offer, and no cards none", () => {
  expect(offerOf(offers, [2, 0])?.title).toBe("Discard 1 3");
  expect(offerOf(offers, [])).toBeUndefined();
  expect(offerOf(offers, [1])).toBeUndefined();
});

test("offers that choose cards are listed once by their verb", () => {
  expect(listed(offers).map(verbOf)).toEqual(["Stand", "Discard"]);
});

test("the key of the verb alone chooses nothing: cards have to be marked", () => {
  const decision: Decision = { spot: 1, about: "draw", subject: "draw", offers, unanswered: "stand" };
  expect(commandFor({ key: "d" }, { decision, wagering: null })).toBeNull();
  expect(commandFor({ key: "5" }, { decision, wagering: null })).toBeNull();
  expect(commandFor({ key: "s" }, { decision, wagering: null })).toEqual({ type: "choose", name: "stand" });
});
