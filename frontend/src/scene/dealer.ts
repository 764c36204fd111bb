/** The table from the dealer's side: everything turned by half a circle about the middle, cards and words upright. */
import { STAGE, type Point } from "../draw/geometry";
import type { Motions } from "./motion";
import type { Scene } from "./types";

const LEAN = 0.25; // cards stay upright but for a little, so that a hand still points to its seat

const across = <T extends Point>(thing: T): T => ({ ...thing, x: STAGE.W - thing.x, y: STAGE.H - thing.y });
const back = <T extends { dx: number; dy: number }>(motion: T): T => ({ ...motion, dx: -motion.dx, dy: -motion.dy });

/** The drawing as the dealer sees it; what is printed on the cloth is turned where it is drawn. */
export function fromDealersSide(scene: Scene): Scene {
  return {
    ...scene,
    cards: scene.cards.map((card) => ({ ...across(card), turn: card.turn * LEAN })),
    chips: scene.chips.map((chips) => ({ ...across(chips), pill: chips.pill && across(chips.pill) })),
    ghosts: scene.ghosts.map(across),
    labels: scene.labels.map((label) => ({ ...across(label), y: STAGE.H - label.y + 10 })),
    totals: scene.totals.map(across),
    tags: scene.tags.map(across),
    plates: scene.plates.map(across),
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
