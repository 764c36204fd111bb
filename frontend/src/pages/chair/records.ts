/** The lessons of the dealer's chair as this browser remembers them. */
import type { Mistake } from "../../wire/types";

const KEY = "feltworks.chair";
const MOST_FAULTS = 5;

export interface LessonRecord {
  rounds: number;
  row: number; // rounds without a fault, the latest in a row
  seconds: number; // spent on all rounds
  passed: boolean;
  faults: Pick<Mistake, "says" | "clause">[]; // the latest
}

export const NEW_LESSON: LessonRecord = { rounds: 0, row: 0, seconds: 0, passed: false, faults: [] };
export type LessonRecords = Record<string, LessonRecord>;
type Book = Record<string, LessonRecords>;

function readBook(): Book {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Book;
  } catch {
    return {};
  }
}

/** The lessons of a game by name. */
export const lessonsOf = (game: string): LessonRecords => readBook()[game] ?? {};

/** The record after one more round; a lesson stays passed. */
export function afterRound(
  before: LessonRecord,
  round: { seconds: number; faults: LessonRecord["faults"]; isClean: boolean },
  needed: number,
): LessonRecord {
  const row = round.isClean ? before.row + 1 : 0;
  return {
    rounds: before.rounds + 1,
    row,
    seconds: before.seconds + round.seconds,
    passed: before.passed || row >= needed,
    faults: [...before.faults, ...round.faults].slice(-MOST_FAULTS),
  };
}

/** Remember the lessons of a game; a browser that stores nothing still counts while the page is open. */
export function remember(game: string, lessons: LessonRecords): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readBook(), [game]: lessons }));
  } catch {
    // private windows may refuse
  }
}
