/** Rounds played in this browser: stored, rebuilt card by card, and shared as a link that holds the round. */
import { outcome } from "../app/money";
import { label } from "../app/words";
import { isPush, netOf } from "../scene/amounts";
import type { Layout, Proof, TableEvent, View } from "../wire/types";

const KEY = "feltworks.rounds";
const MOST_ROUNDS = 250;
const MOST_LAYOUTS = 12;

/** A finished round as its player saw it. */
export interface PlayedRound {
  id: string; // table and number
  game: string;
  title: string;
  table: string;
  layout: string; // the key of its layout
  at: number; // when it ended
  view: View; // the round's end
  events: readonly TableEvent[];
  proof: Proof | null; // once the seed was opened
}

export interface RoundBook {
  layouts: Record<string, Layout>;
  rounds: PlayedRound[]; // the latest first
}

type Seat = View["seats"][number];
const EMPTY: RoundBook = { layouts: {}, rounds: [] };

/** Everything that is kept in this browser. */
export function readRounds(): RoundBook {
  try {
    return { ...EMPTY, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<RoundBook>) };
  } catch {
    return EMPTY;
  }
}

function write(book: RoundBook): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(book));
    return true;
  } catch {
    return false; // the browser's store is full, or it keeps nothing
  }
}

/** Keep a round; where the store is full, older ones make room. */
export function keepRound(round: PlayedRound, layout: Layout): void {
  const before = readRounds();
  let rounds = [round, ...before.rounds.filter(({ id }) => id !== round.id)].slice(0, MOST_ROUNDS);
  const keys = [...new Set(rounds.map((one) => one.layout))].slice(0, MOST_LAYOUTS);
  rounds = rounds.filter((one) => keys.includes(one.layout));
  const all: Record<string, Layout> = { ...before.layouts, [round.layout]: layout };
  const layouts = Object.fromEntries(keys.map((key) => [key, all[key]!]));
  while (rounds.length && !write({ layouts, rounds })) rounds = rounds.slice(0, Math.floor(rounds.length / 2));
}

const seatOf = ({ view }: PlayedRound): Seat | undefined =>
  view.seats.find((seat) => view.spots_of_you.includes(seat.spot));

/** What the round changed in its player's stack, in cents and in words. */
export function netOfRound(round: PlayedRound): number {
  const seat = seatOf(round);
  return seat ? (netOf(seat) ?? 0) : 0;
}
export const resultOf = (round: PlayedRound): string =>
  outcome(netOfRound(round), isPush(round.view.lines, seatOf(round)?.spot ?? 0));

/** "pair of nines, dealer two pair" */
export function headline(round: PlayedRound): string {
  const dealer = round.view.dealer.total;
  const words = [seatOf(round)?.total, dealer && `dealer ${dealer}`].filter(Boolean).join(", ");
  return words ? label(words) : `Round ${round.view.round}`;
}

export const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
export const HOUR = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Everything of a round that a search finds. */
export const wordsOf = (round: PlayedRound): string =>
  [round.title, headline(round), ...round.view.lines.flatMap((line) => [line.title, line.clause, line.because])]
    .join(" ")
    .toLowerCase();

/** Rounds of one day at one table stand together. */
export function sittings(rounds: readonly PlayedRound[]): { title: string; rounds: PlayedRound[]; net: number }[] {
  const byTitle = new Map<string, PlayedRound[]>();
  for (const one of rounds) {
    const title = `${DAY.format(one.at)}, ${one.table}`;
    byTitle.set(title, [...(byTitle.get(title) ?? []), one]);
  }
  return [...byTitle].map(([title, all]) => ({
    title,
    rounds: all,
    net: all.reduce((sum, one) => sum + netOfRound(one), 0),
  }));
}

/** The view without names and balances: what a stranger may see of it. */
export function withoutNames(view: View): View {
  const seats = view.seats.map((seat) =>
    seat.player === null ? seat : { ...seat, player: `seat ${seat.spot}`, stack: 0 },
  );
  return { ...view, seats, you: null, stack: null, session: null, meters: {}, decisions: [], name: "" };
}

