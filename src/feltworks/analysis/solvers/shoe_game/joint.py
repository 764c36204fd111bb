"""The joint law of the main wager and the other wagers of its spot.

The first three cards decide some of the others, so the main round is computed once, with the results of the
others as a kind of first cards; a wager on the dealer's hand is decided by the final cards of the round. The
amounts come from the shoe solver, so they are decimals; and if only equal ranks may be split, a split pair of
ten-value cards counts as the mean of its kinds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import perm
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Figures, Number, outcome_name
from feltworks.analysis.joint import Joint, JointOutcome, Moments
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.shape import main_wager_of, waits_for_dealer
from feltworks.analysis.solvers.counts import Situation
from feltworks.analysis.solvers.fixed import FirstDeal
from feltworks.analysis.solvers.numbers import EXACT, Array, plain
from feltworks.analysis.solvers.shoe_game.bonus import (
    Bonus,
    FirstHand,
    SuitsSeen,
    bonus_columns,
    bonus_figures,
    bonus_of,
)
from feltworks.analysis.solvers.shoe_game.by_play import law_by_play
from feltworks.analysis.solvers.shoe_game.chart import codes_of, plan_of
from feltworks.analysis.solvers.shoe_game.dealer import Counts, by_value
from feltworks.analysis.solvers.shoe_game.rounds import (
    BEYOND,
    INSIDE,
    Deals,
    RoundFigures,
    RoundOutcome,
    Rounds,
    all_deals,
    figures,
    play_rounds,
    residue,
)
from feltworks.analysis.solvers.shoe_game.rules import STAND
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.cards import Suit
from feltworks.hands.blackjack import points
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Odds
from feltworks.rules.round import face_up

# Settlement of the other wagers, outcome of the later one, and outcome of the main one
SpotOutcome = tuple[Settled, str, RoundOutcome]


class JointFigures(Struct, frozen=True):
    """The main wager's own figures, the moments of the whole spot, and its joint outcomes."""

    figures: RoundFigures
    moments: Moments
    rows: tuple[JointOutcome, ...]
    later: Figures | None = None  # of a wager on the dealer's hand, if the play changes it


def joint_figures(
    question: Question, answer: Answer, others: Joint | None, decided: Sequence[str], progress: Progress | None = None
) -> JointFigures:
    """The figures of a spot with the main wager and some wagers that the up card decides."""
    table = answer.notes.get("table") or TableAnalysis(question.game, question.shoe)
    assert isinstance(table, TableAnalysis)
    chart: Any = answer.notes.get("chart")
    plan = table.plan if chart is None else plan_of(table.table, codes_of(chart))
    own = figures(table.table, plan)
    later = _later(question)
    first = first_cards(question, answer, table.table, decided, suits=bool(later)) if decided else None
    rounds = joint_rounds(table.table, plan, first, progress, with_bonus=bool(later)) if first or later else ()
    rows = _joint_rows(question, rounds, decided)
    played = _bonus_under_play(question, table.table, plan, others, rows)
    return JointFigures(own, _moments(question, own, played, others, rows), rows, played)


def _bonus_under_play(
    question: Question, table: ShoeGame, plan: Plan, others: Joint | None, rows: Sequence[JointOutcome]
) -> Figures | None:
    """The figures of the wager on the dealer's hand if this play can lose it by its limit or by surrender."""
    later = _later(question)
    if others is None or later is None:
        return None
    known = {outcome.name for outcome in others.beside[later].outcomes}
    if {row.outcomes[later] for row in rows} <= known:
        return None
    return bonus_figures(table.game, shoe=table.shoe, strategy=plan)


def _moments(
    question: Question, own: RoundFigures, played: Figures | None, others: Joint | None, rows: Sequence[JointOutcome]
) -> Moments:
    """The moments of the spot: each wager's own as exactly as known, the covariances from the joint law."""
    ratios = {name: Fraction(cents, question.unit) for name, cents in question.stakes.items()}
    known = others.moments if others else Moments({}, {})
    main, later = main_wager_of(question.game), _later(question)
    by_play = {main: own} | ({later: played} if later and played else {})
    own_means = {name: each.expectation * ratios[name] for name, each in by_play.items()}
    means: dict[str, Number] = {main: own_means[main], **known.means, **own_means}
    covariances: dict[tuple[str, str], Number] = {}
    for one, other in product(means, repeat=2):
        if one not in by_play and other not in by_play:
            covariances[one, other] = known.covariances[one, other]
        elif one == other:
            covariances[one, one] = by_play[one].variance * ratios[one] ** 2
        else:
            product_mean = sum(row.probability * row.nets[one] * row.nets[other] for row in rows)
            covariances[one, other] = product_mean - means[one] * means[other]
    return Moments(means, covariances)


