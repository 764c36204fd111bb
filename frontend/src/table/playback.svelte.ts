/** The running animation: everything is in its final place already and only appears to travel. */
import { STILL, type Motions } from "../scene/motion";
import { noise } from "./sound";

const REDUCED = "(prefers-reduced-motion: reduce)";
const REDUCED_TIME = 140;

export class Playback {
  motion = $state.raw<Motions>(STILL);
  epoch = $state(0);
  saying = $state<string | null>(null);
  isPlaying = $derived(this.motion.total > 0);

  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(private readonly atRest: () => void) {}

  /** Animate the events; the dealer's last words stay until there are new ones. */
  play(next: Motions, saidBefore: string | null, says: string | null): void {
    this.stop();
    if (!next.total) return this.stand(says);
    const isReduced = matchMedia(REDUCED).matches;
    this.motion = next;
    this.epoch++;
    this.saying = saidBefore;
    const after = (at: number, act: () => void): void => void this.timers.push(setTimeout(act, isReduced ? 0 : at));
    for (const { at, text } of next.said) after(at, () => (this.saying = text));
    if (!isReduced) for (const sound of noise.of(next)) after(sound.at, sound.make);
    this.timers.push(setTimeout(() => this.rest(says), isReduced ? REDUCED_TIME : next.total));
  }

  /** Skip to the end. */
  skip(says: string | null): void {
    if (!this.isPlaying) return;
    this.stop();
    this.rest(says);
  }

  stop(): void {
    this.timers.forEach(clearTimeout);
    this.timers = [];
  }

  private rest(says: string | null): void {
    this.stand(says);
    this.atRest();
  }

  private stand(says: string | null): void {
    this.motion = STILL;
    this.saying = says;
  }
}
