import { describe, expect, it } from "vitest";
import { CX, frames, place, STAGE, offset } from "../src/draw/geometry";
import { GAMES, layoutOf } from "./examples";

const seats = (count: "1" | "2" | "5" | "6" | "7" | "9", you: number[] = [], taken = new Set<number>()) =>
  frames(layoutOf("fu-bacc", count), you, taken);

describe("seats on the rail", () => {
  it("run from the dealer's left, so from right to left on the screen", () => {
    for (const count of ["2", "5", "6", "7", "9"] as const) {
      const xs = seats(count).map((f) => f.x);
      expect(xs).toEqual([...xs].sort((a, b) => b - a));
    }
  });

  it("mirror each other", () => {
    const all = seats("7");
    all.forEach((f, i) => {
      const other = all[6 - i]!;
      expect(Math.abs(f.x + other.x - 2 * CX)).toBeLessThan(3); // the arc is sampled
      expect(Math.abs(f.y - other.y)).toBeLessThan(3);
      expect(Math.abs(f.turn + other.turn)).toBeLessThan(1);
    });
  });

  it("put a lone seat and the middle of an odd number upright in the middle", () => {
    for (const f of [seats("1")[0]!, seats("5")[2]!]) {
      expect(f.x).toBeCloseTo(CX, 0);
      expect(Math.abs(f.turn)).toBeLessThan(0.5);
    }
  });

  it("draw one's own seat larger, two of one's own not", () => {
    expect(seats("5", [3])[2]).toMatchObject({ mine: true, scale: 1.16 });
    expect(seats("5", [2, 3]).map((f) => f.scale)).toEqual([1, 1, 1, 1, 1]);
  });

  it("draw one's own seat no larger beside a neighbour at a full table", () => {
    expect(seats("7", [2])[1]!.scale).toBe(1.16);
    expect(seats("7", [2], new Set([3]))[1]!.scale).toBe(1);
  });

  it("measure offsets in the seat's own direction", () => {
    const f = { ...seats("5")[2]!, x: 0, y: 0, turn: 90, scale: 2 };
    expect(offset(f, 10, 0).y).toBeCloseTo(10);
    expect(place(f, 10, 0).y).toBeCloseTo(20);
  });
});

describe("a layout", () => {
  it.each(GAMES)("of %s keeps every spot of one's own larger seat on the cloth", (name) => {
    for (const count of ["5", "7"] as const)
      for (const f of frames(layoutOf(name, count), [Math.ceil(Number(count) / 2)]))
        for (const spot of layoutOf(name).spots) {
          const { x, y } = place(f, spot.x, spot.y);
          expect(x).toBeGreaterThan(30);
          expect(x).toBeLessThan(STAGE.W - 30);
          expect(y).toBeGreaterThan(150);
          expect(y).toBeLessThan(STAGE.H - 30);
        }
  });
});
