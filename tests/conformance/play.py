"""A player who knows no game: wagers what the rulebook allows and answers whatever is offered, at random."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from feltworks.cards import Card, Rank, Suit
from feltworks.errors import WagerRefused
from feltworks.money import Cents
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import FACE_DOWN, Back, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Chance, Decide, Draw, Offer, Peek, Step
from feltworks.rules.terms import Terms, most_allowed
from tests.conformance.variants import Variant, game_of

ROUNDS = 6
_SEATS = 4
_PURSE = 50_000


class Move(NamedTuple):
    """One step of a round and what answered it."""

    before: Round
    step: Step
    answer: Answer
    after: Round


class Play(NamedTuple):
    """A whole round as it was played, with the faces of all cards that were dealt, turned or not."""

    game: Game[Any]
    opened: Round
    moves: tuple[Move, ...]
    end: Round
    dealt: Mapping[Place, tuple[Card, ...]]

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The felt after every step, the bare wagers first."""
        return (self.opened, *(move.after for move in self.moves))

    @property
    def decisions(self) -> list[Move]:
        return [move for move in self.moves if isinstance(move.step, Decide)]

    @property
    def chances(self) -> list[Move]:
        return [move for move in self.moves if not isinstance(move.step, Decide)]


class OutOfCards(Exception):
    """The round cannot be dealt to its end from this shoe."""


class Dealer:
    """Deals cards in their order and remembers what lies face down."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = list(cards)
        self.dealt: dict[Place, tuple[Card, ...]] = {}

    def answer(self, step: Chance) -> tuple[Face, ...]:
        if isinstance(step, Draw):
            if len(self._cards) < step.count:
                raise OutOfCards
            drawn, self._cards = tuple(self._cards[: step.count]), self._cards[step.count :]
            self.dealt[step.to] = self.dealt.get(step.to, ()) + drawn
            return (FACE_DOWN,) * step.count if step.down else drawn
        lying = self.dealt[step.at]
        if isinstance(step, Peek):
            face = lying[step.index]
            return (face,) if face in step.wanted else (Back(barring=step.wanted),)
        return lying[step.index : step.index + step.count]


@cache
def plays(variant: Variant) -> tuple[Play, ...]:
    """A few rounds at this table, the same ones in every run."""
    game = game_of(variant)
    return tuple(play(game, random.Random(f"{variant} round {number}")) for number in range(ROUNDS))


def play(game: Game[Any], rng: random.Random, *, in_order: bool = False) -> Play:
    """One round from its wagers to its end; open decisions are answered in any order, or in the dealer's."""
    while True:
        opened, dealer = open_table(game, rng), shuffled(game, rng)
        try:
            moves = tuple(_moves(game, opened, dealer, rng, in_order))
        except OutOfCards:
            continue
        return Play(game, opened, moves, moves[-1].after, dealer.dealt)


def _moves(game: Game[Any], round_: Round, dealer: Dealer, rng: random.Random, in_order: bool) -> list[Move]:
    moves = []
    while (step := game.awaits(round_)) is not None:
        if isinstance(step, Decide) and not in_order:
            step = rng.choice(game.open_decisions(round_))
        answer = answer_to(step, dealer, rng)
        moves.append(Move(round_, step, answer, advance(round_, step, answer)))
        round_ = moves[-1].after
    return moves


def answer_to(step: Step, dealer: Dealer, rng: random.Random) -> Answer:
    """What the cards say, or a choice at random."""
    if not isinstance(step, Decide):
        return dealer.answer(step)
    offer = rng.choice(step.offers)
    return Choice(offer.name, rng.choice(amounts(offer)), step.about)


def amounts(offer: Offer) -> list[Cents]:
    """The least, the most and something between."""
    between = (offer.least + offer.most) // 2
    return sorted({offer.least, max(offer.least, between - between % offer.chip), offer.most})


