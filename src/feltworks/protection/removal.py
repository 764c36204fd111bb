"""The effect on a wager of removing one card from the shoe, and the small whole tags that fit it best."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, sqrt
from statistics import median_low
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import analyze
from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.question import Question
from feltworks.analysis.shape import are_suits_alike
from feltworks.cards import Card, Rank, Suit
from feltworks.errors import BadOption

MOST_TAG: Final = 3
_MOST_OWN_TAG: Final = 20
LETTERS: Final = {rank: rank.letter for rank in [Rank.ACE, *sorted(Rank)[1:-1]]} | {Rank.JOKER: "joker"}
SUITS: Final = {suit: suit.letter for suit in Suit}
_SPECIAL: Final = Fraction(1, 10)  # of the largest effect: a card this far from others of its rank has its own tag
Tags = Mapping[str, int]  # by the letter of a rank or of a suit, or by a card such as Qh


def tag_of(face: Card, tags: Tags) -> int:
    """The tag of a card: its own, or the sum of those of its rank and its suit."""
    by_suit = 0 if face.suit is None else tags.get(SUITS[face.suit], 0)
    return tags.get(face.code, tags.get(LETTERS[face.rank], 0) + by_suit)


class Removal(Struct, frozen=True):
    """How removing one card changes the player's edge, by rank; weighted by card numbers, effects sum to zero.

    `suits` are the effects by suit, zero if suits are interchangeable; `special` those of cards unlike their rank.
    `burned` is the worth of knowing a burnt card when the player decides. It is subtracted from every effect;
    otherwise they would not sum to zero, because knowing a card never hurts.
    """

    edge: Fraction
    effects: Mapping[str, Fraction]
    cards: Mapping[str, int]
    burned: Fraction
    suits: Mapping[str, Fraction] = {}
    special: Mapping[str, Fraction] = {}
    faces: Mapping[Card, tuple[int, Fraction]] = {}  # how many, and the effect of each

    def correlation(self, tags: Tags) -> float:
        """The correlation of tags with the effects: 1 is a perfect linear count."""
        rows = [(n, tag_of(face, tags), float(effect)) for face, (n, effect) in self.faces.items()]
        total = sum(n for n, _, _ in rows)
        mean = sum(n * tag for n, tag, _ in rows) / total
        dot = sum(n * (tag - mean) * effect for n, tag, effect in rows)
        square = sum(n * (tag - mean) ** 2 for n, tag, _ in rows)
        size = sum(n * effect**2 for n, _, effect in rows)
        return dot / sqrt(square * size) if square and size else 0.0

    def document(self) -> dict[str, Any]:
        """The effects as a JSON document, with the edge of the shoe before a card is removed."""
        parts = {"removal": self.effects, "removal_suits": self.suits, "removal_cards": self.special}
        return {
            **{name: {one: float(effect) for one, effect in part.items()} for name, part in parts.items()},
            "baseline": {"exact": str(self.edge), "value": float(self.edge)},
            "burn_card": float(self.burned),
        }

    def names(self) -> dict[str, tuple[int, Fraction]]:
        """The names that get tags, with number and effect: special cards, and ranks without those cards."""
        named: dict[str, tuple[int, Fraction]] = {}
        for face, (n, effect) in self.faces.items():
            name = face.code if face.code in self.special else LETTERS[face.rank]
            before, mean = named.get(name, (0, Fraction(0)))
            named[name] = before + n, (before * mean + n * effect) / (before + n)
        return named


def removal_effects(question: Question, progress: Progress | None = None) -> Removal:
    """The effect of every rank, suit and special card, by exact analysis with one card exposed."""
    shoe, edge = question.shoe, edge_of(question)
    alike = are_suits_alike(question.game, question.stakes)
    faces_of = {face.rank if alike else face: face for face in shoe}  # interchangeable suits have the same effect
    shifts: dict[object, Fraction] = {}
    for _, (key, face) in Track(progress).branches([(1, each) for each in faces_of.items()]):
        shifts[key] = edge_of(replace(question, exposed=(*question.exposed, face))) - edge
    by_face = {face: shifts[face.rank if alike else face] for face in shoe}
    burned = sum((shoe[face] * shift for face, shift in by_face.items()), Fraction(0)) / shoe.total
    faces = {face: (shoe[face], shift - burned) for face, shift in by_face.items()}
    effects, cards = _means({face: LETTERS[face.rank] for face in shoe}, faces)
    effects = {name: effects[name] for name in LETTERS.values() if name in effects}
    if alike:
        return Removal(edge, effects, cards, burned, dict.fromkeys(SUITS.values(), Fraction(0)), faces=faces)
    suits, _ = _means({face: SUITS[face.suit] for face in shoe if face.suit is not None}, faces)
    least = _SPECIAL * max(abs(effect) for _, effect in faces.values())
    usual = {
        rank: median_low([effect for face, (_, effect) in faces.items() if face.rank is rank])
        for rank in {face.rank for face in faces}
    }
    special = {face.code: effect for face, (_, effect) in faces.items() if abs(effect - usual[face.rank]) > least}
    return Removal(edge, effects, cards, burned, suits, special, faces)


def _means(
    names: Mapping[Card, str], faces: Mapping[Card, tuple[int, Fraction]]
) -> tuple[dict[str, Fraction], dict[str, int]]:
    """By name: the mean effect of its cards, and their number."""
    sums: dict[str, Fraction] = {}
    cards: dict[str, int] = {}
    for face, name in names.items():
        number, effect = faces[face]
        sums[name] = sums.get(name, Fraction(0)) + number * effect
        cards[name] = cards.get(name, 0) + number
    return {name: total / cards[name] for name, total in sums.items()}, cards


def edge_of(question: Question) -> Fraction:
    """The player's edge from the exact analysis."""
    return -Fraction(analyze(question).figures.house_edge)


