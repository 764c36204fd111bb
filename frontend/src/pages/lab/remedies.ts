// What chosen remedies leave of each risk, together.
import type { Protection } from "../../wire/types";

export type Remedy = Protection["remedies"][number];

/** Cents an hour that the player still wins by one risk, with these of its remedies taken together. */
export function left(chosen: readonly Remedy[], before: number): number {
  const of = (...kinds: Remedy["kind"][]): Remedy[] => chosen.filter((one) => kinds.includes(one.kind));
  const [cut] = of("cut card");
  const pays = of("pay", "table").map((one) => (cut ? one.after_cut : one.after));
  const counted = Math.min(cut?.after ?? before, ...pays, before);
  const capped = of("cap").reduce((sum, one) => Math.round((sum * one.after) / one.before), counted);
  return Math.min(capped, ...of("hide", "shuffle", "entry").map((one) => one.after));
}

/** By risk, in the report's order: its remedies with their places, and what is left of it. */
export function byRisk(remedies: readonly Remedy[], ticked: ReadonlySet<number>) {
  const risks = new Map<string, { remedy: Remedy; place: number }[]>();
  remedies.forEach((remedy, place) => {
    risks.set(remedy.risk, [...(risks.get(remedy.risk) ?? []), { remedy, place }]);
  });
  return [...risks].map(([risk, rows]) => {
    const chosen = rows.filter(({ place }) => ticked.has(place)).map(({ remedy }) => remedy);
    return { risk, rows, left: left(chosen, rows[0]!.remedy.before) };
  });
}
