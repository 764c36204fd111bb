/** One tab at one table: its state, and all actions. */
import { outcome } from "../app/money";
import { isPush, netOf } from "../scene/amounts";
import { motions } from "../scene/motion";
import { scene } from "../scene/scene";
import type { Scene } from "../scene/types";
import { api } from "../wire/http";
import { advise, decisionKey, afterReconnect, reduce, silence, UNKNOWN, type Model } from "../wire/reducer";
import { ActionRefused, liveAddress, LiveTable, type Connection, type Listener, type Transport } from "../wire/socket";
import type {
  Action,
  Decision,
  GameDocument,
  Layout,
  Offer,
  Proof,
  ServerMessage,
  SettledLine,
  TableEvent,
  TableDocument,
  View,
} from "../wire/types";
import { openings, withDrafts, withFiguresOf, type Opening } from "./draft";
import { Playback } from "./playback.svelte";
import { noise } from "./sound";
import { keepRound } from "../history/rounds";
import { dealtPlaces, verify, type Verdict } from "./proof";
import { storyOf, type StoryLine } from "./story";
import { lastWords } from "./announcements";
import { Wagers } from "./wagers.svelte";

const BUY_IN = 50000;
const MOST_WAITING = 3; // states behind what is being shown; a page further behind leaves out the oldest

export interface Trouble {
  where: string; // a wager's name, "sit", "table", "choice"
  text: string;
  nearest?: { label: string; act: () => void };
}

export class TableSession {
  model = $state.raw<Model>(UNKNOWN);
  connection = $state<Connection>("connecting");
  game = $state.raw<GameDocument | null>(null);
  table = $state.raw<TableDocument | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  verdict = $state.raw<Verdict | null>(null); // of the last round's deal, worked out here
  private stepped = $state.raw<Readonly<Record<string, number>>>({}); // amounts set by hand
  now = $state(performance.now());
  wanted = $state<number | null>(null); // the spot to sit down at when the hand in progress is over

  readonly playback = new Playback(() => this.catchUp());
  readonly wagers = new Wagers(this);
  private linesBefore: readonly SettledLine[] = []; // shown until everything has arrived
  private viewBefore = $state.raw<View | null>(null); // its stacks and results are shown as long
  private happened = $state.raw<readonly TableEvent[]>([]); // in this round, as far as this page has seen it
  titles = $derived(new Map(this.game?.wagers.map((wager) => [wager.name, wager.title])));
  story = $derived<StoryLine[]>(
    this.model.view && !this.playback.isPlaying ? storyOf(this.happened, this.model.view, this.titles) : [],
  );

  private isSending = $state(false);
  private answeredAt = $state(-1); // the state in which the table carried out the last action
  private waiting: { message: ServerMessage; at: number }[] = []; // what came while something else was shown

  isPlaying = $derived(this.playback.isPlaying);
  isBusy = $derived(this.isSending || this.answeredAt === this.model.n); // until the table shows what came of it
  view = $derived(
    this.model.view
      ? withDrafts(
          this.isPlaying ? withFiguresOf(this.model.view, this.viewBefore) : this.model.view,
          this.wagers.drafts,
          this.wagers.tokes,
        )
      : null,
  );
  layout = $derived<Layout | null>(this.table?.layout ?? null);
  scene = $derived<Scene | null>(this.view && this.layout ? scene(this.view, this.layout, this.model.lying) : null);
  openings = $derived<Opening[]>(this.game && this.model.view ? openings(this.game, this.model.view.limits) : []);
  favourable = $derived(
    this.openings
      .filter(({ wager }) => (this.table?.edges[wager.name] ?? 0) < 0)
      .map(({ wager }) => wager.title)
      .join(", "),
  );
  spot = $derived(this.model.view?.spots_of_you[0] ?? null);
  isSeated = $derived(this.spot !== null);
  decision = $derived<Decision | null>(this.isPlaying ? null : (this.model.view?.decisions[0] ?? null));
  lines = $derived<readonly SettledLine[]>(this.isPlaying ? this.linesBefore : (this.model.view?.lines ?? []));
  own = $derived(this.model.view?.seats.find((seat) => seat.spot === this.spot) ?? null);
  mayWager = $derived(this.isSeated && !this.isPlaying && this.model.view?.running === false);
  net = $derived(this.own ? netOf(this.own) : null); // what the finished round changed in the stack
  result = $derived(this.net === null ? "" : outcome(this.net, isPush(this.model.view?.lines ?? [], this.spot ?? 0)));
  isSettled = $derived(this.mayWager && !!this.own?.in_round && this.own.net != null && !this.wagers.isChanging);