def best_tags(removal: Removal, most: int = MOST_TAG) -> dict[str, int]:
    """The balanced tags up to `most` that fit the effects best; cards with equal effects get the same tag.

    Dynamic programming, rank by rank: for every sum of tags and sum of squares, keep the highest dot product with
    the effects. The best of those with sum zero has the highest possible correlation.
    """
    named, ranks = removal.names(), dict[Fraction, list[str]]()
    for name, (_, effect) in named.items():
        ranks.setdefault(effect, []).append(name)
    common = gcd(*(number for number, _ in named.values()))
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for effect, names in ranks.items():
        weight, worth = sum(named[name][0] for name in names) // common, float(effect)
        grown: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (total, squares), (dot, tags) in best.items():
            for tag in range(-most, most + 1):
                key = total + weight * tag, squares + weight * tag * tag
                value = dot + weight * worth * tag
                if key not in grown or grown[key][0] < value:
                    grown[key] = value, (*tags, tag)
        best = grown
    balanced = [(dot / sqrt(sq), tags) for (total, sq), (dot, tags) in best.items() if not total and sq]
    if not balanced:
        return _one_against_all(named)
    _, tags = max(balanced, key=lambda one: one[0])
    divisor = gcd(*tags) or 1
    return {name: tag // divisor for names, tag in zip(ranks.values(), tags, strict=True) for name in names}


def _one_against_all(named: Mapping[str, tuple[int, Fraction]]) -> dict[str, int]:
    """Balanced tags for when small ones cannot balance: the cards of the largest effect against all others."""
    first = max(named, key=lambda name: abs(named[name][1]))
    if not named[first][1]:
        return dict.fromkeys(named, 0)
    number, total = named[first][0], sum(number for number, _ in named.values())
    sign, common = (1 if named[first][1] > 0 else -1), gcd(number, total)
    return {name: sign * ((total - number) if name == first else -number) // common for name in named}


def parse_tags(text: str, removal: Removal) -> dict[str, int]:
    """Parses tags from the command line; jack, queen and king default to the tag of a ten."""
    tags: dict[str, int] = {}
    known = {*LETTERS.values(), *SUITS.values(), *(face.code for face in removal.faces)}
    for part in text.split(","):
        name, equals, number = (word.strip() for word in part.partition("="))
        name = _tag_name(name)
        digits = number.lstrip("+-−")
        is_number = digits.isdecimal() and len(digits) < 3 and int(digits) <= _MOST_OWN_TAG
        if not equals or not is_number or name not in known or name in tags:
            allowed = f"each rank, suit (c, d, h, s) or card (Qh) once with a whole number up to {_MOST_OWN_TAG}"
            raise BadOption("--count", text, f"best, suits, or {allowed}, such as A=-1,2=1")
        tags[name] = -int(digits) if number.startswith(("-", "−")) else int(digits)
    for name in "JQK":
        tags.setdefault(name, tags.get("T", 0))
    more = {name: tag for name, tag in tags.items() if name not in LETTERS.values()}
    return {name: tags.get(name, 0) for name in removal.effects} | more


def _tag_name(text: str) -> str:
    """Normalize a name: ranks in capitals, suits in lower case, T for a ten."""
    if text == LETTERS[Rank.JOKER] or text.lower() in SUITS.values():
        return text.lower()
    ten = text.replace("10", "T")
    return ten[:1].upper() + ten[1:].lower()
