/** The wagers before the deal: drafted chip by chip, sent at once, and repeated after the round. */
import { money } from "../app/money";
import type { Money, View } from "../wire/types";
import { isSame, isWithin, lyingOf, nearest, sum, withChip, withoutChip, type Opening } from "./draft";
import type { TableSession } from "./session.svelte";
import { noise } from "./sound";

type Drafts = ReadonlyMap<number, Money>; // by spot

export class Wagers {
  drafts = $state.raw<Drafts>(new Map());
  tokes = $state.raw<Drafts>(new Map()); // for the dealers, drafted like the wagers
  chip = $state(500);
  isChanging = $state(false); // wagers are being placed anew after a settled round
  last = $state.raw<Money | null>(null); // the wagers of the round before
  lastTokes = $state.raw<Money>({});

  constructor(private readonly session: TableSession) {}

  /** Remember the wagers of the round that was dealt, for the next one. */
  dealt(view: View): void {
    const own = view.seats.find((seat) => seat.spot === view.spots_of_you[0]);
    if (!own?.in_round || !own.wagers) return;
    const names = new Set(this.session.openings.map(({ wager }) => wager.name));
    this.last = Object.fromEntries(Object.entries(own.wagers).filter(([name]) => names.has(name)));
    this.lastTokes = own.tokes ?? {};
  }

  forget(): void {
    this.drafts = this.tokes = new Map();
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
    this.isChanging = true;
    this.tokes = new Map(this.tokes).set(spot, { ...this.toked(), [wager]: cents });
    noise.chips();
    if (sum(this.draft())) void this.send(spot, this.draft());
  }

  put(wager: string, cents: number, spot = this.session.spot): void {
    if (spot === null || !this.session.mayWager) return;
    this.isChanging = true;
    const next = { ...this.draft(spot), [wager]: cents };
    this.drafts = new Map(this.drafts).set(spot, next);
    noise.chips();
    void this.send(spot, next);
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
    return this.session.act({ type: "wager", spot, wagers: lyingOf(draft), tokes: lyingOf(this.toked(spot)) }, "wager");
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

  /** Put down the last wagers again. */
  async again(): Promise<void> {
    const { spot, mayWager } = this.session;
    if (!this.last || spot === null || !mayWager) return;
    this.drafts = new Map(this.drafts).set(spot, this.last);
    this.tokes = new Map(this.tokes).set(spot, this.lastTokes);
    if (await this.send(spot, this.last)) await this.session.act({ type: "ready" }, "table");
    else this.isChanging = true;
  }

  /** Deal me in: what is drafted is put down, if it does not lie there yet. */
  async deal(): Promise<void> {
    if (this.session.spot === null || !this.session.mayWager) return;
    for (const [spot, draft] of this.drafts) {
      const lying = this.session.model.view?.seats.find((seat) => seat.spot === spot);
      if (sum(draft) && !isSame(draft, lying?.in_round ? {} : (lying?.wagers ?? {})) && !(await this.send(spot, draft)))
        return;
    }
    await this.session.act({ type: "ready" }, "table");
  }
}
