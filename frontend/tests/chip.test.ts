import { describe, expect, it } from "vitest";
import { breakdown, DENOMINATIONS, stack, stackHeight } from "../src/draw/chip";

describe("chips", () => {
  it("add up to the amount in the fewest chips, largest first", () => {
    const chips = breakdown(163750).map((chip) => chip.cents);
    expect(chips.reduce((sum, cents) => sum + cents, 0)).toBe(163750);
    expect(chips).toEqual([...chips].sort((a, b) => b - a));
    expect(chips).toEqual([100000, 50000, 10000, 2500, 500, 500, 250]);
  });

  it("have one chip for each denomination", () => {
    for (const { cents } of DENOMINATIONS) expect(breakdown(cents)).toHaveLength(1);
  });

  it("print the value on the top chip only", () => {
    const drawn = stack(3500);
    expect(drawn.match(/r="29.5" fill="#fbf7ec"/g)).toHaveLength(1);
    expect(drawn).toContain("--chip-25");
    expect(drawn).toContain("--chip-5");
  });

  it("draw at most seven of a tall stack, and rise no further", () => {
    expect(stack(999900).match(/circle r="50"/g)).toHaveLength(7);
    expect(stackHeight(999900, 16)).toBe(stackHeight(600, 16) * 6);
  });

  it("lie flat when there is one or none", () => {
    expect(stackHeight(500, 16)).toBe(0);
    expect(stackHeight(0, 16)).toBe(0);
    expect(breakdown(25)).toEqual([]);
  });
});
