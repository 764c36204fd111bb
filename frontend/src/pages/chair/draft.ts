/** A move being entered: a verb, then its fields one after the other, by keys or buttons. */
import { parseAmount } from "../../app/money";
import type { Move, Verb } from "../../wire/types";

export interface Draft {
  verb: Verb | null;
  at: number | null; // 0 is the dealer
  count: number;
  down: boolean;
  wager: string;
  part: string;
  amount: string;
  words: string;
}

export const BLANK: Draft = { verb: null, at: null, count: 1, down: false, wager: "", part: "", amount: "", words: "" };

export const VERBS: Readonly<Record<Verb, { title: string; small: string; key: string }>> = {
  say: { title: "Announce", small: "say it aloud", key: "S" },
  deal: { title: "Deal", small: "cards to a place", key: "D" },
  turn: { title: "Turn over", small: "what lies face down", key: "T" },
  peek: { title: "Check", small: "the hole card", key: "H" },
  ask: { title: "Ask", small: "for a decision", key: "A" },
  tuck: { title: "Tuck", small: "under a wager", key: "U" },
  burn: { title: "Burn", small: "a card not needed", key: "B" },
  clear: { title: "Clear", small: "to the discards", key: "L" },
  take: { title: "Take", small: "to your tray", key: "1" },
  push: { title: "Push", small: "leave it there", key: "2" },
  pay: { title: "Pay", small: "set the amount", key: "3" },
};

export type Need = "place" | "seat" | "count" | "face" | "wager" | "part" | "amount" | "words";

const NEEDS: Readonly<Record<Verb, readonly Need[]>> = {
  say: ["words"],
  deal: ["place", "count", "face"],
  turn: ["place"],
  peek: [],
  ask: ["seat"],
  tuck: ["seat", "wager"],
  burn: ["place"],
  clear: ["seat"],
  take: ["seat", "wager", "part", "amount"],
  pay: ["seat", "wager", "part", "amount"],
  push: ["seat", "wager", "part"],
};

/** The fields of a move: face up or down for the dealer's own cards, a part where a seat has several hands. */
export function needsOf(draft: Draft, parts: Readonly<Record<string, readonly string[]>>): Need[] {
  if (!draft.verb) return [];
  return NEEDS[draft.verb].filter((need) =>
    need === "face" ? draft.at === 0 : need === "part" ? !!parts[`${draft.at} ${draft.wager}`] : true,
  );
}

function isGiven(draft: Draft, need: Need): boolean {
  if (need === "place") return draft.at !== null;
  if (need === "seat") return draft.at !== null && draft.at > 0;
  if (need === "wager") return draft.wager !== "";
  if (need === "part") return draft.part !== "";
  if (need === "amount") return parseAmount(draft.amount) !== null;
  return need !== "words" || draft.words !== "";
}

/** What is still missing, in the order it is asked for. */
export const missing = (draft: Draft, parts: Readonly<Record<string, readonly string[]>>): Need | null =>
  needsOf(draft, parts).find((need) => !isGiven(draft, need)) ?? null;

/** The move, once nothing is missing. */
export function moveOf(draft: Draft, parts: Readonly<Record<string, readonly string[]>>): Move | null {
  if (!draft.verb || missing(draft, parts)) return null;
  const at = draft.at ?? 0;
  switch (draft.verb) {
    case "say":
      return { do: "say", words: draft.words };
    case "deal":
      return { do: "deal", to: at, count: draft.count, down: at === 0 ? draft.down : null };
    case "turn":
    case "burn":
      return { do: draft.verb, at };
    case "peek":
      return { do: "peek" };
    case "ask":
    case "clear":
      return { do: draft.verb, seat: at };
    case "tuck":
      return { do: "tuck", seat: at, under: draft.wager };
    case "push":
      return { do: "push", seat: at, wager: draft.wager, part: draft.part };
    default:
      return { do: draft.verb, seat: at, wager: draft.wager, cents: parseAmount(draft.amount) ?? 0, part: draft.part };
  }
}

/** A verb begins a new move; how many cards were dealt last is remembered. */
export const begun = (before: Draft, verb: Verb): Draft => ({ ...BLANK, verb, count: before.count, down: before.down });

/** The verb of a key, among those this game has. */
export const verbOf = (key: string, verbs: readonly Verb[]): Verb | null =>
  verbs.find((verb) => VERBS[verb].key.toLowerCase() === key.toLowerCase()) ?? null;

/** The verbs in the order in which they are offered. */
export const listed = (verbs: readonly Verb[]): Verb[] =>
  (Object.keys(VERBS) as Verb[]).filter((verb) => verbs.includes(verb));
