/** One trainee at one practice table: the server's state, the drafted move, and the animation. */
import { motions, STILL, type Motions } from "../../scene/motion";
import { scene } from "../../scene/scene";
import type { Scene } from "../../scene/types";
import { chairApi } from "../../wire/chair";
import { api, Refused } from "../../wire/http";
import { reduce, UNKNOWN, type Model } from "../../wire/reducer";
import type { ChairGame, GameDocument, Layout, Lesson, Move, PracticeState, TableEvent } from "../../wire/types";
import { BLANK, moveOf, type Draft } from "./draft";
import { afterRound, lessonsOf, NEW_LESSON, remember, type LessonRecords } from "./records";

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
  teaching = $state.raw<ChairGame | null>(null);
  records = $state.raw<LessonRecords>({});
  seconds = $state(0); // of this round, without the time the floor was at the table
  isFloorCalled = $state(false);
  private model = $state.raw<Model>(UNKNOWN);
  private count = 0; // states received: practice tables begin anew, their drawing's numbers do not
  private timer: ReturnType<typeof setTimeout> | undefined;

  view = $derived(this.practiceState?.view ?? null);
  layout = $derived<Layout | null>(this.practiceState?.layout ?? null);
  scene = $derived<Scene | null>(this.view && this.layout ? scene(this.view, this.layout, this.model.lying) : null);
  lesson = $derived<Lesson | null>(
    this.teaching?.lessons.find((lesson) => lesson.name === this.practiceState?.lesson) ?? null,
  );
  record = $derived(this.records[this.practiceState?.lesson ?? ""] ?? NEW_LESSON);
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
    if (!this.game) return;
    this.teaching = await chairApi.lessons(this.name);
    this.records = lessonsOf(this.name);
    const earlier = await chairApi.stand().catch(() => null);
    if (earlier?.game === this.name) this.onState(earlier);
    else await this.begin(3, this.nextLesson.name);
  }

  /** The first lesson that is not passed yet; after all of them the last. */
  get nextLesson(): Lesson {
    const { lessons } = this.teaching!;
    return lessons.find(({ name }) => !this.records[name]?.passed) ?? lessons.at(-1)!;
  }

  begin(seats: number, lesson: string): Promise<void> {
    this.seconds = 0;
    this.isFloorCalled = false;
    this.draft = BLANK;
    return this.ask(() => chairApi.begin(this.name, seats, lesson));
  }

  /** A second has passed; the clock waits while the floor is at the table. */
  tick(): void {
    if (this.practiceState && !this.practiceState.over && !this.isFloorCalled) this.seconds += 1;
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
          .then((practiceState) => practiceState && this.onState(practiceState))
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
    this.countRound(practiceState);
    this.practiceState = practiceState;
    if (!this.scene || practiceState.wrong) return;
    this.epoch += 1;
    this.motion = motions(before, this.scene, events, practiceState.view);
    const time = matchMedia(REDUCED).matches ? Math.min(REDUCED_TIME, this.motion.total) : this.motion.total;
    if (this.motion.total) this.timer = setTimeout(() => (this.motion = STILL), time + 40);
  }

  /** Count a round that ends with this state, and start the clock for a new one. */
  private countRound(after: PracticeState): void {
    const before = this.practiceState;
    if (before?.over && !after.over) this.seconds = 0;
    if (!before || before.over || !after.over || !this.lesson) return;
    const faults = after.score.mistakes.filter(({ round }) => round === after.view.round);
    const round = { seconds: this.seconds, faults, isClean: after.progress.faults === 0 };
    this.records = { ...this.records, [after.lesson]: afterRound(this.record, round, this.lesson.rounds) };
    remember(this.name, this.records);
  }
}
