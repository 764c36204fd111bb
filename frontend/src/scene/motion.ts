/** The dealer's gestures: which things appear to travel, from where, and when, after a batch of events. */
import { DISCARDS, SHOE, TRAY } from "../draw/furniture";
import type { Point } from "../draw/geometry";
import type { TableEvent, View } from "../wire/types";
import { placeKey, spotOf } from "./gestures";
import type { PlacedCard, PlacedChips, Scene } from "./types";

/** Milliseconds, as the design tokens have them. */
export const TIMES = { deal: 320, gap: 110, turn: 360, tuck: 260, burn: 300, take: 380, pay: 420, between: 150 };

export type Gesture = "deal" | "tuck" | "pay" | "burn" | "take";

export interface Motion {
  gesture: Gesture | null;
  dx: number;
  dy: number;
  at: number;
  turnAt: number | null;
}

export interface Said {
  at: number;
  text: string;
}

/** A batch of motion: what moves by key, what leaves the table, what is said, and how long it takes. */
export interface Motions {
  moving: ReadonlyMap<string, Motion>;
  leavingCards: readonly (PlacedCard & { motion: Motion })[];
  leavingChips: readonly (PlacedChips & { motion: Motion })[];
  said: readonly Said[];
  total: number;
}

export const STILL: Motions = { moving: new Map(), leavingCards: [], leavingChips: [], said: [], total: 0 };

const motion = (gesture: Gesture | null, from: Point, to: Point, at: number, turnAt: number | null = null): Motion => ({
  gesture,
  dx: Math.round(from.x - to.x),
  dy: Math.round(from.y - to.y),
  at,
  turnAt,
});

/* What has left the table does not leave it twice: a burned card is no longer in the hand that is discarded. */
const isAmong = (things: readonly { key: string }[], key: string): boolean => things.some((thing) => thing.key === key);

class Choreography {
  readonly moving = new Map<string, Motion>();
  readonly leavingCards: (PlacedCard & { motion: Motion })[] = [];
  readonly leavingChips: (PlacedChips & { motion: Motion })[] = [];
  readonly said: Said[] = [];
  private clock = 0;
  private busyUntil = 0;
  private last = "";
  private readonly cardsBefore: Map<string, PlacedCard>;
  private readonly cardsAfter: Map<string, PlacedCard>;
  private readonly chipsBefore: Map<string, PlacedChips>;
  private readonly chipsAfter: Map<string, PlacedChips>;
  private readonly dealt = new Map<string, number>();

  constructor(
    before: Scene,
    after: Scene,
    private readonly view: View,
  ) {
    this.cardsBefore = new Map(before.cards.map((card) => [card.key, card]));
    this.cardsAfter = new Map(after.cards.map((card) => [card.key, card]));
    this.chipsBefore = new Map(before.chips.map((chips) => [chips.key, chips]));
    this.chipsAfter = new Map(after.chips.map((chips) => [chips.key, chips]));
  }

  follow(event: TableEvent): void {
    if (event.type === "dealt") return this.deal(placeKey(this.view, event, event.to), event.faces.length);
    if (event.type !== "settled" || this.last !== "settled") this.settle();
    this.last = event.type;
    if (event.type === "turned") this.turn(placeKey(this.view, event, event.at), event.index, event.count);
    if (event.type === "tucked") this.slide(this.keysOf(event, event.seat));
    if (event.type === "burned") this.burn([`${placeKey(this.view, event, event.at)}:${event.index}`]);
    if (event.type === "discarded") this.burn(this.keysOf(event, event.seat));
    if (event.type === "settled") this.takeOrPay(`${spotOf(this.view, event, event.seat)}:${event.wager}`);
    if (event.type === "said") this.said.push({ at: this.clock, text: event.text });
  }

  get total(): number {
    return Math.max(this.clock, this.busyUntil);
  }

  /* Let all motion finish before the next gesture begins. */
  private settle(): void {
    this.clock = Math.max(this.clock, this.busyUntil);
  }

  private keysOf(event: TableEvent, seat: number): string[] {
    const prefix = `${spotOf(this.view, event, seat)}:`;
    return [...this.cardsBefore.keys()].filter((key) => key.startsWith(prefix));
  }

  /* Cards come one at a time, in the order of the procedure. */
  private deal(place: string, count: number): void {
    const lain = [...this.cardsBefore.keys()].filter((key) => key.startsWith(`${place}:`)).length;
    const first = this.dealt.get(place) ?? lain;
    this.dealt.set(place, first + count);
    for (let i = first; i < first + count; i++) {
      const card = this.cardsAfter.get(`${place}:${i}`);
      if (!card) continue;
      this.moving.set(card.key, motion("deal", SHOE, card, this.clock));
      this.busyUntil = this.clock + TIMES.deal;
      this.clock += TIMES.gap;
    }
  }

  private turn(place: string, index: number, count: number): void {
    for (let i = index; i < index + count; i++) {
      const card = this.cardsAfter.get(`${place}:${i}`);
      if (!card?.code) continue;
      const known = this.moving.get(card.key);
      this.moving.set(card.key, known ? { ...known, turnAt: this.clock } : motion(null, card, card, 0, this.clock));
    }
    this.clock += TIMES.turn;
  }

  private slide(keys: readonly string[]): void {
    for (const key of keys) {
      const from = this.cardsBefore.get(key)!;
      const to = this.cardsAfter.get(key);
      if (to)
        this.moving.set(key, { ...motion("tuck", from, to, this.clock), turnAt: this.moving.get(key)?.turnAt ?? null });
    }
    this.clock += TIMES.tuck;
  }

  private burn(keys: readonly string[]): void {
    const gone = keys.filter(
      (key) => this.cardsBefore.has(key) && !this.cardsAfter.has(key) && !isAmong(this.leavingCards, key),
    );
    for (const key of gone) {
      const card = this.cardsBefore.get(key)!;
      this.leavingCards.push({ ...card, motion: motion("burn", DISCARDS, card, this.clock) });
    }
    if (gone.length) this.clock += TIMES.burn;
  }

  private takeOrPay(key: string): void {
    const lain = this.chipsBefore.get(key);
    const paid = this.chipsAfter.get(`${key}:paid`);
    if (isAmong(this.leavingChips, key)) return; // a divided wager is settled part by part
    if (lain && !this.chipsAfter.has(key))
      this.leavingChips.push({ ...lain, motion: motion("take", TRAY, lain, this.clock) });
    else if (paid) this.moving.set(paid.key, motion("pay", TRAY, paid, this.clock));
    else return;
    this.busyUntil = this.clock + TIMES.pay;
    this.clock += TIMES.between;
  }
}

/** The animation from one drawing to the next; none without events. */
export function motions(before: Scene | null, after: Scene, events: readonly TableEvent[], view: View): Motions {
  if (!before || !events.length) return STILL;
  const played = new Choreography(before, after, view);
  for (const event of events) played.follow(event);
  const { moving, leavingCards, leavingChips, said, total } = played;
  return { moving, leavingCards, leavingChips, said, total };
}
