"""The dearest deal that can really be dealt: spots share one deck, so not every spot holds the best hand."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any, Final

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.cards import Card, Suit, card
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import DEALER, FACE_DOWN, Choice
from feltworks.rules.steps import Decide, Draw, Turn
from feltworks.rules.terms import most_allowed

_KINDS: Final = 5  # of the best hands, from which the spots are filled
_HOUSES: Final = 400  # hands of the house that are tried among the cards left
Hand = frozenset[Card]


class DearestDeal(Struct, frozen=True):
    """A deal with the best hands that fit together, and what the house pays on it, jackpots apart."""

    hands: tuple[str, ...]
    payout: Cents


def dearest_deal(order: Order) -> DearestDeal | None:
    """The dearest deal found where hands are ranked; None for other games."""
    game = catalog.game(order.game, options=order.options, pay_tables=order.pay_tables, limit=order.profile.wager_limit)
    solved = analyze(Question(order.table, order.offered[0])).notes.get("showdown")
    if not isinstance(solved, Showdown):
        return None
    kinds = list(_best_hands(solved))
    spots = game.terms.spots or 1
    found = min((_fill(first, kinds, spots) for first in kinds[0][1]), key=lambda deal: [n for n, _ in deal])
    held = [tuple(sorted(hand)) for _, hand in found]
    names = tuple(kinds[number][0] for number, _ in found)
    return DearestDeal(names, _largest_payout(game, order.offered, held))


def _best_hands(solved: Showdown) -> Iterator[tuple[str, list[Hand]]]:
    """The best kinds of hands, each with all its hands: those of a class in every naming of the suits."""
    classes, by_kind = solved.classes, dict[str, list[Hand]]()
    for row in sorted(range(len(classes.value)), key=lambda row: -classes.values[classes.value[row]].strength):
        kind = classes.values[classes.value[row]].category
        if kind not in by_kind and len(by_kind) == _KINDS:
            break
        by_kind.setdefault(kind, []).extend(_namings(classes.cards(row)))
    yield from by_kind.items()


def _namings(held: Sequence[Card]) -> set[Hand]:
    return {
        frozenset(
            each if each.suit is None else card(each.rank.letter + named[list(Suit).index(each.suit)].letter)
            for each in held
        )
        for named in permutations(Suit)
    }


def _fill(first: Hand, kinds: Sequence[tuple[str, list[Hand]]], spots: int) -> list[tuple[int, Hand]]:
    """The first hand, then the best hands that the cards left can make; each with the number of its kind."""
    deal, used = [(0, first)], set(first)
    for number, (_, hands) in enumerate(kinds):
        for hand in sorted(hands, key=sorted):
            if len(deal) < spots and used.isdisjoint(hand):
                deal.append((number, hand))
                used |= hand
    return deal


def _largest_payout(game: Game[Any], wagers: Sequence[str], held: Sequence[tuple[Card, ...]]) -> Cents:
    """What the house pays on these hands at the legal limit, against the hand of its own that costs most."""
    left = [each for each in game.terms.shoe if not any(each in hand for hand in held)]
    mind, entries = Random(1), game.terms.rulebook.wager
    placed = {
        name: entries[name].least if entries[name].fixed else most_allowed(game.terms, name) or 0 for name in wagers
    }
    meters = {meter: 0 for pays in game.pays.values() for meter in meters_of(pays.values())}
    return max(_payout(game, placed, meters, held, mind.sample(left, len(held[0]))) for _ in range(_HOUSES))


def _payout(
    game: Game[Any],
    placed: dict[str, Cents],
    meters: dict[str, Cents],
    held: Sequence[tuple[Card, ...]],
    house: Sequence[Card],
) -> Cents:
    """The winnings of all spots, each choosing what puts most money down."""
    r = game.open_round([placed] * len(held), meters)
    lying = {DEALER: tuple(house), **dict(enumerate(held))}
    while (step := game.awaits(r)) is not None:
        if isinstance(step, Decide):
            offer = max(step.offers, key=lambda offer: offer.most)
            r = advance(r, step, Choice(offer.name, offer.most, step.about))
        elif isinstance(step, Draw):
            begin = len(r.at(step.to))
            faces = lying[step.to][begin : begin + step.count]
            r = advance(r, step, (FACE_DOWN,) * step.count if step.down else faces)
        else:
            assert isinstance(step, Turn)
            r = advance(r, step, lying[step.at][step.index : step.index + step.count])
    return sum(line.net for line in game.settle(r) if line.net > 0)
