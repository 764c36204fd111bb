/** The dealer's gestures of a round: hands tucked under a wager, cards burned, hands discarded. */
import type { SeatView, TableEvent, View } from "../wire/types";

export const DEALER = -1;
export const BOARD = -2;

export interface Gestures {
  tucked: Readonly<Record<number, string>>; // by spot: the wager the hand lies under
  burned: ReadonlySet<string>; // "spot:index"; the dealer is "d"
  discarded: ReadonlySet<number>; // spots whose hands went to the rack
}

export const NOTHING: Gestures = { tucked: {}, burned: new Set(), discarded: new Set() };

/** The spots of the round by the seat numbers events go by. */
export const seatsInRound = (view: View): SeatView[] => view.seats.filter((seat) => seat.in_round);

/** The spot of an event; it names the spot itself, since its player may have left by now. */
export const spotOf = (view: View, event: TableEvent, seat: number): number =>
  event.spot ?? seatsInRound(view)[seat]?.spot ?? 0;

/** The name a place has in the keys of the drawing. */
export function placeKey(view: View, event: TableEvent, place: number): string {
  if (place === DEALER) return "d";
  if (place === BOARD) return "b";
  return String(spotOf(view, event, place) || "?");
}

/** What lies there after these events; the view names the spots of the seats. */
export function follow(before: Gestures, events: readonly TableEvent[], view: View): Gestures {
  const tucked = { ...before.tucked };
  const burned = new Set(before.burned);
  const discarded = new Set(before.discarded);
  for (const event of events) {
    if (event.type === "tucked") tucked[spotOf(view, event, event.seat)] = event.under;
    if (event.type === "burned") burned.add(`${placeKey(view, event, event.at)}:${event.index}`);
    // once the round is over the hands stay to be looked at
    if (event.type === "discarded" && view.running) discarded.add(spotOf(view, event, event.seat));
  }
  return { tucked, burned, discarded };
}

/** Gestures by the state, which outweighs what the events add up to. */
export function fromView(lying: Gestures, view: View): Gestures {
  const tucked = { ...lying.tucked };
  const burned = new Set(lying.burned);
  const discarded = new Set(lying.discarded);
  for (const seat of view.seats) {
    if (seat.tucked !== undefined) {
      if (seat.tucked === null) delete tucked[seat.spot];
      else tucked[seat.spot] = seat.tucked;
    }
    for (const index of seat.burned ?? []) burned.add(`${seat.spot}:${index}`);
    if (seat.discarded && view.running) discarded.add(seat.spot);
  }
  for (const index of view.dealer.burned ?? []) burned.add(`d:${index}`);
  return { tucked, burned, discarded };
}
