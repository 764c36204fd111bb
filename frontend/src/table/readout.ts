/** Read-outs on single keys, for whoever plays by ear: the hand, the dealer, the wagers, the pays, what one may do. */
import { money, range } from "../app/money";
import { done } from "../app/words";
import { named } from "../draw/card";
import type { Code, Decision, GameDocument, Money, TableDocument, View } from "../wire/types";
import { offerWords } from "./announcements";
import { listed } from "./offers";
import type { Opening } from "./draft";

export type Question = "hand" | "dealer" | "wagers" | "pays" | "choices" | "others";

/** The key of each read-out. */
export const READOUTS: readonly (readonly [key: string, question: Question, title: string])[] = [
  ["5", "hand", "My hand"],
  ["6", "dealer", "The dealer’s cards"],
  ["7", "wagers", "My wagers and my stack"],
  ["8", "pays", "What my wagers pay"],
  ["9", "choices", "What may I do"],
  ["0", "others", "The other seats"],
];

export interface Heard {
  view: View;
  decision: Decision | null;
  openings: readonly Opening[];
  game: GameDocument | null;
  table: TableDocument | null;
  mayWager: boolean;
  isSettled: boolean;
  draft: Money;
}

export const cards = (list: readonly Code[]): string => list.map(named).join(", ") || "no cards";
const amounts = (wagers: Money, titles: ReadonlyMap<string, string>): string =>
  Object.entries(wagers)
    .filter(([, cents]) => cents)
    .map(([name, cents]) => `${titles.get(name) ?? name} ${money(cents)}`)
    .join(", ");

const ownSeat = ({ view }: Heard) => view.seats.find((seat) => view.spots_of_you.includes(seat.spot));

function hand(heard: Heard): string {
  const seat = ownSeat(heard);
  if (!seat) return "You have no seat.";
  const hands = seat.hands?.map((one, i) => `Hand ${i + 1}: ${cards(one.cards)}, ${one.total ?? ""}`);
  return hands?.join(". ") ?? `You hold ${cards(seat.cards ?? [])}${seat.total ? `: ${seat.total}` : ""}.`;
}

function choices({ decision, openings, mayWager, isSettled }: Heard): string {
  if (decision)
    return `${listed(decision.offers)
      .map((offer) => `${offer.key}: ${offerWords(offer)}, ${offer.consequence}`)
      .join(". ")}.`;
  if (!mayWager) return "Nothing now: the dealer is at work.";
  if (isSettled) return "Enter: the same wagers again. X: twice as much. W: change the wagers.";
  const limits = openings.map(({ wager, limit }) => `${wager.title} ${range(limit)}`).join(", ");
  return `Place your wagers: ${limits}. Enter deals; with nothing placed, at the smallest wager.`;
}

function pays({ game, table, draft, view }: Heard): string {
  const seat = view.seats.find((one) => view.spots_of_you.includes(one.spot));
  const names = Object.keys({ ...draft, ...(seat?.wagers ?? {}) });
  const titles = new Map(game?.wagers.map(({ name, title }) => [name, title]));
  const listed = names.flatMap((name) => {
    const rows = Object.entries(table?.pays[name] ?? {}).filter(([, pay]) => pay !== "lose");
    return rows.length ? [`${titles.get(name) ?? name}: ${rows.map(([row, pay]) => `${row} ${pay}`).join(", ")}`] : [];
  });
  return listed.length ? `${listed.join(". ")}.` : "Nothing is wagered.";
}

function others({ view }: Heard): string {
  const seats = view.seats.filter((seat) => seat.player !== null && !view.spots_of_you.includes(seat.spot));
  const words = seats.map((seat) => `Seat ${seat.spot}, ${seat.player}: ${done(seat.status ?? "") || "waits"}`);
  return words.length ? `${words.join(". ")}.` : "Nobody else sits here.";
}

/** The answer to a question, as a sentence to be heard. */
export function readOut(question: Question, heard: Heard): string {
  const { view, game } = heard;
  const titles = new Map(game?.wagers.map(({ name, title }) => [name, title]));
  const seat = ownSeat(heard);
  switch (question) {
    case "hand":
      return hand(heard);
    case "dealer":
      return `The dealer has ${cards(view.dealer.cards)}${view.dealer.total ? `: ${view.dealer.total}` : ""}.`;
    case "wagers": {
      const lying = amounts(view.running || heard.isSettled ? (seat?.wagers ?? {}) : heard.draft, titles);
      return `${lying || "No wagers"}. Your stack is ${money(view.stack ?? 0)}.`;
    }
    case "pays":
      return pays(heard);
    case "choices":
      return choices(heard);
    case "others":
      return others(heard);
  }
}
