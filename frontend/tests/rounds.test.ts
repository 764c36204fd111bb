import { expect, test } from "vitest";
import { viewAfter, type PlayedRound } from "../src/history/rounds";
import type { TableEvent } from "../src/wire/types";

const dealt = (face: string): TableEvent => ({ type: "dealt", to: 0, spot: 4, faces: [face] }) as TableEvent;
const chosen = (name: string): TableEvent => ({ type: "chosen", seat: 0, spot: 4, name, cents: 0 });

test("a spot split twice is replayed hand by hand", () => {
  const hands = [
    ["8c", "3d"],
    ["8c", "Kc", "8c"],
    ["8d", "9h"],
  ].map((cards) => ({ cards, total: "" }));
  const cards = ["8c", "8d", "8c", "3d", "Kc", "8c", "9h"];
  const seats = [{ spot: 4, in_round: true, cards, hands }];
  const events = [
    ...[dealt("8c"), dealt("8d"), chosen("split"), dealt("8c"), chosen("split"), dealt("3d"), chosen("stand")],
    ...[dealt("Kc"), dealt("8c"), chosen("stand"), dealt("9h"), chosen("stand")],
  ];
  const round = { view: { seats, dealer: { cards: [] }, board: [], lines: [] }, events } as unknown as PlayedRound;
  const after = (count: number) => viewAfter(round, count).seats[0]!.hands?.map((hand) => hand.cards.join(" "));
  expect(after(2)).toBeUndefined();
  expect(after(3)).toEqual(["8c", "8d"]);
  expect(after(4)).toEqual(["8c 8c", "8d"]);
  expect(after(5)).toEqual(["8c", "8c", "8d"]);
  expect(after(8)).toEqual(["8c 3d", "8c Kc", "8d"]);
  expect(after(11)).toEqual(["8c 3d", "8c Kc 8c", "8d 9h"]);
});
