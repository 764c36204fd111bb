/** The house's pages over HTTP: logins and the books. */
import { ask } from "./http";
import type {
  ApprovalRecord,
  ChangePerson,
  CheckResult,
  FinishTask,
  FloorTable,
  HouseAction,
  HouseKind,
  Jackpot,
  Journal,
  LoggedInUser,
  Meter,
  NewPerson,
  Notice,
  OpenJackpot,
  Order,
  Person,
  TablePosting,
  PostingResult,
  PostToJackpot,
  Report,
  Standing,
  TableClosure,
  TableStatus,
  Task,
  Verification,
} from "./types";

const at = (path: string, query: Record<string, string | number | boolean | null | undefined> = {}): string => {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string | number | boolean] => pair[1] != null && pair[1] !== "",
  );
  const said = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api/house/${path}${said ? `?${said}` : ""}`;
};
const put = <T>(path: string, body: unknown): Promise<T> => ask<T>(at(path), "POST", body);

export const houseApi = {
  me: () => ask<LoggedInUser>(at("me")),
  logIn: (name: string, password: string) => put<LoggedInUser>("login", { name, password }),
  logOut: () => put<unknown>("logout", {}),
  changePassword: (old: string, fresh: string) => ask<LoggedInUser>(at("me/password"), "PUT", { old, new: fresh }),
  notices: () => ask<Notice[]>(at("notices")),
  actions: () => ask<HouseAction[]>(at("actions")),
  names: () => ask<Person[]>(at("names")),
  check: (order: Order) => put<CheckResult>("check", order),
  approvals: (house: HouseKind) => ask<Standing[]>(at("approvals", { house })),
  record: (said: ApprovalRecord) => put<Standing>("approvals", said),
  jackpots: () => ask<Jackpot[]>(at("jackpots")),
  openJackpot: (said: OpenJackpot) => put<Jackpot>("jackpots", said),
  post: (said: PostToJackpot) => put<PostingResult>("jackpots/post", said),
  journal: (named: string, before?: number) => ask<Journal>(at("journal", { named, before, most: 20 })),
  meter: (named: string, days: number) => ask<Meter>(at("jackpots/meter", { named, days })),
  verify: () => ask<Verification[]>(at("verify")),
  books: () => ask<string[]>(at("books")),
  tables: () => ask<TableStatus[]>(at("tables")),
  table: (act: string, said: Record<string, unknown>) => put<TablePosting>(`tables/${act}`, said),
  floor: () => ask<FloorTable[]>(at("floor")),
  closeTable: (table: string, because: string) => put<TableClosure>("floor/close", { table, because }),
  report: (day?: string) => ask<Report>(at("report", { day })),
  reportSheet: (day: string) => at("report", { day, format: "csv" }),
  tasks: (every = false) => ask<Task[]>(at("tasks", { every: every || null })),
  finish: (said: FinishTask) => put<TablePosting>("tasks/done", said),
  people: () => ask<Person[]>(at("people")),
  addPerson: (said: NewPerson) => put<Person>("people", said),
  changePerson: (said: ChangePerson) => put<Person>("people/change", said),
};
