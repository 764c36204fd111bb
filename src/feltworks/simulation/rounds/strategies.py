"""Plays the strategies of a plan: best play, always one choice, a file, rules to remember, or counting cards.

Names and files have the same meaning as for `felt analyze`, so that exact figures can be compared. Decisions
on shown cards are made by a chooser; the hands of a spot are played by a chart, by the count of the cards, or
by best play for the exact cards.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from feltworks.analysis.question import PRACTICAL, Question, is_practical
from feltworks.analysis.shape import main_wager_of
from feltworks.analysis.solvers.shoe_game.chart import KINDS, Codes, codes_of
from feltworks.analysis.solvers.shoe_game.hands import Hands
from feltworks.analysis.solvers.shoe_game.table import STRATEGIES, TableAnalysis
from feltworks.analysis.strategy.decisions import chooser
from feltworks.analysis.strategy.file import Chooser, StrategyFile
from feltworks.analysis.strategy.lines import UP_CARDS, chart_codes, choice_code, parse_hand, up_value
from feltworks.errors import BadOption, one_of
from feltworks.hands.blackjack import BlackjackHand
from feltworks.hands.spot import CHOICES, HeldValues, Spot, SpotHand
from feltworks.machine.felt import Felt
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER
from feltworks.simulation.plan import OPTIMAL, Strategy

_MOST = 40  # the largest true count that a file may name, of either sign
_MOST_UNITS = 1000
_MOST_TAG = 20


class Deviation(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice that depends on the true count."""

    hand: str
    up_card: str
    choice: str
    at: int | None = None
    below: int | None = None

    def holds(self, count: int) -> bool:
        return (self.at is None or count >= self.at) and (self.below is None or count < self.below)


class CounterDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A card counter's strategy file.

    The true count is the running count per unseen deck, rounded down. An example (TOML):

        count = {A = -1, 2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, T = -1}
        ramp = {1 = 2, 2 = 4, 3 = 8}        # at a true count of 1 or more twice the plan's wager, and so on
        insurance = 3                       # taken at this true count or more
        deviations = [{hand = "hard 16", up_card = "T", at = 0, choice = "stand"}]

    A file may also have a `chart`; without one the base is basic strategy. A deviation applies from its true count
    `at` on, or under the count `below`. If several apply, the last one is played.
    """

    count: dict[str, int]
    ramp: dict[str, int] = {}
    insurance: int | None = None
    deviations: tuple[Deviation, ...] = ()
    chart: Any = None


class Counter(Struct, frozen=True):
    """A counter's wagers and choices at every true count."""

    name: str
    tags: Mapping[int, int]
    ramp: Mapping[int, int]
    insurance: int | None
    deviations: tuple[Deviation, ...]
    chart: Codes | None

    @property
    def counts(self) -> list[int]:
        """The true counts at which something changes."""
        bounds = [bound for deviation in self.deviations for bound in (deviation.at, deviation.below)]
        return [count for count in (*self.ramp, self.insurance, *bounds) if count is not None]

    @property
    def widest(self) -> int:
        """The true count beyond which, on either side, nothing changes any more."""
        return 1 + max(map(abs, self.counts), default=0)

    def units_at(self, count: int) -> int:
        steps = [at for at in self.ramp if at <= count]
        return self.ramp[max(steps)] if steps else 1

    def insures_at(self, count: int) -> bool:
        return self.insurance is not None and count >= self.insurance

    def codes_at(self, base: Codes, count: int) -> Codes:
        """Returns the chart at a true count."""
        codes = Codes(base.first.copy(), base.later.copy(), base.pair.copy())
        for deviation in self.deviations:
            if deviation.holds(count):
                kind, total = parse_hand(self.name, deviation.hand)
                code = choice_code(self.name, deviation.hand, deviation.choice)
                up = up_value(deviation.up_card) - 1
                if kind == "pair":
                    codes.pair[total - 1, up] = code
                    continue
                codes.first[KINDS.index(kind), total, up] = code
                if code < 2:
                    codes.later[KINDS.index(kind), total, up] = code
        return codes


