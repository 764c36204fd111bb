"""Lucky Break's figures: the dealer's exact law, judged and paid by the wager itself.

The dealer's hand does not depend on how the player draws. The player matters only by LB.5's limit and, by
one reading, by surrendering (LB.13): so a strategy is needed only where these are asked about.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from feltworks.analysis.blackjack.dealers_hand import dealers_law
from feltworks.analysis.figures import Figures, Outcome
from feltworks.analysis.progress import Progress
from feltworks.cards import Card, Shoe, card, cards
from feltworks.errors import UnknownName
from feltworks.games.blackjack import Blackjack, BlackjackStanding, DealersHand
from feltworks.hands.spot import Spot, SpotHand, SpotRules
from feltworks.money import Odds
from feltworks.rules.round import Round
from feltworks.rules.settlement import facts_for

if TYPE_CHECKING:
    from feltworks.analysis.shoe_game.beside_dealer import Made
    from feltworks.analysis.shoe_game.chart import Chart
    from feltworks.analysis.shoe_game.conduct import Conduct

WITHIN = Spot((SpotRules().hand(cards("Th 9d"), last="stand"),), None)
SURRENDERED = Spot((SpotRules().hand(cards("Th 6d"), last="surrender"),), None)
_FURTHEST = 31  # a 21 that was drawn to


def lucky_break(
    game: Blackjack,
    *,
    shoe: Shoe | None = None,
    strategy: "Chart | Conduct | None" = None,
    progress: Progress | None = None,
) -> Figures:
    """The figures of Lucky Break on its own; without a strategy the player keeps within LB.5's limit.

    >>> from feltworks import catalog
    >>> round(float(lucky_break(catalog.game("lucky-break")).house_edge), 6)
    0.061631
    """
    if "lucky-break" not in game.wagers:
        raise UnknownName("wager", "lucky-break", game.wagers, of=game.terms.rulebook.title)
    shoe = game.terms.shoe if shoe is None else shoe
    law = dict(_dealer(shoe, hits_soft_17=game.hits_soft_17))
    other = _otherwise(game, shoe, strategy, progress) if strategy is not None else {}
    rows = [_row(game, spot, made, likely) for spot, parts in other.items() for made, likely in parts.items()]
    for parts in other.values():
        for made, likely in parts.items():
            law[made] -= likely
    return Figures.of([*rows, *(_row(game, WITHIN, made, likely) for made, likely in law.items())])


def _dealer(shoe: Shoe, *, hits_soft_17: bool) -> "Iterator[tuple[Made, Fraction]]":
    """The dealer's hands by total, and number of cards where they are of one suit; a natural's total is 0."""
    law = dealers_law(shoe, hits_soft_17=hits_soft_17)
    yield (0, 0), law.natural
    for total, likely in law.totals.items():
        suited = {(t, size): p for (t, size), p in law.suited.items() if t == total}
        yield from suited.items()
        yield (total, 0), likely - sum(suited.values())


def _otherwise(
    game: Blackjack, shoe: Shoe, strategy: "Chart | Conduct", progress: Progress | None
) -> "dict[Spot, dict[Made, Fraction]]":
    """Where the player's own hand changes the verdict: how likely with each of the dealer's hands."""
    from feltworks.analysis.shoe_game.chart import codes_of
    from feltworks.analysis.shoe_game.conduct import Conduct, conduct_of
    from feltworks.analysis.shoe_game.solver import ShoeGame

    if not isinstance(strategy, Conduct):
        strategy = conduct_of(ShoeGame(game, shoe, exact=True), codes_of(strategy))
    return _law(game, shoe, strategy).found(progress)


class _Law:
    """How a player's own hand counts by one conduct, worked out when it is first asked for."""

    def __init__(self, game: Blackjack, shoe: Shoe, conduct: "Conduct") -> None:
        self._game, self._shoe, self._conduct = game, shoe, conduct
        self._found: dict[Spot, dict[Made, Fraction]] | None = None

    def found(self, progress: Progress | None) -> "dict[Spot, dict[Made, Fraction]]":
        """By what the player's hand comes to: how likely with each of the dealer's hands."""
        if self._found is None:
            self._found = _by_conduct(self._game, self._shoe, self._conduct, progress)
        return self._found


