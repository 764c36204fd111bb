import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backoff, LiveTable, type Connection } from "../src/wire/socket";
import type { ServerMessage } from "../src/wire/types";

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(readonly address: string) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.drop(1000);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  drop(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

function opened(): { live: LiveTable; heard: ServerMessage[]; states: Connection[] } {
  const heard: ServerMessage[] = [];
  const states: Connection[] = [];
  const live = new LiveTable("ws://table", {
    message: (message) => heard.push(message),
    connection: (state) => states.push(state),
  });
  live.connect();
  FakeSocket.made.at(-1)!.open();
  return { live, heard, states };
}

beforeEach(() => {
  FakeSocket.made = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a live table", () => {
  it("numbers actions and matches each answer to its own", async () => {
    const { live } = opened();
    const first = live.send({ type: "ready" });
    const second = live.send({ type: "withdraw", spot: 2 });
    const socket = FakeSocket.made[0]!;
    expect(socket.sent.map((text) => JSON.parse(text))).toEqual([
      { id: 1, type: "ready" },
      { id: 2, type: "withdraw", spot: 2 },
    ]);
    socket.say({ type: "refused", id: 2, kind: "NotNow", error: "too late" });
    socket.say({ type: "done", id: 1 });
    await expect(first).resolves.toBeNull();
    await expect(second).rejects.toMatchObject({ message: "too late", kind: "NotNow" });
  });

  it("comes back after a loss, later each time, and refuses what was under way", async () => {
    const { live, states } = opened();
    const waiting = live.send({ type: "ready" });
    FakeSocket.made[0]!.drop();
    await expect(waiting).rejects.toMatchObject({ kind: "Lost" });
    await expect(live.send({ type: "ready" })).rejects.toMatchObject({ kind: "NotSent" });
    vi.advanceTimersByTime(600);
    expect(FakeSocket.made).toHaveLength(2);
    FakeSocket.made[1]!.open();
    expect(states).toEqual(["connecting", "open", "lost", "lost", "open"]);
  });

  it("waits up to two seconds between attempts, give or take a quarter", () => {
    expect([0, 1, 2, 10].map((attempt) => backoff(attempt, 0.5))).toEqual([400, 800, 1600, 2000]);
    expect(backoff(10, 1)).toBeLessThanOrEqual(2500);
  });

  it("tries at once when somebody comes back to the page", () => {
    const { live } = opened();
    FakeSocket.made[0]!.drop();
    live.hurry();
    expect(FakeSocket.made).toHaveLength(2);
  });

  it("does not come back to a table that is gone, nor after leaving", () => {
    const { states } = opened();
    FakeSocket.made[0]!.drop(4404);
    const left = opened();
    left.live.leave();
    vi.advanceTimersByTime(60000);
    expect(states.at(-1)).toBe("closed");
    expect(FakeSocket.made).toHaveLength(2);
  });
});
