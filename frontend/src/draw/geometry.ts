/** The table's shape and where things stand on it: straight towards the dealer, an arc towards the players. */
import { tenth as n } from "./figures";

export const STAGE = { W: 1080, H: 736 } as const;
export const CX = STAGE.W / 2;
export const RAIL = 34;
const BEND = 0.6;
const SHOULDER = 150;

export interface Point {
  x: number;
  y: number;
}

/** A seat's frame: where it stands on the rail, how far it is turned, how large it is drawn. */
export interface Frame extends Point {
  seat: number;
  mine: boolean;
  neighbours: number; // seats at the table
  along: Point;
  turn: number;
  scale: number;
}

interface Edges {
  l: number;
  r: number;
  t: number;
  b: number;
}

const edges = (inset: number, top = inset): Edges => ({ l: 16 + inset, r: STAGE.W - 16 - inset, t: 20 + top, b: STAGE.H - 14 - inset });

function curve(inset: number): string {
  const { l, r, b } = edges(inset);
  const k = n(SHOULDER + BEND * (b - SHOULDER));
  const c = BEND * (r - CX);
  return `C${r} ${k} ${n(CX + c)} ${b} ${CX} ${b} C${n(CX - c)} ${b} ${l} ${k} ${l} ${SHOULDER}`;
}

/** The table's edge, so far inside the outermost one. */
export function outline(inset: number, top = inset): string {
  const { l, r, t } = edges(inset, top);
  const q = Math.max(8, 34 - inset);
  return `M${l + q} ${t} H${r - q} Q${r} ${t} ${r} ${t + q} V${SHOULDER} ${curve(inset)} V${t + q} Q${l} ${t} ${l + q} ${t} Z`;
}

/** Only the players' side of the edge. */
export const bow = (inset: number): string => `M${edges(inset).r} ${SHOULDER - 70} V${SHOULDER} ${curve(inset)} V${SHOULDER - 70}`;

/** A line of print: an arc whose lowest point is at y. */
export function arc(y: number, half: number, sag: number): string {
  const radius = n((half * half + sag * sag) / (2 * sag));
  return `M${CX - half} ${n(y - sag)} A${radius} ${radius} 0 0 0 ${CX + half} ${n(y - sag)}`;
}

type Bezier = readonly [Point, Point, Point, Point];

function onCurve([a, b, c, d]: Bezier, t: number): Point {
  const s = 1 - t;
  const mix = (i: "x" | "y"): number => s ** 3 * a[i] + 3 * s * s * t * b[i] + 3 * s * t * t * c[i] + t ** 3 * d[i];
  return { x: mix("x"), y: mix("y") };
}

/* Points along the arc from the right shoulder to the left, with the length so far. */
function rim(inset: number, samples = 400): (Point & { length: number })[] {
  const { l, r, b } = edges(inset);
  const k = SHOULDER + BEND * (b - SHOULDER);
  const c = BEND * (r - CX);
  const middle = { x: CX, y: b };
  const right: Bezier = [{ x: r, y: SHOULDER }, { x: r, y: k }, { x: CX + c, y: b }, middle];
  const left: Bezier = [middle, { x: CX - c, y: b }, { x: l, y: k }, { x: l, y: SHOULDER }];
  const points = Array.from({ length: 2 * samples + 1 }, (_, i) =>
    i <= samples ? onCurve(right, i / samples) : onCurve(left, (i - samples) / samples),
  );
  let length = 0;
  return points.map((p, i) => {
    const before = points[i - 1] ?? p;
    length += Math.hypot(p.x - before.x, p.y - before.y);
    return { ...p, length };
  });
}

const DAMP = 0.56; // labels and cards at the ends of the arc stay readable
const MARGIN = (count: number): number => (count > 6 ? 0.115 : count > 5 ? 0.135 : 0.15);
const line = rim(RAIL);
const total = line.at(-1)!.length;

function frame(index: number, count: number, you: readonly number[], taken: ReadonlySet<number>): Frame {
  const ends = MARGIN(count);
  const share = count > 1 ? ends + (index * (1 - 2 * ends)) / (count - 1) : 0.5;
  const j = line.findIndex((p) => p.length >= share * total - 0.01);
  const a = line[Math.max(0, j - 3)]!;
  const b = line[Math.min(line.length - 1, j + 3)]!;
  const run = Math.hypot(b.x - a.x, b.y - a.y);
  const along = { x: (b.x - a.x) / run, y: (b.y - a.y) / run };
  const steep = (Math.atan2(along.y, along.x) * 180) / Math.PI - 180;
  const lean = steep < -180 ? steep + 360 : steep;
  const mine = you.includes(index + 1);
  const inward = mine ? 0 : 14;
  const angle = (lean * Math.PI) / 180;
  const isRoomy = count < 6 || Math.abs(lean) < 1 || !(taken.has(index) || taken.has(index + 2));
  const scale = mine && you.length < 2 ? (isRoomy ? 1.16 : 1) : count > 7 ? 0.72 : count > 6 ? 0.86 : 1;
  return { seat: index + 1, mine, neighbours: count, along, turn: lean * DAMP, scale, x: line[j]!.x + inward * Math.sin(angle), y: line[j]!.y - inward * Math.cos(angle) };
}

/** Frames of all seats: seat 1 on the dealer's left, so on the right of the drawing; next to somebody one sits closer. */
export const frames = (count: number, you: readonly number[] = [], taken: ReadonlySet<number> = new Set()): Frame[] =>
  Array.from({ length: count }, (_, i) => frame(i, count, you, taken));

/** An offset in the seat's direction, in pixels. */
export function turned(f: Frame, dx: number, dy: number): Point {
  const a = (f.turn * Math.PI) / 180;
  return { x: f.x + dx * Math.cos(a) - dy * Math.sin(a), y: f.y + dx * Math.sin(a) + dy * Math.cos(a) };
}

/** An offset in the seat's own scale. */
export const place = (f: Frame, x: number, y: number): Point => turned(f, x * f.scale, y * f.scale);
