/** A table's WebSocket: numbered actions, their answers, and reconnection. */
import type { Action, Advice, ServerMessage } from "./types";

export type Connection = "connecting" | "open" | "lost" | "closed";
const NO_SUCH_TABLE = 4404;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 2000; // a seat has to be back within five seconds, also when the first attempts fail

/** An action that changed nothing, and why. */
export class ActionRefused extends Error {
  constructor(
    message: string,
    readonly kind: string,
  ) {
    super(message);
  }
}

/** How long to wait before the next attempt: twice as long each time, a little apart from everybody else. */
export const backoff = (attempt: number, spread: number): number =>
  Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.75 + spread / 2);

interface Pending {
  done: (advice: Advice | null) => void;
  refused: (trouble: ActionRefused) => void;
}

export interface Listener {
  message: (message: ServerMessage) => void;
  connection: (state: Connection) => void;
}

/** How a session reaches its table. */
export interface Transport {
  connect(): void;
  send(action: Action): Promise<Advice | null>;
  leave(): void;
  hurry(): void;
}

export class LiveTable implements Transport {
  private socket: WebSocket | null = null;
  private readonly pending = new Map<number, Pending>();
  private next = 1;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLeft = false;

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {}

  connect(): void {
    this.listener.connection(this.attempt ? "lost" : "connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.listener.connection("open");
    };
    socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data) as ServerMessage);
    socket.onclose = (event) => this.lost(event.code);
  }

  /** Send an action; resolves when it was carried out, rejects with the reason when it was refused. */
  send(action: Action): Promise<Advice | null> {
    const id = this.next++;
    return new Promise((done, refused) => {
      if (this.socket?.readyState !== WebSocket.OPEN)
        return refused(new ActionRefused("The connection is lost and coming back; nothing was sent.", "NotSent"));
      this.pending.set(id, { done, refused });
      this.socket.send(JSON.stringify({ id, ...action }));
    });
  }

  leave(): void {
    this.isLeft = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  /** Reconnect now: the player has come back to the page. */
  hurry(): void {
    if (this.timer === undefined || this.isLeft) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.connect();
  }

  private hear(message: ServerMessage): void {
    if (message.type === "done") this.answer(message.id)?.done(null);
    else if (message.type === "refused")
      this.answer(message.id)?.refused(new ActionRefused(message.error, message.kind));
    else if (message.type === "coach") this.answer(message.id)?.done(message);
    else this.listener.message(message);
  }

  private answer(id: number | null): Pending | undefined {
    const waiting = id === null ? undefined : this.pending.get(id);
    if (id !== null) this.pending.delete(id);
    return waiting;
  }

  private lost(code: number): void {
    for (const { refused } of this.pending.values())
      refused(new ActionRefused("The connection was lost before the table answered.", "Lost"));
    this.pending.clear();
    if (this.isLeft) return;
    if (code === NO_SUCH_TABLE) return this.listener.connection("closed");
    this.listener.connection("lost");
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.connect();
      },
      backoff(this.attempt++, Math.random()),
    );
  }
}

/** Where a table's live connection is. */
export function liveAddress(id: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/api/tables/${encodeURIComponent(id)}/live`;
}
