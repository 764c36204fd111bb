/** A draft of a pay table: the odds somebody typed, priced exactly with the chances that the analysis counted. */
import type { Analysis, OutcomeRow } from "../../wire/types";

type Ratio = readonly [over: bigint, under: bigint];

/** What each outcome pays in the draft, in units for one. */
export type DraftPays = Readonly<Record<string, number>>;

const divisor = (a: bigint, b: bigint): bigint => (b ? divisor(b, a % b) : a < 0n ? -a : a);
function reduced(over: bigint, under: bigint): Ratio {
  const by = divisor(over, under) || 1n;
  return [over / by, under / by];
}
const add = ([a, b]: Ratio, [c, d]: Ratio): Ratio => reduced(a * d + c * b, b * d);
const times = ([a, b]: Ratio, [c, d]: Ratio): Ratio => reduced(a * c, b * d);

function ratioOf(text: string): Ratio {
  const [over = "0", under = "1"] = text.split("/");
  return [BigInt(over), BigInt(under)];
}

/** Odds with up to two decimals as a ratio: 1.5 is 3 to 2. */
const ratioOfOdds = (odds: number): Ratio => reduced(BigInt(Math.round(odds * 100)), 100n);

/** Whether a draft can be priced here: chances that no pay changes, one amount at stake, exact figures. */
export const isDraftable = (answer: Analysis): boolean =>
  !answer.return &&
  answer.outcomes.length <= 40 &&
  answer.outcomes.every(({ wagered, probability }) => wagered === "1" && probability.exact);

/** The outcomes that win: the rows of a pay table. */
export const winningRows = (answer: Analysis): OutcomeRow[] =>
  answer.outcomes
    .filter(({ net }) => !net.startsWith("-") && net !== "0")
    .sort((a, b) => oddsOf(b) - oddsOf(a) || a.outcome.localeCompare(b.outcome));

/** The odds of an outcome as the analysis has them. */
export function oddsOf({ net }: OutcomeRow): number {
  const [over, under] = ratioOf(net);
  return Number(over) / Number(under);
}

/** The house edge of the draft, exactly; pays that the draft leaves out stay as they are. */
export function draftEdge(answer: Analysis, pays: DraftPays): { exact: string; value: number } {
  const gain = answer.outcomes
    .map((row): Ratio => {
      const odds = pays[row.outcome];
      const net = odds === undefined ? ratioOf(row.net) : ratioOfOdds(odds);
      return times(ratioOf(row.probability.exact!), net);
    })
    .reduce(add, [0n, 1n] as Ratio);
  const [over, under] = [-gain[0], gain[1]];
  return { exact: under === 1n ? `${over}` : `${over}/${under}`, value: Number((over * 10n ** 15n) / under) / 1e15 };
}

/** "9 to 1", "3 to 2": odds as a pay table writes them. */
export function oddsText(odds: number): string {
  const [over, under] = ratioOfOdds(odds);
  return `${over} to ${under}`;
}

/** The draft as the rulebook would have it. */
export function draftToml(wager: string, answer: Analysis, pays: DraftPays): string {
  const rows = winningRows(answer).map((row) => {
    const odds = pays[row.outcome] ?? oddsOf(row);
    const was = odds === oddsOf(row) ? "" : `  # table ${answer.pay_table}: ${oddsText(oddsOf(row))}`;
    return `"${row.outcome}" = "${oddsText(odds)}"${was}`;
  });
  return `[pay_table.${wager}.draft.pays]\n${rows.join("\n")}\n`;
}

/** A draft as the end of a link, and back. */
export const draftInHash = (pays: DraftPays): string => `#draft=${encodeURIComponent(JSON.stringify(pays))}`;
export function draftFromHash(hash: string): DraftPays {
  try {
    const text = /^#draft=(.+)$/.exec(hash)?.[1];
    const pays = text ? (JSON.parse(decodeURIComponent(text)) as Record<string, unknown>) : {};
    return Object.fromEntries(Object.entries(pays).filter((entry): entry is [string, number] => isLawful(entry[1])));
  } catch {
    return {};
  }
}

export const MOST_ODDS = 100_000;
/** Odds that a pay table can have: more than nothing, two decimals at most. */
export const isLawful = (odds: unknown): boolean =>
  typeof odds === "number" && odds > 0 && odds <= MOST_ODDS && Math.abs(odds * 100 - Math.round(odds * 100)) < 1e-6;
