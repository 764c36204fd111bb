import { describe, expect, it } from "vitest";
import { CX } from "../src/draw/geometry";
import { fromDealersSide } from "../src/scene/dealer";
import { NOTHING } from "../src/scene/gestures";
import { motions } from "../src/scene/motion";
import { scene } from "../src/scene/scene";
import type { SettledLine, TableEvent, View } from "../src/wire/types";
import { dealtView, layoutOf, view, type Count } from "./examples";

const fuBacc = (shown: View) => layoutOf("fu-bacc", String(shown.seats.length) as Count);
const drawn = (shown: View, lying = NOTHING) => scene(shown, fuBacc(shown), lying);
const line = (wager: string, net: number): SettledLine => ({
  spot: 2,
  wager,
  title: wager,
  part: "",
  wagered: 1000,
  result: net > 0 ? "win" : net < 0 ? "lose" : "push",
  net,
  because: "",
  clause: "FB.7",
  toke: false,
});
const cardKeys = (shown: View, lying = NOTHING) => drawn(shown, lying).cards.map((card) => card.key);

describe("the drawing", () => {
  it("holds every card that lies there, and nothing it may not see", () => {
    expect(cardKeys(dealtView()).sort()).toEqual(["2:0", "2:1", "2:2", "d:0", "d:1", "d:2"]);
    expect(drawn(dealtView()).cards.filter((card) => card.code === null)).toHaveLength(3);
  });

  it("lays the hit card apart until it is used", () => {
    const [first, second, hit] = ["2:0", "2:1", "2:2"].map((key) =>
      drawn(dealtView()).cards.find((card) => card.key === key)!,
    );
    expect(hit!.x - second!.x).toBeGreaterThan(second!.x - first!.x);
  });

  it("lays a tucked hand under its wager and leaves a burned card out", () => {
    const lying = { tucked: { 2: "tie" }, burned: new Set(["2:2"]), discarded: new Set<number>() };
    const cards = drawn(dealtView(), lying).cards.filter((card) => card.key.startsWith("2:"));
    expect(cards.map((card) => [card.key, card.under])).toEqual([
      ["2:0", true],
      ["2:1", true],
    ]);
  });

  it("takes lost chips away, pays wins beside, and says what each wager got", () => {
    const shown = drawn(dealtView({ running: false, lines: [line("ante", -1000), line("tie", 700)] }));
    expect(shown.chips.map((chips) => chips.key)).toEqual(["2:tie", "2:tie:paid"]);
    expect(shown.tags.map((tag) => [tag.key, tag.text, tag.tone])).toEqual([
      ["2:ante", "−$10", "lose"],
      ["2:tie", "+$7", "win"],
    ]);
  });

  it("leans a win on its wager where the dealer reads upright labels below", () => {
    const shown = fromDealersSide(drawn(dealtView({ running: false, lines: [line("tie", 700)] })));
    const [wager, win] = ["2:tie", "2:tie:paid"].map((key) => shown.chips.find((chips) => chips.key === key)!);
    expect(win!.y).toBeLessThan(wager!.y);
    expect(Math.abs(win!.x - wager!.x)).toBeLessThan(wager!.r);
  });

  it("leaves the mouth of the shoe free of a board", () => {
    const board = ["2c", "3c", "4c", "5c", "6c"];
    const lying = drawn(dealtView({ board })).cards.filter((card) => /^[bd]:/.test(card.key));
    expect(lying).toHaveLength(8);
    for (const card of lying) expect(card.x + card.width / 2).toBeLessThanOrEqual(CX + 240);
  });

  it("lays a toke beside its wager until it is lost, and says what it won", () => {
    const toked = (lines: SettledLine[]) => {
      const shown = dealtView({ running: !lines.length, lines });
      shown.seats[1]!.tokes = { ante: 100 };
      return drawn(shown)
        .chips.filter((chips) => chips.key === "2:ante:toke")
        .map((chips) => [chips.cents, chips.pill?.text]);
    };
    expect(toked([])).toEqual([[100, "toke $1"]]);
    expect(toked([{ ...line("ante", 100), toke: true }])).toEqual([[100, "toke +$1"]]);
    expect(toked([{ ...line("ante", -100), toke: true }])).toEqual([]);
  });

  it("shows the wagers of the next round before it is dealt", () => {
    const shown = view();
    shown.seats[1]!.wagers = { ante: 2500 };
    expect(drawn(shown).chips).toMatchObject([{ key: "2:ante", cents: 2500, pill: { text: "$25" } }]);
  });

  it("lays out split hands side by side, each with its total", () => {
    const shown = dealtView();
    shown.seats[1]!.hands = [
      { cards: ["8h", "Tc"], total: "18" },
      { cards: ["8d", "2c", "5s"], total: "15" },
    ];
    const result = drawn(shown);
    expect(result.cards.filter((card) => card.key.startsWith("2:h"))).toHaveLength(5);
    expect(result.totals.map((total) => total.text)).toEqual(["18", "15"]);
  });

  it("spreads one's own hand widely in the middle alone, where no neighbour's cards lie beside it", () => {
    const reach = (spot: number) => {
      const seats = Array.from({ length: 7 }, (_, i) => ({ ...dealtView().seats[1]!, spot: i + 1 }));
      const [first, second] = drawn(dealtView({ seats, spots_of_you: [spot] })).cards.filter((card) =>
        card.key.startsWith(`${spot}:`),
      );
      return Math.hypot(second!.x - first!.x, second!.y - first!.y);
    };
    expect(reach(4)).toBeGreaterThan(reach(3) * 1.3);
  });

  it("lets nobody click another's spots", () => {
    expect(new Set(drawn(view()).targets.map((target) => target.spot))).toEqual(new Set([2]));
  });
});

