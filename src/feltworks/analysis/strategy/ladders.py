"""Finds lists of rules to remember for games with several decisions: street by street, and for split hands."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec.structs import replace

from feltworks.analysis.progress import Progress, Track, part_of
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.solvers.numbers import Array, Ints
from feltworks.analysis.solvers.shoe_game.chart import Advice, Chart, codes_of, unsplit_acts
from feltworks.analysis.solvers.shoe_game.rules import HIT, SPLIT, UPS
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.analysis.strategy.facts import HandFacts, hand_facts
from feltworks.analysis.strategy.optimal import SolvedSight, Strategy
from feltworks.analysis.strategy.phrases import NUMBERS, Vocabulary, joined_phrase, simplest_first, up_phrases
from feltworks.analysis.strategy.practical import Ladder, PracticalStrategy, efficient_lists, ladder, rule_lists
from feltworks.cards import Card, card
from feltworks.hands.blackjack import points, total
from feltworks.hands.poker import PAIR
from feltworks.hands.spot import CHOICES
from feltworks.rules.sights import Bound, Feature, Phrase, PlayerView, both, ranges

_MOST = 10**6  # above every fact
_DRAWS = {"straight_flush": "straight flush", "flush": "flush", "straight": "straight"}


def street_ladders(
    question: Question, answer: Answer, solved: StreetsSolver, most_rules: int, progress: Progress | None = None
) -> list[tuple[str, Ladder]]:
    """Finds the lists of rules for each street, from the shortest on."""
    facts = hand_facts(question.game)
    if not facts.has_draws:  # with wild cards every hand is a draw
        return []
    by_name: dict[str, list[Street]] = {}
    for street in solved.streets.root.decisions():
        by_name.setdefault(street.about, []).append(street)
    reached, ladders = solved.reached(), []
    for number, (about, streets) in enumerate(by_name.items()):
        words = _vocabulary(facts, solved, streets)
        merged: dict[tuple[int, ...], SolvedSight] = {}
        for street in streets:
            for key, sight in _merge(question, solved, words, street, reached.get(id(street))):
                merged[key] = _join(merged[key], sight) if key in merged else sight
        strategy = Strategy(question, answer, tuple(merged.values()), words)
        ladders.append((about, ladder(strategy, most_rules, part_of(progress, number, len(by_name)))))
    return ladders


def _merge(
    question: Question, solved: StreetsSolver, words: Vocabulary, street: Street, ways: Ints | None
) -> Iterator[tuple[tuple[int, ...], SolvedSight]]:
    """Merges the sights of a street that the vocabulary does not distinguish, averaging the values of their choices.

    `ways` are those in which play comes to a sight; the words for the dealer's card are added to those for the hand.
    """
    if ways is None:
        return
    hands, names = solved.hands_of(street.seen), [name for name, _ in street.choices]
    times, picks = (ways // np.maximum(solved.sights(street), 1)).tolist(), solved.picks(street).tolist()
    worths, came = [each.tolist() for each in solved.worths(street)], ways.tolist()
    merged: dict[tuple[int, ...], tuple[PlayerView, list[int]]] = {}
    for row in np.flatnonzero(ways.any(axis=1)).tolist():
        held = hands.cards(row)
        own = words.of(solved.view(street, held))
        for column, number in enumerate(came[row]):
            if not number:
                continue
            up = solved.up_cards[column] if street.up else None
            key = tuple((own | _facing(held, up) if up else own).values())
            if key not in merged:
                merged[key] = solved.view(street, held, up), [0] * (2 + 2 * len(names))
            sums, pick, often = merged[key][1], picks[row][column], times[row][column]
            sums[0] += number
            sums[1] += often * worths[pick][row][column]
            sums[2 + pick] += number
            for place, worth in enumerate(worths, 2 + len(names)):
                sums[place] += often * worth[row][column]
    divisor = solved.divisor(street) * question.unit
    for key, (view, (whole, best, *rest)) in merged.items():
        shares, totals = (dict(zip(names, part, strict=True)) for part in (rest[: len(names)], rest[len(names) :]))
        yield (
            key,
            SolvedSight(
                view,
                solved.chance(street, whole),
                {name: totals[name] / (whole * divisor) for name in view.offers},
                {name: Fraction(share, whole) for name, share in shares.items() if share},
                best / (whole * divisor),
            ),
        )


def _facing(held: Sequence[Card], up: Card) -> dict[str, int]:
    """The facts of the dealer's card, as a vocabulary for a street with one has them."""
    return {"up": int(up.rank), "up_held": sum(face.rank is up.rank for face in held)}


def _join(one: SolvedSight, other: SolvedSight) -> SolvedSight:
    whole = one.probability + other.probability
    share, rest = one.probability / whole, other.probability / whole
    best = {name: one.best.get(name, 0) * share + other.best.get(name, 0) * rest for name in {**one.best, **other.best}}
    values = {name: value * share + other.values[name] * rest for name, value in one.values.items()}
    optimum = one.optimum * share + other.optimum * rest
    return replace(one, probability=whole, values=values, best=best, optimum=optimum)


