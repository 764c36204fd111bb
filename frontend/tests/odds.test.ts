import { expect, it } from "vitest";
import { byWorth } from "../src/app/odds";

it("lists the best pay first, and totals that pay alike from the highest", () => {
  const pays = { "22": "1 to 1", "25": "3 to 1", "26": "3 to 1", "suited 21": "10 to 1", other: "lose", tie: "push" };
  expect(
    Object.entries(pays)
      .sort(byWorth)
      .map(([outcome]) => outcome),
  ).toEqual(["suited 21", "26", "25", "22", "tie", "other"]);
});
it("leaves outcomes with names in the order they are written", () => {
  const rows = [
    ["pair", "2 to 1"],
    ["flush", "2 to 1"],
  ] as const;
  expect([...rows].sort(byWorth)).toEqual(rows);
});
