"""How a plan's seats play blackjack: by name, by a file's chart, or by the count of the cards."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.shoe_game.analysis import STRATEGIES, TableAnalysis
from feltworks.analysis.shoe_game.chart import CHOICES, Codes, codes_of, no_codes
from feltworks.errors import BadOption, one_of
from feltworks.games.blackjack import Blackjack
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.counter import Counter, counter_of, is_counter
from feltworks.simulation.kernels.blackjack.documents import chart_codes
from feltworks.simulation.kernels.blackjack.playing import Playing, best_playing, chart_playing
from feltworks.simulation.plan import OPTIMAL, Strategy
from feltworks.simulation.strategies import ALWAYS, PRACTICAL, rules_in

BASIC = "basic"
INSURE = "insure"
RAISING = ("check", "raise")


class Play(Struct, frozen=True):
    """Everything the seats do, as arrays for the compiled rounds."""

    acts: NDArray[np.uint8]
    nexts: NDArray[np.uint16]
    states: int
    block: int
    tags: Mapping[int, int]  # what a card's value adds to the count
    widest: int  # true counts beyond this are played like it
    ramp: tuple[int, ...]  # by level: how many times the plan's blackjack wager
    insures: bool  # whether insurance is ever taken


def play_of(game: Blackjack, strategy: Strategy) -> Play:
    """The plan's strategy; one that leaves something open is refused here."""
    if is_counter(strategy.document):
        return _counted(game, counter_of(strategy))
    if strategy.document is not None and not _is_about_raises(strategy):
        return _play([chart_playing(game, chart_codes(strategy.name, strategy.document))], [False])
    if strategy.name == OPTIMAL or _is_about_raises(strategy):
        return _play([best_playing(TableAnalysis(game))], [False])
    return _play([chart_playing(game, _named(game, strategy.name))], [strategy.name == ALWAYS + INSURE])


def idle_play(game: Blackjack) -> Play:
    """No hand is played where nobody has made the blackjack wager."""
    return _play([chart_playing(game, no_codes())], [False])


def raising(strategy: Strategy) -> Strategy:
    """How a seat raises a bonus wager: best, unless the strategy speaks of raising."""
    practical = strategy.document is None and strategy.name.startswith(PRACTICAL)
    return strategy if practical or is_only_for_raises(strategy) else Strategy()


def is_only_for_raises(strategy: Strategy) -> bool:
    """Whether a strategy is about raises and nothing else."""
    by_name = strategy.document is None and strategy.name in [ALWAYS + name for name in RAISING]
    return by_name or _is_about_raises(strategy)


def _is_about_raises(strategy: Strategy) -> bool:
    """Whether a file decides raises: then the hand itself is played best."""
    written = strategy.document
    return isinstance(written, Mapping) and bool({"situations", "rules"} & written.keys())


_BASIC: dict[tuple[object, ...], Codes] = {}


def basic_codes(game: Blackjack) -> Codes:
    """Basic strategy of the table; worked out once for tables with the same rules."""
    key = game.terms.rulebook.file, *game.terms.options.items(), *game.terms.pay_tables.items()
    if key not in _BASIC:
        _BASIC[key] = codes_of(TableAnalysis(game).basic_strategy)
    return _BASIC[key]


def _named(game: Blackjack, name: str) -> Codes:
    if name == BASIC:
        return basic_codes(game)
    if name in STRATEGIES:
        return codes_of(TableAnalysis(game).strategy(name))
    if name.startswith(PRACTICAL):
        return _remembered(TableAnalysis(game), name)
    fixed = name.removeprefix(ALWAYS)
    choices = (*CHOICES, *RAISING, INSURE)
    if not name.startswith(ALWAYS) or fixed not in choices:
        known = [OPTIMAL, *STRATEGIES, PRACTICAL + "3", *(ALWAYS + each for each in choices)]
        raise BadOption("--strategy", name, one_of([*known, "a strategy file"]))
    return _fixed(basic_codes(game), fixed)


def _remembered(analysis: TableAnalysis, name: str) -> Codes:
    """The cheapest list of so many rules to remember, as a chart."""
    from feltworks.analysis.strategy.chart_rules import chart_ladder, chart_of

    lists = chart_ladder(analysis, rules_in(name)).strategies
    return codes_of(chart_of(lists[-1], analysis.basic_strategy))


def _fixed(basic: Codes, choice: str) -> Codes:
    """Always the same choice where it is open, basic strategy where it is not."""
    if choice in ("stand", "hit"):
        said = np.full_like(basic.first, CHOICES.index(choice))
        return Codes(said, said, np.full_like(basic.pair, -1))
    if choice in ("double", "surrender"):
        said = np.full_like(basic.first, CHOICES.index(choice))
        return Codes(said, basic.later, np.full_like(basic.pair, CHOICES.index(choice)))
    if choice == "split":
        return Codes(basic.first, basic.later, np.full_like(basic.pair, p.SPLIT))
    return basic


def _counted(game: Blackjack, counter: Counter) -> Play:
    """One machine for every true count, alike in their states."""
    base = basic_codes(game) if counter.chart is None else counter.chart
    counts = range(-counter.widest, counter.widest + 1)
    machines = [chart_playing(game, counter.codes_at(base, count)) for count in counts]
    insures = [counter.insures_at(count) for count in counts]
    levels = sorted({counter.units_at(count) for count in counts})
    at = [levels.index(counter.units_at(count)) for count in counts]
    return _play(machines, insures, at, counter.tags, tuple(levels))


def _play(
    machines: Sequence[Playing],
    insures: Sequence[bool],
    levels: Sequence[int] = (0,),
    tags: Mapping[int, int] | None = None,
    ramp: tuple[int, ...] = (1,),
) -> Play:
    one = machines[0]
    blocks: list[NDArray[Any]] = []
    for machine, insured, level in zip(machines, insures, levels, strict=True):
        splits = machine.splits.copy()
        splits[0, p.INSURES], splits[0, p.LEVEL] = insured, level
        blocks.append(np.concatenate([splits.reshape(-1), machine.chosen.reshape(-1)]))
    return Play(
        np.concatenate([one.codes, *blocks]),
        np.concatenate([part.reshape(-1) for part in (one.follows, one.opened, one.resumed)]),
        len(one.codes),
        len(blocks[0]),
        tags or {},
        len(machines) // 2,
        ramp,
        any(insures),
    )
