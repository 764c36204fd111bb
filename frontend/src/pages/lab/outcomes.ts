/** The outcomes of a wager, gathered for the eye: what each contributes, and how likely every net result is. */
import type { OutcomeRow } from "../../wire/types";
import { ratio } from "./numbers";

export interface Contribution extends OutcomeRow {
  contribution: number; // to the player's expectation, per unit opened with
  bar: number; // of the largest, 0 to 1
}

/** Every outcome with its part of the whole. */
export function contributions(rows: readonly OutcomeRow[]): Contribution[] {
  const parts = rows.map((row) => ratio(row.net) * row.probability.value);
  const largest = Math.max(...parts.map(Math.abs), 1e-12);
  return rows.map((row, i) => ({ ...row, contribution: parts[i]!, bar: Math.abs(parts[i]!) / largest }));
}

export interface NetResult {
  net: string;
  probability: number;
}

/** Outcomes of the same net together, the worst first. */
export function byNet(rows: readonly OutcomeRow[]): NetResult[] {
  const shares = new Map<string, number>();
  for (const row of rows) shares.set(row.net, (shares.get(row.net) ?? 0) + row.probability.value);
  return [...shares].map(([net, probability]) => ({ net, probability })).sort((a, b) => ratio(a.net) - ratio(b.net));
}

const MOST = 24; // rows beyond which outcomes stand together by their result

/* The best first; of totals that pay alike the highest. */
const byWorth = (one: OutcomeRow, other: OutcomeRow): number =>
  ratio(other.net) - ratio(one.net) || Number(other.outcome) - Number(one.outcome) || 0;

/* An outcome that comes with more than one amount at stake says which. */
function named(row: OutcomeRow, rows: readonly OutcomeRow[]): OutcomeRow {
  const isAmbiguous = row.wagered !== "1" && rows.some((other) => other !== row && other.outcome === row.outcome);
  return isAmbiguous ? { ...row, outcome: `${row.outcome}, ${row.wagered}× wagered` } : row;
}

/** The outcomes as listed: all of them, or gathered by result where there are many. */
export function listOutcomes(rows: readonly OutcomeRow[]): { rows: Contribution[]; gathered: boolean } {
  if (rows.length <= MOST)
    return { rows: contributions([...rows].sort(byWorth).map((row) => named(row, rows))), gathered: false };
  const gathered = byNet(rows)
    .toReversed()
    .map(({ net, probability }): OutcomeRow => ({
      outcome: ratio(net) > 0 ? "win" : ratio(net) < 0 ? "lose" : "push",
      net,
      wagered: "",
      probability: { exact: null, value: probability },
    }));
  return { rows: contributions(gathered), gathered: true };
}
