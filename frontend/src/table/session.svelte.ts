/** One tab at one table: the model, what is drafted, what moves, and everything that may be asked of the server. */
import { money } from "../app/money";
import { layoutOf, offeredAt, offeredOnly, type Layout } from "../draw/layouts";
import { motions, STILL, type Motions } from "../scene/motion";
import { scene } from "../scene/scene";
import type { Scene } from "../scene/types";
import { api } from "../wire/http";
import { decisionKey, reconnected, reduce, UNKNOWN, type Model } from "../wire/reducer";
import { ActionRefused, liveAddress, LiveTable, type Connection } from "../wire/socket";
import type { Action, Decision, GameTold, Money, Offer, Proof, ServerMessage, SettledLine, TableTold, View } from "../wire/types";
import { isSame, isWithin, lyingOf, nearest, openings, sum, withChip, withDrafts, withoutChip, type Opening } from "./draft";
import { noise } from "./sound";

const BUY_IN = 50000;
const REDUCED = "(prefers-reduced-motion: reduce)";
const REDUCED_TIME = 140;

export interface Trouble {
  where: string; // a wager's name, "sit", "table", "choice"
  text: string;
  nearest?: { label: string; act: () => void };
}

export class TableSession {
  model = $state.raw<Model>(UNKNOWN);
  connection = $state<Connection>("connecting");
  game = $state.raw<GameTold | null>(null);
  table = $state.raw<TableTold | null>(null);
  drafts = $state.raw<ReadonlyMap<number, Money>>(new Map());
  tokes = $state.raw<ReadonlyMap<number, Money>>(new Map()); // for the dealers, drafted like the wagers
  chip = $state(500);
  isChanging = $state(false); // wagers are being placed anew after a settled round
  trouble = $state.raw<Trouble | null>(null);
  motion = $state.raw<Motions>(STILL);
  epoch = $state(0);
  saying = $state<string | null>(null);
  proof = $state.raw<Proof | null>(null);
  private stepped = $state.raw<Readonly<Record<string, number>>>({}); // amounts set by hand
  last = $state.raw<Money | null>(null); // the wagers of the round before
  lastTokes = $state.raw<Money>({});
  now = $state(performance.now());

  private linesBefore: readonly SettledLine[] = []; // shown until everything has arrived

  isPlaying = $derived(this.motion.total > 0);
  view = $derived(this.model.view ? withDrafts(this.model.view, this.drafts) : null);
  layout = $derived<Layout | null>(this.game ? this.layoutAt(this.game) : null);
  scene = $derived<Scene | null>(this.view && this.layout ? scene(this.view, this.layout, this.model.lying) : null);
  openings = $derived<Opening[]>(this.game && this.model.view ? openings(this.game, this.model.view.limits) : []);
  spot = $derived(this.model.view?.spots_of_you[0] ?? null);
  isSeated = $derived(this.spot !== null);
  decision = $derived<Decision | null>(this.isPlaying ? null : (this.model.view?.decisions[0] ?? null));
  lines = $derived<readonly SettledLine[]>(this.isPlaying ? this.linesBefore : (this.model.view?.lines ?? []));
  own = $derived(this.model.view?.seats.find((seat) => seat.spot === this.spot) ?? null);
  mayWager = $derived(this.isSeated && !this.isPlaying && this.model.view?.running === false);
  isSettled = $derived(this.mayWager && !!this.own?.in_round && this.own.net != null && !this.isChanging);

  private readonly live: LiveTable;
  private timers: ReturnType<typeof setTimeout>[] = [];
  private ticking: ReturnType<typeof setInterval> | undefined;

  constructor(readonly id: string) {
    this.live = new LiveTable(liveAddress(id), { message: (message) => this.hear(message), connection: (state) => this.connected(state) });
  }

