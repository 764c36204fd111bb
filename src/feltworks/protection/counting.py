"""What counting cards is worth: rounds dealt from real shoes, sorted by the true count they began at."""

from collections.abc import Mapping
from math import isfinite, sqrt
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.question import Question
from feltworks.cards import Card
from feltworks.dealing.shoes import ContinuousShuffler, SingleDeck, source_for
from feltworks.errors import BadOption
from feltworks.machine.streams import Stream
from feltworks.protection.compositions import Compositions, Edges, edges_at, mean_error, meet_compositions, suit_gain
from feltworks.protection.removal import LETTERS, Removal, Tags, best_tags, parse_tags, removal_effects
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.decisions import MOST_TRUE_COUNT
from feltworks.simulation.rounds.machine import MachineKernel

ROUNDS: Final = 40_000_000
COMPOSITIONS: Final = 10_000
_BLOCKS: Final = 100  # streams of rounds: their spread gives the standard error, which is itself 7 % uncertain
_DEALT: Final = 3_000  # rounds dealt one by one, to know how many a shoe gives


class CountTerms(Struct, frozen=True):
    """How a count is kept."""

    tags: str = "best"
    cut_card: int | None = None  # cards behind it; as at a table of 75 % unless given
    seats: int = 1
    trigger: int | None = None
    rounds: int = ROUNDS
    compositions: int = COMPOSITIONS
    seed: int = 1


class Ceiling(Struct, frozen=True):
    """What perfect knowledge of the cards left can make: a wager whenever its edge is positive."""

    bets: float
    edge: float
    per_100: float
    standard_error: float  # of the gain per 100 rounds
    compositions: int
    method: str
    counted_per_100: float  # wagered by the count and played as the dealt rounds: a second method for them
    counted_error: float
    suits_per_100: float = 0.0  # what knowing suits adds to knowing ranks, at most
    choices_per_100: float = 0.0  # the part of the gain that comes from deciding by the cards left


class Count(Struct, frozen=True):
    """The worth of a count; `standard_error` is that of the gain per 100 rounds."""

    removal: Removal
    tags: Tags
    correlation: float
    cut_card: int
    trigger: int
    bets: float
    edge: float
    per_100: float
    per_shoe: float
    standard_error: float
    edge_error: float
    desirability: float
    rounds_to_win: float  # N0: after so many rounds the gain equals one standard deviation
    by_count: Mapping[int, tuple[float, float]]  # by true count: how often, and the edge there
    ceiling: Ceiling

    def document(self) -> dict[str, Any]:
        """The count as JSON has it."""
        return {
            "removal": {name: float(effect) for name, effect in self.removal.effects.items()},
            "baseline": {"exact": str(self.removal.edge), "value": float(self.removal.edge)},
            "burn_card": float(self.removal.burned),
            "tags": dict(self.tags),
            "correlation": self.correlation,
            "cut_card": self.cut_card,
            "trigger": self.trigger,
            "bets": self.bets,
            "edge": self.edge,
            "per_100": self.per_100,
            "per_shoe": self.per_shoe,
            "standard_error": self.standard_error,
            "edge_error": self.edge_error,
            "desirability": self.desirability,
            "n0": self.rounds_to_win if isfinite(self.rounds_to_win) else None,  # never, for JSON
            "by_count": {str(count): list(row) for count, row in self.by_count.items()},
            "ceiling": {name: getattr(self.ceiling, name) for name in Ceiling.__struct_fields__},
        }


class Immune(Struct, frozen=True):
    """A game that cannot be counted, and why."""

    removal: Removal
    reason: str

    def document(self) -> dict[str, Any]:
        """The same keys with nothing to gain."""
        return {
            "removal": {name: float(effect) for name, effect in self.removal.effects.items()},
            "baseline": {"exact": str(self.removal.edge), "value": float(self.removal.edge)},
            "burn_card": float(self.removal.burned),
            "immune": True,
            "reason": self.reason,
            "tags": {},
            "correlation": 0.0,
            "trigger": None,
            **dict.fromkeys(("bets", "edge", "per_100", "per_shoe", "standard_error"), 0.0),
            "ceiling": dict.fromkeys(Ceiling.__struct_fields__, 0.0) | {"method": "exact"},
        }


