/** A trainee at a table of the trainer: a hand by its number, the choices so far, and what the last one cost. */
import { money } from "../app/money";
import { gerund } from "../app/words";
import { TableSession } from "../table/session.svelte";
import { api } from "../wire/http";
import type { Transport } from "../wire/socket";
import type { Drill, TrainerChoice, TrainerHand, View, Worth } from "../wire/types";
import { Records, type TrainedMistake } from "./records.svelte";

const HALF_A_CENT = 0.5; // choices closer than this are equal
const NOWHERE: Transport = {
  connect: () => undefined,
  send: async () => null,
  leave: () => undefined,
  hurry: () => undefined,
};

export interface TrainerVerdict {
  chosen: string;
  isBest: boolean;
  title: string;
  text: string;
  clauses: readonly string[];
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1).replace(/-/g, " ");

/** "Stay cost $6.51 against folding", or that the choice was best and by how much. */
export function verdictTitle(chosen: string, values: readonly Worth[]): string {
  const [best, second] = values;
  const own = values.find((one) => one.name === chosen);
  if (!best || !own) return "";
  const cost = best.value - own.value;
  if (cost > HALF_A_CENT) return `${capital(chosen)} cost ${money(Math.round(cost))} against ${gerund(best.name)}`;
  const other = values.find((one) => one.name !== chosen && one.value <= own.value) ?? second;
  const ahead = other ? own.value - other.value : 0;
  return ahead > HALF_A_CENT
    ? `${capital(chosen)} was best, by ${money(Math.round(ahead))}`
    : `${capital(chosen)} was as good as any`;
}

export class TrainerSession extends TableSession {
  drills = $state.raw<readonly Drill[]>([]);
  drill = $state("all");
  judged = $state.raw<TrainerVerdict | null>(null);
  hand = $state.raw<TrainerHand | null>(null);
  isDealing = $state(false);
  refusal = $state("");
  unjudged = $state(""); // why the last choice of this hand has no verdict
  values = $derived<readonly Worth[]>(this.hand?.advice?.values ?? []);
  hint = $derived(this.hand?.advice?.hint ?? "");
  readonly records: Records;
  private choices: TrainerChoice[] = []; // those that led to the open decision
  private pending: TrainerChoice | null = null; // the one just judged
  private requests = 0;
  private counter = 0;
  private hands = 0; // dealt on this page: each is a round of its own
  private message: (hand: TrainerHand) => void = () => undefined;

  constructor(readonly gameName: string) {
    let hear: (hand: TrainerHand) => void = () => undefined;
    super(`trainer/${gameName}`, (listener) => {
      hear = (hand) => {
        listener.connection("open");
        const { view, events } = hand.state;
        listener.message({ type: "state", n: ++this.counter, view: { ...view, round: this.hands }, events });
      };
      return NOWHERE;
    });
    this.message = (hand) => hear(hand);
    this.records = new Records(gameName);
  }

  override async open(): Promise<void> {
    await api.me();
    const [document, games] = await Promise.all([api.trainer(this.gameName), api.games()]);
    this.table = document.table;
    this.drills = document.drills;
    this.game = games.find((game) => game.name === this.gameName) ?? null;
    this.ticking = setInterval(() => (this.now = performance.now()), 1000);
    await this.next();
  }

  /** A new hand of the chosen drill. */
  next(): Promise<void> {
    return this.load([], { drill: this.drill });
  }

  pick(drill: string): Promise<void> {
    this.drill = drill;
    return this.next();
  }

  /** The hand of a mistake, dealt again. */
  again({ number, choices }: TrainedMistake): Promise<void> {
    return this.load(choices, { number, choices });
  }

  /** Choose again; the choice stays counted. */
  takeBack(): void {
    this.judged = null;
    this.pending = null;
  }

  /** Go on with the hand after the choice that was judged. */
  async playOut(): Promise<void> {
    if (!this.hand || !this.pending) return;
    const choices = [...this.choices, this.pending];
    await this.load(choices, { number: this.hand.number, choices }, true);
  }

  private async load(
    choices: TrainerChoice[],
    request: { number?: number; choices?: TrainerChoice[]; drill?: string },
    isGoingOn = false,
  ): Promise<void> {
    const turn = ++this.requests;
    this.isDealing = true;
    this.refusal = "";
    try {
      const hand = await api.trainerHand(this.gameName, request);
      if (turn !== this.requests) return; // a later one was asked for
      [this.hand, this.choices, this.pending, this.judged] = [hand, choices, null, null];
      if (!isGoingOn) [this.hands, this.unjudged] = [this.hands + 1, ""];
      this.message(hand);
    } catch (refused) {
      this.refusal = (refused as Error).message;
    } finally {
      if (turn === this.requests) this.isDealing = false;
    }
  }

  protected override async keep(_view: View): Promise<void> {
    // hands of the trainer are no rounds of a table
  }

  /** Judge a choice: nothing is said before it is made. */
  override async choose(name: string): Promise<void> {
    const { decision, hand } = this;
    const offer = decision?.offers.find((one) => one.name === name);
    if (!decision || !offer || !hand || this.judged) return;
    const cents = offer.least === offer.most ? null : this.amountOf(offer);
    this.pending = { name, about: decision.about, cents };
    if (!this.values.length) {
      this.unjudged = this.hint.replace("No advice", "Not judged");
      return void this.playOut(); // nothing is known about it: the hand goes on
    }
    this.judged = this.judge(name, offer.consequence, offer.clauses);
  }

  private judge(name: string, consequence: string, clauses: readonly string[]): TrainerVerdict {
    const best = this.values[0]!;
    const own = this.values.find((one) => one.name === name) ?? best;
    const cost = best.value - own.value;
    const isBest = cost <= HALF_A_CENT;
    const view = this.model.view!;
    const words = situation(view);
    const played = { chosen: name, best: best.name, cost, words, hand: [...(this.own?.cards ?? [])] };
    this.records.count(
      { ...played, number: this.hand!.number, choices: this.choices, dealer: [...view.dealer.cards] },
      isBest,
    );
    const text = isBest ? `${capital(words)}. ${capital(consequence)}.` : `${capital(words)}: ${consequence}.`;
    return { chosen: name, isBest, title: verdictTitle(name, this.values), text, clauses };
  }
}

/** What one holds against what the dealer shows, in a few words. */
function situation(view: View): string {
  const own = view.seats.find((seat) => seat.spot === view.spots_of_you[0]);
  const shown = view.dealer.cards.filter((code) => code !== null);
  const total = own?.total ?? "";
  return shown.length ? `${total} against ${shown.map((code) => rankOf(code!)).join(" ")}` : total;
}

const rankOf = (code: string): string => (code[0] === "T" ? "10" : code[0]!);
