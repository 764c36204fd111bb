"""The largest real payout of a table, or of a spot, proven if possible.

Spots share the cards and the dealer's hand, so not every spot holds the best hand. For ranked hands and for hands
played from a shoe, branch and bound finds those that fit together; otherwise every spot is dealt cards like those
of the best one. The rules settle the deal.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations
from typing import Final

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.shape import shoe_game_of
from feltworks.analysis.solvers.counts import count_situations, tables_of
from feltworks.analysis.solvers.showdown.hands import HandClasses
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.streets.solver import StreetsSolver, streets_solver
from feltworks.cards import Card, Suit, card
from feltworks.errors import FeltError
from feltworks.machine.tables import Tables
from feltworks.money import Cents
from feltworks.reports.dearest import Deal, ShoeTable, deal_round, payout_of
from feltworks.reports.order import Order
from feltworks.reports.text import card_words
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import DEALER, Choice, Place
from feltworks.rules.terms import most_allowed

_HANDS: Final = 4_000  # the best hands, as candidates for the spots
_NODES: Final = 20_000  # limit of the branch and bound
_HOUSES: Final = 5_000  # dealer's hands that are tried
Hand = frozenset[Card]


class DearestDeal(Struct, frozen=True):
    """Hands dealt from one deck or shoe, their payout, and the bound on every deal, without jackpots."""

    hands: tuple[str, ...]
    payout: Cents
    bound: Cents
    house: str = ""  # the dealer's cards, if they are named

    @property
    def words(self) -> str:
        """The kinds of hands with the number of spots for each; the dealer's hand alone if spots have no cards."""
        if not any(self.hands):
            return f"{len(self.hands)} spots on {self.house}"
        kinds = Counter(self.hands).items()
        hands = ", ".join(kind if count == 1 else f"{count}\u00a0×\u00a0{kind}" for kind, count in kinds)
        return f"{hands} against {self.house}" if self.house else hands

    @property
    def is_proven(self) -> bool:
        """Whether no deal pays more."""
        return self.payout == self.bound


class Reachable(Struct, frozen=True):
    """The payouts that can really happen, every wager at the legal limit."""

    deal: DearestDeal | None  # of the whole table, if one is found
    spot: Cents | None  # the largest payout of one spot over every situation and choice, if these can be counted


class _Limits(Struct, frozen=True):
    """A table with every wager at its limit on every spot."""

    game: Game
    wagers: dict[str, Cents]
    meters: dict[str, Cents]


def reachable(order: Order) -> Reachable:
    """The largest real payouts of all wagers of the table."""
    limits = _limits(order, order.offered)
    solved = _showdown(limits)
    if solved is not None:
        classes = solved.classes
        largest = _dearest(limits, solved, classes, order.spots) if isinstance(classes, HandClasses) else None
        return Reachable(largest, int(max(solved.largest_wins)))
    if shoe_game_of(limits.game):
        table, alone = (ShoeTable(limits.game, limits.wagers, spots) for spots in (order.spots, 1))
        if not table.is_known:
            return Reachable(None, None)
        return Reachable(_words_of(*table.dearest()), _proven(alone))
    if (streets := _streets(limits)) is not None:
        return Reachable(None, int(streets.largest_win()))
    spot = _largest_win(limits)
    return Reachable(_alike(limits, order.spots, spot) if spot else None, spot)


def largest_of_a_spot(order: Order, wager: str) -> Cents | None:
    """The most that a wager and its derived wagers can really win; None if that cannot be counted."""
    limits = _limits(order, [wager])
    if (solved := _showdown(limits)) is not None:
        return int(max(solved.largest_wins))
    streets = _streets(limits)
    return _largest_win(limits) if streets is None else int(streets.largest_win())


def _limits(order: Order, names: Sequence[str]) -> _Limits:
    entries, options = order.book.wager, order.options_with(*names)
    game = catalog.shared_game(
        order.game, options=options, pay_tables=order.pay_tables, limit=order.profile.wager_limit
    )
    together = [each for name in names for each in (name, *order.companions(name))]
    placed = {n: entries[n].least if entries[n].fixed else most_allowed(game.terms, n) or 0 for n in together}
    return _Limits(game, placed, {meter: 0 for pays in game.pays.values() for meter in meters_of(pays.values())})


def _showdown(limits: _Limits) -> Showdown | None:
    """The solver of ranked hands from one deck, if the game has them."""
    shoe = limits.game.terms.shoe
    if any(shoe[face] > 1 for face in shoe):
        return None
    try:
        return showdown(limits.game, wagers=limits.wagers, meters=limits.meters)
    except FeltError:
        return None


def _streets(limits: _Limits) -> StreetsSolver | None:
    """The solver of a hand that grows street by street, whose rounds are many to compile; else None."""
    try:
        return streets_solver(limits.game, limits.wagers, limits.game.terms.shoe, meters=limits.meters)
    except FeltError:
        return None


def _largest_win(limits: _Limits) -> Cents | None:
    """The most that a spot can win, over every situation and choice."""
    entries = limits.game.terms.rulebook.wager
    if shoe_game_of(limits.game) and any(entries[name].kind == "main" for name in limits.wagers):  # too many to count
        return _proven(ShoeTable(limits.game, limits.wagers, 1))
    try:
        sights = count_situations(limits.game, limits.wagers, limits.game.terms.shoe, meters=limits.meters)
    except FeltError:
        return None
    settlements = (settled for sight in sights for counts in sight.choices.values() for settled, _ in counts)
    return max(int(sum(line.net for line in settled if line.net > 0)) for settled in settlements)


