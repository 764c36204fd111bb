"""The showdown solver: a hand against a dealer's hand from the rest of the deck, one decision in between.

It serves every game of that shape, and every wager that the player's hand alone decides. The game deals,
offers and settles (`spot`); hands are enumerated (`hands`) and the dealer's counted against each of them
(`dealer_counts`), but only where a dealer's hand can change the result (`cells`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from operator import mul
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.figures import Figures, Outcome, outcome_name
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import Cells, ChoiceResults, cell_counts, choice_results
from feltworks.analysis.solvers.showdown.dealer_counts import DealerCounts, UpCard, dealer_counts
from feltworks.analysis.solvers.showdown.hands import Hand, hand_classes, in_suit
from feltworks.analysis.solvers.showdown.spot import Result, Spot, ranking_for
from feltworks.analysis.solvers.suits import are_suits_alike
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError, UnknownName
from feltworks.hands.poker import HandValue
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of

_UNIT: Cents = 100
_LARGEST = 2**63 - 1


class Sight(Struct, frozen=True):
    """What a player decides by: the hand, its value, and the dealer's up card where there is one."""

    cards: Hand
    value: HandValue
    up_card: Card | None = None


# Asked once for a class of hands: suits that are alike have no names.
ShowdownStrategy = Literal["optimal"] | Callable[[Sight], str]


class Decision(Struct, frozen=True):
    """What each choice is worth with a hand, per unit of the first wager, and the best of them."""

    sight: Sight
    hands: int  # how many hands of the deck are alike
    worth: Mapping[str, Fraction]
    best: str


class ResultRow(Struct, frozen=True):
    """One way a whole spot comes out: the choice made, how each wager was settled, and in how many ways."""

    choice: str
    result: Result
    ways: int


def showdown(
    game: Game[Any],
    *,
    wagers: Mapping[str, Cents] | None = None,
    shoe: Shoe | None = None,
    strategy: ShowdownStrategy = "optimal",
    meters: Mapping[str, Cents] | None = None,
) -> "Showdown":
    """Analyse one spot of a showdown game; without `wagers`, its main wager alone.

    >>> from feltworks import catalog
    >>> showdown(catalog.game("spanish-poker"), wagers={"joker-in-hand": 100}).figures.house_edge
    Fraction(1, 41)
    """
    book = game.terms.rulebook
    main = next(name for name, entry in book.wager.items() if entry.kind == "main")
    placed = dict(wagers) if wagers else {main: _UNIT}
    known = [name for name, entry in book.wager.items() if entry.kind != "derived"]
    for name in placed:
        if name not in known:
            raise UnknownName("wager", name, known, of=book.title)
        if unposted := meters_of(game.pays[name].values()) - (meters or {}).keys():
            raise FeltError(f"the {min(unposted)} has to be posted in cents for the {name} wager")
    return Showdown(game, placed, shoe or game.terms.shoe, strategy, meters or {})