describe("motion", () => {
  const dealing: TableEvent[] = [
    { type: "dealt", to: 0, faces: ["Kh", "Tc"] },
    { type: "dealt", to: 0, faces: [null] },
    { type: "dealt", to: -1, faces: [null, null, null] },
    { type: "turned", at: -1, index: 0, count: 1 },
  ];
  const before = drawn(view());
  const after = drawn(dealtView());

  it("deals card by card in the procedure's order, and turns only what has come", () => {
    const { moving, total } = motions(before, after, dealing, dealtView());
    const times = ["2:0", "2:1", "2:2", "d:0", "d:1", "d:2"].map((key) => moving.get(key)!.at);
    expect(times).toEqual([0, 110, 220, 330, 440, 550]);
    expect(moving.get("d:0")!.turnAt).toBe(870);
    expect(total).toBe(1230);
  });

  it("lets things stand where they belong: distances lead from the shoe to there", () => {
    const { moving } = motions(before, after, dealing, dealtView());
    const card = after.cards.find((one) => one.key === "2:0")!;
    expect(moving.get("2:0")!.dx).toBe(Math.round(830 - card.x));
    expect(moving.get("2:0")!.dy).toBe(Math.round(100 - card.y));
  });

  it("takes losing chips to the tray and pays winners from it", () => {
    const over = dealtView({ running: false, lines: [line("ante", -1000), line("tie", 700)] });
    const settled: TableEvent[] = [
      { type: "settled", seat: 0, wager: "ante", taken: 1000, paid: 0 },
      { type: "settled", seat: 0, wager: "tie", taken: 0, paid: 700 },
    ];
    const { moving, leavingChips } = motions(after, drawn(over), settled, over);
    expect(leavingChips.map((chips) => chips.key)).toEqual(["2:ante"]);
    expect(moving.get("2:tie:paid")!.gesture).toBe("pay");
    expect(moving.get("2:tie:paid")!.at).toBeGreaterThan(leavingChips[0]!.motion.at);
  });

  it("goes by the spot that an event names, though its player has left the table by then", () => {
    const seats = dealtView().seats.map((seat) => (seat.spot === 2 ? { spot: 2, player: null } : seat));
    const left = dealtView({ running: false, seats });
    const { leavingChips } = motions(
      after,
      drawn(left),
      [{ type: "settled", spot: 2, seat: 0, wager: "ante", taken: 1000, paid: 0 }],
      left,
    );
    expect(leavingChips.map((chips) => chips.key)).toEqual(["2:ante"]);
  });

  it("burns what is gone and tucks what moved", () => {
    const lying = { tucked: { 2: "tie" }, burned: new Set(["2:2"]), discarded: new Set<number>() };
    const acted: TableEvent[] = [
      { type: "tucked", seat: 0, under: "tie" },
      { type: "burned", at: 0, index: 2 },
      { type: "said", text: "Dealer has 6" },
    ];
    const { moving, leavingCards, said } = motions(after, drawn(dealtView(), lying), acted, dealtView());
    expect([moving.get("2:0")!.gesture, moving.get("2:1")!.gesture]).toEqual(["tuck", "tuck"]);
    expect(leavingCards.map((card) => [card.key, card.motion.gesture])).toEqual([["2:2", "burn"]]);
    expect(said).toEqual([{ at: 560, text: "Dealer has 6" }]);
  });

  it("lets nothing leave twice: neither a burned card with its folded hand nor a divided wager part by part", () => {
    const lying = { tucked: {}, burned: new Set(["2:2"]), discarded: new Set([2]) };
    const over = dealtView({ lines: [line("ante", -1000)] });
    const folded: TableEvent[] = [
      { type: "burned", at: 0, index: 2 },
      { type: "settled", seat: 0, wager: "ante", taken: 500, paid: 0 },
      { type: "settled", seat: 0, wager: "ante", taken: 500, paid: 0 },
      { type: "discarded", seat: 0 },
    ];
    const { leavingCards, leavingChips } = motions(after, drawn(over, lying), folded, over);
    expect(leavingCards.map((card) => card.key).sort()).toEqual(["2:0", "2:1", "2:2"]);
    expect(leavingChips.map((chips) => chips.key)).toEqual(["2:ante"]);
  });

  it("is none where nothing is told: after a reconnection everything simply stands there", () => {
    expect(motions(before, after, [], dealtView()).total).toBe(0);
    expect(motions(null, after, dealing, dealtView()).total).toBe(0);
  });
});
