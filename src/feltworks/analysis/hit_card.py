"""Baccarat-style hands with one hit card each: reveal, decide, reveal, counted over kinds of cards.

Who draws is restated here for speed (FB.4, FB.5); what is offered and what is paid comes from the game.
Totals are counted once for a shoe, and every table that is dealt from it prices them afterwards.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from typing import cast

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feltworks.analysis.counted import Counted, Counts, as_situations
from feltworks.analysis.referee import Settled
from feltworks.analysis.situations import Situation
from feltworks.cards import Card, Rank, Shoe
from feltworks.games.fu_bacc import UP, FuBacc, FuBaccStanding
from feltworks.hands.baccarat import MONKEYS, points
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice, Round, Seat, face_up
from feltworks.rules.steps import Decide, Offer

Kind = tuple[int, bool]  # points, and whether it is a ten: a reading of the rescue tells tens from faces
Ints = npt.NDArray[np.int64]
_TOTALS = {"choice", "total", "dealer_total", "has_ante", "turn_over"}  # what a standing tells besides cards
Places = tuple[tuple[Settled, Sequence[int]], ...]  # which places of the totals each settlement has


class Totals(Struct, frozen=True):
    """A pair against an up card: how often each of the dealer's totals meets each of the player's."""

    total: int  # of the two cards
    on_two: Sequence[int]  # by the dealer's total
    on_three: Sequence[int]  # by the player's total, and of each by the dealer's


def situations(game: FuBacc, wagers: Mapping[str, Cents], shoe: Shoe) -> list[Situation]:
    """Every pair against every up card with the exact law of each choice; one choice "" without an Ante."""
    return as_situations(counted(game, wagers, shoe))


def counted(game: FuBacc, wagers: Mapping[str, Cents], shoe: Shoe) -> list[Counted]:
    """The same in whole numbers."""
    return list(_HitCards(game, wagers, shoe).counted())


class _HitCards:
    def __init__(self, game: FuBacc, wagers: Mapping[str, Cents], shoe: Shoe) -> None:
        self.game, self.wagers, self.shoe = game, dict(wagers), shoe
        self.kinds: dict[Kind, list[Card]] = {}
        for face, count in shoe.items():
            self.kinds.setdefault((points(face), face.rank is Rank.TEN), []).extend([face] * count)
        self._priced: dict[Hashable, Settled] = {}
        self._places: dict[Hashable, Places] = {}
        self._counted: dict[Hashable, dict[str, Counts]] = {}
        self._chosen: dict[tuple[Offer, ...], dict[str, Mapping[str, Cents]]] = {}
        self._looked_at: set[str] = set()

    def counted(self) -> Iterator[Counted]:
        kinds, totals = sorted(self.kinds), totals_of(self.shoe)
        for first, second in combinations_with_replacement(kinds, 2):
            pairs = _pairs(len(self.kinds[first]), len(self.kinds[second]), same=first == second)
            for up in kinds:
                seen = len(self.kinds[up]) - (first == up) - (second == up)
                if pairs and seen > 0:
                    shown = self._shown(first, second, up)
                    choices = self._choices(shown, totals.of(first[0], second[0], up[0]))
                    yield Counted(pairs * seen, shown, choices)

    def _shown(self, *kinds: Kind) -> Round:
        """A round that shows cards of these kinds: the pair, then the up card."""
        faces = [self.kinds[kind][kinds[:place].count(kind)] for place, kind in enumerate(kinds)]
        seat = Seat(self.wagers, (*faces[:2], FACE_DOWN))
        return Round((seat,), (faces[2], FACE_DOWN, FACE_DOWN))

    def _choices(self, shown: Round, totals: Totals) -> dict[str, Counts]:
        step, seen = self.game.awaits(shown), _Seen(shown)
        offers = step.offers if isinstance(step, Decide) else ()
        key = (offers, seen.monkeys, id(totals))
        if key in self._counted:
            return self._counted[key]
        if not isinstance(step, Decide):
            counts = {"": self._counts(seen, self.wagers, None, totals)}
            return self._counted.setdefault(key, counts)
        if offers not in self._chosen:  # what lies on the spot after a choice hangs on nothing else
            self._chosen[offers] = {
                offer.name: advance(shown, step, Choice(offer.name, offer.most)).seats[0].wagers
                for offer in offers
            }
        chosen = self._chosen[offers].items()
        counts = {name: self._counts(seen, wagers, name, totals) for name, wagers in chosen}
        return self._counted.setdefault(key, counts)

    def _counts(
        self, seen: "_Seen", wagers: Mapping[str, Cents], choice: str | None, totals: Totals
    ) -> Counts:
        met, finals = (totals.on_three, range(10)) if choice == "hit" else (totals.on_two, (totals.total,))
        whatever_is_seen = (choice, finals[0])
        key = (*whatever_is_seen, seen.monkeys, seen.up)
        settling = self._places.get(whatever_is_seen) or self._places.get(key)
        if settling is None:
            self._looked_at.clear()
            settling = tuple(self._settling(seen, wagers, choice, finals))
            self._places[whatever_is_seen if self._looked_at <= _TOTALS else key] = settling
        counted = [(settled, sum(map(met.__getitem__, places))) for settled, places in settling]
        return [each for each in counted if each[1]]

    def _settling(
        self, seen: "_Seen", wagers: Mapping[str, Cents], choice: str | None, finals: Sequence[int]
    ) -> Iterator[tuple[Settled, Sequence[int]]]:
        """How totals are settled, and at which places each settlement stands."""
        places: dict[int, tuple[Settled, list[int]]] = {}
        for place, (total, dealer) in enumerate(product(finals, range(10))):
            standing = FuBaccStanding(seen.pair, total, "ante" in wagers, choice, True, seen.up_card, dealer)
            settled = self._settled(standing, wagers)
            places.setdefault(id(settled), (settled, []))[1].append(place)
        yield from places.values()

    def _settled(self, standing: FuBaccStanding, wagers: Mapping[str, Cents]) -> Settled:
        """What the game's own wagers make of it."""
        outcomes = tuple([self._outcome(name, standing) for name in wagers])
        key = (outcomes, *wagers)
        if key not in self._priced:
            priced = [
                (name, outcome, cents * self._odds(name, outcome).exact, cents)
                for (name, cents), outcome in zip(wagers.items(), outcomes, strict=True)
            ]
            self._priced[key] = tuple(priced)
        return self._priced[key]

    def _outcome(self, wager: str, standing: FuBaccStanding) -> str:
        """A verdict that looks at no card holds for all cards with these totals."""
        watched = cast(FuBaccStanding, _Watched(standing, self._looked_at))
        verdict = self.game.wagers[wager].judge(watched)
        assert verdict is not None
        return verdict.outcome

    def _odds(self, wager: str, outcome: str) -> Odds:
        pay = self.game.pays[wager][outcome]
        assert isinstance(pay, Odds)
        return pay


