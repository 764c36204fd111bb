import { expect, test } from "vitest";
import { byRisk, left, type Remedy } from "../src/pages/lab/remedies";

const remedy = (kind: Remedy["kind"], after: number, after_cut = after): Remedy => ({
  risk: "Bonus, counting",
  remedy: kind,
  wager: "bonus",
  kind,
  before: 4000,
  after,
  after_cut,
  sees: "",
});
const [cut, cap, pay, table] = [
  remedy("cut card", 1500),
  remedy("cap", 1000),
  remedy("pay", 900, 100),
  remedy("table", 1200, 50),
];

test("remedies taken together leave what was worked out for them, and a cap its part of that", () => {
  expect(left([], 4000)).toBe(4000);
  expect(left([cut!], 4000)).toBe(1500);
  expect(left([pay!], 4000)).toBe(900);
  expect(left([cut!, pay!], 4000)).toBe(100);
  expect(left([cut!, cap!], 4000)).toBe(375);
  expect(left([cut!, pay!, table!, cap!], 4000)).toBe(13);
  expect(left([cap!, remedy("shuffle", 0)], 4000)).toBe(0);
  expect(left([remedy("entry", -8000), pay!], 4000)).toBe(-8000);
});

test("each risk has its own remedies", () => {
  const other: Remedy = { ...remedy("hide", -200), risk: "Ante, the next card", before: 9000 };
  const risks = byRisk([other, cut!, pay!], new Set([0, 2]));
  expect(risks.map((one) => [one.risk, one.left])).toEqual([
    ["Ante, the next card", -200],
    ["Bonus, counting", 900],
  ]);
});
