/** What a drawing of the table consists of: everything has a key, a place, and stands where it belongs. */
import type { Frame, Point } from "../draw/geometry";
import type { Code, SeatView } from "../wire/types";

export interface PlacedCard extends Point {
  key: string; // "3:0" the first card of spot 3, "d:1" the dealer's second
  code: Code;
  width: number;
  turn: number;
  under: boolean; // beneath the chips
}

export interface PlacedChips extends Point {
  key: string; // "3:ante", "3:ante:paid"
  cents: number;
  r: number;
  pill: (Point & { text: string }) | null;
}

export interface Note extends Point {
  key: string;
  text: string;
  tone: string; // class names
}

export interface Plate extends Point {
  frame: Frame;
  seat: SeatView;
  result: string; // what the finished round changed in the stack, empty before
}

export interface Target extends Point {
  spot: number;
  wager: string;
  r: number;
}

export interface Scene {
  frames: Frame[];
  prints: string[];
  cards: PlacedCard[];
  chips: PlacedChips[];
  ghosts: (Point & { width: number })[]; // where a card will come
  labels: (Point & { text: string })[];
  totals: Note[];
  tags: Note[];
  plates: Plate[];
  targets: Target[]; // own spots that take chips
}
