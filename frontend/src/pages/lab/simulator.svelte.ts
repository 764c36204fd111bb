/** A simulation that runs on the server: started, followed as it is counted, stopped. */
import type { Configuration } from "./configuration";
import type { MeasuredWager, SimulationResult, SimulatorMessage } from "../../wire/types";
import { ratio } from "./numbers";

export interface Look {
  rounds: number;
  wagers: Record<string, MeasuredWager>;
}

const UNIT = 60_000; // cents on the wager, so that halves, thirds and fifths of it are whole

/** The start message of a configuration: its wager and those beside it, shuffled as the analysis assumes. */
export function startOf(at: Configuration, rounds: number, seed: number | null): Record<string, unknown> {
  const beside = Object.entries(at.beside);
  const isJoint = beside.some(([, said]) => said);
  return {
    type: "start",
    game: at.game,
    wagers: isJoint
      ? [`${at.wager}=${UNIT}`, ...beside.map(([name, said]) => `${name}=${Math.round(UNIT * ratio(said || "1"))}`)]
      : [at.wager, ...Object.keys(at.beside)],
    strategy: at.strategy || (isJoint ? "joint" : ""),
    pay_tables: at.payTable ? [`${at.wager}=${at.payTable}`] : [],
    decks: at.decks,
    set: Object.entries(at.options).map(([name, value]) => `${name}=${value}`),
    jackpot: at.jackpot,
    seats: at.seats === 1 ? null : at.seats,
    fresh: true,
    rounds,
    seed,
  };
}

export class Simulator {
  state = $state<"idle" | "starting" | "waiting" | "running" | "done">("idle");
  looks = $state.raw<Look[]>([]);
  of = $state(0);
  pace = $state(0);
  seed = $state<number | null>(null);
  trouble = $state("");
  ahead = $state(0); // simulations that wait before this one
  madeWay = $state(false);
  result = $state.raw<SimulationResult | null>(null);
  #socket: WebSocket | null = null;

  get last(): Look | null {
    return this.looks.at(-1) ?? null;
  }
  get isRunning(): boolean {
    return this.state === "starting" || this.state === "waiting" || this.state === "running";
  }

  start(at: Configuration, rounds: number, seed: number | null): void {
    this.close();
    Object.assign(this, { state: "starting", looks: [], trouble: "", result: null, of: rounds, pace: 0, seed });
    const socket = (this.#socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/lab/simulate`,
    ));
    socket.onopen = () => socket.send(JSON.stringify(startOf(at, rounds, seed)));
    socket.onmessage = ({ data }) => this.hear(JSON.parse(String(data)) as SimulatorMessage);
    socket.onclose = () => {
      if (this.#socket === socket && this.isRunning)
        this.#end("The connection was lost; what was counted until then is shown.");
    };
  }

  stop(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: "stop" }));
  }

  /** One message of the server's. */
  hear(message: SimulatorMessage): void {
    if (message.type === "waiting") Object.assign(this, { state: "waiting", ahead: message.ahead });
    else if (message.type === "started") Object.assign(this, { state: "running", seed: message.seed, of: message.of });
    else if (message.type === "tally") {
      this.pace = message.rounds_per_second;
      this.#add({ rounds: message.rounds, wagers: message.wagers });
    } else if (message.type === "done") {
      this.result = message.result;
      this.madeWay = message.made_way;
      this.pace = message.result.rounds_per_second;
      this.#add({ rounds: message.result.rounds, wagers: message.result.wagers });
      this.#end("");
    } else this.#end(message.error);
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    if (this.isRunning) this.state = "idle";
  }

  #add(look: Look): void {
    if (look.rounds > (this.last?.rounds ?? 0)) this.looks = [...this.looks, look];
  }

  #end(trouble: string): void {
    this.trouble = trouble;
    this.state = "done";
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
