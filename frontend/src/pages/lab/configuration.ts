/** A wager of a game under its terms. All of it is in the address of the page, so that it can be shared. */
import type { GameDocument, OptionDocument, OptionValue, WagerDocument } from "../../wire/types";

/** Changed pays of a draft by row, as a rulebook writes them: "3 to 2". */
export type DraftPays = Readonly<Record<string, string>>;

export interface Configuration {
  game: string;
  wager: string;
  payTable: string; // "" is the first
  decks: number | null; // null is the rulebook's
  options: Readonly<Record<string, string>>; // what differs from the defaults, as the server reads it
  beside: Readonly<Record<string, string>>; // other wagers of the spot with their ratio; "" does not change the play
  exposed: string;
  jackpot: number | null; // cents
  seats: number;
  strategy: string; // "" is best play
  draft: DraftPays | null; // null is the table as it is
}

/** The whole page: the configuration, others to compare, the audit's extent, and the number of rules. */
export interface Shown {
  at: Configuration;
  versus: readonly Configuration[];
  everyGame: boolean;
  rules: number; // of the longest list searched for; 0 searches for none
}

export const blank = (game: string, wager: string): Configuration => ({
  game,
  wager,
  payTable: "",
  decks: null,
  options: {},
  beside: {},
  exposed: "",
  jackpot: null,
  seats: 1,
  strategy: "",
  draft: null,
});

const whole = (text: string | null): number | null => (text && /^\d{1,12}$/.test(text) ? Number(text) : null);

