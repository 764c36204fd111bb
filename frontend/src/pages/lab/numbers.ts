/** Figures in words: exact first, then as people read them. */
import type { ExactValue } from "../../wire/types";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const minus = (text: string): string => text.replace(/^-(?=0?\.?0*$)/, "").replace("-", "−"); // no minus before zero

export const count = (n: number): string => grouped.format(n);
export const share = (value: number, digits = 4): string => `${minus((value * 100).toFixed(digits))} %`;
export const signedShare = (value: number, digits = 4): string =>
  (Number((value * 100).toFixed(digits)) > 0 ? "+" : "") + share(value, digits);
export const decimal = (value: number, digits = 3): string => minus(value.toFixed(digits));

/** A probability with as many digits as it takes to see something: "76.2351 %", "0.00138 %". */
export function likely(value: number): string {
  const digits = value <= 0 || value >= 0.0001 ? 4 : Math.min(12, Math.ceil(-Math.log10(value)) + 1);
  return share(value, digits);
}

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
/** Ranks as a deck has them, ace first; a joker comes last. */
export const ranked = (names: readonly string[]): string[] =>
  [...RANKS, ...names.filter((name) => !RANKS.includes(name))].filter((name) => names.includes(name));

const group = (digits: string): string => minus(digits.replace(/\B(?=(\d{3})+(?!\d))/g, ","));

/** "593 / 11,137" of "593/11137". */
export function fraction({ exact }: ExactValue): string | null {
  if (!exact) return null;
  const [over = "", under = "1"] = exact.split("/");
  return under === "1" ? group(over) : `${group(over)} / ${group(under)}`;
}

/** The decimal of "3/2". */
export function ratio(text: string): number {
  const [over, under = "1"] = text.split("/");
  return Number(over) / Number(under);
}

/** "200 to 1", "3 to 2", "loses", "pushes": a net result in the words of a pay table. */
export function pays(net: string): string {
  const [over = "0", under = "1"] = net.split("/");
  if (Number(over) === 0) return "pushes";
  if (net === "-1") return "loses";
  if (net === "-1/2") return "loses half";
  return Number(over) > 0 ? `${group(over)} to ${under}` : `loses ${ratio(net.slice(1))}×`;
}

export const signedNet = (net: string): string =>
  net.startsWith("-") ? `−${net.slice(1)}` : net === "0" ? "0" : `+${net}`;
export const oneIn = (value: number): string =>
  value > 0 ? `1 in ${value > 0.1 ? (1 / value).toFixed(2) : count(1 / value)}` : "never";

/** "10⁶" of a power of ten; nothing of other numbers. */
export function power(n: number | null): string {
  if (!n || n < 1) return "";
  const exponent = Math.log10(n);
  if (Math.abs(exponent - Math.round(exponent)) > 1e-9) return "";
  return `10${[...String(Math.round(exponent))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}
