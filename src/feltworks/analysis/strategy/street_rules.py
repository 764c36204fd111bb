"""Rules to remember street by street, in the words of cards: pairs, draws, high cards; each list with its exact cost.

The cost of a list is that of its own street, where all other decisions are made as well as can be.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.solvers.streets.solver import StreetDecision, StreetsSolver
from feltworks.analysis.strategy.facts import HandFacts, hand_facts
from feltworks.analysis.strategy.optimal import SolvedSight, Strategy
from feltworks.analysis.strategy.phrases import Vocabulary, simplest_first
from feltworks.analysis.strategy.practical import Ladder, ladder
from feltworks.hands.poker import PAIR
from feltworks.rules.sights.sight import Bound, Phrase, both

_NUMBERS = ("no", "one", "two", "three", "four", "five")
_MOST = 10**6  # above every fact
_DRAWS = {"straight_flush": "straight flush", "flush": "flush", "straight": "straight"}


def street_ladders(
    question: Question, answer: Answer, solved: StreetsSolver, most_rules: int, progress: Progress | None = None
) -> list[tuple[str, Ladder]]:
    """By street its lists of rules, from the shortest on."""
    facts = hand_facts(question.game)
    if not facts.has_draws:  # wild cards are on the way to anything
        return []
    reached, streets = solved.reach(), dict[str, list[tuple[StreetDecision, Fraction]]]()
    rows: dict[int, int] = {}
    for decision in solved.decisions():  # class by class, in the order of the classes
        row = rows[id(decision.street)] = rows.get(id(decision.street), -1) + 1
        chance = Fraction(int(reached[id(decision.street)][row]), solved.total)
        streets.setdefault(decision.street.about, []).append((decision, chance))
    ladders = []
    for number, (about, decisions) in enumerate(streets.items()):
        held = len(decisions[0][0].cards)
        words = _vocabulary(facts, held, {solved.view(decision.street, ()).wagered for decision, _ in decisions})
        decided = _merge(question, solved, words, decisions)
        strategy = Strategy(question, answer, decided, words)
        ladders.append((about, ladder(strategy, most_rules, part_of(progress, number, len(streets)))))
    return ladders


def _merge(
    question: Question, solved: StreetsSolver, words: Vocabulary, decisions: Sequence[tuple[StreetDecision, Fraction]]
) -> tuple[SolvedSight, ...]:
    """Situations that the words do not tell apart as one, with the sums of what their choices are worth."""
    merged: dict[tuple[int, ...], SolvedSight] = {}
    for decision, chance in decisions:
        if not chance:
            continue
        view = solved.view(decision.street, decision.cards)
        key = tuple(words.of(view).values())
        values = {name: decision.worth[name] / question.unit for name in view.offers}
        one = SolvedSight(view, chance, values, {decision.best: Fraction(1)}, values[decision.best])
        merged[key] = _join(merged[key], one) if key in merged else one
    return tuple(merged.values())


def _join(one: SolvedSight, other: SolvedSight) -> SolvedSight:
    whole = one.probability + other.probability
    share, rest = one.probability / whole, other.probability / whole
    best = {name: one.best.get(name, 0) * share + other.best.get(name, 0) * rest for name in {**one.best, **other.best}}
    values = {name: value * share + other.values[name] * rest for name, value in one.values.items()}
    optimum = one.optimum * share + other.optimum * rest
    return replace(one, probability=whole, values=values, best=best, optimum=optimum)


def _vocabulary(facts: HandFacts, held: int, money: set[Fraction]) -> Vocabulary:
    """The words for so many cards; those that fit all or none are left out by the search."""
    draws, high = list(_draws(held)), list(_high(facts, held))
    wagered = [
        Phrase(f"with {amount} wagered or less", (Bound("wagered", 0, int(amount)),)) for amount in sorted(money)[:-1]
    ]
    single = [*_made(facts), *draws, *high, *wagered]
    joined = [both(draw, _and(count)) for draw in draws for count in high]
    joined += [both(phrase, _and(amount)) for phrase in (*_made(facts), *high) for amount in wagered]
    names = {bound.feature for phrase in single for bound in phrase.bounds}
    features = {name: lambda view, name=name: int(facts.value(name, view)) for name in sorted(names)}
    return Vocabulary(features, simplest_first([*single, *joined]))


def _and(phrase: Phrase) -> Phrase:
    return replace(phrase, words=f"and {phrase.words.removeprefix('with ')}")


def _made(facts: HandFacts) -> Iterator[Phrase]:
    """A pair of a rank or better, and the better hands that equal ranks make."""
    for rank in facts.ranking.ranks:
        least = int(facts.read("made", f"{PAIR.name} of {rank.plural}")[0])
        yield Phrase(f"with a pair of {rank.plural} or better", (Bound("made", least, _MOST),))
    for category in ("two pair", "three of a kind"):
        if any(category == each.name for each in facts.ranking.categories):
            yield Phrase(f"with {category} or better", (Bound("made", int(facts.read("made", category)[0]), _MOST),))


def _draws(held: int) -> Iterator[Phrase]:
    """All cards on the way to a hand, and by how many straights."""
    for name, words in _DRAWS.items():
        whole = Bound(f"{name}_cards", held, held)
        yield Phrase(f"with {_NUMBERS[held]} to a {words}", (whole,))
        for ways in (2, 3, 4) if name != "flush" else ():
            bounds = whole, Bound(f"{name}_ways", ways, _MOST)
            yield Phrase(f"with {_NUMBERS[held]} to a {words} in {_NUMBERS[ways]} ways or more", bounds, 2)


def _high(facts: HandFacts, held: int) -> Iterator[Phrase]:
    """How many cards are high, at least; points where pairs are paid at several heights."""
    for rank in facts.tiers:
        for number in range(1, held + 1):
            words = f"with {_NUMBERS[number]} {rank.word if number == 1 else rank.plural} or higher"
            yield Phrase(words, (Bound(f"{rank.word}_or_higher", number, _MOST),))
    for number in range(1, held * len(facts.tiers) + 1) if len(facts.tiers) > 1 else ():
        yield Phrase(f"with {number} points or more", (Bound("points", number, _MOST),))
