"""How likely a player takes certain cards while the dealer comes to hold each of many hands."""

from fractions import Fraction
from math import perm, prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.progress import Track
from feltworks.analysis.solvers.numbers import Array, Ints, distinct
from feltworks.analysis.solvers.shoe_game.splits import patterns
from feltworks.analysis.solvers.shoe_game.tallies import (
    CARDS,
    NOTHING,
    Contraction,
    Tally,
    cards_of,
    fits_shoe,
    least_of,
    primes_beyond,
    product,
    ranks,
    reduce,
    remainders,
    size_of,
    slice_tally,
    sum_tallies,
    tally,
)

# Above the cards lie how many have to be of one rank, how many there are, and which part they belong to.
_RANK_BITS, _SIZE_BITS = 4, 7
_RANKS = (1 << _RANK_BITS) - 1
_MARGIN = 2.1  # numbers may be negative, and their bound is a float
_SLICES = 8  # of a long product, to tell of each
_ADDED = 64  # products of remainders that a float adds up exactly
Part = tuple[Tally, Tally]  # two factors of the player's cards


class TakenCards(Struct, frozen=True, eq=False):
    """Cards of one hand, or of the hands of a split: each `free` or `closed` as second cards fall."""

    free: Tally
    closed: Tally = tally({})
    hands: int = 1  # at most; 1 where nothing is split
    times: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """Equal where the same cards are taken."""
        return self.free.key, self.closed.key, self.hands, self.times

    @property
    def effort(self) -> float:
        """About how long it takes to find all ways of these beside others."""
        effort: float = len(self.free.codes) ** (0.45 * self.hands)
        return effort

    def parts(self, counts: Ints, track: Track) -> list[Part]:
        """The cards of all hands, as products of two factors of which the second is that of one hand."""
        if self.hands == 1:
            return [(self.free, NOTHING)]
        ends, least = patterns(self.hands), least_of(self.free, self.closed)
        room = counts - least  # beside the hand that is the second factor
        others = sum_tallies(
            (end.orders, self._power(end.closed, end.free - 2, room - least)) for end in ends if end.free
        )
        short = sum_tallies(
            (end.orders, self._power(end.closed - 1, 0, room)) for end in ends if not end.free
        )
        # The longest product comes last, and tells how far it has come.
        slices = track.branches([(1, free) for free in slice_tally(self.free, _SLICES)])
        most = sum_tallies((1, product(free, others, room)) for _, free in slices)
        parts = [(most, self.free), (short, self.closed)]
        return [part for part in parts if len(part[0].codes) and len(part[1].codes)]

    def _power(self, closed: int, free: int, counts: Ints) -> Tally:
        power = NOTHING
        for factor in [self.closed] * closed + [self.free] * free:
            power = product(power, factor, counts)
        return power


def likely(taken: TakenCards, hands: Ints, counts: Ints, track: Track) -> dict[int, list[Fraction]]:
    """By how many of the player's cards are of one rank: how likely with each of the dealer's hands."""
    stages = track.branches([(1, "cards"), (2, "ways")])
    next(stages)
    parts = [
        part
        for part in taken.parts(counts, track)
        if fits_shoe(_with_hands(part, hands).ravel(), counts).any()
    ]
    next(stages)
    chances = _JointDraws(parts, hands, counts).likely(taken.times, track) if parts else {}
    next(stages, None)
    return chances


def _with_hands(part: Part, hands: Ints) -> Ints:
    """The dealer's hands with the cards of a second factor, all of which the first lies beside."""
    both: Ints = cards_of(part[1].codes)[:, None] + hands
    return both


class _Term(Struct, frozen=True):
    """Alike cards of a second factor: which of the wanted hands they make with each of the dealer's."""

    place: Ints
    ways: Array
    columns: Ints  # of the first factor's labels
    targets: Ints  # the labels they come to together


