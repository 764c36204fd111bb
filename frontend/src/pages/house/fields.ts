/** The fields of a form for something that is posted, and what was typed into them as the server takes it. */
import { parseAmount, parsePieces } from "../../app/money";

export interface Field {
  name: string;
  label: string;
  kind:
    | "money"
    | "signed money"
    | "count"
    | "word"
    | "day"
    | "choice"
    | "hands"
    | "pieces"
    | "chips"
    | "shares"
    | "stakes"
    | "file";
  optional?: boolean;
  choices?: readonly string[];
  titles?: Readonly<Record<string, string>>; // of the choices, where they are called otherwise
}
export type Said = Record<string, string>;

const EXAMPLES: Partial<Record<Field["kind"], string>> = { count: "a whole number" };

/** The value of one field; throws a sentence where it cannot be read. */
function valueOf(field: Field, said: Said): unknown {
  if (field.kind === "file") return said[field.name] ?? ""; // whole: its last line ends, too
  const text = (said[field.name] ?? "").trim();
  if (field.kind === "choice") return text || field.choices?.[0];
  if (field.kind === "hands")
    return text
      .split("\n")
      .map((hand) => hand.trim())
      .filter(Boolean);
  if (field.kind === "word") return text;
  if (field.kind === "shares" || field.kind === "stakes") return listOf(field, text);
  if (field.kind === "pieces") return parsePieces(text);
  if (field.optional && !text) return field.kind === "count" ? 0 : null;
  if (field.kind === "day") return text;
  const lowers = field.kind === "signed money" && /^[-−]/.test(text);
  const number = field.kind === "count" ? Number(text) : parseAmount(text.replace(/^[-−+]/, ""));
  if (number === null || !Number.isInteger(number))
    throw new Error(`${field.label.split(";")[0]}: write ${EXAMPLES[field.kind] ?? "an amount such as 250 or 7.50"}`);
  return lowers ? -number : number;
}

/** A name on each line and what follows it: `dan 50` as a share, `ante 400x10, 8x25` as the stakes of a wager. */
function listOf(field: Field, text: string): unknown {
  const isShares = field.kind === "shares";
  const pairs = text.split("\n").filter((line) => line.trim());
  const read = pairs.map((line): [string, string] => {
    const [, name, rest] = (isShares ? /^(.*\S)\s+(\S+)$/ : /^(\S+)\s+(.+)$/).exec(line.trim()) ?? [];
    if (!name || !rest) throw new Error(`${line.trim()}: write a name and what follows it`);
    return [name, rest];
  });
  if (isShares) return Object.fromEntries(read.map(([name, amount]) => [name, parseAmount(amount) ?? 0]));
  return read.flatMap(([wager, pieces]) =>
    Object.entries(parsePieces(pieces)).map(([cents, count]) => ({ wager, cents: Number(cents), count })),
  );
}

/** Everything that was typed; chips are an amount, or pieces where several of something were written. */
export function valuesOf(fields: readonly Field[], said: Said): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field): [string, unknown] => {
      const isPieces = field.kind === "chips" && /\d\s*[x×]/i.test(said[field.name] ?? "");
      return isPieces ? ["pieces", parsePieces(said[field.name] ?? "")] : [field.name, valueOf(field, said)];
    }),
  );
}
