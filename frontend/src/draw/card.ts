/** A playing card from its code: "Kh", "Td", "Jo"; null lies face down. Three optical sizes, two or four colours. */
import { back, type Detail } from "./back";
import { CARD } from "./card-size";
import { cap, emblem, glyph, letter, LETTER, PIPS, suit } from "./glyphs";

export { CARD } from "./card-size";
export type { Detail } from "./back";

const { W, H } = CARD;
const FRAME = { x: 54, y: 36, w: 132, h: 264 };
const BLACK = "var(--card-black,#16181a)";
const RED = "var(--card-red,#bd1e2d)";
const TWO_COLOURS: Record<string, string> = { s: BLACK, c: BLACK, h: RED, d: RED };
const FOUR_COLOURS: Record<string, string> = {
  ...TWO_COLOURS,
  d: "var(--card-blue,#1c57b3)",
  c: "var(--card-green,#15703d)",
};
const RANKS: Record<string, string> = {
  A: "ace",
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
};
const SUITS: Record<string, string> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

const printed = (rank: string): string => (rank === "T" ? "10" : rank);
const squeeze = (rank: string, by: number): number => (rank === "T" ? by : 1);
const twice = (half: string): string => half + `<g transform="rotate(180 ${W / 2} ${H / 2})">${half}</g>`;

/** Which detail a card of that width is drawn with: as optical sizes do in type. */
export const detailFor = (width: number): Detail => (width < 56 ? "small" : width < 120 ? "medium" : "large");

/** Whether a code names a card. */
export const isCard = (code: string): boolean =>
  code === "Jo" || (code.length === 2 && code[0]! in RANKS && code[1]! in SUITS);

/** A card in words. */
export function named(code: string | null): string {
  if (code === null) return "face-down card";
  return code === "Jo" ? "joker" : `${RANKS[code[0]!]} of ${SUITS[code[1]!]}`;
}

/* The courts' ground: fine waves in a frame, parted by a ribbon; point-symmetric, like the card. */
function ground(): string {
  const { x, y, w, h } = FRAME;
  let waves = "";
  for (let at = -30; at < h + 40; at += 10.5) waves += `M0 ${at} c22 -30 44 -30 66 0 s44 30 66 0 `;
  const box = `x="${x}" y="${y}" width="${w}" height="${h}"`;
  const ribbon = (dy: number): string => `M0 ${160 + dy} C50 ${160 + dy} 82 ${104 + dy} 132 ${104 + dy}`;
  return (
    `<svg ${box} viewBox="0 0 ${w} ${h}" overflow="hidden"><rect width="${w}" height="${h}" ` +
    `fill="currentColor" opacity=".045"/>` +
    `<path d="${waves}" fill="none" stroke="currentColor" stroke-width="1" opacity=".22"/>` +
    `<path d="${ribbon(0)}" fill="none" stroke="var(--card-paper,#fffdf7)" stroke-width="17"/>` +
    `<path d="${ribbon(-8.5)} ${ribbon(8.5)}" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>` +
    `<rect ${box} rx="5" fill="none" stroke="currentColor" stroke-width="2.2"/>`
  );
}

function court(rank: string, s: string): string {
  const queen = rank === "Q";
  const half = emblem(rank, 98, 50, 46) + letter(rank, 98, queen ? 85 : 86, queen ? 55 : 62, 8) + suit(s, 165, 62, 25);
  return ground() + `<path d="M120 160.5 L127.5 168 L120 175.5 L112.5 168 Z" fill="currentColor"/>` + twice(half);
}

function ace(s: string): string {
  const ring = (r: number, weight: number): string =>
    `<circle cx="120" cy="168" r="${r}" fill="none" stroke="currentColor" stroke-width="${weight}" opacity=".35"/>`;
  return ring(78, 1) + ring(83, 2.2) + suit(s, 120, 168, 112);
}

const pips = (rank: string, s: string): string =>
  PIPS[rank]!.map(([x, y]) => suit(s, 82 + x * 76, 66 + y * 204, 44, y > 0.5)).join("");

function large(rank: string, s: string): string {
  const index = glyph(printed(rank), 29, 18, 44, 14.5, squeeze(rank, 0.74)) + suit(s, 29, 86, 34);
  return twice(index) + (rank === "A" ? ace(s) : LETTER[rank] ? court(rank, s) : pips(rank, s));
}

function medium(rank: string, s: string): string {
  const index = glyph(printed(rank), 50, 22, 82, 15.5, squeeze(rank, 0.72)) + suit(s, 50, 144, 60);
  if (!LETTER[rank]) return index + suit(s, 146, 230, rank === "A" ? 164 : 140);
  return (
    index +
    `<g opacity=".16">${suit(s, 148, 226, 168)}</g>` +
    emblem(rank, 150, 150, 84) +
    letter(rank, 150, 214, 92, 9)
  );
}

/* A faint suit leaving the corner keeps a small card from looking half empty. */
const bleed = (s: string): string =>
  `<svg x="3" y="3" width="234" height="330" viewBox="3 3 234 330" overflow="hidden"><g ` +
  `opacity=".13">${suit(s, 206, 276, 176)}</g></svg>`;
const small = (rank: string, s: string): string =>
  bleed(s) + glyph(printed(rank), 74, 26, 136, 17.5, squeeze(rank, 0.74)) + suit(s, 74, 242, 120);

function joker(detail: Detail): string {
  const column = (x: number, y: number, step: number, height: number, weight: number): string =>
    [..."JOKER"].map((letter, i) => glyph(letter, x, y + i * step, height, weight)).join("");
  if (detail === "small") return suit("*", 74, 92, 118) + cap(86, 178, 132);
  if (detail === "medium") return suit("*", 50, 62, 74) + column(50, 112, 36, 28, 16) + cap(150, 168, 150);
  return (
    twice(suit("*", 29, 38, 38) + column(29, 66, 23, 18, 15)) +
    ground() +
    twice(cap(110, 62, 94)) +
    suit("*", 120, 168, 22)
  );
}

const DRAW: Record<Detail, (rank: string, s: string) => string> = { small, medium, large };

/** The card as it stands in its 240 × 336 box, to be placed inside another drawing. */
export function cardBody(code: string | null, detail: Detail, fourColour = false): string {
  const paper =
    `<rect x=".75" y=".75" width="${W - 1.5}" height="${H - 1.5}" rx="16" ` +
    `fill="var(--card-paper,#fffdf7)" stroke="var(--card-edge,#cfc9ba)" stroke-width="1.5"/>`;
  if (code === null || !isCard(code)) return paper + back(detail);
  if (code === "Jo") return `${paper}<g color="var(--card-joker,#6a359c)">${joker(detail)}</g>`;
  const colour = (fourColour ? FOUR_COLOURS : TWO_COLOURS)[code[1]!];
  return `${paper}<g color="${colour}">${DRAW[detail](code[0]!, code[1]!)}</g>`;
}
