"""How the main wager comes out and varies together with the other wagers of its spot.

The first three cards decide some of the others and begin the round, so the round is followed once from all of
them, told apart by how the others came out; a wager on the dealer's hand is decided by the cards with which
the round ends. The amounts come from the shoe solver, so they are decimals; and where only equal ranks may be
split, a split pair of ten-value cards counts as the mean of its kinds.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Figures, Number, outcome_name
from feltworks.analysis.joint import Joint, JointOutcome, Moments
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.shape import main_wager_of, waits_for_dealer
from feltworks.analysis.solvers.numbers import EXACT, plain
from feltworks.analysis.solvers.shoe_game.bonus_rounds import (
    BEYOND,
    INSIDE,
    Bonus,
    BonusRounds,
    FirstCards,
    all_first_hands,
    bonus_rounds,
    deals_of,
    first_cards,
    first_hands,
)
from feltworks.analysis.solvers.shoe_game.chart import codes_of, plan_of, play_of_plan
from feltworks.analysis.solvers.shoe_game.dealer_bonus import (
    LONGEST,
    NATURAL_MADE,
    BonusRules,
    bonus_figures,
    bonus_of,
    law_by_play,
)
from feltworks.analysis.solvers.shoe_game.felts import STAND
from feltworks.analysis.solvers.shoe_game.pays import NATURAL, OVER
from feltworks.analysis.solvers.shoe_game.rounds import (
    RESIDUE,
    RoundFigures,
    RoundOutcome,
    figures,
    figures_by_kind,
)
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.machine.walk import Settled
from feltworks.money import Odds

# How the other wagers settled, the outcome of the later one, and that of the main one
SpotOutcome = tuple[Settled, str, RoundOutcome]


class JointFigures(Struct, frozen=True):
    """The main wager's own figures, how the whole spot varies, and every way it comes out."""

    figures: RoundFigures
    moments: Moments
    rows: tuple[JointOutcome, ...]
    later: Figures | None = None  # of a wager on the dealer's hand, where the play makes a difference to it


def joint_figures(
    question: Question,
    answer: Answer,
    others: Joint | None,
    decided: Sequence[str],
    progress: Progress | None = None,
) -> JointFigures:
    """A spot with the main wager on it, of which the up card decides some wagers."""
    table = answer.notes.get("table") or TableAnalysis(question.game, question.shoe)
    assert isinstance(table, TableAnalysis)
    plan = _plan(table, answer)
    own = figures(table.table, plan)
    rows = _joint_rows(question, _rounds(question, answer, table.table, plan, decided, progress), decided)
    played = _bonus_under_play(question, table.table, plan, others, rows)
    return JointFigures(own, _moments(question, own, played, others, rows), rows, played)


def _plan(table: TableAnalysis, answer: Answer) -> Plan:
    chart = answer.notes.get("chart")
    return table.plan if chart is None else plan_of(table.table, codes_of(chart))  # type: ignore[arg-type]


def _bonus_under_play(
    question: Question, table: ShoeGame, plan: Plan, others: Joint | None, rows: Sequence[JointOutcome]
) -> Figures | None:
    """Figures of the wager on the dealer's hand where this play loses it by its limit or by surrender."""
    later = _later(question)
    if others is None or later is None:
        return None
    known = {outcome.name for outcome in others.beside[later].outcomes}
    if {row.outcomes[later] for row in rows} <= known:
        return None
    return bonus_figures(table.game, shoe=table.shoe, strategy=play_of_plan(table, plan))


def _moments(
    question: Question,
    own: RoundFigures,
    played: Figures | None,
    others: Joint | None,
    rows: Sequence[JointOutcome],
) -> Moments:
    """Every wager by itself as exactly as it is known, and the rest from all of them together."""
    ratios = {name: Fraction(cents, question.unit) for name, cents in question.stakes.items()}
    known = others.moments if others else Moments({}, {})
    main, later = main_wager_of(question.game), _later(question)
    by_play = {main: own} | ({later: played} if later and played else {})
    brought = {name: each.expectation * ratios[name] for name, each in by_play.items()}
    means: dict[str, Number] = {main: brought[main], **known.means, **brought}
    covariances: dict[tuple[str, str], Number] = {}
    for one, other in product(means, repeat=2):
        if one not in by_play and other not in by_play:
            covariances[one, other] = known.covariances[one, other]
        elif one == other:
            covariances[one, one] = by_play[one].variance * ratios[one] ** 2
        else:
            together = sum(row.probability * row.nets[one] * row.nets[other] for row in rows)
            covariances[one, other] = together - means[one] * means[other]
    return Moments(means, covariances)


def _joint_rows(
    question: Question, rounds: Iterable[SpotOutcome], decided: Sequence[str]
) -> tuple[JointOutcome, ...]:
    """Every way the wagers of the spot come out together, the best for the player first."""
    main, later = main_wager_of(question.game), [name for name in (_later(question),) if name]
    size, of_others = (
        Fraction(question.stakes[main], question.unit),
        cache(partial(_others, question, decided)),
    )
    netted = cache(partial(_bonus_nets, question, later))
    chances: dict[tuple[tuple[str, ...], tuple[Fraction, ...]], Number] = {}
    for settled, outcome, row in rounds:
        others, brought = of_others(settled)
        key = (row.name, *(outcome for _ in later), *others), (row.net * size, *netted(outcome), *brought)
        chances[key] = chances.get(key, 0) + row.probability
    every = [main, *later, *decided]
    return tuple(
        JointOutcome(dict(zip(every, names, strict=True)), dict(zip(every, nets, strict=True)), likely)
        for (names, nets), likely in sorted(chances.items(), key=lambda each: (-sum(each[0][1]), each[1]))
    )