def _joint_rows(question: Question, rounds: Iterable[SpotOutcome], decided: Sequence[str]) -> tuple[JointOutcome, ...]:
    """The joint outcomes of the spot's wagers, the best for the player first."""
    main, later = main_wager_of(question.game), _later(question)
    beside = [*([later] if later else ()), *decided]
    size, settle = Fraction(question.stakes[main], question.unit), cache(partial(_settle_beside, question, beside))
    chances: dict[tuple[tuple[str, ...], tuple[Fraction, ...]], Number] = {}
    for settled, outcome, row in rounds:
        names, nets = settle(settled, outcome)
        key = (row.name, *names), (row.net * size, *nets)
        chances[key] = chances.get(key, 0) + row.probability
    every = [main, *beside]
    return tuple(
        JointOutcome(dict(zip(every, names, strict=True)), dict(zip(every, nets, strict=True)), likely)
        for (names, nets), likely in sorted(chances.items(), key=lambda each: (-sum(each[0][1]), each[1]))
    )


def _settle_beside(
    question: Question, wagers: Sequence[str], settled: Settled, outcome: str
) -> tuple[list[str], list[Fraction]]:
    """The outcome and net of each wager beside the main one, with what follows from it.

    `settled` has those that the first deal decides; `outcome` is that of the wager on the dealer's hand.
    """
    if later := _later(question):
        pay, cents = question.game.pays[later][outcome], question.stakes[later]
        assert isinstance(pay, Odds)
        settled = (SettledLine(later, outcome, pay.exact * cents, cents), *settled)
    parts = [[line for line in settled if line.wager in question.group_of(name)] for name in wagers]
    names = [outcome_name([(line.wager, line.outcome) for line in lines]) for lines in parts]
    return names, [sum((line.net for line in lines), Fraction(0)) / question.unit for lines in parts]


class FirstCards(Struct, frozen=True):
    """The possible settlements of the other wagers by the first three cards, and the law of these cards with each."""

    kinds: list[Settled]
    deals: Deals


def first_cards(
    question: Question, answer: Answer, table: ShoeGame, decided: Sequence[str], *, suits: bool
) -> FirstCards:
    """All first cards; decisions of other wagers before the up card follow the play of `answer`."""
    ways, kinds = Counter[tuple[bool, int, int, SuitsSeen | None, Settled]](), set[Settled]()
    spot = FirstDeal(table.game, {name: question.stakes[name] for name in decided}, table.shoe)
    first_two = perm(spot.shoe.total, 2)
    by_suit: dict[Suit | None, Counts] = {suit: by_value(table.shoe, suit) for suit in Suit}
    for situation, choice in _choices(question, answer, spot):
        seat = spot.seats_by_choice(situation.shown)[choice]
        one, two = face_up(seat.cards)
        both = one, two
        values = tuple(sorted(points(face) - 1 for face in both))
        row, likely = table.hands.row(*values), int(situation.probability * first_two)
        is_pair = any({*both} <= kind for kind in table.rules.kinds[values[0]])
        for up_card, count in spot.drawable(both):
            settled = spot.settlement(seat, dict(spot.outcomes(both, up_card)))
            alike = tuple(sorted(points(face) - 1 for face in both if face.suit is up_card.suit))
            seen = SuitsSeen(values, alike, by_suit[up_card.suit]) if suits else None
            ways[is_pair, row, points(up_card) - 1, seen, settled] += likely * count
            kinds.add(settled)
    every = sorted(kinds)
    return FirstCards(every, _deals(table, ways, {kind: place for place, kind in enumerate(every)}))


def _deals(
    table: ShoeGame, ways: Counter[tuple[bool, int, int, SuitsSeen | None, Settled]], place: Mapping[Settled, int]
) -> Deals:
    """The probabilities by hand, up card and kind; by pair its part in the pairs of its value; and by suits seen."""
    ratio, every = table.numbers.ratio, ways.total()
    hands, pairs = np.zeros((2, *table.deals.shape, len(place)), np.int64)
    apart: dict[tuple[int, int, SuitsSeen], Array] = {}
    for (is_pair, row, up, seen, settled), number in ways.items():
        kind = place[settled]
        hands[row, up, kind] += number
        pairs[row, up, kind] += number * is_pair
        if seen is not None:
            apart.setdefault((row, up, seen), np.zeros((2, len(place)), np.int64))[:, kind] += (
                number,
                number * is_pair,
            )
    of_value = ratio(pairs[table.pair_rows(), table.pairs.up], every)
    return Deals(
        ratio(hands, every),
        of_value * table.pair_shares[:, None],
        tuple(FirstHand(*hand, *ratio(number, every)) for hand, number in apart.items()),
    )


