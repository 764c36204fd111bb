/** The house's pages over the wire: who is logged in, and the books they work in. Amounts are integer cents. */
import { ask } from "./http";
import type { OptionValue } from "./types";

export interface Whoever {
  name: string;
  role: string;
  may: string[];
  jackpot: string[];
}
export interface Person {
  name: string;
  role: string;
  active: boolean;
  locked_until: string | null;
}
/** A table, game or file that the server could not open, and why. */
export interface Notice {
  about: string;
  says: string;
}
export interface ActionTold {
  name: string;
  does: string;
  positions: { position: string; roles: string[] }[];
}
export interface Signing {
  person: string;
  password?: string | null;
}
export type Signings = Record<string, Signing>;

/** Whose tables these are: a card room under the state's rules, or a Tribal operation under its compact. */
export type HouseKind = "card room" | "tribal operation";

export interface Order {
  game: string;
  house?: HouseKind;
  options?: Record<string, OptionValue>;
  pay_tables?: Record<string, string>;
  limits?: Record<string, { minimum?: number | null; maximum?: number | null }>;
  seats?: number | null;
}
export interface CheckedWager {
  wager: string;
  title: string;
  clause: string;
  least: number;
  most: number;
  most_lawful: number;
  follows: Record<string, number>;
  top_odds: string;
  least_aggregate: number | null;
}
export interface Checked {
  game: string;
  date: string;
  opens: boolean;
  refusals: { rule: string; says: string; wager: string | null }[];
  as_approved: boolean;
  deviations: string[];
  seats: number;
  wager_limit: number;
  games_per_hand: number;
  wagers: CheckedWager[];
  most_of_a_spot: number;
  most_of_a_deal: number;
  largest_prizes: { wager: string; outcome: string; odds: string; wagered: number; cents: number }[];
  reserve: number;
  reserve_above: number | null;
  unverified: { subject: string; value: string; source: string }[];
}

export interface StepTold {
  step: string;
  of: string;
  asks: string;
  clause: string;
  bars: string;
  open: boolean;
  met_by: string | null;
  on: string | null;
  until: string | null;
  reference: string | null;
  signed: string[];
  trouble: string;
}
export interface Standing {
  game: string;
  title: string;
  day: string;
  letter: string | null;
  may_be_offered: boolean;
  may_pay_owner: boolean;
  as_approved: boolean;
  wanting: string[];
  steps: StepTold[];
  proven: { text: string; clause: string }[];
  fingerprint: string;
  approved_fingerprint: string | null;
  changed: string[];
}

export interface Jackpot {
  name: string;
  game: string;
  wager: string;
  state: string;
  day: string | null;
  closed: string;
  tested: string;
  test_due: string;
  maximum: number | null;
  backups: number;
  backups_started: number;
  jackpot: number;
  owed: number;
  missing: number;
  postings: number;
  accounts: { name: string; title: string; kind: string; cents: number }[];
  approval: string;
  seed: number;
  increment: number;
  by_hand: boolean;
}
export interface Entry {
  debit: string;
  credit: string;
  cents: number;
  reason: string | null;
}
export interface Posting {
  number: number;
  kind: string;
  day: string;
  made_at: string;
  made_by: string;
  witness: string | null;
  explanation: string;
  entries: Entry[];
  seal: string;
  displayed: number | null;
}
export interface Journal {
  book: string;
  last: number;
  postings: Posting[];
}
export interface Meter {
  points: { day: string; number: number; cents: number }[];
  wins: { day: string; number: number; cents: number; says: string }[];
}
export interface Verified {
  book: string;
  postings: number;
  holds: boolean;
  troubles: string[];
}