  /** Learn who one is, what is played here, and begin to listen. */
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
    this.timers.forEach(clearTimeout);
  }

  /** Somebody looks at the page again. */
  woken(): void {
    this.live.hurry();
  }

  private layoutAt(game: GameTold): Layout {
    const limits = this.model.view?.limits ?? this.table?.limits ?? {};
    return offeredOnly(layoutOf(game, this.table?.options ?? {}), offeredAt(game, limits));
  }

  private connected(state: Connection): void {
    this.connection = state;
    if (state === "open") this.model = reconnected(this.model);
  }

  private hear(message: ServerMessage): void {
    const before = this.model;
    const sceneBefore = this.scene;
    const linesBefore = this.lines;
    this.model = reduce(before, message, performance.now());
    if (message.type === "state" && this.model.n !== before.n) this.arrived(before, sceneBefore, linesBefore);
  }

  /* A new state is there: forget what it answers, then let it appear to come about. */
  private arrived(before: Model, sceneBefore: Scene | null, linesBefore: readonly SettledLine[]): void {
    const view = this.model.view!;
    if (view.round !== before.view?.round) this.begin(view);
    if (before.view?.running && !view.running) this.isChanging = false;
    if (view.running) this.drafts = this.tokes = new Map();
    const isNewRound = view.round !== before.view?.round;
    this.linesBefore = isNewRound ? [] : linesBefore;
    const from = sceneBefore && isNewRound ? { ...sceneBefore, cards: [] } : sceneBefore;
    if (this.scene) this.play(motions(from, this.scene, this.model.events, view), before.view?.says ?? null, view.says);
  }

  private begin(view: View): void {
    this.proof = null;
    const own = view.seats.find((seat) => seat.spot === view.spots_of_you[0]);
    if (view.running) noise.closed();
    if (!own?.in_round || !own.wagers) return;
    const names = new Set(this.openings.map(({ wager }) => wager.name));
    this.last = Object.fromEntries(Object.entries(own.wagers).filter(([name]) => names.has(name)));
    this.lastTokes = own.tokes ?? {};
  }

  private play(next: Motions, saidBefore: string | null, says: string | null): void {
    this.timers.forEach(clearTimeout);
    this.timers = [];
    if (!next.total) return this.rest(says);
    const isReduced = matchMedia(REDUCED).matches;
    this.motion = next;
    this.epoch++;
    this.saying = saidBefore;
    const after = (at: number, act: () => void): void => void this.timers.push(setTimeout(act, isReduced ? 0 : at));
    for (const { at, text } of next.said) after(at, () => (this.saying = text));
    if (!isReduced) for (const sound of noise.of(next)) after(sound.at, sound.make);
    this.timers.push(setTimeout(() => this.rest(says), isReduced ? REDUCED_TIME : next.total));
  }

  private rest(says: string | null): void {
    this.motion = STILL;
    this.saying = says;
  }

  /** To the end at once: things stand where they belong already. */
  skip(): void {
    if (!this.isPlaying) return;
    this.timers.forEach(clearTimeout);
    this.timers = [];
    this.rest(this.model.view?.says ?? null);
  }

  /** Ask for something; a refusal is shown beside what caused it. */
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

  /* The wager a refusal begins with: it is shown beside that field. */
  private named(text: string): string | undefined {
    const said = text.toLowerCase();
    return this.openings.find(({ wager }) => said.startsWith(wager.name) || said.startsWith(wager.title.toLowerCase()))?.wager.name;
  }

  sit(spot: number): Promise<boolean> {
    return this.act({ type: "sit", spot, stack: BUY_IN }, "sit");
  }

  buy(): Promise<boolean> {
    return this.act({ type: "buy", cents: BUY_IN }, "table");
  }

  /** The free spot nearest to the middle, where one's cards lie upright. */
  freeSpot(): number | null {
    const seats = this.model.view?.seats ?? [];
    const middle = (seats.length + 1) / 2;
    const free = seats.filter((seat) => seat.player === null).sort((a, b) => Math.abs(a.spot - middle) - Math.abs(b.spot - middle));
    return free[0]?.spot ?? null;
  }

  /** What lies, or is to lie, on one's spot. */
  draft(spot = this.spot): Money {
    if (spot === null) return {};
    const seat = this.model.view?.seats.find((one) => one.spot === spot);
    return this.drafts.get(spot) ?? (seat?.in_round ? {} : (seat?.wagers ?? {}));
  }

  /** What rides, or is to ride, on one's spot for the dealers. */
  toked(spot = this.spot): Money {
    if (spot === null) return {};
    const seat = this.model.view?.seats.find((one) => one.spot === spot);
    return this.tokes.get(spot) ?? (seat?.in_round ? {} : (seat?.tokes ?? {}));
  }

  /** All that one puts on a spot, the dealers' tokes included. */
  onSpot(spot: number): number {
    return sum(this.draft(spot)) + sum(this.toked(spot));
  }

  /** Let a toke for the dealers ride on a wager. */
  putToke(wager: string, cents: number): void {
    if (this.spot === null || !this.mayWager) return;
    this.isChanging = true;
    this.tokes = new Map(this.tokes).set(this.spot, { ...this.toked(), [wager]: cents });
    noise.chips();
    if (sum(this.draft())) void this.send(this.spot, this.draft());
  }

  put(wager: string, cents: number, spot = this.spot): void {
    if (spot === null || !this.mayWager) return;
    this.isChanging = true;
    const next = { ...this.draft(spot), [wager]: cents };
    this.drafts = new Map(this.drafts).set(spot, next);
    noise.chips();
    void this.send(spot, next);
  }

  addChip(wager: string, spot = this.spot): void {
    const opening = this.openings.find((one) => one.wager.name === wager);
    if (opening) this.put(wager, withChip(this.draft(spot)[wager] ?? 0, this.chip, opening.limit), spot);
  }

  removeChip(wager: string, spot = this.spot): void {
    const opening = this.openings.find((one) => one.wager.name === wager);
    if (opening) this.put(wager, withoutChip(this.draft(spot)[wager] ?? 0, this.chip, opening.limit), spot);
  }

  /* Every change lies on the felt at once, so that the clock may run out on it; what cannot lie there is said. */
  private async send(spot: number, draft: Money): Promise<boolean> {
    const wrong = this.openings.find(({ wager, limit }) => !isWithin(draft[wager.name] ?? 0, limit));
    if (wrong) return this.outside(wrong);
    if (!sum(draft)) return this.act({ type: "withdraw", spot }, "table");
    return this.act({ type: "wager", spot, wagers: lyingOf(draft), tokes: lyingOf(this.toked(spot)) }, "wager");
  }

  private outside({ wager, limit }: Opening): boolean {
    const lawful = nearest(this.draft()[wager.name] ?? 0, limit);
    const text = `${wager.title} takes ${money(limit[0])} to ${money(limit[1])}.`;
    this.trouble = { where: wager.name, text, nearest: { label: `Use ${money(lawful)}`, act: () => this.put(wager.name, lawful) } };
    return false;
  }

  clear(): void {
    if (!this.mayWager) return;
    for (const spot of this.model.view?.spots_of_you ?? []) {
      const lay = sum(this.draft(spot)) > 0;
      this.drafts = new Map(this.drafts).set(spot, {});
      this.tokes = new Map(this.tokes).set(spot, {});
      if (lay) void this.act({ type: "withdraw", spot }, "table");
    }
  }

  /** Put down again what lay there last. */
  async again(): Promise<void> {
    if (!this.last || this.spot === null || !this.mayWager) return;
    this.drafts = new Map(this.drafts).set(this.spot, this.last);
    this.tokes = new Map(this.tokes).set(this.spot, this.lastTokes);
    if (await this.send(this.spot, this.last)) await this.act({ type: "ready" }, "table");
    else this.isChanging = true;
  }

  /** Deal me in: what is drafted is put down, if it does not lie there yet. */
  async deal(): Promise<void> {
    if (this.spot === null || !this.mayWager) return;
    for (const [spot, draft] of this.drafts) {
      const lying = this.model.view?.seats.find((seat) => seat.spot === spot);
      if (sum(draft) && !isSame(draft, lying?.in_round ? {} : (lying?.wagers ?? {})) && !(await this.send(spot, draft))) return;
    }
    await this.act({ type: "ready" }, "table");
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
    await this.act({ type: "choose", spot: decision.spot, round, about: decision.about, name, cents }, "choice");
  }

  private asked = "";

  /** Ask the coach about the open decision, once. */
  coach(): void {
    const key = decisionKey(this.model.view);
    if (!this.decision || key === this.asked || this.connection !== "open") return;
    this.asked = key;
    this.live.send({ type: "coach", spot: this.decision.spot }).catch(() => (this.asked = ""));
  }

  async verify(): Promise<void> {
    try {
      this.proof = await api.proof(this.id);
    } catch (refused) {
      this.trouble = { where: "proof", text: (refused as Error).message };
    }
  }
}
