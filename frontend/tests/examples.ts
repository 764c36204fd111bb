/** Games and views to test with. */
import type { GameDocument, Layout, OptionDocument, View, WagerDocument } from "../src/wire/types";
import layouts from "./layouts.json";

type Games = keyof typeof layouts.games;
export type Count = keyof typeof layouts.seats;

export const GAMES = Object.keys(layouts.games) as Games[];

/** The layout of a game as the server sends it, for so many seats. */
export function layoutOf(game: Games, seats: Count = "7"): Layout {
  return { ...layouts.games[game], seats: layouts.seats[seats] } as Layout;
}

const titleOf = (name: string): string =>
  name
    .split("-")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(" ");

export const wager = (name: string, change: Partial<WagerDocument> = {}): WagerDocument => ({
  name,
  title: titleOf(name),
  kind: "main",
  of: null,
  times: null,
  fixed: null,
  least: 1,
  clause: "",
  leave_out: "never",
  needs: null,
  equals: null,
  tokes: false,
  pay_tables: { "1": { win: "1 to 1" } },
  ...change,
});

export const option = (name: string, change: Partial<OptionDocument>): OptionDocument => ({
  name,
  text: "",
  clause: "",
  default: false,
  values: null,
  range: null,
  members: null,
  ...change,
});

export const game = (name: Games, wagers: WagerDocument[]): GameDocument => ({
  name,
  title: name,
  seats: 5,
  most_wagers: null,
  wagers,
  options: [],
  clauses: {},
  readings: [],
  approval: null,
  layout: layoutOf(name),
});

const EMPTY: View = {
  game: "fu-bacc",
  name: "Table 1",
  round: null,
  running: false,
  you: "Ana",
  stack: 50000,
  spots_of_you: [2],
  seats: [
    { spot: 1, player: "Bo", stack: 30000, wagers: {}, cards: [], in_round: false, net: null },
    { spot: 2, player: "Ana", stack: 50000, wagers: {}, cards: [], in_round: false, net: null },
    { spot: 3, player: null },
  ],
  dealer: { cards: [], total: null, burned: [] },
  board: [],
  decisions: [],
  to_act: [],
  countdown: null,
  lines: [],
  says: null,
  meters: {},
  commitment: null,
  reveal: null,
  seeded: false,
  limits: { ante: [500, 20000], "lucky-monkey": [100, 10000], tie: [100, 100] },
  session: null,
  as_approved: true,
};

export const view = (change: Partial<View> = {}): View => ({ ...structuredClone(EMPTY), ...change });

/** Ana alone in a Fu Bacc round, her two cards open and the hit card down. */
export function dealtView(change: Partial<View> = {}): View {
  const seats = structuredClone(EMPTY.seats);
  seats[1] = {
    ...seats[1]!,
    wagers: { ante: 1000, tie: 100 },
    cards: ["Kh", "Tc", null],
    in_round: true,
    total: "total 0",
  };
  return view({
    round: 1,
    running: true,
    seats,
    dealer: { cards: ["9s", null, null], total: null, burned: [] },
    to_act: [2],
    ...change,
  });
}
