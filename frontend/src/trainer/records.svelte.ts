/** What a trainee has played, stored in this browser: how often the best choice was made, and the mistakes. */
import type { Code, TrainerChoice } from "../wire/types";

const KEY = "feltworks.trainer";
const MOST_MARKS = 48;
const MOST_MISTAKES = 60;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WAITS = [0, 10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY]; // until a mistake comes again, longer each time

/** A choice that cost something; its number and choices give the same hand again. */
export interface TrainedMistake {
  number: number;
  choices: TrainerChoice[];
  chosen: string;
  best: string;
  cost: number; // cents
  hand: Code[];
  dealer: Code[];
  words: string; // "total 4 against 3"
  box: number; // how often it was played well since
  due: number; // when it comes again
}

interface GameRecord {
  marks: boolean[]; // the latest choices, true where the best one was made
  hands: number;
  best: number;
  cost: number; // cents given away
  mistakes: TrainedMistake[];
}

const NONE: GameRecord = { marks: [], hands: 0, best: 0, cost: 0, mistakes: [] };
type Book = Record<string, GameRecord>;

function read(): Book {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Book;
  } catch {
    return {};
  }
}

const isSame = (a: TrainedMistake, b: { number: number; choices: readonly TrainerChoice[] }): boolean =>
  a.number === b.number && a.choices.length === b.choices.length;

export class Records {
  private book = $state.raw<Book>(read());

  constructor(private readonly game: string) {}

  get own(): GameRecord {
    return this.book[this.game] ?? NONE;
  }

  /** Mistakes that may be played again now, the costliest first. */
  due(now = Date.now()): TrainedMistake[] {
    return this.own.mistakes.filter((mistake) => mistake.due <= now).sort((a, b) => b.cost - a.cost);
  }

  /** Count a choice; one that cost something is kept, one played well again comes later. */
  count(played: Omit<TrainedMistake, "box" | "due">, isBest: boolean, now = Date.now()): void {
    const { own } = this;
    const before = own.mistakes.find((mistake) => isSame(mistake, played));
    const others = own.mistakes.filter((mistake) => mistake !== before);
    const box = isBest ? (before?.box ?? 0) + 1 : 0;
    const isLearned = isBest && box >= WAITS.length;
    const mistake = { ...played, ...(isBest && before ? before : {}), box, due: now + (WAITS[box] ?? 0) };
    const isKept = (!isBest || before) && !isLearned;
    this.save({
      marks: [...own.marks, isBest].slice(-MOST_MARKS),
      hands: own.hands + 1,
      best: own.best + (isBest ? 1 : 0),
      cost: own.cost + (isBest ? 0 : played.cost),
      mistakes: (isKept ? [...others, mistake] : others).slice(-MOST_MISTAKES),
    });
  }

  /** Begin the session's figures anew; mistakes stay. */
  restart(): void {
    this.save({ ...NONE, mistakes: this.own.mistakes });
  }

  private save(record: GameRecord): void {
    this.book = { ...this.book, [this.game]: record };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.book));
    } catch {
      // a browser that keeps nothing still counts while the page is open
    }
  }
}
