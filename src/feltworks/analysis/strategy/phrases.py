"""Vocabularies for practical rules: features of what a player sees, and phrases that bound them.

A vocabulary is data, so that the search in `practical` works for any game. Games can declare one; this module
has those for poker hands and for games that declare nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shape import ranking_of
from feltworks.analysis.solvers.numbers import Bools, Ints
from feltworks.cards import Card, Rank
from feltworks.hands.poker import HandValue, Ranking, best_value
from feltworks.rules.game import Game
from feltworks.rules.sights import Bound, Feature, Phrase, PlayerView, both, combine_phrases


class Vocabulary(Struct, frozen=True):
    """The phrases that can describe a hand, simplest first, and the verbs for the choices in a rule."""

    features: Mapping[str, Feature]
    phrases: tuple[Phrase, ...]
    verbs: Mapping[str, str] = {}
    speaks_of: Mapping[str, str] = {}  # choices that only phrases with this feature may name

    def says(self, phrase: Phrase, choice: str) -> bool:
        """Whether a rule may combine this phrase with this choice."""
        wanted = self.speaks_of.get(choice)
        return wanted is None or any(bound.feature == wanted for bound in phrase.bounds)

    def of(self, view: PlayerView) -> dict[str, int]:
        """Computes every feature of one situation."""
        return {name: feature(view) for name, feature in self.features.items()}

    def columns(self, views: Sequence[PlayerView]) -> dict[str, Ints]:
        """Computes every feature of many situations."""
        return {
            name: np.array([feature(view) for view in views], dtype=np.int64) for name, feature in self.features.items()
        }

    def verb(self, choice: str) -> str:
        return self.verbs.get(choice, choice)


def simplest_first(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """Sorts phrases by preference among equally good ones."""
    return tuple(sorted(phrases, key=lambda phrase: (phrase.burden, len(phrase.words))))


def fits_all(phrase: Phrase, columns: Mapping[str, Ints]) -> Bools:
    """Tests a phrase on many situations at once."""
    tests = [(columns[b.feature] >= b.least) & (columns[b.feature] <= b.most) for b in phrase.bounds]
    fitting: Bools = np.logical_and.reduce(tests)
    return fitting


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_ANY, _BEST = 99, 2**62  # more cards than a hand holds, more strength than a value has
_VERBS = {"raise least": "raise the least"}


def vocabulary_of(game: Game, values: Sequence[HandValue] = ()) -> Vocabulary:
    """Returns the vocabulary of a game; `values` are those that a poker hand can have, weakest first."""
    if sights := game.sights:
        return Vocabulary(sights.features, simplest_first(sights.phrases()), {**_VERBS, **sights.verbs})
    ranking = ranking_of(game)
    return poker_words(ranking, values) if ranking else card_words()


def card_words() -> Vocabulary:
    """Builds a vocabulary for any game: the number of cards of a rank or higher, and the dealer's up card."""
    counts, features = _counts([rank for rank in Rank if rank is not Rank.JOKER], 5)
    features["up card"] = lambda view: view.dealer[0].rank if view.dealer else 0
    ups = [
        Phrase(f"against a {rank.word} or higher", (Bound("up card", rank, _ANY),))
        for rank in Rank
        if rank is not Rank.JOKER
    ]
    return Vocabulary(features, simplest_first([*counts, *ups, *combine_phrases(counts, ups)]), _VERBS)


def _counts(ranks: Sequence[Rank], size: int) -> tuple[list[Phrase], dict[str, Feature]]:
    """Builds phrases for at least or at most a number of cards of a rank or higher, and their features."""
    phrases: list[Phrase] = []
    features: dict[str, Feature] = {}
    for rank in ranks[1:]:
        name = f"cards {rank.word} or higher"
        features[name] = _count_from(rank)
        for number in range(1, size + 1):
            phrases.append(Phrase(f"with {_cards(number, rank, ranks)}", (Bound(name, number, _ANY),)))
            fewer = f"with {'at most ' if number > 1 else ''}{_cards(number - 1, rank, ranks)}"
            phrases.append(Phrase(fewer, (Bound(name, 0, number - 1),)))
    return phrases, features


def _cards(number: int, rank: Rank, ranks: Sequence[Rank]) -> str:
    if rank is ranks[-1]:
        return f"{NUMBERS[number]} {rank.word if number < 2 else rank.plural}"
    return f"{NUMBERS[number]} {'card' if number < 2 else 'cards'} {rank.word} or higher"


def _count_from(rank: Rank) -> Feature:
    return lambda view: sum(face.rank >= rank for face in view.cards)


def poker_words(ranking: Ranking, values: Sequence[HandValue]) -> Vocabulary:
    """Builds a vocabulary of hand values, pairs, high cards and the joker, and of two of these together."""
    counts, features = _counts(ranking.ranks, ranking.size)
    features["strength"] = lambda view: best_value(ranking, view.cards).strength
    features["wild"] = lambda view: sum(face.rank in ranking.wild for face in view.cards)
    better, fine = list(_or_better(values)), list(_finer(values))
    exact = list(_exactly(values))
    joker = Phrase("with the joker", (Bound("wild", 1, _ANY),))
    least = [phrase for phrase in counts if phrase.bounds[0].most == _ANY]
    pairs_of_counts = [both(a, joined_phrase(b)) for a, b in combinations(least, 2) if _says_more(a, b)]
    phrases = [*better, *fine, *exact, joker, *counts, *pairs_of_counts]
    phrases += [both(a, joined_phrase(b)) for a in (*better, *exact) for b in counts]
    return Vocabulary(features, simplest_first(phrases), _VERBS)


