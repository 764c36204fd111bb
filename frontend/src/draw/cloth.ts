/** The cloth: rail, felt, the game's name and rule printed on arcs, and the dealer's furniture. */
import { discards, DISCARDS, shoe, shuffler, tray } from "./furniture";
import { arc, bow, CX, outline, RAIL } from "./geometry";
import type { Layout } from "./layouts";

const escape = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

const stops = (list: readonly (readonly [number, string])[]): string =>
  list.map(([offset, colour]) => `<stop offset="${offset}" ${colour}"/>`).join("");

/** Paints that every table on a page shares. */
export const SHARED_PAINTS =
  `<linearGradient id="fw-metal" x1="0" x2="1" y1="0" y2="1">${stops([[0, 'stop-color="#33373b'], [0.5, 'stop-color="#1c1f22'], [1, 'stop-color="#111315']])}</linearGradient>` +
  `<linearGradient id="fw-tube" x1="0" x2="1" y1="0" y2="0">${stops([[0, 'stop-opacity=".6'], [0.4, 'stop-color="#fff" stop-opacity=".1'], [1, 'stop-opacity=".6']])}</linearGradient>` +
  `<linearGradient id="fw-railing" x1="0" y1="0" x2="0" y2="1">${stops([[0, 'stop-color="#2b2320'], [0.5, 'stop-color="#1f1917'], [1, 'stop-color="#332a26']])}</linearGradient>` +
  `<radialGradient id="fw-light">${stops([[0, 'stop-color="#fff" stop-opacity=".17'], [0.6, 'stop-color="#fff" stop-opacity=".06'], [1, 'stop-color="#fff" stop-opacity="0']])}</radialGradient>` +
  `<filter id="fw-soft" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur stdDeviation="5"/></filter>` +
  `<pattern id="fw-weave" width="3" height="3" patternUnits="userSpaceOnUse"><path d="M0 .5h1.5M1.5 2h1.5" stroke="#fff" stroke-opacity=".03"/><path d="M.5 1.5v1.5M2 0v1.5" stroke="#000" stroke-opacity=".05"/></pattern>` +
  `<clipPath id="fw-edge"><path d="${outline(0, 0)}"/></clipPath><clipPath id="fw-clip"><path d="${outline(RAIL, 12)}"/></clipPath>`;

const felt = (id: string): string =>
  `<radialGradient id="${id}-felt" gradientUnits="userSpaceOnUse" cx="${CX}" cy="300" r="640">${stops([[0, 'stop-color="var(--felt-glow)'], [0.55, 'stop-color="var(--felt)'], [1, 'stop-color="var(--felt-deep)']])}</radialGradient>`;

const rail =
  `<path d="${outline(0, 0)}" class="fw-rail" fill="url(#fw-railing)"/>` +
  `<g clip-path="url(#fw-edge)"><path d="${outline(14, 6)}" fill="none" stroke="#fff" stroke-opacity=".16" stroke-width="9" filter="url(#fw-soft)"/><path d="${outline(RAIL + 4, 14)}" fill="none" stroke="#000" stroke-opacity=".7" stroke-width="18" filter="url(#fw-soft)"/></g>` +
  `<path d="${outline(0.8, 0.8)}" fill="none" stroke="#fff" stroke-opacity=".13" stroke-width="1.4"/><path d="${bow(26)}" fill="none" stroke="#e4d2b2" stroke-opacity=".24" stroke-width="1.1" stroke-dasharray="5 4"/>`;

const shade = `<g clip-path="url(#fw-clip)" fill="none" stroke="#000"><path d="${outline(RAIL - 2, 10)}" stroke-opacity=".34" stroke-width="20"/><path d="${outline(RAIL - 2, 10)}" stroke-opacity=".3" stroke-width="8"/></g>`;

function print(layout: Layout, id: string): string {
  const y = layout.band ? 306 : 316;
  const onArc = (name: string, path: string, cls: string, text: string): string =>
    `<path id="${id}-${name}" d="${path}" fill="none"/><text class="${cls}"><textPath href="#${id}-${name}" startOffset="50%">${escape(text)}</textPath></text>`;
  const lines = layout.band ? `<path d="${arc(y + 15, 318, 74)} ${arc(y + 42, 326, 76)}" stroke-opacity=".6" stroke-width="1.2"/>` : "";
  return (
    `<g fill="none" stroke="var(--felt-mark)"><path d="${outline(RAIL, 12)}" stroke-opacity=".75" stroke-width="1.6"/><path d="${outline(RAIL + 15, 25)}" stroke-opacity=".28"/>${lines}</g>` +
    onArc("title", arc(y, 330, 76), "fw-title", layout.title) +
    (layout.band ? onArc("band", arc(y + 33, 322, 75), "fw-rule fw-bandtext", layout.band) : "") +
    (layout.rule ? onArc("rule", arc(y + (layout.band ? 62 : 27), 330, 76), "fw-rule", layout.rule) : "")
  );
}

/** Everything under what people put on the table. The id keeps two tables on one page apart. */
export function cloth(layout: Layout, id: string, discarded = 3): string {
  const box = layout.furniture === "shuffler" ? shuffler(842, 84) : shoe(850, 88);
  return (
    `<defs>${felt(id)}</defs>${rail}<path d="${outline(RAIL, 12)}" fill="url(#${id}-felt)"/><path d="${outline(RAIL, 12)}" fill="url(#fw-weave)"/>${shade}` +
    `${print(layout, id)}${tray(36)}${box}${discards(DISCARDS.x, DISCARDS.y, discarded)}`
  );
}