class Showdown:
    """The exact law of a spot under a strategy, and the worth of every choice."""

    def __init__(
        self,
        game: Game[Any],
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        strategy: ShowdownStrategy,
        meters: Mapping[str, Cents],
    ) -> None:
        self.game, self.wagers, self.strategy = game, wagers, strategy
        self.unit = next(iter(wagers.values()))
        self.classes = hand_classes(shoe, ranking_for(game))
        spot = Spot(game, wagers, meters)
        self._up_card = bool(spot.up_cards(self.classes.examples[0]))
        cells = Cells(spot, self.classes)
        cells.check()
        if not are_suits_alike(game, wagers):
            raise spot.no_showdown("an outcome changes with the suits of the cards")
        self._cuts, self._run_of = cells.cuts, cells.run_of
        self._runs = [choice_results(cells, run) for run in cells.players]
        self._needs_dealer = any(len(choice.results) > 1 for run in self._runs for choice in run)
        if self._needs_dealer and shoe.total < 2 * self.classes.size:
            raise FeltError(f"two hands take {2 * self.classes.size} cards and the shoe holds {shoe.total}")
        self._price()
        seen = shoe.total - self.classes.size if self._up_card else 1
        assert self.total == comb(shoe.total, self.classes.size) * seen * self._dealer_hands, "a deal is lost"

    def _price(self) -> None:
        nets = [net for run in self._runs for choice in run for net in choice.nets()]
        self._scale = lcm(*(net.denominator for net in nets))
        self._highest = max(abs(net) for net in nets)
        self.rows = self._tally_rows()
        self.total = sum(row.ways for row in self.rows)

    def reprice(self, game: Game[Any]) -> "Showdown":
        """The same counts under the pays of another table that judges hands alike."""
        again = self._again()
        again.game = game
        again._runs = [tuple(choice.reprice(game.pays) for choice in run) for run in self._runs]
        again._price()
        return again

    def play_by(self, strategy: ShowdownStrategy) -> "Showdown":
        """The same counts under another strategy."""
        again = self._again()
        again.strategy = strategy
        again._price()
        return again

    def _again(self) -> "Showdown":
        again = copy(self)
        for reckoned in ("figures", "choices_by_value"):
            vars(again).pop(reckoned, None)
        return again

    @cached_property
    def figures(self) -> Figures:
        """All wagers of the spot together."""
        return self.figures_of(*self.wagers)

    def figures_of(self, *wagers: str) -> Figures:
        """Some of the spot's wagers, each with what follows from it, per unit of the first of them."""
        taken = self._with_derived(*wagers)
        unit = self.wagers[wagers[0]]
        return Figures.of(
            Outcome(
                _result_name(row.result, taken),
                Fraction(row.ways, self.total),
                _net(row.result, taken) / unit,
                Fraction(sum(each.wagered for each in row.result if each.wager in taken), unit),
            )
            for row in self.rows
        )

    def covariance(self, one: str, other: str) -> Fraction:
        """How two wagers go together, each with what follows from it; in units of the spot's first wager."""
        first, second = self._with_derived(one), self._with_derived(other)
        rows = [(row.ways, _net(row.result, first), _net(row.result, second)) for row in self.rows]
        mean = sum((ways * a for ways, a, _ in rows), Fraction(0)) / self.total
        others = sum((ways * b for ways, _, b in rows), Fraction(0)) / self.total
        joint = sum((ways * a * b for ways, a, b in rows), Fraction(0)) / self.total
        return (joint - mean * others) / self.unit**2

    def decision(self, hand: Iterable[Card], up_card: Card | None = None) -> Decision:
        """What to do with a hand."""
        held = tuple(hand)
        row, exchanged = self.classes.class_of(held)
        up = self._up(in_suit(up_card, exchanged) if up_card and up_card.suit is not None else up_card)
        decision = next(self._decisions(np.array([row]), up))
        return replace(decision, sight=replace(decision.sight, cards=held, up_card=up_card))

    def decisions(self) -> Iterator[Decision]:
        """What to do with every class of hands, against every up card where there is one."""
        for up in self._ups:
            yield from self._decisions(self._everything, up)

    def worth(self, up_card: Card | None = None) -> tuple[Mapping[str, list[int]], int]:
        """What each choice is worth with each class of hands: whole numbers, and what divides them all."""
        worths: dict[str, list[int]] = {}
        for rows, run, ways in self._run_counts(self._everything, self._up(up_card)):
            for choice, counted in zip(run, ways, strict=True):
                worth = worths.setdefault(choice.label, [0] * len(self.classes))
                for row, number in zip(rows.tolist(), self._worth(choice, counted).tolist(), strict=True):
                    worth[row] = number
        return worths, self._scale * self._dealer_hands * self.unit

    def worth_by_value(self) -> tuple[Mapping[str, list[int]], list[int], int]:
        """What each choice is worth with all hands of a value together, how many, and the divisor."""
        deals = comb(self.classes.shoe.total, self.classes.size) * self._dealer_hands
        whole: Any = np.int64 if self._highest * self._scale * deals <= _LARGEST else object
        values = len(self.classes.values)
        hands, worths = self._by_value(self.classes.hands), dict[str, Ints]()
        for rows, run, ways in self._run_counts(self._everything, self._up(None)):
            for choice, counted in zip(run, ways, strict=True):
                worth = self._worth(choice, counted).astype(whole) * self.classes.hands[rows]
                total = worths.setdefault(choice.label, np.zeros(values, dtype=whole))
                np.add.at(total, self.classes.value[rows], worth)
        divisor = self._scale * self._dealer_hands * self.unit
        return {label: total.tolist() for label, total in worths.items()}, hands.tolist(), divisor

    @property
    def has_up_card(self) -> bool:
        """Whether the player decides with one of the dealer's cards in sight."""
        return self._up_card

    def results_by_hand_alone(self) -> Iterator[tuple[Result, Ints]]:
        """Where the hand alone decides: each result with the classes of hands that have it."""
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
        """By the place of a run: which rows it has, and the dealer's hands by choice and result."""
        met = np.zeros((0, len(rows)), dtype=np.int64)
        if self._needs_dealer:
            met = cell_counts(self._counts.below(rows, up), self._dealer_hands)
        run_of = self._run_of[rows]
        for place, run in enumerate(self._runs):
            here = np.flatnonzero(run_of == place)
            if len(here):
                met_here = np.take(met, here, axis=1)
                yield here, place, [choice.ways(met_here, self._dealer_hands) for choice in run]

    @cached_property
    def _counts(self) -> DealerCounts:
        return dealer_counts(self.classes, self._cuts, up_card=self._up_card)

    @property
    def _dealer_hands(self) -> int:
        return self._counts.total if self._needs_dealer else 1

    @property
    def _ups(self) -> list[UpCard | None]:
        return self._counts.up_cards if self._up_card else [None]

    def _up(self, face: Card | None) -> UpCard | None:
        """The up card a player may see; wild ones are all alike."""
        wild = self.classes.wild_faces
        asked = wild[0] if face in wild else face
        for up in self._ups:
            if (up.face if up else None) is asked:
                return up
        raise FeltError("the dealer shows no such card" if face else "the dealer's up card has to be given")

    def _run_counts(
        self, rows: Ints, up: UpCard | None
    ) -> Iterator[tuple[Ints, tuple[ChoiceResults, ...], list[Ints]]]:
        """Run by run: which rows it has, and for each choice in how many ways each result comes about."""
        everywhere = up is None and rows is self._everything
        for here, place, ways in self._all_run_counts if everywhere else self._count_runs(rows, up):
            yield here, self._runs[place], ways

    def _worth(self, choice: ChoiceResults, ways: Ints) -> Ints:
        """What a choice brings against all dealer hands together, in whole parts of a cent."""
        nets = [int(net * self._scale) for net in choice.nets()]
        fits = self._highest * self._scale * self._dealer_hands <= _LARGEST
        counted = ways if fits else ways.astype(object)
        worth: Ints = sum(net * row for net, row in zip(nets, counted, strict=True))
        return worth

    def _choose(
        self, rows: Ints, run: tuple[ChoiceResults, ...], ways: list[Ints], up: UpCard | None
    ) -> Ints:
        """Which choice each hand makes; of equally good ones the first, which wagers least."""
        if len(run) == 1:
            return np.zeros(len(rows), dtype=np.int64)
        if self.strategy == "optimal":
            worths = [self._worth(choice, counted) for choice, counted in zip(run, ways, strict=True)]
            best: Ints = np.argmax(np.stack(worths), axis=0)
            return best
        labels = [choice.label for choice in run]
        choices = [self.strategy(self._sight(row, up)) for row in rows.tolist()]
        if unknown := set(choices) - set(labels):
            raise UnknownName("choice", min(unknown), labels, of=self.game.terms.rulebook.title)
        return np.array([labels.index(label) for label in choices])

    def _tally_rows(self) -> tuple[ResultRow, ...]:
        """Tallies how the spot comes out; also notes how often each class of hands makes each choice."""
        tally: dict[tuple[str, Result], int] = {}
        self._chosen_by: dict[str, Ints] = {}
        for up in self._ups:
            weights = self.classes.hands * (self._counts.copies(up) if up else 1)
            for rows, run, ways in self._run_counts(self._everything, up):
                chosen = self._choose(rows, run, ways, up)
                for number, choice in enumerate(run):
                    mine = np.flatnonzero(chosen == number)
                    weighed = weights[rows[mine]]
                    by = self._chosen_by.setdefault(choice.label, np.zeros(len(self.classes), np.int64))
                    by[rows[mine]] += weighed
                    for result, counted in zip(choice.results, ways[number], strict=True):
                        key = (choice.label, result)
                        tally[key] = tally.get(key, 0) + self._dot(weighed, counted[mine])
        return tuple(ResultRow(label, result, ways) for (label, result), ways in tally.items() if ways)

    @cached_property
    def choices_by_value(self) -> dict[str, Ints]:
        """How often hands of each value make each choice."""
        return {label: self._by_value(hands) for label, hands in self._chosen_by.items()}

    def _by_value(self, hands: Ints) -> Ints:
        """What classes of hands have, taken together by value."""
        summed = np.zeros(len(self.classes.values), dtype=hands.dtype)
        np.add.at(summed, self.classes.value, hands)
        return summed

    def _dot(self, weights: Ints, counted: Ints) -> int:
        shoe, size = self.classes.shoe.total, self.classes.size
        if comb(shoe, size) * shoe * self._dealer_hands <= _LARGEST:
            return int(weights @ counted)
        return sum(map(mul, weights.tolist(), counted.tolist()))

    def _sight(self, row: int, up: UpCard | None) -> Sight:
        value = self.classes.values[self.classes.value[row]]
        return Sight(self.classes.cards(row), value, up.face if up else None)

    def _decisions(self, rows: Ints, up: UpCard | None) -> Iterator[Decision]:
        divisor = self._scale * self._dealer_hands * self.unit
        for here, run, ways in self._run_counts(rows, up):
            worths = [self._worth(choice, counted) for choice, counted in zip(run, ways, strict=True)]
            best = np.argmax(np.stack(worths), axis=0).tolist()
            for place, row in enumerate(rows[here].tolist()):
                worth = {c.label: Fraction(int(w[place]), divisor) for c, w in zip(run, worths, strict=True)}
                hands = int(self.classes.hands[row])
                yield Decision(self._sight(row, up), hands, worth, run[best[place]].label)

    def _with_derived(self, *wagers: str) -> frozenset[str]:
        entries = self.game.terms.rulebook.wager
        for wager in wagers:
            if wager not in self.wagers:
                raise UnknownName("wager on this spot", wager, self.wagers)
        return frozenset(name for name, entry in entries.items() if name in wagers or entry.of in wagers)


def _net(result: Result, wagers: frozenset[str]) -> Fraction:
    return sum((each.net for each in result if each.wager in wagers), Fraction(0))


def _result_name(result: Result, wagers: frozenset[str]) -> str:
    """How the wagers came out, as one name."""
    return outcome_name([(each.wager, each.outcome) for each in result if each.wager in wagers])