def is_counter(document: Any) -> bool:
    """Whether the document is a card counter's file."""
    return isinstance(document, Mapping) and "count" in document


def counter_of(strategy: Strategy) -> Counter:
    """Reads the counter of a strategy file; refuses one that cannot be played."""
    name = strategy.name
    try:
        document = msgspec.convert(strategy.document, CounterDocument)
    except msgspec.ValidationError as trouble:
        wanted = f"a counter's file with count, ramp, insurance, deviations and chart ({trouble})"
        raise BadOption("--strategy", name, wanted) from None
    tags = {_value(name, letter): tag for letter, tag in document.count.items()}
    ramp = {_count(name, at): units for at, units in document.ramp.items()}
    chart = None if document.chart is None else chart_codes(name, {"chart": document.chart})
    counter = Counter(name, tags, ramp, document.insurance, document.deviations, chart)
    _check(counter)
    return counter


def _value(name: str, letter: str) -> int:
    if letter not in UP_CARDS or len(letter) != 1:
        raise BadOption("--strategy", name, f"counts of {' '.join(UP_CARDS)}, not of {letter!r}")
    return up_value(letter)


def _count(name: str, at: str) -> int:
    try:
        return int(at)
    except ValueError:
        raise BadOption("--strategy", name, f"a ramp by whole true counts, not {at!r}") from None


def _check(counter: Counter) -> None:
    name = counter.name
    if any(abs(tag) > _MOST_TAG for tag in counter.tags.values()):
        raise BadOption("--strategy", name, f"cards that count {-_MOST_TAG} to {_MOST_TAG}")
    if any(not 1 <= units <= _MOST_UNITS for units in counter.ramp.values()):
        raise BadOption("--strategy", name, f"a ramp of 1 to {_MOST_UNITS} times the blackjack wager")
    if any(abs(count) > _MOST for count in counter.counts):
        raise BadOption("--strategy", name, f"true counts from {-_MOST} to {_MOST}")
    for deviation in counter.deviations:
        parse_hand(name, deviation.hand)
        choice_code(name, deviation.hand, deviation.choice)
        if deviation.up_card not in tuple(UP_CARDS) or (deviation.at is None and deviation.below is None):
            wanted = f"deviations with an up card and a true count, not {deviation}"
            raise BadOption("--strategy", name, wanted)


JOINT = "joint"  # best for all wagers of the spot together, not for the main wager alone
ALWAYS = "always-"
STAND, HIT, DOUBLE, SURRENDER, SPLIT = range(5)  # the indices of the choices
_DEALER: Final = BlackjackHand()
HandPlay = Callable[[Felt, Sequence[str]], str]  # returns one of the choices that are open to the hand in play


def question_of(game: Game, seat: Mapping[str, Cents], strategy: Strategy, wager: str) -> Question:
    """Builds the question to the analysis about a wager of a seat with this strategy.

    The other wagers lie beside it, and the hand is played for the wager from which others derive.
    """
    ratios = {name: Fraction(cents, seat[wager]) for name, cents in seat.items() if name != wager}
    joint = strategy.name == JOINT
    return Question(
        game,
        wager,
        ratios if joint else dict.fromkeys(ratios),
        strategy=OPTIMAL if joint else strategy.name,
        plays=strategy_file(strategy),
    )


def strategy_file(strategy: Strategy) -> StrategyFile | None:
    """Returns the strategy's file; None if it is only a name."""
    if strategy.document is None:
        return None
    try:
        return msgspec.convert(strategy.document, StrategyFile)
    except msgspec.ValidationError as trouble:
        raise BadOption("--strategy", strategy.name, f"a strategy file ({trouble})") from None


def chooser_of(game: Game, seat: Mapping[str, Cents], strategy: Strategy) -> Chooser | None:
    """Returns the chooser of the seat's decisions, None for best play; refuses a strategy that leaves some open."""
    wager = _wager_to_decide(game, seat)
    is_best = strategy.document is None and strategy.name in (OPTIMAL, JOINT)
    if wager is None and (is_best or main_wager_of(game) not in seat):
        return None
    wager = wager or main_wager_of(game)  # which may be taken back, or have its cards chosen
    _check_name(strategy)
    return chooser(question_of(game, seat, strategy, wager))


