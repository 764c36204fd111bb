"""Further measures of a wager for its sheet: equally likely ways, removed cards, volatility, edge by size."""

from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm, sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import analyze
from feltworks.analysis.figures import Figures, Number
from feltworks.analysis.question import OPTIMAL, Question
from feltworks.analysis.shape import is_played_by_hand, main_wager_of, ranking_of, shoe_game_of
from feltworks.analysis.solvers.counts import cost, count_situations, tables_of
from feltworks.analysis.solvers.shoe_game.pays import PayRow, Pays, pays_of
from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures, figures
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.cards import Card, Rank, Shoe
from feltworks.errors import BadOption
from feltworks.hands.blackjack import TEN_VALUES
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import Seat
from feltworks.rules.wager import Deal

_FEWEST = "in the fewest equally likely ways that show every outcome exactly"


class Ways(Struct, frozen=True):
    """A number of equally likely ways, and what one of them is."""

    total: int
    words: str

    def of(self, probability: Fraction) -> int:
        """How many of the ways lead to an outcome of this probability."""
        return int(probability * self.total)


def ways(game: Game, wager: str, probabilities: list[Fraction]) -> Ways:
    """Counts in deals if those are known and each outcome is a whole number of them; else in the fewest ways."""
    fewest = lcm(*(probability.denominator for probability in probabilities))
    for deals in _deals(game, wager):
        if deals.total % fewest == 0:
            return deals
    return Ways(fewest, _FEWEST)


def _deals(game: Game, wager: str) -> Iterator[Ways]:
    """Yields the deals that decide the wager: as it declares, or else the hands that are compared."""
    cards, ranking = game.terms.shoe.total, ranking_of(game)
    if deal := game.wagers[wager].decided_by or (ranking and _hands(game, wager, ranking.size)):
        yield Ways(deal.ways(cards), deal.words)


def _hands(game: Game, wager: str, size: int) -> Deal:
    if any(entry.of == wager for entry in game.terms.rulebook.wager.values()):  # played against the house
        return Deal((size, size), "hands of the player and of the house, without order within a hand")
    return Deal((size,), f"hands of {size} cards out of {game.terms.shoe.total}, without order")


class Removal(Struct, frozen=True):
    """The change of the edge when one card of a rank is known to be out and the play adapts to it."""

    rank: Rank
    cards: int  # of this rank in the whole shoe
    change: Number


def removal(question: Question, edge: Number) -> list[Removal]:
    """Computes the change of the edge for one card of every rank, from the lowest rank to the joker.

    Empty for a game without a fast solver: walking it card by card for every rank would take too long.
    """
    if not is_quick(question):
        return []
    changes: dict[object, Number] = {}
    removals = []
    for face, count in _ranks(question):
        kind = _kind(question, face)
        if kind not in changes:
            exposed = replace(question, exposed=(*question.exposed, face))
            changes[kind] = _house_edge(exposed) - edge
        removals.append(Removal(face.rank, count, changes[kind]))
    return removals


def _house_edge(question: Question) -> Number:
    """Computes the house edge alone, which is faster than all figures where situations can be counted."""
    game = question.game
    if game.is_short and question.plays is None and question.strategy == OPTIMAL:
        counted = count_situations(game, question.stakes, question.shoe, serving=question.serving)
        return cost(counted, question.group, question.unit, serving=question.serving).house_edge
    return analyze(question).figures.house_edge


def is_quick(question: Question) -> bool:
    """Whether the game has a solver for its shape, or short rounds."""
    game = question.game
    return game.is_short or ranking_of(game) is not None or shoe_game_of(game) is not None


def _ranks(question: Question) -> Iterator[tuple[Card, int]]:
    """One card of each rank that the shoe holds, and how many it holds of that rank."""
    faces = list(question.shoe)
    for rank in (*list(Rank)[1:], Rank.JOKER):
        of_rank = [face for face in faces if face.rank is rank]
        if of_rank:
            yield of_rank[0], sum(question.shoe[face] for face in of_rank)


def _kind(question: Question, face: Card) -> object:
    """Returns the same key for cards that the rules treat alike, as blackjack does ten-value cards."""
    if question.game.is_short:
        tables = tables_of(question.game, tuple(question.stakes.items()))
        return tables.kinds[tables.faces.index(face)]
    return "ten" if is_played_by_hand(question.game, question.wager) and face in TEN_VALUES else face.rank


ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000)
SHARES: Final = (0.90, 0.95, 0.99)  # of all results that lie within their band


