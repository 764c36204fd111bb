"""The sources of a table's cards: a deck shuffled every round, a shoe with a cut card, a shuffler."""

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct

from feltworks.cards import Card, Shoe
from feltworks.dealing.seed import (
    Commitment,
    Reveal,
    Seed,
    ShoeEmpty,
    Shuffle,
    check_cut,
    check_seed,
    composition_text,
    digest,
    shuffle_key,
)
from feltworks.errors import BadOption, BadSeed, NotNow
from feltworks.rules.terms import Terms

__all__ = [
    "CardSource",
    "Commitment",
    "CommittedSource",
    "ContinuousShuffler",
    "CutCardShoe",
    "Reveal",
    "ShoeEmpty",
    "SingleDeck",
    "source_for",
]

# The most cards that a hand usually takes in a round; a small shoe keeps enough of them behind the cut card.
CARDS_PER_HAND = 4
_SPOTS = 7


class CardSource(Protocol):
    """The methods of a card source; a table deals from it round by round."""

    def begin_round(self) -> Commitment:
        """Shuffle if due, and return the commitment to the shoe."""

    def deal(self, count: int) -> tuple[Card, ...]:
        """The next cards; raises ShoeEmpty if there are too few."""

    def end_round(self) -> Reveal | None:
        """End the round; returns the seed if its shoe is finished."""

    def restore(self, seed: bytes, commitment: Commitment, drawn: int) -> None:
        """Resume an interrupted round: the same shoe, with `drawn` cards of this round already dealt."""

    @property
    def secret(self) -> str:
        """The current seed in hexadecimal: for the house's own storage, never for a log or a view."""


@runtime_checkable
class CommittedSource(Protocol):
    """A source that commits to its next shoe before the wagers, and lets players cut it."""

    def announce(self) -> Commitment:
        """The commitment for the next round, before the players' cuts are added."""

    def cut(self, cuts: Sequence[str]) -> None:
        """Mix the players' cuts into the next shoe; a shoe already in use stays as it is."""


class _SealedShoe(Struct, frozen=True):
    """A shoe that is committed to but not yet shuffled."""

    seed: Seed
    number: int
    digest: str


class _ShoeInForce(Struct, frozen=True):
    """A shuffled shoe with its number, its commitment and the players' cuts."""

    seed: Seed
    number: int
    digest: str
    shuffle: Shuffle
    cuts: tuple[str, ...] = ()


class _ShuffledCards:
    """The base of the three sources: each shoe has a seed, committed to before play and revealed afterwards."""

    def __init__(self, shoe: Shoe, *, burned: int = 0, before_cut: int = 0, seed: int | None = None) -> None:
        self.shoe: Final = shoe
        self.burned: Final = burned
        self._before_cut: Final = before_cut  # the shoe ends with the round that reaches this many cards
        self._announced: Final = seed
        self._unshuffled: Final = shoe.all_cards()
        self._composition: Final = composition_text(shoe)
        self._in_force: _ShoeInForce | None = None
        self._next: _SealedShoe | None = None
        self._cuts: tuple[str, ...] = ()
        self._is_spent = True  # after a round: whether the next one needs a new shuffle
        self._is_dealing = False

    def begin_round(self) -> Commitment:
        """Shuffle if due, and return the commitment to the shoe."""
        if self._is_dealing:
            raise NotNow("a round is being dealt; end it before the next one begins")
        if self._is_spent or self._in_force is None:
            self._in_force = self._shuffle_shoe()
        self._is_dealing = True
        shoe = self._in_force
        return self._commitment(shoe)

    def announce(self) -> Commitment:
        """The commitment for the next round, before the players' cuts are added."""
        if self._in_force is not None and (self._is_dealing or not self._is_spent):
            return self._commitment(self._in_force)
        shoe = self._seal_next()
        return Commitment(shoe.digest, shoe.number, self.burned, shoe.seed.seeded, self.shoe.total)

    def cut(self, cuts: Sequence[str]) -> None:
        """Mix the players' cuts into the next shoe; a shoe already in use stays as it is."""
        if self._is_dealing:
            raise NotNow("a round is being dealt; cards are cut before its first card")
        self._cuts = tuple(map(check_cut, cuts))

    def _commitment(self, shoe: _ShoeInForce) -> Commitment:
        position, total = shoe.shuffle.position, self.shoe.total
        return Commitment(shoe.digest, shoe.number, position, shoe.seed.seeded, total, shoe.cuts)

    def _seal_next(self) -> _SealedShoe:
        if self._next is None:
            number = self._in_force.number + 1 if self._in_force else 1
            seed = Seed.live() if self._announced is None else Seed.of_number(self._announced, number)
            self._next = _SealedShoe(seed, number, digest(seed, self._composition, number))
        return self._next

    def _shuffle_shoe(self) -> _ShoeInForce:
        sealed, cuts = self._seal_next(), self._cuts
        self._next, self._cuts = None, ()
        shuffle = Shuffle(self._unshuffled, shuffle_key(sealed.seed, cuts))
        if self.burned:
            shuffle.deal(self.burned)
        return _ShoeInForce(sealed.seed, sealed.number, sealed.digest, shuffle, cuts)

    def deal(self, count: int) -> tuple[Card, ...]:
        """The next cards."""
        shoe = self._in_force
        if shoe is None or not self._is_dealing:
            raise NotNow("no round is being dealt; begin one before dealing a card")
        return shoe.shuffle.deal(count)

    def end_round(self) -> Reveal | None:
        """End the round; returns the seed if its shoe is finished."""
        if not self._is_dealing or self._in_force is None:
            raise NotNow("no round is being dealt; begin one before ending it")
        self._is_dealing = False
        shoe = self._in_force
        self._is_spent = shoe.shuffle.position >= self._before_cut
        return Reveal(shoe.seed.reveal(), shoe.number, shoe.seed.seeded) if self._is_spent else None

    def restore(self, seed: bytes, commitment: Commitment, drawn: int) -> None:
        """Resume an interrupted round; a wrong seed or count is refused and changes nothing."""
        saved = Seed(seed, seeded=commitment.seeded)
        check_seed(commitment, saved, self._composition)
        if min(commitment.position, drawn) < 0 or commitment.position + drawn > self.shoe.total:
            raise BadSeed(f"{drawn} cards from position {commitment.position} are not in a {self.shoe.total}-card shoe")
        shuffle = Shuffle(self._unshuffled, shuffle_key(saved, commitment.cuts))
        shuffle.deal(commitment.position + drawn)
        number, cuts = commitment.shoe_number, commitment.cuts
        self._in_force = _ShoeInForce(saved, number, commitment.digest, shuffle, cuts)
        self._next, self._cuts = None, ()
        self._is_dealing = True

    @property
    def secret(self) -> str:
        """The current seed in hexadecimal: for the house's own storage, never for a log or a view."""
        if self._in_force is None:
            raise NotNow("nothing is shuffled yet; begin a round first")
        return self._in_force.seed.reveal()

    def __repr__(self) -> str:
        shoe = self._in_force
        is_seeded = shoe.seed.seeded if shoe else self._announced is not None
        number, mode = shoe.number if shoe else 0, "seeded" if is_seeded else "live"
        return f"<{type(self).__name__} of {self.shoe.total} cards, shoe {number}, {mode}>"


