/** Drafted wagers: chips added and removed within the posted limits. */
import type { GameDocument, Money, View, WagerDocument } from "../wire/types";

export type Limit = readonly [number, number];

/** A wager one may open with: derived ones come by choosing later. */
export interface Opening {
  wager: WagerDocument;
  limit: Limit;
  isFixed: boolean;
}

/** What may be wagered before the deal, the main wagers first. */
export function openings(game: GameDocument, limits: View["limits"]): Opening[] {
  const rank = (wager: WagerDocument): number => (wager.kind === "main" ? 0 : 1);
  return game.wagers
    .filter((wager) => wager.kind !== "derived" && limits[wager.name])
    .map((wager) => ({ wager, limit: limits[wager.name]!, isFixed: limits[wager.name]![0] === limits[wager.name]![1] }))
    .sort((a, b) => rank(a.wager) - rank(b.wager));
}

/** One more chip on a wager: the first one is at least the posted minimum; a fixed wager goes on or off. */
export function withChip(lying: number, chip: number, [least, most]: Limit): number {
  if (least === most) return lying ? 0 : least;
  return lying ? lying + chip : Math.max(chip, least);
}

/** One chip less; below the minimum the wager is taken back. */
export function withoutChip(lying: number, chip: number, [least]: Limit): number {
  const left = lying - chip;
  return left < least ? 0 : left;
}

/** Every amount doubled, up to the posted limit; a fixed wager stays as it is. */
export function twice(wagers: Money, openings: readonly Opening[]): Money {
  const most = new Map(openings.map(({ wager, limit }) => [wager.name, limit[1]]));
  return Object.fromEntries(
    Object.entries(wagers).map(([name, cents]) => [name, Math.min(2 * cents, most.get(name) ?? cents)]),
  );
}

/** An amount on a wager, and as much on those that are always placed together with it. */
export function withEquals(wager: string, cents: number, openings: readonly Opening[]): Money {
  const group = openings.find((one) => one.wager.name === wager)?.wager.equals ?? wager;
  const names = openings.map((one) => one.wager).filter(({ name, equals }) => name === group || equals === group);
  return Object.fromEntries([wager, ...names.map(({ name }) => name)].map((name) => [name, cents]));
}

/** The smallest wagers one can be dealt in with: the least of the main wager, or of the first where none is main. */
export function smallestOf(openings: readonly Opening[]): Money {
  const first = openings.find(({ wager }) => wager.kind === "main") ?? openings[0];
  return first ? withEquals(first.wager.name, first.limit[0], openings) : {};
}

/** The lawful amount nearest to one. */
export const nearest = (cents: number, [least, most]: Limit): number => Math.min(most, Math.max(least, cents));

/** Whether an amount may lie there: nothing may, and what is within the limits. */
export const isWithin = (cents: number, [least, most]: Limit): boolean =>
  cents === 0 || (cents >= least && cents <= most);

export const sum = (wagers: Money): number => Object.values(wagers).reduce((total, cents) => total + cents, 0);

/** Without empty wagers. */
export const lyingOf = (wagers: Money): Money =>
  Object.fromEntries(Object.entries(wagers).filter(([, cents]) => cents > 0));

export function isSame(a: Money, b: Money): boolean {
  const [one, other] = [lyingOf(a), lyingOf(b)];
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The view with the stacks, meters and results of an earlier one: they must not give the end away too early. */
export function withFiguresOf(view: View, other: View | null): View {
  if (!other) return view;
  const stacks = new Map(other.seats.map((seat) => [seat.spot, seat.stack]));
  const seats = view.seats.map((seat) =>
    seat.player === null ? seat : { ...seat, stack: stacks.get(seat.spot) ?? seat.stack ?? 0 },
  );
  return { ...view, seats, stack: other.stack, meters: other.meters, session: other.session };
}

/** The view with the drafted wagers and tokes on the player's own spots. */
export function withDrafts(
  view: View,
  drafts: ReadonlyMap<number, Money>,
  tokes: ReadonlyMap<number, Money> = new Map(),
): View {
  if (view.running || !drafts.size) return view;
  const seats = view.seats.map((seat) => {
    const draft = drafts.get(seat.spot);
    if (!draft || (seat.in_round && !sum(draft))) return seat;
    const riding = tokes.get(seat.spot) ?? (seat.in_round ? {} : (seat.tokes ?? {}));
    return {
      ...seat,
      wagers: lyingOf(draft),
      tokes: lyingOf(riding),
      in_round: false,
      cards: [],
      hands: null,
      total: null,
      status: null,
      net: null,
    };
  });
  return { ...view, seats };
}
