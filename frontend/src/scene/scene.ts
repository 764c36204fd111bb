/** The whole table as a drawing: computed from a view and a layout, without a rule of any game. */
import { shortTotal } from "../app/words";
import { CX, frames } from "../draw/geometry";
import type { Layout } from "../wire/types";
import type { View } from "../wire/types";
import type { Gestures } from "./gestures";
import { laySeat, type SeatContext } from "./seat";
import type { Scene } from "./types";

const DEALER_Y = 150;
const WIDE = 72;
const BOARD_GAP = 64; // between the dealer's cards and the board beside them
const ROOM = 476; // between the discards and the card in the mouth of the shoe

const blank = (): Scene => ({
  frames: [],
  prints: [],
  cards: [],
  chips: [],
  ghosts: [],
  labels: [],
  totals: [],
  tags: [],
  plates: [],
  targets: [],
});

/* Cards that have come, in the order they lie, and those still to come. */
function dealerOrder(layout: Layout, count: number): number[] {
  const expected = Math.max(count, count ? layout.dealer_labels.length : 0);
  const order = layout.dealer_order;
  const rest = Array.from({ length: expected }, (_, i) => i).filter((i) => !order.includes(i));
  return [...order.filter((i) => i < expected), ...rest];
}

function layDealer(view: View, layout: Layout, lying: Gestures, centre: number, into: Scene): void {
  const { cards, total } = view.dealer;
  const order = dealerOrder(layout, cards.length);
  const apart = (i: number): number => (i === layout.dealer_apart && order.length > 1 ? 26 : 0);
  const gap = order.length > 6 ? (ROOM - WIDE * order.length) / (order.length - 1) : 8;
  const width = order.reduce((sum, i) => sum + WIDE + gap + apart(i), -gap);
  let x = centre - width / 2 + WIDE / 2;
  for (const i of order) {
    const at = x;
    x += WIDE + gap + apart(i);
    if (lying.burned.has(`d:${i}`)) continue; // its place stays, so that nothing else moves
    if (i < cards.length)
      into.cards.push({
        key: `d:${i}`,
        code: cards[i] ?? null,
        x: at,
        y: DEALER_Y,
        width: WIDE,
        turn: 0,
        under: false,
      });
    else into.ghosts.push({ x: at, y: DEALER_Y, width: WIDE });
    const label = layout.dealer_labels[i] ?? (layout.dealer_labels.length && order.length < 6 ? "Draw" : "");
    if (label) into.labels.push({ x: at, y: DEALER_Y + WIDE * 0.7 + 15, text: label.toUpperCase() });
  }
  if (total && cards.length) layDealerTotal(shortTotal(total), width, centre, into);
}

/* A number stands beside the cards, words stand under them. */
function layDealerTotal(total: string, width: number, centre: number, into: Scene): void {
  if (/\d$/.test(total))
    into.totals.push({
      key: "d:total",
      x: centre + width / 2 + 20 + total.length * 4,
      y: DEALER_Y,
      text: total,
      tone: "mine",
    });
  else into.labels.push({ x: centre, y: DEALER_Y + WIDE * 0.7 + 15, text: total.toUpperCase() });
}

/* The board lies beside the dealer's cards, both centred together: below them the felt has its name and its rules. */
function layBoard(view: View, left: number, width: number, into: Scene): void {
  const step = (width - WIDE) / Math.max(1, view.board.length - 1);
  view.board.forEach((code, i) => {
    into.cards.push({
      key: `b:${i}`,
      code,
      x: left + WIDE / 2 + i * step,
      y: DEALER_Y,
      width: WIDE,
      turn: 0,
      under: false,
    });
  });
  if (view.board.length) into.labels.push({ x: left + width / 2, y: DEALER_Y + WIDE * 0.7 + 15, text: "BOARD" });
}

const rowWidth = (count: number): number => count * WIDE + Math.max(0, count - 1) * 8;

/* How wide the board lies: its cards overlap where it would reach the discards or the shoe. */
function boardWidth(view: View): number {
  const dealer = view.dealer.cards.length;
  return Math.min(rowWidth(view.board.length), dealer ? ROOM - rowWidth(dealer) - BOARD_GAP : ROOM);
}

/** Everything that lies on the table, where it lies. */
export function scene(view: View, layout: Layout, lying: Gestures): Scene {
  const into = blank();
  const taken = new Set(view.seats.filter((seat) => seat.player !== null).map((seat) => seat.spot));
  into.frames = frames(layout, view.spots_of_you, taken);
  const waiting = new Set(
    view.decisions.flatMap((decision) =>
      decision.offers.filter((offer) => offer.wager).map((offer) => `${decision.spot}:${offer.wager}`),
    ),
  );
  const active = Object.fromEntries(
    view.decisions.map(({ spot, about }) => [spot, Number(/^hand (\d+)$/.exec(about)?.[1] ?? 0) - 1]),
  );
  const context: SeatContext = { layout, lines: view.lines, lying, waiting, active };
  view.seats.forEach((seat, i) => laySeat(into.frames[i]!, seat, context, into));
  const dealer = rowWidth(view.dealer.cards.length);
  const gap = view.board.length && dealer ? BOARD_GAP : 0;
  const board = view.board.length ? boardWidth(view) : 0;
  const left = CX - (dealer + gap + board) / 2;
  layDealer(view, layout, lying, board ? left + dealer / 2 : CX, into);
  layBoard(view, left + dealer + gap, board, into);
  return into;
}
