/** What the server says and what it may be asked: the agreed wire, in types. Amounts are integer cents. */

export type Code = string | null; // null lies face down
export type Money = Readonly<Record<string, number>>;

export interface Hand {
  cards: Code[];
  total?: string | null;
  doubled?: boolean;
  wagered?: number;
}

/** A spot; one without a player carries nothing else. */
export interface SeatSeen {
  spot: number;
  player: string | null;
  stack?: number;
  away?: boolean;
  leaving?: boolean; // gets up after this hand
  wagers?: Money;
  tokes?: Money;
  cards?: Code[];
  status?: string | null;
  in_round?: boolean;
  ready?: boolean;
  net?: number | null;
  hands?: Hand[] | null;
  total?: string | null;
  tucked?: string | null; // the wager the cards lie under
  burned?: number[]; // cards that went to the discards unseen
  discarded?: boolean;
}

export interface Offer {
  name: string;
  wager: string;
  least: number;
  most: number;
  chip: number;
  title: string;
  consequence: string;
  key: string;
  clauses?: string[];
}

export interface Decision {
  spot: number;
  about: string;
  subject?: string;
  offers: Offer[];
}

export interface SettledLine {
  spot: number;
  wager: string;
  title: string;
  part: string;
  wagered: number;
  result: "win" | "lose" | "push";
  net: number;
  because: string;
  clause: string;
  toke: boolean;
  outcome?: string;
}

export interface Countdown {
  for: "wagers" | "decisions";
  ends_in: number;
  of: number;
  paused?: boolean;
}

export interface Session {
  rounds: number;
  net: number;
  history?: number[]; // the result after each round
  expected?: number; // where the edges of all wagers made are known
  deviation?: number;
}

export interface View {
  game: string;
  name: string;
  round: number | null;
  running: boolean;
  you: string | null;
  stack: number | null;
  spots_of_you: number[];
  seats: SeatSeen[];
  dealer: { cards: Code[]; total: string | null; burned?: number[] };
  board: Code[];
  decisions: Decision[];
  to_act: number[];
  countdown: Countdown | null;
  lines: SettledLine[];
  says: string | null;
  meters: Money;
  commitment: string | null;
  reveal: string | null;
  seeded: boolean;
  limits: Readonly<Record<string, readonly [number, number]>>;
  seat_kept?: number; // seconds for a player who has gone
  session: Session | null;
  as_approved: boolean;
  practice?: boolean;
}

/** What happened, for the eye; seats count from 0 among those in the round, -1 is the dealer, -2 the board. */
export type TableEvent = { spot?: number } & (
  | { type: "dealt"; to: number; faces: Code[] }
  | { type: "turned"; at: number; index: number; count?: number; faces?: Code[] }
  | { type: "peeked"; at: number }
  | { type: "tucked"; seat: number; under?: string; wager?: string }
  | { type: "burned"; at: number; index: number }
  | { type: "discarded"; seat: number }
  | { type: "said"; text?: string; words?: string }
  | { type: "settled"; seat: number; wager: string; taken: number; paid: number }
);

export interface Worth {
  name: string;
  value: number;
  exact?: string | null;
}

export interface Advice {
  type: "coach";
  id: number;
  best: string | null;
  values: Worth[];
  hint?: string;
}

export type ServerMessage =
  | { type: "state"; n: number; view: View; events: readonly TableEvent[] }
  | { type: "done"; id: number }
  | { type: "refused"; id: number | null; kind: string; error: string }
  | Advice;

export type Action =
  | { type: "sit"; spot: number; stack: number }
  | { type: "leave"; after_hand: boolean }
  | { type: "stay" }
  | { type: "buy"; cents: number }
  | { type: "wager"; spot: number; wagers: Money; tokes: Money }
  | { type: "withdraw"; spot: number }
  | { type: "ready" }
  | { type: "choose"; spot: number; round: number; about: string; name: string; cents: number | null }
  | { type: "coach"; spot: number }
  | { type: "pause" };

export type OptionValue = boolean | number | string | string[];

export interface OptionTold {
  name: string;
  text: string;
  default: OptionValue;
  values?: OptionValue[];
  range?: [number, number];
  members?: string[];
  clause: string;
}

export interface WagerTold {
  name: string;
  title: string;
  kind: "main" | "bonus" | "derived";
  of?: string | null;
  times?: string | null;
  fixed?: number | string | null;
  pay_tables: Record<string, Record<string, string>>;
  leave_out?: string | null;
  clause?: string;
  needs?: string | null;
  tokes?: boolean; // a toke for the dealers may ride on it
}

export interface Reading {
  clause: string;
  settles: string;
  because?: string;
  alternatives?: string[];
  option?: string;
}

export interface GameTold {
  name: string;
  title: string;
  cloth?: string | null;
  seats: number;
  most_wagers?: number; // offered at one table; 0 leaves it open
  wagers: WagerTold[];
  options: OptionTold[];
  clauses: Record<string, string>;
  readings: Reading[];
  approval?: Record<string, unknown> | null;
}

export interface TableTold {
  id: string;
  game: string;
  title: string;
  name: string;
  limits: Record<string, [number, number]>;
  seats: number;
  taken: number;
  away?: number; // of those taken: players who have gone
  seat_kept?: number; // seconds such a seat is kept
  as_approved: boolean;
  private: boolean;
  jackpot: number | null;
  running: boolean;
  practice?: boolean;
  options?: Record<string, OptionValue>;
  pay_tables?: Record<string, string>;
  offers?: string[];
  deviations?: string[];
  edges?: Record<string, number>;
}

export interface Proof {
  commitment: Record<string, unknown> | string | null;
  seed: string | null;
  verified: boolean | null;
  round: number | null;
}

export interface Me {
  name: string;
  guest: boolean;
  roles: string[];
}
