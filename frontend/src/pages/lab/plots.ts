/** What the laboratory's plots look like: options for uPlot in the colours of the page. */
import uPlot from "uplot";
import { power, share, signedNet } from "./numbers";
import type { NetResult } from "./outcomes";

export interface Inks {
  text: string;
  faint: string;
  line: string;
  grid: string;
  surface: string;
  brass: string;
  series: readonly string[];
}
export type Drawing = Omit<uPlot.Options, "width" | "height">;

/** The colours of the page as it looks now. */
export function inksOf(element: Element): Inks {
  const style = getComputedStyle(element);
  const ink = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: ink("text"),
    faint: ink("text-3"),
    line: ink("line-strong"),
    grid: ink("plot-grid"),
    surface: ink("surface"),
    brass: ink("brass"),
    series: [1, 2, 3, 4].map((n) => ink(`plot-${n}`)),
  };
}

export const colour = (inks: Inks, i: number): string => inks.series[i % inks.series.length]!;
const DASHES: readonly (number[] | undefined)[] = [undefined, [6, 3], [2, 3]];
/** Beyond four lines colours come again, then with dashes. */
export const dash = (i: number): number[] | undefined => DASHES[Math.floor(i / 4) % DASHES.length];

const FONT = '11px "Inter Variable", Inter, system-ui, sans-serif';

function axis(inks: Inks, more: uPlot.Axis): uPlot.Axis {
  return {
    font: FONT,
    labelFont: FONT,
    stroke: inks.faint,
    labelSize: 16,
    labelGap: 2,
    size: 30,
    ticks: { show: false },
    grid: { stroke: inks.grid, width: 1 },
    border: { show: false },
    ...more,
  };
}

const below = (inks: Inks, label: string, more: uPlot.Axis): uPlot.Axis =>
  axis(inks, { label, grid: { show: false }, border: { show: true, stroke: inks.line, width: 1 }, ...more });
const frame = { legend: { show: false }, cursor: { show: false }, padding: [10, 12, 0, 0] as uPlot.Padding };

const shareTick = (value: number): string => {
  const percent = value * 100;
  return `${percent >= 1 ? percent : Number(percent.toPrecision(1))} %`;
};

/** How likely every net result is: bars on a logarithmic scale, losses in their own colour. */
export function distribution(results: readonly NetResult[]): (inks: Inks) => Drawing {
  const least = Math.min(...results.map((entry) => entry.probability).filter((p) => p > 0), 0.1);
  const floor = 10 ** Math.max(-12, Math.floor(Math.log10(least) - 0.15));
  const few = Math.ceil(results.length / 14);
  const tickOf = (net: string): string => (results.length > 9 ? signedNet(net).replace("+", "") : signedNet(net));
  return (inks) => ({
    ...frame,
    scales: { x: { time: false, range: [-0.6, results.length - 0.4] }, y: { distr: 3, range: [floor, 1] } },
    axes: [
      below(inks, "net result, in wagers", {
        splits: () => results.map((_, i) => i).filter((i) => i % few === 0),
        values: (_, at) => at.map((i) => tickOf(results[i]?.net ?? "")),
      }),
      axis(inks, { size: 62, splits: () => powers(floor), values: (_, at) => at.map(shareTick) }),
    ],
    series: [
      {},
      ...(["lose", "win"] as const).map((side): uPlot.Series => ({
        fill: colour(inks, side === "lose" ? 2 : 0),
        stroke: "transparent",
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.62, 54], radius: 0.06 }),
        fillTo: floor,
      })),
    ],
  });
}

function powers(from: number): number[] {
  const first = Math.round(Math.log10(from));
  const step = Math.max(1, Math.ceil(-first / 6));
  return Array.from({ length: Math.floor(-first / step) + 1 }, (_, i) => 10 ** -(i * step)).toReversed();
}

/** Losing bars, then the others; where one has nothing to show the other has. */
export function distributionData(results: readonly NetResult[]): uPlot.AlignedData {
  const only = (loses: boolean): (number | null)[] =>
    results.map(({ net, probability }) => (net.startsWith("-") === loses ? probability : null));
  return [results.map((_, i) => i), only(true), only(false)];
}

export interface Line {
  name: string;
  edges: (number | null)[]; // by the decks of the plot
  printed: (number | null)[];
}

