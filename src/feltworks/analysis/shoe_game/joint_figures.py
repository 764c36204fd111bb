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

from msgspec import Struct

from feltworks.analysis.figures import Figures, outcome_name
from feltworks.analysis.joint import Joint, Moments, Together
from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.shape import main_wager_of, waits_for_dealer
from feltworks.analysis.shoe_game.analysis import TableAnalysis
from feltworks.analysis.shoe_game.chart import codes_of, plan_of, play_of_plan
from feltworks.analysis.shoe_game.dealer_bonus import bonus_figures
from feltworks.analysis.shoe_game.first_cards import deals_of, first_cards
from feltworks.analysis.shoe_game.joint_rounds import rounds_with_bonus
from feltworks.analysis.shoe_game.numbers import Number
from feltworks.analysis.shoe_game.rounds import RoundFigures, RoundOutcome, figures, figures_by_kind
from feltworks.analysis.shoe_game.solver import Plan, ShoeGame
from feltworks.machine.walk import Settled
from feltworks.money import Odds

Whole = tuple[Settled, str, RoundOutcome]  # how the others settled, the later wager's outcome, the main one's


class JointFigures(Struct, frozen=True):
    """The main wager's own figures, how the whole spot varies, and every way it comes out."""

    figures: RoundFigures
    moments: Moments
    rows: tuple[Together, ...]
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
    rows = _together(question, _rounds(question, answer, table.table, plan, decided, progress), decided)
    played = _played(question, table.table, plan, others, rows)
    return JointFigures(own, _moments(question, own, played, others, rows), rows, played)


def _plan(table: TableAnalysis, answer: Answer) -> Plan:
    chart = answer.notes.get("chart")
    return table.plan if chart is None else plan_of(table.table, codes_of(chart))  # type: ignore[arg-type]


def _played(
    question: Question, table: ShoeGame, plan: Plan, others: Joint | None, rows: Sequence[Together]
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
    rows: Sequence[Together],
) -> Moments:
    """Every wager by itself as exactly as it is known, and the rest from all of them together."""
    ratios = {name: Fraction(cents, question.unit) for name, cents in question.stakes.items()}
    known = others.moments if others else Moments({}, {})
    main, later = main_wager_of(question.game), _later(question)
    by_play = {main: own} | ({later: played} if later and played else {})
    brought = {name: each.expectation * ratios[name] for name, each in by_play.items()}
    means: dict[str, Number] = {main: brought[main], **known.means, **brought}
    found: dict[tuple[str, str], Number] = {}
    for one, other in product(means, repeat=2):
        if one not in by_play and other not in by_play:
            found[one, other] = known.covariances[one, other]
        elif one == other:
            found[one, one] = by_play[one].variance * ratios[one] ** 2
        else:
            together = sum(row.probability * row.nets[one] * row.nets[other] for row in rows)
            found[one, other] = together - means[one] * means[other]
    return Moments(means, found)


def _together(question: Question, rounds: Iterable[Whole], decided: Sequence[str]) -> tuple[Together, ...]:
    """Every way the wagers of the spot come out together, the best for the player first."""
    main, later = main_wager_of(question.game), [name for name in (_later(question),) if name]
    size, of_others = (
        Fraction(question.stakes[main], question.unit),
        cache(partial(_others, question, decided)),
    )
    netted = cache(partial(_netted, question, later))
    found: dict[tuple[tuple[str, ...], tuple[Fraction, ...]], Number] = {}
    for settled, outcome, row in rounds:
        others, brought = of_others(settled)
        key = (row.name, *(outcome for _ in later), *others), (row.net * size, *netted(outcome), *brought)
        found[key] = found.get(key, 0) + row.probability
    every = [main, *later, *decided]
    return tuple(
        Together(dict(zip(every, names, strict=True)), dict(zip(every, nets, strict=True)), likely)
        for (names, nets), likely in sorted(found.items(), key=lambda each: (-sum(each[0][1]), each[1]))
    )


def _rounds(
    question: Question,
    answer: Answer,
    table: ShoeGame,
    plan: Plan,
    decided: Sequence[str],
    progress: Progress | None,
) -> Iterator[Whole]:
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


def _netted(question: Question, later: Sequence[str], outcome: str) -> list[Fraction]:
    """What the wager on the dealer's hand netted, where it is there."""
    pays = [(question.game.pays[name][outcome], question.stakes[name]) for name in later]
    return [pay.exact * cents / question.unit for pay, cents in pays if isinstance(pay, Odds)]


def _others(question: Question, decided: Sequence[str], settled: Settled) -> tuple[list[str], list[Fraction]]:
    """How each of the other wagers came out with what follows from it, and what it netted."""
    parts = [[line for line in settled if line[0] in question.group_of(name)] for name in decided]
    names = [outcome_name([(line[0], line[1]) for line in lines]) for lines in parts]
    return names, [sum((line[2] for line in lines), Fraction(0)) / question.unit for lines in parts]
