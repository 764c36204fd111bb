/** The dealer's chair over the wire: a practice table, and what the trainee's hands can do at it. */
import { ask } from "./http";
import type { TableEvent, View } from "./types";

export type Verb = "say" | "deal" | "turn" | "peek" | "ask" | "tuck" | "burn" | "clear" | "take" | "pay" | "push";

/** A place as people count: the dealer is 0, seats count from 1. */
export type Move =
  | { do: "say"; words: string }
  | { do: "deal"; to: number; count: number; down: boolean | null }
  | { do: "turn" | "burn"; at: number }
  | { do: "peek" | "next" | "hint" }
  | { do: "ask" | "clear"; seat: number }
  | { do: "tuck"; seat: number; under: string }
  | { do: "take" | "pay"; seat: number; wager: string; cents: number; part: string }
  | { do: "push"; seat: number; wager: string; part: string };

export interface Mistake {
  round: number;
  says: string;
  clause: string;
  because: string;
  expected: string;
}

export interface Score {
  steps: number;
  right_at_once: number;
  payouts: number;
  payouts_right_at_once: number;
  rounds: number;
  hints: number;
  mistakes: Mistake[];
}

export type ChairEvent = TableEvent | { type: "chosen"; seat: number; name: string; cents: number };

export interface ChairTold {
  number: number;
  game: string;
  guided: boolean;
  over: boolean;
  prompt: { words: string; clause: string; because: string } | null;
  hint: string;
  wrong: Mistake | null;
  score: Score;
  phrases: string[];
  verbs: Verb[];
  parts: Record<string, string[]>;
  view: View;
  events: ChairEvent[];
}

export const chairApi = {
  stand: () => ask<ChairTold>("/api/chair"),
  begin: (game: string, seats: number, guided: boolean) => ask<ChairTold>("/api/chair", "POST", { game, seats, guided }),
  move: (number: number, move: Move) => ask<ChairTold>("/api/chair/move", "POST", { number, move }),
};