def _vocabulary(facts: HandFacts, solved: StreetsSolver, streets: Sequence[Street]) -> Vocabulary:
    """Builds the vocabulary of a decision; the search drops phrases that fit all hands or none."""
    held = streets[0].seen
    money = sorted({solved.view(street, ()).wagered for street in streets})
    draws, high = list(_draws(held)), list(_high(facts, held))
    if solved.streets.has_dealer:  # hands that are compared win by their highest card too
        high += [
            Phrase(f"with a {rank.word} or higher", (Bound("higher", rank, _MOST),)) for rank in facts.ranking.ranks
        ]
    wagered = [Phrase(f"with {amount} wagered or less", (Bound("wagered", 0, int(amount)),)) for amount in money[:-1]]
    ups = up_phrases(facts.ranking.ranks) if streets[0].up else []
    single = [*_pair_phrases(facts), *draws, *high, *wagered, *ups]
    joined = [both(draw, joined_phrase(count)) for draw in draws for count in high]
    others = [*wagered, *ups]
    joined += [both(phrase, joined_phrase(other)) for phrase in (*_pair_phrases(facts), *high) for other in others]
    names = {bound.feature for phrase in single for bound in phrase.bounds}
    features = {name: lambda view, name=name: int(facts.value(name, view)) for name in sorted(names)}
    return Vocabulary(features, simplest_first([*single, *joined]))


def _pair_phrases(facts: HandFacts) -> Iterator[Phrase]:
    """Yields phrases for a pair of each rank or better, two pair or better, and three of a kind or better."""
    for rank in facts.ranking.ranks:
        least = int(facts.read("made", f"{PAIR.name} of {rank.plural}")[0])
        yield Phrase(f"with a pair of {rank.plural} or better", (Bound("made", least, _MOST),))
    for category in ("two pair", "three of a kind"):
        if any(category == each.name for each in facts.ranking.categories):
            yield Phrase(f"with {category} or better", (Bound("made", int(facts.read("made", category)[0]), _MOST),))


def _draws(held: int) -> Iterator[Phrase]:
    """Yields phrases for draws that use all cards, and for the number of straights they can become."""
    for name, words in _DRAWS.items():
        whole = Bound(f"{name}_cards", held, held)
        yield Phrase(f"with {NUMBERS[held]} to a {words}", (whole,))
        for ways in (2, 3, 4) if name != "flush" else ():
            bounds = whole, Bound(f"{name}_ways", ways, _MOST)
            yield Phrase(f"with {NUMBERS[held]} to a {words} in {NUMBERS[ways]} ways or more", bounds, 2)


def _high(facts: HandFacts, held: int) -> Iterator[Phrase]:
    """Yields phrases for a least number of high cards, or of points where several ranks of pairs are paid."""
    for rank in facts.tiers:
        for number in range(1, held + 1):
            words = f"with {NUMBERS[number]} {rank.word if number == 1 else rank.plural} or higher"
            yield Phrase(words, (Bound(f"{rank.word}_or_higher", number, _MOST),))
    for number in range(1, held * len(facts.tiers) + 1) if len(facts.tiers) > 1 else ():
        yield Phrase(f"with {number} points or more", (Bound("points", number, _MOST),))


CellKey = tuple[str, int, int, bool]  # kind, total or value, up card, whether these are the first two cards
_FINE = 10**6  # the search uses weights and values rounded to millionths
_LATER = CHOICES[: HIT + 1]
_ACE = 11


def chart_words() -> Vocabulary:
    """Builds the vocabulary of blackjack: hard and soft totals, pairs, up cards, and hands against up cards."""
    hard = [phrase for phrase in ranges("hard", 4, 21, "on hard {}") if _is_memorable(phrase, 9, 16)]
    soft = [phrase for phrase in ranges("soft", 12, 21, "on soft {}") if _is_memorable(phrase, 13, 18)]
    pairs = [Phrase(f"a pair of {_plural(value)}", (Bound("pair", value, value),)) for value in range(2, 12)]
    pairs += [Phrase(f"any pair up to {_plural(value)}", (Bound("pair", 2, value),)) for value in range(3, 11)]
    pairs.append(Phrase("any pair", (Bound("pair", 2, _ACE),)))
    ups = [phrase for phrase in ranges("up card", 2, _ACE, "against {}") if _is_memorable(phrase, 2, 6)]
    ups = [Phrase(up.words.replace(str(_ACE), "an ace"), up.bounds, up.burden) for up in ups]
    hands = [*hard, *soft, *pairs]
    phrases = simplest_first([*hands, *ups, *(both(hand, up) for hand in hands for up in ups)])
    return Vocabulary(_FEATURES, phrases, speaks_of={CHOICES[SPLIT]: "pair"})


def _is_memorable(phrase: Phrase, low: int, high: int) -> bool:
    """Whether a phrase is one number, or a range within the totals for which play differs."""
    bound = phrase.bounds[0]
    return phrase.burden == 1 or low <= bound.least <= bound.most <= high


