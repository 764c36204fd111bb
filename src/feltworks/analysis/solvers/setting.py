"""The setting solver: a seat sets its cards into hands against the dealer's, and only ranks count.

It serves every game of that shape with few enough hands. The rules settle each setting of each hand against each
hand of the dealer. Hands are counted by their ranks, the dealer's from the cards that are left.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb, lcm, prod
from random import Random
from typing import Any

import numpy as np

from feltworks.analysis.joint import law_figures
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.referee import Law, net
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import ChoiceResults
from feltworks.analysis.solvers.streets.tree import SpotRounds, best_play
from feltworks.analysis.strategy.decisions import chooser
from feltworks.analysis.strategy.file import Cards, Chooser
from feltworks.cards import DECK, JOKER, Card, Rank, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.sights import PlayerView
from feltworks.rules.steps import Decide, Draw, Offer, Turn

MOST_MEETINGS = 2_000_000  # pairs of a set hand and a dealer's hand
_TRIALS = 200
_RANKS: tuple[Rank, ...] = tuple(rank for rank in Rank if rank is not Rank.JOKER)


class NoSetting(FeltError):
    """The game has no hands to set, or too many, and needs another solver."""


class SettingRounds(SpotRounds):
    """The rounds of one spot in which cards are set."""

    error, shape = NoSetting, "no game of set hands"

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe) -> None:
        super().__init__(game, wagers, meters)
        steps = list(game.procedure(self._opened))
        if [type(step) for step in steps] != [Draw, Draw]:
            raise self.refusal("a seat and the dealer are not dealt whole hands")
        mine, theirs = steps
        assert isinstance(mine, Draw)
        assert isinstance(theirs, Draw)
        if (mine.to, mine.down, theirs.to, theirs.down) != (0, False, DEALER, True):
            raise self.refusal("the dealer's cards do not lie face down")
        self.held, self.house = mine.count, theirs.count
        self._deck = tuple(shoe.all_cards())
        if JOKER in self._deck:
            raise self.refusal("a joker has no rank of its own")
        self.step = self._decision(self._deck[: self.held])
        if not self.step.offers or any(not offer.cards or offer.wager for offer in self.step.offers):
            raise self.refusal("a decision does not set cards")
        if any(judge.hand is not None for judge in game.wagers.values()):
            raise self.refusal("a wager has a hand of its own")

    def set_seat(self, hand: Cards, offer: Offer) -> Seat:
        """The seat after its cards are set."""
        step = self._decision(hand)
        if step != self.step:
            raise self.refusal("what is offered changes with the cards")
        r = advance(self._deal(hand), step, Choice(offer.name, offer.most, step.about))
        if self.game.awaits(r) != Turn(DEALER, 0, self.house):
            raise self.refusal("the dealer's cards are not turned at once")
        return r.seats[0]

    def facts(self, seat: Seat, house: Cards) -> tuple[Any, Round]:
        """The facts that settle the wagers once the dealer's cards are turned, and that round."""
        r = Round((seat,), house, meters=self._opened.meters)
        return self.game.standing(r, 0), r

    def settle(self, r: Round) -> Settled:
        """How every wager is settled."""
        if self.game.awaits(r) is not None:
            raise self.refusal("the round goes on after the dealer's cards")
        return super().settle(r)

    def check_ranks(self) -> None:
        """Refuse rules that read suits: random rounds must have the same results in any suits."""
        chance = Random(1)
        for _ in range(_TRIALS):
            dealt = chance.sample(self._deck, self.held + self.house)
            offer = chance.choice(self.step.offers)
            again = [_card(card.rank, chance.choice(list(Suit))) for card in dealt]
            results = [
                self.settle(self.facts(self.set_seat(tuple(c[: self.held]), offer), tuple(c[self.held :]))[1])
                for c in (dealt, again)
            ]
            if results[0] != results[1]:
                raise self.refusal("suits count")

    def _deal(self, hand: Cards) -> Round:
        r = advance(self._opened, Draw(0, self.held), hand)
        return advance(r, Draw(DEALER, self.house, down=True), (FACE_DOWN,) * self.house)

    def _decision(self, hand: Cards) -> Decide:
        step = self.game.awaits(self._deal(hand))
        if not isinstance(step, Decide):
            raise self.refusal("nothing is decided after the deal")
        return step


