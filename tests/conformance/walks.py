"""Small shoes that every game can be walked on, and two other ways to find what a round is worth on them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from feltworks import catalog
from feltworks.analysis.referee import draw_law, exact_net, unseen_cards
from feltworks.cards import Card, Rank, Shoe, Suit
from feltworks.money import Cents
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Choice, Face, Place, Round
from feltworks.rules.rulebook.model import OptionValue, Rulebook
from feltworks.rules.steps import Chance, Decide, Draw, Peek, Turn
from tests.conformance.play import amounts
from tests.conformance.variants import Variant, game_of

NODES = 7_000
_SIZES = range(6, 13)


class Opening(NamedTuple):
    """One seat's wagers at a table."""

    variant: Variant
    wagers: tuple[tuple[str, Cents], ...]

    def __str__(self) -> str:
        return f"{' and '.join(name for name, _ in self.wagers)} at {self.variant}"

    def opened(self, game: Game[Any]) -> Round:
        named = {meter for pays in game.pays.values() for meter in meters_of(pays.values())}
        return game.open_round([dict(self.wagers)], dict.fromkeys(named, 100_000))


def openings(name: str) -> Iterator[Opening]:
    """The main wager, and every bonus wager: alone where a house can allow that, otherwise beside it."""
    book = catalog.rulebook(name)
    main = next(wager for wager, entry in book.wager.items() if entry.kind == "main")
    yield Opening(Variant(name), _amounts(name, main))
    for wager, entry in book.wager.items():
        if entry.kind == "bonus":
            unless = entry.needs.unless if entry.needs else ""
            alone = not entry.needs or unless
            placed = _amounts(name, wager) if alone else _amounts(name, main, wager)
            yield Opening(Variant(name, tuple(_allowing(book, wager, unless).items())), placed)


def _allowing(book: Rulebook, wager: str, unless: str) -> dict[str, OptionValue]:
    """The options of a table that offers this wager, alone if it can."""
    options: dict[str, OptionValue] = {}
    if "offers" in book.option:
        always = [name for name, entry in book.wager.items() if entry.leave_out == "never"]
        members = book.option["offers"].members or []
        options["offers"] = tuple(name for name in members if name == wager or name in always)
    if unless:
        options[unless] = (wager,) if book.option[unless].members is not None else True
    return options


def _amounts(name: str, *wagers: str) -> tuple[tuple[str, Cents], ...]:
    entries = catalog.rulebook(name).wager
    return tuple((wager, entries[wager].least if entries[wager].fixed else 1000) for wager in wagers)