/** The edge by decks, a line for every pay table; a ring where the approval prints a figure. */
export function byDecks(decks: readonly number[], lines: readonly Line[], here: number): (inks: Inks) => Drawing {
  return (inks) => ({
    ...frame,
    padding: [10, 58, 0, 0],
    scales: {
      x: { time: false, range: [decks[0]! - 0.3, decks.at(-1)! + 0.3] },
      y: { range: (_, low, high) => withMargin(low, high, 0.08) },
    },
    axes: [
      below(inks, "decks", { splits: () => [...decks] }),
      axis(inks, { size: 54, values: (_, at) => at.map((v) => share(v, decimals(at))) }),
    ],
    series: [
      {},
      ...lines.map((_, i): uPlot.Series => ({
        stroke: colour(inks, i),
        width: 2,
        dash: dash(i),
        points: { show: true, size: 4.5, fill: colour(inks, i), stroke: colour(inks, i), width: 1 },
      })),
      ...lines.map((_, i): uPlot.Series => ({
        stroke: colour(inks, i),
        width: 1.8,
        paths: () => null,
        points: { show: true, size: 8.5, fill: inks.surface, stroke: colour(inks, i), width: 1.8 },
      })),
    ],
    hooks: {
      drawClear: [(u) => upright(u, here, inks.line)],
      draw: [(u) => names(u, inks, lines)],
    },
  });
}

export const byDecksData = (decks: readonly number[], lines: readonly Line[]): uPlot.AlignedData => [
  [...decks],
  ...lines.map((line) => line.edges),
  ...lines.map((line) => line.printed),
];

/** One line over a filled ground, with an upright where the table stands. */
export function curve(
  label: string,
  tick: (value: number) => string,
  here: number | null,
  across: (value: number) => string = String,
): (inks: Inks) => Drawing {
  return (inks) => ({
    ...frame,
    scales: {
      x: { time: false },
      y: { range: (_, low, high) => withMargin(Math.min(low, 0), Math.max(high, 0), 0.08) },
    },
    axes: [
      below(inks, label, { values: (_, at) => at.map(across) }),
      axis(inks, { size: 62, values: (_, at) => at.map(tick) }),
    ],
    series: [{}, { stroke: colour(inks, 2), width: 2, points: { show: true, size: 4, fill: colour(inks, 2) } }],
    hooks: {
      drawClear: [(u) => void level(u, 0, inks.line), (u) => here !== null && upright(u, here, inks.line)],
    },
  });
}

/** Names at the ends of their lines, kept apart. */
function names(u: uPlot, inks: Inks, lines: readonly Line[]): void {
  const pen = u.ctx;
  const ratio = devicePixelRatio;
  const ends = lines
    .map((line, i) => ({ i, name: line.name, y: u.valToPos(line.edges.at(-1) ?? 0, "y", true) }))
    .sort((a, b) => a.y - b.y);
  let before = -Infinity;
  pen.save();
  pen.font = `580 ${11.5 * ratio}px "Inter Variable", Inter, system-ui, sans-serif`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const end of ends) {
    const y = Math.max(end.y, before + 13 * ratio);
    before = y;
    pen.fillStyle = colour(inks, end.i);
    pen.fillText(end.name, u.bbox.left + u.bbox.width + 6 * ratio, y);
  }
  pen.restore();
}

function upright(u: uPlot, x: number, ink: string): void {
  const at = Math.round(u.valToPos(x, "x", true));
  stroke(u, ink, [3, 3], [at, u.bbox.top], [at, u.bbox.top + u.bbox.height]);
}

function level(u: uPlot, y: number, ink: string): number {
  const at = Math.round(u.valToPos(y, "y", true));
  stroke(u, ink, [4, 3], [u.bbox.left, at], [u.bbox.left + u.bbox.width, at]);
  return at;
}

function stroke(
  u: uPlot,
  ink: string,
  dashes: readonly number[],
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
): void {
  const pen = u.ctx;
  pen.save();
  pen.strokeStyle = ink;
  pen.lineWidth = devicePixelRatio;
  pen.setLineDash(dashes.map((entry) => entry * devicePixelRatio));
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
  pen.restore();
}

