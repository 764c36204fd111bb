"""The worth of counting cards, measured on simulated rounds grouped by the true count at their start."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import gcd, sqrt
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from feltworks import catalog
from feltworks.analysis.progress import Progress, Track, part_of
from feltworks.analysis.question import Question
from feltworks.analysis.shape import main_wager_of
from feltworks.dealing.shoes import ContinuousShuffler, SingleDeck, source_for
from feltworks.errors import BadOption, FeltError
from feltworks.machine.compiler import Flags, Floats, Ints
from feltworks.machine.streams import Stream
from feltworks.protection.compositions import Compositions, Edges, edges_at, meet_compositions, suit_gain
from feltworks.protection.knowledge import Terms, mean_error
from feltworks.protection.removal import (
    MOST_TAG,
    SUITS,
    Removal,
    Tags,
    best_tags,
    edge_of,
    parse_tags,
    removal_effects,
    tag_of,
)
from feltworks.simulation.plan import Plan, make_plan
from feltworks.simulation.rounds.decisions import MOST_TRUE_COUNT
from feltworks.simulation.rounds.machine import MachineKernel

ROUNDS: Final = 40_000_000
COMPOSITIONS: Final = 10_000
_BLOCKS: Final = 100  # streams of rounds: their spread gives the standard error to about 7 %
SUIT_COUNT: Final = "suits"
ABOVE, BELOW, EITHER = 1, -1, 0  # the side of the trigger on which a wager is made
_NOTHING: Final = 1e-9  # a smaller correlation counts as zero
_UNLIKE: Final = "best or tags: suits differ by themselves here, and the best tags know it"
_STAGES: Final = 3  # of a count: effects of removal, compositions, rounds
_DEALT: Final = 3_000  # rounds dealt one by one to measure the rounds per shoe


class CountTerms(Struct, frozen=True):
    """The options of a count."""

    tags: str = "best"
    cut_card: int | None = None  # cards behind it; by default 75 % of the shoe is dealt
    seats: int = 1
    trigger: int | None = None
    rounds: int = ROUNDS
    compositions: int = COMPOSITIONS
    seed: int = 1


class Ceiling(Struct, frozen=True):
    """The gain with perfect knowledge of the cards left: wager whenever the edge is positive."""

    bets: float
    edge: float
    per_100: float
    standard_error: float  # of the gain per 100 rounds
    compositions: int
    method: str
    counted_per_100: float  # wagering by the count instead: checks the figure from the dealt rounds
    counted_error: float
    suits_per_100: float = 0.0  # what knowing suits adds to knowing ranks, at most
    choices_per_100: float = 0.0  # the part of the gain from playing by the cards left


class Difference(Struct, frozen=True):
    """The best count of some suits against others, where suits matter but are interchangeable.

    A single card's suit then has no effect, but unequal numbers of suits left do: a wager is made
    where the difference per deck is `trigger` or more in either direction.
    """

    tags: Tags
    correlation: float  # of the difference with the edge at the compositions
    trigger: int
    bets: float
    per_100: float


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
    n0: float | None  # rounds until the gain equals one standard deviation; None: never
    by_count: Mapping[int, tuple[float, float]]  # by true count: its frequency, and the edge there
    ceiling: Ceiling
    difference: Difference | None

    def document(self) -> dict[str, Any]:
        """The count as a JSON document."""
        rest = {name: getattr(self, name) for name in self.__struct_fields__ if name != "removal"}
        rest |= {"tags": dict(self.tags), "ceiling": asdict(self.ceiling)}
        rest["by_count"] = {str(count): list(row) for count, row in self.by_count.items()}
        rest["difference"] = asdict(self.difference) if self.difference else None
        return {**self.removal.document(), **rest}


class Immune(Struct, frozen=True):
    """A game that cannot be counted, and why."""

    removal: Removal
    reason: str

    def document(self) -> dict[str, Any]:
        """The keys of a count's document, with a gain of zero."""
        return {
            **self.removal.document(),
            "immune": True,
            "reason": self.reason,
            "tags": {},
            "correlation": 0.0,
            "trigger": None,
            **dict.fromkeys(("bets", "edge", "per_100", "per_shoe", "standard_error"), 0.0),
            "ceiling": dict.fromkeys(Ceiling.__struct_fields__, 0.0) | {"method": "exact"},
        }


def immunity(question: Question) -> str:
    """Why a game cannot be counted; empty if it can."""
    source = source_for(question.game.terms)
    title = question.game.terms.rulebook.title
    if isinstance(source, SingleDeck):
        return f"{title} is shuffled for every round: each begins with all cards, so no count lasts"
    if isinstance(source, ContinuousShuffler):
        return f"{title} goes through a continuous shuffler: cards come back before a count can be used"
    return ""