class SingleDeck(_ShuffledCards):
    """FB.1, SP.1: shuffled for every round; the seed is revealed after each."""


class ContinuousShuffler(_ShuffledCards):
    """An ideal continuous shuffler: every round is dealt from the full shoe, freshly shuffled.

    The buffer of a real machine delays the return of the last round's cards. This one has no
    buffer.
    """


class CutCardShoe(_ShuffledCards):
    """A shoe dealt down to its cut card.

    The round that reaches the cut card is finished; then the shoe is shuffled
    and its seed revealed. `cut_card_at` counts the cards behind the cut card; without it `penetration` is
    the share of the shoe before the cut card, in percent. Burned cards leave a fresh shoe unseen and count
    as dealt.
    """

    def __init__(
        self,
        shoe: Shoe,
        *,
        cut_card_at: int | None = None,
        penetration: int = 75,
        burned: int = 1,
        seed: int | None = None,
    ) -> None:
        if not 1 <= penetration <= 100:
            raise BadOption("penetration", penetration, "a whole number of percent from 1 to 100")
        if not 0 <= burned < shoe.total:
            raise BadOption("burned", burned, f"a number of cards from 0 to {shoe.total - 1}")
        behind = cards_behind(shoe, penetration) if cut_card_at is None else cut_card_at
        if not 0 <= behind < shoe.total - burned:
            raise BadOption("cut_card_at", behind, f"a number of cards from 0 to {shoe.total - burned - 1}")
        super().__init__(shoe, burned=burned, before_cut=shoe.total - behind, seed=seed)
        self.cut_card_at: Final = behind


def cards_behind(shoe: Shoe, penetration: int) -> int:
    """The number of cards behind a cut card that is placed at this percentage of the shoe."""
    return shoe.total - shoe.total * penetration // 100


def source_for(terms: Terms, *, seed: int | None = None, penetration: int = 75) -> CardSource:
    """The source that the terms of a game require; a number as `seed` selects test mode.

    A small shoe keeps enough cards behind the cut card for a full table, whatever the penetration.
    """
    if terms.rulebook.cards.shuffle == "every round":
        return SingleDeck(terms.shoe, seed=seed)
    if _option(terms, "shoe") == "continuous":
        return ContinuousShuffler(terms.shoe, seed=seed)
    spots = _option(terms, "spots")
    hands = (spots if isinstance(spots, int) else _SPOTS) + 1
    behind = max(cards_behind(terms.shoe, penetration), min(CARDS_PER_HAND * hands, terms.shoe.total - 2))
    return CutCardShoe(terms.shoe, cut_card_at=behind, penetration=penetration, seed=seed)


def _option(terms: Terms, option: str) -> object:
    name = terms.rulebook.option_name(option)
    return None if name is None else terms[name]