def check_followed(strategy: Strategy, follow: Chooser | None) -> None:
    """Refuses any strategy but best play where there is no chooser for it."""
    if follow is None and (strategy.document is not None or strategy.name not in (OPTIMAL, JOINT)):
        raise BadOption("--strategy", strategy.name, f"{OPTIMAL} at this table")


def serving_of(game: Game, seat: Mapping[str, Cents], strategy: Strategy) -> frozenset[str]:
    """Returns the wagers that the seat's decisions are made for."""
    wager = _wager_to_decide(game, seat) or next(iter(seat))
    return frozenset(question_of(game, seat, strategy, wager).serving)


def _check_name(strategy: Strategy) -> None:
    is_known = strategy.name in (OPTIMAL, JOINT) or strategy.name.startswith((ALWAYS, PRACTICAL))
    if strategy.document is None and not is_known:
        known = f"{OPTIMAL}, {JOINT}, {ALWAYS} and a choice, {PRACTICAL} and a number of rules, or a file"
        raise BadOption("--strategy", strategy.name, known)


def _wager_to_decide(game: Game, seat: Mapping[str, Cents]) -> str | None:
    """Returns the wager of the seat from which another derives; None if there is nothing to decide."""
    return next((entry.of for entry in game.terms.rulebook.wager.values() if entry.of in seat), None)


class SpotPlay(Struct, frozen=True):
    """The play of a spot at every true count that makes a difference."""

    by_count: tuple[HandPlay, ...]
    insures: tuple[bool, ...]
    counter: Counter | None = None

    @property
    def widest(self) -> int:
        """The largest true count with a play of its own; counts beyond it are played the same."""
        return len(self.by_count) // 2


def spot_play(game: Game, strategy: Strategy) -> SpotPlay:
    """Returns how the plan's strategy plays a spot; refuses one that leaves a decision open."""
    if is_counter(strategy.document):
        return _play_by_count(game, counter_of(strategy))
    if strategy.document is not None and not is_about_bonus(strategy):
        return SpotPlay((_by_chart(game, chart_codes(strategy.name, strategy.document)),), (False,))
    if strategy.name == OPTIMAL or is_about_bonus(strategy):
        return SpotPlay((_by_cards(TableAnalysis(game)),), (False,))
    codes = _chart_by_name(game, strategy.name)
    return SpotPlay((_by_chart(game, codes),), (strategy.name == ALWAYS + _insure(game),))


def is_about_bonus(strategy: Strategy) -> bool:
    """Whether a file only makes the choices of bonus wagers, so that the hand itself gets best play."""
    document = strategy.document
    return isinstance(document, Mapping) and bool({"situations", "rules"} & document.keys())


def _insure(game: Game) -> str:
    """Returns the choice that adds a wager beside the hand, such as insurance."""
    return next(iter(amount.choice for amount in game.written.amounts.values()), "")


def _bonus_choices(game: Game) -> list[str]:
    """Lists the choices of bonus wagers."""
    amounts = [judge.written for judge in game.wagers.values() if judge.written is not None]
    return [name for amount in amounts for name in (amount.otherwise, amount.choice)]


def _chart_by_name(game: Game, name: str) -> Codes:
    analysis = TableAnalysis(game)
    if name in STRATEGIES or is_practical(name):
        return codes_of(analysis.strategy(name))
    fixed = name.removeprefix(ALWAYS)
    choices = (*CHOICES, *_bonus_choices(game), _insure(game))
    if not name.startswith(ALWAYS) or fixed not in choices:
        known = [OPTIMAL, *STRATEGIES, PRACTICAL + "3", *(ALWAYS + choice for choice in choices)]
        raise BadOption("--strategy", name, one_of([*known, "a strategy file"]))
    return _fixed_chart(codes_of(analysis.basic_strategy), fixed)


