/** The pen's alphabet: ranks, suits, court letters and emblems as strokes and curves, without font or image. */
import { hundredth as r } from "./figures";

/* Centre lines in a box 100 high: advance and path. The pen's weight is chosen per size. */
const GLYPH: Record<string, readonly [number, string]> = {
  A: [68, "M7 92 L34 8 L61 92 M16.5 65 H51.5"],
  0: [64, "M32 8 C47 8 55 24 55 50 C55 76 47 92 32 92 C17 92 9 76 9 50 C9 24 17 8 32 8 Z"],
  1: [40, "M8 24 L27 9 V92"],
  2: [66, "M9 32 C9 17 19 8 33 8 C47 8 56 17 56 30 C56 41 50 50 40 60 L10 90.5 H59"],
  3: [
    66,
    "M10 25 C13 14 21 8 32 8 C45 8 54 16 54 28 C54 41 45 48 31 48 C47 48 57 57 57 70 C57 83 47 92 32 " +
      "92 C20 92 12 86 8 75",
  ],
  4: [68, "M47 92 V9 L8 69 H63"],
  5: [66, "M54 9 H17 L13 46 C18 41 25 38.5 33 38.5 C48 38.5 57.5 49 57.5 64 C57.5 81 47 92 32 92 C20 92 12 86 8 76"],
  6: [
    66,
    "M45 8 C25 24 8.5 43 8.5 66 C8.5 82 18 92 33 92 C48 92 57.5 82 57.5 66.5 C57.5 51 48 41.5 34 " +
      "41.5 C22 41.5 12.5 49 9.5 59",
  ],
  7: [62, "M7 9 H56 L25 92"],
  8: [
    66,
    "M33 8 C45 8 53 16 53 28 C53 40 45 48 33 48 C21 48 13 40 13 28 C13 16 21 8 33 8 Z M33 48 C48 48 " +
      "58 57 58 70 C58 83 48 92 33 92 C18 92 8 83 8 70 C8 57 18 48 33 48 Z",
  ],
  9: [
    66,
    "M21 92 C41 76 57.5 57 57.5 34 C57.5 18 48 8 33 8 C18 8 8.5 18 8.5 33.5 C8.5 49 18 58.5 32 58.5 " +
      "C44 58.5 53.5 51 56.5 41",
  ],
  J: [58, "M48 8 V66 C48 83 40 92 27 92 C15 92 8 84 7 70"],
  Q: [72, "M36 8 C53 8 64 25 64 50 C64 75 53 92 36 92 C19 92 8 75 8 50 C8 25 19 8 36 8 Z M40 67 L66 97"],
  K: [68, "M11 8 V92 M58 8 L13 60 M28 43 L62 92"],
  O: [72, "M36 8 C53 8 64 25 64 50 C64 75 53 92 36 92 C19 92 8 75 8 50 C8 25 19 8 36 8 Z"],
  E: [60, "M54 9 H11 V91 H54 M11 49 H47"],
  R: [66, "M11 92 V9 H33 C48 9 56 17 56 30 C56 43 48 51 33 51 H11 M35 51 L59 92"],
  ".": [26, "M13 84 V92"],
};

/** Text drawn with strokes; x is its middle, y its top. */
export function glyph(text: string, x: number, y: number, height: number, weight = 15, squeeze = 1): string {
  const k = height / 100;
  let at = 0;
  let out = "";
  for (const letter of text) {
    const [advance, path] = GLYPH[letter] ?? GLYPH["."]!;
    out += `<path d="${path}" transform="translate(${at} 0)"/>`;
    at += advance + 4;
  }
  const left = r(x - ((at - 4) * k * squeeze) / 2);
  return (
    `<g transform="translate(${left} ${r(y)}) scale(${r(k * squeeze)} ${r(k)})" fill="none" ` +
    `stroke="currentColor" stroke-width="${weight}" stroke-linejoin="miter" stroke-miterlimit="1.6">` +
    `${out}</g>`
  );
}

