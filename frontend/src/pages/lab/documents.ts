/** The laboratory's documents, as the server and the command line write them. */

export interface Exact {
  exact: string | null;
  value: number;
}

export interface OutcomeRow {
  outcome: string;
  probability: Exact;
  net: string;
  wagered: string;
  ways?: number;
  of?: number;
}

export interface Figures {
  house_edge: Exact;
  element_of_risk: Exact;
  average_wager: Exact;
  hit_frequency: Exact;
  push_frequency: Exact;
  standard_deviation: number;
}

export interface Answer extends Figures {
  game: string;
  wager: string;
  pay_table: string;
  decks: number;
  options: Record<string, unknown>;
  played: string;
  as_approved: boolean;
  deviations: string[];
  fingerprint: string;
  outcomes: OutcomeRow[];
  strategy?: unknown[];
  remarks?: string[];
  jackpot?: number;
  seats?: number;
  fixed_return?: Exact;
  break_even_jackpot?: Exact;
  return?: { constant: Exact; per_cent: Exact };
  return_by_jackpot?: { jackpot: number; return: Exact }[];
  rounds_between?: Record<string, Exact>;
  rounds_between_at_table?: Record<string, Exact>;
  beside?: Record<string, Figures & { ratio: string }>;
  round?: { mean: Exact; standard_deviation: number | null };
}

export interface Comparison {
  compared: { pay_table: string; decks: number; house_edge: Exact }[];
}

export interface Cell {
  choice: string;
  otherwise?: string;
  shares?: Record<string, Exact>;
  values?: Record<string, Exact>;
  [place: string]: unknown;
}

export interface Chart {
  title: string;
  down: string;
  across: string;
  rows: string[];
  columns: string[];
  cells: Cell[];
  notes: string[];
}

export interface Practical {
  rules: { choice: string; words: string }[];
  otherwise: string;
  words: string;
  to_remember: number;
  cost: Exact;
  house_edge: Exact;
}

export interface Strategy {
  house_edge: Exact;
  charts: Chart[];
  practical: Practical[];
  remark: string;
  chart_cost?: Exact;
}

export interface AuditedFigure {
  game: string;
  wager: string;
  pay_table: string;
  decks: number;
  quantity: string;
  published: string;
  computed: Exact;
  match: "rounded" | "truncated" | "none";
  finding: string;
  clause: string;
  agrees: boolean;
}

export interface Effect {
  wager: string;
  beside: string;
  option: string;
  value: unknown;
  house_edge: Exact;
  house_edge_by_default: Exact;
  cents_per_hundred_rounds: number;
}

export interface AuditedReading {
  game: string;
  clause: string;
  settles: string;
  finding: string;
  effects: Effect[];
}

export interface Audit {
  figures: AuditedFigure[];
  readings: AuditedReading[];
}

export interface Progress {
  words: string;
  done: number | null;
  seconds: number;
}

export interface MeasuredWager {
  house_edge: number;
  standard_error: number | null;
  exact: number | null;
  z: number | null;
}

export interface SimulationResult {
  rounds: number;
  seed: number;
  wagers: Record<string, MeasuredWager>;
  rounds_per_second: number;
  interrupted: boolean;
  made: { command: string; fingerprint: string };
}

export type SimulatorMessage =
  | { type: "waiting" }
  | { type: "started"; seed: number; of: number; command: string }
  | { type: "tally"; rounds: number; of: number; seconds: number; rounds_per_second: number; wagers: Record<string, MeasuredWager> }
  | { type: "done"; result: SimulationResult }
  | { type: "refused"; kind: string; error: string };