def _fixed_chart(basic: Codes, choice: str) -> Codes:
    """Builds a chart that makes the same choice wherever it is open, and else plays basic strategy."""
    if choice not in CHOICES:
        return basic
    code = CHOICES.index(choice)
    if code == SPLIT:
        return Codes(basic.first, basic.later, np.full_like(basic.pair, SPLIT))
    first = np.full_like(basic.first, code)
    if code <= HIT:
        return Codes(first, first, np.full_like(basic.pair, -1))
    return Codes(first, basic.later, np.full_like(basic.pair, code))


def _play_by_count(game: Game, counter: Counter) -> SpotPlay:
    """Builds a chart for every true count."""
    base = counter.chart
    if base is None:
        base = codes_of(TableAnalysis(game).basic_strategy)
    counts = range(-counter.widest, counter.widest + 1)
    plays = tuple(_by_chart(game, counter.codes_at(base, count)) for count in counts)
    return SpotPlay(plays, tuple(counter.insures_at(count) for count in counts), counter)


def _hand_in_play(felt: Felt, empty: Spot) -> tuple[Spot, SpotHand, int]:
    """Returns the spot, the hand in play, and the index of the up card, with the ace first."""
    spot, up_card = felt.hand(0, empty), felt.hand(DEALER, _DEALER)
    assert spot.active is not None
    return spot, spot.hands[spot.active], 0 if up_card.soft else up_card.points - 1


def _by_chart(game: Game, codes: Codes) -> HandPlay:
    empty = game.spot
    assert empty is not None

    def play(felt: Felt, open_: Sequence[str]) -> str:
        _, hand, up = _hand_in_play(felt, empty)
        first, later = (int(chart[int(hand.soft), hand.points, up]) for chart in (codes.first, codes.later))
        code = first if hand.held == 2 else later
        if hand.kind and hand.held == 2:
            value = 1 if hand.soft else hand.points // 2
            of_pair = int(codes.pair[value - 1, up])
            if of_pair == SPLIT and CHOICES[SPLIT] in open_:
                return CHOICES[SPLIT]
            # Where only equal ranks are pairs, ten-value cards that are not split are played as 20
            as_pair = not hand.is_split and (value < 10 or empty.rules.splits_on_value)
            code = of_pair if as_pair and of_pair not in (-1, SPLIT) else code
        return _possible(code, later, open_)

    return play


def _possible(first: int, later: int, open_: Sequence[str]) -> str:
    """Returns the first choice if it is open, else the one for longer hands, else standing."""
    for code in (first, later):
        if code != SPLIT and CHOICES[code] in open_:
            return CHOICES[code]
    return CHOICES[STAND]


def _by_cards(analysis: TableAnalysis) -> HandPlay:
    """Plays best for the exact cards; pairs of one value are all played like the likeliest kind."""
    table, plan = analysis.table, analysis.plan
    empty, values = table.game.spot, HeldValues(table.game.spot)
    unsplit, split = (_rows_by_cards(hands) for hands in (table.hands, table.split_hands))
    splits: dict[tuple[int, int], int] = {}
    for row in np.argsort(table.pairs.likely).tolist() if len(plan.hands) else ():
        splits[int(table.pairs.value[row]) + 1, int(table.pairs.up[row])] = int(plan.hands[row])

    def play(felt: Felt, open_: Sequence[str]) -> str:
        spot, hand, up = _hand_in_play(felt, empty)
        cards = felt.hand(0, values)
        if CHOICES[SPLIT] in open_ and spot.count < splits.get((cards.held[0], up), 0):
            return CHOICES[SPLIT]
        rows, acts = (split, plan.split_acts) if hand.is_split else (unsplit, plan.acts)
        row = rows.get((cards.pair - 1, cards.held))
        if row is None:  # more cards of a value than the shoe holds
            return CHOICES[STAND]
        gives_up = not hand.is_split and bool(plan.surrenders[row, up])
        return _possible(SURRENDER if gives_up else int(acts[row, up]), STAND, open_)

    return play


def _rows_by_cards(hands: Hands) -> dict[tuple[int, tuple[int, ...]], int]:
    """Indexes the rows of hands by the pair that they were split from and their values in order."""
    held = [tuple(np.repeat(np.arange(1, 11), row).tolist()) for row in hands.held]
    return {key: row for row, key in enumerate(zip(hands.origin.tolist(), held, strict=True))}