/* Suits in a 100 × 100 box; "*" is the joker's star. */
const SUIT: Record<string, string> = {
  h:
    "M50 95 C44 84 7 60 7 31 C7 15 18 5 31 5 C40 5 47 10 50 18 C53 10 60 5 69 5 C82 5 93 15 93 31 " +
    "C93 60 56 84 50 95 Z",
  d: "M50 2 C58 19 71 36 87 50 C71 64 58 81 50 98 C42 81 29 64 13 50 C29 36 42 19 50 2 Z",
  s:
    "M50 4 C57 20 93 40 93 65 C93 78 83 87 71.5 87 C63 87 56.5 83 52.8 76.5 C53.6 86 58 92 67 97 H33 " +
    "C42 92 46.4 86 47.2 76.5 C43.5 83 37 87 28.5 87 C17 87 7 78 7 65 C7 40 43 20 50 4 Z",
  c:
    "M50 4 C61.6 4 70.5 12.8 70.5 23.8 C70.5 30 67.5 35.5 63 39.5 C65.6 38.3 68.6 37.6 71.8 37.6 " +
    "C83.6 37.6 93 46.8 93 58.2 C93 69.6 83.6 78.8 71.8 78.8 C64 78.8 56.8 74.8 53 68.8 C53.4 82 58 " +
    "90.5 67.5 97 H32.5 C42 90.5 46.6 82 47 68.8 C43.2 74.8 36 78.8 28.2 78.8 C16.4 78.8 7 69.6 7 " +
    "58.2 C7 46.8 16.4 37.6 28.2 37.6 C31.4 37.6 34.4 38.3 37 39.5 C32.5 35.5 29.5 30 29.5 23.8 " +
    "C29.5 12.8 38.4 4 50 4 Z",
  "*": "M50 3 L61.5 36.5 L97 37 L68.6 58.2 L79 92 L50 71.8 L21 92 L31.4 58.2 L3 37 L38.5 36.5 Z",
};

/** One suit, its middle at x, y. */
export const suit = (of: string, x: number, y: number, size: number, flip = false): string =>
  `<path d="${SUIT[of] ?? SUIT["*"]}" fill="currentColor" transform="translate(${r(x)} ` +
  `${r(y)})${flip ? " rotate(180)" : ""} scale(${r(size / 100)}) translate(-50 -50)"/>`;

/* Court letters: a high-contrast monogram, filled, in a 100 × 100 box. */
export const LETTER: Record<string, string> = {
  K:
    "M4 0 H42 V3.5 H33 V56 L76 3.5 H64 V0 H96 V3.5 H81.5 L55 35.8 L90 96.5 H100 V100 H60 V96.5 H67.5 " +
    "L42.5 51 L33 62.5 V96.5 H42 V100 H4 V96.5 H13.5 V3.5 H4 Z",
  Q:
    "M50 -1 C77 -1 96 20 96 50 C96 73 85 90.5 67.5 97.5 C73 106 80 110 88 110 C93.5 110 97 107.5 100 " +
    "103 L102.5 104.5 C98.5 114 91 119.5 81 119.5 C66 119.5 57.5 111 52.5 101 L50 101 C23 101 4 80 4 " +
    "50 C4 20 23 -1 50 -1 Z M50 2.6 C33 2.6 25.5 20 25.5 50 C25.5 80 33 97.4 50 97.4 C67 97.4 74.5 " +
    "80 74.5 50 C74.5 20 67 2.6 50 2.6 Z",
  J:
    "M30 0 H80 V3.5 H68 V70 C68 91 55 102 37 102 C22 102 12 94.5 12 83.5 C12 76 17.5 70.5 25 70.5 " +
    "C32 70.5 37 75 37 81.5 C37 87 33.8 90.5 29.5 92 C31.5 96 35 98.4 38.5 98.4 C45.5 98.4 48.5 91 " +
    "48.5 76 V3.5 H30 Z",
};
/* What stands over the letter: king crown, queen coronet, jack plume; 100 × 64. */
const EMBLEM: Record<string, string> = {
  K:
    "M47.6 0 H52.4 V5 H57.5 V9.6 H52.4 V16 L69 35 L90 19 L83 51 H17 L10 19 L31 35 L47.6 16 V9.6 " +
    "H42.5 V5 H47.6 Z M17 56 H83 V63 H17 Z M10 10.5 a4.5 4.5 0 1 1 -.01 0 Z M90 10.5 a4.5 4.5 0 1 1 " +
    "-.01 0 Z",
  Q:
    "M17 51 C15 38 11 28 4 20 C15 25 24 31 29 38 C34 29 42 21 50 12 C58 21 66 29 71 38 C76 31 85 25 " +
    "96 20 C89 28 85 38 83 51 Z M17 56 H83 V63 H17 Z M50 0 a5 5 0 1 1 -.01 0 Z M27 18 a4.5 4.5 0 1 1 " +
    "-.01 0 Z M73 18 a4.5 4.5 0 1 1 -.01 0 Z M4 7 a4.5 4.5 0 1 1 -.01 0 Z M96 7 a4.5 4.5 0 1 1 -.01 " +
    "0 Z",
  J:
    "M12 64 C20 34 44 8 92 0 C90 9 86 16 80 22 L70 22.5 L76 26 C71 32 66 36 60 39.5 L49 38.5 L55 " +
    "42.3 C46 47 36 49.5 27.5 50 C35 40 46 29 62 18 C43 26 27 41 17.5 64 Z",
};

