"""The first deal of a game with spots: solves wagers that its open cards decide, independent of later play."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import islice, product

from feltworks.analysis.referee import Law
from feltworks.analysis.situations import Situation
from feltworks.analysis.solvers.counts import lay_cards, tables_of
from feltworks.cards import Card, Shoe, Suit
from feltworks.machine.felt import CardsRead
from feltworks.machine.sides import TooManyStates
from feltworks.machine.suits import ignores_suits
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Round, Seat, face_up
from feltworks.rules.settlement import facts_for, has_verdict
from feltworks.rules.steps import Decide, Draw, Offer

Outcomes = tuple[tuple[str, str], ...]  # wager and outcome
_UNIT: Cents = 100_00  # large enough for the whole range of every derived wager


@lru_cache(maxsize=256)
def is_decided_by_deal(game: Game, wager: str) -> bool:
    """Whether the face-up cards of the first deal decide a wager.

    >>> from feltworks import catalog
    >>> table = catalog.game("lucky-break")
    >>> [is_decided_by_deal(catalog.game("acey-deucey-21"), name) for name in ("war", "acey-deucey")]
    [True, True]
    >>> [is_decided_by_deal(table, name) for name in ("blackjack", "lucky-break")]
    [False, False]
    """
    r = Round((Seat({wager: _UNIT}),))
    faces = islice(game.terms.shoe, game.least_cards)
    while not has_verdict(game, r, 0, wager):
        step = game.awaits(r)
        if isinstance(step, Decide):
            r = advance(r, step, Choice(step.offers[0].name, step.offers[0].most))
            continue
        cards = tuple(islice(faces, step.count)) if isinstance(step, Draw) else ()
        if not isinstance(step, Draw) or len(cards) < step.count:
            return False
        r = advance(r, step, (FACE_DOWN,) * step.count if step.down else cards)
    return True


class FirstDeal:
    """The walk over a seat's first two cards and the up card; takes one of all that differ only by suits."""

    def __init__(self, game: Game, stakes: Mapping[str, Cents], shoe: Shoe) -> None:
        self.game, self.stakes, self.shoe = game, dict(stakes), shoe
        book = game.terms.rulebook.wager
        self.judges = [name for name, entry in book.items() if name in stakes or entry.of in stakes]
        self.tells_suits_apart = bool(stakes) and _tells_suits_apart(game, stakes)
        ranks = sorted({face.rank for face in shoe})
        by_place = {(face.rank, face.suit): face for face in shoe}
        self.faces = {suit: [by_place.get((rank, suit)) for rank in ranks] for suit in Suit}
        self.held = {suit: tuple(shoe[face] if face else 0 for face in faces) for suit, faces in self.faces.items()}
        self._waiting = cache(self._wait_for_up_card)

    def situations(self) -> Iterator[Situation]:
        """Every pair of first cards with the joint law of each choice."""
        total = self.shoe.total
        for pair, ways in self.pairs().items():
            shown = self.show(pair)
            yield Situation(Fraction(ways, total * (total - 1)), shown, self.laws(shown))

    def pairs(self) -> dict[tuple[Card, Card], int]:
        """A seat's first two cards, one pair for each kind, and in how many ways each kind is dealt."""
        return {
            (first, second): firsts * seconds
            for first, firsts in self.drawable(())
            for second, seconds in self.drawable((first,))
        }

    def show(self, pair: tuple[Card, Card]) -> Round:
        """The felt with two cards dealt, before any decision."""
        return lay_cards(self.game, Round((Seat(self.stakes),)), pair, ())

    def drawable(self, gone: Sequence[Card]) -> Iterator[tuple[Card, int]]:
        """The possible next cards, one for each kind, and how many are left of that kind."""
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
        """The law of each choice; if several wagers ask, of each combination of answers."""
        ups = self._judge_up_cards(shown.seats[0])
        return {choice: self._law(seat, ups) for choice, seat in self.seats_by_choice(shown).items()}

    def seats_by_choice(self, shown: Round) -> dict[str, Seat]:
        """The seat after each choice."""
        steps = self.game.open_decisions(shown)
        return {
            " / ".join(offer.name for offer in offers): _answer(shown, steps, offers)
            for offers in product(*(step.offers for step in steps))
        }

    def outcomes(self, pair: tuple[Card, Card], up_card: Card) -> Outcomes:
        """The outcomes of the wagers that these three cards decide, derived wagers included."""
        if not self.judges:
            return ()
        r, step = self._waiting(pair)
        felt = advance(r, step, (up_card,))
        standing = self.game.standing(felt, 0)
        judges = ((name, self.game.wagers[name]) for name in self.judges)
        verdicts = ((name, judge.judge(facts_for(judge, felt, 0, standing))) for name, judge in judges)
        return tuple((name, verdict.outcome) for name, verdict in verdicts if verdict)

    def settlement(self, seat: Seat, outcomes: Mapping[str, str]) -> Settled:
        """The settled lines of a seat's wagers for these outcomes."""
        lines = []
        for name, cents in seat.wagers.items():
            pay = self.game.pays[name][outcomes[name]]
            assert isinstance(pay, Odds)
            lines.append(SettledLine(name, outcomes[name], pay.exact * cents, cents))
        return tuple(lines)

    def _wait_for_up_card(self, pair: tuple[Card, Card]) -> tuple[Round, Draw]:
        """The felt with two cards dealt and all decisions made, and the draw of the up card."""
        r = self.show(pair)
        while isinstance(step := self.game.awaits(r), Decide):
            r = advance(r, step, Choice(step.offers[0].name, step.offers[0].most))
        assert isinstance(step, Draw)
        return r, step

    def _judge_up_cards(self, seat: Seat) -> dict[Outcomes, int]:
        """The joint outcomes of all wagers that the spot can have, with the number of up cards for each."""
        first, second = face_up(seat.cards)
        ways: dict[Outcomes, int] = {}
        for up_card, count in self.drawable((first, second)):
            outcomes = self.outcomes((first, second), up_card)
            ways[outcomes] = ways.get(outcomes, 0) + count
        return ways

    def _law(self, seat: Seat, ups: Mapping[Outcomes, int]) -> Law:
        left, law = self.shoe.total - 2, Law()
        for outcomes, count in ups.items():
            settled = self.settlement(seat, dict(outcomes))
            law[settled] = law.get(settled, Fraction(0)) + Fraction(count, left)
        return law


def _tells_suits_apart(game: Game, stakes: Mapping[str, Cents]) -> bool:
    """Whether suits are not interchangeable; assumed for rules that read single cards."""
    try:
        return not ignores_suits(tables_of(game, tuple(stakes.items())))
    except (CardsRead, TooManyStates):
        return True


def _answer(shown: Round, steps: Sequence[Decide], chosen: Sequence[Offer]) -> Seat:
    for step, offer in zip(steps, chosen, strict=True):
        shown = advance(shown, step, Choice(offer.name, offer.most))
    return shown.seats[0]