def immunity(question: Question) -> str:
    """Why a game cannot be counted; nothing where it can."""
    source = source_for(question.game.terms)
    title = question.game.terms.rulebook.title
    if isinstance(source, SingleDeck):
        return f"{title} is shuffled for every round: each begins with all cards, so no count lasts"
    if isinstance(source, ContinuousShuffler):
        return f"{title} goes through a continuous shuffler: cards come back before a count can be used"
    return ""


def count_wager(question: Question, plan: Plan, terms: CountTerms) -> Count | Immune:
    """The worth of counting one wager at a table of the plan."""
    _check(question, terms)
    removal = removal_effects(question)
    tags = best_tags(removal) if terms.tags == "best" else parse_tags(terms.tags, removal)
    if reason := immunity(question):
        return Immune(removal, reason)
    correlation = removal.correlation(tags)
    sign = -1 if correlation < 0 else 1  # tags given the other way round: a low count is the good one
    tallies, kernel = tally_counts(question, plan, tags, terms)
    compositions, per_shoe = find_compositions(kernel, terms)
    edges = edges_at(question, removal, compositions)
    counts = compositions.true_counts(tags)
    trigger = terms.trigger if terms.trigger is not None else _best_trigger(counts, edges.fixed, sign)
    rounds = [int(t.rounds.sum()) for t in tallies]
    made = [_above(t, trigger, sign) for t in tallies]
    gains = np.array([gain / n for (_, gain, _), n in zip(made, rounds, strict=True)])
    number, total = sum(rounds), sum(gain for _, gain, _ in made)
    bets, squares = sum(n for n, _, _ in made), sum(square for _, _, square in made)
    mean, error = total / number, float(gains.std(ddof=1)) / sqrt(len(gains))
    spread = sqrt(max(squares / number - mean * mean, 0.0))
    return Count(
        removal,
        tags,
        correlation,
        kernel.cards_behind,
        trigger,
        bets / number,
        total / bets if bets else 0.0,
        100 * mean,
        mean * per_shoe,
        100 * error,
        error * number / bets if bets else 0.0,
        1000 * mean / spread if spread else 0.0,
        (spread / mean) ** 2 if mean > 0 else float("inf"),
        _by_count(tallies),
        _ceiling(
            edges,
            sign * counts >= sign * trigger,
            suit_gain(question, removal, compositions, edges.best, terms.seed) if edges.method == "exact" else 0.0,
        ),
    )


def _check(question: Question, terms: CountTerms) -> None:
    """Refuse a cut card that leaves no rounds or too few cards for one, and exposed cards."""
    total = question.game.terms.shoe.total
    least = question.game.least_cards * terms.seats
    if terms.cut_card is not None and not least <= terms.cut_card < total:
        raise BadOption("--cut-card", terms.cut_card, f"a number of cards from {least} to {total - 1}")
    if question.exposed:
        raise BadOption("--exposed", "cards", "nothing beside --count, which begins with whole shoes")


class CountTally(Struct, frozen=True):
    """By true count: rounds, and the sums and squares of what the wager brought, in units."""

    counts: NDArray[np.int64]
    rounds: NDArray[np.int64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]


