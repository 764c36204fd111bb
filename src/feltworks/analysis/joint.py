"""Several wagers on one spot: how they come out and vary together, and when that changes the play."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.figures import Figures, Number, Outcome, outcome_name
from feltworks.analysis.question import Question
from feltworks.analysis.referee import Law
from feltworks.analysis.situations import Situation, turning_points
from feltworks.rules.sights import PlayerView, player_view


class JointOutcome(Struct, frozen=True):
    """One way the whole spot comes out: each wager's outcome and net, per unit of the wager in question."""

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
        """What the whole spot brings on average."""
        return sum(self.means.values(), Fraction(0))

    @property
    def variance(self) -> Number:
        """The variance of the whole round."""
        return sum(self.covariances.values(), Fraction(0))


class Joint(Struct, frozen=True):
    """The joint distribution of a spot's wagers, each with what follows from it."""

    rows: tuple[JointOutcome, ...]
    beside: Mapping[str, Figures]  # every wager by itself, per unit of its own stake

    def mean(self, wager: str) -> Number:
        """What a wager brings on average."""
        return sum((row.probability * row.nets[wager] for row in self.rows), Fraction(0))

    def covariance(self, one: str, other: str) -> Number:
        """How two wagers vary together, per square unit of the wager in question."""
        products = (row.probability * row.nets[one] * row.nets[other] for row in self.rows)
        return sum(products, Fraction(0)) - self.mean(one) * self.mean(other)

    @property
    def moments(self) -> Moments:
        """Means and covariances of all of them."""
        pairs = product(self.beside, repeat=2)
        return Moments(
            {name: self.mean(name) for name in self.beside},
            {(one, other): self.covariance(one, other) for one, other in pairs},
        )


def joint(question: Question, law: Law) -> Joint:
    """The wagers of the spot together, by the law of everything that was settled."""
    unit, stakes = question.unit, question.stakes
    settled_names = {line.wager for settled in law for line in settled}
    entries = question.game.terms.rulebook.wager
    groups = {name: question.group_of(name) for name in entries if name in stakes and name in settled_names}
    gathered: dict[tuple[tuple[str, ...], tuple[Fraction, ...]], Fraction] = {}
    for settled, chance in law.items():
        parts = [[line for line in settled if line.wager in group] for group in groups.values()]
        names = tuple(outcome_name([(line.wager, line.outcome) for line in lines]) for lines in parts)
        nets = tuple(sum((line.net for line in lines), Fraction(0)) / unit for lines in parts)
        gathered[names, nets] = gathered.get((names, nets), Fraction(0)) + chance
    rows = [
        JointOutcome(dict(zip(groups, names, strict=True)), dict(zip(groups, nets, strict=True)), chance)
        for (names, nets), chance in gathered.items()
        if chance
    ]
    beside = {name: law_figures(law, group, stakes[name]) for name, group in groups.items()}
    return Joint(tuple(sorted(rows, key=lambda row: (-row.net, row.probability))), beside)


def law_figures(law: Law, wagers: Iterable[str], unit: int) -> Figures:
    """The figures of some wagers of a law, per unit that the first of them was opened with."""
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
    """What the player sees, the best choice below a ratio and the best one above it."""

    view: PlayerView
    before: str
    after: str


class TurningPoint(Struct, frozen=True):
    """A ratio of one wager to another at which somewhere the best choice changes."""

    ratio: Fraction
    changes: tuple[Change, ...]


def turning_ratios(question: Question, situations: Sequence[Situation]) -> dict[tuple[str, str], list[TurningPoint]]:
    """At which ratios of a wager to one that another follows from the play changes, for every two."""
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
    """The same law with all wagers but one under the leading one's name: a play or raise grows with it."""
    merged: Law = {}
    for settled, chance in law.items():
        lines = tuple([line if line.wager == other else line._replace(wager=leading) for line in settled])
        merged[lines] = merged.get(lines, Fraction(0)) + chance
    return merged