def _plural(value: int) -> str:
    return _card(value).rank.plural


def _card(value: int) -> Card:
    return card({10: "Td", _ACE: "Ad"}.get(value, f"{value}d"))


def _value(face: Card) -> int:
    return _ACE if points(face) == 1 else points(face)


def _hard(view: PlayerView) -> int:
    hand = total(view.cards)
    return 0 if hand.soft else hand.points


def _soft(view: PlayerView) -> int:
    hand = total(view.cards)
    return hand.points if hand.soft else 0


def _pair(view: PlayerView) -> int:
    values = {_value(face) for face in view.cards}
    return values.pop() if len(view.cards) == 2 and len(values) == 1 else 0


_FEATURES: Mapping[str, Feature] = {
    "hard": _hard,
    "soft": _soft,
    "pair": _pair,
    "up card": lambda view: _value(view.dealer[0]),
}

_PLAYING = 2  # the time for playing the lists relative to that for finding them


def chart_ladder(table: TableAnalysis, most_rules: int, progress: Progress | None = None) -> Ladder:
    """Finds lists of rules for the main wager, each cheaper than the one before; the chart is the lower bound."""
    words = chart_words()
    best, chart = table.best.house_edge, table.basic_strategy
    lists, _ = rule_lists(list(_cells(table)), words, most_rules, part_of(progress, 0, 1 + _PLAYING))
    strategies, track = [], Track(part_of(progress, 1 / _PLAYING, 1 / _PLAYING + 1))
    for _, (rules, otherwise, _) in track.branches([(1, one) for one in lists]):
        strategy = PracticalStrategy(rules, otherwise, 0.0, 0.0, words)
        edge = table.figures_under(chart_of_rules(strategy, chart)).house_edge
        strategies.append(PracticalStrategy(rules, otherwise, edge - best, edge, words))
    return Ladder(efficient_lists(strategies), table.figures_under(chart).house_edge - best, most_rules)


def chart_of_rules(listed: PracticalStrategy, offered: Chart) -> Chart:
    """Converts a list of rules into a chart with the same cells as another chart."""
    chart = {}
    for (kind, held, up), advice in offered.items():
        first = PlayerView(_hand(kind, held), (_card(_up(up)),), tuple(advice.values))
        later = PlayerView(first.cards, first.dealer, _LATER)
        chart[kind, held, up] = Advice(listed(first), listed(later))
    return chart


def _up(up: int) -> int:
    return _ACE if up == 1 else up


def _hand(kind: str, held: int) -> tuple[Card, ...]:
    """Returns example cards for a total; they are a pair only for the kind `pair`."""
    if kind == "pair":
        return (_card(_up(held)),) * 2
    if kind == "soft":
        return (_card(_ACE), _card(held - 11)) if held > 12 else (_card(_ACE),) * 2
    for low in range(2, 11):
        if low < held - low <= 10:
            return _card(low), _card(held - low)
    return _card(2), _card(2), *(_card(part) for part in _parts(held - 4))


def _parts(left: int) -> Iterator[int]:
    while left > 10:
        yield 9
        left -= 9
    if left > 1:
        yield left


def _cells(table: TableAnalysis) -> Iterator[SolvedSight]:
    """Yields the chart's cells as situations: first two cards, pairs, and longer hands that only hit or stand."""
    chart = table.basic_strategy
    for (kind, held, up, is_first), weight in _weights(table, chart).items():
        advice = chart.get((kind, held, up))
        if advice is None or not weight:
            continue
        values = {name: advice.values[name] for name in advice.values if is_first or name in _LATER}
        yield _cell(PlayerView(_hand(kind, held), (_card(_up(up)),), tuple(values)), weight, values)


def _cell(view: PlayerView, weight: float, values: Mapping[str, Fraction | float]) -> SolvedSight:
    rounded = {name: Fraction(round(value * _FINE), _FINE) for name, value in values.items()}
    best = max(rounded, key=lambda name: rounded[name])
    probability = Fraction(round(weight * _FINE), _FINE)
    return SolvedSight(view, probability, rounded, {best: Fraction(1)}, rounded[best])


def _weights(table: TableAnalysis, chart: Chart) -> dict[CellKey, float]:
    """Computes how often each cell comes up under basic strategy."""
    game, hands = table.table, table.table.hands
    acts, _ = unsplit_acts(game, codes_of(chart))
    start = np.where(game.is_natural[:, None], 0, game.deals)
    frequencies: Array = game.decision_frequencies(acts, start)
    weights: dict[CellKey, float] = {}
    for row in np.flatnonzero(hands.size >= 2).tolist():
        is_pair = hands.size[row] == 2 and hands.held[row].max() == 2
        kind = "pair" if is_pair else "soft" if hands.soft[row] else "hard"
        held = int(hands.held[row].argmax()) + 1 if is_pair else int(hands.total[row])
        for up in range(UPS):
            key = (kind, held, up + 1, bool(hands.size[row] == 2))
            weights[key] = weights.get(key, 0.0) + float(frequencies[row, up])
    return weights
