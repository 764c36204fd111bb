"""The largest payout of a table whose spots are played hand by hand from one shoe, with an upper bound.

For every up card, choose the first two cards of each spot so that they can win most together; later cards are
assumed to be the best ones. That is the bound. Then search a deal that reaches it, and settle it by the
rules: a bound that is reached is proven.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from feltworks.analysis.shape import insurance_of, main_wager_of, waits_for_dealer
from feltworks.analysis.solvers.counts import lay_cards
from feltworks.analysis.solvers.fixed import FirstDeal, is_decided_by_deal
from feltworks.cards import Card
from feltworks.house.configuration import highest_payout
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Face, Place, Round, Seat, face_up
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Step, Turn

_NODES: Final = 20_000  # limit of the branch and bound
_TRIES: Final = 4_000  # steps of the search for the play of one spot
_UP_CARDS: Final = 4  # those with the highest bounds, for which a deal is searched
Pair = tuple[Card, Card]


class Deal(Struct, frozen=True):
    """Every card by its place in the order seen, each spot's choices, and the house's payout."""

    cards: Mapping[Place, tuple[Card, ...]]
    choices: Mapping[int, tuple[Choice, ...]]
    payout: Cents


class _Play(Struct, frozen=True):
    """One spot, played to its end."""

    round: Round
    payout: Cents


class ShoeTable:
    """A table with the same wagers on every spot."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], spots: int) -> None:
        self.game, self.wagers, self.spots = game, dict(wagers), spots
        self.main = main_wager_of(game)
        self.by_deal = [name for name in wagers if name != self.main and is_decided_by_deal(game, name)]
        self.later = [name for name in wagers if waits_for_dealer(game, name)]
        self.first = FirstDeal(game, {name: wagers[name] for name in self.by_deal}, game.terms.shoe)
        self._later_win = sum(highest_payout(game, name, wagers[name]) for name in self.later)
        self._stakes: dict[tuple[object, object], Cents] = {}
        self._wins: dict[object, Cents] = {}

    @property
    def is_known(self) -> bool:
        """Whether every wager is the main one, decided by the first deal, or on the dealer's hand."""
        return self.wagers.keys() == {self.main, *self.by_deal, *self.later}

    def dearest(self) -> tuple[Deal | None, Cents]:
        """The largest deal found, and the bound on every deal."""
        packed = sorted(((*self._pack(up), up) for up in self._up_cards()), key=lambda each: (-each[1], each[2]))
        bound, best = packed[0][1], None
        for hands, most, up in packed[:_UP_CARDS]:
            if best is None or best.payout < most:
                deals = [best, self._deal(hands, up, self._find_house(up, _count_faces(hands)))]
                if deals[1] is None or deals[1].payout < most:  # spots hold cards that the dealer needs
                    house = self._find_house(up, Counter())
                    deals.append(self._deal(self._pack(up, house[1:])[0], up, house) if house else None)
                best = max(filter(None, deals), key=lambda deal: deal.payout, default=None)
        return best, bound

    def _up_cards(self) -> Iterator[Card]:
        """One card of each rank; of every suit if suits are not interchangeable."""
        ranks = set()
        for face in self.game.terms.shoe:
            if self.first.tells_suits_apart or face.rank not in ranks:
                ranks.add(face.rank)
                yield face

    def _pack(self, up: Card, gone: Sequence[Card] = ()) -> tuple[list[Pair], Cents]:
        """First cards of all spots with the largest total win found against an up card, and the upper bound on it."""
        left = Counter(dict(self.game.terms.shoe.items()))
        left.subtract((up, *gone))
        pairs = {pair: self._worth(pair, up) for pair in self._pairs(left)}
        hands = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
        best = self._spread(hands, pairs, left)
        most, bound, nodes = sum(pairs[pair] for pair in best) if len(best) == self.spots else -1, 0, 0
        waiting: list[tuple[int, int, tuple[Pair, ...]]] = [(0, 0, ())]
        while waiting:
            at, total, chosen = waiting.pop()
            spare = self.spots - len(chosen)
            if not spare and total > most:
                best, most = list(chosen), total
            limit = total + spare * (pairs[hands[at]] if at < len(hands) else 0)
            nodes += 1
            if not spare or limit <= most or at == len(hands):
                continue
            if nodes > _NODES:
                bound = max(bound, limit)
                continue
            waiting.append((at + 1, total, chosen))
            if _fits(hands[at], _count_faces(chosen), left):
                waiting.append((at, total + pairs[hands[at]], (*chosen, hands[at])))
        return best, max(bound, most)

    def _spread(self, hands: Sequence[Pair], worth: Mapping[Pair, Cents], left: Counter[Card]) -> list[Pair]:
        """The best remaining hand for one spot after the other; of equal hands that of the rank used least."""
        chosen, used, ranks = list[Pair](), Counter[Card](), Counter[object]()
        while len(chosen) < self.spots:
            fitting = [pair for pair in hands if _fits(pair, used, left)]
            if not fitting:
                break
            equal = next(groupby(fitting, key=worth.__getitem__))[1]
            chosen.append(min(equal, key=lambda pair: ranks[pair[0].rank] + ranks[pair[1].rank]))
            used.update(chosen[-1])
            ranks.update(face.rank for face in chosen[-1])
        return chosen

    def _pairs(self, left: Counter[Card]) -> Iterator[Pair]:
        faces = [face for face in left if left[face]]
        return ((one, other) for one in faces for other in faces if one != other or left[one] > 1)

    def _worth(self, pair: Pair, up: Card) -> Cents:
        """The bound on the wins of a spot with these first cards.

        BJ.4: insurance wins only if the main wager does not, and no more than that wager at even money.
        """
        return self._first_win(pair, up) + self._stake(pair) + self._later_win

    def _first_win(self, pair: Pair, up: Card) -> Cents:
        """The most that the wagers on the first deal win there, over all choices before the up card."""
        if not self.by_deal:
            return 0
        one, two = pair
        suits = (one.suit, two.suit, up.suit)
        alike = suits if self.first.tells_suits_apart else tuple(map(suits.index, suits))
        key = one.rank, two.rank, up.rank, alike
        if key not in self._wins:
            outcomes = dict(self.first.outcomes(pair, up))
            seats = self.first.seats_by_choice(self.first.show(pair)).values()
            settled = (self.first.settlement(seat, outcomes) for seat in seats)
            self._wins[key] = max(int(sum(line.net for line in lines if line.net > 0)) for lines in settled)
        return self._wins[key]

    def _stake(self, pair: Pair) -> Cents:
        """The most the main wager wins: all that may be put on it at even money, or a natural at its odds."""
        key = pair[0].rank, pair[1].rank
        if key not in self._stakes:
            self._stakes[key] = self._ask_stake(pair)
        return self._stakes[key]

    def _ask_stake(self, pair: Pair) -> Cents:
        game, main, cents = self.game, self.main, self.wagers[self.main]
        opened = Round((Seat({main: cents}),))
        for up in game.terms.shoe:
            r = lay_cards(game, opened, pair, (up,))
            step = game.awaits(r)
            if isinstance(step, Decide) and step.about != insurance_of(game):
                if any(self._divides(r, step, offer) for offer in step.offers):
                    return game.most_at_stake(main, cents)
                return cents + max(offer.most for offer in step.offers)
        return max(int(pay.exact * cents) for pay in game.pays[main].values() if isinstance(pay, Odds))

    def _divides(self, r: Round, step: Decide, offer: Offer) -> bool:
        after = advance(r, step, Choice(offer.name, offer.most, step.about))
        return len(self.game.part_cards(after, 0, self.main)) > len(self.game.part_cards(r, 0, self.main))

    def _deal(self, hands: Sequence[Pair], up: Card, house: tuple[Card, ...] | None) -> Deal | None:
        """Play the spots one after the other from one shoe, then settle them together."""
        if len(hands) < self.spots or house is None:
            return None
        others = _count_faces(hands)
        cards: dict[Place, tuple[Card, ...]] = {DEALER: house}
        choices: dict[int, tuple[Choice, ...]] = {}
        for number, pair in enumerate(hands):
            others -= Counter(pair)
            play = self._play(pair, house, others, self._worth(pair, up))
            if play is None:
                return None
            (seat,) = play.round.seats
            cards[number], choices[number] = tuple(face_up(seat.cards)), seat.choices
            others += Counter(cards[number])
        self.game.terms.shoe.check_holds(face for faces in cards.values() for face in faces)
        return Deal(cards, choices, payout_of(self.game, deal_round(self.game, self.wagers, cards, choices)))

    def _find_house(self, up: Card, others: Counter[Card]) -> tuple[Card, ...] | None:
        """The dealer's cards that lose even to a low hand, and for which wagers on the dealer's hand win most."""
        low = sorted(face for face in self.game.terms.shoe if face.suit is not up.suit)
        pair = low[0], next(face for face in low if face.rank is not low[0].rank)
        play = self._play(pair, (up,), others, self._worth(pair, up))
        if play is None:
            return None
        hidden = list(face_up(play.round.dealer))
        hidden.remove(up)
        return (up, *hidden)  # in the order seen

    def _play(self, own: Pair, house: tuple[Card, ...], others: Counter[Card], goal: Cents) -> _Play | None:
        """Play a spot with these first cards for the most money; the search ends when it reaches the goal."""
        best = self._search(own, house, others, goal, low_first=True)
        if best is None or best.payout < goal:
            other = self._search(own, house, others, goal, low_first=False)
            best = max(filter(None, (best, other)), key=lambda play: play.payout, default=None)
        return best

    def _search(
        self, own: Pair, house: tuple[Card, ...], others: Counter[Card], goal: Cents, *, low_first: bool
    ) -> _Play | None:
        best: _Play | None = None
        waiting, tries = [self.game.open_round([self.wagers])], 0
        while waiting and tries < _TRIES and (best is None or best.payout < goal):
            r, tries = waiting.pop(), tries + 1
            step = self.game.awaits(r)
            if step is None:
                payout = payout_of(self.game, r)
                best = _Play(r, payout) if best is None or payout > best.payout else best
            elif isinstance(step, Decide):
                order = sorted(step.offers, key=lambda offer: (offer.most, self._divides(r, step, offer)))
                waiting += [advance(r, step, Choice(offer.name, offer.most, step.about)) for offer in order]
            elif isinstance(step, Draw) and step.down:
                waiting.append(advance(r, step, (FACE_DOWN,) * step.count))
            else:
                faces = self._next(r, step, own, house, others, low_first=low_first)
                waiting += [advance(r, step, _answer(step, (face,))) for face in faces]
        return best

    def _next(
        self, r: Round, step: Step, own: Pair, house: tuple[Card, ...], others: Counter[Card], *, low_first: bool
    ) -> Iterator[Card]:
        """The cards to try, the last first: those given, or a low one and one of the first card's kind."""
        place = step.to if isinstance(step, Draw) else getattr(step, "at", DEALER)
        seen, known = face_up(r.at(place)), house if place == DEALER else own
        if len(seen) < len(known):
            yield known[len(seen)]
            return
        gone = others + Counter(face_up(r.seats[0].cards)) + (Counter(face_up(r.dealer)) | Counter(house))
        left = [face for face in self.game.terms.shoe if gone[face] < self.game.terms.shoe[face]]
        if place == DEALER:
            left = [face for face in left if face.suit is house[0].suit and face not in _excluded_cards(r, step)]
            yield from left[:1] if isinstance(step, Peek) else reversed(left)
            return
        alike = [face for face in left if face.rank is own[0].rank]
        yield from (*alike[:1], *left[:1]) if low_first else (*left[:1], *alike[:1])