class _Watched:
    """A standing that notes what a verdict looks at."""

    def __init__(self, standing: FuBaccStanding, looked_at: set[str]) -> None:
        self._standing, self._looked_at = standing, looked_at

    def __getattr__(self, name: str) -> object:
        self._looked_at.add(name)
        return getattr(self._standing, name)


class _Seen:
    """What a player sees: of the cards only monkeys and the up card's points count besides the totals."""

    def __init__(self, shown: Round) -> None:
        self.pair = face_up(shown.seats[0].cards)
        up_card = shown.dealer[UP]
        assert isinstance(up_card, Card)
        self.up_card, self.up = up_card, points(up_card)
        self.monkeys = MONKEYS.issuperset(self.pair)


class TotalsOf:
    """The totals of every pair against every up card from one shoe, remembered: every table may use them."""

    def __init__(self, shoe: Shoe) -> None:
        self.left = shoe.total
        self.by_points = np.zeros(10, dtype=np.int64)
        for face, count in shoe.items():
            self.by_points[points(face)] += count
        self._by_up = [self._against(up) for up in range(10)]
        self.of = cache(self._of)

    def _against(self, up: int) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
        """On two cards and on three, by their points; what no shoe can deal says nothing."""
        one, values = np.eye(10, dtype=np.int64), np.arange(10)
        two_gone = self.by_points - one[up] - one[:, None] - one
        on_two = _dealer_weights(two_gone, up)
        on_three = _dealer_weights(two_gone[:, :, None] - one, up) * np.maximum(two_gone, 0)[..., None]
        third = (values - values[:, None, None] - values[:, None]) % 10  # what makes each total of three
        by_total = np.take_along_axis(on_three, third[..., None], axis=2)
        burned = self.left - 5  # whatever lies burned as the third card: both choices count the same deals
        return (burned * on_two).tolist(), by_total.reshape(10, 10, 100).tolist()

    def _of(self, first: int, second: int, up: int) -> Totals:
        """How a pair of these points against an up card comes out on two cards and on three."""
        on_two, on_three = self._by_up[up]
        return Totals((first + second) % 10, on_two[first][second], on_three[first][second])


def _dealer_weights(counts: Ints, up: int) -> Ints:
    """FB.4: in how many orders of hole and hit card the dealer ends on each total, from so many of each."""
    left, weights = counts.sum(axis=-1), np.zeros_like(counts)
    for hole in range(10):
        holes, two_cards = counts[..., hole], (up + hole) % 10
        if two_cards >= 6:
            weights[..., two_cards] += holes * (left - 1)
        else:
            weights += holes[..., None] * np.roll(counts, two_cards, axis=-1)
            weights[..., (two_cards + hole) % 10] -= holes  # the hole card itself is not drawn again
    return weights


@lru_cache(maxsize=4)
def totals_of(shoe: Shoe) -> TotalsOf:
    """The totals of a shoe."""
    return TotalsOf(shoe)


def _pairs(first: int, second: int, *, same: bool) -> int:
    return first * (first - 1) // 2 if same else first * second