_law = lru_cache(maxsize=4)(_Law)


def _by_conduct(
    game: Blackjack, shoe: Shoe, conduct: "Conduct", progress: Progress | None
) -> "dict[Spot, dict[Made, Fraction]]":
    from feltworks.analysis.shoe_game.beside_dealer import joint_law
    from feltworks.analysis.shoe_game.limit import over_limit, surrendered
    from feltworks.analysis.shoe_game.rules import UPS
    from feltworks.analysis.shoe_game.solver import ShoeGame

    table, limit = ShoeGame(game, shoe, exact=True), limit_of(game)
    ups = [up for up in range(UPS) if table.counts[up]]
    found: dict[Spot, dict[Made, Fraction]] = {}
    if differs(game, SURRENDERED):
        given_up = {up: surrendered(table, conduct, up) for up in ups}
        law = joint_law(table, given_up, only_over=False)
        # BJ.4: a blackjack that the dealer's check finds leaves nobody the time to surrender
        found[SURRENDERED] = {made: p for made, p in law.items() if made[0] or not game.peeks}
    if limit:
        over, enough = range(limit.total, _FURTHEST + 1), limit.one_is_enough
        drawn = {up: over_limit(table, conduct, up, over, one_is_enough=enough) for up in ups}
        found[limit.spot] = joint_law(table, drawn, only_over=True, progress=progress)
    return found


def over_the_limit(
    game: Blackjack, shoe: Shoe, conduct: "Conduct", progress: Progress | None = None
) -> "dict[Made, Fraction]":
    """How likely a player of this conduct is over the limit of LB.5 with each dealer's hand over 21."""
    limit = limit_of(game)
    return _otherwise(game, shoe, conduct, progress).get(limit.spot, {}) if limit else {}


class Limit(Struct, frozen=True):
    """LB.5: the lowest total that is over it; LB.12: whether one such hand of a split loses the wager."""

    total: int
    one_is_enough: bool

    @property
    def spot(self) -> Spot:
        return Spot((hand_of(self.total),), None)


def limit_of(game: Blackjack) -> Limit | None:
    """The limit on the player's total, where the table has one."""
    for total in range(22, _FURTHEST + 1):
        if differs(game, Spot((hand_of(total),), None)):
            return Limit(total, differs(game, Spot((hand_of(total), WITHIN.hands[0]), None)))
    return None


def differs(game: Blackjack, spot: Spot) -> bool:
    """Whether this hand of the player's changes what a dealer's 22 brings."""
    return judged(game, spot, (22, 0)) != judged(game, WITHIN, (22, 0))


def _row(game: Blackjack, spot: Spot, made: "Made", likely: Fraction) -> Outcome:
    outcome = judged(game, spot, made)
    pay = game.pays["lucky-break"][outcome]
    assert isinstance(pay, Odds)
    return Outcome(outcome, likely, pay.exact)


def judged(game: Blackjack, spot: Spot, made: "Made") -> str:
    """What the wager says of this hand of the dealer's; its cards matter where they are of one suit."""
    dealer, judge = _dealers_hand(*made), game.wagers["lucky-break"]
    verdict = judge.judge(facts_for(judge, dealer.felt, 0, BlackjackStanding(spot, dealer)))
    assert verdict is not None
    return verdict.outcome


def _dealers_hand(total: int, suited: int) -> DealersHand:
    """A hand that stands for all of this total, of one suit or not: the verdict asks for nothing else."""
    if not total:
        return DealersHand(21, True, Round((), cards("Th Ad")))
    held = (card("5h"),) * suited if suited else cards("5h 5d")
    return DealersHand(total, False, Round((), held))


def hand_of(total: int) -> SpotHand:
    """A player's hand that drew to this total over 21."""
    last = "A" if total == _FURTHEST else "23456789T"[total - 22]
    drawn: tuple[Card, ...] = cards(f"Th Td {last}c" + (" Ts" if total == _FURTHEST else ""))
    return SpotRules().hand(drawn)
