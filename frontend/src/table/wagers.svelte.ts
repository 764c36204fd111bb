/** The wagers before the deal: drafted chip by chip, sent at once, and repeated after the round. */
import { money } from "../app/money";
import type { Money, View } from "../wire/types";
import {
  isSame,
  isWithin,
  lyingOf,
  nearest,
  smallestOf,
  sum,
  twice,
  withChip,
  withEquals,
  withoutChip,
  type Opening,
} from "./draft";
import type { TableSession } from "./session.svelte";
import { noise } from "./sound";

/** Random text that enters the next shuffle, so that the house cannot choose the cards. */
function randomCut(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

type Drafts = ReadonlyMap<number, Money>; // by spot

interface Placed {
  spot: number;
  wagers: Money;
  tokes: Money;
}

export class Wagers {
  drafts = $state.raw<Drafts>(new Map());
  tokes = $state.raw<Drafts>(new Map()); // for the dealers, drafted like the wagers
  chip = $state(500);
  isChanging = $state(false); // wagers are being placed anew after a settled round
  last = $state.raw<Money | null>(null); // the wagers of the round before
  lastTokes = $state.raw<Money>({});
  private before = $state.raw<readonly Placed[]>([]); // what lay there before each change, the latest last
  mayUndo = $derived(this.before.length > 0);

  constructor(private readonly session: TableSession) {}

  /** Remember the wagers of the round that was dealt, for the next one. */
  dealt(view: View): void {
    const own = view.seats.find((seat) => seat.spot === view.spots_of_you[0]);
    if (!own?.opened) return;
    this.last = own.opened; // not what choices made of them, as after a page is loaded within a split hand
    this.lastTokes = own.tokes ?? {};
  }

  forget(): void {
    this.drafts = this.tokes = new Map();
    this.before = [];
  }

  /** What lies, or is to lie, on one's spot. */
  draft(spot = this.session.spot): Money {
    if (spot === null) return {};
    const seat = this.session.model.view?.seats.find((one) => one.spot === spot);
    return this.drafts.get(spot) ?? (seat?.in_round ? {} : (seat?.wagers ?? {}));
  }

  /** What rides, or is to ride, on one's spot for the dealers. */
  toked(spot = this.session.spot): Money {
    if (spot === null) return {};
    const seat = this.session.model.view?.seats.find((one) => one.spot === spot);
    return this.tokes.get(spot) ?? (seat?.in_round ? {} : (seat?.tokes ?? {}));
  }

  /** All that one puts on a spot, the dealers' tokes included. */
  onSpot(spot: number): number {
    return sum(this.draft(spot)) + sum(this.toked(spot));
  }

  /** Let a toke for the dealers ride on a wager. */
  putToke(wager: string, cents: number): void {
    const { spot, mayWager } = this.session;
    if (spot === null || !mayWager) return;
    this.remember(spot);
    this.tokes = new Map(this.tokes).set(spot, { ...this.toked(), [wager]: cents });
    noise.chips();
    if (sum(this.draft())) void this.send(spot, this.draft());
  }

  put(wager: string, cents: number, spot = this.session.spot): void {
    if (spot === null || !this.session.mayWager) return;
    this.remember(spot);
    this.place(spot, { ...this.draft(spot), ...withEquals(wager, cents, this.session.openings) });
  }

  private remember(spot: number): void {
    this.isChanging = true;
    this.before = [...this.before, { spot, wagers: this.draft(spot), tokes: this.toked(spot) }];
  }

  private place(spot: number, wagers: Money): void {
    this.drafts = new Map(this.drafts).set(spot, wagers);
    noise.chips();
    void this.send(spot, wagers);
  }

  /** Take back the latest change: one chip, or all that was placed at once. */
  undo(): void {
    const latest = this.before.at(-1);
    if (!latest || !this.session.mayWager) return;
    this.before = this.before.slice(0, -1);
    this.tokes = new Map(this.tokes).set(latest.spot, latest.tokes);
    this.place(latest.spot, latest.wagers);
  }

  /** Twice of everything that lies there, as far as the limits and the stack allow. */
  double(): void {
    const { spot, mayWager } = this.session;
    if (spot === null || !mayWager) return;
    this.remember(spot);
    this.place(spot, twice(this.draft(), this.session.openings));
  }

  /** Place the wagers of the last round again, without dealing yet. */
  rebet(): void {
    const { spot, mayWager } = this.session;
    if (!this.last || spot === null || !mayWager) return;
    this.remember(spot);
    this.tokes = new Map(this.tokes).set(spot, this.lastTokes);
    this.place(spot, this.last);
  }

  addChip(wager: string, spot = this.session.spot): void {
    this.change(wager, spot, withChip);
  }

  removeChip(wager: string, spot = this.session.spot): void {
    this.change(wager, spot, withoutChip);
  }

  private change(wager: string, spot: number | null, by: typeof withChip): void {
    const opening = this.session.openings.find((one) => one.wager.name === wager);
    if (opening) this.put(wager, by(this.draft(spot)[wager] ?? 0, this.chip, opening.limit), spot);
  }

  /* Send every change at once, since the clock may run out; show why the server refuses one. */
  private async send(spot: number, draft: Money): Promise<boolean> {
    const wrong = this.session.openings.find(({ wager, limit }) => !isWithin(draft[wager.name] ?? 0, limit));
    if (wrong) return this.outside(wrong);
    if (!sum(draft)) return this.session.act({ type: "withdraw", spot }, "table");
    const tokes = lyingOf(this.toked(spot));
    return this.session.act({ type: "wager", spot, wagers: lyingOf(draft), tokes, cut: randomCut() }, "wager");
  }

  private outside({ wager, limit }: Opening): boolean {
    const lawful = nearest(this.draft()[wager.name] ?? 0, limit);
    const text = `${wager.title} takes ${money(limit[0])} to ${money(limit[1])}.`;
    this.session.trouble = {
      where: wager.name,
      text,
      nearest: { label: `Use ${money(lawful)}`, act: () => this.put(wager.name, lawful) },
    };
    return false;
  }

  clear(): void {
    if (!this.session.mayWager) return;
    for (const spot of this.session.model.view?.spots_of_you ?? []) {
      const lay = sum(this.draft(spot)) > 0;
      this.drafts = new Map(this.drafts).set(spot, {});
      this.tokes = new Map(this.tokes).set(spot, {});
      if (lay) void this.session.act({ type: "withdraw", spot }, "table");
    }
  }

  /** Put down the last wagers again and be dealt in; `times` 2 doubles them. */
  async again(times = 1): Promise<void> {
    const { spot, mayWager, openings } = this.session;
    if (!this.last || spot === null || !mayWager) return;
    const wagers = times === 1 ? this.last : twice(this.last, openings);
    await this.session.once(async () => {
      this.drafts = new Map(this.drafts).set(spot, wagers);
      this.tokes = new Map(this.tokes).set(spot, this.lastTokes);
      if (await this.send(spot, wagers)) return this.session.act({ type: "ready" }, "table");
      this.isChanging = true;
      return false;
    });
  }

  /** The smallest wagers one can be dealt in with. */
  get smallest(): Money {
    return smallestOf(this.session.openings);
  }

  /** Deal me in: what is drafted is put down, if it does not lie there yet; where nothing is, the smallest wager. */
  async deal(): Promise<void> {
    const { spot, mayWager } = this.session;
    if (spot === null || !mayWager) return;
    await this.session.once(async () => {
      const spots = this.session.model.view?.spots_of_you ?? [];
      if (!spots.some((one) => this.onSpot(one))) this.drafts = new Map(this.drafts).set(spot, this.smallest);
      return this.putDown();
    });
  }

  private async putDown(): Promise<boolean> {
    for (const [spot, draft] of this.drafts) {
      const lying = this.session.model.view?.seats.find((seat) => seat.spot === spot);
      if (sum(draft) && !isSame(draft, lying?.in_round ? {} : (lying?.wagers ?? {})) && !(await this.send(spot, draft)))
        return false;
    }
    return this.session.act({ type: "ready" }, "table");
  }
}
