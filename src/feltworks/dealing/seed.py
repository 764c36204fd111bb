"""The seed of a shoe: committed to before the first card, revealed afterwards, checked by anyone.

How a seed determines its shoe, exactly (docs/explanation/dealing.md works it through by hand):

1. A live seed is 32 bytes from the operating system's secret source, fresh for every shoe. In test mode it
   is the SHA-256 of three lines, "feltworks test seed v1", "number N" and "shoe K" (N the announced number,
   K the shoe's number counted from 1, both decimal), and every record of the shoe says `seeded`.
2. The commitment is the SHA-256, in lower-case hexadecimal, of five lines: "feltworks shoe v1"; "cards L", L
   listing every face with its count as "2c:1 2d:1 …" with one space between, ranks from 2 to A, within a
   rank c d h s, the joker Jo last; "shoe K"; "mode live" or "mode test"; "seed S", S the seed in lower-case
   hexadecimal. All lines are ASCII and each ends with one line feed.
   It is published before the wagers of the shoe's first round. Players may cut these cards: each cut is a
   text of 1 to 64 letters and digits. Without a cut the key is the seed. With cuts it is the SHA-256 of
   "feltworks cut v1", "seed S" and a line "cut C" for each cut, in the order in which they are published.
3. Words come in batches of 32. Batch i = 0, 1, 2 … is the keystream of ChaCha20 (RFC 8439) in blocks 1 and 2,
   with that key and i, in twelve bytes, the lowest first, as nonce: what ChaCha20-Poly1305 encrypts with.
   Every four bytes of it, the lowest first, are one word; words are used in order.
4. A number below n: with p = 2^32 // n, take the next word w until w // p < n; that quotient is the number.
5. Unshuffled, the cards lie in the order of L, equal faces side by side. For i = 0, 1, 2 … draw a number d
   below (cards − i) and exchange the cards at i and i + d. Card i of the shoe is then the one at i.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from feltworks.cards import Card, Shoe
from feltworks.dealing.shuffle import Shuffle
from feltworks.errors import BadOption, BadSeed

SEED_BYTES: Final = 32
_CUT: Final = re.compile(r"[0-9A-Za-z]{1,64}")


class Commitment(Struct, frozen=True, omit_defaults=True):
    """What the house publishes before the first card of a round, so that it cannot change the cards."""

    digest: str
    shoe_number: int
    position: int  # cards of the shoe before the round's first one, burned ones included
    seeded: bool  # test mode: the announced number determines every card
    cards: int  # in the whole shoe
    cuts: tuple[str, ...] = ()  # the players' cuts before the first round of the shoe


class Reveal(Struct, frozen=True, gc=False):
    """The seed of a finished shoe, so that anyone can check it."""

    seed: str
    shoe_number: int
    seeded: bool


class Seed:
    """The 32 bytes that determine a shoe; only `reveal` shows them."""

    __slots__ = ("raw", "seeded")

    def __init__(self, raw: bytes, *, seeded: bool) -> None:
        if len(raw) != SEED_BYTES:
            raise BadSeed(f"a seed is {SEED_BYTES} bytes, 64 hexadecimal digits, not {len(raw)} bytes")
        self.raw: Final = raw
        self.seeded: Final = seeded

    @classmethod
    def live(cls) -> "Seed":
        """A fresh random seed."""
        return cls(secrets.token_bytes(SEED_BYTES), seeded=False)

    @classmethod
    def of_number(cls, number: int, shoe_number: int) -> "Seed":
        """The seed of test mode: the same number gives the same shoes, which are marked `seeded`."""
        text = f"feltworks test seed v1\nnumber {number}\nshoe {shoe_number}\n"
        return cls(hashlib.sha256(text.encode()).digest(), seeded=True)

    @classmethod
    def parse(cls, text: str, *, seeded: bool) -> "Seed":
        """Read a revealed seed."""
        try:
            return cls(bytes.fromhex(text), seeded=seeded)
        except ValueError:
            raise BadSeed("a seed is written with 64 hexadecimal digits") from None

    def reveal(self) -> str:
        """The seed in hexadecimal."""
        return self.raw.hex()

    def __repr__(self) -> str:
        return f"<Seed, {'seeded' if self.seeded else 'live'}, kept secret>"


def composition_text(shoe: Shoe) -> str:
    """The composition of a shoe as the commitment lists it.

    >>> from feltworks.cards import cards, JOKER
    >>> composition_text(Shoe({cards("Ac")[0]: 2, cards("2d")[0]: 2, JOKER: 1}))
    '2d:2 Ac:2 Jo:1'
    """
    return " ".join(f"{face.code}:{count}" for face, count in shoe.items())


def digest(seed: Seed, composition: str, shoe_number: int) -> str:
    """The hash that commits to a seed for one shoe of this composition."""
    mode = "test" if seed.seeded else "live"
    text = f"feltworks shoe v1\ncards {composition}\nshoe {shoe_number}\nmode {mode}\nseed {seed.reveal()}\n"
    return hashlib.sha256(text.encode()).hexdigest()


def check_cut(text: str) -> str:
    """Return a player's cut for the key; refuse texts that can be written in two ways."""
    if not _CUT.fullmatch(text):
        raise BadOption("cut", text, "1 to 64 letters and digits")
    return text


def shuffle_key(seed: Seed, cuts: Sequence[str]) -> bytes:
    """The key of the shuffle: the seed, mixed with the players' cuts if there are any.

    The house commits to the seed before it knows the cuts, and players cut before they know the seed, so
    neither side can choose the cards.
    """
    if not cuts:
        return seed.raw
    lines = ["feltworks cut v1", f"seed {seed.reveal()}", *(f"cut {text}" for text in cuts)]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def check_seed(commitment: Commitment, seed: Seed, composition: str) -> None:
    """Refuse a seed other than the one committed to."""
    if digest(seed, composition, commitment.shoe_number) != commitment.digest:
        shoe = f"shoe {commitment.shoe_number}, {commitment.digest[:12]}…"
        raise BadSeed(f"seed, cards, shoe number and mode must all be those committed to for {shoe}")


def verify(commitment: Commitment, seed: str, shoe: Shoe) -> tuple[Card, ...]:
    """The order of all cards in the shoe, if this revealed seed is the one committed to."""
    revealed = Seed.parse(seed, seeded=commitment.seeded)
    check_seed(commitment, revealed, composition_text(shoe))
    return Shuffle(shoe.all_cards(), shuffle_key(revealed, commitment.cuts)).deal(shoe.total)
