/** Chips seen from above with a slight lift, one denomination over another; the value is always printed. */
import { hundredth as n } from "./figures";
import { glyph } from "./glyphs";

export interface Denomination {
  cents: number;
  colour: string;
  edge: string;
  figure: string;
}

/** The trade's usual colours, largest first. */
export const DENOMINATIONS: readonly Denomination[] = [
  { cents: 100000, colour: "--chip-1000", edge: "#fff3dc", figure: "1000" },
  { cents: 50000, colour: "--chip-500", edge: "#f3d9f7", figure: "500" },
  { cents: 10000, colour: "--chip-100", edge: "#e7d9b5", figure: "100" },
  { cents: 2500, colour: "--chip-25", edge: "#f4efe1", figure: "25" },
  { cents: 500, colour: "--chip-5", edge: "#f7efe2", figure: "5" },
  { cents: 250, colour: "--chip-250", edge: "#fdf0f4", figure: "2.5" },
  { cents: 100, colour: "--chip-1", edge: "#2f5f94", figure: "1" },
  { cents: 50, colour: "--chip-050", edge: "#4a3407", figure: ".5" },
];
const LIFT = 11; // per chip, in a 100-wide chip
const MOST = 7; // chips drawn of a stack: the amount stands beside it
const TALL = 200; // no wager needs more chips than this to be counted out

function wedge(angle: number, half: number, inner: number, outer: number): string {
  const at = (a: number, radius: number): string => `${n(Math.cos(a) * radius)} ${n(Math.sin(a) * radius)}`;
  return (
    `M${at(angle - half, inner)} L${at(angle - half, outer)} A${outer} ${outer} 0 0 1 ` +
    `${at(angle + half, outer)} L${at(angle + half, inner)} A${inner} ${inner} 0 0 0 ` +
    `${at(angle - half, inner)} Z`
  );
}
const SPOTS = Array.from({ length: 6 }, (_, i) => wedge((i * Math.PI) / 3 + Math.PI / 6, 0.2, 36, 49.4)).join("");
const FIGURE_HEIGHT = [34, 34, 29, 24, 19];

const rim = ({ colour, edge }: Denomination): string =>
  `<circle r="50" fill="var(${colour})"/><path d="${SPOTS}" fill="${edge}"/><circle r="49.4" ` +
  `fill="none" stroke="#000" stroke-opacity=".38" stroke-width="1.6"/>`;

function face(of: Denomination): string {
  const height = FIGURE_HEIGHT[of.figure.length]!;
  return (
    `${rim(of)}<circle r="34" fill="none" stroke="${of.edge}" stroke-opacity=".55" stroke-width="1.6"/>` +
    `<circle r="29.5" fill="#fbf7ec"/><circle r="29.5" fill="none" stroke="#000" stroke-opacity=".2" ` +
    `stroke-width="1.2"/>` +
    `<g color="#1b1d1f">${glyph(of.figure, 0, -height / 2, height, 17)}</g>`
  );
}

/** The fewest chips that make an amount, largest first; what is under half a dollar has no chip. */
export function breakdown(cents: number): Denomination[] {
  const chips: Denomination[] = [];
  let left = cents;
  for (const chip of DENOMINATIONS)
    for (; left >= chip.cents && chips.length < TALL; left -= chip.cents) chips.push(chip);
  return chips;
}

/** A stack for an amount, centred on 0,0 with the bottom chip on the cloth. */
export function stack(cents: number, r = 16, most = MOST): string {
  const chips = breakdown(cents).slice(0, most);
  const top = chips.length - 1;
  const body = chips
    .map((chip, i) =>
      i === top
        ? `<g transform="translate(0 ${-i * LIFT})">${face(chip)}</g>`
        : `<g transform="translate(0 ${-i * LIFT}) rotate(${(i * 23) % 60})">${rim(chip)}</g>`,
    )
    .join("");
  return (
    `<g transform="scale(${n(r / 50)})"><ellipse cx="3" cy="7" rx="53" ry="50" fill="#000" ` +
    `opacity=".28"/>${body}</g>`
  );
}

/** How far a stack rises above its bottom chip. */
export const stackHeight = (cents: number, r: number): number =>
  Math.max(0, Math.min(breakdown(cents).length, MOST) - 1) * LIFT * (r / 50);
