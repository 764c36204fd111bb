/** Configurations side by side: their pays and figures, and which of them differ from the first. */
import type { GameDocument } from "../../wire/types";
import { difference, type Configuration } from "./configuration";
import type { Analysis } from "../../wire/types";
import { decimal, share } from "./numbers";

export interface Column {
  title: string;
  answer: Analysis;
  pays: Readonly<Record<string, string>>;
}

export interface Row {
  name: string;
  cells: { text: string; differs: boolean }[];
  kind: "pay" | "figure";
}

/** The other pay tables of a wager, a draft beside all: what it is compared with unless somebody says otherwise. */
export const otherTables = (at: Configuration, tables: readonly string[], shown: string): Configuration[] =>
  tables
    .filter((table) => at.draft || table !== shown)
    .slice(0, 5)
    .map((payTable) => ({ ...at, draft: null, payTable: payTable === tables[0] ? "" : payTable }));

export function column(
  at: Configuration,
  first: Configuration,
  answer: Analysis,
  games: readonly GameDocument[],
): Column {
  const game = games.find((one) => one.name === answer.game);
  const wager = game?.wagers.find((one) => one.name === answer.wager);
  const titles = (name: string, of: string): string =>
    games.find((one) => one.name === name)?.wagers.find((one) => one.name === of)?.title ?? of;
  const alike = { payTable: "", draft: null };
  const apart = at === first ? "" : difference({ ...at, ...alike }, { ...first, ...alike }, titles);
  const drafted = (answer.draft?.rows ?? []).map(({ row, pay }) => [row, pay]);
  return {
    title: [answer.draft ? "Draft" : `Table ${answer.pay_table}`, apart].filter(Boolean).join(", "),
    answer,
    pays: { ...wager?.pay_tables[answer.pay_table], ...Object.fromEntries(drafted) },
  };
}

const FIGURES: readonly (readonly [string, (answer: Analysis) => string])[] = [
  ["Decks", (a) => String(a.decks)],
  ["House edge", (a) => share(a.house_edge.value)],
  ["Element of risk", (a) => share(a.element_of_risk.value)],
  ["Hit frequency", (a) => share(a.hit_frequency.value)],
  ["Deviation", (a) => decimal(a.standard_deviation)],
];

const row = (name: string, kind: Row["kind"], texts: readonly string[]): Row => ({
  name,
  kind,
  cells: texts.map((text) => ({ text, differs: text !== texts[0] })),
});

/** Every pay that some column has, then the figures; pays that all columns share are left to the end's count. */
export function rows(columns: readonly Column[]): { rows: Row[]; alike: number } {
  const names = [...new Set(columns.flatMap(({ pays }) => Object.keys(pays)))];
  const pays = names.map((name) =>
    row(
      name,
      "pay",
      columns.map((entry) => (entry.pays[name] ?? "–").replace(/ to 1$/, "")),
    ),
  );
  const differing = pays.filter((entry) => entry.cells.some((cell) => cell.differs));
  const figures = FIGURES.map(([name, figureText]) =>
    row(
      name,
      "figure",
      columns.map(({ answer }) => figureText(answer)),
    ),
  );
  const decks = figures[0]!.cells.some((cell) => cell.differs) ? figures : figures.slice(1);
  return { rows: [...differing, ...decks], alike: pays.length - differing.length };
}

const NUMBER = /^[+-]?\d[\d,]*(\.\d+)?(e[+-]?\d+)?(\/\d+)?\s?%?$/i;
// text that begins like a formula stands behind an apostrophe, so that a spreadsheet shows it and does not run it
const safe = (text: string): string => (/^ *[=+\-@\t\r\n]/.test(text) && !NUMBER.test(text) ? `'${text}` : text);
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What is compared as a spreadsheet, all pays included, as an address that can be saved. */
export function asCsv(columns: readonly Column[]): string {
  const names = [...new Set(columns.flatMap(({ pays }) => Object.keys(pays)))];
  const table = [
    ["", ...columns.map((entry) => entry.title)],
    ...names.map((name) => [name, ...columns.map((entry) => entry.pays[name] ?? "")]),
    ["house edge", ...columns.map(({ answer }) => String(answer.house_edge.value))],
    ["house edge, exact", ...columns.map(({ answer }) => answer.house_edge.exact ?? "")],
    ["element of risk", ...columns.map(({ answer }) => String(answer.element_of_risk.value))],
    ["hit frequency", ...columns.map(({ answer }) => String(answer.hit_frequency.value))],
    ["standard deviation", ...columns.map(({ answer }) => String(answer.standard_deviation))],
  ];
  const csv = table.map((row) => row.map(safe).map(quoted).join(",")).join("\r\n");
  return `data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`;
}
