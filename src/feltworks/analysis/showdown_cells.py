"""What a showdown brings, asked of the game itself: rounds are dealt, played and settled through the grammar.

Between two poker hands a settlement can depend on the player's hand (its value and its wild cards), on the
dealer's hand and on which is better. A kind of hand is asked about at its lowest and its highest value:
where both are settled alike, so is all between them; where not, the border is sought between them, such as
a qualifier's or that of a pay from a pair of tens up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.poker_hands import Hand, HandClasses, Ints
from feltworks.analysis.referee import exact_net
from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.hands.poker import Ranking
from feltworks.money import Cents
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Step, Turn
from feltworks.rules.wager import Line

NOTHING_TO_DECIDE = Choice("")
RELATIONS = ("dealer worse", "equal", "dealer better")


class Settled(Struct, frozen=True):
    """One wager of a settled spot, in exact cents."""

    wager: str
    outcome: str
    net: Fraction
    wagered: Cents


Result = tuple[Settled, ...]


def ranking_of(game: Game[Any]) -> Ranking:
    """The ranking a game compares hands by."""
    ranking = getattr(game, "ranking", None)
    if not isinstance(ranking, Ranking):
        raise FeltError(f"{game.terms.rulebook.title} compares no poker hands, so it is no showdown")
    return ranking


class Spot:
    """One spot of a game, settled for given hands: the player's, the player's choice, the dealer's."""

    def __init__(self, game: Game[Any], wagers: Mapping[str, Cents], meters: Mapping[str, Cents]) -> None:
        self.game, self.size = game, ranking_of(game).size
        self.opened = Round((Seat(dict(wagers)),), meters=dict(meters))
        self._begun: dict[tuple[Hand, Choice], Round | Result] = {}

    def choices(self, hand: Hand, house: Hand) -> tuple[Choice, ...]:
        """What this hand may choose, the least money first."""
        r, step = self._dealt(self.opened, hand, house)
        if not isinstance(step, Decide):
            return (NOTHING_TO_DECIDE,)
        ends = [Choice(offer.name, cents) for offer in step.offers for cents in {offer.least, offer.most}]
        return tuple(sorted(ends, key=lambda choice: _money_on(advance(r, step, choice))))

    def result(self, hand: Hand, choice: Choice, house: Hand) -> Result:
        """How every wager of the spot comes out."""
        begun = self._begin(hand, choice)
        if not isinstance(begun, Round):
            return begun
        r, step = self._dealt(begun, hand, house, choice)
        if step is not None:
            raise self._no_showdown(f"it goes on with {step}")
        return self._settled(r)

    def _begin(self, hand: Hand, choice: Choice) -> Round | Result:
        """The round as far as it goes without the dealer's hand; its result where that is all of it."""
        key = (hand, choice)
        if key not in self._begun:
            r, step = self._dealt(self.opened, hand, None, choice)
            self._begun[key] = r if step else self._settled(r)
        return self._begun[key]

    def _settled(self, r: Round) -> Result:
        return tuple(_exact(line, r) for line in self.game.settle(r))

    def up_cards(self, example: Hand) -> int:
        """How many of the dealer's cards lie open before the player decides."""
        r, step = self._dealt(self.opened, example, example)
        if len(r.seats[0].cards) != self.size:
            raise self._no_showdown(f"a hand has {len(r.seats[0].cards)} cards and not {self.size}")
        seen = sum(isinstance(face, Card) for face in r.dealer) if step else 0
        if seen > 1:
            raise self._no_showdown(f"{seen} of the dealer's cards lie open before the decision")
        return seen

    def _dealt(
        self, r: Round, hand: Hand, house: Hand | None, choice: Choice | None = None
    ) -> tuple[Round, Step | None]:
        """The round as far as these answers carry it, and the step it then awaits."""
        step = self.game.awaits(r)
        while step is not None and (answer := self._answer(r, step, hand, house, choice)) is not None:
            r = advance(r, step, answer)
            step = self.game.awaits(r)
        return r, step

    def _answer(
        self, r: Round, step: Step, hand: Hand, house: Hand | None, choice: Choice | None
    ) -> Answer | None:
        if isinstance(step, Decide):
            return None if r.seats[0].choices else choice
        if isinstance(step, Draw) and step.to == 0:
            begin = len(r.seats[0].cards)
            return hand[begin : begin + step.count]
        if isinstance(step, Draw) and step.to == DEALER and step.down:
            return (FACE_DOWN,) * step.count
        if isinstance(step, Draw) and step.to == DEALER:
            begin = len(r.dealer)
            return house and house[begin : begin + step.count]
        if isinstance(step, Turn) and step.at == DEALER:
            return house and house[step.index : step.index + step.count]
        raise self._no_showdown(f"it asks for {step}")

    def _no_showdown(self, why: str) -> FeltError:
        return FeltError(f"{self.game.terms.rulebook.title} is no showdown of two hands: {why}")


class PlayerRun(Struct, frozen=True):
    """Hands of the player that are settled alike: their values, lowest first, and a class of each."""

    values: tuple[int, ...]
    rows: tuple[int, ...]
    choices: tuple[Choice, ...]


