"""How likely a player takes certain cards while the dealer comes to hold each of many hands."""

from fractions import Fraction
from math import perm, prod

import numpy as np
from msgspec import Struct

from feltworks.analysis.progress import Track
from feltworks.analysis.solvers.numbers import Array, Ints, distinct
from feltworks.analysis.solvers.shoe_game import tallies
from feltworks.analysis.solvers.shoe_game.splits import patterns
from feltworks.analysis.solvers.shoe_game.tallies import Contraction, Tally

_RANK_BITS = 4  # above the cards lie how many have to be of one rank, and then how many there are
_RANKS = (1 << _RANK_BITS) - 1
_MARGIN = 2.1  # numbers may be negative, and their bound is a float
_ADDED = 64  # products of tallies.remainders that a float adds up exactly
Part = tuple[Tally, Tally]  # two factors of the player's cards


class TakenCards(Struct, frozen=True, eq=False):
    """Cards of one hand, or of the hands of a split: each `free` or `closed` as second cards fall."""

    free: Tally
    closed: Tally = tallies.tally({})
    hands: int = 1  # at most; 1 where nothing is split
    times: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """Equal where the same cards are taken."""
        return self.free.key, self.closed.key, self.hands, self.times

    def parts(self, counts: Ints) -> list[Part]:
        """The cards of all hands, as products of two factors of which the second is that of one hand."""
        if self.hands == 1:
            return [(self.free, tallies.NOTHING)]
        ends, least = patterns(self.hands), tallies.least_of(self.free, self.closed)
        room = counts - least  # beside the hand that is the second factor
        others = tallies.sum_tallies(
            (end.orders, self._power(end.closed, end.free - 2, room - least)) for end in ends if end.free
        )
        short = tallies.sum_tallies((end.orders, self._power(end.closed - 1, 0, room)) for end in ends if not end.free)
        most = tallies.product(self.free, others, room)
        return [part for part in ((most, self.free), (short, self.closed)) if all(len(f.codes) for f in part)]

    def _power(self, closed: int, free: int, counts: Ints) -> Tally:
        power = tallies.NOTHING
        for factor in [self.closed] * closed + [self.free] * free:
            power = tallies.product(power, factor, counts)
        return power


def likely(taken: TakenCards, hands: Ints, counts: Ints, track: Track) -> dict[int, list[Fraction]]:
    """By how many of the player's cards are of one rank: how likely with each of the dealer's hands."""
    chances: dict[int, list[Fraction]] = {}
    for _, part in track.branches([(len(part[0].codes), part) for part in taken.parts(counts)]):
        draws = _JointDraws(*part, hands, counts)
        for ranked, row in draws.likely(track).items() if draws.terms else ():
            before = chances.get(ranked, [Fraction(0)] * len(row))
            chances[ranked] = [one + taken.times * more for one, more in zip(before, row, strict=True)]
    return chances


class _Term(Struct, frozen=True):
    """Alike cards of a second factor: which of the wanted hands they make with each of the dealer's."""

    place: Ints
    ways: Array
    targets: Ints  # the labels they come to, together with each of the first factor's


class _JointDraws:
    """The player's cards as two factors, beside the dealer's hands."""

    def __init__(self, first: Tally, second: Tally, hands: Ints, counts: Ints) -> None:
        self.hands, self.total, self.terms = hands, int(counts.sum()), list[_Term]()
        both = tallies.cards_of(second.codes)[:, None] + hands  # all of which the first factor lies beside
        fits = tallies.fits_shoe(both.ravel(), counts).reshape(both.shape)
        if not fits.any():
            return
        wanted, inner = np.unique(both[fits], return_inverse=True)
        place = np.full(both.shape, len(wanted))  # what the shoe cannot give comes to nothing
        place[fits] = inner
        codes = _label(first.codes)
        order = np.argsort(codes)
        self.weights: Array = first.ways[order]
        self.contraction = Contraction(codes[order], wanted, counts)
        kinds, kind = np.unique(_label(second.codes) >> tallies.CARDS, return_inverse=True)
        reached = kinds[:, None] + self.contraction.labels
        self.labels, targets = np.unique(reached, return_inverse=True)
        for number, target in enumerate(targets.reshape(reached.shape)):
            alike = np.flatnonzero(kind == number)
            self.terms.append(_Term(place[alike], second.ways[alike], target))

    def likely(self, track: Track) -> dict[int, list[Fraction]]:
        """By how many are of one rank, for each hand."""
        whole, sizes = self._whole(track), tallies.size_of(self.hands).tolist()
        of_rank, taken = self.labels & _RANKS, self.labels >> _RANK_BITS
        chances = {}
        for ranked in distinct(of_rank):
            here = np.flatnonzero(of_rank == ranked)
            rows = zip(whole[:, here].tolist(), sizes, strict=True)
            chances[ranked] = [self._chance(row, taken[here].tolist(), size) for row, size in rows]
        return chances

    def _chance(self, ways: list[int], taken: list[int], size: int) -> Fraction:
        """Ways with so many cards taken each, and so many with the dealer, as one fraction."""
        left = self.total - size
        most = min(max(taken), left)
        parts = (n * perm(left - each, most - each) for n, each in zip(ways, taken, strict=True) if n)
        return Fraction(sum(parts), perm(self.total, most + size))

    def _whole(self, track: Track) -> Array:
        """The ways for each hand and label, from what is left of them after division by primes."""
        primes = tallies.primes_beyond(_MARGIN * float(self._ways(0, Track()).max(initial=1)))
        every, ways = prod(primes), np.zeros((len(self.hands), len(self.labels)), object)
        for _, prime in track.branches([(1, prime) for prime in primes]):
            others = every // prime
            ways += self._ways(prime, track).astype(np.int64).astype(object) * (others * pow(others, -1, prime))
        ways %= every
        return np.where(ways > every // 2, ways - every, ways)

    def _ways(self, prime: int, track: Track) -> Array:
        """For each hand and label: ways modulo a prime, or without one about how many at most."""
        wanted = self.contraction.ways(self.weights, prime)
        wanted = np.append(wanted, np.zeros_like(wanted[:1]), axis=0)
        sums = np.zeros((len(self.hands), len(self.labels)))
        for _, term in track.branches([(1, term) for term in self.terms]):
            ways = tallies.remainders(term.ways, prime)
            for here in range(0, len(ways), _ADDED):
                some = slice(here, here + _ADDED)
                sums[:, term.targets] += np.einsum("a,ahl->hl", ways[some], wanted[term.place[some]])
                tallies.reduce(sums, prime)
        return sums


def _label(codes: Ints) -> Ints:
    """Cards with their number above them."""
    return codes + (tallies.size_of(codes) << tallies.CARDS + _RANK_BITS)