function pairs(said: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    said.filter(Boolean).map((entry) => {
      const at = entry.indexOf("=");
      return at < 0 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

function read(place: string, query: URLSearchParams): Configuration {
  const [game = "", wager = ""] = place.split("/");
  return {
    game,
    wager,
    payTable: query.get("pay_table") ?? "",
    decks: whole(query.get("decks")),
    options: pairs(query.getAll("set")),
    beside: pairs(query.getAll("beside")),
    exposed: query.get("exposed") ?? "",
    jackpot: whole(query.get("jackpot")),
    seats: whole(query.get("seats")) || 1,
    strategy: query.get("strategy") ?? "",
    draft: query.has("draft") ? pairs(query.getAll("draft")) : null,
  };
}

/** What an address of the laboratory shows; `place` is "game/wager". */
export function shownAt(place: string, search: string): Shown {
  const query = new URLSearchParams(search);
  const versus = query.getAll("vs").map((entry) => {
    const [path = "", rest = ""] = entry.split("?", 2);
    return read(path, new URLSearchParams(rest));
  });
  return {
    at: read(place, query),
    versus,
    everyGame: query.get("audit") === "all",
    rules: whole(query.get("rules")) ?? 0,
  };
}

/** The part of a configuration that the server is asked with; `only` leaves the rest out. */
export function queryOf(at: Configuration, only?: readonly (keyof Configuration)[]): URLSearchParams {
  const query = new URLSearchParams();
  const says = (key: keyof Configuration): boolean => !only || only.includes(key);
  if (at.payTable && says("payTable")) query.set("pay_table", at.payTable);
  if (at.decks !== null && says("decks")) query.set("decks", String(at.decks));
  if (says("options")) for (const [name, value] of Object.entries(at.options)) query.append("set", `${name}=${value}`);
  if (says("beside"))
    for (const [name, ratio] of Object.entries(at.beside)) query.append("beside", ratio ? `${name}=${ratio}` : name);
  if (at.exposed && says("exposed")) query.set("exposed", at.exposed);
  if (at.jackpot !== null && says("jackpot")) query.set("jackpot", String(at.jackpot));
  if (at.seats !== 1 && says("seats")) query.set("seats", String(at.seats));
  if (at.strategy && says("strategy")) query.set("strategy", at.strategy);
  if (at.draft && says("draft")) {
    const changes = Object.entries(at.draft).map((pair) => pair.join("="));
    for (const change of changes.length ? changes : [""]) query.append("draft", change);
  }
  return query;
}

const placed = (path: string, query: URLSearchParams): string => (query.size ? `${path}?${query}` : path);
export const placeOf = (at: Configuration): string => placed(`${at.game}/${at.wager}`, queryOf(at));

/** The address that shows all of this. */
export function addressOf({ at, versus, everyGame, rules }: Shown): string {
  const query = queryOf(at);
  for (const entry of versus) query.append("vs", placeOf(entry));
  if (everyGame) query.set("audit", "all");
  if (rules) query.set("rules", String(rules));
  return placed(`/lab/${at.game}/${at.wager}`, query);
}

/** Where the server answers for a configuration. */
export const askedAt = {
  answer: (at: Configuration): string => `/api/lab/${placeOf(at)}`,
  comparison: (at: Configuration): string =>
    placed(`/api/lab/${at.game}/${at.wager}/compare`, queryOf(at, ["options"])),
  strategy: (at: Configuration, rules: number): string => {
    const query = queryOf(at, ["payTable", "decks", "options", "beside", "exposed", "draft"]);
    query.set("rules", String(rules || 1));
    query.set("values", "true");
    return placed(`/api/lab/${at.game}/${at.wager}/strategy`, query);
  },
  design: (at: Configuration, percent: number, keep: readonly string[]): string => {
    const query = queryOf(at, ["payTable", "decks", "options"]);
    query.set("target", String(Math.round(percent * 1e6) / 1e6));
    for (const row of keep) query.append("keep", row);
    return placed(`/api/lab/${at.game}/${at.wager}/design`, query);
  },
  audit: (game: string | null): string => `/api/lab/audit${game ? `?game=${game}` : ""}`,
};

/** Where a paper of the game under these terms is printed. */
export function paperAt(at: Configuration, paper: string): string {
  const query = queryOf(at, ["decks", "options", "jackpot"]);
  if (at.payTable) query.set("pay_table", `${at.wager}=${at.payTable}`);
  query.set("format", "pdf");
  return placed(`/api/lab/papers/${paper}/${at.game}`, query);
}

/** The same address as a spreadsheet. */
export const asTable = (address: string): string => `${address}${address.includes("?") ? "&" : "?"}format=csv`;

export const openings = (game: GameDocument): WagerDocument[] =>
  game.wagers.filter((wager) => wager.kind !== "derived");
export const wagerOf = (game: GameDocument | undefined, name: string): WagerDocument | undefined =>
  game?.wagers.find((one) => one.name === name);
export const tablesOf = (wager: WagerDocument | undefined): string[] => Object.keys(wager?.pay_tables ?? {});
export const deckRange = (game: GameDocument): readonly [number, number] | null =>
  game.options.find((one) => one.name === "decks")?.range ?? null;

/** Whether some choice of the player decides about this wager. */
export const isPlayed = (game: GameDocument, { wager, beside }: Configuration): boolean =>
  [wager, ...Object.keys(beside)].some((name) =>
    game.wagers.some((one) => (one.name === name && one.kind === "main") || one.of === name),
  );

/** Whether a draft can change its pays: all of them are odds. */
export const isDraftable = (wager: WagerDocument | undefined, table: string): boolean => {
  const pays = Object.values(wager?.pay_tables[table || tablesOf(wager)[0]!] ?? {});
  return pays.some((pay) => pay.includes(" to ")) && pays.every((pay) => !pay.includes("jackpot"));
};

const ELSEWHERE = new Set(["decks", "offers", "spots"]); // set elsewhere, or without effect on figures

/** The options that can be changed here. */
export const turnable = (game: GameDocument): OptionDocument[] =>
  game.options.filter((one) => !ELSEWHERE.has(one.name) && (one.values?.length || one.range));
export const optionText = (value: OptionValue): string => String(value);

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
export const decksInWords = (decks: number): string => `${NUMBERS[decks] ?? decks} deck${decks === 1 ? "" : "s"}`;

/** "table 2, five decks, soft17 hit": what sets a configuration apart from another. */
export function difference(
  one: Configuration,
  other: Configuration,
  titles: (game: string, wager: string) => string,
): string {
  const said: string[] = [];
  if (one.game !== other.game || one.wager !== other.wager) said.push(titles(one.game, one.wager));
  if ((one.payTable || "1") !== (other.payTable || "1")) said.push(`table ${one.payTable || "1"}`);
  if (one.decks !== other.decks) said.push(one.decks === null ? "usual decks" : decksInWords(one.decks));
  for (const name of new Set([...Object.keys(one.options), ...Object.keys(other.options)]))
    if (one.options[name] !== other.options[name])
      said.push(
        one.options[name] === undefined ? `${shortName(name)} as usual` : `${shortName(name)} ${one.options[name]}`,
      );
  if (JSON.stringify(one.beside) !== JSON.stringify(other.beside))
    said.push(Object.keys(one.beside).length ? `beside ${Object.keys(one.beside).join(", ")}` : "alone");
  if (one.exposed !== other.exposed) said.push(one.exposed ? `without ${one.exposed}` : "whole shoe");
  if (one.jackpot !== other.jackpot)
    said.push(one.jackpot === null ? "smallest jackpot" : `jackpot $${one.jackpot / 100}`);
  if (one.seats !== other.seats) said.push(`${one.seats} seats`);
  if (one.strategy !== other.strategy) said.push(one.strategy || "best play");
  if (JSON.stringify(one.draft) !== JSON.stringify(other.draft)) said.push(one.draft ? "draft" : "as filed");
  return said.join(", ");
}

export const shortName = (option: string): string => option.slice(option.indexOf(".") + 1).replaceAll("-", " ");