def _proven(alone: ShoeTable) -> Cents | None:
    """The largest payout of one spot from a shoe, if the search finds a deal that reaches its bound."""
    deal, bound = alone.dearest()
    return deal.payout if deal and deal.payout == bound else None


def _words_of(deal: Deal | None, bound: Cents) -> DearestDeal | None:
    """A deal in cards: each spot's first cards, and all cards of the dealer in the order seen."""
    if deal is None:
        return None
    hands = (card_words(deal.cards[spot][:2]) for spot in range(len(deal.cards) - 1))
    return DearestDeal(tuple(hands), deal.payout, bound, card_words(deal.cards[DEALER]))


def _alike(limits: _Limits, spots: int, most: Cents) -> DearestDeal | None:
    """A deal with cards of the same kinds on every spot as in the best round, if the deck has enough."""
    tables = tables_of(limits.game, tuple(limits.wagers.items()), tuple(limits.meters.items()))
    path = _best_path(tables)
    left = {kind: [f for f, k in zip(tables.faces, tables.kinds, strict=True) if k == kind] for kind in tables.kinds}
    left = {kind: [face for face in faces for _ in range(limits.game.terms.shoe[face])] for kind, faces in left.items()}
    places: list[tuple[Place, int]] = [(DEALER, kind) for on_seat, kind in path.cards if not on_seat]
    places += [(spot, kind) for spot in range(spots) for on_seat, kind in path.cards if on_seat]
    if any(count > len(left[kind]) for kind, count in Counter(kind for _, kind in places).items()):
        return None
    lying: dict[Place, list[Card]] = {place: [] for place in (DEALER, *range(spots))}
    for place, kind in places:
        lying[place].append(left[kind].pop())
    r = deal_round(limits.game, limits.wagers, lying, dict.fromkeys(range(spots), path.choices), limits.meters)
    cards = {place: tuple(faces) for place, faces in lying.items()}
    return _words_of(Deal(cards, {}, payout_of(limits.game, r)), most * spots)


class _Path(Struct, frozen=True):
    """The cards and choices of one spot's round: for each card whether it is the seat's, and its kind."""

    cards: tuple[tuple[bool, int], ...]
    choices: tuple[Choice, ...]


def _best_path(tables: Tables) -> _Path:
    """A round with the largest win; successors of a state come before it."""
    most: list[Cents] = []
    for state in tables.states:
        following = state.after or tuple(child for _, child in state.choices)
        wins = sum(result.net for result in state.results if result.net > 0)
        most.append(wins + max(map(most.__getitem__, following), default=0))
    cards, choices, state = list[tuple[bool, int]](), list[Choice](), tables.states[tables.start]
    while not state.is_end:
        if state.choices:
            choice, after = max(state.choices, key=lambda each: most[each[1]])
            choices.append(choice)
        else:
            face = max(range(len(state.after)), key=lambda face: most[state.after[face]])
            cards.append((state.on_seat, tables.kinds[face]))
            after = state.after[face]
        state = tables.states[after]
    return _Path(tuple(cards), tuple(choices))


def _dearest(limits: _Limits, solved: Showdown, classes: HandClasses, spots: int) -> DearestDeal | None:
    """The disjoint hands that can win most together, against the dealer's hand that allows the largest wins."""
    spots = min(spots, limits.game.terms.shoe.total // classes.size - 1)  # no more fit in the deck
    held, bound = _pack(list(islice(_best_hands(solved), _HANDS)), spots)
    if not held:
        return None
    rest = [face for face in limits.game.terms.shoe if not any(face in hand for hand in held)]
    payout = 0
    for house in islice(combinations(rest, len(held[0])), _HOUSES):
        lying = {DEALER: house, **{n: sorted(hand) for n, hand in enumerate(held)}}
        r = deal_round(limits.game, limits.wagers, lying, meters=limits.meters)
        payout = max(payout, payout_of(limits.game, r))
        if payout == bound:
            break
    names = tuple(classes.ranking.value(tuple(hand)).category for hand in held)
    return DearestDeal(names, payout, bound)


def _best_hands(solved: Showdown) -> Iterator[tuple[int, Hand]]:
    """Hands with the most they can win, the largest first: every assignment of suits of each class."""
    wins = solved.largest_wins
    for row in sorted(range(len(wins)), key=lambda row: -wins[row]):
        for hand in sorted(_namings(solved.classes.cards(row)), key=sorted):
            yield int(wins[row]), hand


def _namings(held: Sequence[Card]) -> set[Hand]:
    return {
        frozenset(
            each if each.suit is None else card(each.rank.letter + named[list(Suit).index(each.suit)].letter)
            for each in held
        )
        for named in permutations(Suit)
    }


def _pack(hands: Sequence[tuple[int, Hand]], spots: int) -> tuple[list[Hand], Cents]:
    """The disjoint hands with the largest total win, and its bound: equal unless the search was cut off.

    Hands are in falling order, so deals that continue from a hand win at most that hand on every spot left.
    """
    best, most, bound, nodes = list[Hand](), -1, 0, 0
    waiting: list[tuple[int, int, tuple[Hand, ...], Hand]] = [(0, 0, (), frozenset())]
    while waiting:
        at, total, chosen, used = waiting.pop()
        left = spots - len(chosen)
        if not left and total > most:
            best, most = list(chosen), total
        limit = total + left * hands[min(at, len(hands) - 1)][0]
        if not left or limit <= most:
            continue
        nodes += 1
        if nodes > _NODES or at == len(hands):
            bound = max(bound, limit) if nodes > _NODES or at == _HANDS else bound
            continue
        win, hand = hands[at]
        waiting.append((at + 1, total, chosen, used))
        if used.isdisjoint(hand):
            waiting.append((at + 1, total + win, (*chosen, hand), used | hand))
    return best, max(bound, most)
