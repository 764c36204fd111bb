/** Amounts as text. */
import type { WagerDocument } from "../wire/types";

const whole = new Intl.NumberFormat("en-US");
const exact = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** "$25", "$1,250", "$7.50": without cents where there are none. */
export function money(cents: number): string {
  const sign = cents < 0 ? "−" : "";
  const size = Math.abs(cents);
  return `${sign}$${size % 100 ? exact.format(size / 100) : whole.format(size / 100)}`;
}

/** "$8,412.36": always with cents, for what moves. */
export const meter = (cents: number): string => `${cents < 0 ? "−" : ""}$${exact.format(Math.abs(cents) / 100)}`;

const signOf = (cents: number): string => (cents > 0 ? "+" : cents < 0 ? "−" : "");

/** "+$150", "−$5": short, for tags on the cloth. */
export const signed = (cents: number): string => signOf(cents) + money(Math.abs(cents));

/** "+$150.00", "−$5.00": what a wager got. */
export const moved = (cents: number): string => signOf(Math.round(cents)) + meter(Math.abs(Math.round(cents)));

/** "$5–$200", or "$1" where there is no choice. */
export const range = ([least, most]: readonly [number, number]): string =>
  least === most ? money(least) : `${money(least)}–${money(most)}`;

/** What a round came to: a net of zero is a push only where every wager pushed. */
export const outcome = (cents: number, isPush: boolean, words = moved): string =>
  cents ? words(cents) : isPush ? "push" : "even";

/** Cents of what somebody typed ("25", "$7.50", "1,000"), or null if it is no amount. */
export function parseAmount(text: string): number | null {
  const match = /^\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!match) return null;
  return Number(match[1]!.replace(/,/g, "")) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** How many pieces of each amount in cents, from "12x100, 5x20, 4x0.25". */
export function parsePieces(text: string): Record<string, number> {
  const pieces: Record<string, number> = {};
  for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
    const [count, amount] = part.split(/[x×]/i);
    const cents = parseAmount(amount ?? "");
    if (!cents || !/^\d+$/.test(count ?? "")) throw new Error(`${part}: write pieces × dollars, such as 12x100, 5x20`);
    pieces[cents] = (pieces[cents] ?? 0) + Number(count);
  }
  return pieces;
}

/** "5.31 %" of a share. */
export const percent = (share: number, digits = 2): string => `${(share * 100).toFixed(digits).replace("-", "−")} %`;

export const tone = (cents: number): "win" | "lose" | "push" => (cents > 0 ? "win" : cents < 0 ? "lose" : "push");

/** Whether a jackpot pays some of it. */
export const isProgressive = (wager: WagerDocument | undefined): boolean =>
  Object.values(wager?.pay_tables ?? {}).some((pays) => Object.values(pays).some((pay) => pay.includes("jackpot")));
