/** Pays as they are written, in the order of what they are worth. */

/** A number to sort by: shares of a jackpot before odds and awards, a push before a loss. */
export function worthOf(pay: string): number {
  const share = /([\d.]+)\s*%/.exec(pay);
  if (share) return 1e9 + Number(share[1]);
  const odds = /([\d.]+) to ([\d.]+)/.exec(pay);
  if (odds) return Number(odds[1]) / Number(odds[2]);
  const award = /\$([\d,.]+)/.exec(pay);
  if (award) return Number(award[1]!.replace(/,/g, ""));
  return pay === "push" ? 0 : pay === "lose half" ? -0.5 : pay === "lose" ? -1 : 0.5;
}

type Row = readonly [outcome: string, pay: string];

/** The best pay first; of equal pays the highest total first, since objects list numeric keys upwards. */
export const byWorth = ([one, a]: Row, [other, b]: Row): number =>
  worthOf(b) - worthOf(a) || Number(other) - Number(one) || 0;
