/** The table from the dealer's side: everything turned by half a circle about the middle, cards and words upright. */
import { CROWDED, STAGE, type Point } from "../draw/geometry";
import type { Motions } from "./motion";
import { onStage } from "./seat";
import type { PlacedCard, PlacedChips, Plate, Scene } from "./types";

const across = <T extends Point>(thing: T): T => ({ ...thing, x: STAGE.W - thing.x, y: STAGE.H - thing.y });
const back = <T extends { dx: number; dy: number }>(motion: T): T => ({ ...motion, dx: -motion.dx, dy: -motion.dy });

const SMALLER = 0.86; // than the players see them, as upright hands need more room along the rail

const placeOf = (card: PlacedCard): string => card.key.split(":")[0]!;

/* The middle of the hand that a card belongs to. */
function middleOf(cards: readonly PlacedCard[], card: PlacedCard): Point {
  const hand = cards.filter((other) => placeOf(other) === placeOf(card));
  const mean = (pick: (one: Point) => number): number => hand.reduce((sum, one) => sum + pick(one), 0) / hand.length;
  return { x: mean(({ x }) => x), y: mean(({ y }) => y) };
}

/* A card of a turned hand beside the others instead of along the rail. */
function upright(card: PlacedCard, middle: Point): PlacedCard {
  if (!card.turn) return card;
  const angle = (-card.turn * Math.PI) / 180;
  const [dx, dy] = [(card.x - middle.x) * SMALLER, (card.y - middle.y) * SMALLER];
  return {
    ...card,
    x: middle.x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: middle.y + dx * Math.sin(angle) + dy * Math.cos(angle),
    width: card.width * SMALLER,
    turn: 0,
  };
}

const CLEAR = 11; // of the upright label that stands between a seat's spots and its hand
const isHand = (card: PlacedCard): boolean => /^\d/.test(card.key) && !card.under;
const clear = (card: PlacedCard): PlacedCard => (isHand(card) ? { ...card, y: card.y + CLEAR } : card);

/* A plate leaves the upright labels of the next seat free: it stands further out, at the ends of the table lower. */
const OUTWARD = 34;
const LOWER = 64;
const LOWER_CROWDED = 46;
function outward(plate: Plate): Plate {
  const towards = (plate.x - STAGE.W / 2) / (STAGE.W / 2);
  const drop = plate.frame.neighbours < CROWDED ? LOWER : LOWER_CROWDED;
  return {
    ...plate,
    x: onStage(plate.x + OUTWARD * towards, plate),
    y: plate.y + drop * Math.max(0, 2 * Math.abs(towards) - 1),
  };
}

/* A win leans on the stack of its wager: labels stand below and beside it. */
function heeled(chips: PlacedChips, all: readonly PlacedChips[]): PlacedChips {
  const wager = all.find(({ key }) => chips.key === `${key}:paid`);
  return wager ? { ...chips, x: wager.x + 0.55 * wager.r, y: wager.y - 0.3 * wager.r } : chips;
}

/** The drawing as the dealer sees it; what is printed on the cloth is turned where it is drawn. */
export function fromDealersSide(scene: Scene): Scene {
  return {
    ...scene,
    cards: scene.cards
      .map((card) => upright(card, middleOf(scene.cards, card)))
      .map(across)
      .map(clear),
    chips: scene.chips
      .map((chips) => ({ ...across(chips), pill: chips.pill && across(chips.pill) }))
      .map((chips, _, all) => heeled(chips, all)),
    ghosts: scene.ghosts.map(across),
    labels: scene.labels.map((label) => ({ ...across(label), y: STAGE.H - label.y + 10 })),
    totals: scene.totals.map(across),
    tags: scene.tags.map(across),
    plates: scene.plates.map(across).map(outward),
    targets: scene.targets.map(across),
  };
}

/** The motions as the dealer sees them. */
export function motionsFromDealersSide(motions: Motions): Motions {
  return {
    ...motions,
    moving: new Map([...motions.moving].map(([key, motion]) => [key, back(motion)])),
    leavingCards: motions.leavingCards.map((card) => ({ ...across(card), motion: back(card.motion) })),
    leavingChips: motions.leavingChips.map((chips) => ({
      ...across(chips),
      pill: chips.pill && across(chips.pill),
      motion: back(chips.motion),
    })),
  };
}
