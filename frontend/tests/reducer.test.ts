import { describe, expect, it } from "vitest";
import { advise, decisionKey, afterReconnect, reduce, secondsLeft, UNKNOWN, type Model } from "../src/wire/reducer";
import type { Advice, ServerMessage, TableEvent, View } from "../src/wire/types";
import { dealtView, view } from "./examples";

const state = (n: number, shown: View, events: TableEvent[] = []): ServerMessage => ({
  type: "state",
  n,
  view: shown,
  events,
});
const told = (...messages: ServerMessage[]): Model =>
  messages.reduce((model, message) => reduce(model, message, 1000), UNKNOWN);
const choosing = (): View =>
  dealtView({ decisions: [{ spot: 2, about: "", subject: "", offers: [], unanswered: "" }] });

describe("what a tab knows", () => {
  it("is the newest state; one that was overtaken changes nothing", () => {
    const model = told(state(2, view({ name: "new" })), state(1, view({ name: "old" })));
    expect([model.n, model.view?.name]).toEqual([2, "new"]);
  });

  it("joins events to the state they lead to, and to no other", () => {
    const dealt: TableEvent = { type: "dealt", to: 0, faces: ["Kh"] };
    const model = told(state(1, view()), state(2, dealtView(), [dealt]));
    expect(model.events).toEqual([dealt]);
    expect(reduce(model, state(3, dealtView()), 0).events).toEqual([]);
  });

  it("remembers what was tucked and burned until the next round", () => {
    const tucked = told(
      state(1, dealtView()),
      state(2, dealtView(), [
        { type: "tucked", seat: 0, under: "tie" },
        { type: "burned", at: 0, index: 2 },
      ]),
    );
    expect(tucked.lying.tucked).toEqual({ 2: "tie" });
    expect([...tucked.lying.burned]).toEqual(["2:2"]);
    expect(reduce(tucked, state(3, dealtView({ round: 2 })), 0).lying.tucked).toEqual({});
  });

  it("takes from the state itself what was tucked, after a reconnection", () => {
    const shown = dealtView();
    shown.seats[1]!.tucked = "play";
    shown.seats[1]!.burned = [2];
    const { lying } = told(state(1, shown));
    expect(lying.tucked).toEqual({ 2: "play" });
    expect([...lying.burned]).toEqual(["2:2"]);
  });

  it("clears a discarded hand while the round goes on, and leaves it to be looked at when it is over", () => {
    const gone: TableEvent[] = [{ type: "discarded", seat: 0 }];
    expect(told(state(1, dealtView(), gone)).lying.discarded.has(2)).toBe(true);
    expect(told(state(1, dealtView({ running: false }), gone)).lying.discarded.has(2)).toBe(false);
  });

  it("comes back to the same state after a lost connection, whatever its number, and nothing travels", () => {
    const before = told(state(40, dealtView()));
    const after = reduce(afterReconnect(before), state(1, dealtView()), 0);
    expect(after.view).toEqual(before.view);
    expect(after.events).toEqual([]);
  });

  it("keeps advice for the decision it is about, and drops it with the next", () => {
    const asked = told(state(1, choosing()));
    const advice: Advice = {
      type: "coach",
      id: 1,
      spot: 2,
      best: "hit",
      values: [{ name: "hit", value: -5, exact: null }],
    };
    const advised = advise(asked, decisionKey(asked.view), advice);
    expect(reduce(advised, state(2, choosing()), 0).advice?.best).toBe("hit");
    const another = choosing();
    another.seats[1]!.cards = ["Kh", "Tc", "2c", null];
    expect(reduce(advised, state(2, another), 0).advice).toBeNull();
    const gone = reduce(asked, state(2, another), 0);
    expect(advise(gone, decisionKey(asked.view), advice).advice).toBeNull();
  });

  it("counts down by its own clock, and stands still when paused", () => {
    const running = told(state(1, view({ countdown: { for: "wagers", ends_in: 20, of: 25, paused: false } })));
    expect(secondsLeft(running, 6000)).toBe(15);
    expect(secondsLeft(running, 60000)).toBe(0);
    const paused = told(state(1, view({ countdown: { for: "wagers", ends_in: 20, of: 25, paused: true } })));
    expect(secondsLeft(paused, 60000)).toBe(20);
    expect(secondsLeft(told(state(1, view())), 0)).toBeNull();
  });

  it("is not changed by answers to actions", () => {
    const model = told(state(1, view()));
    expect(reduce(model, { type: "done", id: 3 }, 0)).toBe(model);
    expect(reduce(model, { type: "refused", id: 3, kind: "NotNow", error: "too late" }, 0)).toBe(model);
  });
});
