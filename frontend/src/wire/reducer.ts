/** The model of a table in this tab, as a reducer: server messages in, the next model out. */
import { follow, NOTHING, fromView, type Gestures } from "../scene/gestures";
import type { Advice, ServerMessage, TableEvent, View } from "./types";

export interface Model {
  n: number;
  view: View | null;
  before: View | null; // the view this one came from, for motion
  lying: Gestures;
  lyingBefore: Gestures;
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

function withState(model: Model, n: number, view: View, events: readonly TableEvent[], now: number): Model {
  if (n <= model.n) return model; // a state once overtaken says nothing new
  const isNewRound = view.round !== model.view?.round;
  const start = isNewRound ? NOTHING : model.lying;
  const lying = fromView(follow(start, events, view), view);
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

/** The next model. Only states change it; answers to actions belong to their sender. */
export function reduce(model: Model, message: ServerMessage, now: number): Model {
  if (message.type === "state") return withState(model, message.n, message.view, message.events, now);
  return model;
}

/** The model with the coach's advice; advice about another decision is ignored. */
export function advise(model: Model, key: string, advice: Advice): Model {
  return decisionKey(model.view) === key ? { ...model, advice, advisedAt: key } : model;
}

/** A message in place of advice. */
export const silence = (hint: string): Advice => ({ type: "coach", id: 0, spot: 0, best: null, values: [], hint });

/** The model after a reconnection: the next state is taken whatever its number, without animation. */
export const afterReconnect = (model: Model): Model => ({ ...model, n: 0, events: [] });

/** Seconds left on the clock, by this tab's own time. */
export function secondsLeft(model: Model, now: number): number | null {
  const clock = model.view?.countdown;
  if (!clock) return null;
  return clock.paused ? clock.ends_in : Math.max(0, clock.ends_in - (now - model.at) / 1000);
}
