"""What each choice is worth to a seat at a live table, by what that seat may know and nothing else."""

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

from msgspec import Struct

from feltworks.analysis.referee import Referee, mean, net
from feltworks.analysis.shape import main_wager_of, ranking_of, shoe_game_of
from feltworks.analysis.solvers.shoe_game.felts import NoShoeGame
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis, insurance
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.cards import Shoe
from feltworks.errors import FeltError
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat, face_up
from feltworks.rules.steps import Decide, Offer

Worth = Fraction | float


class Advice(Struct, frozen=True):
    """What every choice nets on average, in cents, over all that is still in action and depends on it.

    Of a choice of several amounts it is the best one's worth; `amounts` tells which that is.
    """

    worth: Mapping[str, Worth]
    amounts: Mapping[str, Cents] = {}

    @property
    def best(self) -> str:
        return max(self.worth, key=lambda name: self.worth[name])


def advice(game: Game[Any], r: Round, step: Decide) -> Advice:
    """The exact worth of each open choice; `r` is the round as the deciding seat sees it.

    The shoe is the whole one without the cards that lie open: what left it in earlier rounds is not counted.
    """
    seat = r.seats[step.seat]
    others = [face for n, other in enumerate(r.seats) if n != step.seat for face in face_up(other.cards)]
    shoe = game.terms.shoe.without(others)
    if shoe_game_of(game):
        with suppress(NoShoeGame):  # such as rules that look at single cards
            return _shoe_game(game, r, seat, step, shoe)
    if ranking_of(game):
        with suppress(NoShowdown):  # such as a game with a board
            return _showdown(game, r, seat, step)
    return _by_referee(game, Round((seat,), r.dealer, r.board, r.meters), step, shoe)


def _by_referee(game: Game[Any], alone: Round, step: Decide, shoe: Shoe) -> Advice:
    referee = referee_for(game, shoe)
    decided = {line.wager for line in game.settle(alone)}
    open_ = frozenset(name for name in game.wagers if name not in decided)
    best: dict[str, tuple[Fraction, Cents]] = {}  # a name's best amount, of equal ones the smallest
    for choice, law in referee.choices(alone, Decide(0, step.offers, step.about)):
        worth = mean(law, lambda settled: net(settled, open_))
        if choice.name not in best or worth > best[choice.name][0]:
            best[choice.name] = worth, choice.cents or 0
    least_first = sorted(best.items(), key=lambda each: each[1][1])  # equal worth: the one that wagers less
    return Advice(
        {name: worth for name, (worth, _) in least_first}, {name: cents for name, (_, cents) in best.items()}
    )


@lru_cache(maxsize=8)
def referee_for(game: Game[Any], shoe: Shoe) -> Referee:
    """The referee of a shoe, cached with what it solved for earlier rounds."""
    return Referee(game, shoe)


def _shoe_game(game: Any, r: Round, seat: Seat, step: Decide, shoe: Shoe) -> Advice:
    hand = face_up(seat.cards)
    main = main_wager_of(game)
    if step.about in game.wagers and game.terms.rulebook.wager[step.about].of == main:  # insurance
        edge = insurance(game, shoe=shoe, holding=hand).house_edge
        return Advice({offer.name: -edge * offer.most for offer in step.offers})
    if step.about in game.wagers:  # a bonus wager asks: nothing else on the spot depends on the answer
        group = {step.about: seat.wagers[step.about]}
        return _by_referee(game, Round((Seat(group, seat.cards),), r.dealer), step, shoe)
    if game.written.hands.split in [choice.name for choice in seat.choices]:
        raise FeltError("the coach knows hands that are not split; a split hand is played by the chart")
    up_card = next(iter(face_up(r.dealer)))
    values = _blackjack(game, shoe).advice(hand, up_card).values
    return Advice({name: value * seat.wagers[main] for name, value in values.items()})


@lru_cache(maxsize=8)
def _blackjack(game: Any, shoe: Shoe) -> TableAnalysis:
    return TableAnalysis(game, shoe)


def _showdown(game: Game[Any], r: Round, seat: Seat, step: Decide) -> Advice:
    main = next(iter(_hands(game, None).wagers))
    opened: Cents = seat.wagers[main]
    ranges = any(offer.least != offer.most for offer in step.offers)  # which do not grow with the wager
    solved = _hands(game, opened if ranges else None)
    up_card = next(iter(face_up(r.dealer)), None)
    worth = solved.decision(face_up(seat.cards), up_card).worth
    best = {offer.name: _best_amount(offer, worth) for offer in step.offers}
    amounts = {name: cents for name, (_, cents) in best.items()}
    return Advice({name: each * opened for name, (each, _) in best.items()}, amounts)


def _best_amount(offer: Offer, worth: Mapping[str, Fraction]) -> tuple[Fraction, Cents]:
    """What the better end of an offer's range is worth, and its amount; of equal ones the smaller."""
    if offer.name in worth:
        return worth[offer.name], offer.most
    ends = {cents: worth[f"{offer.name} {dollars(cents)}"] for cents in (offer.least, offer.most)}
    best = max(ends, key=lambda cents: (ends[cents], -cents))
    return ends[best], best


@lru_cache(maxsize=8)
def _hands(game: Game[Any], opened: Cents | None) -> Showdown:
    main = next(name for name, entry in game.terms.rulebook.wager.items() if entry.kind == "main")
    return showdown(game, wagers=None if opened is None else {main: opened})
