/** Offers that choose cards: a player marks the cards and then takes the one offer that chooses them. */
import type { Offer } from "../wire/types";

export const choosesCards = (offer: Offer): boolean => offer.cards.length > 0;

/** The offer's title without the numbers of its cards. */
export const verbOf = (offer: Offer): string =>
  offer.title
    .split(" ")
    .slice(0, -offer.cards.length || undefined)
    .join(" ");

/** The offers as a player hears of them: all that choose cards by one verb are one. */
export function listed(offers: readonly Offer[]): Offer[] {
  const verbs = new Set<string>();
  return offers.filter((offer) => {
    if (!choosesCards(offer)) return true;
    const isNew = !verbs.has(verbOf(offer));
    verbs.add(verbOf(offer));
    return isNew;
  });
}

/** The offer that chooses exactly these cards. */
export const offerOf = (offers: readonly Offer[], cards: readonly number[]): Offer | undefined =>
  offers.find((offer) => choosesCards(offer) && [...cards].sort((a, b) => a - b).join() === offer.cards.join());