  private readonly live: Transport;
  protected ticking: ReturnType<typeof setInterval> | undefined;

  constructor(
    readonly id: string,
    reach: (listener: Listener) => Transport = (listener) => new LiveTable(liveAddress(id), listener),
  ) {
    this.live = reach({
      message: (message) => this.hear(message),
      connection: (state) => this.onConnection(state),
    });
  }

  /** Load the session, the table and the game, then connect. */
  async open(): Promise<void> {
    await api.me();
    const [table, games] = await Promise.all([api.table(this.id), api.games()]);
    this.table = table;
    this.game = games.find((game) => game.name === table.game) ?? null;
    this.live.connect();
    this.ticking = setInterval(() => (this.now = performance.now()), 250);
  }

  close(): void {
    this.live.leave();
    clearInterval(this.ticking);
    this.playback.stop();
  }

  /** The player has come back to the page. */
  onReturn(): void {
    this.live.hurry();
  }

  private onConnection(state: Connection): void {
    this.connection = state;
    if (state !== "open") return;
    this.waiting = [];
    this.answeredAt = -1;
    this.model = afterReconnect(this.model);
  }

  /* Show every state to its end before the next one, so that no other player's action cuts a hand short. */
  private hear(message: ServerMessage): void {
    const at = performance.now();
    if (message.type !== "state" || !this.isPlaying) return this.take(message, at);
    this.waiting = [...this.waiting, { message, at }].slice(-MOST_WAITING);
  }

  private catchUp(): void {
    while (this.waiting.length && !this.isPlaying) {
      const { message, at } = this.waiting.shift()!;
      this.take(message, at);
    }
  }

  private take(message: ServerMessage, at: number): void {
    const before = this.model;
    const sceneBefore = this.scene;
    const linesBefore = this.lines;
    this.model = reduce(before, message, at);
    if (message.type === "state" && this.model.n !== before.n) this.onState(before, sceneBefore, linesBefore);
  }

  /* Take in a new state: drop the drafts it answers, then animate what led to it. */
  private onState(before: Model, sceneBefore: Scene | null, linesBefore: readonly SettledLine[]): void {
    const view = this.model.view!;
    const isNewRound = view.round !== before.view?.round;
    this.happened = isNewRound ? this.model.events : [...this.happened, ...this.model.events];
    if (isNewRound) this.begin(view);
    if (!view.running && (isNewRound || before.view?.running)) {
      this.over();
      if (before.view) void this.keep(view);
    }
    if (isNewRound || view.running) this.wagers.forget();
    this.viewBefore = before.view;
    this.linesBefore = isNewRound ? [] : linesBefore;
    const from = sceneBefore && isNewRound ? { ...sceneBefore, cards: [] } : sceneBefore;
    if (this.scene)
      this.playback.play(
        motions(from, this.scene, this.model.events, view),
        before.view?.says ?? null,
        lastWords(view),
      );
    if (view.session?.expected !== undefined && !Object.keys(this.table?.edges ?? {}).length) void this.price();
  }

  /* Keep a round that this page saw from its first card on. */
  protected async keep(view: View): Promise<void> {
    const { table, layout, happened } = this;
    if (!table || !layout || !this.own?.in_round || !happened.some(({ type }) => type === "dealt")) return;
    const proof = view.reveal ? await api.proof(this.id).catch(() => null) : null;
    keepRound(
      {
        id: `${this.id}/${view.round}`,
        game: table.game,
        title: table.title,
        table: table.name,
        layout: this.id,
        at: Date.now(),
        view: { ...view, session: null, decisions: [] },
        events: happened,
        proof,
      },
      layout,
    );
  }

  private over(): void {
    this.wagers.isChanging = false;
    this.trouble = null; // what was refused in that round matters no more
  }

  private begin(view: View): void {
    this.verdict = null;
    if (view.running) noise.closed();
    this.wagers.dealt(view);
  }

  /* The house edges may have been computed only after the page was opened. */
  private async price(): Promise<void> {
    this.table = await api.table(this.id);
  }

  /** Skip to the end; everything is in its final place already. */
  skip(): void {
    this.playback.skip(this.model.view ? lastWords(this.model.view) : null);
  }

  /** Send an action; a refusal is shown beside the field that caused it. */
  async act(action: Action, where: string): Promise<boolean> {
    this.trouble = null;
    try {
      await this.live.send(action);
      return true;
    } catch (refused) {
      if (!(refused instanceof ActionRefused)) throw refused;
      this.trouble = { where: this.named(refused.message) ?? where, text: refused.message };
      return false;
    }
  }