def count_wager(question: Question, plan: Plan, terms: CountTerms, progress: Progress | None = None) -> Count | Immune:
    """The worth of counting one wager at a table of the plan."""
    _check(question, terms)
    reason = immunity(question)
    first = part_of(progress, 0, _STAGES)
    removal = effects_or_none(question, first) if reason else removal_effects(question, first)
    if terms.tags not in ("best", SUIT_COUNT):
        parse_tags(terms.tags, removal)
    if reason:
        return Immune(removal, reason)
    compositions, per_shoe = find_compositions(count_kernel(plan, best_tags(removal), terms.cut_card), terms)
    edges = edges_at(question, removal, compositions)
    by_suits = suit_gain(question, removal, compositions, edges.best, terms.seed) if edges.method == "exact" else 0.0
    difference = best_difference(compositions, edges.fixed) if by_suits and not any(removal.suits.values()) else None
    tags, side = _tags_and_side(question, removal, terms, difference)
    counts = compositions.true_counts(tags)
    trigger = terms.trigger if terms.trigger is not None else best_trigger(counts, edges.fixed, side)
    tallies, kernel = tally_counts(question, plan, tags, terms, part_of(progress, _STAGES - 1, _STAGES))
    rounds = [int(t.rounds.sum()) for t in tallies]
    made = [_above(t, trigger, side) for t in tallies]
    gains = np.array([gain / n for (_, gain, _), n in zip(made, rounds, strict=True)])
    number, total = sum(rounds), sum(gain for _, gain, _ in made)
    bets, squares = sum(n for n, _, _ in made), sum(square for _, _, square in made)
    mean, error = total / number, float(gains.std(ddof=1)) / sqrt(len(gains))
    spread = sqrt(max(squares / number - mean * mean, 0.0))
    return Count(
        removal,
        tags,
        difference.correlation if difference and side == EITHER else removal.correlation(tags),
        kernel.cards_behind,
        trigger,
        bets / number,
        total / bets if bets else 0.0,
        100 * mean,
        mean * per_shoe,
        100 * error,
        error * number / bets if bets else 0.0,
        1000 * mean / spread if spread else 0.0,
        (spread / mean) ** 2 if mean > 0 else None,
        _by_count(tallies),
        _ceiling(edges, is_made(counts, trigger, side), by_suits),
        difference,
    )


def effects_or_none(question: Question, progress: Progress | None = None) -> Removal:
    """The effects of removal; empty if the game has no exact figure with a card gone."""
    try:
        return removal_effects(question, progress)
    except FeltError:
        return no_effects(question)


def no_effects(question: Question) -> Removal:
    """The edge of the whole shoe, without the effects of single cards."""
    return Removal(edge_of(question), {}, {}, Fraction(0))


def _tags_and_side(
    question: Question, removal: Removal, terms: CountTerms, difference: Difference | None
) -> tuple[Tags, int]:
    """The tags, and the side of the trigger on which a wager is made: above, below, or either."""
    if terms.tags == SUIT_COUNT:
        if difference is None:
            title = question.game.terms.rulebook.wager[question.wager].title
            words = f"best or tags: {title} is not decided by how many cards of a suit are left"
            raise BadOption("--count", SUIT_COUNT, words if not any(removal.suits.values()) else _UNLIKE)
        return difference.tags, EITHER
    tags = best_tags(removal) if terms.tags == "best" else parse_tags(terms.tags, removal)
    correlation = removal.correlation(tags)
    if abs(correlation) < _NOTHING and any(tags.values()):
        return tags, EITHER  # tags on interchangeable suits
    return tags, BELOW if correlation < 0 else ABOVE  # below, if tags have the opposite sign


def difference_tags() -> Iterator[Tags]:
    """Every balanced count of interchangeable suits with small tags, up to order of suits, sign and scale."""
    for tags in product(range(MOST_TAG, -MOST_TAG - 1, -1), repeat=len(SUITS)):
        turned = tuple(-tag for tag in reversed(tags))
        if not sum(tags) and gcd(*tags) == 1 and list(tags) == sorted(tags, reverse=True) and tags >= turned:
            yield {suit: tag for suit, tag in zip(SUITS.values(), tags, strict=True) if tag}


def best_difference(compositions: Compositions, edges: Floats) -> Difference:
    """The difference of suits with the largest gain at its best trigger.

    Chosen on every other composition and measured on the rest, so that a lucky choice is not counted as gain.
    """
    choosing, measuring = edges[::2], edges[1::2]

    def gain(tags: Tags) -> tuple[float, int]:
        counts = compositions.true_counts(tags)[::2]
        trigger = best_trigger(counts, choosing, EITHER)
        return float((choosing * is_made(counts, trigger, EITHER)).sum()), trigger

    (_, trigger), tags = max(((gain(tags), tags) for tags in difference_tags()), key=lambda one: one[0][0])
    made = is_made(compositions.true_counts(tags)[1::2], trigger, EITHER)
    apart = np.abs(compositions.counts_per_deck(tags))
    follows = float(np.corrcoef(apart, edges)[0, 1]) if apart.std() and edges.std() else 0.0
    return Difference(tags, follows, trigger, float(made.mean()), 100 * float((measuring * made).mean()))


