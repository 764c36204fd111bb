/** Checks a deal in this browser: the seed opens what was sealed, and every card came where the shuffle puts it. */
import type { Code, Proof, TableEvent, View } from "../wire/types";

const WORD = 2 ** 32;

const rotateRight = (x: number, n: number): number => (x >>> n) | (x << (32 - n));
const rotateLeft = (x: number, n: number): number => (x << n) | (x >>> (32 - n));

/* FIPS 180-4: the fractional parts of the roots of the first primes. */
function primes(count: number): number[] {
  const list: number[] = [];
  for (let n = 2; list.length < count; n++) if (list.every((prime) => n % prime)) list.push(n);
  return list;
}
const fraction = (x: number): number => ((x - Math.floor(x)) * WORD) >>> 0;
const ROUND = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

function padded(text: Uint8Array): DataView {
  const blocks = Math.ceil((text.length + 9) / 64);
  const bytes = new Uint8Array(blocks * 64);
  bytes.set(text);
  bytes[text.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, text.length * 8);
  return view;
}

function schedule(view: DataView, at: number): Uint32Array {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [w[i - 15]!, w[i - 2]!];
    const low = rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3);
    const high = rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10);
    w[i] = (w[i - 16]! + low + w[i - 7]! + high) | 0;
  }
  return w;
}

function compress(state: Uint32Array, w: Uint32Array): void {
  const v = Uint32Array.from(state);
  for (let i = 0; i < 64; i++) {
    const [a, b, c, , e, f, g, h] = v as unknown as number[];
    const mixed = rotateRight(e!, 6) ^ rotateRight(e!, 11) ^ rotateRight(e!, 25);
    const first = (h! + mixed + ((e! & f!) ^ (~e! & g!)) + ROUND[i]! + w[i]!) | 0;
    const second =
      (rotateRight(a!, 2) ^ rotateRight(a!, 13) ^ rotateRight(a!, 22)) + ((a! & b!) ^ (a! & c!) ^ (b! & c!));
    v.copyWithin(1, 0, 7);
    v[4]! += first;
    v[0] = first + second;
  }
  state.forEach((word, i) => (state[i] = word + v[i]!));
}

/** SHA-256 of a text, in hexadecimal. The browser's own is not there on pages without a certificate. */
export function sha256(text: string): string {
  const view = padded(new TextEncoder().encode(text));
  const state = Uint32Array.from(START);
  for (let at = 0; at < view.byteLength; at += 64) compress(state, schedule(view, at));
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function quarter(x: Uint32Array, a: number, b: number, c: number, d: number): void {
  for (const [first, second] of [
    [16, 12],
    [8, 7],
  ] as const) {
    x[a]! += x[b]!;
    x[d] = rotateLeft(x[d]! ^ x[a]!, first);
    x[c]! += x[d]!;
    x[b] = rotateLeft(x[b]! ^ x[c]!, second);
  }
}

const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]; // RFC 8439, 2.3

/* One block of the ChaCha20 keystream: sixteen words. */
function block(key: Uint32Array, counter: number, nonce: number): Uint32Array {
  const start = Uint32Array.from([...SIGMA, ...key, counter, nonce, 0, 0]);
  const x = Uint32Array.from(start);
  for (let i = 0; i < 10; i++) {
    for (let column = 0; column < 4; column++) quarter(x, column, column + 4, column + 8, column + 12);
    for (let k = 0; k < 4; k++) quarter(x, k, 4 + ((k + 1) % 4), 8 + ((k + 2) % 4), 12 + ((k + 3) % 4));
  }
  return x.map((word, i) => word + start[i]!);
}

const hexBytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/* Batches of 32 words: blocks 1 and 2 under the nonces 0, 1, 2 and so on. */
function* words(seed: string): Generator<number> {
  const key = new Uint32Array(hexBytes(seed).buffer); // the lowest byte first, as on every machine with a browser
  for (let batch = 0; ; batch++) for (const counter of [1, 2]) yield* block(key, counter, batch);
}

/** The order of a shoe: any card left may come next, with the same chance. */
export function shuffled(composition: string, seed: string): string[] {
  const cards = composition.split(" ").flatMap((entry) => {
    const [code, count] = entry.split(":");
    return Array<string>(Number(count)).fill(code!);
  });
  const source = words(seed);
  for (let top = 0; top < cards.length; top++) {
    const left = cards.length - top;
    const share = Math.floor(WORD / left);
    let drawn = left;
    while (drawn >= left) drawn = Math.floor(source.next().value! / share);
    [cards[top], cards[top + drawn]] = [cards[top + drawn]!, cards[top]!];
  }
  return cards;
}

/** Where each card of a round came to lie, in the order of the deal: place and index. */
export type DealtPlace = readonly [place: string, index: number];

const placeOf = (event: { to: number; spot?: number | undefined }): string =>
  event.to === -1 ? "dealer" : event.to === -2 ? "board" : `seat ${event.spot ?? event.to}`;

/** The places of the cards that these events deal, after those already dealt. */
export function dealtPlaces(before: readonly DealtPlace[], events: readonly TableEvent[]): DealtPlace[] {
  const places = [...before];
  for (const event of events) {
    if (event.type !== "dealt") continue;
    const place = placeOf(event);
    for (const _ of event.faces) places.push([place, places.filter(([other]) => other === place).length]);
  }
  return places;
}

/* The face at a place, where this viewer has seen it. */
function faceAt(view: View, [place, index]: DealtPlace): Code {
  if (place === "dealer") return view.dealer.cards[index] ?? null;
  if (place === "board") return view.board[index] ?? null;
  return view.seats.find((seat) => `seat ${seat.spot}` === place)?.cards?.[index] ?? null;
}

export interface Verdict {
  isSealed: boolean; // the seed is the one the house committed to
  isSameDeal: boolean; // every card in sight came where the shuffle puts it
  checked: number; // cards compared
  text: string;
}

const verdictWords = (isSealed: boolean, isSameDeal: boolean, checked: number, cards: number): string => {
  if (!isSealed) return "the seed does not open what was sealed";
  if (!isSameDeal) return "a card does not lie where the shuffle puts it";
  return checked
    ? `same shuffle, same cards: ${checked} compared`
    : `the seed opens what was sealed: ${cards} cards in order`;
};

/** The key of the shuffle: the seed, mixed with the cuts of the players where there are any. */
export const shuffleKey = (seed: string, cuts: readonly string[]): string =>
  cuts.length ? sha256(`feltworks cut v1\nseed ${seed}\n${cuts.map((cut) => `cut ${cut}\n`).join("")}`) : seed;

/** Work the proof out: nothing that the house says about it is believed. */
export function verify(proof: Proof, view: View, places: readonly DealtPlace[]): Verdict {
  const { commitment, composition, seed } = proof;
  const mode = commitment.seeded ? "test" : "live";
  const text = `feltworks shoe v1\ncards ${composition}\nshoe ${commitment.shoe_number}\nmode ${mode}\nseed ${seed}\n`;
  const isSealed = sha256(text) === commitment.digest && commitment.digest === view.commitment;
  const order = isSealed ? shuffled(composition, shuffleKey(seed ?? "", commitment.cuts ?? [])) : [];
  const pairs = places.map((place, i) => [faceAt(view, place), order[commitment.position + i]] as const);
  const seen = isSealed ? pairs.filter(([face]) => face !== null) : [];
  const isSameDeal = seen.every(([face, card]) => face === card);
  return {
    isSealed,
    isSameDeal,
    checked: seen.length,
    text: verdictWords(isSealed, isSameDeal, seen.length, order.length),
  };
}