def _choices(question: Question, answer: Answer, spot: FirstDeal) -> Iterator[tuple[Situation, str]]:
    """The first two cards and the choices of other wagers there, as `answer` plays them."""
    if answer.situations and answer.situations[0].shown.seats[0].cards:
        return zip(answer.situations, answer.choices, strict=True)
    return ((situation, situation.best(question.serving)) for situation in spot.situations())


def _later(question: Question) -> str | None:
    """The wager of the spot that is decided by the dealer's completed hand."""
    return next((name for name in question.stakes if waits_for_dealer(question.game, name)), None)


def joint_rounds(
    table: ShoeGame, plan: Plan, first: FirstCards | None, progress: Progress | None = None, *, with_bonus: bool
) -> Iterator[SpotOutcome]:
    """The joint law: settlement of the others (`first` if any), the later wager's outcome and the main one's."""
    kinds, deals = (first.kinds, first.deals) if first else ([()], all_deals(table))
    bonus = bonus_columns(bonus_of(table.game), table) if with_bonus else None
    pieces = 1 + _may_come_beyond(table, plan, bonus)
    rounds = play_rounds(table, plan, deals, bonus, part_of(progress, 0, pieces))
    if bonus and rounds.split and np.any(_chance_beyond(rounds)) and not _is_meaned(table, plan):
        _correct_split_hands(table, plan, bonus, rounds, part_of(progress, 1, pieces))
    faint = sum(likely for _, likely in rounds.items()) * residue(table)
    for (name, wagered, net, state), likely in rounds.items():
        for column, kind in zip(*np.nonzero(likely > faint), strict=True):
            outcome = RoundOutcome(name, plain(likely[column, kind]), net, wagered)
            yield kinds[kind], bonus.outcomes[state][column] if bonus else "", outcome


def _chance_beyond(rounds: Rounds) -> Array:
    """The probability that the player's hand is beyond the limit, by column."""
    chances: Array = sum(likely.sum(axis=1) for (*_, state), likely in rounds.items() if state == BEYOND)
    return chances


def _may_come_beyond(table: ShoeGame, plan: Plan, bonus: Bonus | None) -> bool:
    """Whether this play draws to a split hand that one card can bring beyond the limit."""
    if bonus is None or bonus.limit is None or not plan.hands.any():
        return False
    drawn_to = (plan.split_acts != STAND).any(axis=1)
    return bool((drawn_to & (table.split_hands.low + 10 >= bonus.limit)).any())


def _is_meaned(table: ShoeGame, plan: Plan) -> bool:
    """Whether split cards of a value count as the mean of their kinds, which differs from the exact law."""
    return any(table.rules.is_told_apart(value) for value in table.pairs.value[plan.hands > 0].tolist())


def _correct_split_hands(table: ShoeGame, plan: Plan, bonus: Bonus, rounds: Rounds, progress: Progress | None) -> None:
    """Correct the probability of split hands beyond the limit to the exact one of all cards together."""
    law = table.numbers.zeros(bonus.width)
    by_play = law_by_play(table.game, table.shoe, plan, progress)
    for made, likely in by_play.beyond.items():
        law[bonus.columns[made]] += likely if table.numbers is EXACT else float(likely)
    missing = np.where(np.arange(bonus.width) < table.pays.width, 0, law - _chance_beyond(rounds))
    keys = [key for key in rounds.split if key[-1] == BEYOND]
    for key in keys:
        rounds.split.setdefault((*key[:-1], INSIDE), np.zeros_like(rounds.split[key]))
    others = [(*key[:-1], INSIDE) for key in keys]
    for wanted, giving, taking in ((missing, others, keys), (-missing, keys, others)):
        there = sum(rounds.split[key].sum(axis=1) for key in giving)
        part = np.where(there > 0, np.maximum(wanted, 0) / np.where(there > 0, there, 1), 0)[:, None]
        for one, other in zip(giving, taking, strict=True):
            given = rounds.split[one] * part
            rounds.split[one] = rounds.split[one] - given
            rounds.split[other] = rounds.split[other] + given
