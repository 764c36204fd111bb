/** What this tab knows of a table: server messages in, the next model out; nothing else changes it. */
import { follow, NOTHING, stated, type Lying } from "../scene/lying";
import type { Advice, ServerMessage, TableEvent, View } from "./types";

export interface Model {
  n: number;
  view: View | null;
  before: View | null; // the view this one came from, for motion
  lying: Lying;
  lyingBefore: Lying;
  events: readonly TableEvent[]; // what led from one to the other
  advice: Advice | null;
  advisedAt: string; // the decision the advice is about
  at: number; // when the view came, in this tab's time
}

export const UNKNOWN: Model = {
  n: 0,
  view: null,
  before: null,
  lying: NOTHING,
  lyingBefore: NOTHING,
  events: [],
  advice: null,
  advisedAt: "",
  at: 0,
};

/** Which decision stands open: advice for another one is out of date. */
export function decisionKey(view: View | null): string {
  const open = view?.decisions[0];
  if (!view || !open) return "";
  const seat = view.seats.find((one) => one.spot === open.spot);
  return [view.round, open.spot, open.about, seat?.cards?.length, view.lines.length].join("/");
}

function received(model: Model, n: number, view: View, events: readonly TableEvent[], now: number): Model {
  if (n <= model.n) return model; // a state once overtaken says nothing new
  const isNewRound = view.round !== model.view?.round;
  const start = isNewRound ? NOTHING : model.lying;
  const lying = stated(follow(start, events, view), view);
  const advice = decisionKey(view) === model.advisedAt ? model.advice : null;
  return {
    ...model,
    n,
    view,
    before: model.view,
    lying,
    lyingBefore: isNewRound ? NOTHING : model.lying,
    events,
    advice,
    at: now,
  };
}

/** The next model. Answers to actions are the sender's business and change nothing here. */
export function reduce(model: Model, message: ServerMessage, now: number): Model {
  if (message.type === "state") return received(model, message.n, message.view, message.events, now);
  return model;
}

/** The model with what the coach said about a decision; said too late, it changes nothing. */
export function advise(model: Model, key: string, advice: Advice): Model {
  return decisionKey(model.view) === key ? { ...model, advice, advisedAt: key } : model;
}

/** What stands in the coach's place when it gives no advice. */
export const silence = (hint: string): Advice => ({ type: "coach", id: 0, spot: 0, best: null, values: [], hint });

/** After a connection was lost: the next state counts, whatever its number, and nothing travels to it. */
export const reconnected = (model: Model): Model => ({ ...model, n: 0, events: [] });

/** Seconds left on the clock, by this tab's own time. */
export function secondsLeft(model: Model, now: number): number | null {
  const clock = model.view?.countdown;
  if (!clock) return null;
  return clock.paused ? clock.ends_in : Math.max(0, clock.ends_in - (now - model.at) / 1000);
}