class SettingSolver:
    """The exact law of a spot under best play, and the value of each setting with any cards."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        *,
        meters: Mapping[str, Cents] | None = None,
        serving: frozenset[str] | None = None,
    ) -> None:
        self.rounds = SettingRounds(game, wagers, meters or {}, shoe)
        self.offers, self._serving = self.rounds.step.offers, serving
        self._counts = [sum(shoe[face] for face in shoe if face.rank is rank) for rank in _RANKS]
        self.mine = list(self._hands(self.rounds.held))
        self.theirs = list(self._hands(self.rounds.house))
        if len(self.mine) * len(self.offers) * len(self.theirs) > MOST_MEETINGS:
            raise self.rounds.refusal("there are too many hands to compare them all")
        self.rounds.check_ranks()
        self._places = {hand: place for place, hand in enumerate(self.mine)}
        self._results, self._numbers = self._settle_all()
        self._ways = self._count_ways()
        nets = [net(result, self._serving) for result in self._results]
        self._scale = lcm(*(net.denominator for net in nets))
        priced = np.array([int(net * self._scale) for net in nets])
        self._worth: Ints = np.einsum("pd,pod->po", self._ways, priced[self._numbers])
        self.picks: Ints = np.argmax(self._worth, axis=1)

    def _hands(self, held: int) -> Iterator[tuple[Rank, ...]]:
        """Every hand of `held` cards as ranks in ascending order."""
        for ranks in combinations_with_replacement(_RANKS, held):
            if all(ranks.count(rank) <= self._counts[place] for place, rank in enumerate(_RANKS)):
                yield ranks

    def _settle_all(self) -> tuple[list[Settled], Ints]:
        """The distinct results, and the index of the result by hand, setting and dealer's hand."""
        houses = [_example(ranks) for ranks in self.theirs]
        numbers = np.zeros((len(self.mine), len(self.offers), len(houses)), dtype=np.int64)
        known: dict[Any, int] = {}
        results: dict[Settled, int] = {}
        for row, ranks in enumerate(self.mine):
            for column, offer in enumerate(self.offers):
                seat = self.rounds.set_seat(_example(ranks), offer)
                for place, house in enumerate(houses):
                    facts, r = self.rounds.facts(seat, house)
                    if facts not in known:
                        known[facts] = results.setdefault(self.rounds.settle(r), len(results))
                    numbers[row, column, place] = known[facts]
        return list(results), numbers

    def _count_ways(self) -> Ints:
        """By hand and dealer's hand: in how many ways the dealer can draw it from the cards left."""
        held = [[ranks.count(rank) for rank in _RANKS] for ranks in self.mine]
        theirs = [[ranks.count(rank) for rank in _RANKS] for ranks in self.theirs]
        most = max(self._counts)
        choose = np.array([[comb(n, k) for k in range(self.rounds.house + 1)] for n in range(most + 1)])
        left = np.array(self._counts) - np.array(held)
        ways = np.ones((len(held), len(theirs)), dtype=np.int64)
        for rank, column in enumerate(np.array(theirs).T):
            ways *= choose[left[:, rank]][:, column]
        return ways

    def choice_results(self, row: int) -> tuple[ChoiceResults, ...]:
        """The settings of a hand with their results, by the dealer's hand."""
        choices = []
        for offer, numbers in zip(self.offers, self._numbers[row], strict=True):
            met = np.unique(numbers).tolist()
            cells = tuple(tuple(np.flatnonzero(numbers == number).tolist()) for number in met)
            choices.append(ChoiceResults(offer.name, tuple(self._results[number] for number in met), cells))
        return tuple(choices)

    def picks_of(self, strategy: Chooser) -> Ints:
        """The index of the choice that a strategy makes for each hand."""
        names, about = tuple(offer.name for offer in self.offers), self.rounds.step.about
        return np.array(
            [names.index(strategy(PlayerView(_example(ranks), (), names, (), about))) for ranks in self.mine]
        )

    def play_by(self, picks: Ints) -> "SettingSolver":
        """A solver with the same counts that sets each hand by these picks."""
        again = copy(self)
        vars(again).pop("law", None)
        again.picks = picks
        return again

    def choices(self) -> Iterator[tuple[Cards, str]]:
        """An example of each hand with its choice."""
        for ranks, pick in zip(self.mine, self.picks.tolist(), strict=True):
            yield _example(ranks), self.offers[pick].name

    @cached_property
    def hands(self) -> list[int]:
        """In how many ways each hand of the seat is dealt."""
        counts = dict(zip(_RANKS, self._counts, strict=True))
        return [prod(comb(counts[rank], ranks.count(rank)) for rank in set(ranks)) for ranks in self.mine]

    @cached_property
    def law(self) -> Law:
        """The probability of each settlement of all wagers."""
        chosen = self._numbers[np.arange(len(self.mine)), self.picks]
        weights = self._ways * np.array(self.hands)[:, None]
        total = int(weights.sum())
        return {
            result: Fraction(ways, total)
            for number, result in enumerate(self._results)
            if (ways := int(weights[chosen == number].sum()))
        }

    def worth(self, cards: Sequence[Card]) -> dict[str, Fraction]:
        """The value of each setting with these cards, in cents."""
        order = sorted(range(len(cards)), key=lambda place: cards[place].rank)
        row = self._places[tuple(cards[place].rank for place in order)]
        columns = {offer.cards: column for column, offer in enumerate(self.offers)}
        divisor = int(self._ways[row].sum()) * self._scale
        worth = {}
        for offer in self.offers:
            places = tuple(sorted(order.index(place) for place in offer.cards))
            worth[offer.name] = Fraction(int(self._worth[row, columns[places]]), divisor)
        return worth