class _JointDraws:
    """Parts of the player's cards, beside the dealer's hands."""

    def __init__(self, parts: list[Part], hands: Ints, counts: Ints) -> None:
        self.hands, self.total = hands, int(counts.sum())
        codes = np.concatenate([_label(first.codes, part) for part, (first, _) in enumerate(parts)])
        order = np.argsort(codes)
        self.weights: Array = np.concatenate([first.ways for first, _ in parts])[order]
        every = [_with_hands(part, hands) for part in parts]
        flat = np.concatenate([both.ravel() for both in every])
        fits = fits_shoe(flat, counts)
        wanted, inner = ranks(flat[fits])
        place = np.full(len(flat), len(wanted))  # what the shoe cannot give comes to nothing
        place[fits] = inner
        self.contraction = Contraction(codes[order], wanted, counts)
        ends = np.cumsum([both.size for both in every])[:-1]
        places = [one.reshape(-1, len(hands)) for one in np.split(place, ends)]
        self.labels, self.terms = _terms(self.contraction.labels, parts, places)

    def likely(self, times: int, track: Track) -> dict[int, list[Fraction]]:
        """By how many are of one rank, for each hand."""
        whole, sizes = self._whole(track), size_of(self.hands).tolist()
        of_rank, taken = self.labels & _RANKS, self.labels >> _RANK_BITS
        chances = {}
        for ranked in distinct(of_rank):
            here = np.flatnonzero(of_rank == ranked)
            rows = zip(whole[:, here].tolist(), sizes, strict=True)
            chances[ranked] = [times * self._chance(row, taken[here].tolist(), size) for row, size in rows]
        return chances

    def _chance(self, ways: list[int], taken: list[int], size: int) -> Fraction:
        """Ways with so many cards taken each, and so many with the dealer, as one fraction."""
        left = self.total - size
        most = min(max(taken), left)
        parts = (n * perm(left - each, most - each) for n, each in zip(ways, taken, strict=True) if n)
        return Fraction(sum(parts), perm(self.total, most + size))

    def _whole(self, track: Track) -> Array:
        """The ways for each hand and label, from what is left of them after division by primes."""
        primes = primes_beyond(_MARGIN * float(self._ways(0).max(initial=1)))
        every, ways = prod(primes), np.zeros((len(self.hands), len(self.labels)), object)
        for _, prime in track.branches([(1, prime) for prime in primes]):
            others = every // prime
            ways += self._ways(prime).astype(np.int64).astype(object) * (others * pow(others, -1, prime))
        ways %= every
        return np.where(ways > every // 2, ways - every, ways)

    def _ways(self, prime: int) -> Array:
        """For each hand and label: ways modulo a prime, or without one about how many at most."""
        wanted = self.contraction.ways(self.weights, prime)
        wanted = np.append(wanted, np.zeros_like(wanted[:1]), axis=0)
        sums = np.zeros((len(self.hands), len(self.labels)))
        for term in self.terms:
            ways, rows = remainders(term.ways, prime), wanted[:, term.columns]
            for here in range(0, len(ways), _ADDED):
                some = slice(here, here + _ADDED)
                sums[:, term.targets] += np.einsum("a,ahl->hl", ways[some], rows[term.place[some]])
                reduce(sums, prime)
        return sums


def _label(codes: Ints, part: int) -> Ints:
    """Cards with their number and their part above them."""
    return codes + (size_of(codes) << CARDS + _RANK_BITS) + (part << CARDS + _RANK_BITS + _SIZE_BITS)


def _terms(labels: Ints, parts: list[Part], places: list[Ints]) -> tuple[Ints, list[_Term]]:
    """Which labels there are in the end, and what comes to each."""
    terms, reached = [], []
    for part, ((_, second), place) in enumerate(zip(parts, places, strict=True)):
        columns = np.flatnonzero(labels >> _RANK_BITS + _SIZE_BITS == part)
        first = labels[columns] & (1 << _RANK_BITS + _SIZE_BITS) - 1
        kinds, kind = ranks(_label(second.codes, 0) >> CARDS)
        for here, label in enumerate(kinds.tolist()):
            alike = np.flatnonzero(kind == here)
            reached.append(first + label)
            terms.append(_Term(place[alike], second.ways[alike], columns, reached[-1]))
    every, _ = ranks(np.concatenate(reached))
    return every, [replace(term, targets=np.searchsorted(every, term.targets)) for term in terms]
