"""Situations: what a player can know when a decision comes, and the exact law of each choice there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random

from msgspec import Struct

from feltworks.analysis.referee import Law, Referee, mean, money_wagered, net
from feltworks.cards import Card
from feltworks.machine.node import choices_of, result_of
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Place, Round, Seat
from feltworks.rules.steps import Decide, Draw, Peek

_TRIALS = 20

Stakes = Mapping[str, Fraction]  # by wager: its weight against the stakes that the laws were computed with


class Situation(Struct, frozen=True):
    """What a player can hold and see: its probability, an example round, and the law of each choice."""

    probability: Fraction
    shown: Round
    laws: Mapping[str, Law]  # by choice; a choice of several amounts has the keys "name" and "name least"

    def value(self, choice: str, serving: Stakes) -> Fraction:
        """Returns the mean net of a choice on the wagers that it is made for."""
        return mean(self.laws[choice], lambda settled: _net_served(settled, serving))

    def best(self, serving: Stakes) -> str:
        """Returns the best choice; of choices with the same value, the one that wagers less."""
        if len(self.laws) == 1:
            return next(iter(self.laws))
        values = {name: self.value(name, serving) for name in self.laws}
        most = max(values.values())
        best = [name for name in self.laws if values[name] == most]
        return min(best, key=lambda name: mean(self.laws[name], money_wagered)) if len(best) > 1 else best[0]


def _net_served(settled: Settled, serving: Stakes) -> Fraction:
    return sum((line.net * serving.get(line.wager, 0) for line in settled), Fraction(0))


def mix_choices(situations: Iterable[Situation], choices: Iterable[str]) -> Law:
    """Computes the law of the whole round from the choice made in each situation."""
    law: Law = {}
    for situation, choice in zip(situations, choices, strict=True):
        for settled, chance in situation.laws[choice].items():
            law[settled] = law.get(settled, 0) + situation.probability * chance
    return law


def walk_situations(referee: Referee, r: Round) -> Iterator[Situation]:
    """Yields the situations of a game with one decision; a round without a decision counts as one too."""
    yield from _walk(referee, r, Fraction(1))


def _walk(referee: Referee, r: Round, probability: Fraction) -> Iterator[Situation]:
    step = referee.game.awaits(r)
    if step is None or isinstance(step, Decide):
        laws = _choice_laws(referee, r, step) if step else {"": referee.law(r)}
        yield Situation(probability, r, laws)
        return
    weighed = referee.next_cards(r, step)
    total = sum(weight for weight, _ in weighed)
    for weight, answer in referee.track.branches(weighed):
        yield from _walk(referee, advance(r, step, answer), probability * Fraction(weight, total))


def _choice_laws(referee: Referee, r: Round, step: Decide) -> dict[str, Law]:
    most = {offer.name: offer.most for offer in step.offers}
    return {
        choice.name if choice.cents == most[choice.name] else f"{choice.name} least": law
        for choice, law in referee.choices(r, step)
    }


def depends_on_choices(game: Game, wager: str, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]) -> bool:
    """Whether the seat's choices change how the same cards settle a wager, judged by random rounds.

    An example is a bonus wager that a folded hand loses: its edge depends on how the hand is played.
    """
    chance, deck = Random(1), list(game.terms.shoe.all_cards())
    for _ in range(_TRIALS):
        chance.shuffle(deck)
        third = len(deck) // 3
        places = {0: deck[:third], DEALER: deck[third : 2 * third], BOARD: deck[2 * third :]}
        ends = finished_rounds(game, Round((Seat(dict(stakes)),), meters=meters), places)
        if len({settlement_of(game, wager, end) for end in ends}) > 1:
            return True
    return False


def settlement_of(game: Game, wager: str, r: Round) -> Settled:
    """Settles one wager of a finished round in exact cents."""
    lines = [result_of(line) for line in game.settle(r) if line.wager == wager]
    return tuple([SettledLine(line.wager, line.outcome, line.exact, line.wagered) for line in lines])


def finished_rounds(game: Game, r: Round, places: Mapping[Place, Sequence[Card]]) -> Iterator[Round]:
    """Yields the end of the round for every sequence of choices; each place gets its own cards in order."""
    while (step := game.awaits(r)) is not None and not isinstance(step, Decide):
        place = step.to if isinstance(step, Draw) else step.at
        if isinstance(step, Peek):
            r = advance(r, step, peek_answer(step, places[place][step.index]))
            continue
        begin = len(r.at(place)) if isinstance(step, Draw) else step.index
        faces = tuple(places[place][begin : begin + step.count])
        r = advance(r, step, (FACE_DOWN,) * step.count if isinstance(step, Draw) and step.down else faces)
    if step is None:
        yield r
        return
    for choice in choices_of(step):
        yield from finished_rounds(game, advance(r, step, choice), places)


def turning_points(situations: Iterable[Situation], fixed: str, growing: str) -> list[Fraction]:
    """Finds the ratios growing/fixed at which some best choice changes: the corners of the upper envelopes."""
    corners: set[Fraction] = set()
    for situation in situations:
        lines = {(net_of(law, fixed), net_of(law, growing)) for law in situation.laws.values()}
        corners.update(_corners(lines))
    return sorted(corners)


def net_of(law: Law, wager: str) -> Fraction:
    """Returns the mean net of one wager under a law."""
    only = frozenset([wager])
    return mean(law, lambda settled: net(settled, only))


def _corners(lines: set[tuple[Fraction, Fraction]]) -> Iterator[Fraction]:
    """Yields the corners of the upper envelope of height + slope·x for x above zero."""
    height, slope = max(lines)
    at = Fraction(0)
    while True:
        crossings = [((height - h) / (s - slope), s, h) for h, s in lines if s > slope]
        crossings = [crossing for crossing in crossings if crossing[0] >= at]
        if not crossings:
            return
        at = min(x for x, _, _ in crossings)
        _, slope, height = max(crossing for crossing in crossings if crossing[0] == at)
        if at:
            yield at