def _check(question: Question, terms: CountTerms) -> None:
    """Refuse exposed cards, and a cut card that leaves no rounds or too few cards for one."""
    total = question.game.terms.shoe.total
    least = question.game.least_cards * terms.seats
    if terms.cut_card is not None and not least <= terms.cut_card < total:
        raise BadOption("--cut-card", terms.cut_card, f"a number of cards from {least} to {total - 1}")
    if question.exposed:
        raise BadOption("--exposed", "cards", "nothing beside --count, which begins with whole shoes")


def count_plan(name: str, wagers: Sequence[str], terms: Terms, seats: int = 1) -> Plan:
    """The plan of a table at which these wagers are counted; with the main one every round is dealt to its end."""
    return make_plan(
        name,
        wagers=tuple(dict.fromkeys((*wagers, main_wager_of(catalog.game(name))))),
        pay_tables=tuple(f"{wager}={table}" for wager, table in terms.pay_tables.items()),
        decks=terms.decks,
        chosen=terms.chosen,
        seats=seats,
    )


class CountTally(Struct, frozen=True):
    """By true count: rounds, and the sums and sums of squares of the wager's net, in units."""

    counts: Ints
    rounds: Ints
    sums: Floats
    squares: Floats


def count_kernel(plan: Plan, tags: Tags, cut_card: int | None) -> MachineKernel:
    """The kernel that deals a plan's rounds and records their true count."""
    return MachineKernel(plan, tags={face: tag_of(face, tags) for face in plan.table.terms.shoe}, cut_card=cut_card)


def tally_counts(
    question: Question, plan: Plan, tags: Tags, terms: CountTerms, progress: Progress | None = None
) -> tuple[list[CountTally], MachineKernel]:
    """Tallies of rounds dealt at the plan's table, by true count at their start, and the kernel."""
    kernel = count_kernel(plan, tags, terms.cut_card)
    each = max(1, terms.rounds // _BLOCKS)
    known: dict[int, tuple[int, float]] = {}
    streams = Track(progress).branches([(1, Stream(terms.seed, block)) for block in range(_BLOCKS)])
    return [_block(question, kernel, stream, each, known) for _, stream in streams], kernel


def _block(
    question: Question, kernel: MachineKernel, stream: Stream, rounds: int, known: dict[int, tuple[int, float]]
) -> CountTally:
    """The tally of one stream's rounds; `known` caches the count and the net of each end."""
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


def is_made(counts: Ints, trigger: int, side: int) -> Flags:
    """Whether a wager is made at each count. Counts are rounded down, so -4 is the first one below -3."""
    if side == EITHER:
        return (counts >= trigger) | (counts < -trigger)
    return side * counts >= side * trigger


def _above(tally: CountTally, trigger: int, side: int) -> tuple[int, float, float]:
    """How often a wager is made at a trigger, and the sum and the sum of squares of its net."""
    good = is_made(tally.counts, trigger, side)
    return int(tally.rounds[good].sum()), float(tally.sums[good].sum()), float(tally.squares[good].sum())


def best_trigger(counts: Ints, edges: Floats, side: int) -> int:
    """The trigger count with the largest total gain; an unreachable count if no wager gains.

    It is chosen by the edges at compositions, so it is independent of the rounds that measure it.
    """
    never = (side or 1) * (MOST_TRUE_COUNT + 1)
    triggers: list[int] = [never, *(np.unique(counts) if side else np.unique(np.abs(counts))).tolist()]
    return max(triggers, key=lambda trigger: float(edges[is_made(counts, trigger, side)].sum()))


def best_gain(edges: Floats, counts: Ints) -> float:
    """The mean gain per round at the trigger that is best for these edges."""
    made = is_made(counts, best_trigger(counts, edges, ABOVE), ABOVE)
    return float(np.where(made, edges, 0.0).mean())


def _by_count(tallies: list[CountTally]) -> dict[int, tuple[float, float]]:
    """By true count: the fraction of rounds that began at it, and their edge."""
    counts, place = np.unique(np.concatenate([tally.counts for tally in tallies]), return_inverse=True)
    rounds = np.bincount(place, np.concatenate([tally.rounds for tally in tallies]))
    edges = np.bincount(place, np.concatenate([tally.sums for tally in tallies])) / rounds
    rows = zip((rounds / rounds.sum()).tolist(), edges.tolist(), strict=True)
    return dict(zip(counts.tolist(), rows, strict=True))


def find_compositions(kernel: MachineKernel, terms: CountTerms) -> tuple[Compositions, float]:
    """Sample the compositions at the start of rounds at the table, and measure the rounds per shoe."""
    stream, generator = Stream(terms.seed, _BLOCKS), np.random.default_rng(terms.seed)
    fresh = np.flatnonzero([is_fresh for is_fresh, _ in kernel.cards_seen(stream, [1] * _DEALT)])
    lengths = np.diff(fresh) if len(fresh) > 1 else np.array([_DEALT])
    met = meet_compositions(kernel, terms.compositions, int(lengths.max()), stream, generator)
    return met, float(lengths.mean())


def _ceiling(edges: Edges, made: Flags, by_suits: float) -> Ceiling:
    """The gain of a player who knows these edges, and of one who wagers by the count."""
    best, counted = np.maximum(edges.best, 0.0), np.where(made, edges.fixed, 0.0)
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
