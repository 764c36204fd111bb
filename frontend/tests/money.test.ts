import { describe, expect, it } from "vitest";
import { meter, money, moved, percent, range, signed, parseAmount, parsePieces } from "../src/app/money";
import { worthOf } from "../src/app/odds";
import { plotOf } from "../src/table/plot";

describe("amounts", () => {
  it("are written as the house writes them", () => {
    expect([money(2500), money(750), money(125000), money(-500)]).toEqual(["$25", "$7.50", "$1,250", "−$5"]);
    expect([signed(15000), signed(-500), signed(0)]).toEqual(["+$150", "−$5", "$0"]);
    expect([moved(15000), moved(-1276.4)]).toEqual(["+$150.00", "−$12.76"]);
    expect([meter(841236), meter(-500)]).toEqual(["$8,412.36", "−$5.00"]);
    expect([range([500, 20000]), range([100, 100])]).toEqual(["$5–$200", "$1"]);
    expect([percent(0.0531), percent(-0.01)]).toEqual(["5.31 %", "−1.00 %"]);
  });

  it("are read as people type them, exactly", () => {
    expect([parseAmount("25"), parseAmount("$7.5"), parseAmount(" 1,000.25 "), parseAmount("0.07")]).toEqual([
      2500, 750, 100025, 7,
    ]);
    for (const wrong of ["", "-5", "1e3", "7.505", "12,34", "five"]) expect(parseAmount(wrong)).toBeNull();
  });
});

it("pays are put in the order of their worth", () => {
  const pays = ["lose", "3 to 2", "push", "25 % of the jackpot", "30 to 1", "lose half", "$150"];
  expect(pays.sort((a, b) => worthOf(b) - worthOf(a))).toEqual([
    "25 % of the jackpot",
    "$150",
    "30 to 1",
    "3 to 2",
    "push",
    "lose half",
    "lose",
  ]);
});

it("a session's plot stays in its box and has a range only where one is expected", () => {
  const told = plotOf({ rounds: 3, net: 500, history: [-500, 2500, 500], expected: -100, deviation: 2000 });
  const ys = [...`${told.path} ${told.range}`.matchAll(/[ML]?([\d.]+) ([\d.]+)/g)].map((match) => Number(match[2]));
  expect(Math.min(...ys)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...ys)).toBeLessThanOrEqual(42);
  expect(plotOf({ rounds: 1, net: 500, history: [] }).range).toBeNull();
});

describe("a count", () => {
  it("is read piece by piece, and anything else is refused", () => {
    expect(parsePieces("12x100, 5×20 4x0.25, 1x20")).toEqual({ 10000: 12, 2000: 6, 25: 4 });
    for (const wrong of ["100", "x5", "2x", "1.5x20"]) expect(() => parsePieces(wrong)).toThrow("pieces × dollars");
  });
});
