/** One trainee at one practice table: the server's state, the drafted move, and the animation. */
import { motions, STILL, type Motions } from "../../scene/motion";
import { scene } from "../../scene/scene";
import type { Scene } from "../../scene/types";
import { chairApi } from "../../wire/chair";
import { api, Refused } from "../../wire/http";
import { reduce, UNKNOWN, type Model } from "../../wire/reducer";
import type { GameDocument, Layout, Move, PracticeState, TableEvent } from "../../wire/types";
import { BLANK, moveOf, type Draft } from "./draft";

const REDUCED = "(prefers-reduced-motion: reduce)";
const REDUCED_TIME = 140;

export class Training {
  game = $state.raw<GameDocument | null>(null);
  practiceState = $state.raw<PracticeState | null>(null);
  draft = $state.raw<Draft>(BLANK);
  trouble = $state("");
  isBusy = $state(false);
  judged = $state.raw<Draft | null>(null); // the draft that was refused last
  motion = $state.raw<Motions>(STILL);
  epoch = $state(0);
  private model = $state.raw<Model>(UNKNOWN);
  private count = 0; // states received: practice tables begin anew, their drawing's numbers do not
  private timer: ReturnType<typeof setTimeout> | undefined;

  view = $derived(this.practiceState?.view ?? null);
  layout = $derived<Layout | null>(this.practiceState?.layout ?? null);
  scene = $derived<Scene | null>(this.view && this.layout ? scene(this.view, this.layout, this.model.lying) : null);
  isPlaying = $derived(this.motion.total > 0);
  seats = $derived((this.view?.seats ?? []).filter((seat) => seat.in_round));
  titles = $derived(new Map((this.game?.wagers ?? []).map((wager) => [wager.name, wager.title])));
  /** What the players said last. */
  chosen = $derived(
    (this.practiceState?.events ?? [])
      .flatMap((event) => (event.type === "chosen" ? [`Seat ${event.seat + 1}: ${event.name}`] : []))
      .join(", "),
  );

  constructor(readonly name: string) {}

  /** Find the game, and the practice table that is still there for it. */
  async open(): Promise<void> {
    await api.me();
    this.game = (await api.games()).find((game) => game.name === this.name) ?? null;
    const kept = await chairApi.stand().catch(() => null);
    if (kept?.game === this.name) this.onState(kept);
    else if (this.game) await this.begin(3, true);
  }

  begin(seats: number, guided: boolean): Promise<void> {
    return this.ask(() => chairApi.begin(this.name, seats, guided));
  }

  /** Make a move. */
  do(move: Move): Promise<void> {
    const number = this.practiceState?.number ?? 0;
    return this.ask(() => chairApi.move(number, move));
  }

  /** Make the drafted move, if it is complete. */
  async submit(): Promise<void> {
    const move = this.practiceState ? moveOf(this.draft, this.practiceState.parts) : null;
    if (!move) return;
    const before = this.draft;
    await this.do(move);
    this.judged = before;
    if (!this.practiceState?.wrong && !this.trouble) this.draft = { ...BLANK, count: before.count, down: before.down };
  }

  /** The animation has ended. */
  skip(): void {
    clearTimeout(this.timer);
    this.motion = STILL;
  }

  private async ask(asking: () => Promise<PracticeState>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      this.onState(await asking());
      this.trouble = "";
    } catch (refused) {
      this.trouble = (refused as Error).message;
      if (refused instanceof Refused && refused.kind === "NotNow")
        await chairApi
          .stand()
          .then((practiceState) => this.onState(practiceState))
          .catch(() => undefined);
    } finally {
      this.isBusy = false;
    }
  }

  private onState(practiceState: PracticeState): void {
    this.skip();
    const before = this.scene;
    const events = practiceState.events.filter((event): event is TableEvent => event.type !== "chosen");
    const n = ++this.count;
    const isSameRound = practiceState.view.round === this.practiceState?.view.round;
    this.model = reduce(
      isSameRound ? this.model : { ...this.model, view: null },
      { type: "state", n, view: practiceState.view, events },
      0,
    );
    this.practiceState = practiceState;
    if (!this.scene || practiceState.wrong) return;
    this.epoch += 1;
    this.motion = motions(before, this.scene, events, practiceState.view);
    const time = matchMedia(REDUCED).matches ? Math.min(REDUCED_TIME, this.motion.total) : this.motion.total;
    if (this.motion.total) this.timer = setTimeout(() => (this.motion = STILL), time + 40);
  }
}