class Cells:
    """The settlement of every pair of hands: runs of the player's and the dealer's values, a result each."""

    def __init__(self, spot: Spot, classes: HandClasses) -> None:
        self._spot, self._classes = spot, classes
        self._hands: dict[int, Hand] = {}
        self._known: dict[tuple[Hand, Choice, int], Result] = {}
        self._categories = [value.category for value in classes.values]
        places = range(len(classes.values))
        spans = [list(span) for _, span in groupby(places, key=self._categories.__getitem__)]
        self._witnesses = sorted({end for span in spans for end in (span[0], span[-1])})
        self.cuts = tuple(self._dealer_cuts(spans))  # where the dealer's values begin to be settled otherwise
        edges = [0, *self.cuts, len(classes.values)]
        self.dealer_runs = [(low, after - 1) for low, after in pairwise(edges)]
        self.players: list[PlayerRun] = []
        self.run_of = self._player_runs()

    def result(self, run: PlayerRun, choice: Choice, dealer: int, relation: str) -> Result | None:
        """How a run of hands comes out against a run of the dealer's; None where that cannot be."""
        low, high = self.dealer_runs[dealer]
        if relation == "dealer worse":
            return self._ask(self._hand(run.rows[-1]), choice, low) if low < run.values[-1] else None
        if relation == "dealer better":
            return self._ask(self._hand(run.rows[0]), choice, high) if high > run.values[0] else None
        for value, row in zip(run.values, run.rows, strict=True):
            if low <= value <= high:
                return self._ask(self._hand(row), choice, value)
        return None

    def _hand(self, row: int) -> Hand:
        if row not in self._hands:
            self._hands[row] = self._classes.cards(row)
        return self._hands[row]

    def _ask(self, hand: Hand, choice: Choice, house: int) -> Result:
        key = (hand, choice, house)
        if key not in self._known:
            self._known[key] = self._spot.result(hand, choice, self._classes.examples[house])
        return self._known[key]

    def _choices(self, hand: Hand) -> tuple[Choice, ...]:
        return self._spot.choices(hand, self._classes.examples[0])

    def _dealer_cuts(self, spans: Sequence[Sequence[int]]) -> Iterator[int]:
        choices = {v: self._choices(self._classes.examples[v]) for v in self._witnesses}

        def alike(one: int, other: int) -> bool:
            """Whether all witnesses below both values or above both are settled the same against them."""
            return all(
                self._ask(self._classes.examples[v], choice, one)
                == self._ask(self._classes.examples[v], choice, other)
                for v in self._witnesses
                if v < min(one, other) or v > max(one, other)
                for choice in choices[v]
            )

        for place, span in enumerate(spans):
            if place and not alike(span[0] - 1, span[0]):
                yield span[0]
            yield from _borders(span, alike)

    def _player_runs(self) -> Ints:
        """Split the player's hands, by category and wild cards, into runs; the run of every class."""
        classes = self._classes
        wilds = int(classes.wild.max()) + 1
        keys, rows, which = np.unique(
            classes.value * wilds + classes.wild, return_index=True, return_inverse=True
        )
        values = (keys // wilds).tolist()
        kinds = [(self._categories[value], key % wilds) for value, key in zip(values, keys.tolist(), strict=True)]
        run_of_key = np.zeros(len(keys), dtype=np.int64)
        for kind in sorted(set(kinds)):
            members = [place for place, found in enumerate(kinds) if found == kind]
            for run in self._split(members, values, rows.tolist()):
                run_of_key[run] = len(self.players)
                of = (tuple(values[m] for m in run), tuple(int(rows[m]) for m in run))
                self.players.append(PlayerRun(*of, self._choices(self._hand(of[1][0]))))
        return run_of_key[which]

    def _split(self, members: list[int], values: list[int], rows: list[int]) -> Iterator[list[int]]:
        ends = sorted({end for run in self.dealer_runs for end in run})

        def settled(place: int, against: list[int]) -> list[object]:
            hand = self._hand(rows[place])
            choices = self._choices(hand)
            met = [*against, values[place]]
            return [choices, *(self._ask(hand, choice, house) for house in met for choice in choices)]

        def alike(one: int, other: int) -> bool:
            low, high = values[one], values[other]
            against = [end for end in ends if end < low or end > high]
            return settled(one, against) == settled(other, against)

        begins = [members[0], *_borders(members, alike)]
        for first, after in pairwise([*begins, members[-1] + 1]):
            yield [member for member in members if first <= member < after]


def _borders(members: Sequence[int], alike: Callable[[int, int], bool]) -> Iterator[int]:
    """The members at which a new run begins, sought between ends that are not alike."""
    if len(members) < 2 or alike(members[0], members[-1]):
        return
    if len(members) == 2:
        yield members[1]
        return
    middle = len(members) // 2
    yield from _borders(members[: middle + 1], alike)
    yield from _borders(members[middle:], alike)


def _exact(line: Line, r: Round) -> Settled:
    net = exact_net(line)
    if line.award and line.award.share is not None:  # a share of a meter before it is cut to the cent
        net += r.meters[line.award.source] * line.award.share - line.award.cents
    return Settled(line.wager, line.outcome, net, line.wagered)


def _money_on(r: Round) -> Cents:
    return sum(r.seats[0].wagers.values())
