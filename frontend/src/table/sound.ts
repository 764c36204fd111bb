/** Four synthesised sounds, off by default: card, turn, chips, "no more bets". */
import { preferences } from "../app/preferences.svelte";
import type { Motions } from "../scene/motion";

let audio: AudioContext | null = null;

/* A short burst of filtered noise: how far down it rings, how high, how loud. */
function burst(seconds: number, pitch: number, loudness: number): void {
  if (!preferences.sound) return;
  audio ??= new AudioContext();
  const samples = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const wave = samples.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = (Math.random() * 2 - 1) * (1 - i / wave.length) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer: samples });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: loudness }))
    .connect(audio.destination);
  source.start();
}

export const noise = {
  card: (): void => burst(0.07, 2600, 0.25),
  turn: (): void => burst(0.09, 1700, 0.3),
  chips: (): void => burst(0.05, 4200, 0.35),
  closed: (): void => burst(0.16, 520, 0.5),

  /** What a batch of motion sounds like, and when. */
  of({ moving, leavingChips }: Motions): { at: number; make: () => void }[] {
    const made = { deal: noise.card, tuck: noise.card, burn: noise.card, take: noise.chips, pay: noise.chips };
    const heard = [...moving.values()].flatMap(({ gesture, at, turnAt }) => [
      ...(gesture ? [{ at, make: made[gesture] }] : []),
      ...(turnAt === null ? [] : [{ at: turnAt, make: noise.turn }]),
    ]);
    return [...heard, ...leavingChips.map(({ motion }) => ({ at: motion.at, make: noise.chips }))];
  },
};