def _count_faces(hands: Sequence[Pair]) -> Counter[Card]:
    return Counter(face for pair in hands for face in pair)


def _fits(pair: Pair, used: Counter[Card], left: Counter[Card]) -> bool:
    one, other = pair
    return used[one] + (one == other) < left[one] and used[other] < left[other]


def _excluded_cards(r: Round, step: Step) -> frozenset[Card]:
    """The cards that the dealer's next card is known not to be, or should not be."""
    if isinstance(step, Peek):
        return step.wanted
    backs = (face for face in r.dealer if not isinstance(face, Card))
    return next((back.barring for back in backs), frozenset()) if isinstance(step, Turn) else frozenset()


def _answer(step: Step, faces: tuple[Card, ...]) -> tuple[Face, ...]:
    return peek_answer(step, faces[0]) if isinstance(step, Peek) else faces


def deal_round(
    game: Game,
    wagers: Mapping[str, Cents],
    lying: Mapping[Place, Sequence[Card]],
    choices: Mapping[int, Sequence[Choice]] | None = None,
    meters: Mapping[str, Cents] | None = None,
) -> Round:
    """The round of these cards in the order seen; without given choices each spot puts most money down.

    Dealer's cards are those that all spots share: the rules say which of them are on the board.
    """
    r = game.open_round([dict(wagers)] * (len(lying) - 1), dict(meters or {}))
    while (step := game.awaits(r)) is not None:
        if isinstance(step, Decide):
            offer = max(step.offers, key=lambda offer: offer.most)
            made = Choice(offer.name, offer.most, step.about)
            r = advance(r, step, choices[step.seat][len(r.seats[step.seat].choices)] if choices else made)
        elif isinstance(step, Draw) and step.down:
            r = advance(r, step, (FACE_DOWN,) * step.count)
        else:
            place, count = (step.to, step.count) if isinstance(step, Draw) else (step.at, getattr(step, "count", 1))
            begin = len(face_up(r.at(place) if place >= 0 else (*r.dealer, *r.board)))
            r = advance(r, step, _answer(step, tuple(lying[max(place, DEALER)][begin : begin + count])))
    return r


def payout_of(game: Game, r: Round) -> Cents:
    """The winnings of all spots under the rules."""
    return sum(line.net for line in game.settle(r) if line.net > 0)
