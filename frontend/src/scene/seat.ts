/** One seat of the drawing: its printed spots, its chips, its cards wherever they lie, and its plate. */
import { money, outcome, signed, tone } from "../app/money";
import { done, shortTotal } from "../app/words";
import { stackHeight } from "../draw/chip";
import { CROWDED, CX, place, STAGE, offset, type Frame, type Point } from "../draw/geometry";
import type { Layout } from "../wire/types";
import { labelSize, spotPrint } from "../draw/spots";
import type { Spot } from "../wire/types";
import { tenth } from "../draw/figures";
import type { Code, SeatView, SettledLine } from "../wire/types";
import { amounts, isPush, netOf, tokesOn, type OnWager } from "./amounts";
import type { Gestures } from "./gestures";
import type { Note, PlacedCard, PlacedChips, Plate, Scene } from "./types";

export interface SeatContext {
  layout: Layout;
  lines: readonly SettledLine[];
  lying: Gestures;
  waiting: ReadonlySet<string>; // "spot:wager" that an open choice would put money on
  active: Readonly<Record<number, number>>; // by spot: which of several hands is being played
}

const isEmpty = (seat: SeatView): boolean => seat.player === null;

function print(f: Frame, seat: SeatView, on: Record<string, OnWager>, { layout, waiting }: SeatContext): string {
  const size = labelSize(layout.spots, f.scale, f.mine);
  const spots = layout.spots.map((spot) => {
    const here = on[spot.wager];
    const state = [
      here?.lying && "live lit",
      (here?.net ?? 0) > 0 && "won",
      !here?.lying && waiting.has(`${seat.spot}:${spot.wager}`) && "waiting",
    ];
    return spotPrint(spot, size, state.filter(Boolean).join(" "));
  });
  const faded = isEmpty(seat) ? ' opacity=".74"' : "";
  return (
    `<g transform="translate(${tenth(f.x)} ${tenth(f.y)}) rotate(${tenth(f.turn)}) ` +
    `scale(${f.scale})" style="--turn:${tenth(f.turn)}deg"${faded}>${spots.join("")}</g>`
  );
}

const radius = (f: Frame, spot: Spot): number =>
  (f.mine ? 17 : 14.5) * (spot.radius < 20 ? 0.88 : 1) * (f.scale < 0.8 ? 0.85 : 1);

function chipsOn(f: Frame, spot: Spot, here: OnWager): PlacedChips[] {
  const r = radius(f, spot);
  const key = `${f.seat}:${spot.wager}`;
  const p = place(f, spot.x, spot.y);
  const chips: PlacedChips[] = [];
  const text = money(here.lying);
  const pill = {
    x: p.x + r * (spot.main ? 1.25 : 1.1) + text.length * 2.1,
    y: p.y - r * (spot.main ? 0.1 : 0.72) - stackHeight(here.lying, r) * 0.7,
    text,
  };
  if (here.lying) chips.push({ key, cents: here.lying, x: p.x, y: p.y + 2, r, pill: here.net === null ? pill : null });
  if (here.paid) chips.push({ key: `${key}:paid`, cents: here.paid, ...beside(f, spot, r * 0.8), r, pill: null });
  return chips;
}

/* Wins are paid towards the outside of the seat; towards the dealer as well where a neighbour's spots begin there. */
const OUTER = 40; // from the middle of the seat
function paying(f: Frame, spot: Spot): Point {
  const side = spot.x < 0 ? -1 : 1;
  const isClose = f.neighbours >= CROWDED && Math.abs(spot.x) > OUTER;
  return spot.pays ?? (isClose ? { x: 0.6 * side, y: -0.8 } : { x: side, y: 0 });
}
function beside(f: Frame, spot: Spot, away: number, further = 0): Point {
  const towards = paying(f, spot);
  return place(
    f,
    spot.x + towards.x * (spot.radius + away) + Math.sign(towards.x) * further,
    spot.y + towards.y * (spot.radius + away) - 1,
  );
}

