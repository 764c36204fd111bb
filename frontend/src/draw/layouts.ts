/** What each game prints on its cloth. A game that is not named here gets a layout drawn from its wagers. */
import type { GameTold, OptionValue, WagerTold } from "../wire/types";
import type { Furniture } from "./furniture";
import type { Shape, Spot } from "./spots";

/** A card that lies beside the others until it is used. */
export interface Aside {
  index: number;
  label: string;
}

export interface Layout {
  title: string;
  rule: string;
  band?: string;
  hand: number; // how far the cards lie from the rail
  spots: readonly Spot[];
  furniture: Furniture;
  dealerOrder?: readonly number[]; // from left to right, by the order of the deal
  dealerLabels?: readonly string[]; // by the order of the deal
  dealerApart?: number;
  aside?: Aside;
  fan: readonly string[];
  text: string;
}

export type Options = Readonly<Record<string, OptionValue>>;

const INSURANCE: Spot = { wager: "insurance", label: [], shape: "bare", r: 18, x: 0, y: -268 };
const BAND = "INSURANCE PAYS 2 TO 1";
const DEALER = ["Hole card", "Up card"];

function blackjackRule(options: Options): string {
  const pays = String(options["blackjack-pays"] ?? "3:2").replace(":", " TO ");
  const stands = options["soft17"] === "hit" ? "DEALER HITS SOFT 17" : "DEALER STANDS ON ALL 17s";
  return `BLACKJACK PAYS ${pays} · ${stands}`;
}

const SHARED: Readonly<Record<number, readonly number[]>> = { 1: [0], 2: [-36, 38], 3: [-62, 0, 64] }; // a row of so many

const spot = (wager: string, label: string, shape: Shape, r: number, x: number, y: number, main = false): Spot => ({ wager, label: label.split("|"), shape, r, x, y, main });

const shared = (one: Spot): Spot => ({ ...one, shares: true });

const LAYOUTS: Readonly<Record<string, (options: Options) => Layout>> = {
  "fu-bacc": () => ({
    title: "FU BACC", rule: "DEALER STANDS ON 6 OR MORE · DRAWS ONE CARD ON 5 OR LESS", hand: -180, furniture: "shuffler",
    dealerOrder: [2, 1, 0], dealerLabels: ["Up card", "Hole card", "Hit card"], dealerApart: 2, aside: { index: 2, label: "Hit card" },
    spots: [{ ...spot("ante", "ANTE", "circle", 25, 0, -58), pays: { x: -0.86, y: 0.5 } }, spot("play", "PLAY 2×", "circle", 25, 0, -126), spot("tie", "TIE", "circle", 20, -60, -82), spot("lucky-monkey", "LUCKY|MONKEY", "hex", 22, 60, -82)],
    fan: ["Kh", "Tc", "9s"], text: "Two or three cards, nearest to nine. Fold or play double, take the bonus or the rescue.",
  }),
  "acey-deucey-21": (options) => ({
    title: "ACEY DEUCEY 21", rule: blackjackRule(options), band: BAND, hand: -186, furniture: "shoe", dealerLabels: DEALER,
    spots: [spot("blackjack", "BLACKJACK", "circle", 25, 0, -54, true), spot("acey-deucey", "ACEY|DEUCEY", "spread", 18, -46, -122), { ...spot("raise", "RAISE", "circle", 18, 0, -130), pays: { x: 0.6, y: -0.8 } }, spot("war", "WAR", "shield", 18, 46, -122), INSURANCE],
    fan: ["As", "2d"], text: "Blackjack with two bonus wagers: will the up card fall between your two, and is yours higher?",
  }),
  "lucky-break": (options) => ({
    title: "LUCKY BREAK", rule: blackjackRule(options), band: BAND, hand: -184, furniture: "shoe", dealerLabels: DEALER,
    spots: [spot("blackjack", "BLACKJACK", "circle", 27, 0, -58), spot("lucky-break", "LUCKY BREAK", "broken", 22, 0, -130), INSURANCE],
    fan: ["6c", "Tc", "9c"], text: "Blackjack that pays you when the dealer breaks, and far more when every card is of one suit.",
  }),
  "spanish-poker": () => ({
    title: "SPANISH POKER", rule: "DEALER QUALIFIES WITH A PAIR OF 6s OR BETTER", hand: -186, furniture: "shuffler",
    spots: [spot("ante", "ANTE", "circle", 23, -36, -60), spot("raise", "RAISE 2×", "circle", 23, 36, -60), shared(spot("dos-pares", "DOS|PARES", "diamond", 22, -36, -134)), shared(spot("joker-in-hand", "JOKER|IN HAND", "hex", 20, 0, -134)), shared(spot("gran-progressive", "GRAN|PROGRESSIVE", "sensor", 17, 38, -134))],
    fan: ["Ah", "Jo", "Jh"], text: "Forty-one cards, one wild joker, five-card showdown. Raise double or fold.",
  }),
  "lucky-lucky": (options) => ({
    title: "LUCKY LUCKY", rule: blackjackRule(options), band: BAND, hand: -180, furniture: "shoe", dealerLabels: DEALER,
    spots: [spot("blackjack", "BLACKJACK", "circle", 27, 0, -56, true), spot("lucky-lucky", "LUCKY|LUCKY", "clover", 22, -44, -124), spot("lucky-break", "LUCKY|BREAK", "broken", 21, 44, -124), INSURANCE],
    fan: ["7s", "7d", "7h"], text: "Your two cards and the dealer’s make three: 6-7-8, three sevens, or 19 to 21.",
  }),
};

