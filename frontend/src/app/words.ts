/** Typography: dashes, apostrophes and suits for plain text from the server. */

const SUITS: Readonly<Record<string, string>> = { c: "♣", d: "♦", h: "♥", s: "♠" };
const CARDS = /\b[2-9TJQKA][cdhs](?: [2-9TJQKA][cdhs])+\b/g;

/** A card in short: "10♥"; a hidden one in words. */
export function brief(code: string | null): string {
  if (code === null) return "face down";
  if (code === "Jo") return "Joker";
  return `${code[0] === "T" ? "10" : code[0]}${SUITS[code[1]!] ?? ""}`;
}

/** A sentence or a label: odds, shares and signed amounts stay on one line, cards show their suits. */
export function typeset(text: string): string {
  return text
    .replace(/(?<=\p{L})'/gu, "’")
    .replace(/(\d) to (\d)/g, "$1\u00a0to\u00a0$2")
    .replace(/(\d) ?%/g, "$1\u00a0%")
    .replace(/(?<![\d-])(\d+)-(\d+)(?![\d-])/g, "$1–$2")
    .replace(/([+−])\$/g, "$1\u2060$")
    .replace(CARDS, (codes) => codes.split(" ").map(brief).join(" "));
}

/** The same as a sentence by itself: with a capital, and a full stop unless it ends already. */
export function sentence(text: string): string {
  const set = typeset(text);
  return set ? set[0]!.toUpperCase() + set.slice(1) + (/[.?!]$/.test(set) ? "" : ".") : "";
}

/** The same as a label: with a capital and without a full stop. */
export const label = (text: string): string => sentence(text).replace(/\.$/, "");

/** A stretch of time as people say it: "3 minutes", "90 seconds", "2 hours". */
export function duration(seconds: number): string {
  const [size, unit] = seconds % 3600 === 0 ? [3600, "hour"] : seconds % 60 === 0 ? [60, "minute"] : [1, "second"];
  return `${seconds / size!} ${unit}${seconds === size ? "" : "s"}`;
}

const DONE: Readonly<Record<string, string>> = {
  fold: "folded",
  stand: "stood",
  stay: "stayed",
  raise: "raised",
  check: "checked",
  double: "doubled",
  surrender: "surrendered",
  insure: "insured",
  decline: "declined",
  bonus: "took the bonus",
  rescue: "rescued",
};

const TAKING: Readonly<Record<string, string>> = { bonus: "taking the bonus" };

/** Making a choice, as a noun: "folding", "hitting", "raising". */
export function gerund(choice: string): string {
  if (TAKING[choice]) return TAKING[choice];
  if (choice.endsWith("e")) return `${choice.slice(0, -1)}ing`;
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(choice) ? `${choice}${choice.at(-1)}ing` : `${choice}ing`;
}

/** What a seat has done, by the choice it made last. */
export const done = (choice: string): string => DONE[choice] ?? choice;

/** "24" of "24, over 21, doubled"; a hand that has no number keeps its words. */
export function shortTotal(handTotal: string): string {
  const plain = handTotal.replace(/^total /, "");
  return /^(soft )?\d+/.exec(plain)?.[0] ?? plain;
}