def shuffled(game: Game[Any], rng: random.Random) -> Dealer:
    """A dealer with the game's whole shoe: well shuffled, or stacked so that hands pair, split and match."""
    cards = list(game.terms.shoe.all_cards())
    rng.shuffle(cards)
    ranks = sorted({face.rank for face in cards})
    some, suit = rng.sample(ranks, min(len(ranks), 3)), rng.choice(list(Suit))
    stacks: list[Callable[[Card], bool]] = [
        lambda _: True,
        lambda face: face.rank in some,
        lambda face: face.rank in (some[0], Rank.JOKER),
        lambda face: face.suit is suit,
        lambda face: face.suit is suit and face.rank in ranks[-5:],
    ]
    on_top = rng.choice(stacks)
    return Dealer(sorted(cards, key=lambda face: not on_top(face)))


def open_table(game: Game[Any], rng: random.Random) -> Round:
    """A round with random wagers; a game may refuse more than its rulebook can say (SP.21)."""
    spots = game.terms.number("spots") if "spots" in game.terms.options else _SEATS
    for _ in range(200):
        seats = [seat(game.terms, rng) for _ in range(rng.randint(1, min(spots, _SEATS)))]
        try:
            return game.open_round(seats, meters(game, rng))
        except WagerRefused:
            continue
    raise AssertionError(f"{game.terms.rulebook.title} takes none of the wagers its rulebook allows")


def meters(game: Game[Any], rng: random.Random) -> dict[str, Cents]:
    """An amount on every meter that a pay of this game is taken from."""
    named = sorted({meter for pays in game.pays.values() for meter in meters_of(pays.values())})
    return {meter: rng.randrange(50_000, 5_000_000) for meter in named}


def seat(terms: Terms, rng: random.Random) -> Seat:
    """A spot with some of the wagers it may have together, and now and then a toke beside them."""
    while True:
        wagers = _amounts(terms, _together(terms, rng), rng)
        if wagers:
            return Seat(wagers, tokes=_tokes(terms, wagers, rng))


def placed(terms: Terms) -> list[str]:
    """The wagers this table takes before the deal."""
    return [name for name in terms.rulebook.wager if name in terms.offers]


def _together(terms: Terms, rng: random.Random) -> list[str]:
    names = placed(terms)
    chosen = {name for name in names if rng.random() < 0.6} or {rng.choice(names)}
    for name in tuple(chosen):
        needs = terms.rulebook.wager[name].needs
        if needs and not terms.lifts(needs.unless, name):
            chosen.add(needs.wager)
    return sorted(chosen, key=names.index)


def _amounts(terms: Terms, names: list[str], rng: random.Random) -> dict[str, Cents]:
    """Amounts within every bound; nothing where one of the wagers has no amount this table takes."""
    wagers: dict[str, Cents] = {}
    for name in names:
        above = terms.rulebook.wager[name].not_above
        bound = wagers.get(above.wager) if above and not terms.lifts(above.unless, name) else None
        possible = _possible(terms, name, bound)
        if not possible:
            return {}
        wagers[name] = rng.choice((possible[0], possible[-1], rng.choice(possible), rng.choice(possible)))
    return wagers


def _possible(terms: Terms, name: str, bound: Cents | None) -> range:
    entry, chip = terms.rulebook.wager[name], terms.breakage.chip
    allowed = most_allowed(terms, name)
    bounds = [_PURSE, *(most for most in (bound, allowed) if most is not None)]
    if entry.fixed:
        bounds.append(entry.least)
    return range(-(-entry.least // chip) * chip, min(bounds) + 1, chip)


def _tokes(terms: Terms, wagers: Mapping[str, Cents], rng: random.Random) -> dict[str, Cents]:
    taken = [name for name in placed(terms) if terms.rulebook.wager[name].tokes and rng.random() < 0.3]
    needs = {name: terms.rulebook.wager[name].needs for name in taken}
    able = [name for name, bond in needs.items() if bond is None or bond.wager in wagers]
    return _amounts(terms, able, rng)
