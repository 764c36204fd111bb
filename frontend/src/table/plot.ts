/** A session's small plot: the results by round over the range that the exact figures expect. */
import { tenth } from "../draw/figures";
import type { Results } from "../wire/types";

const WIDE = 128;
const HIGH = 44;

export interface Plotted {
  path: string;
  expected: string;
  range: string | null;
}

/** Paths in a 128 × 44 box; the range widens with the square root of the rounds. */
export function plotOf({ rounds, net, history, expected, deviation }: Results): Plotted {
  const results = [0, ...(history?.length ? history : [net])];
  const mean = expected ?? 0;
  const spread = deviation ?? 0;
  const low = Math.min(...results, mean - spread, 0);
  const high = Math.max(...results, mean + spread, 0);
  const x = (i: number, of: number): number => tenth((i / Math.max(1, of)) * WIDE);
  const y = (cents: number): number => tenth(2 + (1 - (cents - low) / (high - low || 1)) * (HIGH - 4));
  const path = results.map((cents, i) => `${i ? "L" : "M"}${x(i, results.length - 1)} ${y(cents)}`).join(" ");
  const line = `M0 ${y(0)} L${WIDE} ${y(mean)}`;
  if (expected === undefined || deviation === undefined || !rounds) return { path, expected: line, range: null };
  const steps = Array.from({ length: 9 }, (_, i) => i / 8);
  const edge = (sign: number): string[] =>
    steps.map((t) => `${tenth(t * WIDE)} ${y(mean * t + sign * spread * Math.sqrt(t))}`);
  return { path, expected: line, range: `M${edge(1).join(" L")} L${edge(-1).toReversed().join(" L")} Z` };
}