const words = (title: string): string => title.toUpperCase().split(/\s+/).join("|");

/* Main wagers nearest to the rail, what is derived from them above, bonus wagers on either side. */
function drawn(wagers: readonly WagerTold[]): Spot[] {
  const of = (kind: string): WagerTold[] => wagers.filter((wager) => wager.kind === kind);
  const row = (list: WagerTold[], y: number, gap: number, r: number, shape: Shape): Spot[] =>
    list.map((wager, i) => spot(wager.name, words(wager.title), shape, r, (i - (list.length - 1) / 2) * gap, y, wager.kind === "main"));
  const bonus = of("bonus").map((wager, i) =>
    spot(wager.name, words(wager.title), "hex", 20, (i % 2 ? -1 : 1) * (66 + 8 * Math.floor(i / 2)), -70 - 62 * Math.floor(i / 2)),
  );
  return [...row(of("main"), -58, 62, 24, "circle"), ...row(of("derived"), -128, 50, 21, "circle"), ...bonus];
}

function unknown(game: GameTold): Layout {
  const titles = game.wagers.map((wager) => wager.title);
  return {
    title: game.title.toUpperCase(), rule: "", hand: -186, furniture: "shoe", spots: drawn(game.wagers),
    fan: ["As", "Kh", "Qd"], text: `Wagers: ${titles.join(", ")}.`,
  };
}

/** A table that leaves a wager out does not print it; spots that share a row close up where there is room. */
export function offeredOnly(layout: Layout, offered: ReadonlySet<string>): Layout {
  const spots = layout.spots.filter((one) => offered.has(one.wager) || one.shape === "bare");
  const sharing = spots.filter((one) => one.shares);
  const at = SHARED[sharing.length];
  if (!at) return { ...layout, spots };
  return { ...layout, spots: spots.map((one) => (one.shares ? { ...one, x: at[sharing.indexOf(one)]! } : one)) };
}

/** Games in the order of their cloths; those without one of their own come last. */
export function inOrder(games: readonly GameTold[]): GameTold[] {
  const known = Object.keys(LAYOUTS);
  const rank = ({ name }: GameTold): number => (known.includes(name) ? known.indexOf(name) : known.length);
  return [...games].sort((a, b) => rank(a) - rank(b));
}

/** The layout of a game, posted with these options. */
export function layoutOf(game: GameTold, options: Options = {}): Layout {
  return LAYOUTS[game.name]?.(options) ?? unknown(game);
}

/** Which spots a table prints: what it has limits for, and what follows from those wagers. */
export function offeredAt(game: GameTold, limits: Readonly<Record<string, unknown>>): Set<string> {
  const offered = new Set(Object.keys(limits));
  for (const wager of game.wagers) if (wager.kind === "derived" && wager.of && offered.has(wager.of)) offered.add(wager.name);
  return offered.size ? offered : new Set(game.wagers.map((wager) => wager.name));
}