class SetMeetings:
    """The hands of a setting solver in the form of a showdown: every hand of ranks is a class and a run of its own."""

    has_up_card = False

    def __init__(self, solved: SettingSolver, shoe: Shoe) -> None:
        self.solved, self.deck, self.size, self.house = (
            solved,
            shoe.all_cards(),
            solved.rounds.held,
            solved.rounds.house,
        )
        self.hands, self.run_of, self.value = np.array(solved.hands), *np.tile(np.arange(len(solved.mine)), (2, 1))
        self.runs = [solved.choice_results(row) for row in range(len(solved.mine))]
        self.bounds = np.tile(np.arange(1, len(solved.theirs)), (len(solved.mine), 1))
        places = {ranks: place for place, ranks in enumerate(solved.theirs)}
        sets = sorted(combinations(range(len(self.deck)), self.house), key=lambda each: each[::-1])
        ranks = (tuple(sorted(self.deck[card].rank for card in each)) for each in sets)
        self.dealer_place: Ints = np.array([places[each] for each in ranks])

    def __len__(self) -> int:
        return len(self.hands)

    def cards(self, row: int) -> Cards:
        """A hand of a class."""
        ranks, left = self.solved.mine[row], list(self.deck)
        return tuple(left.pop(next(at for at, card in enumerate(left) if card.rank is rank)) for rank in ranks)


def _card(rank: Rank, suit: Suit) -> Card:
    return DECK[4 * (rank - 2) + suit]


def _example(ranks: tuple[Rank, ...]) -> Cards:
    """Cards of these ranks, in this order."""
    return tuple(_card(rank, Suit(place % 4)) for place, rank in enumerate(ranks))


def sets_hands(game: Game, wagers: Mapping[str, Cents]) -> bool:
    """Whether cards are set in a game; a quick check of its rules."""
    try:
        SettingRounds(game, wagers, {}, game.terms.shoe)
    except NoSetting:
        return False
    return True


def setting_solver(
    game: Game,
    wagers: Mapping[str, Cents],
    shoe: Shoe,
    meters: Mapping[str, Cents],
    serving: frozenset[str] | None = None,
) -> SettingSolver:
    """The solver of a spot under best play; cached, so that a paper's questions and the coach share it."""
    best: SettingSolver = best_play(SettingSolver, game, tuple(wagers.items()), shoe, tuple(meters.items()), serving)
    return best


def setting_answer(question: Question) -> Answer:
    """The figures of a wager that set hands decide."""
    SettingRounds(question.game, question.stakes, question.posted, question.shoe)  # refuse before any work is done
    follow = chooser(question) if question.plays or question.strategy != "optimal" else None
    served = frozenset(question.serving)
    solved = setting_solver(question.game, question.stakes, question.shoe, question.posted, served)
    solved = solved.play_by(solved.picks_of(follow)) if follow else solved
    figures = law_figures(solved.law, question.group, question.unit)
    return Answer(figures, notes={"setting": solved}, law=solved.law)
