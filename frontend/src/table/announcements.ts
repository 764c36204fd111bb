/** Announcements of a screen reader when the player's situation changes. */
import { money } from "../app/money";
import { label, shortTotal } from "../app/words";
import { named } from "../draw/card";
import type { Decision, Offer, View } from "../wire/types";
import { choosesCards, listed, verbOf } from "./offers";

/** Whose turn it is, and with what; a bonus wager asks its own question. */
export function turn(view: View, decision: Decision): string {
  const seat = view.seats.find((one) => one.spot === decision.spot);
  const hand = seat?.hands?.[Number(/hand (\d+)/.exec(decision.about)?.[1] ?? 1) - 1];
  const held = hand?.total ?? seat?.total ?? "";
  const isBonus = !!decision.subject && !decision.subject.startsWith("hand");
  return isBonus
    ? `${label(decision.subject)}: ${listed(decision.offers)
        .map((offer) => verbOf(offer).split(" $")[0]!.toLowerCase())
        .join(" or ")}?`
    : `Your turn${held ? `: ${held}` : ""}`;
}

/** An offer in words; one with a free amount by its most, as nobody insures for a cent. */
export const offerWords = (offer: Offer): string => {
  const { title, least, most } = offer;
  if (choosesCards(offer)) return `${verbOf(offer)} cards by their numbers`;
  return least === most ? title : `${title.split(" $")[0]} up to ${money(most)}`;
};

/** What of the dealer's lies open. */
export function shownByDealer(view: View): string {
  const shown = view.dealer.cards.filter((code) => code !== null).map(named);
  return shown.length ? `The dealer shows the ${shown.join(", ")}.` : "No dealer card is open yet.";
}

const CLOSED = "No more bets";

/** What the dealer said last; where a round ended without a word, what the dealer's hand came to, if it has a name. */
export function lastWords({ running, says, dealer }: View): string | null {
  if (running || says !== CLOSED) return says;
  if (!dealer.total) return null;
  return /over 21/.test(dealer.total)
    ? `Dealer breaks with ${shortTotal(dealer.total)}`
    : `Dealer has ${shortTotal(dealer.total)}`;
}

interface Situation {
  view: View | null;
  decision: Decision | null;
  isSeated: boolean;
  isSettled: boolean;
  isPlaying: boolean;
  result: string;
}

/** The announcement for the present situation; empty while cards move. */
export function announce({ view, decision, isSeated, isSettled, isPlaying, result }: Situation): string {
  if (!view || isPlaying) return "";
  if (decision) {
    const offers = listed(decision.offers).map(offerWords).join(", ");
    return `${turn(view, decision).replace(/[^?]$/, "$&.")} ${shownByDealer(view)} ${offers}.`;
  }
  if (!isSeated) return "You are watching.";
  if (isSettled) return `Round settled: ${result}.`;
  return view.running ? "" : "Place your wagers.";
}
