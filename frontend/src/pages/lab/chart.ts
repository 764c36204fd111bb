/** Strategy charts: a letter for the choice, a colour for what the hand is then worth. */
import type { Cell, Chart } from "../../wire/types";
import { decimal } from "./numbers";

const LETTERS: Readonly<Record<string, string>> = { split: "P", surrender: "R" };

/** The trade's letter, small s where a double or surrender gives way to standing, a star where the cards decide. */
export function letter(cell: Cell): string {
  const first = LETTERS[cell.choice] ?? cell.choice.charAt(0).toUpperCase();
  const gives = cell.otherwise === "stand" && (cell.choice === "double" || cell.choice === "surrender");
  return first + (gives ? "s" : "") + (cell.shares ? "*" : "");
}

/** What the letters of some charts mean. */
export function legend(charts: readonly Chart[]): [string, string][] {
  const titles = new Map<string, string>();
  for (const cell of charts.flatMap((chart) => chart.cells)) {
    const gives = cell.otherwise && (cell.choice === "double" || cell.choice === "surrender");
    const or = gives ? `${cell.choice}, or ${cell.otherwise}` : cell.choice;
    const key = letter(cell).replace("*", "");
    if (!titles.has(key)) titles.set(key, or);
  }
  return [...titles].sort(([a], [b]) => a.localeCompare(b));
}

export const cellAt = (chart: Chart, row: string, column: string): Cell | undefined =>
  chart.cells.find((cell) => cell[chart.down] === row && cell[chart.across] === column);

const FEW = 2; // columns of a chart that is turned on its side: it would leave most of the page empty

/** The chart as it fills the page best: one of many rows and hardly a column lies on its side. */
export function fitToPage(chart: Chart): Chart {
  if (chart.columns.length > FEW || chart.rows.length <= 2 * FEW) return chart;
  return { ...chart, down: chart.across, across: chart.down, rows: chart.columns, columns: chart.rows };
}

/** The worth of the cell's best choice, per unit; where not every hand has it, the best choice that all have. */
export function worth(cell: Cell): number | null {
  const values = Object.values(cell.values ?? {}).map(({ value }) => value);
  return cell.values?.[cell.choice]?.value ?? (values.length ? Math.max(...values) : null);
}

export type Reach = readonly [number, number];

const MOST_OF_THEM = 0.8; // a few hands worth a fortune would leave all others without colour

/** The least that a cell of these charts is worth, and what most of the winning ones are worth at most. */
export function reachOf(charts: readonly Chart[]): Reach {
  const values = charts.flatMap((chart) => chart.cells.map(worth)).filter((value) => value !== null);
  const winning = values.filter((value) => value > 0).sort((a, b) => a - b);
  return [Math.min(...values, 0), winning[Math.floor((winning.length - 1) * MOST_OF_THEM)] ?? 0];
}

/** From the least (red) over nothing (paper) to the most (green), in parts of 100. */
export function shade(value: number, [least, most]: Reach): { side: "win" | "lose"; part: number } {
  const end = value < 0 ? least : most;
  return { side: value < 0 ? "lose" : "win", part: end ? Math.round(Math.min(1, value / end) * 100) : 0 };
}

/** "Hard totals against the up card", "Best play, total by up card". */
export const heading = ({ title, down, across }: Chart): string =>
  title === "Best play" ? `Best play, ${down} by ${across}` : `${title} against the ${across}`;

/** "16 against 9: surrender −0.500, hit −0.509, stand −0.541". */
export function sentence(chart: Chart, row: string, column: string): string {
  const cell = cellAt(chart, row, column);
  if (!cell) return "";
  const values = Object.entries(cell.values ?? {}).sort(([, a], [, b]) => b.value - a.value);
  const said = values.length
    ? values.map(([name, { value }]) => `${name} ${value > 0 ? "+" : ""}${decimal(value)}`).join(", ")
    : cell.choice;
  const shares = cell.shares
    ? ` (${Object.entries(cell.shares)
        .map(([name, { value }]) => `${name} with ${Math.round(value * 100)} % of them`)
        .join(", ")})`
    : "";
  const named = (axis: string, value: string): string => (/^\d+$/.test(value) ? `${axis} ${value}` : value);
  const against = `${chart.title.startsWith("Soft") ? "soft " : ""}${row} against ${column}`;
  const place = chart.across === "up card" ? against : `${named(chart.down, row)}, ${named(chart.across, column)}`;
  return `${place}: ${said}${shares}`;
}
