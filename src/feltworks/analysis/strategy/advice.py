"""Computes the value of each choice for a seat at a live table, using only what that seat may know."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

from msgspec import Struct

from feltworks.analysis.referee import MOST_STEPS, Referee, mean, net
from feltworks.analysis.shape import estimate, is_duel, main_wager_of, opening_wagers, ranking_of, shoe_game_of
from feltworks.analysis.solvers.draw import NoDraw, draw_solver
from feltworks.analysis.solvers.setting import NoSetting, setting_solver
from feltworks.analysis.solvers.shoe_game.rules import NoShoeGame
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis, insurance
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.analysis.solvers.streets.solver import streets_solver
from feltworks.analysis.solvers.streets.tree import NoStreets
from feltworks.cards import Shoe
from feltworks.errors import FeltError
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round, Seat, face_up
from feltworks.rules.steps import Decide, Offer

Worth = Fraction | float


class ChoiceWorth(Struct, frozen=True):
    """The mean net of every choice in cents, over all wagers still in action that depend on it.

    For a choice of several amounts `worth` has the value of the best amount, which is in `amounts`.
    """

    worth: Mapping[str, Worth]
    amounts: Mapping[str, Cents] = {}

    @property
    def best(self) -> str:
        return max(self.worth, key=lambda name: self.worth[name])


def advice(game: Game, r: Round, step: Decide, most_steps: int = MOST_STEPS) -> ChoiceWorth:
    """Computes the exact value of each open choice; `r` is the round as the deciding seat sees it.

    Refuses a game of no known shape if walking this decision takes more than `most_steps`.
    The shoe is the whole shoe without the open cards of this round: cards of earlier rounds are not counted.
    """
    seat = r.seats[step.seat]
    others = [face for n, other in enumerate(r.seats) if n != step.seat for face in face_up(other.cards)]
    shoe = game.terms.shoe.without(others)
    if shoe_game_of(game):
        with suppress(NoShoeGame):  # such as rules that look at single cards
            return _shoe_game(game, r, seat, step, shoe)
    if ranking_of(game):
        with suppress(NoDraw):  # such as a game in which no cards are exchanged
            return ChoiceWorth(draw_solver(game, seat.wagers, shoe, {}).worth(face_up(seat.cards)))
        with suppress(NoShowdown):  # such as a game with a board
            return _showdown(game, r, seat, step)
        with suppress(NoStreets):  # such as a board that the dealer shares
            return _streets(game, r, seat, shoe)
        if estimate(game).solver == "board":
            raise FeltError(
                f"{game.terms.rulebook.title}: the best choice on a shared board takes a minute to compute;"
                " `felt strategy` has charts of it"
            )
    with suppress(NoSetting):  # such as a game in which no cards are set
        return ChoiceWorth(setting_solver(game, seat.wagers, shoe, {}).worth(face_up(seat.cards)))
    if is_duel(game):
        with suppress(NoShowdown):
            return _showdown(game, r, seat, step)
    return _by_referee(game, Round((seat,), r.dealer, r.board, r.meters), step, shoe, most_steps)


def _streets(game: Game, r: Round, seat: Seat, shoe: Shoe) -> ChoiceWorth:
    """Computes the value of each choice on a street from the cards of the seat, the board and the dealer."""
    cents = seat.wagers.get(main_wager_of(game), 0)
    solved = streets_solver(game, dict.fromkeys(opening_wagers(game), cents), shoe)
    street = solved.street_after(seat.choices)
    up = next(iter(face_up(r.dealer)), None) if street.up else None
    worth = solved.worth(street, (*face_up(seat.cards), *face_up(r.board)), up)
    return _best_amounts((child.path[-1], value) for child, value in worth)


def _by_referee(game: Game, alone: Round, step: Decide, shoe: Shoe, most_steps: int = MOST_STEPS) -> ChoiceWorth:
    referee = referee_for(game, shoe)
    referee.check_length(alone, most_steps)
    decided = {line.wager for line in game.settle(alone)}
    open_ = frozenset(name for name in game.wagers if name not in decided)
    laws = referee.choices(alone, Decide(0, step.offers, step.about))
    worth = _best_amounts((choice, mean(law, lambda settled: net(settled, open_))) for choice, law in laws)
    least_first = sorted(worth.worth, key=lambda name: worth.amounts[name])  # of equal values the smaller amount
    return ChoiceWorth({name: worth.worth[name] for name in least_first}, worth.amounts)


def _best_amounts(worths: Iterable[tuple[Choice, Fraction]]) -> ChoiceWorth:
    """Returns every choice at its best amount; of equally good amounts the first."""
    best: dict[str, tuple[Fraction, Cents]] = {}
    for choice, worth in worths:
        if choice.name not in best or worth > best[choice.name][0]:
            best[choice.name] = worth, choice.cents or 0
    return ChoiceWorth({n: worth for n, (worth, _) in best.items()}, {n: cents for n, (_, cents) in best.items()})


@lru_cache(maxsize=8)
def referee_for(game: Game, shoe: Shoe) -> Referee:
    """Returns the referee of a shoe, cached together with the states that it has solved."""
    return Referee(game, shoe)


def _shoe_game(game: Game, r: Round, seat: Seat, step: Decide, shoe: Shoe) -> ChoiceWorth:
    hand = face_up(seat.cards)
    main = main_wager_of(game)
    if step.about in game.wagers and game.terms.rulebook.wager[step.about].of == main:  # insurance
        edge = insurance(game, shoe=shoe, holding=hand).house_edge
        return ChoiceWorth({offer.name: -edge * offer.most for offer in step.offers})
    if step.about in game.wagers:  # a decision on a bonus wager affects nothing else on the spot
        group = {step.about: seat.wagers[step.about]}
        return _by_referee(game, Round((Seat(group, seat.cards),), r.dealer), step, shoe)
    hands = game.written.hands
    if hands and hands.split in [choice.name for choice in seat.choices]:
        return _split_hand(game, r, seat, step, shoe)
    up_card = next(iter(face_up(r.dealer)))
    values = _blackjack(game, shoe).advice(hand, up_card).values
    return ChoiceWorth({name: value * seat.wagers[main] for name, value in values.items()})


def _split_hand(game: Any, r: Round, seat: Seat, step: Decide, shoe: Shoe) -> ChoiceWorth:
    """Advises on one hand of a split, with the cards of the other hands out of the shoe.

    The cards that the other hands draw later make no difference on average, as any card left may come next.
    Splitting again is not considered.
    """
    main = main_wager_of(game)
    hands = [face_up(faces) for faces in game.part_cards(Round((seat,), r.dealer), 0, main)]
    number = int(step.about.rpartition(" ")[2]) - 1
    others = [face for place, hand in enumerate(hands) if place != number for face in hand]
    values = _blackjack(game, shoe.without(others)).advice(hands[number], next(iter(face_up(r.dealer)))).values
    split = game.written.hands.split
    names = [offer.name for offer in step.offers if offer.name != split and offer.name in values]
    if not names:
        raise FeltError("there is no advice for this hand of a split; play it by the chart")
    added = sum(choice.cents or 0 for choice in seat.choices if choice.about not in game.wagers)
    stake = seat.wagers[main] - added
    return ChoiceWorth({name: values[name] * stake for name in names})


@lru_cache(maxsize=8)
def _blackjack(game: Game, shoe: Shoe) -> TableAnalysis:
    return TableAnalysis(game, shoe)


def _showdown(game: Game, r: Round, seat: Seat, step: Decide) -> ChoiceWorth:
    opened: Cents = seat.wagers[main_wager_of(game)]
    ranges = any(offer.least != offer.most for offer in step.offers)  # such amounts do not scale with the wager
    solved = _hands(game, opened if ranges else None)
    up_card = next(iter(face_up(r.dealer)), None)
    worth = solved.decision(face_up(seat.cards), up_card).worth
    best = {offer.name: _best_amount(offer, worth) for offer in step.offers}
    amounts = {name: cents for name, (_, cents) in best.items()}
    return ChoiceWorth({name: value * opened for name, (value, _) in best.items()}, amounts)


def _best_amount(offer: Offer, worth: Mapping[str, Fraction]) -> tuple[Fraction, Cents]:
    """Returns the value and amount of the better end of an offer's range; of equal ones the smaller."""
    if offer.name in worth:
        return worth[offer.name], offer.most
    ends = {cents: worth[f"{offer.name} {dollars(cents)}"] for cents in (offer.least, offer.most)}
    best = max(ends, key=lambda cents: (ends[cents], -cents))
    return ends[best], best


@lru_cache(maxsize=8)
def _hands(game: Game, opened: Cents | None) -> Showdown:
    return showdown(game, wagers=None if opened is None else dict.fromkeys(opening_wagers(game), opened))