def thinned(shoe: Shoe, size: int) -> Shoe:
    """A few cards of a shoe, with two suits that are equal and one that is not, and a joker if there is one.

    Suits that may stand for each other and a suit that may not are what a referee's shortcuts go wrong on.
    """
    odd = [face for face in shoe if face.suit is None][:1]
    shared, more = divmod(size - len(odd) - 1, 3)
    ranks = sorted({face.rank for face in shoe} - {Rank.JOKER}, reverse=True)
    chosen = [ranks[number * len(ranks) // (shared + more + 1)] for number in range(shared + more + 1)]
    for face in shoe:
        wanted = chosen if face.suit is Suit.HEARTS else chosen[:shared]
        if face.rank in wanted and face.suit in (Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES):
            odd.append(face)
    return Shoe(dict.fromkeys(odd, 1))


@cache
def small_shoes(opening: Opening) -> tuple[Shoe, ...]:
    """Thinned shoes that serve a round to its end: the first such, and larger ones for a short walk."""
    game = game_of(opening.variant)
    chosen: list[Shoe] = []
    for size in _SIZES:
        shoe = thinned(game.terms.shoe, size)
        met, ended = _walk_size(game, opening.opened(game), shoe)
        if chosen and met > NODES:
            break
        if ended:
            chosen.append(shoe)
    assert chosen, f"{opening} does not end on {_SIZES[-1]} cards"
    return tuple(chosen)


def _walk_size(game: Game[Any], round_: Round, shoe: Shoe) -> tuple[int, bool]:
    """How many rounds a plain walk meets, counted no further than needed, and whether one of them is over."""
    met, ended, waiting = 0, False, [round_]
    while waiting and (met <= NODES or not ended):
        round_ = waiting.pop()
        met += 1
        step = game.awaits(round_)
        ended = ended or step is None
        if isinstance(step, Decide):
            chosen = [Choice(offer.name, cents) for offer in step.offers for cents in amounts(offer)]
            waiting += [advance(round_, step, choice) for choice in chosen]
        elif step is not None:
            drawn = draw_law(step, round_, unseen_cards(round_, shoe))
            waiting += [advance(round_, step, answer) for _, answer in drawn]
    return met, ended


def habitual(r: Round, step: Decide) -> Choice:
    """A choice that follows from what everybody can see, with no sense in it."""
    lying = [face.index for face in r.seats[step.seat].cards if isinstance(face, Card)]
    offer = step.offers[(sum(lying) + len(r.seats[step.seat].choices)) % len(step.offers)]
    return Choice(offer.name, offer.most)


def by_law(game: Game[Any], shoe: Shoe, r: Round) -> Fraction:
    """What a round is worth to a player of habits, by the law of each draw."""
    step = game.awaits(r)
    if step is None:
        return worth(game, r)
    if isinstance(step, Decide):
        return by_law(game, shoe, advance(r, step, habitual(r, step)))
    drawn = draw_law(step, r, unseen_cards(r, shoe))
    values = [weight * by_law(game, shoe, advance(r, step, answer)) for weight, answer in drawn]
    return sum(values, Fraction(0)) / sum(weight for weight, _ in drawn) if drawn else Fraction(0)


def is_decided(game: Game[Any], shoe: Shoe, r: Round) -> bool:
    """Whether somebody has to decide something in the course of this round."""
    step = game.awaits(r)
    if step is None or isinstance(step, Decide):
        return step is not None
    drawn = draw_law(step, r, unseen_cards(r, shoe))
    return any(is_decided(game, shoe, advance(r, step, answer)) for _, answer in drawn)


def worth(game: Game[Any], r: Round) -> Fraction:
    """What a finished round brings before any breakage."""
    return sum((exact_net(line) for line in game.settle(r)), Fraction(0))


Known = Mapping[tuple[Place, int], Card]  # cards lying face down that the dealer has looked at
Outcome = tuple[int, tuple[Card, ...], Answer, Known]


def by_hand(game: Game[Any], r: Round, rest: tuple[Card, ...], known: Known) -> Fraction:
    """The same without the law: all orders are dealt, and what the dealer has looked at is a certain card."""
    step = game.awaits(r)
    if step is None:
        return worth(game, r)
    if isinstance(step, Decide):
        return by_hand(game, advance(r, step, habitual(r, step)), rest, known)
    total, ways = Fraction(0), 0
    for weight, taken, answer, now_known in _outcomes(step, r, rest, known):
        left = tuple((Counter(rest) - Counter(taken)).elements())
        total += weight * by_hand(game, advance(r, step, answer), left, now_known)
        ways += weight
    return total / ways if ways else Fraction(0)


def _outcomes(step: Chance, r: Round, rest: tuple[Card, ...], known: Known) -> Iterator[Outcome]:
    """Each way a step comes out: its weight, what it takes from the rest, the answer, what is known then."""
    if isinstance(step, Draw):
        yield from _drawn(step, r, rest, known)
    elif isinstance(step, Peek):
        for taken, weight in Counter(combinations(rest, 1)).items():
            is_wanted = taken[0] in step.wanted
            seen: tuple[Face, ...] = taken if is_wanted else (Back(barring=step.wanted),)
            yield weight, taken, seen, known if is_wanted else {**known, (step.at, step.index): taken[0]}
    else:
        yield from _turned(step, rest, known)


def _drawn(step: Draw, r: Round, rest: tuple[Card, ...], known: Known) -> Iterator[Outcome]:
    lying = [face for place in (BOARD, DEALER, *range(len(r.seats))) for face in r.at(place)]
    backs = sum(isinstance(face, Back) for face in lying) - len(known)
    if backs + step.count > len(rest):
        return  # the cards have run out
    if step.down:
        yield 1, (), (FACE_DOWN,) * step.count, known
        return
    for taken, weight in Counter(combinations(rest, step.count)).items():
        yield weight, taken, taken, known


def _turned(step: Turn, rest: tuple[Card, ...], known: Known) -> Iterator[Outcome]:
    places = [(step.at, index) for index in range(step.index, step.index + step.count)]
    unknown = [place for place in places if place not in known]
    others = {place: face for place, face in known.items() if place not in places}
    for taken, weight in Counter(combinations(rest, len(unknown))).items():
        found = {**known, **dict(zip(unknown, taken, strict=True))}
        yield weight, taken, tuple(found[place] for place in places), others
