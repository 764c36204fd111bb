"""Baccarat-style hands with one hit card each: reveal, decide, reveal, counted over kinds of cards.

Who draws is restated here for speed (FB.4, FB.5); what is offered and what is paid comes from the game.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

from feltworks.analysis.referee import Law, Settled
from feltworks.analysis.situations import Situation
from feltworks.cards import Card, Rank, Shoe
from feltworks.games.fu_bacc import UP, FuBacc, FuBaccStanding
from feltworks.hands.baccarat import MONKEYS, points
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice, Round, Seat, face_up
from feltworks.rules.steps import Decide

Kind = tuple[int, bool]  # points, and whether it is a ten: a reading of the rescue tells tens from faces
Removed = tuple[int, ...]


def situations(game: FuBacc, wagers: Mapping[str, Cents], shoe: Shoe) -> list[Situation]:
    """Every pair against every up card with the exact law of each choice; one choice "" without an Ante."""
    return list(_HitCards(game, wagers, shoe).situations())


class _HitCards:
    def __init__(self, game: FuBacc, wagers: Mapping[str, Cents], shoe: Shoe) -> None:
        self.game, self.wagers, self.shoe = game, dict(wagers), shoe
        self.kinds: dict[Kind, list[Card]] = {}
        self.by_points = [0] * 10
        for face, count in shoe.items():
            self.kinds.setdefault((points(face), face.rank is Rank.TEN), []).extend([face] * count)
            self.by_points[points(face)] += count
        self.dealer_weights = cache(self._dealer_weights)
        self._known: dict[tuple[bool, int, str | None, int, int], Settled] = {}

    def situations(self) -> Iterator[Situation]:
        kinds = sorted(self.kinds)
        total = self.shoe.total
        orders = Fraction(2, total * (total - 1) * (total - 2))
        for place, first in enumerate(kinds):
            for second in kinds[place:]:
                pairs = _pairs(len(self.kinds[first]), len(self.kinds[second]), same=first == second)
                for up in kinds:
                    seen = len(self.kinds[up]) - (first == up) - (second == up)
                    if pairs and seen > 0:
                        shown = self._shown(first, second, up)
                        yield Situation(orders * pairs * seen, shown, self._laws(shown))

    def _shown(self, *kinds: Kind) -> Round:
        """A round that shows cards of these kinds: the pair, then the up card."""
        taken: dict[Kind, int] = {}
        faces = []
        for kind in kinds:
            faces.append(self.kinds[kind][taken.get(kind, 0)])
            taken[kind] = taken.get(kind, 0) + 1
        seat = Seat(self.wagers, (*faces[:2], FACE_DOWN))
        return Round((seat,), (faces[2], FACE_DOWN, FACE_DOWN))

    def _laws(self, shown: Round) -> dict[str, Law]:
        step = self.game.awaits(shown)
        if not isinstance(step, Decide):
            return {"": self._law(shown, None)}
        laws = {}
        for offer in step.offers:
            chosen = advance(shown, step, Choice(offer.name, offer.most))
            laws[offer.name] = self._law(chosen, offer.name)
        return laws

    def _law(self, r: Round, choice: str | None) -> Law:
        seat, up_card = r.seats[0], r.dealer[UP]
        pair = face_up(seat.cards)
        assert isinstance(up_card, Card)
        first, second, up = points(pair[0]), points(pair[1]), points(up_card)
        ways: dict[Settled, int] = {}
        removed: Removed
        for third, count in enumerate(self.by_points):
            drawable = count - (first, second, up).count(third)
            if choice != "hit":
                drawable, removed, total = int(third == 0), (first, second), (first + second) % 10
            else:
                removed, total = (first, second, third), (first + second + third) % 10
            if drawable > 0:
                weights = self.dealer_weights(tuple(sorted(removed)), up)
                for dealer, weight in enumerate(weights):
                    if weight:
                        settled = self._settled(pair, total, choice, up_card, dealer, seat.wagers)
                        ways[settled] = ways.get(settled, 0) + drawable * weight
        everything = sum(ways.values())
        return {settled: Fraction(weight, everything) for settled, weight in ways.items()}

    def _settled(
        self,
        pair: tuple[Card, ...],
        total: int,
        choice: str | None,
        up_card: Card,
        dealer: int,
        wagers: Mapping[str, Cents],
    ) -> Settled:
        """What the game's own wagers make of it; of the cards only monkeys and the up card's points count."""
        key = (MONKEYS.issuperset(pair), total, choice, points(up_card), dealer)
        if key in self._known:
            return self._known[key]
        standing = FuBaccStanding(pair, total, "ante" in wagers, choice, True, up_card, dealer)
        lines = []
        for name, cents in wagers.items():
            verdict = self.game.wagers[name].judge(standing)
            assert verdict is not None
            pay = self.game.pays[name][verdict.outcome]
            assert isinstance(pay, Odds)
            lines.append((name, verdict.outcome, cents * pay.exact, cents))
        return self._known.setdefault(key, tuple(lines))

    def _dealer_weights(self, removed: Removed, up: int) -> tuple[int, ...]:
        """FB.4: in how many orders of hole and hit card the dealer ends on each total."""
        counts = list(self.by_points)
        for value in (*removed, up):
            counts[value] -= 1
        left = sum(counts)
        weights = [0] * 10
        for hole, holes in enumerate(counts):
            two_cards = (up + hole) % 10
            if two_cards >= 6:
                weights[two_cards] += holes * (left - 1)
                continue
            for third, thirds in enumerate(counts):
                weights[(two_cards + third) % 10] += holes * (thirds - (hole == third))
        return tuple(weights)


def _pairs(first: int, second: int, *, same: bool) -> int:
    return first * (first - 1) // 2 if same else first * second
