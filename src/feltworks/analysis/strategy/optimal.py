"""The optimal strategy: what to do in every situation, and what each choice is worth there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.analyze import Answer, Question, analyze
from feltworks.analysis.referee import Law
from feltworks.analysis.situations import Situation, net_of, turning_points
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.analysis.strategy.phrases import Vocabulary, vocabulary_of
from feltworks.errors import FeltError
from feltworks.rules.sights.sight import Seen, seen_in


class SolvedSight(Struct, frozen=True):
    """What a player can see: how likely it is, what every choice is worth on average, and what is best.

    Hands that differ in suits alone stand together where a game's solver tells them apart by suits too;
    then `best` may name several choices with their shares, and `optimum` is above each choice's value.
    """

    seen: Seen
    probability: Fraction
    values: Mapping[str, Fraction]  # per unit of the wager in question
    best: Mapping[str, Fraction]  # which part of it plays which choice
    optimum: Fraction

    @property
    def choice(self) -> str:
        """The best choice, for most of it where there are several."""
        return max(self.best, key=lambda name: self.best[name])


class Strategy(Struct, frozen=True):
    """Best play of a wager: its answer, its situations, and the vocabulary of its rules."""

    question: Question
    answer: Answer
    decided: tuple[SolvedSight, ...]
    vocabulary: Vocabulary

    @property
    def optimum(self) -> Fraction:
        """What best play is worth to the wagers it is made for, per unit of the wager in question."""
        return sum((each.probability * each.optimum for each in self.decided), Fraction(0))


def optimal_strategy(question: Question) -> Strategy:
    """Every situation of a wager with its best choice; refused where there is nothing to decide."""
    answer = analyze(question)
    solved = answer.notes.get("showdown")
    if isinstance(solved, Showdown):
        decided = _hands(solved, question)
        words = vocabulary_of(question.game, solved.classes.values)
    else:
        decided = [_solve_sight(each, question) for each in answer.situations]
        words = vocabulary_of(question.game)
    if all(len(each.values) < 2 for each in decided):
        title = question.game.terms.rulebook.wager[question.wager].title
        raise FeltError(
            f"{title} leaves nothing to decide; name a wager that is played, or put one beside it"
        )
    return Strategy(question, answer, tuple(decided), words)


def _solve_sight(situation: Situation, question: Question) -> SolvedSight:
    values = {name: situation.value(name, question.serving) / question.unit for name in situation.laws}
    best = situation.best(question.serving)
    seen = seen_in(situation.shown, list(situation.laws))
    return SolvedSight(seen, situation.probability, values, {best: Fraction(1)}, values[best])


def _hands(solved: Showdown, question: Question) -> list[SolvedSight]:
    """Hands of one value and the same ranks together: charts leave suits out."""
    if solved.has_up_card:
        title = question.game.terms.rulebook.title
        raise FeltError(
            f"{title} is decided with a card of the dealer's in sight, for which there are no charts yet;"
            " felt analyze tells what part of each kind of hand makes each choice"
        )
    classes = solved.classes
    _, first, group = np.unique(
        classes.kind * len(classes.values) + classes.value, return_index=True, return_inverse=True
    )
    worth, divisor = solved.worth()
    unit = Fraction(solved.unit, divisor * question.unit)
    names, worths = list(worth), np.array(list(worth.values()), dtype=object)
    held = _sum_groups([classes.hands], group)[0]
    values, bests = (
        _sum_groups(worths * classes.hands, group),
        _sum_groups([worths.max(axis=0) * classes.hands], group)[0],
    )
    chosen = worths.argmax(axis=0)
    shares = _sum_groups(
        [np.where(chosen == number, classes.hands, 0) for number in range(len(names))], group
    )
    total = int(classes.hands.sum())
    return [
        SolvedSight(
            Seen(classes.cards(int(row)), (), tuple(names)),
            Fraction(held[place], total),
            {name: unit * value[place] / held[place] for name, value in zip(names, values, strict=True)},
            {
                name: Fraction(s[place], held[place])
                for name, s in zip(names, shares, strict=True)
                if s[place]
            },
            unit * bests[place] / held[place],
        )
        for place, row in enumerate(first)
    ]


def _sum_groups(rows: Iterable[Any], group: Any) -> list[list[int]]:
    """The sums of whole numbers over each group, as Python's own."""
    sums_by_row = []
    for row in rows:
        sums = np.zeros(int(group.max()) + 1, dtype=object)
        np.add.at(sums, group, np.asarray(row, dtype=object))
        sums_by_row.append([int(each) for each in sums])
    return sums_by_row


class Change(Struct, frozen=True):
    """What is seen, the best choice below a ratio and the best one above it."""

    seen: Seen
    before: str
    after: str


class TurningPoint(Struct, frozen=True):
    """A ratio of two wagers at which somewhere the best choice changes."""

    ratio: Fraction
    changes: tuple[Change, ...]


def turning_ratios(question: Question, situations: Sequence[Situation]) -> dict[str, list[TurningPoint]]:
    """For every wager beside a played one: at which of their ratios the strategy changes, and where."""
    book, stakes = question.game.terms.rulebook.wager, question.stakes
    played = next((name for name in stakes if any(entry.of == name for entry in book.values())), None)
    turns: dict[str, list[TurningPoint]] = {}
    for growing in (name for name in stakes if played and name != played):
        changes: dict[Fraction, list[Change]] = {}
        for each in situations:
            for point, change in _changes(each, played or "", growing):
                changes.setdefault(point * Fraction(stakes[growing], stakes[played or ""]), []).append(change)
        if changes:
            turns[growing] = [TurningPoint(ratio, tuple(changes[ratio])) for ratio in sorted(changes)]
    return turns


def _changes(situation: Situation, played: str, growing: str) -> Iterator[tuple[Fraction, Change]]:
    """Where the best choice of one situation changes: the flatter line before, the steeper one after."""
    merged = _merge_others(situation, played, growing)
    lines = {name: (net_of(law, played), net_of(law, growing)) for name, law in merged.laws.items()}
    for point in turning_points([merged], played, growing):
        worth = {name: height + slope * point for name, (height, slope) in lines.items()}
        equal = [name for name in lines if worth[name] == max(worth.values())]
        before, after = (pick(equal, key=lambda name: lines[name][1]) for pick in (min, max))
        yield point, Change(seen_in(situation.shown, list(lines)), before, after)


def _merge_others(situation: Situation, played: str, growing: str) -> Situation:
    """All wagers but the growing one under the played one's name: a play or raise grows with its ante."""
    laws = {}
    for choice, law in situation.laws.items():
        merged: Law = {}
        for settled, chance in law.items():
            lines = tuple((line[0] if line[0] == growing else played, *line[1:]) for line in settled)
            merged[lines] = merged.get(lines, Fraction(0)) + chance
        laws[choice] = merged
    return Situation(situation.probability, situation.shown, laws)
