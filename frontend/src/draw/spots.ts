/** Betting spots: the printed shape of each wager, with the label under the ring and never under the chips. */
import type { Spot } from "../wire/types";
import { tenth as n } from "./figures";

const escape = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** The printed shape alone, about 0,0. */
export const shapeOf = (spot: Spot): string =>
  spot.strokes.map(({ role, path }) => `<path class="fw-${role}" d="${path}"/>`).join("");

/** A spot as printed, with its label in a size that stays readable at the seat's scale. */
export function spotPrint(spot: Spot, scale: number, mine: boolean, state = ""): string {
  const size = (mine ? 11 : 10.2) / scale;
  const line = (text: string, i: number): string =>
    `<text y="${n(spot.reach + size * (1.05 + i))}" font-size="${n(size)}">${escape(text)}</text>`;
  const label = `<g class="fw-label">${spot.label.map(line).join("")}</g>`;
  return `<g transform="translate(${spot.x} ${spot.y})" class="fw-spot ${state}">${shapeOf(spot)}${label}</g>`;
}
