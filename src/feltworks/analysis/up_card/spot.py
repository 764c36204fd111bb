"""Several wagers of one spot that the player's first two cards and the up card decide, together.

Suits that have shown the same are walked once. Who is dealt what is restated here for speed (AD.7); what is
offered comes from the wagers' own `asks`, what is paid from their `judge` and the pay tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from feltworks.analysis.referee import Law
from feltworks.analysis.situations import Situation
from feltworks.analysis.up_card.three_cards import facts, tells_suits_apart
from feltworks.cards import Card, Shoe, Suit
from feltworks.games.blackjack import BEFORE_UP_CARD, Blackjack
from feltworks.machine.walk import Settled
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice, Round, Seat, face_up
from feltworks.rules.steps import Decide, Offer

Outcomes = tuple[tuple[str, str], ...]  # wager and outcome


def spot_situations(game: Blackjack, stakes: Mapping[str, Cents], shoe: Shoe) -> list[Situation]:
    """Every first two cards, one for all that differ only by suits, with the joint law of each choice."""
    return list(UpCardSpot(game, stakes, shoe).situations())


class UpCardSpot:
    """The walk over first two cards and up cards, one for all that differ only by suits."""

    def __init__(self, game: Blackjack, stakes: Mapping[str, Cents], shoe: Shoe) -> None:
        self.game, self.stakes, self.shoe = game, dict(stakes), shoe
        book = game.terms.rulebook.wager
        self.judges = [name for name, entry in book.items() if name in stakes or entry.of in stakes]
        self.tells_suits_apart = any(tells_suits_apart(game.wagers[name]) for name in self.judges)
        ranks = sorted({face.rank for face in shoe})
        by_place = {(face.rank, face.suit): face for face in shoe}
        self.faces = {suit: [by_place.get((rank, suit)) for rank in ranks] for suit in Suit}
        self.held = {
            suit: tuple(shoe[face] if face else 0 for face in faces) for suit, faces in self.faces.items()
        }

    def situations(self) -> Iterator[Situation]:
        total = self.shoe.total
        for first, firsts in self.drawable(()):
            for second, seconds in self.drawable((first,)):
                shown = Round((Seat(self.stakes, (first, second)),), (FACE_DOWN,))
                yield Situation(Fraction(firsts * seconds, total * (total - 1)), shown, self.laws(shown))

    def drawable(self, gone: Sequence[Card]) -> Iterator[tuple[Card, int]]:
        """The next card, one for each kind, and how many there are of the kind."""
        alike: dict[object, list[Suit]] = {}
        shown = {face.suit for face in gone}
        for suit in Suit:
            stands_alone = self.tells_suits_apart or suit in shown
            alike.setdefault(suit if stands_alone else self.held[suit], []).append(suit)
        for suits in alike.values():
            for face in self.faces[suits[0]]:
                if face is not None and (left := self.shoe[face] - gone.count(face)) > 0:
                    yield face, left * len(suits)

    def laws(self, shown: Round) -> dict[str, Law]:
        """The law of each choice; where several wagers ask, of each way to answer them all."""
        ups = self.judged(shown.seats[0])
        return {choice: self.law(seat, ups) for choice, seat in self.played(shown).items()}

    def played(self, shown: Round) -> dict[str, Seat]:
        """The seat after each choice."""
        asking = {name: self.game.wagers[name].asks(BEFORE_UP_CARD, shown, 0) for name in self.stakes}
        steps = [Decide(0, offers, name) for name, offers in asking.items() if offers]
        return {
            " / ".join(offer.name for offer in chosen): _answered(shown, steps, chosen)
            for chosen in product(*(step.offers for step in steps))
        }

    def judged(self, seat: Seat) -> dict[Outcomes, int]:
        """How every wager the spot can have comes out together, and against how many up cards."""
        first, second = face_up(seat.cards)
        ways: dict[Outcomes, int] = {}
        for up_card, count in self.drawable((first, second)):
            outcomes = self.outcomes((first, second), up_card)
            ways[outcomes] = ways.get(outcomes, 0) + count
        return ways

    def outcomes(self, pair: tuple[Card, Card], up_card: Card) -> Outcomes:
        """How the wagers come out that these three cards decide, with what can follow from them."""
        judges = ((name, self.game.wagers[name]) for name in self.judges)
        verdicts = ((name, judge.judge(facts(judge, pair, up_card))) for name, judge in judges)
        return tuple((name, verdict.outcome) for name, verdict in verdicts if verdict)

    def law(self, seat: Seat, ups: Mapping[Outcomes, int]) -> Law:
        left, law = self.shoe.total - 2, Law()
        for outcomes, count in ups.items():
            settled = self.settled(seat, dict(outcomes))
            law[settled] = law.get(settled, Fraction(0)) + Fraction(count, left)
        return law

    def settled(self, seat: Seat, outcomes: Mapping[str, str]) -> Settled:
        lines = []
        for name, cents in seat.wagers.items():
            pay = self.game.pays[name][outcomes[name]]
            assert isinstance(pay, Odds)
            lines.append((name, outcomes[name], pay.exact * cents, cents))
        return tuple(lines)


def _answered(shown: Round, steps: Sequence[Decide], chosen: Sequence[Offer]) -> Seat:
    for step, offer in zip(steps, chosen, strict=True):
        shown = advance(shown, step, Choice(offer.name, offer.most))
    return shown.seats[0]
