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
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from feltworks.cards import Card, Shoe
from feltworks.errors import BadOption, BadSeed, FeltError, ShoeExhausted

_AT_A_TIME: Final = 6


class ShoeEmpty(ShoeExhausted):
    """A card was requested after the last one had been dealt."""

    def __init__(self, held: int) -> None:
        self.code, self.held = "", held
        # the message of ShoeExhausted names one face; here all cards are gone
        FeltError.__init__(self, f"all {held} cards of the shoe are dealt; the round can only be voided")


class Shuffle:
    """A Fisher–Yates shuffle from the top: the next card is any of those left, with equal chance.

    The seed fixes the whole order, so cards are computed when needed, a few at a time to save calls.
    """

    __slots__ = ("_cards", "_stream", "_worked_out", "position")

    def __init__(self, unshuffled: Iterable[Card], seed: bytes) -> None:
        self._cards: Final = list(unshuffled)  # in their final order as far as it is computed
        self._stream: Final = Stream(seed)
        self._worked_out = 0
        self.position = 0

    def deal(self, count: int) -> tuple[Card, ...]:
        """The next cards."""
        top, end = self.position, self.position + count
        if end > self._worked_out:
            self._work_out(end)
        self.position = end
        return tuple(self._cards[top:end])

    def _work_out(self, wanted: int) -> None:
        cards, top = self._cards, self._worked_out
        if wanted > len(cards):
            raise ShoeEmpty(len(cards))
        count = min(max(wanted - top, _AT_A_TIME), len(cards) - top)
        for below_top in self._stream.draw_decreasing(len(cards) - top, count):
            place = top + below_top
            cards[place], cards[top] = cards[top], cards[place]
            top += 1
        self._worked_out = top


WORDS: Final = 2**32  # the number of words: a word is four bytes, the lowest first
_BATCH = struct.Struct("<32I")
_BLANK = bytes(_BATCH.size)  # zeros, encrypted, are the keystream itself
_NONCE_BYTES = 12


class Stream:
    """A stream of whole numbers that depends on the seed alone.

    >>> stream = Stream(bytes(32))
    >>> [stream.below(52) for _ in range(6)]
    [38, 24, 25, 2, 32, 21]
    """

    __slots__ = ("_batches", "_cipher", "_words")

    def __init__(self, seed: bytes) -> None:
        # Setting up the plain cipher takes longer than this one with its first batch.
        self._cipher: Final = ChaCha20Poly1305(seed)
        self._batches = 0
        self._words: Iterator[int] = iter(())

    def below(self, limit: int) -> int:
        """A number from 0 to limit − 1; every number corresponds to equally many words."""
        if not 0 < limit <= WORDS:
            raise ValueError(f"a draw has from 1 to {WORDS} possible results, not {limit}")
        return self.draw_decreasing(limit, 1)[0]

    def draw_decreasing(self, limit: int, count: int) -> list[int]:
        """Unbiased numbers below limit, limit − 1, limit − 2 …."""
        numbers: list[int] = []
        share = WORDS // limit  # words for each number; remaining words are skipped
        while count:
            for word in self._words:
                if (drawn := word // share) < limit:
                    numbers.append(drawn)
                    count -= 1
                    if not count:
                        return numbers
                    limit -= 1
                    share = WORDS // limit
            self._words = iter(self._next_batch())
        return numbers

    def _next_batch(self) -> tuple[int, ...]:
        nonce = self._batches.to_bytes(_NONCE_BYTES, "little")
        self._batches += 1
        return _BATCH.unpack_from(self._cipher.encrypt(nonce, _BLANK, None))  # the tag after them is unused


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
