"""The showdown solver: a hand against a dealer's hand from the rest of the deck, one decision in between.

It solves every game of this form, and every wager that the player's hand alone decides. The game deals, offers
and settles (`spot`); hands are enumerated (`hands`) and the dealer's hands counted against each (`counts`), but
only if a dealer's hand can change the result (`cells`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Figures
from feltworks.analysis.joint import law_figures
from feltworks.analysis.referee import Law
from feltworks.analysis.shape import are_suits_alike, opening_wagers, ranking_of
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import Cells, ChoiceResults, cell_counts, choice_results
from feltworks.analysis.solvers.showdown.counts import DealerCounts, UpCard, dealer_counts
from feltworks.analysis.solvers.showdown.duel import Duel
from feltworks.analysis.solvers.showdown.hands import hand_classes, in_suit
from feltworks.analysis.solvers.showdown.spot import NoShowdown, Spot, ranking_for
from feltworks.analysis.strategy.file import Cards, Chooser
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError, UnknownName
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.sights import PlayerView

if TYPE_CHECKING:
    from feltworks.analysis.solvers.streets.tree import Streets

_UNIT: Cents = 100
_LARGEST = 2**63 - 1


class Decision(Struct, frozen=True):
    """The worth of each choice with a hand, per unit of the first wager, and the best choice."""

    worth: Mapping[str, Fraction]
    best: str


def showdown(
    game: Game,
    *,
    wagers: Mapping[str, Cents] | None = None,
    shoe: Shoe | None = None,
    strategy: Chooser | None = None,
    meters: Mapping[str, Cents] | None = None,
) -> "Showdown":
    """Analyse one spot of a showdown game; without `wagers`, its main wager and what comes with it.

    `strategy` is called once for each class of hands, so it cannot depend on named suits; without it play is best.

    >>> from feltworks import catalog
    >>> showdown(catalog.game("spanish-poker"), wagers={"joker-in-hand": 100}).figures.house_edge
    Fraction(1, 41)
    """
    book = game.terms.rulebook
    placed = dict(wagers) if wagers else dict.fromkeys(opening_wagers(game), _UNIT)
    known = [name for name, entry in book.wager.items() if entry.kind != "derived"]
    for name in placed:
        if name not in known:
            raise UnknownName("wager", name, known, of=book.title)
        if unposted := meters_of(game.pays[name].values()) - (meters or {}).keys():
            raise FeltError(f"the {min(unposted)} has to be posted in cents for the {name} wager")
    return Showdown(game, placed, shoe or game.terms.shoe, strategy, meters or {})


class RankedMeetings:
    """Poker hands of the same ranking and size on both sides, which are counted by ranks."""

    def __init__(self, spot: "Spot | Streets", wagers: Mapping[str, Cents], shoe: Shoe) -> None:
        self.classes, game = hand_classes(shoe, ranking_for(spot.game)), spot.game
        self.has_up_card = bool(spot.up_cards(self.classes.examples[0]))
        cells = Cells(spot, self.classes)
        cells.check()
        if not are_suits_alike(game, wagers):
            raise spot.no_showdown("an outcome changes with the suits of the cards")
        self.cuts, self.run_of = cells.cuts, cells.run_of
        self.runs = [choice_results(cells, run) for run in cells.players]

    @cached_property
    def _counts(self) -> DealerCounts:
        shoe, size = self.classes.shoe, self.classes.size
        if shoe.total < 2 * size:
            raise FeltError(f"two hands take {2 * size} cards and the shoe holds {shoe.total}")
        return dealer_counts(self.classes, self.cuts, up_card=self.has_up_card)

    @property
    def total(self) -> int:
        """The number of dealer's hands against any hand, given the up card if there is one."""
        return self._counts.total

    @property
    def up_cards(self) -> Sequence[UpCard | None]:
        """The cards that the dealer may show; None if no card is shown."""
        return self._counts.up_cards if self.has_up_card else [None]

    def copies(self, up: UpCard) -> Ints:
        """The number of such cards that each class of hands leaves in the deck."""
        return self._counts.copies(up)

    def cells_met(self, rows: Ints, up: UpCard | None) -> Ints:
        """Counts of dealer's hands: a row for each cell, a column for each player's hand."""
        return cell_counts(self._counts.below(rows, up), self.total)