def up_card_words(ranking: Ranking) -> Vocabulary:
    """Builds a vocabulary of hands against a card of the dealer's, and of own cards of its rank."""
    ranks = ranking.ranks
    *lower, second, first = ranks
    highs: list[tuple[Rank, ...]] = [(rank,) for rank in lower]
    highs += [(one, other) for one in (second, first) for other in ranks if other < one and other is not second]
    highs += [(first, second, third) for third in lower]
    names = [f"{'-'.join(rank.word for rank in high)} high" for high in highs]
    names += [f"a pair of {rank.plural}" for rank in ranks]
    better = [category.name for category in reversed(ranking.categories) if category.name not in ("high card", "pair")]
    names += [name if name.endswith((" of a kind", " pair")) else f"a {name}" for name in better]
    place = {name: number for number, name in enumerate(names)}

    @cache
    def hand(cards: tuple[Card, ...]) -> int:
        value = best_value(ranking, cards)
        if value.category == "high card":
            many = 3 if value.ranks[:2] == (first, second) else 2 if value.ranks[0] >= second else 1
            return place[f"{'-'.join(rank.word for rank in value.ranks[:many])} high"]
        return place[_value_name(value)]

    hands = [Phrase(f"with {name} or better", (Bound("hand", number, _ANY),)) for name, number in place.items()]
    ups = up_phrases(ranks)
    features: dict[str, Feature] = {
        "hand": lambda view: hand(view.cards),
        "up": lambda view: view.dealer[0].rank,
        "up_held": lambda view: sum(face.rank is view.dealer[0].rank for face in view.cards),
    }
    joined = [both(one, joined_phrase(up)) for one in hands for up in ups]
    return Vocabulary(features, simplest_first([*hands, *ups, *joined]), _VERBS)


def up_phrases(ranks: Sequence[Rank]) -> list[Phrase]:
    """Builds the phrases for the dealer's open card, and for own cards of its rank."""
    ups = [Phrase(f"against a {rank.word} or lower", (Bound("up", 0, rank),)) for rank in ranks[:-1]]
    ups += [Phrase(f"against a {rank.word} or higher", (Bound("up", rank, _ANY),)) for rank in ranks[1:]]
    return [*ups, Phrase("with a card of the dealer's rank", (Bound("up_held", 1, _ANY),))]


def joined_phrase(phrase: Phrase) -> Phrase:
    """Words a phrase to follow another one: "with an ace" becomes "and an ace"."""
    is_held = phrase.words.startswith("with ")
    return replace(phrase, words=f"and {phrase.words.removeprefix('with ')}") if is_held else phrase


def _says_more(one: Phrase, other: Phrase) -> bool:
    """Whether neither of two phrases implies the other."""
    return one.bounds[0].feature != other.bounds[0].feature and one.bounds[0].least > other.bounds[0].least


def _or_better(values: Sequence[HandValue]) -> Iterator[Phrase]:
    """Yields a phrase "or better" for each high card, each pair and each better category."""
    names: set[str] = set()
    for value in values[1:]:
        words = _value_name(value)
        if words not in names and names:
            yield Phrase(f"with {words} or better", (Bound("strength", value.strength, _BEST),))
        names.add(words)


def _value_name(value: HandValue) -> str:
    if value.category == "high card":
        return value.words
    if value.category == "pair":
        return f"a {value.words}"
    is_counted = value.category.endswith((" of a kind", " pair"))
    return value.category if is_counted else f"a {value.category}"


def _finer(values: Sequence[HandValue]) -> Iterator[Phrase]:
    """Yields finer phrases: by the two or three highest cards, and for a pair by its kickers."""
    names: set[str] = set()
    by_three: dict[tuple[str, tuple[Rank, ...]], list[HandValue]] = {}
    for value in values:
        for words, burden in _fine_words(value):
            if words not in names:
                names.add(words)
                yield Phrase(f"with {words} or better", (Bound("strength", value.strength, _BEST),), burden)
        if value.category in ("high card", "pair"):
            by_three.setdefault((value.category, value.ranks[:3]), []).append(value)
    for run in by_three.values():
        words = "-".join(rank.word for rank in run[0].ranks[:3])
        name = words if run[0].category == "high card" else f"{_value_name(run[0])} and {words.split('-', 1)[1]}"
        yield Phrase(f"with {name}", (Bound("strength", run[0].strength, run[-1].strength),), 3)


def _fine_words(value: HandValue) -> Iterator[tuple[str, int]]:
    if value.category == "high card":
        for cards in (2, 3):
            yield f"{'-'.join(rank.word for rank in value.ranks[:cards])} high", cards
    elif value.category == "pair":
        yield f"{_value_name(value)} with {_article(value.ranks[1])} kicker", 2


def _article(rank: Rank) -> str:
    return f"{'an' if rank.word[0] in 'ae' else 'a'} {rank.word}"


def _exactly(values: Sequence[HandValue]) -> Iterator[Phrase]:
    """Yields phrases for no pair, and for exactly one pair of each rank."""
    for words in dict.fromkeys(_group(value) for value in values):
        strengths = [value.strength for value in values if _group(value) == words]
        if words:
            yield Phrase(f"with {words}", (Bound("strength", min(strengths), max(strengths)),))


def _group(value: HandValue) -> str:
    if value.category == "high card":
        return "no pair"
    return _value_name(value) if value.category == "pair" else ""
