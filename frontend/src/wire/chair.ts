/** Dealer training over HTTP: a practice table, and the trainee's moves at it. */
import { ask } from "./http";
import type { Move, PracticeState } from "./types";

export const chairApi = {
  stand: () => ask<PracticeState>("/api/chair"),
  begin: (game: string, seats: number, guided: boolean) =>
    ask<PracticeState>("/api/chair", "POST", { game, seats, guided }),
  move: (number: number, move: Move) => ask<PracticeState>("/api/chair/move", "POST", { number, move }),
};
