"""What taking one card out of the shoe does to a wager, and the small whole numbers that follow it best."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, sqrt
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.suits import are_suits_alike
from feltworks.cards import Card, Rank
from feltworks.errors import BadOption

MOST_TAG: Final = 3
_MOST_OWN_TAG: Final = 20
LETTERS: Final = {
    Rank.ACE: "A",
    **{Rank(number): str(number) for number in range(2, 10)},
    Rank.TEN: "T",
    Rank.JACK: "J",
    Rank.QUEEN: "Q",
    Rank.KING: "K",
    Rank.JOKER: "joker",
}
Tags = Mapping[str, int]  # by the letter of a rank


class Removal(Struct, frozen=True):
    """The effect of one card gone on the player's edge, by rank: together, by the cards there are, nothing.

    `burned` is what knowing a burnt card is worth: where the player decides, cards that are known never hurt
    him, so the effects would not sum to zero without it.
    """

    edge: Fraction
    effects: Mapping[str, Fraction]
    cards: Mapping[str, int]
    burned: Fraction

    def correlation(self, tags: Tags) -> float:
        """How closely tags follow the effects: 1 is all that a count can know."""
        total = sum(self.cards.values())
        mean = sum(n * tags.get(name, 0) for name, n in self.cards.items()) / total
        dot = square = size = 0.0
        for name, n in self.cards.items():
            tag, effect = tags.get(name, 0) - mean, float(self.effects[name])
            dot, square, size = dot + n * tag * effect, square + n * tag * tag, size + n * effect * effect
        return dot / sqrt(square * size) if square and size else 0.0


def removal_effects(question: Question) -> Removal:
    """Every rank's effect by exact analysis with one card of it exposed."""
    shoe, edge = question.shoe, edge_of(question)
    alike = are_suits_alike(question.game, question.stakes)
    faces: dict[str, list[Card]] = {}
    for face in shoe:
        faces.setdefault(LETTERS[face.rank], []).append(face)
    shifts: dict[str, Fraction] = {}
    for name in (letter for letter in LETTERS.values() if letter in faces):
        some = faces[name][:1] if alike else faces[name]  # suits that are alike have one effect
        whole = sum(shoe[face] for face in some)
        changes = [shoe[face] * (edge_of(_without(question, face)) - edge) for face in some]
        shifts[name] = sum(changes, Fraction(0)) / whole
    cards = {name: sum(shoe[face] for face in faces[name]) for name in shifts}
    burned = sum((cards[name] * shift for name, shift in shifts.items()), Fraction(0)) / shoe.total
    return Removal(edge, {name: shift - burned for name, shift in shifts.items()}, cards, burned)


def _without(question: Question, face: Card) -> Question:
    return replace(question, exposed=(*question.exposed, face))


def edge_of(question: Question) -> Fraction:
    """The player's edge by exact analysis."""
    return -Fraction(analyze(question).figures.house_edge)


def best_tags(removal: Removal, most: int = MOST_TAG) -> dict[str, int]:
    """The balanced tags up to `most` that follow the effects best; ranks of one effect get one tag.

    For every sum of tags and of their squares the highest agreement with the effects is found, rank by rank;
    the best of those that sum to nothing has the highest correlation there can be.
    """
    ranks: dict[Fraction, list[str]] = {}
    for name, effect in removal.effects.items():
        ranks.setdefault(effect, []).append(name)
    common = gcd(*removal.cards.values())
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for effect, names in ranks.items():
        weight, worth = sum(removal.cards[name] for name in names) // common, float(effect)
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
        return dict.fromkeys(removal.effects, 0)
    _, tags = max(balanced, key=lambda one: one[0])
    divisor = gcd(*tags) or 1
    return {name: tag // divisor for names, tag in zip(ranks.values(), tags, strict=True) for name in names}


def parse_tags(text: str, removal: Removal) -> dict[str, int]:
    """Tags as the command line gives them; a ten's stands for jack, queen and king that are not named."""
    tags: dict[str, int] = {}
    for part in text.split(","):
        name, equals, number = (word.strip() for word in part.partition("="))
        name = name if name == LETTERS[Rank.JOKER] else name.upper().replace("10", "T")
        digits = number.lstrip("+-−")
        is_number = digits.isdecimal() and len(digits) < 3 and int(digits) <= _MOST_OWN_TAG
        if not equals or not is_number or name not in LETTERS.values() or name in tags:
            allowed = f"each rank once with a whole number up to {_MOST_OWN_TAG}, such as A=-1,2=1"
            raise BadOption("--count", text, f"best, or {allowed}")
        tags[name] = -int(digits) if number.startswith(("-", "−")) else int(digits)
    for name in "JQK":
        tags.setdefault(name, tags.get("T", 0))
    return {name: tags.get(name, 0) for name in removal.effects}