def tally_counts(
    question: Question, plan: Plan, tags: Tags, terms: CountTerms
) -> tuple[list[CountTally], MachineKernel]:
    """Rounds dealt at the table of the plan, by the true count they began at, and the kernel that deals them."""
    by_card: dict[Card, int] = {face: tags.get(LETTERS[face.rank], 0) for face in plan.table.terms.shoe}
    kernel = MachineKernel(plan, tags=by_card, cut_card=terms.cut_card)
    each = max(1, terms.rounds // _BLOCKS)
    known: dict[int, tuple[int, float]] = {}
    streams = [Stream(terms.seed, block) for block in range(_BLOCKS)]
    return [_block(question, kernel, stream, each, known) for stream in streams], kernel


def _block(
    question: Question,
    kernel: MachineKernel,
    stream: Stream,
    rounds: int,
    known: dict[int, tuple[int, float]],
) -> CountTally:
    """Rounds of one stream; `known` holds the count and the net of ends met before."""
    group, unit, rows = question.group, kernel.opened(question.wager), dict[int, list[float]]()
    for stretch in kernel.play(stream, [rounds]):
        for number, times in zip(stretch.numbers.tolist(), stretch.counts.tolist(), strict=True):
            if number not in known:
                cents = sum(line.net for line in kernel.lines(number) if line.wager in group)
                known[number] = kernel.true_count(number), cents / unit
            count, net = known[number]
            row = rows.setdefault(count, [0, 0.0, 0.0])
            row[0] += times
            row[1] += times * net
            row[2] += times * net * net
    counts = np.array(sorted(rows))
    columns = np.array([rows[count] for count in counts.tolist()]).T
    return CountTally(counts, columns[0].astype(np.int64), columns[1], columns[2])


def _above(tally: CountTally, trigger: int, sign: int) -> tuple[int, float, float]:
    """How often a wager is made at a trigger, what it brings in all, and the sum of squares."""
    good = sign * tally.counts >= sign * trigger
    return int(tally.rounds[good].sum()), float(tally.sums[good].sum()), float(tally.squares[good].sum())


def _best_trigger(counts: NDArray[np.int64], edges: NDArray[np.float64], sign: int) -> int:
    """The count from which on all wagers together bring most; one that never comes where none brings any.

    It is chosen by the edges at compositions, so the rounds that measure it had no part in the choice.
    """
    triggers: list[int] = [sign * (MOST_TRUE_COUNT + 1), *np.unique(counts).tolist()]
    return max(triggers, key=lambda trigger: float(edges[sign * counts >= sign * trigger].sum()))


def best_gain(edges: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """What all wagers bring a round from the count on that is best for these edges."""
    made = counts >= _best_trigger(counts, edges, 1)
    return float(np.where(made, edges, 0.0).mean())


def _by_count(tallies: list[CountTally]) -> dict[int, tuple[float, float]]:
    rounds: dict[int, int] = {}
    sums: dict[int, float] = {}
    for tally in tallies:
        rows = zip(tally.counts.tolist(), tally.rounds.tolist(), tally.sums.tolist(), strict=True)
        for count, n, total in rows:
            rounds[count] = rounds.get(count, 0) + n
            sums[count] = sums.get(count, 0.0) + total
    whole = sum(rounds.values())
    return {count: (rounds[count] / whole, sums[count] / rounds[count]) for count in sorted(rounds)}


def find_compositions(kernel: MachineKernel, terms: CountTerms) -> tuple[Compositions, float]:
    """Compositions as rounds at the table find them, and how many rounds a shoe gives."""
    stream, generator = Stream(terms.seed, _BLOCKS), np.random.default_rng(terms.seed)
    fresh = np.flatnonzero([is_fresh for is_fresh, _ in kernel.cards_seen(stream, [1] * _DEALT)])
    lengths = np.diff(fresh) if len(fresh) > 1 else np.array([_DEALT])
    met = meet_compositions(kernel, terms.compositions, int(lengths.max()), stream, generator)
    return met, float(lengths.mean())


def _ceiling(edges: Edges, is_made: NDArray[np.bool_], by_suits: float) -> Ceiling:
    """What is made of these edges by one who knows them, and by one who wagers where the count says so."""
    best, counted = np.maximum(edges.best, 0.0), np.where(is_made, edges.fixed, 0.0)
    bets = float((edges.best > 0).mean())
    return Ceiling(
        bets,
        float(best.mean()) / bets if bets else 0.0,
        100 * float(best.mean()),
        100 * mean_error(best),
        len(best),
        edges.method,
        100 * float(counted.mean()),
        100 * mean_error(counted),
        by_suits,
        100 * float((best - np.maximum(edges.fixed, 0.0)).mean()),
    )
