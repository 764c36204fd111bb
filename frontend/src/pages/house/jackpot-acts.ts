/** The acts that can be posted to a progressive, with their fields; the server checks who may post them. */

import type { Field } from "./fields";

export interface JackpotAct {
  act: string;
  title: string;
  does: string;
  two: boolean;
  fields: readonly Field[];
}

const cents = (label: string): Field => ({ name: "cents", label, kind: "money" });
const AT: readonly Field[] = [
  { name: "table", label: "Table", kind: "word" },
  { name: "round", label: "Round", kind: "word" },
];

export const JACKPOT_ACTS: readonly JackpotAct[] = [
  {
    act: "round",
    title: "Record a win",
    does: "Record it",
    two: true,
    fields: [
      ...AT,
      {
        name: "hands",
        label: "Every hand with the wager, five cards entry, one a line (7c Jc Qc Kc Ac)",
        kind: "hands",
      },
      { name: "paid_from", label: "Paid from", kind: "choice", choices: ["house", "bank"] },
    ],
  },
  {
    act: "tally",
    title: "First count, alone",
    does: "Enter it",
    two: false,
    fields: [{ name: "count", label: "Your own count, pieces × dollars: 12x100, 5x20, 3x1", kind: "pieces" }],
  },
  {
    act: "day end",
    title: "Second count and day's end",
    does: "Compare it",
    two: true,
    fields: [{ name: "count", label: "Your own count of the box", kind: "pieces", optional: true }],
  },
  {
    act: "contribute",
    title: "Losing wagers",
    does: "Post them",
    two: false,
    fields: [...AT, { name: "wagers", label: "How many lost", kind: "count" }],
  },
  {
    act: "deposit",
    title: "Deposit",
    does: "Post the deposit",
    two: false,
    fields: [cents("Paid into the bank account")],
  },
  { act: "deposit test", title: "Deposit test", does: "Test it", two: false, fields: [] },
  { act: "seed", title: "Add seed", does: "Add it", two: false, fields: [cents("Seed from the house")] },
  {
    act: "withdraw",
    title: "Withdraw",
    does: "Post the withdrawal",
    two: true,
    fields: [cents("Taken from the bank account")],
  },
  {
    act: "maximum",
    title: "Maximum",
    does: "Impose it",
    two: true,
    fields: [{ ...cents("Highest amount displayed; leave empty for no limit"), optional: true }],
  },
  {
    act: "adjust",
    title: "Change a prize",
    does: "Change it",
    two: true,
    fields: [
      { name: "account", label: "Prize", kind: "choice", choices: ["jackpot", "backup", "second-backup", "overflow"] },
      { name: "cents", label: "By how much; −$30 lowers it", kind: "signed money" },
      {
        name: "reason",
        label: "Reason",
        kind: "choice",
        choices: ["malfunction", "above maximum", "gross receipts", "seed recovery"],
      },
    ],
  },
];