/* A toke lies at the other edge of the ring: paid like the wager, for the dealers. */
function tokeOn(f: Frame, spot: Spot, { lying, net }: OnWager): PlacedChips[] {
  const r = radius(f, spot) * 0.66;
  const side = -Math.sign(paying(f, spot).x) || 1;
  const text = `toke ${net ? signed(net) : money(lying)}`;
  const pill = {
    ...place(f, spot.x + side * (spot.radius + r * 1.5 + text.length * 3.2), spot.y + spot.radius * 0.5),
    text,
  };
  return lying
    ? [
        {
          key: `${f.seat}:${spot.wager}:toke`,
          cents: lying,
          ...place(f, spot.x + side * (spot.radius * 0.92), spot.y + spot.radius * 0.5),
          r,
          pill,
        },
      ]
    : [];
}

/* What was won stands beside its stack; over a half of it where a neighbour's spots are printed there. */
function besidePaid(f: Frame, spot: Spot): Point {
  const r = radius(f, spot);
  if (f.neighbours < CROWDED) return beside(f, spot, r * 0.8, r * 0.9 + 26);
  const { x, y } = beside(f, spot, r * 0.8);
  const towards = paying(f, spot);
  if (towards.y > 0) return { x: x + Math.sign(towards.x) * 14, y: y + r * 0.5 }; // the spot's label lies below it
  return { x, y: y + r * 0.8 };
}

function tag(f: Frame, spot: Spot, here: OnWager): Note | null {
  if (!f.mine || here.net === null) return null;
  const at = here.paid ? besidePaid(f, spot) : place(f, spot.x, spot.y);
  return { key: `${f.seat}:${spot.wager}`, ...at, text: here.net ? signed(here.net) : "push", tone: tone(here.net) };
}

const NO_TOKE: OnWager = { lying: 0, paid: 0, net: null };

/** A card of a hand with its number in the deal. */
export interface Held {
  index: number;
  code: Code;
}

/** The cards that a seat holds, in the order in which they lie. */
export function heldCards(seat: SeatView, lying: Gestures): Held[] {
  if (lying.discarded.has(seat.spot)) return [];
  const held = (seat.cards ?? [])
    .map((code, index) => ({ index, code }))
    .filter(({ index }) => !lying.burned.has(`${seat.spot}:${index}`));
  return isNamed(seat.total) ? sorted(held) : held;
}

/* A hand that has a name instead of a number is read by its ranks: what is there several times comes first. */
const isNamed = (total: string | null | undefined): boolean => !!total && /^(?!soft)\D/.test(shortTotal(total));
const RANKS = "23456789TJQKA";
const rank = ({ code }: Held): number => RANKS.indexOf(code?.[0] ?? "") + (code === "Jo" ? RANKS.length : 0);

function sorted(held: readonly Held[]): Held[] {
  const count = (card: Held): number => held.filter((other) => rank(other) === rank(card)).length;
  return [...held].sort((a, b) => count(b) - count(a) || rank(b) - rank(a));
}

const middle = (i: number, count: number): number => i - (count - 1) / 2;

/* How a hand spreads: one's own widely in the middle of the table, closer where neighbours sit beside it. */
interface Spread {
  width: number;
  step: number;
  reach: number;
  aside: number;
}
const WIDE: Spread = { width: 74, step: 80, reach: 204, aside: 130 };
const CLOSE: Spread = { width: 62, step: 50, reach: 144, aside: 96 };
const spreadOf = (f: Frame): Spread => (f.scale > 1 && f.isRoomy ? WIDE : CLOSE);

function tuckedCards(f: Frame, spot: Spot, cards: readonly Held[]): PlacedCard[] {
  return cards.map(({ index, code }, i) => {
    const k = middle(i, cards.length);
    const at = offset(
      f,
      spot.x * f.scale + k * (f.mine ? spreadOf(f).width * 0.4 : 12),
      spot.y * f.scale - (f.mine ? spreadOf(f).width * 0.6 : 19),
    );
    return {
      key: `${f.seat}:${index}`,
      code,
      ...at,
      width: f.mine ? spreadOf(f).width : 44,
      turn: f.turn + k * 5,
      under: true,
    };
  });
}