def _rounds(
    question: Question,
    answer: Answer,
    table: ShoeGame,
    plan: Plan,
    decided: Sequence[str],
    progress: Progress | None,
) -> Iterator[SpotOutcome]:
    with_suits = _later(question) is not None
    begun = first_cards(question, answer, table, decided, suits=with_suits) if decided else None
    if with_suits:
        yield from rounds_with_bonus(table, plan, begun, progress)
    elif begun:
        by_kind = figures_by_kind(table, plan, deals_of(begun, table))
        for settled, rows in zip(begun.kinds, by_kind, strict=True):
            yield from ((settled, "", row) for row in rows)


def _later(question: Question) -> str | None:
    """The wager of the spot that waits for the dealer's whole hand."""
    return next((name for name in question.stakes if waits_for_dealer(question.game, name)), None)


def _bonus_nets(question: Question, later: Sequence[str], outcome: str) -> list[Fraction]:
    """What the wager on the dealer's hand netted, where it is there."""
    pays = [(question.game.pays[name][outcome], question.stakes[name]) for name in later]
    return [pay.exact * cents / question.unit for pay, cents in pays if isinstance(pay, Odds)]


def _others(question: Question, decided: Sequence[str], settled: Settled) -> tuple[list[str], list[Fraction]]:
    """How each of the other wagers came out with what follows from it, and what it netted."""
    parts = [[line for line in settled if line[0] in question.group_of(name)] for name in decided]
    names = [outcome_name([(line[0], line[1]) for line in lines]) for lines in parts]
    return names, [sum((line[2] for line in lines), Fraction(0)) / question.unit for lines in parts]


def rounds_with_bonus(
    table: ShoeGame, plan: Plan, first: FirstCards | None, progress: Progress | None = None
) -> Iterator[tuple[Settled, str, RoundOutcome]]:
    """How the others settled, the bonus wager's outcome and the main one's; `first` if there are others."""
    kinds, begun = (first.kinds, first_hands(first, table)) if first else ([()], all_first_hands(table))
    bonus = bonus_columns(bonus_of(table.game), table)
    pieces = 1 + _may_come_beyond(table, plan, bonus)
    rounds = bonus_rounds(table, plan, bonus, begun, part_of(progress, 0, pieces))
    if rounds.split and np.any(rounds.chance_beyond()) and not _is_meaned(table, plan):
        _correct_split_hands(table, plan, bonus, rounds, part_of(progress, 1, pieces))
    every = [*rounds.unsplit.items(), *rounds.split.items()]
    faint = sum(likely for _, likely in every) * (0 if table.numbers is EXACT else RESIDUE)
    for (name, wagered, net, state), likely in every:
        for column, kind in zip(*np.nonzero(likely > faint), strict=True):
            outcome = RoundOutcome(name, plain(likely[column, kind]), net, wagered)
            yield kinds[kind], bonus.outcomes[state][column], outcome


def _may_come_beyond(table: ShoeGame, plan: Plan, bonus: Bonus) -> bool:
    """Whether a split hand is drawn to that one card can bring beyond the limit."""
    if bonus.limit is None or not plan.hands.any():
        return False
    drawn_to = (plan.split_acts != STAND).any(axis=1)
    return bool((drawn_to & (table.split_hands.low + 10 >= bonus.limit)).any())


def _is_meaned(table: ShoeGame, plan: Plan) -> bool:
    """Whether split cards of a value count as the mean of their kinds, which the cards' own law does not."""
    return any(table.rules.is_told_apart(value) for value in table.pairs.value[plan.hands > 0].tolist())


def _correct_split_hands(
    table: ShoeGame, plan: Plan, bonus: Bonus, rounds: BonusRounds, progress: Progress | None
) -> None:
    """Split hands beyond the limit: as often as all cards say, not each hand by itself."""
    law = table.numbers.zeros(bonus.width)
    by_play = law_by_play(table.game, table.shoe, play_of_plan(table, plan), progress)
    for made, likely in by_play.beyond.items():
        law[bonus.columns[made]] += likely if table.numbers is EXACT else float(likely)
    missing = np.where(np.arange(bonus.width) < table.pays.width, 0, law - rounds.chance_beyond())
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


def bonus_columns(rules: BonusRules, table: ShoeGame) -> Bonus:
    """The wager as its own verdicts lay it out behind the columns of the dealer's results."""
    pays = table.pays
    totals = {column: total for total, column in pays.columns.items()}
    if any(pays.columns[total] != OVER for total in rules.totals_over_21):
        raise rules.rules.felts.refuse("the main wager tells the dealer's hands over 21 apart")
    made = [(totals.get(column, 0), 0) for column in range(pays.width)]
    made[NATURAL] = NATURAL_MADE
    hands = [(total, size) for total in rules.totals_over_21 for size in (0, *range(3, LONGEST + 1))]
    examples = {rules.judge(rules.standing_seat, hand).outcome: hand for hand in hands}
    names = list(examples)
    columns = {
        hand: pays.width + names.index(rules.judge(rules.standing_seat, hand).outcome) for hand in hands
    }
    states = [
        rules.standing_seat,
        rules.seat_beyond or rules.standing_seat,
        rules.surrendered_seat or rules.standing_seat,
    ]
    outcomes = [[rules.judge(seat, each).outcome for each in (*made, *examples.values())] for seat in states]
    if table.rules.peeks:  # a blackjack that the dealer's check finds leaves nobody the time to surrender
        outcomes[-1][NATURAL] = outcomes[0][NATURAL]
    limit = rules.limit
    rows = tuple(tuple(row) for row in outcomes)
    return Bonus(rows, columns, limit.total if limit else None, limit is not None and limit.one_is_enough)
