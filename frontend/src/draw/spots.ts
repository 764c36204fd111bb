/** Betting spots: the printed shape of each wager, with the label under the ring and never under the chips. */
import type { Spot } from "../wire/types";
import { escape, tenth as n } from "./figures";

/** The printed shape alone, about 0,0. */
export const shapeOf = (spot: Spot): string =>
  spot.strokes.map(({ role, path }) => `<path class="fw-${role}" d="${path}"/>`).join("");

const LETTER = 0.76; // width of a capital letter, by its height

const labelWidth = (spot: Spot): number => Math.max(0, ...spot.label.map((line) => line.length)) * LETTER;

/** Whether the labels of a seat leave each other room at a size of letters. */
const fits = (spots: readonly Spot[], size: number): boolean =>
  spots.every((spot, i) =>
    spots.slice(i + 1).every((other) => {
      const isLevel = Math.abs(spot.y + spot.reach - other.y - other.reach) < size * 2;
      return !isLevel || Math.abs(spot.x - other.x) > (size * (labelWidth(spot) + labelWidth(other))) / 2;
    }),
  );

/** The size of a seat's labels; none where even small ones would lie over each other. */
export function labelSize(spots: readonly Spot[], scale: number, mine: boolean): number {
  const printed = spots.filter((spot) => !spot.is_bare);
  return (
    [mine ? 11 : 10.2, 9.2, 8.2].map((size) => size / scale).find((size) => fits(printed, size)) ?? (mine ? 8.2 : 0)
  );
}

/** A spot as printed, with its label in letters of a size. */
export function spotPrint(spot: Spot, size: number, state = ""): string {
  const line = (text: string, i: number): string =>
    `<text y="${n(spot.reach + size * (1.05 + i))}" font-size="${n(size)}">${escape(text)}</text>`;
  const label = `<g class="fw-label">${size ? spot.label.map(line).join("") : ""}</g>`;
  return `<g transform="translate(${spot.x} ${spot.y})" class="fw-spot ${state}">${shapeOf(spot)}${label}</g>`;
}
