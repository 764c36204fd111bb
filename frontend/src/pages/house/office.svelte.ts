/** The state that all pages of the house share: the user, the signers and the tasks. */
import { api, Refused } from "../../wire/http";
import { houseApi } from "../../wire/house";
import type { HouseAction, HouseKind, Jackpot, Notice, Person, Task, LoggedInUser } from "../../wire/types";
import type { GameDocument } from "../../wire/types";

const LOGGED_OUT = 401;
const KEPT = "feltworks-house"; // which kind of house this browser keeps books for
export const KINDS: readonly HouseKind[] = ["card room", "tribal operation"];

export class Office {
  me = $state.raw<LoggedInUser | null>(null);
  kind = $state<HouseKind>(KINDS.find((entry) => entry === localStorage.getItem(KEPT)) ?? "card room");
  isKnown = $state(false); // whether it has been asked who one is
  actions = $state.raw<readonly HouseAction[]>([]);
  people = $state.raw<readonly Person[]>([]);
  games = $state.raw<readonly GameDocument[]>([]);
  notices = $state.raw<readonly Notice[]>([]); // what the server could not open
  tasks = $state.raw<readonly Task[]>([]);
  jackpots = $state.raw<readonly Jackpot[]>([]);
  verified = $state<{ holds: boolean; at: Date; troubles: string[] } | null>(null);

  async open(): Promise<void> {
    const visitor = await api.me().catch(() => null);
    if (visitor?.roles.length) await this.enter(() => houseApi.me()).catch(() => undefined);
    this.isKnown = true;
  }

  /** Set whose rules apply: a card room's or a Tribal operation's. */
  keepFor(kind: HouseKind): void {
    this.kind = kind;
    localStorage.setItem(KEPT, kind);
  }

  logIn(name: string, password: string, fresh?: string): Promise<void> {
    return this.enter(() => houseApi.logIn(name, password, fresh));
  }

  async logOut(): Promise<void> {
    await houseApi.logOut().catch(() => undefined);
    this.me = null;
  }

  /** Send a request; shows the login page when the login has ended. */
  async ask<T>(asking: () => Promise<T>): Promise<T> {
    try {
      return await asking();
    } catch (refused) {
      if (refused instanceof Refused && refused.status === LOGGED_OUT) this.me = null;
      throw refused;
    }
  }

  /** Reload everything that a posting can change. */
  async refresh(): Promise<void> {
    const [tasks, jackpots] = await Promise.all([
      this.ask(() => houseApi.tasks()),
      this.ask(() => houseApi.jackpots()),
    ]);
    [this.tasks, this.jackpots] = [tasks, jackpots];
  }

  async verify(seal = ""): Promise<void> {
    const verification = await this.ask(() => houseApi.verify(seal.trim()));
    this.verified = {
      holds: verification.every((book) => book.holds),
      at: new Date(),
      troubles: verification.flatMap((book) => book.troubles),
    };
  }

  may(action: string): boolean {
    return !!this.me?.may.includes(action);
  }

  action(name: string): HouseAction | undefined {
    return this.actions.find((entry) => entry.name === name);
  }

  titleOf(game: string): string {
    return this.games.find((entry) => entry.name === game)?.title ?? game;
  }

  private async enter(asking: () => Promise<LoggedInUser>): Promise<void> {
    const me = await asking();
    const [actions, people, games, notices] = await Promise.all([
      houseApi.actions(),
      houseApi.names(),
      api.games(),
      houseApi.notices(),
    ]);
    [this.actions, this.people, this.games, this.notices] = [actions, people, games, notices];
    await this.refresh();
    this.me = me;
  }
}
