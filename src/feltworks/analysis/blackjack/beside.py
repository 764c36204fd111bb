"""How the blackjack wager comes out and varies together with the other wagers of its spot.

The first three cards decide some of the others and begin the round, so the round is followed once from all of
them, told apart by how the others came out; Lucky Break is decided by the dealer's cards, with which the
round ends. The amounts come from the shoe solver, so they are decimals; and where only equal ranks may be
split, a split pair of ten-value cards counts as the mean of its kinds.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product

from msgspec import Struct

from feltworks.analysis.blackjack.analysis import BlackjackAnalysis
from feltworks.analysis.blackjack.beside_lucky_break import with_lucky_break
from feltworks.analysis.blackjack.dealt import deals_of, dealt
from feltworks.analysis.figures import Figures, outcome_name
from feltworks.analysis.joint import Joint, Moments, Together
from feltworks.analysis.progress import Progress
from feltworks.analysis.question import BLACKJACK, LUCKY_BREAK, Answer, Question
from feltworks.analysis.shoe_game.chart import codes_of, plan_of
from feltworks.analysis.shoe_game.conduct import plans_conduct
from feltworks.analysis.shoe_game.lucky_break import lucky_break
from feltworks.analysis.shoe_game.numbers import Number
from feltworks.analysis.shoe_game.rounds import RoundFigures, RoundOutcome, figures, figures_by_kind
from feltworks.analysis.shoe_game.solver import Plan, ShoeGame
from feltworks.games.blackjack import Blackjack
from feltworks.machine.walk import Settled
from feltworks.money import Odds

Whole = tuple[Settled, str, RoundOutcome]  # how the others settled, Lucky Break's outcome, blackjack's


class BesideBlackjack(Struct, frozen=True):
    """The blackjack wager's own figures, how the whole spot varies, and every way it comes out."""

    figures: RoundFigures
    moments: Moments
    rows: tuple[Together, ...]
    lucky_break: Figures | None = None  # its figures, where how the hand is played makes a difference to it


def with_blackjack(
    question: Question,
    answer: Answer,
    others: Joint | None,
    decided: Sequence[str],
    progress: Progress | None = None,
) -> BesideBlackjack:
    """A spot with blackjack on it, of which the up card decides some wagers."""
    assert isinstance(question.game, Blackjack)
    table = answer.notes.get("table") or BlackjackAnalysis(question.game, question.shoe)
    assert isinstance(table, BlackjackAnalysis)
    plan = _plan(table, answer)
    own = figures(table.table, plan)
    rows = _together(question, _rounds(question, answer, table.table, plan, decided, progress), decided)
    played = _played(question, table.table, plan, others, rows)
    return BesideBlackjack(own, _moments(question, own, played, others, rows), rows, played)


def _plan(table: BlackjackAnalysis, answer: Answer) -> Plan:
    chart = answer.notes.get("chart")
    return table.plan if chart is None else plan_of(table.table, codes_of(chart))  # type: ignore[arg-type]


def _played(
    question: Question, table: ShoeGame, plan: Plan, others: Joint | None, rows: Sequence[Together]
) -> Figures | None:
    """Lucky Break's figures where this play comes over its limit (LB.5), or loses it by surrender (LB.13)."""
    if others is None or LUCKY_BREAK not in question.stakes:
        return None
    known = {outcome.name for outcome in others.beside[LUCKY_BREAK].outcomes}
    if {row.outcomes[LUCKY_BREAK] for row in rows} <= known:
        return None
    return lucky_break(table.game, shoe=table.shoe, strategy=plans_conduct(table, plan))


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
    by_play = {BLACKJACK: own} | ({LUCKY_BREAK: played} if played else {})
    brought = {name: each.expectation * ratios[name] for name, each in by_play.items()}
    means: dict[str, Number] = {BLACKJACK: brought[BLACKJACK], **known.means, **brought}
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
    later = [name for name in (LUCKY_BREAK,) if name in question.stakes]
    size, of_others = (
        Fraction(question.stakes[BLACKJACK], question.unit),
        cache(partial(_others, question, decided)),
    )
    netted = cache(partial(_netted, question, later))
    found: dict[tuple[tuple[str, ...], tuple[Fraction, ...]], Number] = {}
    for settled, lucky, row in rounds:
        others, brought = of_others(settled)
        key = (row.name, *(lucky for _ in later), *others), (row.net * size, *netted(lucky), *brought)
        found[key] = found.get(key, 0) + row.probability
    every = [BLACKJACK, *later, *decided]
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
    with_suits = LUCKY_BREAK in question.stakes
    begun = dealt(question, answer, table, decided, suits=with_suits) if decided else None
    if with_suits:
        yield from with_lucky_break(table, plan, begun, progress)
    elif begun:
        by_kind = figures_by_kind(table, plan, deals_of(begun, table))
        for settled, rows in zip(begun.kinds, by_kind, strict=True):
            yield from ((settled, "", row) for row in rows)


def _netted(question: Question, later: Sequence[str], outcome: str) -> list[Fraction]:
    """What Lucky Break netted, where it is there."""
    pays = [(question.game.pays[name][outcome], question.stakes[name]) for name in later]
    return [pay.exact * cents / question.unit for pay, cents in pays if isinstance(pay, Odds)]


def _others(question: Question, decided: Sequence[str], settled: Settled) -> tuple[list[str], list[Fraction]]:
    """How each of the other wagers came out with what follows from it, and what it netted."""
    parts = [[line for line in settled if line[0] in question.group_of(name)] for name in decided]
    names = [outcome_name([(line[0], line[1]) for line in lines]) for lines in parts]
    return names, [sum((line[2] for line in lines), Fraction(0)) / question.unit for lines in parts]