def quantile(share: float) -> float:
    """Returns how many standard deviations on either side of the mean hold this share of all results.

    >>> round(quantile(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf((1 + share) / 2)


class Band(Struct, frozen=True):
    """Half the width of the interval around `edge` that holds the house's result, for each share."""

    rounds: int
    widths: tuple[float, ...]


class Volatility(Struct, frozen=True):
    """The spread of a wager's result, per unit opened with."""

    edge: float
    deviation: float
    skew: float
    index: float  # 90 %: the deviation times 1.645
    bands: tuple[Band, ...]
    rounds_ahead: int | None  # after which the favoured side leads with 99 %; None if neither is favoured


def volatility(figures: Figures | RoundFigures) -> Volatility:
    """Computes the spread of a wager from its outcome table.

    >>> from fractions import Fraction
    >>> from feltworks.analysis.figures import Outcome
    >>> half = Fraction(1, 2)
    >>> coin = Figures.of([Outcome("heads", half, Fraction(1)), Outcome("tails", half, Fraction(-1))])
    >>> spread = volatility(coin)
    >>> spread.deviation, spread.skew, round(spread.bands[0].widths[0], 4), spread.rounds_ahead
    (1.0, 0.0, 0.052, None)
    """
    spread, mean = figures.standard_deviation, figures.expectation
    third = float(sum((row.probability * (row.net - mean) ** 3 for row in figures.outcomes), start=0))
    edge = float(-mean)
    return Volatility(
        edge,
        spread,
        third / spread**3 if spread else 0.0,
        quantile(SHARES[0]) * spread,
        tuple(Band(rounds, widths(spread, rounds)) for rounds in ROUNDS),
        ceil((NormalDist().inv_cdf(SHARES[-1]) * spread / edge) ** 2) if edge else None,
    )


def widths(deviation: float, rounds: int) -> tuple[float, ...]:
    """Returns half the width of the interval for each share after this many rounds."""
    return tuple(quantile(share) * deviation / sqrt(rounds) for share in SHARES)


class SizeFigures(Struct, frozen=True):
    """The figures of a wager of one amount when it is paid in whole chips."""

    cents: Cents
    figures: Figures | RoundFigures


def figures_by_size(question: Question) -> Iterator[SizeFigures]:
    """Yields the figures for each amount; breakage may change the best play from one amount to another."""
    for cents in question.sizes:
        sized = replace(question, opened=cents)
        spots = shoe_game_of(question.game)
        if spots and question.wager == main_wager_of(spots):
            if question.strategy != OPTIMAL:
                raise BadOption("--strategy", question.strategy, f"{OPTIMAL} where the edge is asked for by size")
            table = _ChipTable(spots, question.shoe, cents)
            yield SizeFigures(cents, figures(table, table.best_plan()))
        else:
            game = pay_in_chips(question.game, sized.stakes)
            yield SizeFigures(cents, analyze(replace(sized, game=game)).figures)


def pay_in_chips(game: Game, stakes: Mapping[str, Cents]) -> Game:
    """Copies the game with pays rounded to chips for these amounts, taking derived wagers at their largest."""
    table = copy(game)
    seat = Seat(dict(stakes))
    amounts = dict(stakes)
    for name, entry in game.terms.rulebook.wager.items():
        if entry.of in stakes and (offer := game.terms.offer(name, name, seat)):
            amounts[name] = offer.most
    table.pays = {name: _round_pays(game, pays, amounts.get(name)) for name, pays in game.pays.items()}
    return table


def _round_pays(game: Game, pays: Mapping[str, Pay], cents: Cents | None) -> Mapping[str, Pay]:
    if cents is None:
        return pays
    breakage = game.terms.breakage
    return {
        outcome: Odds(pay.on(cents, breakage), cents) if isinstance(pay, Odds) else pay for outcome, pay in pays.items()
    }


class _ChipTable(ShoeGame):
    """A blackjack table that pays hands of one amount, or twice it when doubled, in whole chips."""

    def __init__(self, game: Game, shoe: Shoe, cents: Cents) -> None:
        super().__init__(game, shoe)
        self.cents = cents

    @cached_property
    def pays(self) -> Pays:
        return pays_of(self.rules).map_rows(self._pay_row)

    def _pay_row(self, row: PayRow) -> PayRow:
        odds, breakage = self.game.pays[main_wager_of(self.game)], self.game.terms.breakage
        pays = []
        for pay in row:
            rate = odds.get(pay.outcome)
            if isinstance(rate, Odds):
                net = Fraction(rate.on(int(pay.wagered * self.cents), breakage), self.cents)
                pay = replace(pay, net=net)
            pays.append(pay)
        return tuple(pays)