/** The round after so many events; its cards lie as its player saw them then. */
export function viewAfter({ view, events }: PlayedRound, count: number): View {
  if (count >= events.length) return view;
  const done = events.slice(0, count);
  const turned = turnedPlaces(done);
  const cardsOf = (place: number, spot: number | undefined): (string | null)[] =>
    done
      .flatMap((event) => (event.type === "dealt" && event.to === place && event.spot === spot ? event.faces : []))
      .map((face, i) => face ?? (turned.has(`${place}/${spot ?? ""}/${i}`) ? finalFace(view, place, spot, i) : null));
  const seatNumber = new Map(
    events.flatMap((event) => ("to" in event && event.to >= 0 ? [[event.spot, event.to]] : [])),
  );
  const settled = done.filter((event) => event.type === "settled").length;
  const lines = view.lines.slice(0, settled);
  const seats = view.seats.map((seat): Seat => {
    if (!seat.in_round) return seat;
    const choices = done.filter((event) => event.type === "chosen" && event.spot === seat.spot);
    const last = choices.at(-1);
    const cards = cardsOf(seatNumber.get(seat.spot) ?? -9, seat.spot);
    return {
      ...seat,
      cards,
      hands: handsAfter(
        seat,
        cards.length,
        choices.filter((event) => "name" in event && event.name === "split").length,
      ),
      total: null,
      net: null,
      tucked: null,
      burned: [],
      discarded: false,
      status: last?.type === "chosen" ? last.name : null,
    };
  });
  const speech = done.findLast((event) => event.type === "said");
  const says = speech?.type === "said" ? speech.text : null;
  const dealer = { cards: cardsOf(-1, undefined), total: null, burned: [] };
  return { ...view, seats, dealer, board: cardsOf(-2, undefined), lines, says, running: true, to_act: [] };
}

/** The hands of a split spot after so many cards and splits: a hand not split off yet lies with the one before it. */
function handsAfter(seat: Seat, count: number, splits: number): Seat["hands"] {
  if (!seat.hands || !splits) return null;
  const left: (string | null | undefined)[] = [...(seat.cards ?? [])];
  const places = seat.hands.map((): number[] => []); // in the order of the deal, of every card
  for (let depth = 0; places.some((came, h) => came.length < seat.hands![h]!.cards.length); depth++)
    seat.hands.forEach(({ cards }, h) => {
      if (depth >= cards.length) return;
      const place = left.indexOf(cards[depth]);
      left[place] = undefined;
      places[h]!.push(place);
    });
  const firsts = places.map(([first]) => first!).sort((one, other) => one - other);
  const hands: NonNullable<Seat["hands"]> = [];
  seat.hands.forEach(({ cards }, h) => {
    const came = cards.filter((_, i) => places[h]![i]! < count);
    if (firsts.indexOf(places[h]![0]!) <= splits) hands.push({ cards: came, total: null });
    else hands.at(-1)!.cards.push(...came);
  });
  return hands;
}

function turnedPlaces(events: readonly TableEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) =>
      event.type === "turned"
        ? Array.from({ length: event.count }, (_, i) => `${event.at}/${event.spot ?? ""}/${event.index + i}`)
        : [],
    ),
  );
}

function finalFace(view: View, place: number, spot: number | undefined, index: number): string | null {
  if (place === -1) return view.dealer.cards[index] ?? null;
  if (place === -2) return view.board[index] ?? null;
  return view.seats.find((seat) => seat.spot === spot)?.cards?.[index] ?? null;
}

const toText = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/** The round as the end of a link: nothing is left on the server, no name and no balance is in it. */
export async function linkOf(round: PlayedRound, layout: Layout): Promise<string> {
  const shared = { ...round, table: "", view: withoutNames(round.view) };
  const text = new Blob([JSON.stringify({ round: shared, layout })]).stream();
  const packed = await new Response(text.pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  return `${location.origin}/rounds#${toText(new Uint8Array(packed))}`;
}

/** The round in a link; null where it holds none. */
export async function roundInLink(hash: string): Promise<{ round: PlayedRound; layout: Layout } | null> {
  if (hash.length < 20) return null;
  try {
    const packed = new Blob([toBytes(hash.slice(1))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return (await new Response(packed).json()) as { round: PlayedRound; layout: Layout };
  } catch {
    return null;
  }
}
