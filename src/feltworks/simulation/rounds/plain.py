"""Deals rounds one by one by the rules themselves, for games that the machine cannot compile."""

import time
from collections.abc import Callable, Hashable, Iterator
from itertools import takewhile
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.strategy.advice import ChoiceWorth, advice, referee_for
from feltworks.analysis.strategy.decisions import Follower, view_of
from feltworks.cards import Card
from feltworks.errors import BadOption, FeltError, one_of
from feltworks.machine.node import choices_of, names_of
from feltworks.machine.streams import Stream
from feltworks.machine.walk import WalkTooLong
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Face, Place, Round
from feltworks.rules.steps import Chance, Decide, Draw, Peek
from feltworks.simulation.plan import OPTIMAL, Plan
from feltworks.simulation.rounds.kernel import DealtLine, DealtRound
from feltworks.simulation.rounds.strategies import ALWAYS, strategy_file
from feltworks.simulation.tally import Layout, Tally, count_rounds

_TRIALS: Final = 500  # random rounds that collect the names of choices
_MOST_STEPS: Final = 2_000  # of the walk that solves one decision
_PACE_SECONDS: Final = 0.5  # that measure how many rounds a second are dealt
Decider = Callable[[Round, Decide], Choice]


class PlainKernel:
    """A kernel for any game, with every seat playing by the plan's strategy."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._decide = plan, decider(plan)
        opened = tuple(sum(seat.get(name, 0) for seat in plan.seats) for name in plan.wagers)
        self.layout = Layout(plan.wagers, opened)

    def pace(self) -> float:
        """Measures how many rounds a second this machine deals; the first ones also solve their decisions."""
        began = time.perf_counter()
        is_early = takewhile(lambda _: time.perf_counter() - began < _PACE_SECONDS, self.deal(Stream(0, 0), 10_000))
        counted = count_rounds(self.layout, (round_.cells(self._plan.table) for round_ in is_early))
        return (1 + counted.rounds) / (time.perf_counter() - began)  # the round that came late is not counted

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Counts this many rounds."""
        dealt = self.deal(stream, rounds)
        return count_rounds(self.layout, (round_.cells(self._plan.table) for round_ in dealt))

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """Returns the net of seat 1 in each round."""
        return np.fromiter((dealt.net(0) for dealt in self.deal(stream, rounds)), np.int64, rounds)

    def deal(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """Yields this many rounds card by card."""
        return deal_rounds(self._plan, self._decide, stream.word, rounds)


def deal_rounds(plan: Plan, decide: Decider, words: Callable[[], int], rounds: int) -> Iterator[DealtRound]:
    """Yields this many rounds from one shoe, one after the other; `words` gives 64 random bits at a time."""
    game, shoe = plan.table, Shoe(plan, words)
    for _ in range(rounds):
        fresh, choices = shoe.open_round(), list[Choice]()

        def choose(r: Round, step: Decide, choices: list[Choice] = choices) -> Choice:
            choices.append(decide(r, step))
            return choices[-1]

        r = deal_round(game, game.open_round(plan.seats, plan.meters), choose, lambda _place: shoe.draw())
        lines = tuple(DealtLine.of(line.seat, line) for line in game.settle(r))
        yield DealtRound(plan.seats, shoe.round_cards, tuple(choices), lines, plan.meters, fresh)


def deal_round(game: Game, r: Round, decide: Decider, draw: Callable[[Place], Card]) -> Round:
    """Answers every step until the round is over; `draw` gives a card for a place."""
    lying: dict[Place, tuple[Card, ...]] = {}
    while (step := game.awaits(r)) is not None:
        r = advance(r, step, decide(r, step) if isinstance(step, Decide) else _faces(step, lying, draw))
    return r


def _faces(step: Chance, lying: dict[Place, tuple[Card, ...]], draw: Callable[[Place], Card]) -> tuple[Face, ...]:
    """Returns the cards that a step draws, turns or peeks at."""
    if isinstance(step, Draw):
        drawn = tuple(draw(step.to) for _ in range(step.count))
        lying[step.to] = lying.get(step.to, ()) + drawn
        return (FACE_DOWN,) * step.count if step.down else drawn
    if isinstance(step, Peek):
        return peek_answer(step, lying[step.at][step.index])
    return lying[step.at][step.index : step.index + step.count]


class Shoe:
    """A shoe that is shuffled after its cut card has come out, or for every round."""

    def __init__(self, plan: Plan, words: Callable[[], int]) -> None:
        terms = plan.table.terms
        self._cards, self._words = list(terms.shoe.all_cards()), words
        every_round = plan.shuffle_every_round or terms.rulebook.cards.shuffle == "every round"
        self._cut = 0 if every_round else len(self._cards) * plan.penetration // 100
        self._next = self._begun = 0

    @property
    def round_cards(self) -> tuple[Card, ...]:
        """The cards of this round, in order."""
        return tuple(self._cards[self._begun : self._next])

    def open_round(self) -> bool:
        """Begins a round and returns whether the shoe is whole."""
        if self._next >= self._cut:
            self._next = 0
        self._begun = self._next
        return not self._next

    def draw(self) -> Card:
        """Draws a random card not dealt yet; if none is left, shuffles in the cards of earlier rounds."""
        if self._next == len(self._cards):
            self._cards = self._cards[self._begun :] + self._cards[: self._begun]
            self._next, self._begun = self._next - self._begun, 0
        place = self._next + self._below(len(self._cards) - self._next)
        drawn = self._cards[place]
        self._cards[place], self._cards[self._next] = self._cards[self._next], drawn
        self._next += 1
        return drawn

    def _below(self, end: int) -> int:
        """Returns a random number below `end`, all exactly equally likely."""
        while (word := self._words()) >= (1 << 64) // end * end:
            pass
        return word % end


def decider(plan: Plan) -> Decider:
    """Returns what answers every decision: best play, a file, or always the same choice."""
    game, strategy = plan.table, plan.strategy
    if strategy.name == OPTIMAL and strategy.document is None:
        return BestPlay(game)
    if (file := strategy_file(strategy)) is not None:
        return _by_file(Follower(game, file, strategy.name))
    wanted, names = strategy.name.removeprefix(ALWAYS), _names_of_choices(plan)
    if wanted == strategy.name or wanted not in names:
        known = one_of([OPTIMAL, *(f"{ALWAYS}{name}" for name in sorted(names)), "the name of a .json file"])
        raise BadOption("--strategy", strategy.name, known)
    return lambda _round, step: _take(step, wanted)


def _names_of_choices(plan: Plan) -> set[str]:
    """Collects the names of the choices in trial rounds with random choices."""
    chance, names = Random(0), set[str]()

    def decide(_round: Round, step: Decide) -> Choice:
        names.update(offer.name for offer in step.offers)
        offer = chance.choice(step.offers)
        return Choice(offer.name, chance.choice((offer.least, offer.most)), step.about)

    for _ in deal_rounds(plan, decide, lambda: chance.getrandbits(64), _TRIALS):
        pass
    return names


def _by_file(follow: Follower) -> Decider:
    def decide(r: Round, step: Decide) -> Choice:
        choices = list(choices_of(step))
        return choices[names_of(choices).index(follow(view_of(follow.game, r, step)))]

    return decide


def _take(step: Decide, wanted: str) -> Choice:
    """Makes the wanted choice if it is open, and otherwise the one that wagers least."""
    matches = [offer for offer in step.offers if offer.name == wanted]
    offer = matches[0] if matches else min(step.offers, key=lambda offer: offer.most)
    return Choice(offer.name, offer.most, step.about)


class BestPlay:
    """Makes the best choice for what a seat sees; caches the solution of each view, since solving is slow."""

    def __init__(self, game: Game) -> None:
        self._game, self._referee = game, referee_for(game, game.terms.shoe)
        self._choices: dict[Hashable, Choice] = {}

    def __call__(self, r: Round, step: Decide) -> Choice:
        if len(step.offers) == 1:
            return Choice(step.offers[0].name, step.offers[0].most, step.about)
        view = self._game.view(r, step.seat)
        key = step, self._referee.state(view)
        if key not in self._choices:
            best = self._solve(view, step)
            offer = next(offer for offer in step.offers if offer.name == best.best)
            self._choices[key] = Choice(best.best, best.amounts.get(best.best, offer.most), step.about)
        return self._choices[key]

    def _solve(self, view: Round, step: Decide) -> ChoiceWorth:
        """Refuses a game whose views each take too long, since thousands of them would be solved."""
        try:
            return advice(self._game, view, step, _MOST_STEPS)
        except WalkTooLong as error:
            title, dearest = self._game.terms.rulebook.title, max(step.offers, key=lambda offer: offer.most)
            raise FeltError(
                f"{title}: best play takes about {error.steps:,} steps for every hand, too many to deal rounds by;"
                f" name another strategy, such as --strategy {ALWAYS}{dearest.name} or a file"
            ) from None