  /** Do one thing at a time: a second tap before the table has answered does nothing. */
  async once(work: () => Promise<boolean>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isSending = true;
    const isDone = await work().finally(() => (this.isSending = false));
    if (isDone) this.answeredAt = this.model.n;
    return isDone;
  }

  /* The wager a refusal begins with: it is shown beside that field. */
  private named(text: string): string | undefined {
    const start = text.toLowerCase();
    const names = ({ wager }: Opening): string[] => [wager.name, wager.title.toLowerCase()];
    return this.openings.find((opening) => names(opening).some((name) => start.startsWith(name)))?.wager.name;
  }

  /** Take a spot; within a hand that is not one's own, once it is over. */
  async sit(spot: number): Promise<boolean> {
    const isOver = !this.model.view?.running && !this.isPlaying;
    this.wanted = isOver ? null : spot;
    return !isOver || this.once(() => this.act({ type: "sit", spot, stack: BUY_IN }, "sit"));
  }

  /** Sit down after the hand in progress; on another spot if the first is taken. */
  sitAsWanted(): void {
    const seat = this.model.view?.seats.find((one) => one.spot === this.wanted);
    const spot = seat?.player === null ? seat.spot : this.freeSpot();
    this.wanted = null;
    if (spot !== null && !this.isSeated) void this.sit(spot);
  }

  /** Leave now, or after the hand in progress; a second call cancels that. Returns whether the player has left. */
  async leave(): Promise<boolean> {
    if (!this.isSeated) return true;
    const isWithin = !!this.model.view?.running;
    const isStaying = !!this.own?.leaving;
    const action: Action = isStaying ? { type: "stay" } : { type: "leave", after_hand: isWithin };
    const isDone = await this.once(() => this.act(action, "table"));
    return isDone && !isStaying && !isWithin;
  }

  leaveWords = $derived(
    !this.isSeated
      ? "Lobby"
      : this.own?.leaving
        ? "Stay"
        : this.model.view?.running
          ? "Leave after this hand"
          : "Leave",
  );

  buy(): Promise<boolean> {
    return this.once(() => this.act({ type: "buy", cents: BUY_IN }, "table"));
  }

  /** The free spot nearest to the middle, where one's cards lie upright. */
  freeSpot(): number | null {
    const seats = this.model.view?.seats ?? [];
    const middle = (seats.length + 1) / 2;
    const free = seats
      .filter((seat) => seat.player === null)
      .sort((a, b) => Math.abs(a.spot - middle) - Math.abs(b.spot - middle));
    return free[0]?.spot ?? null;
  }

  /** How much an offer with a free amount would put on: the most, until somebody sets another amount. */
  amountOf(offer: Offer): number {
    return Math.min(offer.most, Math.max(offer.least, this.stepped[offer.name] ?? offer.most));
  }

  step(offer: Offer, cents: number): void {
    this.stepped = { ...this.stepped, [offer.name]: cents };
  }

  /** Answer the open decision. */
  async choose(name: string): Promise<void> {
    const decision = this.decision;
    const offer = decision?.offers.find((one) => one.name === name);
    if (!decision || !offer) return;
    const cents = offer.least === offer.most ? null : this.amountOf(offer);
    const round = this.model.view?.round ?? 0;
    const { spot, about } = decision;
    await this.once(() => this.act({ type: "choose", spot, round, about, name, cents }, "choice"));
  }

  private asked = "";

  /** Ask the coach about the open decision, once. */
  coach(): void {
    const key = decisionKey(this.model.view);
    if (!this.decision || key === this.asked || this.connection !== "open") return;
    this.asked = key;
    this.live.send({ type: "coach", spot: this.decision.spot }).then(
      (advice) => advice && (this.model = advise(this.model, key, advice)),
      (refused: ActionRefused) => this.noAdvice(key, refused),
    );
  }

  /* Retry when the connection is back; show the reason of a refusal. */
  private noAdvice(key: string, refused: ActionRefused): void {
    if (refused.kind === "NotSent" || refused.kind === "Lost") this.asked = "";
    else this.model = advise(this.model, key, silence(refused.message));
  }

  async verify(): Promise<void> {
    try {
      const proof: Proof = await api.proof(this.id);
      const view = this.model.view;
      if (view) this.verdict = verify(proof, view, dealtPlaces([], this.happened));
    } catch (refused) {
      this.trouble = { where: "proof", text: (refused as Error).message };
    }
  }
}
