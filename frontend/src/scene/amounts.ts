/** What lies on a spot's wagers now, what was paid beside them, and what each got. */
import type { Money, SeatView, SettledLine } from "../wire/types";

export interface OnWager {
  lying: number;
  paid: number;
  net: number | null; // null while the wager is in action
}

const EMPTY: Money = {};

/** Own lines of one wager, or of the toke on it; a split hand has several. */
export const linesOn = (lines: readonly SettledLine[], spot: number, wager: string, isToke = false): SettledLine[] =>
  lines.filter((line) => line.spot === spot && line.wager === wager && line.toke === isToke);

function resultOf(cents: number, lines: readonly SettledLine[]): OnWager {
  const sum = (pick: (net: number) => number): number => lines.reduce((total, line) => total + pick(line.net), 0);
  const taken = sum((net) => Math.min(0, net));
  return {
    lying: Math.max(0, cents + taken),
    paid: sum((net) => Math.max(0, net)),
    net: lines.length ? sum((net) => net) : null,
  };
}

function onEach(
  wagers: Money,
  seat: SeatView,
  lines: readonly SettledLine[],
  isToke: boolean,
): Record<string, OnWager> {
  const own = seat.in_round ? lines : [];
  return Object.fromEntries(
    Object.entries(wagers).map(([wager, cents]) => [wager, resultOf(cents, linesOn(own, seat.spot, wager, isToke))]),
  );
}

/** By wager: chips that lie there, chips paid, and the result so far. */
export const amounts = (seat: SeatView, lines: readonly SettledLine[]): Record<string, OnWager> =>
  onEach(seat.wagers ?? EMPTY, seat, lines, false);

const total = (amounts: Money): number => Object.values(amounts).reduce((sum, cents) => sum + cents, 0);

/** What a finished round changed in a seat's stack: a toke is the dealers', whatever it brings. */
export const netOf = (seat: SeatView): number | null =>
  seat.net == null ? null : seat.net - total(seat.tokes ?? EMPTY);

/** Whether every wager of a spot pushed. */
export const isPush = (lines: readonly SettledLine[], spot: number): boolean =>
  lines.every((line) => line.spot !== spot || line.result === "push");

/** By wager: the dealers' toke that rides on it. */
export const tokesOn = (seat: SeatView, lines: readonly SettledLine[]): Record<string, OnWager> =>
  onEach(seat.tokes ?? EMPTY, seat, lines, true);
