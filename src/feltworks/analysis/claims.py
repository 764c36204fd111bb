"""Tests on random rounds what a game claims: that suits, or cards it calls alike, may stand for each other.

A solver looks at fewer cards because of these claims. Those of the games that come with Feltworks are proven
by its tests; the rules of a designer's own are tried here, and a claim that fails is not relied on.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from msgspec import Struct

from feltworks.cards import DECK, Card, Suit
from feltworks.errors import FeltError, one_of
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import FACE_DOWN, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Chance, Decide, Draw, Peek

ROUNDS: Final = 300
_UNIT: Final[Cents] = 100_00  # enough that every derived wager has its whole range
_PACKAGE: Final = "feltworks."
_SWAPS: Final = tuple(zip(list(Suit)[:-1], list(Suit)[1:], strict=True))  # which make every other exchange


class Claims(Struct, frozen=True):
    """Which of a game's claims hold for the wagers of a spot."""

    suits: bool = True  # suits may stand for each other, as `Game.suits_are_alike` says
    cards: bool = True  # unseen cards of one kind may, as `Game.alike` says
    rounds: bool = True  # rounds that are the same to `Game.matters` have the same future


def is_shipped(game: Game[Any], wagers: Iterable[str]) -> bool:
    """Whether the game and these wagers, with those that follow from them, come with Feltworks."""
    names = set(wagers)
    judges = [game.wagers[name] for name, e in game.terms.rulebook.wager.items() if {name, e.of} & names]
    return all(type(each).__module__.startswith(_PACKAGE) for each in (game, *judges))


def try_claims(game: Game[Any], wagers: Iterable[str]) -> Claims:
    """Which claims hold for a spot with these opening wagers."""
    placed = tuple(sorted(wagers))
    return Claims() if is_shipped(game, placed) else _tried(game, placed)


def check_alike(game: Game[Any], wagers: Collection[str]) -> None:
    """Refuse wagers whose outcome changes with cards that the game's solver takes for one another."""
    found = try_claims(game, wagers)
    if not (found.suits and found.cards):
        raise FeltError(
            f"{game.terms.rulebook.title}: the outcome of {one_of(wagers)} changes with cards that this exact"
            " analysis takes to be alike, so it gives none"
        )


@lru_cache(maxsize=256)
def _tried(game: Game[Any], wagers: tuple[str, ...]) -> Claims:
    return try_on_rounds(game, wagers, ROUNDS)


def try_on_rounds(game: Game[Any], wagers: Sequence[str], rounds: int) -> Claims:
    """Which claims hold in so many random rounds, the same ones every time."""
    trials = [_Trial(game, wagers, Random(number), number) for number in range(rounds)]
    return Claims(
        suits=all(trial.ignores_suits() for trial in trials),
        cards=all(trial.ignores_kind() for trial in trials),
        rounds=all(trial.forgets_rightly() for trial in trials),
    )


class _Dealt(Struct, frozen=True):
    """A round as it went: every step with what was offered, the lines at the end, and what was seen when."""

    marks: list[Hashable]
    sights: list[tuple[int, Round]]  # before every step of chance: how many marks there were, and the felt
    turned: list[tuple[int, Round]]  # which card of the deck was shown, and the felt before that
    choices: list[Choice]
    used: int  # cards that left the deck