export const emblem = (rank: string, x: number, y: number, width: number): string =>
  `<path d="${EMBLEM[rank]}" fill="currentColor" transform="translate(${r(x - width / 2)} ${r(y)}) ` +
  `scale(${r(width / 100)})"/>`;

export function letter(rank: string, x: number, y: number, height: number, halo = 0): string {
  const edge = halo ? ` stroke="var(--card-paper,#fffdf7)" stroke-width="${halo}" paint-order="stroke"` : "";
  return (
    `<path d="${LETTER[rank]}" fill="currentColor" fill-rule="evenodd"${edge} ` +
    `transform="translate(${r(x - height / 2)} ${r(y)}) scale(${r(height / 100)})"/>`
  );
}

const CAP = // the joker's cap with three bells, 120 × 104
  "M24 86 C23 74 20 64 3 60 C4 31 33 19 47 47 C45 27 50 13 60 3 C70 13 75 27 73 47 C87 19 116 31 " +
  "117 60 C100 64 97 74 96 86 C74 80 46 80 24 86 Z";
const BELLS =
  "M4 61 a7 7 0 1 1 -.01 0 Z M60 -9 a7 7 0 1 1 -.01 0 Z M116 61 a7 7 0 1 1 -.01 0 Z M24 92 C46 86 " +
  "74 86 96 92 L95 102 C74 96 46 96 25 102 Z";

/** The joker's cap. */
export const cap = (x: number, y: number, width: number): string =>
  `<g transform="translate(${r(x - width / 2)} ${r(y)}) scale(${r(width / 120)})"><path d="${CAP}" ` +
  `fill="currentColor"/><path d="${BELLS}" fill="var(--card-joker-2,#b5852a)"/></g>`;

/* Pips, as fractions of the pip field. */
const L = 0,
  M = 0.5,
  R = 1,
  third = 1 / 3;
export const PIPS: Record<string, readonly (readonly [number, number])[]> = {
  2: [
    [M, 0],
    [M, 1],
  ],
  3: [
    [M, 0],
    [M, 0.5],
    [M, 1],
  ],
  4: [
    [L, 0],
    [R, 0],
    [L, 1],
    [R, 1],
  ],
  5: [
    [L, 0],
    [R, 0],
    [M, 0.5],
    [L, 1],
    [R, 1],
  ],
  6: [
    [L, 0],
    [R, 0],
    [L, 0.5],
    [R, 0.5],
    [L, 1],
    [R, 1],
  ],
  7: [
    [L, 0],
    [R, 0],
    [M, 0.25],
    [L, 0.5],
    [R, 0.5],
    [L, 1],
    [R, 1],
  ],
  8: [
    [L, 0],
    [R, 0],
    [M, 0.25],
    [L, 0.5],
    [R, 0.5],
    [M, 0.75],
    [L, 1],
    [R, 1],
  ],
  9: [
    [L, 0],
    [R, 0],
    [L, third],
    [R, third],
    [M, 0.5],
    [L, 2 * third],
    [R, 2 * third],
    [L, 1],
    [R, 1],
  ],
  T: [
    [L, 0],
    [R, 0],
    [M, third / 2],
    [L, third],
    [R, third],
    [L, 2 * third],
    [R, 2 * third],
    [M, 1 - third / 2],
    [L, 1],
    [R, 1],
  ],
};
