/** The round in words, one line after another, from the events that the table sent. */
import { money } from "../app/money";
import { brief, done, typeset } from "../app/words";
import type { Code, TableEvent, View } from "../wire/types";

export interface StoryLine {
  text: string;
  isOwn: boolean; // about the viewer's own seat
}

const isDealer = (at: number): boolean => at === -1;
const isBoard = (at: number): boolean => at === -2;

/* Who an event is about: the dealer, the board, you, or a seat by its number. */
function subject(at: number, spot: number | undefined, view: View): string {
  if (isDealer(at)) return "Dealer";
  if (isBoard(at)) return "Board";
  return spot !== undefined && view.spots_of_you.includes(spot) ? "You" : `Seat ${spot ?? at + 1}`;
}

function facesAt(at: number, spot: number | undefined, view: View): readonly Code[] {
  if (isDealer(at)) return view.dealer.cards;
  return isBoard(at) ? view.board : (view.seats.find((seat) => seat.spot === spot)?.cards ?? []);
}

type Words = {
  [type in TableEvent["type"]]: (event: Extract<TableEvent, { type: type }>, view: View, titles: Titles) => string;
};
type Titles = ReadonlyMap<string, string>;

const WORDS: Words = {
  dealt: ({ to, faces, spot }, view) => `${subject(to, spot, view)}: ${faces.map(brief).join(" ")}`,
  turned: ({ at, index, count, spot }, view) => {
    const faces = facesAt(at, spot, view).slice(index, index + count);
    return `${subject(at, spot, view)} turned: ${faces.map(brief).join(" ")}`;
  },
  peeked: () => "The dealer checks the hole card",
  tucked: ({ seat, under, spot }, view, titles) =>
    `${subject(seat, spot, view)}: cards under the ${titles.get(under) ?? under}`,
  burned: ({ at, spot }, view) => `${subject(at, spot, view)}: a card is burned`,
  discarded: ({ seat, spot }, view) => `${subject(seat, spot, view)}: cards to the discards`,
  said: ({ text }) => `Dealer: “${text}”`,
  settled: ({ seat, wager, taken, paid, spot }, view, titles) => {
    const result = paid ? `pays ${money(paid)}` : taken ? `${money(taken)} taken` : "push";
    return `${subject(seat, spot, view)}, ${titles.get(wager) ?? wager}: ${result}`;
  },
  chosen: ({ seat, name, cents, spot }, view) =>
    `${subject(seat, spot, view)}: ${done(name)}${cents ? ` ${money(Math.abs(cents))}` : ""}`,
};

/** The lines of these events; neighbouring cards for one place share a line. */
export function storyOf(events: readonly TableEvent[], view: View, titles: Titles): StoryLine[] {
  const lines: StoryLine[] = [];
  let before: TableEvent | null = null;
  for (const event of events) {
    const isOwn = event.spot !== undefined && view.spots_of_you.includes(event.spot);
    const isSamePlace = event.type === "dealt" && before?.type === "dealt" && before.to === event.to;
    if (isSamePlace) {
      const last = lines.pop()!;
      lines.push({ ...last, text: `${last.text} ${event.faces.map(brief).join(" ")}` });
    } else {
      const words = WORDS[event.type] as (event: TableEvent, view: View, titles: Titles) => string;
      lines.push({ text: typeset(words(event, view, titles)), isOwn });
    }
    before = event;
  }
  return lines;
}
