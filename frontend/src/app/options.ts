/** The values of a game's option, as pages offer them. */
import type { OptionDocument, OptionValue } from "../wire/types";

const MOST_LISTED = 20;

/** What may be picked; nothing where there is so much that a number is written instead. */
export function choicesOf({ values, range }: OptionDocument): OptionValue[] {
  if (values || !range) return values ?? [];
  const [least, most] = range;
  return most - least < MOST_LISTED ? Array.from({ length: most - least + 1 }, (_, i) => least + i) : [];
}
