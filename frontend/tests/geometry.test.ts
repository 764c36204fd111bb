import { describe, expect, it } from "vitest";
import { CX, frames, place, STAGE, turned } from "../src/draw/geometry";
import { layoutOf, offeredAt, offeredOnly } from "../src/draw/layouts";
import { game, GAMES } from "./examples";

describe("seats on the rail", () => {
  it("run from the dealer's left, so from right to left on the screen", () => {
    for (const count of [2, 5, 6, 7, 9]) {
      const xs = frames(count).map((f) => f.x);
      expect(xs).toEqual([...xs].sort((a, b) => b - a));
    }
  });

  it("mirror each other", () => {
    const all = frames(7);
    all.forEach((f, i) => {
      const other = all[6 - i]!;
      expect(Math.abs(f.x + other.x - 2 * CX)).toBeLessThan(3); // the arc is sampled
      expect(Math.abs(f.y - other.y)).toBeLessThan(3);
      expect(Math.abs(f.turn + other.turn)).toBeLessThan(1);
    });
  });

  it("put a lone seat and the middle of an odd number upright in the middle", () => {
    for (const f of [frames(1)[0]!, frames(5)[2]!]) {
      expect(f.x).toBeCloseTo(CX, 0);
      expect(Math.abs(f.turn)).toBeLessThan(0.5);
    }
  });

  it("draw one's own seat larger, two of one's own not", () => {
    expect(frames(5, [3])[2]).toMatchObject({ mine: true, scale: 1.16 });
    expect(frames(5, [2, 3]).map((f) => f.scale)).toEqual([1, 1, 1, 1, 1]);
  });

  it("measure offsets in the seat's own direction", () => {
    const f = { ...frames(5)[2]!, x: 0, y: 0, turn: 90, scale: 2 };
    expect(turned(f, 10, 0).y).toBeCloseTo(10);
    expect(place(f, 10, 0).y).toBeCloseTo(20);
  });
});

describe("a layout", () => {
  it.each(GAMES)("of %s keeps every spot of every seat on the cloth", (name) => {
    const layout = layoutOf(game(name));
    for (const count of [5, 7])
      for (const f of frames(count, [Math.ceil(count / 2)]))
        for (const spot of layout.spots) {
          const { x, y } = place(f, spot.x, spot.y);
          expect(x).toBeGreaterThan(30);
          expect(x).toBeLessThan(STAGE.W - 30);
          expect(y).toBeGreaterThan(150);
          expect(y).toBeLessThan(STAGE.H - 30);
        }
  });

  it.each([...GAMES, "unheard-of"])("of %s lets no two spots of a seat overlap", (name) => {
    const told = game(name);
    const layout = offeredOnly(layoutOf(told), offeredAt(told, told.wagers.length ? limitsOf(name) : {}));
    const spots = layout.spots.filter((spot) => spot.shape !== "bare");
    spots.forEach((a, i) => spots.slice(i + 1).forEach((b) => expect(Math.hypot(a.x - b.x, a.y - b.y), `${a.wager} ${b.wager}`).toBeGreaterThanOrEqual(a.r + b.r)));
  });

  it("is drawn from the wagers for a game nobody has drawn", () => {
    const layout = layoutOf(game("unheard-of"));
    expect(layout.title).toBe("UNHEARD OF");
    expect(layout.spots.map((spot) => spot.wager)).toEqual(["ante", "play", "pairs", "luck"]);
  });

  it("prints no spot for a wager the table leaves out", () => {
    const told = game("spanish-poker");
    const layout = offeredOnly(layoutOf(told), offeredAt(told, { ante: 1, "dos-pares": 1, "gran-progressive": 1 }));
    expect(layout.spots.map((spot) => spot.wager)).toEqual(["ante", "raise", "dos-pares", "gran-progressive"]);
    expect(layout.spots.map((spot) => spot.x)).toEqual([-36, 36, -36, 38]);
  });

  it("posts the rules the table is dealt by", () => {
    const told = game("lucky-break");
    expect(layoutOf(told, { soft17: "hit", "blackjack-pays": "6:5" }).rule).toBe("BLACKJACK PAYS 6 TO 5 · DEALER HITS SOFT 17");
  });
});

const limitsOf = (name: string): Record<string, number> =>
  name === "spanish-poker" ? { ante: 1, "dos-pares": 1, "joker-in-hand": 1 } : Object.fromEntries(game(name).wagers.map((wager) => [wager.name, 1]));
