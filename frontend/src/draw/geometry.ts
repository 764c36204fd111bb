/** Where things stand on the table. Its shape and its seats come from the server's layout. */
import type { Layout } from "../wire/types";
import stage from "./stage.json";

export const STAGE = { W: stage.width, H: stage.height } as const;
export const CX = stage.centre;

export interface Point {
  x: number;
  y: number;
}

/** A seat's frame: where it stands on the rail, how far it is turned, how large it is drawn. */
export interface Frame extends Point {
  seat: number;
  mine: boolean;
  neighbours: number; // seats at the table
  isRoomy: boolean; // nothing is printed close to either side
  along: Point;
  turn: number;
  scale: number;
}

const OWN_SCALE = 1.16;
export const CROWDED = 6; // seats from which neighbours come close to each other
const UPRIGHT = 12; // degrees: one's own seat stands straight where the rail leans no more than this
const LEANING = 10; // degrees from which a turned seat would print over the rail
const INWARD = 1.15; // pixels away from the rail for each degree beyond

function frame(
  seat: Layout["seats"][number],
  count: number,
  you: readonly number[],
  taken: ReadonlySet<number>,
): Frame {
  const mine = you.includes(seat.seat);
  const hasNeighbour = taken.has(seat.seat - 1) || taken.has(seat.seat + 1);
  const isMiddle = count < CROWDED || Math.abs(seat.turn) < 0.5;
  const own = isMiddle || !hasNeighbour ? OWN_SCALE : 1;
  const inward = Math.max(0, Math.abs(seat.turn) - LEANING) * INWARD;
  return {
    seat: seat.seat,
    mine,
    neighbours: count,
    isRoomy: isMiddle,
    along: { x: seat.along_x, y: seat.along_y },
    turn: mine && Math.abs(seat.turn) < UPRIGHT ? 0 : seat.turn,
    scale: mine && you.length < 2 ? own : seat.scale,
    x: (mine ? seat.rail_x : seat.x) - seat.along_y * inward,
    y: (mine ? seat.rail_y : seat.y) + seat.along_x * inward,
  };
}

/** The frames of all seats, seat 1 on the dealer's left; one's own is larger and closer to the rail. */
export const frames = (layout: Layout, you: readonly number[] = [], taken: ReadonlySet<number> = new Set()): Frame[] =>
  layout.seats.map((seat) => frame(seat, layout.seats.length, you, taken));

/** An offset in the seat's direction, in pixels. */
export function offset(f: Frame, dx: number, dy: number): Point {
  const a = (f.turn * Math.PI) / 180;
  return { x: f.x + dx * Math.cos(a) - dy * Math.sin(a), y: f.y + dx * Math.sin(a) + dy * Math.cos(a) };
}

/** An offset in the seat's own scale. */
export const place = (f: Frame, x: number, y: number): Point => offset(f, x * f.scale, y * f.scale);