export interface Slip {
  kind: string;
  serial: number;
  number: number;
  cents: number;
  void: boolean;
}
export interface Sums {
  opener: number;
  fills: number;
  credits: number;
  closer: number;
  drop: number;
}
export interface TableBook {
  table: string;
  game: string;
  title: string;
  day: string;
  shift: string;
  state: string;
  deviations: string[];
  slips: Slip[];
  sums: Sums;
  win: number | null;
}
export interface Theory {
  wagered: number;
  win: { exact: string; value: number };
  standard_deviation: number;
  band: [number, number];
  within_band: boolean | null;
}
export interface ReportRow extends Sums {
  table: string;
  game: string;
  shift: string;
  period: number;
  state: string;
  win: number | null;
  hold: number | null;
  theory: Theory | null;
  variance: number;
  as_approved: boolean;
}
export interface Report {
  day: string;
  final: boolean;
  tables: ReportRow[];
  without_activity: string[];
  total: Sums & { win: number | null; theory: Theory | null };
  progressives_accrued: Record<string, number>;
  tokes: number;
}
export interface Task {
  kind: string;
  says: string;
  id: number | null;
  table: string | null;
  jackpot: string | null;
  raised_at: string | null;
  due_at: string | null;
  due_on: string | null;
  overdue: boolean;
  done: boolean;
}
export interface Posted {
  number: number;
  table: string;
  slip: Slip | null;
  tasks: { id: number; says: string }[];
  repeated: boolean;
}

const at = (path: string, query: Record<string, string | number | boolean | null | undefined> = {}): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string | number | boolean] => pair[1] != null && pair[1] !== "");
  const said = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api/house/${path}${said ? `?${said}` : ""}`;
};
const put = <T>(path: string, body: unknown): Promise<T> => ask<T>(at(path), "POST", body);

/** A table in the browser as the floor sees it. */
export interface FloorTable {
  id: string;
  title: string;
  name: string;
  seats: number;
  players: string[];
  away: string[];
  running: boolean;
  private: boolean;
  standing: boolean;
}

export const houseApi = {
  me: () => ask<Whoever>(at("me")),
  logIn: (name: string, password: string) => put<Whoever>("login", { name, password }),
  logOut: () => put<unknown>("logout", {}),
  changePassword: (old: string, fresh: string) => ask<Whoever>(at("me/password"), "PUT", { old, new: fresh }),
  notices: () => ask<Notice[]>(at("notices")),
  actions: () => ask<ActionTold[]>(at("actions")),
  names: () => ask<Person[]>(at("names")),
  check: (order: Order) => put<Checked>("check", order),
  approvals: (house: HouseKind) => ask<Standing[]>(at("approvals", { house })),
  record: (said: Record<string, unknown>) => put<Standing>("approvals", said),
  jackpots: () => ask<Jackpot[]>(at("jackpots")),
  openJackpot: (said: Record<string, unknown>) => put<Jackpot>("jackpots", said),
  post: (said: Record<string, unknown>) => put<{ number: number; repeated: boolean; jackpot: Jackpot }>("jackpots/post", said),
  journal: (named: string, before?: number) => ask<Journal>(at("journal", { named, before, most: 20 })),
  meter: (named: string, days: number) => ask<Meter>(at("jackpots/meter", { named, days })),
  verify: () => ask<Verified[]>(at("verify")),
  books: () => ask<string[]>(at("books")),
  tables: () => ask<TableBook[]>(at("tables")),
  table: (act: string, said: Record<string, unknown>) => put<Posted>(`tables/${act}`, said),
  floor: () => ask<FloorTable[]>(at("floor")),
  closeTable: (table: string, because: string) => put<{ id: string; voided: number | null }>("floor/close", { table, because }),
  report: (day?: string) => ask<Report>(at("report", { day })),
  reportSheet: (day: string) => at("report", { day, format: "csv" }),
  tasks: (every = false) => ask<Task[]>(at("tasks", { every: every || null })),
  finish: (said: Record<string, unknown>) => put<Posted>("tasks/done", said),
  people: () => ask<Person[]>(at("people")),
  addPerson: (said: Record<string, unknown>) => put<Person>("people", said),
  changePerson: (said: Record<string, unknown>) => put<Person>("people/change", said),
};
