/** A card's back and the product's mark: the shape of the table, repeated. */
import { CARD } from "./card-size";
import { hundredth as r } from "./figures";

export type Detail = "small" | "medium" | "large";
const STEP: Record<Detail, number> = { small: 42, medium: 30, large: 24 };
const BACK = "var(--card-back,#1f3a4d)";
const LINE = "var(--card-back-line,#e9dfc6)";

/** A table seen from above, its arc and the dealer's card. */
export const mark = (x: number, y: number, size: number): string =>
  `<g transform="translate(${x} ${y}) scale(${r(size / 100)})" fill="none" stroke="currentColor">` +
  `<path d="M-46 -32 H46 V-24 C46 14 25 40 0 40 C-25 40 -46 14 -46 -24 Z" stroke-width="7.5" ` +
  `stroke-linejoin="round"/><path d="M-28 -16 C-26 8 -14 21 0 21 C14 21 26 8 28 -16" ` +
  `stroke-width="5.5" stroke-linecap="round"/><path d="M0 -22 L9 -10 L0 2 L-9 -10 Z" ` +
  `fill="currentColor" stroke="none"/></g>`;

function rings(x: number, y: number, step: number, count: number): string {
  const radius = (i: number): number => r((step * (count - i)) / count - 1);
  return Array.from(
    { length: count },
    (_, i) => `<circle cx="${x}" cy="${y}" r="${radius(i)}"${i ? ' fill="none"' : ""}/>`,
  ).join("");
}

/** The back's pattern; a page defines each detail once, every back refers to it. */
export function backPattern(detail: Detail): string {
  const step = STEP[detail];
  let scales = "";
  for (let row = -1; row < 5; row++)
    for (let col = -1; col < 3; col++)
      scales += rings(col * 2 * step + (row % 2 ? step : 0), row * step, step, detail === "small" ? 2 : 3);
  return (
    `<pattern id="fw-back-${detail}" width="${2 * step}" height="${2 * step}" ` +
    `patternUnits="userSpaceOnUse" x="${CARD.W / 2}" y="${CARD.H / 2}"><g fill="${BACK}" ` +
    `stroke="${LINE}" stroke-opacity=".55" stroke-width="${detail === "small" ? 3.2 : 1.8}">` +
    `${scales}</g></pattern>`
  );
}

/** What a face-down card shows. */
export function back(detail: Detail): string {
  const inset = detail === "small" ? 16 : 13;
  const box = (k: number): string => `x="${k}" y="${k}" width="${CARD.W - 2 * k}" height="${CARD.H - 2 * k}"`;
  const medal =
    detail === "small"
      ? ""
      : `<circle cx="120" cy="168" r="46" fill="${BACK}" stroke="${LINE}" stroke-width="2.5"/><g ` +
        `color="${LINE}">${mark(120, 168, 54)}</g>`;
  return (
    `<rect ${box(inset)} rx="9" fill="${BACK}"/><rect ${box(inset)} rx="9" fill="url(#fw-back-${detail})"/>` +
    `<rect ${box(inset + 6)} rx="5" fill="none" stroke="${LINE}" stroke-width="${detail === "small" ? 4 : 2}"/>${medal}`
  );
}
