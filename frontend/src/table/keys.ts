/** Keys at a table: every choice, chip and spot has one, and a key means one thing at a time. */
import { READOUTS, type Question } from "./readout";
import type { Decision } from "../wire/types";
import { choosesCards } from "./offers";

export const CHIPS: readonly number[] = [100, 500, 2500, 10000];
const RESERVED = new Set(["q", "y", "x", "z"]); // coach, why, twice, undo

export type Command =
  | { type: "choose"; name: string }
  | { type: "chip"; cents: number }
  | { type: "spot"; wager: string; remove: boolean }
  | { type: "deal" }
  | { type: "clear" }
  | { type: "change" }
  | { type: "double" }
  | { type: "undo" }
  | { type: "read"; question: Question }
  | { type: "coach" }
  | { type: "why" }
  | { type: "keys" }
  | { type: "close" };

export interface Wagering {
  titles: readonly { name: string; title: string }[];
  isSettled: boolean; // a round has just ended: its results lie there
}

export interface Situation {
  decision: Decision | null;
  wagering: Wagering | null; // null while wagers are not open
}

export interface Pressed {
  key: string;
  shiftKey?: boolean;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
}

const FREE = [",", ".", "-", "=", ";", "'"]; // where no letter of a title is left

/** A letter for every spot: its title's first letter that is still free, else a sign. */
export function spotKeys(titles: readonly { name: string; title: string }[]): Map<string, string> {
  const taken = new Set(RESERVED);
  const letterOf = new Map<string, string>();
  titles.forEach(({ name, title }, i) => {
    const initials = title.split(/\s+/).map((word) => word[0] ?? "");
    const letters = [...initials.reverse(), ...title]
      .map((letter) => letter.toLowerCase())
      .filter((letter) => /[a-z]/.test(letter));
    const key = letters.find((letter) => !taken.has(letter)) ?? FREE[i % FREE.length]!;
    taken.add(key);
    letterOf.set(name, key.toUpperCase());
  });
  return letterOf;
}

const ALWAYS: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(READOUTS.map(([key, question]) => [key, { type: "read", question } as const])),
  "?": { type: "keys" },
  escape: { type: "close" },
  q: { type: "coach" },
  y: { type: "why" },
};
const WAGERING: Readonly<Record<string, Command>> = {
  enter: { type: "deal" },
  delete: { type: "clear" },
  backspace: { type: "clear" },
  x: { type: "double" },
  z: { type: "undo" },
};

function wagerCommand(key: string, shift: boolean, wagering: Wagering): Command | null {
  if (wagering.isSettled && key === "w") return { type: "change" };
  const chip = /^[1-4]$/.test(key) ? CHIPS[Number(key) - 1] : undefined;
  if (chip !== undefined) return { type: "chip", cents: chip };
  for (const [wager, letter] of spotKeys(wagering.titles))
    if (letter.toLowerCase() === key) return { type: "spot", wager, remove: shift };
  return WAGERING[key] ?? null;
}

/** What a key means now; null where it means nothing to the table. */
export function commandFor(pressed: Pressed, situation: Situation): Command | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  const key = pressed.key.toLowerCase();
  const offer = situation.decision?.offers.find((one) => one.key.toLowerCase() === key && !choosesCards(one));
  if (/^\d$/.test(key) && situation.decision?.offers.some(choosesCards)) return null; // it marks a card
  if (offer) return { type: "choose", name: offer.name };
  const command = situation.wagering && wagerCommand(key, pressed.shiftKey ?? false, situation.wagering);
  return command ?? ALWAYS[key] ?? null;
}
