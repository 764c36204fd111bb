"""Rounds for paper: dealt by the engine from announced seeds, so that anyone can repeat them."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct

from feltworks.dealing.shoes import source_for
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide, Offer
from feltworks.rules.wager import Line
from feltworks.table.events import Event
from feltworks.table.live import Dealer
from feltworks.table.log import entries
from feltworks.table.rollouts import best_choice
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.table.wording import single_seat

WAGER: Final[Cents] = 10_00
POSTED: Final[Cents] = 5_000_00  # on every meter
_STACK: Final[Cents] = 10_000_00
_TRIES: Final = 24  # rounds imagined for each choice before one is made

Seats = Sequence[Mapping[str, Cents]]


class DealtRound(Struct, frozen=True):
    """A finished round: what lies on the felt, what was settled, and the log where there is one."""

    seed: int
    round: Round
    lines: tuple[Line, ...]
    events: tuple[Event, ...] = ()


def opening_wagers(game: Game[Any], wagers: Sequence[str]) -> dict[str, Cents]:
    """Ten dollars on each of these wagers, or what a wager always is."""
    book = game.terms.rulebook.wager
    return {name: book[name].least if book[name].fixed else WAGER for name in wagers}


def posted(game: Game[Any]) -> dict[str, Cents]:
    """What stands on the meters of the game."""
    return {meter: POSTED for pays in game.pays.values() for meter in meters_of(pays.values())}


def table_round(game: Game[Any], seats: Seats, seed: int) -> DealtRound:
    """One round at a live table with its log, every spot a player who plays sensibly."""
    table = Table(game, Dealer(source_for(game.terms, seed=seed)), house=House(meters=posted(game)))
    for number, wagers in enumerate(seats, 1):
        table.sit(f"spot {number}", number, stack=_STACK)
        table.wager(f"spot {number}", number, wagers)
    table.deal()
    mind = Random(seed)
    while table.decisions:
        _decide(table, table.decisions[0], mind)
    assert table.round is not None
    events = tuple(entry.event for entry in entries(table.log.lines))
    return DealtRound(seed, table.round, tuple(table.lines), events)


def _decide(table: Table, step: Decide, mind: Random) -> None:
    owner = table.seats[step.seat]
    seen = table.view(owner.player).round
    assert seen is not None
    choice = _sensible(table.game, seen, step, mind, _TRIES)
    table.choose(owner.player, owner.spot, choice.name, choice.cents or None, step.about)


def walked_round(
    game: Game[Any], seats: Seats, seed: int, wanted: frozenset[str] = frozenset(), *, tries: int = _TRIES
) -> DealtRound:
    """One round through the grammar alone; what puts money on a wanted wager is chosen where it is open."""
    dealer, mind = Dealer(source_for(game.terms, seed=seed)), Random(seed)
    dealer.begin_round()
    r = game.open_round(seats, posted(game))
    while (step := game.awaits(r)) is not None:
        if isinstance(step, Decide):
            asked = tuple(offer for offer in step.offers if offer.wager in wanted) or step.offers
            wished = Decide(step.seat, asked, step.about)
            r = advance(r, step, _sensible(game, game.view(r, step.seat), wished, mind, tries))
        else:
            r = advance(r, step, dealer.answer(step))
    return DealtRound(seed, r, game.settle(r))


def _sensible(game: Game[Any], seen: Round, step: Decide, mind: Random, tries: int) -> Choice:
    """What nets most in some imagined rounds, for all that the seat may know."""
    if len(step.offers) == 1:
        return Choice(step.offers[0].name, step.offers[0].most, step.about)
    offers = tuple(Offer(offer.name, offer.wager, offer.most, offer.most) for offer in step.offers)
    one = Decide(0, offers, step.about)
    return best_choice(game, single_seat(seen, step.seat), one, mind, tries=tries)