def meetings_of(
    game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents], shoe: Shoe
) -> RankedMeetings | Duel:
    """The meetings of a game's hands: by ranks if that is enough, otherwise by what the rules read."""
    if ranking_of(game) is None:
        return Duel(game, wagers, meters, shoe)
    try:
        return RankedMeetings(Spot(game, wagers, meters), wagers, shoe)
    except NoShowdown as refusal:
        with suppress(NoShowdown):
            return Duel(game, wagers, meters, shoe)
        raise refusal


class Showdown:
    """The exact law of a spot under a strategy, and the worth of every choice."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        strategy: Chooser | None,
        meters: Mapping[str, Cents],
    ) -> None:
        self.game, self.wagers, self.strategy = game, wagers, strategy
        self.unit = next(iter(wagers.values()))
        self.meetings = meetings_of(game, wagers, meters, shoe)
        self.classes, self._runs = self.meetings.classes, self.meetings.runs
        self.has_up_card = self.meetings.has_up_card  # whether a dealer's card is open at the decision
        self._run_of = self.meetings.run_of
        self._needs_dealer = any(len(choice.results) > 1 for run in self._runs for choice in run)
        self._price()
        up_cards = shoe.total - self.classes.size if self.has_up_card else 1
        deals = comb(shoe.total, self.classes.size) * up_cards * self._dealer_hands
        assert self.total == deals, "a deal is lost"

    def _price(self) -> None:
        nets = [net for run in self._runs for choice in run for net in choice.nets()]
        self._scale = lcm(*(net.denominator for net in nets))
        self._highest = max(abs(net) for net in nets)
        self.tally = self._tally_results()
        self.total = sum(self.tally.values())

    def reprice(self, game: Game) -> "Showdown":
        """The spot with the same counts under another pay table for the same outcomes."""
        again = self._again()
        again.game = game
        again._runs = [tuple(choice.reprice(game.pays) for choice in run) for run in self._runs]
        again._price()
        return again

    def play_by(self, strategy: Chooser) -> "Showdown":
        """The spot with the same counts under another strategy."""
        again = self._again()
        again.strategy = strategy
        again._price()
        return again

    def _again(self) -> "Showdown":
        again = copy(self)
        for name in ("law", "figures", "choices_by_value"):
            vars(again).pop(name, None)
        return again

    @cached_property
    def law(self) -> Law:
        """The probability of each settlement of the spot under its strategy."""
        law: Law = {}
        for (_, settled), ways in self.tally.items():
            law[settled] = law.get(settled, Fraction(0)) + Fraction(ways, self.total)
        return law

    @cached_property
    def figures(self) -> Figures:
        """The figures of all wagers of the spot together."""
        return self.figures_of(*self.wagers)

    def figures_of(self, *wagers: str) -> Figures:
        """The figures of some wagers, each with those that come with it or follow, per unit of the first."""
        book = self.game.terms.rulebook
        placed = {*wagers, *(other for name in wagers for other in book.placed_with(name))}
        group = [name for name, entry in book.wager.items() if name in placed or entry.of in placed]
        return law_figures(self.law, group, self.wagers[wagers[0]])

    def decision(self, hand: Iterable[Card], up_card: Card | None = None) -> Decision:
        """The decision for a hand; of equally good choices the first, which wagers least."""
        row, exchanged = self.classes.class_of(tuple(hand))
        up = self._up(in_suit(up_card, exchanged) if up_card and up_card.suit is not None else up_card)
        ((_, run, ways),) = self._run_counts(np.array([row]), up)
        divisor = self.worth_divisor
        worth = {
            choice.label: Fraction(int(self._worth(choice, counted)[0]), divisor)
            for choice, counted in zip(run, ways, strict=True)
        }
        return Decision(worth, max(worth, key=lambda label: worth[label]))

    def choices(self) -> Iterator[tuple[Cards, str]]:
        """A hand of every class with its choice, if no card of the dealer's is open."""
        labels = list(self.hands_by_choice)
        chosen = np.argmax(np.stack(list(self.hands_by_choice.values())), axis=0)
        for row, choice in enumerate(chosen.tolist()):
            yield self.classes.cards(row), labels[choice]

    def picks(self, up_card: Card | None = None) -> Ints:
        """By class of hands: the index of its choice, the least money first."""
        chosen, up = np.zeros(len(self.classes), dtype=np.int64), self._up(up_card)
        for rows, run, ways in self._run_counts(self._everything, up):
            chosen[rows] = self._choose(rows, run, ways, up)
        return chosen

    def worth(self, up_card: Card | None = None) -> tuple[Mapping[str, list[int]], int]:
        """The worth of each choice for each class of hands, as whole numbers with a common divisor."""
        worths: dict[str, list[int]] = {}
        for rows, run, ways in self._run_counts(self._everything, self._up(up_card)):
            for choice, counted in zip(run, ways, strict=True):
                worth = worths.setdefault(choice.label, [0] * len(self.classes))
                for row, number in zip(rows.tolist(), self._worth(choice, counted).tolist(), strict=True):
                    worth[row] = number
        return worths, self.worth_divisor

    def choices_by_up_card(self) -> Iterator[tuple[UpCard | None, Ints, Ints, Ints, Sequence[str]]]:
        """By open card of the dealer: the number of hands of each class, the index of its choice, the worth of
        every choice (a row for each, in whole parts of a cent), and their names.
        """
        names = list(self.open_choices())
        for up in self._ups:
            weights: Ints = self.classes.hands * (self.meetings.copies(up) if up else 1)
            picks, worths = np.zeros(len(self.classes), np.int64), np.zeros((len(names), len(self.classes)), np.int64)
            for rows, run, ways in self._run_counts(self._everything, up):
                places = np.array([names.index(choice.label) for choice in run])
                picks[rows] = places[self._choose(rows, run, ways, up)]
                for place, choice, counted in zip(places.tolist(), run, ways, strict=True):
                    worths[place, rows] = self._worth(choice, counted)
            yield up, weights, picks, worths, names

    @property
    def worth_divisor(self) -> int:
        """The divisor that turns worths into worths per unit of the first wager."""
        return self._scale * self._dealer_hands * self.unit

    def open_choices(self) -> dict[str, Ints]:
        """By choice: whether it is open to each class of hands."""
        labels = [{choice.label for choice in run} for run in self._runs]
        names = dict.fromkeys(choice.label for run in self._runs for choice in run)
        return {name: np.array([name in some for some in labels])[self._run_of] for name in names}

    def worth_by_value(self) -> tuple[Mapping[str, list[int]], list[int], int]:
        """The worth of each choice for all hands of a value together, their number, and the divisor."""
        deals = comb(self.classes.shoe.total, self.classes.size) * self._dealer_hands
        whole: Any = np.int64 if self._highest * self._scale * deals <= _LARGEST else object
        values = len(self.classes.values)
        hands, worths = self._by_value(self.classes.hands), dict[str, Ints]()
        for rows, run, ways in self._run_counts(self._everything, self._up(None)):
            for choice, counted in zip(run, ways, strict=True):
                worth = self._worth(choice, counted).astype(whole) * self.classes.hands[rows]
                total = worths.setdefault(choice.label, np.zeros(values, dtype=whole))
                np.add.at(total, self.classes.value[rows], worth)
        divisor = self.worth_divisor
        return {label: total.tolist() for label, total in worths.items()}, hands.tolist(), divisor

    @property
    def largest_wins(self) -> list[Fraction]:
        """The most that each class of hands can win over all choices and dealer's hands, without its losses."""
        by_run = [
            max(sum((max(line.net, Fraction(0)) for line in result), Fraction(0)) for c in run for result in c.results)
            for run in self._runs
        ]
        return [by_run[run] for run in self._run_of.tolist()]

    def results_by_hand_alone(self) -> Iterator[tuple[Settled, Ints]]:
        """If the hand alone decides: each result with its classes of hands."""
        for place, run in enumerate(self._runs):
            if len(run) == 1 and len(run[0].results) == 1:
                yield run[0].results[0], np.flatnonzero(self._run_of == place)

    @cached_property
    def _everything(self) -> Ints:
        return np.arange(len(self.classes))

    @cached_property
    def _all_run_counts(self) -> "list[tuple[Ints, int, list[Ints]]]":
        return list(self._count_runs(self._everything, None))

    def _count_runs(self, rows: Ints, up: UpCard | None) -> Iterator[tuple[Ints, int, list[Ints]]]:
        """For each run: its rows, its index, and the number of dealer's hands by choice and result."""
        meetings = np.zeros((0, len(rows)), dtype=np.int64)
        if self._needs_dealer:
            meetings = self.meetings.cells_met(rows, up)
        run_of = self._run_of[rows]
        for place, run in enumerate(self._runs):
            here = np.flatnonzero(run_of == place)
            if len(here):
                of_run = np.take(meetings, here, axis=1)
                yield here, place, [choice.ways(of_run, self._dealer_hands) for choice in run]

    @property
    def _dealer_hands(self) -> int:
        return self.meetings.total if self._needs_dealer else 1

    @property
    def _ups(self) -> Sequence[UpCard | None]:
        return self.meetings.up_cards

    def _up(self, face: Card | None) -> UpCard | None:
        """The open card of this face; all wild cards are one."""
        wild = self.classes.wild_faces
        wanted = wild[0] if face in wild else face
        for up in self._ups:
            if (up.face if up else None) is wanted:
                return up
        raise FeltError("the dealer shows no such card" if face else "the dealer's up card has to be given")

    def _run_counts(
        self, rows: Ints, up: UpCard | None
    ) -> Iterator[tuple[Ints, tuple[ChoiceResults, ...], list[Ints]]]:
        """For each run: its rows, its index, and for each choice the number of ways to each result."""
        everywhere = up is None and rows is self._everything
        for here, place, ways in self._all_run_counts if everywhere else self._count_runs(rows, up):
            yield here, self._runs[place], ways

    def _worth(self, choice: ChoiceResults, ways: Ints) -> Ints:
        """The total worth of a choice against all dealer hands, in whole parts of a cent."""
        nets = [int(net * self._scale) for net in choice.nets()]
        fits = self._highest * self._scale * self._dealer_hands <= _LARGEST
        counted = ways if fits else ways.astype(object)
        worth: Ints = sum(net * row for net, row in zip(nets, counted, strict=True))
        return worth

    def _choose(self, rows: Ints, run: tuple[ChoiceResults, ...], ways: list[Ints], up: UpCard | None) -> Ints:
        """The choice of each hand; of equally good ones the first, which wagers least."""
        if len(run) == 1:
            return np.zeros(len(rows), dtype=np.int64)
        if self.strategy is None:
            worths = [self._worth(choice, counted) for choice, counted in zip(run, ways, strict=True)]
            best: Ints = np.argmax(np.stack(worths), axis=0)
            return best
        labels = [choice.label for choice in run]
        shown = (up.face,) if up else ()
        views = (PlayerView(self.classes.cards(row), shown, tuple(labels)) for row in rows.tolist())
        choices = [self.strategy(view) for view in views]
        if unknown := set(choices) - set(labels):
            raise UnknownName("choice", min(unknown), labels, of=self.game.terms.rulebook.title)
        return np.array([labels.index(label) for label in choices])

    def _tally_results(self) -> dict[tuple[str, Settled], int]:
        """The number of ways to each result of each choice; also stores how often each class of hands makes it."""
        tally: dict[tuple[str, Settled], int] = {}
        self.hands_by_choice: dict[str, Ints] = {}
        for up in self._ups:
            weights = self.classes.hands * (self.meetings.copies(up) if up else 1)
            for rows, run, ways in self._run_counts(self._everything, up):
                chosen = self._choose(rows, run, ways, up)
                for number, choice in enumerate(run):
                    mine = np.flatnonzero(chosen == number)
                    weighed = weights[rows[mine]]
                    by = self.hands_by_choice.setdefault(choice.label, np.zeros(len(self.classes), np.int64))
                    by[rows[mine]] += weighed
                    for result, counted in zip(choice.results, ways[number], strict=True):
                        key = (choice.label, result)
                        tally[key] = tally.get(key, 0) + self._dot(weighed, counted[mine])
        return {key: ways for key, ways in tally.items() if ways}

    @cached_property
    def choices_by_value(self) -> dict[str, Ints]:
        """The number of hands of each value that make each choice."""
        return {label: self._by_value(hands) for label, hands in self.hands_by_choice.items()}

    def _by_value(self, hands: Ints) -> Ints:
        """Sum numbers of the classes of hands by value."""
        summed = np.zeros(len(self.classes.values), dtype=hands.dtype)
        np.add.at(summed, self.classes.value, hands)
        return summed

    def _dot(self, weights: Ints, counted: Ints) -> int:
        shoe, size = self.classes.shoe.total, self.classes.size
        if comb(shoe, size) * shoe * self._dealer_hands <= _LARGEST:
            return int(weights @ counted)
        return sum(map(mul, weights.tolist(), counted.tolist()))
