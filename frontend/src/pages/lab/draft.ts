/** A draft of a pay table: odds as people type them, and as a rulebook writes them. */

export const MOST_ODDS = 100_000;

/** Odds that a draft can have: more than nothing, two decimals at most. */
export const isLawful = (odds: number): boolean =>
  odds > 0 && odds <= MOST_ODDS && Math.abs(odds * 100 - Math.round(odds * 100)) < 1e-6;

const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a);

/** "9 to 1", "3 to 2": odds as a pay table writes them. */
export function oddsText(odds: number): string {
  const hundredths = Math.round(odds * 100);
  const by = divisor(hundredths, 100) || 1;
  return `${hundredths / by} to ${100 / by}`;
}

/** 1.5 of "3 to 2". */
export function oddsNumber(text: string): number {
  const [over, under = "1"] = text.split(" to ");
  return Math.round((Number(over) / Number(under)) * 100) / 100;
}
