import { describe, expect, it } from "vitest";
import {
  isSame,
  isWithin,
  nearest,
  openings,
  smallestOf,
  withChip,
  withDrafts,
  withEquals,
  withFiguresOf,
  withoutChip,
} from "../src/table/draft";
import { dealtView, game, view, wager } from "./examples";

const fuBacc = game("fu-bacc", [
  wager("ante"),
  wager("play", { kind: "derived", of: "ante" }),
  wager("lucky-monkey", { kind: "bonus" }),
  wager("tie", { kind: "bonus" }),
]);

describe("a drafted wager", () => {
  it("opens with at least the minimum and grows by chips", () => {
    expect(withChip(0, 100, [500, 20000])).toBe(500);
    expect(withChip(500, 100, [500, 20000])).toBe(600);
  });

  it("puts as much on the wagers that are always placed together", () => {
    const together = game("fu-bacc", [
      wager("ante"),
      wager("blind", { equals: "ante" }),
      wager("trips", { kind: "bonus" }),
    ]);
    const open = openings(together, { ante: [100, 5000], blind: [100, 5000], trips: [100, 5000] });
    expect(withEquals("blind", 500, open)).toEqual({ ante: 500, blind: 500 });
    expect(withEquals("trips", 500, open)).toEqual({ trips: 500 });
    expect(smallestOf(open)).toEqual({ ante: 100, blind: 100 });
  });

  it("goes on or off where its amount is fixed", () => {
    expect(withChip(0, 2500, [100, 100])).toBe(100);
    expect(withChip(100, 2500, [100, 100])).toBe(0);
  });

  it("is taken back when it falls below the minimum", () => {
    expect(withoutChip(600, 100, [500, 20000])).toBe(500);
    expect(withoutChip(500, 100, [500, 20000])).toBe(0);
  });

  it("is lawful at nothing and within the limits, and has a nearest lawful amount", () => {
    expect([0, 499, 500, 20000, 20001].map((cents) => isWithin(cents, [500, 20000]))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
    expect([nearest(1, [500, 20000]), nearest(99999, [500, 20000])]).toEqual([500, 20000]);
  });

  it("is for main and bonus wagers with limits, main first, never for derived ones", () => {
    expect(openings(fuBacc, view().limits).map(({ wager, isFixed }) => [wager.name, isFixed])).toEqual([
      ["ante", false],
      ["lucky-monkey", false],
      ["tie", true],
    ]);
  });

  it("equals another with the same chips lying, whatever is empty", () => {
    expect(isSame({ ante: 500, tie: 0 }, { ante: 500 })).toBe(true);
    expect(isSame({ ante: 500 }, { ante: 600 })).toBe(false);
  });

  it("lies on the felt in place of the last round, and not at all while one is running", () => {
    const over = dealtView({ running: false });
    const drafted = withDrafts(over, new Map([[2, { ante: 700 }]])).seats[1]!;
    expect([drafted.wagers, drafted.cards, drafted.in_round]).toEqual([{ ante: 700 }, [], false]);
    expect(withDrafts(dealtView(), new Map([[2, { ante: 700 }]])).seats[1]!.wagers).toEqual({ ante: 1000, tie: 100 });
  });
});

describe("what is shown while cards move", () => {
  it("has the stacks, the meters and the results of before, and the cards of now", () => {
    const before = view();
    const after = {
      ...dealtView(),
      stack: 99900,
      session: { rounds: 9, net: 777, history: [] },
      meters: { jackpot: 1 },
    };
    const shown = withFiguresOf(
      { ...after, seats: after.seats.map((seat) => (seat.player === null ? seat : { ...seat, stack: 99900 })) },
      before,
    );
    expect([shown.stack, shown.session, shown.meters]).toEqual([before.stack, before.session, before.meters]);
    expect(shown.seats.map(({ stack }) => stack)).toEqual(before.seats.map(({ stack }) => stack));
    expect(shown.seats.map(({ cards }) => cards)).toEqual(after.seats.map(({ cards }) => cards));
    expect(withFiguresOf(after, null)).toBe(after);
  });
});
