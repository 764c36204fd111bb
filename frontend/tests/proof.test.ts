import { describe, expect, it } from "vitest";
import { dealtPlaces, sha256, shuffled, shuffleKey, verify } from "../src/table/proof";
import type { Proof, TableEvent, View } from "../src/wire/types";

const DECK = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
  .flatMap((rank) => ["c", "d", "h", "s"].map((suit) => `${rank}${suit}:1`))
  .join(" ");
const SEED = "00".repeat(32);

describe("a deal worked out in the browser", () => {
  it("hashes as FIPS 180-4 has it", () => {
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256("a".repeat(1000))).toBe("41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
  });
  it("draws as the dealing does: 38, 24, 25, 2, 32, 21 below 52", () => {
    const order = shuffled(DECK, SEED);
    expect(new Set(order).size).toBe(52);
    expect(order[0]).toBe(DECK.split(" ")[38]!.split(":")[0]);
  });
  it("follows the cuts of players to the cards, as the page on dealing shows", () => {
    const seed = "71d4fc47689f9b4c8dd825c60b00dfb2198158ab4266f02e35b621d5227e47d5";
    expect(shuffleKey(seed, [])).toBe(seed);
    const order = shuffled(DECK, shuffleKey(seed, ["c0ffee"]));
    expect([order[0], order[1], order[3]]).toEqual(["9s", "As", "3c"]);
  });
  it("finds a card that lies elsewhere, and a seed that was not sealed", () => {
    const order = shuffled(DECK, SEED);
    const text = `feltworks shoe v1\ncards ${DECK}\nshoe 1\nmode live\nseed ${SEED}\n`;
    const commitment = { digest: sha256(text), shoe_number: 1, position: 0, seeded: false, cards: 52 };
    const proof: Proof = { round: 1, commitment, composition: DECK, seed: SEED, verified: true, dealt: [], next: null };
    const events = [
      { type: "dealt", to: 0, spot: 3, faces: [order[0]!, null] },
      { type: "dealt", to: -1, faces: [order[2]!] },
    ] as TableEvent[];
    const places = dealtPlaces([], events);
    const view = (dealer: string): View =>
      ({
        commitment: commitment.digest,
        dealer: { cards: [dealer] },
        board: [],
        seats: [{ spot: 3, player: "Ann", cards: [order[0]!, null] }],
      }) as unknown as View;
    expect(verify(proof, view(order[2]!), places)).toMatchObject({ isSealed: true, isSameDeal: true, checked: 2 });
    expect(verify(proof, view(order[3]!), places)).toMatchObject({ isSealed: true, isSameDeal: false });
    expect(verify({ ...proof, seed: "11".repeat(32) }, view(order[2]!), places).isSealed).toBe(false);
  });
});
