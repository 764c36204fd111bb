/** A request to the laboratory: its answer, its progress where it takes long, and its end when nobody waits. */
import { untrack } from "svelte";
import { Refused } from "../../wire/http";
import type { WorkProgress } from "../../wire/types";

const AWAY = "The server does not answer. Nothing was lost; try again in a moment.";
const LOOK_AFTER = 1200; // ms until the first look at how far it is
const LOOK_EVERY = 700;

async function fetchJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const answer = await fetch(path, { signal, credentials: "same-origin" }).catch((trouble: unknown) => {
    if (signal.aborted) throw trouble;
    throw new Refused(AWAY, "Unreachable", null, null, 0);
  });
  if (answer.ok) return (await answer.json()) as T;
  const { error, kind } = (await answer.json().catch(() => ({}))) as { error?: string; kind?: string };
  throw new Refused(error ?? AWAY, kind ?? "", null, null, answer.status);
}

export class LabRequest<T> {
  value = $state.raw<T | null>(null);
  trouble = $state("");
  progress = $state.raw<WorkProgress | null>(null);
  address = $state("");
  isWorking = $state(false);
  milliseconds = $state(0);
  #abort: AbortController | null = null;
  #look: ReturnType<typeof setTimeout> | undefined;

  /** Request an address once and abandon the request before; reading the answer does not repeat the request. */
  ask(address: string): void {
    untrack(() => {
      if (address !== this.address) this.#begin(address);
    });
  }

  #begin(address: string): void {
    this.leave();
    this.address = address;
    this.trouble = "";
    this.isWorking = true;
    const abort = (this.#abort = new AbortController());
    const began = performance.now();
    this.#look = setTimeout(() => void this.#watch(address, abort), LOOK_AFTER);
    void fetchJson<T>(address, abort.signal)
      .then((value) => {
        if (abort.signal.aborted) return;
        this.value = value;
        this.milliseconds = performance.now() - began;
      })
      .catch((trouble: Error) => {
        if (abort.signal.aborted) return;
        this.value = null;
        this.trouble = trouble.message;
      })
      .finally(() => {
        if (this.#abort === abort) this.#end();
      });
  }

  /** Abandon the request; the server stops computing when nobody waits. */
  leave(): void {
    this.#abort?.abort();
    this.#end();
  }

  /** Stop with an error. */
  stop(): void {
    this.leave();
    this.value = null;
    this.trouble = "Stopped before it was finished.";
  }

  again(): void {
    this.#begin(this.address);
  }

  forget(): void {
    untrack(() => this.leave());
    this.address = "";
    this.value = null;
    this.trouble = "";
  }

  #end(): void {
    clearTimeout(this.#look);
    this.#abort = null;
    this.isWorking = false;
    this.progress = null;
  }

  async #watch(address: string, abort: AbortController): Promise<void> {
    const answer = await fetchJson<WorkProgress | null>(
      `/api/lab/progress?of=${encodeURIComponent(address)}`,
      abort.signal,
    ).catch(() => null);
    if (this.#abort !== abort) return;
    this.progress = answer ?? this.progress;
    this.#look = setTimeout(() => void this.#watch(address, abort), LOOK_EVERY);
  }
}
