/** Games and views to test with. */
import type { GameTold, View, WagerTold } from "../src/wire/types";

type Kind = WagerTold["kind"];
const wager = (name: string, kind: Kind = "main", of: string | null = null): WagerTold => ({ name, title: name.split("-").map((word) => word[0]!.toUpperCase() + word.slice(1)).join(" "), kind, of, pay_tables: { "1": { win: "1 to 1" } } });

const WAGERS: Record<string, WagerTold[]> = {
  "fu-bacc": [wager("ante"), wager("play", "derived", "ante"), wager("lucky-monkey", "bonus"), wager("tie", "bonus")],
  "acey-deucey-21": [wager("blackjack"), wager("insurance", "derived", "blackjack"), wager("acey-deucey", "bonus"), wager("raise", "derived", "acey-deucey"), wager("war", "bonus")],
  "lucky-break": [wager("blackjack"), wager("insurance", "derived", "blackjack"), wager("lucky-break", "bonus")],
  "spanish-poker": [wager("ante"), wager("raise", "derived", "ante"), wager("dos-pares", "bonus"), wager("joker-in-hand", "bonus"), wager("gran-progressive", "bonus")],
  "lucky-lucky": [wager("blackjack"), wager("insurance", "derived", "blackjack"), wager("lucky-lucky", "bonus"), wager("lucky-break", "bonus")],
  "unheard-of": [wager("ante"), wager("play", "derived", "ante"), wager("pairs", "bonus"), wager("luck", "bonus")],
};

export const GAMES = Object.keys(WAGERS).filter((name) => name !== "unheard-of");

export const game = (name: string): GameTold => ({ name, title: name === "unheard-of" ? "Unheard of" : name, seats: 5, wagers: WAGERS[name]!, options: [], clauses: {}, readings: [] });

const EMPTY: View = {
  game: "fu-bacc", name: "Table 1", round: null, running: false, you: "Ana", stack: 50000, spots_of_you: [2],
  seats: [
    { spot: 1, player: "Bo", stack: 30000, wagers: {}, cards: [], in_round: false, net: null },
    { spot: 2, player: "Ana", stack: 50000, wagers: {}, cards: [], in_round: false, net: null },
    { spot: 3, player: null },
  ],
  dealer: { cards: [], total: null }, board: [], decisions: [], to_act: [], countdown: null, lines: [], says: null, meters: {}, commitment: null, reveal: null, seeded: false,
  limits: { ante: [500, 20000], "lucky-monkey": [100, 10000], tie: [100, 100] }, session: null, as_approved: true,
};

export const view = (change: Partial<View> = {}): View => ({ ...structuredClone(EMPTY), ...change });

/** Ana alone in a Fu Bacc round, her two cards open and the hit card down. */
export function dealtView(change: Partial<View> = {}): View {
  const seats = structuredClone(EMPTY.seats);
  seats[1] = { ...seats[1]!, wagers: { ante: 1000, tie: 100 }, cards: ["Kh", "Tc", null], in_round: true, total: "total 0" };
  return view({ round: 1, running: true, seats, dealer: { cards: ["9s", null, null], total: null }, to_act: [2], ...change });
}
