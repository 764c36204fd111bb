"""Computes the facts that strategy files and practical rules name; all are numbers.

A game declares facts as its sights. A game with a ranking of hands gets facts about its cards without a
declaration: what they have made, what they may become, and which of them are high.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf

import numpy as np

from feltworks.analysis.shape import high_rank_of, ranking_of
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.strategy.file import Cards
from feltworks.analysis.strategy.phrases import poker_words
from feltworks.cards import JOKER, Card, Rank, cards
from feltworks.errors import FeltError, one_of
from feltworks.hands.poker import PAIR, HandValue, PaidHand, Ranking, best_value
from feltworks.machine.deck import COLUMNS, Deck
from feltworks.rules.game import Game
from feltworks.rules.sights import Feature, PlayerView, Sights

Number = int | Fraction
Range = tuple[float, float]  # both ends included
_RANK_FACTS = ("own_pair", "higher", "lower", "flush_high", "pair", "highest", "lowest", "up")
_WIDTH = 16  # numbers between two categories, for the ranks of a pair
_SETS: Sequence[tuple[int, ...]] = ((), (2,), (2, 2), (3,), (3, 2), (4,))
_LETTERS = {rank.letter: int(rank) for rank in Rank if rank is not Rank.JOKER}


class Facts:
    """The facts of a view, and the values that a file may give for them."""

    def __init__(self, features: Mapping[str, Feature], sights: Sights | None = None) -> None:
        self._features, self._sights = features, sights

    def names(self, view: PlayerView) -> list[str]:
        """Lists the names of all facts of a view."""
        return list(dict.fromkeys([*self._declared(view), *self._features]))

    def value(self, name: str, view: PlayerView) -> Number:
        """Returns one fact of a view; raises KeyError if there is no fact of that name."""
        declared = self._declared(view)
        return declared[name] if name in declared else self._features[name](view)

    def _declared(self, view: PlayerView) -> Mapping[str, int]:
        return self._sights.facts(view) if self._sights else {}

    def read(self, name: str, written: object) -> Range:
        """Parses a value in a file into a range; a ValueError says what is allowed."""
        if isinstance(written, bool):
            return (1, inf) if written else (0, 0)
        if isinstance(written, int):
            return written, written
        if name in _RANK_FACTS and written in _LETTERS:
            return _LETTERS[str(written)], _LETTERS[str(written)]
        wanted = f"a rank such as {one_of(list(_LETTERS)[-3:])}" if name in _RANK_FACTS else "a whole number"
        raise ValueError(f"{wanted}, not {written!r}")


class HandFacts(Facts):
    """The facts of poker hands: their value, and the number of cards of certain ranks or higher."""

    has_draws = False  # whether there are facts about what cards may become

    def __init__(self, game: Game, ranking: Ranking) -> None:
        self._game, self.ranking = game, ranking
        self.tiers = _tiers(game, ranking)
        features: dict[str, Feature] = {"hand": self._strength}
        for rank in self.tiers:
            features[f"{rank.word}_or_higher"] = _count_from(rank)
        if len(self.tiers) > 1:
            features["points"] = lambda view: sum(_count_from(rank)(view) for rank in self.tiers)
        if ranking.wild:
            features["joker"] = lambda view: JOKER in view.cards
        features["wagered"] = lambda view: view.wagered  # type: ignore[assignment, return-value]  # a fraction
        features["up"] = lambda view: int(view.dealer[0].rank) if view.dealer else 0
        features["up_held"] = lambda view: sum(card.rank is view.dealer[0].rank for card in view.cards if view.dealer)
        declared = game.sights.features if game.sights else {}
        of_hands = poker_words(ranking, ()).features
        super().__init__({**declared, **features, **self._of_cards(), **of_hands}, game.sights)

    def _of_cards(self) -> dict[str, Feature]:
        return {}

    def value_of(self, view: PlayerView) -> HandValue | None:
        """Returns the best hand among the cards in sight; None while cards are missing."""
        held = (*view.cards, *view.board)
        return best_value(self.ranking, held) if len(held) >= self.ranking.size else None

    def _strength(self, view: PlayerView) -> int:
        value = self.value_of(view)
        return value.strength if value else 0

    def read(self, name: str, written: object) -> Range:
        if name == "wagered" and isinstance(written, str):
            amount = float(Fraction(written))
            return amount, amount
        if name == "hand" and isinstance(written, str):
            strength = self._example(written).strength
            return strength, strength
        return super().read(name, written)

    def _example(self, written: str) -> HandValue:
        """Parses a poker hand, which a file writes as example cards."""
        held = cards(written)
        self._game.terms.shoe.check_holds(held)
        if len(held) != self.ranking.size:
            title = self._game.terms.rulebook.title
            raise FeltError(f"{written!r} is no hand of {title}: it takes {self.ranking.size} cards")
        return self.ranking.value(held)


class CardFacts(HandFacts):
    """The facts of hands without wild cards, which add what cards have made and what they may become."""

    has_draws = True

    def _of_cards(self) -> dict[str, Feature]:
        features: dict[str, Feature] = {name: self._column(name) for name in COLUMNS[2:]}
        return {"made": self._made_value, **features, "outs": self._outs}

    def _column(self, name: str) -> Feature:
        place = COLUMNS.index(name)
        return lambda view: self._row(view.cards, view.board)[place]

    @cached_property
    def deck(self) -> Deck:
        """The ranks and straights in the form that the compiled loop reads."""
        ranks = self.ranking.ranks
        straights = [sum(1 << ranks.index(rank) for rank in straight) for straight in self.ranking.straights]
        return Deck(
            np.array([int(rank) for rank in ranks], np.int64),
            np.array(straights or [0], np.int64),
            np.array([ranks.index(rank) for rank in self.tiers], np.int64),
        )

    @cached_property
    def _row(self) -> Callable[[Cards, Cards], list[int]]:
        @lru_cache(maxsize=1 << 16)
        def row(own: Cards, board: Cards) -> list[int]:
            out = self.describe(*(np.array([[self._number(card) for card in held]], np.int64) for held in (own, board)))
            columns: list[int] = out[0].tolist()
            return columns

        return row

    def _number(self, card: Card) -> int:
        assert card.suit is not None
        return 4 * self.ranking.ranks.index(card.rank) + card.suit

    def describe(self, own: Ints, board: Ints, *, with_draws: bool = True) -> Ints:
        """Computes the columns of the compiled loop for many views, each a row of cards; straights are optional."""
        from feltworks.machine.draws import describe_cards

        out = np.zeros((len(own), len(COLUMNS) + len(self.tiers)), np.int64)
        describe_cards(own, board, self.deck, with_draws, out)
        return out

    def column(
        self, rows: Ints, value: Ints, values: Sequence[HandValue], outs: Ints | int = 0
    ) -> Callable[[str], Ints | int | None]:
        """Returns a lookup of facts of many views, from the columns of `describe`, indices of values, and outs."""
        tiers = {f"{rank.word}_or_higher": len(COLUMNS) + place for place, rank in enumerate(self.tiers)}
        place_of = {name: place for place, name in enumerate(COLUMNS) if place > 1} | tiers

        def column(name: str) -> Ints | int | None:
            if name in place_of:
                return rows[:, place_of[name]]
            if name in ("made", "hand"):
                numbers = [
                    hand.strength if name == "hand" else self.made_number(hand.category, int(hand.ranks[0]))
                    for hand in values
                ]
                by_view: Ints = np.array(numbers)[value]
                return by_view
            if name == "points" and len(self.tiers) > 1:
                points: Ints = rows[:, len(COLUMNS) :].sum(axis=1)
                return points
            return {"outs": outs, "up": 0, "up_held": 0}.get(name)

        return column

    @cached_property
    def categories(self) -> list[str]:
        """The names of the categories, the lowest first."""
        return [category.name for category in reversed(self.ranking.categories)]

    def category_of_sets(self, sets: int) -> str:
        """Returns the category that equal ranks make."""
        names = [c.name for c in self.ranking.categories if c.sets == _SETS[sets] and not c.suited and not c.connected]
        return names[0] if names else self.categories[0]

    def made_by_sets(self, sets: int, pair: int) -> int:
        """Numbers the category that equal ranks make; a pair counts by its rank."""
        return self.made_number(self.category_of_sets(sets), pair)

    def made_number(self, category: str, pair: int) -> int:
        """Numbers a category; a pair counts by its rank."""
        return _WIDTH * self.categories.index(category) + (pair if category == PAIR.name else 0)

    def _made_value(self, view: PlayerView) -> int:
        value, row = self.value_of(view), self._row(view.cards, view.board)
        if value is None:
            return self.made_by_sets(row[0], row[1])
        return self.made_number(value.category, int(value.ranks[0]))

    def _outs(self, view: PlayerView) -> int:
        """Counts the single cards with which the dealer beats the player on this board; 0 while cards are missing."""
        value, board = self.value_of(view), view.board
        if value is None or len(board) < self.ranking.size:
            return 0
        unseen = [card for card in self._game.terms.shoe if card not in view.cards and card not in board]
        return sum(best_value(self.ranking, (*board, card)) > value for card in unseen)

    def read(self, name: str, written: object) -> Range:
        if name == "made" and isinstance(written, str):
            return self._made_range(written)
        return super().read(name, written)

    def _made_range(self, written: str) -> Range:
        """Parses a category or the pair of a rank: `two pair`, `pair of tens`."""
        if written in self.categories:
            least = _WIDTH * self.categories.index(written)
            return least, least + _WIDTH - 1
        for rank in self.ranking.ranks:
            if written == f"pair of {rank.plural}" and PAIR.name in self.categories:
                number = self.made_number(PAIR.name, int(rank))
                return number, number
        raise ValueError(f"{one_of(self.categories)} or a pair such as pair of tens, not {written!r}")


def _tiers(game: Game, ranking: Ranking) -> tuple[Rank, ...]:
    """Returns the lowest ranks that count as high: those whose pairs are paid differently from lower pairs."""
    hands = [judge.hand.empty for judge in game.wagers.values() if judge.hand]
    rows = [hand.rows.pairs for hand in hands if isinstance(hand, PaidHand)]
    ranks = sorted({rank for pairs in rows for rank, _ in pairs[:-1]}, reverse=True)
    return tuple(ranks) or (high_rank_of(game, ranking),)


def _count_from(rank: Rank) -> Feature:
    return lambda view: sum(card.rank >= rank for card in (*view.cards, *view.board))


def _ranks_of(view: PlayerView) -> Iterable[int]:
    return [int(card.rank) for card in (*view.cards, *view.board)] or [0]


@lru_cache(maxsize=32)
def hand_facts(game: Game) -> HandFacts:
    """Returns the facts of a game with a ranking of poker hands."""
    ranking = ranking_of(game)
    assert ranking is not None
    return HandFacts(game, ranking) if ranking.wild else CardFacts(game, ranking)


@lru_cache(maxsize=32)
def facts_for(game: Game) -> Facts:
    """Returns the facts of a game: of its poker hands, as it declares them, or of the ranks of its cards.

    >>> from feltworks import catalog
    >>> facts = facts_for(catalog.game("acey-deucey-21"))
    >>> [facts.value(name, PlayerView(cards("5h 9h"))) for name in ("spread", "suited")]
    [3, True]
    """
    if ranking_of(game):
        return hand_facts(game)
    if sights := game.sights:
        return Facts(sights.features, sights)
    return Facts(
        {
            "highest": lambda view: max(_ranks_of(view)),
            "lowest": lambda view: min(_ranks_of(view)),
            "pair": lambda view: max(
                (rank for rank in _ranks_of(view) if list(_ranks_of(view)).count(rank) > 1), default=0
            ),
            "up": lambda view: int(view.dealer[0].rank) if view.dealer else 0,
        }
    )