const lift = (f: Frame, layout: Layout): number => layout.hand * f.scale - (f.mine ? 28 : 8);

const stepOf = (f: Frame, count: number): number =>
  f.mine ? Math.min(spreadOf(f).step, spreadOf(f).reach / Math.max(1, count - 1)) : count > 3 ? 15 : 24;
const widthOf = (f: Frame): number => (f.mine ? spreadOf(f).width : 46 * Math.min(1, f.scale + 0.1));

/* Where a neighbour's spots are printed close by, one's own hand lies towards the middle of the table. */
const shift = (f: Frame): number => (f.mine && !f.isRoomy ? Math.sign(CX - f.x) * 34 : 0);

function handCards(f: Frame, layout: Layout, cards: readonly Held[]): PlacedCard[] {
  const step = stepOf(f, cards.length);
  const fanned = f.mine || cards.length < 4 ? 0 : 3;
  return cards.map(({ index, code }, i) => {
    const k = middle(i, cards.length);
    return {
      key: `${f.seat}:${index}`,
      code,
      ...offset(f, k * step + shift(f), lift(f, layout)),
      width: widthOf(f),
      turn: f.turn + k * fanned,
      under: false,
    };
  });
}

function splitCards(
  f: Frame,
  layout: Layout,
  seat: SeatView,
  active: number | undefined,
): { cards: PlacedCard[]; totals: Note[] } {
  const hands = seat.hands ?? [];
  const gap = f.mine ? Math.min(150, 400 / hands.length) : 56;
  const width = f.mine ? 58 : 40;
  const step = f.mine ? 20 : 10;
  const cards: PlacedCard[] = [];
  const totals: Note[] = [];
  hands.forEach((hand, h) => {
    const centre = middle(h, hands.length) * gap;
    hand.cards.forEach((code, i) =>
      cards.push({
        key: `${f.seat}:h${h}.${i}`,
        code,
        ...offset(f, centre + middle(i, hand.cards.length) * step, lift(f, layout)),
        width,
        turn: f.turn,
        under: false,
      }),
    );
    if (hand.total)
      totals.push({
        key: `${f.seat}:t${h}`,
        ...offset(f, centre, lift(f, layout) - width * 0.7 - 14),
        text: shortTotal(hand.total),
        tone: `${f.mine ? "mine" : ""} ${h === active ? "active" : ""}`,
      });
  });
  return { cards, totals };
}

/* Just above the highest corner of a hand, however far the seat is turned; of one's own, over its lower edge. */
function overHand(f: Frame, layout: Layout, count: number): Point {
  const angle = (Math.abs(f.turn) * Math.PI) / 180;
  const half = ((count - 1) * stepOf(f, count) + widthOf(f)) / 2;
  const { x, y } = offset(f, shift(f), lift(f, layout));
  if (f.mine) return { x, y: y + 0.7 * widthOf(f) }; // above one's own hand the felt has its rules
  return { x, y: y - 0.7 * widthOf(f) * Math.cos(angle) - half * Math.sin(angle) - (f.mine ? 16 : 11) };
}

function total(f: Frame, layout: Layout, seat: SeatView, count: number, under: Spot | undefined): Note[] {
  if (!seat.total || !count) return [];
  const text = shortTotal(seat.total);
  const size = f.mine ? "mine" : "";
  if (!under && isNamed(seat.total) && count > 2)
    return [{ key: `${f.seat}:total`, ...overHand(f, layout, count), text, tone: size }]; // words stand over the hand
  const reach = (count - 1) * (under ? 30 : stepOf(f, count));
  const away = f.mine ? spreadOf(f).width / 2 + 15 + 5 * text.length : 29 + 4.5 * text.length;
  const at = offset(f, (under?.x ?? 0) * f.scale - reach / 2 - away, under ? under.y * f.scale - 66 : lift(f, layout));
  return [{ key: `${f.seat}:total`, ...at, text, tone: size }];
}

