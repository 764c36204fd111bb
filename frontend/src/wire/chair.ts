/** Dealer training over HTTP: a practice table, and the trainee's moves at it. */
import { ask } from "./http";
import type { ChairGame, Move, PracticeState } from "./types";

export const chairApi = {
  stand: () => ask<PracticeState | null>("/api/chair"),
  lessons: (game: string) => ask<ChairGame>(`/api/chair/${encodeURIComponent(game)}`),
  begin: (game: string, seats: number, lesson: string) =>
    ask<PracticeState>("/api/chair", "POST", { game, seats, lesson }),
  move: (number: number, move: Move) => ask<PracticeState>("/api/chair/move", "POST", { number, move }),
};