class _Trial:
    """A random round, to be dealt again from a deck in which cards have changed places or suits."""

    def __init__(self, game: Game[Any], wagers: Sequence[str], chance: Random, number: int) -> None:
        book = game.terms.rulebook.wager
        stakes = {name: book[name].least if book[name].fixed else _UNIT for name in wagers}
        meters = dict.fromkeys((m for name in wagers for m in meters_of(game.pays[name].values())), _UNIT)
        self._game, self._chance = game, chance
        self._opened = Round((Seat(stakes),), meters=meters)
        self._deck = _shuffled(game, chance, number)
        self._first = self._deal(self._deck, lambda step: _any_choice(step, chance))

    def ignores_suits(self) -> bool:
        """Whether exchanging two suits throughout changes nothing."""
        if self._first is None:
            return True
        return all(self._again(_with_suits(self._deck, *swap)) == self._first.marks for swap in _SWAPS)

    def ignores_kind(self) -> bool:
        """Whether a card and an unseen one of its kind may change places from the moment it is shown."""
        if self._first is None or is_default(self._game.alike, Game.alike):
            return True
        for index, before in self._first.turned:
            kind = self._game.alike(before, self._deck[index])
            later = range(self._first.used, len(self._deck))
            same = [i for i in later if kind is not None and self._game.alike(before, self._deck[i]) == kind]
            if same and self._again(self._swapped(index, self._chance.choice(same))) != self._first.marks:
                return False
        return True

    def forgets_rightly(self) -> bool:
        """Whether rounds that are the same to the game go on in the same way with the same cards."""
        if self._first is None or is_default(self._game.matters, Game.matters):
            return True
        return all(self._goes_on_alike(self._swapped(i, j)) for i, j in self._exchanges(self._first))

    def _exchanges(self, first: _Dealt) -> Iterator[tuple[int, int]]:
        """A shown card for another shown one, for an unseen one of its rank, and for any unseen one."""
        shown = [index for index, _ in first.turned]
        later = range(first.used, len(self._deck))
        for index in shown:
            yield index, self._chance.choice(shown)
            if later:
                yield index, self._chance.choice(later)
            if same := [i for i in later if self._deck[i].rank == self._deck[index].rank]:
                yield index, self._chance.choice(same)

    def _goes_on_alike(self, deck: Sequence[Card]) -> bool:
        first, other = self._first, self._deal(deck, self._said())
        assert first is not None
        if other is None:
            return True
        for (marks, one), (as_many, two) in zip(first.sights, other.sights, strict=False):
            same = marks == as_many and one != two and self._game.matters(one) == self._game.matters(two)
            if same and first.marks[marks:] != other.marks[marks:]:
                return False
        return True

    def _again(self, deck: Sequence[Card]) -> list[Hashable] | None:
        dealt = self._deal(deck, self._said())
        return None if dealt is None else dealt.marks

    def _said(self) -> Callable[[Decide], Choice | None]:
        """The same choices, one after the other."""
        assert self._first is not None
        choices = iter(self._first.choices)
        return lambda _step: next(choices, None)

    def _swapped(self, one: int, other: int) -> list[Card]:
        deck = list(self._deck)
        deck[one], deck[other] = deck[other], deck[one]
        return deck

    def _deal(self, deck: Sequence[Card], decide: Callable[[Decide], Choice | None]) -> _Dealt | None:
        """The round from this deck; None where a choice is not open, or the cards run out."""
        try:
            return _deal(self._game, self._opened, deck, decide)
        except (FeltError, IndexError):
            return None


def _deal(
    game: Game[Any], r: Round, deck: Sequence[Card], decide: Callable[[Decide], Choice | None]
) -> _Dealt:
    found, lying, used = _Dealt([], [], [], [], 0), dict[Place, list[int]](), 0
    while (step := game.awaits(r)) is not None:
        if isinstance(step, Decide):
            choice = decide(step)
            if choice is None:
                raise IndexError
            found.choices.append(choice)
            found.marks.append((step.seat, step.about, step.offers))
            r = advance(r, step, choice)
            continue
        found.sights.append((len(found.marks), r))
        if isinstance(step, Draw):
            lying.setdefault(step.to, []).extend(range(used, used + step.count))
            used += step.count
        places = _places(step, lying)
        answer = _answer(step, [deck[place] for place in places])
        found.turned.extend((p, r) for p, face in zip(places, answer, strict=True) if isinstance(face, Card))
        found.marks.append((type(step).__name__, step.to if isinstance(step, Draw) else step.at, len(answer)))
        r = advance(r, step, answer)
    lines = game.settle(r)
    found.marks.append(tuple((one.seat, one.wager, one.part, one.wagered, one.outcome) for one in lines))
    return _Dealt(found.marks, found.sights, found.turned, found.choices, used)


def _places(step: Chance, lying: Mapping[Place, Sequence[int]]) -> Sequence[int]:
    if isinstance(step, Draw):
        return lying[step.to][-step.count :]
    count = 1 if isinstance(step, Peek) else step.count
    return lying[step.at][step.index : step.index + count]


def _answer(step: Chance, faces: Sequence[Card]) -> tuple[Face, ...]:
    if isinstance(step, Peek):
        return peek_answer(step, faces[0])
    return (FACE_DOWN,) * len(faces) if isinstance(step, Draw) and step.down else tuple(faces)


def _any_choice(step: Decide, chance: Random) -> Choice:
    offer = chance.choice(step.offers)
    return Choice(offer.name, chance.choice((offer.least, offer.most)), step.about)


def _shuffled(game: Game[Any], chance: Random, number: int) -> list[Card]:
    """A deck with a few ranks, or one suit, or nothing in particular on top: rare hands come up often so."""
    deck = list(game.terms.shoe.all_cards())
    chance.shuffle(deck)
    ranks = chance.sample(sorted({face.rank for face in deck}), 2)
    suit = chance.choice(list(Suit))
    if number % 3 == 0:
        return sorted(deck, key=lambda face: face.rank not in ranks)
    return sorted(deck, key=lambda face: face.suit is not suit) if number % 3 == 1 else deck


def _with_suits(deck: Sequence[Card], one: Suit, other: Suit) -> list[Card]:
    exchanged = {one: other, other: one}
    return [
        DECK[4 * (face.rank - 2) + exchanged.get(face.suit, face.suit)] if face.suit is not None else face
        for face in deck
    ]


def is_default(method: object, default: object) -> bool:
    """Whether a game has left a method as it is."""
    return getattr(method, "__func__", None) is default
