/** Betting spots: the printed shape of each kind of wager, label under the ring and never under the chips. */
import { tenth as n } from "./figures";

export type Shape = "circle" | "hex" | "diamond" | "shield" | "clover" | "broken" | "spread" | "sensor" | "bare";

/** A spot in the seat's own frame: x along the rail, -y towards the dealer, for a seat drawn at scale 1. */
export interface Spot {
  wager: string;
  label: readonly string[];
  shape: Shape;
  r: number;
  x: number;
  y: number;
  main?: boolean;
  pays?: { x: number; y: number }; // where wins are paid, as a direction; outwards unless something is printed there
  shares?: boolean; // stands in a row with others of which a table may leave some out
}

function polar(r: number, degrees: number): string {
  const a = (degrees * Math.PI) / 180;
  return `${n(r * Math.cos(a))} ${n(r * Math.sin(a))}`;
}

function clover(r: number): string {
  const q = n(r * 0.62);
  const k = n(r * 0.42);
  return `<path d="M0 ${-k} A${q} ${q} 0 1 1 ${k} 0 A${q} ${q} 0 1 1 0 ${k} A${q} ${q} 0 1 1 ${-k} 0 A${q} ${q} 0 1 1 0 ${-k} Z"/>`;
}

const broken = (r: number): string =>
  `<circle r="${r}" class="fw-fill"/><path class="fw-accent" d="M${polar(r, -26)} A${r} ${r} 0 1 1 ${polar(r, -72)}"/>` +
  `<path class="fw-accent" d="M${n(r * 0.84)} ${n(-r * 1.02)} L${n(r * 0.54)} ${n(-r * 0.86)} L${n(r * 0.76)} ${n(-r * 0.64)} L${n(r * 0.46)} ${n(-r * 0.44)}" stroke-linejoin="round"/>`;

const shield = (r: number): string =>
  `<path d="M${-r} ${n(-r * 0.9)} Q0 ${n(-r * 1.25)} ${r} ${n(-r * 0.9)} V${n(r * 0.1)} C${r} ${n(r * 0.7)} ${n(r * 0.4)} ${n(r * 1.05)} 0 ${n(r * 1.2)} C${n(-r * 0.4)} ${n(r * 1.05)} ${-r} ${n(r * 0.7)} ${-r} ${n(r * 0.1)} Z"/>`;

const SHAPES: Record<Shape, (r: number) => string> = {
  circle: (r) => `<circle r="${r}"/>`,
  hex: (r) => `<path d="M${[0, 60, 120, 180, 240, 300].map((d) => polar(r * 1.06, d)).join(" L")} Z"/>`,
  diamond: (r) => `<rect x="${n(-r * 0.86)}" y="${n(-r * 0.86)}" width="${n(r * 1.72)}" height="${n(r * 1.72)}" rx="4" transform="rotate(45)"/>`,
  shield,
  clover,
  broken,
  spread: (r) => `<circle r="${r}"/><path class="fw-accent" d="M${n(-r * 1.28)} ${n(-r * 0.55)} V${n(r * 0.55)} M${n(r * 1.28)} ${n(-r * 0.55)} V${n(r * 0.55)}"/>`,
  sensor: (r) => `<circle r="${r + 4}"/><circle r="${r - 2}" class="fw-sensor"/>`,
  bare: () => "",
};

/* How far a shape comes down, in radii. */
const REACH: Partial<Record<Shape, number>> = { shield: 1.2, diamond: 1.22, sensor: 1.26, clover: 1.16 };

/** The printed shape alone, about 0,0. */
export const shapeOf = (spot: Spot, r = spot.r): string => SHAPES[spot.shape](r);

const escape = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** A spot as printed, with its label in a size that stays readable at the seat's scale. */
export function spotPrint(spot: Spot, scale: number, mine: boolean, state = ""): string {
  const size = (mine ? 11 : 10.2) / scale;
  const below = spot.r * (REACH[spot.shape] ?? 1.04);
  const text = spot.label.map((line, i) => `<text y="${n(below + size * (1.05 + i))}" font-size="${n(size)}">${escape(line)}</text>`).join("");
  return `<g transform="translate(${spot.x} ${spot.y})" class="fw-spot ${state}">${shapeOf(spot)}${text}</g>`;
}
