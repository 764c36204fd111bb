/** Days, moments and acts as the house writes them. */

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const FULL = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const MOMENT = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const dateOf = (iso: string): Date => new Date(iso.length === 10 ? `${iso}T12:00:00` : iso);

export const day = (iso: string): string => DAY.format(dateOf(iso));
export const fullDay = (iso: string): string => FULL.format(dateOf(iso));

/** The hour of something posted today, the day of anything older. */
export function when(iso: string, now = new Date()): string {
  const at = dateOf(iso);
  return at.toDateString() === now.toDateString() ? MOMENT.format(at) : DAY.format(at);
}

/** "due in 19 hours", "overdue since 3 Nov", "due 12 Nov". */
export function due(
  task: { due_at: string | null; due_on: string | null; overdue: boolean },
  now = new Date(),
): string {
  const iso = task.due_at ?? task.due_on;
  if (!iso) return task.overdue ? "at once" : "";
  if (task.overdue) return `overdue since ${day(iso)}`;
  const hours = Math.floor((dateOf(iso).getTime() - now.getTime()) / 3_600_000);
  return task.due_at && hours < 48 ? `due in ${hours} ${hours === 1 ? "hour" : "hours"}` : `due ${day(iso)}`;
}

const ACCOUNTS: Readonly<Record<string, string>> = {
  jackpot: "Displayed jackpot",
  backup: "First backup",
  "second-backup": "Second backup",
  overflow: "Not displayed",
  uncounted: "Not yet divided",
  seed: "Seed",
  tray: "Tray awards",
  box: "Second drop box",
  bank: "Bank",
  fee: "Fee",
  receipts: "Gross receipts",
  house: "House",
  borne: "Borne by the house",
};

/** An account by its short name; those of tables are called what they are. */
export const account = (name: string): string => ACCOUNTS[name] ?? sentence(name);

/** "9f02 c1": enough of a seal to compare two printouts. */
export const shortSeal = (seal: string): string => `${seal.slice(0, 4)} ${seal.slice(4, 6)}`;

export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Today by this machine's clock, as a field writes it. */
export const today = (): string =>
  new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
