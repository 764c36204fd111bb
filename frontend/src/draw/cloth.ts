/** The cloth: rail, felt, the game's name and rules printed on arcs, and the dealer's furniture. */
import type { Layout } from "../wire/types";
import { discards, DISCARDS, shoe, shuffler, tray } from "./furniture";
import { escape } from "./figures";
import { CX } from "./geometry";
import stage from "./stage.json";

const CLASSES = { title: "fw-title", band: "fw-rule fw-bandtext", rule: "fw-rule" } as const;

const TITLE_SIZE = 29;

const stops = (list: readonly (readonly [number, string])[]): string =>
  list.map(([offset, colour]) => `<stop offset="${offset}" ${colour}/>`).join("");

const METAL = stops([
  [0, 'stop-color="#33373b"'],
  [0.5, 'stop-color="#1c1f22"'],
  [1, 'stop-color="#111315"'],
]);
const TUBE = stops([
  [0, 'stop-opacity=".6"'],
  [0.4, 'stop-color="#fff" stop-opacity=".1"'],
  [1, 'stop-opacity=".6"'],
]);
const RAILING = stops([
  [0, 'stop-color="#2b2320"'],
  [0.5, 'stop-color="#1f1917"'],
  [1, 'stop-color="#332a26"'],
]);
const LIGHT = stops([
  [0, 'stop-color="#fff" stop-opacity=".17"'],
  [0.6, 'stop-color="#fff" stop-opacity=".06"'],
  [1, 'stop-color="#fff" stop-opacity="0"'],
]);
const FELT = stops([
  [0, 'stop-color="var(--felt-glow)"'],
  [0.55, 'stop-color="var(--felt)"'],
  [1, 'stop-color="var(--felt-deep)"'],
]);

/** Paints that every table on a page shares. */
export const SHARED_PAINTS =
  `<linearGradient id="fw-metal" x1="0" x2="1" y1="0" y2="1">${METAL}</linearGradient>` +
  `<linearGradient id="fw-tube" x1="0" x2="1" y1="0" y2="0">${TUBE}</linearGradient>` +
  `<linearGradient id="fw-railing" x1="0" y1="0" x2="0" y2="1">${RAILING}</linearGradient>` +
  `<radialGradient id="fw-light">${LIGHT}</radialGradient>` +
  `<filter id="fw-soft" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur stdDeviation="5"/></filter>` +
  `<pattern id="fw-weave" width="3" height="3" patternUnits="userSpaceOnUse">` +
  `<path d="M0 .5h1.5M1.5 2h1.5" stroke="#fff" stroke-opacity=".03"/>` +
  `<path d="M.5 1.5v1.5M2 0v1.5" stroke="#000" stroke-opacity=".05"/></pattern>` +
  `<clipPath id="fw-edge"><path d="${stage.edge}"/></clipPath>` +
  `<clipPath id="fw-clip"><path d="${stage.felt}"/></clipPath>`;

const RAIL =
  `<path d="${stage.edge}" class="fw-rail" fill="url(#fw-railing)"/>` +
  `<g clip-path="url(#fw-edge)" fill="none"><path d="${stage.railLight}"` +
  ` stroke="#fff" stroke-opacity=".16" stroke-width="9" filter="url(#fw-soft)"/>` +
  `<path d="${stage.railShadow}" stroke="#000" stroke-opacity=".7" stroke-width="18" filter="url(#fw-soft)"/></g>` +
  `<path d="${stage.edgeLight}" fill="none" stroke="#fff" stroke-opacity=".13" stroke-width="1.4"/>` +
  `<path d="${stage.stitches}" fill="none" stroke="#e4d2b2" stroke-opacity=".24" stroke-width="1.1"` +
  ` stroke-dasharray="5 4"/>`;

const SHADE =
  `<g clip-path="url(#fw-clip)" fill="none" stroke="#000">` +
  `<path d="${stage.feltShadow}" stroke-opacity=".34" stroke-width="20"/>` +
  `<path d="${stage.feltShadow}" stroke-opacity=".3" stroke-width="8"/></g>`;

const felt = (id: string): string =>
  `<radialGradient id="${id}-felt" gradientUnits="userSpaceOnUse" cx="${CX}" cy="300" r="640">${FELT}</radialGradient>`;

function print(layout: Layout, id: string): string {
  const line = ({ style, text, path, scale = 1 }: Layout["lines"][number], i: number): string =>
    `<path id="${id}-line${i}" d="${path}" fill="none"/><text class="${CLASSES[style]}"` +
    `${scale < 1 ? ` style="font-size:${(TITLE_SIZE * scale).toFixed(1)}px"` : ""}>` +
    `<textPath href="#${id}-line${i}" startOffset="50%">${escape(text)}</textPath></text>`;
  const band = layout.band_edges.map((edge) => `<path d="${edge}" stroke-opacity=".6" stroke-width="1.2"/>`);
  return (
    `<g fill="none" stroke="var(--felt-mark)"><path d="${stage.felt}" stroke-opacity=".75" stroke-width="1.6"/>` +
    `<path d="${stage.feltLine}" stroke-opacity=".28"/>${band.join("")}</g>${layout.lines.map(line).join("")}`
  );
}

/** The colours of a cloth, as a style for everything that shows it. */
export function feltColours(layout: Layout | null | undefined): string {
  if (!layout) return "";
  const { felt, glow, deep, print, mark } = layout.colours;
  return `--felt:${felt};--felt-glow:${glow};--felt-deep:${deep};--felt-print:${print};--felt-mark:${mark}`;
}

/** Everything under what people put on the table. The id keeps two tables on one page apart. */
export function cloth(layout: Layout, id: string, discarded = 3): string {
  const box = layout.furniture === "shuffler" ? shuffler(842, 84) : shoe(850, 88);
  const ground =
    `<path class="fw-felt" d="${stage.felt}" fill="url(#${id}-felt)"/>` +
    `<path d="${stage.felt}" fill="url(#fw-weave)"/>`;
  const things = `${tray(36)}${box}${discards(DISCARDS.x, DISCARDS.y, discarded)}`;
  return `<defs>${felt(id)}</defs>${RAIL}${ground}${SHADE}${print(layout, id)}${things}`;
}
