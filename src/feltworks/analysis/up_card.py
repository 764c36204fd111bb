"""Wagers that the player's first two cards and the up card decide: fixed cards, one decision at most.

Suits that have shown the same are walked once. Who is dealt what is restated here for speed (AD.7); what
is offered comes from the wager's own `asks`, what is paid from its `judge` and the pay table.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from feltworks.analysis.referee import Law, Settled
from feltworks.analysis.situations import Situation
from feltworks.cards import Card, Rank, Shoe, Suit
from feltworks.games.blackjack import BEFORE_UP_CARD, Blackjack, BlackjackStanding, DealersHand
from feltworks.hands.spot import Hand, Spot
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide
from feltworks.rules.wager import Wager

_UNIT: Cents = 100_00  # enough that every derived wager has its whole range


def is_decided_by_up_card(game: Blackjack, wager: str) -> bool:
    """Whether nothing after the up card touches this wager."""
    sample = list(game.terms.shoe)[:3]
    return game.wagers[wager].judge(_standing((sample[0], sample[1]), sample[2])) is not None


def situations(game: Blackjack, wager: str, shoe: Shoe) -> list[Situation]:
    """Every first two cards, one for all that differ only by suits, with the exact law of each choice."""
    return list(_UpCards(game, wager, shoe).situations())


class _UpCards:
    def __init__(self, game: Blackjack, wager: str, shoe: Shoe) -> None:
        self.game, self.wager, self.shoe = game, wager, shoe
        self.judge: Wager[BlackjackStanding] = game.wagers[wager]
        self.ranks = [rank for rank in Rank if rank is not Rank.JOKER]
        self.held = {
            suit: tuple(shoe[face] for face in sorted(f for f in shoe if f.suit is suit)) for suit in Suit
        }
        self.faces = {(face.rank, face.suit): face for face in shoe if face.suit is not None}

    def situations(self) -> Iterator[Situation]:
        total = self.shoe.total
        for first, firsts in self.drawable(()):
            for second, seconds in self.drawable((first,)):
                shown = Round((Seat({self.wager: _UNIT}, (first, second)),), (FACE_DOWN,))
                yield Situation(Fraction(firsts * seconds, total * (total - 1)), shown, self.laws(shown))

    def drawable(self, gone: Sequence[Card]) -> Iterator[tuple[Card, int]]:
        """The next card, one for each kind, and how many there are of the kind."""
        for suits in self.groups({face.suit for face in gone if face.suit is not None}):
            for rank in self.ranks:
                face = self.faces.get((rank, suits[0]))
                if face is not None and (left := self.shoe[face] - gone.count(face)) > 0:
                    yield face, left * len(suits)

    def groups(self, shown: set[Suit]) -> list[list[Suit]]:
        """Suits that may stand for each other: not yet shown, and of equal composition."""
        alike: dict[object, list[Suit]] = {}
        for suit in Suit:
            alike.setdefault(suit if suit in shown else self.held[suit], []).append(suit)
        return list(alike.values())

    def laws(self, shown: Round) -> dict[str, Law]:
        seat = shown.seats[0]
        offers = self.judge.asks(BEFORE_UP_CARD, seat)
        if not offers:
            return {"": self.law(seat)}
        step = Decide(0, offers, self.wager)
        laws = {}
        for offer in offers:
            laws[offer.name] = self.law(advance(shown, step, Choice(offer.name, offer.most)).seats[0])
        return laws

    def law(self, seat: Seat) -> Law:
        pair = (seat.cards[0], seat.cards[1])
        assert isinstance(pair[0], Card)
        assert isinstance(pair[1], Card)
        ways: dict[str, int] = {}
        for up_card, count in self.drawable((pair[0], pair[1])):
            verdict = self.judge.judge(_standing((pair[0], pair[1]), up_card))
            assert verdict is not None
            ways[verdict.outcome] = ways.get(verdict.outcome, 0) + count
        left = self.shoe.total - 2
        return {self._settled(seat, outcome): Fraction(count, left) for outcome, count in ways.items()}

    def _settled(self, seat: Seat, outcome: str) -> Settled:
        """Every line of the wager and of what was raised on it, which is judged by the same outcome."""
        lines = []
        for name, cents in seat.wagers.items():
            pay = self.game.pays[name][outcome]
            assert isinstance(pay, Odds)
            lines.append((name, outcome, pay.exact * cents, cents))
        return tuple(lines)


def _standing(pair: tuple[Card, Card], up_card: Card) -> BlackjackStanding:
    return BlackjackStanding(pair, Spot((Hand(pair),)), DealersHand((up_card,), up_card, None, None))