function written(u: uPlot, inks: Inks, text: string, y: number, x = u.bbox.left + u.bbox.width): void {
  const pen = u.ctx;
  pen.save();
  pen.font = `600 ${11.5 * devicePixelRatio}px "Inter Variable", Inter, system-ui, sans-serif`;
  pen.textAlign = "right";
  pen.textBaseline = "bottom";
  pen.fillStyle = inks.brass;
  pen.fillText(text, x - 4 * devicePixelRatio, y - 4 * devicePixelRatio);
  pen.restore();
}

/** Some air above and below; a line that is level gets a scale all the same. */
export function withMargin(low: number, high: number, part: number): [number, number] {
  const room = (high - low) * part || Math.abs(high) * part || 0.01;
  return [low - room, high + room];
}

const decimals = (at: readonly number[]): number => {
  const step = at.length > 1 ? Math.abs(at[1]! - at[0]!) * 100 : 1;
  return [0, 1, 2, 3].find((digits) => Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6) ?? 4;
};

/** The measured edge by rounds on a logarithmic scale, with twice the error around the exact one. */
export function convergence(exact: number | null, reach: number): (inks: Inks) => Drawing {
  return (inks) => ({
    ...frame,
    scales: {
      x: { time: false, distr: 3, range: [1000, Math.max(reach, 10_000)] },
      y: { range: (u, low, high) => narrow(u, low, high, exact, reach) },
    },
    axes: [
      below(inks, "rounds", { values: (_, at) => at.map(power) }),
      axis(inks, { size: 58, values: (_, at) => at.map((v) => share(v, decimals(at))) }),
    ],
    series: [
      {},
      { stroke: "transparent", points: { show: false } },
      { stroke: "transparent", points: { show: false } },
      { stroke: colour(inks, 1), width: 1.8, points: { show: true, size: 3.5, fill: colour(inks, 1) } },
    ],
    bands: [{ series: [1, 2], fill: `${colour(inks, 0)}29` }],
    hooks: {
      draw: [
        (u) => void (exact !== null && written(u, inks, `exact ${share(exact)}`, level(u, exact, colour(inks, 0)))),
      ],
    },
  });
}

/* The first tallies scatter widely: the scale shows two standard errors after a thousandth of all rounds. */
function narrow(u: uPlot, low: number, high: number, exact: number | null, reach: number): [number, number] {
  const at = u.data[0].length - 1;
  const twice = (u.data[1]?.[at] ?? NaN) - (exact ?? NaN);
  const room = (twice * Math.sqrt(u.data[0][at]!)) / Math.sqrt(Math.max(reach / 1000, 1000));
  return exact === null || !(room > 0) ? withMargin(low, high, 0.1) : [exact - room, exact + room];
}

export interface Looked {
  rounds: number;
  edge: number;
  error: number | null;
}

/** The tallies as plot data: rounds, both edges of the band, the measured edge. */
export function convergenceData(looks: readonly Looked[], exact: number | null): uPlot.AlignedData {
  const band = (sign: number) =>
    looks.map(({ edge, error }) => (error === null ? null : (exact ?? edge) + sign * 2 * error));
  return [looks.map((look) => look.rounds), band(1), band(-1), looks.map((look) => look.edge)];
}

/** The return of a wager by the jackpot: a straight line that reaches 100 % at the break-even jackpot. */
export function returning(posted: number | null, even: number | null): (inks: Inks) => Drawing {
  return (inks) => ({
    ...frame,
    scales: { x: { time: false }, y: { range: (_, low, high) => withMargin(low, Math.max(high, 1), 0.06) } },
    axes: [
      below(inks, "jackpot", {
        space: 70,
        values: (_, at) => at.map((v) => `$${(v / 1000).toLocaleString("en-US")}k`.replace("$0k", "$0")),
      }),
      axis(inks, { size: 54, values: (_, at) => at.map((v) => share(v, 0)) }),
    ],
    series: [{}, { stroke: colour(inks, 0), width: 2, points: { show: false } }],
    hooks: {
      drawClear: [(u) => void (even !== null && upright(u, even, inks.line))],
      draw: [
        (u) => {
          level(u, 1, inks.line);
          if (even !== null)
            written(
              u,
              inks,
              `even at $${Math.round(even).toLocaleString("en-US")}`,
              u.valToPos(1, "y", true),
              u.valToPos(even, "x", true),
            );
          if (posted !== null) upright(u, posted, colour(inks, 1));
        },
      ],
    },
  });
}