const RIDE = 82;
const SHORT_RIDE = 18; // where seats stand so close that the next one's spots begin there

/* The text of a plate, to estimate its width. */
function plateWords({ seat, result }: Pick<Plate, "seat" | "result">): string {
  if (isEmpty(seat)) return "Sit here";
  return [seat.player, money(seat.stack ?? 0), result || done(seat.status ?? "")].join("");
}

/** Where the middle of a plate may be, so that all of it lies on the stage. */
export function onStage(x: number, plate: Pick<Plate, "seat" | "result">): number {
  const half = 30 + plateWords(plate).length * 3.6;
  return Math.min(STAGE.W - 10 - half, Math.max(10 + half, x));
}

/* End plates ride along the rail, clear of the spots. */
function plate(f: Frame, seat: SeatView, lines: readonly SettledLine[]): Plate {
  const net = netOf(seat);
  const result = net === null ? "" : outcome(net, isPush(lines, seat.spot), signed);
  const side = Math.sign(f.x - CX);
  const slide = f.mine
    ? 0
    : Math.min(1, Math.max(0, (Math.abs(f.turn) - 20) / 14)) * (f.neighbours > 5 ? SHORT_RIDE : RIDE);
  const x = onStage(f.x + f.along.x * slide * side + side * 6, { seat, result });
  return { x, y: Math.min(STAGE.H - 24, f.y + f.along.y * slide * side + 18), frame: f, seat, result };
}

function layCards(f: Frame, seat: SeatView, context: SeatContext, into: Scene): void {
  const { layout, lying } = context;
  if (seat.hands && seat.hands.length > 1) {
    const split = splitCards(f, layout, seat, context.active[seat.spot]);
    into.cards.push(...split.cards);
    into.totals.push(...split.totals);
    return;
  }
  const cards = heldCards(seat, lying);
  const under = layout.spots.find((spot) => spot.wager === lying.tucked[seat.spot]);
  const waiting = under ? undefined : cards.find(({ index }) => index === layout.aside?.index);
  const hand = cards.filter((card) => card !== waiting);
  into.cards.push(...(under ? tuckedCards(f, under, hand) : handCards(f, layout, hand)));
  into.totals.push(...total(f, layout, seat, hand.length, under));
  if (waiting && layout.aside) {
    const at = offset(f, f.mine ? spreadOf(f).aside : 56, lift(f, layout));
    into.cards.push({
      key: `${f.seat}:${waiting.index}`,
      code: waiting.code,
      ...at,
      width: f.mine ? spreadOf(f).width : 40,
      turn: f.turn,
      under: false,
    });
    if (f.mine)
      into.labels.push({
        ...offset(f, spreadOf(f).aside, lift(f, layout) - spreadOf(f).width * 0.7 - 7),
        text: layout.aside.label.toUpperCase(),
      });
  }
}

/** Put one seat into the drawing. */
export function laySeat(f: Frame, seat: SeatView, context: SeatContext, into: Scene): void {
  const on = amounts(seat, context.lines);
  const tokes = tokesOn(seat, context.lines);
  into.prints.push(print(f, seat, on, context));
  for (const spot of context.layout.spots) {
    const here = on[spot.wager];
    if (f.mine && !spot.is_bare)
      into.targets.push({ spot: seat.spot, wager: spot.wager, ...place(f, spot.x, spot.y), r: spot.radius * f.scale });
    if (!here) continue;
    into.chips.push(...chipsOn(f, spot, here), ...tokeOn(f, spot, tokes[spot.wager] ?? NO_TOKE));
    const got = tag(f, spot, here);
    if (got) into.tags.push(got);
  }
  layCards(f, seat, context, into);
  into.plates.push(plate(f, seat, context.lines));
}
