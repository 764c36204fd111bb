"""Several wagers on one spot: their joint distribution, and the ratios at which the best play changes."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.figures import Figures, Number, Outcome, outcome_name
from feltworks.analysis.question import Question
from feltworks.analysis.referee import Law
from feltworks.analysis.solvers.counts import Situation, turning_points
from feltworks.rules.sights import PlayerView, player_view


class JointOutcome(Struct, frozen=True):
    """A joint outcome of the spot: each wager's outcome and net, per unit of the wager in question."""

    outcomes: Mapping[str, str]
    nets: Mapping[str, Fraction]
    probability: Number

    @property
    def net(self) -> Fraction:
        return sum(self.nets.values(), Fraction(0))


class Moments(Struct, frozen=True):
    """Means and covariances of the wagers of a spot, per unit of the wager in question."""

    means: Mapping[str, Number]
    covariances: Mapping[tuple[str, str], Number]

    @property
    def mean(self) -> Number:
        """The mean net of the whole spot."""
        return sum(self.means.values(), Fraction(0))

    @property
    def variance(self) -> Number:
        """The variance of the net of the whole spot."""
        return sum(self.covariances.values(), Fraction(0))


class Joint(Struct, frozen=True):
    """The joint distribution of a spot's wagers, each together with those derived from it."""

    rows: tuple[JointOutcome, ...]
    beside: Mapping[str, Figures]  # every wager by itself, per unit of its own stake

    def mean(self, wager: str) -> Number:
        """The mean net of a wager."""
        return sum((row.probability * row.nets[wager] for row in self.rows), Fraction(0))

    def covariance(self, one: str, other: str) -> Number:
        """The covariance of two wagers, per squared unit of the wager in question."""
        products = (row.probability * row.nets[one] * row.nets[other] for row in self.rows)
        return sum(products, Fraction(0)) - self.mean(one) * self.mean(other)

    @property
    def moments(self) -> Moments:
        """The means and covariances of all wagers."""
        pairs = product(self.beside, repeat=2)
        return Moments(
            {name: self.mean(name) for name in self.beside},
            {(one, other): self.covariance(one, other) for one, other in pairs},
        )


def joint(question: Question, law: Law) -> Joint:
    """Computes the joint distribution of the spot's wagers from the law of all their settlements."""
    unit, stakes = question.unit, question.stakes
    settled_names = {line.wager for settled in law for line in settled}
    entries = question.game.terms.rulebook.wager
    groups = {name: question.group_of(name) for name in entries if name in stakes and name in settled_names}
    chances: dict[tuple[tuple[str, ...], tuple[Fraction, ...]], Fraction] = {}
    for settled, chance in law.items():
        parts = [[line for line in settled if line.wager in group] for group in groups.values()]
        names = tuple(outcome_name([(line.wager, line.outcome) for line in lines]) for lines in parts)
        nets = tuple(sum((line.net for line in lines), Fraction(0)) / unit for lines in parts)
        chances[names, nets] = chances.get((names, nets), Fraction(0)) + chance
    rows = [
        JointOutcome(dict(zip(groups, names, strict=True)), dict(zip(groups, nets, strict=True)), chance)
        for (names, nets), chance in chances.items()
        if chance
    ]
    beside = {name: law_figures(law, group, stakes[name]) for name, group in groups.items()}
    return Joint(tuple(sorted(rows, key=lambda row: (-row.net, row.probability))), beside)


def law_figures(law: Law, wagers: Iterable[str], unit: int) -> Figures:
    """Computes the figures of some wagers from a law, per unit of their opening wager."""
    group = frozenset(wagers)
    rows = (([line for line in settled if line.wager in group], chance) for settled, chance in law.items())
    return Figures.of(
        Outcome(
            outcome_name([(line.wager, line.outcome) for line in lines]),
            chance,
            sum((line.net for line in lines), Fraction(0)) / unit,
            Fraction(sum(line.wagered for line in lines), unit),
        )
        for lines, chance in rows
    )


class Change(Struct, frozen=True):
    """A change of play at a ratio: what the player sees, and the best choice below and above it."""

    view: PlayerView
    before: str
    after: str


class TurningPoint(Struct, frozen=True):
    """A ratio of one wager to another at which the best choice changes in some situation."""

    ratio: Fraction
    changes: tuple[Change, ...]


def turning_ratios(question: Question, situations: Sequence[Situation]) -> dict[tuple[str, str], list[TurningPoint]]:
    """Finds the ratios at which the play changes, for each wager against each one that has derived wagers."""
    entries, stakes = question.game.terms.rulebook.wager, question.stakes
    followed = [name for name in stakes if any(entry.of == name for entry in entries.values())]
    pairs = [(other, leading) for leading in followed for other in stakes if other not in followed]
    return {(other, leading): _turns(question, situations, leading, other) for other, leading in pairs}


def _turns(question: Question, situations: Sequence[Situation], leading: str, other: str) -> list[TurningPoint]:
    scale = Fraction(question.stakes[other], question.stakes[leading])
    changes: dict[Fraction, list[Change]] = {}
    for situation in situations:
        laws = {name: _merge_others(law, leading, other) for name, law in situation.laws.items()}
        merged = replace(situation, laws=laws)
        corners = turning_points([merged], leading, other)
        ends = [Fraction(0), *corners, *(2 * corner for corner in corners[-1:])]
        between = [merged.best({leading: Fraction(1), other: (a + b) / 2}) for a, b in pairwise(ends)]
        for corner, (before, after) in zip(corners, pairwise(between), strict=True):
            change = Change(player_view(situation.shown, list(laws)), before, after)
            changes.setdefault(corner * scale, []).append(change)
    return [TurningPoint(ratio, tuple(changes[ratio])) for ratio in sorted(changes)]


def _merge_others(law: Law, leading: str, other: str) -> Law:
    """Renames all wagers of a law but one to the leading one, since a play or raise grows with that."""
    merged: Law = {}
    for settled, chance in law.items():
        lines = tuple([line if line.wager == other else line._replace(wager=leading) for line in settled])
        merged[lines] = merged.get(lines, Fraction(0)) + chance
    return merged
