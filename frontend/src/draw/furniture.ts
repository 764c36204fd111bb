/** What stands on the dealer's side of the cloth: tray, shoe or shuffler, discard rack. */
import { cardBody } from "./card";
import { tenth as n } from "./figures";
import { CX } from "./geometry";

/** Where cards come from, where they go, where money comes from: the ends of the dealer's gestures. */
export const SHOE = { x: 830, y: 100 };
export const DISCARDS = { x: 238, y: 90 };
export const TRAY = { x: CX, y: 61 };

const TUBES: readonly (readonly [string, number])[] = [
  ["--chip-1", 30],
  ["--chip-1", 34],
  ["--chip-5", 33],
  ["--chip-5", 30],
  ["--chip-25", 34],
  ["--chip-25", 26],
  ["--chip-100", 32],
  ["--chip-100", 22],
  ["--chip-500", 20],
];
const TUBE = 31;

function tube(colour: string, fill: number, x: number, y: number): string {
  const box = `x="${x + 2}" y="${y + 5}" width="${TUBE - 4}" height="40" rx="4"`;
  let chips = "";
  for (let k = 0; k * 2.6 < fill; k++) {
    const at = n(y + 42 - k * 2.6);
    chips +=
      `<path d="M${x + 4} ${at} h${TUBE - 8}" stroke="var(${colour})" stroke-width="2.1"/><path ` +
      `d="M${x + 9 + ((k * 5) % 7)} ${at} h4" stroke="#fff" stroke-opacity=".5" stroke-width="2.1"/>`;
  }
  return `<rect ${box} fill="#0b0c0d"/>${chips}<rect ${box} fill="url(#fw-tube)"/>`;
}

export function tray(y: number): string {
  const left = CX - (TUBES.length * TUBE) / 2;
  const box = `x="${left - 8}" y="${y}" width="${TUBES.length * TUBE + 16}" height="50" rx="8"`;
  const tubes = TUBES.map(([colour, fill], i) => tube(colour, fill, left + i * TUBE, y)).join("");
  return (
    `<rect ${box} fill="#1b1a19" stroke="#000" stroke-opacity=".5"/><rect ${box} fill="none" ` +
    `stroke="#fff" stroke-opacity=".1"/>${tubes}`
  );
}

const SHOE_BOX = "M-34 -32 H44 Q56 -32 56 -20 V22 Q56 34 44 34 H-34 Q-46 34 -46 22 V-20 Q-46 -32 -34 -32 Z";

export function shoe(x: number, y: number): string {
  const cards = Array.from(
    { length: 17 },
    (_, i) =>
      `<path d="M${-22 + i * 3} -18 V20" stroke="#efe9da" stroke-opacity="${i % 2 ? 0.85 : 0.6}" stroke-width="2"/>`,
  ).join("");
  return (
    `<g transform="translate(${x} ${y}) rotate(-10)"><g transform="translate(-72 18) rotate(-90) ` +
    `scale(.155)" class="fw-shadow">${cardBody(null, "small")}</g>` +
    `<path d="${SHOE_BOX}" fill="#000" opacity=".34" transform="translate(3 6)"/><path ` +
    `d="${SHOE_BOX}" fill="url(#fw-metal)" stroke="#fff" stroke-opacity=".14"/>` +
    `<rect x="-28" y="-22" width="74" height="46" rx="5" fill="#0b0c0d"/>${cards}<path d="M30 -22 ` +
    `L46 -16 V18 L30 24 Z" fill="#2a2e32"/></g>`
  );
}

export const shuffler = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y}) rotate(-6)"><rect x="-42" y="-38" width="84" height="76" ` +
  `rx="12" fill="#000" opacity=".34" transform="translate(2 7)"/>` +
  `<g transform="translate(-20 2) scale(.1667)">${cardBody(null, "small")}</g><rect x="-42" ` +
  `y="-42" width="84" height="78" rx="12" fill="url(#fw-metal)"/>` +
  `<rect x="-41.5" y="-41.5" width="83" height="77" rx="11.5" fill="none" stroke="#fff" ` +
  `stroke-opacity=".15"/><rect x="-30" y="-31" width="60" height="38" rx="6" fill="#0d0f10" ` +
  `stroke="#fff" stroke-opacity=".08"/>` +
  `<path d="M-22 -22 H22 M-22 -16 H22 M-22 -10 H22" stroke="#fff" stroke-opacity=".07" ` +
  `stroke-width="2"/><rect x="-26" y="26" width="52" height="5" rx="2.5" fill="#060707"/><circle ` +
  `cx="-24" cy="16" r="2.6" fill="#6fcf9a"/></g>`;

export function discards(x: number, y: number, count: number): string {
  const cards = Array.from(
    { length: Math.min(4, count) },
    (_, i) => `<g transform="translate(${-24 + i * 0.8} ${n(-36 - i * 1.6)}) scale(.2)">${cardBody(null, "small")}</g>`,
  ).join("");
  return (
    `<g transform="translate(${x} ${y}) rotate(8)"><rect x="-33" y="-44" width="66" height="86" ` +
    `rx="8" fill="#000" opacity=".28" transform="translate(2 5)"/>` +
    `<rect x="-33" y="-44" width="66" height="86" rx="8" fill="#2a1613" fill-opacity=".75" ` +
    `stroke="#ffd9cf" stroke-opacity=".28"/>${cards}</g>`
  );
}
